"""The board's file: the classic one is the rulebook's, and faults are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InvalidMove, UserError
from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.board import FOLDER, board
from companion.games.cat_and_mouse.tests.playing import at, play, reasons

CLASSIC = (FOLDER / "classic.toml").read_text("utf-8")


def changed(line: str, to: str) -> str:
    """The classic board's file with one part of it changed."""
    assert line in CLASSIC
    return CLASSIC.replace(line, to)


def test_the_classic_board_is_the_rulebooks() -> None:
    classic = board("classic")
    assert (classic.squares, classic.turn_back_to) == (66, 48)
    assert classic.pays.squares == tuple(n * n for n in range(2, 9))
    assert classic.earns.squares == (22, 33, 44, 55)
    assert classic.earns.by_leap == (11,)
    assert classic.lost_turn == (5, 15, 25, 35, 45, 65)
    assert classic.second_throw == (10, 20, 30, 40, 50, 60)
    assert {leap.double: leap.to for leap in classic.leaps} == {n: 11 * n for n in range(1, 7)}


def test_red_and_black_make_67() -> None:
    classic = board("classic")
    assert classic.on_the_others_walk("cat", 1) == 66
    assert classic.on_the_others_walk("mouse", 30) == 37
    assert classic.on_the_others_walk("cat", 0) is None


def test_walks_may_meet_on_any_squares() -> None:
    own = board(changed("same_squares = 67", "same_squares = [[3, 9], [4, 2]]"))
    assert own.on_the_others_walk("cat", 3) == 9
    assert own.on_the_others_walk("mouse", 2) == 4
    assert own.on_the_others_walk("cat", 5) is None


def test_a_board_of_ones_own_goes_into_the_match_whole(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    path.write_text(changed("same_squares = 67", "same_squares = 60"), "utf-8")
    options = GAME.options({"board": str(path)})
    path.unlink()
    state = GAME.start(options, 2)
    assert GAME.options({"board": state.options.board}) == options
    assert reasons(play(at(30, 28, options=options), "21")) == ["jump", "earns"]


@pytest.mark.parametrize(
    ("line", "to", "fault"),
    [
        ("squares = 66", "squares = 660", "must be 2 to 150"),
        ("turn_back_to = 48", "turn_back_to = 66", "before the last"),
        ("turn_back_to = 48", "turn_back_to = 12", "at most 24 before it"),
        ("squares = [4,", "squares = [0,", "no square 0"),
        ("lost_turn = [5,", "lost_turn = [10,", "square 10 cannot both"),
        ("lost_turn = [5,", "lost_turn = [5, 15,", "lost_turn names square 15 twice"),
        ("second_throw = [10,", "second_throw = [60, 10,", "second_throw names square 60 twice"),
        ("pays = { squares = [4,", "pays = { squares = [4, 4,", "squares names square 4 twice"),
        ("by_leap = [11]", "by_leap = [11, 11]", "by_leap names square 11 twice"),
        ("by_leap = [11]", "by_leap = [22]", "square 22 earns however it is reached"),
        ("double = 2,", "double = 1,", "double 1 can lead to one square only"),
        ("double = 2,", "double = 7,", "double must be 1 to 6, not 7"),
        ("to = 22, past = 11", "to = 67, past = 11", "there is no square 67 among 1 to 66"),
        ("past = 11", "past = 22", "past must be a square before 22, where the double leads, not 22"),
        ("past = 11", "past = -1", "past must be a square before 22"),
        ("stay = { double = 6", "stay = { double = 0", "double must be 1 to 6, not 0"),
        ("chips = 1 }", "chips = -1 }", "chips must be 0 to 1000, not -1"),
        (
            "chips = 2 }\n\n# Squares where the next",
            "chips = 1001 }\n\n# Squares where the next",
            "not 1001",
        ),
        (
            "stay = { double = 6, chips = 2 }",
            "stay = { double = 6, chips = -2 }",
            "chips must be 0 to 1000, not -2",
        ),
        ("jump_chips = 1", "jump_chips = -1", "jump_chips must be 0 to 1000, not -1"),
        ("lost_turn = [5,", "lost_turn = [66, 5,", "square 66 is the last one, where the race is won"),
        ("second_throw = [10,", "second_throw = [66, 10,", "take it out of second_throw"),
        ("same_squares = 67", "same_squares = 0", "same_squares must be 2 to 132, not 0"),
        ("same_squares = 67", "same_squares = 133", "same_squares must be 2 to 132, not 133"),
        ("same_squares = 67", "same_squares = [[1, 67]]", "there is no square 67"),
        ("same_squares = 67", "same_squares = [[0, 3]]", "there is no square 0"),
        ("same_squares = 67", "same_squares = [[1, 2], [1, 3]]", "twice"),
        ("same_squares = 67", "same_squares = [[1, 2], [3, 2]]", "twice"),
        ("jump_chips = 1", 'jump_chips = "one"', "jump_chips"),
        ("jump_chips = 1", "", "jump_chips"),
        ("jump_chips = 1", "jump_chips = ", "not valid TOML"),
    ],
)
def test_a_fault_in_a_board_is_one_sentence(line: str, to: str, fault: str) -> None:
    with pytest.raises(UserError, match=r"^The board kept with this match(, line \d+)?: ") as refusal:
        GAME.start(GAME.options({"board": changed(line, to)}), 2)
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_fault_in_a_file_of_ones_own_is_said_with_its_path_and_line(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    path.write_text(changed("squares = 66", "squares = 0"), "utf-8")
    line = next(n for n, text in enumerate(CLASSIC.splitlines(), 1) if text.startswith("squares = 66"))
    with pytest.raises(UserError) as refusal:
        GAME.options({"board": str(path)})
    assert str(refusal.value) == f"{path}, line {line}: squares must be 2 to 150, not 0."


@pytest.mark.parametrize(
    ("line", "to", "wrong", "fault"),
    [
        ("jump_chips = 1", "jump_chips = -1", "jump_chips", "must be 0 to 1000"),
        ("double = 3,", "double = 7,", "leaps", "must be 1 to 6"),
        ("same_squares = 67", "same_squares = 0", "same_squares", "must be 2 to 132"),
        ("second_throw = [10,", "second_throw = [\n10,\n66,\n", "second_throw", "is the last one"),
        ("lost_turn = [5,", "lost_turn = [\n5,\n\n77,\n", "lost_turn", "no square 77"),
        ("lost_turn = [5, 15,", "lost_turn = [\n5, 15,\n15,\n", "lost_turn", "names square 15 twice"),
        ("same_squares = 67", "same_squares = [\n[1, 2],\n[3, 2],\n]", "same_squares", "twice"),
    ],
)
def test_each_fault_in_a_file_of_ones_own_is_said_with_its_own_line(
    tmp_path: Path, line: str, to: str, wrong: str, fault: str
) -> None:
    path = tmp_path / "attic.toml"
    text = changed(line, to)
    path.write_text(text, "utf-8")
    number = next(
        n for n, each in enumerate(text.splitlines(), 1) if each.strip().lstrip("{ ").startswith(wrong)
    )
    with pytest.raises(UserError, match=fault) as refusal:
        GAME.options({"board": str(path)})
    assert str(refusal.value).startswith(f"{path}, line {number}: ")


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CLASSIC.encode())
    assert GAME.options({"board": str(path)}).board == f"{CLASSIC}\n"


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        GAME.options({"board": str(tmp_path / "none.toml")})


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(UserError, match="is not text"):
        GAME.options({"board": str(path)})


def test_a_board_that_nobody_can_win_on_is_refused() -> None:
    """From 65 every throw leads beyond 66, and back to 65."""
    hopeless = changed("turn_back_to = 48", "turn_back_to = 65").replace("past = 55 }", "past = 65 }")
    with pytest.raises(InvalidMove, match="no throw reaches square 66"):
        GAME.start(GAME.options({"board": hopeless}), 2)
    assert GAME.start(GAME.options({"board": hopeless, "past": "at-or-beyond"}), 2)


def test_a_file_of_ones_own_that_nobody_can_win_on_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "attic.toml"
    hopeless = changed("turn_back_to = 48", "turn_back_to = 65").replace("past = 55 }", "past = 65 }")
    path.write_text(hopeless, "utf-8")
    with pytest.raises(UserError, match=r"attic\.toml, line 9: no throw reaches the last square"):
        GAME.options({"board": str(path)})
