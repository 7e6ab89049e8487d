"""What lies over the board and is no tile in its place, each case by itself."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.vision.board.appearance import BANDS, Appearance, Coat
from hardware.vision.board.evidence import SHIFTS, Evidence
from hardware.vision.board.foreground import Empty
from hardware.vision.board.occlusions import (
    is_change_unexplained,
    occlusion_of_board,
    occlusion_of_frame,
)
from hardware.vision.board.scene import Scene
from hardware.vision.board.temporal_filter import Estimate

BOARD = Scene(rows=6, cols=6, blocked=(((5, 5),),))
L_SHAPED = Scene(rows=6, cols=6, tile_shapes={1: ("#..", "###")})
COLOUR = 3000
"""The bin of the only colour that the tests' coat has."""


def frame(
    *touched: tuple[int, int], fits: float = 2.0, colour: int = 0
) -> tuple[Callable[[], Appearance], np.ndarray]:
    """The board with its frame, 8 × 8 squares; the `touched` ones fit their empty selves this badly."""
    empty = np.full((8, 8), 5.0, dtype=np.float32)
    colours = np.zeros((8, 8, 64), dtype=np.int32)
    for row, col in touched:
        empty[row, col] = fits
        colours[row, col] = colour
    look = Appearance(colours, np.zeros((len(BANDS), 8, 8, 64), dtype=np.int32))
    return lambda: look, empty


def coat() -> Coat:
    """A coat of one colour: that of the bin COLOUR."""
    made = Coat(np.zeros((64, 3), dtype=np.float32), np.zeros((1, len(BANDS), 64), dtype=np.int32))
    made.colour_log[:] = -1.0
    made.colour_log[COLOUR] = 3.0
    return made


MARKER = np.array([(-1.3, -1.3), (-0.3, -1.3), (-0.3, -0.3), (-1.3, -0.3)])
"""The corners of a marker off the board's top left corner, in squares."""


@pytest.mark.parametrize(
    ("touched", "why"),
    [
        pytest.param([(0, 0), (0, 1), (1, 0)], "marker-covered", id="around the marker"),
        pytest.param([(7, 5), (7, 6), (7, 7)], "hand", id="at the other end"),
        pytest.param([(0, 0), (0, 1), (1, 0), (7, 5), (7, 6), (7, 7)], "hand", id="at both"),
        pytest.param([], "", id="a marker alone, and no square of the frame"),
    ],
)
def test_what_covers_a_marker_alone_is_said_by_that_name(touched: list[tuple[int, int]], why: str) -> None:
    look, empty = frame(*touched, colour=COLOUR)
    assert occlusion_of_frame(look, empty, [], [MARKER]) == why
    if why == "marker-covered":
        assert occlusion_of_frame(look, empty, [coat()], [MARKER]) == why, "not tile-off-bed"
        assert occlusion_of_frame(look, empty, [], []) == "hand", "the marker is in sight"


@pytest.mark.parametrize(
    ("touched", "fits", "why"),
    [
        pytest.param([], 2.0, "", id="nothing"),
        pytest.param([(0, 2), (0, 3)], 2.0, "", id="a tail on two squares"),
        pytest.param([(0, 2), (0, 3), (0, 4)], 2.0, "hand", id="three side by side"),
        pytest.param([(0, 2), (0, 3), (7, 4)], 2.0, "", id="three, one of them elsewhere"),
        pytest.param([(0, 0), (0, 1), (1, 0)], 2.0, "hand", id="around a corner"),
        pytest.param([(0, 2), (0, 3)], 0.5, "hand", id="two, hidden"),
        pytest.param([(0, 2)], 0.5, "", id="one, hidden"),
        pytest.param([(3, 3), (3, 4), (4, 4)], 0.0, "", id="on the grid itself"),
        pytest.param([(0, 2), (0, 3), (0, 4)], 3.2, "", id="hardly touched"),
    ],
)
def test_a_hand_reaches_over_the_frame(touched: list[tuple[int, int]], fits: float, why: str) -> None:
    assert occlusion_of_frame(*frame(*touched, fits=fits), ()) == why


@pytest.mark.parametrize(
    ("touched", "fits", "colour", "why"),
    [
        pytest.param([(0, 2), (0, 3), (0, 4)], 2.0, COLOUR, "tile-off-bed", id="in a coat's colours"),
        pytest.param([(0, 2), (0, 3), (0, 4)], 2.0, 0, "hand", id="in other colours"),
        pytest.param([(0, 2), (2, 0), (7, 4)], 0.5, COLOUR, "tile-off-bed", id="arms apart"),
        pytest.param([(0, 2), (2, 0), (7, 4)], 0.5, 0, "", id="other things apart"),
        pytest.param([(0, 2), (2, 0)], 0.5, COLOUR, "", id="two tails"),
    ],
)
def test_a_tile_over_the_frame_has_a_coats_colours(
    touched: list[tuple[int, int]], fits: float, colour: int, why: str
) -> None:
    assert occlusion_of_frame(*frame(*touched, fits=fits, colour=colour), [coat()]) == why


TILE = Tile("red", 1, 0, 0, 0, ((0, 0), (0, 1), (0, 2)))
OTHER = Tile("red", 2, 0, 0, 2, ((0, 2), (1, 2), (2, 2)))


def board(
    covered: tuple[tuple[int, int], ...] = (),
    *,
    corners: float = 0.0,
    hidden: float = 0.0,
    coat_fits: dict[tuple[int, int], float] | None = None,
    mirrored: tuple[tuple[int, int], ...] = (),
) -> tuple[Evidence, Empty]:
    """What a picture says: `covered` squares surely so, to their corners or only partly hidden."""
    nats, free = np.full(36, -5.0, dtype=np.float32), np.full((6, 6), 5.0, dtype=np.float32)
    hides, coats = np.zeros((6, 6), dtype=np.float32), np.full(36, 3.0, dtype=np.float32)
    for row, col in covered:
        nats[row * 6 + col], free[row, col], hides[row, col] = 8.0, corners, hidden
    for (row, col), fits in (coat_fits or {}).items():
        coats[row * 6 + col] = fits
    moved = np.broadcast_to(nats, (SHIFTS, SHIFTS, 36))
    samples = np.zeros((6, 6, 64), dtype=np.float32)
    mirrors = np.zeros((6, 6), dtype=bool)
    for row, col in mirrored:
        mirrors[row, col] = True
    return Evidence(moved, {}, {("red", 1): coats}), Empty(free, free, hides, samples, mirrors)


def why_of(
    seen: tuple[Evidence, Empty], tiles: tuple[Tile, ...], before: tuple[Tile, ...] | None = None
) -> str:
    """What the tiles do not explain."""
    return occlusion_of_board(BOARD, *seen, tiles, tiles if before is None else before)


@pytest.mark.parametrize(
    ("mirrored", "tiles", "why"),
    [
        pytest.param(((3, 3), (3, 4)), (), "", id="too small for the tile"),
        pytest.param(((3, 3), (3, 4), (3, 5), (2, 5)), (), "unexplained", id="the tile, its back up"),
        pytest.param(((3, 3), (3, 4), (3, 5), (2, 5)), (TILE,), "", id="the tile lies elsewhere"),
    ],
)
def test_no_tile_that_is_missing_may_lie_where_the_board_mirrors(
    mirrored: tuple[tuple[int, int], ...], tiles: tuple[Tile, ...], why: str
) -> None:
    evidence, empty = board(mirrored=mirrored)
    evidence = msgspec.structs.replace(evidence, tiles={("red", 1): evidence.moved})
    assert occlusion_of_board(L_SHAPED, evidence, empty, tiles, ()) == why


def test_what_the_tiles_explain_needs_no_word() -> None:
    assert why_of(board(TILE.cells), (TILE,), ()) == ""


@pytest.mark.parametrize(
    ("covered", "why"),
    [
        pytest.param(((3, 3), (3, 4)), "", id="two squares"),
        pytest.param(((3, 3), (3, 4), (4, 4)), "unexplained", id="three side by side"),
        pytest.param(((3, 3), (4, 4), (2, 2)), "", id="three at corners"),
        pytest.param(((5, 3), (5, 4), (5, 5)), "", id="one of them blocked"),
    ],
)
def test_squares_that_no_tile_explains_are_said(covered: tuple[tuple[int, int], ...], why: str) -> None:
    assert why_of(board(covered), ()) == why


def test_round_tokens_leave_the_corners_and_are_no_tile() -> None:
    tokens = ((3, 3), (3, 4), (4, 4))
    assert why_of(board(tokens, corners=3.0), ()) == ""
    assert why_of(board(tokens, corners=2.0), ()) == "unexplained"


def test_where_a_tile_is_gone_one_square_is_enough() -> None:
    assert why_of(board(((3, 3),)), (), (TILE,)) == "unexplained"
    assert why_of(board(((3, 3),)), (), ()) == ""


def test_a_tile_over_the_place_of_one_that_is_gone_is_an_overlap() -> None:
    assert why_of(board(((0, 0), *OTHER.cells)), (OTHER,), (TILE,)) == "overlap"


@pytest.mark.parametrize(("squares", "why"), [(5, ""), (6, "unexplained")])
def test_a_tile_between_squares_hides_a_part_of_many(squares: int, why: str) -> None:
    covered = tuple((row, col) for row in (2, 3) for col in range(3))[:squares]
    evidence, empty = board(covered, corners=5.0, hidden=0.3)
    assert why_of((evidence, empty), ()) == why
    assert why_of(board(covered, corners=5.0, hidden=0.2), ()) == ""


def test_a_new_tile_without_its_coats_colours_lies_face_down() -> None:
    flipped = board(TILE.cells, coat_fits=dict.fromkeys(TILE.cells, 0.5))
    assert why_of(flipped, (TILE,), ()) == "flipped"
    assert why_of(flipped, (TILE,)) == ""
    glare = board(TILE.cells, coat_fits=dict.fromkeys(TILE.cells, 1.7))
    assert why_of(glare, (TILE,), ()) == ""


@pytest.mark.parametrize(("hidden_squares", "why"), [(1, "unexplained"), (2, "overlap")])
def test_something_on_a_tile_hides_its_coat(hidden_squares: int, why: str) -> None:
    beside = ((1, 0), (1, 1), (1, 2))
    seen = board((*TILE.cells, *beside), coat_fits=dict.fromkeys(TILE.cells[:hidden_squares], 0.0))
    assert why_of(seen, (TILE,)) == why


class TestUnevenLight:
    """In a shadow a tile of the bed's own colour shows little: what it changes must be explained."""

    NEW = Tile("cat", 1, 0, 0, 0, ((0, 0), (1, 0)))

    def missed(self, *changed: tuple[int, int], uneven: float = 0.1, event: str = "") -> bool:
        """Whether a tile may have been missed where these squares changed and one new tile was seen."""
        squares = np.zeros((6, 6), dtype=bool)
        for cell in changed:
            squares[cell] = True
        return is_change_unexplained(uneven, squares, Estimate((self.NEW,), 1.0, (), event), ())

    def test_a_new_tile_explains_its_squares_and_those_beside_it(self) -> None:
        assert not self.missed((0, 0), (1, 0), (2, 0), (2, 1))

    def test_what_changed_elsewhere_is_unexplained(self) -> None:
        assert self.missed((0, 0), (1, 0), (3, 4), (4, 4))
        assert not self.missed((0, 0), (1, 0), (3, 4)), "a single square may be noise"

    def test_so_is_a_tile_out_of_turn(self) -> None:
        assert self.missed((0, 0), (1, 0), event="out-of-turn")

    def test_in_even_light_neither_is(self) -> None:
        assert not self.missed((3, 4), (4, 4), uneven=0.04, event="out-of-turn")
