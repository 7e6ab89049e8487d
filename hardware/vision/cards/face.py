"""The plane of a card's face, to which every card is rectified before comparing."""

from __future__ import annotations

import numpy as np

from hardware.arrays import Float32, Float64

FACE = (88, 128)
"""Width and height of a compared face, in px. A homography maps cards of any proportions to it."""
FACE_CORNERS = np.array([(0, 0), (FACE[0], 0), FACE, (0, FACE[1])], np.float32)
"""The corners of a face, the top left first, then clockwise, shape (4, 2)."""


def corners_in(picture_from_face: Float64) -> Float32:
    """The face's corners in px of the picture, shape (4, 2)."""
    return transformed(FACE_CORNERS, picture_from_face)


def transformed(points: Float32, matrix: Float64) -> Float32:
    """Points, shape (N, 2), mapped by a homography."""
    whole = points.astype(np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(whole[:, :2] / whole[:, 2:], np.float32)
