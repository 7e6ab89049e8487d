"""Stand-ins for what reads pictures and for a camera: they say what each test lets them say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from companion.games.watching import Observation, Tile
from companion.service.senses import beside, match_senses
from companion.service.setup import camera
from companion.service.setup.checks import EmptyCheck
from hardware.camera.frame import Frame
from hardware.camera.health import CameraState, Condition
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens

PICTURE = np.zeros((480, 640, 3), np.uint8)
CORNERS = ((100, 50), (340, 50), (340, 370), (100, 370))
"""Where the board lies in the picture, px: a bed of 16 × 12 squares has squares of 20 px."""

Says = Observation | Exception


class ScriptedBoard:
    """A reader of the board: `says` is what it reads next, `shown` what it was shown."""

    made: ClassVar[list[Any]] = []
    says: Says = Observation()
    hinders: ClassVar[str] = ""
    """What speaks against a picture as that of the empty board."""
    reads: Callable[[], object] | None = None
    """Called in the middle of a reading."""

    def __init__(self, scene: Scene, given: Any = None) -> None:
        self.scene, self.given = scene, given
        self.view = self
        self.shown: list[str] = []
        self.corners: list[Any] = []
        self.homography: Homography | None = homography_from_corners(scene, CORNERS, Lens(640, 480))
        type(self).made.append(self)

    @classmethod
    def restore(cls, scene: Scene, saved: bytes, given: Any) -> Any:
        reader = cls(scene, given)
        reader.shown.append(saved.decode())
        return reader

    def save(self) -> bytes:
        return ",".join(self.shown).encode()

    def hindrance(self, picture: Any, corners: Any) -> str:
        return self.hinders

    def see_empty(self, picture: Any, corners: Any) -> None:
        self.corners.append(corners)
        self.shown.append("empty")

    def see_start(self, picture: Any, covered: Any, corners: Any) -> None:
        self.shown.append("start")

    def read_board(self, picture: Any, corners: Any, image: str) -> Observation:
        self.corners.append(corners)
        if self.reads is not None:
            self.reads()
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


class ScriptedBoardCheck:
    """Judges the set-up: `lies` is what seems to lie on the board."""

    lies: ClassVar[EmptyCheck] = EmptyCheck()

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def empty(self, picture: Any, corners: Any) -> EmptyCheck:
        return self.lies


class ScriptedTiles(ScriptedBoard):
    """The tiles' reader: `believed` is what it was made to believe."""

    made: ClassVar[list[Any]] = []

    def __init__(self, scene: Scene, turn_order: Any = None) -> None:
        super().__init__(scene, turn_order)
        self.turn_order = turn_order
        self.believed: list[list[Tile]] = []
        self.kinds: dict[str, tuple[int, ...]] = {"cat": (1,), "dog": ()}

    def teach(self, picture: Any, tiles: Iterable[Tile], corners: Any) -> None:
        self.shown.append("teach " + " ".join(f"{t.owner}-{t.kind}" for t in tiles))

    def taught(self) -> dict[str, tuple[int, ...]]:
        return self.kinds

    def believe(self, tiles: Iterable[Tile]) -> None:
        self.believed.append(list(tiles))


class ScriptedPieces(ScriptedBoard):
    """The pieces' reader: `stood` is where they were said to stand."""

    made: ClassVar[list[Any]] = []

    def __init__(self, scene: Scene, hues: Any = None) -> None:
        super().__init__(scene, hues)
        self.stood: list[frozenset[Any]] = []

    def stand(self, pieces: Any) -> None:
        self.stood.append(frozenset(piece.place for piece in pieces))


class ScriptedDice:
    """The watch over the dice: `throws` is what it sees, one a look, `expected` what it watches for,
    `pictures` where it looks, `views` how these show the table."""

    throws: ClassVar[list[Observation | None]] = []
    expected: ClassVar[list[tuple[int, tuple[int, ...], bool]]] = []
    pictures: ClassVar[list[Any]] = []
    views: ClassVar[list[Any]] = []

    def __init__(self, reader: Any) -> None: ...

    def expect(self, count: int, faces: tuple[int, ...], *, others_lie: bool) -> None:
        self.expected.append((count, faces, others_lie))

    def detect_throw(self, picture: Any, at_s: float, view: Any = None) -> Observation | None:
        self.pictures.append(picture)
        self.views.append(view)
        return self.throws.pop(0) if self.throws else None


class StillWatcher:
    """A camera's watcher; tests hand frames to `VisionLoop.take_frame` themselves."""

    def __init__(self, *, live: bool = False) -> None:
        self.camera = SimpleNamespace(live=live)
        self.latest: Frame | None = None
        self.state = CameraState(Condition.OK, 10.0)
        self.locked = False

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def next(self, timeout_s: float) -> Frame | None:
        return None

    def lock_controls(self) -> None:
        self.locked = True


def put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the senses use the stand-ins, each with a script of its own for this test."""
    monkeypatch.setattr(match_senses, "TileReader", ScriptedTiles)
    monkeypatch.setattr(match_senses, "PieceReader", ScriptedPieces)
    monkeypatch.setattr(beside, "ThrowDetector", ScriptedDice)
    monkeypatch.setattr(camera, "BoardCheck", ScriptedBoardCheck)
    monkeypatch.setattr(ScriptedBoardCheck, "lies", EmptyCheck())
    for scripted in (ScriptedTiles, ScriptedPieces):
        monkeypatch.setattr(scripted, "made", [])
        monkeypatch.setattr(scripted, "says", Observation())
        monkeypatch.setattr(scripted, "reads", None)
    monkeypatch.setattr(ScriptedDice, "throws", [])
    monkeypatch.setattr(ScriptedDice, "expected", [])
    monkeypatch.setattr(ScriptedDice, "pictures", [])
    monkeypatch.setattr(ScriptedDice, "views", [])
