"""Locates a taught card by pairs of features that agree on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Float64
from hardware.vision.cards.features import Features, Pairs

FACE = (88, 128)
"""Width and height of a compared face, in px. A homography maps cards of any proportions to it."""
FACE_CORNERS = np.array([(0, 0), (FACE[0], 0), FACE, (0, FACE[1])], np.float32)
"""The corners of a face, the top left first, then clockwise, shape (4, 2)."""
# These were tuned on drawn decks with seeds below 100.

FEWEST = 6
"""The minimum number of pairs that agree; fewer are chance."""
TURN_DISTANCE_DEG = 40.0
"""The maximum difference in rotation of pairs that agree."""
SIZE_DISTANCE = 0.8
"""The maximum difference in scale of pairs that agree, in powers of two."""
MIDDLE_DISTANCE = 0.4
"""The maximum distance between the card's centres by pairs that agree, in long sides."""
REACH = 0.012
"""The maximum reprojection error of an inlier, as a share of the card's long side."""
REACH_PX = 2.5
TRIES = 300
SHORTEST_PX = 55.0
MOST_STRETCH = 2.6
SIDE_RATIOS = (0.25, 1.9)
"""The minimum and maximum ratio of a tilted card's width to its height."""


def corners_in(picture_from_face: Float64) -> Float32:
    """The face's corners in px of the picture, shape (4, 2)."""
    return transformed(FACE_CORNERS, picture_from_face)


def transformed(points: Float32, matrix: Float64) -> Float32:
    """Points, shape (N, 2), mapped by a homography."""
    whole = points.astype(np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(whole[:, :2] / whole[:, 2:], np.float32)


@dataclass(frozen=True, slots=True)
class Placed:
    """A possible position of a card: its homography from face to picture, and its number of features."""

    matrix: Float64
    support: int

    @property
    def corners(self) -> Float32:
        """The corners in px, shape (4, 2), the card's own top left first."""
        return corners_in(self.matrix)


def agreeing(card: Features, picture: Features, pairs: Pairs) -> Pairs:
    """The largest group of pairs that agrees with one of them on rotation, scale and the card's centre."""
    if len(pairs) < FEWEST:
        return pairs
    turn = np.radians(picture.turns[pairs.of_picture] - card.turns[pairs.of_card])
    scale = picture.sizes[pairs.of_picture] / card.sizes[pairs.of_card]
    # With complex numbers, the vector from a card's point to its centre is turned and stretched.
    lead = (np.array(FACE, np.float32) / 2 - card.points[pairs.of_card]) @ (1, 1j)
    middle = picture.points[pairs.of_picture] @ (1, 1j) + lead * scale * np.exp(1j * turn)
    near = np.cos(turn[:, None] - turn) > np.cos(np.radians(TURN_DISTANCE_DEG))
    near &= np.abs(np.log2(scale[:, None] / scale)) < SIZE_DISTANCE
    near &= np.abs(middle[:, None] - middle) < MIDDLE_DISTANCE * FACE[1] * scale
    return pairs.subset(near[near.sum(1).argmax()])


def place_of(card: Features, picture: Features, pairs: Pairs) -> Placed | None:
    """The position on which most pairs agree; None if too few do, or if no card can lie like that."""
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
    """True if a card can appear with these corners (4, 2): face up, whole, not edge-on."""
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
    return bool(SIDE_RATIOS[0] < (long[0] + long[2]) / (long[1] + long[3]) < SIDE_RATIOS[1])


def intersection_area(one: Float32, two: Float32) -> float:
    """The common area of two convex outlines, shape (N, 2)."""
    return float(cv2.intersectConvexConvex(one, two)[0])


def iou(one: Float32, two: Float32) -> float:
    """Intersection over union of two convex outlines, shape (N, 2): 0 if they are apart, 1 if equal."""
    shared = intersection_area(one, two)
    union = float(cv2.contourArea(one) + cv2.contourArea(two)) - shared
    return shared / max(union, 1e-6)
