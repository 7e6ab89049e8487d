"""The table as an opponent, over HTTP: the seats that it plays, and hints."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.players import Choice, player_of
from companion.messages import messages_of_game
from companion.players.table_players import TablePlayers
from web.app_state import TableNow, app_state, or_404, running
from web.identity import phone
from web.language import language, messages_of_page, move_said, percent
from web.openapi import Routes
from web.permissions import PLAY

opponent_api = Routes("opponent")


class Opponent(msgspec.Struct, frozen=True):
    """A seat for the table (None: all) and its level; an empty one gives the seat up."""

    seat: str | None
    level: str = "top"


class LetHints(msgspec.Struct, frozen=True):
    """Switch this match's hints on or off."""

    on: bool


class Hint(msgspec.Struct, frozen=True):
    """A hint: the table's move for the seat in turn.

    `value` is its expectation: points ahead, or in games without points the chance to win; None if it did not
    weigh the move. `worth` says that in the asker's language, and `says` why; either may be empty. `notation`
    is the written move, `called` its name in the asker's language.
    """

    move: dict[str, Any]
    notation: str
    value: float | None
    says: str
    worth: str = ""
    called: str = ""


def _opponent() -> TablePlayers:
    return or_404(running().opponent)


@opponent_api.route("POST", "/api/opponent", who=PLAY, takes=Opponent, gives=TableNow, refusals=(404, 409))
def sit_down(wanted: Opponent) -> TableNow:
    """Let the table play a free seat, or give up a seat."""
    opponent = _opponent()
    if wanted.seat is None or not wanted.level:
        opponent.stand_up(wanted.seat)
    else:
        opponent.sit_down(wanted.seat, wanted.level)
    return app_state().table_now(phone())


@opponent_api.route("POST", "/api/hint", who=PLAY, gives=Hint, refusals=(404, 409))
def hint() -> Hint:
    """The table's move for the asker's seat in turn, if hints are on."""
    rules = running().table.match.game
    choice = _opponent().hint(app_state().seat(phone()))
    words = messages_of_game(rules.slug)
    says = words.say(choice.why, language(), **choice.facts) if choice.why else ""
    worth = worth_said(rules.slug, choice)
    move, called = msgspec.to_builtins(choice.move), move_said(rules.slug, choice.move)
    return Hint(move, rules.notation(choice.move), choice.value, says, worth, called)


def worth_said(slug: str, choice: Choice) -> str:
    """The expected worth of a choice, in the asker's language; empty where the reason says it."""
    if choice.value is None or "points" in choice.facts:
        return ""
    words, tongue = messages_of_page(slug), language()
    if player_of(slug).expects == "chance":
        return words.say("web.worth-chance", tongue, chance=percent(choice.value))
    points = round(choice.value)
    key = "ahead" if points > 0 else "behind" if points else "level"
    return words.say(f"web.worth-{key}", tongue, points=abs(points))


@opponent_api.route("POST", "/api/hints", who=PLAY, takes=LetHints, gives=TableNow, refusals=(404, 409))
def let_hint(wanted: LetHints) -> TableNow:
    """Switch this match's hints on or off; on again only for the player who switched them off."""
    _opponent().let_hint(app_state().seat(phone()), on=wanted.on)
    return app_state().table_now(phone())
