"""Every word that people read stands in all languages, and asks for the same facts in each."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.games.registry import games
from companion.messages import LANGUAGES, Messages, messages_of_game
from tests.project import sources

FILES = [path for path in sources.texts() if path.name == "messages.toml" and path.parts[0] != "tests"]


def facts(sentence: str) -> set[str]:
    """The names in braces; one that only chooses a word (`{n:move|moves}`) may be one language's alone."""
    return {name for _, name, choice, _ in Formatter().parse(sentence) if name is not None and not choice}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_word_is_said_in_every_language(path: Path) -> None:
    lacking = {
        key: set(LANGUAGES) - {language for language, sentence in said.items() if sentence.strip()}
        for key, said in Messages.read(sources.ROOT / path)
    }
    assert not {key: languages for key, languages in lacking.items() if languages}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_word_is_said_in_a_language_that_is_not_ours(path: Path) -> None:
    strange = {key: said.keys() - LANGUAGES.keys() for key, said in Messages.read(sources.ROOT / path)}
    assert not {key: languages for key, languages in strange.items() if languages}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_language_asks_for_the_same_facts(path: Path) -> None:
    differing = [
        key
        for key, said in Messages.read(sources.ROOT / path)
        if len({frozenset(facts(sentence)) for sentence in said.values()}) > 1
    ]
    assert not differing


SAYERS = (".py", ".js", ".html")
"""Which files say words; each game's data files name some as well."""
MADE = re.compile(r"""["'`]((?:[a-z]+\.)?[a-z-]*[-.])(?:\$?\{|["'] ~)""")
"""The beginning of a key that is put together while the program runs."""
WITHOUT_A_SAYER = {"name", "option", "option-help", "choice", "lot", "notation", "short-rules", "own"}
"""What the data name (seats, cards, toys), options and lots, which the form for a new match says, what the
frame of every game's page says, the rules in short, which have a page of their own, and what the page says on
which people make files of their own."""

BY_ITS_OWN_NAME = {"rule", "why", "outcome", "fault"}
"""What one part names and another says: the name alone must stand somewhere."""


QUOTED = re.compile(r"""(?<=["'`])[\w.-]+(?=["'`])""")
"""What stands in quotes and may be a key, or what stands behind its first dot."""


def said(key: str, quoted: set[str], made: set[str]) -> bool:
    """Whether a word is said: whole, by what stands behind its first dot, or made of parts."""
    head, _, rest = key.partition(".")
    if {key, rest} & quoted:
        return True
    begins = made - ({f"{head}."} if head in BY_ITS_OWN_NAME else set())
    return any(key.startswith(begun) or rest.startswith(begun) for begun in begins)


def sayers(path: Path) -> str:
    """All that may say the words of a file: its own folder, what the camera tells it, the commands; for words
    that games share, everything."""
    shared = path.parent in (Path("companion"), Path("web"))
    folders = sources.PACKAGES if shared else (path.parent, Path("hardware"), Path("companion/commands"))
    files = [each for folder in folders for each in (sources.ROOT / folder).rglob("*")]
    kinds = SAYERS if shared else (*SAYERS, ".toml")
    mine = (each for each in files if each.suffix in kinds and each.name != "messages.toml")
    return "".join(each.read_text("utf-8") for each in mine if "tests" not in each.parts)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_each_word_is_said_somewhere(path: Path) -> None:
    source = sayers(path)
    quoted, made = set(QUOTED.findall(source)), set(MADE.findall(source))
    keys = [key for key, _ in Messages.read(sources.ROOT / path)]
    assert not [k for k in keys if k.partition(".")[0] not in WITHOUT_A_SAYER and not said(k, quoted, made)]


def test_each_option_and_choice_that_is_worded_is_there() -> None:
    for slug, game in games().items():
        options = game.options_type.__struct_fields__
        worded = [key.split(".")[:2] for key, _ in messages_of_game(slug)]
        assert {name for head, name in worded if head in ("option", "option-help", "choice")} <= set(options)


def test_there_are_words() -> None:
    assert Path("companion/messages.toml") in FILES


def test_each_rule_of_each_game_has_its_sentence() -> None:
    for slug, game in games().items():
        words = messages_of_game(slug)
        assert not [rule for rule in game.rules if f"rule.{rule}" not in words]


def test_each_game_has_its_name_in_every_language() -> None:
    for game in games().values():
        assert game.names.keys() == LANGUAGES.keys()
