"""The virtual table and its camera: makes frames from a scene, players and faults."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from companion.simulator.acting import WATCH, Moment, Pace, acted, game_moments, opening, still
from companion.simulator.draw import Light, Table, painter
from companion.simulator.faults import HIDING, Fault, Faults, spoiled
from companion.simulator.hands import Hand
from companion.simulator.people import People, Phone
from companion.simulator.players import Players
from companion.simulator.table_scene import TableScene, board_of
from companion.simulator.view import View, view_of
from hardware.arrays import Picture
from hardware.camera.frame import CameraGone, Frame
from hardware.camera.turned import turned

FPS = 5.0
"""Pictures per second at speed 1."""
SLOW_S = 1.2
"""Seconds between two pictures with the fault `slow`, at any speed."""
KNOCK = (0.9, -0.8, -2.6, 0.7)
"""A bump: shifts the camera's aim by x and y squares, rolls it by degrees and lifts it by squares."""
CUP_BESIDE = 0.8
"""The distance in squares between the last marker's centre and that of the cup on it."""
REHEARSAL = Pace(reach=1)
"""The pace of the hands in a rehearsal, for which a person waits."""
DRIFT = 0.02
"""The share by which the light rises and falls."""
WARM_DRIFT = 0.012
"""The share by which the light becomes warmer and colder."""
DRIFT_PICTURES = 400
"""The number of pictures of a full cycle of the light."""


class VirtualTable:
    """A table with a board, players and faults; it continues when its camera is reopened.

    `faults` may be changed from any thread, and `show` may put anything on the table.
    """

    def __init__(
        self,
        scene: dict[str, Any],
        players: Players | People | None = None,
        *,
        pace: Pace | None = None,
        faults: Faults | None = None,
        view: View | None = None,
        seed: int = 1,
    ) -> None:
        self._scene_json = scene
        self._board = board_of(scene)
        self._view = view
        self.faults = faults or Faults()
        self._players = players
        pace = pace or Pace()
        self._moments = players.moments(pace) if isinstance(players, People) else self._played(players, pace)
        self._again: Moment | None = None
        self._shown: Table | None = None
        self._acted: deque[Table] = deque()
        self._rehearses = False
        self._now = Table()
        self._taken = seed * 1000
        self.seats = 0
        """The number of people at the table; 0 for the fewest that the game allows."""
        self.degrees = 0
        """By how many degrees (a key of `TURNS`, or 0) its pictures are turned clockwise."""

    @property
    def scene_json(self) -> dict[str, Any]:
        """The board as the content of a scene.json; it changes if the people play something else."""
        return self._players.scene_json if isinstance(self._players, People) else self._scene_json

    @property
    def scene(self) -> TableScene:
        """The board on the table."""
        return self._players.board if isinstance(self._players, People) else self._board

    @property
    def view(self) -> View:
        """The camera's view."""
        return self._view or view_of(self.scene.rows, self.scene.cols)

    @property
    def now(self) -> Table:
        """What was on the table in the last picture: its truth."""
        return self._now

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Begin the first game after these moves. Call it before the first picture."""
        if self._players is not None and not isinstance(self._players, People):
            self._players.go_on(moves)

    def sit_down(self, phone: Phone) -> bool:
        """Let people follow the match on this phone. Call it before the first picture.

        Returns False if nobody sits there, because the moves of a file are played.
        """
        if not isinstance(self._players, People):
            return False
        self._players.phone = phone
        return True

    def leave(self) -> None:
        """Let the people leave for good: from then on the table shows what others play by taps."""
        if isinstance(self._players, People):
            self._players.gone = True

    @property
    def plays(self) -> bool:
        """Whether people sit there and play by themselves."""
        return isinstance(self._players, People) and not self._players.gone

    def show(self, table: Table | None) -> None:
        """Put exactly this on the table, whatever the players do; None lets them continue."""
        self._shown = table

    @property
    def rehearses(self) -> bool:
        """Whether people try something at the table: the players wait, and no picture has a note."""
        return self._rehearses

    def rehearse(self, table: Table, *, hands: bool = True) -> None:
        """Let people try something: a hand lays and takes away what the table needs to be this one."""
        before = self._shown or Table()
        self._acted.extend(acted(before, table, self.scene, REHEARSAL) if hands and self._rehearses else ())
        self._shown, self._rehearses = table, True

    def end_rehearsal(self) -> None:
        """Let the players go on; people show the board and the tiles once more before they do."""
        if self._rehearses and isinstance(self._players, People):
            self._players.shows_again = True
        self._acted.clear()
        self._shown, self._rehearses = None, False

    def take(self) -> tuple[Picture, Moment] | None:
        """The next picture and its moment; None if nobody plays any more."""
        faults = self.faults.now()
        moment = self._next(hidden=bool(faults & HIDING))
        if moment is None:
            return None
        self._taken += 1
        self._now = moment.table
        return self._picture(moment.table, faults), moment

    def _next(self, *, hidden: bool) -> Moment | None:
        """The next moment.

        While the table is hidden, the players wait, and the moment is repeated afterwards.
        """
        if self._shown is not None:
            table = self._acted.popleft() if self._acted else self._shown
            return Moment(table, None if self._rehearses else WATCH)
        moment = self._again or next(self._moments, None)
        self._again = moment if hidden else None
        return Moment(moment.table, WATCH) if hidden and moment else moment

    def _picture(self, table: Table, faults: frozenset[Fault]) -> Picture:
        if Fault.HAND_STAYS in faults:
            table = msgspec.structs.replace(table, hand=Hand(self.scene.cols * 0.45, self.scene.rows * 0.4))
        markers = self.scene.markers_in_cells
        for fault, number, beside in (
            (Fault.MARKER_COVERED, min(markers, default=0), 0.0),
            (Fault.CUP_ON_MARKER, max(markers, default=0), CUP_BESIDE),
        ):
            if fault in faults and markers:
                x, y = np.mean(markers[number], axis=0)
                table = msgspec.structs.replace(table, cup=(float(x) + beside, float(y)))
        view = knocked(self.view) if Fault.BUMPED in faults else self.view
        return spoiled(painter(self.scene, view).paint(table, self._light()), faults)

    def _light(self) -> Light:
        phase = self._taken / DRIFT_PICTURES * 2 * np.pi
        return Light(1 + DRIFT * float(np.sin(phase)), WARM_DRIFT * float(np.sin(phase * 0.37)), self._taken)

    def _played(self, players: Players | None, pace: Pace) -> Iterator[Moment]:
        """One game after another; the tiles are shown before the first."""
        teach = True
        while players is not None and (tables := players.next_game()) is not None:
            yield from opening(self.scene, pace, teach=teach)
            last = yield from game_moments(tables, self.scene, pace)
            yield from still(msgspec.structs.replace(last, markers=players.markers()), pace.end)
            teach = False
        if players is None:
            while True:
                yield Moment(Table(), WATCH)


class VirtualCamera:
    """The camera over a virtual table: `FPS` times `speed` pictures per second, each in order."""

    live = False

    def __init__(
        self,
        table: VirtualTable,
        *,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.table = table
        self.speed = speed
        self._clock, self._sleep = clock, sleep
        self._due_s: float | None = None
        self._last: Picture | None = None

    @property
    def faults(self) -> Faults:
        """The active faults, which may be switched at any time."""
        return self.table.faults

    @property
    def interval_s(self) -> float:
        """The time in seconds between two pictures with the faults that are active."""
        return SLOW_S if Fault.SLOW in self.faults else 1 / (FPS * self.speed)

    @property
    def scene(self) -> dict[str, Any]:
        """The board on the virtual table, as the content of a scene.json."""
        return self.table.scene_json

    def open(self) -> None:
        """Start the camera. Raises `CameraGone` while it is unplugged."""
        self._check_plug()

    def read(self) -> Frame | None:
        """Wait until the next picture is due and return it; None after the last move of a file."""
        self._wait()
        self._check_plug()
        if Fault.FROZEN in self.faults and self._last is not None:
            return Frame(self._turned(self._last), self._clock(), note=WATCH)
        taken = self.table.take()
        if taken is None:
            return None
        self._last, moment = taken
        return Frame(self._turned(self._last), self._clock(), note=moment.note)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def replacement(self) -> VirtualCamera:
        """Another camera over the same table."""
        return VirtualCamera(self.table, speed=self.speed, clock=self._clock, sleep=self._sleep)

    def _turned(self, picture: Picture) -> Picture:
        return turned(picture, self.table.degrees) if self.table.degrees else picture

    def _check_plug(self) -> None:
        if Fault.UNPLUGGED in self.faults:
            raise CameraGone("The virtual camera is unplugged: switch its fault `unplugged` off.")

    def _wait(self) -> None:
        now = self._clock()
        if self._due_s is not None and now < self._due_s:
            self._sleep(self._due_s - now)
            now = self._due_s
        self._due_s = now + self.interval_s


def knocked(view: View) -> View:
    """The camera's view after it was bumped."""
    x, y, roll, lift = KNOCK
    middle = view.middle[0] + x, view.middle[1] + y
    return replace(view, middle=middle, roll=view.roll + roll, distance=view.distance + lift)
