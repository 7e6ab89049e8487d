"""The table as an opponent, over HTTP: the seat that it plays, and hints."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import abort, render_template

from companion.messages import messages_of_game
from web.app_state import TableNow, app_state
from web.identity import phone
from web.language import language
from web.openapi import Routes
from web.opponent_port import OpponentPort

opponent_api = Routes("opponent")


class Opponent(msgspec.Struct, frozen=True):
    """The seat that the table plays, None for none, and its level."""

    seat: str | None
    level: str = "middle"


class LetHints(msgspec.Struct, frozen=True):
    """Whether hints are given in this match."""

    on: bool


class Hint(msgspec.Struct, frozen=True):
    """What the table would play for the seat in turn.

    `value` is what it expects: points ahead, or in games without points the chance to win; None if it did
    not weigh the move. `says` is why, in the asker's language, empty if there is nothing to say. `notation`
    is the written move.
    """

    move: dict[str, Any]
    notation: str
    value: float | None
    says: str


def _opponent() -> OpponentPort:
    """The table as an opponent; 404 where it plays none."""
    opponent = app_state().opponent
    return opponent if opponent is not None else abort(404)


@opponent_api.route("POST", "/api/opponent", takes=Opponent, gives=TableNow, refusals=(400, 403, 404, 409))
def sit_down(wanted: Opponent) -> TableNow:
    """Let the table play a seat at which nobody sits, or none."""
    opponent = _opponent()
    if wanted.seat is None:
        opponent.stand_up()
    else:
        opponent.sit_down(wanted.seat, wanted.level)
    return app_state().now(phone())


@opponent_api.route("POST", "/api/hint", gives=Hint, refusals=(403, 404, 409))
def hint() -> Hint:
    """What the table would play for the asker's seat, if that is in turn and hints are given."""
    game = app_state().table.match.game
    choice = _opponent().hint(app_state().seat(phone()))
    words = messages_of_game(game.slug)
    says = words.say(choice.why, language(), **choice.facts) if choice.why else ""
    return Hint(msgspec.to_builtins(choice.move), game.notation(choice.move), choice.value, says)


@opponent_api.route("POST", "/api/hints", takes=LetHints, gives=TableNow, refusals=(400, 403, 404))
def let_hint(wanted: LetHints) -> TableNow:
    """Give hints in this match, or none."""
    _opponent().let_hint(on=wanted.on)
    return app_state().now(phone())


@opponent_api.blueprint.get("/opponent")
def page() -> str:
    """The page on which the table is asked to play a seat, and for a hint."""
    state, opponent = app_state(), _opponent()
    match = state.table.snapshot.match
    return render_template(
        "opponent.html",
        game=match.game,
        page="opponent",
        levels=opponent.levels(),
        opponent=opponent.now(),
        free=[seat for seat in match.seat_names if seat not in state.table.seating.taken],
        hints=opponent.hints(),
        can_hint=opponent.can_hint(),
    )
