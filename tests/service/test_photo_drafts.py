"""Photos of finished boards: taken, set right, read one after the other, and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import IllegalMove, InvalidMove, PhotoError
from companion.games.watching import Dice
from companion.play.schema import MatchRecord
from companion.service.photos import drafts as photo_drafts
from companion.service.photos.drafts import KEPT_S, MOST_DRAFTS, PhotoDrafts
from companion.service.photos.reading import BoardRead, PlacedTile, ReadTile, settled
from hardware.vision.board.corners import BoardCorners
from hardware.vision.board.photos import PhotosReading
from hardware.vision.errors import HomographyError
from tests.service.photographed import CORNERS, PATIENCE_S, Finds, Reads, finds, is_read, jpeg, reads
from tests.web.conftest import Clock

__all__ = ["finds", "reads"]

BED = "this-bed-is-mine"


@pytest.fixture
def clock() -> Clock:
    """The time by which photos are forgotten."""
    return Clock()


@pytest.fixture
def photos(reads: Reads, finds: Finds, clock: Clock, tmp_path: Path) -> Iterator[PhotoDrafts]:
    """What reads photos for the pages."""
    made = PhotoDrafts(reads=reads, finds=finds, clock=clock, folder=tmp_path / "photos")
    yield made
    reads.may_go_on.set()
    made.stop()


def fault(call: object, *given: object) -> str:
    """With which fault a call is refused."""
    assert callable(call)
    with pytest.raises(PhotoError) as caught:
        call(*given)
    return caught.value.fault


def test_a_board_is_read_from_a_photo(photos: PhotoDrafts, reads: Reads) -> None:
    draft = photos.begin(BED, {"board": "b"})
    assert (draft.grid.rows, draft.grid.cols, draft.owners) == (16, 12, ("cat", "dog"))
    assert draft.grid.landmarks, "pillows show which side is up"
    (photo,) = photos.add(draft.id, jpeg()).photos
    assert (photo.width, photo.height, photo.corners_px) == (800, 920, CORNERS)
    photos.read_photos(draft.id)
    read = is_read(photos, draft.id).read
    assert read is not None
    assert [(tile.owner, tile.kind) for tile in read.tiles] == [
        ("cat", 4),
        ("dog", 9),
        ("cat", 9),
        ("dog", 8),
    ]
    assert reads.corners == [None], "the reader finds certain corners by itself, with the lens"


def test_what_is_unsure_comes_with_what_it_may_be_instead(photos: PhotoDrafts, reads: Reads) -> None:
    reads.lying, reads.doubtful = "c6@5,3 d9@0,0", (0,)
    reads.others = ("c9+2@5,3 d9@0,0", "c9+2@5,3 d6+2@0,0", "c6@5,4 d9@0,0")
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    read = is_read(photos, number).read
    assert read is not None
    six, nine = read.tiles
    assert six.unsure
    assert [(other.kind, other.turns, other.col) for other in six.others] == [(9, 2, 3), (6, 0, 4)]
    assert nine.unsure, "another board does not hold it so"
    assert [(other.kind, other.turns) for other in nine.others] == [(6, 2)]


def test_of_an_unsure_board_what_every_other_holds_too_is_sure(photos: PhotoDrafts, reads: Reads) -> None:
    reads.lying, reads.doubtful, reads.others = "c6@5,3 d9@0,0", (0,), ("c9+2@5,3 d9@0,0",)
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    read = is_read(photos, number).read
    assert read is not None
    assert [(tile.unsure, len(tile.others)) for tile in read.tiles] == [(True, 1), (False, 0)]


def test_where_nothing_was_shown_only_what_the_reader_doubts_is_asked(
    photos: PhotoDrafts, reads: Reads
) -> None:
    """Another board that is hardly likely asks nothing: that nobody said whose the tiles are is no doubt."""
    reads.lying, reads.doubtful, reads.others = "c6@5,3 d9@0,0", (0,), ("c9+2@5,3 d6+2@0,0",)
    reads.coats = ((0,), (1,))
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    read = is_read(photos, number).read
    assert read is not None
    assert [tile.unsure for tile in read.tiles] == [True, False]


TWINS = BoardRead(
    (
        ReadTile("", 6, 0, 5, 3, unsure=True, others=(PlacedTile("", 9, 2, 5, 3),), twin=True),
        ReadTile("", 9, 0, 0, 0, unsure=True, others=(PlacedTile("", 6, 2, 0, 0),), twin=True),
    )
)
"""A 6 and a 9 that may be each other."""


@pytest.mark.parametrize(
    ("owners", "weigh", "kinds", "asked"),
    [
        (("cat", "dog"), len, [6, 9], ()),
        (("cat", "dog"), lambda tiles: tiles[0].kind, [6, 9], (0,)),
        (("cat", "dog"), lambda tiles: tuple(tile.kind for tile in tiles), [6, 9], (0, 1)),
        (("cat", "cat"), lambda tiles: tuple(tile.kind for tile in tiles), [6, 9], (1,)),
    ],
    ids=["nothing hangs on it", "it hangs on one", "it hangs on both", "one side has one of each"],
)
def test_a_twin_is_asked_about_where_the_score_hangs_on_it(
    owners: tuple[str, str],
    weigh: Callable[[Sequence[PlacedTile]], Hashable],
    kinds: list[int],
    asked: tuple[int, ...],
) -> None:
    def score(tiles: Sequence[PlacedTile]) -> Hashable:
        if len({(tile.owner, tile.kind) for tile in tiles}) < len(tiles):
            raise IllegalMove(BED, "tile-already-laid")
        return weigh(tiles)

    tiles = [
        PlacedTile(owner, tile.kind, tile.turns, tile.row, tile.col)
        for owner, tile in zip(owners, TWINS.tiles, strict=True)
    ]
    now = settled(tiles, (0, 1), TWINS, score)
    assert [tile.kind for tile in now.tiles] == kinds
    assert now.asked == asked


def test_a_twin_of_which_the_side_has_one_already_is_the_other() -> None:
    def score(tiles: Sequence[PlacedTile]) -> Hashable:
        if len({tile.kind for tile in tiles}) < len(tiles):
            raise IllegalMove(BED, "tile-already-laid")
        return tuple(tiles)

    tiles = [PlacedTile("cat", 6, 0, 5, 3), PlacedTile("cat", 6, 2, 0, 0)]
    now = settled(tiles, (0,), TWINS, score)
    assert ([tile.kind for tile in now.tiles], now.asked) == ([9, 6], ())


def test_tiles_of_one_coat_are_asked_for_once_with_their_crops(photos: PhotoDrafts, reads: Reads) -> None:
    reads.coats = ((0, 2), (1, 3))
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    read = is_read(photos, number).read
    assert read is not None
    assert [coat.tiles for coat in read.coats] == [(0, 2), (1, 3)]
    assert {tile.owner for tile in read.tiles} == {""}
    crop = cv2.imdecode(np.frombuffer(photos.crop(number, 3), np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    assert crop.shape == (60, 60, 3)


def test_the_crop_of_a_tile_shows_where_it_lies(photos: PhotoDrafts) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    is_read(photos, number)
    crop = cv2.imdecode(np.frombuffer(photos.crop(number, 0), np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    # The cat's 4 is 3 × 5 squares of 50 px, with six tenths of a square around it.
    assert crop.shape[:2] == pytest.approx((5 * 50 + 60, 3 * 50 + 60), abs=4)
    assert fault(photos.crop, number, 4) == "gone"


def test_corners_that_a_person_sets_are_those_that_are_read(photos: PhotoDrafts, reads: Reads) -> None:
    number = photos.begin(BED, {}).id
    (photo,) = photos.add(number, jpeg()).photos
    moved = ((110.0, 70.0), *CORNERS[1:])
    (photo,) = photos.set_corners(number, photo.name, moved).photos
    assert (photo.source, photo.corners_px) == ("person", moved)
    photos.read_photos(number)
    is_read(photos, number)
    assert reads.corners == [moved]


def test_corners_that_make_no_board_are_refused(photos: PhotoDrafts) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    crossed = (CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3])
    assert fault(photos.set_corners, number, 1, crossed) == "bad-corners"
    assert fault(photos.set_corners, number, 7, CORNERS) == "gone"


def test_a_new_photo_or_corner_voids_what_was_read(photos: PhotoDrafts) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    assert is_read(photos, number).stage == "read"
    again = photos.set_corners(number, 1, CORNERS)
    assert (again.stage, again.read) == ("photos", None)
    assert fault(photos.crop, number, 0) == "gone"


def test_three_photos_are_taken_and_no_fourth(photos: PhotoDrafts) -> None:
    number = photos.begin(BED, {}).id
    for _ in range(3):
        photos.add(number, jpeg())
    assert fault(photos.add, number, jpeg()) == "enough"
    left = photos.remove(number, 2).photos
    assert [photo.name for photo in left] == [1, 3]
    assert [photo.name for photo in photos.add(number, jpeg()).photos] == [1, 3, 4]


def test_a_corner_that_is_just_cut_off_does_no_harm(photos: PhotoDrafts, finds: Finds) -> None:
    finds.at = BoardCorners(((100.0, -25.0), *CORNERS[1:]), "markers", certain=True)
    number = photos.begin(BED, {}).id
    assert photos.add(number, jpeg()).photos


def test_half_a_board_is_refused_and_nothing_of_it_is_kept(photos: PhotoDrafts, finds: Finds) -> None:
    finds.at = BoardCorners(
        ((-400.0, 60.0), CORNERS[1], CORNERS[2], (-400.0, 860.0)), "markers", certain=True
    )
    number = photos.begin(BED, {}).id
    assert fault(photos.add, number, jpeg()) == "half-a-board"
    assert photos.draft(number).photos == ()


def test_a_file_that_is_no_photo_is_refused_and_nothing_of_it_is_kept(photos: PhotoDrafts) -> None:
    number = photos.begin(BED, {}).id
    assert fault(photos.add, number, b"Dear board, ...") == "no-picture"
    assert photos.draft(number).photos == ()
    assert fault(photos.read_photos, number) == "none-yet"


@pytest.mark.parametrize("error", [HomographyError("no board"), ZeroDivisionError()], ids=["ours", "a bug"])
def test_a_board_that_cannot_be_read_is_said(photos: PhotoDrafts, reads: Reads, error: Exception) -> None:
    reads.fault = error
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    draft = is_read(photos, number)
    assert (draft.stage, draft.fault, draft.read) == ("photos", "unreadable", None)


def test_a_photo_without_any_tile_is_no_finished_board(photos: PhotoDrafts, reads: Reads) -> None:
    reads.lying = ""
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    photos.read_photos(number)
    assert is_read(photos, number).fault == "unreadable"


def test_while_photos_are_read_nothing_of_them_is_changed(photos: PhotoDrafts, reads: Reads) -> None:
    reads.may_go_on.clear()
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    assert photos.read_photos(number).stage in ("waiting", "reading")
    for call, given in ((photos.add, (jpeg(),)), (photos.remove, (1,)), (photos.read_photos, ())):
        assert fault(call, number, *given) == "busy"
    reads.may_go_on.set()
    assert is_read(photos, number).stage == "read"


def test_boards_are_read_one_after_the_other_and_too_many_are_told_so(
    photos: PhotoDrafts, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [photos.begin(BED, {}).id for _ in range(3)]
    for number in numbers:
        photos.add(number, jpeg())
    monkeypatch.setattr(photo_drafts, "MOST_WAITING", 2)
    reads.may_go_on.clear()
    for number in numbers[:2]:
        photos.read_photos(number)
    assert fault(photos.read_photos, numbers[2]) == "busy"
    assert photos.draft(numbers[2]).stage == "photos"
    reads.may_go_on.set()
    assert [is_read(photos, number).stage for number in numbers[:2]] == ["read", "read"]
    photos.read_photos(numbers[2])
    assert is_read(photos, numbers[2]).stage == "read"


def test_one_phone_s_flood_keeps_another_s_photo_waiting_for_no_more_than_one(
    reads: Reads, finds: Finds, tmp_path: Path
) -> None:
    begun, seen = Event(), list[list[str]]()

    def reads_one(*given: Any, **named: Any) -> PhotosReading:
        seen.append([photos.draft(number).stage for number in numbers])
        begun.set()
        return reads(*given, **named)

    photos = PhotoDrafts(reads=reads_one, finds=finds, folder=tmp_path)
    numbers = [photos.begin(BED, {}).id for _ in range(5)]
    for number in numbers:
        photos.add(number, jpeg())
    reads.may_go_on.clear()
    for number in numbers[:3]:
        photos.read_photos(number, "flood")
    assert fault(photos.read_photos, numbers[3], "flood") == "busy"
    assert begun.wait(PATIENCE_S)
    photos.read_photos(numbers[4], "another")
    reads.may_go_on.set()
    for number in (*numbers[:3], numbers[4]):
        is_read(photos, number)
    assert [stages.index("reading") for stages in seen] == [0, 4, 1, 2]
    photos.stop()


def test_pages_are_answered_while_a_board_is_read(photos: PhotoDrafts, reads: Reads) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    reads.may_go_on.clear()
    photos.read_photos(number)
    asked = Thread(target=lambda: (photos.draft(number), photos.picture(number, 1), photos.begin(BED, {})))
    asked.start()
    asked.join(30)
    assert not asked.is_alive()
    reads.may_go_on.set()


def test_the_photo_that_is_shown_has_nothing_beside_its_pixels(photos: PhotoDrafts) -> None:
    head, rest = jpeg()[:2], jpeg()[2:]
    place = b"Exif\0\0MM\0*\0\0\0\x08\0\0taken at 25.0330 N, 121.5654 E"
    number = photos.begin(BED, {}).id
    photos.add(number, head + b"\xff\xe1" + (len(place) + 2).to_bytes(2, "big") + place + rest)
    shown = photos.picture(number, 1)
    assert b"Exif" not in shown
    assert b"25.0330" not in shown
    assert fault(photos.picture, number, 2) == "gone"


def test_photos_are_forgotten_after_a_while(photos: PhotoDrafts, clock: Clock) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    clock.s += KEPT_S - 1
    assert photos.draft(number).photos
    clock.s += KEPT_S + 1
    assert fault(photos.draft, number) == "gone"


def test_of_too_many_drafts_the_one_that_rested_longest_goes(photos: PhotoDrafts, clock: Clock) -> None:
    numbers = []
    for _ in range(MOST_DRAFTS):
        numbers.append(photos.begin(BED, {}).id)
        clock.s += 1
    photos.draft(numbers[0])
    photos.begin(BED, {})
    assert fault(photos.draft, numbers[1]) == "gone"
    assert photos.draft(numbers[0])


def test_a_draft_has_a_number_that_nobody_guesses(photos: PhotoDrafts) -> None:
    numbers = {photos.begin(BED, {}).id for _ in range(5)}
    assert len(numbers) == 5
    assert max(numbers) > 2**40
    assert max(numbers) < 2**53, "JavaScript reads it exactly"


def test_photos_are_kept_only_where_that_is_wished(photos: PhotoDrafts, tmp_path: Path) -> None:
    number = photos.begin(BED, {}).id
    photos.add(number, jpeg())
    assert not (tmp_path / "photos").exists()
    photos.keep(number, MatchRecord(12, BED, {}, 2, "2026-01-01T20:00:00.000+00:00"))
    photos.drop(number)
    (kept,) = (tmp_path / "photos").glob("*/*.jpg")
    assert kept.stat().st_mode & 0o077 == 0
    assert fault(photos.draft, number) == "gone"
    photos.drop(number)


def test_games_without_a_board_to_score_and_unfit_options_are_refused(photos: PhotoDrafts) -> None:
    assert fault(photos.begin, "cat-and-mouse", {}) == "no-such-game"
    with pytest.raises(InvalidMove):
        photos.begin(BED, {"touch": "nearly"})


def test_a_photo_without_dice_is_no_throw(photos: PhotoDrafts) -> None:
    assert fault(photos.throw, Dice(2), jpeg()) == "no-dice"
    assert fault(photos.throw, Dice(2), b"no photo") == "no-picture"
