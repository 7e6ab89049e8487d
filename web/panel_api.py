"""The panel over HTTP: its lamps, clocks and buttons, the same as those on the wires."""

from __future__ import annotations

import msgspec
from flask import abort, render_template

from web.app_state import app_state
from web.identity import phone
from web.openapi import Routes
from web.panel_port import Curve, Does, Panel, PanelNow

panel_api = Routes("panel")


class ButtonDone(msgspec.Struct, frozen=True):
    """What a finger does to a button: a seat's name, `undo` or `pause`.

    While the button is held, `down` is sent at least once a second. A button that falls silent counts as
    not pressed.
    """

    button: str
    does: Does


class Trial(msgspec.Struct, frozen=True):
    """The lamp to shine while the panel is tried, by its place from 0 on; None for no lamp."""

    lamp: int | None = None


def _panel() -> Panel:
    """The panel; 404 where there is none."""
    panel = app_state().panel
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
    """Press a button of the panel, or release it."""
    return _panel().button(done.button, done.does)


@panel_api.route("POST", "/api/panel/try", takes=Trial, gives=PanelNow, refusals=(400, 403, 404))
def try_out(trial: Trial) -> PanelNow:
    """Try lamps and buttons for some seconds: a press changes nothing in the match, it is only noted."""
    return _panel().try_out(trial.lamp)


@panel_api.blueprint.get("/panel")
def page() -> str:
    """The panel as a page."""
    panel = _panel()
    curves = msgspec.to_builtins(panel.curves())
    return render_template(
        "panel.html",
        game=app_state().table.match.game,
        page="panel",
        curves=curves,
        panel_now=msgspec.to_builtins(panel.now()),
        pin=app_state().pin_for(phone()),
    )
