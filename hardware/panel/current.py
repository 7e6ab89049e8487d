"""The current that lamps and buzzer draw from the Pi's pins, and the resistors that limit it."""

from __future__ import annotations

from hardware.panel.wiring import Wire, Wiring

PIN_VOLT = 3.3
"""The voltage of a GPIO that is high."""
LAMP_2_VOLT = 2.0
"""The forward voltage of a red or yellow LED, about."""
LAMP_3_VOLT = 3.0
"""The forward voltage of a blue, white or bright green LED, about."""
MOST_MA = 50.0
"""The most current that all pins of a Pi may give together, in mA."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The E12 series of preferred values (IEC 60063): every shop has these resistors."""
E12_OHMS = tuple(value * decade for decade in (1, 10, 100, 1000, 10_000) for value in E12)
"""The resistors of the series from 10 Ω to 820 kΩ."""


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
    return next(each for each in E12_OHMS if each >= ohm)
