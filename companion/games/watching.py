"""What a camera sees of a game, in plain values: the one family that vision gives and games take."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec


class SeenTile(msgspec.Struct, frozen=True):
    """A tile that the camera saw lying on the board (squares, clockwise quarter turns)."""

    owner: str
    digit: int
    turns: int
    row: int
    col: int
    confidence: float = 1.0


class SeenDie(msgspec.Struct, frozen=True):
    """A die that the camera saw at rest."""

    value: int
    colour: str = "other"
    confidence: float = 1.0


class SeenPiece(msgspec.Struct, frozen=True):
    """A piece that the camera saw standing on a square; alike pieces have one `kind`."""

    kind: str
    row: int
    col: int
    confidence: float = 1.0


class SeenCard(msgspec.Struct, frozen=True):
    """A card that the camera saw come to rest on the discard spot: its kind as it was taught, how likely
    (0 to 1), and other kinds that it may be, the likeliest first, each with its chance."""

    kind: str
    confidence: float = 1.0
    others: tuple[tuple[str, float], ...] = ()


class SeenBoard(msgspec.Struct, frozen=True):
    """One other way to read the picture, and how likely it is (0 to 1)."""

    tiles: tuple[SeenTile, ...]
    confidence: float


class Dice(msgspec.Struct, frozen=True):
    """The dice of a throw: how many, the values that their faces may show, and the colour by which they are
    told from other dice on the table (empty: any colour, and there are no others).
    """

    count: int
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    colour: str = ""


class Seen(msgspec.Struct, frozen=True):
    """What the camera saw, in plain values: the whole board, dice at rest, cards newly laid, pieces in sight.

    `sure` is false when a person would have to be asked; `why` then says what is in the way (a key
    `why.<why>` in the words) and `others` holds the ranked readings to choose from.
    """

    sure: bool
    why: str = ""
    tiles: tuple[SeenTile, ...] | None = None
    dice: tuple[SeenDie, ...] | None = None
    cards: tuple[SeenCard, ...] | None = None
    others: tuple[SeenBoard, ...] = ()
    pieces: tuple[SeenPiece, ...] | None = None


class Verdict(StrEnum):
    """What to do with a sighting."""

    NOTHING = "nothing"
    """Nothing new: what is seen is what the match holds."""
    PLAY = "play"
    """Sure and within the rules: play the moves of the first guess."""
    ASK = "ask"
    """A person must choose among the guesses."""
    WAIT = "wait"
    """Nothing can be read now (a hand, motion): look again."""
    BREAKS = "breaks"
    """Seen clearly, and it breaks a rule: `rule` and `facts` say which; nothing is played."""


class Guess(msgspec.Struct, frozen=True):
    """Moves that would make the match equal to what was seen, and how likely they are (0 to 1)."""

    moves: tuple[Any, ...]
    confidence: float


class Sighting(msgspec.Struct, frozen=True):
    """What the camera believes was done: a verdict and ranked guesses, best first."""

    verdict: Verdict
    why: str = ""
    rule: str = ""
    facts: dict[str, str | int] = {}
    guesses: tuple[Guess, ...] = ()
