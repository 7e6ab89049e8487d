"""What speaks against taking a picture as that of the empty board, before anything is known about that board.

A reading compares with the empty board; here there is none to compare with yet. Two things can be told all
the same: the printed frame looks alike all around, so whatever reaches over it stands out; and markers have
sharp edges.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hardware.arrays import Float32, Float64, Mask
from hardware.vision.register.rectify import MARGIN

ODD_ON_FRAME = 0.08
"""The distance of a square's mean colour from the rest of the frame from which on something lies there.

On 21 rendered empty beds no square reaches it; a hand makes 3 to 12 squares reach 0.1 to 0.5.
"""
ODD_IN_GRAIN = 8.0
"""The same as a multiple of the median distance: a frame on grained wood differs by itself."""
ODD_SQUARES = 2
"""The number of such squares that is a hand."""
FITS = 8
"""The rounds in which the frame's colours are fitted, with less and less weight on what stands out."""
SOFT_SQUARES = 0.045
"""The width of a marker's edges in squares from which on a picture is blurred; sharp ones: 0.015 to 0.040."""
SOFT_PX = 1.6
"""The width in px that it must have as well: in a small picture a sharp edge is wide in squares."""


def reaches_over_frame(colours: Float32) -> bool:
    """Whether something lies on the frame around the board, as a hand does that reaches in.

    `colours`, shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3), as `BoardView.samples` gives them.
    """
    around = _frame(colours.shape[0], colours.shape[1])
    distances = _distances(colours.mean(axis=2)[around].astype(np.float64), around)
    limit = max(ODD_ON_FRAME, ODD_IN_GRAIN * float(np.median(distances)))
    return int((distances > limit).sum()) >= ODD_SQUARES


def is_blurred(widths: Iterable[float], square_px: float) -> bool:
    """Whether a picture is blurred: `widths` of its markers' edges, in squares of `square_px`.

    Without a marker in sight nothing is known of that: False.
    """
    known = list(widths)
    width = float(np.median(known)) if known else 0.0
    return width > SOFT_SQUARES and width * square_px > SOFT_PX


def _frame(rows: int, cols: int) -> Mask:
    """The squares of the frame without its corners, where the markers are."""
    around = np.ones((rows, cols), dtype=bool)
    around[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    for row in (slice(None, MARGIN), slice(-MARGIN, None)):
        for col in (slice(None, MARGIN), slice(-MARGIN, None)):
            around[row, col] = False
    return around


def _distances(colours: Float64, around: Mask) -> Float64:
    """How far each square of the frame is from what the others let expect there, shape (N,)."""
    rows, cols = np.nonzero(around)
    # Light changes slowly along the frame; what stands out must not bend the fit.
    terms = np.stack([np.ones(len(rows)), rows, cols, rows * cols], axis=1)
    weights = np.ones(len(rows))
    distances = np.zeros(len(rows))
    for _ in range(FITS):
        factors, *_rest = np.linalg.lstsq(terms * weights[:, None], colours * weights[:, None], rcond=None)
        distances = np.linalg.norm(colours - terms @ factors, axis=1)
        scale = 2 * float(np.median(distances)) + 1e-6
        weights = 1 / (1 + (distances / scale) ** 2)
    return distances
