"""The panel on a page: lamps, clocks and buttons as on the real one, and the same panel behind both."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec
from flask import abort, render_template

from web.house import house
from web.openapi import Routes

panel_api = Routes("panel")

Does = Literal["down", "up", "tap", "cancel"]
"""What happens to a button; `tap` is down and up at once, `cancel` lets go as if it had not been pressed."""


class Curve(msgspec.Struct, frozen=True):
    """A lamp's pattern: brightness (0 to 1) over parts (0 to 1) of a period, straight between points.

    `once`: it plays once and stays. `shift`: spread over the seats, so that lamps dance. `warns`: in red.
    """

    points: tuple[tuple[float, float], ...]
    period_s: float
    once: bool = False
    shift: bool = False
    warns: bool = False


class SeatNow(msgspec.Struct, frozen=True):
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
    seats: tuple[SeatNow, ...]
    paused: bool
    begun: bool
    limit_s: float | None
    wired: bool
    faults: tuple[PanelFault, ...] = ()


class Panel(Protocol):
    """The panel behind the page. Safe from any thread. It wakes the pages through `Table.tell()`."""

    def now(self) -> PanelNow:
        """How it stands now."""

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""

    def button(self, name: str, does: Does) -> PanelNow:
        """A button on a page: a seat's by its name, `undo` or `pause`. Raises `InvalidMove` for others."""


class ButtonDone(msgspec.Struct, frozen=True):
    """What was done to a button: a seat's name, `undo` or `pause`.

    `down` is said again at least each second while a finger holds it; what falls silent was let go.
    """

    button: str
    does: Does


def _panel() -> Panel:
    """The panel; 404 where there is none."""
    panel = house().panel
    if panel is None:
        abort(404)
    return panel


@panel_api.route("GET", "/api/panel", gives=PanelNow, refusals=(404,))
def now() -> PanelNow:
    """Lamps, clocks and faults of the panel."""
    return _panel().now()


@panel_api.route("GET", "/api/panel/patterns", gives=dict[str, Curve], refusals=(404,))
def patterns() -> dict[str, Curve]:
    """Every pattern that a lamp can show."""
    return _panel().curves()


@panel_api.route(
    "POST", "/api/panel/buttons", takes=ButtonDone, gives=PanelNow, refusals=(400, 403, 404, 503)
)
def button(done: ButtonDone) -> PanelNow:
    """Press a button of the panel, or let it go."""
    return _panel().button(done.button, done.does)


@panel_api.blueprint.get("/panel")
def page() -> str:
    """The panel as a page."""
    panel = _panel()
    curves = msgspec.to_builtins(panel.curves())
    return render_template(
        "panel.html",
        game=house().table.match.game,
        page="panel",
        curves=curves,
        panel_now=msgspec.to_builtins(panel.now()),
    )
