"""The arrays and boxes that the packages of `hardware` exchange: one name, one format."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""A colour picture: BGR, shape (height, width, 3), levels 0 to 255."""

Gray = NDArray[np.uint8]
"""A picture without colour: shape (height, width), levels 0 to 255."""

Mask = NDArray[np.bool_]
"""A selection of pixels or squares: shape (height, width)."""

Float32 = NDArray[np.float32]
"""Numbers of any shape, four bytes each: values per pixel."""

Float64 = NDArray[np.float64]
"""Numbers of any shape, eight bytes each: points, matrices and solutions."""

Box = tuple[int, int, int, int]
"""A rectangle in a picture, as in OpenCV: x, y, width, height, in px, y down."""


def float32(values: Sequence[object] | NDArray[np.generic] | float) -> Float32:
    """Numbers as an array with four bytes each."""
    return np.array(values, np.float32)
