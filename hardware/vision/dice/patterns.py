"""How well each of the six patterns of pips fits a located face, by its colours alone.

This needs no training: whatever two colours a die has, pips look alike and differ from the rest of the face.
Each pattern is turned, moved and scaled in small steps. At each step, the spread of colour within pips and
rest is compared with the spread over the whole face (Wilks' lambda); the best step counts. So a swirled die
with red pips on black and blue is read by hue, and a white one by brightness.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.classifier import cut_out

SIDE_PX = 24
"""The side of a compared face, in px."""
EDGES_ACROSS = 1.25
"""The edge lengths that a compared face spans."""
HALF_FACE = 0.45
"""The reach of the flat part of a face from its centre, in edges."""
SOFT = 0.04
"""The width, in edges, over which a mark's rim fades."""
SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The positions of each value's pips, in units of the pips' spacing."""
TURN_STEP_DEG = 15
"""The step between the rotations to try. Finer steps were not more accurate on held-out photographs."""
SHIFTS = (-0.07, 0.0, 0.07)
"""The shifts to try in each direction, in edges."""
SPACINGS = (0.2, 0.235, 0.27)
"""The spacings of pips to try, in edges."""
RADII = (0.08, 0.12)
"""The radii of pips to try, in edges."""
LONE_RADII = (0.08, 0.11, 0.15, 0.19)
"""The radii of a single pip to try, in edges."""
GRAIN = 2e-4
"""The variance of grain alone, of the square root of brightness; less is no spread."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """Weights of px: `pips` `(N, SIDE_PX²)`, faces `(M, SIDE_PX²)`; `face_of` and `values` `(N,)`."""

    pips: Float32
    faces: Float32
    face_of: NDArray[np.int64]
    values: NDArray[np.int64]


@cache
def _steps() -> _Steps:
    across = float32(((np.arange(SIDE_PX) + 0.5) / SIDE_PX - 0.5) * EDGES_ACROSS)
    x, y = np.meshgrid(across, across)
    pips: list[Float32] = []
    faces: list[Float32] = []
    face_of: list[int] = []
    values: list[int] = []
    for turn, down, right in product(range(0, 90, TURN_STEP_DEG), SHIFTS, SHIFTS):
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        u, v = (x - right) * cos + (y - down) * sin, (y - down) * cos - (x - right) * sin
        face = _soft(HALF_FACE - np.maximum(abs(u), abs(v)))
        faces.append(face)
        for value, spots in _patterns(turn):
            for spacing, radius in product((0.0,), LONE_RADII) if value == 1 else product(SPACINGS, RADII):
                marks = [_soft(radius - np.hypot(u - spacing * a, v - spacing * b)) for a, b in spots]
                pips.append(np.max(marks, axis=0) * face)
                face_of.append(len(faces) - 1)
                values.append(value)
    rows = (-1, SIDE_PX**2)
    return _Steps(
        float32(np.reshape(pips, rows)), float32(np.reshape(faces, rows)), np.array(face_of), np.array(values)
    )


def _patterns(turn: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """The possible patterns of a face turned by less than 90°.

    Two, three and six are also turned by 90° more; a single pip looks the same after any rotation.
    """
    for value, spots in SPOTS.items():
        if turn == 0 or value != 1:
            yield value, spots
        if value in (2, 3, 6):
            yield value, tuple((-b, a) for a, b in spots)


def _soft(inside: NDArray[np.floating]) -> Float32:
    return float32(np.clip(inside / SOFT + 0.5, 0, 1))


def fits(photo: Picture, x: float, y: float, edge: float, foreshortening: float = 1.0) -> Float32:
    """How well the values 1 to 6 fit, shape `(6,)`: the log of the whole spread over that within pips and
    rest.

    The face's centre `x`, `y` and its `edge` are in px of the photo (BGR, shape `(h, w, 3)`).
    `foreshortening` is the ratio of its height to its width, less than 1 when seen from the side.
    """
    steps = _steps()
    seen = _moments(_rectified(photo, x, y, edge, foreshortening))
    pips, faces = steps.pips @ seen, steps.faces @ seen
    spread = np.log(_determinant(_scatter(faces) / faces[:, :1]))[steps.face_of]
    whole = faces[steps.face_of]
    within = (_scatter(pips) + _scatter(whole - pips)) / whole[:, :1]
    gain = spread - np.log(_determinant(within))
    return float32([gain[steps.values == value].max() for value in SPOTS])


def _rectified(photo: Picture, x: float, y: float, edge: float, foreshortening: float) -> Picture:
    """The face as seen from above, `SIDE_PX` wide and high."""
    fine = 2 * SIDE_PX
    cut = cut_out(photo, x, y, edge, fine, EDGES_ACROSS)
    high, wide = round(fine * min(1.0, foreshortening)), round(fine * min(1.0, 1 / foreshortening))
    top, left = (fine - high) // 2, (fine - wide) // 2
    face = cut[top : top + high, left : left + wide]
    return np.asarray(cv2.resize(face, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _moments(face: Picture) -> Float32:
    """For each px: 1, its colour and the six products of its channels, shape `(SIDE_PX², 10)`."""
    colours = np.sqrt(float32(face.reshape(-1, 3)) / np.float32(255))
    b, g, r = (colours - colours.mean(0)).T
    return float32(np.stack([np.ones_like(b), b, g, r, b * b, g * g, r * r, b * g, b * r, g * r], 1))


def _scatter(sums: Float32) -> Float32:
    """Sums of squares and products about the mean, from summed `_moments`: `(N, 10)` to `(N, 6)`."""
    many, (b, g, r) = sums[:, 0] + np.float32(1e-6), sums[:, 1:4].T
    means = np.stack([b * b, g * g, r * r, b * g, b * r, g * r], 1)
    return float32(sums[:, 4:] - means / many[:, None])


def _determinant(spreads: Float32) -> Float32:
    """The determinants of symmetric matrices `(N, 6)`, with the grain added to each channel."""
    (b, g, r), (bg, br, gr) = (spreads[:, :3] + GRAIN).T, spreads[:, 3:].T
    return float32(
        np.maximum(b * (g * r - gr * gr) - bg * (bg * r - gr * br) + br * (bg * gr - g * br), 1e-14)
    )
