"""The third look: counts the pips of a located face, whatever the colours of die and pips."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.classifier import Verdict, cut_out, verdict
from hardware.vision.dice.network import Network

SIDE_PX = 56
"""The side of a cut-out in px, finer than the classifier's."""
EDGES_ACROSS = 2.0
"""The edge lengths that a cut-out spans, closer than the classifier's."""
FACE_EDGES = 0.55
"""The reach of a face from its centre, in edges, for evening out its colours."""
CLEAR = 0.96
"""The minimum probability of a value after one look; below it, a second look follows."""
LEAST_SPREAD = 1e-4
"""The variance below which differences of colour count as grain. Tried on drawn pictures."""


def _window() -> Float32:
    """The weights of a cut-out's px, shape `(SIDE_PX ** 2,)`, sum 1: the face in the centre counts."""
    away = (np.arange(SIDE_PX) + 0.5 - SIDE_PX / 2) * EDGES_ACROSS / SIDE_PX
    weights = np.exp(-(((away[None] ** 2 + away[:, None] ** 2) / FACE_EDGES**2) ** 2))
    return float32((weights / weights.sum()).ravel())


WINDOW = _window()
"""The weight of each px of a cut-out for evening out its colours."""


def even_out(cut: Picture) -> Float32:
    """A cut-out whose first channel has the largest differences across the face, same shape.

    Pips are the rarer colour of a face, so the channel's sign is chosen to make them bright: red on black,
    black on white and gold on green all look the same. The other channels have the smaller differences on the
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
        """What is at a place of a photo (BGR, shape `(h, w, 3)`), in px; its `colour` has no meaning.

        If the first look is not clear, the place is read again around the centre that it found, as it is and
        mirrored. The mean of both is right more often than either.
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
