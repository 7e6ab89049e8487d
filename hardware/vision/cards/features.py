"""Features: places in a picture that can be found again, however the card lies.

SIFT, which OpenCV has in 4.10 and 5 alike (AKAZE and BRISK left the main package with 5). On the drawn decks
it found 91 of 100 cards where ORB found 82.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Mask, Picture

MOST_ON_A_CARD = 350
CONTRAST = 0.02
"""Half of what OpenCV takes: a card in a hazy sleeve or in dim light has weak edges."""
TILE_PX = 512 * 384
OVERLAP_PX = 40
"""A larger picture is looked at in parts, each so much larger than its own: a board has 512 MB."""
NEARER = 0.85
"""A feature is like one of a card's when it is nearer to it than this share of the way to its next best."""


@dataclass(frozen=True, slots=True)
class Features:
    """Features of a picture: `points` (N, 2) in px, `turns` (N,) in degrees, `sizes` (N,) in px, and
    `signs` (N, 128), each of length 1."""

    points: Float32
    turns: Float32
    sizes: Float32
    signs: Float32

    def __len__(self) -> int:
        return len(self.points)

    def take(self, which: Mask) -> Features:
        """Some of them."""
        return Features(self.points[which], self.turns[which], self.sizes[which], self.signs[which])


@dataclass(frozen=True, slots=True)
class Pairs:
    """Features that are alike: numbers of the card's and of the picture's, each shape (N,)."""

    of_card: NDArray[np.intp]
    of_picture: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.of_card)

    def take(self, which: Mask) -> Pairs:
        """Some of them."""
        return Pairs(self.of_card[which], self.of_picture[which])


def features_of(picture: Picture, most: int, most_px: int) -> Features:
    """The strongest features of a BGR picture, at most so many; points in px of the picture as given.

    A picture of more than `most_px` px is made smaller first.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, float(np.sqrt(most_px / grey.size)))
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    sift = cv2.SIFT.create(most, contrastThreshold=CONTRAST)
    found = [
        _of_tile(sift, np.asarray(grey, np.uint8), tile) for tile in _tiles(grey.shape[0], grey.shape[1])
    ]
    places = np.concatenate([places for places, _ in found])
    strongest = np.argsort(-places[:, 4], kind="stable")[:most]
    places, signs = places[strongest], np.concatenate([signs for _, signs in found])[strongest]
    x_y, sizes = np.asarray(places[:, :2] / scale, np.float32), np.asarray(places[:, 3] / scale, np.float32)
    return Features(x_y, places[:, 2], sizes, _evened(signs))


Tile = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""


def _tiles(height: int, width: int) -> list[Tile]:
    """The parts in which a picture is looked at: SIFT needs some 200 bytes of memory for each px at once."""
    cuts = int(np.ceil(np.sqrt(height * width / TILE_PX)))
    rows, columns = (np.linspace(0, end, cuts + 1).astype(int).tolist() for end in (height, width))
    return [(columns[x], rows[y], columns[x + 1], rows[y + 1]) for y in range(cuts) for x in range(cuts)]


def _of_tile(sift: cv2.SIFT, grey: Picture, tile: Tile) -> tuple[Float32, Float32]:
    """The features whose points lie in one part: rows of x, y, turn, size, strength; and their signs."""
    left, top, right, bottom = tile
    x, y = max(0, left - OVERLAP_PX), max(0, top - OVERLAP_PX)
    keys, signs = sift.detectAndCompute(grey[y : bottom + OVERLAP_PX, x : right + OVERLAP_PX], None)
    if signs is None:
        return np.zeros((0, 5), np.float32), np.zeros((0, 128), np.float32)
    places = np.array([(*key.pt, key.angle, key.size, key.response) for key in keys], np.float32)
    places[:, :2] += (x, y)
    inside = (places[:, 0] >= left) & (places[:, 0] < right) & (places[:, 1] >= top) & (places[:, 1] < bottom)
    return places[inside], np.asarray(signs, np.float32)[inside]


def _evened(signs: NDArray[np.generic]) -> Float32:
    """Roots of the shares: so that a few strong edges do not outweigh all others."""
    floats = np.asarray(signs, np.float32)
    return np.asarray(np.sqrt(floats / (floats.sum(1, keepdims=True) + 1e-6)), np.float32)


def pairs_of(card: Features, picture: Features) -> Pairs:
    """For each of the picture's features that is like one of the card's and unlike its others: the pair."""
    nobody = np.zeros(0, np.intp)
    if len(card) < 2 or not len(picture):
        return Pairs(nobody, nobody)
    alike = picture.signs @ card.signs.T
    rows = np.arange(len(picture))
    nearest = alike.argmax(1)
    best = alike[rows, nearest]
    alike[rows, nearest] = -1
    # Signs have length 1: a distance is the root of 2 − 2 × likeness.
    clear = 1 - best < NEARER**2 * (1 - alike.max(1))
    return Pairs(nearest[clear], rows[clear])
