"""The readers on photographs and rendered pictures, where they are: figures that must hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.commands.read_bed import bed_reader, take_in
from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.camera.folder import read_picture
from hardware.vision.board.scene import read_picture_lines
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.register.sharpness import blurred
from lab.evaluate import Score, read_truth, score_bed
from lab.measure_perturbed import Perturbation

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"no photographs in {PHOTOS}")


TIDY_GAMES = tuple(f"bed/game-{n}" for n in range(1, 5))
TIDY_BOARDS = tuple(f"bed/final-{n}" for n in range(1, 7))
CARELESS = ("bed/game-5", "bed/game-6", *(f"bed/final-{n}" for n in range(7, 11)))
"""Folders whose tiles lie up to an eighth of a square off and 3° turned, in noisier pictures."""


def scores(*patterns: str) -> list[Score]:
    return [score_bed(folder) for each in patterns for folder in sorted(PHOTOS.glob(each))]


def total(read: list[Score], field: str) -> int:
    return sum(getattr(score, field) for score in read)


@pytest.mark.slow
@needs_photos
def test_rendered_games() -> None:
    read = scores(*TIDY_GAMES)
    assert total(read, "silently_wrong") == 0
    assert total(read, "exact") >= 0.98 * total(read, "pictures")
    assert total(read, "asked") <= 0.03 * total(read, "pictures")
    assert total(read, "squares_right") >= 0.998 * total(read, "squares")


@pytest.mark.slow
@needs_photos
def test_rendered_finished_boards() -> None:
    read = scores(*TIDY_BOARDS)
    assert total(read, "silently_wrong") == 0
    assert total(read, "tiles_right") >= 0.97 * total(read, "tiles")
    assert total(read, "squares_right") >= 0.998 * total(read, "squares")


@pytest.mark.slow
@needs_photos
def test_carelessly_laid_beds() -> None:
    read = scores(*CARELESS)
    assert total(read, "silently_wrong") == 0
    assert total(read, "exact") >= 32, "28 in games, 4 whole boards"
    assert total(read, "tiles_right") >= 0.985 * total(read, "tiles")


@pytest.mark.slow
@needs_photos
def test_photographed_boards() -> None:
    read = scores("boards/*")
    assert total(read, "silently_wrong") <= 0.02 * total(read, "pictures")
    assert total(read, "exact") >= 0.9 * total(read, "pictures")
    assert total(read, "squares_right") >= 0.997 * total(read, "squares")


@pytest.mark.slow
@needs_photos
@pytest.mark.parametrize(("width_px", "asked"), [(0.7, 0.03), (1.3, 1.0)])
def test_rendered_games_out_of_focus(width_px: float, asked: float, monkeypatch: pytest.MonkeyPatch) -> None:
    read = TileReader.read_board

    def out_of_focus(self: TileReader, picture: Picture, *args: Any, **kwargs: Any) -> Observation:
        return read(self, blurred(picture, width_px), *args, **kwargs)

    monkeypatch.setattr(TileReader, "read_board", out_of_focus)
    matched = scores(*TIDY_GAMES)
    assert total(matched, "silently_wrong") == 0
    assert total(matched, "asked") <= asked * total(matched, "pictures")


@pytest.mark.slow
@needs_photos
def test_a_shadow_over_a_part_of_a_bed_does_not_make_one_tile_another() -> None:
    """Most of the bed lies in a shadow: a 9 outside of it was taken for the other 6 on the same squares."""
    folder = PHOTOS / "bed" / "game-1"
    reader, shaded = bed_reader(folder), Perturbation(["shade"], 1468873338)
    for line in read_picture_lines(folder):
        if line.role != "watch":
            take_in(reader, folder, line)
    reading = reader.read_board(shaded(read_picture(folder / "15.jpg")))
    truth = read_truth(folder)["15.jpg"]
    laid = {tile.squares for tile in reading.tiles or ()}
    assert laid == {tile.squares for tile in truth.tiles}
