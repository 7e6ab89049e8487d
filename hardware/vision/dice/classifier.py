"""The second look: what a die shows, cut out of a photo at its own scale."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.dice.network import Network

SIDE_PX = 48
"""The side of a cut-out in px."""
COLOURS = ("white", "grey", "black", "red", "blue", "green", "yellow", "other")
"""The names of dice colours, in the order of the classifier's outputs."""
EDGES_ACROSS = 2.3
"""The edge lengths that a cut-out spans: the whole die and its surroundings."""
NONE = 0
"""The classifier's value for no die."""
UNSURE = 7
"""The classifier's value for an unreadable die."""
BORDER = (114, 114, 114)
"""The gray beyond the photo's border, BGR."""
OTHER_SIZE = 0.2
"""The logarithm of the ratio of two edges from which on the classifier looks again, at the size it saw."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is at a place: `chances` of shape `(8,)` (none, 1–6, unsure), the colour, and the face's centre
    and size in px."""

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

    def look(self, photo: Picture, x: float, y: float, edge: float) -> Verdict:
        """What is at a place of a photo (BGR, shape `(h, w, 3)`), px.

        If the die there has another size than `edge`, the place is looked at again at that size: in too large
        a cut-out, a plain one looks like a card or a tray.
        """
        first = verdict(x, y, edge, self._net.run(cut_out(photo, x, y, edge)))
        if abs(np.log(first.edge / edge)) < OTHER_SIZE:
            return first
        again = cut_out(photo, first.x, first.y, first.edge)
        return verdict(first.x, first.y, first.edge, self._net.run(again))


def verdict(x: float, y: float, edge: float, out: Float32) -> Verdict:
    """The verdict from a classifier's outputs for a cut-out around a point with this `edge` in px."""
    scores = np.exp(out[:8] - out[:8].max())
    off_x, off_y, log_edge, log_width, log_height = np.clip(out[16:21], -1, 1)
    true_edge = edge * float(np.exp(log_edge))
    return Verdict(
        chances=np.asarray(scores / scores.sum(), np.float32),
        colour=COLOURS[int(out[8:16].argmax())],
        x=x + float(off_x) * edge,
        y=y + float(off_y) * edge,
        edge=true_edge,
        width=true_edge * float(np.exp(log_width)),
        height=true_edge * float(np.exp(log_height)),
    )
