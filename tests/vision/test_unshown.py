"""A finished board of which nothing was shown: its tiles by their shapes, and whose they are by asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Square, Tile
from hardware.arrays import Picture
from hardware.vision.board import unshown
from hardware.vision.board.photos import UNKNOWN_OWNER, PhotosReading, named, read_photos
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from tests.vision.drawn import SCENE, grid_corners_px, picture

COATS = {
    Tile("cat", 4, 0, 6, 4): (60, 90, 200),
    Tile("dog", 8, 1, 11, 4): (40, 40, 40),
    Tile("cat", 3, 0, 6, 8): (230, 230, 235),
    Tile("dog", 7, 0, 1, 6): (150, 60, 60),
}
"""Tiles, and the plain colour of each, BGR."""


def plain_bed(coats: Mapping[Tile, tuple[int, int, int]] = COATS) -> Picture:
    """A drawn bed on which tiles of plain colours lie."""
    bed = picture(noise=70)
    homography = homography_from_corners(SCENE, grid_corners_px(), Lens(1280, 960))
    for tile, colour in coats.items():
        for row, col in SCENE.cells_of(tile):
            square = np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], np.float64)
            cv2.fillConvexPoly(bed, homography.picture_points(square).round().astype(np.int32), colour)
    return bed


@pytest.fixture(scope="module")
def read() -> PhotosReading:
    """The bed of plain tiles, read."""
    return read_photos([plain_bed()], SCENE)


def test_tiles_are_known_by_their_shapes_and_nobodys_yet(read: PhotosReading) -> None:
    tiles = read.reading.tiles or ()
    squares = {(tile.kind, frozenset(tile.cells)) for tile in tiles}
    assert squares == {(tile.kind, frozenset(SCENE.cells_of(tile))) for tile in COATS}
    assert {tile.owner for tile in tiles} == {UNKNOWN_OWNER}


def test_a_board_with_room_for_a_tile_that_is_left_is_not_believed(read: PhotosReading) -> None:
    assert read.reading.unsure
    assert read.reading.why == "unexplained"


def test_a_question_about_a_tile_does_not_hide_that_another_was_missed() -> None:
    """A 6 that may be a 9 is asked about, and so is the room that is left."""
    six = {Tile("cat", 6, 0, 6, 4): (60, 90, 200)}
    read = read_photos([plain_bed(six)], SCENE)
    assert [read.reading.tiles[number].kind for number in read.doubtful] in ([6], [9])  # type: ignore[index]
    assert read.reading.why == "unexplained"


@pytest.mark.parametrize(("nats", "asked"), [(4.1, True), (-4.1, True), (6.0, False)])
def test_a_six_is_asked_about_where_its_tail_says_no_more_than_a_wrong_one_did(
    monkeypatch: pytest.MonkeyPatch, nats: float, asked: bool
) -> None:
    monkeypatch.setattr(unshown.Ends, "nats", lambda *_: nats)
    six = Tile("cat", 6, 0, 6, 4)
    read = read_photos([plain_bed({six: (60, 90, 200)})], SCENE)
    assert bool(read.doubtful) is asked


def test_a_third_tile_of_a_number_that_each_side_has_once_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing else explains the picture as well, all three are."""
    monkeypatch.setattr(unshown, "TOO_MANY", 0.0)
    ones = {Tile("cat", 1, 0, 6, col): (60, 90, 200) for col in (2, 5, 8)}
    read = read_photos([plain_bed(ones)], SCENE)
    assert [(read.reading.tiles or ())[number].kind for number in read.doubtful] == [1, 1, 1]


@pytest.mark.parametrize(("strength", "asked"), [(1.0, False), (0.2, True)], ids=["clear", "weak"])
def test_a_line_against_an_outline_asks_only_where_the_rest_is_weak(
    monkeypatch: pytest.MonkeyPatch, strength: float, asked: bool
) -> None:
    three = next(tile for tile in COATS if tile.kind == 3)
    one, other = (row * SCENE.cols + col for row, col in SCENE.cells_of(three)[:2])
    sees = unshown.squares_seen

    def with_a_line(*given: Any) -> unshown.SquaresSeen:
        seen = sees(*given)
        joined = strength * seen.joined
        joined[(unshown.pairs(SCENE.rows, SCENE.cols) == (one, other)).all(axis=1)] = -1.8
        return msgspec.structs.replace(seen, joined=joined, covered=strength * seen.covered)

    monkeypatch.setattr(unshown, "squares_seen", with_a_line)
    read = read_photos([plain_bed()], SCENE)
    assert (3 in {(read.reading.tiles or ())[number].kind for number in read.doubtful}) is asked


@pytest.mark.parametrize(("nats", "kinds"), [(3.6, [3, 6, 9]), (-6.0, [])], ids=["misread", "clear"])
def test_one_misread_square_that_makes_another_number_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, nats: float, kinds: list[int]
) -> None:
    """A glare tells the square and its lines the same."""
    three = next(tile for tile in COATS if tile.kind == 3)
    cells = {*SCENE.cells_of(three)}
    six = next(
        {*places.tile("", number, SCENE.cols).cells}
        for places in (SCENE.placements[6], SCENE.placements[9])
        for number in range(len(places.masks))
        if len(cells ^ {*places.tile("", number, SCENE.cols).cells}) == 1
    )
    ((row, col),) = six - cells
    near = [row * SCENE.cols + col] + [y * SCENE.cols + x for y, x in six if abs(y - row) + abs(x - col) == 1]
    _say(monkeypatch, {near[0]: nats}, {(near[0], other): nats for other in near[1:]})
    read = read_photos([plain_bed()], SCENE)
    asked = {(read.reading.tiles or ())[number].kind for number in read.doubtful}
    assert asked <= {*kinds}
    assert bool(asked) is bool(kinds)


def test_coats_tell_where_a_tile_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and squares do not say here whether a 1 lies one square further."""
    one = Tile("cat", 1, 0, 6, 4)
    places = SCENE.cells_of(one)
    step = places[1][0] - places[0][0], places[1][1] - places[0][1]
    ends = [places[0], (places[-1][0] + step[0], places[-1][1] + step[1])]
    at = [row * SCENE.cols + col for row, col in ends]
    inner = [row * SCENE.cols + col for row, col in (places[1], places[-1])]
    _say(monkeypatch, dict.fromkeys(at, 0.5), dict.fromkeys(zip(at, inner, strict=True), 0.5))
    read = read_photos([plain_bed({one: (60, 90, 200)})], SCENE)
    assert [{*tile.cells} for tile in read.reading.tiles or ()] == [{*places}]
    assert not read.doubtful


def test_coats_tell_where_a_tile_lies_of_which_squares_and_lines_say_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that is seen puts a thin 1 two squares further, and would leave its own place bare."""
    one = Tile("cat", 1, 0, 6, 4)
    places = SCENE.cells_of(one)
    step = places[1][0] - places[0][0], places[1][1] - places[0][1]
    line = [(places[0][0] + n * step[0], places[0][1] + n * step[1]) for n in range(len(places) + 2)]
    at = [row * SCENE.cols + col for row, col in line]
    covered = dict(zip(at, [-1.4, -1.2] + [1.0] * len(places), strict=True))
    joined = dict(zip(pairwise(at), [-1.3, -1.1] + [1.0] * (len(places) - 1), strict=True))
    _say(monkeypatch, covered, joined)
    read = read_photos([plain_bed({one: (60, 90, 200)})], SCENE)
    assert [{*tile.cells} for tile in read.reading.tiles or ()] == [{*places}]


@pytest.mark.parametrize(("nats", "why"), [(2.0, ""), (5.0, "unexplained")], ids=["faint", "stark"])
def test_one_square_without_a_tile_that_looks_covered_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, nats: float, why: str
) -> None:
    monkeypatch.setattr(unshown, "_has_room", lambda *_: False)
    _say(monkeypatch, {0: nats}, {})
    assert read_photos([plain_bed()], SCENE).reading.why == why


@pytest.mark.parametrize(
    ("nats", "belief", "kinds"),
    [(-2.1, 0.9994, {3}), (-1.0, 0.9994, set()), (-2.1, 1.0, set())],
    ids=["bare", "faint", "certain"],
)
def test_a_tile_is_asked_about_where_one_of_its_squares_looks_bare(
    monkeypatch: pytest.MonkeyPatch, nats: float, belief: float, kinds: set[int]
) -> None:
    """A 7 was read as a 3 that was believed with 0.9994."""
    three = {*SCENE.cells_of(next(tile for tile in COATS if tile.kind == 3))}
    believed = unshown._confidences
    monkeypatch.setattr(unshown, "_confidences", lambda *given: believed(*given) | {frozenset(three): belief})
    row, col = min(three)
    _say(monkeypatch, {row * SCENE.cols + col: nats}, {})
    read = read_photos([plain_bed()], SCENE)
    assert {(read.reading.tiles or ())[number].kind for number in read.doubtful} == kinds


@pytest.mark.parametrize(("line", "why"), [(-1.0, ""), (3.0, "unexplained")], ids=["apart", "joined"])
def test_a_square_that_looks_covered_and_like_a_tiles_next_one_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, line: float, why: str
) -> None:
    monkeypatch.setattr(unshown, "_has_room", lambda *_: False)
    eight = next(tile for tile in COATS if tile.kind == 8)
    row, col = max(SCENE.cells_of(eight))
    inside, beyond = row * SCENE.cols + col, row * SCENE.cols + col + 1
    _say(monkeypatch, {beyond: 2.4}, {(inside, beyond): line})
    assert read_photos([plain_bed()], SCENE).reading.why == why


def test_a_tile_that_another_likely_board_has_elsewhere_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unshown, "_has_room", lambda *_: False)
    monkeypatch.setattr(unshown, "COATS", 0.0)
    line = range(5)
    _say(monkeypatch, dict.fromkeys(line, 1.0), dict.fromkeys(pairwise(line), 1.0))
    read = read_photos([plain_bed()], SCENE)
    assert (read.doubtful, read.reading.why) == ((), "unexplained")


def _say(
    monkeypatch: pytest.MonkeyPatch, covered: Mapping[int, float], joined: Mapping[tuple[int, int], float]
) -> None:
    """Let the network say so of squares, and of the lines between two, by their numbers."""
    sees = unshown.squares_seen

    def told(*given: Any) -> unshown.SquaresSeen:
        seen = sees(*given)
        for square, nats in covered.items():
            seen.covered[square] = nats
        for line, nats in joined.items():
            seen.joined[(unshown.pairs(SCENE.rows, SCENE.cols) == sorted(line)).all(axis=1)] = nats
        return seen

    monkeypatch.setattr(unshown, "squares_seen", told)


PILLOW = tuple((row, col) for row in (0, 1) for col in (3, 4, 5))


@pytest.mark.parametrize(
    ("pillows", "shown", "is_other"),
    [
        pytest.param((), PILLOW[:3], False, id="a dark spot"),
        pytest.param((), PILLOW, True, id="a pillow too many"),
        pytest.param((PILLOW,), (), True, id="a pillow too few"),
        pytest.param((PILLOW,), PILLOW[1:], False, id="a pillow in a glare"),
        pytest.param((PILLOW,), [(row, col + 1) for row, col in PILLOW], True, id="a pillow elsewhere"),
    ],
)
def test_a_board_with_other_pillows_is_said_to_be_another(
    monkeypatch: pytest.MonkeyPatch,
    pillows: tuple[tuple[Square, ...], ...],
    shown: Sequence[Square],
    is_other: bool,
) -> None:
    _show_pillow(monkeypatch, shown)
    scene = msgspec.structs.replace(SCENE, blocked=pillows)
    assert (read_photos([plain_bed()], scene).reading.why == "other-board") is is_other


def test_on_another_board_tiles_are_read_where_it_has_no_pillows(monkeypatch: pytest.MonkeyPatch) -> None:
    _show_pillow(monkeypatch, ())
    four = next(tile for tile in COATS if tile.kind == 4)
    scene = msgspec.structs.replace(SCENE, blocked=(SCENE.cells_of(four)[:6],))
    read = read_photos([plain_bed()], scene).reading
    assert read.why == "other-board"
    assert {*SCENE.cells_of(four)} in [{*tile.cells} for tile in read.tiles or ()]


def _show_pillow(monkeypatch: pytest.MonkeyPatch, shown: Sequence[Square]) -> None:
    """Let the network see a pillow on these squares, and nowhere else."""
    sees = unshown.squares_seen

    def with_pillow(*given: Any) -> unshown.SquaresSeen:
        seen = sees(*given)
        blocked = np.full_like(seen.blocked, -6.0)
        blocked[tuple(np.array(shown, dtype=int).reshape(-1, 2).T)] = 6.0
        return msgspec.structs.replace(seen, blocked=blocked)

    monkeypatch.setattr(unshown, "squares_seen", with_pillow)


def test_whose_a_tile_is_is_asked_with_its_picture(read: PhotosReading) -> None:
    tiles = read.reading.tiles or ()
    assert sorted(number for group in read.coats for number in group.tiles) == list(range(len(tiles)))
    for group in read.coats:
        tile = tiles[group.tiles[0]]
        colour = next(coat for known, coat in COATS.items() if known.kind == tile.kind)
        crop = group.crops[0].reshape(-1, 3).astype(int)
        assert (np.abs(crop - colour).max(axis=1) < 25).mean() > 0.1


def test_a_named_coat_is_its_owners_and_asked_about_no_more(read: PhotosReading) -> None:
    owners = ["cat", *[UNKNOWN_OWNER] * (len(read.coats) - 1)]
    after = named(read, owners)
    assert (after.reading.tiles or ())[read.coats[0].tiles[0]].owner == "cat"
    assert after.coats == read.coats[1:]
    assert not named(after, ["dog"] * len(after.coats)).coats


def test_an_empty_bed_is_no_finished_board() -> None:
    read = read_photos([picture(noise=71)], SCENE)
    assert (read.reading.unsure, read.reading.tiles) == (True, ())
