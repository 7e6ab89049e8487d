"""What the pages may ask of the panel: plain values only, no pins, no threads.

The roof hands an object that keeps this protocol to `create_app`, or None where there is no panel.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

Does = Literal["down", "up", "tap", "cancel"]
"""What happens to a button. `tap` is down and up at once; `cancel` undoes a `down`."""


class Curve(msgspec.Struct, frozen=True):
    """A lamp's pattern: brightness (0 to 1) over parts (0 to 1) of a period, straight between points.

    `once`: it plays once and stays. `shift`: spread over the seats, so that lamps dance. `warns`: in red.
    """

    points: tuple[tuple[float, float], ...]
    period_s: float
    once: bool = False
    shift: bool = False
    warns: bool = False


class PanelSeat(msgspec.Struct, frozen=True):
    """A seat on the panel: its lamp's pattern by name, and for how long it has shown it; its clock.

    `rule` and its `facts` say why, where the lamp says no. `done` is true from the press
    until the move has been seen.
    """

    seat: str
    pattern: str
    age_s: float
    spent_s: float
    running: bool
    done: bool = False
    rule: str = ""
    facts: dict[str, str | int | float] = {}


class PanelFault(msgspec.Struct, frozen=True):
    """What of the real panel does not work: the part and its seat, GPIO and header pin.

    `why` is a key `web.panel-fault-<why>` in the words, `detail` what the machine said.
    """

    part: Literal["pins", "button", "lamp", "undo", "buzzer", "status"]
    why: str
    seat: int | None = None
    gpio: int | None = None
    pin: int | None = None
    detail: str = ""


class PanelNow(msgspec.Struct, frozen=True):
    """The panel now. `limit_s` is each seat's time for a match, none where there is no limit.

    `wired` tells whether real buttons and lamps are served too; `begun` whether the clock has begun to run.
    """

    match: int
    seats: tuple[PanelSeat, ...]
    paused: bool
    begun: bool
    limit_s: float | None
    wired: bool
    faults: tuple[PanelFault, ...] = ()


class Panel(Protocol):
    """The panel behind the page. Safe from any thread. It wakes the pages through `Table.notify()`."""

    def now(self) -> PanelNow:
        """The panel as it is now."""

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""

    def button(self, name: str, does: Does) -> PanelNow:
        """A button on a page: a seat's by its name, `undo` or `pause`. Raises `InvalidMove` for others."""
