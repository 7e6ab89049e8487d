"""The vision loop: readings become sightings at the table, and people have the last word.

The reader is scripted: how pictures are read is tested with the vision.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from companion import machine
from companion.errors import IllegalMove, PhotoError
from companion.games.watching import Alternative, Die, Observation, Tile, Verdict
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.service.camera_status import CameraStatus
from companion.service.pictures import DebugFrames
from companion.service.senses import match_senses
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from hardware.camera.health import CameraState, Condition
from hardware.vision.board.photos import PhotosReading
from hardware.vision.board.scene import PictureLine, Scene
from hardware.vision.dice.table_view import TableView
from hardware.vision.errors import HomographyError, ReferenceMissingError
from tests.conftest import BED, OPENING, lay
from tests.service import scripted
from tests.service.scripted import PICTURE, ScriptedDice, ScriptedTiles, StillWatcher


def tile(owner: str, digit: int, row: int, col: int, turns: int = 0) -> Tile:
    cells = tuple((row + r, col) for r in range(5)) if digit == 1 else ((row, col),)
    return Tile(owner, digit, turns, row, col, cells, 0.99)


CAT_1, CAT_1_ELSEWHERE = tile("cat", 1, 5, 3), tile("cat", 1, 5, 4)
DOG_1 = tile("dog", 1, 0, 0)


def sees(*tiles: Tile, unsure: bool = False, why: str = "", others: Iterable[Any] = ()) -> Observation:
    alternatives = tuple(Alternative(tuple(board), 0.5 / n) for n, board in enumerate(others, 1))
    return Observation(unsure, why, tiles, alternatives=alternatives)


class Evening:
    """A table, a live reader over it, and the script that the reader follows."""

    def __init__(
        self,
        table: Table,
        shown: Path | None = None,
        *,
        live: bool = False,
        debug_frames: DebugFrames | None = None,
    ) -> None:
        self.table = table
        self.watcher = StillWatcher(live=live)
        watcher: Any = self.watcher
        self.live = VisionLoop(
            table, watcher, source="test", shown=shown, debug_frames=debug_frames, clock=lambda: 12.0
        )

    @property
    def reader(self) -> Any:
        """The reader of the board that is watched now."""
        return ScriptedTiles.made[-1]

    def see(self, said: Observation | Exception) -> None:
        self.reader.says = said
        self.live.take_frame(Frame(PICTURE, 0.0))

    def shows(self, role: Any, **note: Any) -> None:
        self.live.take_frame(Frame(PICTURE, 0.0, "", PictureLine("", role, **note)))

    @property
    def laid(self) -> list[tuple[str, int, int]]:
        return [(t.owner, t.digit, t.col) for t in self.table.snapshot.view().match.board.tiles]


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.put_in(monkeypatch)


@pytest.fixture
def at(journal: Journal) -> Evening:
    return Evening(Table.open(journal, BED))


def test_a_tile_that_is_seen_is_played(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.see(sees(CAT_1, DOG_1))
    assert at.laid == [("cat", 1, 3), ("dog", 1, 0)]
    assert at.table.snapshot.view().match.by == "camera"


def test_a_tile_that_could_not_be_kept_is_played_once_the_disk_takes_it(
    at: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    at.table.journal._connection.execute("PRAGMA query_only = ON")
    frames = [Frame(PICTURE, n / 10) for n in range(5)]
    at.reader.says = sees(CAT_1)
    at.watcher.next = lambda _: frames.pop() if frames else at.live._stopping.set()  # type: ignore[assignment, func-returns-value]
    at.live._run()
    at.live._stopping.clear()
    assert at.laid == []
    assert [record.levelname for record in caplog.records] == ["ERROR"], (
        "a full disk takes no long log either"
    )
    at.table.journal._connection.execute("PRAGMA query_only = OFF")
    at.see(sees(CAT_1))
    assert at.laid == [("cat", 1, 3)]


def test_a_live_camera_must_see_it_twice(journal: Journal) -> None:
    at = Evening(Table.open(journal, BED), live=True)
    at.see(sees(CAT_1))
    assert at.laid == []
    at.see(sees(CAT_1_ELSEWHERE))
    assert at.laid == []
    at.see(sees(CAT_1_ELSEWHERE))
    assert at.laid == [("cat", 1, 4)]


def test_a_hand_is_waited_out(at: Evening) -> None:
    at.see(sees(unsure=True, why="hand"))
    shown = at.table.snapshot.view().sighting
    assert shown is not None
    assert shown.verdict is Verdict.WAIT
    assert at.live.state().why == "hand"
    at.see(sees())
    assert at.table.snapshot.view().sighting is None


def test_what_is_not_sure_is_asked_and_shown_enlarged(at: Evening) -> None:
    at.see(sees(unsure=True, why="not-told-apart", others=[[CAT_1], [CAT_1_ELSEWHERE]]))
    shown = at.table.snapshot.view().sighting
    assert shown is not None
    assert [guess.moves[0].col for guess in shown.guesses[:2]] == [3, 4]
    crop = at.live.crop()
    assert crop is not None
    height, width = cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    assert 90 < width < 110  # two squares and a margin of one and a half on either side, 20 px each
    assert 150 < height < 170


def test_without_a_question_there_is_nothing_to_enlarge(at: Evening) -> None:
    assert at.live.crop() is None
    at.see(sees(CAT_1))
    assert at.live.crop() is None
    at.see(sees(CAT_1, unsure=True, why="hand"))
    assert at.live.crop() is None


def test_the_reader_believes_what_people_set_by_hand(at: Evening) -> None:
    at.table.play(lay("cat", 1, 5, 4), "phone")
    at.see(sees(CAT_1_ELSEWHERE))
    assert [(t.owner, t.kind, t.col) for t in at.reader.believed[-1]] == [("cat", 1, 4)]
    assert at.table.match.n == 1


def test_the_reader_believes_what_lies_there_of_a_match_that_goes_on(journal: Journal) -> None:
    table = Table.open(journal, BED)
    table.play(OPENING[0], "phone")
    at = Evening(Table.open(journal, BED))
    at.see(sees(CAT_1))
    assert [(t.owner, t.kind) for t in at.reader.believed[-1]] == [("cat", 1)]


def test_what_the_camera_itself_played_is_believed_already(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.see(sees(CAT_1))
    assert at.reader.believed == []


def test_an_undo_is_not_undone_by_the_camera(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1))
    assert at.laid == []
    shown = at.table.snapshot.view().sighting
    assert shown is not None
    assert (shown.verdict, shown.why) == (Verdict.WAIT, "undone")


def test_while_an_undone_tile_still_lies_the_reader_believes_the_match(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1))
    at.see(sees(CAT_1))
    assert [list(tiles) for tiles in at.reader.believed] == [[], [], []]


def test_after_an_undo_the_tile_may_be_laid_again_once_it_was_lifted(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1))
    at.see(sees())
    at.see(sees(CAT_1))
    assert at.laid == [("cat", 1, 3)]


def test_after_an_undo_it_may_be_laid_elsewhere(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1_ELSEWHERE))
    assert at.laid == [("cat", 1, 4)]


def test_after_an_undo_play_that_goes_on_counts(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1, DOG_1))
    assert at.laid == [("cat", 1, 3), ("dog", 1, 0)]


def test_a_move_that_is_redone_is_no_longer_taken_back(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1))
    at.table.redo("phone")
    at.see(sees(CAT_1))
    assert at.table.snapshot.sighting is None


def test_what_was_taken_back_in_the_last_match_counts_in_the_next(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.undo("phone")
    at.see(sees(CAT_1))
    at.table.begin(BED, {})
    at.see(sees(CAT_1))
    assert at.laid == [("cat", 1, 3)]


def test_what_lies_there_from_the_last_match_was_not_taken_back(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.begin(BED, {})
    at.see(sees(CAT_1))
    assert at.laid == [("cat", 1, 3)]


def test_the_reader_follows_the_turn_order_of_the_match(at: Evening) -> None:
    at.see(sees())
    first = at.reader.turn_order
    assert first.owners == ("cat", "dog")
    at.table.begin(BED, {})
    at.see(sees())
    assert at.reader.turn_order is not first


def thrown(*values: int, unsure: bool = False) -> Observation:
    why = "dice" if unsure else ""
    return Observation(unsure, why, dice=tuple(Die(value, "white", (0, 0, 40, 40), 0.9) for value in values))


def test_a_throw_that_is_seen_is_played_once(journal: Journal) -> None:
    at = Evening(Table.open(journal, "cat-and-mouse"))
    ScriptedDice.throws = [None, thrown(3, 4), None, thrown(2, 1)]
    for _ in range(4):
        at.see(AssertionError("no board is read in a game without one"))
    assert [move.dice for move in at.table.match.moves] == [(3, 4), (2, 1)]


def test_dice_are_looked_for_beside_the_board(journal: Journal) -> None:
    table = Table.open(journal, "cat-and-mouse")
    board = Scene(rows=16, cols=12)
    loop = VisionLoop(table, StillWatcher(), board)  # type: ignore[arg-type]
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    loop.take_frame(Frame(noise, 0.0))
    (looked_at,) = ScriptedDice.pictures
    assert np.ptp(looked_at[60:360, 110:330], axis=(0, 1)).max() == 0, "the board is painted over"
    assert np.array_equal(looked_at[:, 500:], noise[:, 500:])
    assert ScriptedDice.views == [TableView()], "a board square-on is seen from above, and has no markers"


def test_dice_that_are_not_sure_are_asked_about(journal: Journal) -> None:
    at = Evening(Table.open(journal, "cat-and-mouse"))
    ScriptedDice.throws = [thrown(3, 4, unsure=True)]
    at.see(sees())
    shown = at.table.snapshot.view().sighting
    assert shown is not None
    assert (shown.verdict, shown.why) == (Verdict.ASK, "dice")
    assert at.table.match.n == 0


def test_a_match_on_another_board_must_be_shown_it(at: Evening) -> None:
    at.see(sees())
    first = at.reader
    at.table.begin(BED, {"board": "b"})
    at.see(sees())
    assert at.reader is not first
    assert len(at.reader.scene.blocked) == 3
    at.table.begin("cat-and-mouse", {})
    ScriptedDice.throws = [None]
    at.see(sees())
    assert at.live.lessons() == ()


def test_another_match_is_another_board(at: Evening) -> None:
    at.see(sees(CAT_1))
    at.table.begin(BED, {})
    at.see(sees())
    assert at.reader.believed[-1] == []
    assert at.laid == []


def test_a_source_that_shows_the_empty_bed_again_begins_the_next_match(journal: Journal) -> None:
    tiny = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
    at = Evening(new_table(journal, BED, {"board": tiny}))
    at.shows("empty")
    first = at.table.match.record.id
    at.see(sees(tile("cat", 1, 0, 0)))
    at.shows("empty")
    assert at.table.match.record.id == first
    at.see(sees(tile("cat", 1, 0, 0), tile("dog", 1, 0, 1)))
    at.shows("empty")
    assert at.table.match.record.id != first
    assert at.table.match.record.options["board"] == tiny


def test_what_a_source_notes_is_shown_to_the_reader(at: Evening) -> None:
    at.shows("empty")
    at.shows("start", covered=((0, 0),))
    at.shows("teach", tiles=(Tile("dog", 4, 0, 2, 2),))
    assert at.reader.shown == ["empty", "start", "teach dog-4"]


@pytest.mark.parametrize(
    ("error", "needs"),
    [
        pytest.param(ReferenceMissingError("Show the empty bed first."), "empty", id="empty-bed-not-seen"),
        pytest.param(HomographyError("No marker is seen."), "markers", id="no-markers"),
    ],
)
def test_what_is_missing_is_said_until_it_is_there(at: Evening, error: Exception, needs: str) -> None:
    version = at.table.snapshot.version
    at.see(error)
    assert at.live.state().needs == needs
    assert at.table.snapshot.version > version
    at.see(sees())
    assert at.live.state().needs == ""


def test_the_state_of_the_camera(at: Evening) -> None:
    at.see(sees())
    at.see(sees())
    state = at.live.state()
    assert (state.kind, state.since_s, state.source, state.fps) == ("ok", 2.0, "test", 0.4)
    assert state.taught == {"cat": (1,), "dog": ()}


def test_the_picture_and_what_was_read_over_it(at: Evening) -> None:
    assert at.live.picture() is None
    assert at.live.overlay().width == 0
    at.see(sees(CAT_1))
    picture = at.live.picture()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")
    overlay = at.live.overlay()
    assert (overlay.width, overlay.height) == (640, 480)
    assert len(overlay.grid) == 17 + 13
    (drawn,) = overlay.tiles
    assert (drawn.owner, drawn.kind, len(drawn.polygon)) == ("cat", 1, 12)
    at.reader.homography = None
    at.see(sees(CAT_1))
    assert at.live.overlay().grid == ()


def test_the_picture_is_the_cameras_newest_also_one_that_cannot_be_read(at: Evening) -> None:
    at.see(sees())
    at.watcher.latest = Frame(np.full((30, 40, 3), 255, np.uint8), 1.0)
    picture = at.live.picture()
    assert picture is not None
    assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape == (30, 40, 3)


def test_what_was_shown_is_kept_for_the_next_time(journal: Journal, tmp_path: Path) -> None:
    kept = tmp_path / "camera.npz"
    at = Evening(Table.open(journal, BED), kept)
    at.see(sees())
    at.live.set_up.remember_empty()
    assert at.watcher.locked, "from now on the camera changes nothing by itself"
    at.live.set_up.teach("cat", (1, 2))
    assert kept.read_bytes() == b"empty,teach cat-1 cat-2"
    again = Evening(at.table, kept)
    assert again.reader.shown == ["empty,teach cat-1 cat-2"]


def test_lessons_tell_where_in_the_picture_tiles_are_to_lie(at: Evening) -> None:
    lessons = at.live.lessons()
    assert {(lesson.owner, digit) for lesson in lessons for digit in lesson.kinds} == {
        (owner, digit) for owner in ("cat", "dog") for digit in range(1, 10)
    }
    assert all(len(lesson.outlines) == len(lesson.kinds) for lesson in lessons)
    assert lessons[0].outlines[0][0] == pytest.approx((100, 50), abs=0.5)
    at.reader.homography = None
    at.see(sees())
    assert at.live.lessons()[0].outlines == ()


def test_tiles_that_were_never_shown_are_asked_for(at: Evening) -> None:
    at.reader.kinds = {"cat": (), "dog": ()}
    at.see(sees())
    assert at.live.state().needs == "teach"


def test_nothing_can_be_remembered_before_the_first_picture(at: Evening) -> None:
    with pytest.raises(Exception, match="no picture yet"):
        at.live.set_up.remember_empty()


@pytest.mark.parametrize(("hinders", "says"), [("hand", "over the edge"), ("blurred", "is blurred")])
def test_the_empty_board_is_not_taken_from_a_picture_that_is_no_good(
    at: Evening, monkeypatch: pytest.MonkeyPatch, hinders: str, says: str
) -> None:
    at.see(ReferenceMissingError("Show the empty board first."))
    monkeypatch.setattr(type(at.reader), "hinders", hinders)
    with pytest.raises(IllegalMove, match=says):
        at.live.set_up.remember_empty()
    assert at.reader.shown == []
    assert at.live.state().needs == "empty"


def test_the_empty_board_is_taken_once_everything_is_still(at: Evening) -> None:
    finger = PICTURE.copy()
    finger[200:240, 300:340] = 200
    for at_s, picture in ((0.0, PICTURE), (0.1, finger), (0.4, finger)):
        at.live.take_frame(Frame(picture, at_s))
    with pytest.raises(IllegalMove, match="Something is moving"):
        at.live.set_up.remember_empty()
    at.live.take_frame(Frame(finger, 0.7))
    at.live.set_up.remember_empty()
    assert at.reader.shown == ["empty"]


def test_another_game_needs_nothing_that_only_the_last_one_did(at: Evening) -> None:
    at.reader.kinds = {"cat": (), "dog": ()}
    at.see(sees())
    assert at.live.state().needs == "teach"
    at.table.begin("cat-and-mouse", {})
    assert (at.live.state().needs, at.live.state().taught, at.live.lessons()) == ("", {}, ())


def test_a_question_of_which_no_part_is_known_shows_all_of_the_picture(at: Evening) -> None:
    at.see(sees())
    at.table.begin("chop-chop", {})
    assert at.live.crop() is None
    at.table.play({"move": "place", "row": 2, "col": 2}, "phone")
    at.table.see(Observation(unsure=True, dice=(Die(2, "grey"),)))
    assert at.table.snapshot.sighting is not None
    assert at.table.snapshot.sighting.verdict is Verdict.ASK
    assert at.live.crop() == at.live.picture()


@pytest.mark.parametrize(
    "corners", [((1, 2), (3, 4), (3, 2), (1, 4)), ((1, 2), (1, 2), (3, 4), (1, 4))], ids=["crossed", "twice"]
)
def test_corners_that_go_not_once_around_a_board_are_refused_at_once(at: Evening, corners: Any) -> None:
    with pytest.raises(PhotoError, match="drag each to its own corner"):
        at.live.set_up.set_corners(corners)
    at.see(sees())
    assert at.reader.corners == [None]


def test_corners_set_by_hand_are_used(at: Evening) -> None:
    corners = ((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0))
    at.live.set_up.set_corners(corners)
    at.see(sees())
    assert at.reader.corners == [corners]


def test_corners_that_the_source_notes_go_before_those_set_by_hand(at: Evening) -> None:
    tapped = ((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0))
    noted = ((10.0, 20.0), (30.0, 20.0), (30.0, 40.0), (10.0, 40.0))
    at.live.set_up.set_corners(tapped)
    at.shows("empty")
    at.shows("empty", corners_px=noted)
    at.shows("watch", corners_px=noted)
    assert at.reader.corners == [tapped, noted, noted]


def test_it_starts_and_stops(at: Evening) -> None:
    at.live.start()
    at.live.stop()
    assert not at.live._thread.is_alive()


@pytest.mark.parametrize(
    ("condition", "at_work"),
    [
        pytest.param(Condition.OK, False, id="pictures-come-and-none-is-read"),
        pytest.param(Condition.UNPLUGGED, True, id="there-are-none-to-read"),
    ],
)
def test_it_is_at_work_while_pictures_are_read_or_there_are_none(
    at: Evening, monkeypatch: pytest.MonkeyPatch, condition: Condition, at_work: bool
) -> None:
    looked = Event()
    at.watcher.state = CameraState(condition, 10.0)

    def nothing(timeout_s: float) -> None:
        looked.set()
        Event().wait(0.01)

    monkeypatch.setattr(at.watcher, "next", nothing)
    assert not at.live.at_work()
    at.live.start()
    for _ in range(2):
        looked.clear()
        assert looked.wait(30)
    at.live.stop()
    assert at.live.at_work() is at_work
    assert not at.live.at_work(), "nothing has gone on since"


def test_a_picture_that_cannot_be_read_is_kept_with_its_reason(journal: Journal, tmp_path: Path) -> None:
    at = Evening(Table.open(journal, BED), debug_frames=DebugFrames(tmp_path))
    kept = tmp_path / "failing.json"
    at.see(sees(CAT_1))
    assert not kept.exists()
    at.see(sees(unsure=True, why="overlap"))
    assert b"overlap" in kept.read_bytes()
    kept.unlink()
    at = Evening(at.table, debug_frames=DebugFrames(tmp_path))
    at.see(HomographyError("No marker is seen."))
    assert b"No marker is seen." in kept.read_bytes()


def test_moves_from_the_opening_are_seen_in_order(at: Evening) -> None:
    tiles = [
        Tile(str(m["owner"]), int(str(m["digit"])), 0, int(str(m["row"])), int(str(m["col"])), (), 1.0)
        for m in OPENING
    ]
    at.see(sees(*tiles))
    assert len(at.laid) == 4


@pytest.mark.parametrize("slug", ["exploding-kittens", "hide-and-seek", "cat-and-mouse", "chop-chop"])
def test_a_game_without_tiles_asks_for_none_to_be_learnt(at: Evening, slug: str) -> None:
    ScriptedTiles.made[-1].kinds = {}
    at.see(Observation(tiles=()))
    assert at.live.state().needs == "teach"
    at.table.begin(slug, {})
    at.live.take_frame(Frame(PICTURE, 0.1))
    assert at.live.state().needs == ""
    assert at.live.lessons() == ()


class TestWholeBoard:
    """A person lets the whole board be read afresh, as after a bump or where a game began by taps."""

    @pytest.fixture
    def whole(self, at: Evening, monkeypatch: pytest.MonkeyPatch) -> Any:
        """Sets what one picture alone shows, whatever was believed before."""
        at.see(sees(CAT_1))
        at.see(sees(CAT_1, DOG_1))

        def shows(*tiles: Tile, **how: Any) -> None:
            read = PhotosReading(sees(*tiles, **how), (), ())
            monkeypatch.setattr(match_senses, "read_photos", lambda *_, **__: read)

        return shows

    def test_a_board_as_the_match_holds_it_asks_nothing(self, at: Evening, whole: Any) -> None:
        whole(CAT_1, DOG_1)
        assert at.live.set_up.read_whole() is False
        assert at.table.snapshot.sighting is None

    def test_what_differs_is_asked_and_never_played_by_itself(self, at: Evening, whole: Any) -> None:
        whole(CAT_1_ELSEWHERE, DOG_1)
        assert at.live.set_up.read_whole() is True
        assert at.laid == [("cat", 1, 3), ("dog", 1, 0)]
        asked = at.table.snapshot.sighting
        assert asked is not None
        assert (asked.verdict, asked.why) == (Verdict.ASK, "whole-board")
        at.table.answer(asked.id, 0, "phone")
        assert at.laid == [("cat", 1, 4), ("dog", 1, 0)]

    def test_a_new_tile_too_is_asked_about(self, at: Evening, whole: Any) -> None:
        whole(CAT_1, DOG_1, tile("cat", 2, 9, 9))
        assert at.live.set_up.read_whole() is True
        assert len(at.laid) == 2

    def test_readings_that_go_on_leave_the_question_open(self, at: Evening, whole: Any) -> None:
        whole(CAT_1_ELSEWHERE, DOG_1)
        at.live.set_up.read_whole()
        at.see(sees(CAT_1, DOG_1))
        assert at.table.snapshot.sighting is not None
        assert at.table.snapshot.sighting.why == "whole-board"
        whole(CAT_1, DOG_1)
        assert at.live.set_up.read_whole() is False
        assert at.table.snapshot.sighting is None

    def test_a_board_to_which_no_moves_lead_is_said_to_be(self, at: Evening, whole: Any) -> None:
        whole(CAT_1, tile("dog", 1, 5, 3))
        with pytest.raises(PhotoError) as caught:
            at.live.set_up.read_whole()
        assert caught.value.fault == "no-moves-lead-there"
        assert at.table.snapshot.sighting is None

    def test_a_board_that_cannot_be_read_is_said_to_be(self, at: Evening, whole: Any) -> None:
        whole(unsure=True, why="markers")
        with pytest.raises(PhotoError) as caught:
            at.live.set_up.read_whole()
        assert caught.value.fault == "unreadable"

    def test_a_camera_that_was_taught_nothing_says_so(self, at: Evening) -> None:
        at.see(sees())
        at.reader.kinds = {"cat": (), "dog": ()}
        with pytest.raises(PhotoError) as caught:
            at.live.set_up.read_whole()
        assert caught.value.fault == "not-taught"


@pytest.mark.parametrize(
    ("condition", "load", "kind"),
    [
        (Condition.SLOW, 1.0, "slow"),
        (Condition.SLOW, 5.0, "busy"),
        (Condition.OK, 5.0, "ok"),
        (Condition.UNPLUGGED, 5.0, "unplugged"),
    ],
)
def test_few_pictures_of_a_busy_machine_are_not_the_cameras_fault(
    condition: Condition, load: float, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 4)
    monkeypatch.setattr(machine.os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert CameraStatus(1, Mock()).state(CameraState(condition, 0.0), 1.0, "usb:0").kind == kind
