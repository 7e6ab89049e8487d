"""Decks of cards that nobody prints: drawn here, each style with a hand of its own.

    deck = draw_deck("creatures", seed=3)
    deck.faces["cat-2"]    # BGR, shape (HEIGHT, WIDTH, 3)

A deck has nine kinds of their own and four cats, which share frame, title and pose and differ in their
coats only, as look-alikes do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Picture

Colour = tuple[int, int, int]

WIDTH, HEIGHT = 400, 580
ART = (slice(92, 500), slice(34, 366))
"""Rows and columns of the picture on a card, px."""
KINDS = 9
CATS = 4
WORDS = [
    "ROCK",
    "FERRY",
    "PLUM",
    "STAMP",
    "LADDER",
    "CANOE",
    "WHISTLE",
    "TEAPOT",
    "NUGGET",
    "MITTEN",
    "PICKLE",
    "COMET",
    "BUCKET",
    "SPOON",
]


@dataclass(frozen=True)
class Deck:
    """A drawn deck: `faces` by kind; `stranger` and `fifth_cat` are of the same print but of no kind that
    is taught; `back` is the back of them all."""

    faces: dict[str, Picture]
    stranger: Picture
    fifth_cat: Picture
    back: Picture


def draw_deck(style: str, seed: int) -> Deck:
    """The deck of that style (a key of `STYLES`) and seed."""
    rng = np.random.default_rng([seed, list(STYLES).index(style)])
    print_ = _Print(rng)
    words = [str(word) for word in rng.permutation(WORDS)]
    own = [print_.card(any_colour(rng), word) for word in words[: KINDS + 1]]
    for face in own:
        STYLES[style](rng, face[ART])
    pose, cats = int(rng.integers(1 << 30)), []
    colour = any_colour(rng)
    for coat in rng.permutation(len(COATS))[: CATS + 1]:
        face = print_.card(colour, words[-1])
        _cat(np.random.default_rng(pose), face[ART], COATS[coat])
        cats.append(face)
    faces = {f"kind-{n + 1}": own[n] for n in range(KINDS)}
    faces |= {f"cat-{n + 1}": cats[n] for n in range(CATS)}
    return Deck(faces, own[KINDS], cats[CATS], _back(rng))


class _Print:
    """What all cards of a deck share: ground, border, letters, the corners' sign."""

    def __init__(self, rng: Generator) -> None:
        self.ground = light_colour(rng)
        self.border = int(rng.integers(4, 22))
        fonts = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX)
        self.font = fonts[int(rng.integers(3))]
        self.sides = int(rng.integers(3, 7))
        self.strip = bool(rng.random() < 0.5)

    def card(self, colour: Colour, word: str) -> Picture:
        """A card that has everything but its picture."""
        card = np.full((HEIGHT, WIDTH, 3), self.ground, np.uint8)
        if self.strip:
            cv2.rectangle(card, (0, 0), (WIDTH, 84), colour, -1)
        ink = self.ground if self.strip else (30, 25, 25)
        cv2.putText(card, word, (92, 70), self.font, 1.3, ink, 3, cv2.LINE_AA)
        polygon(card, (56, 54), 24, self.sides, ink if self.strip else colour)
        polygon(card, (WIDTH - 56, HEIGHT - 44), 24, self.sides, colour, turn=np.pi)
        for line in range(3):
            cv2.line(
                card, (60, 516 + 16 * line), (300 - 60 * (line == 2), 516 + 16 * line), (120, 115, 110), 3
            )
        cv2.rectangle(card, (0, 0), (WIDTH - 1, HEIGHT - 1), colour, self.border)
        return card


def any_colour(rng: Generator) -> Colour:
    """A strong colour, BGR."""
    hsv = np.array([[[rng.integers(180), rng.integers(120, 256), rng.integers(70, 240)]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def light_colour(rng: Generator) -> Colour:
    """A colour of paper, BGR."""
    return int(rng.integers(205, 256)), int(rng.integers(215, 256)), int(rng.integers(220, 256))


def polygon(
    card: Picture, at: tuple[float, float], size: float, sides: int, colour: Colour, *, turn: float = 0.0
) -> None:
    """A regular polygon, or with six sides and more a star."""
    angles = turn + np.arange(sides) * 2 * np.pi / sides
    reach = np.where(np.arange(sides) % 2, 0.45, 1.0) * size if sides >= 6 else np.full(sides, size)
    points = np.stack([at[0] + reach * np.sin(angles), at[1] - reach * np.cos(angles)], 1)
    cv2.fillPoly(card, [np.round(points).astype(np.int32)], colour, cv2.LINE_AA)


def _shapes(rng: Generator, art: Picture) -> None:
    """Big plain shapes over each other."""
    art[:] = any_colour(rng)
    height, width = art.shape[:2]
    for _ in range(int(rng.integers(6, 13))):
        at = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        size = float(rng.uniform(20, 110))
        if rng.random() < 0.4:
            cv2.circle(art, (int(at[0]), int(at[1])), int(size * 0.7), any_colour(rng), -1, cv2.LINE_AA)
        else:
            polygon(art, at, size, int(rng.integers(3, 9)), any_colour(rng), turn=rng.uniform(0, 6))


def _creatures(rng: Generator, art: Picture) -> None:
    """A beast with eyes on a plain or striped ground."""
    height, width = art.shape[:2]
    art[:] = light_colour(rng)
    if rng.random() < 0.6:
        for x in range(0, width, int(rng.integers(24, 60))):
            cv2.line(art, (x, 0), (x + int(rng.integers(-80, 80)), height), any_colour(rng), 5, cv2.LINE_AA)
    coat, dark = any_colour(rng), (30, 25, 35)
    middle = int(width / 2 + rng.integers(-30, 30)), int(height * rng.uniform(0.35, 0.5))
    head = int(rng.integers(60, 110)), int(rng.integers(60, 100))
    cv2.ellipse(
        art, (middle[0], height), (head[0] + 30, height - middle[1]), 0, 180, 360, coat, -1, cv2.LINE_AA
    )
    for side in (-1, 1):
        ear = middle[0] + side * head[0] * 0.7, middle[1] - head[1]
        polygon(art, ear, rng.uniform(30, 60), 3, coat, turn=side * 0.3)
    cv2.ellipse(art, middle, head, 0, 0, 360, coat, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(3, 12))):
        at = int(middle[0] + rng.uniform(-1, 1) * head[0]), int(rng.uniform(middle[1], height))
        cv2.circle(art, at, int(rng.integers(6, 22)), any_colour(rng), -1, cv2.LINE_AA)
    for side in (-1, 1):
        eye = int(middle[0] + side * head[0] * 0.4), middle[1] - 10
        cv2.circle(art, eye, int(rng.integers(12, 26)), (250, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(art, eye, int(rng.integers(5, 11)), dark, -1, cv2.LINE_AA)
    mouth = middle[0], middle[1] + head[1] // 2
    cv2.ellipse(
        art, mouth, (int(rng.integers(12, 40)), int(rng.integers(5, 25))), 0, 0, 180, dark, 4, cv2.LINE_AA
    )


def _scribbles(rng: Generator, art: Picture) -> None:
    """Ink lines on white, a few of them filled."""
    height, width = art.shape[:2]
    art[:] = (250, 250, 250)
    for _ in range(int(rng.integers(7, 14))):
        start = rng.uniform((0, 0), (width, height))
        way = np.cumsum(rng.normal(0, 26, (int(rng.integers(5, 14)), 2)), 0) + start
        curve = cv2.GaussianBlur(np.repeat(way, 8, 0).astype(np.float32), (1, 17), 0)
        points = [np.round(curve).astype(np.int32)]
        if rng.random() < 0.4:
            cv2.fillPoly(art, points, any_colour(rng), cv2.LINE_AA)
        cv2.polylines(
            art, points, bool(rng.random() < 0.5), (20, 20, 20), int(rng.integers(2, 6)), cv2.LINE_AA
        )


def _mosaic(rng: Generator, art: Picture) -> None:
    """Stained glass in a few colours."""
    height, width = art.shape[:2]
    colours = np.array([any_colour(rng) for _ in range(4)])
    at = rng.uniform((0, 0), (width, height), (int(rng.integers(14, 40)), 2))
    y, x = np.mgrid[:height, :width]
    far = np.hypot(x[..., None] - at[:, 0], y[..., None] - at[:, 1])
    order = np.sort(far, axis=-1)
    art[:] = colours[rng.integers(4, size=len(at))][far.argmin(-1)]
    art[order[..., 1] - order[..., 0] < 4] = (25, 25, 25)


def _stamps(rng: Generator, art: Picture) -> None:
    """One sign again and again: alike everywhere, which features like least."""
    height, width = art.shape[:2]
    art[:] = light_colour(rng)
    sides, step = int(rng.integers(3, 9)), int(rng.integers(64, 110))
    colours = [any_colour(rng) for _ in range(int(rng.integers(2, 4)))]
    for row, y in enumerate(range(step // 2, height, step)):
        for col, x in enumerate(range(step // 2, width, step)):
            turn = float(rng.choice([0.0, 0.5]))
            polygon(art, (x, y), step * 0.42, sides, colours[(row + col) % len(colours)], turn=turn)
    cv2.putText(art, str(rng.integers(2, 99)), (width // 4, height // 2), 1, 9, (25, 25, 25), 14, cv2.LINE_AA)


def _scenery(rng: Generator, art: Picture) -> None:
    """Soft hills, a sun and trees: gradients, few edges."""
    height, width = art.shape[:2]
    top, low = np.array(light_colour(rng)), np.array(any_colour(rng))
    art[:] = (top + (low - top) * np.linspace(0, 1, height)[:, None])[:, None]
    sun = int(rng.integers(40, width - 40)), int(rng.integers(40, height // 2))
    cv2.circle(art, sun, int(rng.integers(20, 50)), any_colour(rng), -1, cv2.LINE_AA)
    for layer in range(3):
        x = np.arange(width)
        hill = height * (0.45 + 0.18 * layer) + 30 * np.sin(x / rng.uniform(20, 70) + rng.uniform(0, 6))
        outline = np.concatenate([np.stack([x, hill], 1), [(width, height), (0, height)]])
        cv2.fillPoly(art, [outline.astype(np.int32)], any_colour(rng), cv2.LINE_AA)
        for at in rng.uniform(10, width - 10, int(rng.integers(1, 5))):
            polygon(art, (at, hill[int(at)]), rng.uniform(15, 45), 3, any_colour(rng))


STYLES: dict[str, Callable[[Generator, Picture], None]] = {
    "shapes": _shapes,
    "creatures": _creatures,
    "scribbles": _scribbles,
    "mosaic": _mosaic,
    "stamps": _stamps,
    "scenery": _scenery,
}

COATS = ("plain", "stripes", "spots", "patches", "socks", "rings")


def _cat(rng: Generator, art: Picture, coat: str) -> None:
    """The one cat of a deck in one of its coats; `rng` is its pose, the same for each."""
    height, width = art.shape[:2]
    art[:] = light_colour(rng)
    fur = mark = any_colour(rng)
    while max(abs(one - two) for one, two in zip(fur, mark, strict=True)) < 90:
        mark = any_colour(rng)
    body = np.zeros((height, width), np.uint8)
    x = int(width / 2 + rng.integers(-25, 25))
    cv2.ellipse(body, (x, height - 90), (int(rng.integers(80, 120)), 130), 0, 0, 360, 255, -1)
    cv2.circle(body, (x, 140), 82, 255, -1)
    for side in (-1, 1):
        ear = np.array([(x + side * 80, 30), (x + side * 15, 75), (x + side * 78, 130)])
        cv2.fillPoly(body, [ear.astype(np.int32)], 255)
    art[body > 0] = fur
    art[(body > 0) & (_coat(coat, height, width) > 0)] = mark
    outline, _ = cv2.findContours(body, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(art, outline, -1, (30, 25, 25), 4, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(art, (x + side * 32, 130), 15, (245, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(art, (x + side * 32, 130), 7, (20, 20, 20), -1, cv2.LINE_AA)
        for line in (-8, 2, 12):
            cv2.line(art, (x + side * 20, 170), (x + side * 95, 168 + 2 * line), (30, 25, 25), 2, cv2.LINE_AA)
    polygon(art, (x, 165), 11, 3, (90, 90, 200), turn=np.pi)


def _coat(coat: str, height: int, width: int) -> Picture:
    marks = np.zeros((height, width), np.uint8)
    if coat == "stripes":
        for y in range(60, height, 44):
            cv2.line(marks, (0, y), (width, y + 30), 255, 15)
    elif coat == "spots":
        for y in range(80, height, 60):
            for x in range(30 + y % 40, width, 66):
                cv2.circle(marks, (x, y), 15, 255, -1)
    elif coat == "patches":
        for box in ((30, 40, 130, 110), (180, 240, 120, 90), (60, 320, 110, 90)):
            cv2.rectangle(marks, box, 255, -1)
    elif coat == "socks":
        marks[height - 85 :] = 255
        marks[:88] = 255
    elif coat == "rings":
        for size in (50, 100, 150, 200):
            cv2.circle(marks, (width // 2, height - 90), size, 255, 14)
    return marks


def _back(rng: Generator) -> Picture:
    """A back: the same whichever way up."""
    card = np.full((HEIGHT, WIDTH, 3), any_colour(rng), np.uint8)
    ink, step = light_colour(rng), int(rng.integers(30, 60))
    for x in range(-HEIGHT, WIDTH + HEIGHT, step):
        cv2.line(card, (x, 0), (x + HEIGHT, HEIGHT), ink, 3, cv2.LINE_AA)
        cv2.line(card, (x + HEIGHT, 0), (x, HEIGHT), ink, 3, cv2.LINE_AA)
    cv2.rectangle(card, (0, 0), (WIDTH - 1, HEIGHT - 1), ink, 24)
    polygon(card, (WIDTH / 2, HEIGHT / 2), 70, 8, ink)
    return card
