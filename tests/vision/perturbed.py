"""Pictures made harder to read, as another camera, another lamp or another hand would have made them.

Each kind of perturbation is drawn by chance from a seed; the same seed gives the same picture. Kinds can be
mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from hardware.arrays import Float32, Picture

MIXED = 3
"""The maximum number of kinds that a mixture has."""


class Perturbation:
    """What is done to a picture: one or more kinds, with settings drawn from a seed.

    All pictures get the same settings, as those of one camera do; the noise is drawn anew for each.
    """

    def __init__(self, kinds: Sequence[str], seed: int) -> None:
        random = np.random.default_rng(seed)
        self.kinds = tuple(sorted(kinds, key=list(KINDS).index))
        self._strengths = {kind: random.uniform(-1, 1, 4) for kind in KINDS}
        self._noise = random

    def __call__(self, picture: Picture) -> Picture:
        """The picture, BGR, perturbed; of the same shape."""
        seen = picture.astype(np.float32)
        for kind in self.kinds:
            seen = KINDS[kind](seen, self._strengths[kind], self._noise)
        return _as_picture(seen)


def mixture(seed: int) -> Perturbation:
    """Two or three kinds by chance."""
    random = np.random.default_rng(seed)
    kinds = random.choice(list(KINDS), random.integers(2, MIXED + 1), replace=False)
    return Perturbation([str(kind) for kind in kinds], seed)


def _warp(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """The camera moved by up to 3 % of the picture at each corner, and turned by up to 3 degrees."""
    height, width = seen.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    tilt = np.array([(by[0], by[1]), (-by[0], by[2]), (by[0], -by[1]), (-by[0], -by[2])], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, corners + 0.03 * width * tilt)
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), 3 * by[3], 0.97), (0, 0, 1)])
    return np.asarray(
        cv2.warpPerspective(
            seen, turn @ matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.float32,
    )


def _gradient(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """A lamp on one side: the other side of the picture has 55 to 85 % of its light."""
    height, width = seen.shape[:2]
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    ramp = np.cos(np.pi * by[0]) * (across - 0.5) + np.sin(np.pi * by[0]) * (down - 0.5)
    ramp = (ramp - ramp.min()) / (ramp.max() - ramp.min())
    return np.asarray(seen * (1 - (0.3 + 0.15 * by[1]) * ramp)[..., None], dtype=np.float32)


def _light(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """Gamma 0.75 to 1.33, and blue and red up to 10 % off."""
    gains = np.array([1 + 0.1 * by[1], 1, 1 + 0.1 * by[2]])
    return np.asarray(255 * (np.clip(seen, 0, 255) / 255) ** (1.33 ** by[0]) * gains, dtype=np.float32)


def _shade(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """A person's soft shadow over one side of the picture, with 60 to 85 % of the light."""
    height, width = seen.shape[:2]
    down, across = np.mgrid[0:height, 0:width]
    side = np.cos(np.pi * by[0]) * (across - width / 2) + np.sin(np.pi * by[0]) * (down - height / 2)
    edge = 1 / (1 + np.exp(-(side - 0.2 * width * by[1]) / (0.008 * width * (2 + by[2]))))
    return np.asarray(seen * (1 - (0.275 + 0.125 * by[3]) * edge)[..., None], dtype=np.float32)


def _coarse(seen: Float32, _: Float32, __: np.random.Generator) -> Float32:
    """Three quarters of the resolution."""
    height, width = seen.shape[:2]
    small = cv2.resize(seen, (3 * width // 4, 3 * height // 4), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _blur(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """A blur of 0.5 to 1.1 px."""
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8 + 0.3 * by[0]), dtype=np.float32)


def _noise(seen: Float32, by: Float32, random: np.random.Generator) -> Float32:
    """One and a half to twice the picture's noise, at least 4 gray levels."""
    plain = seen[..., 1] - cv2.GaussianBlur(seen[..., 1], (0, 0), 1.5)
    usual = max(float(np.median(np.abs(plain))) / 0.6745, 3.0)
    more = usual * np.sqrt((1.75 + 0.25 * by[0]) ** 2 - 1)
    return np.asarray(seen + random.normal(0, more, seen.shape), dtype=np.float32)


def _jpeg(seen: Float32, by: Float32, _: np.random.Generator) -> Float32:
    """JPEG of quality 60 to 75."""
    quality = round(67.5 + 7.5 * float(by[0]))
    _, written = cv2.imencode(".jpg", _as_picture(seen), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), dtype=np.float32)


def _as_picture(seen: Float32) -> Picture:
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


KINDS: dict[str, Callable[[Float32, Float32, np.random.Generator], Float32]] = {
    "warp": _warp,
    "gradient": _gradient,
    "shade": _shade,
    "light": _light,
    "coarse": _coarse,
    "blur": _blur,
    "noise": _noise,
    "jpeg": _jpeg,
}
"""The kinds of perturbation, in the order in which light, lens, chip and file make them."""
