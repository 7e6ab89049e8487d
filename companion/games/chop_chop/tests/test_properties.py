"""What holds in every match, however it is played."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.chop_chop import GAME
from companion.games.chop_chop.reach import reachable
from companion.games.chop_chop.state import CameBy, ChopOptions, ChopState, GoTo, Phase, cheese_hidden
from companion.games.chop_chop.tests.playing import happened

LONG = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

options = st.builds(
    ChopOptions,
    no_return=st.sampled_from(("no-step-back", "not-end-on-start", "both")),
    drop_off=st.sampled_from(("after-tenth", "any-time")),
    last_mouse=st.sampled_from(("front-and-hole", "front")),
    caught_in_hole=st.sampled_from(("counts", "does-not")),
    board=st.sampled_from(("middle", "corners")),
    dice=st.sampled_from(("chop", "plain")),
)


@st.composite
def states(draw: st.DrawFn, most: int = 250) -> list[ChopState]:
    """A match of moves by chance, from its start on."""
    state = GAME.start(draw(options), draw(st.integers(2, 5)))
    match = [state]
    chance = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, most))):
        legal = list(GAME.legal_moves(state))
        if not legal:
            break
        state = GAME.play(state, chance.choice(legal))
        match.append(state)
    return match


@LONG
@given(match=states())
def test_cheese_is_never_lost_and_never_doubled(match: list[ChopState]) -> None:
    for state in match:
        standing = state.standing
        hidden = cheese_hidden(state)
        assert hidden + standing.cheese_found + len(standing.cheeses) == 10
        assert 0 <= hidden <= len(standing.slabs)
        assert len(set(standing.cheeses)) == len(standing.cheeses)
        assert not set(standing.cheeses) & set(standing.slabs)


@LONG
@given(match=states())
def test_pieces_stand_where_they_may(match: list[ChopState]) -> None:
    """A mouse is never on the table and the cat never under it: nobody shares a square but over and under
    the table; only mice are in holes that are theirs alone."""
    for state in match:
        standing, kitchen = state.standing, state.options.kitchen
        mice = [square for square in standing.mice if square]
        assert len(set(mice)) == len(mice)
        if standing.cat in mice:
            assert standing.cat in kitchen.table
        view = GAME.view if state is match[-1] else None
        if view is not None:
            cat, *others = view(state, None).pieces
            assert cat.on_table == (standing.cat in kitchen.table)
            assert not any(mouse.on_table for mouse in others)
            assert not (cat.under_table or cat.in_hole)


@LONG
@given(match=states())
def test_every_state_has_a_name_and_a_way_on(match: list[ChopState]) -> None:
    for state in match:
        standing = state.standing
        assert standing.phase in get_args(Phase)
        assert (standing.phase == "over") == bool(state.ended) == (GAME.outcome(state) is not None)
        assert bool(list(GAME.legal_moves(state))) == (not state.ended)
        assert bool(standing.alive) or state.ended == "all-caught"
        assert sum(standing.turned) + len(standing.slabs) == 38
        assert standing.same is None or (standing.side == "mice" and standing.same in standing.alive)
        assert (standing.mover is not None) == (standing.phase in ("slab", "bonus", "arrow", "fork"))


@LONG
@given(match=states())
def test_a_move_by_steps_is_exactly_as_long_as_thrown(match: list[ChopState]) -> None:
    for before, after in pairwise(match):
        if before.standing.phase not in ("move", "bonus") or happened(after)[-1] == "came-by":
            continue
        moved = next(event for event in reversed(after.since) if event.what == "moved")
        assert len(moved.path) == before.standing.steps + 1
        for one, two in pairwise(moved.path):
            assert abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1
        if before.options.no_return != "not-end-on-start":
            assert all(one != three for one, three in zip(moved.path, moved.path[2:], strict=False))
        if before.options.no_return != "no-step-back":
            assert moved.path[0] != moved.path[-1]


@LONG
@given(match=states(120))
def test_what_is_shown_as_reachable_is_what_may_be_played(match: list[ChopState]) -> None:
    state = match[-1]
    if state.standing.phase in ("move", "bonus"):
        shown = {(way.piece, *way.to) for way in GAME.view(state, None).ways}
        by_piece = reachable(state.options, state.standing)
        assert shown == {(piece, *to) for piece, ways in by_piece.items() for to in ways.squares}
        assert shown == {
            (move.piece, move.row, move.col) for move in GAME.legal_moves(state) if isinstance(move, GoTo)
        }


@LONG
@given(match=states())
def test_turns_alternate_but_for_a_knife(match: list[ChopState]) -> None:
    thrown = [state for state in match if state.standing.phase == "throw"]
    for before, after in pairwise(thrown):
        missed = [event for event in after.since if event.what == "missed"]
        assert (after.standing.side != before.standing.side) == (len(missed) % 2 == 0)


@LONG
@given(match=states())
def test_a_bonus_whose_way_is_known_is_not_walked_straight_back(match: list[ChopState]) -> None:
    for state in match:
        standing = state.standing
        if standing.phase != "bonus" or state.options.no_return == "not-end-on-start":
            continue
        assert tuple(path[-2] for path in state.paths) == standing.came_from
        for came in (move for move in GAME.legal_moves(state) if isinstance(move, CameBy)):
            after = GAME.play(state, came)
            by = came.row, came.col
            if after.standing.phase != "bonus":
                assert happened(after)[-1] == "no-bonus-way"
            elif standing.steps == 1 and by != standing.began_at:
                assert by not in {way.to for way in GAME.view(after, None).ways}
            assert not any(isinstance(move, CameBy) for move in GAME.legal_moves(after))
