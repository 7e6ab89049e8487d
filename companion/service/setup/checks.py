"""Judges pictures for the set-up: the board's place, its emptiness, and a lesson's tiles.

The set-up has its own view of the board, so that the table's lessons and beliefs stay as they are.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Literal

import cv2
import msgspec
import numpy as np

from companion.games.watching import Kind, Square, Tile
from companion.service.camera_status import Point
from companion.service.senses.board import Corners
from hardware import pictures
from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.light import levels_of
from hardware.vision.board import overlay
from hardware.vision.board.board_view import BoardView, Seen
from hardware.vision.board.faces import Face
from hardware.vision.board.illumination import DARK
from hardware.vision.board.reader_state import ReaderState
from hardware.vision.board.scene import Scene, teaching_places
from hardware.vision.board.search import TileName
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    homography_from_corners,
    marker_pairs,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.locate import Located, locate
from hardware.vision.register.markers import to_gray
from hardware.vision.register.rectify import INNER
from hardware.vision.register.sharpness import edge_widths, is_blurred

Polygon = tuple[Point, ...]


class MarkerCheck(msgspec.Struct, frozen=True):
    """One of the board's markers: its number, its state, and its real or expected outline.

    `unseen`: it is not found, and too few others are to expect its place.
    """

    number: int
    state: Literal["seen", "covered", "outside", "unseen"]
    outline: Polygon = ()


Advice = Literal["dark", "bright", "blurred"]

Hindrance = Literal["", "markers", "moving", "blurred", "hand", "tile"]
"""Obstacles to learning from a picture; or empty."""


class PictureCheck(msgspec.Struct, frozen=True):
    """The newest picture, judged for the set-up.

    `grid` has a polyline in px for each line between squares; it is empty without a located board. `fit_px`
    is the markers' distance from their expected places (RMS); None with fewer than two markers. `by_hand`: a
    person has set the corners. `blocked` are squares (row, column) that show which side of the board is up.
    """

    width: int
    height: int
    rows: int
    cols: int
    blocked: tuple[tuple[tuple[int, int], ...], ...] = ()
    advice: tuple[Advice, ...] = ()
    markers: tuple[MarkerCheck, ...] = ()
    grid: tuple[tuple[Point, ...], ...] = ()
    fit_px: float | None = None
    by_hand: bool = False
    empty_shown: bool = False


class EmptyCheck(msgspec.Struct, frozen=True):
    """The newest picture, judged as the empty board; `things` outlines objects on it."""

    hindrance: Hindrance = ""
    things: tuple[Polygon, ...] = ()


class TileCheck(msgspec.Struct, frozen=True):
    """A tile of a lesson, and its place."""

    kind: Kind = msgspec.field(name="digit")
    state: Literal["right", "beside", "missing"]
    outline: Polygon


class LessonCheck(msgspec.Struct, frozen=True):
    """The newest picture, judged as a lesson; `things` outlines other objects on the board."""

    hindrance: Hindrance = ""
    tiles: tuple[TileCheck, ...] = ()
    things: tuple[Polygon, ...] = ()


class LearntTile(msgspec.Struct, frozen=True):
    """A learnt tile with its upright picture as a `data:` address."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    picture: str


NOT_EMPTY = 5.0
"""The mean log-density as an empty square below which something lies on it.

Empty squares have 6 to 10, those under tiles less than 4.5, except tiles of the bed's own colour.
"""
LIES_RIGHT = 0.9
"""The share of a tile's squares that must be covered."""
LIES_THERE = 0.2
"""The share that shows that something lies there."""
NEAR_SQUARES = 1
"""The reach of tails and shadows around a lesson's tiles, in squares."""
THING_SQUARES = 2
"""The fewest covered squares that make a thing, away from a lesson's tiles."""
HAND_SQUARES = 2
"""The fewest covered squares of the frame that make a hand."""

ODD = 0.08
"""The distance (logarithms) of a square's mean colour from the rest of the board that makes it odd.

On 23 empty beds these two values invent no tile; of 42 with tiles they notice 26.
"""
ODD_IN_GRAIN = 3.5
"""The same as a multiple of the median distance, for boards with a strong print."""
FITS = 8
FEWEST_SQUARES = 3
"""The fewest squares of a group on a board without shapes of tiles."""

Marks = dict[int, Float64]
"""Markers' corners in px by number, shape (4, 2) each."""

LARGER = 2
BESIDE = 255


def check_picture(
    picture: Picture,
    scene: Scene,
    corners_px: Corners | None,
    last: Homography | None = None,
    *,
    empty_shown: bool,
) -> PictureCheck:
    """Judge a picture: its light and sharpness, the markers, and the grid's fit.

    `last` is the board's former place: blur may hide the markers, so their edges are measured there.
    """
    gray = to_gray(picture)
    seen = locate(gray, scene)
    homography = seen.homography
    if corners_px is not None:
        homography = homography_from_corners(scene, corners_px, Lens(*seen.size))
    light = levels_of(picture).exposure.advice
    advice: tuple[Advice, ...] = (light,) if light else ()
    board = homography or last
    if board is not None and not advice:
        widths = edge_widths(gray, scene, seen.markers or expected_markers(scene, board))
        if is_blurred(widths.values(), board.square_px(scene)):
            advice = ("blurred",)
    return PictureCheck(
        *seen.size,
        scene.rows,
        scene.cols,
        blocked=scene.blocked,
        advice=advice,
        markers=_marker_checks(scene, seen, homography),
        grid=() if homography is None else overlay.grid_lines(scene, homography),
        fit_px=_fit_px(scene, seen.markers, homography),
        by_hand=corners_px is not None,
        empty_shown=empty_shown,
    )


def _fit_px(scene: Scene, markers: Marks, homography: Homography | None) -> float | None:
    squares, px = marker_pairs(scene, markers)
    if homography is None or len(squares) < 8:
        return None
    off = np.linalg.norm(homography.picture_points(squares) - px, axis=1)
    return round(float(np.sqrt((off**2).mean())), 2)


def _marker_checks(scene: Scene, seen: Located, homography: Homography | None) -> tuple[MarkerCheck, ...]:
    expected = {} if homography is None else expected_markers(scene, homography)
    checks = []
    for number in sorted(scene.markers_in_cells):
        if number in seen.markers:
            checks.append(MarkerCheck(number, "seen", _polygon(seen.markers[number])))
        elif number not in expected:
            checks.append(MarkerCheck(number, "unseen"))
        else:
            inside = (expected[number] > 0).all() and (expected[number] < seen.size).all()
            state = "covered" if inside else "outside"
            checks.append(MarkerCheck(number, state, _polygon(expected[number])))  # type: ignore[arg-type]
    return tuple(checks)


def _polygon(corners: Float64) -> Polygon:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


class BoardCheck:
    """Judges pictures of one board by its lessons. Safe from any thread."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._lock = Lock()
        self._view = BoardView(scene)
        self._state: ReaderState | None = None

    def empty(self, picture: Picture, corners_px: Corners | None) -> EmptyCheck:
        """Check that the board looks empty, before an empty-board reference exists."""
        with self._lock:
            view = self._view
            try:
                hindrance: Hindrance = view.hindrance(picture, corners_px)  # type: ignore[assignment]
                colours, _ = view.samples(picture, corners_px)
            except HomographyError:
                return EmptyCheck("markers")
            if hindrance:
                return EmptyCheck(hindrance)
            things = odd_squares(colours[INNER], self.scene)
            return EmptyCheck("tile" if things else "", self._outlines(things))

    def lesson(
        self,
        picture: Picture,
        corners_px: Corners | None,
        state: ReaderState,
        owner: str,
        kinds: Iterable[Kind],
    ) -> LessonCheck:
        """Check that these tiles lie in their places; `state` is the empty-board reference.

        Raises `SceneError` for tiles that do not fit on the board together.
        """
        tiles = teaching_places(self.scene, owner, kinds)
        with self._lock:
            try:
                seen = self._seen(picture, corners_px, state)
            except HomographyError:
                return LessonCheck("markers")
            covered = seen.empty.whole < NOT_EMPTY
            if self._view.is_blurred():
                return LessonCheck("blurred", self._tile_checks(tiles, covered[INNER]))
            sides = (covered[0, 1:-1], covered[-1, 1:-1], covered[1:-1, 0], covered[1:-1, -1])
            if sum(int(side.sum()) for side in sides) >= HAND_SQUARES:
                return LessonCheck("hand", self._tile_checks(tiles, covered[INNER]))
            things = groups_of(covered[INNER] & ~self._near(tiles), THING_SQUARES)
            return LessonCheck("", self._tile_checks(tiles, covered[INNER]), self._outlines(things))

    def _seen(self, picture: Picture, corners_px: Corners | None, state: ReaderState) -> Seen:
        if self._state is None or self._state.colours is not state.colours:
            self._view = BoardView(self.scene)
            self._view.restore(state)
            self._state = state
        return self._view.see(picture, corners_px, same_light=True)

    def _near(self, tiles: Sequence[Tile]) -> Mask:
        covered = np.zeros((self.scene.rows, self.scene.cols), np.uint8)
        for tile in tiles:
            for row, col in tile.cells:
                covered[row, col] = 1
        side = 2 * NEAR_SQUARES + 1
        return np.asarray(cv2.dilate(covered, np.ones((side, side), np.uint8)) > 0)

    def _tile_checks(self, tiles: Iterable[Tile], covered: Mask) -> tuple[TileCheck, ...]:
        checks = []
        for tile in tiles:
            share = float(np.mean([covered[cell] for cell in tile.cells]))
            state = "right" if share >= LIES_RIGHT else "beside" if share >= LIES_THERE else "missing"
            checks.append(TileCheck(tile.kind, state, self._outline(tile.cells)))  # type: ignore[arg-type]
        return tuple(checks)

    def _outlines(self, things: Iterable[Iterable[Square]]) -> tuple[Polygon, ...]:
        return tuple(self._outline(cells) for cells in things)

    def _outline(self, cells: Iterable[Square]) -> Polygon:
        homography = self._view.homography
        return () if homography is None else overlay.outline(cells, homography)


def odd_squares(colours: Float32, scene: Scene) -> tuple[tuple[Square, ...], ...]:
    """Groups of squares that stand out from the rest of an unknown board.

    Each group is at least as large as the smallest tile. Prints may stand out as well, so a person has the
    last word. `colours`, shape (rows, cols, samples, 3), as from `BoardView.samples`, without the frame.
    Known prints (`blocked`) are left out.
    """
    mean = colours.mean(axis=2).astype(np.float64)
    open_squares = ~scene.blocked_mask
    distances = _distances(mean, open_squares)
    limit = max(ODD, ODD_IN_GRAIN * float(np.median(distances[open_squares])))
    sizes = [len(shapes[0].squares) for shapes in scene.shapes.values()]
    return groups_of((distances > limit) & open_squares, min(sizes, default=FEWEST_SQUARES))


def groups_of(squares: Mask, fewest: int) -> tuple[tuple[Square, ...], ...]:
    """Groups of at least `fewest` squares joined by edges."""
    count, labels = cv2.connectedComponents(squares.astype(np.uint8), connectivity=4)
    groups: Iterable[list[list[int]]] = (np.argwhere(labels == n).tolist() for n in range(1, count))
    return tuple(tuple((row, col) for row, col in group) for group in groups if len(group) >= fewest)


def _distances(mean: Float64, counted: Mask) -> Float64:
    """The distance of each square's colour from the others' prediction, shape (rows, cols)."""
    rows, cols = np.indices(counted.shape)
    terms = np.stack([np.ones(counted.shape), rows, cols, rows * cols], axis=-1)
    weights = np.ones(counted.shape)
    distances = np.zeros(counted.shape)
    # Light changes slowly along the board; what stands out must not bend the fit.
    for _ in range(FITS):
        by = weights[counted][:, None]
        factors, *_rest = np.linalg.lstsq(terms[counted] * by, mean[counted] * by, rcond=None)
        distances = np.linalg.norm(mean - terms @ factors, axis=-1)
        scale = 2 * float(np.median(distances[counted])) + 1e-6
        weights = 1 / (1 + (distances / scale) ** 2)
    return distances


def learnt_tile(name: TileName, face: Face) -> LearntTile:
    """A learnt tile with its face as a PNG."""
    owner, kind = name
    picture = colours_of(face.colours)
    picture[face.squares < 0] = BESIDE
    large = cv2.resize(picture, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
    png = base64.b64encode(pictures.png(np.asarray(large, np.uint8))).decode()
    return LearntTile(owner, kind, f"data:image/png;base64,{png}")


def colours_of(samples: Float32) -> Picture:
    """The colours BGR of samples (luma and two chromas, as logarithms, shape (..., 3))."""
    luma, blue, red = np.moveaxis(np.asarray(samples, np.float64), -1, 0)
    green = luma - (blue + red) / 3
    logarithms = np.stack([green + blue, green, green + red], axis=-1)
    return np.asarray(np.clip(np.exp(logarithms) - DARK, 0, 255), np.uint8)
