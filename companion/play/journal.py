"""The journal: every entry of every match on disk before anyone sees it.

An SQLite file that is only ever appended to. Each write is one transaction that is on the disk
(`synchronous=FULL`) when the call returns; whatever is killed, the journal holds all that was shown.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, Literal
from weakref import finalize

import msgspec

from companion import paths
from companion.errors import MendableError, cause_of

VERSION = 1
"""Of the schema, kept in `user_version`."""

_SCHEMA = """
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

Kind = Literal["move", "undo", "redo", "players"]


class JournalError(MendableError):
    """The journal cannot be read or written; nothing that was in it is lost."""


class MatchRecord(msgspec.Struct, frozen=True):
    """A match as the journal knows it: the game's slug, its options and seats, when it began (UTC)."""

    id: int
    game: str
    options: dict[str, Any]
    seats: int
    began: str


class Entry(msgspec.Struct, frozen=True):
    """One line of a match: what was done (`body`: a move, or names of players), by what, when (UTC).

    `n` counts from 1. `source` is `phone`, `camera`, `button`, `replay`, ….
    """

    n: int
    kind: Kind
    body: dict[str, Any]
    source: str
    at: str


def utc_now() -> str:
    """The time now as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Opens (and, at the first time, makes) the journal at `path`; usable from several threads.

    Raises `JournalError` when the file or its folder cannot be written, is no journal, or was
    written by a newer companion.
    """

    def __init__(self, path: Path, *, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.fault = ""
        """Why the last write could not be done, in one sentence; empty after one that could."""
        self._now = now
        self._lock = RLock()
        with self._mending():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise
        # Nothing is lost without it, but Python complains of connections that nobody closes.
        self._close = finalize(self, self._connection.close)

    def _prepare(self) -> None:
        run = self._connection.execute
        run("PRAGMA busy_timeout = 2000")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        version = run("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise JournalError(
                f"{self.path} was written by a newer companion (journal {version}, known here: {VERSION});"
                " update this one, or name another folder with COMPANION_HOME."
            )
        if version == 0:
            self._connection.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
            )
        # A write that changes nothing: a full disk or a read-only folder is said now, not at the first move.
        run("BEGIN IMMEDIATE")
        run(f"PRAGMA user_version = {VERSION}")
        run("COMMIT")

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
    def _writing(self) -> Iterator[None]:
        try:
            with self._lock, self._mending():
                yield
        except JournalError as error:
            self.fault = str(error)
            raise
        self.fault = ""

    def begin(self, game: str, options: dict[str, Any], seats: int) -> MatchRecord:
        """Keep a new match and return its record."""
        began = self._now()
        with self._writing():
            row = self._connection.execute(
                "INSERT INTO match (game, options, seats, began) VALUES (?, ?, ?, ?) RETURNING id",
                (game, msgspec.json.encode(options).decode(), seats, began),
            ).fetchone()
        return MatchRecord(row[0], game, options, seats, began)

    def append(self, match: int, n: int, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        """Write entry `n` of a match; it is on the disk when this returns."""
        entry = Entry(n, kind, body, source, self._now())
        with self._writing():
            self._connection.execute(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
                (match, n, kind, msgspec.json.encode(body).decode(), source, entry.at),
            )
        return entry

    def matches(self, *, with_entries: bool = False) -> list[MatchRecord]:
        """Every match kept here, the newest first; `with_entries`: only those in which something was done."""
        only = "WHERE EXISTS (SELECT * FROM entry WHERE match = id)" if with_entries else ""
        rows = self._rows(f"SELECT id, game, options, seats, began FROM match {only} ORDER BY id DESC", ())
        return [
            MatchRecord(i, game, msgspec.json.decode(o), seats, began) for i, game, o, seats, began in rows
        ]

    def entries(self, match: int) -> list[Entry]:
        """Every entry of a match in order."""
        rows = self._rows("SELECT n, kind, body, source, at FROM entry WHERE match = ? ORDER BY n", (match,))
        return [Entry(n, kind, msgspec.json.decode(body), source, at) for n, kind, body, source, at in rows]

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock, self._mending(), closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()

    def close(self) -> None:
        """Close the file; a journal that is not closed loses nothing."""
        with self._lock:
            self._close()


def open_journal(name: str = "journal") -> Journal:
    """The journal of that name in the folder where the companion keeps things. Raises `JournalError`."""
    return Journal(paths.home() / f"{name}.sqlite")
