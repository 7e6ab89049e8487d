"""What covers each square: the same code for a bed and for any board of squares."""

from __future__ import annotations

import msgspec
import numpy as np

from hardware.arrays import Float32, Mask
from hardware.vision.board.appearance import ANYTHING, Boxes, Coat, Look
from hardware.vision.board.illumination import SAMPLES, STEEPEST, Light

TAIL_WEIGHT = 2.0
"""Degrees of freedom of what is left between an empty square and its reference: edges and shadows have long
tails."""
SOMETHING_LIES_THERE = 0.05
"""The share of an empty square's samples that may show anything at all: a tail, a paw marker, a
reflection."""
NOTHING_LIKE_IT = 0.0
"""A sample whose log-density is below this does not show the empty square."""
DARKEST, LIGHTEST = -0.4, 0.15
"""How far a shadow or a glare may change a whole square's luma, as logarithms."""
GAIN_WIDTH = 0.12
GAIN_PRICE = 0.3
GAIN_FEE = 0.1
"""What a shadow or glare over the square costs, in the units of the log-densities."""

_LAST = (SAMPLES - 2, SAMPLES - 1)
CORNERS = np.array(
    [
        [row * SAMPLES + col for row in rows for col in cols]
        for rows in ((0, 1), _LAST)
        for cols in ((0, 1), _LAST)
    ]
)
"""The samples in each of a square's corners."""

SURELY_NOT_EMPTY = -1.75
"""A square that fits its empty self this badly, as a mean log-density, is covered whatever lies there."""
COVERED = 4.0
NEARLY = 1.5
"""A square is covered where what lies on the others explains it better than being empty by COVERED; within
NEARLY of that a person is asked. Tried -2 to -0.5, 0 to 4 and 0.3 to 1.5 on the five folders of
photographed boards."""
REMEMBERED = 4
"""What lay on the board is learned from this many former pictures: light drifts."""
GRAIN_SHARE = 0.5
BARE_COAT = -1.0
"""The mean log-density of whatever may lie on a board before anything did."""


class Empty(msgspec.Struct, frozen=True):
    """How well squares fit their empty selves, as mean log-densities, shape (rows, cols).

    `whole`: over the square; `corners`: over the second best of its corners
    alone, of which a round paw marker leaves most free; `hidden`: the share of its samples that fit nothing.
    """

    whole: Float32
    corners: Float32
    hidden: Float32

    def inner(self, margin: int) -> Empty:
        """The same without `margin` squares on each side."""
        inside = (slice(margin, -margin), slice(margin, -margin))
        return Empty(self.whole[inside], self.corners[inside], self.hidden[inside])


def empty_likelihood(picture: Float32, expected: Float32, steep: Float32, light: Light) -> Empty:
    """How well each square fits its empty self.

    All three arrays have shape (rows, cols, samples, 3): the picture, what the reference looks like under the
    picture's light, and how steep the reference is there.
    """
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    norm = np.log(15.75 * width.prod(axis=-1))
    off = picture - expected
    plain = _student(off, width, norm)
    plain_whole = plain.mean(axis=-1)
    gain = np.clip(np.median(off[..., 0], axis=-1), DARKEST, LIGHTEST)
    off[..., 0] -= gain[..., None]
    price = GAIN_PRICE * np.minimum((gain / GAIN_WIDTH) ** 2 / 2, 4) + GAIN_FEE
    evened = _student(off, width, norm) - price[..., None]
    evened_whole = evened.mean(axis=-1)
    better = np.where((evened_whole > plain_whole)[..., None], evened, plain)
    corners = np.sort(better[..., CORNERS].mean(axis=-1), axis=-1)[..., -2]
    hidden = (better < NOTHING_LIKE_IT).mean(axis=-1)
    return Empty(np.maximum(plain_whole, evened_whole), corners, hidden)


def sample_likelihood(picture: Float32, expected: Float32, steep: Float32, light: Light) -> Float32:
    """How well each sample fits what was expected, as a log-density, shape (rows, cols, samples)."""
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    return _student(picture - expected, width, np.log(15.75 * width.prod(axis=-1)))


def _student(off: Float32, width: Float32, norm: Float32) -> Float32:
    far = ((off / width) ** 2).sum(axis=-1)
    log = -norm - (TAIL_WEIGHT + 3) / 2 * np.log1p(far / TAIL_WEIGHT)
    mixed = np.log((1 - SOMETHING_LIES_THERE) * np.exp(log) + SOMETHING_LIES_THERE * ANYTHING)
    return np.asarray(mixed, dtype=np.float32)


class SquaresRead(msgspec.Struct, frozen=True):
    """Which squares of a board are covered, shape (rows, cols), and which of them are not certain."""

    covered: Mask
    uncertain: Mask


class Covers:
    """Tells covered squares from empty ones, and learns from the certain ones what lies on this board."""

    def __init__(self) -> None:
        self._seen: list[tuple[Float32, Boxes]] = []

    def learn(self, colours: Float32, look: Look, covered: Mask) -> None:
        """Remembers what covered squares look like: `colours` (rows, cols, samples, 3) under the
        reference's light."""
        if covered.any():
            self._seen = [*self._seen, (colours[covered], look.grains[:, covered])][-REMEMBERED:]

    def coat(self, empty: Float32, colours: Float32, look: Look, told: Mask) -> Float32:
        """How likely each square is as one that something covers, shape (rows, cols), a mean log-density.

        `told`: squares that were covered in the reference already, of which `empty` says nothing.
        """
        sure = (empty < SURELY_NOT_EMPTY) & ~told
        pool = list(self._seen)
        if sure.any():
            pool.append((colours[sure], look.grains[:, sure]))
        bare = np.full(empty.shape, BARE_COAT, dtype=np.float32)
        if not pool:
            return bare
        grains = np.concatenate([grain.reshape(grain.shape[0], -1) for _, grain in pool], axis=1)[None]
        coat = Coat(np.concatenate([colour.reshape(-1, 3) for colour, _ in pool]), grains)
        likely = coat.colour_likelihood(look) + GRAIN_SHARE * coat.grain_likelihood(look)
        return np.maximum(bare, likely)

    def read(self, empty: Float32, colours: Float32, look: Look, told: Mask) -> SquaresRead:
        """Which squares something covers. Squares `told` to be covered stay so while they look as they
        did."""
        gain = self.coat(empty, colours, look, told) - empty
        covered = told | (gain > COVERED)
        uncertain = (np.abs(gain - COVERED) < NEARLY) & ~told
        self.learn(colours, look, (gain > COVERED + NEARLY) & (empty < SURELY_NOT_EMPTY) & ~told)
        return SquaresRead(covered, uncertain)
