"""The illumination model: how the light changed between two pictures of the same board."""

from __future__ import annotations

from typing import TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.errors import PictureError
from hardware.vision.register.rectify import MARGIN

SAMPLES = 8
"""The samples along each side of a square."""
DARK = 64.0
"""Gray levels added to a channel before its logarithm, so that noise in dark areas counts little."""
STEEPEST = 0.2
"""The registration error of two pictures of one board, in samples."""
NOISE_FLOOR = np.array([0.012, 0.008, 0.008])
"""The minimum noise of a picture in luma and two chromas (logarithms)."""
STARTS = (0.15, 0.3)
"""The initial scales of the robust fit, as differences of logarithms; the better fit is kept."""
GOOD_ENOUGH = 0.96
"""The share of the best fit's explanation that the wider start needs to be preferred."""
ROUNDS = 16
SHRINK = 0.85
INLIERS = 3.0
"""The minimum of that scale, in standard deviations of the remaining noise."""
PRIOR = np.array([0.5] * 4 + [3.0] * 6 + [0.3] * 5)
"""The prior standard deviations of the model's 15 terms, in logarithms: colour, colour squared, position."""
SAME_LIGHT_PRIOR = np.array([0.3] + [0.06] * 9 + [0.3] * 5)
"""The same for a light that hardly changed: brighter or dimmer here and there, but not of another colour."""
SAME_LIGHT_START = 0.1
FRAME_WEIGHT = 6.0
"""The weight of the frame in that fit: unlike the board, it is seldom covered."""
SAME_LIGHT_ENOUGH = 0.75
"""The share of the best fit's explanation at which the light counts as the same."""
TERM_NOISE = 0.03
"""The noise of a sample (logarithms) that is weighed against PRIOR."""
LAST_START = 0.06
LAST_ROUNDS = 5
LAST_HOLDS = 0.9
"""The share of the previous light's explanation that this fit needs to be kept."""
EVERY = 5
SAME_CHROMA = 0.05
"""The most by which a shadow changes a frame's square in either chroma (logarithms)."""
UNEVEN_SHARE = 5
"""The percentage of the frame's squares, darkest and lightest, that do not count: a glare, a tail."""
LOGARITHMS = np.log(np.arange(256) + DARK).astype(np.float32)
"""The logarithm of each gray level plus DARK."""
MIDDLE_LUMA = 5.1
"""The luma (logarithm) of a board in usual light, which centres the model's terms."""

Scalar = TypeVar("Scalar", bound=np.generic)


def samples(rectified: Picture, scene: Scene) -> Float32:
    """A rectified picture as logarithmic colours, shape (rows + 2 MARGIN, cols + 2 MARGIN, SAMPLES², 3).

    Channel 0 is luma, 1 and 2 are blue and red against green. Dimmer light changes only luma.
    """
    rows, cols = scene.rows + 2 * MARGIN, scene.cols + 2 * MARGIN
    small = cv2.resize(rectified, (cols * SAMPLES, rows * SAMPLES), interpolation=cv2.INTER_AREA)
    logs = cv2.LUT(small, LOGARITHMS)
    luma = logs.mean(axis=-1)
    colours = np.stack([luma, logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]], axis=-1)
    tiled = colours.reshape(rows, SAMPLES, cols, SAMPLES, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(tiled.reshape(rows, cols, SAMPLES * SAMPLES, 3), dtype=np.float32)


def side_by_side(samples: NDArray[Scalar]) -> NDArray[Scalar]:
    """Samples by square, shape (rows, cols, SAMPLES², …), as one picture (rows SAMPLES, cols SAMPLES, …)."""
    rows, cols, _, *rest = samples.shape
    squares = samples.reshape(rows, cols, SAMPLES, SAMPLES, *rest).swapaxes(1, 2)
    return np.ascontiguousarray(squares.reshape(rows * SAMPLES, cols * SAMPLES, *rest))


def steepness(colours: Float32) -> Float32:
    """The gradient of luma and chroma per sample, same shape as `colours`."""
    rows, cols = colours.shape[:2]
    flat = side_by_side(colours)
    across = cv2.Sobel(flat, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(flat, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = np.abs(across) + np.abs(down)
    steep = steep.reshape(rows, SAMPLES, cols, SAMPLES, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(steep.reshape(colours.shape))


class Illumination(msgspec.Struct, frozen=True):
    """The change of light from a reference to a picture.

    `change` (15, 3): the coefficients of the added terms of colour and position. `noise` (3,): the standard
    deviation of the residual. `shift` (3,): the mean change of the unchanged parts. `explained`: the nats per
    sample explained by the model.
    """

    change: Float64
    noise: Float64
    shift: Float64
    explained: float = 0.0

    def expected(self, reference: Float32) -> Float32:
        """The reference's look in the picture's light, same shape."""
        return np.asarray(reference + _terms(reference) @ self.change.astype(np.float32), dtype=np.float32)

    def none(self) -> Illumination:
        """No change of light, in pictures that are explained as well as these."""
        return msgspec.structs.replace(self, change=np.zeros_like(self.change), shift=np.zeros(3))

    def undone(self, picture: Float32) -> Float32:
        """A picture's approximate look in the reference's light, same shape."""
        # The change is smooth: it is nearly the same at the picture's colours as at the reference's.
        return np.asarray(2 * picture - self.expected(picture), dtype=np.float32)


def _terms(colours: Float32) -> Float32:
    rows, cols, count = colours.shape[:3]
    y, a, b = colours[..., 0] - np.float32(MIDDLE_LUMA), colours[..., 1], colours[..., 2]
    down = np.linspace(-1, 1, rows, dtype=np.float32)[:, None, None]
    across = np.linspace(-1, 1, cols, dtype=np.float32)[:, None]
    terms = np.empty((rows, cols, count, 15), dtype=np.float32)
    terms[..., 0] = 1
    products = (y, a, b, y * y, a * a, b * b, y * a, y * b, a * b)
    for number, term in enumerate((*products, down, across, down * down, down * across, across * across)):
        terms[..., number + 1] = term
    return terms


def fit_illumination(
    reference: Float32,
    picture: Float32,
    trust: Float64,
    last: Illumination | None = None,
    *,
    framed: bool = False,
) -> Illumination:
    """Fit the change of light between two pictures of the same board.

    `trust` shape (rows, cols): the trust that each square shows the same thing. Squares that disagree lose
    weight round by round, so more than half may be covered. `last`: the previous picture's light; if it still
    fits, the fit is short. `framed`: the outer squares show a printed frame, which tells the change of light.
    Raises `PictureError` if no light fits, as when colours are not numbers.
    """
    ref, cur = reference[:, :, ::EVERY], picture[:, :, ::EVERY]
    terms = np.ascontiguousarray(_terms(ref).reshape(-1, 15).T)
    target = np.ascontiguousarray((cur - ref).reshape(-1, 3).T)
    weights = np.repeat(trust.astype(np.float32).ravel(), ref.shape[2])
    if last is not None:
        light = _fit(terms, target, weights, last.change, LAST_START, LAST_ROUNDS)
        if light.explained >= last.explained * LAST_HOLDS:
            return light
    middles = np.median(cur - ref, axis=2).reshape(-1, 3)[trust.ravel() > 0]
    start = np.zeros((15, 3))
    start[0] = [_densest(middles[:, channel]) for channel in range(3)]
    fits = [_fit(terms, target, weights, start, scale, ROUNDS) for scale in STARTS]
    fits = [light for light in fits if np.isfinite(light.explained)]
    if not fits:
        raise PictureError(
            "This picture cannot be compared with the empty board: show the empty board again, then read on."
        )
    same = _same_light(terms, target, cur - ref, trust, fits) if framed else None
    if same is not None:
        return same
    most = max(light.explained for light in fits)
    enough = most * GOOD_ENOUGH
    return next(light for light in reversed(fits) if light.explained >= enough)


def unevenness(off: Float32, in_picture: Mask) -> float:
    """The spread of the light over the frame beyond the model, as a logarithm.

    `off` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3): the picture less the one expected in its
    light. `in_picture`, of the same squares: those in the picture. A shadow that ends on the frame makes some
    of its squares darker, but of no other colour.
    """
    middles = np.median(off, axis=2)
    plain = _frame(in_picture) & in_picture & (np.abs(middles[..., 1:]) < SAME_CHROMA).all(axis=-1)
    if not plain.any():
        return 0.0
    low, high = np.percentile(middles[plain][:, 0], [UNEVEN_SHARE, 100 - UNEVEN_SHARE])
    return float(high - low)


def _same_light(
    terms: Float32, target: Float32, change: Float32, trust: Float64, rivals: list[Illumination]
) -> Illumination | None:
    """The light if it hardly changed; None if one of the rivals explains the board and its frame better."""
    plain = np.repeat(trust.astype(np.float32).ravel(), change.shape[2])
    framed = plain * np.repeat(np.where(_frame(trust), np.float32(FRAME_WEIGHT), 1).ravel(), change.shape[2])
    start = np.zeros((15, 3))
    start[0] = _around(change, trust)
    same = _fit(terms, target, framed, start, SAME_LIGHT_START, ROUNDS, SAME_LIGHT_PRIOR)
    best = max(_explains(_off(terms, target, light.change), light.noise, framed) for light in rivals)
    if same.explained < best * SAME_LIGHT_ENOUGH:
        return None
    explained = _explains(_off(terms, target, same.change), same.noise, plain)
    return msgspec.structs.replace(same, explained=explained)


def _fit(
    terms: Float32,
    target: Float32,
    trust: Float32,
    change: Float64,
    first_scale: float,
    rounds: int,
    prior: Float64 = PRIOR,
) -> Illumination:
    """The fit that starts at `change`, shape (15, 3). `terms` shape (15, N), `target` shape (3, N)."""
    scale = np.full(3, first_scale)
    noise, weight, most = NOISE_FLOOR, trust, float(trust.max())
    off = _off(terms, target, change)
    for _ in range(rounds):
        far = off * (1 / scale[:, None]).astype(np.float32)
        weight = trust / (1 + (far * far).sum(axis=0)) ** 2
        change = _ridge(terms, target, weight / 25, prior)
        off = _off(terms, target, change)
        near = np.abs(off[:, weight > 0.25 * most])
        noise = np.maximum(1.48 * _medians(near), NOISE_FLOOR) if near.size else scale
        scale = np.maximum(scale * SHRINK, INLIERS * noise)
    shift = (target @ weight).astype(np.float64) / max(float(weight.sum()), 1e-9)
    return Illumination(change, noise, shift, _explains(off, noise, trust))


def _off(terms: Float32, target: Float32, change: Float64) -> Float32:
    """The residual of a change of light, shape (3, N)."""
    return np.asarray(target - change.T.astype(np.float32) @ terms, dtype=np.float32)


def _medians(values: Float32) -> Float64:
    half = values.shape[1] // 2
    return np.asarray(np.partition(values, half, axis=1)[:, half], dtype=np.float64)


def _frame(trust: Float64 | Mask) -> Mask:
    frame = np.ones(trust.shape, dtype=bool)
    frame[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    return frame


def _around(change: Float32, trust: Float64) -> Float64:
    """The median change of the frame around the board, which tiles seldom cover, shape (3,)."""
    return np.asarray(np.median(change[_frame(trust)].reshape(-1, 3), axis=0), dtype=np.float64)


def _explains(off: Float32, noise: Float64, trust: Float32) -> float:
    """The nats per sample that a fit explains; 0 if it does not fit at all."""
    far = off * (1 / noise[:, None]).astype(np.float32)
    gain = np.log1p(np.float32(9 / (15.75 * noise.prod())) * np.exp((far * far).sum(axis=0) / -2))
    return float(gain @ trust) / max(float(trust.sum()), 1e-9)


def _ridge(terms: Float32, target: Float32, weight: Float32, prior: Float64) -> Float64:
    # The weight already allows for correlated samples.
    both = np.concatenate([terms, target]) * np.sqrt(weight)
    # Unlike numpy's, this product takes one thread: on a busy machine, threads would wait for each other.
    products = cv2.mulTransposed(both, aTa=False, dtype=cv2.CV_64F)
    normal = products[:15, :15] + np.diag((TERM_NOISE / prior) ** 2)
    return np.asarray(np.linalg.solve(normal, products[:15, 15:]), dtype=np.float64)


def _densest(values: Float64) -> float:
    """The half-sample mode: the shortest interval with half of the values, repeated until three are left."""
    ordered = np.sort(values)
    while len(ordered) > 3:
        half = (len(ordered) + 1) // 2
        first = int(np.argmin(ordered[half - 1 :] - ordered[: len(ordered) - half + 1]))
        ordered = ordered[first : first + half]
    return float(np.median(ordered)) if len(ordered) else 0.0
