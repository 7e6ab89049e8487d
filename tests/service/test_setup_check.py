"""The set-up judges pictures of the virtual table: the markers, the empty board, the tiles of a lesson."""

from __future__ import annotations

import msgspec
import pytest

from companion.errors import CompanionError, IllegalMove
from companion.games.watching import Tile
from companion.service.setup.checks import odd_squares
from companion.simulator.demo import VirtualDemo, VirtualPhone
from companion.simulator.draw import Table as OnTheTable
from companion.simulator.faults import Fault
from hardware.vision.board.board_view import BoardView
from hardware.vision.register.rectify import INNER
from tests.conftest import BED
from tests.polyomino.conftest import patches as patches
from tests.service.stepped import Evening

REST = 12
"""Steps after which a picture has come to rest."""


class Rehearsal:
    """A person tries the set-up on the virtual table; no camera has been shown anything."""

    def __init__(self, game: str = BED) -> None:
        self.evening = Evening(game)
        self.evening.camera.table.sit_down(VirtualPhone(self.evening.table))
        self.demo = VirtualDemo(self.evening.camera.table)
        self.demo.begin_rehearsal()
        self.loop = self.evening.loop
        self.wait()

    def wait(self, steps: int = REST) -> None:
        """Let time go by."""
        for _ in range(steps):
            self.evening.step()

    def lies(self, *tiles: Tile) -> None:
        """Put exactly these tiles there, by no hand."""
        self.evening.camera.table.rehearse(OnTheTable(tiles=tiles), hands=False)
        self.wait()

    def put(self, *given: object) -> None:
        """Let a hand put something there, and wait until it has left."""
        self.demo.put(*given)  # type: ignore[arg-type]
        while self.evening.camera.table._acted:
            self.evening.step()
        self.wait()

    def fault(self, name: str) -> None:
        """Switch a fault on."""
        self.demo.set_fault(name, on=True)
        self.wait()


@pytest.fixture(scope="module")
def rehearsal() -> Rehearsal:
    """One for all tests of this file, each of which leaves the table empty."""
    return Rehearsal()


@pytest.fixture
def at(rehearsal: Rehearsal) -> Rehearsal:
    """The rehearsal with an empty board that was not shown yet."""
    rehearsal.demo.table.faults.clear()
    rehearsal.loop.set_up.forget()
    rehearsal.lies()
    rehearsal.wait(25)  # until a bump is over
    return rehearsal


def test_all_markers_are_seen_and_the_grid_fits_them(at: Rehearsal) -> None:
    check = at.loop.set_up.check()
    assert [(marker.number, marker.state) for marker in check.markers] == [(n, "seen") for n in range(4)]
    assert len(check.grid) == 16 + 1 + 12 + 1
    assert check.fit_px is not None
    assert check.fit_px < 1.0
    assert (check.advice, check.by_hand, check.empty_shown) == ((), False, False)


@pytest.mark.parametrize(
    ("fault", "advice"),
    [(Fault.BLACK, ("dark",)), (Fault.OVEREXPOSED, ("bright",)), (Fault.BUMPED, ())],
)
def test_the_light_is_judged(at: Rehearsal, fault: str, advice: tuple[str, ...]) -> None:
    at.fault(fault)
    assert at.loop.set_up.check().advice == advice


def test_a_covered_marker_is_named_and_where_it_should_be(at: Rehearsal) -> None:
    at.fault(Fault.MARKER_COVERED)
    first, *others = at.loop.set_up.check().markers
    assert (first.number, first.state) == (0, "covered")
    assert len(first.outline) == 4
    assert {each.state for each in others} == {"seen"}


def test_a_blurred_picture_is_called_so_even_where_no_marker_is_seen_in_it(at: Rehearsal) -> None:
    at.loop.set_up.remember_empty()
    at.wait(2)
    at.fault(Fault.BLURRED)
    assert at.loop.set_up.check().advice == ("blurred",)


@pytest.mark.parametrize(
    ("fault", "hindrance"),
    [
        (Fault.HAND_STAYS, "hand"),
        (Fault.BLURRED, "blurred"),
        (Fault.MARKER_COVERED, "hand"),
    ],
)
def test_what_keeps_a_board_from_being_empty_is_said_and_it_is_not_taken(
    at: Rehearsal, fault: str, hindrance: str
) -> None:
    assert at.loop.set_up.check_empty().hindrance == ""
    at.fault(fault)
    assert at.loop.set_up.check_empty().hindrance == hindrance
    with pytest.raises(CompanionError):
        at.loop.set_up.remember_empty()
    assert not at.loop.set_up.check().empty_shown


def test_what_moves_is_waited_for(at: Rehearsal) -> None:
    at.demo.put("tile", "", ())
    at.wait(3)
    assert at.loop.set_up.check_empty().hindrance == "moving"


def test_a_forgotten_tile_is_seen_on_a_board_that_nobody_knows_and_a_person_has_the_last_word(
    at: Rehearsal,
) -> None:
    at.put("tile", "", ())
    check = at.loop.set_up.check_empty()
    assert (check.hindrance, len(check.things)) == ("tile", 1)
    with pytest.raises(IllegalMove) as refused:
        at.loop.set_up.remember_empty()
    assert refused.value.rule == "empty-tile"
    at.loop.set_up.remember_empty(sure=True)
    assert at.loop.set_up.check().empty_shown


def test_a_dream_bed_with_its_toys_and_pillows_is_empty() -> None:
    evening = Evening(BED, board="b")
    evening.step()
    table = evening.camera.table
    table.rehearse(OnTheTable(), hands=False)
    picture, _ = table.take_picture() or pytest.fail("no picture")
    colours, _ = BoardView(table.scene).samples(picture, None)
    assert odd_squares(colours[INNER], table.scene) == ()


class TestLessons:
    """Tiles are learnt once they lie in their places."""

    @pytest.fixture
    def shown(self, at: Rehearsal) -> Rehearsal:
        """The empty board is known."""
        at.loop.set_up.remember_empty()
        at.wait(2)
        return at

    def test_on_the_empty_board_every_tile_is_missing(self, shown: Rehearsal) -> None:
        check = shown.loop.set_up.check_lesson("cat", (7, 8, 9))
        assert [tile.kind for tile in check.tiles] == [7, 8, 9]
        assert {tile.state for tile in check.tiles} == {"missing"}
        assert (check.hindrance, check.things) == ("", ())

    def test_tiles_in_their_places_lie_right_and_are_learnt_as_they_look(self, shown: Rehearsal) -> None:
        for lesson in shown.loop.lessons():
            shown.put("lesson", lesson.owner, lesson.kinds)
            check = shown.loop.set_up.check_lesson(lesson.owner, lesson.kinds)
            assert {tile.state for tile in check.tiles} == {"right"}, lesson
            assert (check.hindrance, check.things) == ("", ())
            shown.loop.set_up.teach(lesson.owner, lesson.kinds)
        learnt = shown.loop.set_up.learnt()
        assert [(tile.owner, tile.kind) for tile in learnt[:2]] == [("cat", 1), ("cat", 2)]
        assert len(learnt) == 18
        assert len({tile.picture for tile in learnt}) == 18, "each has its own picture"

    def test_one_that_lies_askew_is_named_and_so_is_what_does_not_belong_there(
        self, shown: Rehearsal
    ) -> None:
        shown.put("askew", "cat", (7, 8, 9))
        states = [tile.state for tile in shown.loop.set_up.check_lesson("cat", (7, 8, 9)).tiles]
        assert states == ["right", "right", "beside"]
        shown.put("lesson", "cat", (7, 8, 9))
        (tile,) = shown.loop.set_up.check_lesson("cat", (7,)).tiles
        assert tile.state == "right"
        assert shown.loop.set_up.check_lesson("cat", (7,)).things, "8 and 9 are no part of this lesson"

    def test_a_hand_is_waited_out(self, shown: Rehearsal) -> None:
        shown.put("lesson", "dog", (7, 8, 9))
        shown.fault(Fault.HAND_STAYS)
        assert shown.loop.set_up.check_lesson("dog", (7, 8, 9)).hindrance == "hand"

    def test_no_move_is_made_of_a_lesson(self, shown: Rehearsal) -> None:
        before = shown.evening.table.snapshot.view().sighting
        shown.demo.put("lesson", "dog", (7, 8, 9))
        for _ in range(20):
            shown.loop.set_up.check_lesson("dog", (7, 8, 9))
            shown.wait(1)
        assert shown.evening.table.match.n == 0
        assert shown.evening.table.snapshot.view().sighting == before


def test_tiles_of_other_shapes_are_taught_like_ours(patches: str) -> None:
    at = Rehearsal(patches)
    at.loop.set_up.remember_empty()
    at.wait(2)
    lesson = at.loop.lessons()[0]
    at.put("lesson", lesson.owner, lesson.kinds)
    assert {tile.state for tile in at.loop.set_up.check_lesson(lesson.owner, lesson.kinds).tiles} == {"right"}
    at.loop.set_up.teach(lesson.owner, lesson.kinds)
    assert at.loop.state().taught[lesson.owner] == tuple(sorted(lesson.kinds, key=str))


def test_after_a_rehearsal_the_people_show_everything_again_and_play_on() -> None:
    at = Rehearsal()
    at.loop.set_up.forget()
    at.demo.end_rehearsal()
    at.evening.until(lambda: at.evening.table.match.n >= 1, 200)
    taught = at.loop.state().taught
    assert {owner: len(kinds) for owner, kinds in taught.items()} == {"cat": 9, "dog": 9}
    assert msgspec.to_builtins(at.evening.table.match.moves[0])["move"] == "lay"
