"""The camera in use, and a change to another one while the table is played at."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from companion import paths
from companion.errors import SettingError
from companion.play.table import Table
from companion.service import camera_settings
from companion.service.debug_frames import DebugFrames
from companion.service.kept_pictures import KeptPictures
from companion.service.move_pictures import MovePictures
from companion.service.vision_loop import SET_UP, VisionLoop
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Camera, CameraError
from hardware.camera.health import READABLE, Condition
from hardware.camera.sources import NO_CAMERA, cameras_here
from hardware.camera.watcher import Watcher
from hardware.vision.board.layout import scene_of
from hardware.vision.board.scene import Scene

log = logging.getLogger(__name__)


def is_real(source: str) -> bool:
    """Whether a source shows a real table; the virtual table and folders have journals of their own."""
    return not source.startswith(("virtual", "folder:"))


def watched(camera: Camera, table: Table) -> Watcher:
    """The camera's watcher: notifies the table's pages of each change, and keeps the locked controls."""
    return Watcher(camera, on_state=lambda _: table.notify(), on_locked=camera_settings.keep)


def brought_by(camera: Camera) -> Callable[[], Scene | None]:
    """The board that the source itself describes. The virtual table's changes with the game."""
    if isinstance(camera, VirtualCamera):
        return lambda: camera.table.scene
    scene = scene_of(camera.scene) if camera.scene else None
    return lambda: scene


def shown_file() -> Path:
    """The file that keeps what a real camera was shown."""
    return paths.home() / "eyes.npz"


def set_up_file() -> Path:
    """The file that keeps what a real camera saw when it was set up."""
    return shown_file().with_name(SET_UP)


def _opened(source: str, rotate: int) -> Camera:
    """The camera that somebody chose on a page. Raises `SettingError`; the log says what the camera said."""
    try:
        return open_camera(source, rotate=rotate)
    except CameraError as error:
        log.warning("%s", error)
        raise SettingError("no-camera", camera=source) from error


class CameraSwitch:
    """The vision loop of the camera in use. Safe from any thread.

    `on_change` is called with each new loop, or None for no camera.
    """

    def __init__(
        self,
        table: Table,
        source: str,
        camera: Camera | None,
        on_change: Callable[[VisionLoop | None], None] = lambda _: None,
        *,
        pictures: KeptPictures | None = None,
    ) -> None:
        """`pictures` keeps the pictures of moves."""
        self._table, self.source, self.on_change = table, source, on_change
        self._pictures = pictures
        self._rotate = 0
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
            failing=DebugFrames(paths.runtime()),
            cards=paths.cards() if real else None,
            pictures=None if self._pictures is None else MovePictures(self._pictures),
        )

    def start(self) -> None:
        """Start watching, where there is a camera."""
        if self.loop is not None:
            self.loop.start()

    def stop(self) -> None:
        """Stop watching."""
        if self.loop is not None:
            self.loop.stop()

    def at_work(self) -> bool:
        """Whether pictures were read since the last call; a table without a camera needs none."""
        return self.loop is None or self.loop.at_work()

    def is_well(self) -> bool:
        """Whether the camera gives pictures that can be read, or is about to."""
        watcher = self._watcher
        return watcher is None or watcher.state.condition in (*READABLE, Condition.STARTING)

    def rotated(self, rotate: int) -> None:
        """Note by how many degrees the camera in use is turned."""
        self._rotate = rotate

    def choices(self) -> tuple[str, ...]:
        """The cameras that can be chosen here; only the present one at a table that is not real."""
        return (NO_CAMERA, *cameras_here()) if is_real(self.source) else (self.source,)

    def choose(self, source: str) -> None:
        """Watch with this camera from now on. Raises `SettingError`."""
        self._change(source, self._rotate)

    def turn(self, rotate: int) -> None:
        """Turn the camera's pictures clockwise by these degrees from now on. Raises `SettingError`."""
        if isinstance(self._camera, VirtualCamera) and self.loop is not None:
            # Its table plays on: a new loop would have to be shown the board again.
            self._camera.table.degrees = self._rotate = rotate
            self.loop.turned()
        else:
            self._change(self.source, rotate)

    def _change(self, source: str, rotate: int) -> None:
        if not (is_real(source) and is_real(self.source)):
            raise SettingError("other-table")
        with self._lock:
            camera = None if source == NO_CAMERA else _opened(source, rotate)
            self.stop()
            if rotate != self._rotate:
                set_up_file().unlink(missing_ok=True)  # the picture is another one, not the camera's place
            if camera is not None:
                camera_settings.restore(camera)
            self.source, self._rotate, self._watcher, self._camera = source, rotate, None, camera
            self.loop = None if camera is None else self._made(camera, source)
            self.start()
            self.on_change(self.loop)
        self._table.notify()
