"""Real wires on mock pins: what they show, and what is said of those that fail."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.panel.wires import Wires
from hardware.panel.wiring import Wiring, read_wiring


class UnluckyPin(MockPWMPin):
    """A pin that fails as real ones do: `busy` cannot be taken, `broken` no longer answers."""

    busy: ClassVar[set[int]] = set()
    broken: ClassVar[set[int]] = set()

    def __init__(self, factory: Any, info: Any) -> None:
        super().__init__(factory, info)
        if int(info.name.removeprefix("GPIO")) in self.busy:
            # lgpio's own error is a plain exception of that text.
            raise Exception("'GPIO busy'")

    def _fail_if_broken(self) -> None:
        if int(self.info.name.removeprefix("GPIO")) in self.broken:
            raise OSError(5, "Input/output error")

    def _set_state(self, value: float) -> None:
        self._fail_if_broken()
        super()._set_state(value)

    def _get_state(self) -> Any:
        self._fail_if_broken()
        return super()._get_state()


@pytest.fixture
def unlucky() -> Iterator[MockFactory]:
    """Pins of which some fail."""
    made = MockFactory(pin_class=UnluckyPin)
    yield made
    UnluckyPin.busy.clear()
    UnluckyPin.broken.clear()
    made.reset()


def opened(pins: Any, wiring: Wiring | None = None) -> Wires:
    """Wires that have taken their pins."""
    wires = Wires(wiring or read_wiring(), pin_factory=pins)
    wires.open()
    return wires


def own(tmp_path: Path, text: str) -> Wiring:
    """The wiring of such a file."""
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    return read_wiring(path)


def test_a_press_is_told_with_its_name(pins: MockFactory) -> None:
    wires = opened(pins)
    output: list[str] = []
    wires.on_edge = lambda: output.append("output")
    pins.pin(23).drive_low()
    assert [(edge.name, edge.down) for edge in wires.edges()] == [("2", True)]
    assert wires.levels() == {"1": False, "2": True}
    pins.pin(23).drive_high()
    assert [edge.down for edge in wires.edges()] == [False]
    assert output == ["output", "output"]
    assert wires.edges() == []


@pytest.mark.parametrize(
    ("pull", "active", "resting", "pressed"),
    [
        ("up", "low", "drive_high", "drive_low"),
        ("down", "high", "drive_low", "drive_high"),
        ("up", "high", "drive_low", "drive_high"),
        ("down", "low", "drive_high", "drive_low"),
        ("none", "low", "drive_high", "drive_low"),
        ("none", "high", "drive_low", "drive_high"),
    ],
)
def test_buttons_may_be_wired_either_way(
    pins: MockFactory, tmp_path: Path, pull: str, active: str, resting: str, pressed: str
) -> None:
    getattr(pins.pin(17), resting)()
    wires = opened(pins, own(tmp_path, f'[buttons]\npull = "{pull}"\nactive = "{active}"\n'))
    getattr(pins.pin(17), resting)()
    wires.edges()
    getattr(pins.pin(17), pressed)()
    assert [edge.down for edge in wires.edges()] == [True]
    assert wires.levels()["1"]
    getattr(pins.pin(17), resting)()
    assert not wires.levels()["1"]


def test_a_lamp_is_as_bright_as_the_file_says(pins: MockFactory, tmp_path: Path) -> None:
    wires = opened(pins, own(tmp_path, "[lamps]\nbrightness = 0.25\n"))
    wires.light(0, 1.0)
    assert pins.pin(27).state == 0.25
    wires.light(0, 0.5)
    assert 0 < pins.pin(27).state < 0.1  # half as the eye sees it is far less than half the current
    wires.light(0, 0.0)
    assert pins.pin(27).state == 0


def test_a_lamp_against_3_volt_burns_when_its_pin_is_low(pins: MockFactory, tmp_path: Path) -> None:
    wires = opened(pins, own(tmp_path, '[lamps]\nactive = "low"\nbrightness = 1.0\n'))
    assert pins.pin(27).state == 1
    wires.light(0, 1.0)
    assert pins.pin(27).state == 0


def test_a_lamp_of_many_colours_shows_its_seats_and_warns_in_red(pins: MockFactory, tmp_path: Path) -> None:
    seats = (
        "[[seat]]\nbutton = 17\nlamp = { red = 16, green = 20, blue = 21 }\ncolour = [0.0, 1.0, 0.5]\n"
        "[[seat]]\nbutton = 23\nlamp = 24\n[lamps]\nbrightness = 1.0\n"
    )
    wires = opened(pins, own(tmp_path, seats))
    wires.light(0, 1.0)
    assert [pins.pin(gpio).state for gpio in (16, 20, 21)] == [0, 1.0, 0.5]
    wires.light(0, 1.0, warns=True)
    assert [pins.pin(gpio).state for gpio in (16, 20, 21)] == [1.0, 0, 0]


def test_a_pin_is_not_set_again_to_what_it_is(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    wires = opened(pins)
    sets: list[float] = []
    monkeypatch.setattr(MockPWMPin, "state", property(lambda pin: 0, lambda pin, value: sets.append(value)))
    for _ in range(5):
        wires.light(0, 1.0)
    assert sets == [0.6]


def test_where_pins_cannot_dim_a_lamp_is_on_or_off() -> None:
    pins = MockFactory(pin_class=MockPin)
    wires = opened(pins)
    assert wires.faults == ()
    wires.light(0, 0.4)
    assert pins.pin(27).state == 0
    wires.light(0, 0.6)
    assert pins.pin(27).state == 1
    wires.close()


def test_the_buzzer_and_the_status_lamp(pins: MockFactory) -> None:
    wires = opened(pins, read_wiring(beside={"buzzer": 25, "status": 4}))
    wires.buzz(on=True)
    wires.status(1.0)
    assert (pins.pin(25).state, pins.pin(4).state) == (1, 0.6)
    wires.buzz(on=False)
    assert pins.pin(25).state == 0


def test_a_pin_in_use_is_said_by_name_and_number_and_the_rest_works(
    unlucky: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    UnluckyPin.busy.update({27, 23})
    wires = opened(unlucky)
    lamp, button = wires.faults
    assert (lamp.part, lamp.seat, lamp.gpio, lamp.pin, lamp.why) == ("lamp", 0, 27, 13, "in-use")
    assert (button.part, button.seat, button.gpio, button.pin, button.why) == ("button", 1, 23, 16, "in-use")
    assert "The lamp of seat 1 (GPIO27, header pin 13) is in use by another program" in caplog.text
    wires.light(0, 1.0)
    wires.light(1, 1.0)
    assert unlucky.pin(24).state == 0.6
    assert wires.levels() == {"1": False}


def test_a_pin_that_is_free_again_is_taken(unlucky: MockFactory, caplog: pytest.LogCaptureFixture) -> None:
    UnluckyPin.busy.update({27, 17})
    wires = opened(unlucky)
    caplog.clear()
    wires.retry()
    assert len(wires.faults) == 2
    assert caplog.text == ""  # it was said before
    UnluckyPin.busy.clear()
    wires.retry()
    assert wires.faults == ()
    wires.light(0, 1.0)
    assert unlucky.pin(27).state == 0.6
    assert wires.levels() == {"1": False, "2": False}


def test_a_pin_that_our_own_process_uses_is_in_use(pins: MockFactory) -> None:
    other = gpiozero.LED(27, pin_factory=pins)
    wires = opened(pins)
    assert [(fault.gpio, fault.why) for fault in wires.faults] == [(27, "in-use")]
    other.close()
    wires.retry()
    assert wires.faults == ()


def test_a_pin_that_is_not_there_is_said(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    take = pins.pin

    def missing(name: Any) -> Any:
        if name == 24:
            raise gpiozero.PinInvalidPin("24 is not a valid pin name")
        return take(name)

    monkeypatch.setattr(pins, "pin", missing)
    (fault,) = opened(pins).faults
    assert (fault.gpio, fault.pin, fault.why) == (24, 18, "no-pin")
    assert "GPIO24, header pin 18" in fault.says


def test_a_pin_that_fails_later_is_let_go_and_tried_again(unlucky: MockFactory) -> None:
    wires = opened(unlucky)
    UnluckyPin.broken.update({27, 17})
    wires.light(0, 1.0)
    assert wires.levels() == {"2": False}
    assert {(fault.part, fault.gpio, fault.why) for fault in wires.faults} == {
        ("lamp", 27, "broken"),
        ("button", 17, "broken"),
    }
    assert all("Input/output error" in fault.says for fault in wires.faults)
    UnluckyPin.broken.clear()
    wires.retry()
    assert wires.faults == ()
    assert wires.levels() == {"1": False, "2": False}
    wires.light(0, 1.0)
    assert unlucky.pin(27).state == 0.6


def test_without_gpiozero_everything_else_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    wires = opened(None)
    (fault,) = wires.faults
    assert (fault.part, fault.why, fault.gpio) == ("pins", "no-gpiozero", None)
    assert "pip install" in caplog.text
    wires.light(0, 1.0)
    wires.retry()
    assert wires.levels() == {}
    wires.close()


def test_without_a_gpio_chip_it_is_said_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-factory")
    monkeypatch.setenv("LG_WD", os.environ.get("LG_WD", ""))
    wires = opened(None)
    (fault,) = wires.faults
    assert fault.why == "no-chip"
    assert "no-such-factory" in fault.detail
    assert "No GPIO can be opened here" in caplog.text


def test_gpiozeros_own_choice_of_pins_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    wires = opened(None)
    assert wires.faults == ()
    wires.light(0, 1.0)
    assert gpiozero.Device.pin_factory.pin(27).state
    wires.close()
    gpiozero.Device.pin_factory.reset()


def test_lgpio_is_sent_to_a_folder_of_its_own_and_does_not_take_us_along(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    went: list[str] = []

    def as_lgpio_does() -> None:
        if gpiozero.Device.pin_factory is not None:
            return
        went.append(os.environ["LG_WD"])
        os.chdir(os.environ["LG_WD"])
        Path(".lgd-nfy0").touch()
        gpiozero.Device.pin_factory = MockFactory(pin_class=MockPWMPin)

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", as_lgpio_does)
    opened(None)
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert Path(went[0], ".lgd-nfy0").exists()
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    opened(None)
    assert went[1] == str(tmp_path)


def test_closing_lets_lamps_go_dark_and_pins_go(pins: MockFactory) -> None:
    wires = opened(pins)
    wires.light(0, 1.0)
    wires.close()
    assert not pins.pin(27).state
    assert pins.pin(27).function == "input"
    gpiozero.LED(27, pin_factory=pins).close()


def test_nothing_is_said_while_all_is_well(pins: MockFactory, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        opened(pins).close()
    assert caplog.text == ""
