"""Draws dice as the camera sees them, obliquely from above: top and side faces with their pips."""

from __future__ import annotations

from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.simulator.backdrop import shade
from companion.simulator.view import Floats, View
from hardware.arrays import Picture

FACE_PX = 72
PIP_RADIUS = 0.095
"""A pip's radius, as a share of the die's edge."""
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.25, 0.25), (0.75, 0.75)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)),
    5: ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    6: ((0.25, 0.25), (0.75, 0.25), (0.25, 0.5), (0.75, 0.5), (0.25, 0.75), (0.75, 0.75)),
}
"""Each value's pips on a face, from 0 to 1."""

INKS: dict[str, tuple[int, int, int]] = {
    "white": (236, 240, 240),
    "grey": (140, 140, 138),
    "black": (44, 40, 38),
    "red": (44, 40, 196),
    "blue": (178, 92, 34),
    "green": (70, 142, 44),
    "yellow": (54, 200, 240),
    "other": (170, 80, 150),
}
"""BGR by the dice reader's colour names."""
LIGHT_DICE = frozenset({"white", "yellow", "grey"})
"""Dice with dark pips; others have white pips."""

SIDE_FACES: dict[int, tuple[int, int, int, int]] = {
    1: (2, 3, 5, 4),
    2: (6, 3, 1, 4),
    3: (2, 6, 5, 1),
    4: (2, 1, 5, 6),
    5: (1, 3, 6, 4),
    6: (5, 3, 2, 4),
}
"""The four faces around the top value, in order; opposite faces add up to 7."""

USUAL_FACES = (1, 2, 3, 4, 5, 6)


class Die(msgspec.Struct, frozen=True):
    """A die at rest, its centre at (x, y) in squares at the table's height, turned by `degrees`.

    `size` is its edge in squares, `faces` are its values.
    """

    value: int
    colour: str = "white"
    x: float = 18.2
    y: float = 8.0
    degrees: float = 20.0
    size: float = 1.15
    faces: tuple[int, ...] = USUAL_FACES


def draw_die(picture: Picture, view: View, die: Die, z: float) -> None:
    """Draw a die that stands at height `z`, with its shadow, into the picture."""
    corners = _corners(die, z)
    shade(picture, view, corners[:4, :2], z, (0.22, 0.3), 0.5, 4)
    at_px = view.project(corners)
    faces = faces_of(die)
    _fill_body(picture, at_px, INKS.get(die.colour, INKS["other"]))
    for number, indices in _SIDES:
        away = corners[list(indices)].mean(axis=0) - corners.mean(axis=0)
        normal = np.asarray(away / np.linalg.norm(away), np.float64)
        if view.facing(corners[list(indices)].mean(axis=0), normal) > 0:
            light = 1.0 if number == 0 else 0.62 + 0.2 * float(normal[0] * 0.4 - normal[1] * 0.6 + 0.3)
            _draw_face(picture, at_px[list(indices)], _face(faces[number], die.colour), light)


_SIDES: tuple[tuple[int, tuple[int, int, int, int]], ...] = (
    (1, (4, 5, 1, 0)),
    (2, (5, 6, 2, 1)),
    (3, (6, 7, 3, 2)),
    (4, (7, 4, 0, 3)),
    (0, (4, 5, 6, 7)),
)
"""Each face's number (0 is the top) and corners. The top covers the others' edges, so it is last."""


def _fill_body(picture: Picture, corners_px: Floats, ink: tuple[int, int, int]) -> None:
    """Draw the die's body, visible between the faces' rounded corners, a little inside its outline."""
    hull = cv2.convexHull(corners_px.astype(np.float32))[:, 0]
    middle = hull.mean(axis=0)
    inner = (middle + (hull - middle) * 0.94) * 16
    cv2.fillPoly(picture, [inner.astype(np.int32)], tuple(part * 0.8 for part in ink), cv2.LINE_AA, 4)


def faces_of(die: Die) -> tuple[int, int, int, int, int]:
    """The values on a die's top and then on its four sides, in order.

    A die with fewer than six values repeats them.
    """
    places = {place: die.faces[(place - 1) % len(die.faces)] for place in SIDE_FACES}
    top = next((place for place, value in places.items() if value == die.value), 1)
    front, right, back, left = (places[place] for place in SIDE_FACES[top])
    return die.value, front, right, back, left


def _corners(die: Die, z: float) -> Floats:
    """The eight corners, shape (8, 3): the lower four clockwise, then the upper four above them."""
    angle, half = np.radians(die.degrees), die.size / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ turn.T + (die.x, die.y)
    low, high = np.full((4, 1), z), np.full((4, 1), z + die.size)
    return np.vstack([np.hstack([flat, low]), np.hstack([flat, high])])


@lru_cache(maxsize=64)
def _face(value: int, colour: str) -> NDArray[np.uint8]:
    """A face seen from the front, shape (FACE_PX, FACE_PX, 4): rounded corners, a lighter centre, pips."""
    ink = INKS.get(colour, INKS["other"])
    face = np.zeros((FACE_PX, FACE_PX, 4), np.uint8)
    face[:] = (*(part * 0.88 for part in ink), 255)
    inset = FACE_PX // 14
    cv2.rectangle(
        face, (2 * inset, 2 * inset), (FACE_PX - 2 * inset, FACE_PX - 2 * inset), (*ink, 255), 2 * inset
    )
    cv2.rectangle(face, (2 * inset, 2 * inset), (FACE_PX - 2 * inset, FACE_PX - 2 * inset), (*ink, 255), -1)
    pip = (30, 28, 28) if colour in LIGHT_DICE else (244, 246, 246)
    for x, y in PIPS.get(value, ()):
        middle = round(x * FACE_PX), round(y * FACE_PX)
        cv2.circle(face, middle, round(PIP_RADIUS * FACE_PX), (*pip, 255), -1, cv2.LINE_AA)
    _round_corners(face)
    return face


def _round_corners(face: NDArray[np.uint8]) -> None:
    """Make the corners transparent and black: colours are premultiplied by alpha."""
    radius = FACE_PX // 9
    mask = np.zeros(face.shape[:2], np.uint8)
    cv2.rectangle(mask, (radius, radius), (FACE_PX - 1 - radius, FACE_PX - 1 - radius), 255, -1)
    round_px = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    face[..., 3] = cv2.dilate(mask, round_px)
    face[face[..., 3] == 0] = 0


def _draw_face(picture: Picture, corners_px: Floats, face: NDArray[np.uint8], light: float) -> None:
    """Warp a face onto its four corners in the picture, at three times the resolution, then average."""
    fine = 3
    low = np.floor(corners_px.min(axis=0)).astype(int) - 2
    high = np.ceil(corners_px.max(axis=0)).astype(int) + 2
    if low.min() < 0 or high[0] > picture.shape[1] or high[1] > picture.shape[0]:
        return
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    square = np.array([(0, 0), (FACE_PX, 0), (FACE_PX, FACE_PX), (0, FACE_PX)], np.float32) - 0.5
    onto = ((corners_px - low + 0.5) * fine - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, onto)
    seen = cv2.warpPerspective(face, matrix, (width * fine, height * fine), flags=cv2.INTER_LINEAR)
    seen = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    alpha = seen[..., 3:].astype(np.float32) / 255
    under = picture[low[1] : high[1], low[0] : high[0]]
    under[:] = np.clip(seen[..., :3] * light + under * (1 - alpha), 0, 255).astype(np.uint8)
