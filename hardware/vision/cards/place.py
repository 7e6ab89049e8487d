"""Where a taught card may lie: pairs of features that agree on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Float64
from hardware.vision.cards.face import FACE, corners_in
from hardware.vision.cards.features import Features, Pairs

FEWEST = 6
"""Fewer pairs that agree are chance."""
TURN_APART_DEG = 40.0
SIZE_APART = 0.8
MIDDLE_APART = 0.4
"""Pairs of one card agree on turn, on size (powers of two) and on where its middle is (in long sides), tilt
and chance aside."""
REACH = 0.012
"""How far a feature may lie from where the plane puts it, as a share of the card's long side, and at least
`REACH_PX`."""
REACH_PX = 2.5
TRIES = 300
SHORTEST_PX = 55.0
MOST_STRETCH = 2.6
"""A card is not seen smaller, nor one of its sides so many times as long as the opposite one. Tried on the
drawn decks with seeds below 100."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A place where a card may lie: its homography from face to picture, and how many features say so."""

    matrix: Float64
    support: int

    @property
    def corners(self) -> Float32:
        """px, shape (4, 2), the card's own top left first."""
        return corners_in(self.matrix)


def agreeing(card: Features, picture: Features, pairs: Pairs) -> Pairs:
    """Of the pairs the largest group that agrees with one of them on turn, size and the card's middle."""
    if len(pairs) < FEWEST:
        return pairs
    turn = np.radians(picture.turns[pairs.of_picture] - card.turns[pairs.of_card])
    scale = picture.sizes[pairs.of_picture] / card.sizes[pairs.of_card]
    # As complex numbers: what leads from a card's point to its middle is turned and stretched.
    lead = (np.array(FACE, np.float32) / 2 - card.points[pairs.of_card]) @ (1, 1j)
    middle = picture.points[pairs.of_picture] @ (1, 1j) + lead * scale * np.exp(1j * turn)
    near = np.cos(turn[:, None] - turn) > np.cos(np.radians(TURN_APART_DEG))
    near &= np.abs(np.log2(scale[:, None] / scale)) < SIZE_APART
    near &= np.abs(middle[:, None] - middle) < MIDDLE_APART * FACE[1] * scale
    return pairs.take(near[near.sum(1).argmax()])


def place_of(card: Features, picture: Features, pairs: Pairs) -> Placed | None:
    """The place that most pairs agree on; None where too few do, or where no card can lie like that."""
    if len(pairs) < FEWEST:
        return None
    from_, to = card.points[pairs.of_card], picture.points[pairs.of_picture]
    scale = float(np.median(picture.sizes[pairs.of_picture] / card.sizes[pairs.of_card]))
    reach = max(REACH_PX, REACH * scale * FACE[1])
    cv2.setRNGSeed(1)
    matrix, inliers = cv2.findHomography(from_, to, cv2.RANSAC, reach, maxIters=TRIES, confidence=0.99)
    if matrix is None or (support := int(inliers.sum())) < FEWEST:
        return None
    placed = Placed(np.asarray(matrix, np.float64), support)
    return placed if can_lie(placed.corners) else None


def can_lie(corners: Float32) -> bool:
    """Whether a card can be seen with these corners (4, 2): face up, whole, not from the edge."""
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e5:
        return False
    sides = np.roll(corners, -1, 0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if (turns <= 0).any():
        return False
    long = np.linalg.norm(sides, axis=1)
    if max(long[0], long[1]) < SHORTEST_PX:
        return False
    across, along = sorted((long[0], long[2])), sorted((long[1], long[3]))
    if across[1] > MOST_STRETCH * across[0] or along[1] > MOST_STRETCH * along[0]:
        return False
    return bool(0.25 < (long[0] + long[2]) / (long[1] + long[3]) < 1.9)
