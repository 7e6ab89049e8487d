"""A journal with flipped bits, or cut short: what can be read is kept, what is lost is said, play goes on."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion import paths
from companion.doctor.checks import games as games_of_doctor
from companion.play import rescue
from companion.play.backup import FOLDER, back_up
from companion.play.journal import Journal, JournalError, JournalReader
from companion.play.match import Match
from companion.play.rescue import fault_of, open_mended
from companion.play.schema import APPLICATION_ID, PAGE_BYTES, VERSION
from companion.play.table import Table
from tests.conftest import BED, OPENING, Companion
from tests.running import pages_of

Entries = list[tuple[str, dict[str, Any]]]


class Kept(NamedTuple):
    """A journal's files as after `kill -9`, and what was kept in each match."""

    folder: Path
    matches: dict[int, Entries]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Five matches: some in the database, some in its log, one on both sides."""
    folder = tmp_path_factory.mktemp("kept")
    with closing(Journal(folder / "journal.sqlite")) as journal:
        matches = [Match.begin(journal, BED, {}) for _ in range(3)]
        matches[0].play_all(OPENING, "phone")
        for move in OPENING[:2]:
            matches[1].play(move, "phone")
        journal.fold()
        for move in OPENING[2:]:
            matches[1].play(move, "phone")
        matches += [Match.begin(journal, slug, {}) for slug in ("chop-chop", "cat-and-mouse")]
        for match in matches[2:]:
            for _ in range(6):
                match.play(next(iter(match.game.legal_moves(match.state))), "camera")
            match.undo("phone")
        copy = tmp_path_factory.mktemp("copy") / "home"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*-shm"))
        return Kept(copy, {match.record.id: entries(journal, match.record.id) for match in matches})


def entries(journal: Journal, match: int) -> Entries:
    """What was done in a match."""
    return [(entry.kind, entry.body) for entry in journal.entries(match)]


def damaged(data: bytes, chance: random.Random) -> bytes:
    """One bit flipped, or the end cut off, or nothing left."""
    how, at = chance.random(), chance.randrange(len(data))
    if how < 0.2:
        at = chance.randrange(min(200, len(data)))  # the header, where most hangs on each bit
    if how < 0.75:
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    return data[:at] if how < 0.97 else b""


def look(home: Path, kept: Kept) -> Iterator[str]:
    """What is silently wrong with the journal in `home` after it was damaged; opening it must not fail."""
    with closing(open_mended()) as journal:
        said = bool(paths.damaged_in(home))
        there = {record.id: record for record in journal.matches()}
        for number, whole in kept.matches.items():
            if number not in there:
                yield f"match {number} is gone"
                continue
            course = journal.course(number)
            left = [(entry.kind, entry.body) for entry in course.entries]
            fault = there[number].fault or course.cut
            if not there[number].fault and left != whole[: len(left)]:
                yield f"match {number} is changed"
            if fault and not said:
                yield f"match {number}: {fault}, and no file was put aside"
            if len(left) < len(whole) and not fault:
                yield f"match {number} ends at {len(left)} of {len(whole)}"
        table = Table.open(journal, None)
        table.begin(BED, {})
        table.play(OPENING[0], "phone")
    again = fault_of(home / "journal.sqlite")
    if again:
        yield f"it is still damaged: {again}"


def try_out(kept: Kept, home: Path, times: int, seed: int) -> None:
    """Damage the journal in many ways, each from the whole one."""
    chance = random.Random(seed)
    names = ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite", "journal.sqlite-wal", "journal.last")
    for number in range(times):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(kept.folder, home)
        file = home / names[number % len(names)]
        file.write_bytes(damaged(file.read_bytes(), chance))
        assert list(look(home, kept)) == [], f"seed {seed}, number {number}, {file.name}"


def test_whatever_is_damaged_nothing_is_lost_or_changed_without_a_word(kept: Kept, home: Path) -> None:
    try_out(kept, home, 50, seed=11)


@pytest.mark.slow
def test_many_more_flips_and_cuts(kept: Kept, home: Path) -> None:
    """`DAMAGES=2000` tries so many."""
    try_out(kept, home, int(os.environ.get("DAMAGES", "300")), seed=2000)


def test_a_whole_journal_stays_as_it_is(kept: Kept, home: Path) -> None:
    shutil.copytree(kept.folder, home)
    assert fault_of(home / "journal.sqlite") == ""
    assert list(look(home, kept)) == []
    assert paths.damaged_in(home) == ()


OTHER_VERSION = (VERSION + 1).to_bytes(4, "big")


def with_other_version(first_page: bytes) -> bytes:
    """A first page that names another version, as one that was not written whole may."""
    return first_page[:60] + OTHER_VERSION + first_page[64:]


def test_a_torn_first_page_at_the_end_of_the_log_is_left_out(kept: Kept, home: Path) -> None:
    """The power went while a move was kept, so it was never shown."""
    shutil.copytree(kept.folder, home)
    log, page = home / "journal.sqlite-wal", (home / "journal.sqlite").read_bytes()[:PAGE_BYTES]
    salts, wrong_check, size = log.read_bytes()[16:24], b"too late", (99).to_bytes(4, "big")
    log.write_bytes(log.read_bytes() + b"\0\0\0\1" + size + salts + wrong_check + with_other_version(page))
    assert list(look(home, kept)) == []
    assert paths.damaged_in(home) == ()


TORN_PAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda page: bytes(len(page)),
    "half": lambda page: page[: len(page) // 2] + bytes(len(page) - len(page) // 2),
    "rubbish": lambda page: random.Random(1).randbytes(len(page)),
    "its version": with_other_version,
    "its formats": lambda page: page[:18] + b"\x09\x08" + page[20:],
}


@pytest.mark.parametrize("torn", TORN_PAGES.values(), ids=TORN_PAGES)
def test_a_power_cut_while_the_log_is_folded_in_costs_nothing(
    home: Path, torn: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Every page that the log holds may be torn in the database then."""
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        Match.begin(journal, BED, {}).play(OPENING[0], "phone")
        whole = {1: entries(journal, 1)}
        shutil.copytree(tmp_path, home, ignore=shutil.ignore_patterns("*-shm", "home"))
    file = home / "journal.sqlite"
    pages = file.read_bytes()
    file.write_bytes(torn(pages[:PAGE_BYTES]) + pages[PAGE_BYTES:])
    assert list(look(home, Kept(home, whole))) == []
    assert paths.damaged_in(home) == ()


def test_a_journal_of_another_version_is_not_damaged_though_only_its_log_says_so(
    home: Path, tmp_path: Path
) -> None:
    """A newer companion was cut off before it folded its log in."""
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        journal.fold()
        journal._connection.execute(f"PRAGMA application_id = {APPLICATION_ID + VERSION + 1}")
        journal._connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        shutil.copytree(tmp_path, home, ignore=shutil.ignore_patterns("*-shm", "home"))
    with pytest.raises(JournalError, match="another version"):
        open_mended()
    assert paths.damaged_in(home) == ()


ANOTHER_LOOKS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM match").fetchone()
connection.close()
"""
"""Another program opens the journal and closes it: SQLite lets the last one that does so delete the log."""


def test_a_journal_in_use_elsewhere_is_not_taken_for_damaged(
    kept: Kept, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(kept.folder, home)
    journal, rows = home / "journal.sqlite", rescue._faults_of_rows

    def meanwhile(reader: JournalReader) -> Iterator[str]:
        subprocess.run([sys.executable, "-c", ANOTHER_LOOKS, str(journal)], check=True)
        assert journal.with_name("journal.sqlite-wal").stat().st_size, "the log is still locked"
        return rows(reader)

    monkeypatch.setattr(rescue, "_faults_of_rows", meanwhile)
    assert fault_of(journal) == ""


def test_the_damaged_file_is_put_aside_and_the_page_says_so(kept: Kept, home: Path) -> None:
    shutil.copytree(kept.folder, home)
    log = home / "journal.sqlite-wal"
    log.write_bytes(b"")
    with closing(open_mended()) as journal:
        [name] = paths.damaged_in(home)
        page = pages_of(Table.open(journal, None), None).test_client()
        assert {"key": "file", "facts": {"file": name}} in page.get("/api/table").json["notices"]
        faults = {each["id"]: each["fault"] for each in page.get("/api/matches").json["matches"]}
    assert name.startswith("journal.damaged-20")
    assert any(faults.values())


def test_a_journal_that_is_gone_is_said_on_the_page_and_by_doctor_until_a_backup_is_back(
    kept: Kept, home: Path, companion: Companion
) -> None:
    shutil.copytree(kept.folder, home)
    with closing(open_mended()) as journal:
        journal.fold()
        back_up(journal.path, home / FOLDER)
    for file in home.glob("journal.sqlite*"):
        file.unlink()
    with closing(open_mended()) as journal:
        page = pages_of(Table.open(journal, None), None).test_client()
        assert "gone" in {each["key"] for each in page.get("/api/table").json["notices"]}
    [finding] = [line for line in companion("doctor", "--json").lines if line["check"] == "games"]
    assert (finding["ok"], finding["key"]) == (False, "gone")
    assert "companion restore" in finding["says"]
    assert companion("restore", "newest").status == 0
    assert games_of_doctor(home).ok
    with closing(open_mended()) as journal:
        assert {number: entries(journal, number) for number in kept.matches} == kept.matches
        page = pages_of(Table.open(journal, None), None).test_client()
        assert page.get("/api/table").json["notices"] == []


def test_a_damaged_first_page_costs_nothing(kept: Kept, home: Path) -> None:
    shutil.copytree(kept.folder, home)
    file = home / "journal.sqlite"
    with closing(Journal(file)) as journal:
        journal.fold()
    file.write_bytes(b"\0" * PAGE_BYTES + file.read_bytes()[PAGE_BYTES:])
    with closing(open_mended()) as journal:
        left = {number: entries(journal, number) for number in kept.matches}
        assert left == kept.matches
        assert not any(journal.course(number).cut for number in kept.matches)


def test_a_damaged_entry_costs_only_what_follows_it_in_its_match(kept: Kept, home: Path) -> None:
    shutil.copytree(kept.folder, home)
    with closing(Journal(home / "journal.sqlite")) as journal:
        journal._connection.execute("UPDATE entry SET body = '{}' WHERE match = 2 AND n = 3")
    with closing(open_mended()) as journal:
        left = {number: entries(journal, number) for number in kept.matches}
        assert left == {**kept.matches, 2: kept.matches[2][:2]}
        rest = journal._connection.execute("SELECT n FROM entry WHERE match = 2 AND n > 2 ORDER BY n")
        assert [n for (n,) in rest] == [3, 4], "the rest is still there"


def test_a_digest_that_is_damaged_costs_nothing(kept: Kept, home: Path) -> None:
    shutil.copytree(kept.folder, home)
    with closing(Journal(home / "journal.sqlite")) as journal:
        for change in (
            "UPDATE entry SET digest = zeroblob(8) WHERE match = 2 AND n = 3",
            "UPDATE entry SET previous = zeroblob(8) WHERE match = 4 AND n = 2",
            "UPDATE match SET digest = zeroblob(8) WHERE id = 1",
            "UPDATE summary SET digest = zeroblob(8)",
        ):
            journal._connection.execute(change)
    with closing(open_mended()) as journal:
        assert {number: entries(journal, number) for number in kept.matches} == kept.matches
        assert not any(record.fault for record in journal.matches())


@pytest.mark.parametrize("gone", ["", "-wal"])
def test_a_power_cut_while_the_new_file_takes_its_place_loses_nothing(
    kept: Kept, home: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    shutil.copytree(kept.folder, home)
    file = home / "journal.sqlite"
    file.write_bytes(b"rubbish" + file.read_bytes()[7:])
    monkeypatch.setattr(rescue, "finish", lambda path: None)
    rescue.rescue(file)
    monkeypatch.undo()
    monkeypatch.setenv("COMPANION_HOME", str(home))
    for each in ("", "-wal")[: 1 + bool(gone)]:
        file.with_name(file.name + each).unlink()
    with closing(open_mended()) as journal:
        assert {number: entries(journal, number) for number in kept.matches} == kept.matches
