"""The journal: every entry of every match is on disk before anyone sees it.

It is an SQLite file. Entries are only ever appended. Each match also has one summary, written with its last
entry. Each write is one transaction, which is on the disk (`synchronous=FULL`) when the call returns:
whatever is killed, the journal has everything that was shown. Readers have a connection of their own, and do
not wait for a write.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import finalize

import msgspec

from companion import paths
from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.play.entries import Entry, Kind, MatchRecord
from companion.play.snapshot import MatchSnapshot
from companion.play.summary import Summary

log = logging.getLogger(__name__)

VERSION = 2
"""The version of the schema, kept in `user_version`."""

_MATCHES_AND_ENTRIES = """
CREATE TABLE match (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,
  seats INTEGER NOT NULL, began TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
  match INTEGER NOT NULL REFERENCES match (id), n INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'redo', 'players')),
  body TEXT NOT NULL, source TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (match, n)
) STRICT, WITHOUT ROWID;
"""

_SUMMARIES = """
CREATE TABLE summary (
  match INTEGER PRIMARY KEY REFERENCES match (id), n INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
"""
"""The table of summaries; one is valid only while `n` is the match's last entry."""


class JournalError(MendableError):
    """The journal cannot be read or written; nothing in it is lost."""


def utc_now() -> str:
    """The time now as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Opens the journal at `path`, and makes it the first time. Safe from any thread.

    Raises `JournalError` if the file or its folder cannot be written, is not a journal, or was written by a
    newer companion.
    """

    def __init__(self, path: Path, *, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.fault = ""
        """Why the last write failed, in one sentence; empty after a successful one."""
        self._now = now
        self._lock = RLock()
        with self._mending():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            try:
                self._prepare()
                self._reader, self._reader_lock = self._reading_connection()
            except BaseException:
                self._connection.close()
                raise
        # Nothing is lost without this, but Python complains about unclosed connections.
        self._close = finalize(self, _close_all, self._reader, self._connection)

    def _prepare(self) -> None:
        run = self._connection.execute
        run("PRAGMA busy_timeout = 2000")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        summaries = self._summaries_of_old_matches() if self._version() == 1 else []
        # A write even where nothing changes: a full disk or a read-only folder is reported now, not at the
        # first move.
        with self._transaction():
            # The version is read again, because another companion may have updated the file meanwhile.
            version = self._version()
            if version == 0:
                _run_all(self._connection, _MATCHES_AND_ENTRIES)
            if version < VERSION:
                _run_all(self._connection, _SUMMARIES)
                for match, n, summary in summaries:
                    self._write_summary(match, n, summary)
            run(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> int:
        """The version of the schema in the file; 0 for a new one. Raises `JournalError` for a newer one."""
        version: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise JournalError(
                f"{self.path} was written by a newer companion (journal {version}, known here: {VERSION});"
                " update this one, or name another folder with COMPANION_HOME."
            )
        return version

    def _reading_connection(self) -> tuple[sqlite3.Connection, RLock]:
        """The reading connection and its lock; a journal in memory has one connection for everything."""
        if str(self.path) == ":memory:":
            return self._connection, self._lock
        reader = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        reader.execute("PRAGMA busy_timeout = 2000")
        reader.execute("PRAGMA query_only = ON")
        return reader, RLock()

    def _summaries_of_old_matches(self) -> list[tuple[int, int, Summary]]:
        """For a journal of version 1: each match's number, the number of its last entry, and its summary.

        A match that can no longer be played back has no summary.
        """
        summaries = []
        records = _records(self._connection, "")
        log.info("%s is brought up to date: %d matches are summed up once.", self.path, len(records))
        for record in records:
            try:
                match = MatchSnapshot.begun(record).replay(_entries(self._connection, record.id))
            except (MendableError, ValueError, LookupError) as error:
                log.warning("Match %d cannot be played back: %s", record.id, error)
            else:
                summaries.append((record.id, match.n, match.summary()))
        return summaries

    @contextmanager
    def _mending(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise JournalError(
                f"Another companion has written to {self.path} meanwhile; stop one of the two."
            ) from error
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"The journal {self.path} cannot be used ({cause_of(error)}); free some space,"
                " make its folder writable, or name another with COMPANION_HOME."
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Put all writes inside on the disk, or none of them."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # Some failures, such as a full disk, have already rolled it back.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._lock, self._mending(), self._transaction():
                yield
        except JournalError as error:
            self.fault = str(error)
            raise
        self.fault = ""

    def begin(
        self, game: str, options: dict[str, Any], seats: int, summary: Summary | None = None
    ) -> MatchRecord:
        """Keep a new match, with its summary, and return its record."""
        began = self._now()
        with self._writing():
            row = self._connection.execute(
                "INSERT INTO match (game, options, seats, began) VALUES (?, ?, ?, ?) RETURNING id",
                (game, msgspec.json.encode(options).decode(), seats, began),
            ).fetchone()
            self._write_summary(row[0], 0, summary)
        return MatchRecord(row[0], game, options, seats, began)

    def stamped(self, n: int, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        """Entry number `n` of a match with the current time; `append_all` keeps it."""
        return Entry(n, kind, body, source, self._now())

    def append(self, match: int, n: int, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        """Write entry `n` of a match, which is on the disk when this returns.

        The match's summary becomes void.
        """
        entry = self.stamped(n, kind, body, source)
        self.append_all(match, [entry], None)
        return entry

    def append_all(self, match: int, entries: Sequence[Entry], summary: Summary | None) -> None:
        """Write entries of a match and its new summary. All is on the disk when this returns."""
        with self._writing():
            self._connection.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (match, each.n, each.kind, msgspec.json.encode(each.body).decode(), each.source, each.at)
                    for each in entries
                ],
            )
            self._write_summary(match, max((each.n for each in entries), default=0), summary)

    def _write_summary(self, match: int, n: int, summary: Summary | None) -> None:
        if summary is None:
            self._connection.execute("DELETE FROM summary WHERE match = ?", (match,))
        else:
            body = msgspec.json.encode(summary).decode()
            self._connection.execute("INSERT OR REPLACE INTO summary VALUES (?, ?, ?)", (match, n, body))

    def matches(self, *, with_entries: bool = False) -> list[MatchRecord]:
        """Every kept match, the newest first; `with_entries`: only those in which something was done."""
        only = "WHERE EXISTS (SELECT * FROM entry WHERE match = id)" if with_entries else ""
        with self._reading() as connection:
            return _records(connection, only)

    def match(self, number: int) -> MatchRecord | None:
        """The match with that number; None if there is none."""
        with self._reading() as connection:
            return next(iter(_records(connection, "WHERE id = ?", number)), None)

    def summaries(self) -> list[tuple[MatchRecord, Summary | None]]:
        """Every kept match with its summary, the newest first; None if the match must be replayed."""
        query = (
            "SELECT id, game, options, seats, began, body FROM match LEFT JOIN summary ON match = id AND"
            " n = (SELECT coalesce(max(n), 0) FROM entry WHERE match = id) ORDER BY id DESC"
        )
        with self._reading() as connection:
            rows = _rows(connection, query)
        return [
            (_record(*row[:5]), None if row[5] is None else msgspec.json.decode(row[5], type=Summary))
            for row in rows
        ]

    def entries(self, match: int) -> list[Entry]:
        """Every entry of a match in order."""
        with self._reading() as connection:
            return _entries(connection, match)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._reader_lock, self._mending():
            yield self._reader

    def close(self) -> None:
        """Close the file. A journal that is not closed loses nothing."""
        with self._lock, self._reader_lock:
            self._close()


def _rows(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(connection.execute(query, values)) as cursor:
        return cursor.fetchall()


def _records(connection: sqlite3.Connection, where: str, *values: object) -> list[MatchRecord]:
    query = f"SELECT id, game, options, seats, began FROM match {where} ORDER BY id DESC"
    return [_record(*row) for row in _rows(connection, query, *values)]


def _record(number: int, game: str, options: str, seats: int, began: str) -> MatchRecord:
    return MatchRecord(number, game, msgspec.json.decode(options), seats, began)


def _entries(connection: sqlite3.Connection, match: int) -> list[Entry]:
    query = "SELECT n, kind, body, source, at FROM entry WHERE match = ? ORDER BY n"
    rows = _rows(connection, query, match)
    return [Entry(n, kind, msgspec.json.decode(body), source, at) for n, kind, body, source, at in rows]


def _run_all(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements inside the open transaction, which `executescript` would end."""
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


def _close_all(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()


def open_journal(name: str = "journal") -> Journal:
    """The journal of that name in the folder where matches are kept. Raises `JournalError`."""
    return Journal(paths.home() / f"{name}.sqlite")
