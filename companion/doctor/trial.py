"""Tries the panel with a person: each seat's lamp shines alone, and its button is pressed.

The running companion has the pins; its own trial is used then. Otherwise they are opened here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec

from companion.doctor.checks import Finding, fine, mend, words
from companion.doctor.looking import ask
from companion.errors.causes import NOT_JSON
from hardware.panel.wires import Wires, button_name
from hardware.panel.wiring import BUTTONS, Wiring, WiringError, read_wiring

WAIT_S = 15.0
"""Seconds in which a person presses a button."""
POLL_S = 0.05

Shine = Callable[[int | None], set[str] | None]
"""Lights the lamp of a seat (from 0) alone, and returns the buttons pressed; None where it may not."""


def panel(
    file: Path, port: int, *, served: bool, language: str, tell: Callable[[str], object] | None
) -> Finding:
    """Try each button and lamp of the panel that `file` wires. `tell` asks the person at the terminal; None
    without one. `served`: a companion runs on `port`."""
    try:
        wiring = (
            read_wiring(file) if file.is_file() else read_wiring() if _is_wired(port, served=served) else None
        )
    except WiringError as error:
        return mend("panel", "fault", says=str(error))
    if wiring is None:
        return fine("panel", "none")
    if tell is None:
        return fine("panel", "untried")
    with _running(port) if served else _opened(wiring) as (fault, shine):
        return mend("panel", "fault", says=fault) if fault else _tried(wiring, shine, language, tell)


def _tried(wiring: Wiring, shine: Shine, language: str, tell: Callable[[str], object]) -> Finding:
    silent, buttons = [], [wire for wire in wiring.wires() if wire.part in BUTTONS]
    for wire in buttons:
        key = "panel.press-beside" if wire.seat is None else "panel.press"
        name = button_name(wire)
        tell(words().say(key, language, name=name, gpio=wire.gpio, pin=wire.pin))
        until_s, pressed = monotonic() + WAIT_S, shine(wire.seat)
        while pressed is not None and name not in pressed and monotonic() < until_s:
            sleep(POLL_S)
            pressed = shine(wire.seat)
        if pressed is None:
            return fine("panel", "on-its-page")
        if name not in pressed:
            silent.append(f"{name} (GPIO{wire.gpio})")
    if silent:
        return mend("panel", "silent", buttons=", ".join(silent))
    return fine("panel", buttons=len(buttons))


@contextmanager
def _opened(wiring: Wiring) -> Iterator[tuple[str, Shine]]:
    wires, before = Wires(wiring), dict[str, bool]()
    wires.open()

    def shine(seat: int | None) -> set[str]:
        for place in range(wiring.seats):
            wires.light(place, float(place == seat))
        levels = wires.levels()
        # One that is down from the start is stuck, not pressed.
        pressed = {name for name, down in levels.items() if down and not before.get(name, True)}
        before.update(levels)
        return pressed

    try:
        yield wires.faults[0].says if wires.faults else "", shine
    finally:
        wires.close()


@contextmanager
def _running(port: int) -> Iterator[tuple[str, Shine]]:
    def shine(seat: int | None) -> set[str] | None:
        tried = _asked(port, "/api/panel/try", {"lamp": seat}).get("tried")
        return None if tried is None else set(tried)

    faults = _asked(port, "/api/panel").get("faults", [])
    yield ", ".join(f"GPIO{fault['gpio']}: {fault['why']}" for fault in faults), shine


def _is_wired(port: int, *, served: bool) -> bool:
    return served and bool(_asked(port, "/api/panel").get("wired"))


def _asked(port: int, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    try:
        return msgspec.json.decode(
            ask(port, path, None if body is None else msgspec.json.encode(body)) or b"{}", type=dict[str, Any]
        )
    except NOT_JSON:
        return {}
