"""The panel's file: what it may leave out, and what is said of each mistake in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.panel import wiring as wirings
from hardware.panel.wiring import STANDARD, WiringError, named, read_wiring


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file of one's own."""
    return tmp_path / "own.toml"


def test_the_standard_wiring_is_two_seats_and_knows_five() -> None:
    standard = read_wiring()
    assert [(seat.button, seat.lamp) for seat in standard.places] == [(17, 27), (23, 24)]
    assert len(read_wiring(seats=5).places) == 5


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    header = MockFactory().board_info.headers["J8"]
    theirs = {
        pin.number: int(pin.name.removeprefix("GPIO")) for pin in header.pins.values() if "GPIO" in pin.name
    }
    assert theirs == wirings.GPIO_OF_PIN
    named = {
        name: tuple(p.number for p in header.pins.values() if p.name == name) for name in ("GND", "3V3", "5V")
    }
    assert named == {
        "GND": wirings.GROUND_PINS, "3V3": wirings.VOLT_3_PINS, "5V": wirings.VOLT_5_PINS
    }  # fmt: skip


def test_what_a_file_leaves_out_is_as_in_the_standard(own: Path) -> None:
    own.write_text("[buttons]\ndebounce_ms = 30\n[beside]\nundo = 22\n", "utf-8")
    read = read_wiring(own)
    assert (read.buttons.debounce_ms, read.buttons.pull, read.beside.undo) == (30, "up", 22)
    assert read.places == read_wiring().places


def test_seats_of_ones_own_take_the_place_of_the_standards(own: Path) -> None:
    own.write_text("".join(f"[[seat]]\nbutton = {n}\nlamp = {n + 10}\n" for n in (4, 5, 6)), "utf-8")
    assert [seat.button for seat in read_wiring(own).places] == [4, 5, 6]
    assert read_wiring(own, seats=2).seats == 2


def test_a_lamp_may_have_many_colours(own: Path) -> None:
    own.write_text(
        "[[seat]]\nbutton = 17\nlamp = { red = 16, green = 20, blue = 21 }\n"
        "[[seat]]\nbutton = 23\nlamp = 24\n",
        "utf-8",
    )
    legs = [(wire.leg, wire.gpio, wire.pin) for wire in read_wiring(own).wires() if wire.part == "lamp"]
    assert legs == [("red", 16, 36), ("green", 20, 38), ("blue", 21, 40), ("", 24, 18)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[beside]\nundo = 17", r"GPIO17 \(header pin 11\) is used twice", id="twice"),
        pytest.param("[beside]\nundo = 1", r"GPIO1 \(header pin 28\) is kept for boards", id="eeprom"),
        pytest.param("[beside]\nundo = 28", "beside.undo", id="not-on-the-header"),
        pytest.param(
            '[buttons]\npull = "down"\n[beside]\nundo = 2', r"GPIO2 \(header pin 3\)", id="fixed-up"
        ),
        pytest.param("seats = 6", "seats", id="too-many-seats"),
        pytest.param("seats = 3\n[[seat]]\nbutton = 5\nlamp = 12", "only 1 are listed", id="seats-untold"),
        pytest.param("[[seat]]\nbutton = 5", "lamp", id="a-pin-is-missing"),
        pytest.param("[lamps]\nbrightnes = 1", "brightnes", id="misspelt"),
        pytest.param("[lamps]\nbrightness = 0", "brightness", id="dark"),
        pytest.param("seats = ", r"own\.toml: it is not valid TOML", id="no-toml"),
        pytest.param("\nseats = ?", r"own\.toml: line 2, column 9: this is not valid TOML", id="no-value"),
        pytest.param("[[seat]]\nlamp = 3\n\nbutton = 'x'", r"line 4: “seat\[0\]\.button” must be", id="text"),
        pytest.param("[beside]\n\nundo = 17", r"own\.toml, line 3: GPIO17 \(header pin 11\)", id="line"),
        pytest.param(
            "lamps = 3",
            r"own\.toml, line 1: “lamps” must be a group of named values, not 3\.$",
            id="a-number-for-a-table",
        ),
        pytest.param('buttons = "up"', "buttons", id="a-word-for-a-table"),
        pytest.param("beside = []", "beside", id="a-list-for-a-table"),
        pytest.param("[[lamps]]\nbrightness = 1", "lamps", id="a-list-of-tables-for-a-table"),
        pytest.param("seat = 3", "seat", id="a-number-for-the-seats"),
        pytest.param("[seat]\nbutton = 5\nlamp = 12", "seat", id="one-table-for-the-seats"),
        pytest.param("[seats]\nseats = 2", "seats", id="a-table-for-a-number"),
        pytest.param("[[seat]]\nbutton = 5\nlamp = [12]", "lamp", id="a-list-for-a-lamp"),
    ],
)
def test_a_mistake_is_said_with_the_file_and_the_place(own: Path, text: str, said: str) -> None:
    own.write_text(text, "utf-8")
    with pytest.raises(WiringError, match=said) as output:
        read_wiring(own)
    assert str(own) in str(output.value)


def test_a_file_with_a_byte_order_mark_is_read(own: Path) -> None:
    own.write_bytes(b"\xef\xbb\xbfseats = 3\n")
    assert len(read_wiring(own).places) == 3


def test_a_file_that_is_not_there_is_said(own: Path) -> None:
    with pytest.raises(WiringError, match=r"own\.toml"):
        read_wiring(own)


def test_each_key_of_the_standard_file_has_its_comment() -> None:
    lines = STANDARD.read_text("utf-8").splitlines()
    keys = [n for n, line in enumerate(lines) if " = " in line and not line.startswith("#")]
    commented = [n for n in keys if lines[n - 1].startswith("#")]
    # What stands in the tables of the seats is told once, above the first of them.
    assert {lines[n].split()[0] for n in set(keys) - set(commented)} == {"button", "lamp", "colour"}
    assert all(f"`{word}`" in "\n".join(lines) for word in ("lamp", "colour"))


def test_a_further_button_needs_a_name_of_its_own_and_an_action(own: Path) -> None:
    own.write_text('[beside.buttons]\nbell = 7\n[actions.buttons]\nbell = "call"\n')
    (bell,) = [wire for wire in read_wiring(own).wires() if wire.part == "named"]
    assert (bell.gpio, bell.name, named(bell)) == (7, "bell", "the button “bell”")
    own.write_text("[beside.buttons]\nbell = 7\n")
    with pytest.raises(WiringError, match=r'say in \[actions.buttons\] what "bell" does'):
        read_wiring(own)
    own.write_text('[actions.buttons]\nundo = "call"\n')
    with pytest.raises(WiringError):
        read_wiring(own)
