"""What is kept of a card once it was shown: its features, and its face, small."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.cards.face import FACE, FACE_CORNERS
from hardware.vision.cards.features import MOST_ON_A_CARD, Features, features_of
from hardware.vision.cards.likeness import RIM_PX, Face
from hardware.vision.cards.outline import outline_of
from hardware.vision.errors import PictureError

LARGE = 3.2
"""Features are looked for on a face so many times larger than it is kept."""
FEWEST_FEATURES = 24
FEWEST_BLOCKS = 10
"""A card with fewer features, or fewer blocks that have a pattern, is too plain to be found again (a drawn
deck's plainest card has three times as many)."""


@dataclass(frozen=True, slots=True)
class TaughtCard:
    """One face of a kind. `face`: BGR, shape (FACE height, FACE width, 3); the points of `features` are px
    of it."""

    kind: str
    face: Picture
    features: Features


def learn(kind: str, picture: Picture) -> TaughtCard:
    """The card in a picture (BGR) that shows it alone. Raises `PictureError` saying what to do better."""
    return learn_at(kind, picture, outline_of(picture))


def learn_at(kind: str, picture: Picture, corners: Float32) -> TaughtCard:
    """The card that lies at these corners, px, shape (4, 2). Raises `PictureError`."""
    size = round(FACE[0] * LARGE), round(FACE[1] * LARGE)
    scale: Float32 = np.array([size[0] / FACE[0], size[1] / FACE[1]], np.float32)
    long = float(np.linalg.norm(corners[3] - corners[0]))
    if long > 1.5 * size[1]:  # shrink first, so that fine lines do not flicker
        shrink = 1.2 * size[1] / long
        picture = np.asarray(
            cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        corners = corners * np.float32(shrink)
    matrix = cv2.getPerspectiveTransform(corners, np.asarray(FACE_CORNERS * scale, np.float32))
    large = np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = features_of(large, MOST_ON_A_CARD, large.size)
    # At the rim the ground shows: what is found there is not the card's.
    rim = RIM_PX * scale
    inside = (found.points > rim) & (found.points < np.array(size) - rim)
    found = found.take(inside[:, 0] & inside[:, 1])
    face = np.asarray(cv2.resize(large, FACE, interpolation=cv2.INTER_AREA), np.uint8)
    if len(found) < FEWEST_FEATURES or Face(face).patterned < FEWEST_BLOCKS:
        raise PictureError(
            "The card is too plain, or the picture too blurred, to find it again by what is on it: "
            f"{len(found)} features."
        )
    points = np.asarray(found.points / scale, np.float32)
    features = Features(points, found.turns, found.sizes / scale[1], found.signs)
    return TaughtCard(kind, face, features)
