"""A picture as a camera takes it off a screen: lit dots, a lens, a colour mosaic, a phone's processing.

The dots of a panel are a pattern that repeats with its pixels. What the lens leaves of each of its harmonics
is sampled by the camera's mosaic, whose own pattern it beats against: that is where moiré comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from hardware.arrays import Float32, Picture, float32

PERIOD_DOTS = 2
"""The pixels of a panel, each way, after which every layout of dots repeats."""

TEXELS = 24
"""How finely a pixel of a panel is drawn, each way."""

ORDERS = 6
"""The harmonics that are followed, each way: no lens here passes finer ones."""

GAMMA = 2.2
"""What a screen and a camera take for the eye's response to light."""

MOSAIC = {0: ((1, 1),), 1: ((0, 1), (1, 0)), 2: ((0, 0),)}
"""Where (row, column) in each four pixels of a camera the blue, green and red ones are."""

FILTERS = float32(((0.86, 0.12, 0.02), (0.12, 0.78, 0.10), (0.03, 0.15, 0.82)))
"""How much of the screen's blue, green and red each of the camera's filters passes."""


@dataclass(frozen=True)
class Panel:
    """A screen of `width` × `height` pixels, its dots in `stripes` or in `diamonds`.

    With `threads` it is none, but the picture printed on a cloth of so many threads, all of one colour.
    """

    width: int
    height: int
    dots: str = "stripes"


@dataclass(frozen=True)
class Shot:
    """How a screen is photographed.

    `fill`: the screen's width by the photo's. `tilt` (away from `side`) and `turn` in degrees. `blur`: the
    lens's, in px of the sensor. `haze`: reflected light. `softened`: the blur of colours in the phone,
    in px of the sensor. `long_side`: of the stored photo in px.
    """

    width: int = 4000
    height: int = 3000
    fill: float = 0.9
    tilt: float = 8.0
    side: float = 40.0
    turn: float = 1.5
    blur: float = 0.5
    bend: float = 0.01
    haze: float = 0.02
    noise: float = 0.006
    softened: float = 1.0
    sharpened: float = 0.3
    long_side: int = 2000
    quality: int = 90
    seed: int = 0


def screened(picture: Picture, panel: Panel, shot: Shot, *, dots: bool = True) -> Picture:
    """The picture shown on a panel, as the stored photo of it shows it. `dots=False`: an even screen."""
    shown = _shown(picture, panel)
    u, v = _places(panel, shot)
    light = np.stack([_seen_light(shown[..., n], u, v) for n in range(3)], -1)
    mosaic = np.zeros(u.shape, np.float32)
    waves = _waves(panel.dots) if dots else {}
    for colour, sites in MOSAIC.items():
        for row, column in sites:
            at = np.s_[row::2, column::2]
            for primary in range(3):
                lit = light[at][..., primary] * FILTERS[colour, primary]
                mosaic[at] += lit * _modulation(u[at], v[at], waves.get(primary, ()), shot.blur)
    return _developed(mosaic + shot.haze, shot)


def stored(picture: Picture, quality: int) -> bytes:
    """The photo as a JPEG file."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def _shown(picture: Picture, panel: Panel) -> Float32:
    """What each pixel of the panel shows, in light from 0 to 1: the whole picture, as large as it fits."""
    share = min(panel.width / picture.shape[1], panel.height / picture.shape[0])
    way = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
    fitted = cv2.resize(picture, None, fx=share, fy=share, interpolation=way)
    shown = np.full((panel.height, panel.width, 3), 24, np.uint8)
    top, left = (panel.height - fitted.shape[0]) // 2, (panel.width - fitted.shape[1]) // 2
    shown[top : top + fitted.shape[0], left : left + fitted.shape[1]] = fitted
    return np.asarray((shown / np.float32(255)) ** GAMMA, np.float32)


def _places(panel: Panel, shot: Shot) -> tuple[Float32, Float32]:
    """Which place of the panel, in its pixels, each pixel of the sensor sees."""
    y, x = np.mgrid[0 : shot.height, 0 : shot.width].astype(np.float32)
    x -= np.float32(shot.width / 2)
    y -= np.float32(shot.height / 2)
    stretch = 1 + np.float32(shot.bend) * (x * x + y * y) / np.float32((shot.width / 2) ** 2)
    x, y = x * stretch, y * stretch
    tilt, side, turn = np.radians((shot.tilt, shot.side, shot.turn))
    # The slope of the screen away from the camera, as seen by a lens as wide as the sensor is from it.
    gone = np.tan(tilt) * (np.cos(side) * x + np.sin(side) * y) / np.float32(1.2 * shot.width)
    near = 1 / (1 - gone)
    scale = panel.width / (shot.fill * shot.width)
    u = scale * near * (np.cos(turn) * x - np.sin(turn) * y) + np.float32(panel.width / 2)
    v = scale * near * (np.sin(turn) * x + np.cos(turn) * y) + np.float32(panel.height / 2)
    return u.astype(np.float32), v.astype(np.float32)


def _seen_light(shown: Float32, u: Float32, v: Float32) -> Float32:
    seen = cv2.remap(
        shown, u - 0.5, v - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0.01
    )
    return np.asarray(seen, np.float32)


@cache
def _waves(dots: str) -> dict[int, tuple[tuple[float, float, complex], ...]]:
    """The harmonics of each primary's dots: cycles a pixel across and down, and strength."""
    harmonics = {}
    for primary, cell in enumerate(_cell(dots)):
        spectrum = np.fft.fft2(cell) / cell.sum()
        harmonics[primary] = tuple(
            (k / PERIOD_DOTS, n / PERIOD_DOTS, complex(2 * spectrum[n, k]))
            for k in range(ORDERS + 1)
            for n in range(-ORDERS, ORDERS + 1)
            if (k > 0 or n > 0) and abs(spectrum[n, k]) > 0.01
        )
    return harmonics


def _cell(dots: str) -> Float32:
    """Where each primary is lit, blue first, in the cell that repeats: shape (3, texels, texels)."""
    side = PERIOD_DOTS * TEXELS
    y, x = (np.mgrid[0:side, 0:side] + 0.5) / TEXELS
    cell = np.zeros((3, side, side), np.float32)
    if dots == "stripes":
        for primary, left in ((2, 0.03), (1, 0.363), (0, 0.697)):
            cell[primary] = ((x % 1 - left) % 1 < 0.27) & ((y % 1) > 0.1)
        return cell
    if dots == "threads":
        over = (np.floor(x) + np.floor(y)) % 2 == 0
        cell[:] = np.sin(np.pi * np.where(over, x, y)) ** 4 * np.where(over, 1, 0.4)
        return cell
    for primary, middles, reach in (
        (2, ((0.5, 0.5), (1.5, 1.5)), 0.32),
        (0, ((1.5, 0.5), (0.5, 1.5)), 0.37),
        (1, ((0, 0), (1, 0), (0, 1), (1, 1)), 0.24),
    ):
        for middle_x, middle_y in middles:
            across = np.abs((x - middle_x + 1) % 2 - 1)
            down = np.abs((y - middle_y + 1) % 2 - 1)
            cell[primary] += across + down < reach * 1.3
    return cell


def _modulation(
    u: Float32, v: Float32, waves: tuple[tuple[float, float, complex], ...], blur: float
) -> Float32 | float:
    """By how much the dots raise or lower the light at each place, after the lens."""
    if not waves:
        return 1.0
    # The sites of a colour are two pixels apart.
    (uy, ux), (vy, vx) = (np.gradient(each[::16, ::16], 32) for each in (u, v))
    spread = 2 * np.pi**2 * (blur**2 + 1 / 12)  # the lens and the sensor's pixel
    sum_ = np.ones_like(u)
    for k, n, strength in waves:
        passed = np.exp(-spread * ((k * ux + n * vx) ** 2 + (k * uy + n * vy) ** 2)).astype(np.float32)
        if passed.max() * abs(strength) < 0.01:
            continue
        passed = cv2.resize(passed, u.shape[::-1], interpolation=cv2.INTER_LINEAR)
        phase = np.float32(2 * np.pi * k) * u + np.float32(2 * np.pi * n) * v + np.float32(np.angle(strength))
        sum_ += np.float32(abs(strength)) * passed * np.cos(phase)
    return np.maximum(sum_, 0)


def _developed(mosaic: Float32, shot: Shot) -> Picture:
    """The stored picture from the sensor's light."""
    random = np.random.default_rng(shot.seed)
    exposed = mosaic * np.float32(0.8 / max(float(np.quantile(mosaic, 0.98)), 0.05))
    noise = random.standard_normal(mosaic.shape, np.float32)
    exposed = exposed + noise * np.float32(shot.noise) * (0.3 + np.sqrt(np.maximum(exposed, 0)))
    raw = np.clip(exposed * 16000, 0, 65535).astype(np.uint16)
    light = cv2.cvtColor(raw, cv2.COLOR_BayerRGGB2BGR).astype(np.float32) / 16000
    seen = 255 * np.clip(light, 0, 1) ** np.float32(1 / GAMMA)
    y, *colours = cv2.split(cv2.cvtColor(seen, cv2.COLOR_BGR2YCrCb))
    if shot.softened:
        colours = [cv2.GaussianBlur(each, (0, 0), shot.softened) for each in colours]
    y = y + shot.sharpened * (y - cv2.GaussianBlur(y, (0, 0), 1.5))
    seen = cv2.cvtColor(cv2.merge([y, *colours]), cv2.COLOR_YCrCb2BGR)
    share = shot.long_side / max(seen.shape[:2])
    if share < 1:
        seen = cv2.resize(seen, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)
