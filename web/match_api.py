"""The match over HTTP: what pages and scripts read and change."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from companion.messages import Phrase
from companion.play.snapshot import MatchView
from web.app_state import TableNow, app_state
from web.identity import phone
from web.openapi import AnyMove, BadBody, Routes, as_json

PHONE = "phone"
"""The journal's source for a tap on a phone."""

match_api = Routes("match")


class LastEntry(msgspec.Struct, frozen=True):
    """The last entry that the asker knows; if given, it must still be the last."""

    n: int | None = None


class Players(msgspec.Struct, frozen=True):
    """The names of people by seat; an empty name removes one."""

    players: dict[str, str]


class ChosenGuess(msgspec.Struct, frozen=True):
    """The right guess (0 is the best) about the sighting `id`."""

    id: int
    guess: int


@match_api.route("GET", "/api/match", gives=MatchView)
def match() -> MatchView:
    """The match as the asker's seat may see it; `board` is the game's own view."""
    return app_state().now(phone()).match


@match_api.route("GET", "/api/table", gives=TableNow)
def table() -> Response:
    """The match, the open sighting and the camera's state: what each live event carries."""
    return Response(app_state().encoded(phone())[1], mimetype="application/json")


@match_api.route("POST", "/api/moves", takes=AnyMove, gives=TableNow, refusals=(400, 403, 409, 503))
def play(body: dict[str, Any]) -> TableNow:
    """Play one move: the move itself, or `{"move": {...}, "n": 7}` to play only after entry 7.

    A private move is accepted only from the phone that has the seat.
    """
    inner = body.get("move")
    wrapped = isinstance(inner, dict)
    n = body.get("n") if wrapped else None
    if n is not None and (not isinstance(n, int) or isinstance(n, bool)):
        raise BadBody(Phrase("cause.must-be-so", {"field": "n", "wanted": Phrase("value.whole")}))
    state = app_state()
    with state.table.locked() as match:
        open_before = match.n_of(None)
        state.table.play(inner if wrapped else body, PHONE, n=n, seat=state.seat(phone()))
        lies_open = match.n_of(None) != open_before
    if lies_open:
        state.count("moves")
    return state.now(phone())


@match_api.route("POST", "/api/undo", takes=LastEntry, gives=TableNow, refusals=(400, 403, 409, 503))
def undo(last: LastEntry) -> TableNow:
    """Take back the last move that the asker's seat may see."""
    with app_state().table.locked():
        app_state().table.undo(PHONE, n=last.n, seat=app_state().seat(phone()))
    return app_state().now(phone())


@match_api.route("POST", "/api/redo", takes=LastEntry, gives=TableNow, refusals=(400, 403, 409, 503))
def redo(last: LastEntry) -> TableNow:
    """Redo the last undone move that the asker's seat may see."""
    with app_state().table.locked():
        app_state().table.redo(PHONE, n=last.n, seat=app_state().seat(phone()))
    return app_state().now(phone())


@match_api.route("POST", "/api/players", takes=Players, gives=TableNow, refusals=(400, 403, 503))
def players(named: Players) -> TableNow:
    """Name the people at the seats."""
    app_state().table.name_players(named.players, PHONE)
    return app_state().now(phone())


@match_api.route("POST", "/api/sighting", takes=ChosenGuess, gives=TableNow, refusals=(400, 403, 409, 503))
def sighting(answer: ChosenGuess) -> TableNow:
    """Choose the right guess of the open sighting, and play its moves."""
    app_state().table.answer(answer.id, answer.guess, PHONE)
    app_state().count("answers")
    return app_state().now(phone())


@match_api.route("GET", "/health", gives=dict[str, Any], refusals=(503,))
def health() -> Response:
    """Whether moves can be kept: 200, or 503 with the reason if the journal cannot be written."""
    fault = app_state().table.journal.fault
    camera = app_state().camera_status()
    health = {"ok": not fault, "says": fault, "camera": camera.kind if camera else "none"}
    return as_json(health, 503 if fault else 200)
