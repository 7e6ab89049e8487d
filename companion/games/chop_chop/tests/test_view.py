"""What a page may show."""

from __future__ import annotations

import msgspec

from companion.games.chop_chop import GAME
from companion.games.chop_chop.state import ChopState
from companion.games.chop_chop.tests.playing import CHOP, kitchen, play, square
from companion.games.chop_chop.view import KitchenView

SOME = """
. . . 1 s $ .
. . . . . . .
2 . . . . . .
. . C 3 . . .
. . s . . . s
. . . . . . .
"""


def seen(state: ChopState) -> KitchenView:
    """The view of the table."""
    return GAME.view(state, None)


def test_it_shows_where_everything_stands_and_on_what_floor() -> None:
    view = seen(kitchen(SOME))
    pieces = {piece.piece: piece for piece in view.pieces}
    assert (pieces["cat"].at, pieces["cat"].on_table) == (square("C4"), True)
    assert (pieces["mouse-1"].in_hole, pieces["mouse-3"].under_table, pieces["mouse-4"].caught) == (True,) * 3
    assert [hole.open for hole in view.holes] == [False, False, True, True]
    assert view.cheeses == (square("F1"),)


def test_it_shows_how_it_stands() -> None:
    view = seen(kitchen(SOME, owes=(False, True)))
    assert (view.cheese_found, view.cheese, view.hidden) == (8, 10, 1)
    assert (view.caught, view.holes_left) == (1, 2)
    assert (view.cat_owes, view.mice_owe, view.throws_left) == (True, False, 2)


def test_after_a_throw_each_square_comes_with_its_path_and_what_is_met_there() -> None:
    ways = {(way.piece, way.to): way for way in seen(play(kitchen(SOME), 1)).ways}
    assert ways["mouse-1", square("E1")].meets == "slab"
    assert ways["mouse-1", square("E1")].path == (square("D1"), square("E1"))
    assert ("mouse-3", square("C4")) in ways
    assert {piece for piece, _ in ways} == {"mouse-1", "mouse-2", "mouse-3"}
    two = {(way.piece, way.to): way.meets for way in seen(play(kitchen(SOME), 2)).ways}
    assert two["mouse-1", square("F1")] == "cheese"
    far = {(way.piece, way.to): way.meets for way in seen(play(kitchen(SOME), 3)).ways}
    assert far["mouse-3", square("G4")] == "hole"


def test_what_the_cat_meets() -> None:
    state = play(kitchen(SOME, side="cat", cat=square("B3")), 1)
    assert {way.to: way.meets for way in seen(state).ways} == {
        square("A3"): "mouse", square("B2"): "nothing", square("C3"): "table", square("B4"): "nothing"
    }  # fmt: skip


def test_where_the_cat_may_begin_and_what_a_fork_may_take() -> None:
    assert {way.meets for way in seen(GAME.start(CHOP, 2)).ways} == {"table"}
    state = kitchen(SOME, cheeses=(square("G1"), square("G2")))
    assert seen(play(state, 1, "1 E1", "fork")).spearable == (square("G1"), square("G2"))
    assert seen(state).spearable == ()


def test_an_arrows_squares_are_shown() -> None:
    ways = seen(play(kitchen(SOME), 1, "1 E1", "arrow")).ways
    assert all(way.piece == "mouse-1" and way.path == (square("E1"), way.to) for way in ways)
    assert len(ways) == 42 - 4 - 3


def test_slabs_are_told_with_exact_chances_and_what_may_be_told_now() -> None:
    state = play(GAME.start(CHOP, 2), "place D3")
    bag = {each.slab: each for each in seen(state).bag}
    assert (bag["cheese"].ways, bag["cheese"].out_of) == (5, 19)
    assert not any(each.possible for each in bag.values())
    turning = {each.slab: each.possible for each in seen(play(state, 1, "1 D2")).bag}
    assert all(turning.values())


def test_the_die_is_told() -> None:
    view = seen(kitchen(SOME, side="cat"))
    assert (view.die.side, view.die.colour, view.die.faces, view.die.value) == (
        "cat", "blue", (1, 1, 2, 2, 2, 3), 0
    )  # fmt: skip
    assert seen(play(kitchen(SOME), 3)).die.value == 3


def test_it_tells_what_happened_since_the_last_throw() -> None:
    since = seen(play(kitchen(SOME), 1, "1 E1", "cheese")).since
    assert [event.what for event in since] == ["thrown", "moved", "turned", "took-cheese"]
    assert since[1].path == (square("D1"), square("E1"))


def test_it_crosses_a_wire_and_shows_all_seats_the_same() -> None:
    state = play(kitchen(SOME), 1)
    view = seen(state)
    assert msgspec.json.decode(msgspec.json.encode(view), type=KitchenView) == view
    assert GAME.view(state, "cat") == view


def test_once_the_mice_cannot_win_it_says_so() -> None:
    state = kitchen(SOME)
    assert seen(state).mice_can_win
    shut = msgspec.structs.replace(state.standing, mice=(None, *state.standing.mice[1:]))
    assert not seen(msgspec.structs.replace(state, standing=shut)).mice_can_win
