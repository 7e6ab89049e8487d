"""What the camera's report means: dice told apart by colour, pieces on other squares."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.chop_chop import GAME
from companion.games.chop_chop.state import ChopOptions, ChopState, PlaceCat, ThrowDie
from companion.games.chop_chop.tests.playing import CHOP, go, kitchen, play, square
from companion.games.watching import Dice, Die, Observation, Piece, Sighting, Verdict

FREE = """
. . . 1 . s .
. . . . . . .
2 . . . . . .
. . . . . . 3
. . C . . . .
. . . . . . .
"""


def die(value: int, colour: str = "grey", *, sure: bool = True, confidence: float = 0.99) -> Observation:
    """One die at rest."""
    return Observation(
        unsure=not sure, why="" if sure else "dice", dice=(Die(value, colour, confidence=confidence),)
    )


def see(state: ChopState, seen: Observation) -> Sighting:
    """What it means."""
    return GAME.sighting(state, seen)


def standing(state: ChopState, **moved: str | None) -> Observation:
    """The pieces as they stand, but `A3="B3"` moved, `A3=None` out of sight, `new_A1="mouse"` one more."""
    pieces = []
    changed = {square(old): new for old, new in moved.items() if len(old) == 2}
    for piece in GAME.standing_pieces(state):
        at = (piece.row, piece.col)
        if at not in changed:
            pieces.append(piece)
        elif (to := changed[at]) is not None:
            pieces.append(Piece(piece.kind, *square(to)))
    new = [(name.partition("_")[2], kind) for name, kind in moved.items() if name.startswith("new_")]
    return Observation(pieces=(*pieces, *(Piece(str(kind), *square(at)) for at, kind in new)))


class TestDice:
    """Grey is the mice's, blue the cat's."""

    def test_the_game_says_which_die_a_throw_needs(self) -> None:
        assert GAME.dice_now(kitchen(FREE)) == Dice(1, (1, 2, 3, 4), "grey")
        assert GAME.dice_now(kitchen(FREE, side="cat")) == Dice(1, (1, 2, 3), "blue")
        plain = ChopOptions(dice="plain")
        assert GAME.dice_now(kitchen(FREE, options=plain)) == Dice(1, (1, 2, 3, 4, 5, 6), "grey")

    @pytest.mark.parametrize(("side", "colour"), [("mice", "grey"), ("cat", "blue")])
    def test_the_sides_own_die_is_played(self, side: str, colour: str) -> None:
        seen = see(kitchen(FREE, side=side), die(2, colour))
        assert seen.verdict is Verdict.PLAY
        assert seen.guesses[0].moves == (ThrowDie((2,)),)

    @pytest.mark.parametrize(("side", "wrong", "right"), [("mice", "blue", "grey"), ("cat", "grey", "blue")])
    @pytest.mark.parametrize("sure", [True, False])
    def test_the_wrong_colour_is_said(self, side: str, wrong: str, right: str, *, sure: bool) -> None:
        seen = see(kitchen(FREE, side=side), die(2, wrong, sure=sure))
        assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "wrong-die")
        assert seen.facts == {"side": side, "colour": right}

    @pytest.mark.parametrize("colours", [("grey", "blue"), ("grey", "grey"), ("grey", "red", "blue")])
    @pytest.mark.parametrize("sure", [True, False])
    def test_more_than_one_die_is_said(self, colours: tuple[str, ...], *, sure: bool) -> None:
        dice = tuple(Die(1, colour) for colour in colours)
        seen = see(kitchen(FREE), Observation(unsure=not sure, dice=dice))
        assert (seen.verdict, seen.rule, seen.facts) == (Verdict.BREAKS, "one-die", {"dice": len(dice)})

    def test_a_value_that_the_die_does_not_have_is_said(self) -> None:
        seen = see(kitchen(FREE, side="cat"), die(4, "blue"))
        assert (seen.verdict, seen.rule, seen.facts["value"]) == (Verdict.BREAKS, "die-faces", 4)

    @pytest.mark.parametrize("colour", ["white", "black"])
    def test_a_grey_die_that_the_lamp_makes_light_or_dark_is_the_mices(self, colour: str) -> None:
        assert see(kitchen(FREE), die(2, colour)).verdict is Verdict.PLAY
        assert see(kitchen(FREE, side="cat"), die(2, colour)).rule == "wrong-die"

    @pytest.mark.parametrize("colour", ["red", "other", "green"])
    def test_a_colour_that_is_neither_is_asked_about(self, colour: str) -> None:
        seen = see(kitchen(FREE), die(2, colour))
        assert (seen.verdict, seen.why) == (Verdict.ASK, "die-colour")
        assert seen.guesses[0].moves == (ThrowDie((2,)),)

    def test_an_unclear_die_is_asked_about_the_likeliest_first(self) -> None:
        seen = see(kitchen(FREE), die(3, sure=False, confidence=0.6))
        assert (seen.verdict, seen.why) == (Verdict.ASK, "die-unclear")
        values = [guess.moves[0].dice[0] for guess in seen.guesses]
        assert (values[0], sorted(values)) == (3, [1, 2, 3, 4])
        assert sum(guess.confidence for guess in seen.guesses) == pytest.approx(1, abs=1e-4)

    def test_a_value_it_cannot_have_is_no_guess(self) -> None:
        seen = see(kitchen(FREE, side="cat"), die(6, "blue", sure=False))
        assert sorted(guess.moves[0].dice[0] for guess in seen.guesses) == [1, 2, 3]

    def test_a_throw_too_early_is_said(self) -> None:
        seen = see(play(kitchen(FREE), 1), die(2))
        assert (seen.verdict, seen.rule, seen.facts["n"]) == (Verdict.BREAKS, "move-first", 1)

    def test_a_throw_after_the_end_is_said(self) -> None:
        over = play(kitchen(FREE, side="cat", cat=square("C1"), mice=(square("D1"), None, None, None)), 1)
        state = msgspec.structs.replace(over, ended="all-caught")
        assert see(state, die(2)).rule == "match-over"

    @pytest.mark.parametrize("why", ["hand", "blurred", "bumped"])
    def test_what_is_in_the_way_is_waited_out(self, why: str) -> None:
        seen = Observation(unsure=True, why=why, dice=(Die(2, "grey"),))
        assert see(kitchen(FREE), seen).verdict is Verdict.WAIT


class TestPieces:
    """A piece on another square is its move."""

    def test_pieces_where_they_stand_are_no_news(self) -> None:
        state = play(kitchen(FREE), 1)
        assert see(state, standing(state)).verdict is Verdict.NOTHING

    def test_the_cat_is_seen_put_on_the_table(self) -> None:
        state = GAME.start(CHOP, 2)
        seen = see(state, standing(state, new_D3="cat"))
        assert (seen.verdict, seen.guesses[0].moves) == (Verdict.PLAY, (PlaceCat(2, 3),))
        assert see(state, standing(state, new_A1="cat")).rule == "place-on-the-table"

    def test_a_moved_mouse_is_a_move(self) -> None:
        seen = see(play(kitchen(FREE), 1), standing(kitchen(FREE), A3="B3"))
        assert (seen.verdict, seen.guesses[0].moves) == (Verdict.PLAY, (go("2", "B3"),))

    def test_the_cats_move_and_her_catch(self) -> None:
        state = play(kitchen(FREE, side="cat"), 1)
        assert see(state, standing(state, C5="C6")).guesses[0].moves == (go("cat", "C6"),)
        near = play(kitchen(FREE, side="cat", cat=square("B3")), 1)
        caught = see(near, standing(near, B3="A3", A3=None))
        assert (caught.verdict, caught.guesses[0].moves) == (Verdict.PLAY, (go("cat", "A3"),))

    def test_too_far_is_said_with_its_rule(self) -> None:
        seen = see(play(kitchen(FREE), 1), standing(kitchen(FREE), A3="C3"))
        assert seen.verdict is not Verdict.PLAY
        far = see(play(kitchen(FREE), 1), standing(kitchen(FREE), A3="B5"))
        assert (far.verdict, far.rule) == (Verdict.BREAKS, "not-that-far")

    def test_a_mouse_under_the_table_is_asked_about(self) -> None:
        beside = kitchen(FREE, mice=(square("D1"), square("B3"), square("G4"), None))
        state = play(beside, 1)
        seen = see(state, standing(state, B3=None))
        assert (seen.verdict, seen.why) == (Verdict.ASK, "which-piece")
        assert [guess.moves for guess in seen.guesses] == [(go("2", "C3"),)]

    def test_one_that_comes_out_from_under_the_table_is_a_move(self) -> None:
        under = kitchen(FREE, mice=(square("D1"), square("C3"), square("G4"), None))
        state = play(under, 1)
        seen = see(state, standing(state, new_B3="mouse"))
        assert (seen.verdict, seen.guesses[0].moves) == (Verdict.PLAY, (go("2", "B3"),))

    def test_which_of_two_alike_is_asked(self) -> None:
        under = kitchen(FREE, mice=(square("C3"), square("D4"), square("G4"), None), cat=square("G6"))
        state = play(under, 2)
        seen = see(state, standing(state, new_B4="mouse"))
        assert seen.verdict is Verdict.ASK
        assert [guess.moves for guess in seen.guesses] == [(go("1", "B4"),), (go("2", "B4"),)]

    def test_a_piece_in_a_hand_is_waited_for(self) -> None:
        state = kitchen(FREE)
        assert see(state, standing(state, A3=None)).verdict is Verdict.WAIT

    def test_a_piece_moved_before_the_throw_is_said(self) -> None:
        seen = see(kitchen(FREE), standing(kitchen(FREE), A3="B3"))
        assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "throw-first")

    def test_a_piece_of_the_other_side_is_said(self) -> None:
        seen = see(play(kitchen(FREE), 1), standing(kitchen(FREE), C5="C6"))
        assert (seen.verdict, seen.rule, seen.facts) == (Verdict.BREAKS, "other-side", {"side": "mice"})

    def test_two_pieces_moved_at_once_are_said(self) -> None:
        seen = see(play(kitchen(FREE), 1), standing(kitchen(FREE), A3="B3", C5="C6"))
        assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "pieces-differ")

    def test_what_is_unsure_is_asked_never_played(self) -> None:
        state = play(kitchen(FREE), 1)
        clear = standing(state, A3="B3")
        seen = see(state, Observation(unsure=True, why="between-squares", pieces=clear.pieces))
        assert (seen.verdict, seen.why) == (Verdict.ASK, "between-squares")
        strange = Observation(unsure=True, why="pieces-unclear", pieces=standing(state, A3="G6").pieces)
        assert (see(state, strange).verdict, see(state, strange).why) == (Verdict.WAIT, "pieces-unclear")

    def test_the_same_mouse_twice(self) -> None:
        state = play(kitchen(FREE, same="mouse-1"), 1)
        seen = see(state, standing(state, A3="B3"))
        assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "pieces-differ")
