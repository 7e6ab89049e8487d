"""Evens out shadows that end on the board or its frame, as those of people do.

A shadow takes the same share of the light from all colours, and a print shows through it. Its edge is soft:
the light of neighbouring squares is the same where they meet. A hand or a tile has colours, a print and an
edge of its own.
"""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Float32, Mask, Picture
from hardware.vision.board.foreground import sample_likelihood
from hardware.vision.board.illumination import DARK, SAME_CHROMA, SAMPLES, Illumination

SHOWS_BOARD = 2.0
"""The mean log-density above which a square, evened out by itself, shows the empty board."""
SOFT_EDGE = 0.12
"""The most by which the light of two squares differs where they meet, in luma (logarithm)."""
LEAST_GRAY = 20.0
"""The gray level of a square from which on its light can be told."""
REACHES = (8.0, 4.0, 2.0, 1.0, 0.6)
"""From how far a square takes its light, in squares: from its neighbours if theirs is known, or from afar."""
FROM_AFAR = 0.05
"""The weight of what is known from afar."""

_ALONG = (np.arange(SAMPLES, dtype=np.float32) - (SAMPLES - 1) / 2) / SAMPLES
_PLANE = np.stack([np.ones(SAMPLES**2, np.float32), np.repeat(_ALONG, SAMPLES), np.tile(_ALONG, SAMPLES)])
"""The terms of a plane over a square's samples: its middle, its slope down and across, shape (3, samples)."""


def light_on_squares(
    colours: Float32, reference: Float32, steep: Float32, light: Illumination, trusted: Mask
) -> Float32:
    """The share of the light that falls on each square of the board and its frame, shape (rows, cols).

    Where something lies, it is that of the squares around. `colours`, `reference` and its gradient `steep`,
    shape (rows, cols, samples, 3): the picture and the empty board. `light`: the change between them, as far
    as it was fitted. `trusted`, shape (rows, cols): the squares that may show the empty board.
    """
    expected = light.everywhere().expected(reference)
    off = colours - expected
    plane = off[..., 0] @ np.linalg.pinv(_PLANE).astype(np.float32)
    off[..., 0] -= plane @ _PLANE
    fits = sample_likelihood(expected + off, expected, steep, light).mean(axis=-1)
    gray = np.exp(expected[..., 0].mean(axis=-1)) - DARK
    lit = np.exp(plane[..., 0]) * (gray + DARK) - DARK
    shows_board = trusted & (fits > SHOWS_BOARD) & (np.minimum(gray, lit) > LEAST_GRAY)
    shows_board &= (np.abs(np.median(off[..., 1:], axis=2)) < SAME_CHROMA).all(axis=-1)
    known = _together(shows_board, plane)
    shares = np.where(known, np.log(np.maximum(lit, 1) / np.maximum(gray, 1)), 0)
    return np.exp(_spread(shares.astype(np.float32), known.astype(np.float32)))


def evened(rectified: Picture, light: Float32) -> Picture:
    """A rectified picture as all of the light would show it; `light` as `light_on_squares` gives it."""
    fine = cv2.resize(light, rectified.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.clip(np.rint(rectified / fine[..., None]), 0, 255).astype(np.uint8)


def _together(squares: Mask, plane: Float32) -> Mask:
    """The largest part of these squares whose light meets its neighbours' light without a step.

    `plane`, shape (rows, cols, 3): each square's light in its middle, and its slope down and across.
    """
    middle, down, across = np.moveaxis(plane, -1, 0)
    # Every other row and column holds squares; between two of them is whether their light meets.
    joined = np.zeros((2 * squares.shape[0] - 1, 2 * squares.shape[1] - 1), dtype=np.uint8)
    joined[::2, ::2] = squares
    step = (middle + down / 2)[:-1] - (middle - down / 2)[1:]
    joined[1::2, ::2] = squares[:-1] & squares[1:] & (np.abs(step) < SOFT_EDGE)
    step = (middle + across / 2)[:, :-1] - (middle - across / 2)[:, 1:]
    joined[::2, 1::2] = squares[:, :-1] & squares[:, 1:] & (np.abs(step) < SOFT_EDGE)
    _, labels = cv2.connectedComponents(joined, connectivity=4)
    parts = labels[::2, ::2]
    sizes = np.bincount(parts[squares], minlength=1)
    return np.asarray(squares & (parts == sizes.argmax()), dtype=bool)


def _spread(values: Float32, known: Float32) -> Float32:
    """The values, and where they are not known, those around; both shape (rows, cols)."""
    field = np.full_like(values, float(values.sum() / max(float(known.sum()), 1.0)))
    for reach in REACHES:
        near, count = (
            cv2.GaussianBlur(each, (0, 0), reach, borderType=cv2.BORDER_CONSTANT)
            for each in (values * known, known)
        )
        field = (near + FROM_AFAR * field) / (count + FROM_AFAR)
    return np.asarray(field, dtype=np.float32)
