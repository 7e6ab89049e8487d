"""One drawn die: a rounded cube met by rays, its pips, its shading and its shadow on the table."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Mask, float32
from lab.dice.drawing.camera import Camera

Texture = Literal["plain", "marble", "speckle", "clear"]
SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The positions of each value's pips, in units of the pips' spacing."""
MARCH_STEPS = 9
SHADOW_STEPS = 9


@dataclass(frozen=True, slots=True)
class Look:
    """The material of a die: colours BGR 0–1, lengths in edges.

    `ones` is the size of a lone pip against the others, `rim` the brightness of the ring around each pip,
    `veins` the width of a swirl's streaks (0: its two colours share the body), `bulge` the slope of the rims
    of rounded faces.
    """

    body: Float32
    second: Float32
    texture: Texture
    pip: Float32
    lone_pip: Float32
    pip_radius: float
    pip_spacing: float
    pip_depth: float
    ones: float
    corner: float
    ball: float
    gloss: float
    sharpness: float
    seed: int
    rim: float = 0.0
    veins: float = 0.0
    bulge: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """A die's place: `centre` shape `(3,)`, `turn` shape `(3, 3)` from its own axes to the table's, `edge`.

    `faces` are the values on +x, −x, +y, −y, +z, −z; `twists` are true for patterns turned by a quarter.
    """

    centre: Float32
    turn: Float32
    edge: float
    faces: tuple[int, int, int, int, int, int]
    twists: tuple[bool, bool, bool, bool, bool, bool]


@dataclass(frozen=True, slots=True)
class Lamps:
    """The light: `directions` to the lamps `(N, 3)`, their `strengths` `(N,)`, `ambient`, `soft` shadows.

    `window` and `more_windows` are bright discs that faces mirror: direction, half-width as a cosine,
    strength. `ring_lamps` are bright rings: direction, radius and half-width in radians, strength.
    """

    directions: Float32
    strengths: Float32
    ambient: float
    soft: float
    window: tuple[Float32, float, float]
    more_windows: tuple[tuple[Float32, float, float], ...] = ()
    ring_lamps: tuple[tuple[Float32, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Patch:
    """A drawn die cut out at picture px `left`, `top`: `bgr` (premultiplied), `alpha`, and `face`, the part
    of each px that is the uppermost face."""

    left: int
    top: int
    bgr: Float32
    alpha: Float32
    face: Float32


def corners(pose: Pose) -> Float32:
    """The die's eight corners on the table's axes, shape `(8, 3)`, those of its own +z face last."""
    square = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    unit = float32([[x, y, z] for z in (-0.5, 0.5) for x, y in square])
    return np.asarray(unit * pose.edge @ pose.turn.T + pose.centre, np.float32)


def draw_die(camera: Camera, pose: Pose, look: Look, lamps: Lamps, fineness: int) -> Patch | None:
    """The die as the camera sees it, `fineness` rays across a px; None where it is out of the picture."""
    flat = camera.project(corners(pose))
    left, top = np.maximum(np.floor(flat.min(0)).astype(int) - 1, 0)
    right = min(int(np.ceil(flat[:, 0].max())) + 1, camera.width)
    bottom = min(int(np.ceil(flat[:, 1].max())) + 1, camera.height)
    if right - left < 2 or bottom - top < 2:
        return None
    across = (np.arange((right - left) * fineness, dtype=np.float32) + 0.5) / fineness + left
    down = (np.arange((bottom - top) * fineness, dtype=np.float32) + 0.5) / fineness + top
    rays = camera.rays(*np.meshgrid(across, down)).reshape(-1, 3)
    bgr, hit, face = _shade(camera, pose, look, lamps, rays)
    fine, size = (len(down), len(across), -1), (right - left, bottom - top)
    fields = (values.reshape(fine) for values in (bgr, hit, face))
    shrunk = [cv2.resize(values, size, interpolation=cv2.INTER_AREA) for values in fields]
    return Patch(int(left), int(top), *map(float32, shrunk))


def shadow_on_table(camera: Camera, pose: Pose, lamps: Lamps) -> tuple[int, int, Float32] | None:
    """Light that the die leaves the table around it: px left and top, and factors 0–1, shape `(h, w)`."""
    flat = camera.project(corners(pose))
    middle, half = flat.mean(0), float(np.ptp(flat, axis=0).max()) * 1.9
    left, top = np.maximum(np.floor(middle - half).astype(int), 0)
    right = min(int(middle[0] + half), camera.width)
    bottom = min(int(middle[1] + half), camera.height)
    if right - left < 4 or bottom - top < 4:
        return None
    step = max(1, int(half / 28))
    across, down = (np.arange(*ends, step, dtype=np.float32) for ends in ((left, right), (top, bottom)))
    ground = camera.ground(*np.meshgrid(across, down))
    points = np.concatenate([ground, np.zeros_like(ground[..., :1])], -1) - pose.centre
    local = np.asarray(points @ pose.turn / pose.edge, np.float32)
    light = np.full(local.shape[:2], lamps.ambient, np.float32)
    for direction, strength in zip(lamps.directions, lamps.strengths, strict=True):
        light += strength * _lit(local, np.asarray(direction @ pose.turn, np.float32), lamps.soft)
    light /= lamps.ambient + lamps.strengths.sum()
    light *= 1 - 0.45 * np.exp(-np.maximum(_distance(local, 0.08, 2), 0) / 0.13)
    return int(left), int(top), float32(cv2.resize(light, (right - left, bottom - top)))


def _dot(one: Float32, two: Float32) -> Float32:
    """Products of directions `(..., 3)`, written out because sums over so short an axis are slow."""
    product = one * two
    return np.asarray(product[..., 0] + product[..., 1] + product[..., 2], np.float32)


def _unit(directions: Float32) -> Float32:
    return np.asarray(directions / np.sqrt(_dot(directions, directions))[..., None], np.float32)


def _distance(points: Float32, corner: float, ball: float) -> Float32:
    """Distance of points `(..., 3)` of the die's own axes from its skin, in edges."""
    outside = np.abs(points) - np.float32(0.5 - corner)
    far = np.maximum(outside, 0)
    deepest = np.maximum(np.maximum(outside[..., 0], outside[..., 1]), outside[..., 2])
    box = np.sqrt(_dot(far, far)) + np.minimum(deepest, 0) - np.float32(corner)
    return box if ball > 1 else np.maximum(box, np.sqrt(_dot(points, points)) - np.float32(ball))


def _lit(points: Float32, direction: Float32, soft: float) -> Float32:
    """The share of a lamp that reaches points `(..., 3)` past a cube, 0–1: smaller near the shadow's edge."""
    open_ = np.ones(points.shape[:-1], np.float32)
    for step in np.linspace(0.05, 2.2, SHADOW_STEPS, dtype=np.float32):
        open_ = np.minimum(open_, 0.5 + _distance(points + direction * step, 0.08, 2) / (soft * step + 0.02))
    return np.clip(open_, 0, 1)


def _meet(start: Float32, rays: Float32, look: Look) -> tuple[Float32, Mask]:
    """Points `(N, 3)` where rays of the die's own axes meet its skin, and a mask of those that do."""
    with np.errstate(divide="ignore", invalid="ignore"):
        near = (-0.5 * np.sign(rays) - start) / rays
        far = (0.5 * np.sign(rays) - start) / rays
    enter = np.maximum(np.maximum(near[:, 0], near[:, 1]), near[:, 2])
    leave = np.minimum(np.minimum(far[:, 0], far[:, 1]), far[:, 2])
    hit = (enter < leave) & (enter > 0)
    length = np.where(hit, enter, 0).astype(np.float32)
    inside = np.flatnonzero(hit)
    ahead, travelled = rays[inside], length[inside]
    gap = np.zeros(len(inside), np.float32)
    for _ in range(MARCH_STEPS):
        gap = _distance(start + ahead * travelled[:, None], look.corner, look.ball)
        travelled = travelled + gap
    length[inside] = travelled
    hit[inside] = gap < 0.02
    return np.asarray(start + rays * length[:, None], np.float32), hit


def _normals(points: Float32, look: Look) -> Float32:
    outside = np.abs(points) - np.float32(0.5 - look.corner)
    rounded = np.sign(points) * np.maximum(outside, 1e-4)
    on_ball = np.sqrt(_dot(points, points)) > look.ball - 0.012
    return _unit(np.where(on_ball[:, None], points, rounded))


def _pips(
    points: Float32, pose: Pose, look: Look
) -> tuple[Float32, Float32, Float32, Mask, NDArray[np.int64]]:
    """Share of each point in a pip and in its rim, the hollow's tilt `(N, 3)`, the lone pips, the faces."""
    x, y, z = np.abs(points).T
    axis = np.where(z >= np.maximum(x, y), 2, np.where(y > x, 1, 0))
    face = axis * 2 + (points[np.arange(len(points)), axis] < 0)
    ink, rim = np.zeros((2, len(points)), np.float32)
    tilt = np.zeros_like(points)
    lone = np.zeros(len(points), bool)
    for index in range(6):
        here = np.flatnonzero(face == index)
        if not len(here):
            continue
        axes = [a for a in range(3) if a != index // 2]
        flat = points[here][:, axes]
        value = pose.faces[index]
        radius = look.pip_radius * (look.ones if value == 1 else 1)
        lone[here] = value == 1
        for spot in SPOTS.get(value, ()):
            u, v = (spot[1], -spot[0]) if pose.twists[index] else spot
            off = flat - float32([u, v]) * look.pip_spacing
            far = np.hypot(off[:, 0], off[:, 1])
            mark = np.clip((radius - far) / 0.016 + 0.5, 0, 1)
            ink[here] = np.maximum(ink[here], mark)
            if look.rim:
                rim[here] = np.maximum(rim[here], np.exp(-(((far - radius) / 0.022) ** 2)) * look.rim)
            tilt[here[:, None], axes] -= off / radius * (mark * look.pip_depth)[:, None]
    return ink, rim, tilt, lone, face


def _body(points: Float32, look: Look) -> Float32:
    if look.texture == "plain":
        return np.broadcast_to(look.body, points.shape)
    rng = np.random.default_rng(look.seed)
    if look.texture == "marble":
        a, b, c = (points @ rng.normal(0, 1, (3, 3)).astype(np.float32) * rng.uniform(1.2, 7)).T
        mix = 0.5 + 0.5 * np.sin(a + 2.2 * np.sin(b + 1.7 * np.sin(c)) + rng.uniform(0, 6))
        if look.veins:
            mix = np.exp(-(((mix - 0.5) / look.veins) ** 2))
        else:
            mix = np.clip((mix - 0.5) * rng.uniform(1, 3) + rng.uniform(0.25, 0.75), 0, 1)
    elif look.texture == "speckle":
        cells = np.floor((points + 0.5) * 26).astype(int) % 32
        mix = (rng.random((32, 32, 32)) < 0.16)[cells[:, 0], cells[:, 1], cells[:, 2]].astype(np.float32)
    else:
        mix = np.clip(0.5 - points[:, 2] + 0.3 * np.sin(7 * points[:, 0] + 5 * points[:, 1]), 0, 1)
    return np.asarray(look.body + (look.second - look.body) * mix[:, None], np.float32)


def _shade(
    camera: Camera, pose: Pose, look: Look, lamps: Lamps, rays: Float32
) -> tuple[Float32, Float32, Float32]:
    """Colours `(N, 3)`, black for a miss, and a mask each of rays that meet the die and its +z face."""
    turned = np.asarray(rays @ pose.turn, np.float32)
    start = np.asarray((camera.place - pose.centre) @ pose.turn / pose.edge, np.float32)
    points, hit = _meet(start, turned, look)
    bgr, top = np.zeros_like(rays), np.zeros(len(rays), np.float32)
    here = np.flatnonzero(hit)
    if not len(here):
        return bgr, hit.astype(np.float32), top
    points, turned = points[here], turned[here]
    ink, rim, tilt, lone, face = _pips(points, pose, look)
    normal = _unit(_normals(points, look) + tilt + look.bulge * 2 * points)
    paint = np.where(lone[:, None], look.lone_pip, look.pip)
    base = _body(points, look)
    base = base + (paint - base) * ink[:, None]
    base = base + (1 - base) * rim[:, None]
    high = (points @ pose.turn.T)[:, 2]
    light, shine = _light(normal @ pose.turn.T, rays[here], look, lamps)
    light *= np.clip(0.8 + 0.5 * (high + 0.5), 0.6, 1)
    bgr[here] = np.clip(base * light[:, None] + shine[:, None], 0, 1)
    top[here] = face == 4
    return bgr, hit.astype(np.float32), top


def _light(normal: Float32, rays: Float32, look: Look, lamps: Lamps) -> tuple[Float32, Float32]:
    """Light on points with these outward directions, and the shine on them, both `(N,)`."""
    light = lamps.ambient * (0.72 + 0.28 * normal[:, 2])
    mirrored = rays - 2 * _dot(rays, normal)[:, None] * normal
    shine = np.zeros(len(normal), np.float32)
    for direction, strength in zip(lamps.directions, lamps.strengths, strict=True):
        light = light + strength * np.maximum(normal @ direction, 0)
        glint = np.maximum(mirrored @ direction, 0) ** look.sharpness
        shine += look.gloss * strength * glint
    for direction, width, strength in (lamps.window, *lamps.more_windows):
        shine += look.gloss * strength * np.clip((mirrored @ direction - width) / (1 - width) * 4, 0, 1)
    for direction, radius, half, strength in lamps.ring_lamps:
        off = np.abs(np.arccos(np.clip(mirrored @ direction, -1, 1)) - radius)
        shine += look.gloss * strength * np.clip((half - off) / half * 2, 0, 1)
    return np.asarray(light, np.float32), shine
