"""The rules of Patches, one by one, and what its camera's reports mean."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove
from companion.games.watching import Alternative, Observation, Tile, Verdict
from tests.polyomino.game import GAME, Kind, Lay, PatchOptions, PatchState


def after(*laid: Lay) -> PatchState:
    """The state once these tiles were laid."""
    state = GAME.start(PatchOptions(), 2)
    for lay in laid:
        state = GAME.play(state, lay)
    return state


def red(kind: Kind, top: int, left: int, turned: int = 0) -> Lay:
    """A tile of red."""
    return Lay("red", kind, turned, top, left)


def green(kind: Kind, top: int, left: int, turned: int = 0) -> Lay:
    """A tile of green."""
    return Lay("green", kind, turned, top, left)


OPENING = (red("O4", 0, 0), green("I3", 2, 0))
"""A block in the top left corner, a bar below it."""


@pytest.mark.parametrize(
    ("lay", "rule"),
    [
        (green("L3", 4, 0), "out-of-turn"),
        (red("O4", 3, 1), "laid-already"),
        (red("T4", 6, 5), "off-the-board"),
        (red("I3", 3, 2), "off-the-board"),
        (red("L3", 2, 1), "tiles-overlap"),
        (red("I3", 1, 2), "beside-its-own"),
        (red("I3", 6, 0), "apart"),
    ],
)
def test_a_tile_that_breaks_a_rule_is_refused(lay: Lay, rule: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.play(after(*OPENING), lay)
    assert refused.value.rule == rule


def test_who_cannot_lay_passes() -> None:
    # Each free square beside green's corner touches red's tile as well.
    state = after(red("S4", 1, 1), green("L4", 0, 0, turned=1))
    assert GAME.view(state, None).rows[:3] == ("ggg.....", "g.rr....", ".rr.....")
    assert GAME.turn(state) == "green"
    assert {lay.whose for lay in GAME.legal_moves(state)} == {"green"}


def test_the_squares_are_counted_at_the_end() -> None:
    state = after()
    while moves := GAME.legal_moves(state):
        state = GAME.play(state, moves[0])
    outcome = GAME.outcome(state)
    assert outcome is not None
    squares = dict.fromkeys(("red", "green"), 0)
    for lay in state.laid:
        squares[lay.whose] += int(lay.shape[-1])
    assert outcome.points == squares
    assert outcome.winners == tuple(owner for owner in squares if squares[owner] == max(squares.values()))


def seen(*laid: Lay, confidence: float = 1.0) -> tuple[Tile, ...]:
    """Tiles as a camera sees them."""
    return tuple(Tile(lay.whose, lay.shape, lay.turned, lay.top, lay.left, (), confidence) for lay in laid)


def test_a_new_tile_in_sight_is_played() -> None:
    new = red("L4", 3, 0)
    sighting = GAME.sighting(after(*OPENING), Observation(tiles=seen(new, *OPENING, confidence=0.9)))
    assert sighting.verdict is Verdict.PLAY
    assert [(guess.moves, guess.confidence) for guess in sighting.guesses] == [((new,), 0.9)]


def test_a_tile_that_looks_the_same_turned_over_is_no_news() -> None:
    turned = (red("O4", 0, 0, turned=3), green("I3", 2, 0, turned=2))
    assert GAME.sighting(after(*OPENING), Observation(tiles=seen(*turned))).verdict is Verdict.NOTHING


def test_tiles_that_came_at_once_are_played_in_the_order_of_turns() -> None:
    new = (green("T4", 0, 2), red("L4", 3, 0))
    sighting = GAME.sighting(after(*OPENING), Observation(tiles=seen(*OPENING, *new)))
    assert sighting.guesses[0].moves == (new[1], new[0])


@pytest.mark.parametrize(
    ("tiles", "rule"),
    [
        (seen(*OPENING, red("I3", 1, 2)), "beside-its-own"),
        (seen(OPENING[0]), "tile-moved"),
        (seen(OPENING[0], green("I3", 3, 0)), "tile-moved"),
        (seen(*OPENING, *(red(kind, 0, 0) for kind in ("I3", "L3", "L4", "S4"))), "too-many-at-once"),
    ],
)
def test_what_breaks_a_rule_in_sight_is_said_and_not_played(tiles: tuple[Tile, ...], rule: str) -> None:
    sighting = GAME.sighting(after(*OPENING), Observation(tiles=tiles))
    assert (sighting.verdict, sighting.rule, sighting.guesses) == (Verdict.BREAKS, rule, ())


def test_what_is_unsure_is_asked_of_the_boards_that_the_rules_allow() -> None:
    here, there, never = red("L4", 3, 0), red("L4", 3, 1), red("L4", 1, 1)
    boards = [(there, 0.3), (never, 0.1)]
    others = tuple(Alternative(seen(*OPENING, lay), likely) for lay, likely in boards)
    unsure = Observation(unsure=True, why="not-told-apart", tiles=seen(*OPENING, here), alternatives=others)
    sighting = GAME.sighting(after(*OPENING), unsure)
    assert sighting.verdict is Verdict.ASK
    assert [guess.moves for guess in sighting.guesses] == [(here,), (there,)]


def test_a_hand_in_the_way_is_waited_out() -> None:
    hand = Observation(unsure=True, why="hand", tiles=seen(*OPENING, red("L4", 3, 0)))
    assert GAME.sighting(after(*OPENING), hand).verdict is Verdict.WAIT
