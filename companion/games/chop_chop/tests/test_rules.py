"""Every rule of Chop! Chop!, each with a test that names it."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest

from companion.errors import InvalidMove, MoveError
from companion.games.chop_chop import GAME
from companion.games.chop_chop.state import CameBy, ChopOptions, ChopState, GoTo, StayHere, ThrowDie
from companion.games.chop_chop.tests.playing import (
    CHOP,
    EMPTY,
    go,
    happened,
    kitchen,
    play,
    reached,
    square,
    via,
)
from companion.games.watching import square_name
from companion.messages import messages_of_game
from tests.conformance.playing import rules_of

TWO_MICE = """
. . . 1 . . .
. . . . . . .
2 . . . . . .
. . C . . . .
. . . . . . .
. . . . . . .
"""


def refused(rule: str) -> pytest.RaisesExc[MoveError]:
    """That the rule of this name refuses."""
    assert f"rule.{rule}" in dict(messages_of_game(GAME.slug))
    return pytest.RaisesExc(MoveError, check=lambda error: error.rule == rule)


NARROW = "squares = ['oT.']\n"
TWO_SLABS = "cheese = 1\ncrockery = 1\nplus-1 = 0\nplus-2 = 0\narrow = 0\nfork = 0\nknife = 0\n"


class TestSettingUp:
    """Preparing to play."""

    def test_mice_are_on_their_holes_and_a_slab_lies_everywhere_else(self) -> None:
        standing = GAME.start(CHOP, 2).standing
        assert standing.mice == (square("D1"), square("A3"), square("G4"), square("D6"))
        assert len(standing.slabs) == 38
        assert not set(standing.mice) & set(standing.slabs)

    def test_the_other_layout_has_its_holes_in_the_corners(self) -> None:
        standing = GAME.start(ChopOptions(board="corners"), 2).standing
        assert standing.mice == (square("A1"), square("G1"), square("A6"), square("G6"))
        assert len(standing.slabs) == 38

    @pytest.mark.parametrize("board", ["middle", "corners"])
    def test_the_table_is_two_by_three_squares_in_the_middle(self, board: str) -> None:
        table = ChopOptions(board=board).kitchen.table
        assert table == {square(name) for name in ("C3", "D3", "E3", "C4", "D4", "E4")}

    def test_the_cat_begins_on_the_table(self) -> None:
        state = GAME.start(CHOP, 2)
        assert GAME.turn(state) == "cat"
        assert len(list(GAME.legal_moves(state))) == 6
        with refused("place-on-the-table"):
            play(state, "place D2")
        with refused("place-first"):
            play(state, 2)
        assert play(state, "place D3").standing.cat == square("D3")

    def test_she_is_placed_once(self) -> None:
        with refused("placed-already"):
            play(GAME.start(CHOP, 2), "place D3", "place D4")

    def test_the_mice_begin(self) -> None:
        assert GAME.turn(play(GAME.start(CHOP, 2), "place D3")) == "mice"

    @pytest.mark.parametrize("seats", [2, 3, 4, 5])
    def test_mice_players_take_their_turns_in_rotation(self, seats: int) -> None:
        state = play(GAME.start(CHOP, seats), "place D3")
        turns = []
        for _ in range(10):
            turns.append(GAME.turn(state))
            state = play(state, 1)
            state = GAME.play(state, next(iter(GAME.legal_moves(state))))
            if state.standing.phase == "slab":
                state = play(state, "crockery")
        mice = GAME.seat_names(state)[:-1]
        assert turns[1::2] == ["cat"] * 5
        assert turns[::2] == [mice[n % len(mice)] for n in range(5)]

    def test_a_bag_that_does_not_fill_the_board_is_refused(self) -> None:
        text = "squares = [\n  'o.T',\n]\n"
        with pytest.raises(InvalidMove, match="38 slabs, but the board has 2"):
            GAME.start(ChopOptions(board=text), 2)


class TestAThrow:
    """One die, each side its own."""

    def test_rule_one_die(self) -> None:
        with refused("one-die"):
            GAME.play(kitchen(TWO_MICE), ThrowDie((1, 2)))

    @pytest.mark.parametrize(
        ("dice", "side", "values"),
        [("chop", "mice", {1, 2, 3, 4}), ("chop", "cat", {1, 2, 3}), ("plain", "cat", {1, 2, 3, 4, 5, 6})],
    )
    def test_rule_die_faces(self, dice: str, side: str, values: set[int]) -> None:
        state = kitchen(TWO_MICE, side=side, options=ChopOptions(dice=dice))
        assert {move.dice[0] for move in GAME.legal_moves(state) if isinstance(move, ThrowDie)} == values
        for value in {0, 1, 2, 3, 4, 5, 6, 7} - values:
            with refused("die-faces"):
                play(state, value)

    def test_rule_move_first(self) -> None:
        with refused("move-first"):
            play(kitchen(TWO_MICE), 1, 1)

    def test_rule_throw_first(self) -> None:
        with refused("throw-first"):
            play(kitchen(TWO_MICE), go("1", "D2"))

    def test_a_throw_without_a_way_is_said_and_passed(self) -> None:
        state = kitchen(
            """
            . . . 1 . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            cat=square("D2"),
            mice=(square("D1"), square("C1"), square("E1"), None),
            same="mouse-1",
        )
        after = play(state, 2)
        assert happened(after) == ["thrown", "no-way"]
        assert (GAME.turn(after), after.standing.phase) == ("cat", "throw")


class TestMoving:
    """Movements: exactly the number thrown, by edges, around pieces."""

    def test_exactly_the_number_by_edges(self) -> None:
        state = play(kitchen(TWO_MICE), 2)
        assert reached(state, "1") == {"B1", "F1", "C2", "E2", "D3"}
        with refused("not-that-far"):
            play(state, "1 D2")
        with refused("not-that-far"):
            play(state, "1 D4")

    def test_any_mouse_may_be_moved_but_one_only(self) -> None:
        state = play(kitchen(TWO_MICE), 1)
        assert reached(state, "1") and reached(state, "2")
        assert GAME.turn(play(state, "2 B3")) == "cat"

    def test_rule_other_side(self) -> None:
        with refused("other-side"):
            play(kitchen(TWO_MICE), 1, "cat C5")
        with refused("other-side"):
            play(kitchen(TWO_MICE, side="cat"), 1, "1 D2")

    def test_rule_caught_mouse(self) -> None:
        with refused("caught-mouse"):
            play(kitchen(TWO_MICE), 1, "3 G3")

    def test_rule_not_in_this_game(self) -> None:
        """A board with two holes has two mice: there is no mouse 3 that could have been caught."""
        two_holes = ChopOptions(board="squares = ['oT.o']\n", bag=TWO_SLABS)
        state = play(GAME.start(two_holes, 2), "place B1", 1)
        for number in ("3", "4"):
            with refused("not-in-this-game") as refusal:
                play(state, go(number, "C1"))
            says = f"Mouse {number} is not in this game: this board has 2 mice."
            assert refusal.value.says("en") == says
        with refused("caught-mouse"):
            play(kitchen(TWO_MICE), 1, "4 G3")

    def test_rule_no_such_square(self) -> None:
        with refused("no-such-square"):
            play(kitchen(TWO_MICE), 1, "1 D9")

    def test_never_through_another_piece_but_around_it(self) -> None:
        state = kitchen(
            """
            1 2 . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . C
            . . . . . . .
            """
        )
        two = play(state, 2)
        assert "C1" not in reached(two, "1")
        with refused("in-the-way"):
            play(two, "1 C1")
        assert "C1" in reached(play(state, 4), "1")

    @pytest.mark.parametrize("to", ["A1", "B2"])
    def test_never_onto_another_mouse_nor_the_cat(self, to: str) -> None:
        state = kitchen(
            """
            1 2 . . . . .
            . C . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """
        )
        with refused("square-taken"):
            play(state, 1, f"2 {to}")

    def test_the_cat_does_not_walk_through_a_mouse_she_could_catch(self) -> None:
        state = kitchen(TWO_MICE, side="cat", cat=square("B1"), mice=(square("C1"), square("G6"), None, None))
        assert "C1" in reached(play(state, 1), "cat")
        assert "D1" not in reached(play(state, 2), "cat")

    def test_rule_no_way_for_one_mouse_while_another_has_one(self) -> None:
        state = kitchen(
            """
            1 2 . . . . .
            C . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """
        )
        with refused("no-way-for"):
            play(state, 2, "1 B2")

    def test_a_mouse_may_not_loop_back_into_its_own_starting_hole(self) -> None:
        """The book prints both: no step straight back, and no end where the move began."""
        state = play(kitchen(TWO_MICE), 4)
        assert "D1" not in reached(state, "1")
        with refused("ends-on-start"):
            play(state, "1 D1")
        assert not state.standing.left[0]

    def test_by_a_bonus_it_may_return_there(self) -> None:
        state = play(kitchen(TWO_MICE, slabs=(square("E2"), square("G6"))), 2, "1 E2", "plus-2", "1 D1")
        assert (happened(state)[-1], state.standing.left[0]) == ("hid", True)

    def test_choice_no_step_back_lets_a_loop_come_home(self) -> None:
        options = ChopOptions(no_return="no-step-back")
        state = play(kitchen(TWO_MICE, options=options), 4)
        assert "D1" in reached(state, "1")
        assert play(state, "1 D1").standing.left[0]
        assert "D3" in reached(play(kitchen(TWO_MICE), 2), "1")
        assert "A4" in reached(play(kitchen(TWO_MICE), 3), "2")

    def test_choice_not_end_on_start_lets_a_mouse_turn_round(self) -> None:
        options = ChopOptions(no_return="not-end-on-start")
        assert "A4" in reached(play(kitchen(TWO_MICE, options=options), 3), "2")
        with refused("ends-on-start"):
            play(kitchen(TWO_MICE, options=options), 4, "1 D1")
        with refused("ends-on-start"):
            play(kitchen(TWO_MICE, options=options), 2, "1 D1")

    def test_stepping_back_is_refused_where_it_would_end_on_the_start(self) -> None:
        with refused("steps-back"):
            play(kitchen(TWO_MICE, options=ChopOptions(no_return="no-step-back")), 2, "1 D1")


class TestTheTable:
    """The cat goes over it, mice under it: two floors."""

    CROWDED = """
    . . . . . . .
    . . . . . . .
    . . 1 C . . .
    . . . 2 . . .
    . . . . . . .
    . . . . . . .
    """

    def test_a_mouse_under_the_table_does_not_meet_the_cat_on_it(self) -> None:
        state = play(kitchen(self.CROWDED), 2)
        assert "E3" in reached(state, "1")
        assert "D3" in reached(play(kitchen(self.CROWDED), 1), "1")

    def test_the_cat_on_the_table_does_not_catch_who_is_under_it(self) -> None:
        state = play(kitchen(self.CROWDED, side="cat"), 1, "cat D4")
        assert state.standing.alive == ("mouse-1", "mouse-2")
        assert "caught" not in happened(state)
        assert "B3" in reached(play(kitchen(self.CROWDED, side="cat"), 2), "cat")

    def test_the_cat_on_the_table_turns_no_slab_under_it(self) -> None:
        state = kitchen(self.CROWDED, side="cat", slabs=(square("E3"),))
        assert play(state, 1, "cat E3").standing.phase == "throw"

    def test_a_mouse_under_the_table_turns_the_slab_there(self) -> None:
        state = kitchen(self.CROWDED, slabs=(square("C4"),))
        assert play(state, 1, "1 C4").standing.phase == "slab"

    def test_mice_under_the_table_bar_each_other(self) -> None:
        assert "D4" not in reached(play(kitchen(self.CROWDED), 2), "1")


class TestHoles:
    """One mouse a hole, exact count."""

    BESIDE = """
    . . . 1 . . .
    . . . 2 . . .
    . . . . . . .
    . . C . . . .
    . . . 3 . . .
    . . . . . . .
    """

    def test_a_mouse_may_go_back_into_a_hole_by_exact_count(self) -> None:
        state = play(kitchen(self.BESIDE), 1, "3 D6")
        assert happened(state)[-1] == "hid"
        assert "D6" not in reached(play(kitchen(self.BESIDE), 2), "3")

    def test_rule_one_mouse_a_hole(self) -> None:
        with refused("one-mouse-a-hole"):
            play(kitchen(self.BESIDE), 1, "2 D1")

    def test_leaving_the_starting_hole_turns_its_slab(self) -> None:
        state = play(GAME.start(CHOP, 2), "place D3", 1, "4 D5")
        assert state.standing.left == (False, False, False, True)

    def test_a_mouse_caught_in_its_starting_hole_has_left_it(self) -> None:
        state = kitchen(TWO_MICE, side="cat", cat=square("C1"))
        state = play(state, 1, "cat D1")
        assert happened(state)[-1] == "caught"
        assert state.standing.left[0]

    def test_choice_caught_in_hole_does_not_count(self) -> None:
        options = ChopOptions(caught_in_hole="does-not")
        state = play(kitchen(TWO_MICE, side="cat", cat=square("C1"), options=options), 1, "cat D1")
        assert happened(state)[-2:] == ["caught", "never-left"]
        assert not state.standing.left[0]
        view = GAME.view(state, None)
        assert (view.holes_left, view.mice_can_win) == (2, False)

    def test_choice_caught_in_hole_changes_nothing_for_a_hole_that_was_left(self) -> None:
        options = ChopOptions(caught_in_hole="does-not")
        standing: dict[str, Any] = {"cat": square("C1"), "left": (True, True, True, True)}
        state = play(kitchen(TWO_MICE, side="cat", options=options, **standing), 1, "cat D1")
        assert happened(state)[-1] == "caught"
        assert GAME.view(state, None).mice_can_win

    def test_without_every_hole_left_the_mice_do_not_win(self) -> None:
        """Mouse 1 was caught in its hole; mouse 2 brings the last cheese home into that of mouse 2."""
        options = ChopOptions(caught_in_hole="does-not")
        home: dict[str, Any] = {"mice": (None, square("A2"), None, None), "left": (False, True, True, True)}
        state = play(kitchen(EMPTY, options=options, cat=square("G6"), **home), 1, "2 A3")
        assert (state.ended, GAME.turn(state)) == ("", "cat")
        home["left"] = (True, True, True, True)
        assert play(kitchen(EMPTY, options=options, cat=square("G6"), **home), 1, "2 A3").ended


class TestSlabs:
    """The tile slabs."""

    SLABS = """
    . . . 1 s s .
    . . . s . . .
    2 . . . . . .
    . . C . . . .
    . . s . . . .
    . . s . . . .
    """

    def test_what_is_landed_on_is_turned_and_removed(self) -> None:
        state = play(kitchen(self.SLABS), 1, "1 D2")
        assert state.standing.phase == "slab"
        state = play(state, "crockery")
        assert square("D2") not in state.standing.slabs
        assert GAME.turn(state) == "cat"

    def test_where_no_slab_lies_nothing_happens(self) -> None:
        assert GAME.turn(play(kitchen(self.SLABS), 1, "2 B3")) == "cat"

    def test_rule_slab_first_and_no_slab(self) -> None:
        state = play(kitchen(self.SLABS), 1, "1 D2")
        with refused("slab-first"):
            play(state, 1)
        with refused("no-slab"):
            play(kitchen(self.SLABS), "cheese")

    def test_a_mouse_takes_cheese(self) -> None:
        state = play(kitchen(self.SLABS), 1, "1 D2", "cheese")
        assert (state.standing.cheese_found, state.standing.cheeses) == (10, ())

    def test_the_cat_leaves_cheese_face_up_and_stands_on_it(self) -> None:
        state = play(kitchen(self.SLABS, side="cat"), 1, "cat C5", "cheese")
        assert (state.standing.cheese_found, state.standing.cheeses) == (9, (square("C5"),))
        assert state.standing.cat == square("C5")

    @pytest.mark.parametrize(("value", "to"), [(1, "C5"), (2, "C6")])
    def test_rule_visible_cheese_is_not_entered_by_the_cat(self, value: int, to: str) -> None:
        state = kitchen(self.SLABS, side="cat", cheeses=(square("C5"),), slabs=())
        state = play(state, value)
        assert to not in reached(state, "cat")
        if value == 1:
            with refused("visible-cheese"):
                play(state, "cat C5")

    def test_who_may_not_enter_visible_cheese_is_said(self) -> None:
        state = play(kitchen(self.SLABS, side="cat", cheeses=(square("C5"),), slabs=()), 1)
        with pytest.raises(MoveError) as caught:
            play(state, "cat C5")
        assert "the cat can't enter it" in caught.value.says()
        assert "no piece" not in caught.value.says()

    def test_a_sentence_begins_with_a_capital(self) -> None:
        with pytest.raises(MoveError) as caught:
            play(play(kitchen(self.SLABS), 1), "4 D2")
        assert caught.value.says() == "Mouse 4 has been caught and is out."

    def test_a_mouse_takes_visible_cheese_by_landing_on_it(self) -> None:
        state = kitchen(self.SLABS, cheeses=(square("B3"),))
        after = play(state, 1, "2 B3")
        assert after.standing.cheese_found == state.standing.cheese_found + 1
        assert after.standing.cheeses == ()
        assert play(state, 2, "2 C3").standing.cheese_found == state.standing.cheese_found

    def test_mice_cannot_take_the_cheese_under_the_cat(self) -> None:
        state = kitchen(self.SLABS, cat=square("B3"), cheeses=(square("B3"),))
        with refused("square-taken"):
            play(state, 1, "2 B3")

    def test_rule_cheese_all_out(self) -> None:
        state = kitchen(self.SLABS, cheese_found=10, turned=(10, 0, 0, 0, 0, 0, 0))
        with refused("cheese-all-out"):
            play(state, 1, "1 D2", "cheese")

    def test_rule_only_cheese_left(self) -> None:
        state = kitchen(self.SLABS, cheese_found=5, turned=(5, 0, 0, 0, 0, 0, 0))
        with refused("only-cheese-left"):
            play(state, 1, "1 D2", "crockery")
        assert play(state, 1, "1 D2", "cheese").standing.cheese_found == 6

    def test_a_kind_that_the_bag_file_does_not_hold_is_taken_all_the_same(self) -> None:
        state = kitchen(self.SLABS, cheese_found=9, turned=(9, 0, 0, 0, 3, 0, 0))
        assert "arrow" not in [getattr(move, "slab", "") for move in GAME.legal_moves(play(state, 1, "1 D2"))]
        assert play(state, 1, "1 D2", "arrow").standing.phase == "arrow"


class TestPlus:
    """+1 and +2: chained, and free to return to where the throw began."""

    ROW = """
    . . . 1 s s s
    . . . . . . .
    2 . . . . . .
    . . C . . . .
    . . . . . . .
    . . . . . . .
    """

    def test_plus_moves_on_and_turns_what_it_lands_on(self) -> None:
        state = play(kitchen(self.ROW), 1, "1 E1", "plus-1")
        assert state.standing.phase == "bonus"
        state = play(state, "1 F1", "plus-1", "1 G1", "cheese")
        assert state.standing.slabs == ()
        assert (state.standing.cheese_found, GAME.turn(state)) == (10, "cat")

    def test_it_may_return_to_where_it_stood_before_the_throw(self) -> None:
        assert "D1" in reached(play(kitchen(self.ROW), 1, "1 E1", "plus-1"), "1")

    def test_it_may_not_return_to_the_square_just_left(self) -> None:
        state = play(kitchen(self.ROW), 2, "1 F1", "plus-1")
        assert reached(state, "1") == {"G1", "F2"}
        with refused("steps-back"):
            play(state, "1 E1")

    def test_where_it_may_have_come_by_two_ways_both_are_open(self) -> None:
        state = kitchen(self.ROW, slabs=(square("E2"), *(square(name) for name in ("A1", "B1"))))
        assert reached(play(state, 2, "1 E2", "plus-1"), "1") == {"E1", "D2", "F2", "E3"}

    CORNER: ClassVar[dict[str, Any]] = {"slabs": (square("E2"), *(square(name) for name in ("A1", "B1")))}

    def test_the_way_walked_can_be_told_and_is_not_stepped_back_on(self) -> None:
        state = play(kitchen(self.ROW, **self.CORNER), 2, go("1", "E2", via="E1"), "plus-1")
        assert state.standing.came_from == (square("E1"),)
        assert reached(state, "1") == {"D2", "F2", "E3"}
        with refused("steps-back"):
            play(state, "1 E1")
        state = play(kitchen(self.ROW, **self.CORNER), 2, go("1", "E2", via="D2"), "plus-1")
        assert reached(state, "1") == {"E1", "F2", "E3"}

    def test_the_way_walked_can_be_told_once_it_matters(self) -> None:
        state = play(kitchen(self.ROW, **self.CORNER), 2, "1 E2", "plus-1")
        assert {move for move in GAME.legal_moves(state) if isinstance(move, CameBy)} == {
            via("E1"),
            via("D2"),
        }
        after = play(state, via("D2"))
        assert reached(after, "1") == {"E1", "F2", "E3"}
        assert not any(isinstance(move, CameBy) for move in GAME.legal_moves(after))
        moved = next(event for event in after.since if event.what == "moved")
        assert moved.path == (square("D1"), square("D2"), square("E2"))

    def test_told_while_the_slab_still_lies_it_is_the_same(self) -> None:
        landed = play(kitchen(self.ROW, **self.CORNER), 2, "1 E2")
        assert play(landed, via("D2"), "plus-1").standing == play(landed, "plus-1", via("D2")).standing

    def test_the_way_is_asked_for_only_where_the_next_step_hangs_on_it(self) -> None:
        state = kitchen(self.ROW, **self.CORNER)
        assert GAME.view(play(state, 2, "1 E2"), None).came_by == ()
        assert GAME.view(play(state, 2, "1 E2", "arrow"), None).came_by == ()
        view = GAME.view(play(state, 2, "1 E2", "plus-1"), None)
        assert set(view.came_by) == {square("E1"), square("D2")}
        assert {square_name(way.to): tuple(map(square_name, way.via)) for way in view.ways} == {
            "E1": ("D2",),
            "D2": ("E1",),
            "F2": (),
            "E3": (),
        }
        chinese = kitchen(self.ROW, options=ChopOptions(no_return="not-end-on-start"), **self.CORNER)
        assert GAME.view(play(chinese, 2, "1 E2", "plus-1"), None).came_by == ()

    def test_the_way_back_to_where_the_throw_began_stays_open(self) -> None:
        """Five steps lead to E1 by D1, by F1 or by E2: of these only D1 may be stepped back to."""
        plain = kitchen(self.ROW, slabs=(square("E1"), square("A1")), options=ChopOptions(dice="plain"))
        state = play(plain, 5, "1 E1", "plus-1")
        by = {square_name(at) for at in state.standing.came_from}
        assert "D1" in by
        assert len(by) > 1
        for name in sorted(by):
            gone_back = name in reached(play(state, via(name)), "1")
            assert gone_back == (name == "D1")

    def test_without_a_way_left_once_it_is_told_the_bonus_is_passed(self) -> None:
        """B3 and C4 lead to B4. The cat may not stop on B3, before the last mouse; the rest is cheese."""
        cheeses = tuple(square(name) for name in ("A4", "B5"))
        state = kitchen(
            EMPTY,
            side="cat",
            cat=square("C3"),
            mice=(None, square("A3"), None, None),
            slabs=(square("B4"), square("G1")),
            cheeses=cheeses,
        )
        landed = play(state, 2, "cat B4", "plus-1")
        assert reached(landed, "cat") == {"C4"}
        after = play(landed, via("C4"))
        assert (happened(after)[-1], GAME.turn(after)) == ("no-bonus-way", "mice")
        assert reached(play(landed, via("B3")), "cat") == {"C4"}

    def test_rule_not_by_way_of(self) -> None:
        state = kitchen(self.ROW, **self.CORNER)
        for far in ("F2", "D1", "G6"):
            with refused("not-by-way-of"):
                play(state, 2, go("1", "E2", via=far))
            with refused("not-by-way-of"):
                play(state, 2, "1 E2", "plus-1", via(far))
        with refused("not-by-way-of"):
            play(state, 2, "1 E2", "arrow", go("1", "A5", via="A4"))

    def test_no_way_leads_over_a_square_that_is_not_there(self) -> None:
        with refused("no-such-square"):
            play(kitchen(self.ROW, **self.CORNER), 2, GoTo("mouse-1", *square("E2"), via=(0, 10**9)))

    def test_a_way_can_be_told_only_of_a_piece_that_is_to_move_on(self) -> None:
        state = kitchen(self.ROW, **self.CORNER)
        with refused("throw-first"):
            play(state, via("D2"))
        with refused("move-first"):
            play(state, 2, via("D2"))

    def test_a_chain_may_not_step_back_onto_a_slab_square_just_left(self) -> None:
        state = play(kitchen(self.ROW), 1, "1 E1", "plus-1", "1 F1", "plus-1")
        assert reached(state, "1") == {"G1", "F2"}

    def test_by_the_chinese_text_it_may_not_end_where_the_bonus_began(self) -> None:
        options = ChopOptions(no_return="not-end-on-start")
        state = play(kitchen(self.ROW, options=options), 2, "1 F1", "plus-1")
        assert reached(state, "1") == {"E1", "G1", "F2"}
        two = play(kitchen(self.ROW, options=options), 2, "1 F1", "plus-2")
        assert "F1" not in reached(two, "1")
        assert "D1" in reached(two, "1")

    def test_without_a_way_it_is_passed(self) -> None:
        state = kitchen(
            """
            . s 1 . . . .
            2 C . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            mice=(square("C1"), square("A1"), None, None),
        )
        after = play(state, 1, "1 B1", "plus-2")
        assert happened(after)[-1] != "no-bonus-way"
        state = kitchen(
            """
            s 1 . . . . .
            C . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            """,
            mice=(square("B1"), square("B2"), None, None),
        )
        after = play(state, 1, "1 A1", "plus-1")
        assert after.standing.phase == "bonus"
        stuck = msgspec.structs.replace(
            state,
            standing=msgspec.structs.replace(state.standing, mice=(square("C1"), square("B2"), None, None)),
        )
        after = play(stuck, 2, "1 A1", "plus-1")
        assert happened(after)[-1] == "no-bonus-way"
        assert GAME.turn(after) == "cat"

    def test_only_the_piece_on_its_way_moves_on(self) -> None:
        with refused("bonus-is-for"):
            play(kitchen(self.ROW), 1, "1 E1", "plus-1", "2 A2")

    def test_the_cat_catches_with_it(self) -> None:
        state = kitchen(self.ROW, side="cat", cat=square("C2"), slabs=(square("C1"),))
        state = play(state, 1, "cat C1", "plus-1", "cat D1")
        assert happened(state)[-1] == "caught"


class TestArrow:
    """A free move."""

    FREE = """
    . . . 1 s $ .
    . . . . . . .
    2 . . . . . .
    . . C . . . .
    . . s . . . s
    . . . . . . 3
    """

    def test_a_mouse_goes_anywhere_but_onto_pieces_cheese_and_holes(self) -> None:
        state = play(kitchen(self.FREE), 1, "1 E1", "arrow")
        everywhere = {f"{col}{row}" for col in "ABCDEFG" for row in range(1, 7)}
        holes = {"D1", "A3", "G4", "D6"}
        assert reached(state, "1") == everywhere - holes - {"E1", "F1", "G6"}
        for rule, to in (
            ("arrow-not-into-a-hole", "D1"),
            ("visible-cheese", "F1"),
            ("arrow-not-onto-a-piece", "G6"),
        ):
            with refused(rule):
                play(state, f"1 {to}")

    def test_a_mouse_may_go_under_the_table_where_the_cat_is_on_it(self) -> None:
        assert "C4" in reached(play(kitchen(self.FREE), 1, "1 E1", "arrow"), "1")

    def test_the_cat_goes_anywhere_but_onto_mice_cheese_and_holes(self) -> None:
        state = play(kitchen(self.FREE, side="cat"), 1, "cat C5", "arrow")
        everywhere = {f"{col}{row}" for col in "ABCDEFG" for row in range(1, 7)}
        assert reached(state, "cat") == everywhere - {"D1", "A3", "G4", "D6", "C5", "F1", "G6"}
        with refused("arrow-not-onto-a-piece"):
            play(state, "cat G6")

    def test_the_slab_it_lands_on_is_turned_too(self) -> None:
        state = play(kitchen(self.FREE), 1, "1 E1", "arrow", "1 G5")
        assert state.standing.phase == "slab"
        # It came from nowhere beside it: a +1 may go on any way that is free.
        assert reached(play(state, "plus-1"), "1") == {"F5", "G4"}

    def test_also_after_a_plus_it_has_come_from_nowhere(self) -> None:
        state = kitchen(self.FREE, slabs=tuple(square(name) for name in ("E1", "E2", "B6", "C6")))
        state = play(state, 1, "1 E1", "plus-1", "1 E2", "arrow", "1 B6", "plus-1")
        assert reached(state, "1") == {"A6", "C6", "B5"}

    def test_it_may_stay(self) -> None:
        state = play(kitchen(self.FREE), 1, "1 E1", "arrow")
        for move in (StayHere(), go("1", "E1")):
            assert happened(GAME.play(state, move))[-1] == "stayed"
        with refused("arrow-first"):
            play(state, 1)
        with refused("throw-first"):
            GAME.play(kitchen(self.FREE), StayHere())

    def test_the_button_on_the_table_says_stay(self) -> None:
        state = play(kitchen(self.FREE), 1, "1 E1", "arrow")
        assert GAME.pressed(state, "mice") == StayHere()
        assert GAME.pressed(state, "cat") is None
        assert GAME.pressed(kitchen(self.FREE), "mice") is None


class TestFork:
    """A mouse spears one visible cheese."""

    def with_cheese(self, *names: str, cat: str = "C4", side: str = "mice") -> ChopState:
        """A kitchen with a slab beside mouse 1 and the cat, and visible cheeses."""
        return kitchen(
            TestSlabs.SLABS, side=side, cat=square(cat), cheeses=tuple(square(name) for name in names)
        )

    def test_one_cheese_is_taken_without_moving(self) -> None:
        before = self.with_cheese("G6")
        state = play(before, 1, "1 D2", "fork")
        assert (state.standing.cheese_found, state.standing.cheeses) == (before.standing.cheese_found + 1, ())
        assert happened(state)[-1] == "speared"
        assert state.standing.at("mouse-1") == square("D2")

    def test_of_several_the_mice_choose_one(self) -> None:
        state = play(self.with_cheese("G6", "G5"), 1, "1 D2", "fork")
        assert state.standing.phase == "fork"
        with refused("nothing-to-spear-there"):
            play(state, "spear A1")
        with refused("fork-first"):
            play(state, 1)
        assert play(state, "spear G5").standing.cheeses == (square("G6"),)

    def test_not_the_one_on_which_the_cat_stands(self) -> None:
        under = self.with_cheese("B6", cat="B6")
        state = play(under, 1, "1 D2", "fork")
        assert (happened(state)[-1], state.standing.cheese_found) == (
            "nothing-to-spear",
            under.standing.cheese_found,
        )
        assert play(self.with_cheese("G5", "G6", cat="G5"), 1, "1 D2", "fork").standing.cheeses == (
            square("G5"),
        )

    def test_without_visible_cheese_nothing_happens(self) -> None:
        assert happened(play(self.with_cheese(), 1, "1 D2", "fork"))[-1] == "nothing-to-spear"

    def test_for_the_cat_it_does_nothing(self) -> None:
        before = self.with_cheese("G6", side="cat")
        state = play(before, 1, "cat C5", "fork")
        assert (state.standing.cheeses, GAME.turn(state)) == ((square("G6"),), "mice")
        assert state.standing.cheese_found == before.standing.cheese_found


class TestKnife:
    """Who is cut misses a turn; the other side throws twice."""

    def test_the_mice_throw_twice_with_the_same_mouse(self) -> None:
        state = play(kitchen(TestSlabs.SLABS, side="cat"), 1, "cat C5", "knife")
        assert (GAME.turn(state), state.standing.owes) == ("mice", (False, True))
        state = play(state, 1, "2 B3")
        assert (GAME.turn(state), state.standing.same, state.standing.owes) == (
            "mice", "mouse-2", (False, False)
        )  # fmt: skip
        state = play(state, 1)
        assert not reached(state, "1")
        with refused("same-mouse"):
            play(state, "1 C1")
        assert GAME.turn(play(state, "2 B4")) == "cat"

    def test_the_cat_throws_twice(self) -> None:
        state = play(kitchen(TestSlabs.SLABS), 1, "1 D2", "knife", 2, "cat E4")
        assert (GAME.turn(state), happened(state)[-1]) == ("cat", "missed")
        assert GAME.turn(play(state, 1, "cat D4")) == "mice"

    def test_two_throws_of_one_player_are_one_turn(self) -> None:
        state = msgspec.structs.replace(kitchen(TestSlabs.SLABS, side="cat"), seats=3, mice_turns=1)
        state = play(state, 1, "cat C5", "knife")
        assert GAME.turn(state) == "mice-2"
        assert GAME.turn(play(state, 1, "2 B3")) == "mice-2"

    def test_lost_turns_are_served_in_order(self) -> None:
        state = play(kitchen(TestSlabs.SLABS, side="cat"), 1, "cat C5", "knife")
        state = play(state, 1, "1 D2", "knife")
        assert (GAME.turn(state), state.standing.owes) == ("cat", (False, False))
        assert GAME.turn(play(state, 1, "cat B5")) == "mice"

    def test_cut_on_the_second_throw_the_cat_throws_twice(self) -> None:
        state = play(kitchen(TestSlabs.SLABS, side="cat"), 1, "cat C5", "knife", 1, "1 C1")
        state = play(state, 2, "1 E1", "knife")
        assert (GAME.turn(state), state.standing.owes) == ("cat", (True, False))
        assert GAME.turn(play(state, 1, "cat B5")) == "cat"

    def test_a_first_throw_without_a_way_binds_no_mouse(self) -> None:
        state = play(GAME.start(ChopOptions(board=NARROW, bag=TWO_SLABS), 2), "place B1")
        owing = msgspec.structs.replace(state.standing, owes=(False, True))
        state = play(msgspec.structs.replace(state, standing=owing), 3)
        assert happened(state) == ["thrown", "no-way", "missed"]
        assert (GAME.turn(state), state.standing.same) == ("mice", None)


class TestTheLastMouse:
    """The last mouse in a hole must be let out."""

    LAST = """
    . . . 1 . . .
    . . C . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """

    def test_the_cat_may_not_stop_in_front_of_it(self) -> None:
        state = play(kitchen(self.LAST, side="cat"), 1)
        assert reached(state, "cat") == {"C1", "B2", "C3"}
        with refused("last-mouse"):
            play(state, "cat D2")

    def test_she_may_walk_past(self) -> None:
        assert "E2" in reached(play(kitchen(self.LAST, side="cat"), 2), "cat")

    def test_choice_last_mouse_front_lets_her_into_the_hole(self) -> None:
        two = play(kitchen(self.LAST, side="cat"), 2)
        assert "D1" not in reached(two, "cat")
        with refused("last-mouse"):
            play(two, "cat D1")
        english = kitchen(self.LAST, side="cat", options=ChopOptions(last_mouse="front"))
        state = play(english, 2, "cat D1")
        assert state.ended == "all-caught"

    def test_with_two_mice_left_she_may(self) -> None:
        assert "D2" in reached(
            play(kitchen(self.LAST, side="cat", mice=(square("D1"), square("G6"), None, None)), 1), "cat"
        )

    def test_outside_a_hole_it_has_no_such_right(self) -> None:
        state = kitchen(self.LAST, side="cat", mice=(square("E1"), None, None, None))
        assert "D2" in reached(play(state, 1), "cat")

    def test_an_arrow_does_not_lead_there_either(self) -> None:
        state = kitchen(self.LAST, side="cat", slabs=(square("B2"),))
        state = play(state, 1, "cat B2", "arrow")
        assert not {"D2", "D1"} & reached(state, "cat")
        with refused("last-mouse"):
            play(state, "cat D2")

    def test_in_a_corner_both_squares_beside_the_hole_are_in_front(self) -> None:
        kitchen_ = ChopOptions(board="corners").kitchen
        assert set(kitchen_.fronts((0, 0))) == {(0, 1), (1, 0)}
        assert set(ChopOptions().kitchen.fronts((0, 3))) == {(1, 3)}


class TestTheEnd:
    """Winning."""

    HOME = """
    . . . . . . .
    . . . 1 . . .
    2 . . . . . .
    . . C . . . .
    . . . . . . .
    . . . . . . .
    """
    ALL = (10, 0, 0, 0, 0, 0, 0)

    def test_the_mice_win_with_all_cheese_all_holes_left_and_one_home(self) -> None:
        state = kitchen(self.HOME, cheese_found=10, turned=self.ALL, left=(True,) * 4)
        state = play(state, 1, "1 D1")
        ended = GAME.outcome(state)
        assert ended is not None
        assert (ended.reason, ended.winners, GAME.turn(state)) == ("cheese-home", ("mice",), None)
        with refused("match-over"):
            play(state, 1)
        assert list(GAME.legal_moves(state)) == []

    def test_all_mice_players_share_the_win(self) -> None:
        state = kitchen(self.HOME, cheese_found=10, turned=self.ALL, left=(True,) * 4)
        state = play(msgspec.structs.replace(state, seats=4), 1, "1 D1")
        ended = GAME.outcome(state)
        assert ended is not None
        assert ended.winners == ("mice-1", "mice-2", "mice-3")

    @pytest.mark.parametrize(
        "lacking",
        [
            pytest.param({"cheese_found": 9}, id="one cheese lacks"),
            pytest.param({"left": (True, False, True, True)}, id="one hole was never left"),
        ],
    )
    def test_something_lacking_is_no_win(self, lacking: dict[str, Any]) -> None:
        state = kitchen(self.HOME, **{"cheese_found": 10, "turned": self.ALL, "left": (True,) * 4, **lacking})
        assert not play(state, 1, "1 D1").ended

    def test_a_mouse_that_sat_in_a_hole_before_does_not_count(self) -> None:
        state = kitchen(
            self.HOME, cheese_found=9, turned=(9, 0, 0, 0, 0, 0, 0), left=(True,) * 4, slabs=(square("E2"),)
        )
        assert not play(state, 1, "1 E2", "cheese").ended

    @pytest.mark.parametrize(
        ("options", "ended"),
        [(CHOP, ""), (ChopOptions(drop_off="any-time"), "cheese-home")],
        ids=["after-tenth", "any-time"],
    )
    def test_choice_drop_off(self, options: ChopOptions, ended: str) -> None:
        """Mouse 1 comes home, and then mouse 2 finds the last cheese."""
        slabs = (square("A2"), square("A4"))
        nine = (9, 0, 0, 0, 0, 0, 0)
        state = kitchen(
            self.HOME, options=options, slabs=slabs, cheese_found=9, turned=nine, left=(True,) * 4
        )
        state = play(state, 1, "1 D1", 1, "cat D4", 1, "2 A2", "cheese")
        assert state.ended == ended
        assert bool(list(GAME.legal_moves(state))) == (not ended)

    def test_at_any_time_the_last_hole_must_still_be_left(self) -> None:
        options = ChopOptions(drop_off="any-time")
        left = (True, False, True, True)
        state = kitchen(self.HOME, options=options, cheese_found=10, turned=self.ALL, left=left)
        state = play(state, 1, "1 D1")
        assert not state.ended
        assert play(state, 1, "cat D4", 1, "2 B3").ended == "cheese-home"

    def test_after_the_tenth_the_last_hole_left_is_not_enough(self) -> None:
        left = (True, False, True, True)
        state = kitchen(self.HOME, cheese_found=10, turned=self.ALL, left=left)
        assert not play(state, 1, "1 D1", 1, "cat D4", 1, "2 B3").ended

    def test_the_last_hole_may_be_left_and_another_entered_in_one_throw(self) -> None:
        options = ChopOptions(dice="plain")
        state = kitchen(
            self.HOME,
            options=options,
            cheese_found=10,
            turned=self.ALL,
            mice=(None, square("A3"), None, None),
        )
        state = play(state, 5, "2 D1")
        assert state.ended == "cheese-home"

    def test_the_cat_wins_by_catching_all(self) -> None:
        state = kitchen(self.HOME, side="cat", cat=square("D3"), mice=(square("D2"), None, None, None))
        state = play(state, 1, "cat D2")
        ended = GAME.outcome(state)
        assert ended is not None
        assert (ended.reason, ended.winners) == ("all-caught", ("cat",))

    def test_she_still_wins_when_the_cheese_is_found_but_not_home(self) -> None:
        state = kitchen(
            self.HOME,
            side="cat",
            cat=square("D3"),
            mice=(square("D2"), None, None, None),
            cheese_found=10,
            turned=self.ALL,
        )
        assert play(state, 1, "cat D2").ended == "all-caught"


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_it_is_for_two_to_five(seats: int) -> None:
    with pytest.raises(InvalidMove):
        GAME.start(CHOP, seats)


def test_each_rule_can_be_broken_by_a_move_or_a_sighting() -> None:
    """Every rule's name stands in a test of this folder."""
    tests = "".join(path.read_text("utf-8") for path in (GAME.folder / "tests").glob("test_*.py"))
    assert not [rule for rule in rules_of(GAME) if f'"{rule}"' not in tests]
