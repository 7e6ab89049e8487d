"""Looking back at a kept match over HTTP: how it stood after each move, and its course."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import abort

from companion.play.look_back import Course, LookBack
from web.app_state import TableNow, app_state
from web.language import language, messages_of_page
from web.openapi import Routes
from web.pages import capital, seat_label

look_back_api = Routes("look-back")


@look_back_api.route("GET", "/api/matches/<int:number>/at/<int:moves>", gives=TableNow, refusals=(404, 503))
def at(number: int, moves: int) -> TableNow:
    """A kept match as everybody at the table saw it after that many open moves."""
    try:
        match = look_back_or_404(number).view(moves)
    except IndexError:
        abort(404)
    # Every step is a strand of its own: a page takes an older step after a newer one.
    return TableNow(
        id=f"kept.{moves}-{moves}", match=match, sighting=None, camera=None, seat=None, sitting=()
    )


class Ending(msgspec.Struct, frozen=True):
    """How a match ended, in the asker's language: who won, and sentences that say by what."""

    won: str
    why: tuple[str, ...]


@look_back_api.route("GET", "/api/matches/<int:number>/ending", gives=Ending, refusals=(404, 503))
def ending(number: int) -> Ending:
    """How a finished match ended, and what decided it; 404 for one that goes on."""
    back = look_back_or_404(number)
    outcome = back.outcome
    if outcome is None:
        abort(404)
    words, tongue = messages_of_page(back.record.game), language()

    def say(key: str, facts: Mapping[str, str | int]) -> str:
        by_name = {name: back.players.get(str(fact), fact) for name, fact in facts.items()}
        return capital(words.say(key, tongue, **by_name))

    def name(seat: str) -> str:
        return seat_label(back.record.game, back.players, seat, tongue)

    names = tuple(map(name, outcome.winners))
    won = words.say("display.won", tongue, names=names, winners=len(names))
    why = [say(f"outcome.{outcome.reason}", {"winner": next(iter(outcome.winners), "")})]
    if (decided := back.decided()) is not None:
        why.append(say(f"decided.{decided.reason}", decided.facts))
    if since := back.ahead_since():
        seats = back.view(since).seats
        words_of_move = back.course().moves[since - 1].split(" ")
        move = " ".join(name(word) if word in seats else word for word in words_of_move)
        why.append(words.say("end.since", tongue, name=names[0], number=since, move=move))
    return Ending(won if names else words.say("display.nobody-won", tongue), tuple(why))


@look_back_api.route("GET", "/api/matches/<int:number>/course", gives=Course, refusals=(404, 503))
def course(number: int) -> Course:
    """The open moves of a kept match, and how each seat stood after each."""
    return look_back_or_404(number).course()


def look_back_or_404(number: int) -> LookBack:
    """A kept match played back."""
    record = app_state().table.journal.match(number)
    if record is None:
        abort(404)
    return app_state().look_backs.of(record)
