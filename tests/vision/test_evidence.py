"""What coats and the empty board say of each square becomes evidence for tiles, and the likeliest boards."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.arrays import Float32
from hardware.vision.board.evidence import (
    REACH,
    SHIFTS,
    Evidence,
    likely_boards,
    places_since,
    shifted_means,
)
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.search import mask_of
from hardware.vision.register.rectify import MARGIN
from tests.vision.drawn import SCENE

FOUR = Tile("cat", 4, 1, 6, 3, SCENE.cells_of(Tile("cat", 4, 1, 6, 3)))
EIGHT = Tile("dog", 8, 0, 10, 7, SCENE.cells_of(Tile("dog", 8, 0, 10, 7)))
AGAINST = -12.0
"""What an empty square says against any tile, in nats."""


def squares_of(tile: Tile) -> list[int]:
    """The squares under a tile, as indices."""
    return [row * SCENE.cols + col for row, col in tile.cells]


def seen(*tiles: Tile, own_nats: float = 12.0) -> Evidence:
    """What a picture of just these tiles says; `own_nats`: how much each square speaks for its own tile."""
    moved = np.full((SHIFTS, SHIFTS, SCENE.squares), AGAINST, dtype=np.float32)
    every: dict[tuple[str, int | str], Float32] = {
        (owner, kind): moved.copy() for owner in ("cat", "dog") for kind in SCENE.placements
    }
    for tile in tiles:
        for nats in every.values():
            nats[..., squares_of(tile)] = own_nats / 6
        every[tile.owner, tile.kind][..., squares_of(tile)] = own_nats
        moved[..., squares_of(tile)] = own_nats
    return Evidence(moved, every, {}, {})


class TestShiftedMeans:
    """Squares that lie a little beside their places."""

    SHAPE = ((4 + 2 * MARGIN) * SAMPLES, (3 + 2 * MARGIN) * SAMPLES)

    def test_in_its_place_each_square_has_the_mean_of_its_own_samples(self) -> None:
        samples = np.random.default_rng(1).normal(size=self.SHAPE).astype(np.float32)
        inside = samples[MARGIN * SAMPLES : -MARGIN * SAMPLES, MARGIN * SAMPLES : -MARGIN * SAMPLES]
        means = inside.reshape(4, SAMPLES, 3, SAMPLES).mean(axis=(1, 3)).ravel()
        np.testing.assert_allclose(shifted_means(samples)[REACH, REACH], means, atol=1e-5)

    @pytest.mark.parametrize(("down", "across"), [(-REACH, 0), (REACH, -1), (1, REACH)])
    def test_moved_it_has_the_mean_of_the_samples_there(self, down: int, across: int) -> None:
        samples = np.random.default_rng(2).normal(size=self.SHAPE).astype(np.float32)
        top, left = MARGIN * SAMPLES + down, MARGIN * SAMPLES + SAMPLES + across
        mean = samples[top : top + SAMPLES, left : left + SAMPLES].mean()
        assert shifted_means(samples)[REACH + down, REACH + across][1] == pytest.approx(mean, abs=1e-5)


class TestLikelyBoards:
    """The boards that explain the evidence."""

    def test_the_best_board_has_the_tiles_that_were_seen(self) -> None:
        best, *_ = likely_boards(SCENE, seen(FOUR, EIGHT), (), 3)
        assert {tile.squares for tile in best.tiles} == {tile.squares for tile in (FOUR, EIGHT)}

    def test_an_empty_bed_has_no_tiles(self) -> None:
        best, *_ = likely_boards(SCENE, seen(), (), 2)
        assert best.tiles == ()

    def test_the_better_comes_first(self) -> None:
        boards = likely_boards(SCENE, seen(FOUR), (), 4)
        assert [board.cost for board in boards] == sorted(board.cost for board in boards)

    def test_weak_evidence_is_enough_for_a_tile_that_lay_there_before(self) -> None:
        weak = seen(FOUR, own_nats=0.8)
        assert likely_boards(SCENE, weak, (), 1)[0].tiles == ()
        (stays,) = likely_boards(SCENE, weak, (FOUR,), 1)[0].tiles
        assert (stays.kind, set(stays.cells)) == (4, set(FOUR.cells))

    def test_only_places_that_come_into_question_are_taken(self) -> None:
        none = {kind: np.zeros(len(places.masks), dtype=bool) for kind, places in SCENE.placements.items()}
        best, *_ = likely_boards(SCENE, seen(FOUR), (), 1, allowed=none)
        assert best.tiles == ()

    def test_a_face_can_overrule_the_coat(self) -> None:
        asked = []

        def against(choice: object, number: int) -> float:
            asked.append(number)
            return -500.0

        best, *_ = likely_boards(SCENE, seen(FOUR), (), 1, against)
        assert asked
        assert FOUR.kind not in [tile.kind for tile in best.tiles if tile.owner == "cat"]


class TestPlacesSince:
    """What may have been laid since the last believed picture."""

    CHANGED = np.zeros(SCENE.squares, dtype=bool)

    def allowed(self, tile: Tile, *believed: Tile, new: Tile | None = None, over: bool = False) -> bool:
        """Whether a tile's own place comes into question, once the squares of `new` show something new."""
        changed = self.CHANGED.copy()
        if new is not None:
            changed[squares_of(new)] = True
        allowed = places_since(SCENE, believed, changed, over_unchanged=over)
        numbers = SCENE.placements[tile.kind].numbers_of[mask_of(tile.cells, SCENE.cols)]
        return bool(allowed[tile.kind][numbers].any())

    def test_where_nothing_is_new_no_tile_was_laid(self) -> None:
        assert not self.allowed(FOUR)

    def test_where_a_square_is_new_a_tile_may_lie(self) -> None:
        assert self.allowed(FOUR, new=FOUR)

    def test_a_believed_tile_may_lie_on(self) -> None:
        assert self.allowed(EIGHT, EIGHT, new=FOUR)

    def test_no_tile_is_laid_over_one_that_shows_nothing_new(self) -> None:
        across = Tile("cat", 1, 1, 6, 2, SCENE.cells_of(Tile("cat", 1, 1, 6, 2)))
        assert set(across.cells) & set(FOUR.cells)
        beside = Tile("dog", 1, 0, 6, 2, ((6, 2),))
        assert not self.allowed(across, FOUR, new=beside)
        assert self.allowed(across, FOUR, new=beside, over=True)
        assert self.allowed(across, FOUR, new=FOUR), "the four itself shows something new"
