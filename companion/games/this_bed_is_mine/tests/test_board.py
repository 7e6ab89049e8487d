"""Beds and tile sets as files: what comes with the game, one's own, and each fault in one sentence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.errors import UserError
from companion.games import data_files
from companion.games.this_bed_is_mine.board import (
    TOYS,
    Board,
    board_text,
    cells,
    read_board,
    read_tiles,
    tiles_text,
    turned,
)
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.tests.table import bed, tile_set


@pytest.mark.parametrize("name", data_files.names(GAME.folder / "data" / "boards"))
def test_every_board_that_comes_with_the_game_can_be_played(name: str) -> None:
    board = read_board(name)
    assert board.zone
    assert GAME.turn(GAME.start(GAME.options({"board": name}), seats=2)) == "cat"
    assert read_board(board_text(board)) == board


@pytest.mark.parametrize("name", data_files.names(GAME.folder / "data" / "tiles"))
def test_every_tile_set_that_comes_with_the_game_can_be_played(name: str) -> None:
    tiles = read_tiles(name)
    assert list(tiles.shapes) == list(range(1, 10))
    assert read_tiles(tiles_text(tiles.name, tiles.shapes, tiles.first)) == tiles
    assert GAME.turn(GAME.start(GAME.options({"tiles": name}), seats=2)) == "cat"


def test_side_a() -> None:
    board = read_board("a")
    assert (board.side, board.rows, board.cols, board.pillows) == ("A", 16, 12, ())
    assert set(board.zone) == {(row, col) for row in range(5, 11) for col in range(3, 9)}


def test_side_b_has_three_pillows_and_eight_pictures_of_each_toy() -> None:
    board = read_board("b")
    assert (board.side, board.rows, board.cols) == ("B", 16, 12)
    assert set(board.zone) == {(row, col) for row in range(5, 11) for col in range(3, 9)}
    assert [len(pillow) for pillow in board.pillows] == [6, 6, 6]
    assert all(row in (0, 1) for pillow in board.pillows for row, _ in pillow)
    assert {kind: len(board.toys[kind]) for kind in TOYS} == {"bone": 8, "mouse": 8, "yarn": 8}


def test_the_digits_have_as_many_squares_as_the_rules_say() -> None:
    shapes = read_tiles("digits").shapes
    assert [len(cells(rows)) for rows in shapes.values()] == [5, 11, 11, 9, 11, 12, 7, 13, 12]
    assert turned(shapes[6], 2) == shapes[9]


def test_a_tile_set_s_name_is_kept_without_hidden_signs() -> None:
    assert read_tiles('name = "\u202eOurs"\n[shapes]\n1 = ["#"]\n').name == "Ours"


def test_signs_of_a_drawing() -> None:
    board = read_board(bed("12b", "+B.", "mMY", "y..", side="B"))
    assert board.zone == ((1, 0), (1, 1), (2, 1), (2, 2))
    assert board.pillows == (((0, 0),), ((0, 1),))
    assert board.toys == {"bone": ((0, 2), (1, 1)), "mouse": ((2, 0), (2, 1)), "yarn": ((2, 2), (3, 0))}


def test_a_board_from_photographs_as_a_file() -> None:
    board = Board(
        "mine", "B", 2, 3, zone=((1, 0), (1, 1)), pillows=(((0, 0), (0, 1)),), toys={"bone": ((1, 1),)}
    )
    again = read_board(board_text(board))
    assert (again.name, again.zone, again.pillows) == ("mine", board.zone, board.pillows)
    assert again.toys == {"bone": ((1, 1),), "mouse": (), "yarn": ()}


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    path.write_text('side = "A"\nbed = ["+++++", "+++++"]\n', "utf-8")
    options = GAME.options({"board": str(path)})
    assert GAME.view(GAME.start(options, seats=2), None).board == "attic"


def test_a_match_outlives_the_file_of_its_board(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    path.write_text(bed("+++++"), "utf-8")
    state = GAME.start(GAME.options({"board": str(path)}), seats=2)
    kept = msgspec.json.encode(state)
    path.unlink()
    again = msgspec.json.decode(kept, type=type(state))
    assert again == state
    assert GAME.start(GAME.options(msgspec.to_builtins(again.options)), seats=2) == state


@pytest.mark.parametrize(
    ("drawing", "says"),
    [
        (bed("....", ".. .", "...."), "row 2 of “bed” has a hole or an unknown sign ' ' at place 3"),
        (bed("....", ".x..", "...."), "row 2 of “bed” has a hole or an unknown sign 'x' at place 2"),
        (bed("....", "...", "...."), "row 2 of “bed” has 3 squares, but row 1 has 4; make every row as long"),
        (bed("....", "", "...."), "row 2 of “bed” has 0 squares, but row 1 has 4"),
        (bed(), "“bed” has no squares"),
        (bed(""), "“bed” has no squares"),
        (bed("." * 101), "a side of bed is longer than 100 squares"),
        (bed("1..."), "pillows and toys belong to side B"),
        (bed("b..."), "pillows and toys belong to side B"),
        (bed("....", side="C"), "attic.toml, line 2: “side” must be one of A, B, not “C”"),
        (bed("....") + "colour = 1\n", "line 4: there is no “colour” here; there is: side, bed, name"),
        (bed("....") + "bed = 1\n", "line 4, column 8: this is not valid TOML"),
        ('side = "A"\n', "attic.toml: “bed” is missing"),
        ('side = "A"\nbed = ["..", 7]\n', "attic.toml, line 2: “bed[1]” must be text, not 7"),
    ],
    ids=lambda text: str(text)[-40:],
)
def test_a_fault_in_a_board_file_is_one_sentence_with_its_place(
    tmp_path: Path, drawing: str, says: str
) -> None:
    path = tmp_path / "attic.toml"
    path.write_text(drawing, "utf-8")
    with pytest.raises(UserError) as caught:
        GAME.start(GAME.options({"board": str(path)}), seats=2)
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")
    with pytest.raises(UserError, match=r"attic\.toml"):
        read_board(str(path))


ATTIC = """# My own bed.
side = "A"
bed = [
  "++++",

  "++x+",  # here
  "++++",
]
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ATTIC, "line 3: row 2 of “bed” has a hole or an unknown sign 'x' at place 3"),
        (ATTIC.replace("++x+", "++b+"), "line 2: pillows and toys belong to side B"),
        (ATTIC.replace("++x+", "+++"), "line 3: row 2 of “bed” has 3 squares, but row 1 has 4"),
        (ATTIC.replace('"++x+"', "7"), "line 3: “bed[1]” must be text, not 7"),
        (ATTIC.replace("x", "+"), "line 3: the cat's first tile fits nowhere in this bed's zone"),
    ],
    ids=lambda text: str(text)[-30:],
)
def test_a_fault_in_a_board_of_ones_own_names_the_file_and_its_own_line(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "attic.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError) as caught:
        GAME.options({"board": str(path)})
    assert str(caught.value).startswith(f"{path}, {says}")


def test_a_fault_in_a_tile_set_of_ones_own_names_the_file_and_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "blocks.toml"
    path.write_text('first = [1]\n[shapes]\n1 = [\n  "##",\n  "#",\n]\n', "utf-8")
    with pytest.raises(UserError, match=r"blocks\.toml, line 3: row 2 of “shapes\.1” has 1 square"):
        GAME.options({"tiles": str(path)})
    path.write_text(tile_set({1: ["#" * 70]}), "utf-8")
    with pytest.raises(UserError, match=r"blocks\.toml, line 1: the cat's first tile fits nowhere"):
        GAME.options({"tiles": str(path)})


TWICE = 'first = [1, 1]\n\n[shapes]\n1 = ["#"]\n'
"""A tile set that names a digit for the first tile twice."""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (tile_set({1: ["#", "##"]}), "row 2 of “shapes.1” has 2 squares, but row 1 has 1"),
        (tile_set({1: ["# #"]}), "row 1 of “shapes.1” has a hole or an unknown sign ' ' at place 2"),
        (tile_set({1: []}), "“shapes.1” has no squares"),
        (tile_set({1: ["#.", "#."]}), "shapes.1 has an empty row or column at its edge"),
        (tile_set({1: ["..", "##"]}), "shapes.1 has an empty row or column at its edge"),
        (tile_set({1: ["#.", ".#"]}), "shapes.1 is in pieces"),
        (tile_set({0: ["#"]}), "shapes.0 is not a number from 1 to 99"),
        ('shapes = { "01" = ["#"] }\n', "shapes.01 is not a number from 1 to 99"),
        ('shapes = { "١" = ["#"] }\n', "is not a number from 1 to 99"),
        ("shapes = {}\n", "shapes has no tile"),
        (tile_set({5: ["#"]}), "first names none of the digits"),
        (TWICE, "first names 1 twice"),
    ],
    ids=lambda text: str(text)[-40:],
)
def test_a_fault_in_a_tile_set_file_is_one_sentence_with_its_place(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        GAME.start(GAME.options({"tiles": text}), seats=2)
    assert says in str(caught.value)
    assert str(caught.value).startswith("The tile set kept with this match, line ")


def test_no_such_board_names_those_there_are() -> None:
    with pytest.raises(UserError, match=r"There is no board 'c'; take one of a, b, .*ending in \.toml"):
        GAME.start(GAME.options({"board": "c"}), seats=2)
    with pytest.raises(UserError):
        GAME.start(GAME.options({"board": "../boards/a"}), seats=2)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.toml cannot be read: there is no such file"):
        GAME.options({"board": str(tmp_path / "gone.toml")})
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(UserError, match="it is not text"):
        GAME.options({"board": str(picture)})
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 300_000)
    with pytest.raises(UserError, match="too large"):
        GAME.options({"board": str(huge)})
