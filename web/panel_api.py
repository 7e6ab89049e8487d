"""The panel over HTTP: its lamps, clocks and buttons."""

from __future__ import annotations

import msgspec
from flask import render_template

from companion.service.panel import TablePanel
from companion.service.panel_state import Curve, Does, PanelNow
from web.app_state import app_state, or_404, running
from web.identity import phone
from web.openapi import Routes
from web.permissions import LOOK, PLAY, TRY_PANEL

panel_api = Routes("panel")


class ButtonDone(msgspec.Struct, frozen=True):
    """A finger on a button: a seat's name, `undo` or `pause`.

    While the button is held, `down` is sent at least once a second. A silent button counts as released.
    `held_s` tells with `up` for how many seconds it was held: a slow network makes no press a long one.
    """

    button: str
    does: Does
    held_s: float | None = None


class Trial(msgspec.Struct, frozen=True):
    """The lamp to shine in a trial, by its place from 0; None for no lamp."""

    lamp: int | None = None


def _panel() -> TablePanel:
    return or_404(running().panel)


@panel_api.route("GET", "/api/panel", who=LOOK, gives=PanelNow, refusals=(404,))
def now() -> PanelNow:
    """Lamps, clocks and faults of the panel."""
    return _panel().status()


@panel_api.route("GET", "/api/panel/patterns", who=LOOK, gives=dict[str, Curve], refusals=(404,))
def patterns() -> dict[str, Curve]:
    """Every pattern that a lamp can show."""
    return _panel().curves()


@panel_api.route(
    "POST", "/api/panel/buttons", who=PLAY, takes=ButtonDone, gives=PanelNow, refusals=(404, 503)
)
def button(done: ButtonDone) -> PanelNow:
    """Press a button of the panel, or release it."""
    return _panel().button(done.button, done.does, done.held_s)


@panel_api.route("POST", "/api/panel/try", who=TRY_PANEL, takes=Trial, gives=PanelNow, refusals=(404,))
def try_out(trial: Trial) -> PanelNow:
    """Try lamps and buttons for some seconds: presses are noted and change nothing in the match."""
    return _panel().try_out(trial.lamp)


@panel_api.page("/panel", who=LOOK)
def page() -> str:
    """The panel as a page."""
    panel = _panel()
    curves = msgspec.to_builtins(panel.curves())
    return render_template(
        "panel.html",
        game=running().table.match.game,
        page="panel",
        curves=curves,
        panel_now=msgspec.to_builtins(panel.status()),
        pin=app_state().pin_for(phone()),
    )
