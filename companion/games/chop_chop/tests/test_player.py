"""The companion's player of Chop! Chop!: legal, the same for the same seed, and better than chance."""

from __future__ import annotations

from collections import Counter
from itertools import cycle

import pytest
from msgspec.structs import replace

from companion.games.chance import Chance, Stream, key_of
from companion.games.chop_chop.player import PATIENCE
from companion.games.chop_chop.rules import GAME
from companion.games.chop_chop.state import ChopState, ThrowDie
from companion.games.chop_chop.tests.playing import go, kitchen, play, reached, read
from companion.games.players import Budget, Weighed, player_of, seen
from companion.messages import LANGUAGES, messages_of_game

PLAYER = player_of(GAME.slug)


def winner(levels: dict[str, str], seed: int, seats: int = 2) -> str:
    """Who wins a match of these levels, by side."""
    state = GAME.start(GAME.options({}), seats)
    luck, dealer = Stream(key_of(seed)), player_of(GAME.slug).dealer()
    dealer.begin(state, Chance(key_of(seed)))
    while (outcome := GAME.outcome(state)) is None:
        move = dealer.chance(state)
        if move is None:
            seat = GAME.turn(state)
            assert seat
            side = "cat" if seat == "cat" else "mice"
            move = PLAYER.choose(seen(GAME, state, seat), levels[side], Budget(40), luck.randbelow(999)).move
        state = GAME.play(state, move)
    return "cat" if "cat" in outcome.winners else "mice"


@pytest.mark.parametrize("side", ["cat", "mice"])
def test_it_beats_chance_on_each_side(side: str) -> None:
    levels = {"cat": "random", "mice": "random", side: "top"}
    wins = Counter(winner(levels, seed) for seed in range(4))
    assert wins[side] == 4


def test_every_level_plays_with_every_number_of_players() -> None:
    for seats, level in zip(cycle(GAME.seat_counts), PLAYER.levels, strict=False):
        assert winner({"cat": level, "mice": level}, 3, seats) in ("cat", "mice")


def test_a_level_with_fewer_nodes_weighs_its_moves_without_the_answers() -> None:
    state = GAME.start(GAME.options({}), 2)
    view = seen(GAME, state, "cat")
    spent = {}
    for level in PLAYER.levels:
        budget = Budget()
        PLAYER.choose(view, level, budget, 4)
        spent[level] = budget.spent
    assert spent["beginner"] == 0
    assert spent["top"] > 10 * len(view.legal)


HIDES_FROM_IT = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. C . . . 1 .
. . . . s . .
"""
"""The last mouse may run from the cat, or to it."""


@pytest.mark.parametrize("reason", ["it hides for too long", "it cannot win"])
def test_mice_that_hide_for_too_long_or_cannot_win_run_to_the_cat(reason: str) -> None:
    """Else a match could go on for ever."""
    thrown = play(kitchen(HIDES_FROM_IT, side="mice"), 2)

    def steps_to_the_cat(state: ChopState) -> int:
        seat = GAME.turn(state)
        assert seat
        to = PLAYER.choose(seen(GAME, state, seat), "top", Budget(500), 1).move
        return int(abs(to.row - 4) + abs(to.col - 1))

    if reason == "it cannot win":
        hopeless = replace(thrown.standing, left=(True, False, True, True))
        assert not hopeless.mice_can_win
        assert steps_to_the_cat(replace(thrown, standing=hopeless)) < steps_to_the_cat(thrown)
    else:
        assert steps_to_the_cat(replace(thrown, throws=PATIENCE + 1)) < steps_to_the_cat(thrown)


def test_the_same_seed_and_budget_give_the_same_way() -> None:
    state = GAME.start(GAME.options({}), 2)
    view = seen(GAME, state, "cat")
    assert PLAYER.choose(view, "top", Budget(50), 4) == PLAYER.choose(view, "top", Budget(50), 4)


def test_the_mice_win_and_lose_together() -> None:
    state = GAME.start(GAME.options({}), 4)
    assert PLAYER.sides(GAME.seat_names(state)) == (("mice-1", "mice-2", "mice-3"), ("cat",))


def test_each_reason_is_said_in_every_language() -> None:
    words = messages_of_game(GAME.slug)
    reasons = ("catches", "hunts", "leaves-least", "takes-cheese", "goes-home", "looks-for-cheese")
    for why in (*reasons, "keeps-away", "dares"):
        said = {language: words.say(f"advice.{why}", language, percent=17) for language in LANGUAGES}
        assert len(set(said.values())) == len(LANGUAGES)


NEXT_TO_IT = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. C . 1 . . .
. . . s s . .
"""
"""The last mouse stands in the open, at D5, two steps from the cat."""


def weighed(state: ChopState, played: str) -> Weighed | None:
    """What a move was worth to the side in turn, beside the best one."""
    seat = GAME.turn(state)
    assert seat
    return PLAYER.weigh(seen(GAME, state, seat), read(played), Budget())


def test_a_catch_that_wins_is_the_best_move_and_worth_the_whole_match() -> None:
    """The cat is two steps from the last mouse."""
    state = play(kitchen(NEXT_TO_IT, side="cat"), 2)
    assert "D5" in reached(state, "cat")
    caught = weighed(state, "cat D5")
    assert caught
    assert (caught.best.move, caught.best.value, caught.played) == (go("cat", "D5"), 1.0, 1.0)
    away = weighed(state, "cat B3")
    assert away
    assert away.best.move == go("cat", "D5")
    assert away.played < 0.9


def test_no_move_is_worth_more_than_the_best_one() -> None:
    state = play(kitchen(NEXT_TO_IT, side="cat"), 2)
    for name in reached(state, "cat"):
        judged = weighed(state, f"cat {name}")
        assert judged
        assert judged.best.value is not None
        assert judged.best.value >= judged.played
        assert 0 <= judged.played <= 1


def test_where_there_is_nothing_to_choose_nothing_is_judged() -> None:
    state = GAME.start(GAME.options({}), 2)
    placed = GAME.play(state, next(iter(GAME.legal_moves(state))))
    mice = GAME.turn(placed)
    assert mice
    assert PLAYER.weigh(seen(GAME, placed, mice), ThrowDie((2,)), Budget()) is None
