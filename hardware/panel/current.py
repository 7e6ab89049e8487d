"""How much current the panel's lamps and buzzer take from the Pi's pins, and which resistors keep it low."""

from __future__ import annotations

from hardware.panel.wiring import Wire, Wiring

PIN_VOLT = 3.3
LAMP_2_VOLT, LAMP_3_VOLT = 2.0, 3.0
"""What a lamp keeps for itself: red and yellow ones about 2 V; blue, white, bright green ones about 3 V."""
MOST_MA = 50.0
"""What all pins of a Pi may give together."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
SHOPS_HAVE = tuple(digits * ten for ten in (1, 10, 100, 1000, 10_000) for digits in E12)
"""The resistors that shops have, in ohms."""


def ohms(wiring: Wiring, wire: Wire) -> int | None:
    """The resistor in front of a lamp; None where there is none."""
    if wire.part not in ("lamp", "status"):
        return None
    return wiring.lamps.ohm_3_volt if wire.leg in ("green", "blue") else wiring.lamps.ohm


def milliamps(wiring: Wiring) -> float:
    """What all of it takes while every lamp burns and the buzzer sounds.

    Dimming does not count: a dimmed lamp is lit fully, for a part of the time.
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
    """Resistors (for lamps of 2 V and of 3 V) with which all of it stays within `MOST_MA`."""
    left_ma = MOST_MA + _lamps_ma(wiring) - milliamps(wiring)
    times = max(1.0, _lamps_ma(wiring) / left_ma)
    return _at_least(wiring.lamps.ohm * times), _at_least(wiring.lamps.ohm_3_volt * times)


def _at_least(ohm: float) -> int:
    """The next resistor that shops have."""
    return next(ohms for ohms in SHOPS_HAVE if ohms >= ohm)
