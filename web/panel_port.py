"""What the pages may ask the panel: plain values only, no pins, no threads.

`create_app` gets an object that follows this protocol, or None without a panel.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

Does = Literal["down", "up", "tap", "cancel"]
"""An event of a button. `tap` is down and up at once; `cancel` undoes a `down`."""


class Curve(msgspec.Struct, frozen=True):
    """A lamp's pattern: the brightness (0 to 1) at points (0 to 1) of a period, straight between them.

    `once`: it plays once and stays. `shift`: it is spread over the seats, so that lamps dance. `warns`: in
    red.
    """

    points: tuple[tuple[float, float], ...]
    period_s: float
    once: bool = False
    shift: bool = False
    warns: bool = False


class PanelSeat(msgspec.Struct, frozen=True):
    """A seat on the panel: its lamp's pattern by name, the seconds since it began, and the seat's clock.

    If the press was rejected, `rule` and its `facts` say why. `done` is true from the press until the camera
    has seen the move.
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
    """A fault of the real panel: the part and its seat, GPIO and header pin.

    `why` is a key `web.panel-fault-<why>` in the messages, `detail` the underlying error.
    """

    part: Literal["pins", "button", "lamp", "undo", "buzzer", "status"]
    why: str
    seat: int | None = None
    gpio: int | None = None
    pin: int | None = None
    detail: str = ""


class PanelNow(msgspec.Struct, frozen=True):
    """The current panel. `limit_s` is each seat's time for a match, None without a limit.

    `wired`: whether real buttons and lamps are connected. `begun`: whether the clock has started. `tried` are
    the buttons pressed while the panel is being tried, None while it is in use: a seat's place from 1 on,
    or `undo`.
    """

    match: int
    seats: tuple[PanelSeat, ...]
    paused: bool
    begun: bool
    limit_s: float | None
    wired: bool
    faults: tuple[PanelFault, ...] = ()
    tried: tuple[str, ...] | None = None


class Panel(Protocol):
    """The panel behind the page. Safe from any thread. It wakes the pages through `Table.notify()`."""

    def now(self) -> PanelNow:
        """The panel's current state."""

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""

    def button(self, name: str, does: Does) -> PanelNow:
        """Use a button on a page: a seat's name, `undo` or `pause`. Raises `InvalidMove` for any other."""

    def try_out(self, lamp: int | None) -> PanelNow:
        """Try the panel: only the lamp at this place (the first is 0) shines, and presses are but noted.

        It goes on until it has not been asked for during some seconds.
        """
