"""Foreground: the fit of squares to the empty board, also where it mirrors, and the covered squares."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import UNIFORM, Appearance, Coat, GrainBins
from hardware.vision.board.illumination import LOGARITHMS, SAMPLES, STEEPEST, Illumination, side_by_side
from hardware.vision.board.scene import Scene
from hardware.vision.register.rectify import INNER, MARGIN

TAIL_WEIGHT = 2.0
"""Degrees of freedom of Student's t for differences from the reference. Edges and shadows need long tails."""
OUTLIERS = 0.05
"""The share of an empty square's samples that may show anything: a tail, a token, a reflection."""
FOREGROUND = 0.0
DARKEST = -0.4
"""The most that a shadow changes a whole square's luma (logarithms)."""
LIGHTEST = 0.15
"""The most that glare changes a whole square's luma (logarithms)."""
GAIN_WIDTH = 0.12
"""The usual change of luma (logarithms) by a shadow or glare over a square."""
GAIN_PRICE = 0.3
"""The penalty of that change in log-density, per half of its square in units of GAIN_WIDTH."""
GAIN_FEE = 0.1

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
"""The mean log-density as an empty square below which a square is surely covered."""
SPLITS = (-3.0, 9.0)
"""The gains in mean log-density, of being covered over being empty, between which a picture's split lies."""
LEAST_GAP = 4.0
"""The least width of that gap without asking a person."""
USUAL_SPLIT = 4.0
UNLIKE_OTHERS = 2.75
"""The most that a covered square's log-density on the coat may be below that of the others."""
FAR_ABOVE = 1.5
"""The gain above the split at which a square is learned from."""
UNLIKE_EMPTY = 1.0
"""The mean log-density as an empty square below which it is learned from its own picture."""
REMEMBERED = 4
"""Earlier pictures from which to learn what covers the board; light drifts."""
GRAIN_SHARE = 0.5
"""The weight of grain, relative to colours, in what covers the board."""
BARE_COAT = -1.0
"""The mean log-density of a covered square before anything was seen on the board."""
WINDOW = SAMPLES + 1
"""The samples along each side of a plain place: wider than the arm of a tile, so that none fits into it."""
PLAIN = 0.009
"""The standard deviation of each colour (logarithms) below which a place is plain."""
HIDDEN_SHARE = 0.5
"""The minimum share of a plain place's samples that do not fit the empty board."""
LEAST_PLACES = 8
SAME = np.array([0.015, 0.01, 0.01], dtype=np.float32)
"""The maximum distance of plain places of one colour (logarithms)."""
PRICE = 1.0
"""The cost in log-density of a sample that shows a mirrored colour, not the empty board."""
BURNT = float(LOGARITHMS[240])
"""The luma (logarithm) from which on a sample is burnt out."""
BRIGHTER = 0.1
"""The luma (logarithm) by which it must be brighter than the empty board there."""
BURNT_SHARE = 0.3
"""The share of a square's samples that are burnt out if it lies under a glare."""
MIRRORED_SHARE = 0.5
"""The least share of mirrored samples of a mirroring square."""


class Empty(msgspec.Struct, frozen=True):
    """The fit of squares to their empty state, as mean log-densities, shape (rows, cols).

    `whole`: of the whole square. `corners`: of its second best corner, because a round paw marker leaves most
    corners free. `hidden`: the share of its samples that fit nothing. `samples` shape (rows, cols, samples):
    of each sample. `mirrored`: the squares that show a reflection.
    """

    whole: Float32
    corners: Float32
    hidden: Float32
    samples: Float32
    mirrored: Mask

    def inner(self, margin: int) -> Empty:
        """The same, without `margin` squares on each side."""
        inside = (slice(margin, -margin), slice(margin, -margin))
        return Empty(*(squares[inside] for squares in msgspec.structs.astuple(self)))


def empty_likelihood(picture: Float32, expected: Float32, steep: Float32, light: Illumination) -> Empty:
    """The fit of each square to its empty state.

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
    """The fit of each sample to the expected colour, as a log-density, shape (rows, cols, samples)."""
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    return _log_density(picture - expected, width, np.log(15.75 * width.prod(axis=-1)))


def plain_likelihood(off: Float32, noise: Float64) -> Float32:
    """The fit of samples to one plain colour, as a log-density, by their differences from it, (..., 3)."""
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

    def learn(self, colours: Float32, look: Appearance, covered: Mask) -> None:
        """Learn what covered squares look like from their colours, shape (rows, cols, samples, 3).

        The colours are in the reference's light.
        """
        if covered.any():
            self._seen = [*self._seen, (colours[covered], look.grains[:, covered])][-REMEMBERED:]

    def coat(
        self, empty: Float32, colours: Float32, look: Appearance, known: Mask, covered: Mask | None = None
    ) -> Float32:
        """The fit of each square to a covered one, as a mean log-density, shape (rows, cols).

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

    def covered_mask(self, empty: Float32, colours: Float32, look: Appearance, known: Mask) -> CoveredMask:
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


def with_mirrored(scene: Scene, colours: Float32, empty: Empty, noise: Float64) -> Empty:
    """The fit of squares to their empty state if the board mirrors a plain colour in places.

    `colours` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3), as the picture shows them; `empty` of the
    same squares. `noise` shape (3,).
    """
    colour = None if _has_wide_tiles(scene) else _mirrored_colour(scene, colours, empty)
    if colour is None:
        return empty
    # The frame mirrors nothing: what is plain there reaches in, as an arm does.
    fits = np.where(_on_board(scene)[..., None], plain_likelihood(colours - colour, noise) - PRICE, -np.inf)
    better = np.maximum(empty.samples, fits).astype(np.float32)
    mirrored = ((fits > empty.samples) & (fits > FOREGROUND)).mean(axis=-1) > MIRRORED_SHARE
    return Empty(
        whole=np.maximum(empty.whole, better.mean(axis=-1)),
        corners=np.maximum(empty.corners, np.sort(better[..., CORNERS].mean(axis=-1), axis=-1)[..., -2]),
        hidden=np.asarray((better < FOREGROUND).mean(axis=-1), dtype=np.float32),
        samples=better,
        mirrored=mirrored,
    )


def glaring(colours: Float32, reference: Float32, light: Illumination) -> Mask:
    """The squares of the board under a glare, shape (rows, cols).

    `colours` and `reference`, shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3): the picture and the empty
    board. `light`: the change between them.
    """
    burnt = colours[INNER][..., 0] > BURNT
    if burnt.any():
        burnt &= colours[INNER][..., 0] > light.expected(reference)[INNER][..., 0] + BRIGHTER
    return np.asarray(burnt.mean(axis=-1) > BURNT_SHARE, dtype=bool)


def _has_wide_tiles(scene: Scene) -> bool:
    """True if a tile has room for a plain place: a block of two by two squares."""
    for turned in scene.shapes.values():
        squares = set(turned[0].squares)
        if any({(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= squares for r, c in squares):
            return True
    return False


def _on_board(scene: Scene) -> Mask:
    """The squares, including the frame's, on which a tile may lie."""
    return np.pad(~scene.blocked_mask, MARGIN)


def _mirrored_colour(scene: Scene, colours: Float32, empty: Empty) -> Float32 | None:
    """The plain colour, shape (3,), of most places unlike the empty board; None without one."""
    unlike = (side_by_side(empty.samples) < FOREGROUND).astype(np.float32)
    hidden = cv2.blur(unlike, (WINDOW, WINDOW)) > HIDDEN_SHARE
    hidden &= np.kron(_on_board(scene), np.ones((SAMPLES, SAMPLES), dtype=bool))
    # Luma alone rules out most pictures.
    luma, spread = _mean_and_spread(side_by_side(colours[..., 0]))
    hidden &= (spread < PLAIN**2) & (luma < BURNT)
    if int(hidden.sum()) < LEAST_PLACES:
        return None
    mean, spread = _mean_and_spread(side_by_side(colours))
    plain = mean[hidden & (spread.max(axis=-1) < PLAIN**2)]
    if len(plain) < LEAST_PLACES:
        return None
    alike = (np.abs(plain[:, None] - plain[None]) < SAME).all(axis=-1)
    most = alike[int(alike.sum(axis=1).argmax())]
    return np.median(plain[most], axis=0).astype(np.float32) if int(most.sum()) >= LEAST_PLACES else None


def _mean_and_spread(picture: Float32) -> tuple[Float32, Float32]:
    """The mean and the variance of each sample's surroundings, shape of `picture`."""
    # Luma is about 5: beside its square, the noise would be lost in rounding.
    middle = picture.mean(axis=(0, 1))
    off = picture - middle
    mean = cv2.blur(off, (WINDOW, WINDOW))
    spread = cv2.blur(off * off, (WINDOW, WINDOW)) - mean * mean
    return np.asarray(mean + middle, dtype=np.float32), np.asarray(spread, dtype=np.float32)
