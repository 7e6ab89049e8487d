"""What the vision says of a picture."""

from __future__ import annotations

import msgspec

from hardware.vision.board.scene import Square
from hardware.vision.dice.reading import Die


class TileSeen(msgspec.Struct, frozen=True):
    """A tile believed to lie on the bed; `turns` clockwise quarter turns, `row`, `col` of its shape's box."""

    owner: str
    digit: int
    turns: int
    row: int
    col: int
    cells: tuple[Square, ...]
    confidence: float


class Alternative(msgspec.Struct, frozen=True):
    """Another board that explains the picture: all its tiles, and how likely it is, 0 to 1."""

    tiles: tuple[TileSeen, ...]
    confidence: float


class Reading(msgspec.Struct, frozen=True):
    """A picture read. `tiles` is the whole board as believed after it.

    `unsure`: a person would have to be asked, or the picture must be waited out. `why` in a word: empty when
    there is nothing to say; `hand`, `blurred`, `markers`, `glare`, `tile-off-bed`,
    `overlap`, `flipped`, `not-told-apart`, `unexplained` when unsure; `several-missed`, `moved`,
    `taken-back`, `out-of-turn`, `dice` (those in the tray are not sure) also when the board itself is
    certain. `alternatives`: whole boards, the likeliest first, the believed one left out. `covered`: squares
    that something covers. `ms`: milliseconds
    by stage.
    """

    image: str
    unsure: bool
    why: str = ""
    tiles: tuple[TileSeen, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    covered: tuple[Square, ...] = ()
    dice: tuple[Die, ...] = ()
    ms: dict[str, float] = {}
