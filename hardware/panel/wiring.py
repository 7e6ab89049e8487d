"""How the panel is wired, as a TOML file tells it, and where each GPIO stands on the 40-pin header."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.errors import MendableError, cause_of
from companion.files import read_text

STANDARD = Path(__file__).with_name("panel.toml")
"""The wiring that `companion print panel` draws unless it is told another."""

GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
VOLT_3_PINS = (1, 17)
VOLT_5_PINS = (2, 4)
GPIO_OF_PIN = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""The header's pins by their place, odd ones in one row, even ones in the other; the same on every Pi."""

PIN_OF_GPIO = {gpio: pin for pin, gpio in GPIO_OF_PIN.items()}

EEPROM_GPIOS = (0, 1)
"""Kept for the board on top: a Pi asks there at start what is plugged in."""

FIXED_UP_GPIOS = (2, 3)
"""These are held up on the Pi's own board."""

MOST_SEATS = 5

Gpio = Annotated[int, Meta(ge=0, le=27)]
Level = Literal["low", "high"]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Colour = tuple[Share, Share, Share]

Part = Literal["button", "lamp", "undo", "buzzer", "status"]
"""What a wire leads to."""


class WiringError(MendableError):
    """The panel's file tells no wiring; the text says what to mend in it."""


class ManyColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp with a wire for each colour."""

    red: Gpio
    green: Gpio
    blue: Gpio


class SeatWires(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat's button and lamp; `colour` is what a lamp of many colours shows for this seat."""

    button: Gpio
    lamp: Gpio | ManyColours
    colour: Colour = (1.0, 1.0, 1.0)


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all buttons share."""

    pull: Literal["up", "down", "none"] = "up"
    active: Level = "low"
    debounce_ms: Annotated[float, Meta(ge=1, le=200)] = 15


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all lamps share. With the least resistors a pin gives 16 mA, which is the most that it may."""

    active: Level = "high"
    brightness: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.6
    ohm: Annotated[int, Meta(ge=82, le=10_000)] = 330
    ohm_3_volt: Annotated[int, Meta(ge=22, le=10_000)] = 100


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may be wired beside the seats."""

    undo: Gpio | None = None
    buzzer: Gpio | None = None
    buzzer_ma: Annotated[float, Meta(gt=0, le=16)] = 10.0
    status: Gpio | None = None


class Wire(msgspec.Struct, frozen=True):
    """One wire: the GPIO, the part that it leads to, that part's seat (from 0) and its colour, if any."""

    gpio: int
    part: Part
    seat: int | None = None
    leg: Literal["", "red", "green", "blue"] = ""

    @property
    def pin(self) -> int:
        """Its place on the header, from 1."""
        return PIN_OF_GPIO[self.gpio]


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What panel.toml tells, checked: no GPIO twice, none that is not to be had."""

    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    seat: tuple[SeatWires, ...]
    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    beside: Beside = Beside()

    @property
    def places(self) -> tuple[SeatWires, ...]:
        """The seats that are wired, in order of play."""
        return self.seat[: self.seats]

    def wires(self) -> Iterator[Wire]:
        """Every wire but ground, seat by seat."""
        for n, seat in enumerate(self.places):
            yield Wire(seat.button, "button", n)
            yield from lamp_wires(seat.lamp, n)
        beside = self.beside
        if beside.undo is not None:
            yield Wire(beside.undo, "undo")
        if beside.buzzer is not None:
            yield Wire(beside.buzzer, "buzzer")
        if beside.status is not None:
            yield Wire(beside.status, "status")


def lamp_wires(lamp: int | ManyColours, seat: int) -> tuple[Wire, ...]:
    """The wires of a seat's lamp: one, or red, green and blue."""
    if isinstance(lamp, int):
        return (Wire(lamp, "lamp", seat),)
    return (
        Wire(lamp.red, "lamp", seat, "red"),
        Wire(lamp.green, "lamp", seat, "green"),
        Wire(lamp.blue, "lamp", seat, "blue"),
    )


def read_wiring(path: Path = STANDARD, **told: Any) -> Wiring:
    """The wiring of a file, what it leaves out as in `STANDARD`; what is told besides goes before both.

    Without `seats`, a file that lists seats of its own has them all wired. Raises `WiringError`.
    """
    values: dict[str, Any] = {}
    try:
        own = tomllib.loads(read_text(path))
        standard = tomllib.loads(STANDARD.read_text("utf-8"))
        if isinstance(own.get("seat"), list):
            standard["seats"] = max(2, len(own["seat"]))
        values = _over(standard, own) | {name: value for name, value in told.items() if value is not None}
        wiring = msgspec.convert(values, Wiring)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise WiringError(
            f"{path} does not say how the panel is wired: {cause_of(error, Wiring, values)}; mend it there."
        ) from error
    _check(wiring, path)
    return wiring


def _over(standard: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`own` laid over `standard`, table by table; a list takes the place of the other."""
    merged = dict(standard)
    for name, value in own.items():
        below = standard.get(name)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[name] = _over(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _check(wiring: Wiring, path: Path) -> None:
    """Raises `WiringError` for seats that are not told and GPIOs that cannot be had so."""
    if len(wiring.seat) < wiring.seats:
        raise WiringError(
            f"{path}: seats = {wiring.seats}, but only {len(wiring.seat)} are told; add a [[seat]] for each."
        )
    taken: dict[int, Wire] = {}
    for wire in wiring.wires():
        where = f"{path}: GPIO{wire.gpio} (header pin {wire.pin})"
        if wire.gpio in EEPROM_GPIOS:
            raise WiringError(f"{where} is kept for boards on top; choose another from 2 to 27.")
        if wire.gpio in taken:
            raise WiringError(
                f"{where} is told twice, for {named(taken[wire.gpio])} and for {named(wire)};"
                " give one of them another."
            )
        pulled = wire.part in ("button", "undo") and wire.gpio in FIXED_UP_GPIOS
        if pulled and wiring.buttons.pull != "up":
            raise WiringError(f'{where} is held up by the board itself; use pull = "up" or another GPIO.')
        taken[wire.gpio] = wire


def named(wire: Wire) -> str:
    """A wire's part in English, for messages: `the button of seat 1`."""
    if wire.seat is None:
        return {"undo": "the undo button", "buzzer": "the buzzer", "status": "the status lamp"}[wire.part]
    leg = f" ({wire.leg})" if wire.leg else ""
    return f"the {wire.part} of seat {wire.seat + 1}{leg}"
