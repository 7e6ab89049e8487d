"""What the companion's player thinks of a finished match, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import abort

from companion.opponents.review import Judged, Review
from companion.play.look_back import Course, LookBack
from web.app_state import app_state
from web.language import language, messages_of_page
from web.look_back_api import look_back_or_404
from web.openapi import Routes
from web.pages import seat_label

review_api = Routes("review")

BEST_WITHIN = 0.5
"""A move that lost less than this many points was as good as the best one: the search is no finer."""

WORST_FROM = 1.0
"""A move that lost less than this many points is not called a mistake."""


class Remark(msgspec.Struct, frozen=True):
    """A sentence on a move, in the asker's language; `number` is that of the open move, from 1."""

    number: int
    says: str


class ReviewNow(msgspec.Struct, frozen=True):
    """What the table's player thinks of a match.

    Until it is `ready`, the rest is empty: ask again after some seconds. The standing of `course` is by how
    many points the first seat was expected to end ahead, after each judged move.
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
    """By how much the first seat was expected to end ahead, as a course of its own."""
    first = back.course().seats[0]
    lead = [round(each.value if each.seat == first else -each.value) for each in made.moves]
    standing = tuple({first: each} for each in (0, *lead))
    return Course((first,), tuple(each.move for each in made.moves), standing)


def remarks(back: LookBack, made: Review) -> Iterator[Remark]:
    """A sentence on each player's best move, and one on the worst."""
    words, tongue = messages_of_page(back.record.game), language()
    for seat in back.course().seats:
        name = seat_label(back.record.game, back.players, seat, tongue)
        own = [each for each in made.moves if each.seat == seat]
        good = [each for each in own if each.lost < BEST_WITHIN]
        if good:
            best = max(good, key=lambda each: gained(made, each))
            says = words.say("review.best", tongue, name=name, number=best.number, move=best.move)
            yield Remark(best.number, says)
        worst = max(own, key=lambda each: each.lost, default=None)
        if worst is not None and worst.lost >= WORST_FROM:
            says = words.say(
                "review.worst",
                tongue,
                name=name,
                number=worst.number,
                move=worst.move,
                better=worst.best,
                points=round(worst.lost),
            )
            yield Remark(worst.number, says)


def gained(made: Review, move: Judged) -> float:
    """By how much a move raised what its player was expected to end ahead."""
    before = 0.0
    for each in made.moves:
        if each.number >= move.number:
            break
        before = each.value if each.seat == move.seat else -each.value
    return move.value - before
