"""What has changed at the table since the camera was set up: the light, the camera's place, a lost marker.

A fault that stops the reading is said at once by its own name. These come slowly, or are read all the same,
so nobody notices them until readings get worse.
"""

from __future__ import annotations

import logging
from math import inf
from pathlib import Path
from time import time

import msgspec
import numpy as np

from companion import files, paths
from hardware.arrays import Gray, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    Homography,
    grid_corners,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.markers import find_markers, to_gray
from web.camera_port import Change, Drift

log = logging.getLogger(__name__)

EVERY_S = 5.0
"""Seconds between two looks: finding the markers takes a small Pi a tenth of a second."""
LASTS_S = 15.0
"""Seconds for which a change must last: hands and cups come and go."""
DARKER = 0.55
"""The share of the light at the set-up below which the table is too dark; a lamp of two switched off: 0.5."""
BRIGHTER = 1.5
"""The multiple of the light at the set-up above which the table is too bright."""
MOVED_SQUARES = 1.0
"""The shift of the board in the picture, in squares, from which on the camera or the board has moved."""
STEP_PX = 8
"""One px in this many, each way, is looked at for the light."""


class SetUp(msgspec.Struct, frozen=True):
    """The picture of the set-up: its light (median gray level), the grid's corners in px, its markers."""

    width: int
    height: int
    level: float
    corners_px: tuple[tuple[float, float], ...] = ()
    markers: tuple[int, ...] = ()


class DriftWatch:
    """Compares pictures with that of the set-up, which it keeps in `file`. Not thread-safe."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._set_up = self._read()
        self._looked_s = -inf
        self._seen: tuple[Change, int] = ("", 0)
        self._since_s = 0.0
        self.now = Drift()
        """What has changed, once it has lasted."""

    def _read(self) -> SetUp | None:
        try:
            return None if self._file is None else paths.read_kept(self._file, SetUp)
        except OSError as error:
            log.warning("The picture of the set-up is left aside: %s", error)
            return None

    def set_up(self, picture: Picture, scene: Scene) -> None:
        """Take this picture as that of the set-up."""
        gray = to_gray(picture)
        markers, homography = _located(gray, scene)
        height, width = gray.shape
        corners = [] if homography is None else homography.picture_points(grid_corners(scene)).tolist()
        self._set_up = SetUp(
            width, height, _level(gray), tuple((x, y) for x, y in corners), tuple(sorted(markers))
        )
        self.now, self._seen = Drift(), ("", 0)
        if self._file is not None:
            try:
                files.write_sealed(self._file, self._set_up)
            except OSError as error:
                log.warning("The picture of the set-up was not kept: %s", error)

    def forget(self) -> None:
        """Forget the set-up: nothing has changed since."""
        self._set_up, self.now = None, Drift()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def look(self, picture: Picture, scene: Scene, at_s: float) -> bool:
        """Look at a picture, if it is time to. Returns whether `now` has changed."""
        if self._set_up is None or at_s - self._looked_s < EVERY_S:
            return False
        self._looked_s = at_s
        seen = self._change(to_gray(picture), scene, self._set_up)
        if seen != self._seen:
            self._seen, self._since_s = seen, at_s
        before = self.now
        what, marker = seen
        if not what:
            self.now = Drift()
        elif at_s - self._since_s >= LASTS_S and (before.what, before.marker) != seen:
            self.now = Drift(what, marker, int(time()))
        return self.now != before

    def _change(self, gray: Gray, scene: Scene, before: SetUp) -> tuple[Change, int]:
        level = _level(gray)
        if level < DARKER * before.level:
            return "dark", 0
        if level > BRIGHTER * before.level:
            return "bright", 0
        markers, homography = _located(gray, scene)
        if homography is None or gray.shape != (before.height, before.width):
            return "", 0
        if before.corners_px:
            off = homography.picture_points(grid_corners(scene)) - np.array(before.corners_px)
            if float(np.abs(off).max()) > MOVED_SQUARES * homography.square_px(scene):
                return "moved", 0
        lost = [each for each in before.markers if each not in markers and each in scene.markers_in_cells]
        return ("marker", lost[0]) if lost else ("", 0)


def _level(gray: Gray) -> float:
    return float(np.median(gray[::STEP_PX, ::STEP_PX]))


def _located(gray: Gray, scene: Scene) -> tuple[dict[int, object], Homography | None]:
    """The markers of the board that are seen, and the board's homography by them."""
    markers = find_markers(gray, scene.marker_dictionary)
    size = gray.shape[1], gray.shape[0]
    try:
        homography = homography_from_markers(scene, markers, lens_from_markers(scene, size, [markers]))
    except HomographyError:
        homography = None
    return {number: markers[number] for number in markers if number in scene.markers_in_cells}, homography
