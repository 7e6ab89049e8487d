"""What the camera's dice mean: a throw, a question, or a rule broken."""

from __future__ import annotations

import pytest

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import Throw
from companion.games.cat_and_mouse.tests.playing import at, begun, play
from companion.games.watching import Die, Observation, Sighting, Verdict


def dice(*values: int, confidence: float = 0.99) -> tuple[Die, ...]:
    """Dice that lie still."""
    return tuple(Die(value, "white", confidence=confidence) for value in values)


def test_two_dice_at_rest_are_a_throw() -> None:
    seen = GAME.sighting(begun(), Observation(dice=dice(3, 4)))
    assert seen.verdict is Verdict.PLAY
    assert seen.guesses[0].moves == (Throw((3, 4)),)
    assert seen.guesses[0].confidence == pytest.approx(0.99**2)


def test_the_throws_for_cat_are_seen_too() -> None:
    assert (
        GAME.sighting(GAME.start(GAME.options({}), 2), Observation(dice=dice(6, 1))).verdict is Verdict.PLAY
    )


@pytest.mark.parametrize("nothing", [Observation(), Observation(dice=()), Observation(tiles=())])
def test_no_dice_are_nothing_new(nothing: Observation) -> None:
    assert GAME.sighting(begun(), nothing) == Sighting(Verdict.NOTHING)


@pytest.mark.parametrize("why", ["hand", "marker-covered"])
def test_a_hand_over_the_dice_is_waited_for(why: str) -> None:
    seen = GAME.sighting(begun(), Observation(unsure=True, why=why, dice=dice(3, 4)))
    assert (seen.verdict, seen.why) == (Verdict.WAIT, why)


def test_one_die_alone_is_asked_about() -> None:
    seen = GAME.sighting(begun(), Observation(dice=dice(3, confidence=1.0)))
    assert (seen.verdict, seen.why) == (Verdict.ASK, "one-die")
    assert {tuple(sorted(guess.moves[0].dice)) for guess in seen.guesses} == {
        (1, 3), (2, 3), (3, 3), (3, 4), (3, 5), (3, 6),
    }  # fmt: skip


def test_dice_that_are_not_sure_are_asked_about_the_likeliest_first() -> None:
    two = (Die(3, "red", confidence=0.6), Die(4, "red", confidence=0.9))
    seen = GAME.sighting(begun(), Observation(unsure=True, dice=two))
    assert (seen.verdict, seen.why) == (Verdict.ASK, "die-unclear")
    assert seen.guesses[0].moves == (Throw((3, 4)),)
    chances = [guess.confidence for guess in seen.guesses]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1


def test_what_the_camera_says_is_in_the_way_is_passed_on() -> None:
    seen = GAME.sighting(begun(), Observation(unsure=True, why="cocked", dice=dice(3, 4)))
    assert (seen.verdict, seen.why) == (Verdict.ASK, "cocked")


def test_a_face_that_no_die_has_is_asked_about() -> None:
    seen = GAME.sighting(begun(), Observation(dice=dice(3, 7, confidence=1.0)))
    assert (seen.verdict, len(seen.guesses)) == (Verdict.ASK, 6)
    assert all(3 in guess.moves[0].dice for guess in seen.guesses)


@pytest.mark.parametrize("many", [3, 11])
def test_rule_two_dice_is_broken_by_more(many: int) -> None:
    seen = GAME.sighting(begun(), Observation(dice=dice(*([3] * many))))
    assert (seen.verdict, seen.rule, seen.facts) == (Verdict.BREAKS, "two-dice", {"dice": many})


@pytest.mark.parametrize("sure", [True, False])
def test_rule_match_over_is_broken_by_a_throw_after_the_end(*, sure: bool) -> None:
    over = play(at(64, 0), "11")
    seen = GAME.sighting(over, Observation(unsure=not sure, dice=dice(3, 4)))
    assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "match-over")
