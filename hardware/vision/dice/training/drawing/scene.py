"""A whole drawn picture: a camera over a table, lamps, things lying about, dice thrown, and the truth about
the dice."""

from dataclasses import dataclass, replace
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.arrays import Float32, Picture, float32
from hardware.vision.dice.training.drawing import looks
from hardware.vision.dice.training.drawing.camera import Camera, look_at_table
from hardware.vision.dice.training.drawing.clutter import lay_flat_things, lay_tall_things
from hardware.vision.dice.training.drawing.noise import any_colour, field
from hardware.vision.dice.training.drawing.solid import (
    Lamps,
    Look,
    Patch,
    Pose,
    corners,
    draw_die,
    shadow_on_table,
)
from hardware.vision.dice.training.drawing.spoil import photograph, processed, smear
from hardware.vision.dice.training.drawing.table import SIDE_PX, draw_table

HIDDEN_FROM = 0.85
"""A die with less of its uppermost face in sight than this share is one that nobody should read."""
GONE_FROM = 0.4
"""And with less than this it is no longer held to be in the picture at all."""
RARER = 1
"""Added to the seed of what only pictures with variety have, so that all others stay as they are."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """The truth about a die: `centre_px` and `face_box_px` of its uppermost face, `edge_px` what its edge
    spans square-on.

    `sure` is false for a die that is cocked, rolling or half hidden; `gone` true where too little of it is
    in sight to count; `colour` is empty where it has none of the named ones (two colours in swirls).
    """

    value: int
    colour: str
    centre_px: tuple[float, float]
    edge_px: float
    face_box_px: tuple[float, float, float, float]
    body_box_px: tuple[float, float, float, float]
    sure: bool
    gone: bool


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A drawn photo, 8 bit BGR, and its dice."""

    image: Picture
    dice: tuple[DrawnDie, ...]


@dataclass(slots=True)
class _Thrown:
    """A die on its way into the picture; `value` 0 is a blank cube that is no die."""

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
    edge_px: tuple[float, float] = (11, 150),
    tilt_deg: tuple[float, float] | None = None,
    odd_dice: float = 0.1,
    variety: bool = False,
) -> DrawnPicture:
    """The picture that belongs to `seed`: `size` width and height in px, `count` dice (else one to fifteen,
    as fit).

    `edge_px` bounds the dice's edges, `tilt_deg` the camera's tilt from straight above; `odd_dice` is the
    share of dice that are cocked, rolling or half covered. With `variety`, dice are also of rarer makes, more
    windows shine on them and a phone's software alters the picture.
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
    _shadows(rng, scene, camera, lamps, thrown)
    owner = _paint(rng, scene, camera, lamps, thrown)
    _cover(rng, scene, owner, thrown, odd_dice)
    dice = tuple(
        _truth(camera, owner, n, die) for n, die in enumerate(thrown) if die.value and die.patch is not None
    )
    image = photograph(rng, scene, edge)
    return DrawnPicture(processed(rarer, image) if variety else image, dice)


def _camera(
    rng: Generator, size: tuple[int, int], edge: float, tilt_deg: tuple[float, float] | None
) -> Camera:
    spans = (tilt_deg,) if tilt_deg else ((0, 14), (12, 45), (42, 58))
    share = (1.0,) if tilt_deg else (0.37, 0.45, 0.18)
    tilt = rng.uniform(*spans[int(rng.choice(len(spans), p=share))])
    roll = rng.uniform(-180, 180) if tilt < 15 else rng.normal(0, 9)
    stretch = float(np.exp(rng.normal(0, 0.16))) if rng.random() < 0.3 else 1.0
    return look_at_table(size, rng.uniform(0.75, 1.8), stretch, edge, tilt, roll)


def _direction(azimuth: float, elevation: float) -> Float32:
    return float32([cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation)])


def _lamps(rng: Generator) -> Lamps:
    """One to three lamps and the sky; the table's own brightness comes out at about one."""
    count = int(rng.integers(1, 4))
    directions = np.stack(
        [_direction(rng.uniform(0, 6.28), radians(rng.uniform(33, 85))) for _ in range(count)]
    )
    strengths = rng.uniform(0.15, 1, count).astype(np.float32)
    ambient = float(rng.uniform(0.3, 1.6))
    total = ambient + float((strengths * directions[:, 2]).sum())
    exposure = rng.uniform(0.6, 1.2) / total
    window = (
        _direction(rng.uniform(0, 6.28), radians(rng.uniform(15, 89))),
        float(rng.uniform(0.9, 0.995)),
        0.0,
    )
    if rng.random() < 0.4:
        window = (*window[:2], float(rng.uniform(0.2, 0.9)))
    return Lamps(
        directions, strengths * np.float32(exposure), ambient * exposure, float(rng.uniform(0.08, 1)), window
    )


def _more_windows(rng: Generator, lamps: Lamps, camera: Camera) -> Lamps:
    """The same light with up to five more windows, so that edges and hollows glint.

    Half of the pictures have lamps that the upper faces mirror.
    """
    windows = tuple(
        (
            _direction(rng.uniform(0, 6.28), radians(rng.uniform(10, 89))),
            float(rng.uniform(0.9, 0.998)),
            float(rng.uniform(0.2, 1)),
        )
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
    """Dice lying in the picture, none inside another, some side by side."""
    wanted = (
        count
        if count is not None
        else int(rng.choice([rng.integers(1, 3), rng.integers(3, 7), rng.integers(7, 16)], p=[0.3, 0.4, 0.3]))
    )
    family = looks.any_look(rng) if rng.random() < 0.55 else None
    spread = rng.uniform(0.15, 1)
    thrown: list[_Thrown] = []
    for _ in range(wanted * 6):
        if len(thrown) >= wanted:
            break
        look, colour = looks.any_look(rng) if family is None else looks.sibling(rng, *family)
        scale = float(rng.uniform(0.75, 1.25)) if family is None else 1.0
        pose = (
            _beside(rng, thrown, scale)
            if thrown and rng.random() < 0.3
            else _anywhere(rng, camera, scale, spread)
        )
        if all(np.hypot(*(pose.centre - d.pose.centre)[:2]) > _room(pose, d.pose) for d in thrown):
            thrown.append(_finish(rng, pose, look, colour, odd if count is None else 0.0))
    return thrown


def _room(one: Pose, two: Pose) -> float:
    """How far apart two dice's middles must be: less where they lie side by side, turned alike."""
    alike = (
        abs(float(one.turn[:2, 0] @ two.turn[:2, 0])) > 0.999
        or abs(float(one.turn[:2, 0] @ two.turn[:2, 1])) > 0.999
    )
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
    """A die that touches one already there."""
    other = thrown[int(rng.integers(len(thrown)))].pose
    yaw = float(np.arctan2(other.turn[1, 0], other.turn[0, 0])) + rng.integers(4) * np.pi / 2
    along = float32([cos(yaw), sin(yaw)])
    gap = (edge + other.edge) / 2 * rng.uniform(1, 1.06)
    slip = float32([-along[1], along[0]]) * rng.uniform(-0.6, 0.6)
    return _upright(rng, other.centre[:2] + along * gap + slip, yaw, edge)


def _finish(rng: Generator, pose: Pose, look: Look, colour: str, odd: float) -> _Thrown:
    """Decides whether the die lies as it should, is cocked, rolls, or is a blank cube."""
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
    """The table as the camera sees it, lit, with at most `most` flat things on it."""
    per_edge = float(np.clip(edge, 9, 48))
    sheet = draw_table(rng, per_edge)
    if rng.random() < 0.65:
        lay_flat_things(rng, sheet, per_edge, int(rng.integers(1, most + 1)))
    grid = np.meshgrid(np.arange(camera.width, dtype=np.float32), np.arange(camera.height, dtype=np.float32))
    places = camera.ground(*grid) * per_edge + SIDE_PX / 2
    scene = cv2.remap(
        sheet, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
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


def _shadows(rng: Generator, scene: Float32, camera: Camera, lamps: Lamps, thrown: list[_Thrown]) -> None:
    for die in thrown:
        shadow = shadow_on_table(camera, die.pose, lamps)
        if shadow is not None:
            left, top, light = shadow
            scene[top : top + light.shape[0], left : left + light.shape[1]] *= light[..., None]


def _paint(
    rng: Generator, scene: Float32, camera: Camera, lamps: Lamps, thrown: list[_Thrown]
) -> NDArray[np.int16]:
    """Draws the dice, farthest first; returns which die each px shows, −1 for none."""
    owner = np.full(scene.shape[:2], -1, np.int16)
    order = sorted(
        range(len(thrown)), key=lambda n: -float(np.linalg.norm(thrown[n].pose.centre - camera.place))
    )
    for n in order:
        die = thrown[n]
        span = camera.scale_at(die.pose.centre) * die.pose.edge
        patch = draw_die(camera, die.pose, die.look, lamps, 3 if span < 28 else 2 if span < 80 else 1)
        if patch is None:
            continue
        if die.state == "rolling":
            patch = _rolling(rng, patch, span)
        die.patch = patch
        here = (
            slice(patch.top, patch.top + patch.alpha.shape[0]),
            slice(patch.left, patch.left + patch.alpha.shape[1]),
        )
        scene[here] = scene[here] * (1 - patch.alpha[..., None]) + patch.bgr
        owner[here][patch.alpha > 0.5] = n
    return owner


def _rolling(rng: Generator, patch: Patch, span: float) -> Patch:
    angle, length = rng.uniform(0, 3.14), span * rng.uniform(0.35, 0.9)
    return replace(patch, bgr=smear(patch.bgr, angle, length), alpha=smear(patch.alpha, angle, length))


def _cover(
    rng: Generator, scene: Float32, owner: NDArray[np.int16], thrown: list[_Thrown], odd: float
) -> None:
    """Lays something (a finger, a card) over some dice, so that part of them cannot be seen."""
    for die in thrown:
        if die.patch is None or rng.random() > odd * 0.6:
            continue
        height, width = die.patch.alpha.shape
        middle = (
            die.patch.left + width * rng.uniform(-0.1, 1.1),
            die.patch.top + height * rng.uniform(-0.1, 1.1),
        )
        box = (middle, (width * rng.uniform(0.5, 2), height * rng.uniform(0.5, 1)), rng.uniform(0, 180))
        tone = [float(c) for c in any_colour(rng)]
        cv2.fillPoly(scene, [cv2.boxPoints(box).astype(np.int32)], tone, cv2.LINE_AA)
        cv2.fillPoly(owner, [cv2.boxPoints(box).astype(np.int32)], -1)


def _truth(camera: Camera, owner: NDArray[np.int16], n: int, die: _Thrown) -> DrawnDie:
    patch = die.patch
    assert patch is not None
    all_corners = camera.project(corners(die.pose))
    quad = all_corners[4:]
    middle = camera.project(float32(die.pose.centre + die.pose.turn[:, 2] * die.pose.edge / 2)[None])[0]
    face = patch.face > 0.5
    seen = owner[patch.top : patch.top + face.shape[0], patch.left : patch.left + face.shape[1]] == n
    in_sight = float((face & seen).sum()) / max(1, int(face.sum()))
    clipped = np.clip(quad, 0, (camera.width - 1, camera.height - 1)).astype(np.float32)
    inside = cv2.contourArea(cv2.convexHull(clipped)) / max(1e-3, cv2.contourArea(cv2.convexHull(quad)))
    visible = in_sight * inside
    sure = die.state == "still" and visible >= HIDDEN_FROM
    return DrawnDie(
        value=die.value,
        colour=die.colour,
        centre_px=(float(middle[0]), float(middle[1])),
        edge_px=camera.scale_at(die.pose.centre) * die.pose.edge,
        face_box_px=_box(quad),
        body_box_px=_box(all_corners),
        sure=sure,
        gone=visible < GONE_FROM,
    )


def _box(points: Float32) -> tuple[float, float, float, float]:
    low, high = points.min(0), points.max(0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
