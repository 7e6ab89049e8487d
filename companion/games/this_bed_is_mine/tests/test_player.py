"""The companion's player: its moves are the rules', and near the end its play is perfect."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chance import Stream, key_of
from companion.games.players import Budget, Choice, player_of, seen
from companion.games.this_bed_is_mine import score
from companion.games.this_bed_is_mine.fits import lays
from companion.games.this_bed_is_mine.player.chooser import PLAYER, position_of
from companion.games.this_bed_is_mine.player.compiled import LIBRARY
from companion.games.this_bed_is_mine.player.plain import Plain
from companion.games.this_bed_is_mine.player.plan import plan_of
from companion.games.this_bed_is_mine.player.position import Parent, Position
from companion.games.this_bed_is_mine.player.search import engine_of, look_ahead
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import OWNERS, BedState, Lay, TakeOff, other
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start
from companion.messages import messages_of_game

ALL_RULES: tuple[dict[str, object], ...] = (
    {},
    {"board": "b"},
    {"board": "b", "toys_per": "region"},
    {"touch": "edge-or-corner"},
    {"dog_first_zone": True},
    {"first_zone": "touching"},
)
SMALL = {"board": bed("+++..", "+++..", ".....", "..1..", side="B"), "tiles": bars(3, 2, 4)}
"""A bed on which every match can be played in every way."""


def ahead(state: BedState) -> int:
    """The cat's points less the dog's, by the rules."""
    scored = score.score(state.options, state.tiles)
    return scored.total("cat") - scored.total("dog")


def by_chance(state: BedState, seed: int, until: int = 99) -> BedState:
    """The state after moves by lot, at most so many tiles on the bed."""
    luck = Stream(key_of(seed))
    while state.turn and len(state.tiles) < until:
        state = GAME.play(state, luck.choice(lays(state.options, state.tiles, state.turn)))
    return state


def chosen(state: BedState, level: str, nodes: int = 2_000, seed: int = 1) -> Choice:
    """What a level plays for the side in turn."""
    assert state.turn
    return PLAYER.choose(seen(GAME, state, state.turn), level, Budget(nodes), seed)


@pytest.mark.parametrize("level", ["beginner", "middle", "top"])
def test_it_has_a_move_even_when_its_time_is_over_before_it_begins(level: str) -> None:
    state = start()
    assert state.turn
    choice = PLAYER.choose(seen(GAME, state, state.turn), level, Budget(over=lambda: True), 1)
    assert choice.move in set(GAME.legal_moves(state))


@pytest.mark.parametrize("options", ALL_RULES, ids=str)
def test_its_moves_and_their_points_are_those_of_the_rules(options: dict[str, object]) -> None:
    state, luck = start(**options), Stream(key_of(7))
    plan = plan_of(state.options)
    assert plan
    while state.turn:
        legal = lays(state.options, state.tiles, state.turn)
        now = Position.from_tiles(plan, state.tiles)
        assert now.turn == OWNERS.index(state.turn)
        born = Parent(now).children(now.turn)
        assert [plan.move(state.turn, child.number) for child in born] == legal
        sign = 1 if state.turn == "cat" else -1
        for n in {luck.randbelow(len(legal)) for _ in range(4)}:
            after = GAME.play(state, legal[n])
            assert sign * born[n].points == ahead(after)
            assert born[n].theirs == len(lays(after.options, after.tiles, other(state.turn)))
        state = GAME.play(state, luck.choice(legal))


@pytest.mark.skipif(LIBRARY is None, reason="bed.c is not built here (no C compiler)")
@pytest.mark.parametrize("options", [*ALL_RULES, SMALL], ids=str)
def test_the_compiled_search_and_the_plain_one_say_the_same(options: dict[str, object]) -> None:
    """All worths, and all that was spent, in matches by lot from the first tile to the last."""
    state, luck = start(**options), Stream(key_of(12))
    while state.turn:
        now = position_of(seen(GAME, state, state.turn))
        assert now
        said = []
        for engine in (Plain, engine_of):
            budget = Budget(1_000)
            children = engine(now, OWNERS.index(state.turn), Budget()).children()
            said.append((children, look_ahead(now, budget, engine_of=engine), budget.spent))
        assert said[0] == said[1]
        state = GAME.play(state, luck.choice(lays(state.options, state.tiles, state.turn)))


def perfect(state: BedState) -> int:
    """How many points the cat ends ahead if both sides play perfectly: every match there is, one by one."""
    if state.turn is None:
        return ahead(state)
    values = [perfect(GAME.play(state, move)) for move in lays(state.options, state.tiles, state.turn)]
    return max(values) if state.turn == "cat" else min(values)


@pytest.mark.parametrize("engine", [Plain, engine_of])
@pytest.mark.parametrize("touch", ["edge", "edge-or-corner"])
@pytest.mark.parametrize("seed", range(6))
def test_what_it_calls_exact_is_what_every_match_proves(seed: int, touch: str, engine: Any) -> None:
    state = by_chance(start(**SMALL, touch=touch), seed, until=2)
    if state.turn is None:
        pytest.skip("this match ended with two tiles")
    plan = plan_of(state.options)
    assert plan
    verdict = look_ahead(Position.from_tiles(plan, state.tiles), Budget(), engine_of=engine)
    assert verdict.exact
    sign = 1 if state.turn == "cat" else -1
    assert verdict.worths[0] / 100 == sign * perfect(state)


@pytest.mark.parametrize("options", ALL_RULES, ids=str)
def test_the_end_on_the_real_bed_is_exact(options: dict[str, object]) -> None:
    state = start(**options)
    end = len(by_chance(state, 3).tiles)
    state = by_chance(state, 3, until=end - 2)
    choice = chosen(state, "top", nodes=40_000)
    assert choice.why in ("advice.wins", "advice.shares", "advice.loses-least")
    assert choice.value == (1 if state.turn == "cat" else -1) * perfect(state)


@pytest.mark.parametrize("level", PLAYER.levels)
def test_each_level_plays_a_match_by_the_rules(level: str) -> None:
    state = start(board="b")
    while state.turn:
        state = GAME.play(state, chosen(state, level if state.turn == "cat" else "middle").move)
    assert GAME.outcome(state)


def test_the_same_seed_and_nodes_give_the_same_move() -> None:
    state = by_chance(start(), 4, until=3)
    for level in PLAYER.levels:
        assert chosen(state, level) == chosen(state, level)
    assert len({chosen(state, "random", seed=seed).move for seed in range(9)}) > 1


def test_it_wins_against_chance() -> None:
    for top in OWNERS:
        state = start()
        while state.turn:
            level = "top" if state.turn == top else "random"
            state = GAME.play(state, chosen(state, level, nodes=6_000).move)
        outcome = GAME.outcome(state)
        assert outcome
        assert outcome.winners == (top,)


@pytest.mark.parametrize("level", ["middle", "top"])
@pytest.mark.parametrize("tiles", [1, 2, 4])
def test_what_it_expects_is_of_the_size_at_which_matches_end(level: str, tiles: int) -> None:
    """Its own matches end 15 points apart on average, and 50 points almost never."""
    for seed in (1, 2, 3):
        value = chosen(by_chance(start(), seed, until=tiles), level).value
        assert value is not None
        assert abs(value) < 50


def test_a_move_comes_with_a_reason_in_every_language() -> None:
    words = messages_of_game(GAME.slug)
    for seed in range(4):
        state = start()
        while state.turn:
            choice = chosen(state, "top" if len(state.tiles) > 8 else "middle", seed=seed)
            for language in ("en", "zh-Hant", "ko"):
                assert "{" not in words.say(choice.why, language, **choice.facts)
            state = GAME.play(state, choice.move)


def test_a_played_move_is_weighed_beside_the_best_one() -> None:
    state = by_chance(start(), 2, until=9)
    assert state.turn
    view = seen(GAME, state, state.turn)
    weighed = [PLAYER.weigh(view, move, Budget(60_000)) for move in view.legal[:: len(view.legal) // 4]]
    assert all(each and each.played <= (each.best.value or 0) for each in weighed)


def test_a_tile_with_other_turns_that_cover_the_same_squares_is_the_same_tile() -> None:
    state = played(start(), "c1@5,3 d8+2@0,0")
    view = seen(GAME, state, "cat")
    assert position_of(view)
    assert [plan_move for plan_move in view.legal if plan_move == Lay("cat", 8, 0, 11, 0)]
    assert PLAYER.weigh(view, Lay("cat", 8, 2, 11, 0), Budget(500))


def test_a_side_that_is_owed_its_turn_after_a_correction_plays_it() -> None:
    state = by_chance(start(), 5)
    last = state.tiles[-1]
    state = GAME.play(state, TakeOff(last.owner, last.digit))
    assert state.turn == last.owner
    assert GAME.play(state, chosen(state, "top").move).turn is None


def test_a_bed_too_large_for_a_plan_is_played_all_the_same() -> None:
    state = by_chance(start(board="square-64"), 1, until=2)
    assert chosen(state, "top").move in set(lays(state.options, state.tiles, "cat"))


def test_its_player_is_the_games_own() -> None:
    assert isinstance(player_of(GAME.slug), type(PLAYER))
