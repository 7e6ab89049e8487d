"""A match in words: its actions, its explosions, and luck and choice apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

from companion.games.exploding_kittens.cards import ATTACK, SKIP
from companion.games.exploding_kittens.state import (
    SLUG,
    Draw,
    DrawKitten,
    Explode,
    KittensMove,
    KittensState,
    Play,
)
from companion.games.exploding_kittens.view import pile
from companion.games.retrospect import Decided, Luck, LuckRemark, Place, Retrospect, luck_of
from companion.messages import Fact, Phrase

Course = Sequence[tuple[KittensState, KittensMove]]


def kitten_share(state: KittensState) -> Fraction:
    """The chance that the next card is a kitten, for all who can count."""
    return Fraction(state.kittens, state.standing.deck)


def drawn(course: Course, seat: str) -> tuple[int, int, Fraction]:
    """A seat's draws, the kittens among them, and their mean number."""
    draws = [
        (state, move)
        for state, move in course
        if isinstance(move, Draw | DrawKitten) and state.standing.turn == seat
    ]
    kittens = sum(isinstance(move, DrawKitten) for _, move in draws)
    return len(draws), kittens, sum((kitten_share(state) for state, _ in draws), Fraction(0))


def avoided(course: Course, end: KittensState, seat: str) -> tuple[int, Fraction]:
    """The draws that a seat avoided by attacks and skips that worked, with their mean number of kittens."""
    draws, spared = 0, Fraction(0)
    for state, move in course:
        if not isinstance(move, Play) or move.card not in (ATTACK, SKIP) or state.standing.turn != seat:
            continue
        if end.record[len(state.record)].works:
            passed = min(state.standing.owed if move.card == ATTACK else 1, state.standing.deck)
            draws += passed
            spared += passed * kitten_share(state)
    return draws, spared


class KittensRetrospect(Retrospect[KittensState, KittensMove]):
    """A match with the kittens, looked back at."""

    luck_kind = "kittens"
    trend: ClassVar = {"boom.short-kitten": "odds.kinds.0.within.0.exact"}

    def lying(self, state: KittensState) -> dict[str, tuple[Fact, ...]]:
        """The number of cards in each hand and in the deck, and the card that lies open."""
        standing, card = state.standing, pile(state)
        counted = {"deck": standing.deck} | {seat: standing.hand_size(seat) for seat in standing.living}
        number = {place: (Phrase("boom.cards", {"cards": n}, SLUG),) for place, n in counted.items()}
        return {**number, "pile": (card,) if card else ()}

    def decided(
        self, course: Sequence[tuple[KittensState, KittensMove]], state: KittensState
    ) -> Decided | None:
        """The last player who exploded, and the cards left in the deck."""
        last = next((before for before, move in reversed(course) if isinstance(move, Explode)), None)
        if last is None:
            return None
        return Decided("kitten", {"loser": last.standing.turn, "deck": state.standing.deck})

    def places(
        self, course: Sequence[tuple[KittensState, KittensMove]], state: KittensState
    ) -> tuple[Place, ...]:
        """The one alive, then who exploded, the last of them first."""
        left = [before.standing for before, move in course if isinstance(move, Explode)]
        out = (Place(at.turn, "exploded", {"deck": at.deck}) for at in reversed(left) if at.turn)
        alive = (
            Place(seat, "alive", {"cards": state.standing.hand_size(seat)}) for seat in state.standing.living
        )
        return (*alive, *out)

    def luck(self, course: Iterable[tuple[KittensState, KittensMove]]) -> dict[str, Luck]:
        """The kittens drawn, each draw by the share of kittens in the deck, wherever they were put back."""
        return luck_of(
            (state.standing.turn, isinstance(move, DrawKitten), share, share * (1 - share))
            for state, move in course
            if isinstance(move, (Draw, DrawKitten))
            for share in [state.kittens / state.standing.deck]
        )

    def luck_remarks(self, course: Course, state: KittensState) -> tuple[LuckRemark, ...]:
        """Each player's kittens drawn, and draws avoided."""
        remarks = []
        for seat in state.seats:
            cards, kittens, expected = drawn(course, seat)
            if cards:
                mean = _decimal(expected)
                remarks.append(
                    LuckRemark("drew", seat, {"cards": cards, "kittens": kittens, "expected": mean})
                )
            passed, spared = avoided(course, state, seat)
            if passed:
                remarks.append(LuckRemark("passed", seat, {"draws": passed, "spared": _decimal(spared)}))
        return tuple(remarks)

    def narrate(self, before: KittensState, after: KittensState) -> tuple[Phrase, ...]:
        """The last action with its nopes; nothing for other moves."""
        last = after.last
        if last is None or last == before.last:
            return ()
        facts = {"seat": last.seat, "card": last.card or "kitten", "target": last.target, "named": last.named}
        done = Phrase(f"boom.did-{last.what}", facts, SLUG)
        if not last.nopes:
            return (done,)
        stopped = "noped-back" if last.works else "noped"
        return done, Phrase(f"boom.{stopped}", {"count": len(last.nopes)}, SLUG)


def _decimal(number: Fraction) -> str:
    return f"{float(number):.2f}"
