"""A taught card: its features and a small picture of its face."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.cards.features import MOST_ON_A_CARD, Features, features_of
from hardware.vision.cards.likeness import RIM_PX, Face
from hardware.vision.cards.outline import outline_of
from hardware.vision.cards.place import FACE, FACE_CORNERS
from hardware.vision.errors import PictureError

LARGE = 3.2
"""The ratio of the face in which features are detected to the face that is kept."""
FEWEST_FEATURES = 24
FEWEST_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class TaughtCard:
    """One face of a kind.

    `face`: BGR, shape (FACE height, FACE width, 3); `features` has points in its px.
    """

    kind: str
    face: Picture
    features: Features


def learn(kind: str, picture: Picture) -> TaughtCard:
    """The card in a picture (BGR) that shows it alone. Raises `PictureError`, which says what to improve."""
    return learn_at(kind, picture, outline_of(picture))


def learn_at(kind: str, picture: Picture, corners: Float32) -> TaughtCard:
    """The card at these corners, px, shape (4, 2). Raises `PictureError`."""
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
    seen = features_of(large, MOST_ON_A_CARD, large.size)
    # The ground shows at the rim, and its features are not the card's.
    rim = RIM_PX * scale
    inside = (seen.points > rim) & (seen.points < np.array(size) - rim)
    seen = seen.subset(inside[:, 0] & inside[:, 1])
    face = np.asarray(cv2.resize(large, FACE, interpolation=cv2.INTER_AREA), np.uint8)
    if len(seen) < FEWEST_FEATURES or Face(face).patterned < FEWEST_BLOCKS:
        raise PictureError(
            "The card is too plain, or the picture too blurred, to find it again by what is on it: "
            f"{len(seen)} features."
        )
    points = np.asarray(seen.points / scale, np.float32)
    features = Features(points, seen.turns, seen.sizes / scale[1], seen.signs)
    return TaughtCard(kind, face, features)
