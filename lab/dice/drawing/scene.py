"""A whole drawn picture: a camera over a table, lamps, clutter, dice thrown, and the truth about the dice."""

from dataclasses import dataclass, replace
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.arrays import Float32, Picture, float32
from lab.dice.drawing import looks
from lab.dice.drawing.camera import Camera, look_at_table
from lab.dice.drawing.clutter import lay_flat_things, lay_round_things, lay_tall_things
from lab.dice.drawing.noise import any_colour, field
from lab.dice.drawing.solid import Lamps, Look, Patch, Pose, corners, draw_die, shadow_on_table
from lab.dice.drawing.spoil import photograph, processed, smear
from lab.dice.drawing.table import SIDE_PX, draw_table

Span = tuple[float, float]
Owners = NDArray[np.int16]
"""The number of the die that each px shows, −1 for none."""
HIDDEN_FROM = 0.85
"""The least share of the uppermost face in sight for a die that should be read."""
GONE_FROM = 0.4
"""The same for a die that counts as in the picture."""
RARER = 1
"""Added to the seed for variety, so that pictures without it stay as they are."""
ROUNDS = 2
"""The same for small round things."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """The truth about a die: the centre and box of its uppermost face, and its edge seen square-on.

    `sure` is false for a die that is cocked, rolling or half hidden; `gone` is true if too little of it is in
    sight to count; `colour` is empty for two colours in swirls.
    """

    value: int
    colour: str
    centre_px: tuple[float, float]
    edge_px: float
    face_box_px: tuple[float, float, float, float]
    sure: bool
    gone: bool


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A drawn photo, 8 bit BGR, and its dice."""

    image: Picture
    dice: tuple[DrawnDie, ...]


@dataclass(slots=True)
class _Thrown:
    """A die on its way into the picture; `value` 0 is a blank cube."""

    pose: Pose
    look: Look
    colour: str
    value: int
    state: str
    patch: Patch | None = None


def draw_picture(
    seed: int,
    size: tuple[int, int] = (640, 480),
    *,
    count: int | None = None,
    edge_px: Span = (11, 150),
    tilt_deg: Span | None = None,
    odd_dice: float = 0.1,
    variety: bool = False,
    rounds: int = 0,
) -> DrawnPicture:
    """The picture of `seed`: `size` width and height in px, `count` dice (else one to fifteen, as fit).

    `edge_px` bounds the dice's edges, `tilt_deg` the camera's tilt from straight above; `odd_dice` is the
    share of dice that are cocked, rolling or half covered. With `variety`, dice are also of rarer makes, more
    windows shine on them and a phone's software alters the picture. `rounds`: the number of small round
    things beside them.
    """
    rng = np.random.default_rng(seed)
    edge = float(np.exp(rng.uniform(*np.log(edge_px))))
    camera = _camera(rng, size, edge, tilt_deg)
    lamps = _lamps(rng)
    thrown = _throw(rng, camera, edge, count, odd_dice)
    rarer = np.random.default_rng((seed, RARER))
    if variety:
        lamps = _more_windows(rarer, lamps, camera)
        for die, look in zip(thrown, looks.varied(rarer, [die.look for die in thrown]), strict=True):
            die.look = look
    scene = _ground(rng, camera, lamps, edge, 40 if count == 0 else 13)
    lay_round_things(np.random.default_rng((seed, ROUNDS)), scene, edge, rounds)
    _shadows(scene, camera, lamps, thrown)
    owner = _paint(rng, scene, camera, lamps, thrown)
    _cover(rng, scene, owner, thrown, odd_dice)
    shown = [(n, die) for n, die in enumerate(thrown) if die.value and die.patch is not None]
    dice = tuple(_truth(camera, owner, n, die) for n, die in shown)
    image = photograph(rng, scene, edge)
    return DrawnPicture(processed(rarer, image) if variety else image, dice)


def _camera(rng: Generator, size: tuple[int, int], edge: float, tilt_deg: Span | None) -> Camera:
    spans = (tilt_deg,) if tilt_deg else ((0, 14), (12, 45), (42, 58))
    share = (1.0,) if tilt_deg else (0.37, 0.45, 0.18)
    tilt = rng.uniform(*spans[int(rng.choice(len(spans), p=share))])
    roll = rng.uniform(-180, 180) if tilt < 15 else rng.normal(0, 9)
    stretch = float(np.exp(rng.normal(0, 0.16))) if rng.random() < 0.3 else 1.0
    return look_at_table(size, rng.uniform(0.75, 1.8), stretch, edge, tilt, roll)


def _from_above(rng: Generator, low_deg: float, high_deg: float) -> Float32:
    """A direction to a lamp between two heights above the table."""
    azimuth, elevation = rng.uniform(0, 6.28), radians(rng.uniform(low_deg, high_deg))
    return float32([cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation)])


def _lamps(rng: Generator) -> Lamps:
    """One to three lamps and the sky; the table's own brightness comes out at about one."""
    count = int(rng.integers(1, 4))
    directions = np.stack([_from_above(rng, 33, 85) for _ in range(count)])
    strengths = rng.uniform(0.15, 1, count).astype(np.float32)
    ambient = float(rng.uniform(0.3, 1.6))
    total = ambient + float((strengths * directions[:, 2]).sum())
    exposure = rng.uniform(0.6, 1.2) / total
    window = (_from_above(rng, 15, 89), float(rng.uniform(0.9, 0.995)), 0.0)
    if rng.random() < 0.4:
        window = (*window[:2], float(rng.uniform(0.2, 0.9)))
    strengths, soft = strengths * np.float32(exposure), float(rng.uniform(0.08, 1))
    return Lamps(directions, strengths, ambient * exposure, soft, window)


def _more_windows(rng: Generator, lamps: Lamps, camera: Camera) -> Lamps:
    """Add up to five windows, so that edges and hollows glint, and for half of the pictures lamps that the
    upper faces mirror."""
    windows = tuple(
        (_from_above(rng, 10, 89), float(rng.uniform(0.9, 0.998)), float(rng.uniform(0.2, 1)))
        for _ in range(int(rng.integers(0, 6)))
    )
    if rng.random() < 0.5:
        return replace(lamps, more_windows=windows)
    x, y, z = camera.place / np.linalg.norm(camera.place)
    mirrored = float32([-x, -y, z])
    over: list[tuple[Float32, float, float]] = []
    rings: list[tuple[Float32, float, float, float]] = []
    for _ in range(int(rng.integers(1, 4))):
        direction = float32(mirrored + rng.normal(0, 0.2, 3))
        direction = float32(direction / np.linalg.norm(direction))
        strength = float(rng.uniform(0.15, 0.8))
        if rng.random() < 0.5:
            radius, half = float(rng.uniform(0.05, 0.45)), float(rng.uniform(0.008, 0.05))
            rings.append((direction, radius, half, strength))
        else:
            over.append((direction, float(rng.uniform(0.98, 0.9995)), strength))
    return replace(lamps, more_windows=(*windows, *over), ring_lamps=tuple(rings))


def _throw(rng: Generator, camera: Camera, edge: float, count: int | None, odd: float) -> list[_Thrown]:
    if (wanted := count) is None:
        few_to_many = [rng.integers(1, 3), rng.integers(3, 7), rng.integers(7, 16)]
        wanted = int(rng.choice(few_to_many, p=[0.3, 0.4, 0.3]))
    family = looks.any_look(rng) if rng.random() < 0.55 else None
    spread = rng.uniform(0.15, 1)
    thrown: list[_Thrown] = []
    for _ in range(wanted * 6):
        if len(thrown) >= wanted:
            break
        look, colour = family or looks.any_look(rng)
        look = replace(look, seed=int(rng.integers(1 << 30))) if family else look
        scale = float(rng.uniform(0.75, 1.25)) if family is None else 1.0
        beside = thrown and rng.random() < 0.3
        pose = _beside(rng, thrown, scale) if beside else _anywhere(rng, camera, scale, spread)
        if all(np.hypot(*(pose.centre - d.pose.centre)[:2]) > _room(pose, d.pose) for d in thrown):
            thrown.append(_finish(rng, pose, look, colour, odd if count is None else 0.0))
    return thrown


def _room(one: Pose, two: Pose) -> float:
    """Minimum distance of two dice's middles: less where they lie side by side, turned alike."""
    alike = np.abs(one.turn[:2, 0] @ two.turn[:2, :2]).max() > 0.999
    return (one.edge + two.edge) / 2 * (0.99 if alike else 1.3)


def _upright(rng: Generator, spot: Float32, yaw: float, edge: float) -> Pose:
    turn = float32([[cos(yaw), -sin(yaw), 0], [sin(yaw), cos(yaw), 0], [0, 0, 1]])
    centre = float32([spot[0], spot[1], edge / 2])
    top = int(rng.integers(1, 7))
    others = [v for v in range(1, 7) if v not in (top, 7 - top)]
    front = int(rng.choice(others))
    side = next(v for v in rng.permutation(others) if v not in (front, 7 - front))
    faces = (front, 7 - front, int(side), 7 - int(side), top, 7 - top)
    twists = rng.random(6) < 0.5
    return Pose(centre, turn, edge, faces, tuple(bool(t) for t in twists))  # type: ignore[arg-type]


def _anywhere(rng: Generator, camera: Camera, edge: float, spread: float) -> Pose:
    x = camera.width * (0.5 + rng.uniform(-0.52, 0.52) * spread)
    y = camera.height * (0.5 + rng.uniform(-0.52, 0.52) * spread)
    return _upright(rng, camera.ground(float32(x), float32(y)), rng.uniform(0, 6.28), edge)


def _beside(rng: Generator, thrown: list[_Thrown], edge: float) -> Pose:
    other = thrown[int(rng.integers(len(thrown)))].pose
    yaw = float(np.arctan2(other.turn[1, 0], other.turn[0, 0])) + rng.integers(4) * np.pi / 2
    along = float32([cos(yaw), sin(yaw)])
    gap = (edge + other.edge) / 2 * rng.uniform(1, 1.06)
    slip = float32([-along[1], along[0]]) * rng.uniform(-0.6, 0.6)
    return _upright(rng, other.centre[:2] + along * gap + slip, yaw, edge)


def _finish(rng: Generator, pose: Pose, look: Look, colour: str, odd: float) -> _Thrown:
    value = pose.faces[4]
    if rng.random() < odd / 2:
        tilt, azimuth = radians(rng.uniform(16, 45)), rng.uniform(0, 6.28)
        axis = float32([cos(azimuth), sin(azimuth), 0]) * tilt
        turn = np.asarray(cv2.Rodrigues(axis)[0] @ pose.turn, np.float32)
        lifted = pose.centre + float32([0, 0, 0.5 * pose.edge * (cos(tilt) + sin(tilt) - 1)])
        return _Thrown(replace(pose, turn=turn, centre=lifted), look, colour, value, "cocked")
    if rng.random() < odd / 4:
        return _Thrown(pose, look, colour, value, "rolling")
    if rng.random() < odd / 3:
        return _Thrown(replace(pose, faces=(0, 0, 0, 0, 0, 0)), look, colour, 0, "blank")
    return _Thrown(pose, look, colour, value, "still")


def _ground(rng: Generator, camera: Camera, lamps: Lamps, edge: float, most: int) -> Float32:
    per_edge = float(np.clip(edge, 9, 48))
    sheet = draw_table(rng, per_edge)
    if rng.random() < 0.65:
        lay_flat_things(rng, sheet, per_edge, int(rng.integers(1, most + 1)))
    grid = np.meshgrid(np.arange(camera.width, dtype=np.float32), np.arange(camera.height, dtype=np.float32))
    places = camera.ground(*grid) * per_edge + SIDE_PX / 2
    x, y = places[..., 0], places[..., 1]
    scene = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    level = lamps.ambient + float((lamps.strengths * lamps.directions[:, 2]).sum())
    size = (camera.width, camera.height)
    uneven = 1 + rng.uniform(0, 0.3) * field(rng, size, (size[0] * 0.7, size[1] * 0.7))
    scene = float32(scene * level * uneven[..., None])
    if rng.random() < 0.3:
        lay_tall_things(rng, scene, edge)
    if rng.random() < 0.25:
        spot = np.clip(field(rng, size, (size[0] * 0.4, size[1] * 0.4)) - 0.3, 0, 1) * rng.uniform(0.2, 0.9)
        scene += spot[..., None]
    return np.asarray(np.clip(scene, 0, 1), np.float32)


def _shadows(scene: Float32, camera: Camera, lamps: Lamps, thrown: list[_Thrown]) -> None:
    for die in thrown:
        if (shadow := shadow_on_table(camera, die.pose, lamps)) is not None:
            left, top, light = shadow
            scene[top : top + light.shape[0], left : left + light.shape[1]] *= light[..., None]


def _paint(rng: Generator, scene: Float32, camera: Camera, lamps: Lamps, thrown: list[_Thrown]) -> Owners:
    """Draw the dice, farthest first."""
    owner = np.full(scene.shape[:2], -1, np.int16)
    far = [float(np.linalg.norm(die.pose.centre - camera.place)) for die in thrown]
    for n, die in sorted(enumerate(thrown), key=lambda numbered: -far[numbered[0]]):
        span = camera.scale_at(die.pose.centre) * die.pose.edge
        patch = draw_die(camera, die.pose, die.look, lamps, 3 if span < 28 else 2 if span < 80 else 1)
        if patch is None:
            continue
        if die.state == "rolling":
            patch = _rolling(rng, patch, span)
        die.patch = patch
        height, width = patch.alpha.shape
        here = slice(patch.top, patch.top + height), slice(patch.left, patch.left + width)
        scene[here] = scene[here] * (1 - patch.alpha[..., None]) + patch.bgr
        owner[here][patch.alpha > 0.5] = n
    return owner


def _rolling(rng: Generator, patch: Patch, span: float) -> Patch:
    angle, length = rng.uniform(0, 3.14), span * rng.uniform(0.35, 0.9)
    return replace(patch, bgr=smear(patch.bgr, angle, length), alpha=smear(patch.alpha, angle, length))


def _cover(rng: Generator, scene: Float32, owner: Owners, thrown: list[_Thrown], odd: float) -> None:
    """Lay something (a finger, a card) over part of some dice."""
    for die in thrown:
        if die.patch is None or rng.random() > odd * 0.6:
            continue
        height, width = die.patch.alpha.shape
        x = die.patch.left + width * rng.uniform(-0.1, 1.1)
        y = die.patch.top + height * rng.uniform(-0.1, 1.1)
        size = (width * rng.uniform(0.5, 2), height * rng.uniform(0.5, 1))
        box = cv2.boxPoints(((x, y), size, rng.uniform(0, 180))).astype(np.int32)
        cv2.fillPoly(scene, [box], [float(c) for c in any_colour(rng)], cv2.LINE_AA)
        cv2.fillPoly(owner, [box], -1)


def _truth(camera: Camera, owner: Owners, n: int, die: _Thrown) -> DrawnDie:
    patch = die.patch
    assert patch is not None
    quad = camera.project(corners(die.pose))[4:]
    middle = camera.project(float32(die.pose.centre + die.pose.turn[:, 2] * die.pose.edge / 2)[None])[0]
    face = patch.face > 0.5
    seen = owner[patch.top : patch.top + face.shape[0], patch.left : patch.left + face.shape[1]] == n
    in_sight = float((face & seen).sum()) / max(1, int(face.sum()))
    clipped = np.clip(quad, 0, (camera.width - 1, camera.height - 1)).astype(np.float32)
    inside = cv2.contourArea(cv2.convexHull(clipped)) / max(1e-3, cv2.contourArea(cv2.convexHull(quad)))
    visible = in_sight * inside
    return DrawnDie(
        value=die.value,
        colour=die.colour,
        centre_px=(float(middle[0]), float(middle[1])),
        edge_px=camera.scale_at(die.pose.centre) * die.pose.edge,
        face_box_px=_box(quad),
        sure=die.state == "still" and visible >= HIDDEN_FROM,
        gone=visible < GONE_FROM,
    )


def _box(points: Float32) -> tuple[float, float, float, float]:
    low, high = points.min(0), points.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
