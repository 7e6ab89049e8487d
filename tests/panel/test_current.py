"""What the panel takes from the Pi's pins, and which resistors keep it low."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.panel.wiring import E12_OHMS, WiringError, enough_ohms, milliamps, read_wiring

COLOURFUL = [
    {"button": button, "lamp": {"red": red, "green": red + 1, "blue": red + 2}}
    for button, red in ((2, 7), (3, 10), (5, 13), (6, 16), (4, 19))
]
BESIDE = {"buzzer": 25, "status": 22}
MOST_MA = 50
"""What all GPIOs of a Raspberry Pi may give together: Raspberry Pi documentation, "GPIO pads control"."""
E24 = (
    *(1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0),
    *(3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1),
)
"""The E24 series of preferred values, IEC 60063; E12 is every second of them."""


def in_e24(ohm: int) -> bool:
    """Whether a resistance is a value of the E24 series in some decade."""
    return any(ohm == round(value * 10**decade) for value in E24 for decade in range(7))


def test_the_resistors_are_the_twelve_values_of_each_decade() -> None:
    assert [value for value in E12_OHMS if value < 100] == [round(10 * value) for value in E24[::2]]
    assert list(E12_OHMS) == sorted(E12_OHMS)
    assert E12_OHMS[12:] == tuple(10 * value for value in E12_OHMS[:-12]), "each decade is ten times the last"
    assert 82 in E12_OHMS
    assert E12_OHMS[-1] >= 10_000, "the largest that a file may name"


def test_lamps_of_one_colour_take_little() -> None:
    assert milliamps(read_wiring()) == pytest.approx(2 * 1.3 / 330 * 1000)
    assert milliamps(read_wiring(seats=5, beside=BESIDE)) < MOST_MA


def test_five_lamps_of_many_colours_a_status_lamp_and_a_buzzer_are_too_much() -> None:
    panel = read_wiring(seats=5, seat=COLOURFUL, beside=BESIDE)
    assert milliamps(panel) == pytest.approx(5 * (1.3 / 0.33 + 2 * 0.3 / 0.1) + 1.3 / 0.33 + 10)
    assert milliamps(panel) > MOST_MA
    assert enough_ohms(panel) == (470, 150)


@pytest.mark.parametrize(
    "lamps",
    [
        pytest.param({"ohm": 82, "ohm_3_volt": 22}, id="the-least-there-are"),
        pytest.param({"ohm": 470, "ohm_3_volt": 150}, id="enough-already"),
        pytest.param({"ohm": 333, "ohm_3_volt": 99}, id="none-that-shops-have"),
    ],
)
def test_the_resistors_that_are_named_are_to_be_had_and_enough(lamps: dict[str, Any]) -> None:
    low, high = enough_ohms(read_wiring(seats=5, seat=COLOURFUL, beside=BESIDE, lamps=lamps))
    mended = read_wiring(seats=5, seat=COLOURFUL, beside=BESIDE, lamps={"ohm": low, "ohm_3_volt": high})
    assert milliamps(mended) <= MOST_MA
    assert in_e24(low)
    assert in_e24(high)
    assert low >= lamps["ohm"]
    assert high >= lamps["ohm_3_volt"]


@pytest.mark.parametrize("line", ["ohm = 81", "ohm_3_volt = 21", "ohm = 10001"])
def test_a_resistor_that_lets_a_pin_give_too_much_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "own.toml").write_text(f"[lamps]\n{line}\n", "utf-8")
    with pytest.raises(WiringError, match=line.split()[0]):
        read_wiring(tmp_path / "own.toml")
