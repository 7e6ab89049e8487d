"""Is a journal whole? Every row is checked, and nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.errors.causes import cause_of
from companion.play import schema
from companion.play.last_kept import LastKeptFile
from companion.play.reading import DAMAGED_DATABASE, JournalReader, read_only
from companion.play.schema import APPLICATION_ID, VERSION
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot

FILE_FORMATS = (1, 2)
"""What SQLite writes in two bytes of a database's header: 1 without a log written ahead, 2 with one."""

HEADER_BYTES = 20
"""The bytes from a database's start up to and with these two."""


def fault_of(path: Path) -> str:
    """The first fault of the journal at `path` that is not yet known; empty if it is whole or missing.

    In a journal of version 1, whose rows have no digests, only the database is checked. Raises `OSError`.
    """
    note = LastKeptFile(path.with_suffix(".last"))
    if not path.exists():
        return "the file is missing" if note.path.exists() else ""
    version, application = schema.stored_version(path)
    if version > VERSION and application in (0, APPLICATION_ID + version):
        return ""
    try:
        return next(_faults(path, version, application, note), "")
    except DAMAGED_DATABASE as error:
        return str(cause_of(error))


def _faults(path: Path, version: int, application: int, note: LastKeptFile) -> Iterator[str]:
    if path.stat().st_size == 0:
        if note.path.exists() or path.with_name(f"{path.name}-wal").exists():
            yield "the file is empty"
        return
    # Read before there is a connection: closing the file gives up the locks that SQLite holds on it.
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    connection = read_only(path)
    try:
        check = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if check != "ok":
            yield check
        if 0 < version < VERSION and application == 0:
            return
        if (version, application) == (0, 0) and not connection.execute(
            "SELECT 1 FROM sqlite_master"
        ).fetchone():
            return
        if (version, application) != (VERSION, APPLICATION_ID + VERSION):
            yield "its version is damaged"
        yield from _faults_of_file(header, connection)
        yield from _faults_of_rows(JournalReader(path, connection))
        yield from _faults_of_end(connection, note)
    finally:
        connection.close()


def _faults_of_file(header: bytes, connection: sqlite3.Connection) -> Iterator[str]:
    if header[18] not in FILE_FORMATS or header[19] not in FILE_FORMATS:
        yield "its header is damaged"
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if tables != schema.TABLES:
        yield "its tables are damaged"


def _faults_of_rows(journal: JournalReader) -> Iterator[str]:
    """Matches and entries that cannot be read, except those that are known already."""
    known = journal.known_faults()
    for record in journal.matches():
        if record.fault and (record.id, 0) not in known:
            yield f"match {record.id}: {record.fault}"
        course = journal.course(record.id)
        if course.cut and (record.id, len(course.entries) + 1) not in known:
            yield f"match {record.id}: {course.cut}"


def _faults_of_end(connection: sqlite3.Connection, note: LastKeptFile) -> Iterator[str]:
    """An entry that was kept last and is not there; a note that is damaged itself says nothing."""
    try:
        last = note.read()
    except ValueError:
        return
    if last is None:
        return
    entry = "SELECT 1 FROM entry WHERE match = ? AND n = ? AND digest = ?"
    match = "SELECT 1 FROM match WHERE id = ? AND ? = 0 AND digest = ?"
    if not connection.execute(f"{entry} UNION {match}", last[:3] * 2).fetchone():
        yield f"match {last.match}: entry {last.n}, the last one that was kept, is missing"


def unplayable(path: Path) -> Iterator[tuple[int, str]]:
    """The number of each match that cannot be played back whole, and why. Raises `JournalError`."""
    with JournalReader.opened(path) as journal:
        for record in journal.matches():
            try:
                why = MatchSnapshot.begun(record).follow(journal.course(record.id)).cut
            except UNPLAYABLE as error:
                why = str(error)
            if why:
                yield record.id, why
