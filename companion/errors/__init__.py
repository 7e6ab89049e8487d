"""The one family of errors: each names what is wrong, and its sentence says how to mend it.

`CompanionError` is the root. A `MoveError` is about the rules, for a player: it has the rule's name and the
facts of the case, and the catalogue of messages turns both into a sentence in the player's language. A
`UserError` is about a file, a port or a disk, for the person who started the program: its sentence is the
error's text.

Nobody sees a library's own message: `companion.errors.causes` puts it into plain words.
"""

from __future__ import annotations

from typing import ClassVar

from companion.messages import CompanionError as CompanionError
from companion.messages import Fact, capital, messages_of_game
from companion.messages import UserError as UserError


class DataError(UserError):
    """A person's own data (a set of cards, filled in on a phone) that a game cannot use.

    `what` and `fault` are keys under `fault.` in the game's messages, `facts` the facts of the second
    sentence, `key` the path to the value at fault. `str()` is the English sentence; `says()` is the same in
    any language.
    """

    def __init__(self, game: str, what: str, fault: str, *key: str | int, **facts: Fact) -> None:
        super().__init__(game, what, fault, key, facts)
        self.game, self.what, self.fault, self.key, self.facts = game, what, fault, key, facts

    def says(self, language: str = "en") -> str:
        """The fault as one sentence, in `language` (a key of `messages.LANGUAGES`)."""
        messages = messages_of_game(self.game)
        what = messages.say(f"fault.{self.what}", language)
        return messages.say("fault.cannot-be-used", language, what=what, fault=self.reason(language))

    def reason(self, language: str = "en") -> str:
        """The end of that sentence: the fault alone."""
        return messages_of_game(self.game).say(f"fault.{self.fault}", language, **self.facts)

    def __str__(self) -> str:
        return self.says("en")


class NotKept(UserError):
    """A value that could not be written: the disk is full or broken."""


class PhrasedError(UserError):
    """Something outside the games, said by one of the shared messages.

    `fault` is a key under the `family` of messages, `facts` are those of its sentence. `str()` is the English
    sentence; `says()` is the same in any language.
    """

    family: ClassVar[str]
    """The prefix of these messages' keys."""

    def __init__(self, fault: str, **facts: Fact) -> None:
        super().__init__(fault, facts)
        self.fault, self.facts = fault, facts

    def says(self, language: str = "en") -> str:
        return messages_of_game("").say(f"{self.family}.{self.fault}", language, **self.facts)

    def __str__(self) -> str:
        return self.says("en")


class PhotoError(PhrasedError):
    """A photo of a board that cannot be taken or read, or for which there is no room now."""

    family = "photo-fault"


class OwnFileError(PhrasedError):
    """A board, deck or picture of a person's own that this table cannot keep."""

    family = "own-fault"


class TableError(PhrasedError):
    """Something that the table or its camera cannot do now, or cannot keep."""

    family = "table-fault"


class SettingError(PhrasedError):
    """A setting with an impossible value, or one that cannot be changed now."""

    family = "setting-fault"


class MoveError(CompanionError, ValueError):
    """A move that the rules refuse; nothing has changed.

    `rule` is the rule's name (and its key under `rule.` in the game's messages), `facts` the facts of its
    sentence. `str()` is the English sentence for a player; `says()` is the same in any language.

    In a match, `move` is the move in the game's notation, and `position` has the moves before it in order.
    `companion replay` plays both. `repr()` shows them, so that a log line is enough to reproduce the error.
    """

    def __init__(self, game: str, rule: str, **facts: Fact) -> None:
        super().__init__(game, rule, facts)
        self.game = game
        self.rule = rule
        self.facts = facts
        self.move = ""
        self.position: tuple[str, ...] = ()

    def says(self, language: str = "en") -> str:
        """The refusal as one sentence for a player, in `language` (a key of `messages.LANGUAGES`)."""
        return capital(messages_of_game(self.game).say(f"rule.{self.rule}", language, **self.facts))

    def __repr__(self) -> str:
        facts = "".join(f", {name}={fact!r}" for name, fact in self.facts.items())
        where = f": {self.move!r} after {'; '.join(self.position) or 'the start'}" if self.move else ""
        return f"{type(self).__name__}({self.game!r}, {self.rule!r}{facts}){where}"

    def __str__(self) -> str:
        return self.says("en")


class InvalidMove(MoveError):
    """Not a move of this game: an unknown kind, or missing or impossible values."""


class IllegalMove(MoveError):
    """A move of this game that the rules do not allow now."""
