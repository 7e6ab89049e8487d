"""Foreground: how well squares and samples fit the empty board, and which squares are covered."""

from __future__ import annotations

import msgspec
import numpy as np

from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import UNIFORM, Coat, GrainBins, Look
from hardware.vision.board.illumination import SAMPLES, STEEPEST, Illumination

TAIL_WEIGHT = 2.0
"""Degrees of freedom of Student's t for differences from the reference. Edges and shadows need long tails."""
OUTLIERS = 0.05
"""The share of an empty square's samples that may show anything: a tail, a token, a reflection."""
FOREGROUND = 0.0
"""The log-density below which a sample is foreground."""
DARKEST = -0.4
"""The most that a shadow changes a whole square's luma (logarithms)."""
LIGHTEST = 0.15
"""The most that glare changes a whole square's luma (logarithms)."""
GAIN_WIDTH = 0.12
"""The usual change of luma (logarithms) by a shadow or glare over a square."""
GAIN_PRICE = 0.3
"""The penalty of such a change in log-density, per half of its square in units of GAIN_WIDTH."""
GAIN_FEE = 0.1
"""The fixed penalty of any such change, in log-density."""

_LAST = (SAMPLES - 2, SAMPLES - 1)
CORNERS = np.array(
    [
        [row * SAMPLES + col for row in rows for col in cols]
        for rows in ((0, 1), _LAST)
        for cols in ((0, 1), _LAST)
    ]
)
"""The indices of the samples in each of a square's four corners, shape (4, 4)."""

SURELY_NOT_EMPTY = -1.75
"""The mean log-density as an empty square below which a square is surely covered.

Tried -2 to -0.5 on the five folders of photographed boards.
"""
SPLITS = (-3.0, 9.0)
"""The gains in mean log-density, of being covered over being empty, between which a picture's split lies.

Covered squares gain more than the split, empty ones less: it is in the middle of the widest gap.
"""
LEAST_GAP = 4.0
"""The width of that gap below which a person is asked.

Of 384 drawn photographs of boards with thick tiles, five with a wider gap are split wrongly.
"""
USUAL_SPLIT = 4.0
"""The split where no gap is wide enough."""
UNLIKE_OTHERS = 2.75
"""How much less a covered square's log-density on the coat may be than that of the others.

A hand, or a glare on the empty board, is as unlike the empty board as a tile, but not like the other tiles.
"""
FAR_ABOVE = 1.5
"""How far above the split a square's gain must be for its look to be learned."""
UNLIKE_EMPTY = 1.0
"""The mean log-density as an empty square below which it is learned in the picture that it shows it."""
REMEMBERED = 4
"""The number of earlier pictures from which to learn what covers the board; light drifts."""
GRAIN_SHARE = 0.5
"""The weight of the grain, relative to the colours, of what covers the board."""
BARE_COAT = -1.0
"""The mean log-density of a covered square before anything was seen on the board."""


class Empty(msgspec.Struct, frozen=True):
    """How well squares fit their empty state, as mean log-densities, shape (rows, cols).

    `whole`: of the whole square. `corners`: of its second best corner, because a round paw marker leaves most
    corners free. `hidden`: the share of its samples that fit nothing. `samples` shape (rows, cols, samples):
    of each sample. `mirrored`: the squares that show what a glossy board mirrors.
    """

    whole: Float32
    corners: Float32
    hidden: Float32
    samples: Float32
    mirrored: Mask

    def inner(self, margin: int) -> Empty:
        """The same, without `margin` squares on each side."""
        inside = (slice(margin, -margin), slice(margin, -margin))
        return Empty(
            self.whole[inside],
            self.corners[inside],
            self.hidden[inside],
            self.samples[inside],
            self.mirrored[inside],
        )


def empty_likelihood(picture: Float32, expected: Float32, steep: Float32, light: Illumination) -> Empty:
    """How well each square fits its empty state.

    All three arrays have shape (rows, cols, samples, 3): the picture, the reference in the picture's light,
    and the reference's gradient.
    """
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    norm = np.log(15.75 * width.prod(axis=-1))
    off = picture - expected
    plain = _log_density(off, width, norm)
    plain_whole = plain.mean(axis=-1)
    gain = np.clip(np.median(off[..., 0], axis=-1), DARKEST, LIGHTEST)
    off[..., 0] -= gain[..., None]
    price = GAIN_PRICE * np.minimum((gain / GAIN_WIDTH) ** 2 / 2, 4) + GAIN_FEE
    evened = _log_density(off, width, norm) - price[..., None]
    evened_whole = evened.mean(axis=-1)
    better = np.where((evened_whole > plain_whole)[..., None], evened, plain)
    corners = np.sort(better[..., CORNERS].mean(axis=-1), axis=-1)[..., -2]
    hidden = (better < FOREGROUND).mean(axis=-1)
    return Empty(
        np.maximum(plain_whole, evened_whole), corners, hidden, better, np.zeros(hidden.shape, dtype=bool)
    )


def sample_likelihood(picture: Float32, expected: Float32, steep: Float32, light: Illumination) -> Float32:
    """How well each sample fits the expected colour, as a log-density, shape (rows, cols, samples)."""
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    return _log_density(picture - expected, width, np.log(15.75 * width.prod(axis=-1)))


def plain_likelihood(off: Float32, noise: Float64) -> Float32:
    """How well samples fit one plain colour, as a log-density, by their differences from it, (..., 3)."""
    width = noise.astype(np.float32)
    return _log_density(off, width, np.log(15.75 * width.prod()))


def _log_density(off: Float32, width: Float32, norm: Float32) -> Float32:
    far = ((off / width) ** 2).sum(axis=-1)
    log = -norm - (TAIL_WEIGHT + 3) / 2 * np.log1p(far / TAIL_WEIGHT)
    mixed = np.log((1 - OUTLIERS) * np.exp(log) + OUTLIERS * UNIFORM)
    return np.asarray(mixed, dtype=np.float32)


class CoveredMask(msgspec.Struct, frozen=True):
    """The covered squares of a board, shape (rows, cols), and the uncertain ones."""

    covered: Mask
    uncertain: Mask


class CoveredSquares:
    """Tells covered squares from empty ones, and learns from the certain ones what covers this board."""

    def __init__(self) -> None:
        self._seen: list[tuple[Float32, GrainBins]] = []

    def learn(self, colours: Float32, look: Look, covered: Mask) -> None:
        """Learn what covered squares look like from their colours, shape (rows, cols, samples, 3).

        The colours are in the reference's light.
        """
        if covered.any():
            self._seen = [*self._seen, (colours[covered], look.grains[:, covered])][-REMEMBERED:]

    def coat(
        self, empty: Float32, colours: Float32, look: Look, known: Mask, covered: Mask | None = None
    ) -> Float32:
        """How well each square fits a covered one, as a mean log-density, shape (rows, cols).

        `known`: squares that were covered in the reference already, so that `empty` does not apply to them.
        `covered`: squares to learn from, in addition to those that are surely covered.
        """
        sure = (
            empty < SURELY_NOT_EMPTY if covered is None else (empty < SURELY_NOT_EMPTY) | covered
        ) & ~known
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

    def read(self, empty: Float32, colours: Float32, look: Look, known: Mask) -> CoveredMask:
        """The covered squares; those `known` to be covered in the reference stay covered."""
        likely = self.coat(empty, colours, look, known)
        split, _ = _split((likely - empty)[~known])
        # Tiles in another light than those that are surely covered are learned before it is decided.
        likely = self.coat(
            empty, colours, look, known, _far_above(likely - empty, split) & (empty < UNLIKE_EMPTY)
        )
        gain = likely - empty
        split, gap = _split(gain[~known])
        covered = (gain > split) & ~known
        unlike = covered & (likely < np.median(likely[covered]) - UNLIKE_OTHERS) if covered.any() else covered
        surely = _far_above(gain, split) & (empty < SURELY_NOT_EMPTY) & covered & ~unlike
        self.learn(colours, look, surely)
        return CoveredMask(known | covered, unlike if gap >= LEAST_GAP else ~known)


def _far_above(gain: Float32, split: float) -> Mask:
    return np.asarray(gain > split + FAR_ABOVE)


def _split(gains: Float32) -> tuple[float, float]:
    """The gain that parts covered squares from empty ones, and the width of the gap around it."""
    low, high = SPLITS
    ordered = np.sort(np.concatenate([gains[(gains > low) & (gains < high)], SPLITS]))
    gaps = np.diff(ordered)
    widest = int(gaps.argmax())
    gap = float(gaps[widest])
    return (float(ordered[widest]) + gap / 2 if gap >= LEAST_GAP else USUAL_SPLIT), gap
