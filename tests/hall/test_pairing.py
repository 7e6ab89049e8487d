"""Who plays whom: every pair once, byes shared out, no meeting again where that can be avoided."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall.pairing import (
    WIN,
    Past,
    Round,
    free_play,
    group_sizes,
    round_robin,
    scores_of,
    swiss,
)

NAMES = [f"player-{n}" for n in range(64)]

two_and_more = pytest.mark.parametrize("seats", [{2}, {2, 3, 4}, {3, 4}], ids=["pairs", "2 to 4", "3 or 4"])


def pairs(past: Past) -> Counter[frozenset[str]]:
    """Each two players who sat at one table, counted one by one."""
    counted: Counter[frozenset[str]] = Counter()
    for each in past:
        for group in each.groups:
            for one in group:
                for other in group:
                    if one < other:
                        counted[frozenset((one, other))] += 1
    return counted


def check_whole(round_: Round, players: list[str], seats: set[int]) -> None:
    """Everybody is in it once, and each match has a number of players that the game takes."""
    assert sorted([*round_.byes, *(player for group in round_.groups for player in group)]) == sorted(players)
    assert {len(group) for group in round_.groups} <= seats


@pytest.mark.parametrize(
    ("players", "seats", "sizes"),
    [
        pytest.param(0, {2}, (), id="nobody"),
        pytest.param(1, {2}, (), id="one alone waits"),
        pytest.param(5, {2}, (2, 2), id="one of five rests"),
        pytest.param(5, {2, 3, 4}, (3, 2), id="five at two tables"),
        pytest.param(9, {2, 3, 4}, (3, 3, 3), id="nine at three tables"),
        pytest.param(5, {3, 4}, (4,), id="five cannot be threes and fours"),
    ],
)
def test_the_sizes_of_matches(players: int, seats: set[int], sizes: tuple[int, ...]) -> None:
    assert group_sizes(players, seats) == sizes


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        pytest.param({"a": 3, "b": 1}, {"a": WIN, "b": 0}, id="a win"),
        pytest.param({"a": 3, "b": 3}, {"a": WIN / 2, "b": WIN / 2}, id="a draw"),
        pytest.param({"a": 9, "b": 5, "c": 1}, {"a": WIN, "b": WIN / 2, "c": 0}, id="three"),
        pytest.param(
            {"a": 9, "b": 5, "c": 5, "d": 1},
            {"a": WIN, "b": WIN / 2, "c": WIN / 2, "d": 0},
            id="two in the middle",
        ),
        pytest.param({"a": 9}, {"a": WIN}, id="a bye"),
    ],
)
def test_a_match_gives_scores_by_who_was_beaten(points: dict[str, float], scores: dict[str, float]) -> None:
    assert scores_of(points) == scores


class TestRoundRobin:
    @given(st.integers(2, 16))
    @settings(max_examples=15, deadline=None)
    def test_every_pair_meets_once_in_as_few_rounds_as_can_be(self, count: int) -> None:
        players, past = NAMES[:count], []
        while (round_ := round_robin(players, past, {2})) is not None:
            check_whole(round_, players, {2})
            past.append(round_)
        assert pairs(past) == Counter(map(frozenset, combinations(players, 2)))
        assert len(past) == count - 1 + count % 2
        byes = Counter(player for each in past for player in each.byes)
        assert set(byes.values()) <= {1}

    @given(st.integers(3, 9), st.integers(0, 6), st.integers(0, 3), st.integers(0, 99))
    @settings(max_examples=30, deadline=None)
    def test_with_late_arrivals_and_drop_outs_all_who_stay_meet_once(
        self, count: int, when: int, late: int, seed: int
    ) -> None:
        players, past = NAMES[:count], []
        while (round_ := round_robin(players, past, {2})) is not None:
            check_whole(round_, players, {2})
            past.append(round_)
            if len(past) == when:
                gone = Random(seed).choice(players)
                players = [each for each in players if each != gone] + NAMES[20 : 20 + late]
        counted = pairs(past)
        assert all(counted[frozenset(two)] == 1 for two in combinations(players, 2))
        assert set(counted.values()) <= {1}
        assert len(past) <= 3 * (count + late)

    def test_each_seat_is_shared_out(self) -> None:
        players, past = NAMES[:8], []
        while (round_ := round_robin(players, past, {2})) is not None:
            past.append(round_)
        first = Counter(group[0] for each in past for group in each.groups)
        assert max(first.values()) - min(first[each] for each in players) <= 2

    def test_matches_of_three_or_four_go_on_until_all_have_met(self) -> None:
        players, past = NAMES[:9], []
        while (round_ := round_robin(players, past, {3, 4})) is not None:
            check_whole(round_, players, {3, 4})
            past.append(round_)
            assert len(past) < 12
        assert set(pairs(past)) == set(map(frozenset, combinations(players, 2)))


def played(
    players: list[str], rounds: int, seats: set[int], seed: int = 1
) -> tuple[list[Round], Counter[str]]:
    """A Swiss evening in which chance decides each match."""
    past: list[Round] = []
    scores: Counter[str] = Counter()
    chance = Random(seed)
    for _ in range(rounds):
        round_ = swiss(players, past, scores, seats)
        check_whole(round_, players, seats)
        past.append(round_)
        scores.update(dict.fromkeys(round_.byes, WIN))
        for group in round_.groups:
            scores.update(scores_of({player: chance.random() for player in group}))
    return past, scores


class TestSwiss:
    @given(st.integers(6, 20), st.integers(0, 999))
    @settings(max_examples=25, deadline=None)
    def test_nobody_meets_anybody_again_while_that_can_be_avoided(self, count: int, seed: int) -> None:
        # Within half as many rounds as players an arrangement without a rematch is always there (Dirac).
        rounds = (count + count % 2) // 2
        past, _ = played(NAMES[:count], rounds, {2}, seed)
        assert set(pairs(past).values()) <= {1}

    @given(st.integers(3, 15), st.integers(1, 9), st.integers(0, 999))
    @settings(max_examples=25, deadline=None)
    def test_nobody_has_a_second_bye_before_all_had_one(self, count: int, rounds: int, seed: int) -> None:
        past, _ = played(NAMES[:count], rounds, {2}, seed)
        byes = Counter(player for each in past for player in each.byes)
        counts = [byes[player] for player in NAMES[:count]]
        assert sum(counts) == (rounds if count % 2 else 0)
        assert max(counts) - min(counts) <= 1

    def test_equal_scores_play_each_other(self) -> None:
        scores = {"a": 48, "b": 48, "c": 24, "d": 24, "e": 0, "f": 0}
        round_ = swiss(list("aebfcd"), [], scores, {2})
        assert {frozenset(group) for group in round_.groups} == set(map(frozenset, ("ab", "cd", "ef")))

    def test_the_bye_goes_to_the_lowest_score_without_one(self) -> None:
        past = [Round((("a", "b"),), ("c",))]
        assert swiss(list("abc"), past, {"a": 24, "b": 0, "c": 24}, {2}).byes == ("b",)

    def test_the_arrangement_is_the_best_of_all(self) -> None:
        """Six players, held against every arrangement that there is."""
        for seed in range(12):
            past, scores = played(NAMES[:6], 2, {2}, seed)
            round_ = swiss(NAMES[:6], past, scores, {2})
            assert cost(round_.groups, past, scores) == min(
                cost(each, past, scores) for each in perfect(NAMES[:6])
            )

    def test_who_comes_late_plays_from_then_on_and_who_leaves_does_not(self) -> None:
        past, scores = played(NAMES[:6], 2, {2})
        here = [*NAMES[1:6], "late"]
        check_whole(swiss(here, past, scores, {2}), here, {2})

    @two_and_more
    def test_the_scores_of_a_match_are_close(self, seats: set[int]) -> None:
        past, scores = played(NAMES[:24], 2, seats)
        round_ = swiss(NAMES[:24], past, scores, seats)
        apart = [
            max(scores[each] for each in group) - min(scores[each] for each in group)
            for group in round_.groups
        ]
        by_chance = [NAMES[n : n + len(round_.groups[0])] for n in range(0, 24, len(round_.groups[0]))]
        far = [
            max(scores[each] for each in group) - min(scores[each] for each in group) for group in by_chance
        ]
        assert sum(apart) / len(apart) <= 0.75 * sum(far) / len(far)

    def test_more_than_two_meet_again_as_seldom_as_can_be(self) -> None:
        past, _ = played(NAMES[:16], 3, {4})
        assert max(pairs(past).values()) == 1

    @pytest.mark.parametrize("count", [7, 9, 10])
    def test_groups_of_more_than_two_are_the_best_of_all(self, count: int) -> None:
        """Held against every way to make groups of the same sizes, after each of four rounds."""
        past: list[Round] = []
        scores, chance = Counter[str](), Random(count)
        for _ in range(4):
            round_ = swiss(NAMES[:count], past, scores, {2, 3, 4})
            sizes = [len(group) for group in round_.groups]
            every = in_groups(NAMES[:count], sizes)
            assert group_cost(round_.groups, past, scores) == min(
                group_cost(each, past, scores) for each in every
            )
            past.append(round_)
            for group in round_.groups:
                scores.update(scores_of({player: chance.random() for player in group}))


Groups = tuple[tuple[str, ...], ...]


def in_groups(players: list[str], sizes: list[int]) -> list[Groups]:
    """Every way to part players into groups of these sizes."""
    if not sizes:
        return [()]
    first, *others = players
    ways: list[Groups] = []
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for beside in combinations(others, size - 1):
            rest = in_groups([each for each in others if each not in beside], left)
            ways += [((first, *beside), *more) for more in rest]
    return ways


def group_cost(groups: Groups, past: Past, scores: Counter[str]) -> tuple[int, int]:
    """The squares of how often those of a group have met, then of the differences of their scores."""
    before = pairs(past)
    twos = [two for group in groups for two in combinations(group, 2)]
    again = sum(before[frozenset(two)] ** 2 for two in twos)
    return again, sum((scores[one] - scores[other]) ** 2 for one, other in twos)


def perfect(players: list[str]) -> list[tuple[tuple[str, ...], ...]]:
    """Every way to pair all players."""
    if not players:
        return [()]
    first, *others = players
    return [
        ((first, other), *rest)
        for other in others
        for rest in perfect([each for each in others if each != other])
    ]


def cost(groups: tuple[tuple[str, ...], ...], past: Past, scores: Counter[str]) -> tuple[int, int]:
    """Meetings again, then the squares of the differences."""
    before = pairs(past)
    again = sum(before[frozenset(group)] for group in groups)
    return again, sum((scores[one] - scores[other]) ** 2 for one, other in groups)


class TestFreePlay:
    def test_who_waited_longest_plays_first_against_somebody_new(self) -> None:
        past = [Round((("a", "b"),))]
        round_ = free_play(list("abcd"), past, {2}, tables=1)
        assert {frozenset(group) for group in round_.groups} == {frozenset("ac")}
        assert round_.byes == ("b", "d")

    def test_there_are_no_more_matches_than_tables(self) -> None:
        assert len(free_play(NAMES[:9], [], {2}, tables=3).groups) == 3

    def test_one_alone_waits(self) -> None:
        assert free_play(["a"], [], {2}, tables=3) == Round((), ("a",))
