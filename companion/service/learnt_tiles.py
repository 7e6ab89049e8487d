"""What was learnt of each tile, as a picture that people recognize."""

from __future__ import annotations

import base64

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.board.faces import Face
from hardware.vision.board.illumination import DARK
from hardware.vision.board.search import TileName
from web.camera_port import LearntTile

LARGER = 2
"""The px of the picture for each sample of a face."""
BESIDE = 255
"""The gray level of what is not part of the tile."""


def learnt_tile(name: TileName, face: Face) -> LearntTile:
    """A learnt tile with its face as a PNG."""
    owner, kind = name
    picture = colours_of(face.colours)
    picture[face.squares < 0] = BESIDE
    large = cv2.resize(picture, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
    _, png = cv2.imencode(".png", large)
    return LearntTile(owner, kind, f"data:image/png;base64,{base64.b64encode(png.tobytes()).decode()}")


def colours_of(samples: Float32) -> Picture:
    """The colours BGR of samples (luma and two chromas, as logarithms, shape (..., 3))."""
    luma, blue, red = np.moveaxis(np.asarray(samples, np.float64), -1, 0)
    green = luma - (blue + red) / 3
    logarithms = np.stack([green + blue, green, green + red], axis=-1)
    return np.asarray(np.clip(np.exp(logarithms) - DARK, 0, 255), np.uint8)
