"""What holds in every match that can be played, against reckonings without bit masks."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import MoveError
from companion.games.this_bed_is_mine import fits
from companion.games.this_bed_is_mine.board import TOYS
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.score import score
from companion.games.this_bed_is_mine.state import (
    OWNERS,
    BedOptions,
    BedState,
    Lay,
    Owner,
    Shift,
    TakeOff,
    Tile,
    other,
)
from companion.games.this_bed_is_mine.tests.table import (
    bed,
    beside,
    board_of,
    covered,
    flooded,
    free_squares,
    open_squares,
    placements,
)
from companion.messages import messages_of_game

SMALL = bed("1.+b.", "..+++", "m.+B+", "..++.", ".y.m.", "y.b.2", side="B")
BEDS = ("a", "b", bed("...", "...", "...", "...", "...", "..."), SMALL)

SMALL_BEDS = BEDS[2:]

thorough = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def setups(boards: tuple[str, ...]) -> st.SearchStrategy[BedOptions]:
    """Any choice of options on these boards."""
    return st.builds(
        BedOptions,
        board=st.sampled_from(boards),
        tiles=st.sampled_from(("digits", "squares")),
        first_zone=st.sampled_from(("inside", "touching")),
        dog_first_zone=st.booleans(),
        zone_on_side_b=st.booleans(),
        touch=st.sampled_from(("edge", "edge-or-corner")),
    )


@st.composite
def matches(draw: st.DrawFn, boards: tuple[str, ...] = BEDS) -> list[BedState]:
    """The states of a match, from the start on, played at random, half of them to the end."""
    try:
        states = [GAME.start(draw(setups(boards)), seats=2)]
    except MoveError:  # the digits do not fit the small bed's zone
        states = [GAME.start(BedOptions(board=boards[0]), seats=2)]
    for _ in range(draw(st.just(18) | st.integers(0, 18))):
        legal = GAME.legal_moves(states[-1])
        if not legal:
            break
        states.append(GAME.play(states[-1], legal[draw(st.integers(0, len(legal) - 1))]))
    return states


@st.composite
def placed(draw: st.DrawFn) -> tuple[BedState, Tile]:
    """A state of a match, and any tile anywhere on or off its bed."""
    state = draw(matches())[-1]
    board = board_of(state.options.board)
    tile = Tile(
        draw(st.sampled_from(OWNERS)),
        draw(st.integers(1, 10)),
        draw(st.integers(0, 3)),
        draw(st.integers(-2, board.rows + 1)),
        draw(st.integers(-2, board.cols + 1)),
    )
    return state, tile


def _first_allowed(
    options: BedOptions, digit: int, squares: frozenset[tuple[int, int]], owner: Owner
) -> bool:
    """The first-tile rule, told with sets."""
    board = board_of(options.board)
    zone = set(board.zone) if board.side == "A" or options.zone_on_side_b else set()
    if owner == "dog" and not options.dog_first_zone:
        return True
    if owner == "cat" and digit > 4:
        return False
    return not zone or (squares <= zone if options.first_zone == "inside" else bool(squares & zone))


def _legal(state: BedState, owner: Owner) -> set[tuple[int, frozenset[tuple[int, int]]]]:
    first = not any(tile.owner == owner for tile in state.tiles)
    return {
        (digit, squares)
        for digit, squares in placements(state.options, state.tiles, owner)
        if not first or _first_allowed(state.options, digit, squares, owner)
    }


@thorough
@given(matches())
def test_fits_is_exact_over_every_tile_turn_and_place(states: list[BedState]) -> None:
    state = states[-1]
    for owner in OWNERS:
        moves = fits.lays(state.options, state.tiles, owner)
        places = [(move.digit, covered(state.options, move)) for move in moves]
        assert len(places) == len(set(places)) == fits.count(state.options, state.tiles, owner)
        assert set(places) == _legal(state, owner)
        assert fits.can_lay(state.options, state.tiles, owner) == bool(places)


@thorough
@given(placed())
def test_a_lay_is_taken_exactly_when_it_is_among_the_legal_moves(case: tuple[BedState, Tile]) -> None:
    state, tile = case
    move = Lay(tile.owner, tile.digit, tile.turns, tile.row, tile.col)
    legal = {(each.owner, each.digit, covered(state.options, each)) for each in GAME.legal_moves(state)}
    before = msgspec.json.encode(state)
    try:
        after = GAME.play(state, move)
    except MoveError as error:
        assert tile.digit == 10 or (tile.owner, tile.digit, covered(state.options, tile)) not in legal
        assert f"rule.{error.rule}" in dict(messages_of_game(GAME.slug))
        assert all(error.says(language) for language in ("en", "zh-Hant", "ko"))
    else:
        assert (tile.owner, tile.digit, covered(state.options, tile)) in legal
        assert after.tiles == (*state.tiles, tile)
    assert msgspec.json.encode(state) == before


@thorough
@given(matches(SMALL_BEDS))
def test_a_side_is_skipped_exactly_when_nothing_fits_at_its_turn(states: list[BedState]) -> None:
    out: set[Owner] = set()
    turn: Owner = "cat"
    for number, state in enumerate(states):
        if number:
            turn = other(state.tiles[-1].owner)
        for owner in (turn, other(turn), turn):
            if owner not in out:
                if _legal(state, owner):
                    assert state.turn == owner
                    break
                out.add(owner)
        else:
            assert state.turn is None
        assert {skipped.owner for skipped in state.skipped} == out


@thorough
@given(matches())
def test_regions_sums_and_owners_by_walking(states: list[BedState]) -> None:
    state = states[-1]
    scored = score(state.options, state.tiles)
    walked = flooded(free_squares(state.options, state.tiles))
    assert [sorted(fits.bed_of(state.options).listed(region.squares)) for region in scored.regions] == [
        sorted(region) for region in walked
    ]
    corners = state.options.touch == "edge-or-corner"
    for region, squares in zip(scored.regions, walked, strict=True):
        around = set().union(*(beside(square, corners=corners) for square in squares))
        touching = [tile for tile in state.tiles if covered(state.options, tile) & around]
        sums = {owner: sum(tile.digit for tile in touching if tile.owner == owner) for owner in OWNERS}
        assert list(region.tiles) == touching
        assert region.sums == sums
        assert region.size == len(squares)
        best = max(OWNERS, key=lambda owner: sums[owner])
        assert region.owner == (best if len(squares) > 1 and sums["cat"] != sums["dog"] else None)


@thorough
@given(matches())
def test_points_never_exceed_squares(states: list[BedState]) -> None:
    state = states[-1]
    view = GAME.view(state, None)
    squares = len(open_squares(board_of(state.options.board)))
    covered_squares = sum(len(tile.cells) for tile in view.tiles)
    assert view.points.cat.regions + view.points.dog.regions <= squares - covered_squares
    assert sum(region.size for region in view.regions) + covered_squares == squares
    assert view.points.cat.bonus + view.points.dog.bonus <= 15
    for kind in TOYS:
        pictures = board_of(state.options.board).toys[kind]
        assert view.toy_count[kind].cat + view.toy_count[kind].dog <= len(pictures)


@thorough
@given(matches())
def test_taking_off_the_last_tile_is_as_if_it_had_never_been_laid(states: list[BedState]) -> None:
    for before, after in pairwise(states):
        last = after.tiles[-1]
        assert GAME.play(after, TakeOff(last.owner, last.digit)) == before


@thorough
@given(matches(), st.data())
def test_shifting_there_and_back_changes_nothing(states: list[BedState], data: st.DataObject) -> None:
    state = states[-1]
    if not state.tiles:
        return
    was = data.draw(st.sampled_from(state.tiles))
    others = [tile for tile in state.tiles if tile != was]
    room = [squares for digit, squares in placements(state.options, others, was.owner) if digit == was.digit]
    there = data.draw(st.sampled_from(sorted(room, key=sorted)))
    row, col = min(row for row, _ in there), min(col for _, col in there)
    for turns in range(4):
        if covered(state.options, Tile(was.owner, was.digit, turns, row, col)) == there:
            try:
                shifted = GAME.play(state, Shift(was.owner, was.digit, turns, row, col))
            except MoveError as error:
                assert error.rule == "first-zone"
                continue
            back = Shift(was.owner, was.digit, was.turns, was.row, was.col)
            assert GAME.play(shifted, back) == state


@thorough
@given(matches(), st.data())
def test_corrections_leave_a_bed_that_goes_on(states: list[BedState], data: st.DataObject) -> None:
    """After any tiles are taken off, whoever is to play can lay, and the match still ends."""
    state = states[-1]
    for _ in range(data.draw(st.integers(0, 4))):
        if state.tiles:
            tile = data.draw(st.sampled_from(state.tiles))
            state = GAME.play(state, TakeOff(tile.owner, tile.digit))
    assert GAME.turn(state) is not None or not state.tiles or GAME.outcome(state)
    for _ in range(18):
        legal = GAME.legal_moves(state)
        assert bool(legal) == (GAME.turn(state) is not None)
        if not legal:
            break
        state = GAME.play(state, legal[0])
    assert GAME.outcome(state) is not None


@pytest.mark.parametrize("options", [{}, {"board": "b"}])
def test_a_match_of_first_placements_ends_with_an_outcome(options: dict[str, object]) -> None:
    state = GAME.start(GAME.options(options), seats=2)
    while legal := GAME.legal_moves(state):
        state = GAME.play(state, legal[0])
    ended = GAME.outcome(state)
    assert ended is not None
    assert ended.winners
