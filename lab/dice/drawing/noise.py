"""Smooth random fields and colours, for tables and dice."""

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, float32

BODIES: dict[str, tuple[str, float, tuple[tuple[float, float], ...]]] = {
    "white": ("white", 0.2, ((0, 180), (0, 30), (205, 255))),
    "ivory": ("white", 0.08, ((16, 26), (22, 75), (195, 245))),
    "grey": ("grey", 0.09, ((0, 180), (0, 28), (95, 175))),
    "black": ("black", 0.12, ((0, 180), (0, 60), (12, 52))),
    "red": ("red", 0.13, ((-7, 7), (150, 255), (110, 240))),
    "blue": ("blue", 0.1, ((98, 124), (120, 255), (80, 235))),
    "green": ("green", 0.09, ((48, 84), (95, 255), (60, 215))),
    "yellow": ("yellow", 0.07, ((22, 32), (130, 255), (175, 255))),
    "orange": ("other", 0.02, ((9, 17), (150, 255), (170, 255))),
    "purple": ("other", 0.03, ((128, 150), (80, 230), (60, 200))),
    "pink": ("other", 0.02, ((155, 172), (60, 170), (180, 255))),
    "brown": ("other", 0.03, ((6, 16), (80, 200), (55, 140))),
    "turquoise": ("other", 0.02, ((86, 95), (110, 255), (110, 230))),
}
"""Colours of bodies: the name that a reader should give, the share drawn, and the ranges of hue (0–180),
saturation and value in OpenCV's units."""


def colour(rng: Generator, name: str) -> Float32:
    """A colour of that name: BGR, 0–1, shape `(3,)`."""
    hue, saturation, value = (rng.uniform(low, high) for low, high in BODIES[name][2])
    return _from_hsv(hue % 180, saturation, value)


def any_colour(rng: Generator) -> Float32:
    """Any colour, dull ones more often: BGR, 0–1, shape `(3,)`."""
    return _from_hsv(rng.uniform(0, 180), 255 * rng.beta(1.1, 2.2), rng.uniform(25, 250))


def _from_hsv(hue: float, saturation: float, value: float) -> Float32:
    pixel = np.array([[[hue, saturation, value]]], np.uint8)
    return float32(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255)


def field(rng: Generator, size: tuple[int, int], cell_px: tuple[float, float], octaves: int = 1) -> Float32:
    """A smooth random field of shape `(height, width)`, about −1 to 1; `size`, `cell_px`: width, height."""
    total = np.zeros((size[1], size[0]), np.float32)
    for octave in range(octaves):
        across = max(2, int(size[0] / cell_px[0] * 2**octave) + 2)
        down = max(2, int(size[1] / cell_px[1] * 2**octave) + 2)
        coarse = rng.uniform(-1, 1, (min(down, size[1]), min(across, size[0]))).astype(np.float32)
        total += cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC) * np.float32(0.55**octave)
    return total
