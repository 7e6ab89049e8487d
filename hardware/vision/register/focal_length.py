"""The focal length of a camera, from where it saw a flat board."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hardware.arrays import Float64
from hardware.vision.register.homography import Homography

USUAL_FOCAL_LENGTH = 0.9
"""The focal length, in widths of the picture, of most phones."""
USUAL_WEIGHT = 3e-4
"""The weight of that, against what the board's tilt says; from straight above, the tilt says nothing."""
FOCAL_LENGTHS = (0.6, 2.5)
"""The shortest and the longest focal length, in widths of the picture."""


def usual_focal_length(views: Iterable[Homography]) -> float:
    """The focal length of a camera that may be any phone's, in widths of its pictures, from views of flat
    boards."""
    across, away = _residuals(views)
    shortest, longest = FOCAL_LENGTHS
    toward = USUAL_WEIGHT / USUAL_FOCAL_LENGTH**2 - float(across @ away)
    inverse = toward / (float(across @ across) + USUAL_WEIGHT)
    return float(1 / np.sqrt(np.clip(inverse, 1 / longest**2, 1 / shortest**2)))


def focal_length(views: Iterable[Homography]) -> float | None:
    """The focal length of one camera, in widths of its pictures, from views of flat boards.

    None if they do not determine it: a tilted view does, a view from straight above does not.
    """
    across, away = _residuals(views)
    tilted = float(away @ away)
    # This way round, errors in the board's two sides cancel out; they would make the lens longer.
    square = -float(across @ away) / tilted if tilted else 0.0
    return float(np.sqrt(square)) if square > 0 else None


def _residuals(views: Iterable[Homography]) -> tuple[Float64, Float64]:
    """What the right focal length f makes zero, as across + f² away: two values for each view.

    Through it, the board's axes are at a right angle, and equally long.
    """
    across, away = [], []
    for view in views:
        plane = _centred(view)
        one, two = plane[:, 0], plane[:, 1]
        across += [one[:2] @ two[:2], one[:2] @ one[:2] - two[:2] @ two[:2]]
        away += [one[2] * two[2], one[2] ** 2 - two[2] ** 2]
    return np.array(across, dtype=np.float64), np.array(away, dtype=np.float64)


def _centred(view: Homography) -> Float64:
    """The matrix for px from the picture's middle, in widths of the picture."""
    lens = view.lens
    x, y = lens.middle
    matrix = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ view.matrix
    matrix[:2] /= lens.width
    return np.asarray(matrix / np.linalg.norm(matrix[:2, :2]), dtype=np.float64)
