"""Watches for changes since the set-up: the light, the camera's place, a lost marker.

A fault that stops the reading has its own name. These come slowly, or are read all the same, so nobody
notices them until readings get worse.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from time import time
from typing import Literal

import msgspec
import numpy as np

from companion.kept_state import KeptState
from hardware.arrays import Picture
from hardware.light import Exposure, levels_of
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import grid_corners
from hardware.vision.register.locate import locate
from hardware.vision.register.markers import to_gray

Change = Literal["", "dark", "bright", "moved", "marker"]


class Drift(msgspec.Struct, frozen=True):
    """A lasting change since the set-up.

    `marker` is the number of the lost marker, `since` the time of the notice (seconds since 1970).
    """

    what: Change = ""
    marker: int = 0
    since: int = 0


EVERY_S = 5.0
"""Seconds between two looks, each a tenth of a second on a small Pi."""
LASTS_S = 15.0
"""Seconds of a lasting change: hands and cups come and go."""
MOVED_SQUARES = 1.0
"""The shift of the board in the picture, in squares, that counts as moved."""


class SetUp(msgspec.Struct, frozen=True):
    """The set-up's picture: its light, the grid's corners in px, its markers."""

    width: int
    height: int
    level: float
    corners_px: tuple[tuple[float, float], ...] = ()
    markers: tuple[int, ...] = ()
    exposure: Exposure = Exposure.FINE


class DriftWatch:
    """Compares pictures with the set-up's, which it keeps in `file`. Not thread-safe."""

    def __init__(self, file: Path | None) -> None:
        self._kept = KeptState(file, SetUp)
        self._set_up = self._kept.load()
        self._looked_s = -inf
        self._seen: tuple[Change, int] = ("", 0)
        self._since_s = 0.0
        self.drift = Drift()

    def set_up(self, picture: Picture, scene: Scene) -> None:
        """Keep this picture as the set-up's."""
        located = locate(to_gray(picture), scene)
        homography = located.homography
        levels = levels_of(picture)
        corners = [] if homography is None else homography.picture_points(grid_corners(scene)).tolist()
        self._set_up = SetUp(
            *located.size,
            levels.median,
            tuple((x, y) for x, y in corners),
            tuple(sorted(located.markers.keys() & scene.markers_in_cells.keys())),
            levels.exposure,
        )
        self.drift, self._seen = Drift(), ("", 0)
        self._kept.save(self._set_up)

    def forget(self) -> None:
        """Forget the set-up and its changes."""
        self._set_up, self.drift = None, Drift()
        self._kept.forget()

    def compare(self, picture: Picture, scene: Scene, at_s: float) -> bool:
        """Look at a picture, if it is time. Returns whether `drift` has changed."""
        if self._set_up is None or at_s - self._looked_s < EVERY_S:
            return False
        self._looked_s = at_s
        seen = self._change(picture, scene, self._set_up)
        if seen != self._seen:
            self._seen, self._since_s = seen, at_s
        before = self.drift
        what, marker = seen
        if not what:
            self.drift = Drift()
        elif at_s - self._since_s >= LASTS_S and (before.what, before.marker) != seen:
            self.drift = Drift(what, marker, int(time()))
        return self.drift != before

    def _change(self, picture: Picture, scene: Scene, before: SetUp) -> tuple[Change, int]:
        light = levels_of(picture).change_from(before.exposure, before.level)
        if light:
            return light, 0
        gray = to_gray(picture)
        located = locate(gray, scene)
        homography = located.homography
        if homography is None or gray.shape != (before.height, before.width):
            return "", 0
        if before.corners_px:
            off = homography.picture_points(grid_corners(scene)) - np.array(before.corners_px)
            if float(np.abs(off).max()) > MOVED_SQUARES * homography.square_px(scene):
                return "moved", 0
        lost = [
            marker
            for marker in before.markers
            if marker not in located.markers and marker in scene.markers_in_cells
        ]
        return ("marker", lost[0]) if lost else ("", 0)
