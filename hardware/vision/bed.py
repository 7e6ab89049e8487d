"""Reads the bed, picture by picture: remembers what it was shown, believes what it has seen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from hardware.vision.coats import Coat, colour_boxes, grain_boxes
from hardware.vision.errors import PictureError, PoseError, ReferenceMissingError
from hardware.vision.lens import Floats, Lens
from hardware.vision.light import Colours, fit_light, samples, steepness
from hardware.vision.markers import Picture, find_markers
from hardware.vision.pose import (
    MARGIN,
    Pose,
    SquareOn,
    lens_from_markers,
    pose_from_corners,
    pose_from_markers,
)
from hardware.vision.reading import Alternative, Reading, TileSeen
from hardware.vision.scene import Scene, Square, TilePlaced, check_scene
from hardware.vision.squares import empty_likelihood
from hardware.vision.tiles import evidence, likely_boards

SCALE = 24
STILL_PX = 0.7
SURE_NATS = 4.0
Corners = Sequence[Sequence[float]]


class BedReader:
    """Reads pictures of one bed or board."""

    def __init__(self, scene: Scene) -> None:
        check_scene(scene)
        self.scene = scene
        self.coats: dict[tuple[str, int], Coat] = {}
        self.tiles: tuple[TileSeen, ...] = ()
        self._reference: Colours | None = None
        self._steep: Colours | None = None
        self._trusted = np.ones((scene.rows + 2 * MARGIN, scene.cols + 2 * MARGIN))
        self._trusted[1:-1, 1:-1][scene.pillow_mask] = 0
        self._lens: Lens | None = None
        self._square_on: SquareOn | None = None

    def see_empty(self, picture: Picture, corners_px: Corners | None = None) -> None:
        self._reference = self._look(picture, corners_px)
        self._steep = steepness(self._reference)

    def see_start(self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None) -> None:
        self.see_empty(picture, corners_px)
        for row, col in covered:
            self._trusted[row + MARGIN, col + MARGIN] = 0
        self._start = tuple(covered)

    def teach(self, picture: Picture, tiles: Iterable[TilePlaced], corners_px: Corners | None = None) -> None:
        if self._reference is None:
            raise ReferenceMissingError("x")
        seen = self._look(picture, corners_px)
        trusted = self._trusted.copy()
        tiles = list(tiles)
        for tile in tiles:
            for row, col in self.scene.cells_of(tile):
                trusted[row + MARGIN, col + MARGIN] = 0
        light = fit_light(self._reference, seen, trusted)
        grains = grain_boxes(seen)
        for tile in tiles:
            cells = np.array(self.scene.cells_of(tile)) + MARGIN
            at = cells[:, 0], cells[:, 1]
            self.coats[tile.owner, tile.digit] = Coat(
                (seen[at] - light.shift.astype(np.float32)).reshape(-1, 3), grains[at].ravel()
            )

    def _look(self, picture: Picture, corners_px: Corners | None) -> Colours:
        self._place(picture, corners_px)
        return samples(self._square_on(picture), self.scene)

    def _place(self, picture: Picture, corners_px: Corners | None) -> None:
        height, width = picture.shape[:2]
        if corners_px is not None:
            pose = pose_from_corners(self.scene, corners_px, self._lens or Lens(width, height))
        else:
            markers = find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), self.scene.marker_dictionary)
            if self._lens is None:
                self._lens = lens_from_markers(self.scene, (width, height), [markers])
            try:
                pose = pose_from_markers(self.scene, markers, self._lens)
            except PoseError:
                if self._square_on is None:
                    raise
                return
        if self._square_on is None or pose.shifted_from(self._square_on.pose, self.scene) > STILL_PX:
            self._square_on = SquareOn(self.scene, pose, SCALE)

    def read(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Reading:
        seen = self._look(picture, corners_px)
        light = fit_light(self._reference, seen, self._trusted)
        inner = slice(MARGIN, -MARGIN)
        empty = empty_likelihood(seen, light.expected(self._reference), self._steep, light)[inner, inner]
        if not self.coats:
            covered = tuple((int(r), int(c)) for r, c in np.argwhere(empty < 0.5))
            return Reading(image, False, "", (), (), covered, (), {})
        colours = colour_boxes(seen - light.shift.astype(np.float32))[inner, inner]
        said = evidence(self.scene, self.coats, empty + 1.8, colours, grain_boxes(seen)[inner, inner])
        boards = likely_boards(self.scene, said, 4)
        if not boards:
            return Reading(image, True, "unexplained", self.tiles, (), (), (), {})
        margin = boards[1].cost - boards[0].cost if len(boards) > 1 else 99.0
        self.tiles = tuple(TileSeen(t.owner, t.digit, t.turns, t.row, t.col, t.cells, 1.0) for t in boards[0].tiles)
        covered = tuple(cell for tile in self.tiles for cell in tile.cells)
        return Reading(image, margin < SURE_NATS, "" if margin >= SURE_NATS else "not-told-apart", self.tiles, (), covered, (), {})
