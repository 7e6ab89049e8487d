"""The look of each owner's things: games' own looks by the owner's name, and a plain one for any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind
from companion.simulator import animals
from companion.simulator.coats import Coat, Colour, colour_of, plain_coat

USUAL_SLEEVE: Colour = (60, 92, 214)
"""The sleeve of a hand of an owner without a look of their own, BGR."""
USUAL_SKIN: Colour = (140, 172, 222)
"""The skin of such a hand, BGR."""
USUAL_FOOT = 0.3
"""The radius of the foot of a pawn of a kind without a look of its own, in squares."""
MARKER_EDGE: Colour = (60, 60, 60)
"""The edge of a marker of an owner without a look of their own, BGR."""


@dataclass(frozen=True)
class Look:
    """The look of one owner's things.

    `face` draws a face on a tile, `sign` a sign in the centre of a round marker. `tail` is half a tail's
    thickness in squares, 0 for tiles without one. `marker` is a marker's ground and ink, BGR.
    """

    marker: tuple[Colour, Colour]
    coats: Mapping[int, Coat] = field(default_factory=dict)
    face: Callable[[animals.Face, Colour, Colour], None] | None = None
    tail: float = 0.0
    sign: Callable[[NDArray[np.uint8], Colour], None] | None = None
    sleeve: Colour = USUAL_SLEEVE
    skin: Colour = USUAL_SKIN


@dataclass(frozen=True)
class PawnLook:
    """The look of a kind's pawns: their colour, BGR, and the radius of their foot in squares."""

    ink: Colour
    foot: float = USUAL_FOOT


LOOKS = {
    "cat": Look(
        marker=((120, 190, 250), (40, 80, 160)),
        coats=animals.COATS["cat"],
        face=animals.cat_face,
        tail=0.1,
        sign=animals.paw,
        sleeve=(60, 92, 214),
        skin=(140, 172, 222),
    ),
    "dog": Look(
        marker=((150, 84, 44), (242, 228, 208)),
        coats=animals.COATS["dog"],
        face=animals.dog_face,
        tail=0.13,
        sign=animals.paw,
        sleeve=(150, 98, 52),
        skin=(96, 132, 186),
    ),
}
"""The looks of games' own owners, by name."""

PAWNS = {"mouse": PawnLook((150, 152, 149), 0.26), "cat": PawnLook((232, 188, 122), 0.33)}
"""The looks of games' own pawns, by kind: grey and light blue, which the piece reader knows."""


@lru_cache(maxsize=64)
def look_of(owner: str) -> Look:
    """The look of an owner's things."""
    return LOOKS.get(owner) or Look(marker=(colour_of(owner), MARKER_EDGE))


def pawn_look(kind: str) -> PawnLook:
    """The look of the pawns of a kind."""
    return PAWNS.get(kind) or PawnLook(colour_of(kind))


def coat_of(owner: str, kind: Kind) -> Coat:
    """The coat of a tile. Digits beyond a look's coats share the existing coats."""
    coats = look_of(owner).coats
    if coats and isinstance(kind, int):
        return coats[(kind - 1) % len(coats) + 1]
    return plain_coat(owner, kind)
