"""The doctor tries the panel: a person presses each button while its lamp alone shines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import sleep
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.doctor import trial
from companion.doctor.checks import Finding
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.panel import TablePanel
from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring
from tests.conftest import BED
from tests.running import pages_of
from web.server import Server

WIRED = 'seats = 2\n[beside.buttons]\nbell = 7\n[actions.buttons]\nbell = "ask-turn"\n'
SETTLES_S = 0.03
"""More than a contact bounces."""

BUTTONS, LAMPS = {"1": 17, "2": 23, "bell": 7}, {"1": 27, "2": 24}


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    """The pins of a Pi that is not there."""
    made = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    yield made
    made.reset()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A panel of two seats and one more button."""
    (tmp_path / "panel.toml").write_text(WIRED)
    return tmp_path / "panel.toml"


class Person:
    """Presses what the doctor asks for, but for what is broken."""

    def __init__(self, pins: MockFactory, monkeypatch: pytest.MonkeyPatch, *broken: str) -> None:
        self.pins, self.broken, self.asked = pins, broken, list[str]()
        self.lit = list[list[str]]()
        self._waits: list[str] = []
        monkeypatch.setattr(trial, "sleep", self._press)

    def hears(self, sentence: str) -> None:
        """The doctor asks."""
        self.asked.append(sentence)
        self._waits = [name for name in BUTTONS if f"GPIO{BUTTONS[name]}," in sentence]

    def _press(self, _: float) -> None:
        for name in self._waits:
            self.lit.append([seat for seat in LAMPS if self.pins.pin(LAMPS[seat]).state > 0])
            pin = self.pins.pin(BUTTONS[name])
            if name not in self.broken:
                (pin.drive_low if pin.state else pin.drive_high)()
        sleep(SETTLES_S)


def tried(file: Path, person: Person | None) -> Finding:
    """What the doctor finds."""
    tell: Callable[[str], object] | None = None if person is None else person.hears
    return trial.panel(file, 1, served=False, language="en", tell=tell)


def test_each_button_is_pressed_while_its_lamp_alone_shines(
    pins: MockFactory, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(pins, monkeypatch)
    found = tried(file, person)
    assert (found.ok, found.says()) == (True, "3 buttons pressed, each beside its lamp.")
    assert [lit for lit, before in pairwise([*person.lit, None]) if lit != before] == [["1"], ["2"], []]
    assert person.asked[0].startswith("Press the button of seat 1, whose lamp shines alone now (GPIO17,")
    assert all(pin.state == 0 for pin in map(pins.pin, LAMPS.values())), "they are dark again"


def test_a_silent_button_is_named(pins: MockFactory, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "WAIT_S", 0.05)
    found = tried(file, Person(pins, monkeypatch, "2", "bell"))
    assert (found.ok, found.facts["buttons"]) == (False, "2 (GPIO23), bell (GPIO7)")


def test_without_a_person_or_a_panel_nothing_is_asked(pins: MockFactory, file: Path, tmp_path: Path) -> None:
    assert tried(file, None).key == "untried"
    assert tried(tmp_path / "other.toml", None).says() == "No buttons and lamps are wired here."
    file.write_text("seats = 99\n")
    assert tried(file, None).key == "fault"


def test_the_running_companion_tries_its_own_panel(
    pins: MockFactory, file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.panel.presses.FADE_AFTER_S", 999.0)
    table = Table.open(Journal(home / "journal.sqlite"), BED)
    panel = TablePanel(table, Wires(read_wiring(file), pin_factory=pins))
    server = Server(pages_of(table, panel=panel), "127.0.0.1", 0)
    panel.start()
    server.start()
    person = Person(pins, monkeypatch)
    try:
        args: Any = {"served": True, "language": "en"}
        assert (
            trial.panel(file, server.port, tell=person.hears, **args).says().startswith("3 buttons pressed")
        )
        assert not panel.status().seats[0].done, "nothing was pressed in the match"
        table.seats.take_seat("cat", "a phone")
        assert trial.panel(file, server.port, tell=person.hears, **args).key == "on-its-page"
    finally:
        server.stop()
        panel.stop()
        table.journal.close()
