"""Pieces on a board, followed on pictures that are drawn here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.games.chop_chop import GAME
from companion.games.chop_chop.sighting import HUES
from companion.games.chop_chop.state import ChopOptions, GoTo
from companion.games.watching import Observation, Piece, Verdict
from hardware.vision.board.piece_reader import PieceReader
from hardware.vision.errors import HomographyError, ReferenceMissingError
from tests.vision.kitchen import BUMPED, SCENE, StandsAt, corners_px, kitchen

START: tuple[StandsAt, ...] = (
    ("cat", 2, 3),
    ("mouse", 0, 3),
    ("mouse", 2, 0),
    ("mouse", 3, 6),
    ("mouse", 5, 3),
)
PLAYED: tuple[StandsAt, ...] = (("cat", 4, 2), ("mouse", 0, 5), ("mouse", 3, 0), ("mouse", 5, 3))

LIGHTS = [
    pytest.param({}, id="as it was"),
    pytest.param({"gain": 0.65}, id="darker"),
    pytest.param({"gain": 1.15}, id="brighter"),
    pytest.param({"warm": 0.1}, id="warmer"),
    pytest.param({"warm": -0.1}, id="colder"),
    pytest.param({"slope": 0.15}, id="from one side"),
    pytest.param({"gain": 0.8, "warm": 0.08, "slope": 0.1}, id="another lamp"),
]


CORNERS = corners_px()
"""Where the tests set the corners themselves, no markers are searched for: that takes most of the time."""


def shown(corners: Any = CORNERS) -> PieceReader:
    """A reader that was shown the empty kitchen, and told where the pieces begin."""
    reader = PieceReader(SCENE, HUES)
    reader.see_empty(kitchen(noise=99), corners)
    reader.stand(Piece(kind, int(row), int(col)) for kind, row, col in START)
    return reader


def read(reader: PieceReader, pieces: Any, **how: Any) -> Observation:
    """What it reads in a kitchen with these pieces."""
    return reader.read_board(kitchen(pieces, **how), CORNERS)


def matched(reading: Observation) -> list[StandsAt]:
    """The pieces of a reading as they are drawn."""
    return [(piece.kind, piece.row, piece.col) for piece in reading.pieces]


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("pieces", [START, PLAYED, ()], ids=["start", "played", "none"])
def test_pieces_are_told_by_kind_and_square_in_any_light(
    light: dict[str, Any], pieces: tuple[StandsAt, ...]
) -> None:
    reading = read(shown(), pieces, noise=1, **light)
    assert (reading.unsure, reading.why) == (False, "")
    assert matched(reading) == list(pieces)
    assert all(piece.confidence > 0.95 for piece in reading.pieces)


@pytest.mark.parametrize("lean", [(-0.3, 0.1), (0.25, 0.2), (-0.2, -0.25)])
def test_how_pieces_lean_is_learned_from_those_that_stay(lean: tuple[float, float]) -> None:
    reader = shown()
    assert matched(read(reader, START, noise=1, lean=lean)) == list(START)
    reading = read(reader, PLAYED, noise=2, lean=lean)
    assert (reading.unsure, matched(reading)) == (False, list(PLAYED))


def test_a_bumped_camera_is_followed() -> None:
    reader = shown(None)
    assert matched(reader.read_board(kitchen(START, noise=1))) == list(START)
    assert matched(reader.read_board(kitchen(PLAYED, noise=2, corners=BUMPED))) == list(PLAYED)


@pytest.mark.parametrize("off", [(0.5, 0.0), (0.0, 0.48), (0.45, 0.5)])
def test_a_piece_between_squares_is_unsure(off: tuple[float, float]) -> None:
    reading = read(shown(), (*START[:2], ("mouse", 4 + off[0], 1 + off[1])), noise=1)
    assert (reading.unsure, reading.why) == (True, "between-squares")


@pytest.mark.parametrize("off", [(0.3, 0.0), (0.0, -0.3), (0.2, 0.25)])
def test_a_piece_set_down_carelessly_stands_on_its_square(off: tuple[float, float]) -> None:
    reading = read(shown(), (("mouse", 4 + off[0], 1 + off[1]),), noise=1)
    assert (reading.unsure, matched(reading)) == (False, [("mouse", 4, 1)])


def test_two_pieces_on_one_square_are_unsure() -> None:
    reading = read(shown(), (("mouse", 3.75, 1), ("mouse", 4.3, 1)), noise=1)
    assert reading.unsure


def test_a_hand_is_waited_out() -> None:
    reader = shown()
    reading = read(reader, START, noise=1, hand=True)
    assert (reading.unsure, reading.why) == (True, "hand")
    assert not read(reader, PLAYED, noise=2).unsure


def test_slabs_taken_away_and_cheese_are_no_pieces() -> None:
    reader = shown()
    for n in range(4):
        reading = read(reader, START, noise=n, bare=((1, 1), (4, 4)), cheese=((1, 5),))
        assert (reading.unsure, matched(reading)) == (False, list(START))


def test_a_bared_floor_of_the_mices_own_grey_is_no_mouse() -> None:
    reader = shown()
    for n in range(3):
        reading = read(reader, START, noise=n, bare=((1, 1), (4, 4), (4, 5)), floor=(120, 122, 121))
    assert matched(reading) == list(START)


def test_a_mouse_on_floor_that_was_bared_before_is_seen() -> None:
    reader, bare = shown(), ((1, 1), (0, 3), (4, 4))
    for n in range(3):
        read(reader, START, noise=n, bare=bare)
    moved = (START[0], ("mouse", 1, 1), *START[2:])
    reading = read(reader, moved, noise=8, bare=bare)
    assert (reading.unsure, matched(reading)) == (False, sorted(moved))


def test_a_thing_of_another_colour_is_no_piece() -> None:
    reading = read(shown(), START, noise=1, extra=(60, 60, 200))
    assert (reading.unsure, matched(reading)) == (False, list(START))


def test_a_still_picture_is_not_read_again() -> None:
    reader = shown(None)
    first = reader.read_board(kitchen(START, noise=1))
    again = reader.read_board(kitchen(START, noise=2), image="b")
    assert (again.image, again.pieces, list(again.ms)) == ("b", first.pieces, ["still"])


def test_without_the_empty_board_or_its_markers_nothing_is_read() -> None:
    with pytest.raises(ReferenceMissingError):
        PieceReader(SCENE, HUES).read_board(kitchen(START))
    with pytest.raises(HomographyError):
        PieceReader(SCENE, HUES).see_empty(np.full((480, 640, 3), 90, np.uint8))


@pytest.mark.slow
def test_many_kitchens_are_read_right_or_said_to_be_unsure() -> None:
    """Pieces anywhere, in light that changes, leaning as a tilted camera sees them."""
    random = np.random.default_rng(11)
    exact = 0
    for n in range(12):
        reader = shown()
        lean = tuple(random.uniform(-0.25, 0.25, 2))
        read(reader, START, noise=n, lean=lean)
        squares = random.permutation([(row, col) for row in range(6) for col in range(7)])[:5]
        pieces = [(("mouse", "cat")[i == 0], int(row), int(col)) for i, (row, col) in enumerate(squares)]
        light = {"gain": random.uniform(0.7, 1.15), "warm": random.uniform(-0.1, 0.1)}
        bare = [tuple(map(int, square)) for square in random.integers(0, (6, 7), (4, 2))]
        reading = read(reader, pieces, noise=n + 50, lean=lean, bare=bare, **light)
        right = matched(reading) == sorted(pieces)
        assert right or reading.unsure or len(reading.pieces) < len(pieces)
        exact += right and not reading.unsure
    assert exact >= 10


def test_a_moved_piece_in_a_picture_becomes_a_move_of_the_game() -> None:
    """From the picture to the rules: a mouse that has walked two squares is its move, one that cannot have is
    said."""
    state = GAME.play(GAME.start(ChopOptions(), 2), GAME.move({"move": "place", "row": 2, "col": 3}))
    state = GAME.play(state, GAME.move({"move": "throw", "dice": [2]}))
    reader = shown(None)

    def seen(*pieces: StandsAt) -> Observation:
        reading = reader.read_board(kitchen(pieces, noise=len(pieces)))
        reader.view.forget_picture()
        return reading

    assert GAME.sighting(state, seen(*START)).verdict is Verdict.NOTHING
    moved = GAME.sighting(state, seen(START[0], ("mouse", 1, 4), *START[2:]))
    assert moved.verdict is Verdict.PLAY
    assert moved.guesses[0].moves == (GoTo("mouse-1", 1, 4),)
    too_far = GAME.sighting(state, seen(START[0], ("mouse", 1, 6), *START[2:]))
    assert (too_far.verdict, too_far.rule) == (Verdict.BREAKS, "not-that-far")
    between = GAME.sighting(state, seen(START[0], ("mouse", 0.5, 4), *START[2:]))
    assert between.verdict is not Verdict.PLAY


@pytest.mark.parametrize("lean", [(0.0, 0.3), (0.3, 0.0), (-0.3, 0.0), (0.0, -0.3)])
def test_a_careless_piece_that_leans_as_the_others_do_stands_on_its_square(lean: tuple[float, float]) -> None:
    reader = shown()
    read(reader, START, noise=1, lean=lean)
    aside = ("mouse", 4 + 0.9 * lean[1], 1 + 0.9 * lean[0])
    reading = read(reader, (*START, aside), noise=2, lean=lean)
    assert (reading.unsure, ("mouse", 4, 1) in matched(reading)) == (False, True)
