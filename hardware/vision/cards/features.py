"""Features: points in a picture that can be found again, however the card lies.

They are SIFT features, which both OpenCV 4.10 and 5 have (AKAZE and BRISK left the main package with 5). On
the drawn decks, SIFT found 91 of 100 cards where ORB found 82.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Mask, Picture

MOST_ON_A_CARD = 350
CONTRAST = 0.02
"""SIFT's contrast threshold: half of OpenCV's, because a hazy sleeve or dim light weakens edges."""
TILE_PX = 512 * 384
"""The px of each part of a larger picture. SIFT needs much memory, and a Pi may have only 512 MB."""
OVERLAP_PX = 40
NEARER = 0.85
"""The ratio of the distances to the nearest and to the next feature below which a pair is clear (Lowe)."""


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a picture: `points` (N, 2) in px, `turns` (N,) in degrees, `sizes` (N,) in px, and
    `signs` (N, 128), each of length 1."""

    points: Float32
    turns: Float32
    sizes: Float32
    signs: Float32

    def __len__(self) -> int:
        return len(self.points)

    def subset(self, which: Mask) -> Features:
        """Some of them."""
        return Features(self.points[which], self.turns[which], self.sizes[which], self.signs[which])


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of similar features: the indices of the card's and of the picture's, each shape (N,)."""

    of_card: NDArray[np.intp]
    of_picture: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.of_card)

    def subset(self, which: Mask) -> Pairs:
        return Pairs(self.of_card[which], self.of_picture[which])


def features_of(picture: Picture, most: int, most_px: int) -> Features:
    """The `most` strongest features of a BGR picture, with points in its px.

    A picture of more than `most_px` px is shrunk first.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, float(np.sqrt(most_px / grey.size)))
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    sift = cv2.SIFT.create(most, contrastThreshold=CONTRAST)
    parts = [
        _of_tile(sift, np.asarray(grey, np.uint8), tile) for tile in _tiles(grey.shape[0], grey.shape[1])
    ]
    places = np.concatenate([places for places, _ in parts])
    strongest = np.argsort(-places[:, 4], kind="stable")[:most]
    places, signs = places[strongest], np.concatenate([signs for _, signs in parts])[strongest]
    x_y, sizes = np.asarray(places[:, :2] / scale, np.float32), np.asarray(places[:, 3] / scale, np.float32)
    # The roots of the shares, so that a few strong edges do not outweigh all others.
    shares = np.asarray(signs, np.float32)
    shares = shares / (shares.sum(1, keepdims=True) + 1e-6)
    return Features(x_y, places[:, 2], sizes, np.asarray(np.sqrt(shares), np.float32))


Part = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""


def _tiles(height: int, width: int) -> list[Part]:
    """The parts of a picture for SIFT, which needs about 200 bytes of memory per px at once."""
    cuts = int(np.ceil(np.sqrt(height * width / TILE_PX)))
    rows, columns = (np.linspace(0, end, cuts + 1).astype(int).tolist() for end in (height, width))
    return [(columns[x], rows[y], columns[x + 1], rows[y + 1]) for y in range(cuts) for x in range(cuts)]


def _of_tile(sift: cv2.SIFT, grey: Picture, tile: Part) -> tuple[Float32, Float32]:
    """The features in one part: rows of x, y, turn, size and strength, and their signs."""
    left, top, right, bottom = tile
    x, y = max(0, left - OVERLAP_PX), max(0, top - OVERLAP_PX)
    keys, signs = sift.detectAndCompute(grey[y : bottom + OVERLAP_PX, x : right + OVERLAP_PX], None)
    if signs is None:
        return np.zeros((0, 5), np.float32), np.zeros((0, 128), np.float32)
    places = np.array([(*key.pt, key.angle, key.size, key.response) for key in keys], np.float32)
    places[:, :2] += (x, y)
    inside = (places[:, 0] >= left) & (places[:, 0] < right) & (places[:, 1] >= top) & (places[:, 1] < bottom)
    return places[inside], np.asarray(signs, np.float32)[inside]


def pairs_of(card: Features, picture: Features) -> Pairs:
    """The pairs of each picture feature that is similar to exactly one of the card's features."""
    nobody = np.zeros(0, np.intp)
    if len(card) < 2 or not len(picture):
        return Pairs(nobody, nobody)
    alike = picture.signs @ card.signs.T
    rows = np.arange(len(picture))
    nearest = alike.argmax(1)
    best = alike[rows, nearest]
    alike[rows, nearest] = -1
    # Signs have length 1, so a distance is the root of 2 − 2 × likeness.
    clear = 1 - best < NEARER**2 * (1 - alike.max(1))
    return Pairs(nearest[clear], rows[clear])
