"""`companion restore` lists the backups and brings one back; what was kept since is kept aside."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion import paths
from companion.play.backup import FOLDER, back_up
from companion.play.journal import Journal, open_journal
from companion.play.match import Match
from tests.conftest import BED, OPENING, Companion


@pytest.fixture
def backups(home: Path) -> Path:
    """A folder with a backup after two moves and a named one after three; four moves are kept by now."""
    with closing(open_journal()) as journal:
        match = Match.begin(journal, BED, {})
        for n, move in enumerate(OPENING, 1):
            match.play(move, "phone")
            if n in (2, 3):
                back_up(journal.path, home / FOLDER, name="" if n == 2 else "before-update")
    return home / FOLDER


def moves_now(home: Path) -> int:
    """How many entries the first match has."""
    with closing(Journal(home / "journal.sqlite")) as journal:
        return len(journal.entries(1))


def test_it_lists_what_each_backup_holds(backups: Path, companion: Companion) -> None:
    rows = {row["name"]: row for row in companion("restore", "--json").lines}
    assert {row["entries"] for row in rows.values()} == {2, 3}
    assert rows["before-update"]["matches"] == 1
    assert not any(row["fault"] for row in rows.values())
    assert "before-update  matches: 1, entries: 3" in companion("restore").out


def test_it_brings_one_back_and_keeps_the_games_of_now(
    backups: Path, home: Path, companion: Companion
) -> None:
    ran = companion("restore", "before-update")
    assert ran.status == 0
    assert moves_now(home) == 3
    [kept] = home.glob("journal.replaced-*.sqlite")
    assert ran.err == f"The backup before-update is back. The games of before are kept in {kept.name}.\n"
    with closing(Journal(kept)) as journal:
        assert len(journal.entries(1)) == 4
    assert paths.damaged_in(home) == (), "nothing was damaged"


def test_one_match_goes_on_from_there(backups: Path, home: Path, companion: Companion) -> None:
    companion("restore", "before-update")
    with closing(open_journal()) as journal:
        record = journal.match(1)
        assert record is not None
        Match(journal, record).play(OPENING[3], "phone")
    assert moves_now(home) == 4


def test_a_damaged_backup_is_listed_as_such_and_not_brought_back(
    backups: Path, home: Path, companion: Companion
) -> None:
    damaged = backups / "before-update.sqlite"
    damaged.write_bytes(damaged.read_bytes().replace(b'"row":0', b'"row":1'))
    assert "damaged" in companion("restore").out
    ran = companion("restore", "before-update")
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert moves_now(home) == 4
    companion("restore", "newest")
    assert moves_now(home) == 2


def test_it_waits_for_the_companion_to_be_stopped(backups: Path, home: Path, companion: Companion) -> None:
    with paths.only_companion():
        ran = companion("restore", "newest")
    assert (ran.status, "stop that one" in ran.err) == (2, True)
    assert moves_now(home) == 4


def test_without_a_journal_a_backup_can_still_be_brought_back(
    backups: Path, home: Path, companion: Companion
) -> None:
    for file in home.glob("journal.*"):
        file.unlink()
    assert companion("restore", "before-update").err == "The backup before-update is back.\n"
    assert moves_now(home) == 3


def test_without_backups_that_is_said(home: Path, companion: Companion) -> None:
    assert companion("restore").err == "There is no backup yet.\n"
    assert companion("restore", "newest").status == 2


def test_who_is_not_the_owner_is_told_whom_to_be(
    backups: Path, companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    ran = companion("restore", "newest")
    assert (ran.status, "run sudo -u" in ran.err) == (2, True)
