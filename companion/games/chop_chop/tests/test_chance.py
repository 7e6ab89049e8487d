"""What lies under the next slab, exactly."""

from __future__ import annotations

from fractions import Fraction

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SLABS
from companion.games.chop_chop.state import ChopState, bag_fits, expected, slab_chances
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
