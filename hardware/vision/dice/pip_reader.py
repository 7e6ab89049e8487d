"""The last look: the pips of a face whose place is known, whatever the colours of die and pips are."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.classifier import Verdict, cut_out, verdict
from hardware.vision.dice.network import Network

SIDE_PX = 56
EDGES_ACROSS = 2.0
"""The pip reader's cut-outs: finer and closer than the classifier's."""
FACE_EDGES = 0.55
"""How far from its middle a face is held to reach, in edges, when its colours are evened out."""
CLEAR = 0.96
"""A chance from which on a first look needs no second one."""
LEAST_SPREAD = 1e-4
"""The variance below which differences of colour are taken for grain. Tried on drawn pictures."""


def _window() -> Float32:
    """Weights of the cut-out's px, shape `(SIDE_PX ** 2,)`, sum 1: the face in the middle counts."""
    away = (np.arange(SIDE_PX) + 0.5 - SIDE_PX / 2) * EDGES_ACROSS / SIDE_PX
    weights = np.exp(-(((away[None] ** 2 + away[:, None] ** 2) / FACE_EDGES**2) ** 2))
    return float32((weights / weights.sum()).ravel())


WINDOW = _window()


def even_out(cut: Picture) -> Float32:
    """A cut-out whose first channel holds what differs most across the face, shape as before.

    Pips are the rarer colour of a face, so the channel is turned to have them bright: red on black, black
    on white and gold on green all come out the same. The other channels hold the lesser differences on the
    same scale.
    """
    flat = float32(cut.reshape(-1, 3)) / np.float32(255)
    apart = flat - WINDOW @ flat
    spread, axes = np.linalg.eigh((apart * WINDOW[:, None]).T @ apart)
    seen = apart @ axes[:, ::-1] / np.sqrt(spread[-1] + LEAST_SPREAD)
    seen *= np.where(WINDOW @ seen**3 < 0, -1, 1)
    return float32(np.clip(seen, -4, 4) / 2).reshape(cut.shape)


class PipReader:
    """Counts pips."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def look(self, photo: Picture, x: float, y: float, edge: float) -> Verdict:
        """What is at a place of a photo (BGR, shape `(h, w, 3)`), px; its `colour` says nothing.

        What a first look leaves open is looked at again about the middle that it found, as it is and
        mirrored; the mean of both is right more often than either.
        """
        first = verdict(x, y, edge, self._net.run(self._face(photo, x, y, edge)))
        if first.chances.max() > CLEAR:
            return first
        face = self._face(photo, first.x, first.y, first.edge)
        seen = verdict(first.x, first.y, first.edge, self._net.run(face))
        mirrored = verdict(first.x, first.y, first.edge, self._net.run(np.ascontiguousarray(face[:, ::-1])))
        return replace(seen, chances=float32((seen.chances + mirrored.chances) / 2))

    def _face(self, photo: Picture, x: float, y: float, edge: float) -> Float32:
        return even_out(cut_out(photo, x, y, edge, SIDE_PX, EDGES_ACROSS))
