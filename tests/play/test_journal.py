"""The journal keeps what it was given, and says so when it cannot."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.play.journal import VERSION, Journal, JournalError
from companion.play.match import Match
from companion.play.rescue import fault_of
from tests.conftest import BED, OPENING


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    first = Journal(path)
    record = first.begin("this-bed-is-mine", {"board": "a"}, 2)
    entry = first.append(record.id, 1, "move", {"move": "skip", "owner": "cat"}, "phone")
    first.close()

    again = Journal(path)
    assert again.matches() == [record]
    assert again.entries(record.id) == [entry]
    again.close()


def test_matches_come_newest_first(journal: Journal) -> None:
    made = [journal.begin("this-bed-is-mine", {}, 2) for _ in range(3)]
    assert journal.matches() == made[::-1]


def test_it_is_written_ahead_and_synced_in_full(journal: Journal) -> None:
    run = journal._connection.execute
    assert run("PRAGMA journal_mode").fetchone() == ("wal",)
    assert run("PRAGMA synchronous").fetchone() == (2,)
    assert run("PRAGMA user_version").fetchone() == (VERSION,)


def test_two_companions_cannot_write_the_same_entry(tmp_path: Path) -> None:
    one, other = Journal(tmp_path / "j.sqlite"), Journal(tmp_path / "j.sqlite")
    record = one.begin("this-bed-is-mine", {}, 2)
    one.append(record.id, 1, "undo", {}, "phone")
    with pytest.raises(JournalError, match="Another companion"):
        other.append(record.id, 1, "redo", {}, "phone")
    assert [entry.kind for entry in one.entries(record.id)] == ["undo"]
    one.close()
    other.close()


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_a_journal_of_another_version_is_refused_in_a_sentence(tmp_path: Path, version: int) -> None:
    path = tmp_path / "j.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    assert fault_of(path) == "", "nobody mends it"
    with pytest.raises(JournalError, match=rf"another version .*journal {version}, .*{VERSION}\); use"):
        Journal(path)


def test_a_file_that_is_no_journal_is_said(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    path.write_text("this is a shopping list, and a long one at that" * 50)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(path)
    assert path.read_text().startswith("this is a shopping list")


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="make its folder writable"):
        Journal(tmp_path / "file" / "j.sqlite")


def test_a_full_disk_refuses_the_entry_and_loses_none(journal: Journal) -> None:
    record = journal.begin("this-bed-is-mine", {}, 2)
    journal.append(record.id, 1, "move", {"move": "skip", "owner": "cat"}, "phone")
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="free some space"):
        for n in range(2, 200):
            journal.append(record.id, n, "players", {"cat": "x" * 500}, "phone")
    assert journal.entries(record.id)[0].body == {"move": "skip", "owner": "cat"}


def test_it_knows_why_the_last_write_failed_until_one_succeeds(journal: Journal) -> None:
    record = journal.begin("this-bed-is-mine", {}, 2)
    assert journal.fault == ""
    journal._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError) as refused:
        journal.append(record.id, 1, "undo", {}, "phone")
    assert journal.fault == str(refused.value)
    journal.entries(record.id)
    assert journal.fault, "reading mends nothing"
    journal._connection.execute("PRAGMA query_only = OFF")
    journal.append(record.id, 1, "undo", {}, "phone")
    assert journal.fault == ""


def test_a_move_spares_the_sd_card(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    match = Match.begin(journal, BED, {})
    log = tmp_path / "journal.sqlite-wal"
    before = log.stat().st_size
    for move in OPENING:
        match.play(move, "phone")
    # Two pages a move, each with the log's own header; the first one also makes a page of its own.
    assert (log.stat().st_size - before) / len(OPENING) < 6000
    journal.close()
