"""The closest look: a larger network, for the few faces that the others leave unclear.

It sees a face's colours in three ways at once: small red pips on a dark swirl differ from it in hue alone,
and next to a glint that difference is small.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.classifier import Verdict, cut_out, verdict
from hardware.vision.dice.network import Network
from hardware.vision.dice.pip_reader import EDGES_ACROSS, LEAST_SPREAD, SIDE_PX, WINDOW

CHANNELS = 9
"""The channels of a cut-out: three for each of the ways in which it is seen, see `three_ways`."""


def three_ways(cut: Picture) -> Float32:
    """A cut-out `(h, w, 3)` as the close reader sees it, shape `(CHANNELS, h, w)`.

    The first three channels are evened out, as for the pip reader. The next three are the colours less their
    mean, on the same scale. The last three are the first ones, each on a scale of its own.
    """
    flat = float32(cut.reshape(-1, 3)) / np.float32(255)
    apart = flat - WINDOW @ flat
    spread, axes = np.linalg.eigh((apart * WINDOW[:, None]).T @ apart)
    spread = np.maximum(spread[::-1], 0)
    turned = apart @ axes[:, ::-1]
    turned *= np.where(WINDOW @ turned**3 < 0, -1, 1)
    largest = np.sqrt(spread[0] + LEAST_SPREAD)
    ways = [turned / largest, apart / largest, turned / np.sqrt(spread + LEAST_SPREAD)]
    seen = np.clip(np.concatenate(ways, 1), -4, 4) / 2
    return float32(seen.T.reshape(CHANNELS, *cut.shape[:2]))


class CloseReader:
    """Looks at an unclear face three times: once to find it, and twice to count its pips."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def look(self, photo: Picture, x: float, y: float, edge: float) -> Verdict:
        """What is at a place of a photo (BGR, shape `(h, w, 3)`), in px; its `colour` has no meaning.

        The first look finds the face's centre and size. The value is the mean of two more looks there, as it
        is and mirrored.
        """
        first = verdict(x, y, edge, self._net.run_channels(self._face(photo, x, y, edge)))
        face = self._face(photo, first.x, first.y, first.edge)
        seen = verdict(first.x, first.y, first.edge, self._net.run_channels(face))
        mirrored = verdict(x, y, edge, self._net.run_channels(np.ascontiguousarray(face[..., ::-1])))
        return replace(seen, chances=float32((seen.chances + mirrored.chances) / 2))

    def _face(self, photo: Picture, x: float, y: float, edge: float) -> Float32:
        return three_ways(cut_out(photo, x, y, edge, SIDE_PX, EDGES_ACROSS))
