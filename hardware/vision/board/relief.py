"""Where the upper faces of tiles fall in a picture: they lie above the plane for which the homography holds.

The homography of a flat board tells the pose of a camera whose focal length is known.
"""

from __future__ import annotations

import msgspec
import numpy as np

from hardware.vision.register.homography import Homography

TILE_SQUARES = 0.3
"""The height of a tile's upper face above the board, in squares."""


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
