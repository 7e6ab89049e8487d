"""`companion games`, `schema`, `replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.rules import seats_said
from tests.conftest import BED, OPENING, Companion, lay


def moves_file(folder: Path, *lines: object) -> Path:
    path = folder / "moves.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_games_lists_each_with_its_options(companion: Companion) -> None:
    ran = companion("games", "--json")
    bed = next(game for game in ran.lines if game["slug"] == BED)
    assert bed["names"]["zh-Hant"] == "放開那個窩"
    assert bed["seats"] == [2]
    touch = next(option for option in bed["options"] if option["name"] == "touch")
    assert (touch["default"], touch["choices"]) == ("edge", ["edge", "edge-or-corner"])
    listed = companion("games").out
    assert "touch=edge (edge | edge-or-corner)" in listed
    assert "이 침대는 내 거야), 2 players" in listed
    assert "촙! 촙!), 2 to 5 players" in listed


def test_numbers_of_players_with_one_left_out_are_each_named() -> None:
    assert seats_said((2, 4)) == "2 or 4"


def test_the_schema_names_every_move_and_option(companion: Companion) -> None:
    (schema,) = companion("schema", BED).lines
    assert {"Lay", "Skip", "Shift", "TakeOff", "BedOptions"} <= set(schema["$defs"])
    assert schema["properties"]["moves"]["type"] == "array"


def test_a_game_that_is_not_there_is_said_with_those_that_are(companion: Companion) -> None:
    ran = companion("schema", "bed")
    assert ran.status == 2
    assert ran.out == ""
    assert BED in ran.err


def test_replay_shows_the_view_after_each_move(companion: Companion, tmp_path: Path) -> None:
    ran = companion("replay", BED, moves_file(tmp_path, *OPENING))
    assert ran.status == 0
    assert [(line["n"], line["ok"]) for line in ran.lines] == [(n, True) for n in (1, 2, 3, 4)]
    assert [len(line["view"]["tiles"]) for line in ran.lines] == [1, 2, 3, 4]


def test_a_refused_move_changes_nothing_and_the_next_goes_on(companion: Companion, tmp_path: Path) -> None:
    file = moves_file(tmp_path, OPENING[0], OPENING[0], {"move": "fly"}, OPENING[1])
    lines = companion("replay", BED, file, "--lang", "ko").lines
    assert [line["ok"] for line in lines] == [True, False, False, True]
    assert lines[1]["rule"] == "tile-already-laid"
    assert lines[2]["rule"] == "not-a-move"
    assert not lines[1]["says"].isascii()
    assert len(lines[3]["view"]["tiles"]) == 2


def test_replay_reads_the_games_notation(companion: Companion, tmp_path: Path) -> None:
    file = moves_file(tmp_path, "c1@5,3", OPENING[1], "undo", " d1@0,0 ", "redo", "c2@0,9")
    lines = companion("replay", BED, file).lines
    assert [line.get("rule", "") for line in lines] == ["", "", "", "", "nothing-to-redo", ""]
    assert len(lines[-1]["view"]["tiles"]) == 3


def test_a_refused_move_reproduces_itself(companion: Companion, tmp_path: Path) -> None:
    refused = companion("replay", BED, moves_file(tmp_path, *OPENING[:2], OPENING[3])).lines[-1]
    assert refused["move"] == "d7@11,0"
    assert refused["position"] == ["c1@5,3", "d1@0,0"]
    again = companion("replay", BED, moves_file(tmp_path, *refused["position"], refused["move"])).lines[-1]
    assert again == refused


def test_replay_undoes_and_redoes(companion: Companion, tmp_path: Path) -> None:
    undo, redo = {"move": "undo"}, {"move": "redo"}
    file = moves_file(tmp_path, undo, OPENING[0], undo, redo, redo)
    lines = companion("replay", BED, file).lines
    assert [line.get("rule", "") for line in lines] == ["nothing-to-undo", "", "", "", "nothing-to-redo"]
    assert [len(line["view"]["tiles"]) for line in lines if line["ok"]] == [1, 0, 1]


def test_options_are_told_by_name(companion: Companion, tmp_path: Path) -> None:
    outside = lay("cat", 1, 0, 0)
    touching = lay("cat", 1, 1, 3)
    file = moves_file(tmp_path, outside, touching)
    inside_only = companion("replay", BED, file).lines
    touching_too = companion("replay", BED, file, "--option", "first_zone=touching").lines
    assert [line["ok"] for line in inside_only] == [False, False]
    assert [line["ok"] for line in touching_too] == [False, True]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(("--option", "touch"), "name=value", id="no-value"),
        pytest.param(("--option", "touch=sideways"), "sideways", id="no-such-choice"),
        pytest.param(("--option", "colour=red"), "colour", id="no-such-option"),
        pytest.param(("--seat", "bird"), "there are: cat, dog", id="no-such-seat"),
    ],
)
def test_wrong_words_are_said(companion: Companion, tmp_path: Path, words: tuple[str], message: str) -> None:
    ran = companion("replay", BED, moves_file(tmp_path, OPENING[0]), *words)
    assert ran.status == 2
    assert ran.out == ""
    assert message in ran.err


def test_nonsense_on_line_7_is_said_with_its_line(companion: Companion, tmp_path: Path) -> None:
    ran = companion("replay", BED, moves_file(tmp_path, *[OPENING[0]] * 6, "tile four, turned"))
    assert ran.status == 2
    assert ran.out == ""
    assert "line 7" in ran.err


def test_a_file_that_is_not_there_is_said(companion: Companion, tmp_path: Path) -> None:
    ran = companion("replay", BED, tmp_path / "none.jsonl")
    assert ran.status == 2
    assert "none.jsonl cannot be read" in ran.err


def test_a_board_file_with_a_hole_in_it_is_said(companion: Companion, tmp_path: Path) -> None:
    board = tmp_path / "bed.toml"
    board.write_text('side = "A"\nbed = ["++++++", "++ +++", "++++++"]\n')
    ran = companion("replay", BED, moves_file(tmp_path, OPENING[0]), "--option", f"board={board}")
    assert ran.status == 2
    assert "row 2" in ran.err


def test_help_shows_every_command_and_loads_none(companion: Companion) -> None:
    ran = companion("--help")
    assert ran.status == 0
    for name in ("run", "replay", "read-bed", "export"):
        assert name in ran.out


def test_a_command_that_is_not_there_is_said(companion: Companion) -> None:
    ran = companion("sing")
    assert ran.status == 2
    assert "No such command 'sing'" in ran.err
