"""A small trained network, run by OpenCV."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Float32, Picture

ENGINE: dict[str, Any] = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""OpenCV 5 has two engines; for networks as small as these its older one takes half the time."""


class Network:
    """An ONNX file, loaded once. One thread at a time."""

    def __init__(self, weights: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), **ENGINE)

    def run(self, picture: Picture | Float32) -> Float32:
        """What the network makes of a picture of shape `(h, w, 3)`: 8 bit ones are brought to 0–1 first."""
        scale = 1 / 255 if picture.dtype == np.uint8 else 1.0
        return self._forward(cv2.dnn.blobFromImage(picture, scale))

    def run_channels(self, picture: Float32) -> Float32:
        """What the network makes of a picture of shape `(channels, h, w)`, as it is."""
        return self._forward(np.ascontiguousarray(picture[None]))

    def _forward(self, blob: Any) -> Float32:
        self._net.setInput(blob)
        out: Float32 = np.asarray(self._net.forward(), np.float32)[0]
        return out
