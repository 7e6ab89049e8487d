"""`companion score` on a drawn bed: regions and points, the picture drawn on, and what cannot be scored."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.commands.conftest import GAME, PictureFolder, with_sleeve
from tests.conftest import Companion
from tests.vision.drawn import picture


def test_the_last_picture_is_scored_region_by_region(companion: Companion, drawn_game: Path) -> None:
    done = companion("score", drawn_game, "--json")
    (view,) = done.lines
    assert {(tile["owner"], tile["digit"]) for tile in view["tiles"]} == {("cat", 4), ("dog", 8)}
    free = 16 * 12 - sum(len(tile["cells"]) for tile in view["tiles"])
    assert sum(len(region["squares"]) for region in view["regions"]) == free
    # Digit 8 has two holes of one square, which never score; the rest lies open to both animals.
    assert sorted(len(region["squares"]) for region in view["regions"]) == [1, 1, free - 2]
    outside = max(view["regions"], key=lambda region: len(region["squares"]))
    assert (outside["owner"], outside["points"]) == ("dog", free - 2)
    assert (view["points"]["cat"]["total"], view["points"]["dog"]["total"]) == (0, free - 2)


@pytest.mark.parametrize(
    ("language", "letters"),
    [pytest.param("zh-Hant", "貓狗", id="chinese"), pytest.param("ko", "고양강아개", id="korean")],
)
def test_it_is_told_in_the_language_that_was_chosen(
    companion: Companion, drawn_game: Path, language: str, letters: str
) -> None:
    done = companion("score", drawn_game, "--lang", language)
    assert done.status == 0
    assert set(letters) & set(done.out)


def test_the_picture_shows_each_tile_and_region_in_its_owners_colour(
    companion: Companion, drawn_game: Path, tmp_path: Path
) -> None:
    output = tmp_path / "score.png"
    assert companion("score", drawn_game, "--picture", output).status == 0
    drawn, taken = cv2.imread(str(output)), cv2.imread(str(drawn_game / "04.png"))
    assert drawn.shape == taken.shape
    changed = np.abs(drawn.astype(int) - taken).max(axis=2) > 20
    assert 0.1 < changed.mean() < 0.9
    # The open region is the dog's, drawn in blue: it gains blue and loses red.
    tint = drawn[changed].astype(int).mean(axis=0) - taken[changed].astype(int).mean(axis=0)
    assert tint[0] > 10 > tint[2]


@pytest.mark.parametrize("name", ["score.txt", "score.jpgg"])
def test_a_picture_of_another_kind_is_refused(
    companion: Companion, drawn_game: Path, tmp_path: Path, name: str
) -> None:
    done = companion("score", drawn_game, "--picture", tmp_path / name)
    assert done.status == 2
    assert "name it .png or .jpg" in done.err
    assert not (tmp_path / name).exists()


def test_a_picture_that_cannot_be_written_is_said(
    companion: Companion, drawn_game: Path, tmp_path: Path
) -> None:
    done = companion("score", drawn_game, "--picture", tmp_path / "no" / "score.png")
    assert done.status == 2
    assert "name another file with --picture" in done.err


def test_a_last_picture_with_a_hand_in_it_is_not_scored(companion: Companion, tmp_path: Path) -> None:
    made = PictureFolder(tmp_path / "game")
    made.watch(picture(GAME, noise=51), GAME)
    last = made.watch(with_sleeve(picture(GAME, noise=52)), GAME)
    done = companion("score", made.path)
    assert (done.status, done.out) == (2, "")
    assert f"The last picture, {last}, cannot be read for certain (hand)" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("--option", "touch=nose"), "nose", id="no-such-choice"),
        pytest.param(("--option", "touch"), "name=value", id="no-value"),
        pytest.param(("--option", "colour=red"), "colour", id="no-such-option"),
        pytest.param(("--lang", "xx"), "'xx' is not one of 'en'", id="no-such-language"),
    ],
)
def test_a_wrong_word_is_answered_with_what_there_is(
    companion: Companion, drawn_game: Path, words: tuple[str, ...], says: str
) -> None:
    done = companion("score", drawn_game, *words)
    assert (done.status, done.out) == (2, "")
    assert says in done.err


def test_a_folder_in_which_nothing_is_watched_is_said(companion: Companion, own_game: Path) -> None:
    (own_game / "pictures.jsonl").write_text('{"image": "00.png", "role": "empty"}')
    done = companion("score", own_game)
    assert (done.status, done.out) == (2, "")
    assert "nothing to score" in done.err


@pytest.mark.parametrize("name", ["nowhere", "pictures.jsonl"])
def test_what_is_neither_folder_nor_photo_is_named(companion: Companion, own_game: Path, name: str) -> None:
    done = companion("score", own_game / name)
    assert (done.status, done.out) == (2, "")
    assert name in done.err
