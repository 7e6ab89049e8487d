"""`companion evaluate` on drawn beds: what is counted, and what is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.conftest import CAT_4, GAME, PictureFolder, with_sleeve
from tests.conftest import Companion
from tests.vision.drawn import SCENE, picture


def rewrite_truth(folder: Path, image: str, **changes: object) -> None:
    """Change one line of truth.jsonl."""
    path = folder / "truth.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("\n".join(json.dumps(x | changes if x["image"] == image else x) for x in lines))


def test_pictures_tiles_and_squares_are_counted(companion: Companion, drawn_game: Path) -> None:
    (score,) = companion("evaluate", drawn_game, "--json").lines
    assert (score["pictures"], score["exact"], score["asked"], score["silently_wrong"]) == (2, 2, 0, 0)
    assert (score["tiles"], score["tiles_right"]) == (3, 3)
    assert score["squares"] == score["squares_right"] == 2 * 16 * 12
    assert score["wrong"] == []


def test_a_person_gets_the_same_in_words(companion: Companion, drawn_game: Path) -> None:
    output = companion("evaluate", drawn_game).out.splitlines()
    assert output[0] == "game: 2 pictures, 0 more under a hand"
    assert "  exact           2 of 2 (100.0 %)" in output
    assert "  silently wrong  0 of 2 (0.0 %)" in output
    assert "  tiles right     3 of 3 (100.0 %)" in output
    assert not [line for line in output if line.startswith("  dice right")], "there were no dice"


def test_the_picture_that_was_read_wrongly_is_named(companion: Companion, own_game: Path) -> None:
    truth = [{"owner": "cat", "digit": 1, "turns": 0, "row": 6, "col": 4, "cells": [[6, 4], [7, 4]]}]
    rewrite_truth(own_game, "03.png", tiles=truth)
    (score,) = companion("evaluate", own_game, "--json").lines
    assert (score["pictures"], score["exact"], score["asked"], score["silently_wrong"]) == (2, 1, 0, 1)
    assert score["wrong"] == ["03.png"]
    assert "  silently wrong  1 of 2 (50.0 %)  03.png" in companion("evaluate", own_game).out.splitlines()


def test_a_tile_of_the_other_owner_is_wrong_on_all_of_its_squares(
    companion: Companion, own_game: Path
) -> None:
    cells = [[row, col] for row, col in SCENE.cells_of(CAT_4)]
    truth = {"owner": "dog", "digit": 4, "turns": 0, "row": 6, "col": 4, "cells": cells}
    rewrite_truth(own_game, "03.png", tiles=[truth])
    (score,) = companion("evaluate", own_game, "--json").lines
    assert (score["tiles"], score["tiles_right"]) == (3, 2)
    assert score["squares"] - score["squares_right"] == len(cells)


def test_a_picture_under_a_hand_counts_apart_and_is_right_if_it_asks(
    companion: Companion, tmp_path: Path
) -> None:
    made = PictureFolder(tmp_path / "game")
    made.watch(picture((CAT_4,), noise=51), (CAT_4,))
    made.watch(with_sleeve(picture(GAME, noise=52)), GAME, hand=True)
    (score,) = companion("evaluate", made.path, "--json").lines
    assert (score["pictures"], score["under_a_hand"], score["silently_wrong"]) == (1, 1, 0)
    assert (score["tiles"], score["wrong"]) == (1, [])


def test_dice_in_the_tray_are_counted_by_value_and_colour(companion: Companion, drawn_throw: Path) -> None:
    (score,) = companion("evaluate", drawn_throw, "--json").lines
    assert (score["dice"], score["dice_right"], score["dice_made_up"], score["colours_right"]) == (2, 2, 0, 2)
    assert (score["pictures"], score["under_a_hand"], score["throws_silently_wrong"]) == (1, 1, 0)
    output = companion("evaluate", drawn_throw).out
    assert "dice right      2 of 2 (100.0 %), 0 made up" in output
    assert "their colours   2 of 2 (100.0 %)" in output


def test_a_throw_that_was_read_wrongly_without_asking_is_counted(
    companion: Companion, drawn_throw: Path, tmp_path: Path
) -> None:
    for file in drawn_throw.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    dice = [{"value": 6, "colour": "white"}, {"value": 1, "colour": "red"}]
    rewrite_truth(tmp_path, "03.png", dice=dice)
    (score,) = companion("evaluate", tmp_path, "--json").lines
    assert (score["throws_silently_wrong"], score["dice_right"], score["dice_made_up"]) == (1, 1, 1)
    assert score["colours_right"] == 0
    assert score["wrong"] == [], "the list names pictures whose bed was read wrongly"


def test_a_board_is_held_against_its_covered_squares(companion: Companion, own_game: Path) -> None:
    cells = sorted(
        {cell for tile in GAME for cell in PictureFolder(own_game.parent / "o").scene.cells_of(tile)}
    )
    lines = [{"image": "04.png", "covered": cells}]
    (own_game / "truth.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (score,) = companion("evaluate", own_game, "--json").lines
    assert score["pictures"] == 1, "a picture without a truth is read and not counted"
    assert score["squares_right"] <= score["squares"] == 16 * 12


def test_several_folders_are_told_one_after_the_other(
    companion: Companion, drawn_game: Path, own_game: Path
) -> None:
    ran = companion("evaluate", drawn_game, own_game, "--json")
    assert [line["folder"] for line in ran.lines] == ["game", "game"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(None, "without a truth", id="missing"),
        pytest.param("\n\n{", "line 3", id="broken-line"),
        pytest.param('{"tiles": []}', "line 1", id="no-image"),
        pytest.param('{"image": "03.png", "hand": "yes"}', "line 1", id="wrong-value"),
    ],
)
def test_a_truth_that_cannot_be_used_is_said(
    companion: Companion, own_game: Path, text: str | None, says: str
) -> None:
    (own_game / "truth.jsonl").unlink()
    if text is not None:
        (own_game / "truth.jsonl").write_text(text)
    done = companion("evaluate", own_game)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert "truth.jsonl" in done.err


def test_a_folder_that_is_not_there_is_said(companion: Companion, tmp_path: Path) -> None:
    done = companion("evaluate", tmp_path / "nowhere")
    assert (done.status, done.out) == (2, "")
    assert "nowhere" in done.err


def test_without_a_folder_the_usage_is_shown(companion: Companion) -> None:
    done = companion("evaluate")
    assert (done.status, done.out) == (2, "")
    assert "FOLDER" in done.err


def test_confidences_are_printed_by_tenth(companion: Companion, drawn_game: Path) -> None:
    output = companion("evaluate", drawn_game, "--confidence").out.splitlines()
    assert output[0] == "ways to lay a tile, as said:"
    assert output[1].startswith("  said 0.9 to 1.0  3 cases, mean ")
    assert output[-1].startswith("boards right  2 of 2 (100.0 %); their cases do not show")
