"""One entry that cannot be read or played does not stop the table: its match opens up to there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.play.journal import Journal, open_journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING, Companion
from tests.running import pages_of


def refused_by_the_rules(journal: Journal) -> None:
    """Let the second match's third entry be one that the rules refuse."""
    journal.append(2, 3, "move", {**OPENING[0], "row": 15}, "phone")
    journal.append(2, 4, "move", dict(OPENING[2]), "phone")


def of_a_kind_unknown_here(journal: Journal) -> None:
    """Let it be a move that an update has taken away."""
    journal.append(2, 3, "move", {"move": "somersault", "deeply": [[[]]]}, "phone")


def no_json(journal: Journal) -> None:
    """Let its text be cut short."""
    journal.append(2, 3, "move", dict(OPENING[2]), "phone")
    journal._connection.execute('UPDATE entry SET body = \'{"move": "la\' WHERE match = 2 AND n = 3')


def changed(journal: Journal) -> None:
    """Let it be a legal move, but not the one that was made."""
    journal.append(2, 3, "move", dict(OPENING[2]), "phone")
    journal._connection.execute("UPDATE entry SET body = replace(body, '\"row\":0', '\"row\":1') WHERE n = 3")


def missing(journal: Journal) -> None:
    """Let it be gone while the next one is there."""
    journal.append(2, 3, "players", {"cat": "Ada"}, "phone")
    journal.append(2, 4, "move", dict(OPENING[2]), "phone")
    journal._connection.execute("DELETE FROM entry WHERE match = 2 AND n = 3")


BAD = (refused_by_the_rules, of_a_kind_unknown_here, no_json, changed, missing)


@pytest.fixture(params=BAD, ids=lambda bad: bad.__name__)
def kept(home: Path, request: pytest.FixtureRequest) -> Iterator[Journal]:
    """Three matches of two moves; the second, the newest that is not over, has a bad third entry."""
    with closing(open_journal()) as journal:
        for _ in range(2):
            Match.begin(journal, BED, {}).play_all(OPENING[:2], "phone")
        bad: Callable[[Journal], None] = request.param
        bad(journal)
        yield journal


def test_the_table_opens_with_the_match_up_to_there_and_says_so(kept: Journal) -> None:
    table = Table.open(kept, None)
    assert (table.match.record.id, table.match.n) == (2, 2)
    page = pages_of(table, None).test_client()
    assert page.get("/api/table").json["notices"] == [{"key": "match", "facts": {"match": 2}}]


def test_the_other_matches_are_untouched(kept: Journal) -> None:
    record = kept.match(1)
    assert record is not None
    match = Match(kept, record)
    assert (match.n, match.snapshot.cut) == (2, "")


def test_until_the_match_goes_on_its_rest_stays_then_it_is_put_aside(kept: Journal) -> None:
    standing = kept._connection.execute("SELECT count(*) FROM entry WHERE match = 2").fetchone()[0]
    table = Table.open(kept, None)
    assert kept._connection.execute("SELECT count(*) FROM entry WHERE match = 2").fetchone()[0] == standing
    table.play(OPENING[2], "phone")
    table.undo("phone")
    record = kept.match(2)
    assert record is not None
    again = Match(kept, record)
    assert (again.n, again.snapshot.cut, len(again.moves)) == (4, "", 2)
    aside = kept._connection.execute("SELECT n, why FROM aside WHERE match = 2").fetchall()
    assert len(aside) == standing - 2
    assert all("entry 3" in why for _, why in aside)


def test_history_and_export_go_on(kept: Journal, companion: Companion) -> None:
    listed = companion("history", "--json")
    assert [row["id"] for row in listed.lines] == [2, 1]
    assert "entry 3" in listed.lines[0]["fault"]
    assert "kept only in part" in companion("history").out.splitlines()[0]
    for words in (("history", 2), ("export", 2), ("export", 2, "--format", "csv")):
        ran = companion(*words)
        assert ran.status == 0
        assert "Match 2 is kept only in part: entry 3" in ran.err
        assert "c1@5,3" in ran.out or '"digit":1' in ran.out


def test_the_list_of_matches_shows_it_and_lets_it_go_on(kept: Journal) -> None:
    page = pages_of(Table.open(kept, None), None).test_client()
    newest = page.get("/api/matches").json["matches"][0]
    assert (newest["id"], newest["moves"], newest["opens"]) == (2, 2, True)
    assert newest["fault"].startswith("A match can no longer")
    assert page.post("/api/matches/2/resume").status_code == 200


def test_a_match_whose_game_is_gone_is_left_and_another_begins(journal: Journal) -> None:
    gone = journal.begin("gone-fishing", {}, 2)
    table = Table.open(journal, None)
    assert (table.match.game.slug, table.unopened) == (BED, gone.id)
    page = pages_of(table, None).test_client()
    assert page.get("/api/table").json["notices"] == [{"key": "match", "facts": {"match": gone.id}}]
    listed = {each["id"]: each for each in page.get("/api/matches").json["matches"]}
    assert gone.id not in listed or not listed[gone.id]["opens"]


def test_a_match_whose_options_are_damaged_is_never_opened_with_others(journal: Journal) -> None:
    Match.begin(journal, BED, {"board": "b"}).play(OPENING[0], "phone")
    journal._connection.execute("UPDATE match SET options = replace(options, '\"b\"', '\"a\"')")
    table = Table.open(journal, None)
    assert table.unopened == 1
    [row] = [row for row, _ in journal.summaries() if row.id == 1]
    assert "damaged" in row.fault


def test_a_summary_that_is_damaged_is_made_again(journal: Journal, match: Match) -> None:
    match.play_all(OPENING[:2], "phone")
    journal._connection.execute("UPDATE summary SET body = replace(body, '\"moves\":2', '\"moves\":9')")
    assert [summary for _, summary in journal.summaries()] == [None]


def test_its_tables_are_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)):
        path.touch(0o644)
    with closing(Journal(path)) as journal:
        journal.begin(BED, {}, 2)
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("journal.*")}
    assert set(modes) == {f"journal.{each}" for each in ("sqlite", "sqlite-wal", "sqlite-shm", "last")}
    assert set(modes.values()) == {0o600}
