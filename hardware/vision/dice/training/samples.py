"""Training samples: drawn pictures on disk, crops of them for the detector, cut-outs for the classifier."""

import pickle
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, Float64, Picture, float32
from hardware.vision.dice import pip_reader
from hardware.vision.dice.classifier import COLOURS, cut_out
from hardware.vision.dice.pip_reader import even_out
from hardware.vision.dice.training.drawing import DrawnDie, draw_picture

CROP_PX = 256
STRIDE = 4
HELD_PICTURES = 6000
"""So many pictures stay unpacked in memory, at 0.9 MB each."""
SEED_BASE = 1_000_000
"""Training draws from this seed on; tests draw from small seeds, so the two never meet."""


def draw_set(folder: Path, first: int, last: int, count: int | None = None) -> None:
    """Draws the pictures `first` to `last` into a folder, `count` dice in each; those there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, last):
        target = folder / f"{number}.pkl"
        if target.exists():
            continue
        drawn = draw_picture(SEED_BASE + number, count=count)
        cv2.imwrite(str(folder / f"{number}.jpg"), drawn.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
        partial = target.with_suffix(".part")
        partial.write_bytes(pickle.dumps(drawn.dice))
        partial.replace(target)


@lru_cache(HELD_PICTURES)
def load(folder: Path, number: int) -> tuple[Picture, tuple[DrawnDie, ...]]:
    """A picture of the set and its dice."""
    picture = cv2.imread(str(folder / f"{number}.jpg"))
    assert picture is not None, f"{folder / f'{number}.jpg'} is missing: draw the set first"
    dice: tuple[DrawnDie, ...] = pickle.loads((folder / f"{number}.pkl").read_bytes())
    return np.asarray(picture, np.uint8), dice


def recolour(rng: Generator, picture: Picture) -> tuple[Picture, bool]:
    """The picture in other light: gain, gamma, white, grain, at times each channel's contrast moved at
    random.

    Also says whether colours are still what they were called. All but the grain is one table of 256 levels.
    """
    kind = rng.random()
    if kind < 0.04:
        picture = np.repeat(picture.mean(-1, keepdims=True).astype(np.uint8), 3, -1)
    elif kind < 0.1:
        picture = np.ascontiguousarray(picture[..., rng.permutation(3)])
    levels = np.repeat(np.arange(256)[:, None] / 255, 3, 1)
    if 0.1 <= kind < 0.38:
        levels = _estranged(rng, levels, picture[::4, ::4].mean((0, 1)) / 255)
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.06, 3))
    levels = np.clip(levels * gain, 0, 1) ** np.exp(rng.normal(0, 0.15))
    seen = cv2.LUT(picture, np.clip(levels * 255, 0, 255).astype(np.uint8)[None])
    if rng.random() < 0.2:
        grain = rng.normal(0, rng.uniform(0, 8), (64, 64, 3)).astype(np.int16)
        times = (seen.shape[0] // 64 + 1, seen.shape[1] // 64 + 1, 1)
        seen = np.clip(seen + np.tile(grain, times)[: seen.shape[0], : seen.shape[1]], 0, 255)
    return np.asarray(seen, np.uint8), kind >= 0.38


def _estranged(rng: Generator, levels: Float64, middle: Float64) -> Float64:
    """Each channel's contrast scaled, turned over or almost taken away: pips then differ in hue alone at
    times."""
    scale = rng.uniform(-1, 1, 3)
    scale[rng.integers(3)] = rng.choice([-1, 1]) * rng.uniform(0.45, 1)
    level = np.clip(middle + rng.normal(0, 0.2, 3), 0.1, 0.8)
    return np.asarray(np.clip(level + (levels - middle) * scale, 0, 1), np.float64)


def _glint(rng: Generator, cut: Picture) -> Picture:
    """Bright rims, as lamps leave them on a glossy die's rounded edges."""
    bright = cut.copy()
    side = cut.shape[0]
    middle = tuple(int(v) for v in rng.normal(side / 2, side / 14, 2))
    radii = tuple(int(v) for v in rng.uniform(side / 10, side / 3.2, 2))
    begin = float(rng.uniform(0, 360))
    for _ in range(int(rng.integers(1, 4))):
        begin += float(rng.uniform(40, 160))
        cv2.ellipse(bright, middle, radii, float(rng.uniform(0, 90)), begin, begin + float(rng.uniform(20,
        120)), (255, 255, 255), 1, cv2.LINE_AA)  # fmt: skip
    if rng.random() < 0.5:
        bright = np.asarray(cv2.GaussianBlur(bright, (3, 3), 0), np.uint8)
    share = float(rng.uniform(0.3, 1))
    return np.asarray(cv2.addWeighted(bright, share, cut, 1 - share, 0), np.uint8)


def finder_sample(rng: Generator, picture: Picture, dice: tuple[DrawnDie, ...]) -> tuple[Picture, Float32]:
    """A crop `(3, CROP_PX, CROP_PX)` and its targets `(7, CROP_PX/4, CROP_PX/4)`.

    The target's channels: score, weight of the score, then, where a die's middle is, log size, offset x and
    y, value, mask.
    """
    height, width = picture.shape[:2]
    zoom = float(np.exp(rng.uniform(np.log(0.6), np.log(1.5))))
    reach = CROP_PX / zoom
    middle = (rng.uniform(0, width), rng.uniform(0, height))
    if dice and rng.random() < 0.8:
        die = dice[int(rng.integers(len(dice)))]
        middle = (
            die.centre_px[0] + rng.uniform(-0.4, 0.4) * reach,
            die.centre_px[1] + rng.uniform(-0.4, 0.4) * reach,
        )
    left = float(np.clip(middle[0] - reach / 2, min(0, (width - reach) / 2), max(0, (width - reach))))
    top = float(np.clip(middle[1] - reach / 2, min(0, (height - reach) / 2), max(0, (height - reach))))
    flip = rng.random() < 0.5
    move = float32([[zoom, 0, -left * zoom], [0, zoom, -top * zoom]])
    if flip:
        move = float32([[-zoom, 0, CROP_PX - 1 + left * zoom], [0, zoom, -top * zoom]])
    crop = cv2.warpAffine(
        picture, move, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)
    )
    targets = np.zeros((7, CROP_PX // STRIDE, CROP_PX // STRIDE), np.float32)
    targets[1] = 1
    for die in dice:
        spot = move @ float32([*die.centre_px, 1])
        _mark(targets, die, float32(spot / STRIDE), die.edge_px * zoom)
    return recolour(rng, np.asarray(crop, np.uint8))[0].transpose(2, 0, 1), targets


def _mark(targets: Float32, die: DrawnDie, spot: Float32, edge: float) -> None:
    side = targets.shape[1]
    sigma = max(0.65, edge * 0.1 / STRIDE)
    across = np.arange(side, dtype=np.float32) + 0.5
    bump = np.exp(-((across[None] - spot[0]) ** 2 + (across[:, None] - spot[1]) ** 2) / (2 * sigma**2))
    if die.gone or edge < 9:
        targets[1][bump > 0.05] = 0
        return
    col, row = int(np.floor(spot[0])), int(np.floor(spot[1]))
    if not (0 <= col < side and 0 <= row < side):
        return
    targets[0] = np.maximum(targets[0], bump)
    near = range(-1, 2) if sigma > 1 else range(1)
    for dr in near:
        for dc in near:
            r, c = row + dr, col + dc
            if 0 <= r < side and 0 <= c < side:
                value = die.value - 1 if die.sure else 6
                targets[2:, r, c] = (np.log(edge / 32), spot[0] - c - 0.5, spot[1] - r - 0.5, value, 1)
    targets[0, row, col] = 1


def judge_samples(
    rng: Generator,
    picture: Picture,
    dice: tuple[DrawnDie, ...],
    places: list[tuple[float, float, float]],
    *,
    close: bool,
) -> list[tuple[Picture | Float32, Float32]]:
    """Cut-outs `(3, 48, 48)` and their targets `(8,)`: value, colour (−1 not known), five measures, whether
    those count.

    Every die is cut out once, off its middle and size by a little; so is every place `(x, y, edge)` that
    the detector took for a die, and one place at random.
    """
    height, width = picture.shape[:2]
    spots = [(d.centre_px[0], d.centre_px[1], d.edge_px) for d in dice if not d.gone]
    spots += [places[n] for n in rng.permutation(len(places))[: len(spots) // 2 + 4]]
    edge = float(np.exp(rng.uniform(np.log(12), np.log(100))))
    spots.append((rng.uniform(0, width), rng.uniform(0, height), edge))
    made: list[tuple[Picture | Float32, Float32]] = []
    for x, y, edge in spots:
        if edge < 11:
            continue
        spread = (0.05 if rng.random() < 0.7 else 0.15) * (0.7 if close else 1)
        x, y = x + rng.normal(0, spread) * edge, y + rng.normal(0, spread) * edge
        edge *= float(np.exp(rng.normal(0, 2 * spread if spread < 0.1 else 0.25)))
        targets = _judged(dice, x, y, edge)
        if targets is None:
            continue
        cut = (
            cut_out(picture, x, y, edge, pip_reader.SIDE_PX, pip_reader.EDGES_ACROSS)
            if close
            else cut_out(picture, x, y, edge)
        )
        if rng.random() < 0.5:
            cut, targets[2] = np.ascontiguousarray(cut[:, ::-1]), -targets[2]
        if rng.random() < 0.12:
            cut = _glint(rng, cut)
        image, natural = recolour(rng, cut)
        if not natural:
            targets[1] = -1
        made.append(((even_out(image) if close else image).transpose(2, 0, 1), targets))
    return made


def _judged(dice: tuple[DrawnDie, ...], x: float, y: float, edge: float) -> Float32 | None:
    """The classifier's targets at a place; None where the truth is neither one thing nor the other."""
    targets = np.zeros(8, np.float32)
    targets[1] = -1
    if not dice:
        return targets
    far = [np.hypot(d.centre_px[0] - x, d.centre_px[1] - y) / d.edge_px for d in dice]
    die = dice[int(np.argmin(far))]
    if min(far) > 0.42 or abs(np.log(die.edge_px / edge)) > 0.75:
        return targets
    if die.gone or min(far) > 0.33 or abs(np.log(die.edge_px / edge)) > 0.55:
        return None
    targets[0] = die.value if die.sure else 7
    targets[1] = COLOURS.index(die.colour) if die.colour in COLOURS else -1
    offset = ((die.centre_px[0] - x) / edge, (die.centre_px[1] - y) / edge)
    box = die.face_box_px
    targets[2:] = (
        *offset,
        np.log(die.edge_px / edge),
        np.log(box[2] / die.edge_px),
        np.log(box[3] / die.edge_px),
        1,
    )
    return targets
