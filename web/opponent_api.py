"""The table as an opponent, over HTTP: the seat that it plays, and hints."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import abort, render_template

from companion.errors import InvalidMove
from companion.games.choosing import Choice, chooser_of, dealer_of, levels_of
from companion.games.registry import game, games, hides
from companion.messages import messages_of_game
from web.app_state import TableNow, app_state
from web.identity import phone
from web.language import language, messages_of_page, move_said
from web.match_api import PHONE
from web.openapi import Routes
from web.opponent_port import OpponentPort

opponent_api = Routes("opponent")


class Opponent(msgspec.Struct, frozen=True):
    """The seat that the table plays, None for none, and its level."""

    seat: str | None
    level: str = "middle"


class Deal(msgspec.Struct, frozen=True):
    """A match with the table's own cards: `people` sit at the first seats, the table plays `opponents` more.

    With `instead_of`, only while that match is on the table.
    """

    game: str
    people: int = 1
    opponents: int = 1
    level: str = "middle"
    instead_of: int | None = None


class Dealable(msgspec.Struct, frozen=True):
    """A game for which the table has cards: the levels of its players, and the most seats."""

    slug: str
    name: str
    levels: tuple[str, ...]
    most: int


class LetHints(msgspec.Struct, frozen=True):
    """Whether hints are given in this match."""

    on: bool


class Hint(msgspec.Struct, frozen=True):
    """What the table would play for the seat in turn.

    `value` is what it expects: points ahead, or in games without points the chance to win; None if it did
    not weigh the move. `worth` says that in the asker's language, and `says` why; empty if there is nothing
    to say. `notation` is the written move, `called` what the asker's language calls it.
    """

    move: dict[str, Any]
    notation: str
    value: float | None
    says: str
    worth: str = ""
    called: str = ""


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


@opponent_api.route(
    "POST", "/api/opponent/deal", takes=Deal, gives=TableNow, refusals=(400, 403, 404, 409, 503)
)
def deal(wanted: Deal) -> TableNow:
    """Put this match aside (it stays kept), deal the table's own cards, and let the table play some seats.

    Those who sit now sit at the new match.
    """
    _opponent()
    rules, table = game(wanted.game), app_state().table
    if not dealer_of(rules.slug).deals_to_people or wanted.level not in levels_of(rules.slug):
        raise InvalidMove(rules.slug, "no-such-level", level=wanted.level)
    with table.locked() as match:
        before = table.seats.at(match.record.id)
        people, seats = wanted.people, wanted.people + wanted.opponents
        if min(people, wanted.opponents) < 1 or len(before.taken) > people or seats not in rules.seat_counts:
            raise InvalidMove(
                rules.slug, "dealt-seats", most=max(rules.seat_counts), sitting=len(before.taken)
            )
        options = match.record.options if match.game.slug == rules.slug else {}
        names = rules.seat_names(rules.start(rules.options(options), seats))
        free = iter([*names[len(before.taken) :], *match.seat_names])
        sitting = iter(names)
        order = tuple(next(sitting if place.phone else free) for place in before.places)
        players = dict.fromkeys(names[people:], wanted.level)
        if (demo := app_state().demo) is not None:
            demo.leave()  # the virtual people play no cards that they cannot see
        table.begin(rules.slug, options, seats, order=order, instead_of=wanted.instead_of, dealt_to=players)
        known = {seat: each.name for seat, each in table.seats.players().items() if each.name}
        if known:
            table.name_players(known, PHONE)
    return app_state().now(phone())


@opponent_api.route("POST", "/api/hint", gives=Hint, refusals=(403, 404, 409))
def hint() -> Hint:
    """What the table would play for the asker's seat, if that is in turn and hints are given."""
    rules = app_state().table.match.game
    choice = _opponent().hint(app_state().seat(phone()))
    words = messages_of_game(rules.slug)
    says = words.say(choice.why, language(), **choice.facts) if choice.why else ""
    worth = worth_said(rules.slug, choice)
    move, called = msgspec.to_builtins(choice.move), move_said(rules.slug, choice.move)
    return Hint(move, rules.notation(choice.move), choice.value, says, worth, called)


def worth_said(slug: str, choice: Choice) -> str:
    """What a choice is expected to bring, in the asker's language; empty where the reason says it."""
    if choice.value is None or "points" in choice.facts:
        return ""
    words, tongue = messages_of_page(slug), language()
    if chooser_of(slug).expects == "chance":
        return words.say("web.worth-chance", tongue, percent=round(100 * choice.value))
    points = round(choice.value)
    key = "ahead" if points > 0 else "behind" if points else "level"
    return words.say(f"web.worth-{key}", tongue, points=abs(points))


@opponent_api.route("POST", "/api/hints", takes=LetHints, gives=TableNow, refusals=(400, 403, 404, 409))
def let_hint(wanted: LetHints) -> TableNow:
    """Give hints in this match, or none; on again only for the player who switched them off."""
    _opponent().let_hint(app_state().seat(phone()), on=wanted.on)
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
        match=match.record.id,
        opponent=opponent.now(),
        free=[seat for seat in match.seat_names if seat not in state.table.seating.taken],
        hints=opponent.hints(),
        can_hint=opponent.can_hint(),
        dealable=dealable(),
        people=max(1, len(state.table.seating.taken)),
    )


def dealable() -> tuple[Dealable, ...]:
    """The games for which the table has cards."""
    offered = (each for each in games().values() if hides(each) and dealer_of(each.slug).deals_to_people)
    return tuple(
        Dealable(
            each.slug,
            each.names.get(language(), each.names["en"]),
            levels_of(each.slug),
            max(each.seat_counts),
        )
        for each in offered
    )
