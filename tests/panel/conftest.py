"""A panel on gpiozero's mock pins, at a table, with a clock that stands until a test moves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.games.watching import Observation, Tile
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.panel import TablePanel
from companion.service.panel_state import PanelSeat
from hardware.panel.wires import Wires
from hardware.panel.wiring import Wiring, read_wiring
from tests.conftest import BED

TAP_S = 0.12
CAT_BUTTON, CAT_LAMP, DOG_BUTTON, DOG_LAMP = 17, 27, 23, 24
UNDO_BUTTON, BUZZER, STATUS_LAMP = 22, 25, 4
WHOLE = {"beside": {"undo": UNDO_BUTTON, "buzzer": BUZZER, "status": STATUS_LAMP}}
FULL = 0.6
"""What the standard wiring sets a lamp to that burns with all its light."""


class Clock:
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class At:
    """A table with its panel: `pin` is what is wired, `seat` what a page would show."""

    def __init__(self, table: Table, pins: Any, wiring: Wiring, kept: Path, **settings: Any) -> None:
        self.clock = Clock()
        self.table = table
        self.pins = pins
        self.wires = Wires(wiring, pin_factory=pins, clock=self.clock)
        self.panel = TablePanel(table, self.wires, clock=self.clock, kept=kept, **settings)
        self.wires.open()
        self.panel.step()

    def wait(self, seconds: float) -> None:
        """Let time go by as the panel's own thread would spend it: from one thing that is due to the next."""
        ends = self.clock.now_s + seconds
        while self.clock.now_s < ends:
            due_s = self.panel.step()
            self.clock.now_s = min(ends, self.clock.now_s + max(0.001, due_s))
        self.panel.step()

    def down(self, gpio: int, *, bounces: int = 3) -> None:
        """A finger closes a button's contact, which bounces for some milliseconds, as real ones do."""
        self._turn(gpio, bounces, down=True)

    def up(self, gpio: int, *, bounces: int = 3) -> None:
        """A finger lets go: contacts bounce on the way back as well."""
        self._turn(gpio, bounces, down=False)

    def _turn(self, gpio: int, bounces: int, *, down: bool) -> None:
        pin = self.pins.pin(gpio)
        drive, back = (pin.drive_low, pin.drive_high) if down else (pin.drive_high, pin.drive_low)
        for _ in range(bounces):
            drive()
            self.clock.now_s += 0.0007
            self.panel.step()
            back()
            self.clock.now_s += 0.0011
            self.panel.step()
        drive()
        self.panel.step()

    def press(self, gpio: int, seconds: float = TAP_S) -> None:
        """Press and let go."""
        self.down(gpio)
        self.wait(seconds)
        self.up(gpio)
        self.wait(0.05)

    def lamp(self, gpio: int) -> float:
        """What a lamp's pin is set to, 0 to 1."""
        return float(self.pins.pin(gpio).state)

    def pattern(self, seat: str) -> str:
        """What a seat's lamp shows, by its name."""
        return self.seat(seat).pattern

    def seat(self, seat: str) -> PanelSeat:
        """A seat as a page shows it."""
        return next(each for each in self.panel.status().seats if each.seat == seat)

    def sees(self, *tiles: Tile) -> None:
        """The camera is sure to see these tiles, and no others."""
        self.table.see(Observation(tiles=tiles))
        self.panel.step()


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """The pins of a Pi that is not there."""
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()
    made.close()


@pytest.fixture
def table(journal: Journal) -> Table:
    """A new match of This Bed Is Mine."""
    return Table(journal, Match.begin(journal, BED, {}))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where clocks are kept."""
    return tmp_path / "clocks.json"


@pytest.fixture
def at(table: Table, pins: MockFactory, kept: Path) -> Iterator[At]:
    """The standard wiring with all that may be beside it."""
    made = At(table, pins, read_wiring(**WHOLE), kept)
    yield made
    made.panel.stop()
