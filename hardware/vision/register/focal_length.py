"""The focal length of a camera, from where it saw a flat board."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hardware.arrays import Float64
from hardware.vision.register.homography import Homography

USUAL_FOCAL_LENGTH = 0.9
"""The focal length, in widths of the picture, of most telephones."""
USUAL_WEIGHT = 3e-4
"""The weight of that, against what the tilt of the board says; from straight above, it says nothing."""
FOCAL_LENGTHS = (0.6, 2.5)
"""The shortest and the longest focal length, in widths of the picture."""


def usual_focal_length(views: Iterable[Homography]) -> float:
    """The focal length of what may be any telephone, in widths of its pictures, by views of flat boards."""
    shortest, longest = FOCAL_LENGTHS
    return min(max(_fitted(views, USUAL_WEIGHT) or longest, shortest), longest)


def focal_length(views: Iterable[Homography]) -> float | None:
    """The focal length of one camera, in widths of its pictures, by views of flat boards.

    None if they say nothing of it: a view that is tilted does, a view from straight above does not.
    """
    return _fitted(views, 0.0)


def _fitted(views: Iterable[Homography], usual_weight: float) -> float | None:
    squares = products = 0.0
    for view in views:
        plane = _centred(view)
        one, two = plane[:, 0], plane[:, 1]
        # For the right focal length, the board's axes are at a right angle, and equally long.
        for across, away in (
            (one[:2] @ two[:2], one[2] * two[2]),
            (one[:2] @ one[:2] - two[:2] @ two[:2], one[2] ** 2 - two[2] ** 2),
        ):
            squares += float(across**2)
            products += float(across * away)
    toward = usual_weight / USUAL_FOCAL_LENGTH**2 - products
    return float(np.sqrt((squares + usual_weight) / toward)) if toward > 0 else None


def _centred(view: Homography) -> Float64:
    """The matrix for px from the picture's middle, in widths of the picture."""
    lens = view.lens
    x, y = lens.middle
    matrix = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ view.matrix
    matrix[:2] /= lens.width
    return np.asarray(matrix / np.linalg.norm(matrix[:2, :2]), dtype=np.float64)
