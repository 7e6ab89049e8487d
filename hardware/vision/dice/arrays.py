"""What arrays are called here."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
"""Floats: colours 0–1, points, maps."""
Picture = NDArray[np.uint8]
"""A picture, BGR, 8 bit, shape `(height, width, 3)`."""
Mask = NDArray[np.bool_]


def floats(values: Sequence[object] | NDArray[np.generic] | float) -> Array:
    """Numbers as an array of 32 bit floats."""
    return np.array(values, np.float32)
