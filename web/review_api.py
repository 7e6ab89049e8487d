"""What the companion's player thinks of a finished match, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import abort

from companion.games.choosing import chooser_of, sides_of
from companion.opponents.review import Judged, Review
from companion.play.look_back import Course, LookBack
from web.app_state import app_state
from web.language import language, messages_of_page, move_said
from web.look_back_api import look_back_or_404
from web.openapi import Routes
from web.pages import capital, seat_label

review_api = Routes("review")

BEST_WITHIN = 0.5
"""A move that lost less than this many points was as good as the best one: the search is no finer."""

WORST_FROM = 1.0
"""A move that lost less than this many points is not called a mistake."""

SURE = 100
"""A chance to win is told, and judged, in percent: one percentage point counts as one point."""


class Remark(msgspec.Struct, frozen=True):
    """A sentence, in the asker's language; `number` is that of the open move that it is about, 0 for none."""

    number: int
    says: str


class ReviewNow(msgspec.Struct, frozen=True):
    """What the table's player thinks of a match.

    Until it is `ready`, the rest is empty: ask again after some seconds. The standing of `course` is by how
    many points the first seat was expected to end ahead, after each judged move; in a game without points it
    is the first seat's chance to win, in percent.
    """

    ready: bool
    course: Course = Course((), (), ())
    remarks: tuple[Remark, ...] = ()


@review_api.route("GET", "/api/matches/<int:number>/review", gives=ReviewNow, refusals=(404, 503))
def review(number: int) -> ReviewNow:
    """The review of a finished match, each player's best and worst move first among its remarks."""
    reviews, back = app_state().reviews, look_back_or_404(number)
    if reviews is None:
        abort(404)
    try:
        made = reviews.of(back)
    except LookupError:
        abort(404)
    if made is None:
        return ReviewNow(ready=False)
    return ReviewNow(ready=True, course=expected(back, made), remarks=tuple(remarks(back, made)))


def expected(back: LookBack, made: Review) -> Course:
    """What the first seat could expect after each judged move, as a course of its own."""
    first = back.course().seats[0]
    own = _side(back, first)
    chance = _in_chances(back)
    start = SURE // 2 if chance else 0
    stood = [_seen_by(each, own, chance=chance) for each in made.moves]
    standing = tuple({first: round(each)} for each in (start, *stood))
    return Course((first,), tuple(each.move for each in made.moves), standing)


def remarks(back: LookBack, made: Review) -> Iterator[Remark]:
    """A sentence on each player's best move, one on the worst, and one on all of them together."""
    words, tongue = messages_of_page(back.record.game), language()
    chance = _in_chances(back)
    worst_says, all_say = "review.worst", "review.all"
    if chance:
        worst_says, all_say = "review.worst-chance", "review.all-chance"
    whole = SURE if chance else 1
    for seat in back.course().seats:
        name = seat_label(back.record.game, back.players, seat, tongue)
        own = [each for each in made.moves if each.seat == seat]
        good = [each for each in own if whole * each.lost < BEST_WITHIN]
        if good:
            best = max(good, key=lambda each: gained(back, made, each))
            says = words.say(
                "review.best", tongue, name=name, number=best.number, move=_said(back, best.move)
            )
            yield Remark(best.number, capital(says))
        worst = max(own, key=lambda each: each.lost, default=None)
        if worst is not None and whole * worst.lost >= WORST_FROM:
            says = words.say(
                worst_says,
                tongue,
                name=name,
                number=worst.number,
                move=_said(back, worst.move),
                better=_said(back, worst.best),
                points=round(whole * worst.lost),
            )
            yield Remark(worst.number, capital(says))
        if own:
            points = round(whole * sum(each.lost for each in own))
            says = words.say(all_say, tongue, name=name, moves=len(own), points=points)
            yield Remark(0, capital(says))


def _said(back: LookBack, move: str) -> str:
    """A move of the match, from the notation into the asker's words."""
    return move_said(back.record.game, back.history.game.parse(move))


def gained(back: LookBack, made: Review, move: Judged) -> float:
    """By how much a move raised what its player could expect."""
    own, chance = _side(back, move.seat), _in_chances(back)
    before = SURE / 2 if chance else 0.0
    for each in made.moves:
        if each.number >= move.number:
            break
        before = _seen_by(each, own, chance=chance)
    return _seen_by(move, own, chance=chance) - before


def _in_chances(back: LookBack) -> bool:
    """Whether the game's player expects chances to win, and not points."""
    return chooser_of(back.record.game).expects == "chance"


def _side(back: LookBack, seat: str) -> tuple[str, ...]:
    """The seats that win and lose together with one."""
    return next(side for side in sides_of(back.history.game, back.history.state) if seat in side)


def _seen_by(move: Judged, side: tuple[str, ...], *, chance: bool) -> float:
    """What a side could expect after a move: points ahead, or percent."""
    if move.seat in side:
        return SURE * move.value if chance else move.value
    return SURE * (1 - move.value) if chance else -move.value
