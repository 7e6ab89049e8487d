"""Every word that people read stands in all languages, and asks for the same facts in each."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from companion.games.registry import games
from companion.words import LANGUAGES, Words, words_of_rules
from tests.project import sources

FILES = [path for path in sources.texts() if path.name == "words.toml" and path.parts[0] != "tests"]


def facts(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_word_is_said_in_every_language(path: Path) -> None:
    lacking = {
        key: set(LANGUAGES) - {language for language, sentence in said.items() if sentence.strip()}
        for key, said in Words.read(sources.ROOT / path)
    }
    assert not {key: languages for key, languages in lacking.items() if languages}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_word_is_said_in_a_language_that_is_not_ours(path: Path) -> None:
    strange = {key: said.keys() - LANGUAGES.keys() for key, said in Words.read(sources.ROOT / path)}
    assert not {key: languages for key, languages in strange.items() if languages}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_language_asks_for_the_same_facts(path: Path) -> None:
    differing = [
        key
        for key, said in Words.read(sources.ROOT / path)
        if len({frozenset(facts(sentence)) for sentence in said.values()}) > 1
    ]
    assert not differing


def test_there_are_words() -> None:
    assert Path("companion/words.toml") in FILES


def test_each_rule_of_each_game_has_its_sentence() -> None:
    for slug, game in games().items():
        words = words_of_rules(slug)
        assert not [rule for rule in game.rules if f"rule.{rule}" not in words]


def test_each_game_has_its_name_in_every_language() -> None:
    for game in games().values():
        assert game.names.keys() == LANGUAGES.keys()
