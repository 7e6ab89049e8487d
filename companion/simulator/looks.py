"""The look of each owner's things: games' own looks by the owner's name, and a plain one for any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind
from companion.simulator.coats import DENSITY, Coat, Colour, colour_of, plain_coat

USUAL_SLEEVE: Colour = (60, 92, 214)
USUAL_SKIN: Colour = (140, 172, 222)
USUAL_FOOT = 0.3
MARKER_EDGE: Colour = (60, 60, 60)


def _bgr(rgb: str) -> Colour:
    return int(rgb[4:6], 16), int(rgb[2:4], 16), int(rgb[0:2], 16)


def _coats(rows: tuple[tuple[str, str, str, str], ...], seed: int) -> dict[int, Coat]:
    return {
        digit: Coat(_bgr(base), _bgr(mark), _bgr(second), pattern, seed + digit)
        for digit, (base, mark, second, pattern) in enumerate(rows, start=1)
    }


COATS: dict[str, dict[int, Coat]] = {
    "cat": _coats(
        (
            ("e8a055", "c0702a", "f6d9b0", "stripes"),
            ("9aa0a6", "5f666e", "d9dcdf", "stripes"),
            ("f7f1e6", "d88a3d", "37302c", "patches"),
            ("3a3a40", "f4f1ec", "24242a", "bib"),
            ("efe2cb", "6b4d3a", "c9ab88", "points"),
            ("4b3a30", "c97a34", "e9c48d", "mottled"),
            ("c9b08c", "7c6144", "efe3cd", "stripes"),
            ("6a5f6e", "574d5c", "8d8290", "plain"),
            ("faf6ef", "55504e", "8a8480", "patches"),
        ),
        100,
    ),
    "dog": _coats(
        (
            ("f8f5ef", "2d2a2a", "57504e", "spots"),
            ("dba860", "c08a41", "f0d3a0", "curls"),
            ("5b3a26", "45291a", "7c5439", "curls"),
            ("f2e8d8", "8a4f28", "2f2623", "patches"),
            ("2b2724", "b8692e", "463d38", "points"),
            ("a9713c", "553219", "c99457", "brindle"),
            ("8f99a6", "f3f3f1", "596270", "bib"),
            ("e9dcc2", "cdb78f", "f8f1e0", "curls"),
            ("a3adba", "4a4f59", "e4e2de", "mottled"),
        ),
        200,
    ),
}


class Face:
    """Draws around a face's middle; places and sizes in half squares."""

    def __init__(self, picture: NDArray[np.uint8], middle: NDArray[np.float64]) -> None:
        self.picture, self.middle = picture, middle

    def at(self, x: float, y: float) -> tuple[int, int]:
        """A point in px of the picture."""
        px = self.middle + np.array([x, y]) * (DENSITY / 2)
        return round(float(px[0])), round(float(px[1]))

    def oval(self, x: float, y: float, across: float, down: float, ink: Colour, angle: float = 0) -> None:
        """A filled oval, turned by degrees."""
        axes = max(1, round(across * DENSITY / 2)), max(1, round(down * DENSITY / 2))
        cv2.ellipse(self.picture, self.at(x, y), axes, angle, 0, 360, ink, -1, cv2.LINE_AA)

    def triangle(self, corners: tuple[tuple[float, float], ...], ink: Colour) -> None:
        """A filled triangle."""
        points = np.array([self.at(x, y) for x, y in corners], np.int32)
        cv2.fillPoly(self.picture, [points], ink, cv2.LINE_AA)

    def hair(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """A whisker."""
        cv2.line(self.picture, self.at(*begin), self.at(*end), (70, 70, 70), 1, cv2.LINE_AA)


def cat_face(face: Face, light: Colour, dark: Colour) -> None:
    """Pointed ears, slit eyes, whiskers."""
    for side in (-1, 1):
        face.triangle(((side * 0.82, -0.05), (side * 0.72, -0.92), (side * 0.15, -0.55)), dark)
    face.oval(0, 0.12, 0.82, 0.68, light)
    for side in (-1, 1):
        face.oval(side * 0.34, 0.02, 0.16, 0.2, (90, 190, 150))
        face.oval(side * 0.34, 0.02, 0.06, 0.19, (24, 24, 24))
        for y in (0.22, 0.42):
            face.hair((side * 0.25, 0.36), (side * 0.95, y))
    face.triangle(((-0.11, 0.28), (0.11, 0.28), (0, 0.42)), (130, 120, 230))


def dog_face(face: Face, light: Colour, dark: Colour) -> None:
    """Hanging ears, a muzzle."""
    face.oval(0, 0.05, 0.7, 0.74, light)
    for side in (-1, 1):
        face.oval(side * 0.72, -0.1, 0.22, 0.5, dark, side * -14)
        face.oval(side * 0.28, -0.1, 0.11, 0.11, (24, 24, 24))
    face.oval(
        0, 0.38, 0.36, 0.28, (min(255, light[0] + 30), min(255, light[1] + 30), min(255, light[2] + 30))
    )
    face.oval(0, 0.25, 0.17, 0.12, (30, 28, 28))


def paw(disc: NDArray[np.uint8], ink: Colour) -> None:
    """A paw in the middle of a round marker's drawing."""
    middle = DENSITY // 2
    pad, heel = (middle, int(DENSITY * 0.6)), (int(DENSITY * 0.14), int(DENSITY * 0.11))
    cv2.ellipse(disc, pad, heel, 0, 0, 360, (*ink, 255), -1, cv2.LINE_AA)
    for angle in np.radians((-58, -20, 20, 58)):
        toe = np.array([middle + DENSITY * 0.22 * np.sin(angle), DENSITY * (0.6 - 0.24 * np.cos(angle))])
        toe_px = round(float(toe[0])), round(float(toe[1]))
        cv2.circle(disc, toe_px, int(DENSITY * 0.06), (*ink, 255), -1, cv2.LINE_AA)


@dataclass(frozen=True)
class Look:
    """The look of one owner's things.

    `face` draws a face on a tile, `sign` a sign in the centre of a round marker. `tail` is half a tail's
    thickness in squares, 0 for tiles without one. `marker` is a marker's ground and ink, BGR.
    """

    marker: tuple[Colour, Colour]
    coats: Mapping[int, Coat] = field(default_factory=dict)
    face: Callable[[Face, Colour, Colour], None] | None = None
    tail: float = 0.0
    sign: Callable[[NDArray[np.uint8], Colour], None] | None = None
    sleeve: Colour = USUAL_SLEEVE
    skin: Colour = USUAL_SKIN


@dataclass(frozen=True)
class PawnLook:
    """The look of a kind's pawns: colour, BGR, and radius of the foot in squares."""

    ink: Colour
    foot: float = USUAL_FOOT


LOOKS = {
    "cat": Look(
        marker=((120, 190, 250), (40, 80, 160)),
        coats=COATS["cat"],
        face=cat_face,
        tail=0.1,
        sign=paw,
        sleeve=(60, 92, 214),
        skin=(140, 172, 222),
    ),
    "dog": Look(
        marker=((150, 84, 44), (242, 228, 208)),
        coats=COATS["dog"],
        face=dog_face,
        tail=0.13,
        sign=paw,
        sleeve=(150, 98, 52),
        skin=(96, 132, 186),
    ),
}

PAWNS = {"mouse": PawnLook((150, 152, 149), 0.26), "cat": PawnLook((232, 188, 122), 0.33)}
"""The looks of games' own pawns, by kind: grey and light blue, as the piece reader knows them."""


@lru_cache(maxsize=64)
def look_of(owner: str) -> Look:
    """The look of an owner."""
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
