"""Beds that the tests draw: a crude bed seen by a tilted camera, with whatever a test lays on it."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.this_bed_is_mine.sighting import BedTurns
from companion.games.watching import Tile
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from lab.bench.vision import bench_scene

PX = 40
WIDTH, HEIGHT = 1280, 960
SEEN = ((350, 60), (960, 90), (1040, 900), (240, 880))
BUMPED = ((342, 71), (950, 98), (1036, 911), (233, 893))
SCENE = bench_scene()
LESSONS = tuple(
    tuple(Tile(owner, digit, 0, row, col) for digit, row, col in places)
    for owner in ("cat", "dog")
    for places in (
        ((1, 2, 0), (2, 2, 4), (3, 2, 8), (4, 8, 0), (5, 8, 4), (6, 8, 8)),
        ((7, 2, 0), (8, 2, 4), (9, 2, 8)),
    )
)


def coat(tile: Tile) -> Picture:
    """The coat of a tile: a colour, and spots or stripes of another, its own; shape (5 PX, 3 PX, 3)."""
    random = np.random.default_rng(tile.kind * 2 + (tile.owner == "dog"))
    one, two = (random.integers(40, 235, 3) for _ in range(2))
    size = int(random.integers(3, 9))
    mask = cv2.resize(random.random((5 * size, 3 * size)).astype(np.float32), (3 * PX, 5 * PX)) > 0.5
    return np.where(mask[..., None], one, two).astype(np.uint8)


def lay(
    flat: Picture, tile: Tile, scene: Scene, *, flipped: bool = False, off: tuple[float, float] = (0, 0)
) -> None:
    """Draws a tile in its coat; `off`: how far it is shifted, in squares, (down, right)."""
    drawing = scene.tile_shapes[tile.kind]
    rows, cols = len(drawing), max(map(len, drawing))
    shape = np.array([[mark == "#" for mark in line.ljust(cols)] for line in drawing])
    face = coat(tile)[: rows * PX, : cols * PX].copy()
    mask = np.kron(shape, np.ones((PX, PX), dtype=bool))
    if flipped:
        mask, face = mask[:, ::-1], np.full_like(face, (150, 160, 165))
    face, mask = np.rot90(face, -tile.turns), np.rot90(mask, -tile.turns)
    top, left = round((tile.row + 2 + off[0]) * PX), round((tile.col + 2 + off[1]) * PX)
    height, width = mask.shape
    under = flat[top : top + height, left : left + width]
    under[mask[: under.shape[0], : under.shape[1]]] = face[mask][: int(mask.sum())]


Careless = tuple[Tile, tuple[float, float], float]
"""A tile, how far off its squares it lies (down, right), and how far it is turned, in degrees."""


def lay_carelessly(
    flat: Picture, tile: Tile, scene: Scene, shift: tuple[float, float], turn_deg: float
) -> None:
    """Draws a tile in its coat, shifted by parts of a square and turned by a few degrees about its middle."""
    alone = np.zeros_like(flat)
    lay(alone, tile, scene)
    covered = np.zeros(flat.shape[:2], dtype=np.uint8)
    for row, col in scene.cells_of(tile):
        covered[(row + 2) * PX : (row + 3) * PX, (col + 2) * PX : (col + 3) * PX] = 255
    rows, cols = np.nonzero(covered)
    middle = (float(cols.mean()), float(rows.mean()))
    move = cv2.getRotationMatrix2D(middle, turn_deg, 1)
    move[:, 2] += (shift[1] * PX, shift[0] * PX)
    size = (flat.shape[1], flat.shape[0])
    mask = cv2.warpAffine(covered, move, size) > 127
    flat[mask] = cv2.warpAffine(alone, move, size, borderMode=cv2.BORDER_REPLICATE)[mask]


def picture(
    tiles: tuple[Tile, ...] = (),
    *,
    noise: int = 0,
    corners: tuple[tuple[int, int], ...] = SEEN,
    gain: float = 1.0,
    hand: bool = False,
    glare: tuple[int, int] | None = None,
    glare_px: int = 40,
    hidden: tuple[int, ...] = (),
    flipped: tuple[Tile, ...] = (),
    off: tuple[tuple[Tile, tuple[float, float]], ...] = (),
    chips: tuple[tuple[int, int], ...] = (),
    careless: tuple[Careless, ...] = (),
    mirrored: tuple[float, float, float, float] | None = None,
    beyond: tuple[int, int, int] = (70, 60, 60),
    scene: Scene = SCENE,
) -> Picture:
    """The bed as a camera would see it: BGR, 960 × 1280.

    `mirrored`: where its cover mirrors a wall, under the tiles: row, col, rows and columns in squares.
    `beyond`: the colour of the table.
    """
    flat = _bare(scene, hidden)
    if mirrored is not None:
        top, left, high, wide = (round(side * PX) for side in mirrored)
        flat[top + 2 * PX :, left + 2 * PX :][:high, :wide] = (100, 104, 110)
    for tile in tiles:
        lay(flat, tile, scene)
    for tile in flipped:
        lay(flat, tile, scene, flipped=True)
    for tile, shift in off:
        lay(flat, tile, scene, off=shift)
    for tile, shift, turn_deg in careless:
        lay_carelessly(flat, tile, scene, shift, turn_deg)
    for row, col in chips:
        cv2.circle(
            flat, (round((col + 2.5) * PX), round((row + 2.5) * PX)), round(0.42 * PX), (190, 170, 240), -1
        )
    height, width = flat.shape[:2]
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(corners, dtype=np.float32))
    seen = cv2.warpPerspective(flat, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=beyond)
    if hand:
        cv2.line(seen, (1279, 500), (700, 480), (150, 40, 230), 130)
    if glare is not None:
        spot = np.zeros(seen.shape[:2], dtype=np.float32)
        cv2.circle(spot, glare, glare_px, 1.0, -1)
        seen = np.clip(seen + 200 * cv2.GaussianBlur(spot, (0, 0), 15)[..., None], 0, 255).astype(np.uint8)
    random = np.random.default_rng(noise)
    return np.clip(gain * seen + random.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


def _bare(scene: Scene, hidden: tuple[int, ...]) -> Picture:
    flat = np.full(((scene.rows + 4) * PX, (scene.cols + 4) * PX, 3), (176, 196, 214), dtype=np.uint8)
    grid = flat[2 * PX : -2 * PX, 2 * PX : -2 * PX]
    grid[:] = (120, 170, 130)
    grid[::PX] = grid[1::PX] = (80, 120, 90)
    grid[:, ::PX] = grid[:, 1::PX] = (80, 120, 90)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, corners in scene.markers_in_cells.items():
        if number not in hidden:
            left, top = (round((value + 2) * PX) for value in corners[0])
            side = round((corners[1][0] - corners[0][0]) * PX)
            drawn = cv2.aruco.generateImageMarker(dictionary, number, side)
            flat[top : top + side, left : left + side] = drawn[..., None]
    return flat


def grid_corners_px(scene: Scene = SCENE) -> list[tuple[float, float]]:
    """The grid's corners in px of a drawn picture, as a person would set them."""
    height, width = (scene.rows + 4) * PX, (scene.cols + 4) * PX
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(SEEN, dtype=np.float32))
    right, bottom = width - 2 * PX, height - 2 * PX
    grid = np.array(
        [[(2 * PX, 2 * PX), (right, 2 * PX), (right, bottom), (2 * PX, bottom)]], dtype=np.float32
    )
    return [(float(x), float(y)) for x, y in cv2.perspectiveTransform(grid, matrix)[0]]


def turns(scene: Scene = SCENE) -> BedTurns:
    """The turn order of a bed."""
    return BedTurns({kind: places.masks for kind, places in scene.placements.items()}, scene.cols)


def taught_reader(scene: Scene = SCENE) -> TileReader:
    """A reader that was shown the empty bed and every tile."""
    reader = TileReader(scene, turns(scene))
    reader.see_empty(picture(noise=100, scene=scene))
    for number, lesson in enumerate(LESSONS):
        reader.teach(picture(lesson, noise=101 + number, scene=scene), lesson)
    return reader


def lying(tiles: tuple[object, ...]) -> set[tuple[object, ...]]:
    """Tiles as (owner, digit, row, col), to compare."""
    return {(tile.owner, tile.kind, tile.row, tile.col) for tile in tiles}  # type: ignore[attr-defined]
