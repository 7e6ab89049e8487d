"""The journal: every entry of every match is on disk before anyone sees it.

It is an SQLite file. Entries are only ever appended; only a whole match can be deleted. Each match also has
one summary, written with its last entry. Each write is one transaction, which is on the disk
(`synchronous=FULL`) when the call returns: whatever is killed, the journal has everything that was shown.
Readers have a connection of their own, and do not wait for a write.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, NamedTuple
from weakref import finalize
from zlib import crc32

import msgspec

from companion import files, paths
from companion.errors import PhrasedError
from companion.errors.causes import NOT_JSON, cause_of
from companion.play import schema
from companion.play.schema import VERSION, Course, Entry, EntryRow, Kind, MatchRecord, MatchRow, Summary

NOTE_BYTES = 512
"""Notes are padded with spaces to this length, so that nothing of a longer one remains."""

MOST_MATCHES = 16
"""The number of matches that a note names: those written last."""


class LastKept(NamedTuple):
    """The last entry that was kept (number 0: its match was begun), with its digest. `ends` holds the last
    number in each match that was written since the log was folded in, this one last."""

    match: int
    n: int
    digest: bytes
    ends: dict[int, int]


class LastKeptFile:
    """The note in the file at `path`, which is made with the first note."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._ends: dict[int, int] = {}
        with suppress(OSError, ValueError):
            last = self.read_note()
            self._ends = last.ends if last else {}

    def write(self, match: int, n: int, digest: bytes) -> None:
        """Note the last entry. If the write fails, nothing is lost: the entry itself is kept."""
        self._ends.pop(match, None)
        self._ends[match] = n
        named = list(self._ends.items())[-MOST_MATCHES:]
        text = f"{' '.join(f'{match}:{n}' for match, n in named)} {digest.hex()}"
        line = f"{text} {crc32(text.encode()):08x}".ljust(NOTE_BYTES - 1) + "\n"
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, files.SECRET_MODE)
            os.pwrite(self._descriptor, line.encode(), 0)

    def forget(self) -> None:
        """From the next note on, leave out the matches that are whole in the database now."""
        self._ends.clear()

    def read_note(self) -> LastKept | None:
        """The note; None before the first one. Raises `ValueError` for a damaged one, and `OSError`."""
        try:
            line = self.path.read_bytes()
        except FileNotFoundError:
            return None
        text, _, check = line.decode("ascii").strip().rpartition(" ")
        if int(check or "0", 16) != crc32(text.encode()) or len(line) != NOTE_BYTES:
            raise ValueError("the note of what was kept last is damaged")
        *ends, digest = text.split()
        numbers = {int(match): int(n) for match, _, n in (end.partition(":") for end in ends)}
        match, n = list(numbers.items())[-1]
        return LastKept(match, n, bytes.fromhex(digest), numbers)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


DAMAGED_MATCH = "what was kept of its game and options is damaged"

BUSY_MS = 2000
"""The longest wait for another program that uses the file."""


DAMAGED_DATABASE = (sqlite3.Error, UnicodeDecodeError)
"""The errors of a damaged database: SQLite may quote bytes that are not text."""


Head = tuple[int, int]
"""Two numbers that change with every write to a journal."""


class JournalError(PhrasedError):
    """The journal cannot be read or written; nothing that was in it is lost."""

    family = "journal-fault"


class JournalReader:
    """Reads the journal at `path` over a connection of its own; usable from several threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: RLock | None = None) -> None:
        self.path = path
        self._reader = connection
        self._reader_lock = lock or RLock()

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[JournalReader]:
        """Open a journal of this version for reading, even while others use it. Raises `JournalError`."""
        with mending(path), closing(read_only(path)) as connection:
            yield cls(path, connection)

    def matches(self, *, with_entries: bool = False) -> list[MatchRecord]:
        """Every match kept here, the newest first; `with_entries`: only those in which something was done."""
        only = "AND EXISTS (SELECT * FROM entry WHERE match = id)" if with_entries else ""
        with self._reading() as connection:
            return _records(connection, only)

    def match(self, number: int) -> MatchRecord | None:
        """The match of that number; None if it does not exist."""
        with self._reading() as connection:
            return next(iter(_records(connection, "AND id = ?", number)), None)

    def summaries(self, most: int = -1) -> list[tuple[MatchRecord, Summary | None]]:
        """Every match kept here with its summary, the newest first; at most `most`. The summary is None if
        the match must be replayed for it."""
        query = (
            f"SELECT {schema.MATCH_COLUMNS}, match.digest, n, CAST(body AS BLOB), summary.digest FROM match"
            " LEFT JOIN summary ON match = id"
            " AND n = (SELECT coalesce(max(n), 0) FROM entry WHERE match = id)"
            f" WHERE {LISTED} ORDER BY id DESC LIMIT ?"
        )
        with self._reading() as connection:
            rows = _rows(connection, query, most)
        return [(_record(MatchRow(*row[:6])), _summary(row[0], *row[6:])) for row in rows]

    def ends(self) -> dict[int, int]:
        """The number of the last entry of each match of `matches` in which something was done."""
        query = f"SELECT id, (SELECT max(n) FROM entry WHERE match = id) FROM match WHERE {LISTED}"
        with self._reading() as connection:
            rows = _rows(connection, query)
        return {match: n for match, n in rows if n is not None}

    def last_times(self) -> dict[int, str]:
        """The time of the last entry of each match that has one."""
        query = "SELECT id, (SELECT at FROM entry WHERE match = id ORDER BY n DESC LIMIT 1) FROM match"
        with self._reading() as connection:
            return {match: str(last) for match, last in connection.execute(query) if last is not None}

    def titles(self) -> dict[int, str]:
        """The titles of the matches that have one, by number."""
        with self._reading() as connection:
            return dict(_rows(connection, "SELECT match, body FROM aside WHERE kind = ?", schema.TITLE))

    def removed(self) -> list[MatchRecord]:
        """The removed matches that can be brought back, the last removed first."""
        query = (
            f"SELECT {schema.MATCH_COLUMNS}, match.digest FROM match"
            " JOIN aside ON match = id AND kind = ? ORDER BY since DESC"
        )
        with self._reading() as connection:
            return [_record(MatchRow(*row)) for row in _rows(connection, query, schema.REMOVED)]

    def every_match(self) -> list[MatchRecord]:
        """Every match in the file, removed ones included."""
        return [*self.matches(), *self.removed()]

    def entries(self, match: int) -> list[Entry]:
        """Every entry of a match in order, up to the first one that cannot be read."""
        return list(self.course(match).entries)

    def course(self, match: int) -> Course:
        """The entries of a match in order, and why they end where they do if others follow."""
        with self._reading() as connection:
            begun = _rows(connection, f"{schema.MATCH_ROWS} WHERE id = ?", match)
            rows = _rows(connection, f"{schema.ENTRY_ROWS} WHERE match = ? ORDER BY n", match)
        return _course(bytes(begun[0][-1]) if begun else b"", [EntryRow(*row) for row in rows])

    def head(self) -> Head:
        """The journal's head, which every write changes, by any program; no match is read for it."""
        with self._reading() as connection:
            [[version]] = _rows(connection, "PRAGMA data_version")
            # A journal in memory is written over this very connection, which the version does not count.
            return version, connection.total_changes

    def known_faults(self) -> set[tuple[int, int]]:
        """The match and number of each entry that is known to be damaged or missing; number 0: the match."""
        with self._reading() as connection:
            return set(_rows(connection, "SELECT match, n FROM aside WHERE kind = ?", schema.KNOWN_FAULT))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._reader_lock, mending(self.path):
            yield self._reader


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing in the database at `path`. Raises `sqlite3.Error`."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
    # A damaged database may give bytes that are not text.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return connection


@contextmanager
def mending(path: Path) -> Iterator[None]:
    """Turn database errors into a `JournalError` that says why the journal at `path` is unusable."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise JournalError("twin", path=str(path)) from error
    except (*DAMAGED_DATABASE, OSError) as error:
        raise JournalError("unusable", path=str(path), cause=cause_of(error)) from error


def _rows(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    try:
        with closing(connection.execute(query, values)) as cursor:
            return cursor.fetchall()
    except OverflowError:  # no match has a number of more than 64 bits
        return []


LISTED = f"id NOT IN (SELECT match FROM aside WHERE kind = '{schema.REMOVED}')"


def _records(connection: sqlite3.Connection, where: str, *values: object) -> list[MatchRecord]:
    query = f"{schema.MATCH_ROWS} WHERE {LISTED} {where} ORDER BY id DESC"
    return [_record(MatchRow(*row)) for row in _rows(connection, query, *values)]


def _record(row: MatchRow) -> MatchRecord:
    options, fault = {}, DAMAGED_MATCH
    if schema.is_whole(row):
        with suppress(*NOT_JSON):
            options, fault = msgspec.json.decode(row.options, type=dict[str, Any]), ""
    texts = (text.decode("utf-8", "replace") if isinstance(text, bytes) else "" for text in row[1:5:3])
    return MatchRecord(row.id, next(texts), options, row.seats, next(texts), fault)


def _summary(match: int, n: int | None, body: bytes | None, digest: bytes | None) -> Summary | None:
    """A summary as it was kept; None if it is missing or damaged."""
    if n is None or body is None or digest != schema.summary_digest(match, n, body):
        return None
    try:
        return msgspec.json.decode(body, type=Summary)
    except NOT_JSON:
        return None


def _course(begun: bytes, rows: Sequence[EntryRow]) -> Course:
    """The entries after a match of the digest `begun`, up to the first one that cannot be read."""
    entries: list[Entry] = []
    previous = begun
    for n, row in enumerate(rows, 1):
        if row.n != n or row.previous != previous:
            return Course(tuple(entries), f"entry {n} is missing")
        try:
            if not schema.is_whole(row):
                raise ValueError("not as it was written")
            entries.append(_entry(row))
        except (ValueError, *NOT_JSON):
            return Course(tuple(entries), f"entry {n} is damaged")
        previous = row.digest
    return Course(tuple(entries))


def _entry(row: EntryRow) -> Entry:
    """The entry in a row. Raises `ValueError` or one of `NOT_JSON` for a row that is not one."""
    body = msgspec.json.decode(row.body, type=dict[str, Any])
    kind = msgspec.convert(row.kind.decode(), Kind)
    return Entry(row.n, kind, body, row.source.decode(), row.at.decode())


IN_MEMORY = ":memory:"
"""The path of a journal that keeps nothing."""

QUIET_S = 60.0
"""Seconds without a write after which the log is folded into the database."""


REMOVED_DAYS = 30
"""Days for which a removed match can be brought back; the first start after that deletes it."""


def utc_now() -> str:
    """The time now as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal(JournalReader):
    """The journal at `path`, which is created the first time. Safe from any thread. Raises `JournalError` if
    the file or its folder cannot be written, or is not a journal of this version."""

    def __init__(self, path: Path, *, clock: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.fault = ""
        """The fault of the last write, in one sentence; empty after a successful one."""
        self._now = clock
        self._lock = RLock()
        self._wrote_s: float | None = None
        self._last = None if str(path) == IN_MEMORY else LastKeptFile(path.with_suffix(".last"))
        with mending(self.path):
            self._prepare_file()
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            try:
                self._prepare()
                super().__init__(path, *self._reading_connection())
            except BaseException:
                self._connection.close()
                raise
        # Nothing is lost without this, but Python complains about unclosed connections.
        self._close = finalize(self, _close_all, self._reader, self._connection)

    def _prepare_file(self) -> None:
        """Refuse a journal of another version, and let only its owner read the file. Raises `OSError` too."""
        if self._last is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            with closing(read_only(self.path)) as connection:
                _refuse_other(self.path, schema.marks_of(connection)[0])
        else:
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, files.SECRET_MODE))
        # SQLite gives its log the permission bits of the database.
        for file in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            with suppress(FileNotFoundError, PermissionError):
                if file.stat().st_mode & 0o777 != files.SECRET_MODE:
                    file.chmod(files.SECRET_MODE)

    def _prepare(self) -> None:
        run = self._connection.execute
        run(f"PRAGMA busy_timeout = {BUSY_MS}")
        run(f"PRAGMA page_size = {schema.PAGE_BYTES}")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        # A write even where nothing changes: a full disk or a read-only folder is reported now, not at the
        # first move.
        with self._transaction():
            version = run("PRAGMA user_version").fetchone()[0]
            _refuse_other(self.path, version)
            if not version:
                schema.make_tables(self._connection)
            schema.mark_version(self._connection)
            before = datetime.now(UTC) - timedelta(days=REMOVED_DAYS)
            schema.delete_removed(self._connection, before.isoformat(timespec="milliseconds"))

    def _reading_connection(self) -> tuple[sqlite3.Connection, RLock]:
        """The reading connection and its lock; a journal in memory has one connection for everything."""
        if self._last is None:
            return self._connection, self._lock
        reader = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        reader.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        reader.execute("PRAGMA query_only = ON")
        return reader, RLock()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Put all writes inside it on the disk, or discard them all."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        try:
            self._connection.execute("COMMIT")
        except BaseException:
            self._roll_back()
            self._overwrite_refused()
            raise

    def _roll_back(self) -> None:
        # Some failures, such as a full disk, have already rolled it back.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _overwrite_refused(self) -> None:
        """Write a transaction that changes nothing over one whose sync failed. Its pages stand in the log,
        and the next start would take them for kept."""
        with suppress(sqlite3.Error):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                schema.mark_version(self._connection)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._lock, mending(self.path), self._transaction():
                yield
        except JournalError as error:
            self.fault = str(error)
            raise
        self.fault = ""
        self._wrote_s = monotonic()

    def begin(
        self, game: str, options: dict[str, Any], seats: int, summary: Summary | None = None
    ) -> MatchRecord:
        """Keep a new match, with its summary, and return its record."""
        began = self._now()
        with self._writing():
            number = self._begin(game, options, seats, began)
            self._write_summary(number, 0, summary)
            last = self._last_digest(number)
        self._note_last((number, 0, last))
        return MatchRecord(number, game, options, seats, began)

    def keep(self, record: MatchRecord, entries: Sequence[Entry], summary: Summary | None) -> MatchRecord:
        """Keep a match with all its entries in one transaction, and return its record here."""
        with self._writing():
            number = self._begin(record.game, record.options, record.seats, record.began)
            last = self._append_all(number, entries, summary)
        self._note_last(last)
        return msgspec.structs.replace(record, id=number)

    def _begin(self, game: str, options: dict[str, Any], seats: int, began: str) -> int:
        number: int = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM match").fetchone()[0]
        row = MatchRow(number, game.encode(), msgspec.json.encode(options), seats, began.encode())
        schema.write_matches(self._connection, [row.sealed()])
        return number

    def stamped(self, n: int, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        """Entry number `n` of a match with the current time; `append_all` keeps it."""
        return Entry(n, kind, body, source, self._now())

    def append(self, match: int, n: int, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        """Write entry `n` of a match, on the disk when this returns. The match's summary becomes void."""
        entry = self.stamped(n, kind, body, source)
        self.append_all(match, [entry], None)
        return entry

    def append_all(
        self, match: int, entries: Sequence[Entry], summary: Summary | None, *, cut: str = ""
    ) -> None:
        """Write entries of a match and its summary after them; all is on the disk when this returns.

        `cut` says why the match cannot be played from the first of these numbers on; what it holds from there
        is put aside first.
        """
        with self._writing():
            if cut:
                rest, first = "FROM entry WHERE match = ? AND n >= ?", min(entry.n for entry in entries)
                moved = f"INSERT INTO aside SELECT match, n, kind, body, source, at, ?, ? {rest}"
                self._connection.execute(moved, (cut, self._now(), match, first))
                self._connection.execute(f"DELETE {rest}", (match, first))
            last = self._append_all(match, entries, summary)
        self._note_last(last)

    def _append_all(
        self, match: int, entries: Sequence[Entry], summary: Summary | None
    ) -> tuple[int, int, bytes]:
        rows, digest = [], self._last_digest(match)
        for entry in entries:
            body = msgspec.json.encode(entry.body)
            texts = (entry.kind.encode(), body, entry.source.encode(), entry.at.encode())
            rows.append(EntryRow(match, entry.n, *texts).after(digest))
            digest = rows[-1].digest
        schema.write_entries(self._connection, rows)
        n = max((entry.n for entry in entries), default=0)
        self._write_summary(match, n, summary)
        return match, n, digest

    def name_match(self, match: int, title: str) -> None:
        """Give a match a title; an empty one removes it."""
        with self._writing():
            if title:
                schema.note(self._connection, match, schema.TITLE, title, self._now())
            else:
                schema.forget_note(self._connection, match, schema.TITLE)

    def remove(self, match: int) -> None:
        """Take a match off the lists; `bring_back` puts it there again for `REMOVED_DAYS` days."""
        with self._writing():
            schema.note(self._connection, match, schema.REMOVED, "", self._now())

    def bring_back(self, match: int) -> None:
        """Put a removed match back on the lists."""
        with self._writing():
            schema.forget_note(self._connection, match, schema.REMOVED)

    def _last_digest(self, match: int) -> bytes:
        """The digest of the last entry of a match, or of the match itself."""
        entry = "SELECT digest FROM entry WHERE match = ? ORDER BY n DESC LIMIT 1"
        row = self._connection.execute(entry, (match,)).fetchone()
        row = row or self._connection.execute("SELECT digest FROM match WHERE id = ?", (match,)).fetchone()
        return bytes(row[0]) if row else b""

    def _note_last(self, last: tuple[int, int, bytes]) -> None:
        if self._last is not None:
            self._last.write(*last)

    def _write_summary(self, match: int, n: int, summary: Summary | None) -> None:
        if summary is None:
            self._connection.execute("DELETE FROM summary WHERE match = ?", (match,))
        else:
            schema.write_summary(self._connection, match, n, msgspec.json.encode(summary))

    def fold(self) -> None:
        """Fold the log into the database: one file then holds everything. Raises `JournalError`."""
        with self._lock, mending(self.path):
            self._wrote_s = None
            [busy, *_] = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy and self._last is not None:
                self._last.forget()

    def fold_when_quiet(self, quiet_s: float = QUIET_S) -> None:
        """Fold the log in after `quiet_s` seconds without a write; a failure is tried again later."""
        wrote_s = self._wrote_s
        if wrote_s is not None and monotonic() - wrote_s >= quiet_s:
            with suppress(JournalError):
                self.fold()

    def close(self) -> None:
        """Close the file. A journal that is not closed loses nothing."""
        with self._lock, self._reader_lock:
            self._close()
            if self._last is not None:
                self._last.close()


def _refuse_other(path: Path, version: int) -> None:
    if version not in (0, VERSION):
        raise JournalError("other-version", path=str(path), version=version, known=VERSION)


def _close_all(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()


def open_journal(name: str = "journal") -> Journal:
    """The journal of that name in the folder where matches are kept. Raises `JournalError`."""
    return Journal(paths.home() / f"{name}.sqlite")
