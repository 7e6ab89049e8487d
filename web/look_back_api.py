"""Kept matches looked back at over HTTP, with the table's player's reviews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from flask import abort

from companion.games.players import player_of
from companion.messages import capital, seat_label
from companion.play.look_back import Course, LookBack
from companion.players.worker import Judged, Review
from web.app_state import TableNow, app_state, or_404, running
from web.language import language, messages_of_page, move_said
from web.openapi import Routes
from web.permissions import LOOK

look_back_api = Routes("look-back")


@look_back_api.route(
    "GET", "/api/matches/<int:number>/at/<int:moves>", who=LOOK, gives=TableNow, refusals=(404, 503)
)
def at(number: int, moves: int) -> TableNow:
    """A kept match as the open table showed it after that many open moves."""
    try:
        match = look_back_or_404(number).view(moves)
    except IndexError:
        abort(404)
    # Every step is a stream of its own: a page takes an older step after a newer one.
    return TableNow(
        id=f"kept.{moves}-{moves}", match=match, sighting=None, camera=None, seat=None, sitting=()
    )


class EndPlace(msgspec.Struct, frozen=True):
    """A seat's place at the end, with a few words on it."""

    seat: str
    says: str


class Ending(msgspec.Struct, frozen=True):
    """The end of a match in the asker's language: the winners, the reason, and the seats from the first on.

    A game whose board shows how it ended has no `places`. `times` says what part of the time each seat took,
    in order of play; empty without a clock.
    """

    won: str
    why: str
    places: tuple[EndPlace, ...] = ()
    times: str = ""


@look_back_api.route("GET", "/api/matches/<int:number>/ending", who=LOOK, gives=Ending, refusals=(404, 503))
def ending(number: int) -> Ending:
    """The end of a finished match and its reason; 404 for one that goes on."""
    back = look_back_or_404(number)
    outcome = or_404(back.outcome)
    words, tongue = messages_of_page(back.record.game), language()

    def say(key: str, facts: Mapping[str, str | int]) -> str:
        by_name = {name: back.players.get(str(fact), fact) for name, fact in facts.items()}
        return capital(words.say(key, tongue, **by_name))

    def name(seat: str) -> str:
        return seat_label(back.record.game, back.players, seat, tongue)

    names = [name(seat) for seat in outcome.winners]
    if tongue == "en" and len(names) > 1:
        names[-2:] = [f"{names[-2]} and {names[-1]}"]
    won = words.say("display.won", tongue, names=tuple(names), winners=len(outcome.winners))
    decided = back.decided()
    if decided is None:
        why = say(f"outcome.{outcome.reason}", {"winner": next(iter(outcome.winners), "")})
    else:
        why = say(f"decided.{decided.reason}", decided.facts)
    places = (EndPlace(place.seat, say(f"place.{place.reason}", place.facts)) for place in back.places())
    panel = running().panel
    shares = {} if panel is None else panel.shares(number)
    took = ", ".join(f"{name(seat)} {shares.get(seat, 0)} %" for seat in back.course().seats if shares)
    times = words.say("web.clock-shares", tongue, shares=took) if took else ""
    return Ending(won if names else words.say("display.nobody-won", tongue), why, tuple(places), times)


@look_back_api.route("GET", "/api/matches/<int:number>/course", who=LOOK, gives=Course, refusals=(404, 503))
def course(number: int) -> Course:
    """The open moves of a kept match, and each seat's standing after each."""
    return look_back_or_404(number).course()


def look_back_or_404(number: int) -> LookBack:
    """A kept match, played back."""
    return app_state().look_backs.replayed(or_404(running().table.journal.match(number)))


BEST_WITHIN = 0.5
"""Points below which a loss counts as none: the search is no finer."""

WORST_FROM = 1.0
"""Points from which a loss is called a mistake."""

DECIMALS = 6

SURE = 100
"""Chances are told and judged in percent: one percentage point counts as one point."""


class Remark(msgspec.Struct, frozen=True):
    """A sentence in the asker's language on the open move `number`, or on all (0)."""

    number: int
    says: str


class ReviewNow(msgspec.Struct, frozen=True):
    """A review of a match by the table's player.

    Until it is `ready`, the rest is empty: ask again after some seconds. The standing of `course` is the
    first seat's expected lead in points, after each judged move; in a game without points its trend is the
    first seat's chance to win.
    """

    ready: bool
    course: Course = Course((), (), ())
    remarks: tuple[Remark, ...] = ()


@look_back_api.route(
    "GET", "/api/matches/<int:number>/review", who=LOOK, gives=ReviewNow, refusals=(404, 503)
)
def review(number: int) -> ReviewNow:
    """The review of a finished match, with each player's best and worst move first."""
    back = look_back_or_404(number)
    reviews = or_404(running().reviews)
    try:
        made = reviews.review_of(back)
    except LookupError:
        abort(404)
    if made is None:
        return ReviewNow(ready=False)
    return ReviewNow(ready=True, course=expected(back, made), remarks=tuple(remarks(back, made)))


def expected(back: LookBack, made: Review) -> Course:
    """The first seat's expectation after each judged move, as a course."""
    first = back.course().seats[0]
    side, chance = _side(back, first), _in_chances(back)
    stood = (0.5 if chance else 0, *(_seen_by(judged, side, chance=chance) for judged in made.moves))
    moves = tuple(judged.move for judged in made.moves)
    if chance:
        return Course((first,), moves, (), tuple({first: chance} for chance in stood))
    return Course((first,), moves, tuple({first: round(points)} for points in stood))


def remarks(back: LookBack, made: Review) -> Iterator[Remark]:
    """Sentences on each player's best and worst move, and on all of them together."""
    words, tongue = messages_of_page(back.record.game), language()
    chance = _in_chances(back)
    whole, unit = (SURE, "-chance") if chance else (1, "")
    for seat in back.course().seats:
        name = seat_label(back.record.game, back.players, seat, tongue)
        theirs = [judged for judged in made.moves if judged.seat == seat]
        good = [judged for judged in theirs if whole * judged.lost < BEST_WITHIN]
        if good:
            best = max(good, key=lambda judged: gained(back, made, judged))
            says = words.say(
                "review.best", tongue, name=name, number=best.number, move=_said(back, best.move)
            )
            yield Remark(best.number, capital(says))
        worst = max(theirs, key=lambda judged: judged.lost, default=None)
        if worst is not None and whole * worst.lost >= WORST_FROM:
            # A number stands where the search settled it, and a better move where more time kept it.
            how = "worst" if worst.settled and not chance else "about" if worst.stays else "unsure"
            says = words.say(
                f"review.{how}{unit}",
                tongue,
                name=name,
                number=worst.number,
                move=_said(back, worst.move),
                better=_said(back, worst.best),
                points=round(whole * worst.lost),
            )
            yield Remark(worst.number, capital(says))
        if points := round(whole * sum(judged.lost for judged in theirs)):
            says = words.say(f"review.all{unit}", tongue, name=name, moves=len(theirs), points=points)
            yield Remark(0, capital(says))


def _said(back: LookBack, move: str) -> str:
    return move_said(back.record.game, back.history.game.parse(move))


def gained(back: LookBack, made: Review, move: Judged) -> float:
    """The rise of its player's expectation by a move."""
    side, chance = _side(back, move.seat), _in_chances(back)
    before = 0.5 if chance else 0.0
    for later in made.moves:
        if later.number >= move.number:
            break
        before = _seen_by(later, side, chance=chance)
    return _seen_by(move, side, chance=chance) - before


def _in_chances(back: LookBack) -> bool:
    return player_of(back.record.game).expects == "chance"


def _side(back: LookBack, seat: str) -> tuple[str, ...]:
    """The seats that win and lose together with one."""
    return next(
        side
        for side in player_of(back.record.game).sides(back.history.game.seat_names(back.history.state))
        if seat in side
    )


def _seen_by(move: Judged, side: tuple[str, ...], *, chance: bool) -> float:
    """A side's expectation after a move: points ahead, or its chance to win."""
    if move.seat in side:
        return move.value
    return round(1 - move.value, DECIMALS) if chance else -move.value
