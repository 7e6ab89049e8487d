"""Levels are the top player with a handicap, and each game has as many as it has depth."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import ClassVar

import pytest

from companion.games.chance import Stream
from companion.games.players import (
    Budget,
    Choice,
    GamePlayer,
    Handicap,
    Seen,
    level_now,
    levels_of,
    player_of,
)
from companion.games.registry import game, games
from companion.messages import LANGUAGES
from web.language import messages_of_page

SPREAD = 0.5


class TwoWays(GamePlayer):
    """A move that is worth 1, and one that is worth half."""

    levels: ClassVar[dict[str, Handicap]] = {"beginner": Handicap(nodes=3, spread=SPREAD), "top": Handicap()}

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        while not budget.is_over and budget.spent < 10:
            budget.spend(1)
        return [Choice("best", 1.0, f"{budget.spent}"), Choice("worse", 0.5)]


def chosen(level: str, seed: int) -> Choice:
    """What a level of that player chooses."""
    state = game("chop-chop").start(game("chop-chop").options({}), 2)
    return TwoWays().choose(Seen(game("chop-chop"), "cat", state, ("best", "worse")), level, Budget(), seed)


def test_a_level_takes_a_worse_move_as_often_as_its_spread_says() -> None:
    """One spread below the best, e times as seldom: 269 of 1,000, give or take four standard deviations."""
    taken = Counter(chosen("beginner", seed).move for seed in range(1_000))
    assert taken["worse"] == pytest.approx(269, abs=56)
    assert {chosen("top", seed).move for seed in range(20)} == {"best"}


def test_a_level_weighs_no_more_than_its_nodes() -> None:
    assert {chosen("beginner", seed).why for seed in range(20)} == {"3", ""}
    assert chosen("top", 1).why == "10"


@pytest.mark.parametrize("slug", games())
def test_the_last_level_has_no_handicap_and_each_one_has_a_name(slug: str) -> None:
    levels = player_of(slug).levels
    assert list(levels.values())[-1:] in ([], [Handicap()])
    assert all(weaker != stronger for weaker, stronger in pairwise(levels.values()))
    for level in levels:
        said = [messages_of_page(slug).say(f"web.level-{level}", language) for language in LANGUAGES]
        assert len(set(said)) == len(LANGUAGES)


@pytest.mark.parametrize("slug", games())
def test_a_level_that_is_gone_is_the_top_one_now(slug: str) -> None:
    levels = levels_of(slug)
    assert {level_now(slug, level) for level in levels} == set(levels)
    assert level_now(slug, "gone") == (levels[-1] if levels else "gone")
