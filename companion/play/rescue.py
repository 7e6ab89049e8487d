"""Check that a journal is whole, and mend a damaged one.

The rows that SQLite can still read go into a new journal, and the old file is put aside. A row's digest shows
whether it was read whole. Known losses are noted in the new journal.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion import files, paths
from companion.errors.causes import PRIMARY_CODE, cause_of
from companion.play import schema
from companion.play.journal import (
    DAMAGED_DATABASE,
    Journal,
    JournalError,
    JournalReader,
    LastKept,
    LastKeptFile,
    mending,
    read_only,
)
from companion.play.schema import APPLICATION_ID, PAGE_BYTES, VERSION, EntryRow, MatchRow
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot

log = logging.getLogger(__name__)

FORMATS = slice(18, 20)
"""The place in a database of the bytes that say whether it has a log written ahead."""

FILE_FORMATS = {1, 2}
"""Their values: 1 without such a log, 2 with one."""

SHARED_MEMORY = "-shm"
"""The end of the name of SQLite's index of a log."""

DAMAGE = (1, 11, 26)
"""SQLite's primary result codes (ERROR, CORRUPT, NOTADB) that a damaged file leads to."""

RESCUED = ".rescued"
"""The suffix of a rebuilt journal that has not taken its place yet."""


# -- is it whole? -------------------------------------------------------------------------------------------


def fault_of(path: Path) -> str:
    """The first fault of the journal at `path` that is not yet known; empty if it is whole or missing. A
    journal of another version is not judged. Raises `OSError`."""
    note = LastKeptFile(path.with_suffix(".last"))
    if not path.exists():
        return "the file is missing" if note.path.exists() else ""
    if path.stat().st_size == 0:
        is_cut = note.path.exists() or path.with_name(path.name + paths.LOG).exists()
        return "the file is empty" if is_cut else ""
    # Read before there is a connection: closing the file gives up the locks that SQLite holds on it.
    formats = _formats(path)
    try:
        with closing(read_only(path)) as connection:
            return next(_faults(path, formats, connection, note), "")
    except DAMAGED_DATABASE as error:
        return str(cause_of(error))


def _formats(path: Path) -> bytes:
    """The bytes of a database that say whether it has a log written ahead. If the file's own are damaged, but
    the log holds the first page, as after a power cut while it was folded in, they are those of the log."""
    with path.open("rb") as file:
        formats = file.read(FORMATS.stop)[FORMATS]
    if set(formats) <= FILE_FORMATS:
        return formats
    with TemporaryDirectory(dir=path.parent, prefix=".formats-") as folder:
        copy = _copied(path, Path(folder))
        with suppress(*DAMAGED_DATABASE), closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA wal_checkpoint")
        return copy.read_bytes()[FORMATS]


def _copied(path: Path, folder: Path) -> Path:
    """A copy of a database and its log in a folder."""
    copy = folder / path.name
    shutil.copyfile(path, copy)
    with suppress(FileNotFoundError):
        shutil.copyfile(path.with_name(path.name + paths.LOG), f"{copy}{paths.LOG}")
    return copy


def _faults(path: Path, formats: bytes, connection: sqlite3.Connection, note: LastKeptFile) -> Iterator[str]:
    version, application = schema.marks_of(connection)
    if version not in (0, VERSION) and application in (0, APPLICATION_ID + version):
        return
    check = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    if check != "ok":
        yield check
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if not tables and (version, application) == (0, 0):
        return
    if (version, application) != (VERSION, APPLICATION_ID + VERSION):
        yield "its version is damaged"
    if not set(formats) <= FILE_FORMATS:
        yield "its header is damaged"
    if tables != schema.TABLES:
        yield "its tables are damaged"
    yield from _faults_of_rows(JournalReader(path, connection))
    yield from _faults_of_end(connection, note)


def _faults_of_rows(journal: JournalReader) -> Iterator[str]:
    """Unreadable matches and entries, except the known ones."""
    known = journal.known_faults()
    for record in journal.matches():
        if record.fault and (record.id, 0) not in known:
            yield f"match {record.id}: {record.fault}"
        course = journal.course(record.id)
        if course.cut and (record.id, len(course.entries) + 1) not in known:
            yield f"match {record.id}: {course.cut}"


def _faults_of_end(connection: sqlite3.Connection, note: LastKeptFile) -> Iterator[str]:
    """The entry that was kept last, if it is gone."""
    last = _last_note(note)
    entry = "SELECT 1 FROM entry WHERE match = ? AND n = ? AND digest = ?"
    match = "SELECT 1 FROM match WHERE id = ? AND ? = 0 AND digest = ?"
    if last and not connection.execute(f"{entry} UNION {match}", last[:3] * 2).fetchone():
        yield f"match {last.match}: entry {last.n}, the last one that was kept, is missing"


def _last_note(note: LastKeptFile) -> LastKept | None:
    """The note of what was kept last; None for a damaged one."""
    try:
        return note.read_note()
    except (OSError, ValueError):
        return None


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


# -- mending it ---------------------------------------------------------------------------------------------


def open_mended(name: str = "journal") -> Journal:
    """The journal of that name in the folder where the companion keeps things, rebuilt if it is damaged.
    Nobody else may use it now. Raises `JournalError`."""
    path = paths.home() / f"{name}.sqlite"
    with mending(path):
        finish(path)
        fault = fault_of(path)
    if fault:
        log.error("%s is damaged (%s).", path, fault)
        rescue(path)
    try:
        return Journal(path)
    except JournalError as error:
        code = getattr(error.__cause__, "sqlite_errorcode", 0) & PRIMARY_CODE
        if code not in DAMAGE and not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        rescue(path)
        return Journal(path)


def rescue(path: Path) -> Path:
    """Rebuild the damaged journal at `path` from what can be read of it; nobody else may use it now.

    Returns the name under which the damaged file was put aside. A missing file leaves an empty one, so that
    pages can say so. Raises `JournalError`.
    """
    with mending(path):
        if not path.exists():
            paths.note_missing(path)
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        _write(part, _read_rows(path), _last_note(LastKeptFile(path.with_suffix(".last"))))
        part.replace(path.with_suffix(RESCUED))
        files.sync_folder(path.parent)
        return finish(path) or path


def finish(path: Path, mark: str = paths.DAMAGED) -> Path | None:
    """Put a rebuilt journal in its place, even after a power cut; None without one.

    Returns the name under which the old one is put aside, with `mark` before the date. Safe to repeat after
    any step. Raises `OSError`.
    """
    rescued = path.with_suffix(RESCUED)
    if not rescued.exists():
        return None
    aside = paths.free_name(path, f"{path.stem}{mark}{datetime.now(UTC):%Y-%m-%dT%H%M%S}")
    for suffix in (paths.LOG, ""):
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(aside.with_name(aside.name + suffix))
    for stale in (path.with_name(path.name + SHARED_MEMORY), path.with_suffix(".last")):
        stale.unlink(missing_ok=True)
    files.sync_folder(path.parent)
    rescued.replace(path)
    files.sync_folder(path.parent)
    log.warning("%s was made again; the one before is kept as %s.", path, aside.name)
    return aside


class Rows(NamedTuple):
    """The rows of a damaged journal by their keys, each as whole as it was found. A summary is its `n` and
    its text, which is empty if it is damaged."""

    matches: dict[int, MatchRow]
    entries: dict[tuple[int, int], EntryRow]
    summaries: dict[int, tuple[int, bytes]]
    aside: list[tuple[Any, ...]]


def _read_rows(path: Path) -> Rows:
    """Every row that SQLite can read of the journal as it is, with a new first page, and without its log too.
    Raises `OSError`."""
    rows = Rows({}, {}, {}, [])
    if path.exists():
        for new_page, log in ((False, True), (True, True), (True, False)):
            with TemporaryDirectory(dir=path.parent, prefix=".rescue-") as folder:
                copy = _copied(path, Path(folder))
                if new_page:
                    data = copy.read_bytes()
                    new = _first_page(Path(folder) / "new.sqlite", len(data))
                    copy.write_bytes(new + data[PAGE_BYTES:])
                if not log:
                    copy.with_name(copy.name + paths.LOG).unlink(missing_ok=True)
                with suppress(*DAMAGED_DATABASE), closing(read_only(copy)) as connection:
                    _add_rows(connection, rows)
    return rows


def _first_page(new: Path, size_bytes: int) -> bytes:
    """The first page of a new journal, which says where the tables begin, for a file of that size."""
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("BEGIN")
        schema.make_tables(connection)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    page = new.read_bytes()[:PAGE_BYTES]
    # The header counts the file's pages.
    return page[:28] + (size_bytes // PAGE_BYTES).to_bytes(4, "big") + page[32:]


def _add_rows(connection: sqlite3.Connection, rows: Rows) -> None:
    """Add what a connection can read; a row that is whole takes the place of one that is not."""
    for values in _scanned(connection, schema.MATCH_ROWS, "id"):
        match = MatchRow(*values)
        if schema.is_whole(match) or (schema.is_typed(match) and match.id not in rows.matches):
            rows.matches[match.id] = match
    for values in _scanned(connection, schema.ENTRY_ROWS, "match, n"):
        entry = EntryRow(*values)
        if schema.is_whole(entry) or (schema.is_typed(entry) and entry[:2] not in rows.entries):
            rows.entries[entry.match, entry.n] = entry
    summaries = "SELECT match, n, CAST(body AS BLOB), digest FROM summary"
    for number, n, body, digest in _scanned(connection, summaries, "match"):
        # The number alone says where the match ended, though the text is damaged.
        whole = digest == schema.summary_digest(number, n, body)
        rows.summaries[number] = max(rows.summaries.get(number, (0, b"")), (n, body if whole else b""))
    aside = "SELECT match, n, kind, body, source, at, why, since FROM aside"
    rows.aside.extend(row for row in _scanned(connection, aside, "rowid") if row not in rows.aside)


def _scanned(connection: sqlite3.Connection, query: str, order: str) -> Iterator[tuple[Any, ...]]:
    """The rows from both ends, so that a damaged page hides only what it holds."""
    backwards = ", ".join(f"{column} DESC" for column in order.split(", "))
    for by in (order, backwards):
        with suppress(*DAMAGED_DATABASE):
            yield from connection.execute(f"{query} ORDER BY {by}")


def _write(path: Path, rows: Rows, last: LastKept | None) -> None:
    """Write a new journal with these rows, for its owner alone; known losses are noted in it."""
    path.touch(files.SECRET_MODE)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("BEGIN")
        schema.make_tables(connection)
        known = [*rows.matches, *(match for match, _ in rows.entries)]
        # The numbers of matches have no gaps: where one is missing, a match is lost.
        for number in range(1, max((*known, *(last.ends if last else ())), default=0) + 1):
            row = rows.matches.get(number, MatchRow(number, b"", b"{}", 0, b""))
            first = rows.entries.get((number, 1))
            if first is not None and first.previous == row.checked():
                row = row.sealed()  # only its digest was damaged
            schema.write_matches(connection, [row])
            if not schema.is_whole(row):
                _write_fault(connection, number, 0, "the match is damaged")
            _write_entries(connection, row, rows, last)
        statement = "INSERT INTO aside VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        for values in rows.aside:
            # What cannot be written is damaged itself; the file that is put aside still has it.
            with suppress(sqlite3.IntegrityError):
                connection.execute(statement, values)
        connection.execute("COMMIT")


def _write_entries(
    connection: sqlite3.Connection, match: MatchRow, rows: Rows, last: LastKept | None
) -> None:
    """Write the entries of a match: those that follow each other from its beginning, then the rest. Where its
    last entry is lost, or may be, a row stands for it."""
    course = _course(match, rows, last)
    schema.write_entries(connection, course)
    n, body = rows.summaries.get(match.id, (0, b""))
    if body and n == len(course):
        schema.write_summary(connection, match.id, n, body)
    numbers = {number for of, number in rows.entries if of == match.id} | {n}
    if last and match.id in last.ends:
        numbers.add(last.ends[match.id])
    elif match.id not in rows.summaries:
        numbers.add(len(course) + 1)  # nothing says where it ended
    rest = sorted(number for number in numbers if number > len(course))
    for number in rest:
        stand_in = EntryRow(match.id, number, b"players", b"{}", b"lost", b"")
        try:
            schema.write_entries(connection, [rows.entries.get((match.id, number), stand_in)])
        except sqlite3.IntegrityError:
            schema.write_entries(connection, [stand_in])
    if rest:
        _write_fault(connection, match.id, len(course) + 1, "the entry is damaged or missing")


def _course(match: MatchRow, rows: Rows, last: LastKept | None) -> list[EntryRow]:
    """The entries that follow each other from a match's beginning. One whose digest alone was damaged is
    mended: the entry after it, or the note of the last one, has it too."""
    course: list[EntryRow] = []
    digest = match.digest
    while (row := rows.entries.get((match.id, len(course) + 1))) is not None:
        after = rows.entries.get((match.id, row.n + 1))
        right = {row.digest, after.previous if after else b""}
        if last and (last.match, last.n) == (match.id, row.n):
            right.add(last.digest)
        row = row.after(digest)
        if row.digest not in right:
            break
        course.append(row)
        digest = row.digest
    return course


def _write_fault(connection: sqlite3.Connection, match: int, n: int, why: str) -> None:
    since = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = (match, n, schema.KNOWN_FAULT, "", "", "", why, since)
    connection.execute("INSERT INTO aside VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
