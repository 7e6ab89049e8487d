"""The guided accuracy test: a person lays what is asked and throws dice, and the reading is counted.

The test reads with a reader of its own that knows what the table's reader was shown. The match goes on
afterwards as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
import numpy as np

from companion.games.watching import IN_THE_WAY, AnyTurn, Observation, Tile
from companion.service.senses.sense import Corners
from companion.service.senses.steady import Steady
from hardware.camera.frame import Frame
from hardware.vision.board import overlay
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice import DiceReader
from hardware.vision.dice.beside import beside_the_board
from hardware.vision.dice.table_view import table_view
from hardware.vision.dice.throw_detector import ThrowDetector
from hardware.vision.errors import VisionError
from web.accuracy_port import AccuracyNow, Count, Outcome, Report, Task, TaskKind

PLACEMENTS = 20
"""The number of tiles to lay."""
THROWS = 10
"""The number of throws."""
MOST_AT_ONCE = 10
"""The tiles that lie there at most before the board is cleared: about as many as in a match."""
DICE = 2
"""The dice of a throw."""
FACES = range(1, 7)
DOUBTS = 4
"""The steady readings that must be unsure to count as a question: a hand on its way makes one or two."""

Phase = Literal["read", "check", "done"]


class Placement(msgspec.Struct, frozen=True):
    """A tile to lay (None: the board is to be cleared) on those that lie there."""

    tile: Tile | None
    lying: tuple[Tile, ...]


def placements(scene: Scene, owners: tuple[str, ...], seed: int) -> Iterator[Placement]:
    """Tiles to lay, each where it fits; the board is cleared first, and whenever enough lie there."""
    random = np.random.default_rng(seed)
    lying: tuple[Tile, ...] = ()
    yield Placement(None, ())
    for _ in range(PLACEMENTS):
        tile = _somewhere(scene, owners, lying, random) if len(lying) < MOST_AT_ONCE else None
        if tile is None:
            yield Placement(None, ())
            lying = ()
            tile = _somewhere(scene, owners, lying, random)
        if tile is None:
            return
        yield Placement(tile, lying)
        lying = (*lying, tile)


def _somewhere(
    scene: Scene, owners: tuple[str, ...], lying: tuple[Tile, ...], random: np.random.Generator
) -> Tile | None:
    """A tile that does not lie there yet, on empty squares; None if none fits any more."""
    taken = {cell for tile in lying for cell in tile.cells}
    there = {(tile.owner, tile.kind) for tile in lying}
    free = [(owner, kind) for owner in owners for kind in scene.placements if (owner, kind) not in there]
    for at in random.permutation(len(free)):
        owner, kind = free[at]
        ways = scene.placements[kind]
        for number in random.permutation(len(ways.turns)):
            tile = ways.tile(owner, int(number), scene.cols)
            if taken.isdisjoint(tile.cells):
                return tile
    return None


class AccuracyTest:
    """One test from its first tile to its last throw. Not thread-safe."""

    def __init__(
        self, scene: Scene, owners: tuple[str, ...], shown: bytes, *, seed: int, began: str, source: str
    ) -> None:
        """`shown` is what the table's reader was shown, `began` the time, `source` the camera."""
        self.reader = TileReader.restore(scene, shown, AnyTurn(*owners))
        self.reader.believe(())
        self._scene = scene
        self._placements = placements(scene, owners, seed)
        self._detector = ThrowDetector(DiceReader())
        self._detector.expect(DICE, FACES)
        self._report = Report(began, source)
        self._counts: dict[TaskKind, Count] = {"lay": Count(), "throw": Count()}
        self._number = 0
        self._steady = Steady(live=True)
        self._doubts = 0
        self._phase: Phase = "read"
        self._outcome: Outcome = "exact"
        self._read = ""
        self._task: Placement | None = next(self._placements, None)

    @property
    def done(self) -> bool:
        """Whether everything was laid and thrown."""
        return self._phase == "done"

    @property
    def report(self) -> Report:
        """The figures so far."""
        return msgspec.structs.replace(self._report, lay=self._counts["lay"], throw=self._counts["throw"])

    def take(self, frame: Frame, corners_px: Corners | None) -> bool:
        """Look at a frame. Returns whether that changed what is asked."""
        if not self._report.light:
            light = int(np.median(frame.picture[::8, ::8]))
            self._report = msgspec.structs.replace(self._report, light=light)
        if self._phase != "read":
            return False
        if self._task is None:
            return self._take_throw(frame)
        try:
            reading = self.reader.read(frame.picture, corners_px)
        except VisionError:
            return False
        return self._judge(reading, self._task)

    def _judge(self, reading: Observation, task: Placement) -> bool:
        seen = _places(reading.tiles or ())
        if task.tile is None and seen:
            # Tiles that lie there until somebody clears the board are not believed: none is missed then.
            self._believe(())
            return False
        if reading.why in IN_THE_WAY or not self._steady.counts((reading.unsure, reading.why, seen)):
            return False
        asked = _places((*task.lying, task.tile) if task.tile else ())
        if not reading.unsure and seen == asked:
            if task.tile is None:
                self._next()
            else:
                self._count("exact")
            return True
        if task.tile is None or (not reading.unsure and seen == _places(task.lying)):
            return False  # not laid, or not cleared, yet
        self._doubts += reading.unsure
        if reading.unsure and self._doubts < DOUBTS:
            return False
        new = [tile for tile in reading.tiles or () if _place(tile) not in _places(task.lying)]
        self._read = ", ".join(f"{tile.owner} {tile.kind}" for tile in new)
        self._outcome = "asked" if reading.unsure else "wrong"
        self._phase = "check"
        return True

    def _take_throw(self, frame: Frame) -> bool:
        picture, homography = frame.picture, self.reader.homography
        view = None
        if homography is not None:
            view = table_view(picture, self._scene, homography)
            picture = beside_the_board(picture, self._scene, homography)
        thrown = self._detector.look(picture, frame.at_s, view)
        if thrown is None or not (thrown.dice or thrown.unsure):
            return False
        self._read = " + ".join(map(str, thrown.values))
        self._outcome = "asked" if thrown.unsure else "exact"
        self._phase = "check"
        return True

    def answer(self, *, right: bool) -> None:
        """A person has looked: the tile lies as it was asked, or the throw was read right; or not.

        A tile that was laid otherwise is laid once more; a throw that was read otherwise is a wrong one.
        """
        if self._phase != "check":
            return
        throws = self._task is None
        if throws and not right and self._outcome == "exact":
            self._outcome = "wrong"
        if right or throws:
            self._count(self._outcome)
        else:
            self._believe(self._task.lying if self._task else ())
        if not self.done:
            self._phase = "read"

    def _count(self, outcome: Outcome) -> None:
        kind: TaskKind = "throw" if self._task is None else "lay"
        self._counts[kind] = self._counts[kind].with_one(outcome)
        self._number += 1
        self._next()

    def _next(self) -> None:
        if self._task is not None:
            self._task = next(self._placements, None)
            self._believe(self._task.lying if self._task else ())
        if self._task is None and sum(self._counts["throw"].all) >= THROWS:
            self._phase = "done"

    def _believe(self, tiles: tuple[Tile, ...]) -> None:
        self.reader.believe(tiles)
        self._steady, self._doubts = Steady(live=True), 0

    def now(self) -> AccuracyNow:
        """What is asked now."""
        task = self._asked()
        return AccuracyNow(
            phase=self._phase,
            task=task,
            number=self._number,
            of=PLACEMENTS + THROWS,
            read=self._read if self._phase == "check" else "",
            outcome=self._outcome if self._phase == "check" else None,
            report=self.report,
        )

    def _asked(self) -> Task | None:
        if self._phase == "done":
            return None
        if self._task is None:
            return Task("throw", self._number)
        tile, homography = self._task.tile, self.reader.homography
        outline = () if tile is None or homography is None else overlay.outline(tile.cells, homography)
        return Task("clear" if tile is None else "lay", self._number, tile, self._task.lying, outline)


def _places(tiles: tuple[Tile, ...]) -> frozenset[object]:
    """The tiles by the squares that they cover: a 5 looks the same after half a turn."""
    return frozenset(map(_place, tiles))


def _place(tile: Tile) -> object:
    return tile.owner, tile.kind, frozenset(tile.cells)
