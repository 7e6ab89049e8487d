"""The tail at a tile's foot says which of two kinds lies on the same squares, and which way round."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.arrays import Mask
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.search import Board
from hardware.vision.board.tails import (
    CHANGED,
    LEAST,
    MOST,
    NATS,
    changed_squares,
    coat_beside,
    nats_of_tail,
    way_round,
    with_tails,
)
from hardware.vision.register.rectify import MARGIN
from tests.vision.drawn import SCENE

SHAPE = ((SCENE.rows + 2 * MARGIN) * SAMPLES, (SCENE.cols + 2 * MARGIN) * SAMPLES)
"""The samples of the board and its frame."""
SIX = Tile("cat", 6, 0, 5, 4, SCENE.cells_of(Tile("cat", 6, 0, 5, 4)))
NINE = Tile("cat", 9, 2, 5, 4, SCENE.cells_of(Tile("cat", 9, 2, 5, 4)))
"""Twins: the 9 lies upside down on the squares of the 6."""


def samples_of(*squares: tuple[int, int]) -> Mask:
    """All samples of squares, which may lie in the frame."""
    mask = np.zeros(SHAPE, dtype=bool)
    for row, col in squares:
        top, left = (row + MARGIN) * SAMPLES, (col + MARGIN) * SAMPLES
        mask[top : top + SAMPLES, left : left + SAMPLES] = True
    return mask


def costs(marks: Mask, *, known: Tile | None = None) -> list[float]:
    """The costs of the board with the 6 and of the one with the 9, both 10 nats before."""
    boards = [Board((tile,), 10.0) for tile in (SIX, NINE)]
    lying = set() if known is None else {(known.owner, known.kind, frozenset(known.cells))}
    return [board.cost for board in with_tails(SCENE, boards, lying, lambda *_: marks)]


def test_these_are_twins() -> None:
    assert set(SIX.cells) == set(NINE.cells)


class TestTwins:
    """A 6, and a 9 that lies upside down on its squares."""

    def test_a_tail_below_speaks_for_the_six(self) -> None:
        six, nine = costs(samples_of((10, 4)))
        assert nine > 10 + NATS / 2
        assert six == 10

    def test_a_tail_above_speaks_for_the_nine_upside_down(self) -> None:
        six, nine = costs(samples_of((4, 5)))
        assert six > 10 + NATS / 2
        assert nine == 10

    def test_the_same_at_both_ends_says_nothing(self) -> None:
        assert costs(samples_of((10, 4), (4, 4))) == [10, 10]

    def test_a_few_samples_say_nothing(self) -> None:
        few = samples_of((10, 4))
        few[:, : (4 + MARGIN) * SAMPLES + 2] = False
        few[: (10 + MARGIN) * SAMPLES + 2 + 2] = False
        few[(10 + MARGIN) * SAMPLES + 5 :] = False
        few[:, (4 + MARGIN) * SAMPLES + 3 :] = False
        assert 0 < few.sum() < LEAST * SAMPLES
        assert costs(few) == [10, 10]

    def test_however_much_is_there_the_evidence_has_an_end(self) -> None:
        everywhere_below = samples_of(
            *((10, col) for col in range(3, 8)), *((11, col) for col in range(3, 8))
        )
        assert costs(everywhere_below) == [10, pytest.approx(10 + NATS * MOST)]

    def test_what_a_careless_tile_itself_covers_is_no_tail(self) -> None:
        edge = samples_of((10, 4))
        edge[(10 + MARGIN) * SAMPLES + 2 :] = False
        assert costs(edge) == [10, 10]

    def test_a_tile_that_lay_so_before_is_not_weighed_again(self) -> None:
        assert costs(samples_of((10, 4)), known=SIX) == [10, 10]


@pytest.mark.parametrize(
    ("turns", "row", "col", "foot"),
    [(0, 5, 4, (10, 5)), (1, 5, 3, (6, 2)), (2, 5, 4, (4, 5)), (3, 5, 3, (6, 8))],
    ids=["down", "left", "up", "right"],
)
def test_the_foot_goes_round_with_the_tile(turns: int, row: int, col: int, foot: tuple[int, int]) -> None:
    cells = SCENE.cells_of(Tile("cat", 6, turns, row, col))
    six, nine = Tile("cat", 6, turns, row, col, cells), Tile("cat", 9, (turns + 2) % 4, row, col, cells)
    boards = [Board((six,), 0.0), Board((nine,), 0.0)]
    after = with_tails(SCENE, boards, set(), lambda *_: samples_of(foot))
    assert after[0].cost == 0 < after[1].cost


@pytest.mark.parametrize("twins", [(SIX, NINE), (NINE, SIX)], ids=["likelier", "less likely"])
def test_a_tail_says_nothing_against_boards_with_tiles_elsewhere(twins: tuple[Tile, Tile]) -> None:
    """It ranks the twins; the better one of them costs as much against other boards as without the tail."""
    elsewhere = Board((msgspec.structs.replace(SIX, row=0, cells=((0, 0),)),), 0.0)
    boards = [elsewhere, *(Board((twin,), cost) for twin, cost in zip(twins, (11.0, 12.0), strict=True))]
    after = with_tails(SCENE, boards, set(), lambda *_: samples_of((10, 4)))
    assert after[0] == elsewhere
    costs = {board.tiles[0].kind: board.cost for board in after[1:]}
    assert costs[6] == 11
    assert costs[9] > 11 + NATS / 2


def test_without_twins_tails_say_nothing() -> None:
    boards = [Board((SIX,), 1.0), Board((), 3.0)]
    assert with_tails(SCENE, boards, set(), lambda *_: samples_of((10, 4))) == boards


class TestWayRound:
    """A 1 covers the same squares after half a turn."""

    ONE = Tile("cat", 1, 0, 5, 4, SCENE.cells_of(Tile("cat", 1, 0, 5, 4)), 0.9)

    def turned(self, marks: Mask, faces: dict[int, float]) -> Tile:
        """The way round in which it lies. `marks` may show its tail; `faces`: in nats by turns."""
        return way_round(
            SCENE, self.ONE, lambda tile: faces.get(tile.turns, 0.0) + nats_of_tail(SCENE, tile, marks)
        )

    def test_without_evidence_it_stays_as_it_is(self) -> None:
        assert self.turned(samples_of(), {}) == self.ONE

    def test_a_tail_above_turns_it(self) -> None:
        there = self.turned(samples_of((4, 4)), {})
        assert there.turns == 2
        assert set(there.cells) == set(self.ONE.cells)
        assert there.confidence == 0.9

    def test_a_tail_below_does_not(self) -> None:
        assert self.turned(samples_of((10, 4)), {}).turns == 0

    def test_a_clear_face_outweighs_a_tail(self) -> None:
        assert self.turned(samples_of((4, 4)), {0: 30.0}).turns == 0

    def test_a_tile_with_other_squares_after_half_a_turn_stays(self) -> None:
        assert way_round(SCENE, SIX, lambda tile: float(tile.turns)) == SIX


class TestCoatBeside:
    """A tail has its tile's coat, where the board holds something else."""

    EMPTY = np.full(SHAPE, -3.0, dtype=np.float32)

    def test_samples_that_look_like_the_coat_and_not_like_the_bed_are_a_tail(self) -> None:
        on_coat = np.where(samples_of((10, 4)), 0.0, -9.0).astype(np.float32)
        marks = coat_beside(Board((SIX,), 0.0), SIX, self.EMPTY, {("cat", 6): on_coat})
        assert (marks == samples_of((10, 4))).all()

    def test_a_little_better_is_not_enough(self) -> None:
        on_coat = np.full(SHAPE, -3.0 + CHANGED - 0.1, dtype=np.float32)
        assert not coat_beside(Board((SIX,), 0.0), SIX, self.EMPTY, {("cat", 6): on_coat}).any()

    def test_another_tile_that_lies_there_explains_its_own_samples(self) -> None:
        other = Tile("cat", 1, 0, 10, 4, ((10, 4),))
        coat = np.zeros(SHAPE, dtype=np.float32)
        coats = {("cat", 6): coat, ("cat", 1): coat}
        marks = coat_beside(Board((SIX, other), 0.0), SIX, self.EMPTY, coats)
        assert not marks[samples_of((10, 4))].any()
        assert marks[samples_of((10, 5))].all()

    def test_a_coat_that_was_never_shown_has_no_tail(self) -> None:
        assert not coat_beside(Board((SIX,), 0.0), SIX, self.EMPTY, {}).any()


def test_a_square_is_new_where_enough_of_its_samples_are() -> None:
    changed = np.zeros(SHAPE, dtype=bool)
    changed[0, :5] = True  # 5 of 64 samples: less than the share
    changed[SAMPLES : SAMPLES + 2, :3] = True  # 6 of 64
    new = changed_squares(changed)
    assert (bool(new[0, 0]), bool(new[1, 0]), int(new.sum())) == (False, True, 1)
