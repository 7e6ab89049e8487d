"""A damaged journal: whatever can be read goes into a new one, and the old file is put aside.

Rows are found in two ways. SQLite reads those that it can still reach. The others are looked for in the bytes
of the database and of its log, whatever is around them: a row's digest shows whether it was found whole.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from companion import files, paths
from companion.errors.causes import PRIMARY_CODE
from companion.play import schema
from companion.play.examine import fault_of
from companion.play.journal import Journal
from companion.play.last_kept import LastKept, LastKeptFile
from companion.play.reading import DAMAGED_DATABASE, JournalError, mending, read_only
from companion.play.schema import EntryRow, MatchRow

log = logging.getLogger(__name__)

SHARED_MEMORY = "-shm"
"""What SQLite appends to a database's name for the index of its log."""

DAMAGE = (1, 11, 26)
"""SQLite's primary result codes (ERROR, CORRUPT, NOTADB) that a damaged file leads to."""

WIDTHS = (1, 2, 0, 3, 4)
"""The bytes that a whole number may take in a row; with none it is 0 or 1."""

MOST_SKIPPED = 60
"""Numbers after the highest match that is known which a match found alone is tried with."""

_TIME = rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00)"

_ENTRY = re.compile(
    rb"(move|undo|redo|players)(\{[^\x00-\x1f]{0,1500}?\})([a-z][a-z-]{0,30})" + _TIME + rb"(.{8})(.{8})",
    re.DOTALL,
)
"""An entry's row, from its kind to its digest, as it stands in a page."""

_MATCH = re.compile(rb"([a-z0-9-]{1,60})(\{[^\x00-\x1f]{0,4000}?\})(.{0,2}?)" + _TIME + rb"(.{8})", re.DOTALL)
"""A match's row, from its game to its digest."""

_SUMMARY = re.compile(rb'(\{"n":\d+,[^\x00-\x1f]{0,2000}?"by":"[^"]{0,40}"\})(.{8})', re.DOTALL)
"""A summary's row, from its text to its digest."""


class Rows(NamedTuple):
    """The rows of a damaged journal, by their keys; of an entry, every version of it that was found whole.

    Of a match's summary only the newest is there: its `n` and its text.
    """

    matches: dict[int, MatchRow]
    entries: dict[tuple[int, int], list[EntryRow]]
    broken: dict[tuple[int, int], EntryRow]
    summaries: dict[int, tuple[int, bytes]]
    aside: list[tuple[Any, ...]]


def open_mended(name: str = "journal") -> Journal:
    """The journal of that name in the folder where the companion keeps things, rebuilt if it is damaged.

    Nobody else may use it now. Raises `JournalError`.
    """
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

    Returns the name under which the damaged file was put aside. For one that is gone an empty file is left,
    so that pages can say so. Raises `JournalError`.
    """
    with mending(path):
        if not path.exists():
            paths.note_missing(path)
        rows = collect(path)
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        _write(part, rows, LastKeptFile(path.with_suffix(".last")))
        part.replace(path.with_suffix(RESCUED))
        files.sync_folder(path.parent)
        return finish(path) or path


RESCUED = ".rescued"
"""The suffix of a rebuilt journal that has not taken its place yet."""


def finish(path: Path, mark: str = paths.DAMAGED) -> Path | None:
    """Let a rebuilt journal take its place, after a power cut too; None if there is none.

    The name under which the old one is put aside has this `mark` before the date. Each step may have been
    done before. Raises `OSError`.
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
    log.warning("%s was made anew; the one before is kept as %s.", path, aside.name)
    return aside


def collect(path: Path) -> Rows:
    """Every row of the journal at `path` that can be read. Raises `OSError`."""
    rows = Rows({}, {}, {}, {}, [])
    # SQLite deletes the log of an empty database.
    if path.exists() and path.stat().st_size:
        with suppress(*DAMAGED_DATABASE), closing(read_only(path)) as connection:
            _read_by_sqlite(connection, rows)
    for file in (path, path.with_name(path.name + paths.LOG)):
        with suppress(FileNotFoundError):
            _find_in_bytes(file.read_bytes(), rows)
    return rows


def _read_by_sqlite(connection: sqlite3.Connection, rows: Rows) -> None:
    """The rows that SQLite can reach, from both ends, so that a damaged page hides only what it holds."""
    old = not _has_digests(connection)
    match_rows = f"SELECT {schema.MATCH_COLUMNS} FROM match" if old else schema.MATCH_ROWS
    for values in _scanned(connection, match_rows, "id"):
        match = MatchRow(*values).sealed() if old else MatchRow(*values)
        if match.whole() or (match.id not in rows.matches and match.typed()):
            rows.matches[match.id] = match
    entry_rows = f"SELECT {schema.ENTRY_COLUMNS} FROM entry" if old else schema.ENTRY_ROWS
    every = [EntryRow(*values) for values in _scanned(connection, entry_rows, "match, n")]
    if old:
        unique = sorted({each[:2]: each for each in every if each.match in rows.matches}.values())
        every = list(schema.chained(unique, rows.matches.values()))
        rows.summaries.update((match, (0, b"")) for match in rows.matches)
    for entry in every:
        _take(entry, rows)
    if not old:
        summaries = "SELECT match, n, CAST(body AS BLOB), digest FROM summary"
        for number, n, body, digest in _scanned(connection, summaries, "match"):
            # The number alone says where the match ended, though the text is damaged.
            whole = digest == schema.summary_digest(number, n, body)
            _take_summary(rows, number, n, body if whole else b"")
        aside = "SELECT match, n, kind, body, source, at, why, since FROM aside"
        rows.aside.extend(dict.fromkeys(_scanned(connection, aside, "rowid")))


def _has_digests(connection: sqlite3.Connection) -> bool:
    return "digest" in {row[1] for row in connection.execute("PRAGMA table_info(entry)")}


def _scanned(connection: sqlite3.Connection, query: str, order: str) -> Iterator[tuple[Any, ...]]:
    backwards = ", ".join(f"{column} DESC" for column in order.split(", "))
    for by in (order, backwards):
        with suppress(*DAMAGED_DATABASE):
            yield from connection.execute(f"{query} ORDER BY {by}")


def _take(entry: EntryRow, rows: Rows) -> None:
    key = entry.match, entry.n
    if not entry.whole():
        if entry.typed():
            rows.broken[key] = entry
    elif entry not in rows.entries.setdefault(key, []):
        rows.entries[key].append(entry)


def _take_summary(rows: Rows, match: int, n: int, body: bytes) -> None:
    rows.summaries[match] = max(rows.summaries.get(match, (0, b"")), (n, body))


def _find_in_bytes(data: bytes, rows: Rows) -> None:
    """The rows that stand whole somewhere in the bytes of a database or its log."""
    seen = {entry.digest for versions in rows.entries.values() for entry in versions}
    for place in _ENTRY.finditer(data):
        *texts, digest = place.groups()
        if digest not in seen:
            numbers = _numbers_before(data, place.start())
            tried = (EntryRow._make((match, n, *texts, digest)) for match, n in numbers)
            entry = next((each for each in tried if each.whole()), None)
            if entry is not None:
                seen.add(digest)
                _take(entry, rows)
    highest = max((*rows.matches, *(match for match, _ in rows.entries)), default=0) + MOST_SKIPPED
    seen = {match.digest for match in rows.matches.values() if match.whole()}
    for place in _MATCH.finditer(data):
        if place[5] not in seen:
            other = _match_in(place, highest)
            if other is not None:
                seen.add(other.digest)
                rows.matches[other.id] = other
    bodies = {body for _, body in rows.summaries.values()}
    for place in _SUMMARY.finditer(data):
        if place[1] not in bodies:
            bodies.add(place[1])
            for match, n in product(range(1, highest + 1), _ends(data, place.start())):
                if schema.summary_digest(match, n, place[1]) == place[2]:
                    _take_summary(rows, match, n, place[1])


def _numbers_before(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """The two whole numbers that may end before place `at`: the match's and the entry's."""
    for match_width, n_width in product(WIDTHS, WIDTHS):
        middle = at - n_width
        yield from product(_whole(data, middle - match_width, middle), _whole(data, middle, at))


def _ends(data: bytes, at: int) -> Iterator[int]:
    """The whole numbers that may end before place `at`."""
    return (number for width in WIDTHS for number in _whole(data, at - width, at))


def _whole(data: bytes, first: int, end: int) -> tuple[int, ...]:
    return (int.from_bytes(data[max(0, first) : end], "big"),) if end > first else (0, 1)


def _match_in(place: re.Match[bytes], highest: int) -> MatchRow | None:
    """The match whose row stands there, whatever its number; letters before its game belong to its header."""
    game, options, seats, began, digest = place.groups()
    for first in range(len(game)):
        for number in range(1, highest + 1):
            row = MatchRow(number, game[first:], options, int.from_bytes(seats, "big") or 1, began, digest)
            if row.whole():
                return row
    return None


def _write(path: Path, rows: Rows, note: LastKeptFile) -> None:
    """A new journal with these rows, synced to the disk; what is known to be lost stands among them."""
    path.touch(files.SECRET_MODE)
    last = _last_note(note)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {schema.PAGE_BYTES}")
        connection.execute("BEGIN")
        schema.make_tables(connection)
        known = [*rows.matches, *(match for match, _ in rows.entries)]
        # The numbers of matches have no gaps: where one is missing, a match is lost.
        for number in range(1, max((*known, *(last.ends if last else ())), default=0) + 1):
            row = _mended(rows.matches.get(number, MatchRow(number, b"", b"{}", 0, b"")), rows)
            schema.write_matches(connection, [row])
            if not row.whole():
                _write_fault(connection, number, 0, "the match is damaged")
            _write_entries(connection, row, rows, last)
        statement = "INSERT INTO aside VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        for values in rows.aside:
            # What cannot be written is damaged itself; the file that is put aside still has it.
            with suppress(sqlite3.IntegrityError):
                connection.execute(statement, values)
        connection.execute("COMMIT")


def _mended(match: MatchRow, rows: Rows) -> MatchRow:
    """A match whose digest alone was damaged, as its first entry tells, with the right one."""
    firsts = rows.entries.get((match.id, 1), ())
    return match.sealed() if any(row.previous == match.checked() for row in firsts) else match


def _last_note(note: LastKeptFile) -> LastKept | None:
    try:
        return note.read()
    except (OSError, ValueError):
        return None


def _write_entries(
    connection: sqlite3.Connection, match: MatchRow, rows: Rows, note: LastKept | None
) -> None:
    """The entries of a match: those that follow each other from its beginning, then what else there is.

    Where its last entry is known to be lost, or may be, a row stands for it.
    """
    course = _course(match, rows, note)
    schema.write_entries(connection, course)
    n, body = rows.summaries.get(match.id, (0, b""))
    if body and n == len(course):
        schema.write_summary(connection, match.id, n, body)
    numbers = {number for of, number in (*rows.entries, *rows.broken) if of == match.id} | {n}
    if note and match.id in note.ends:
        numbers.add(note.ends[match.id])
    elif match.id not in rows.summaries:
        numbers.add(len(course) + 1)  # nothing says where it ended
    rest = sorted(number for number in numbers if number > len(course))
    for number in rest:
        key = match.id, number
        whole = rows.entries.get(key, ())
        stand_in = EntryRow(*key, b"players", b"{}", b"lost", b"")
        try:
            schema.write_entries(connection, [whole[-1] if whole else rows.broken.get(key, stand_in)])
        except sqlite3.IntegrityError:
            schema.write_entries(connection, [stand_in])
    if rest:
        _write_fault(connection, match.id, len(course) + 1, "the entry is damaged or missing")


def _course(match: MatchRow, rows: Rows, note: LastKept | None) -> list[EntryRow]:
    """The entries that follow each other from a match's beginning.

    Of two that follow the same one the last to be found stands, unless only the other is followed itself: a
    write that failed may have left its entry in the log.
    """
    course: list[EntryRow] = []
    digest = match.digest
    while True:
        key, next_key = (match.id, len(course) + 1), (match.id, len(course) + 2)
        followed = {row.previous for row in rows.entries.get(next_key, ())}
        if note and (note.match, note.n) == key:
            followed.add(note.digest)
        whole = [row for row in rows.entries.get(key, ()) if row.previous == digest]
        mended = [rows.broken[key].after(digest)] if key in rows.broken else []
        whole += [row for row in mended if row.digest in (followed | {rows.broken[key].digest})]
        if not whole:
            return course
        course.append(next((row for row in whole if row.digest in followed), whole[-1]))
        digest = course[-1].digest


def _write_fault(connection: sqlite3.Connection, match: int, n: int, why: str) -> None:
    since = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = (match, n, schema.KNOWN_FAULT, "", "", "", why, since)
    connection.execute("INSERT INTO aside VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
