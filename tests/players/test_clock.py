"""A player's time: it stops before its time is up, also where a piece of its work takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, repeat

import msgspec
import pytest

from companion.games import players
from companion.games.chance import key_of
from companion.games.players import Budget
from companion.games.registry import game
from companion.players import worker
from companion.players.worker import seconds
from tests.conftest import BED


class FakeClock:
    """A clock on which time passes between two looks only, as long as the next of `gaps_s`."""

    def __init__(self, gaps_s: Iterable[float]) -> None:
        self.now_s, self._gaps_s = 0.0, iter(gaps_s)

    def __call__(self) -> float:
        self.now_s += next(self._gaps_s)
        return self.now_s


def until_over(clock: Callable[[], float]) -> None:
    """Look at a second's budget until it is over."""
    budget = seconds(1.0, clock=clock)
    while not budget.is_over:
        pass


@pytest.mark.parametrize("gap_s", [0.001, 0.03, 0.2, 0.45])
def test_the_last_piece_of_work_still_ends_in_time(gap_s: float) -> None:
    clock = FakeClock(chain([0.0], repeat(gap_s)))
    until_over(clock)
    assert clock.now_s + gap_s > 0.5
    assert clock.now_s <= 1.0


def test_after_a_long_piece_of_work_another_as_long_still_has_to_fit() -> None:
    clock = FakeClock(chain([0.0, 0.0, 0.4], repeat(0.1)))
    until_over(clock)
    assert clock.now_s == pytest.approx(0.6)


def test_only_a_piece_longer_than_all_before_ends_late_and_is_the_last_one() -> None:
    clock = FakeClock(chain([0.0], repeat(0.1, 8), [0.7]))
    until_over(clock)
    assert clock.now_s == pytest.approx(1.5)


@pytest.mark.parametrize("tiles", [1, 7], ids=["at the beginning", "near the end"])
def test_the_best_player_keeps_its_time_on_a_very_slow_machine(tiles: int) -> None:
    """It looks at the clock every 200 ms at best, and has a second."""
    bed, luck = game(BED), players.Stream(key_of(3))
    state = bed.start(bed.options({}, from_text=True), 2)
    while len(state.tiles) < tiles:
        state = bed.play(state, luck.choice(list(bed.legal_moves(state))))
    clock = FakeClock(repeat(0.2))
    seen = players.seen(bed, state, state.turn)
    assert players.player_of(BED).choose(seen, "top", seconds(1.0, clock=clock), 1).move in seen.legal
    assert 0.2 < clock.now_s <= 0.2 + 1.0


@pytest.mark.parametrize(
    ("begun_s", "thinks_s"),
    [(100.0, 0.7), (97.0, 0.5), (None, 1.0)],
    ids=["a quick start", "a very slow start", "no process"],
)
def test_what_its_process_took_to_start_counts(
    monkeypatch: pytest.MonkeyPatch, begun_s: float | None, thinks_s: float
) -> None:
    given_s: list[float] = []

    def budget(limit_s: float) -> Budget:
        given_s.append(limit_s)
        return Budget(1)

    monkeypatch.setattr(worker, "seconds", budget)
    monkeypatch.setattr(worker, "monotonic", lambda: 100.3)
    bed = game(BED)
    state = msgspec.Raw(msgspec.json.encode(bed.start(bed.options({}), 2)))
    worker.choose(worker.Choose(BED, state, "cat", "middle", 1, begun=begun_s))
    assert given_s == [pytest.approx(thinks_s)]
