"""Finds a card's outline on a plain ground, in the picture from which a kind is learned."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Picture
from hardware.vision.errors import PictureError

LOOKED_AT_PX = 640.0
"""The longer side in px to which a picture is shrunk before detecting outlines."""
LEAST_SHARE = 0.03
"""The minimum share of the picture that a card fills."""
MOST_SHARE = 0.95
"""The maximum share of the picture that an outline fills; a larger one is the picture's border."""
SHORT_TO_LONG = (0.5, 0.85)
"""The minimum and maximum ratio of a card's short side to its long one, allowing for a little tilt."""
SCAN = (0.6, 0.74)
"""The same for a scan; other pictures have a camera's ratio, 4 to 3 or 16 to 9."""
FRAME_SHARE = 0.7
"""The maximum share of a scan that a frame printed on the card fills."""
FILLED = 0.94
"""The minimum share of its four lines' area that a card fills; its corners are slightly round."""
MIDDLE = (0.2, 0.8)
"""The part of each side to fit a line to, without the round corners."""
GROUND_LEVELS = (18.0, 30.0, 48.0)
"""The differences from the ground, in gray levels, to try for outlines in turn."""
EDGES = ((20, 60), (50, 130), (90, 220))
"""The pairs of Canny thresholds to try for outlines in turn."""
LEAST_LONG_PX = 150.0
"""The minimum long side of a card in px to learn from."""


def outline_of(picture: Picture) -> Float32:
    """The corners of the card in a BGR picture: px, shape (4, 2), clockwise from the top left, long sides
    down.

    A picture that shows only the card (a scan) is taken whole. Raises `PictureError` if no card is found.
    """
    scale = min(1.0, LOOKED_AT_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quads = [quad for mask in _masks(np.asarray(small, np.uint8)) for quad in _quads(mask)]
    area = picture.shape[0] * picture.shape[1] * scale * scale
    largest = max(quads, key=lambda quad: float(cv2.contourArea(quad)), default=None)
    # A frame printed on a scanned card is not the card's outline.
    if _is_all_card(picture) and (largest is None or cv2.contourArea(largest) > FRAME_SHARE * area):
        height, width = picture.shape[:2]
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    elif largest is not None:
        corners = largest / np.float32(scale)
    else:
        raise PictureError(
            "No card is found in the picture: lay it alone on a plain ground of another colour, with a "
            "little room around it, and take the picture from above."
        )
    upright = _upright(corners)
    if np.linalg.norm(upright[3] - upright[0]) < LEAST_LONG_PX:
        raise PictureError(
            f"The card is too small in the picture: its long side should be {LEAST_LONG_PX:.0f} px or more."
        )
    return upright


def _masks(picture: Picture) -> Iterator[Picture]:
    """Black and white pictures in which a card may stand out from the ground."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    rim = np.concatenate([soft[:6].reshape(-1, 3), soft[-6:].reshape(-1, 3), soft[:, :6].reshape(-1, 3)])
    far = np.abs(soft.astype(np.float32) - np.median(rim, axis=0)).max(2)
    for level in GROUND_LEVELS:
        yield _closed(np.asarray((far > level) * 255, np.uint8), 5)
    for weak, strong in EDGES:
        yield _closed(np.asarray(cv2.Canny(soft, weak, strong), np.uint8), 5)


def _closed(mask: Picture, size: int) -> Picture:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)), np.uint8)


def _quads(mask: Picture) -> Iterator[Float32]:
    """The outlines in a mask with the proportions of a card, shape (4, 2) each."""
    area = mask.shape[0] * mask.shape[1]
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        hull = cv2.convexHull(contour)
        size = cv2.contourArea(hull)
        if not LEAST_SHARE * area < size < MOST_SHARE * area:
            continue
        quad = _four_lines(np.asarray(hull, np.int32))
        if quad is not None and size > FILLED * cv2.contourArea(quad) and _is_card(quad):
            if _touches_rim(quad, mask.shape):
                continue
            yield quad


def _four_lines(hull: NDArray[np.int32]) -> Float32 | None:
    """The crossings of the four lines around a convex outline; None if it does not have four sides."""
    around = cv2.arcLength(hull, closed=True)
    for slack in (0.02, 0.03, 0.045, 0.06):
        rough = cv2.approxPolyDP(hull, slack * around, closed=True)
        if len(rough) == 4:
            break
    else:
        return None
    dense = _dense(hull.reshape(-1, 2).astype(np.float32))
    corners = rough.reshape(4, 2).astype(np.float32)
    lines = [_line(dense, corners[n], corners[(n + 1) % 4]) for n in range(4)]
    quad = np.array([_crossing(lines[n - 1], lines[n]) for n in range(4)], np.float32)
    return quad if np.isfinite(quad).all() else None


def _dense(hull: Float32) -> Float32:
    """A hull's points, with points added along its straight sides."""
    after = np.roll(hull, -1, 0)
    steps = np.linspace(0, 1, 40, endpoint=False, dtype=np.float32)[:, None, None]
    return np.asarray((hull + (after - hull) * steps).reshape(-1, 2), np.float32)


def _line(points: Float32, start: Float32, stop: Float32) -> Float32:
    """The line through the middle part of a side: (direction x, y, point x, y)."""
    way = stop - start
    along = ((points - start) @ way) / float(way @ way)
    aside = np.abs((points - start) @ np.array([-way[1], way[0]])) / float(np.linalg.norm(way))
    near = (along > MIDDLE[0]) & (along < MIDDLE[1]) & (aside < 0.06 * float(np.linalg.norm(way)))
    if near.sum() < 2:
        near = (along > 0) & (along < 1)
    if near.sum() < 2:
        return np.array([*way, *start], np.float32)
    return np.asarray(cv2.fitLine(points[near], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel(), np.float32)


def _crossing(one: Float32, two: Float32) -> Float32:
    ways = np.stack([one[:2], -two[:2]], 1).astype(np.float64)
    if abs(np.linalg.det(ways)) < 1e-6:
        return np.full(2, np.nan, np.float32)
    steps = np.linalg.solve(ways, (two[2:] - one[2:]).astype(np.float64))
    return np.asarray(one[2:] + steps[0] * one[:2], np.float32)


def _is_card(quad: Float32) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    one, two = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return bool(SHORT_TO_LONG[0] < min(one, two) / max(one, two) < SHORT_TO_LONG[1])


def _touches_rim(quad: Float32, shape: tuple[int, ...]) -> bool:
    return bool((quad <= 1).any() or (quad >= (shape[1] - 2, shape[0] - 2)).any())


def _is_all_card(picture: Picture) -> bool:
    height, width = picture.shape[:2]
    return bool(SCAN[0] < min(height, width) / max(height, width) < SCAN[1])


def _upright(corners: Float32) -> Float32:
    """The same corners clockwise from the top left, with the card's long sides going down."""
    middle = corners.mean(0)
    around = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    corners = corners[around]
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, -1, 0)
    return np.asarray(corners, np.float32)
