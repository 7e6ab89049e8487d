"""What arrays are called here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""A picture: BGR, shape (height, width, 3)."""
Floats = NDArray[np.float32]
"""Points, maps and measures."""
Matrix = NDArray[np.float64]
"""A homography, shape (3, 3)."""

FACE = (88, 128)
"""Width and height, px, of a card's face as it is compared. Every card is brought to it, whatever its own
proportions: the homography bears them."""
FACE_CORNERS = np.array([(0, 0), (FACE[0], 0), FACE, (0, FACE[1])], np.float32)
"""The corners of a face, top left first, then clockwise, shape (4, 2)."""


def corners_in(picture_from_face: Matrix) -> Floats:
    """Where a face's corners lie in the picture, px, shape (4, 2)."""
    return moved(FACE_CORNERS, picture_from_face)


def moved(points: Floats, matrix: Matrix) -> Floats:
    """Points of shape (N, 2) through a homography."""
    whole = points.astype(np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(whole[:, :2] / whole[:, 2:], np.float32)
