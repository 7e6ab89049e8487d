"""Luck and choice apart: the kittens that draws brought, and the draws that were avoided."""

from __future__ import annotations

from fractions import Fraction

from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.retrospect import Course, avoided, drawn
from companion.games.exploding_kittens.state import KittensState
from companion.games.exploding_kittens.tests.playing import began, move


def played(seats: int, *moves: str) -> tuple[Course, KittensState]:
    """Each move with the state before it, and the state at the end."""
    state, course = began(seats), []
    for text in moves:
        course.append((state, move(text)))
        state = GAME.play(state, move(text))
    return course, state


def test_over_every_place_of_the_kitten_as_many_come_as_were_expected() -> None:
    """Two players only draw, one kitten lies in the deck: each place is played out."""
    cards = began(2).standing.deck
    for seat in ("first", "second"):
        came, expected = 0, Fraction(0)
        for above in range(cards):
            course, _ = played(2, *["draw"] * above, "kitten", "explode")
            _, kittens, average = drawn(course, seat)
            came, expected = came + kittens, expected + average
        assert came == expected
        assert came == (cards + (seat == "first")) // 2


def test_a_skip_saves_one_draw_and_an_attack_all_that_are_owed() -> None:
    """Three players, two kittens among 23 cards; the second owes two turns and passes both on."""
    course, end = played(3, "attack", "attack", "skip", "draw")
    assert course[0][0].standing.deck == 23
    assert avoided(course, end, "first") == (1, Fraction(2, 23))
    assert avoided(course, end, "second") == (2, Fraction(4, 23))
    assert avoided(course, end, "third") == (1, Fraction(2, 23))
    assert drawn(course, "third") == (1, 0, Fraction(2, 23))


def test_a_card_that_a_nope_stops_saves_nothing_and_one_that_goes_on_after_all_does() -> None:
    stopped, end = played(3, "skip", "nope second", "draw")
    assert avoided(stopped, end, "first") == (0, Fraction(0))
    after_all, end = played(3, "skip", "nope second", "nope first", "draw")
    assert avoided(after_all, end, "first") == (1, Fraction(2, 23))


def test_each_player_has_a_remark_on_the_draws_and_on_the_choice() -> None:
    course, end = played(2, "skip", "draw", "kitten", "explode")
    remarks = GAME.retrospect.luck_remarks(course, end)
    assert [(each.reason, each.seat) for each in remarks] == [
        ("drew", "first"), ("passed", "first"), ("drew", "second")
    ]  # fmt: skip
    cards = began(2).standing.deck
    assert remarks[0].facts == {"cards": 1, "kittens": 1, "expected": f"{1 / (cards - 1):.2f}"}
    assert remarks[1].facts == {"draws": 1, "spared": f"{1 / cards:.2f}"}
