"""Luck and choice apart in a finished match: the kittens that draws brought, and the draws let go by."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.games.exploding_kittens.cards import ATTACK, SKIP
from companion.games.exploding_kittens.moves import Draw, DrawKitten, KittensMove, Play
from companion.games.exploding_kittens.state import KittensState
from companion.games.game import LuckRemark

Course = Sequence[tuple[KittensState, KittensMove]]
"""Every open move of a match, with the state before it."""


def kitten_share(state: KittensState) -> Fraction:
    """The chance, for all who can count, that the next card is a kitten."""
    return Fraction(state.kittens, state.standing.deck)


def drawn(course: Course, seat: str) -> tuple[int, int, Fraction]:
    """The cards that a seat drew, the kittens among them, and how many would be so on average."""
    draws = [
        (state, move)
        for state, move in course
        if isinstance(move, Draw | DrawKitten) and state.standing.turn == seat
    ]
    kittens = sum(isinstance(move, DrawKitten) for _, move in draws)
    return len(draws), kittens, sum((kitten_share(state) for state, _ in draws), Fraction(0))


def avoided(course: Course, end: KittensState, seat: str) -> tuple[int, Fraction]:
    """The draws that a seat avoided by attacks and skips that worked, and the kittens expected in them."""
    draws, spared = 0, Fraction(0)
    for state, move in course:
        if not isinstance(move, Play) or move.card not in (ATTACK, SKIP) or state.standing.turn != seat:
            continue
        if end.record[len(state.record)].works:
            passed = min(state.standing.owed if move.card == ATTACK else 1, state.standing.deck)
            draws += passed
            spared += passed * kitten_share(state)
    return draws, spared


def luck_remarks(course: Course, state: KittensState) -> tuple[LuckRemark, ...]:
    """For each player the kittens that the draws brought, and the draws that it avoided."""
    remarks = []
    for seat in state.seats:
        cards, kittens, expected = drawn(course, seat)
        if cards:
            facts: dict[str, str | int] = {"cards": cards, "kittens": kittens, "expected": _decimal(expected)}
            remarks.append(LuckRemark("drew", seat, facts))
        passed, spared = avoided(course, state, seat)
        if passed:
            remarks.append(LuckRemark("passed", seat, {"draws": passed, "spared": _decimal(spared)}))
    return tuple(remarks)


def _decimal(number: Fraction) -> str:
    return f"{float(number):.2f}"
