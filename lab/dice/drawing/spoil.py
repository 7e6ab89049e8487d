"""The marks of cameras on a picture: blur, grain, wrong white, vignettes, sharpening, JPEG."""

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, Picture, float32


def smear(patch: Float32, angle: float, length_px: float) -> Float32:
    """The patch moved along a line while the shutter was open."""
    size = max(3, int(length_px) | 1)
    kernel = np.zeros((size, size), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    middle = np.array([size // 2, size // 2])
    cv2.line(kernel, (middle - reach).astype(int).tolist(), (middle + reach).astype(int).tolist(), 1.0, 1)
    return float32(cv2.filter2D(patch, -1, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT))


def photograph(rng: Generator, scene: Float32, edge_px: float) -> Picture:
    """The scene (BGR 0–1) as a camera stores it, 8 bit; blur stays small against dice of `edge_px`."""
    height, width = scene.shape[:2]
    sigma = rng.uniform(0, 0.045) * edge_px * rng.choice([0.3, 1.0])
    if rng.random() < 0.7 and sigma > 0.25:
        scene = float32(cv2.GaussianBlur(scene, (0, 0), float(min(sigma, 4))))
    if rng.random() < 0.1:
        scene = smear(scene, rng.uniform(0, np.pi), rng.uniform(0.03, 0.14) * edge_px)
    if rng.random() < 0.4:
        far = np.hypot(*np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height)))
        scene = float32(scene * (1 - rng.uniform(0, 0.35) * far[..., None] ** 2))
    white = np.exp(rng.normal(0, 0.07, 3)) * np.exp(rng.normal(0, 0.1))
    scene = np.clip(scene * white, 0, 1) ** np.exp(rng.normal(0, 0.16))
    contrast = rng.uniform(0.7, 1.12)
    scene = np.clip(scene * contrast + rng.uniform(0, 1) * (1 - contrast) * 0.7, 0, 1)
    grain = rng.choice([0.004, 0.012, 0.028]) * rng.uniform(0.5, 1.5)
    noise = rng.normal(0, grain, scene.shape).astype(np.float32)
    if rng.random() < 0.4:
        noise = float32(cv2.GaussianBlur(noise, (0, 0), 0.8) * 2)
    shot = np.clip((scene + noise) * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        shot = _sharpened(rng, shot, 0.2, 1.2)
    return _compress(rng, shot)


def processed(rng: Generator, shot: Picture) -> Picture:
    """The picture after a phone's software: more or less colour, less grain, sharper, softer colours."""
    if rng.random() < 0.4:
        grey = shot.mean(-1, keepdims=True)
        shot = np.clip(grey + (shot - grey) * rng.uniform(0.4, 1.6), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        shot = np.asarray(cv2.bilateralFilter(shot, 5, rng.uniform(8, 40), 2), np.uint8)
    elif rng.random() < 0.08:
        shot = np.asarray(cv2.medianBlur(shot, 3), np.uint8)
    if rng.random() < 0.35:
        bright, *hues = cv2.split(cv2.cvtColor(shot, cv2.COLOR_BGR2YCrCb))
        soft = [cv2.GaussianBlur(hue, (0, 0), rng.uniform(0.6, 2)) for hue in hues]
        shot = np.asarray(cv2.cvtColor(cv2.merge([bright, *soft]), cv2.COLOR_YCrCb2BGR), np.uint8)
    if rng.random() < 0.3:
        shot = _sharpened(rng, shot, 0.3, 1.5)
    return shot


def _sharpened(rng: Generator, shot: Picture, least: float, most: float) -> Picture:
    soft, amount = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.8, 2)), rng.uniform(least, most)
    return np.asarray(cv2.addWeighted(shot, 1 + amount, soft, -amount, 0), np.uint8)


def _compress(rng: Generator, shot: Picture) -> Picture:
    """JPEG at some quality, at times saved smaller first and blown up again."""
    height, width = shot.shape[:2]
    if rng.random() < 0.12:
        share = rng.uniform(0.6, 0.9)
        small = (int(width * share), int(height * share))
        shot = np.asarray(cv2.resize(shot, small, interpolation=cv2.INTER_AREA), np.uint8)
    quality = int(rng.choice([rng.integers(28, 60), rng.integers(60, 97)], p=[0.25, 0.75]))
    _, packed = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    assert back is not None, "what was packed just now unpacks"
    if back.shape[:2] != (height, width):
        back = cv2.resize(back, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(back, np.uint8)
