"""What can be done with a kept match over HTTP: a title, off the list and back, a move put right."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort

from companion.games.game import Outcome
from companion.play.corrections import Correction, correction
from companion.play.history import History
from companion.play.match import Match
from web.app_state import app_state
from web.error_pages import refuse, say, sentence_of
from web.match_api import PHONE
from web.matches import match_or_404
from web.openapi import Routes

LONGEST_TITLE = 80
"""Characters of a match's title."""

kept_api = Routes("kept")


class Title(msgspec.Struct, frozen=True):
    """What a match is called; an empty title takes its title away."""

    title: str


class Nothing(msgspec.Struct, frozen=True):
    """Nothing more is to be said."""


class Correct(msgspec.Struct, frozen=True):
    """Open move `number` (the first is 1) of a match was `move`, or was never made (None).

    `n` is the number of entries that the asker sees. Without `keep`, it is only said what that would change.
    """

    number: int
    n: int
    move: dict[str, Any] | None = None
    keep: bool = False


class LostMove(msgspec.Struct, frozen=True):
    """An open move that no longer fits, with its number before the correction, and why in one sentence."""

    number: int
    move: str
    says: str


class StandingOf(msgspec.Struct, frozen=True):
    """How a match stands: its open moves, what each seat has, and how it ended if it is over."""

    moves: int
    standing: dict[str, int]
    outcome: Outcome | None


class Corrected(msgspec.Struct, frozen=True):
    """What a correction changes, or has changed if it is `kept`."""

    kept: bool
    before: StandingOf
    after: StandingOf
    lost: tuple[LostMove, ...]


@kept_api.route(
    "POST", "/api/matches/<int:number>/title", takes=Title, gives=Nothing, refusals=(400, 403, 404, 503)
)
def title(wanted: Title, number: int) -> Nothing:
    """Call a kept match so; an empty title takes its title away."""
    match_or_404(number)
    app_state().table.journal.name_match(number, " ".join(wanted.title.split())[:LONGEST_TITLE])
    return Nothing()


@kept_api.route(
    "POST",
    "/api/matches/<int:number>/remove",
    takes=Nothing,
    gives=Nothing,
    refusals=(400, 403, 404, 409, 503),
)
def remove(_: Nothing, number: int) -> Nothing | Response:
    """Take a kept match off the lists and out of the records; it can be brought back for a month."""
    table = app_state().table
    with table.locked() as match:
        if number == match.record.id:
            return refuse("on-the-table", say("look.on-the-table"), 409)
        match_or_404(number)
        table.journal.remove(number)
    return Nothing()


@kept_api.route(
    "POST",
    "/api/matches/<int:number>/bring-back",
    takes=Nothing,
    gives=Nothing,
    refusals=(400, 403, 404, 503),
)
def bring_back(_: Nothing, number: int) -> Nothing:
    """Put a match that was removed on the lists again."""
    journal = app_state().table.journal
    if number not in {record.id for record in journal.removed()}:
        abort(404)
    journal.bring_back(number)
    return Nothing()


@kept_api.route(
    "POST",
    "/api/matches/<int:number>/correct",
    takes=Correct,
    gives=Corrected,
    refusals=(400, 403, 404, 409, 503),
)
def correct(wanted: Correct, number: int) -> Corrected:
    """Put a past move right, or say what that would change: what follows is judged again."""
    table = app_state().table
    match_or_404(number)
    before = table.kept(number)
    history = before.snapshot.history
    if wanted.keep:
        done = table.correct(number, wanted.number, wanted.move, PHONE, n=wanted.n)
    else:
        right = None if wanted.move is None else before.move(wanted.move)
        done = correction(history, wanted.number, right)
    return _said(before, history, done, kept=wanted.keep)


def _said(match: Match, history: History, done: Correction, *, kept: bool) -> Corrected:
    lost = tuple(
        LostMove(each.number, match.game.notation(each.move), sentence_of(each.error)) for each in done.lost
    )
    return Corrected(kept, _standing(history), _standing(done.history), lost)


def _standing(history: History) -> StandingOf:
    game = history.game
    state = game.hide(history.state, None)
    return StandingOf(len(history.seen(None)), game.progress(state), game.outcome(state))
