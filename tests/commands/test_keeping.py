"""`companion export`, `import`, `history`: what is kept comes out as it went in."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest

from companion import paths
from companion.play.journal import open_journal
from companion.play.match import Match
from tests.conftest import BED, OPENING, Companion, lay
from tests.whispers.moves import DRAW, tell
from tests.whispers.moves import lay as whisper_lay


def played(options: dict[str, object] | None = None) -> Match:
    match = Match.begin(open_journal(), BED, options or {})
    match.name_players({"cat": "Ada", "dog": "Bo"}, "phone")
    for move in OPENING:
        match.play(move, "phone")
    match.undo("phone")
    return match


def over() -> Match:
    """A match on a bed that holds two tiles only."""
    tiny = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
    match = Match.begin(open_journal(), BED, {"board": tiny})
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
    journal = open_journal()
    again = Match(journal, journal.matches()[0])
    assert again.record.id != match.record.id
    assert again.state == match.state
    assert again.view().players == {"cat": "Ada", "dog": "Bo"}
    assert again.view().can_redo


def test_a_match_is_listed_in_the_games_notation(companion: Companion, home: Path) -> None:
    number = played().record.id
    rows = [line.split("  ") for line in companion("history", number).out.splitlines()]
    assert [row[-2] for row in rows] == ["c1@5,3", "d1@0,0", "c2@0,9", "d7@11,0", "undo"]
    entries = companion("history", number, "--json").lines
    assert [entry["kind"] for entry in entries] == ["players", "move", "move", "move", "move", "undo"]
    assert entries[1]["move"] == "c1@5,3"


def test_what_was_listed_can_be_imported(companion: Companion, home: Path, tmp_path: Path) -> None:
    match = played()
    written = [entry["move"] for entry in companion("history", match.record.id, "--json").lines]
    file = tmp_path / "game.txt"
    file.write_text("\n".join([f'{{"match": {{"game": "{BED}"}}}}', *written]), "utf-8")
    assert companion("import", file).status == 0
    journal = open_journal()
    assert Match(journal, journal.matches()[0]).state == match.state


def test_notation_without_a_game_is_answered(companion: Companion, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("c1@5,3\n", "utf-8")
    ran = companion("import", file)
    assert ran.status == 2
    assert "does not name its game" in ran.err


class TestPrivateMoves:
    """What a seat told in private leaves the house only when it is asked for."""

    @pytest.fixture
    def whispered(self, home: Path, whispers: str) -> Match:
        """A match in which north told of two cards, and took one back."""
        match = Match.begin(open_journal(), whispers, {})
        match.play_all([DRAW, DRAW, DRAW, tell("north", 4), tell("north", 7)], "phone")
        match.undo("phone", seat="north")
        match.play(whisper_lay(9), "phone")
        match.undo("phone", seat="east")
        return match

    @pytest.mark.parametrize("kind", ["jsonl", "csv"])
    def test_an_export_leaves_it_out_and_says_so(
        self, companion: Companion, whispered: Match, kind: str
    ) -> None:
        ran = companion("export", "--format", kind)
        assert "tell" not in ran.out
        assert "north" not in ran.out
        assert len(ran.out.splitlines()) == 6
        assert "told in private (entries: 3); --whole writes it" in ran.err
        if kind == "csv":
            assert [row["n"] for row in csv.DictReader(ran.out.splitlines())] == list("12345")

    def test_what_is_left_is_the_match_as_the_table_saw_it(
        self, companion: Companion, whispered: Match, tmp_path: Path
    ) -> None:
        companion("export", "-o", tmp_path / "open.jsonl")
        assert companion("import", tmp_path / "open.jsonl").status == 0
        journal = open_journal()
        again = Match(journal, journal.matches()[0])
        assert again.view().board == whispered.view().board
        assert again.view("north").board.hand == ()
        assert (again.n, again.view().can_redo) == (whispered.n_of(None), True)
        again.redo("phone")
        whispered.redo("phone")
        assert again.view().board == whispered.view().board

    def test_what_was_set_aside_is_exported_and_comes_back_set_aside(
        self, companion: Companion, whispered: Match, tmp_path: Path
    ) -> None:
        whispered.set_aside("north", "phone")
        assert "undo north 1" in companion("export", "--whole", "--format", "csv").out
        companion("export", "--whole", "-o", tmp_path / "whole.jsonl")
        assert companion("import", tmp_path / "whole.jsonl").status == 0
        journal = open_journal()
        again = Match(journal, journal.matches()[0])
        assert (again.state, again.view("north").board.hand) == (whispered.state, ())
        again.hand_over("north", 1, "phone")
        assert again.view("north").board.hand == (4,)

    def test_a_whole_export_comes_back_whole(
        self, companion: Companion, whispered: Match, tmp_path: Path
    ) -> None:
        ran = companion("export", "--whole", "-o", tmp_path / "whole.jsonl")
        assert ran.err == ""
        assert companion("import", tmp_path / "whole.jsonl").status == 0
        journal = open_journal()
        again = Match(journal, journal.matches()[0])
        assert again.state == whispered.state
        assert again.view("north").board.hand == (4,)
        assert again.view("north").can_redo
        again.redo("phone", seat="north")
        whispered.redo("phone", seat="north")
        assert again.state == whispered.state

    def test_a_whole_export_can_be_replayed_as_a_seat_sees_it(
        self, companion: Companion, whispered: Match, tmp_path: Path
    ) -> None:
        file = tmp_path / "whole.jsonl"
        companion("export", "--whole", "-o", file)
        assert companion("replay", whispered.game.slug, file).lines[-1]["view"]["hand"] == []
        lines = companion("replay", whispered.game.slug, file, "--seat", "north").lines
        assert [line["view"]["hand"] for line in lines[2:6]] == [[], [4], [4, 7], [4]]

    def test_a_csv_holds_all_of_it_when_asked(self, companion: Companion, whispered: Match) -> None:
        rows = list(csv.DictReader(companion("export", "--format", "csv", "--whole").out.splitlines()))
        assert len(rows) == 8
        assert json.loads(rows[5]["what"]) == {"seat": "north"}

    def test_the_history_counts_open_moves(self, companion: Companion, whispered: Match) -> None:
        assert companion("history", "--json").lines[0]["moves"] == 3

    @pytest.mark.parametrize("seat", ["east", "west", 7, None])
    def test_an_undo_that_no_match_wrote_is_refused(
        self, companion: Companion, whispered: Match, tmp_path: Path, seat: object
    ) -> None:
        file = tmp_path / "odd.jsonl"
        header = {"match": {"game": whispered.game.slug}}
        file.write_text("".join(json.dumps(line) + "\n" for line in (header, {"move": "undo", "seat": seat})))
        ran = companion("import", file)
        assert ran.status == 2
        assert "move 1" in ran.err


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


def test_matches_in_which_nothing_was_done_are_left_aside(companion: Companion, home: Path) -> None:
    first = played()
    empty = Match.begin(open_journal(), BED, {})
    assert [row["id"] for row in companion("history", "--json").lines] == [first.record.id]
    every = companion("history", "--all", "--json").lines
    assert [row["id"] for row in every] == [empty.record.id, first.record.id]
    assert len(companion("export").out.splitlines()) == 1 + len(OPENING) + 1, "its head, the moves, an undo"


def test_a_match_that_cannot_be_played_back_is_listed_with_its_fault(
    companion: Companion, home: Path
) -> None:
    kept = played()
    journal = open_journal()
    journal.append(journal.begin("gone-fishing", {}, 2).id, 1, "move", {"move": "cast"}, "phone")
    broken, whole = companion("history", "--json").lines
    assert "gone-fishing" in broken["fault"]
    assert (whole["id"], whole["moves"]) == (kept.record.id, len(kept.moves))
    assert "There is no game 'gone-fishing'" in companion("history").out.splitlines()[0]


def test_the_list_shows_of_each_match_what_its_view_shows_but_the_board_and_the_course(
    companion: Companion, home: Path
) -> None:
    view = msgspec.to_builtins(played().view())
    del view["board"], view["last"], view["standing"]
    assert companion("history", "--json").lines == [json.loads(msgspec.json.encode(view))]


def test_csv_has_a_row_for_each_entry(companion: Companion, home: Path) -> None:
    played()
    rows = list(csv.DictReader(companion("export", "--format", "csv").out.splitlines()))
    assert [row["kind"] for row in rows] == ["players", *["move"] * len(OPENING), "undo"]
    assert json.loads(rows[1]["what"]) == OPENING[0]
    assert [row["move"] for row in rows] == ["", "c1@5,3", "d1@0,0", "c2@0,9", "d7@11,0", "undo"]


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
    ("lines", "message"),
    [
        pytest.param([OPENING[0]], "does not name its game", id="no-header"),
        pytest.param([{"match": {"game": BED}}, OPENING[0], OPENING[0]], "move 2", id="refused-move"),
        pytest.param([{"match": {"game": "chess"}}], "no game 'chess'", id="strange-game"),
        pytest.param([{"match": {"seats": 2}}], "line 1", id="broken-header"),
    ],
)
def test_a_file_that_cannot_be_kept_leaves_nothing_half_kept(
    companion: Companion, home: Path, tmp_path: Path, lines: list[object], message: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = companion("import", file)
    assert ran.status == 2
    assert message in ran.err
    assert open_journal().matches() == []


def test_nothing_kept_yet_is_said(companion: Companion, home: Path) -> None:
    assert companion("history")[1:] == ("", "No match is kept here yet.\n")
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


def test_history_says_where_the_demos_matches_are(companion: Companion, home: Path) -> None:
    Match.begin(open_journal("virtual"), BED, {}).play(OPENING[0], "virtual")
    ran = companion("history")
    assert ran.out == ""
    assert "of the demo, at the virtual table: companion history --journal virtual" in ran.err
    assert "(1 moves)" in companion("history", "--journal", "virtual").out


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
    assert paths.home() == Path.home() / ".local" / "share" / "table-companion"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert paths.home() == Path("/data/table-companion")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/table-companion")
    assert paths.home() == Path("/var/lib/table-companion")
