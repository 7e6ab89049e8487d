"""Which lamp shows what, from what the table knows."""

from __future__ import annotations

import pytest

from companion.games.game import Outcome
from companion.games.watching import Verdict
from companion.play.table import SightingView
from companion.service.panel_state import DANCE_S, lamps

TWO = ("cat", "dog")
FIVE = ("a", "b", "c", "d", "e")


def sighting(verdict: Verdict, **facts: str | int) -> SightingView:
    """A sighting that comes to this."""
    return SightingView(1, verdict, "", "", facts, ())


def names(shown: dict[str, object]) -> dict[str, str]:
    """The patterns by their names."""
    return {seat: pattern.name for seat, pattern in shown.items()}  # type: ignore[attr-defined]


@pytest.mark.parametrize("turn", FIVE)
def test_the_seat_in_turn_burns_and_no_other(turn: str) -> None:
    assert names(lamps(FIVE, turn, None, None)) == {s: "your-turn" if s == turn else "off" for s in FIVE}


@pytest.mark.parametrize("verdict", [Verdict.WAIT, Verdict.ASK])
def test_while_the_camera_waits_or_asks_the_lamp_of_the_seat_in_turn_blinks(verdict: Verdict) -> None:
    assert names(lamps(TWO, "dog", None, sighting(verdict))) == {"cat": "off", "dog": "waiting"}


def test_who_has_pressed_and_whose_move_is_not_seen_is_waited_for() -> None:
    shown = names(lamps(TWO, "cat", None, None, done=frozenset({"cat"})))
    assert shown == {"cat": "waiting", "dog": "off"}


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        pytest.param({"owner": "dog"}, {"cat": "your-turn", "dog": "breaks"}, id="the-owner's-tile"),
        pytest.param({}, {"cat": "breaks", "dog": "off"}, id="nobody-named"),
        pytest.param({"owner": "mouse"}, {"cat": "breaks", "dog": "off"}, id="no-seat"),
    ],
)
def test_what_breaks_a_rule_blinks_quickly_at_whose_tile_it_is(
    facts: dict[str, str | int], shown: dict[str, str]
) -> None:
    assert names(lamps(TWO, "cat", None, sighting(Verdict.BREAKS, **facts))) == shown


@pytest.mark.parametrize("verdict", [Verdict.PLAY, Verdict.NOTHING])
def test_what_is_played_or_nothing_leaves_lamps_alone(verdict: Verdict) -> None:
    assert names(lamps(TWO, "cat", None, sighting(verdict))) == {"cat": "your-turn", "dog": "off"}


def test_paused_all_breathe_whatever_is_seen() -> None:
    assert names(lamps(TWO, "cat", None, sighting(Verdict.BREAKS), paused=True)) == dict.fromkeys(
        TWO, "paused"
    )


def test_at_the_end_all_dance_then_the_winners_burn() -> None:
    end = Outcome("no-moves", ("dog",))
    assert names(lamps(TWO, None, end, None, over_s=DANCE_S - 0.1)) == {"cat": "over", "dog": "over"}
    assert names(lamps(TWO, None, end, None, over_s=DANCE_S)) == {"cat": "off", "dog": "won"}
    assert names(lamps(TWO, None, Outcome("even", TWO), None)) == {"cat": "won", "dog": "won"}


def test_where_nobody_wins_they_dance_on() -> None:
    assert names(lamps(TWO, None, Outcome("given-up", ()), None)) == {"cat": "over", "dog": "over"}


def test_where_all_act_at_once_each_burns_until_it_has_pressed() -> None:
    shown = names(lamps(("a", "b", "c"), None, None, None, done=frozenset({"b"})))
    assert shown == {"a": "your-turn", "b": "off", "c": "your-turn"}
