"""The vision loop for a game with a die for each side and pieces on a board: Chop! Chop!.

The readers are scripted: how pictures are read is tested with the vision.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chop_chop.state import ChopState
from companion.games.watching import Die, Observation, Piece
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from hardware.vision.errors import ReferenceMissingError
from tests.service import scripted
from tests.service.scripted import PICTURE, ScriptedDice, ScriptedPieces, StillWatcher

START = (("mouse", 0, 3), ("mouse", 2, 0), ("mouse", 3, 6), ("mouse", 5, 3))
CAT = ("cat", 2, 3)


@pytest.fixture
def table(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match of Chop! Chop! at its start."""
    scripted.put_in(monkeypatch)
    ScriptedPieces.says = reading(*START)
    return new_table(journal, "chop-chop", {})


def reading(*pieces: tuple[str, int, int], unsure: bool = False, why: str = "") -> Observation:
    """A reading of these pieces."""
    return Observation(unsure, why, pieces=tuple(Piece(*piece, 0.98) for piece in pieces))


def look(live: VisionLoop, *pieces: tuple[str, int, int], times: int = 1, **how: Any) -> None:
    """The camera reads these pieces, so many times."""
    ScriptedPieces.says = reading(*pieces, **how)
    for _ in range(times):
        live.take_frame(Frame(PICTURE, 0.0))


def live_of(table: Table, *, live: bool = False) -> VisionLoop:
    """The loop over a camera that gives what the test hands in."""
    return VisionLoop(table, StillWatcher(live=live))  # type: ignore[arg-type]


def standing(table: Table) -> Any:
    """How the match stands."""
    state = table.match.state
    assert isinstance(state, ChopState)
    return state.standing


def moved(old: tuple[str, int, int], new: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    """The pieces, the cat on the table, one of them elsewhere."""
    return [new if piece == old else piece for piece in (CAT, *START)]


def test_a_piece_is_followed_from_the_board_into_the_match(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    assert standing(table).cat == (2, 3)
    table.play({"move": "throw", "dice": [1]}, "phone")
    look(live, *moved(("mouse", 0, 3), ("mouse", 1, 3)))
    assert (standing(table).phase, standing(table).at("mouse-1")) == ("slab", (1, 3))


def test_a_live_camera_must_read_the_same_twice(table: Table) -> None:
    live = live_of(table, live=True)
    look(live, CAT, *START)
    assert standing(table).cat is None
    look(live, CAT, *START)
    assert standing(table).cat == (2, 3)


def test_an_unsure_reading_is_never_played(table: Table) -> None:
    look(live_of(table), CAT, *START, unsure=True, why="between-squares")
    assert standing(table).cat is None
    assert table.snapshot.view().sighting is not None


def test_who_taps_first_and_moves_the_piece_afterwards_is_not_scolded(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    table.play({"move": "throw", "dice": [1]}, "phone")
    table.play({"move": "go", "piece": "mouse-1", "row": 1, "col": 3}, "phone")
    look(live, CAT, *START)
    sighting = table.snapshot.view().sighting
    assert sighting is not None
    assert (sighting.verdict, sighting.why) == ("wait", "pieces-behind")
    look(live, *moved(("mouse", 0, 3), ("mouse", 1, 3)))
    assert table.snapshot.view().sighting is None
    assert standing(table).phase == "slab"


def tapped(table: Table) -> None:
    """Somebody taps a throw and where a mouse goes; its piece is not moved yet."""
    table.play({"move": "throw", "dice": [1]}, "phone")
    table.play({"move": "go", "piece": "mouse-1", "row": 1, "col": 3}, "phone")


def why(table: Table) -> str:
    """What the table says is in the way."""
    return table.snapshot.sighting.why if table.snapshot.sighting else ""


def test_pieces_stay_behind_while_a_hand_hides_them(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    tapped(table)
    look(live, CAT, *START)
    look(live, unsure=True, why="hand")
    assert why(table) == "hand"
    look(live, CAT, *START)
    assert why(table) == "pieces-behind"


def test_pieces_may_be_several_moves_behind(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    tapped(table)
    look(live, CAT, *START)
    table.play({"move": "turn-slab", "slab": "crockery"}, "phone")
    table.play({"move": "throw", "dice": [1]}, "phone")
    table.play({"move": "go", "piece": "cat", "row": 2, "col": 2}, "phone")
    look(live, CAT, *START)
    assert why(table) == "pieces-behind"


def test_pieces_are_not_behind_the_next_match(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    tapped(table)
    look(live, CAT, *START)
    table.begin("chop-chop", {})
    look(live, CAT, *START)
    assert standing(table).cat == (2, 3)


def test_the_reader_knows_where_the_pieces_stand(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START, times=2)
    assert ScriptedPieces.made[-1].stood == [frozenset(START), frozenset((CAT, *START))]


def test_a_move_taken_back_is_not_played_again_while_the_piece_still_stands_there(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    table.play({"move": "throw", "dice": [1]}, "phone")
    went = moved(("mouse", 0, 3), ("mouse", 1, 3))
    look(live, *went)
    table.undo("phone")
    look(live, *went, times=3)
    assert standing(table).phase == "move"
    look(live, CAT, *START)
    look(live, *went)
    assert standing(table).phase == "slab"


def test_the_die_of_the_side_to_throw_is_watched_for(table: Table) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    table.play({"move": "throw", "dice": [1]}, "phone")
    table.play({"move": "go", "piece": "mouse-1", "row": 1, "col": 3}, "phone")
    table.play({"move": "turn-slab", "slab": "crockery"}, "phone")
    live.take_frame(Frame(PICTURE, 0.0))
    assert ScriptedDice.expected == [(1, (1, 2, 3, 4), True), (1, (1, 2, 3), True)]


@pytest.mark.parametrize(("colour", "throws"), [("grey", 1), ("blue", 0)])
def test_a_throw_is_played_only_with_the_sides_own_die(table: Table, colour: Any, throws: int) -> None:
    live = live_of(table)
    look(live, CAT, *START)
    ScriptedDice.throws.append(Observation(dice=(Die(2, colour, (0, 0, 30, 30), 0.99),), unsure=False))
    live.take_frame(Frame(PICTURE, 0.0))
    assert table.match.view().board.throws == throws


def test_the_dice_are_read_also_where_the_board_is_not(table: Table) -> None:
    live = live_of(table)
    table.play({"move": "place", "row": 2, "col": 3}, "phone")
    ScriptedPieces.says = ReferenceMissingError("show it first")
    ScriptedDice.throws.append(Observation(dice=(Die(2, "grey", (0, 0, 30, 30), 0.99),), unsure=False))
    live.take_frame(Frame(PICTURE, 0.0))
    assert table.match.view().board.throws == 1
    assert live.state().needs == "empty"


def test_another_game_is_read_by_its_own_reader(table: Table) -> None:
    live = live_of(table)
    look(live, *START)
    table.begin("this-bed-is-mine", {})
    live.take_frame(Frame(PICTURE, 0.0))
    table.begin("chop-chop", {})
    look(live, CAT, *START)
    assert standing(table).cat == (2, 3)
