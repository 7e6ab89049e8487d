"""All messages that people read, in one catalogue of three languages.

The messages are in short TOML files, each key with its languages side by side, so that a missing translation
shows where it is missing:

    [rule.one-at-a-time]
    en = "Only one tile is laid a turn."
    zh-Hant = "每回合只能擺放一塊板塊。"
    ko = "한 차례에 타일 하나만 놓습니다."

`companion/messages.toml` has the messages that all games share, `web/messages.toml` those of the pages, and
each game's folder its own `messages.toml`. A game's messages take precedence over the shared ones.

A place in braces is filled with a fact. A place with two words chooses one of them by the fact: in English
the first for one of a thing ("{moves} {moves:move|moves}"), in Korean the first after a closed syllable
("{owner}{owner:은|는}"). Chinese messages have no spaces beside a place; a space is inserted where Latin
letters or digits meet Chinese characters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unicodedata import category


class CompanionError(Exception):
    """Root of all errors that the companion raises on purpose; `companion.errors` has the others."""


class UserError(CompanionError):
    """Something outside the game is wrong. The text is one sentence that says what, and how to mend it. A
    command prints the sentence and exits with status 2."""


LANGUAGES = {"en": "English", "zh-Hant": "繁體中文", "ko": "한국어"}
"""The languages by tag (BCP 47), with their own names; English is the fallback."""


@dataclass(frozen=True)
class Phrase:
    """A part of a sentence in no language yet: a key of the messages, and its facts. `game` is the slug of
    the game whose messages these are; empty for the shared ones."""

    key: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    game: str = ""

    def says(self, language: str = "en") -> str:
        """The part of the sentence in `language`."""
        return messages_of_game(self.game).say(self.key, language, **self.facts)

    def __str__(self) -> str:
        return self.says()


Fact = str | int | float | Phrase | tuple[str, ...]
"""A value in a sentence: `{digit}`, `{owner}`, `{choices}` (each of them in turn), …"""


class Messages:
    """A catalogue: key → language → sentence with `{facts}` in it."""

    def __init__(self, sentences: Mapping[str, Mapping[str, str]]) -> None:
        self._sentences = dict(sentences)

    @classmethod
    def from_files(cls, *paths: Path) -> Messages:
        """Read message files; if two have the same key, the later path wins. Raises `UserError` with the
        file's name if a file cannot be read or is not TOML."""
        sentences: dict[str, Mapping[str, str]] = {}
        for path in paths:
            try:
                sentences.update(_leaves(tomllib.loads(path.read_text("utf-8"))))
            # A number of thousands of digits is a plain ValueError, and so is a text that is not UTF-8.
            except (OSError, ValueError, RecursionError) as error:
                line = re.search(r"\(at (line \d+)", str(error))
                raise UserError(
                    f"The messages {path} cannot be read{f' ({line[1]})' if line else ''}: they must be TOML,"
                    ' each key with its languages, such as left = { en = "…" }.'
                ) from error
        return cls(sentences)

    def say(self, key: str, language: str, **facts: Fact) -> str:
        """The sentence for `key` in `language`, or else in English, with `facts` filled in.

        A fact with a key `name.<fact>` (an owner, a toy, a seat) is translated too. Raises `KeyError` for an
        unknown key, because a missing message is our own fault.
        """
        by_language = self._sentences[key]
        spoken = language if language in by_language else "en"
        named = {name: self._named(fact, language) for name, fact in facts.items()}
        return _filled(by_language[spoken], named, spoken)

    def _named(self, fact: Fact, language: str) -> str | int | float:
        if isinstance(fact, Phrase):
            return fact.says(language)
        if isinstance(fact, tuple):
            return ("、" if language == "zh-Hant" else ", ").join(
                str(self._named(part, language)) for part in fact
            )
        by_language = self._sentences.get(f"name.{fact}")
        return fact if by_language is None else by_language.get(language, by_language["en"])

    def table(self, language: str) -> dict[str, str]:
        """Every key with its sentence in `language`, with facts not yet filled in, for a page."""
        return {key: said.get(language, said["en"]) for key, said in self._sentences.items()}

    def __or__(self, later: Messages) -> Messages:
        """Both catalogues in one; `later` wins for the same key."""
        return Messages({**self._sentences, **later._sentences})

    def __contains__(self, key: object) -> bool:
        return key in self._sentences

    def __iter__(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        return iter(self._sentences.items())


PLACE = re.compile(r"\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}")
"""A place in a sentence: `{fact}`, or `{fact:first|second}` for one of two words by that fact."""
HAN_AND_LATIN = re.compile(r"[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]")
CLOSED_WHEN_READ = set("013678bcklmnpt")
"""Digits and last letters that end with a consonant in Korean (0 is 영, 1 일, 3 삼 …)."""
CLOSING_MARKS = "”’」』)）]`'\""
"""Signs that may follow the last sound and are not read."""
LAST_SOUNDS = 28
"""The number of consecutive syllables in Unicode that differ only by their last sound; the first is open."""
SOUND_OF_L = 8
"""The index of the one that ends with ㄹ."""
READ_WITH_L = set("178l")
"""Digits and last letters that end with ㄹ, after which 로 is used instead of 으로."""


def _filled(sentence: str, facts: Mapping[str, str | int | float], language: str) -> str:
    """The sentence with its places filled. Raises `KeyError` for a missing fact."""
    text, end = "", 0
    for place in PLACE.finditer(sentence):
        name, first, second = place.groups()
        fact = facts[name] if first is None else _chosen(facts[name], first, second, language)
        text = _joined(_joined(text, sentence[end : place.start()], language), str(fact), language)
        end = place.end()
    return _joined(text, sentence[end:], language)


def _chosen(fact: str | int | float, one: str, other: str, language: str) -> str:
    """One of two words: by number in English, by the preceding sound in Korean."""
    if language != "ko":
        return one if str(fact) == "1" else other
    last = str(fact).rstrip(CLOSING_MARKS)[-1:].lower()
    if "가" <= last <= "힣":
        sound = (ord(last) - ord("가")) % LAST_SOUNDS
        closed, with_l = sound != 0, sound == SOUND_OF_L
    else:
        closed, with_l = last in CLOSED_WHEN_READ, last in READ_WITH_L
    return one if closed and not (with_l and other == "로") else other


def _joined(before: str, after: str, language: str) -> str:
    """Two joined pieces of a sentence; in Chinese with a space where Latin letters or digits meet Han."""
    meet = before[-1:] + after[:1]
    return f"{before} {after}" if language == "zh-Hant" and HAN_AND_LATIN.fullmatch(meet) else before + after


def _leaves(node: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Mapping[str, str]]]:
    if "en" in node:
        yield prefix, {str(language): str(said) for language, said in node.items()}
        return
    for name, below in node.items():
        if isinstance(below, Mapping):
            yield from _leaves(below, f"{prefix}.{name}" if prefix else name)


SHARED_MESSAGES = Path(__file__).with_name("messages.toml")


_folders: dict[str, Path] = {}


def register(game: str, folder: Path) -> None:
    """Register `folder` for the messages of `game` (its slug); a game does so when it is defined."""
    _folders[game] = folder
    messages_of_game.cache_clear()


@cache
def messages_of_game(game: str) -> Messages:
    """The shared messages and those of a game (by its slug), read once."""
    folder = _folders.get(game)
    return Messages.from_files(SHARED_MESSAGES, *([] if folder is None else [folder / "messages.toml"]))


MOST_NAME = 40

JOINERS = "\u200c\u200d"
"""They join the letters of Persian names, and the parts of an emoji."""


def plain_name(written: str, most: int = MOST_NAME) -> str:
    """A name as it is kept: without signs that nobody sees, like those that turn the line around, cut to
    `most` characters."""
    seen = (
        " " if sign.isspace() else sign
        for sign in written
        if sign in JOINERS or sign.isspace() or category(sign) not in ("Cc", "Cf", "Cs")
    )
    return " ".join("".join(seen).split())[:most]


def capital(text: str) -> str:
    """The text with its first letter as a capital, where its script has capitals."""
    return text[:1].upper() + text[1:]


def seat_label(game: str, players: Mapping[str, str], seat: str, language: str) -> str:
    """The name for a seat of a game: its player's own, else the seat's, which begins with a capital."""
    return players.get(seat) or capital(messages_of_game(game).say(f"name.{seat}", language))
