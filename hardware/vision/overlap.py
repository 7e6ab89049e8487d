"""Overlap: the common area of two outlines, and which of several detections of one thing to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import cv2

from hardware.arrays import Float32

Sight = TypeVar("Sight")


def intersection_area(one: Float32, two: Float32) -> float:
    """The common area of two convex outlines, shape (N, 2)."""
    return float(cv2.intersectConvexConvex(one, two)[0])


def iou(one: Float32, two: Float32) -> float:
    """Intersection over union of two convex outlines, shape (N, 2): 0 if they are apart, 1 if equal."""
    shared = intersection_area(one, two)
    union = float(cv2.contourArea(one) + cv2.contourArea(two)) - shared
    return shared / max(union, 1e-6)


def non_max_suppression(best_first: Iterable[Sight], is_same: Callable[[Sight, Sight], bool]) -> list[Sight]:
    """The detections, the best first, without those of the same thing as a better one that is kept.

    `is_same` is called with a detection and a better one.
    """
    kept: list[Sight] = []
    for sight in best_first:
        if not any(is_same(sight, better) for better in kept):
            kept.append(sight)
    return kept
