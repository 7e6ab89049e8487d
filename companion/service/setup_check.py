"""Judges pictures for the set-up: whether the board is found, is empty, and whether a lesson lies right.

The set-up's own view of the board reads them, so that what was shown and what is believed stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

import cv2
import numpy as np

from companion.games.watching import Kind, Observation, Square, Tile
from companion.service.odd_squares import groups_of, odd_squares
from companion.service.senses.sense import Corners
from hardware.arrays import Float64, Gray, Mask, Picture
from hardware.vision.board import overlay, teaching
from hardware.vision.board.board_view import BoardView, Seen
from hardware.vision.board.hindrances import is_blurred
from hardware.vision.board.reader_state import ReaderState
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
    marker_pairs,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers, to_gray
from hardware.vision.register.rectify import INNER
from hardware.vision.register.sharpness import edge_widths
from web.camera_port import (
    Advice,
    EmptyCheck,
    Hindrance,
    LessonCheck,
    MarkerCheck,
    PictureCheck,
    Polygon,
    TileCheck,
)

STEP_PX = 8
"""One px in this many, each way, is looked at for the light."""
DARK_LEVEL = 70
"""The gray level, of 255, that the brightest tenth of a picture must reach; below it the table is too dark.

The virtual table reaches 200, with its lamp at a fifth 50.
"""
BRIGHT_LEVEL = 250
"""The gray level from which on a px is burnt out."""
BRIGHT_SHARE = 0.3
"""The share of burnt out px from which on the table is too bright."""
NOT_EMPTY = 5.0
"""The mean log-density as an empty square below which something lies on it.

In the lessons of the rendered and photographed beds, empty squares have 6 to 10, and those under tiles less
than 4.5, apart from tiles of the bed's own colour: those are learnt when a person says that they lie there.
"""
LIES_RIGHT = 0.9
"""The share of a tile's squares that must be covered for it to lie in its place."""
LIES_THERE = 0.2
"""The share from which on something lies there at all."""
NEAR_SQUARES = 1
"""The squares around a lesson's tiles that their tails and shadows may reach."""
THING_SQUARES = 2
"""The number of covered squares in one place, away from a lesson's tiles, that is a thing."""
HAND_SQUARES = 2
"""The number of covered squares of the frame that is a hand."""

Marks = dict[int, Float64]
"""The markers' corners in px by number, shape (4, 2) each."""


def light_advice(gray: Gray) -> tuple[Advice, ...]:
    """What is wrong with the light of a picture."""
    levels = gray[::STEP_PX, ::STEP_PX]
    if np.percentile(levels, 90) < DARK_LEVEL:
        return ("dark",)
    return ("bright",) if (levels >= BRIGHT_LEVEL).mean() > BRIGHT_SHARE else ()


def check_picture(
    picture: Picture,
    scene: Scene,
    corners_px: Corners | None,
    last: Homography | None = None,
    *,
    empty_shown: bool,
) -> PictureCheck:
    """Judge a picture: its light and sharpness, the markers, and how well the grid fits them.

    `last` is where the board was located before: blur may hide the markers, so their edges are measured
    there.
    """
    gray = to_gray(picture)
    height, width = gray.shape
    markers = find_markers(gray, scene.marker_dictionary)
    homography = _located(scene, markers, (width, height), corners_px)
    advice = light_advice(gray)
    at = homography or last
    if at is not None and not advice:
        widths = edge_widths(gray, scene, markers or expected_markers(scene, at))
        if is_blurred(widths.values(), at.square_px(scene)):
            advice = ("blurred",)
    return PictureCheck(
        width,
        height,
        scene.rows,
        scene.cols,
        blocked=scene.blocked,
        advice=advice,
        markers=_marker_checks(scene, markers, homography, (width, height)),
        grid=() if homography is None else overlay.grid_lines(scene, homography),
        fit_px=_fit_px(scene, markers, homography),
        by_hand=corners_px is not None,
        empty_shown=empty_shown,
    )


def _located(
    scene: Scene, markers: Marks, size: tuple[int, int], corners_px: Corners | None
) -> Homography | None:
    try:
        if corners_px is not None:
            return homography_from_corners(scene, corners_px, Lens(*size))
        return homography_from_markers(scene, markers, lens_from_markers(scene, size, [markers]))
    except HomographyError:
        return None


def _fit_px(scene: Scene, markers: Marks, homography: Homography | None) -> float | None:
    squares, px = marker_pairs(scene, markers)
    if homography is None or len(squares) < 8:
        return None
    off = np.linalg.norm(homography.picture_points(squares) - px, axis=1)
    return round(float(np.sqrt((off**2).mean())), 2)


def _marker_checks(
    scene: Scene, markers: Marks, homography: Homography | None, size: tuple[int, int]
) -> tuple[MarkerCheck, ...]:
    expected = {} if homography is None else expected_markers(scene, homography)
    checks = []
    for number in sorted(scene.markers_in_cells):
        if number in markers:
            checks.append(MarkerCheck(number, "seen", _polygon(markers[number])))
        elif number not in expected:
            checks.append(MarkerCheck(number, "unseen"))
        else:
            inside = (expected[number] > 0).all() and (expected[number] < size).all()
            state = "covered" if inside else "outside"
            checks.append(MarkerCheck(number, state, _polygon(expected[number])))  # type: ignore[arg-type]
    return tuple(checks)


def _polygon(corners: Float64) -> Polygon:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


class BoardCheck:
    """Judges pictures of one board, compared with what was shown of it. Safe from any thread."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._lock = Lock()
        self._view = BoardView(scene)
        self._state: ReaderState | None = None

    def empty(self, picture: Picture, corners_px: Corners | None) -> EmptyCheck:
        """Whether a picture shows the empty board, as far as can be told before that was shown."""
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
        """Whether these tiles lie in their places; `state` is what was shown of the empty board.

        Raises `SceneError` for tiles that do not fit on the board together.
        """
        tiles = teaching.teaching_places(self.scene, owner, kinds)
        with self._lock:
            try:
                seen = self._seen(picture, corners_px, state)
            except HomographyError:
                return LessonCheck("markers")
            covered = seen.empty.whole < NOT_EMPTY
            if self._view.is_blurred():
                return LessonCheck("blurred", self._tile_checks(tiles, covered[INNER]))
            if _frame_of(covered) >= HAND_SQUARES:
                return LessonCheck("hand", self._tile_checks(tiles, covered[INNER]))
            things = groups_of(covered[INNER] & ~self._near(tiles), THING_SQUARES)
            return LessonCheck("", self._tile_checks(tiles, covered[INNER]), self._outlines(things))

    def _seen(self, picture: Picture, corners_px: Corners | None, state: ReaderState) -> Seen:
        if self._state is None or self._state.colours is not state.colours:
            self._view = BoardView(self.scene)
            self._view.restore(state)
            self._state = state
        taken: list[Seen] = []

        def take(seen: Seen) -> Observation:
            taken.append(seen)
            return Observation()

        self._view.forget_picture()
        self._view.read(picture, corners_px, "", take, same_light=True)
        return taken[-1]

    def _near(self, tiles: Sequence[Tile]) -> Mask:
        """The squares under a lesson's tiles, and those that their tails may reach."""
        own = np.zeros((self.scene.rows, self.scene.cols), np.uint8)
        for tile in tiles:
            for row, col in tile.cells:
                own[row, col] = 1
        side = 2 * NEAR_SQUARES + 1
        return np.asarray(cv2.dilate(own, np.ones((side, side), np.uint8)) > 0)

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


def _frame_of(covered: Mask) -> int:
    """The number of covered squares on the frame around the board, without its corners."""
    sides = (covered[0, 1:-1], covered[-1, 1:-1], covered[1:-1, 0], covered[1:-1, -1])
    return sum(int(side.sum()) for side in sides)
