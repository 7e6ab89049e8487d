"""The camera in use, and changes of it during a match."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

from companion import paths
from companion.errors import SettingError
from companion.play.table import Table
from companion.service import camera_settings
from companion.service.photos.kept import KeptPictures
from companion.service.pictures import DebugFrames, MovePictures
from companion.service.vision_loop import SET_UP, VisionLoop
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Camera, CameraError
from hardware.camera.health import READABLE, Condition
from hardware.camera.sources import NO_CAMERA, cameras_here
from hardware.camera.watcher import Watcher
from hardware.vision.board.scene import Scene, scene_of

log = logging.getLogger(__name__)


def is_real(source: str) -> bool:
    """True for a source of a real table; the virtual table and folders have their own journals."""
    return not source.startswith(("virtual", "folder:"))


def watched(camera: Camera, table: Table) -> Watcher:
    """Make the camera's watcher, which notifies the table's pages of changes and keeps locked controls."""
    return Watcher(camera, on_state=lambda _: table.notify(), on_locked=camera_settings.keep)


def brought_by(camera: Camera) -> Callable[[], Scene | None]:
    """The board that the source itself describes; the virtual table's changes with the game."""
    if isinstance(camera, VirtualCamera):
        return lambda: camera.table.scene
    scene = scene_of(camera.scene) if camera.scene else None
    return lambda: scene


def shown_file() -> Path:
    """The file with a real camera's lessons."""
    shown = paths.home() / "camera.npz"
    with suppress(OSError):  # its name in 0.1.0
        if not shown.exists():
            (paths.home() / "eyes.npz").rename(shown)
    return shown


class CameraSwitch:
    """The camera in use and its vision loop: `loop`, None without a camera. Safe from any thread."""

    def __init__(
        self,
        table: Table,
        source: str,
        camera: Camera | None,
        *,
        pictures: KeptPictures | None = None,
        rotate: int = 0,
    ) -> None:
        """`pictures` keeps the pictures of moves; the camera is already turned by `rotate` degrees."""
        self._table, self.source = table, source
        self._pictures, self._rotate = pictures, rotate
        self._lock = Lock()
        self._watcher: Watcher | None = None
        self._camera = camera
        self.loop = None if camera is None else self._made(camera, source)

    def _made(self, camera: Camera, source: str) -> VisionLoop:
        self._watcher = watched(camera, self._table)
        real = is_real(source)
        return VisionLoop(
            self._table,
            self._watcher,
            brought_by(camera),
            source=source,
            shown=shown_file() if real else None,
            debug_frames=DebugFrames(paths.runtime()),
            cards=paths.cards() if real else None,
            pictures=None if self._pictures is None else MovePictures(self._pictures),
        )

    def start(self) -> None:
        """Start watching, if there is a camera."""
        if self.loop is not None:
            self.loop.start()

    def stop(self) -> None:
        """Stop watching."""
        if self.loop is not None:
            self.loop.stop()

    def at_work(self) -> bool:
        """True if pictures were read since the last call, or there is no camera."""
        return self.loop is None or self.loop.at_work()

    def is_well(self) -> bool:
        """True while the camera gives readable pictures, or is about to."""
        watcher = self._watcher
        return watcher is None or watcher.state.condition in (*READABLE, Condition.STARTING)

    def choices(self) -> tuple[str, ...]:
        """Cameras to choose; at a virtual table only its own."""
        return (NO_CAMERA, *cameras_here()) if is_real(self.source) else (self.source,)

    def choose(self, source: str) -> None:
        """Watch with this camera. Raises `SettingError`."""
        self._change(source, self._rotate)

    def turn(self, rotate: int) -> None:
        """Turn the camera's pictures clockwise by these degrees. Raises `SettingError`."""
        if isinstance(self._camera, VirtualCamera) and self.loop is not None:
            # Its table plays on: a new loop would have to be shown the board again.
            self._camera.table.degrees = self._rotate = rotate
            self.loop.set_up.turned()
        else:
            self._change(self.source, rotate)

    def _change(self, source: str, rotate: int) -> None:
        if not (is_real(source) and is_real(self.source)):
            raise SettingError("other-table")
        with self._lock:
            try:
                camera = None if source == NO_CAMERA else open_camera(source, rotate=rotate)
            except CameraError as error:
                log.warning("%s", error)
                raise SettingError("no-camera", camera=source) from error
            self.stop()
            if rotate != self._rotate:
                # The picture is another one, not the camera's place.
                shown_file().with_name(SET_UP).unlink(missing_ok=True)
            if camera is not None:
                camera_settings.restore(camera)
            self.source, self._rotate, self._watcher, self._camera = source, rotate, None, camera
            self.loop = None if camera is None else self._made(camera, source)
            self.start()
        self._table.notify()
