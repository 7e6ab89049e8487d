"""The second look, at a die cut out of a photo at its own scale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Float32, Picture

ENGINE: dict[str, Any] = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""OpenCV 5 has two engines; for networks as small as these its older one takes half the time."""
SIDE_PX = 48
COLOURS = ("white", "grey", "black", "red", "blue", "green", "yellow", "other")
"""The names of dice colours, in the order of the classifier's outputs."""
EDGES_ACROSS = 2.3
"""The edge lengths that a cut-out spans: the whole die and its surroundings."""
NONE = 0
UNSURE = 7
BORDER = (114, 114, 114)
OTHER_SIZE = 0.2
"""The logarithm of the ratio of two edges from which on the classifier looks again, at the size it saw."""


class Network:
    """An ONNX file, loaded once. One thread at a time."""

    def __init__(self, weights: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights), **ENGINE)

    def run(self, picture: Picture | Float32) -> Float32:
        """Run on a picture of shape `(h, w, 3)`; 8 bit ones are brought to 0–1 first."""
        scale = 1 / 255 if picture.dtype == np.uint8 else 1.0
        return self._forward(cv2.dnn.blobFromImage(picture, scale))

    def run_channels(self, picture: Float32) -> Float32:
        """Run on a picture of shape `(channels, h, w)` as it is."""
        return self._forward(np.ascontiguousarray(picture[None]))

    def _forward(self, blob: Any) -> Float32:
        self._net.setInput(blob)
        out: Float32 = np.asarray(self._net.forward(), np.float32)[0]
        return out


@dataclass(frozen=True, slots=True)
class DieFace:
    """A judged place: `chances` `(8,)` of no die, 1–6, unsure; the colour; the face's centre and size, px."""

    chances: Float32
    colour: str
    x: float
    y: float
    edge: float
    width: float
    height: float


def cut_out(
    photo: Picture, x: float, y: float, edge: float, side: int = SIDE_PX, across: float = EDGES_ACROSS
) -> Picture:
    """The square of `across` edges around a point, scaled to `side` px; grey beyond the photo's border."""
    reach = edge * across
    scale = side / reach
    if scale < 0.5:
        return _cut_large(photo, x, y, reach, side)
    move = np.array(
        [[scale, 0, side / 2 - 0.5 - (x - 0.5) * scale], [0, scale, side / 2 - 0.5 - (y - 0.5) * scale]]
    )
    cut = cv2.warpAffine(photo, move, (side, side), flags=cv2.INTER_LINEAR, borderValue=BORDER)
    return np.asarray(cut, np.uint8)


def _cut_large(photo: Picture, x: float, y: float, reach: float, side: int) -> Picture:
    """The same for large dice, whose px must be averaged."""
    height, width = photo.shape[:2]
    left, top, size = round(x - reach / 2), round(y - reach / 2), round(reach)
    inner = photo[
        max(0, top) : max(0, min(height, top + size)), max(0, left) : max(0, min(width, left + size))
    ]
    rims = (max(0, -top), max(0, top + size - height), max(0, -left), max(0, left + size - width))
    whole = (
        cv2.copyMakeBorder(inner, *rims, cv2.BORDER_CONSTANT, value=BORDER) if inner.size else photo[:1, :1]
    )
    return np.asarray(cv2.resize(whole, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


class Classifier:
    """Classifies dice one by one."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def classify(self, photo: Picture, x: float, y: float, edge: float) -> DieFace:
        """Judge a place of a photo (BGR, shape `(h, w, 3)`), px.

        If the die there has another size than `edge`, the place is looked at again at that size: in too large
        a cut-out, a plain one looks like a card or a tray.
        """
        first = die_face(x, y, edge, self._net.run(cut_out(photo, x, y, edge)))
        if abs(np.log(first.edge / edge)) < OTHER_SIZE:
            return first
        again = cut_out(photo, first.x, first.y, first.edge)
        return die_face(first.x, first.y, first.edge, self._net.run(again))


def die_face(x: float, y: float, edge: float, out: Float32) -> DieFace:
    """The verdict from a classifier's outputs for a cut-out around a point with this `edge` in px."""
    scores = np.exp(out[:8] - out[:8].max())
    off_x, off_y, log_edge, log_width, log_height = np.clip(out[16:21], -1, 1)
    true_edge = edge * float(np.exp(log_edge))
    return DieFace(
        chances=np.asarray(scores / scores.sum(), np.float32),
        colour=COLOURS[int(out[8:16].argmax())],
        x=x + float(off_x) * edge,
        y=y + float(off_y) * edge,
        edge=true_edge,
        width=true_edge * float(np.exp(log_width)),
        height=true_edge * float(np.exp(log_height)),
    )
