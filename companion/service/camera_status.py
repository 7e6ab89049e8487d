"""The camera's last reading, as a frozen value that the vision loop publishes, so that pages need no lock."""

from __future__ import annotations

import cv2
import msgspec

from companion.games.watching import Kind, Observation, Tile
from hardware.arrays import Picture
from hardware.camera import health
from hardware.camera.frame import Frame
from hardware.vision.board import overlay, teaching
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography
from web.camera_port import CameraState, Drift, Lesson, Needs, Overlay, OverlayTile, Point

JPEG_QUALITY = 80
"""The quality of the pictures on the camera's page, 0 to 100."""

CROP_MARGIN_SQUARES = 1.5
"""The margin around the squares in question, in squares."""


class CameraStatus(msgspec.Struct, frozen=True, eq=False):
    """The newest frame that was read, and its reading. It never changes; the next one replaces it.

    `match` is the number of its match. `owners` are the owners whose tiles must be taught, `taught` the kinds
    of each that were. `drift` is what has changed at the table since the set-up. `reading` is the reading of
    the board, `tiles` the tiles in it, `fps` the pictures read per second.
    """

    match: int
    scene: Scene
    owners: tuple[str, ...] = ()
    taught: dict[str, tuple[Kind, ...]] = {}
    frame: Frame | None = None
    homography: Homography | None = None
    reading: Observation | None = None
    tiles: tuple[Tile, ...] = ()
    needs: Needs = ""
    fps: float = 0.0
    drift: Drift = Drift()

    def state(self, camera: health.CameraState, now_s: float, source: str) -> CameraState:
        """The camera's state for the pages; `camera` is its condition at `now_s`."""
        reading = self.reading
        return CameraState(
            kind=camera.condition.value,
            since_s=round(max(0.0, now_s - camera.since_s), 1),
            needs=self.needs,
            unsure=bool(reading and reading.unsure),
            why=reading.why if reading else "",
            source=source,
            fps=self.fps,
            taught=self.taught,
            drift=self.drift,
        )

    def overlay(self) -> Overlay:
        """The grid and the tiles of the reading, in px of the frame."""
        if self.frame is None:
            return Overlay(0, 0)
        height, width = self.frame.picture.shape[:2]
        homography = self.homography
        if homography is None:
            return Overlay(width, height)
        return Overlay(
            width,
            height,
            overlay.grid_lines(self.scene, homography),
            tuple(
                OverlayTile(t.owner, t.kind, overlay.outline(t.cells, homography), t.confidence)
                for t in self.tiles
            ),
        )

    def crop(self) -> bytes | None:
        """The part of the frame that an unsure reading asks about, as JPEG; None if there is none."""
        if self.frame is None or self.homography is None or self.reading is None or not self.reading.unsure:
            return None
        squares = _in_question(self.reading)
        if not squares:
            return None
        return jpeg(overlay.crop(self.frame.picture, self.homography, squares, CROP_MARGIN_SQUARES))

    def lessons(self) -> tuple[Lesson, ...]:
        """The tiles to teach, as many at once as fit on the board, and where in the frame to lay them."""
        return tuple(
            Lesson(owner, kinds, self._outlines(owner, kinds))
            for owner in self.owners
            for kinds in teaching.groups(self.scene, owner)
        )

    def _outlines(self, owner: str, kinds: tuple[Kind, ...]) -> tuple[tuple[Point, ...], ...]:
        homography = self.homography
        if homography is None:
            return ()
        places = teaching.teaching_places(self.scene, owner, kinds)
        return tuple(overlay.outline(tile.cells, homography) for tile in places)


def _in_question(reading: Observation) -> set[tuple[int, int]]:
    """The squares on which the alternative boards differ from the believed one."""
    believed = _laid(reading.tiles or ())
    return {
        cell
        for other in reading.alternatives
        for _, _, cells in _laid(other.tiles) ^ believed
        for cell in cells
    }


def _laid(tiles: tuple[Tile, ...]) -> set[tuple[str, Kind, tuple[tuple[int, int], ...]]]:
    return {(tile.owner, tile.kind, tile.cells) for tile in tiles}


def jpeg(picture: Picture) -> bytes:
    """The picture as JPEG."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()
