"""What lies under the next slab, exactly; who wins, played out."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.chop_chop import GAME
from companion.games.chop_chop.chance import bag_fits, slab_chances
from companion.games.chop_chop.kitchen import SLABS
from companion.games.chop_chop.playouts import (
    LONGEST,
    THROWS,
    Chance,
    Chances,
    Hunt,
    Playout,
    chances,
    forget,
)
from companion.games.chop_chop.rules import expected
from companion.games.chop_chop.state import ChopMove, ChopOptions, ChopState
from companion.games.chop_chop.tests.playing import CHOP, EMPTY, kitchen, play, square

BEGUN = play(GAME.start(CHOP, 2), "place D3")


def turned(**counts: int) -> ChopState:
    """A match in which so many slabs of each kind were turned over."""
    by_kind = tuple(counts.get(slab.replace("-", "_"), 0) for slab in SLABS)
    slabs = BEGUN.standing.slabs[sum(by_kind) :]
    standing = msgspec.structs.replace(BEGUN.standing, turned=by_kind, slabs=slabs, cheese_found=by_kind[0])
    return msgspec.structs.replace(BEGUN, standing=standing)


def chance_of(state: ChopState) -> dict[str, Fraction]:
    """The chance of each kind under the next slab."""
    return {each.slab: each.chance for each in slab_chances(state)}


def test_at_the_start_it_is_the_bag() -> None:
    assert chance_of(BEGUN)["cheese"] == Fraction(10, 38)
    assert chance_of(BEGUN)["crockery"] == Fraction(13, 38)


def test_what_was_turned_over_is_out_of_the_bag() -> None:
    state = turned(cheese=3, crockery=5, knife=3)
    assert chance_of(state)["cheese"] == Fraction(7, 27)
    assert chance_of(state)["crockery"] == Fraction(8, 27)
    assert chance_of(state)["knife"] == 0


def test_a_bag_that_does_not_fit_is_said_and_cheese_stays_exact() -> None:
    state = turned(knife=4)
    assert not bag_fits(state)
    assert chance_of(state)["cheese"] == Fraction(10, 34)
    assert chance_of(state)["knife"] == 0
    assert not GAME.view(state, None).bag_fits
    assert not expected(state, "knife")


@given(counts=st.tuples(*(st.integers(0, 10 if slab == "cheese" else 4) for slab in SLABS)))
def test_the_chances_add_up_to_one(counts: tuple[int, ...]) -> None:
    state = turned(**{slab.replace("-", "_"): count for slab, count in zip(SLABS, counts, strict=True)})
    if state.standing.slabs and 10 - counts[0] <= len(state.standing.slabs):
        assert sum(chance_of(state).values()) == 1
        assert all(chance >= 0 for chance in chance_of(state).values())


def test_without_slabs_there_is_no_chance() -> None:
    assert set(chance_of(kitchen(EMPTY, mice=(None, None, None, square("A1")))).values()) == {0}


@pytest.mark.parametrize("no_return", ["no-step-back", "not-end-on-start"])
@pytest.mark.parametrize("last_mouse", ["front-and-hole", "front"])
@pytest.mark.parametrize(("board", "dice"), [("middle", "chop"), ("corners", "plain")])
def test_a_match_is_played_out_by_the_rules(no_return: str, last_mouse: str, board: str, dice: str) -> None:
    options = ChopOptions(no_return=no_return, last_mouse=last_mouse, board=board, dice=dice)  # type: ignore[arg-type]
    state = GAME.start(options, 2)
    for seed in range(12):
        moves: list[ChopMove] = []
        match = Playout(Hunt.of(options), state.standing, Chance(seed), moves)
        ended = match.run()
        replayed = state
        for move in moves:
            replayed = GAME.play(replayed, move)
        assert replayed.ended == ended
        assert replayed.throws == match.throws <= LONGEST


def test_from_any_throw_of_a_match_it_is_played_out_by_the_rules() -> None:
    moves: list[ChopMove] = []
    Playout(Hunt.of(CHOP), BEGUN.standing, Chance(5), moves).run()
    state = BEGUN
    for move in moves:
        if state.standing.phase == "throw":
            onward: list[ChopMove] = []
            ended = Playout(Hunt.of(CHOP), state.standing, Chance(state.throws), onward).run()
            played = state
            for each in onward:
                played = GAME.play(played, each)
            assert played.ended == ended
        state = GAME.play(state, move)


def test_equal_standings_have_equal_chances() -> None:
    first = chances(BEGUN)
    forget()
    assert chances(BEGUN) == first
    assert first.matches == first.mice + first.cat + first.unfinished
    assert first.matches > THROWS / LONGEST


def test_during_a_turn_the_chances_are_those_before_its_throw() -> None:
    state = play(BEGUN, 1, "4 D5")
    assert chances(state) == chances(BEGUN)
    assert chances(play(state, "crockery")) != chances(BEGUN)


def test_a_mouse_about_to_bring_all_cheese_home_nearly_wins() -> None:
    near = kitchen(
        EMPTY, cat=square("G6"), mice=(square("A1"), square("A2"), square("B3"), square("E5")),
        left=(True,) * 4, cheese_found=10, turned=(10, 0, 0, 0, 0, 0, 0),
    )  # fmt: skip
    estimate = chances(near)
    assert estimate.mice > 0.9 * estimate.matches


def test_a_cat_beside_the_last_mouse_nearly_wins() -> None:
    near = kitchen(EMPTY, side="cat", cat=square("B2"), mice=(square("A2"), None, None, None), slabs=())
    far = kitchen(EMPTY, side="mice", cat=square("G6"), mice=(square("A2"), None, None, None), slabs=())
    assert chances(near).cat / chances(near).matches > chances(far).cat / chances(far).matches


def test_the_end_is_certain() -> None:
    over = play(
        kitchen(EMPTY, side="cat", cat=square("B2"), mice=(square("A2"), None, None, None)), 1, "cat A2"
    )
    assert chances(over) == Chances(0, 0, 1, 0)
    view = GAME.view(over, None).chances
    assert (view.cat, view.mice, view.error, view.matches) == (1.0, 0.0, 0.0, 0)


def test_the_error_is_that_of_a_share() -> None:
    assert Chances(100, 50, 50, 0).error == pytest.approx(0.05, abs=1e-4)
    assert 0 < Chances(100, 0, 100, 0).error < 0.02


def test_the_sample_errs_as_it_says() -> None:
    """Many samples of one standing spread about their mean by their standard error."""
    hunt = Hunt.of(CHOP)
    shares = []
    for seed in range(40):
        chance = Chance(seed * 977)
        won = [Playout(hunt, BEGUN.standing, chance).run() == "cheese-home" for _ in range(25)]
        shares.append(sum(won) / len(won))
    mean = sum(shares) / len(shares)
    spread = (sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)) ** 0.5
    standard_error = Chances(25, round(25 * mean), 25 - round(25 * mean), 0).error
    assert spread == pytest.approx(standard_error, rel=0.35)


def test_random_numbers_are_even_and_everywhere_the_same() -> None:
    chance = Chance(1)
    counts = [0] * 6
    for _ in range(6000):
        counts[chance.below(6)] += 1
    assert all(abs(count - 1000) < 120 for count in counts)
    again = Chance(2)
    assert [again.below(10) for _ in range(6)] == [
        Chance(2).below(10),
        *[again_of(2, n) for n in range(2, 7)],
    ]


def again_of(seed: int, n: int) -> int:
    """The n-th number of a generator begun from `seed`."""
    chance = Chance(seed)
    return [chance.below(10) for _ in range(n)][-1]
