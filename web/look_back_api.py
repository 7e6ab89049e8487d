"""Looking back at a kept match over HTTP: how it stood after each move, and its course."""

from __future__ import annotations

from flask import abort

from companion.play.look_back import Course, LookBack
from web.app_state import TableNow, app_state
from web.openapi import Routes

look_back_api = Routes("look-back")


@look_back_api.route("GET", "/api/matches/<int:number>/at/<int:moves>", gives=TableNow, refusals=(404, 503))
def at(number: int, moves: int) -> TableNow:
    """A kept match as everybody at the table saw it after so many open moves."""
    try:
        match = _look_back(number).view(moves)
    except IndexError:
        abort(404)
    # Every step is a strand of its own: a page takes an older step after a newer one.
    return TableNow(
        id=f"kept.{moves}-{moves}", match=match, sighting=None, camera=None, seat=None, sitting=()
    )


@look_back_api.route("GET", "/api/matches/<int:number>/course", gives=Course, refusals=(404, 503))
def course(number: int) -> Course:
    """The open moves of a kept match, and how each seat stood after each."""
    return _look_back(number).course()


def _look_back(number: int) -> LookBack:
    record = app_state().table.journal.match(number)
    if record is None:
        abort(404)
    return app_state().look_backs.of(record)
