"""Pictures of the same bed under light that drifts: colours that can be compared, and how they changed."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from hardware.arrays import Float32, Float64, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.errors import PictureError
from hardware.vision.register.rectify import MARGIN

SAMPLES = 8
"""Each square is seen as SAMPLES × SAMPLES samples."""
DARK = 64.0
"""Added to a channel before its logarithm: noise in the dark does not shout, and colours that a wandering
white balance drives into a corner stay on nearly straight lines. Tried 16 to 128 on two thirds of the
folders."""
STEEPEST = 0.2
"""How far two pictures of one bed may be out of register, in samples: a steep edge is given that much
leave."""
NOISE_FLOOR = np.array([0.012, 0.008, 0.008])
"""No picture is trusted further than this (luma, two chromas), however clean it is."""
STARTS = (0.15, 0.3)
"""How far off a square may be at first and still have its say: the wide start follows a white balance that
wanders, the narrow one holds on to the bed where tiles cover most of it. Both are tried, the better one is
kept."""
GOOD_ENOUGH = 0.96
"""The widest start is kept whose fit explains at least this share of what the best one does."""
ROUNDS = 16
SHRINK = 0.85
INLIERS = 3.0
"""The fit's reach shrinks by SHRINK a round, but never below INLIERS times the noise that is left."""
PRIOR = np.array([0.5] * 4 + [3.0] * 6 + [0.3] * 5)
"""How far light, colour (straight and curved) and place may change it, as standard deviations of
logarithms."""
LAST_START = 0.06
LAST_ROUNDS = 5
LAST_HOLDS = 0.9
"""The last picture's light is tried first, from LAST_START; it holds if it explains this share of what it
did."""
EVERY = 5
"""The fit looks at every fifth sample."""
LOGARITHMS = np.log(np.arange(256) + DARK).astype(np.float32)
MIDDLE_LUMA = 5.1


def samples(square_on: Picture, scene: Scene) -> Float32:
    """A square-on picture as logarithmic colours, shape (rows + 2 MARGIN, cols + 2 MARGIN, SAMPLES², 3).

    Channel 0 is luma, 1 and 2 are blue and red against green: light that grows dimmer moves luma alone.
    """
    rows, cols = scene.rows + 2 * MARGIN, scene.cols + 2 * MARGIN
    small = cv2.resize(square_on, (cols * SAMPLES, rows * SAMPLES), interpolation=cv2.INTER_AREA)
    logs = LOGARITHMS[small]
    luma = logs.mean(axis=-1)
    colours = np.stack([luma, logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]], axis=-1)
    tiled = colours.reshape(rows, SAMPLES, cols, SAMPLES, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(tiled.reshape(rows, cols, SAMPLES * SAMPLES, 3), dtype=np.float32)


def steepness(colours: Float32) -> Float32:
    """How much luma and chroma change from a sample to the next, same shape as `colours`."""
    rows, cols = colours.shape[:2]
    flat = colours.reshape(rows, cols, SAMPLES, SAMPLES, 3).transpose(0, 2, 1, 3, 4)
    flat = flat.reshape(rows * SAMPLES, cols * SAMPLES, 3)
    across = cv2.Sobel(flat, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(flat, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = np.abs(across) + np.abs(down)
    steep = steep.reshape(rows, SAMPLES, cols, SAMPLES, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(steep.reshape(colours.shape))


class Light(msgspec.Struct, frozen=True):
    """How colours of a reference turn into colours of a picture.

    `change` (15, 3): what is added, as a sum of terms of colour and place; `noise` (3,): what is left
    unsaid; `shift` (3,): how much, in the middle, everything that stayed the same changed; `explained`:
    how well it fits, in nats a sample.
    """

    change: Float64
    noise: Float64
    shift: Float64
    explained: float = 0.0

    def expected(self, reference: Float32) -> Float32:
        """What the reference would look like under the picture's light, same shape."""
        return np.asarray(reference + _terms(reference) @ self.change.astype(np.float32), dtype=np.float32)


def _terms(colours: Float32) -> Float32:
    rows, cols, count = colours.shape[:3]
    y, a, b = colours[..., 0] - MIDDLE_LUMA, colours[..., 1], colours[..., 2]
    places = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, cols), indexing="ij")
    down, across = (np.repeat(place[:, :, None], count, axis=2) for place in places)
    terms = [np.ones_like(y), y, a, b, y * y, a * a, b * b, y * a, y * b, a * b]
    terms += [down, across, down * down, down * across, across * across]
    return np.stack(terms, axis=-1).astype(np.float32)


def fit_light(reference: Float32, picture: Float32, weights: Float64, last: Light | None = None) -> Light:
    """How the light changed between two pictures of which, where nothing was laid, the same is seen.

    `weights` shape (rows, cols): how far each square may be trusted to show the same thing. Squares that do
    not agree with the rest lose their say round by round, so that more than half of them may be covered.
    `last`: the light of the picture before; where it still holds, the search for it is short. Raises
    `PictureError` where no light turns the one into the other: colours that are no numbers.
    """
    ref, cur = reference[:, :, ::EVERY], picture[:, :, ::EVERY]
    terms = _terms(ref).reshape(-1, 15).astype(np.float64)
    target = (cur - ref).reshape(-1, 3).astype(np.float64)
    trust = np.repeat(weights.ravel(), ref.shape[2])
    if last is not None:
        light = _fit(terms, target, trust, last.change, LAST_START, LAST_ROUNDS)
        if light.explained >= last.explained * LAST_HOLDS:
            return light
    middles = np.median(cur - ref, axis=2).reshape(-1, 3)[weights.ravel() > 0]
    start = np.zeros((15, 3))
    start[0] = [_densest(middles[:, channel]) for channel in range(3)]
    fits = [_fit(terms, target, trust, start, scale, ROUNDS) for scale in STARTS]
    fits = [light for light in fits if np.isfinite(light.explained)]
    if not fits:
        raise PictureError(
            "This picture cannot be compared with the empty bed: show the empty bed again, then read on."
        )
    enough = max(light.explained for light in fits) * GOOD_ENOUGH
    return next(light for light in reversed(fits) if light.explained >= enough)


def _fit(
    terms: Float64, target: Float64, trust: Float64, change: Float64, first_scale: float, rounds: int
) -> Light:
    """A fit that starts at `change`, shape (15, 3)."""
    scale = np.full(3, first_scale)
    noise, weight = NOISE_FLOOR, trust
    for _ in range(rounds):
        off = target - terms @ change
        weight = trust / (1 + ((off / scale) ** 2).sum(axis=1)) ** 2
        change = _ridge(terms, target, weight / 25)
        off = np.abs(target - terms @ change)
        near = weight > 0.25 * trust.max()
        noise = np.maximum(1.48 * np.median(off[near], axis=0), NOISE_FLOOR) if near.any() else scale
        scale = np.maximum(scale * SHRINK, INLIERS * noise)
    shift = (target * weight[:, None]).sum(axis=0) / max(weight.sum(), 1e-9)
    return Light(change, noise, shift, _explains(target - terms @ change, noise, trust))


def _explains(off: Float64, noise: Float64, trust: Float64) -> float:
    """How much of the picture a fit explains, in nats a sample: one that does not fit at all counts
    nothing."""
    far = ((off / noise) ** 2).sum(axis=1)
    gain = np.log1p(9 * np.exp(-far / 2) / (15.75 * noise.prod()))
    return float((gain * trust).sum() / max(trust.sum(), 1e-9))


def _ridge(terms: Float64, target: Float64, weight: Float64) -> Float64:
    # Samples' noise of about 0.03 against the priors; the weight already allows for samples that err
    # together.
    weighed = terms * weight[:, None]
    normal = weighed.T @ terms + np.diag((0.03 / PRIOR) ** 2)
    return np.asarray(np.linalg.solve(normal, weighed.T @ target), dtype=np.float64)


def _densest(values: Float64) -> float:
    """Where values crowd: the shortest stretch that holds half of them, again and again until three are
    left."""
    ordered = np.sort(values)
    while len(ordered) > 3:
        half = (len(ordered) + 1) // 2
        first = int(np.argmin(ordered[half - 1 :] - ordered[: len(ordered) - half + 1]))
        ordered = ordered[first : first + half]
    return float(np.median(ordered)) if len(ordered) else 0.0
