"""Pictures of a card on a table as a camera would take them: tilted, turned, sleeved, in bad light.

shot = draw_shot(deck, "glare", seed=7)    # shot.picture, shot.kind ("" where no taught card lies on top)
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, Float64, Picture
from tests.vision.cards.decks import HEIGHT, WIDTH, Deck, any_colour, light_colour

SIZE = (1280, 960)
LONG_PX = (170.0, 620.0)
"""How long a card's long side is in a picture."""

KNOWN = (
    "plain", "tilted", "pile", "sleeved", "glare", "sleeved glare", "shadow", "coloured light",
    "dim and noisy", "blurred", "pressed small", "bent", "several",
)  # fmt: skip
"""Troubles with a card that was taught, all of it in sight."""
COVERED = ("finger",)
"""A taught card, partly covered."""
STRANGE = ("unknown card", "fifth cat", "unknown on known", "back", "back on pile", "empty")
"""No taught card lies on top."""
TROUBLES = KNOWN + COVERED + STRANGE


@dataclass(frozen=True)
class Shot:
    """A picture (BGR, 1280 × 960) and the kind that lies on top, "" for none that was taught."""

    picture: Picture
    kind: str
    corners: Float32


def draw_shot(
    deck: Deck, trouble: str, seed: int, kind: str | None = None, size: tuple[int, int] = SIZE
) -> Shot:
    """A shot of a card of `deck` (any, or that `kind`) in that trouble."""
    rng = np.random.default_rng([seed, TROUBLES.index(trouble)])
    names = list(deck.faces)
    kind = kind or names[int(rng.integers(len(names)))]
    scene = table(rng, size)
    place = _place(rng, size, tilted=trouble == "tilted")
    _lay_pile(rng, scene, deck, place, trouble)
    strange = trouble in STRANGE
    if trouble == "unknown on known":
        under = place @ shift(
            rng.uniform(-0.35, 0.35) * WIDTH, rng.uniform(-0.35, 0.35) * HEIGHT, rng.uniform(-90, 90)
        )
        _lay(rng, scene, deck.faces[kind], under)
    face = {
        "unknown card": deck.stranger,
        "unknown on known": deck.stranger,
        "fifth cat": deck.fifth_cat,
    }.get(trouble, deck.back if trouble.startswith("back") else deck.faces[kind])
    if trouble != "empty":
        if "sleeved" in trouble or (trouble == "several" and rng.random() < 0.6):
            face = sleeved(rng, face)
        _lay(rng, scene, face, place, bent=trouble == "bent")
    spoiled = spoil(rng, scene, place, trouble)
    return Shot(spoiled, "" if strange else kind, corners_of(place))


def teaching_shot(rng: Generator, face: Picture, size: tuple[int, int] = SIZE) -> Picture:
    """The one picture that a person takes to teach a card: alone on a plain ground, not quite from above."""
    scene = np.full((size[1], size[0], 3), any_colour(rng), np.float32)
    scene *= _field(rng, size, 0.06)[..., None]
    long_px = rng.uniform(420, 760)
    place = _homography(rng, size, long_px, rng.uniform(0, 15), rng.uniform(-12, 12), 0.03)
    _lay(rng, scene, face, place)
    scene *= _field(rng, size, 0.1)[..., None]
    return finish(
        rng, scene, blur=rng.uniform(0.2, 0.8), grain=rng.uniform(1, 4), quality=int(rng.integers(80, 96))
    )


def busy_shot(
    rng: Generator,
    face: Picture,
    long_px: tuple[float, float] = (300, 700),
    size: tuple[int, int] = SIZE,
) -> tuple[Picture, Float32]:
    """A picture taken at home: one card on wood, creased cloth or print, with hard shadows; its corners."""
    scene = table(rng, size)
    for _ in range(int(rng.integers(2, 7))):
        _fold(rng, scene)
    place = _homography(rng, size, rng.uniform(*long_px), rng.uniform(0, 22), rng.uniform(-180, 180), 0.08)
    _lay(rng, scene, face, place)
    for _ in range(int(rng.integers(1, 4))):
        _hard_shadow(rng, scene)
    scene *= _field(rng, size, 0.12)[..., None]
    picture = finish(
        rng, scene, blur=rng.uniform(0.3, 1.0), grain=rng.uniform(1, 5), quality=int(rng.integers(70, 96))
    )
    return picture, corners_of(place)


def _fold(rng: Generator, scene: Float32) -> None:
    """A crease across the whole cloth: dark on one side of a line, bright on the other."""
    height, width = scene.shape[:2]
    turn = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.12)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    off = (x - rng.uniform(0, width)) * np.cos(turn) + (y - rng.uniform(0, height)) * np.sin(turn)
    wide = rng.uniform(4, 40)
    crease = np.sign(off) * np.exp(-np.abs(off) / wide)
    scene *= 1 + np.float32(rng.uniform(0.08, 0.35)) * crease[..., None]


def _hard_shadow(rng: Generator, scene: Float32) -> None:
    """The shadow of a phone, a cup or a window's frame, with sharp edges."""
    height, width = scene.shape[:2]
    dark = np.zeros((height, width), np.float32)
    middle = rng.uniform((0, 0), (width, height))
    reach = rng.uniform((150, 80), (900, 420))
    box = cv2.boxPoints((middle.tolist(), reach.tolist(), float(rng.uniform(0, 180))))
    cv2.fillConvexPoly(dark, np.round(box).astype(np.int32), 1.0)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.8, 3)), np.float32)
    scene *= 1 - dark[..., None] * np.float32(rng.uniform(0.25, 0.6))


def table(rng: Generator, size: tuple[int, int]) -> Float32:
    """Wood, cloth, a printed mat or something plain, shape (height, width, 3), 0 to 255."""
    width, height = size
    ground = np.zeros((height, width, 3), np.float32)
    ground[:] = any_colour(rng) if rng.random() < 0.6 else light_colour(rng)
    sort = rng.integers(4)
    if sort == 0:
        grain = cv2.resize(rng.normal(0, 1, (height // 4, 12)).astype(np.float32), size)
        ground *= (1 + 0.13 * grain)[..., None]
    elif sort == 1:
        weave = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1.2)
        ground *= (1 + 0.35 * weave)[..., None]
    elif sort == 2:
        printed = np.asarray(ground, np.uint8)
        for _ in range(30):
            at = [int(v) for v in rng.uniform((0, 0), size)]
            thick = int(rng.choice([-1, 3, 6]))
            cv2.circle(printed, at, int(rng.integers(10, 90)), any_colour(rng), thick, cv2.LINE_AA)
        for _ in range(8):
            at = [int(v) for v in rng.uniform((0, 0), size)]
            cv2.putText(printed, "TABLE", at, 3, rng.uniform(0.6, 2.5), any_colour(rng), 3, cv2.LINE_AA)
        ground[:] = printed
    return ground


def corners_of(place: Float64) -> Float32:
    """A placed card's corners, px, shape (4, 2), top left of the card first, clockwise."""
    corners = np.array([[(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, place)[0], np.float32)


def shift(x: float, y: float, turn_deg: float) -> Float64:
    """Moves a card in its own plane: turned about its middle, then shifted, px of the card."""
    turn = np.vstack([cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn_deg, 1.0), (0, 0, 1)])
    return np.array([(1, 0, x), (0, 1, y), (0, 0, 1)]) @ turn


def _place(rng: Generator, size: tuple[int, int], *, tilted: bool) -> Float64:
    """Where a card lies: any way up; its homography from card px to picture px."""
    tilt = rng.uniform(30, 50) if tilted else rng.uniform(0, 25)
    return _homography(
        rng, size, float(np.exp(rng.uniform(*np.log(LONG_PX)))), tilt, rng.uniform(-180, 180), 0.1
    )


def _homography(
    rng: Generator, size: tuple[int, int], long_px: float, tilt_deg: float, turn_deg: float, off: float
) -> Float64:
    width, height = size
    focal = width * rng.uniform(0.8, 1.4)
    tilt, axis = np.radians(tilt_deg), rng.uniform(0, 2 * np.pi)
    lean = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0]) * tilt)[0]
    turn = cv2.Rodrigues(np.array([0, 0, np.radians(turn_deg)]))[0]
    scale = 1 / HEIGHT
    card = np.array([(scale, 0, -0.5 * WIDTH * scale), (0, scale, -0.5), (0, 0, 1)])
    pose = np.column_stack([(lean @ turn)[:, 0], (lean @ turn)[:, 1], (0, 0, focal / long_px)])
    middle = width / 2 + rng.uniform(-off, off) * width, height / 2 + rng.uniform(-off, off) * height
    inner = np.array([(focal, 0, middle[0]), (0, focal, middle[1]), (0, 0, 1)])
    return np.asarray(inner @ pose @ card, np.float64)


def _lay_pile(rng: Generator, scene: Float32, deck: Deck, place: Float64, trouble: str) -> None:
    """The cards laid before, if any: known ones, strangers, backs."""
    if trouble in ("empty", "unknown on known", "back", "unknown card", "fifth cat"):
        return
    often = trouble in ("pile", "several", "back on pile")
    faces = [*deck.faces.values(), deck.stranger, deck.fifth_cat]
    for _ in range(int(rng.integers(1, 5)) if often else int(rng.integers(0, 2))):
        under = place @ shift(rng.normal(0, 0.18) * WIDTH, rng.normal(0, 0.15) * HEIGHT, rng.normal(0, 35))
        _lay(rng, scene, faces[int(rng.integers(len(faces)))], under)


def _lay(rng: Generator, scene: Float32, face: Picture, place: Float64, *, bent: bool = False) -> None:
    """Paints a card with round corners and a thin shadow of its edge."""
    size = scene.shape[1], scene.shape[0]
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.rectangle(mask, (18, 0), (WIDTH - 19, HEIGHT - 1), 255, -1)
    cv2.rectangle(mask, (0, 18), (WIDTH - 1, HEIGHT - 19), 255, -1)
    for x in (18, WIDTH - 19):
        for y in (18, HEIGHT - 19):
            cv2.circle(mask, (x, y), 18, 255, -1)
    card = np.dstack([face, mask])
    if bent:
        card = _bent(rng, card)
    long_px = cv2.norm(corners_of(place)[0] - corners_of(place)[3])
    if long_px < HEIGHT:  # as a lens and sensor do, else fine lines would flicker
        card = np.asarray(cv2.GaussianBlur(card, (0, 0), 0.45 * HEIGHT / long_px), np.uint8)
    seen = cv2.warpPerspective(card, place, size, flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = seen[..., 3:] / 255
    shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), 4)[..., None]
    scene *= 1 - 0.35 * np.roll(shade, (3, 3), (0, 1)) * (1 - alpha)
    scene *= 1 - alpha
    scene += seen[..., :3] * alpha


def _bent(rng: Generator, card: Picture) -> Picture:
    """A card that does not lie flat: its middle is seen nearer to one end."""
    y = np.linspace(-1, 1, HEIGHT, dtype=np.float32)
    bow = float(rng.uniform(0.01, 0.03) * rng.choice([-1, 1]))
    rows = (y + bow * (1 - y * y)) * (HEIGHT - 1) / 2 + (HEIGHT - 1) / 2
    columns = np.arange(WIDTH, dtype=np.float32)
    return np.asarray(
        cv2.remap(card, np.tile(columns, (HEIGHT, 1)), np.repeat(rows[:, None], WIDTH, 1), cv2.INTER_LINEAR),
        np.uint8,
    )


def sleeved(rng: Generator, face: Picture) -> Picture:
    """A card in a sleeve: hazy, streaks of gloss, its rim of plastic over the border."""
    haze = rng.uniform(0.04, 0.16)
    card = face.astype(np.float32) * (1 - haze) + 255 * haze * rng.uniform(0.6, 1)
    for _ in range(int(rng.integers(1, 4))):
        streak = np.zeros((HEIGHT, WIDTH), np.float32)
        x, lean = rng.uniform(0, WIDTH), rng.uniform(-150, 150)
        cv2.line(streak, (int(x), 0), (int(x + lean), HEIGHT), 1.0, int(rng.integers(10, 60)))
        card += cv2.GaussianBlur(streak, (0, 0), 12)[..., None] * rng.uniform(20, 90)
    rim = int(rng.integers(6, 14))
    cv2.rectangle(card, (0, 0), (WIDTH - 1, HEIGHT - 1), [float(rng.uniform(120, 230))] * 3, rim)
    return np.asarray(np.clip(card, 0, 255), np.uint8)


def spoil(rng: Generator, scene: Float32, place: Float64, trouble: str) -> Picture:
    """What light, lens and sensor do to the scene in this trouble."""
    size = scene.shape[1], scene.shape[0]
    several = trouble == "several"
    corners = corners_of(place)
    long_px = float(np.linalg.norm(corners[0] - corners[3]))
    if trouble == "finger":
        _finger(rng, scene, corners, long_px)
    if "glare" in trouble or (several and rng.random() < 0.5):
        _glare(rng, scene, corners, long_px)
    if trouble == "shadow" or (several and rng.random() < 0.5):
        _shadow(rng, scene, long_px)
    scene = scene * _field(rng, size, 0.15)[..., None]
    if trouble == "coloured light" or several:
        scene = scene * np.array(rng.uniform((0.7, 0.9, 0.75), (1.15, 1.05, 1.15)), np.float32)
    dim = trouble == "dim and noisy"
    scene = scene * rng.uniform(0.3, 0.5) if dim else scene * rng.uniform(0.85, 1.08)
    blur = 0.009 * long_px * rng.uniform(0.6, 1) if trouble == "blurred" else rng.uniform(0.2, 0.9)
    pressed = trouble == "pressed small" or several
    quality = int(rng.integers(25, 50) if pressed else rng.integers(75, 96))
    return finish(
        rng, scene, blur=blur, grain=rng.uniform(7, 11) if dim else rng.uniform(1, 5), quality=quality
    )


def finish(rng: Generator, scene: Float32, *, blur: float, grain: float, quality: int) -> Picture:
    """The scene through lens, sensor and JPEG."""
    scene = cv2.GaussianBlur(scene, (0, 0), blur) + rng.normal(0, grain, scene.shape).astype(np.float32)
    packed = cv2.imencode(
        ".jpg", np.clip(scene, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _field(rng: Generator, size: tuple[int, int], depth: float) -> Float32:
    """Light that changes slowly over the picture, around 1."""
    coarse = 1 + rng.uniform(-depth, depth, (3, 4)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _glare(rng: Generator, scene: Float32, corners: Float32, long_px: float) -> None:
    """A lamp's reflection that burns out part of the card."""
    height, width = scene.shape[:2]
    inside = rng.dirichlet(np.ones(4)) @ corners
    blob = np.zeros((height, width), np.float32)
    axes = int(long_px * rng.uniform(0.07, 0.19)), int(long_px * rng.uniform(0.06, 0.13))
    cv2.ellipse(blob, [int(v) for v in inside], axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    blob = np.asarray(cv2.GaussianBlur(blob, (0, 0), long_px * 0.03), np.float32)
    scene += blob[..., None] * rng.uniform(150, 320)


def _shadow(rng: Generator, scene: Float32, long_px: float) -> None:
    """An arm's shadow across the table."""
    height, width = scene.shape[:2]
    dark = np.zeros((height, width), np.float32)
    ends = rng.uniform((0.2, 0.2), (0.8, 0.8), (2, 2)) * (width, height)
    way = (ends[1] - ends[0]) * 3
    start, stop = (ends[0] - way).astype(int).tolist(), (ends[0] + way).astype(int).tolist()
    cv2.line(dark, start, stop, 1.0, int(long_px * rng.uniform(0.2, 0.7)))
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), long_px * rng.uniform(0.01, 0.06)), np.float32)
    scene *= 1 - dark[..., None] * rng.uniform(0.3, 0.6)


def _finger(rng: Generator, scene: Float32, corners: Float32, long_px: float) -> None:
    """A finger that still lies on the card, from one of its sides."""
    side = int(rng.integers(4))
    start = corners[side] + (corners[(side + 1) % 4] - corners[side]) * rng.uniform(0.2, 0.8)
    tip = start + (corners.mean(0) - start) * rng.uniform(0.3, 0.9)
    away = start + (start - corners.mean(0)) * 3
    skin = (float(rng.uniform(90, 160)), float(rng.uniform(120, 180)), float(rng.uniform(160, 230)))
    thick = int(long_px * rng.uniform(0.1, 0.18))
    cv2.line(scene, tip.astype(int).tolist(), away.astype(int).tolist(), skin, thick, cv2.LINE_AA)
    cv2.circle(scene, tip.astype(int).tolist(), thick // 2, skin, -1, cv2.LINE_AA)
