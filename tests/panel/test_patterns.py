"""Each pattern looks as its name says."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest

from hardware.panel import patterns
from hardware.panel.patterns import FRAME_S, PATTERNS, Pattern


def looks(pattern: Pattern, *, place: int = 0, places: int = 2, seconds: float = 8.0) -> list[float]:
    """A lamp's brightness, looked at every 10 ms."""
    return [pattern.level(n / 100, place, places) for n in range(int(seconds * 100))]


def switches(levels: list[float]) -> int:
    """How often a lamp goes on or off."""
    return sum((a > 0.5) != (b > 0.5) for a, b in pairwise(levels))


@pytest.mark.parametrize(
    ("pattern", "level"),
    [(patterns.OFF, 0.0), (patterns.YOUR_TURN, 1.0), (patterns.WON, 1.0), (patterns.WELL, 1.0)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_steady_lamp_never_changes(pattern: Pattern, level: float) -> None:
    assert set(looks(pattern)) == {level}
    assert pattern.changes_in(3.0) == inf


def test_waiting_blinks_slowly_and_a_broken_rule_quickly() -> None:
    slow, quick = switches(looks(patterns.WAITING)), switches(looks(patterns.BREAKS))
    assert 8 <= slow <= 10
    assert quick > 5 * slow


def test_paused_breathes_without_a_jump() -> None:
    levels = looks(patterns.PAUSED)
    assert max(abs(a - b) for a, b in pairwise(levels)) < 0.01
    assert min(levels) < 0.1
    assert max(levels) > 0.9


def test_lamps_dance_in_turn() -> None:
    one, other = looks(patterns.OVER), looks(patterns.OVER, place=1)
    assert all(a + b == 1.0 for a, b in zip(one, other, strict=True))
    five = [looks(patterns.OVER, place=place, places=5) for place in range(5)]
    assert len({tuple(each) for each in five}) == 5


def test_a_no_is_over_soon_and_ends_dark() -> None:
    levels = looks(patterns.REJECTED)
    assert switches(levels) == 3
    assert set(levels[int(patterns.REJECTED.period_s * 100) + 1 :]) == {0.0}
    assert patterns.REJECTED.changes_in(patterns.REJECTED.period_s) == inf


def test_before_something_is_taken_back_the_lamp_fades() -> None:
    levels = looks(patterns.UNDOING, seconds=patterns.UNDO_HOLD_S - patterns.FADE_AFTER_S)
    assert levels == sorted(levels, reverse=True)
    assert levels[0] == 1.0
    assert levels[-1] < 0.05


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=list(PATTERNS))
def test_a_lamp_that_is_set_when_it_is_due_is_never_wrong_for_longer_than_a_frame(pattern: Pattern) -> None:
    at_s, shown, wrong = 0.0, pattern.level(0.0), 0
    due_s = pattern.changes_in(0.0)
    for n in range(1, 9000):
        now_s = n / 1000
        if now_s >= at_s + due_s:
            at_s, shown, due_s = now_s, pattern.level(now_s), pattern.changes_in(now_s)
        wrong = wrong + 1 if abs(pattern.level(now_s) - shown) > 0.05 else 0
        assert wrong <= FRAME_S * 1000 + 1, now_s


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=list(PATTERNS))
def test_a_curve_spans_its_period(pattern: Pattern) -> None:
    places = [place for place, _ in pattern.points]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0.0, 1.0)
    assert all(0.0 <= level <= 1.0 for _, level in pattern.points)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=lambda pattern: pattern.name)
def test_the_lamp_of_the_first_seat_begins_at_the_beginning(pattern: Pattern) -> None:
    assert pattern.level(0.0) == pattern.points[0][1]
    second = pattern.level(0.75 * pattern.period_s) if pattern.shift else pattern.level(0.0)
    assert pattern.level(0.0, 1, 4) == second
