"""What is refused is not there after a restart, what is kept is kept as a whole, and there is one keeper."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion import paths
from companion.errors import UserError
from companion.play.journal import VERSION, Journal, JournalError, open_journal
from companion.play.match import Match
from tests.conftest import BED, OPENING, Companion

FAILING_SYNC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int fdatasync(int descriptor) {
  if (!access(getenv("SYNC_FAILS"), F_OK)) { errno = EIO; return -1; }
  return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}

int fsync(int descriptor) {
  if (!access(getenv("SYNC_FAILS"), F_OK)) { errno = EIO; return -1; }
  return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(descriptor);
}
"""
"""A disk that takes every write, and fails at each sync while the file that SYNC_FAILS names is there."""

PLAYED_ON_A_FAILING_DISK = """
import os, sys
from pathlib import Path
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.journal import JournalError
from tests.conftest import BED, OPENING

match = Match.begin(Journal(Path(sys.argv[1])), BED, {})
match.play(OPENING[0], "phone")
Path(os.environ["SYNC_FAILS"]).touch()
try:
    match.play_all(OPENING[1:3], "phone")
except JournalError as error:
    print(error, flush=True)
os._exit(9)
"""


@pytest.fixture
def failing_disk(tmp_path: Path) -> dict[str, str]:
    """The environment of a program whose disk fails at each sync once it asks for that."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here (apt install gcc)")
    source, library = tmp_path / "failing.c", tmp_path / "failing.so"
    source.write_text(FAILING_SYNC)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return os.environ | {"LD_PRELOAD": str(library), "SYNC_FAILS": str(tmp_path / "fails")}


def test_a_move_that_was_refused_because_a_sync_failed_is_not_there_after_a_restart(
    failing_disk: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "home" / "journal.sqlite"
    command = [sys.executable, "-c", PLAYED_ON_A_FAILING_DISK, str(path)]
    ran = subprocess.run(command, env=failing_disk, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (9, "")
    assert "cannot be used" in ran.stdout
    with closing(Journal(path)) as journal:
        assert [entry.body for entry in journal.entries(1)] == [OPENING[0]]


def test_moves_played_together_are_kept_together_or_not_at_all(journal: Journal, match: Match) -> None:
    broken = "CREATE TRIGGER broken BEFORE INSERT ON entry WHEN new.n = 3"
    journal._connection.execute(f"{broken} BEGIN SELECT RAISE(FAIL, 'disk'); END")
    with pytest.raises(JournalError):
        match.play_all(OPENING, "camera")
    assert journal.entries(match.record.id) == []


def test_an_import_is_kept_as_a_whole_or_not_at_all(home: Path, companion: Companion, tmp_path: Path) -> None:
    with closing(open_journal()) as journal:
        Match.begin(journal, BED, {}).play_all(OPENING, "phone")
        companion("export", 1, "-o", tmp_path / "game.jsonl")
        broken = "CREATE TRIGGER broken BEFORE INSERT ON entry WHEN new.match = 2 AND new.n = 3"
        journal._connection.execute(f"{broken} BEGIN SELECT RAISE(FAIL, 'disk'); END")
        refused = companion("import", tmp_path / "game.jsonl")
        assert refused.status == 2
        assert [record.id for record in journal.matches()] == [1]
        journal._connection.execute("DROP TRIGGER broken")
        assert companion("import", tmp_path / "game.jsonl").err == "Kept as match 2.\n"
        assert [entry.body for entry in journal.entries(2)] == list(OPENING)


def test_a_newer_journal_is_not_touched_before_it_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)) as newer:
        newer.execute("CREATE TABLE something (new)")
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = {file.name: (file.read_bytes(), file.stat()) for file in tmp_path.iterdir()}
    with pytest.raises(JournalError, match="another version"):
        Journal(tmp_path / "j.sqlite")
    assert {file.name: (file.read_bytes(), file.stat()) for file in tmp_path.iterdir()} == before


def test_two_companions_on_one_home_the_second_says_so_and_ends(home: Path, companion: Companion) -> None:
    with paths.only_companion():
        before = sorted(home.iterdir())
        ran = companion("run", "--camera", "virtual", "--port", "1")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("Error: Another companion keeps its games in")
        assert ran.err.count("\n") == 1
        assert sorted(home.iterdir()) == before
    with paths.only_companion():
        pass


def test_a_home_where_nothing_can_be_kept_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(UserError, match="make it writable"), paths.only_companion():
        pass
