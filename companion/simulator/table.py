"""The virtual table and its camera: makes frames from a scene, people and faults."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from typing import Any

import msgspec
import numpy as np

from companion.simulator.acting import WATCH, Moment, Pace, acted
from companion.simulator.draw import Light, Table, painter
from companion.simulator.faults import HIDING, Fault, Faults, spoiled
from companion.simulator.hands import Hand
from companion.simulator.people import People, Phone
from companion.simulator.table_scene import TableScene, board_of
from companion.simulator.view import View, view_of
from hardware.arrays import Picture
from hardware.camera.frame import CameraGone, Frame
from hardware.camera.sources import turned_picture

FPS = 5.0
SLOW_S = 1.2
"""Seconds between two pictures with the fault `slow`."""
KNOCK = (0.9, -0.8, -2.6, 0.7)
"""A bump: x and y squares of aim, degrees of roll, squares of height."""
CUP_BESIDE = 0.8
"""The distance between the last marker and the cup on it, in squares."""
REHEARSAL = Pace(reach=1)
"""The hands' pace in a rehearsal, for which a person waits."""
DRIFT = 0.02
"""The share by which the light rises and falls."""
WARM_DRIFT = 0.012
"""The share by which the light becomes warmer and colder."""
DRIFT_PICTURES = 400


class VirtualTable:
    """A table with a board, people and faults; it continues when its camera is reopened.

    `faults` may be changed from any thread, and `show` may put anything on the table.
    """

    def __init__(
        self,
        scene: dict[str, Any],
        people: People | None = None,
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
        self._people = people
        self._pace = pace or Pace()
        self._moments: Iterator[Moment] = repeat(Moment(Table(), WATCH))
        if people is not None:
            self._moments = people.moments(self._pace)
        self._again: Moment | None = None
        self._shown: Table | None = None
        self._acted: deque[Table] = deque()
        self.rehearses = False
        """True while a person tries something: the people wait, and no picture has a note."""
        self.now = Table()
        """The true table of the last picture."""
        self._taken = seed * 1000
        self.seats = 0
        """The number of people; 0 for the game's fewest."""
        self.degrees = 0
        """The clockwise turn of its pictures, in degrees (a key of `TURNS`, or 0)."""

    @property
    def scene_json(self) -> dict[str, Any]:
        """The board as the content of a scene.json; it changes with the people's game."""
        return self._people.scene_json if self._people is not None else self._scene_json

    @property
    def scene(self) -> TableScene:
        """The board on the table."""
        return self._people.board if self._people is not None else self._board

    @property
    def view(self) -> View:
        """The camera's view."""
        return self._view or view_of(self.scene.rows, self.scene.cols)

    def sit_down(self, phone: Phone) -> None:
        """Let people follow the match on this phone. Call it before the first picture."""
        if self._people is not None:
            self._people.phone = phone

    def leave(self) -> None:
        """Let the people leave for good, and clear the table: from then on it shows others' taps."""
        if self.plays and self._people is not None:
            self._people.gone = True
            self._moments = self._people.clear(self._pace)

    @property
    def plays(self) -> bool:
        """True while people sit there and play by themselves."""
        return self._people is not None and not self._people.gone

    def show(self, table: Table | None) -> None:
        """Put exactly this on the table, whatever the people do; None lets them continue."""
        self._shown = table

    def rehearse(self, table: Table, *, hands: bool = True) -> None:
        """Let people try something: a hand lays and takes away things until the table is this."""
        before = self._shown or Table()
        self._acted.extend(acted(before, table, self.scene, REHEARSAL) if hands and self.rehearses else ())
        self._shown, self.rehearses = table, True

    def end_rehearsal(self) -> None:
        """Let the people show the board and the tiles once more and go on."""
        if self.rehearses and self._people is not None:
            self._people.shows_again = True
        self._acted.clear()
        self._shown, self.rehearses = None, False

    def take_picture(self) -> tuple[Picture, Moment]:
        """The next picture and its moment."""
        faults = self.faults.active()
        moment = self._next(hidden=bool(faults & HIDING))
        self._taken += 1
        self.now = moment.table
        return self._picture(moment.table, faults), moment

    def _next(self, *, hidden: bool) -> Moment:
        """The next moment. While the table is hidden, people wait; it is repeated afterwards."""
        if self._shown is not None:
            table = self._acted.popleft() if self._acted else self._shown
            return Moment(table, None if self.rehearses else WATCH)
        moment = self._again or next(self._moments)
        self._again = moment if hidden else None
        return Moment(moment.table, WATCH) if hidden else moment

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
        return self.table.faults

    @property
    def interval_s(self) -> float:
        """Seconds between two pictures, with the active faults."""
        return SLOW_S if Fault.SLOW in self.faults else 1 / (FPS * self.speed)

    @property
    def scene(self) -> dict[str, Any]:
        """The board on the virtual table, as the content of a scene.json."""
        return self.table.scene_json

    def open(self) -> None:
        """Start the camera. Raises `CameraGone` while it is unplugged."""
        self._check_plug()

    def read_frame(self) -> Frame:
        """Wait until the next picture is due and return it."""
        self._wait()
        self._check_plug()
        if Fault.FROZEN in self.faults and self._last is not None:
            return Frame(self._turned(self._last), self._clock(), note=WATCH)
        self._last, moment = self.table.take_picture()
        return Frame(self._turned(self._last), self._clock(), note=moment.note)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def replacement(self) -> VirtualCamera:
        """Another camera over the same table."""
        return VirtualCamera(self.table, speed=self.speed, clock=self._clock, sleep=self._sleep)

    def _turned(self, picture: Picture) -> Picture:
        return turned_picture(picture, self.table.degrees) if self.table.degrees else picture

    def _check_plug(self) -> None:
        if Fault.UNPLUGGED in self.faults:
            raise CameraGone("The virtual camera is unplugged: switch its fault `unplugged` off.")

    def _wait(self) -> None:
        now_s = self._clock()
        if self._due_s is not None and now_s < self._due_s:
            self._sleep(self._due_s - now_s)
            now_s = self._due_s
        self._due_s = now_s + self.interval_s


def knocked(view: View) -> View:
    """The camera's view after it was bumped."""
    x, y, roll, lift = KNOCK
    middle = view.middle[0] + x, view.middle[1] + y
    return replace(view, middle=middle, roll=view.roll + roll, distance=view.distance + lift)
