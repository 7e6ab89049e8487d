"""Measures how fast reading is, against its floor, on pictures drawn here."""

from __future__ import annotations

from itertools import count

import cv2
import numpy as np

from companion.games.this_bed_is_mine.board import read_tiles
from companion.games.this_bed_is_mine.sighting import BedTurns
from companion.games.watching import Tile
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.register.markers import find_markers, to_gray
from hardware.vision.register.rectify import SCALE, Rectifier
from lab.bench.measure import Measure, measure

WIDTH, HEIGHT = 1280, 960
STILL_MS = 3.0
FLOORS = 2.0
NEW_TILES = 8
LAID = (
    Tile("cat", 4, 0, 6, 4),
    Tile("dog", 8, 1, 11, 4),
    Tile("cat", 2, 0, 6, 8),
    Tile("dog", 5, 0, 1, 1),
    Tile("cat", 7, 0, 0, 8),
)


def measures() -> list[Measure]:
    """A still picture against its limit; full readings, without and with a new tile, against their floor:
    marker detection, one warp and one difference.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _measures()
    finally:
        cv2.setNumThreads(threads)


def _measures() -> list[Measure]:
    scene = bench_scene()
    pictures = [draw_bed(scene, LAID, noise) for noise in (1, 2)]
    masks = {kind: places.masks for kind, places in scene.placements.items()}
    reader = TileReader(scene, BedTurns(masks, scene.cols))
    reader.see_empty(draw_bed(scene, (), 0))
    for owner in ("cat", "dog"):
        for tile in (tile for tile in LAID if tile.owner == owner):
            reader.teach(draw_bed(scene, (tile,), 3), (tile,))
    reader.read_board(pictures[0])
    unmoved = "read a picture in which nothing moved"
    still = measure(unmoved, lambda: reader.read_board(pictures[1]), limit_ms=STILL_MS)
    floor = measure("find markers, one warp, one difference", lambda: _floor(reader, scene, *pictures))
    turn = count()

    def changed() -> None:
        reader.view.forget_picture()
        reader.read_board(pictures[next(turn) % 2])

    floor_ms = floor.value_ms
    full = measure("read a picture in full", changed, floor_ms=floor_ms, limit_ms=FLOORS * floor_ms)
    laid = iter([_reader_before(reader) for _ in range(1 + NEW_TILES)])

    def tile_laid() -> None:
        next(laid).read_board(pictures[0])

    new = measure("read a picture with a new tile", tile_laid, floor_ms=floor_ms, samples=NEW_TILES)
    return [still, floor, full, new]


def _reader_before(reader: TileReader) -> TileReader:
    """A copy of the reader, which read the bed before its last tile was laid."""
    copy = TileReader.restore(reader.scene, reader.save(), reader.turn_order)
    copy.believe(LAID[:-1])
    copy.read_board(draw_bed(reader.scene, LAID[:-1], 4))
    return copy


def _floor(reader: TileReader, scene: Scene, picture: Picture, other: Picture) -> None:
    find_markers(to_gray(picture), scene.marker_dictionary)
    if reader.homography is not None:
        Rectifier(scene, reader.homography, SCALE)(picture)
    cv2.absdiff(picture, other)


def bench_scene() -> Scene:
    """A bed of 16 × 12 with four markers around it."""
    corners: dict[int, tuple[tuple[float, float], ...]] = {}
    for number, (x, y) in enumerate(((-1.9, -1.9), (12.3, -1.9), (12.3, 16.3), (-1.9, 16.3))):
        corners[number] = ((x, y), (x + 1.6, y), (x + 1.6, y + 1.6), (x, y + 1.6))
    return Scene(
        rows=16, cols=12, markers_in_cells=corners, tile_shapes=dict(read_tiles("digits").shapes.items())
    )


def draw_bed(scene: Scene, tiles: tuple[Tile, ...], noise: int) -> Picture:
    """A crude bed with tiles on it, as a tilted camera would see it; `noise` seeds the sensor's noise."""
    px = 40
    height, width = (scene.rows + 4) * px, (scene.cols + 4) * px
    flat = np.full((height, width, 3), (176, 196, 214), dtype=np.uint8)
    grid = flat[2 * px : -2 * px, 2 * px : -2 * px]
    grid[:] = (120, 170, 130)
    grid[::px] = grid[:, ::px] = (90, 130, 100)
    for tile in tiles:
        _draw_tile(flat, scene, tile, px)
    _draw_markers(flat, scene, px)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    seen = np.array([(350, 60), (960, 90), (1040, 900), (240, 880)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    shown = cv2.warpPerspective(flat, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=(70, 60, 60))
    random = np.random.default_rng(noise)
    return np.asarray(np.clip(shown + random.normal(0, 2, shown.shape), 0, 255), dtype=np.uint8)


def _draw_tile(flat: Picture, scene: Scene, tile: Tile, px: int) -> None:
    random = np.random.default_rng(int(tile.kind) * 2 + (tile.owner == "dog"))
    colour = random.integers(60, 230, 3)
    for row, col in scene.cells_of(tile):
        top, left = (row + 2) * px, (col + 2) * px
        spots = random.integers(-25, 25, (4, 4, 1))
        coat = np.clip(colour + cv2.resize(spots.astype(np.float32), (px, px))[..., None], 0, 255)
        flat[top : top + px, left : left + px] = coat.astype(np.uint8)


def _draw_markers(flat: Picture, scene: Scene, px: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, corners in scene.markers_in_cells.items():
        left, top = (round((value + 2) * px) for value in corners[0])
        side = round((corners[1][0] - corners[0][0]) * px)
        drawn = cv2.aruco.generateImageMarker(dictionary, number, side)
        flat[top : top + side, left : left + side] = drawn[..., None]
