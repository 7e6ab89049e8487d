"""Where the upper faces of tiles fall in a picture: above the board, for which its homography holds.

The homography of a flat board tells the pose of a camera whose focal length is known, and several of them
tell the focal length as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from hardware.arrays import Float64
from hardware.vision.register.homography import Homography

USUAL_FOCAL_LENGTH = 0.9
"""The focal length, in widths of the picture, of most telephones."""
USUAL_WEIGHT = 3e-4
"""The weight of that, against what the tilt of the board tells; from straight above, it tells nothing."""
FOCAL_LENGTHS = (0.6, 2.5)
"""The shortest and the longest focal length."""
TILE_SQUARES = 0.3
"""The height of a tile's upper face above the board, in squares."""


def focal_length(homographies: Sequence[Homography]) -> float:
    """The focal length of one camera, in widths of its pictures, by pictures of flat boards."""
    squares = products = 0.0
    for homography in homographies:
        matrix = _centred(homography)
        one, two = matrix[:, 0], matrix[:, 1]
        # The board's axes are at a right angle, and equally long, for the right focal length.
        for along, beyond in (
            (one[:2] @ two[:2], one[2] * two[2]),
            (one[:2] @ one[:2] - two[:2] @ two[:2], one[2] ** 2 - two[2] ** 2),
        ):
            squares += float(along**2)
            products += float(along * beyond)
    inverse = (USUAL_WEIGHT / USUAL_FOCAL_LENGTH**2 - products) / (squares + USUAL_WEIGHT)
    shortest, longest = FOCAL_LENGTHS
    return float(1 / np.sqrt(np.clip(inverse, 1 / longest**2, 1 / shortest**2)))


def raised(homography: Homography, focal_length: float, height: float) -> Homography:
    """The homography of a plane that lies `height` squares above the board."""
    lens = homography.lens
    camera = np.array(
        [
            [focal_length * lens.width, 0, lens.middle[0]],
            [0, focal_length * lens.width, lens.middle[1]],
            [0, 0, 1],
        ]
    )
    axes = np.linalg.solve(camera, homography.matrix)
    scale = np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    into_the_table = np.cross(axes[:, 0], axes[:, 1]) / scale
    matrix = homography.matrix.copy()
    matrix[:, 2] -= height * (camera @ into_the_table)
    return msgspec.structs.replace(homography, matrix=matrix)


def _centred(homography: Homography) -> Float64:
    """The matrix for px from the picture's middle, in widths of the picture."""
    lens = homography.lens
    middle_x, middle_y = lens.middle
    matrix = np.array([[1, 0, -middle_x], [0, 1, -middle_y], [0, 0, 1]]) @ homography.matrix
    matrix[:2] /= lens.width
    return np.asarray(matrix / np.linalg.norm(matrix[:2, :2]), dtype=np.float64)
