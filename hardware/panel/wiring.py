"""The panel's wiring, read from a TOML file, and each GPIO's position on the 40-pin header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.errors import UserError
from companion.errors.causes import Key
from companion.files import TomlText

STANDARD = Path(__file__).with_name("panel.toml")
"""The standard wiring, which `companion print panel` draws by default."""

GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
VOLT_3_PINS = (1, 17)
VOLT_5_PINS = (2, 4)
"""The header's pins of ground, 3.3 V and 5 V, counted from 1."""
GPIO_OF_PIN = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""The GPIO number at each pin of the header, the same on every Pi, in rows of odd and even pins."""

PIN_OF_GPIO = {gpio: pin for pin, gpio in GPIO_OF_PIN.items()}
EEPROM_GPIOS = (0, 1)
"""GPIOs that the Pi reads at start-up to identify the board on top; no part may use them."""

FIXED_UP_GPIOS = (2, 3)
"""GPIOs with a pull-up resistor on the Pi's own board."""

MOST_SEATS = 5
PIN_VOLT = 3.3
LAMP_2_VOLT = 2.0
"""The usual forward voltage of a red or yellow LED."""
LAMP_3_VOLT = 3.0
"""The usual forward voltage of a blue, white or bright green LED."""
MOST_MA = 50.0
"""The most current of all pins of a Pi together, in mA."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The E12 series of resistors (IEC 60063), which every shop has."""
E12_OHMS = tuple(value * decade for decade in (1, 10, 100, 1000, 10_000) for value in E12)
"""The resistors of the series from 10 Ω to 820 kΩ."""

Gpio = Annotated[int, Meta(ge=0, le=27)]
"""A GPIO number ("BCM")."""
Level = Literal["low", "high"]
"""Ground or 3.3 V."""
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
"""A share of full brightness."""
Colour = tuple[Share, Share, Share]
"""Red, green and blue."""

Part = Literal["button", "lamp", "undo", "named", "buzzer", "status"]
BUTTONS = ("button", "undo", "named")
"""The parts that are pressed: a seat's button, that for undo, and further ones, which have names."""

Name = Annotated[str, Meta(pattern="^(?!(undo|pause)$)[a-z][a-z-]{0,19}$")]
"""A further button's name."""


class WiringError(UserError):
    """The panel's file cannot be used. The text is one sentence that says how to mend it."""


class ManyColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GPIOs of an RGB lamp, with one wire per colour."""

    red: Gpio
    green: Gpio
    blue: Gpio


class SeatWires(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat's button and lamp. An RGB lamp shows the seat's `colour`."""

    button: Gpio
    lamp: Gpio | ManyColours
    colour: Colour = (1.0, 1.0, 1.0)


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wiring of all buttons."""

    pull: Literal["up", "down", "none"] = "up"
    """The Pi's pull resistor, which sets the level while the button is up; `none` for a soldered one."""
    active: Level = "low"
    debounce_ms: Annotated[float, Meta(ge=1, le=200)] = 15
    """The milliseconds that a level must last to count."""


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wiring of all lamps. With the smallest resistors, a pin supplies its maximum of 16 mA."""

    active: Level = "high"
    """The level that lights a lamp."""
    brightness: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.6
    """A lamp's greatest brightness, as a share of full brightness."""
    ohm: Annotated[int, Meta(ge=82, le=10_000)] = 330
    """The resistor of a 2 V lamp, in ohms."""
    ohm_3_volt: Annotated[int, Meta(ge=22, le=10_000)] = 100
    """The resistor of a 3 V lamp, in ohms."""


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GPIOs of the parts that belong to no seat; None if a part is missing."""

    undo: Gpio | None = None
    buttons: dict[Name, Gpio] = {}
    """Further buttons by name; `Actions.buttons` says what each does."""
    buzzer: Gpio | None = None
    buzzer_ma: Annotated[float, Meta(gt=0, le=16)] = 10.0
    """The current that the buzzer draws, in mA."""
    status: Gpio | None = None


Action = Literal["next", "done", "undo", "pause", "call", "ask-turn", "ask-standing"]
"""An action of a button: end the turn (or make the game's move for it), only stop one's own clock until the
move is seen, take back the last move, pause, call for help, or ask whose turn it is or how it stands."""


class Actions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The actions of a press, of a long press, and of two buttons together; and those of further buttons,
    wired or not, by name."""

    press: Action = "next"
    hold: Action = "undo"
    both: Action = "pause"
    buttons: dict[Name, Action] = {}


class Wire(msgspec.Struct, frozen=True):
    """A wire from a GPIO to a part."""

    gpio: int
    part: Part
    seat: int | None = None
    """The part's seat, from 0; None for a part that belongs to no seat."""
    leg: Literal["", "red", "green", "blue"] = ""
    """The colour of an RGB lamp's leg."""
    name: str = ""
    """A further button's name."""

    @property
    def pin(self) -> int:
        """The wire's position on the header, from 1."""
        return PIN_OF_GPIO[self.gpio]


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The checked content of panel.toml: each GPIO may be used, and is used only once."""

    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)]
    seat: tuple[SeatWires, ...]
    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    beside: Beside = Beside()
    actions: Actions = Actions()

    @property
    def places(self) -> tuple[SeatWires, ...]:
        """The wired seats, in order of play."""
        return self.seat[: self.seats]

    def wires(self) -> Iterator[Wire]:
        """Every wire except ground, seat by seat."""
        for n, seat in enumerate(self.places):
            yield Wire(seat.button, "button", n)
            if isinstance(seat.lamp, int):
                yield Wire(seat.lamp, "lamp", n)
            else:
                for leg in ("red", "green", "blue"):
                    yield Wire(getattr(seat.lamp, leg), "lamp", n, leg)
        beside = self.beside
        if beside.undo is not None:
            yield Wire(beside.undo, "undo")
        for name, gpio in beside.buttons.items():
            yield Wire(gpio, "named", name=name)
        if beside.buzzer is not None:
            yield Wire(beside.buzzer, "buzzer")
        if beside.status is not None:
            yield Wire(beside.status, "status")


def read_wiring(path: Path = STANDARD, **overrides: Any) -> Wiring:
    """Read a wiring file. Missing keys are taken from `STANDARD`.

    Keyword arguments override the file; None means unset. Without the key `seats`, every [[seat]] of the file
    is wired. Raises `WiringError` with the file and the line.
    """
    try:
        file = TomlText.from_file(path)
        given, standard = file.values(), TomlText.from_file(STANDARD).values()
        if isinstance(given.get("seat"), list):
            standard["seats"] = max(2, len(given["seat"]))
        values = _merged(standard, given) | {
            name: value for name, value in overrides.items() if value is not None
        }
        wiring = file.convert(values, Wiring)
        _check(wiring, file)
    except UserError as error:
        raise WiringError(str(error)) from error
    return wiring


def _merged(standard: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge `own` into `standard`, table by table. A list replaces the whole list in `standard`."""
    merged = dict(standard)
    for name, value in given.items():
        below = standard.get(name)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[name] = _merged(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _check(wiring: Wiring, file: TomlText) -> None:
    """Raise `UserError` for missing seats and for GPIOs that cannot be used like this."""
    if len(wiring.seat) < wiring.seats:
        listed = len(wiring.seat)
        raise file.error(
            f"seats = {wiring.seats}, but only {listed} are listed; add a [[seat]] for each", "seats"
        )
    for name in wiring.beside.buttons.keys() - wiring.actions.buttons.keys():
        raise file.error(f'say in [actions.buttons] what "{name}" does', "beside", "buttons", name)
    taken: dict[int, Wire] = {}
    for wire in wiring.wires():
        fault = _fault(wire, wiring.buttons.pull, taken.get(wire.gpio))
        if fault:
            leg = (wire.leg,) if wire.leg else ()
            where = ("buttons", wire.name) if wire.name else (wire.part,)
            key: Key = ("beside", *where) if wire.seat is None else ("seat", wire.seat, wire.part, *leg)
            raise file.error(f"GPIO{wire.gpio} (header pin {wire.pin}) {fault}", *key)
        taken[wire.gpio] = wire


def _fault(wire: Wire, pull: str, other: Wire | None) -> str:
    """The reason why a wire cannot use its GPIO; empty if it can. `other` uses the same GPIO already."""
    if wire.gpio in EEPROM_GPIOS:
        return "is kept for boards on top; choose another from 2 to 27"
    if other is not None:
        return f"is used twice, for {named(other)} and for {named(wire)}; give one of them another"
    if wire.part in BUTTONS and wire.gpio in FIXED_UP_GPIOS and pull != "up":
        return 'is held up by the board itself; use pull = "up" or another GPIO'
    return ""


def named(wire: Wire) -> str:
    """A wire's part in English, for messages: `the button of seat 1`."""
    if wire.part == "named":
        return f"the button “{wire.name}”"
    if wire.seat is None:
        return {"undo": "the undo button", "buzzer": "the buzzer", "status": "the status lamp"}[wire.part]
    leg = f" ({wire.leg})" if wire.leg else ""
    return f"the {wire.part} of seat {wire.seat + 1}{leg}"


# The current that lamps and buzzer draw from the pins, and the resistors that limit it.


def ohms(wiring: Wiring, wire: Wire) -> int | None:
    """The resistor in front of a lamp, in ohms; None for a wire without one."""
    if wire.part not in ("lamp", "status"):
        return None
    return wiring.lamps.ohm_3_volt if wire.leg in ("green", "blue") else wiring.lamps.ohm


def milliamps(wiring: Wiring) -> float:
    """The current with every lamp lit and the buzzer sounding, in mA.

    Dimming changes nothing: PWM lights a dimmed lamp fully for a part of the time.
    """
    return _lamps_ma(wiring) + (0.0 if wiring.beside.buzzer is None else wiring.beside.buzzer_ma)


def _lamps_ma(wiring: Wiring) -> float:
    return sum(_lamp_ma(wiring, wire) for wire in wiring.wires())


def _lamp_ma(wiring: Wiring, wire: Wire) -> float:
    ohm = ohms(wiring, wire)
    if ohm is None:
        return 0.0
    volt = PIN_VOLT - (LAMP_3_VOLT if wire.leg in ("green", "blue") else LAMP_2_VOLT)
    return 1000 * volt / ohm


def enough_ohms(wiring: Wiring) -> tuple[int, int]:
    """The resistors for LEDs of 2 V and of 3 V, in ohms, with which the panel stays within `MOST_MA`."""
    left_ma = MOST_MA + _lamps_ma(wiring) - milliamps(wiring)
    times = max(1.0, _lamps_ma(wiring) / left_ma)
    return _at_least(wiring.lamps.ohm * times), _at_least(wiring.lamps.ohm_3_volt * times)


def _at_least(ohm: float) -> int:
    """The smallest resistor of the series with at least this resistance."""
    return next(resistor for resistor in E12_OHMS if resistor >= ohm)
