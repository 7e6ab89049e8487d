"""The guided accuracy test: a person lays tiles and throws dice as asked, and readings are counted.

The test has a reader of its own, with the lessons of the table's reader. Afterwards the match goes on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Literal

import msgspec
import numpy as np

from companion.games.watching import IN_THE_WAY, AnyTurn, Observation, Tile
from companion.kept_state import KeptState
from companion.service.senses.board import Corners, Steady
from hardware.camera.frame import Frame
from hardware.vision.board import overlay
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice import DiceReader
from hardware.vision.dice.table_view import ground_for_dice
from hardware.vision.dice.throw_detector import ThrowDetector
from hardware.vision.errors import VisionError

Outcome = Literal["exact", "asked", "wrong"]
"""Sure and right, not sure (a person would be asked), or sure and wrong."""


class Count(msgspec.Struct, frozen=True):
    """Readings by outcome."""

    exact: int = 0
    asked: int = 0
    wrong: int = 0

    @property
    def all(self) -> tuple[int, int, int]:
        """The three counts."""
        return self.exact, self.asked, self.wrong


class Report(msgspec.Struct, frozen=True):
    """The figures of one test: its time (UTC), camera and light (0 to 255), and the counts."""

    began: str
    source: str
    light: int = 0
    lay: Count = Count()
    throw: Count = Count()


TaskKind = Literal["lay", "clear", "throw"]


class Task(msgspec.Struct, frozen=True):
    """The current task: its number, the tile with its outline in px, and the tiles already there."""

    kind: TaskKind
    number: int
    tile: Tile | None = None
    lying: tuple[Tile, ...] = ()
    outline: tuple[tuple[float, float], ...] = ()


class AccuracyNow(msgspec.Struct, frozen=True):
    """The current test.

    `phase`: the camera reads, a person is asked whether it `read` right, or all is done; idle before a test.
    `outcome` is the reading's count if the tile lies as asked. `number` tasks of `of` are done.
    """

    phase: Literal["idle", "read", "check", "done"] = "idle"
    task: Task | None = None
    number: int = 0
    of: int = 0
    read: str = ""
    outcome: Outcome | None = None
    report: Report | None = None


MOST_KEPT = 50
COLUMNS = (
    *("began", "camera", "light", "tiles_exact", "tiles_asked", "tiles_wrong"),
    *("throws_exact", "throws_asked", "throws_wrong"),
)
PLACEMENTS = 20
THROWS = 10
MOST_AT_ONCE = 10
"""The most tiles on the board before it is cleared, about as in a match."""
DICE = 2
FACES = range(1, 7)
DOUBTS = 4
"""The unsure readings for a question: a moving hand makes one or two."""

Phase = Literal["read", "check", "done"]


class Placement(msgspec.Struct, frozen=True):
    """A tile to lay (None: clear the board) on those already there."""

    tile: Tile | None
    lying: tuple[Tile, ...]


def placements(scene: Scene, owners: tuple[str, ...], seed: int) -> Iterator[Placement]:
    """Tiles to lay on free places; the board is cleared at first, and whenever it has enough."""
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
    """A new tile on empty squares; None if the board is full."""
    taken = {cell for tile in lying for cell in tile.cells}
    there = {(tile.owner, tile.kind) for tile in lying}
    free = [(owner, kind) for owner in owners for kind in scene.placements if (owner, kind) not in there]
    for choice in random.permutation(len(free)):
        owner, kind = free[choice]
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
        """`shown` is the table's reader's saved state, `began` the time, `source` the camera."""
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
        """True once every task is done."""
        return self._phase == "done"

    @property
    def report(self) -> Report:
        """The figures so far."""
        return msgspec.structs.replace(self._report, lay=self._counts["lay"], throw=self._counts["throw"])

    def read_frame(self, frame: Frame, corners_px: Corners | None) -> bool:
        """Look at a frame. Returns whether the task has changed."""
        if not self._report.light:
            light = int(np.median(frame.picture[::8, ::8]))
            self._report = msgspec.structs.replace(self._report, light=light)
        if self._phase != "read":
            return False
        if self._task is None:
            return self._take_throw(frame)
        try:
            reading = self.reader.read_board(frame.picture, corners_px)
        except VisionError:
            return False
        return self._judge(reading, self._task)

    def _judge(self, reading: Observation, task: Placement) -> bool:
        seen = _places(reading.tiles or ())
        if task.tile is None and seen:
            # Tiles that wait to be cleared away are not believed, so the reader misses no tile then.
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
        new = [tile for tile in reading.tiles or () if tile.squares not in _places(task.lying)]
        self._read = ", ".join(f"{tile.owner} {tile.kind}" for tile in new)
        self._outcome = "asked" if reading.unsure else "wrong"
        self._phase = "check"
        return True

    def _take_throw(self, frame: Frame) -> bool:
        picture, view = ground_for_dice(frame.picture, self._scene, self.reader.homography)
        thrown = self._detector.detect_throw(picture, frame.at_s, view)
        if thrown is None or not (thrown.dice or thrown.unsure):
            return False
        self._read = " + ".join(map(str, thrown.values))
        self._outcome = "asked" if thrown.unsure else "exact"
        self._phase = "check"
        return True

    def answer(self, *, right: bool) -> None:
        """Take a person's answer: the tile lies as asked, or the throw was read right; or not.

        A misplaced tile is laid again; a misread throw counts as wrong.
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
        counts = self._counts[kind]
        self._counts[kind] = msgspec.structs.replace(counts, **{outcome: getattr(counts, outcome) + 1})
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

    def progress(self) -> AccuracyNow:
        return AccuracyNow(
            phase=self._phase,
            task=self._asked(),
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
    """Tiles by their squares: a 5 looks the same after half a turn."""
    return frozenset(tile.squares for tile in tiles)


class AccuracyTests:
    """At most one test goes on, until somebody ends it.

    `path` is the file that keeps the figures; None keeps them until the end of the program. Hold `lock` for
    `begin` and `read_frame`; `answer` and `end` take it; the rest needs none.
    """

    def __init__(self, path: Path | None, lock: Lock) -> None:
        self._lock = lock
        self._kept = KeptState(path, tuple[Report, ...])
        self._reports = self._kept.load() or ()
        self._test: AccuracyTest | None = None
        self._is_kept = False

    @property
    def go_on(self) -> bool:
        """True from a test's beginning until somebody ends it."""
        return self._test is not None

    def begin(self, test: AccuracyTest) -> None:
        """Begin a test, in place of another one."""
        self._test, self._is_kept = test, False

    def read_frame(self, frame: Frame, corners_px: Corners | None) -> None:
        """Let the test look at a frame."""
        if self._test is not None:
            self._test.read_frame(frame, corners_px)
            self._keep_completed(self._test)

    def answer(self, *, right: bool) -> None:
        """Pass a person's answer to the test."""
        with self._lock:
            if self._test is not None:
                self._test.answer(right=right)
                self._keep_completed(self._test)

    def end(self) -> None:
        """End the test, completed or not."""
        with self._lock:
            self._test = None

    def progress(self) -> AccuracyNow:
        """The test's current state."""
        test = self._test
        return AccuracyNow() if test is None else test.progress()

    def reports(self) -> tuple[Report, ...]:
        """The figures of all completed tests, the newest first."""
        return self._reports

    def csv(self) -> str:
        """All figures as CSV."""
        return as_csv(self._reports)

    def keep(self, report: Report) -> None:
        """Keep a test's figures."""
        self._reports = (report, *self._reports)[:MOST_KEPT]
        self._kept.save(self._reports)

    def _keep_completed(self, test: AccuracyTest) -> None:
        if test.done and not self._is_kept:
            self.keep(test.report)
            self._is_kept = True


def as_csv(reports: tuple[Report, ...]) -> str:
    """Figures as CSV, the newest first."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(COLUMNS)
    for report in reports:
        rows.writerow([report.began, report.source, report.light, *report.lay.all, *report.throw.all])
    return written.getvalue()
