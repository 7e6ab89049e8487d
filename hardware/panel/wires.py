"""The panel's real buttons and lamps, through gpiozero. A failed pin is reported; the others keep working."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Literal

import msgspec

from hardware.panel.presses import UNDO
from hardware.panel.wiring import BUTTONS, PIN_OF_GPIO, Colour, Part, Wire, Wiring, named

log = logging.getLogger(__name__)

GAMMA = 2.2
"""The exponent from perceived brightness to current."""
PWM_HZ = 100
"""The PWM frequency of dimmed lamps; software PWM on a Pi goes little higher."""
WARNING: Colour = (1.0, 0.0, 0.0)
"""The colour of an RGB lamp in a warning pattern: red."""

Why = Literal["no-gpiozero", "no-chip", "in-use", "no-pin", "broken", "stuck"]


class PanelFault(msgspec.Struct, frozen=True):
    """A fault of a part of the panel, as pages are told it."""

    part: Part | Literal["pins"]
    """The part; `pins` is the whole panel."""
    why: Why
    """The kind of fault, and the key `web.panel-fault-<why>` of its message."""
    seat: int | None = None
    """The part's seat, from 0."""
    gpio: int | None = None
    pin: int | None = None
    """Its place on the header, from 1."""
    detail: str = ""
    name: str = ""
    """A further button's name."""

    @property
    def says(self) -> str:
        """The fault as one English sentence, for the log."""
        if self.gpio is None:
            return f"{_REASONS[self.why]} ({self.detail})" if self.detail else _REASONS[self.why]
        what = named(Wire(self.gpio, self.part, self.seat, name=self.name))  # type: ignore[arg-type]
        sentence = (
            f"{what[0].upper()}{what[1:]} (GPIO{self.gpio}, header pin {self.pin}) {_REASONS[self.why]}"
        )
        return f"{sentence} ({self.detail})" if self.detail else sentence


_REASONS: dict[str, str] = {
    "no-gpiozero": "Buttons and lamps need gpiozero: pip install 'table-companion[pi]'.",
    "no-chip": "No GPIO can be opened here: is this a Pi, and is this user in the group gpio?",
    "in-use": "is in use by another program; stop that one, or choose another GPIO.",
    "no-pin": "is not there; choose another GPIO.",
    "broken": "does not answer; look at its wire.",
    "stuck": "is held down all the time: it is stuck, or its wire touches another. It is left aside.",
}


def fault_of(wire: Wire, why: Why, detail: str = "") -> PanelFault:
    """The fault of one wire."""
    return PanelFault(wire.part, why, wire.seat, wire.gpio, PIN_OF_GPIO[wire.gpio], detail, wire.name)


class Edge(msgspec.Struct, frozen=True):
    """A change of level at a button's pin, perhaps a bounce."""

    name: str
    """The button's name by `button_name`."""
    down: bool
    at_s: float
    """The time of the edge, in seconds on the clock of `Wires`."""


def button_name(wire: Wire) -> str:
    """The name of a wire's button: the number of its seat, from 1, its own, or `undo`."""
    return wire.name or (UNDO if wire.seat is None else str(wire.seat + 1))


class Wires:
    """Buttons and lamps on real pins. A failed pin does not raise: it becomes a fault and is logged once.

    `pin_factory` is gpiozero's own by default. gpiozero's thread calls `on_edge` when `edges` has something
    new.
    """

    def __init__(
        self,
        wiring: Wiring,
        *,
        pin_factory: Any = None,
        clock: Callable[[], float] = monotonic,
        on_edge: Callable[[], None] = lambda: None,
    ) -> None:
        self.wiring = wiring
        self._factory = pin_factory
        self._clock = clock
        self.on_edge = on_edge
        self._gpiozero: Any = None
        self._edges: deque[Edge] = deque()
        self._inputs: dict[str, tuple[Wire, Any]] = {}
        self._outputs: dict[Wire, Any] = {}
        self._shown: dict[Wire, float] = {}
        self._faults: dict[Wire | None, PanelFault] = {}

    @property
    def faults(self) -> tuple[PanelFault, ...]:
        """The current faults."""
        return tuple(self._faults.values())

    def open(self) -> None:
        """Open every pin. A pin that cannot be opened becomes a fault."""
        if self._ready():
            for wire in self.wiring.wires():
                self._open(wire)

    def retry(self) -> None:
        """Try again to open the failed pins, because the program that used them may have ended."""
        if self._gpiozero is not None:
            for wire in [wire for wire in self._faults if wire is not None]:
                self._open(wire)

    def close(self) -> None:
        """Release every pin. The lamps go dark."""
        for device in (*self._outputs.values(), *(device for _, device in self._inputs.values())):
            try:
                device.close()
            except Exception as error:
                log.debug("A pin could not be released: %s", error)
        self._inputs, self._outputs = {}, {}

    def edges(self) -> list[Edge]:
        """Take the edges since the last call, the oldest first."""
        edges = []
        while self._edges:
            edges.append(self._edges.popleft())
        return edges

    def levels(self) -> dict[str, bool]:
        """Read every button now; returns True for each that is down, by name."""
        levels = {}
        for name, (wire, device) in list(self._inputs.items()):
            try:
                levels[name] = bool(device.is_active) != self._inverted
            except Exception as error:
                self._give_up(wire, error)
        return levels

    def light(self, seat: int, level: float, *, warns: bool = False) -> None:
        """Set a seat's lamp (from 0) to a perceived brightness, 0 to 1; in red if `warns`."""
        for wire in list(self._outputs):
            if wire.part == "lamp" and wire.seat == seat:
                self._set(wire, level, self._share(wire, warns=warns))

    def status(self, level: float) -> None:
        """Set the status lamp to a perceived brightness, 0 to 1."""
        for wire in list(self._outputs):
            if wire.part == "status":
                self._set(wire, level)

    def buzz(self, *, on: bool) -> None:
        """Let the buzzer sound, or end it."""
        for wire in list(self._outputs):
            if wire.part == "buzzer":
                self._set(wire, float(on))

    def _share(self, wire: Wire, *, warns: bool) -> float:
        """A leg's share of the light (0 to 1): all of it, or its share of the colour."""
        if not wire.leg or wire.seat is None:
            return 1.0
        colour = WARNING if warns else self.wiring.seat[wire.seat].colour
        return colour[("red", "green", "blue").index(wire.leg)]

    def _set(self, wire: Wire, level: float, share: float = 1.0) -> None:
        device = self._outputs[wire]
        if isinstance(device, self._gpiozero.PWMOutputDevice):
            value = round(self.wiring.lamps.brightness * float(level**GAMMA) * share, 3)
        else:
            value = float(level >= 0.5 and share >= 0.5)
        if self._shown.get(wire) == value:
            return
        try:
            device.value = value
        except Exception as error:
            self._give_up(wire, error)
        else:
            self._shown[wire] = value

    @property
    def _inverted(self) -> bool:
        """True if gpiozero calls a button active while it is up (its level is against the pull)."""
        buttons = self.wiring.buttons
        return buttons.pull != "none" and (buttons.pull == "up") == (buttons.active == "high")

    def _ready(self) -> bool:
        try:
            import gpiozero
        except ImportError:
            self._fail(None, PanelFault("pins", "no-gpiozero"))
            return False
        with _working_directory_kept(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                if self._factory is None:
                    gpiozero.Device.ensure_pin_factory()
            except Exception as error:
                reasons = "; ".join(str(warning.message) for warning in caught) or str(error)
                self._fail(None, PanelFault("pins", "no-chip", detail=reasons))
                return False
        self._gpiozero = gpiozero
        return True

    def _open(self, wire: Wire) -> None:
        is_button = wire.part in BUTTONS
        try:
            if is_button:
                device = self._input(wire)
                self._inputs[button_name(wire)] = wire, device
            else:
                self._outputs[wire] = self._output(wire)
        except Exception as error:
            self._fail(wire, fault_of(wire, self._why(error), _text(error)))
            return
        if self._faults.pop(wire, None):
            log.info("The panel's GPIO%d is there again.", wire.gpio)
        if is_button:
            device.when_activated = partial(self._edge, button_name(wire), not self._inverted)
            device.when_deactivated = partial(self._edge, button_name(wire), self._inverted)

    def _input(self, wire: Wire) -> Any:
        buttons = self.wiring.buttons
        pull_up = {"up": True, "down": False, "none": None}[buttons.pull]
        return self._gpiozero.DigitalInputDevice(
            wire.gpio,
            pull_up=pull_up,
            active_state=None if pull_up is not None else buttons.active == "high",
            pin_factory=self._factory,
        )

    def _output(self, wire: Wire) -> Any:
        active_high = wire.part == "buzzer" or self.wiring.lamps.active == "high"
        settings = {"active_high": active_high, "pin_factory": self._factory}
        if wire.part != "buzzer":
            try:
                return self._gpiozero.PWMOutputDevice(wire.gpio, frequency=PWM_HZ, **settings)
            except self._gpiozero.PinPWMUnsupported:
                log.info("GPIO%d cannot dim its lamp: it is on or off.", wire.gpio)
        return self._gpiozero.DigitalOutputDevice(wire.gpio, **settings)

    def _edge(self, name: str, down: bool) -> None:  # noqa: FBT001 - gpiozero calls it
        self._edges.append(Edge(name, down, self._clock()))
        self.on_edge()

    def _why(self, error: Exception) -> Why:
        known = self._gpiozero
        if isinstance(error, known.GPIOPinInUse) or "busy" in str(error).lower():
            return "in-use"
        if isinstance(error, known.PinInvalidPin | known.PinUnknownPi):
            return "no-pin"
        return "broken"

    def _give_up(self, wire: Wire, error: Exception) -> None:
        """Release a pin that worked until now; `retry` reopens it."""
        if wire in self._outputs:
            device = self._outputs.pop(wire)
            self._shown.pop(wire, None)
        else:
            _, device = self._inputs.pop(button_name(wire))
        self._fail(wire, fault_of(wire, self._why(error), _text(error)))
        try:
            device.close()
        except Exception as again:
            log.debug("GPIO%d could not be released: %s", wire.gpio, again)

    def _fail(self, wire: Wire | None, fault: PanelFault) -> None:
        if self._faults.get(wire) != fault:
            log.warning("Panel: %s", fault.says)
        self._faults[wire] = fault


@contextmanager
def _working_directory_kept() -> Iterator[None]:
    """Keep the working directory: `import lgpio` changes to the folder LG_WD and makes a FIFO in it."""
    if "LG_WD" not in os.environ:
        folder = os.environ["LG_WD"] = tempfile.mkdtemp(prefix="table-companion-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    here = Path.cwd()
    try:
        yield
    finally:
        os.chdir(here)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
