"""The clock of a match: each kind against a hand-made table, and what every kind keeps; its file."""

from __future__ import annotations

import logging
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kept_state import KeptState
from companion.service.panel_state import MOST_KEPT, ClockFile
from companion.service.turn_clock import (
    COUNTS,
    LAST_S,
    PRESETS,
    ClockRules,
    KeptClock,
    Times,
    TurnClock,
    rules_of,
    shares,
)

SEATS = ("cat", "dog", "fox")
KINDS = ("none", "total", "turn", "fischer", "delay", "sand", "advisory")
NOBODY: frozenset[str] = frozenset()


def played(rules: ClockRules, *turns: float, seats: tuple[str, ...] = ("cat", "dog")) -> TurnClock:
    """A clock after turns of that many seconds, one seat after the other, from 0 s on."""
    clock, now_s = TurnClock(rules, seats, KeptClock()), 0.0
    for n, turn_s in enumerate(turns):
        seat = seats[n % len(seats)]
        clock.run(frozenset({seat}), now_s)
        now_s += turn_s
        clock.move(n, n + 1, [seat], now_s)
        clock.run(NOBODY, now_s)
    return clock


@pytest.mark.parametrize(
    ("rules", "cat_s", "dog_s"),
    [
        pytest.param(ClockRules("none", 60.0), inf, inf, id="none"),
        pytest.param(COUNTS, inf, inf, id="no-limit"),
        pytest.param(ClockRules("total", 60.0), 60 - 20 - 3, 60 - 8, id="total"),
        pytest.param(ClockRules("turn", 60.0), 60, 60, id="turn"),
        pytest.param(ClockRules("advisory", 60.0), 60, 60, id="advisory"),
        pytest.param(ClockRules("fischer", 60.0, 5.0), 60 - 20 + 5 - 3 + 5, 60 - 8 + 5, id="fischer"),
        pytest.param(ClockRules("delay", 60.0, 5.0), 60 - (20 - 5), 60 - (8 - 5), id="delay"),
        pytest.param(ClockRules("sand", 60.0), 60 - 20 + 8 - 3, 60 + 20 - 8 + 3, id="sand"),
    ],
)
def test_after_turns_of_20_8_and_3_seconds(rules: ClockRules, cat_s: float, dog_s: float) -> None:
    clock = played(rules, 20, 8, 3)
    assert (clock.left_s("cat", 31.0), clock.left_s("dog", 31.0)) == (cat_s, dog_s)
    assert clock.times(31.0).spent_s == {"cat": 23.0, "dog": 8.0}


@pytest.mark.parametrize(
    ("rules", "cat_s"),
    [
        pytest.param(ClockRules("turn", 60.0), 60 - 12, id="turn"),
        pytest.param(ClockRules("fischer", 60.0, 5.0), 60 - 12, id="fischer-adds-after-the-turn"),
        pytest.param(ClockRules("delay", 60.0, 5.0), 60 - (12 - 5), id="delay-is-free-first"),
        pytest.param(ClockRules("delay", 60.0, 20.0), 60, id="delay-not-used-up"),
        pytest.param(ClockRules("sand", 60.0), 60 - 12, id="sand"),
    ],
)
def test_12_seconds_into_the_first_turn(rules: ClockRules, cat_s: float) -> None:
    clock = TurnClock(rules, ("cat", "dog"), KeptClock())
    clock.run(frozenset({"cat"}), 100.0)
    assert clock.left_s("cat", 112.0) == cat_s
    assert clock.rate("dog") == (1 if rules.kind == "sand" else 0)


def test_what_one_uses_of_a_sand_glass_is_shared_by_the_others() -> None:
    clock = played(ClockRules("sand", 60.0), 10, seats=SEATS)
    assert [clock.left_s(seat, 10.0) for seat in SEATS] == [50, 65, 65]


def test_the_named_clocks_and_those_made_of_details() -> None:
    assert {name: (rules.kind, rules.ends) for name, rules in PRESETS.items()} == {
        "quick": ("turn", False),
        "family": ("advisory", False),
        "tournament": ("fischer", True),
    }
    assert rules_of("quick", 7.0, 3.0, "lost") is PRESETS["quick"]
    assert rules_of("delay", 2.5, 3.0, "lost") == ClockRules("delay", 150.0, 3.0, "lost")
    assert not ClockRules("advisory", 60.0, at_zero="lost").ends


def test_it_says_when_the_last_seconds_begin_and_end() -> None:
    clock = TurnClock(ClockRules("delay", 60.0, 5.0), ("cat", "dog"), KeptClock())
    clock.run(frozenset({"cat"}), 0.0)
    assert clock.due_s(0.0) == 65 - LAST_S
    assert clock.due_s(60.0) == 65
    assert clock.late(64.9) == NOBODY
    assert clock.late(65.0) == {"cat"}
    assert clock.due_s(66.0) == inf


Turns = st.lists(
    st.tuples(st.floats(0, 500), st.sampled_from(["move", "undo", "pause", "restart"])), max_size=30
)


def used(times: Times) -> list[dict[str, float]]:
    """All times but those of 0 seconds."""
    every = (times.spent_s, times.turn_s, times.given_s)
    return [{seat: seconds for seat, seconds in each.items() if seconds} for each in every]


@given(st.sampled_from(KINDS), st.integers(1, 3), st.floats(0, 60), Turns)
def test_what_all_have_used_is_the_time_that_passed_and_undo_gives_back_exactly(
    kind: str, count: int, extra_s: float, turns: list[tuple[float, str]]
) -> None:
    seats = SEATS[:count]
    rules = rules_of(kind, 5.0, extra_s, "sound")
    clock, now_s, ran_s, back_s, moves = TurnClock(rules, seats, KeptClock()), 0.0, 0.0, 0.0, 0
    before: list[Times] = []
    for passes_s, does in turns:
        seat = seats[moves % count]
        clock.run(NOBODY if does == "pause" else frozenset({seat}), now_s)
        now_s += passes_s
        ran_s += 0 if does == "pause" else passes_s
        if does == "move":
            before.append(clock.times(now_s))
            clock.move(moves, moves + 1, [seat], now_s)
            moves += 1
        elif does == "undo" and moves:
            moves -= 1
            had_s = sum(clock.times(now_s).spent_s.values())
            clock.move(moves + 1, moves, [seat], now_s)
            assert used(clock.times(now_s)) == used(before.pop())
            back_s += had_s - sum(clock.times(now_s).spent_s.values())
        elif does == "restart":
            clock.run(NOBODY, now_s)
            clock = TurnClock(rules, seats, clock.kept(now_s))
        times = clock.times(now_s)
        assert sum(times.spent_s.values()) + back_s == pytest.approx(ran_s, abs=0.001)
        if kind == "sand" and count > 1:
            assert sum(clock.left_s(each, now_s) for each in seats) == pytest.approx(300 * count, abs=0.001)


@given(st.sampled_from(KINDS), st.integers(2, 3), st.floats(0, 60), st.floats(0, 400), st.floats(0, 400))
def test_a_page_that_counts_on_shows_what_the_panel_has(
    kind: str, count: int, extra_s: float, first_s: float, then_s: float
) -> None:
    clock = TurnClock(rules_of(kind, 5.0, extra_s, "sound"), SEATS[:count], KeptClock())
    clock.run(frozenset({"dog"}), 0.0)
    for seat in clock.seats:
        left_s, free_s, rate = clock.left_s(seat, first_s), clock.free_s(seat, first_s), clock.rate(seat)
        counted_s = left_s + rate * max(0.0, then_s - free_s)
        assert counted_s == pytest.approx(clock.left_s(seat, first_s + then_s), abs=0.001)


@given(st.dictionaries(st.sampled_from(SEATS), st.floats(0.01, 5000)))
def test_shares_of_the_time_add_up(spent_s: dict[str, float]) -> None:
    parts = shares(Times(spent_s))
    assert sum(parts.values()) == (100 if spent_s else 0)
    assert all(abs(parts[seat] - 100 * used / sum(spent_s.values())) < 1 for seat, used in spent_s.items())
    assert list(parts) == list(spent_s)  # in the order of the seats, not of the times


def test_several_may_think_at_once() -> None:
    clock = TurnClock(COUNTS, ("cat", "dog"), KeptClock())
    assert clock.run(frozenset({"cat", "dog"}), 0.0)
    assert clock.run(frozenset({"dog"}), 4.0)
    assert not clock.run(frozenset({"dog"}), 5.0)
    assert (clock.spent_s("cat", 6.0), clock.spent_s("dog", 6.0)) == (4.0, 6.0)


def test_what_older_versions_kept_counts_on(tmp_path: Path) -> None:
    path = tmp_path / "clocks.json"
    KeptState(path, dict[int, Any]).save({1: {"spent_s": {"cat": 60.0}, "paused": True}})
    clock = TurnClock(COUNTS, ("cat", "dog"), ClockFile(path).read_clock(1))
    assert clock.paused
    clock.run(frozenset({"cat"}), 5.0)
    assert clock.spent_s("cat", 6.5) == 61.5


def test_the_clocks_of_the_newest_matches_are_kept(tmp_path: Path) -> None:
    file = ClockFile(tmp_path / "clocks.json")
    assert file.read_clock(1) == KeptClock()
    for match in range(1, MOST_KEPT + 3):
        file.write(match, KeptClock({"cat": float(match)}))
    again = ClockFile(tmp_path / "clocks.json")
    assert again.read_clock(MOST_KEPT + 2).spent_s == {"cat": MOST_KEPT + 2.0}
    assert again.read_clock(2) == KeptClock()
    assert [each.name for each in tmp_path.iterdir()] == ["clocks.json"]


def test_an_old_match_that_is_gone_on_with_is_kept_too(tmp_path: Path) -> None:
    file = ClockFile(tmp_path / "clocks.json")
    for match in range(2, MOST_KEPT + 3):
        file.write(match, KeptClock())
    file.write(1, KeptClock({"cat": 1.0}))
    assert file.read_clock(1).spent_s == {"cat": 1.0}


@pytest.mark.parametrize("broken", [b"", b"{", b"[1]", b'{"1": {"spent_s": 3}}', b"\xff"])
def test_a_file_that_cannot_be_read_begins_anew_and_that_is_said(
    tmp_path: Path, broken: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "clocks.json"
    path.write_bytes(broken)
    file = ClockFile(path)
    assert file.read_clock(1) == KeptClock()
    assert "was damaged" in caplog.text
    file.write(1, KeptClock({"cat": 2.0}))
    assert file.read_clock(1).spent_s == {"cat": 2.0}


def test_a_folder_that_cannot_be_written_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    file = ClockFile(tmp_path / "taken" / "clocks.json")
    with caplog.at_level(logging.WARNING):
        file.write(1, KeptClock())
        file.write(1, KeptClock({"cat": 1.0}))
    assert caplog.text.count("cannot be kept") == 1
