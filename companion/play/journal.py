"""The journal: every entry of every match is on disk before anyone sees it.

It is an SQLite file. Entries are only ever appended; only a whole match can be deleted. Each match also has
one summary, written with its last entry. Each write is one transaction, which is on the disk
(`synchronous=FULL`) when the call returns: whatever is killed, the journal has everything that was shown.
Readers have a connection of their own, and do not wait for a write.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any
from weakref import finalize

import msgspec

from companion import files, paths
from companion.errors import MendableError
from companion.play import schema
from companion.play.entries import Entry, Kind, MatchRecord
from companion.play.last_kept import LastKeptFile
from companion.play.reading import BUSY_MS, JournalError, JournalReader, mending
from companion.play.schema import VERSION, EntryRow, MatchRow
from companion.play.snapshot import MatchSnapshot
from companion.play.summary import Summary

log = logging.getLogger(__name__)

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
    """The journal at `path`, which is created the first time. Safe from any thread.

    Raises `JournalError` if the file or its folder cannot be written, is not a journal, or was written by a
    newer companion.
    """

    def __init__(self, path: Path, *, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.fault = ""
        """Why the last write failed, in one sentence; empty after a successful one."""
        self._now = now
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
        """Refuse a newer journal before it is touched, and let nobody but its owner read the file.

        Raises `JournalError`, `OSError`.
        """
        if self._last is None:
            return
        _refuse_newer(self.path, schema.stored_version(self.path)[0])
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
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
        if 0 < self._version() < VERSION:
            self._take_smaller_pages()
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
                schema.make_tables(self._connection)
            elif version < VERSION:
                schema.upgrade(self._connection, version)
                for match, n, summary in summaries:
                    self._write_summary(match, n, summary)
            schema.mark_version(self._connection)
            before = datetime.now(UTC) - timedelta(days=REMOVED_DAYS)
            schema.delete_removed(self._connection, before.isoformat(timespec="milliseconds"))

    def _take_smaller_pages(self) -> None:
        """Copy an older journal into pages of today's size, unless another program uses it."""
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.execute("VACUUM")

    def _version(self) -> int:
        """The version of the schema in the file; 0 for a new one. Raises `JournalError` for a newer one."""
        version: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
        _refuse_newer(self.path, version)
        return version

    def _reading_connection(self) -> tuple[sqlite3.Connection, RLock]:
        """The reading connection and its lock; a journal in memory has one connection for everything."""
        if self._last is None:
            return self._connection, self._lock
        reader = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        reader.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        reader.execute("PRAGMA query_only = ON")
        return reader, RLock()

    def _summaries_of_old_matches(self) -> list[tuple[int, int, Summary]]:
        """For a journal of version 1: each match's number, the number of its last entry, and its summary.

        A match that can no longer be played back has no summary.
        """
        summaries = []
        matches = self._connection.execute("SELECT id, game, options, seats, began FROM match").fetchall()
        log.info("%s is brought up to date: %d matches are summed up once.", self.path, len(matches))
        for number, game, options, seats, began in matches:
            try:
                record = MatchRecord(number, game, msgspec.json.decode(options), seats, began)
                match = MatchSnapshot.begun(record).replay(_entries_of_version_1(self._connection, number))
            except (MendableError, ValueError, LookupError) as error:
                log.warning("Match %d cannot be played back: %s", number, error)
            else:
                summaries.append((number, match.n, match.summary()))
        return summaries

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Put all writes inside it on the disk, or none."""
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
        """Write a transaction that changes nothing over one whose sync failed.

        Its pages stand in the log, and the next start would take them for kept.
        """
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
        """Write entry `n` of a match, which is on the disk when this returns.

        The match's summary becomes void.
        """
        entry = self.stamped(n, kind, body, source)
        self.append_all(match, [entry], None)
        return entry

    def append_all(
        self, match: int, entries: Sequence[Entry], summary: Summary | None, *, cut: str = ""
    ) -> None:
        """Write entries of a match and its summary after them; all is on the disk when this returns.

        `cut` says why what the match holds from the number of the first of these on cannot be played: that is
        put aside first.
        """
        with self._writing():
            if cut:
                self._put_aside(match, min(each.n for each in entries), cut)
            last = self._append_all(match, entries, summary)
        self._note_last(last)

    def _append_all(
        self, match: int, entries: Sequence[Entry], summary: Summary | None
    ) -> tuple[int, int, bytes]:
        rows, digest = [], self._last_digest(match)
        for each in entries:
            body = msgspec.json.encode(each.body)
            texts = (each.kind.encode(), body, each.source.encode(), each.at.encode())
            rows.append(EntryRow(match, each.n, *texts).after(digest))
            digest = rows[-1].digest
        schema.write_entries(self._connection, rows)
        n = max((each.n for each in entries), default=0)
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

    def _put_aside(self, match: int, first: int, why: str) -> None:
        """Move the entries of a match from number `first` on out of it."""
        rest = "FROM entry WHERE match = ? AND n >= ?"
        columns = "match, n, kind, body, source, at"
        self._connection.execute(
            f"INSERT INTO aside SELECT {columns}, ?, ? {rest}", (why, self._now(), match, first)
        )
        self._connection.execute(f"DELETE {rest}", (match, first))

    def _note_last(self, last: tuple[int, int, bytes]) -> None:
        """Note the match, the number and the digest of what was kept last."""
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
        """Fold the log in once nothing has been written for `quiet_s` seconds. If the disk fails, it is tried
        again."""
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


def _refuse_newer(path: Path, version: int) -> None:
    if version > VERSION:
        raise JournalError("newer", path=str(path), version=version, known=VERSION)


def _entries_of_version_1(connection: sqlite3.Connection, match: int) -> list[Entry]:
    query = "SELECT n, kind, body, source, at FROM entry WHERE match = ? ORDER BY n"
    rows = connection.execute(query, (match,)).fetchall()
    return [Entry(n, kind, msgspec.json.decode(body), source, at) for n, kind, body, source, at in rows]


def _close_all(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()


def open_journal(name: str = "journal") -> Journal:
    """The journal of that name in the folder where matches are kept. Raises `JournalError`."""
    return Journal(paths.home() / f"{name}.sqlite")
