"""Faces: what a tile's print adds to its coat, on prints drawn here."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from hardware.arrays import Float32
from hardware.vision.board.faces import (
    Compared,
    Face,
    Likeness,
    Place,
    Sight,
    Way,
    brighter_in,
    compare,
    face_at,
    face_of,
    shift_of,
    way_of,
)
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.scene import Scene, turn_squares
from hardware.vision.board.search import Pose
from hardware.vision.register.rectify import MARGIN

SCENE = Scene(rows=8, cols=8, tile_shapes={7: ("###", "..#", "..#", "..#", "..#")})
SHAPE = SCENE.shapes[7][0]
LUMA = 5.0
USUAL = 4.0
"""How well a sample fits the coat where it shows the coat's colours."""


def printed(seed: int) -> Float32:
    """The colours of a box with a print of soft spots, shape (rows SAMPLES, cols SAMPLES, 3)."""
    random = np.random.default_rng(seed)
    spots = random.normal(size=(SHAPE.rows * SAMPLES, SHAPE.cols * SAMPLES)).astype(np.float32)
    spots = cv2.GaussianBlur(spots, (0, 0), 2.5)
    colours = np.zeros((*spots.shape, 3), dtype=np.float32)
    colours[..., 0] = LUMA + 0.1 * spots / spots.std()
    return colours


def board_with(
    colours: Float32, turns: int, row: int, col: int, *, moved: int = 0, brighter: float = 0.0
) -> Sight:
    """A plain board with a print laid on it, turned, and moved across by some samples."""
    side = (SCENE.rows + 2 * MARGIN) * SAMPLES
    board = np.full((side, side, 3), LUMA, dtype=np.float32)
    laid = np.rot90(colours, -turns)
    top, left = (row + MARGIN) * SAMPLES, (col + MARGIN) * SAMPLES + moved
    board[top : top + laid.shape[0], left : left + laid.shape[1]] = laid
    board[..., 0] += brighter
    random = np.random.default_rng(9)
    board += random.normal(0, 0.01, board.shape).astype(np.float32)
    return Sight(
        np.moveaxis(board, -1, 0),
        np.full((side, side), -3.0, dtype=np.float32),
        np.full(3, 0.012, dtype=np.float32),
    )


def compared(face: Face, sight: Sight, turns: int, start: Pose = (0, 0, 0)) -> Compared:
    """A face compared with a tile there, on a board whose squares are surely covered by something."""
    cells = turn_squares(list(SHAPE.squares), SHAPE.rows, SHAPE.cols, turns)
    at = tuple((1 + r, 2 + c) for r, c in cells)
    covered = np.full(len(at), 12.0, dtype=np.float32)
    coat = np.full(sight.empty.shape, USUAL, dtype=np.float32)
    return compare(face, USUAL, sight, coat, Place(turns, 1, 2, at, start, covered))


def nats(face: Face, sight: Sight, turns: int) -> float:
    """What a face adds for a tile there, whichever way prints lie."""
    return compared(face, sight, turns).by(None).nats


@pytest.mark.parametrize("turns", range(4))
def test_a_print_is_known_again_however_the_tile_is_turned(turns: int) -> None:
    face, other = face_of(printed(1), SHAPE), face_of(printed(2), SHAPE)
    sight = board_with(printed(1), turns, 1, 2)
    assert nats(face, sight, turns) > 3
    assert nats(other, sight, turns) < nats(face, sight, turns) / 3


@pytest.mark.parametrize(("moved", "brighter"), [(1, 0.0), (-2, 0.0), (0, 0.1), (2, -0.1)])
def test_a_tile_laid_carelessly_or_in_another_light_is_known_again(moved: int, brighter: float) -> None:
    face = face_of(printed(1), SHAPE)
    sight = board_with(printed(1), 0, 1, 2, moved=moved, brighter=brighter)
    assert nats(face, sight, 0) > 0.7 * nats(face, board_with(printed(1), 0, 1, 2), 0)


@pytest.mark.parametrize("start", [(0, 0, 0), (-2, 0, 0), (-2, -2, 2)])
def test_stripes_are_found_in_their_place_even_if_what_lies_beside_draws_the_coat_away(start: Pose) -> None:
    """From one stripe further on, every step is for the worse."""
    striped = printed(1)
    striped[..., 0] = LUMA + 0.3 * (striped[..., 0] - LUMA)
    striped[..., 0] += 0.1 * np.sin(np.arange(striped.shape[1]) * np.pi / 2)
    face, sight = face_of(striped, SHAPE), board_with(striped, 0, 1, 2, moved=1)
    assert compared(face, sight, 0, start=start).turned.pose == (1, 0, 0)


@pytest.mark.parametrize(("moved", "counts"), [(1, True), (-2, True), (3, False)])
def test_a_print_that_lies_between_squares_is_worth_nothing_in_either_place(moved: int, counts: bool) -> None:
    """So does the print of a tile that lies in the next place, as a straight one may."""
    look = compared(face_of(printed(1), SHAPE), board_with(printed(1), 0, 1, 2, moved=moved), 0).turned
    assert look.nats > 3
    assert look.worth == (look.nats if counts else 0.0)


def test_a_print_under_a_shadow_is_known_again_where_the_frame_shows_that_one_lies_over_the_board() -> None:
    """Otherwise a darker print on the same squares, another tile's, would fit better."""
    face = face_of(printed(1), SHAPE)
    sight = board_with(printed(1), 0, 1, 2, brighter=-0.3)
    shaded = msgspec.structs.replace(sight, brighter=brighter_in(0.2))
    assert nats(face, sight, 0) < 0.5 * nats(face, shaded, 0)
    assert nats(face, shaded, 0) > 0.9 * nats(face, board_with(printed(1), 0, 1, 2), 0)
    np.testing.assert_array_equal(brighter_in(0.0), sight.brighter, "in even light nothing changes")


def test_a_print_that_does_not_show_speaks_against_nothing() -> None:
    face = face_of(printed(1), SHAPE)
    assert nats(face, board_with(printed(3), 0, 1, 2), 0) >= 0


def test_a_print_shows_a_tile_that_its_coat_does_not() -> None:
    """On a board of the tile's own colour the coat fits no better than the bare board does."""
    face, sight = face_of(printed(1), SHAPE), board_with(printed(1), 0, 1, 2)
    cells = tuple((1 + row, 2 + col) for row, col in SHAPE.squares)
    place = Place(0, 1, 2, cells, (0, 0, 0), np.zeros(len(cells), dtype=np.float32))
    alike = Sight(sight.colours, np.full(sight.empty.shape, USUAL, dtype=np.float32), sight.noise)
    coat = np.full(sight.empty.shape, USUAL, dtype=np.float32)
    assert compare(face, USUAL, alike, coat, place).by(None).nats > 2 * nats(face, sight, 0)


def test_a_print_that_keeps_to_the_boards_axes_is_known_by_the_squares_that_it_shares() -> None:
    face = face_of(printed(1), SHAPE)
    upside_down = board_with(printed(1), 0, 1, 2)
    assert nats(face, upside_down, 2) > 1


@pytest.mark.parametrize("way", ["turned", "upright"])
def test_a_set_of_tiles_says_in_which_way_its_prints_lie(way: Way) -> None:
    """Every tile of a set lies the same way, so that where one tile says little, the others decide."""

    def shows(seed: int, turns: int) -> Compared:
        sight = board_with(printed(seed), turns if way == "turned" else 0, 1, 2)
        return compared(face_of(printed(seed), SHAPE), sight, turns)

    looks = [shows(seed, turns) for seed in range(1, 5) for turns in (1, 2, 3)]
    assert way_of(looks) == way
    assert way_of(looks[:1]) is None or way == "turned", "two squares of one tile do not decide"
    assert way_of([]) is None


def test_the_other_way_of_a_known_print_does_not_count() -> None:
    """Two prints that are alike by chance, in the way that prints of the set do not lie, are no evidence."""
    by_chance = Compared(turned=Likeness(2.0, (0, 0, 0)), upright=Likeness(5.0, (1, 0, 0)))
    assert (by_chance.by("turned").nats, by_chance.by("upright").nats, by_chance.by(None).nats) == (2, 5, 5)


def test_upright_tiles_say_nothing_of_the_way() -> None:
    shows = compared(face_of(printed(1), SHAPE), board_with(printed(1), 0, 1, 2), 0)
    assert shows.turned == shows.upright
    assert way_of([shows] * 50) is None


def test_a_print_of_which_a_part_is_known_is_worth_as_much_as_a_whole_one() -> None:
    """Else of two tiles on the same squares the one whose whole print is known would win."""
    nine = Scene(rows=8, cols=8, tile_shapes={9: ("###", "#.#", "###", "..#", "###")}).shapes[9]
    face = face_of(printed(1), nine[0])
    sight = board_with(printed(1), 0, 1, 2)
    coat = np.full(sight.empty.shape, USUAL, dtype=np.float32)

    def worth(turns: int) -> float:
        cells = tuple((1 + row, 2 + col) for row, col in nine[turns].squares)
        covered = np.full(len(cells), 12.0, dtype=np.float32)
        place = Place(turns, 1, 2, cells, (0, 0, 0), covered)
        return compare(face, USUAL, sight, coat, place).by(None).nats

    shared = {*nine[0].squares} & {*nine[3].squares}
    assert len(shared) == 8
    assert worth(3) == pytest.approx(worth(0), rel=0.2)


def by_square(samples: Float32) -> Float32:
    """Samples side by side, shape (high, wide, …), as samples by square, (rows, cols, samples, …)."""
    side, rest = SCENE.rows + 2 * MARGIN, samples.shape[2:]
    tiled = samples.reshape(side, SAMPLES, side, SAMPLES, *rest).swapaxes(1, 2)
    return tiled.reshape(side, side, SAMPLES * SAMPLES, *rest)


@pytest.mark.parametrize("moved", [-2, 0, 1])
def test_the_face_of_a_tile_is_taken_where_the_tile_lies(moved: int) -> None:
    colours = np.moveaxis(board_with(printed(1), 0, 1, 2, moved=moved).colours, 0, -1)
    there = face_at(by_square(colours), SHAPE, 1, 2, (moved, 0))
    assert np.abs(there.colours - face_of(printed(1), SHAPE).colours).max() < 0.06


def shown(across: int, down: int, nats: float) -> tuple[int, int]:
    """How far the tile is thought to lie off, if it fits its coat so much better than the empty board."""
    side = (SCENE.rows + 2 * MARGIN) * SAMPLES
    on_coat = np.full((side, side), -nats, dtype=np.float32)
    for row, col in SHAPE.squares:
        top, left = (1 + row + MARGIN) * SAMPLES + down, (2 + col + MARGIN) * SAMPLES + across
        on_coat[top : top + SAMPLES, left : left + SAMPLES] = nats
    return shift_of(by_square(on_coat), by_square(np.zeros_like(on_coat)), SHAPE, 1, 2)


@pytest.mark.parametrize("shift", [(0, 0), (1, -1), (-2, 0), (0, 2)])
def test_a_lesson_says_how_far_its_tile_lies_off_its_squares(shift: tuple[int, int]) -> None:
    assert shown(*shift, nats=3.0) == shift


def test_a_tile_that_hardly_differs_from_the_bed_is_taken_to_lie_on_its_squares() -> None:
    assert shown(2, -2, nats=0.02) == (0, 0)
