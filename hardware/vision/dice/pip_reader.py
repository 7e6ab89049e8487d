"""The third look: counts the pips of a located face, whatever the colours of die and pips.

Small red pips on a dark swirl differ from it in hue alone, little beside a glint. So the network sees colours
in three ways at once.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.classifier import DieFace, Network, cut_out, die_face

SIDE_PX = 56
EDGES_ACROSS = 2.0
FACE_EDGES = 0.55
"""The reach of a face from its centre, in edges, for evening out its colours."""
CLEAR = 0.96
"""The minimum probability of a value after one look; below it, a second look follows."""
LEAST_SPREAD = 1e-4
"""The variance below which differences of colour count as grain. Tried on drawn pictures."""
CHANNELS = 9
"""The channels of a cut-out: three for each of the ways in which it is seen, see `three_ways`."""


def _window() -> Float32:
    """The weights of a cut-out's px, shape `(SIDE_PX ** 2,)`, sum 1: the face in the centre counts."""
    away = (np.arange(SIDE_PX) + 0.5 - SIDE_PX / 2) * EDGES_ACROSS / SIDE_PX
    weights = np.exp(-(((away[None] ** 2 + away[:, None] ** 2) / FACE_EDGES**2) ** 2))
    return float32((weights / weights.sum()).ravel())


WINDOW = _window()
"""The weight of each px of a cut-out for evening out its colours."""


def three_ways(cut: Picture) -> Float32:
    """A cut-out `(h, w, 3)` as the network sees it, shape `(CHANNELS, h, w)`.

    The first channel has the largest differences across the face, and the other two the smaller ones on the
    same scale. Pips are the rarer colour of a face, so each channel's sign is chosen to make them bright: red
    on black, black on white and gold on green all look the same. The next three are the colours less their
    mean, on that scale too. The last three are the first ones, each on a scale of its own.
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


class PipReader:
    """Counts pips, whatever the colours of die and pips."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def count_pips(self, photo: Picture, x: float, y: float, edge: float) -> DieFace:
        """Judge a place of a photo (BGR, shape `(h, w, 3)`), in px; the `colour` has no meaning.

        An unclear face is seen twice more around its centre, as it is and mirrored; the mean of both is right
        more often than either.
        """
        first = die_face(x, y, edge, self._net.run_channels(_channels(photo, x, y, edge)))
        if first.chances.max() > CLEAR:
            return first
        face = _channels(photo, first.x, first.y, first.edge)
        seen, mirrored = (
            die_face(first.x, first.y, first.edge, self._net.run_channels(np.ascontiguousarray(side)))
            for side in (face, face[..., ::-1])
        )
        return replace(seen, chances=float32((seen.chances + mirrored.chances) / 2))


def _channels(photo: Picture, x: float, y: float, edge: float) -> Float32:
    return three_ways(cut_out(photo, x, y, edge, SIDE_PX, EDGES_ACROSS))
