"""Every word that a page says is in the catalogue, and no word is there that none says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from companion.games.registry import games
from companion.messages import Messages
from web.language import PAGE_MESSAGES, messages_of_page

HOME = Path(web.__file__).parent
OWN = [*HOME.glob("templates/*.html"), *HOME.glob("static/*.js"), *HOME.glob("*.py")]
FILE = re.compile(r"\.(css|js|html|svg)$")

DATA = {
    "rule",
    "name",
    "outcome",
    "why",
    "option",
    "option-help",
    "choice",
    "fault",
    "player-of",
    "draw",
    "deck",
    "advice",
    "place",
    "decided",
    "luck",
    "luck-why",
    "narrated",
    "data",
    "short-rules",
}
"""What the rules, the seats, the camera, the options or a set of cards name: no page needs to say it."""


def prefixes(slug: str) -> set[str]:
    """What the keys of a page's words begin with."""
    return {key.partition(".")[0] for key, _ in messages_of_page(slug)}


def texts(slug: str, ending: str = "") -> list[str]:
    """The sources of a game's page, the shared ones included; those alone whose names end so."""
    files = (*OWN, *games()[slug].folder.glob("page*"))
    return [path.read_text("utf-8") for path in files if path.name.endswith(ending)]


def spoken(slug: str, ending: str = "") -> set[str]:
    """Keys that a page says; what is put together while it runs ends in `*`."""
    first = "|".join(prefixes(slug))
    named = re.compile(rf"""["'`]((?:{first})\.[a-z$][\w${{}}.-]*[\w}}])["'`]""")
    sources = texts(slug, ending)
    matches = {key for text in sources for key in named.findall(text) if not FILE.search(key)}
    made = {key for text in sources for key in re.findall(r'"([a-z]+\.[a-z-]*)" ~', text)}
    return {re.sub(r"\$?\{.*", "*", key) for key in matches} | {f"{key}*" for key in made}


def said_by(spoken_keys: set[str], key: str) -> bool:
    """Whether a key is among those, or begins like one that is put together."""
    return key in spoken_keys or any(each.endswith("*") and key.startswith(each[:-1]) for each in spoken_keys)


@pytest.mark.parametrize("slug", games())
def test_each_word_that_a_page_says_is_there(slug: str) -> None:
    words = {key for key, _ in messages_of_page(slug)}
    lacking = [
        key
        for key in spoken(slug)
        if not (any(word.startswith(key[:-1]) for word in words) if key.endswith("*") else key in words)
    ]
    assert not lacking


def test_each_word_of_the_pages_is_said_somewhere() -> None:
    keys = {key for slug in games() for key in spoken(slug)}
    ours = [key for key, _ in Messages.from_files(PAGE_MESSAGES) if key.startswith("web.")]
    assert not [key for key in ours if not said_by(keys, key)]


@pytest.mark.parametrize("slug", games())
def test_each_word_of_a_games_page_is_said_on_it(slug: str) -> None:
    own = [key for key, _ in Messages.from_files(games()[slug].folder / "messages.toml")]
    keys = spoken(slug)
    # A list of choices is told by what all its words begin with: `choose(kinds, now, "does")`.
    answer = {first for text in texts(slug) for first in re.findall(r', "([a-z-]+)"\)', text)}
    keys |= {f"{first}.*" for first in answer - {key.partition(".")[0] for key in keys}}
    assert not [key for key in own if key.partition(".")[0] not in DATA and not said_by(keys, key)]


def test_the_pages_hold_no_words_of_one_game_alone() -> None:
    shared = {key.partition(".")[0] for key, _ in Messages.from_files(PAGE_MESSAGES)}
    for game in games().values():
        own = {key.partition(".")[0] for key, _ in Messages.from_files(game.folder / "messages.toml")}
        assert not (own - DATA) & shared
