"""Measuring."""

from __future__ import annotations

from lab.bench.measure import Measure, measure


def test_a_measure_is_set_against_its_floor() -> None:
    assert Measure("warp", 6.0, 5.5, floor_ms=2.0).ratio == 3.0


def test_without_a_floor_it_is_set_against_its_limit() -> None:
    slow = Measure("score", 1.0, 0.9, limit_ms=0.5)
    assert (slow.ratio, slow.kept) == (2.0, False)
    assert Measure("score", 0.4, 0.3, limit_ms=0.5).kept


def test_with_neither_it_only_tells() -> None:
    bare = Measure("view", 1.0, 0.9)
    assert (bare.ratio, bare.kept) == (None, True)


def test_a_measure_is_told_on_one_line() -> None:
    kept = Measure("score", 0.4, 0.3, limit_ms=0.5, note="9 regions").line()
    assert kept.split("  ")[0] == "score"
    assert kept.endswith("0.400 ms (best 0.300)  keeps to its limit of 0.5 ms  9 regions")
    assert Measure("score", 0.6, 0.3, limit_ms=0.5).line().endswith("OVER its limit of 0.5 ms")
    both = Measure("read", 6.0, 5.5, floor_ms=2.0, limit_ms=9.0).line()
    assert both.endswith("3.00 × its floor of 2.000 ms, keeps to its limit of 9 ms")
    assert Measure("view", 1.0, 0.9).line().endswith("1.000 ms (best 0.900)")


def test_a_quick_thing_is_done_many_times_a_slow_one_once_a_sample() -> None:
    calls: list[int] = []
    quick = measure("append", lambda: calls.append(1), samples=3, note="a list")
    assert len(calls) > 100
    assert 0 < quick.best_ms <= quick.value_ms < 1
    assert (quick.name, quick.note) == ("append", "a list")
    seen: list[int] = []
    measure("slow", lambda: seen.append(sum(range(300_000))), samples=3)
    assert len(seen) <= 8
