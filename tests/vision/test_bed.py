"""Reading the bed, on pictures that are drawn here."""

from __future__ import annotations

import io

import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.vision.board import board_view
from hardware.vision.board.appearance import grain_bins
from hardware.vision.board.illumination import fit_illumination
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import HomographyError, PictureError, ReferenceMissingError, SavedStateError
from tests.vision.drawn import BUMPED, LESSONS, SCENE, grid_corners_px, lying, picture, taught_reader, turns

FOUR = Tile("cat", 4, 0, 6, 4)
EIGHT = Tile("dog", 8, 1, 11, 4)
TWO = Tile("cat", 2, 0, 6, 8)
FIVE = Tile("dog", 5, 0, 1, 1)
GAME = (FOUR, EIGHT, TWO, FIVE)


@pytest.fixture(scope="module")
def saved() -> bytes:
    """What a reader knows that was shown the empty bed and every tile."""
    return taught_reader().save()


@pytest.fixture
def reader(saved: bytes) -> TileReader:
    """A reader that knows all tiles and has read two of them laid."""
    made = TileReader.restore(SCENE, saved, turns())
    for laid in (1, 2):
        assert not made.read_board(picture(GAME[:laid], noise=laid)).unsure
    return made


def test_a_game_is_read_tile_by_tile(reader: TileReader) -> None:
    for laid in (3, 4):
        reading = reader.read_board(picture(GAME[:laid], noise=laid), image=f"{laid}.jpg")
        assert (reading.unsure, reading.why, reading.image) == (False, "", f"{laid}.jpg")
        assert lying(reading.tiles) == lying(GAME[:laid])
        assert all(tile.confidence > 0.98 for tile in reading.tiles)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"corners": BUMPED}, id="bumped"),
        pytest.param({"gain": 0.75}, id="dimmer"),
        pytest.param({"glare": (640, 500)}, id="glare on a tile"),
        pytest.param({"hidden": (0, 2)}, id="two markers left"),
        pytest.param({"hidden": (0, 1, 2, 3)}, id="no marker left: the last homography holds"),
        pytest.param(
            {"hidden": (0, 1, 2), "corners": BUMPED}, id="bumped, one marker left: the print is found"
        ),
        pytest.param({"chips": ((0, 0), (0, 1), (1, 0), (3, 5), (15, 11))}, id="paw markers are no tiles"),
    ],
)
def test_a_tile_is_read_all_the_same(reader: TileReader, how: dict[str, object]) -> None:
    reading = reader.read_board(picture(GAME[:3], noise=9, **how))  # type: ignore[arg-type]
    assert not reading.unsure
    assert lying(reading.tiles) == lying(GAME[:3])


def test_a_bump_that_leaves_no_marker_in_sight_is_said(reader: TileReader) -> None:
    hidden = (0, 1, 2, 3)
    lost = reader.read_board(picture(GAME[:3], noise=9, corners=BUMPED, hidden=hidden))
    assert (lost.unsure, lost.why) == (True, "markers")
    assert lying(lost.tiles) == lying(GAME[:2])
    assert not reader.read_board(picture(GAME[:3], noise=10, corners=BUMPED)).unsure


def test_where_nothing_new_shows_the_board_is_not_searched_again(reader: TileReader) -> None:
    believed = reader.read_board(picture(GAME[:2], noise=8))
    again = reader.read_board(picture(GAME[:2], noise=9), image="again.jpg")
    assert (again.image, again.unsure, again.why) == ("again.jpg", False, "")
    assert again.tiles == believed.tiles
    assert "search" not in again.ms


def test_where_nothing_new_shows_no_grain_is_measured(
    reader: TileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    grained = []
    monkeypatch.setattr(board_view, "grain_bins", lambda *size: grained.append(size) or grain_bins(*size))
    reader.view.forget_picture()
    assert not reader.read_board(picture(GAME[:2], noise=9)).unsure
    assert not grained
    assert not reader.read_board(picture(GAME[:3], noise=10)).unsure
    assert grained, "for a new tile it is"


@pytest.mark.parametrize("wrong", [Tile("cat", 2, 0, 6, 3), Tile("cat", 4, 0, 5, 4)], ids=["kind", "place"])
def test_a_wrong_belief_is_overturned_by_what_is_laid_later(reader: TileReader, wrong: Tile) -> None:
    """A tile that shows nothing new stays, unless what is new cannot be explained then."""
    reader.believe((wrong, EIGHT))
    reading = reader.read_board(picture(GAME[:3], noise=9))
    assert lying(reading.tiles) == lying(GAME[:3])


def test_a_hand_is_waited_out(reader: TileReader) -> None:
    under = reader.read_board(picture(GAME[:3], noise=9, hand=True))
    assert under.unsure
    assert lying(under.tiles) == lying(GAME[:2])
    assert lying(reader.read_board(picture(GAME[:3], noise=10)).tiles) == lying(GAME[:3])


@pytest.mark.parametrize(
    ("mirrored", "why"),
    [
        pytest.param((10.5, 8.6, 4, 2.7), "", id="no tile fits into it"),
        pytest.param((10.5, 8.6, 5.5, 2.7), "unexplained", id="a 1 might lie there with its plain back up"),
    ],
)
def test_a_wall_mirrored_by_the_cover_is_no_tile(
    saved: bytes, mirrored: tuple[float, float, float, float], why: str
) -> None:
    whole = TileReader.restore(SCENE, saved, turns())
    reading = whole.read_board(picture(GAME, noise=9, mirrored=mirrored))
    assert (reading.unsure, reading.why) == (bool(why), why)
    assert lying(reading.tiles) == lying(GAME)


def test_what_lies_beside_the_picture_is_no_hand(saved: bytes) -> None:
    """The frame may reach out of a photo by hand; of the board itself nothing may."""
    by_hand = TileReader.restore(SCENE, saved, turns())
    corners = ((350, -30), (960, 0), (1040, 810), (240, 790))
    frame_cut = by_hand.read_board(picture(GAME, noise=9, corners=corners))
    assert (frame_cut.why, frame_cut.unsure) == ("", False)
    assert lying(frame_cut.tiles) == lying(GAME)
    corners = ((350, -130), (960, -100), (1040, 710), (240, 690))
    board_cut = by_hand.read_board(picture(GAME, noise=9, corners=corners))
    assert (board_cut.why, board_cut.unsure) == ("markers", True)


def test_two_tiles_at_once_are_read_and_said(reader: TileReader) -> None:
    reading = reader.read_board(picture(GAME, noise=9))
    assert (reading.unsure, reading.why) == (False, "several-missed")
    assert lying(reading.tiles) == lying(GAME)


def test_a_tile_out_of_turn_is_said(reader: TileReader) -> None:
    reading = reader.read_board(picture((*GAME[:2], FIVE), noise=9))
    assert (reading.unsure, reading.why) == (False, "out-of-turn")


def test_a_moved_tile_is_asked_about_once(reader: TileReader) -> None:
    moved = (FOUR, Tile("dog", 8, 1, 11, 0))
    first, second = (reader.read_board(picture(moved, noise=noise)) for noise in (9, 10))
    assert (first.unsure, first.why) == (True, "moved")
    assert lying(first.tiles) == lying(moved)
    reader.view.forget_picture()
    second = reader.read_board(picture(moved, noise=11))
    assert not second.unsure


def test_a_tile_taken_back_is_said(reader: TileReader) -> None:
    reading = reader.read_board(picture((FOUR,), noise=9))
    assert (reading.unsure, reading.why) == (True, "taken-back")
    assert lying(reading.tiles) == lying((FOUR,))


@pytest.mark.parametrize("tile", [TWO, Tile("cat", 3, 0, 6, 8)], ids=["mirrored a 5", "mirrored itself"])
def test_a_tile_turned_over_is_said(reader: TileReader, tile: Tile) -> None:
    reading = reader.read_board(picture(GAME[:2], flipped=(tile,), noise=9))
    assert (reading.unsure, reading.why) == (True, "flipped")


@pytest.mark.parametrize(
    ("tile", "shift", "why"),
    [
        pytest.param(TWO, (0.0, 2.5), "tile-off-bed", id="half off the bed"),
        pytest.param(Tile("cat", 2, 0, 10, 4), (0.0, 0.0), "overlap", id="on another tile"),
        pytest.param(TWO, (0.5, 0.4), "not-told-apart", id="between squares"),
        pytest.param(TWO, (0.1, -0.5), "not-told-apart", id="between two rows"),
    ],
)
def test_a_tile_laid_wrongly_is_said(
    reader: TileReader, tile: Tile, shift: tuple[float, float], why: str
) -> None:
    reading = reader.read_board(picture(GAME[:2], off=((tile, shift),), noise=9))
    assert (reading.unsure, reading.why) == (True, why)
    assert lying(reader.tiles) == lying(GAME[:2])


@pytest.mark.parametrize(("digit", "turns"), [(6, 2), (9, 0), (6, 0), (9, 2)])
def test_six_and_nine_are_told_by_their_coats(reader: TileReader, digit: int, turns: int) -> None:
    tile = Tile("cat", digit, turns, 1, 1)
    reading = reader.read_board(picture((*GAME[:2], tile), noise=9))
    assert lying((tile,)) <= lying(reading.tiles)


def test_what_a_glare_hides_is_asked_about_by_its_name(reader: TileReader) -> None:
    glaring = reader.read_board(picture(GAME[:2], noise=9, glare=(800, 300), glare_px=90))
    assert (glaring.unsure, glaring.why) == (True, "glare")
    assert lying(reader.tiles) == lying(GAME[:2])
    strange = reader.read_board(picture(GAME[:2], noise=10, mirrored=(1, 6, 4, 5)))
    assert (strange.unsure, strange.why) == (True, "unexplained")


def test_a_glare_on_the_empty_bed_does_no_harm_once_the_tiles_were_shown() -> None:
    reader = TileReader(SCENE, turns())
    reader.see_empty(picture(noise=100, glare=(640, 500)))
    spoiled = reader.view.reference.colours.copy()
    for number, lesson in enumerate(LESSONS):
        reader.teach(picture(lesson, noise=101 + number), lesson)
    clean = TileReader(SCENE, turns())
    clean.see_empty(picture(noise=100))
    expected = clean.view.reference.colours
    assert np.abs(spoiled - expected).max() > 0.3
    assert np.abs(reader.view.reference.colours - expected).mean() < np.abs(spoiled - expected).mean() / 2
    reading = reader.read_board(picture(GAME[:2], noise=7))
    assert (reading.unsure, lying(reading.tiles)) == (False, lying(GAME[:2]))


def test_a_face_that_was_learned_survives_a_restart(reader: TileReader) -> None:
    again = TileReader.restore(SCENE, reader.save(), turns())
    assert again.faces.keys() == reader.faces.keys() == reader.coats.keys()
    for name, face in reader.faces.items():
        assert np.abs(again.faces[name].colours - face.colours).max() < 0.01
        assert np.array_equal(again.faces[name].squares, face.squares)


def test_without_coats_the_shapes_and_turns_tell() -> None:
    reader = TileReader(SCENE, turns())
    reader.see_empty(picture(noise=3))
    for laid in (1, 2, 3):
        reading = reader.read_board(picture(GAME[:laid], noise=laid))
        assert lying(reading.tiles) == lying(GAME[:laid])


def test_what_the_match_says_is_believed(reader: TileReader) -> None:
    reader.believe((FOUR,))
    reading = reader.read_board(picture((FOUR, EIGHT, TWO), noise=9))
    assert (reading.unsure, reading.why) == (False, "several-missed")


def test_a_still_picture_is_not_read_again(reader: TileReader) -> None:
    first = reader.read_board(picture(GAME[:3], noise=9), image="a")
    again = reader.read_board(picture(GAME[:3], noise=10), image="b")
    assert (again.image, again.tiles, list(again.ms)) == ("b", first.tiles, ["still"])


def test_corners_set_by_hand_stand_for_markers() -> None:
    bare = Scene(rows=16, cols=12, tile_shapes=SCENE.tile_shapes)
    reader = TileReader(bare, turns(bare))
    corners = grid_corners_px()
    reader.see_empty(picture(noise=1), corners)
    reading = reader.read_board(picture((FOUR,), noise=2), corners)
    assert lying(reading.tiles) == lying((FOUR,))


def test_a_known_start_tells_what_was_covered() -> None:
    board = Scene(rows=16, cols=12)
    reader = TileReader(board)
    corners = grid_corners_px()
    reader.see_start(picture((FOUR,), noise=1), FOUR_CELLS, corners)
    reading = reader.read_board(picture((FOUR, TWO), noise=2), corners)
    assert set(reading.covered) == set(FOUR_CELLS) | set(SCENE.cells_of(TWO))


FOUR_CELLS = SCENE.cells_of(FOUR)


def test_knowledge_survives_a_restart(reader: TileReader) -> None:
    again = TileReader.restore(SCENE, reader.save(), turns())
    assert again.taught() == reader.taught() == {"cat": tuple(range(1, 10)), "dog": tuple(range(1, 10))}
    assert lying(again.tiles) == lying(reader.tiles)


def test_after_a_restart_a_bed_is_read_with_the_same_confidences() -> None:
    before = taught_reader()
    after = TileReader.restore(SCENE, before.save(), turns())
    doubtful = picture((Tile("dog", 6, 1, 6, 4),), noise=3, glare=(640, 480), glare_px=70)
    one, other = (reader.read_board(doubtful) for reader in (before, after))
    assert one.alternatives
    assert (one.tiles, one.alternatives) == (other.tiles, other.alternatives)


@pytest.mark.parametrize("data", [b"", b"no saved", b"PK\x03\x04 broken"])
def test_broken_knowledge_is_refused(data: bytes) -> None:
    with pytest.raises(SavedStateError, match="show the empty board"):
        TileReader.restore(SCENE, data)


def test_knowledge_of_another_bed_is_refused(saved: bytes) -> None:
    with pytest.raises(SavedStateError, match="another board"):
        TileReader.restore(Scene(rows=20, cols=20), saved)


def test_reading_before_the_empty_bed_is_refused() -> None:
    with pytest.raises(ReferenceMissingError, match="show it first"):
        TileReader(SCENE).read_board(picture())


def test_a_bed_without_markers_is_refused() -> None:
    with pytest.raises(HomographyError, match="two are needed"):
        TileReader(SCENE).see_empty(picture(hidden=(0, 1, 2, 3)))


@pytest.mark.parametrize(
    "broken", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)]
)
def test_what_is_no_picture_is_refused(broken: np.ndarray) -> None:
    with pytest.raises(PictureError):
        TileReader(SCENE).see_empty(broken)


def test_corners_that_span_nothing_are_refused() -> None:
    with pytest.raises(HomographyError, match="clockwise"):
        TileReader(SCENE).see_empty(picture(), ((0, 0), (9, 9), (9, 0), (0, 9)))


def test_what_is_kept_and_holds_no_numbers_is_shown_anew(saved: bytes) -> None:
    with np.load(io.BytesIO(saved)) as file:
        arrays = {name: file[name] for name in file.files if name != "allow_pickle"}  # numpy 1 keeps that too
    arrays["colours"][3, 3] = np.nan
    broken = io.BytesIO()
    np.savez_compressed(broken, allow_pickle=False, **arrays)
    with pytest.raises(SavedStateError, match="show the empty board"):
        TileReader.restore(SCENE, broken.getvalue())


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_light_that_no_number_tells_is_said(wrong: float) -> None:
    bed = np.full((8, 8, 25, 3), 5.0, dtype=np.float32)
    picture = bed.copy()
    picture[2:, 2:] = wrong
    with np.errstate(all="ignore"), pytest.raises(PictureError, match="show the empty board again"):
        fit_illumination(bed, picture, np.ones((8, 8)))
