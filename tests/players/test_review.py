"""Looking back with the game's own player: what each move was worth beside the best one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games.chance import Stream, key_of
from companion.games.players import Budget
from companion.games.registry import game
from companion.games.this_bed_is_mine import score
from companion.games.this_bed_is_mine.tests.table import bars, bed
from companion.play.history import History
from companion.players import worker
from companion.players.reviews import Reviews
from companion.players.worker import A_MATCH_S, Judge, Review, judge
from tests.conftest import BED

SMALL = {"board": bed("+++..", "+++..", ".....", "..1..", side="B"), "tiles": bars(3, 2, 4)}
"""A bed on which every match can be played in every way, so each judgement near the end is exact."""


def by_lot(seed: int) -> History:
    """A match of the small bed to its end."""
    of, luck = game(BED), Stream(key_of(seed))
    options = of.options(SMALL)
    history = History(of, (of.start(options, 2),), ())
    while legal := list(of.legal_moves(history.state)):
        history = history.played(luck.choice(legal))
    return history


def reviewed(history: History) -> Review:
    """The review of a match, without a process of its own."""
    moves = tuple(msgspec.Raw(msgspec.json.encode(move)) for move in history.moves)
    options = msgspec.Raw(msgspec.json.encode(history.state.options))
    return judge(Judge(BED, options, 2, moves, limit_s=30.0))


def test_every_move_is_judged_and_the_last_one_by_the_points_at_the_end() -> None:
    history = by_lot(3)
    made = reviewed(history)
    assert [each.number for each in made.moves] == list(range(1, len(history.moves) + 1))
    assert [each.move for each in made.moves] == [game(BED).notation(move) for move in history.moves]
    points = score.score(history.state.options, history.state.tiles)
    last = made.moves[-1]
    other = "dog" if last.seat == "cat" else "cat"
    assert last.value == points.total(last.seat) - points.total(other)  # type: ignore[arg-type]


def test_no_move_is_worth_more_than_the_best_one_and_the_best_one_loses_nothing() -> None:
    for seed in range(4):
        for each in reviewed(by_lot(seed)).moves:
            assert each.lost >= 0
            if each.move == each.best:
                assert each.lost == 0


def test_a_mistake_near_the_end_costs_what_the_rest_of_the_match_proves() -> None:
    """With one tile left to lay, the loss is the difference of the points that the two moves bring."""
    of, history = game(BED), by_lot(5)
    last, before = reviewed(history).moves[-1], history.states[-2]
    results = {}
    for move in of.legal_moves(before):
        after = of.play(before, move)
        if of.outcome(after) is None:
            continue
        points = score.score(after.options, after.tiles)
        ahead = points.total("cat") - points.total("dog")
        results[of.notation(move)] = ahead if last.seat == "cat" else -ahead
    assert last.lost >= max(results.values()) - results[last.move]


def test_games_that_hide_hands_or_have_no_judge_are_not_reviewed(tmp_path: Path) -> None:
    judges = Reviews(tmp_path).judges
    assert judges(game(BED))
    assert not judges(game("exploding-kittens"))
    assert not judges(game("cat-and-mouse"))


def test_all_moves_together_take_no_more_than_a_match_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each move here takes half as long again as it may; those after it get what is left."""
    took_s: list[float] = []

    def too_slow(limit_s: float) -> Budget:
        took_s.append(1.5 * limit_s)
        return Budget(1)

    monkeypatch.setattr(worker, "seconds", too_slow)
    history = by_lot(3)
    moves = tuple(msgspec.Raw(msgspec.json.encode(move)) for move in history.moves)
    options = msgspec.Raw(msgspec.json.encode(history.state.options))
    judge(Judge(BED, options, 2, moves), clock=lambda: sum(took_s))
    assert len(took_s) >= len(moves)
    assert sum(took_s[:2]) == pytest.approx(1.5 * A_MATCH_S / len(moves))
    assert sum(took_s) <= 1.5 * A_MATCH_S


def test_a_loss_is_settled_only_where_the_search_reached_every_end() -> None:
    """The last moves are, and the same loss comes out with a fifth of the time."""
    for seed in range(3):
        last = reviewed(by_lot(seed)).moves[-1]
        assert last.settled
        assert last.stays
