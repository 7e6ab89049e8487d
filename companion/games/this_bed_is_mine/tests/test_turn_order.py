"""Whose tile the camera may expect, held against the rules' own turns."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.this_bed_is_mine.fits import bed_of
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.sighting import BedTurns
from companion.games.this_bed_is_mine.state import BedState
from companion.games.this_bed_is_mine.tests.table import covered
from companion.games.watching import Tile

STRIP = BedTurns({1: [0b0011, 0b0110, 0b1100], 2: [0b1111]}, 4)
"""A bed of one row of four squares: tile 1 covers two, tile 2 all."""


def tile(owner: str, kind: int, *cols: int) -> Tile:
    """A tile on the strip."""
    return Tile(owner, kind, 0, 0, min(cols), tuple((0, col) for col in cols))


CAT_1, DOG_1 = tile("cat", 1, 0, 1), tile("dog", 1, 2, 3)


@pytest.mark.parametrize(
    ("tiles", "last", "who"),
    [
        pytest.param((), None, "cat", id="the cat begins"),
        pytest.param((CAT_1,), None, "dog", id="who has fewer"),
        pytest.param((DOG_1,), None, "cat", id="who has fewer, the cat"),
        pytest.param((CAT_1,), "cat", "dog", id="after the cat"),
        pytest.param((tile("cat", 1, 1, 2),), "cat", "cat", id="who cannot lay is passed over"),
    ],
)
def test_the_sides_alternate_while_both_can_lay(tiles: tuple[Tile, ...], last: str | None, who: str) -> None:
    assert STRIP.next_owner(tiles, last) == who


def test_another_side_may_begin() -> None:
    turns = BedTurns({1: [0b0011]}, 4, first_player="dog")
    assert (turns.owners, turns.next_owner((), None)) == (("cat", "dog"), "dog")


def test_a_tile_already_laid_has_no_room_to_be_laid_again() -> None:
    assert not STRIP.can_lay((CAT_1,), "cat")
    assert STRIP.can_lay((CAT_1,), "dog")
    assert not STRIP.can_lay((tile("cat", 2, 0, 1, 2, 3),), "dog")


def with_cells(state: BedState) -> tuple[Tile, ...]:
    """The tiles of a state as the camera gives them, with the squares that they cover."""
    return tuple(
        msgspec.structs.replace(seen, cells=tuple(sorted(covered(state.options, laid))))
        for seen, laid in zip(GAME.lying(state), state.tiles, strict=True)
    )


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from(["a", "b"]))
def test_it_is_the_turn_of_the_rules_while_nobody_is_skipped(data: st.DataObject, board: str) -> None:
    state = GAME.start(GAME.options({"board": board}), 2)
    turns, last = GAME.turn_order(state), None
    for _ in range(data.draw(st.integers(0, 8))):
        moves = GAME.legal_moves(state)
        if not moves or state.skipped:
            break
        move = data.draw(st.sampled_from(moves))
        state, last = GAME.play(state, move), move.owner
    if not state.skipped:
        assert turns.next_owner(with_cells(state), last) == state.turn
        assert turns.next_owner(with_cells(state), None) == state.turn


def test_every_placement_of_the_bed_is_known_and_none_lies_on_a_pillow() -> None:
    bed = bed_of(GAME.options({"board": "b"}))
    turns = BedTurns.on(bed)
    for kind, masks in turns._placements.items():
        assert all(mask.bit_count() == len(bed.shapes[int(kind)][0].cells) for mask in masks)
        assert not any(mask & bed.pillows for mask in masks)
