"""`companion export`, `import`, `history`: what is kept comes out as it went in."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from companion import places
from companion.match import Match
from tests.conftest import BED, OPENING, Companion, lay


def played(options: dict[str, object] | None = None) -> Match:
    match = Match.begin(places.journal(), BED, options or {})
    match.name_players({"cat": "Ada", "dog": "Bo"}, "phone")
    for move in OPENING:
        match.play(move, "phone")
    match.undo("phone")
    return match


def over() -> Match:
    """A match on a bed that holds two tiles only."""
    tiny = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
    match = Match.begin(places.journal(), BED, {"board": tiny})
    match.play(lay("cat", 1, 0, 0), "phone")
    match.play(lay("dog", 1, 0, 1), "phone")
    return match


def test_what_was_exported_can_be_imported_and_is_the_same(
    companion: Companion, home: Path, tmp_path: Path
) -> None:
    match = played()
    file = tmp_path / "game.jsonl"
    assert companion("export", match.record.id, "-o", file).status == 0
    assert companion("import", file).status == 0
    journal = places.journal()
    again = Match(journal, journal.matches()[0])
    assert again.record.id != match.record.id
    assert again.state == match.state
    assert again.view().players == {"cat": "Ada", "dog": "Bo"}
    assert again.view().can_redo


def test_what_was_exported_can_be_replayed(companion: Companion, home: Path, tmp_path: Path) -> None:
    match = played({"touch": "edge-or-corner"})
    file = tmp_path / "game.jsonl"
    companion("export", "-o", file)
    lines = companion("replay", BED, file).lines
    assert all(line["ok"] for line in lines)
    assert len(lines[-1]["view"]["tiles"]) == len(match.moves)


def test_history_lists_the_newest_first(companion: Companion, home: Path) -> None:
    first, second = played(), over()
    rows = companion("history", "--json").lines
    assert [row["id"] for row in rows] == [second.record.id, first.record.id]
    assert rows[1]["players"] == {"cat": "Ada", "dog": "Bo"}
    text = companion("history").out.splitlines()
    assert "0 : 0" in text[0]
    assert "Ada against Bo" in text[1]
    assert "not over" in text[1]


def test_csv_has_a_row_for_each_entry(companion: Companion, home: Path) -> None:
    played()
    rows = list(csv.DictReader(companion("export", "--format", "csv").out.splitlines()))
    assert [row["kind"] for row in rows] == ["players", *["move"] * len(OPENING), "undo"]
    assert json.loads(rows[1]["what"]) == OPENING[0]


def test_bg_stats_gets_a_finished_play(companion: Companion, home: Path) -> None:
    over()
    play = json.loads(companion("export", "--format", "bgstats").out)
    assert play["game"]["name"] == "This Bed Is Mine"
    assert [(player["role"], player["winner"]) for player in play["players"]] == [
        ("cat", True),
        ("dog", True),
    ]


def test_bg_stats_takes_no_unfinished_play(companion: Companion, home: Path) -> None:
    played()
    ran = companion("export", "--format", "bgstats")
    assert ran.status == 2
    assert "not over" in ran.err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param([OPENING[0]], "does not tell its game", id="no-header"),
        pytest.param([{"match": {"game": BED}}, OPENING[0], OPENING[0]], "move 2", id="refused-move"),
        pytest.param([{"match": {"game": "chess"}}], "no game 'chess'", id="strange-game"),
        pytest.param([{"match": {"seats": 2}}], "line 1", id="broken-header"),
    ],
)
def test_a_file_that_cannot_be_kept_leaves_nothing_half_kept(
    companion: Companion, home: Path, tmp_path: Path, lines: list[object], told: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = companion("import", file)
    assert ran.status == 2
    assert told in ran.err
    assert places.journal().matches() == []


def test_nothing_kept_yet_is_said(companion: Companion, home: Path) -> None:
    assert companion("history").out == ""
    ran = companion("export")
    assert ran.status == 2
    assert "No match is kept" in ran.err
    played()
    assert "No match number 9" in companion("export", 9).err


def test_a_file_that_cannot_be_written_is_said(companion: Companion, home: Path, tmp_path: Path) -> None:
    played()
    ran = companion("export", "-o", tmp_path / "no" / "such" / "folder.jsonl")
    assert ran.status == 2
    assert "cannot be written" in ran.err


def test_a_home_that_cannot_be_written_is_said(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "file" / "home"))
    ran = companion("history")
    assert ran.status == 2
    assert "COMPANION_HOME" in ran.err


def test_home_is_where_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COMPANION_HOME", "STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert places.home() == Path.home() / ".local" / "share" / "table-companion"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert places.home() == Path("/data/table-companion")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/table-companion")
    assert places.home() == Path("/var/lib/table-companion")
