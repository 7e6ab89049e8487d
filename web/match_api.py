"""The match over HTTP, for pages and scripts."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from companion.messages import Phrase
from companion.play.snapshot import MatchView
from web.app_state import TableNow, app_state, running
from web.error_pages import refuse, say
from web.identity import phone
from web.openapi import AnyMove, BadBody, Routes, as_json
from web.permissions import FILES, LOOK, NAME, PLAY

PHONE = "phone"

match_api = Routes("match")


class LastEntry(msgspec.Struct, frozen=True):
    """The last entry that the asker knows; it must still be the last."""

    n: int | None = None


class Players(msgspec.Struct, frozen=True):
    """The names of people by seat; an empty name removes one."""

    players: dict[str, str]


class ChosenGuess(msgspec.Struct, frozen=True):
    """The right guess (0 is the best) about the sighting `id`."""

    id: int
    guess: int


@match_api.route("GET", "/api/match", who=LOOK, gives=MatchView)
def match() -> MatchView:
    """The match as the asker's seat may see it; `board` is the game's own view."""
    return app_state().table_now(phone()).match


@match_api.route("GET", "/api/table", who=LOOK, gives=TableNow)
def table() -> Response:
    """The match, the open sighting and the camera's state, as in each live event."""
    return Response(app_state().encoded(phone())[1], mimetype="application/json")


@match_api.route("POST", "/api/moves", who=PLAY, takes=AnyMove, gives=TableNow, refusals=(409, 503))
def play(body: dict[str, Any]) -> TableNow:
    """Play one move: the move itself, or `{"move": {...}, "n": 7}` to play only after entry 7.

    A private move is accepted only from the phone that has the seat.
    """
    inner = body.get("move")
    wrapped = isinstance(inner, dict)
    n = body.get("n") if wrapped else None
    if n is not None and (not isinstance(n, int) or isinstance(n, bool)):
        given = msgspec.json.encode(n).decode()
        raise BadBody(
            Phrase("cause.must-be", {"field": "n", "wanted": Phrase("value.whole"), "given": given})
        )
    state = app_state()
    with state.table.locked() as match:
        open_before = match.n_of(None)
        state.table.play(inner if wrapped else body, PHONE, n=n, seat=state.seat(phone()))
        lies_open = match.n_of(None) != open_before
    if lies_open:
        state.count("moves")
    return state.table_now(phone())


@match_api.route("POST", "/api/undo", who=PLAY, takes=LastEntry, gives=TableNow, refusals=(409, 503))
def undo(last: LastEntry) -> TableNow:
    """Take back the last move that the asker's seat may see."""
    with running().table.locked():
        running().table.undo(PHONE, n=last.n, seat=app_state().seat(phone()))
    return app_state().table_now(phone())


@match_api.route("POST", "/api/redo", who=PLAY, takes=LastEntry, gives=TableNow, refusals=(409, 503))
def redo(last: LastEntry) -> TableNow:
    """Redo the last undone move that the asker's seat may see."""
    with running().table.locked():
        running().table.redo(PHONE, n=last.n, seat=app_state().seat(phone()))
    return app_state().table_now(phone())


@match_api.route("POST", "/api/players", who=NAME, takes=Players, gives=TableNow, refusals=(409, 503))
def players(named: Players) -> TableNow | Response:
    """Name the people at the seats, except in the demo."""
    if running().in_demo:
        return refuse("demo-plays", say("web.demo-plays"), 409)
    running().table.name_players(named.players, PHONE)
    return app_state().table_now(phone())


@match_api.route("POST", "/api/sighting", who=PLAY, takes=ChosenGuess, gives=TableNow, refusals=(409, 503))
def sighting(answer: ChosenGuess) -> TableNow:
    """Choose the right guess of the open sighting, and play its moves."""
    running().table.answer(answer.id, answer.guess, PHONE)
    app_state().count("answers")
    return app_state().table_now(phone())


@match_api.route("GET", "/health", who=FILES, gives=dict[str, Any], refusals=(503,))
def health() -> Response:
    """Say that moves can be kept (200), or why the journal cannot be written (503)."""
    fault = running().table.journal.fault
    camera = running().camera_state()
    health = {"ok": not fault, "says": fault, "camera": camera.kind if camera else "none"}
    return as_json({**health, "rule": "journal"}, 503) if fault else as_json(health)
