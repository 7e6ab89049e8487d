"""Draws other things beside the dice: cards, coins, counters, dots, letters, keyboards, cables, lids."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.arrays import Float32, float32
from lab.dice.drawing.noise import any_colour

Colour = list[float]
Line = NDArray[np.int32]
_RUBBER = float32([0.6, 0.55, 0.9])
"""The BGR of a pencil's rubber."""


def lay_flat_things(rng: Generator, sheet: Float32, edge_px: float, count: int) -> None:
    """Draw `count` flat things on a table's picture, in place; a die's edge spans `edge_px` of its px."""
    things: tuple[Callable[[Generator, Float32, float], None], ...] = (
        _card, _coin, _dots, _letters, _marker, _keyboard, _counter, _strokes, _tray, _square_token, _label,
        _blocks, )  # fmt: skip
    for _ in range(count):
        things[int(rng.integers(len(things)))](rng, sheet, edge_px)


def lay_tall_things(rng: Generator, picture: Float32, edge_px: float) -> None:
    """Draw a cable, a lid reaching in from the border or a pawn on the finished ground, in place."""
    for thing, chance in ((_cable, 0.3), (_lid, 0.25), (_pawns, 0.2)):
        if rng.random() < chance:
            thing(rng, picture, edge_px)


def lay_round_things(rng: Generator, picture: Float32, edge_px: float, count: int) -> None:
    """Draw `count` rubbers of pencils, beads and buttons on the finished ground, in place.

    They are a quarter to three quarters as wide as a die, with a rim, and often with a spot in the middle.
    """
    for _ in range(count):
        middle, radius = _spot(rng, picture), edge_px * rng.uniform(0.13, 0.37)
        tone = _RUBBER * np.float32(rng.uniform(0.6, 1.1)) if rng.random() < 0.4 else float32(_tone(rng))
        rim, spot = tone * rng.uniform(0.5, 1.5), tone * rng.uniform(0.2, 0.6)
        inner, dot = rng.uniform(0.7, 0.95), rng.uniform(0.15, 0.5) * (rng.random() < 0.6)
        shape = (float(rng.uniform(0.75, 1)), float(rng.uniform(0, 180)))
        off = max(1, int(radius / 4))
        _ellipse(picture, (middle[0] + off, middle[1] + off), radius, shape, float32([0.12] * 3))
        for share, ink in ((1.0, rim), (inner, tone), (dot, spot)):
            _ellipse(picture, middle, radius * share, shape, float32(np.clip(ink, 0, 1)))


def _ellipse(
    picture: Float32, middle: tuple[int, int], radius: float, shape: tuple[float, float], ink: Float32
) -> None:
    if radius >= 1:
        box = (middle, (2 * radius, 2 * radius * shape[0]), shape[1])
        cv2.ellipse(picture, box, [float(c) for c in ink], -1, cv2.LINE_AA)


def _tone(rng: Generator) -> Colour:
    return [float(c) for c in any_colour(rng)]


def _grey(rng: Generator, low: float, high: float) -> Colour:
    return [float(rng.uniform(low, high))] * 3


def _spot(rng: Generator, sheet: Float32) -> tuple[int, int]:
    return int(rng.uniform(0, sheet.shape[1])), int(rng.uniform(0, sheet.shape[0]))


def _turned_box(rng: Generator, middle: tuple[float, float], width: float, height: float) -> Line:
    box = cv2.boxPoints((middle, (width, height), rng.uniform(0, 180)))
    return np.asarray(box, np.int32)


def _blank(height: int, width: int, tone: Colour) -> Float32:
    return float32(np.full((height, width, 3), tone))


def _disc(sheet: Float32, middle: tuple[int, int], radius: int, ink: Colour, thick: int = -1) -> None:
    cv2.circle(sheet, middle, radius, ink, thick, cv2.LINE_AA)


def _outline(sheet: Float32, line: Line, ink: Colour, thick: int, *, closed: bool = True) -> None:
    cv2.polylines(sheet, [line], closed, ink, thick, cv2.LINE_AA)


def _paste(rng: Generator, sheet: Float32, stamp: Float32) -> None:
    height, width = stamp.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(0, 360), 1.0)
    turn[:, 2] += np.array(_spot(rng, sheet)) - (width / 2, height / 2)
    size = (sheet.shape[1], sheet.shape[0])
    mask = cv2.warpAffine(np.ones((height, width), np.float32), turn, size)[..., None]
    sheet += (cv2.warpAffine(stamp, turn, size) - sheet) * mask


def _write(
    sheet: Float32, text: str, origin: tuple[int, int], font: int, size: float, ink: Colour, thick: int
) -> None:
    """Write on a sheet of floats, which OpenCV itself cannot."""
    mask = np.zeros(sheet.shape[:2], np.uint8)
    cv2.putText(mask, text, origin, font, size, 255, thick, cv2.LINE_AA)
    written = mask > 0
    share = mask[written].astype(np.float32)[:, None] / 255
    sheet[written] += (float32(ink) - sheet[written]) * share


def _card(rng: Generator, sheet: Float32, edge: float) -> None:
    width, height = int(edge * rng.uniform(2.5, 5)), int(edge * rng.uniform(3.5, 7))
    card = np.full((height, width, 3), rng.uniform(0.6, 1), np.float32)
    if rng.random() < 0.5:
        card[:] = _tone(rng)
    ink = _tone(rng)
    for _ in range(int(rng.integers(0, 12))):
        middle = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        _disc(card, middle, max(1, int(edge * rng.uniform(0.06, 0.35))), ink)
    for line in range(int(rng.integers(0, 9))):
        _write(card, "lorem 27 ipsum", (3, 12 + line * 11), 0, rng.uniform(0.25, 0.5), ink, 1)
    _paste(rng, sheet, card)


def _coin(rng: Generator, sheet: Float32, edge: float) -> None:
    middle, radius = _spot(rng, sheet), int(edge * rng.uniform(0.4, 1))
    tone = _tone(rng)
    _disc(sheet, middle, radius, tone)
    _disc(sheet, middle, max(1, int(radius * 0.85)), [c * 0.75 for c in tone], max(1, radius // 12))
    if rng.random() < 0.5:
        start, ink = (middle[0] - radius // 2, middle[1] + radius // 3), [c * 0.6 for c in tone]
        _write(sheet, str(rng.integers(1, 99)), start, 0, radius / 26, ink, 2)


def _dots(rng: Generator, sheet: Float32, edge: float) -> None:
    x, y = _spot(rng, sheet)
    ink, radius, gap = _tone(rng), edge * rng.uniform(0.05, 0.3), edge * rng.uniform(0.3, 1.5)
    shape = rng.integers(3)
    for n in range(int(rng.integers(1, 14))):
        if shape == 0:
            spot = (x + n % 4 * gap, y + n // 4 * gap)
        elif shape == 1:
            spot = (x + gap * 2 * np.cos(n * 0.6), y + gap * 2 * np.sin(n * 0.6))
        else:
            spot = (x + rng.normal(0, gap * 2), y + rng.normal(0, gap * 2))
        _disc(sheet, (int(spot[0]), int(spot[1])), max(1, int(radius)), ink)


def _letters(rng: Generator, sheet: Float32, edge: float) -> None:
    text = "".join(chr(c) for c in rng.integers(48, 91, int(rng.integers(1, 12))))
    size, spot, font = edge * rng.uniform(0.01, 0.09), _spot(rng, sheet), int(rng.integers(0, 5))
    _write(sheet, text, spot, font, size, _tone(rng), max(1, int(size * rng.uniform(1, 4))))


def _marker(rng: Generator, sheet: Float32, edge: float) -> None:
    cells = (rng.random((8, 8)) < 0.5).astype(np.float32)
    cells[[0, -1]] = cells[:, [0, -1]] = 1
    cells[1, 1:-1] = cells[-2, 1:-1] = cells[1:-1, 1] = cells[1:-1, -2] = 0
    side = int(edge * np.exp(rng.uniform(np.log(0.7), np.log(3))))
    stamp = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    _paste(rng, sheet, np.repeat(stamp[..., None], 3, 2) * np.float32(0.9) + np.float32(0.05))


def _keyboard(rng: Generator, sheet: Float32, edge: float) -> None:
    key = max(6, int(edge * np.exp(rng.uniform(np.log(0.6), np.log(2.4)))))
    cols, rows = int(rng.integers(3, 13)), int(rng.integers(2, 6))
    board = _blank(rows * key, cols * key, _grey(rng, 0.1, 0.9))
    tone, ink = _grey(rng, 0.02, 0.95), _grey(rng, 0, 1)
    for row in range(rows):
        for col in range(cols):
            x, y = col * key, row * key
            cv2.rectangle(board, (x + 1, y + 1), (x + key - 2, y + key - 2), tone, -1)
            letter = chr(int(rng.integers(48, 91)))
            _write(board, letter, (x + key // 4, y + key * 2 // 3), 0, key / 45, ink, 1)
    _paste(rng, sheet, board)


def _counter(rng: Generator, sheet: Float32, edge: float) -> None:
    tone, radius = _tone(rng), int(edge * rng.uniform(0.2, 0.8))
    for _ in range(int(rng.integers(1, 7))):
        middle = _spot(rng, sheet)
        _disc(sheet, (middle[0] + 2, middle[1] + 2), radius, [0.1, 0.1, 0.1])
        _disc(sheet, middle, radius, tone)
        if rng.random() < 0.5:
            _disc(sheet, middle, radius // 2, [c * 0.8 for c in tone])


def _strokes(rng: Generator, sheet: Float32, edge: float) -> None:
    for _ in range(int(rng.integers(1, 6))):
        ends = _spot(rng, sheet), _spot(rng, sheet)
        cv2.line(sheet, *ends, _tone(rng), int(rng.integers(1, 12)), cv2.LINE_AA)


def _tray(rng: Generator, sheet: Float32, edge: float) -> None:
    box = _turned_box(rng, _spot(rng, sheet), edge * rng.uniform(5, 14), edge * rng.uniform(5, 14))
    cv2.fillPoly(sheet, [box], _tone(rng), cv2.LINE_AA)
    _outline(sheet, box, _tone(rng), max(1, int(edge * rng.uniform(0.1, 0.7))))


def _square_token(rng: Generator, sheet: Float32, edge: float) -> None:
    tone, ink = _tone(rng), _tone(rng)
    for _ in range(int(rng.integers(1, 6))):
        side = int(edge * rng.uniform(0.7, 1.5))
        tile = _blank(side, side, tone)
        kind = rng.integers(4)
        if kind == 1:
            _write(tile, str(rng.integers(0, 20)), (side // 4, side * 3 // 4), 0, side / 34, ink, 2)
        elif kind == 2:
            radius = int(side * rng.uniform(0.25, 0.42))
            cv2.circle(tile, (side // 2, side // 2), radius, ink, max(1, side // 14))
        elif kind == 3:
            low, high = (side // 5, side // 5), (side * 4 // 5, side * 4 // 5)
            cv2.line(tile, low, high, ink, max(1, side // 8), cv2.LINE_AA)
        _paste(rng, sheet, tile)


def _label(rng: Generator, sheet: Float32, edge: float) -> None:
    height = int(edge * np.exp(rng.uniform(np.log(0.5), np.log(2.5))))
    width = int(height * rng.uniform(1.3, 3))
    label = np.full((height, width, 3), rng.uniform(0.6, 1), np.float32)
    ink = _grey(rng, 0, 0.3)
    text = "".join(chr(c) for c in rng.integers(48, 91, int(rng.integers(2, 6))))
    size = height / 30 * rng.uniform(0.5, 1)
    _write(label, text, (width // 8, height * 3 // 4), 0, size, ink, max(1, int(size * rng.uniform(2, 5))))
    for bar in range(int(rng.integers(0, 14))):
        x = width // 2 + bar * 3
        cv2.line(label, (x, 0), (x, height // 3), ink, int(rng.integers(1, 3)))
    if rng.random() < 0.5:
        cv2.rectangle(label, (width * 3 // 4, 0), (width, height), ink, -1)
    _paste(rng, sheet, label)


def _blocks(rng: Generator, sheet: Float32, edge: float) -> None:
    """Plugs, clips and switches: dark or light blocks with a few lines and spots."""
    tone = _grey(rng, 0, 0.25) if rng.random() < 0.6 else _tone(rng)
    for _ in range(int(rng.integers(1, 4))):
        side = int(edge * rng.uniform(0.6, 1.8))
        block = _blank(max(4, int(side * rng.uniform(0.4, 1))), side, tone)
        for _ in range(int(rng.integers(0, 5))):
            x, y = int(rng.uniform(0, side)), int(rng.uniform(0, block.shape[0]))
            light = [min(1, c + float(rng.uniform(-0.2, 0.5))) for c in tone]
            if rng.random() < 0.5:
                cv2.line(block, (x, 0), (x, side), light, max(1, side // 12))
            else:
                cv2.ellipse(block, (x, y), (max(1, side // 9), max(1, side // 14)), 0, 0, 360, light, -1)
        _paste(rng, sheet, block)


def _cable(rng: Generator, picture: Float32, edge: float) -> None:
    height, width = picture.shape[:2]
    steps = np.linspace(0, 1, 40)
    ends = rng.uniform(-0.2, 1.2, (4, 2)) * (width, height)
    back = 1 - steps
    curve = np.stack([back**3, 3 * steps * back**2, 3 * steps**2 * back, steps**3], 1)
    path = (curve @ ends).astype(np.int32)
    thick, tone = max(2, int(edge * rng.uniform(0.1, 0.4))), _grey(rng, 0.03, 0.9)
    light = [min(1, c + 0.15) for c in tone]
    _outline(picture, path + thick // 2, [0.15] * 3, thick, closed=False)
    _outline(picture, path, tone, thick, closed=False)
    _outline(picture, path - thick // 5, light, max(1, thick // 4), closed=False)


def _lid(rng: Generator, picture: Float32, edge: float) -> None:
    """A large flat thing that reaches in over the border: a lid, a book, a laptop."""
    height, width = picture.shape[:2]
    side = rng.integers(4)
    middle = [(0, height * rng.random()), (width, height * rng.random()),
              (width * rng.random(), 0), (width * rng.random(), height)][side]  # fmt: skip
    reach = rng.uniform(0.15, 0.6) * max(width, height)
    box = _turned_box(rng, middle, reach, reach * rng.uniform(0.4, 1.5))
    cv2.fillPoly(picture, [box + 4], [0.1, 0.1, 0.1], cv2.LINE_AA)
    cv2.fillPoly(picture, [box], _tone(rng), cv2.LINE_AA)
    if rng.random() < 0.5:
        _outline(picture, box, _tone(rng), int(rng.integers(1, 6)))


def _pawns(rng: Generator, picture: Float32, edge: float) -> None:
    tone = float32(_tone(rng))
    for _ in range(int(rng.integers(1, 5))):
        (x, y), radius = _spot(rng, picture), edge * rng.uniform(0.2, 0.6)
        for share in np.linspace(1, 0.1, 7):
            spot = (int(x - radius * (1 - share) * 0.4), int(y - radius * (1 - share) * 0.4))
            lit = np.clip(tone * (1.25 - 0.6 * share) + 0.25 * (1 - share) ** 2, 0, 1)
            _disc(picture, spot, max(1, int(radius * share)), [float(c) for c in lit])
