"""Beds by chance: what they show, and what the reader makes of one."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from companion.commands.score import bed_of
from lab.measure_perturbed import firsts, unperturbed
from tests.vision.chance_beds import BOARDS, KINDS, MOST_ASKEW, MOST_OFF, ChanceBed, write


def test_a_seed_gives_the_same_bed_again() -> None:
    one, other = (ChanceBed(KINDS["careless"], 3) for _ in range(2))
    np.testing.assert_array_equal(
        one.picture(one.laid(one.board())), other.picture(other.laid(other.board()))
    )


def test_careless_tiles_lie_off_their_squares_but_none_over_another() -> None:
    bed = ChanceBed(KINDS["careless"], 4)
    laid = bed.laid(bed.board())
    assert max(abs(off) for each in laid for off in each.off) <= MOST_OFF
    assert max(abs(each.askew) for each in laid) <= MOST_ASKEW
    assert sum(each.askew != 0 for each in laid) > len(laid) / 2
    covers = [bed.covers(each) for each in laid]
    assert not any((one & other).any() for one, other in itertools.combinations(covers, 2))


def test_tidy_tiles_lie_on_their_squares() -> None:
    bed = ChanceBed(KINDS["tidy"], 4)
    assert {(each.off, each.askew) for each in bed.laid(bed.board())} == {((0.0, 0.0), 0.0)}


def test_a_bed_that_was_drawn_is_taken_as_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "bed", KINDS["stranger-tidy"], 5)
    bed = bed_of([tmp_path / "bed" / "scene.json"], None, {})
    assert (bed.layout.rows, bed.layout.cols) == (16, 12)


@pytest.mark.slow
def test_a_one_whose_tail_lies_on_the_next_square_is_no_question(tmp_path: Path) -> None:
    """The tail has the tile's own coat, so the tile might as well lie a square further on."""
    write(tmp_path / "bed", KINDS["careless"], 3001)
    assert [each.outcome for each in firsts(tmp_path / "bed", 1, unperturbed)] == ["exact"] * BOARDS
