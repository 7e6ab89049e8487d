"""Draws the table as the virtual camera sees it.

There is no time and no chance here: the same table gives the same picture.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Tile
from companion.simulator import hands, kitchen, pieces
from companion.simulator.backdrop import blend, darken, paint_still
from companion.simulator.coats import DENSITY
from companion.simulator.dice import Die, draw_die
from companion.simulator.hands import HAND_Z, Hand
from companion.simulator.table_scene import TableScene, Thing
from companion.simulator.view import TABLE_Z, Roi, View, square_roi_points
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene, turn_squares

TILE_Z = 0.14
TAIL_Z = 0.3
CARRIED_Z = 0.7
SHADOW_SHIFT = (0.55, 0.75)
"""A shadow's shift to the right and down, in squares per square of height."""
LAMP = (0.38, 0.3)
"""The brightest point of the picture, as shares of its width and height."""
NOISE = 2.0
"""The sensor's noise, in levels of 255 (standard deviation)."""
NOISE_ROOM = 61
"""The margin of the sheet of noise around a picture, in px; each picture takes another part."""
WARMTH_STEP = 0.004
"""The step of the light's warmth; each new step computes a new lamp."""


class Marker(msgspec.Struct, frozen=True):
    """An owner's marker lying on a square."""

    owner: str
    row: float
    col: float


class Light(msgspec.Struct, frozen=True):
    """One picture's light: brightness (1: as drawn), warmth (0: as drawn), any number for the noise."""

    gain: float = 1.0
    warmth: float = 0.0
    noise: int = 0


class Table(msgspec.Struct, frozen=True):
    """Everything on the table at one moment."""

    tiles: tuple[Tile, ...] = ()
    dice: tuple[Die, ...] = ()
    markers: tuple[Marker, ...] = ()
    hand: Hand | None = None
    cup: tuple[float, float] | None = None
    """The centre of a cup on the board, (x, y) in squares."""
    ground: tuple[Thing, ...] = ()
    """Things under the pieces: slabs, cheese, …"""
    pieces: tuple[Thing, ...] = ()


def painter(scene: Scene, view: View) -> Painter:
    """The painter of a scene from a view; the last few are kept with their drawings."""
    return _painter(msgspec.json.encode(scene), view)


@lru_cache(maxsize=3)
def _painter(scene: bytes, view: View) -> Painter:
    return Painter(msgspec.json.decode(scene, type=TableScene, strict=False), view)


class Painter:
    """Draws tables of one scene from one view, and keeps what does not move."""

    def __init__(self, scene: TableScene, view: View) -> None:
        self.scene, self.view = scene, view
        self._empty = paint_still(scene, view)
        self._noise = _noise(view)
        self._bodies: tuple[tuple[Tile, ...], Picture] = ((), self._empty)
        self._ground: tuple[tuple[Thing, ...], Picture] = ((), self._empty)
        self._lying: tuple[Table, Picture] = (Table(), self._empty)
        self._lock = Lock()

    def paint(self, table: Table, light: Light) -> Picture:
        """The table in this light."""
        with self._lock:
            picture = self._still(msgspec.structs.replace(table, hand=None)).copy()
        if table.hand:
            self._draw_hand(picture, table.hand)
        return self._lit(picture, light)

    def _still(self, table: Table) -> Picture:
        """Everything except hand and light; kept while nothing moves."""
        if table == self._lying[0]:
            return self._lying[1]
        picture = (self._with_ground(table.ground) if table.ground else self._with_bodies(table.tiles)).copy()
        for tile in table.tiles:
            self._draw_tail(picture, tile, tile.row, tile.col, 0)
        for marker in table.markers:
            self._draw_flat(picture, pieces.marker(marker.owner), marker.col, marker.row, 0.12)
        for die in table.dice:
            draw_die(picture, self.view, die, TABLE_Z)
        for piece in sorted(table.pieces, key=lambda thing: thing.row):
            kitchen.draw_pawn(picture, self.view, piece)
        if table.cup:
            self._draw_flat(picture, pieces.cup(), table.cup[0] - 1.5, table.cup[1] - 1.5, 0.5)
        self._lying = (table, picture)
        return picture

    def _with_bodies(self, tiles: tuple[Tile, ...]) -> Picture:
        """The board with tiles, without tails; the last ones are kept."""
        drawn, picture = self._bodies
        if tiles[: len(drawn)] != drawn:
            drawn, picture = (), self._empty
        if len(tiles) > len(drawn):
            picture = picture.copy()
            for tile in tiles[len(drawn) :]:
                self._draw_body(picture, tile, tile.row, tile.col, 0)
        self._bodies = (tiles, picture)
        return picture

    def _with_ground(self, ground: tuple[Thing, ...]) -> Picture:
        """The board of a game of pieces, without the pieces; the last one is kept."""
        if ground != self._ground[0]:
            low, high = kitchen.board_drawing(self.scene.rows, self.scene.cols, ground)
            picture = self._empty.copy()
            corners = square_roi_points(0, 0, self.scene.cols, self.scene.rows, 0, 0)
            roi, corner = self.view.roi(corners), (0.0, 0.0)
            alpha = self.view.flat(np.full(low.shape[:2], 255, np.uint8), corner, kitchen.DENSITY, 0, roi)
            blend(picture, self.view.flat(low, corner, kitchen.DENSITY, 0, roi), alpha, roi)
            self._draw_flat(picture, high, 0, 0, kitchen.SLAB_Z)
            self._ground = (ground, picture)
        return self._ground[1]

    def _draw_body(self, picture: Picture, tile: Tile, row: float, col: float, lift: float) -> None:
        """A tile without its tail, `lift` squares above the board: its shadow, its rim, its face."""
        body = pieces.tile_body(tile.owner, tile.kind, self._shape(tile), tile.turns % 4)
        self._draw_flat(picture, body, col, row, TILE_Z, lift)

    def _draw_tail(self, picture: Picture, tile: Tile, row: float, col: float, lift: float) -> None:
        drawn = pieces.tile_tail(tile.owner, tile.kind, self._shape(tile), tile.turns % 4)
        if drawn is not None:
            tail, (x, y) = drawn
            self._draw_flat(picture, tail, col + x, row + y, TAIL_Z, lift, rim=False)

    def _shape(self, tile: Tile) -> tuple[str, ...]:
        shape = self.scene.tile_shapes.get(tile.kind)
        return tuple(shape) if shape else shape_of_cells(tile)

    def _draw_flat(
        self,
        picture: Picture,
        drawing: pieces.Rgba,
        x: float,
        y: float,
        height: float,
        lift: float = 0,
        *,
        rim: bool = True,
    ) -> None:
        """Draw a flat thing with its face `height` above the ground and its top left at (x, y) in squares."""
        size = drawing.shape[1] / DENSITY, drawing.shape[0] / DENSITY
        reach = (height + lift) * max(SHADOW_SHIFT) + 0.3
        box = square_roi_points(x, y, size[0] + reach, size[1] + reach, 0, height + lift)
        roi = self.view.roi(box)
        if roi.empty:
            return
        alpha = np.ascontiguousarray(drawing[..., 3])
        self._cast(picture, alpha, (x, y), height + lift, roi)
        rgb = np.ascontiguousarray(drawing[..., :3])
        if rim:
            low = self.view.flat(alpha, (x, y), DENSITY, lift + height * 0.4, roi)
            blend(picture, self.view.flat(rgb // 2, (x, y), DENSITY, lift + height * 0.4, roi), low, roi)
        top = self.view.flat(alpha, (x, y), DENSITY, lift + height, roi)
        blend(picture, self.view.flat(rgb, (x, y), DENSITY, lift + height, roi), top, roi)

    def _cast(
        self, picture: Picture, alpha: NDArray[np.uint8], middle: tuple[float, float], height: float, roi: Roi
    ) -> None:
        corner = middle[0] + SHADOW_SHIFT[0] * height, middle[1] + SHADOW_SHIFT[1] * height
        shadow = self.view.flat(alpha, corner, DENSITY, 0, roi, supersample=1)
        soft = cv2.GaussianBlur(shadow, (0, 0), 1.5 + 7 * height)
        darken(picture, np.asarray(soft, np.uint8), 0.5, roi)

    def _draw_hand(self, picture: Picture, hand: Hand) -> None:
        if hand.holds is not None:
            row, col = hand.holds_at
            self._draw_body(picture, hand.holds, row, col, CARRIED_Z)
            self._draw_tail(picture, hand.holds, row, col, CARRIED_Z)
        drawing = hands.hand_drawing(hand.owner)
        matrix = hands.hand_matrix(hand)
        shadow_shift = np.array([[1, 0, SHADOW_SHIFT[0]], [0, 1, SHADOW_SHIFT[1]], [0, 0, 1]])
        small = cv2.resize(drawing[..., 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        roi, shadow = self._placed(
            np.asarray(small, np.uint8), shadow_shift @ matrix @ np.diag([4.0, 4.0, 1]), 0.0
        )
        if not roi.empty:
            darken(picture, np.asarray(cv2.GaussianBlur(shadow, (0, 0), 9), np.uint8), 0.4, roi)
        roi, seen = self._placed(drawing, matrix, HAND_Z)
        if not roi.empty:
            blend(picture, np.ascontiguousarray(seen[..., :3]), np.ascontiguousarray(seen[..., 3]), roi)

    def _placed(
        self, drawing: NDArray[np.uint8], to_squares: NDArray[np.float64], z: float
    ) -> tuple[Roi, NDArray[np.uint8]]:
        """A drawing at height `z` above the table: its position and its pixels in an undistorted picture."""
        height, width = drawing.shape[:2]
        matrix = self.view.plane(z) @ to_squares
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64).reshape(-1, 1, 2)
        seen = cv2.perspectiveTransform(corners, matrix).reshape(-1, 2)
        low = np.clip(np.floor(seen.min(axis=0)), 0, (self.view.width, self.view.height)).astype(int)
        high = np.clip(np.ceil(seen.max(axis=0)), 0, (self.view.width, self.view.height)).astype(int)
        roi = Roi(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
        if roi.empty:
            return roi, drawing[:0, :0]
        shifted = np.array([[1, 0, -roi.x], [0, 1, -roi.y], [0, 0, 1.0]]) @ matrix
        return roi, np.asarray(cv2.warpPerspective(drawing, shifted, (roi.width, roi.height)), np.uint8)

    def _lit(self, picture: Picture, light: Light) -> Picture:
        warmth = round(light.warmth / WARMTH_STEP) * WARMTH_STEP
        lit = cv2.multiply(picture, _lamp(self.view, warmth), scale=light.gain / 200)
        y, x = (light.noise * 37) % NOISE_ROOM, (light.noise * 53) % NOISE_ROOM
        cut = slice(y, y + picture.shape[0]), slice(x, x + picture.shape[1])
        lighter, darker = self._noise
        cv2.add(lit, lighter[cut], lit)
        return np.asarray(cv2.subtract(lit, darker[cut], lit), np.uint8)


def shape_of_cells(tile: Tile) -> tuple[str, ...]:
    """The unturned shape of a tile by its squares; a single square if they are unknown."""
    if not tile.cells:
        return ("#",)
    top, left = min(row for row, _ in tile.cells), min(col for _, col in tile.cells)
    rows, cols = max(row for row, _ in tile.cells) - top + 1, max(col for _, col in tile.cells) - left + 1
    inside = [(row - top, col - left) for row, col in tile.cells]
    unturned = set(turn_squares(inside, rows, cols, -tile.turns % 4))
    if tile.turns % 2:
        rows, cols = cols, rows
    return tuple(
        "".join("#" if (row, col) in unturned else "." for col in range(cols)) for row in range(rows)
    )


@lru_cache(maxsize=2)
def _lamp(view: View, warmth: float) -> NDArray[np.uint8]:
    """The brightness of each px (200 = as drawn): a lamp's pool of light, darker corners; shape (H, W, 3)."""
    rows, cols = 60, 80
    across = (np.arange(cols, dtype=np.float32) / cols - LAMP[0])[None, :]
    down = (np.arange(rows, dtype=np.float32) / rows - LAMP[1])[:, None]
    bright = 1.1 - 0.42 * (across * across + down * down)
    warm = np.array((0.98 - warmth, 1.0, 1.015 + warmth), np.float32)
    coarse = np.clip(bright[..., None] * warm * 200, 0, 255).astype(np.float32)
    fine = cv2.resize(coarse, (view.width, view.height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine, np.uint8)


def _noise(view: View) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A sheet of noise larger than a picture: the levels to add, and those to subtract."""
    random = np.random.default_rng(17)
    size = view.height + NOISE_ROOM, view.width + NOISE_ROOM, 3
    soft = cv2.GaussianBlur(random.standard_normal(size, dtype=np.float32), (0, 0), 0.6) * 1.6 * NOISE
    return cv2.convertScaleAbs(np.maximum(soft, 0)), cv2.convertScaleAbs(np.minimum(soft, 0))
