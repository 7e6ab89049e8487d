"""The nightly backup: whole, while the journal is in use, and not for ever."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.play import backup
from companion.play.backup import back_up, main
from companion.play.journal import Journal, open_journal
from companion.play.match import Match
from tests.conftest import BED, OPENING


@pytest.fixture
def journal(home: Path) -> Journal:
    """The journal that is in use, with a match."""
    made = open_journal()
    Match.begin(made, BED, {})
    return made


def test_a_backup_of_a_journal_in_use_is_whole(journal: Journal, home: Path) -> None:
    journal.append(1, 1, "move", dict(OPENING[0]), "phone")
    made = back_up(journal.path, home / "backups")
    assert made is not None
    assert [file.name for file in (home / "backups").iterdir()] == [made.name], "one file, nothing beside it"
    kept = Journal(made)
    assert kept.matches() == journal.matches()
    assert kept.entries(1) == journal.entries(1)
    kept.close()
    journal.close()


def test_a_backup_is_for_its_owner_alone(journal: Journal, home: Path) -> None:
    made = back_up(journal.path, home / "backups")
    assert made is not None
    assert made.stat().st_mode & 0o777 == 0o600
    journal.close()


def test_where_nothing_is_new_nothing_is_written(journal: Journal, home: Path) -> None:
    assert back_up(journal.path, home / "backups")
    assert back_up(journal.path, home / "backups") is None
    journal.append(1, 1, "move", dict(OPENING[0]), "phone")
    journal.close()


def test_the_newest_stay_and_one_with_a_name_too(journal: Journal, home: Path) -> None:
    folder = home / "backups"
    named = back_up(journal.path, folder, name="before-update")
    for day in range(1, 6):
        (folder / f"journal-2020-01-0{day}T040000.sqlite").touch()
        (folder / f"journal-2020-01-0{day}T040000.sqlite").write_bytes(named.read_bytes() if named else b"")
    journal.append(1, 1, "move", dict(OPENING[0]), "phone")
    made = back_up(journal.path, folder, keep=3)
    assert made is not None
    assert {file.name for file in folder.iterdir()} == {
        "before-update.sqlite",
        "journal-2020-01-04T040000.sqlite",
        "journal-2020-01-05T040000.sqlite",
        made.name,
    }
    journal.close()


def test_a_damaged_journal_is_not_taken_for_a_backup(journal: Journal, home: Path) -> None:
    for n in range(1, 200):
        journal.append(1, n, "move", dict(OPENING[0]), "phone")
    find = "SELECT rootpage FROM sqlite_master WHERE name = 'entry'"
    page = journal._connection.execute(find).fetchone()[0] - 1
    journal.close()
    data = bytearray(journal.path.read_bytes())
    data[page * 4096 + 100 : (page + 1) * 4096] = b"\xff" * (4096 - 100)
    journal.path.write_bytes(data)
    with pytest.raises(UserError, match=r"damaged|malformed"):
        back_up(journal.path, home / "backups")
    assert not list((home / "backups").glob("*.sqlite"))


def test_the_timer_calls_it_by_itself(journal: Journal, home: Path) -> None:
    assert main([]) == 0
    assert main(["before-update"]) == 0
    journal.close()
    names = sorted(file.name for file in (home / backup.FOLDER).iterdir())
    assert names[0] == "before-update.sqlite"
    assert len(names) == 2


def test_without_games_there_is_nothing_to_do(home: Path) -> None:
    assert main([]) == 0
    assert not home.exists()


def test_a_folder_that_takes_no_backup_is_said(
    journal: Journal, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.close()
    (home / backup.FOLDER).touch()
    assert main([]) == 2
    assert "free some space" in capsys.readouterr().err


def test_a_backup_can_be_opened_as_the_journal(journal: Journal, home: Path) -> None:
    made = back_up(journal.path, home / "backups")
    journal.close()
    assert made is not None
    with closing(sqlite3.connect(made)) as connection, connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] > 0
    connection.close()


def test_a_damaged_newest_backup_does_not_stop_later_ones(journal: Journal, home: Path) -> None:
    folder = home / "backups"
    first = back_up(journal.path, folder)
    assert first is not None
    first.write_bytes(first.read_bytes()[:3000])
    second = back_up(journal.path, folder)
    assert second is not None
    assert second != first
    assert back_up(journal.path, folder) is None, "the newest whole one holds all"
    assert first.exists(), "nobody but a person deletes a damaged one"
    journal.close()


def test_a_clock_that_is_behind_deletes_nothing(journal: Journal, home: Path) -> None:
    folder = home / "backups"
    whole = back_up(journal.path, folder, name="whole")
    assert whole is not None
    later = {f"journal-2999-01-0{day}T040000.sqlite" for day in range(1, 6)}
    for name in later:
        (folder / name).write_bytes(whole.read_bytes())
    journal.append(1, 1, "move", dict(OPENING[0]), "phone")
    made = back_up(journal.path, folder, keep=3)
    assert made is not None
    assert {file.name for file in folder.iterdir()} == later | {whole.name, made.name}
    journal.close()


def test_backups_are_for_their_owner_alone(journal: Journal, home: Path) -> None:
    made = back_up(journal.path, home / "backups")
    assert made is not None
    assert made.stat().st_mode & 0o777 == 0o600
    journal.close()
