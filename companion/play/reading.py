"""Reading a journal: its matches, their entries and summaries, each row checked.

What is damaged is never read as if it were whole: an entry that is not as it was written ends its match.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec

from companion.errors import PhrasedError
from companion.errors.causes import NOT_JSON, cause_of
from companion.play import schema
from companion.play.entries import Course, Entry, Kind, MatchRecord
from companion.play.schema import EntryRow, MatchRow
from companion.play.summary import Summary

DAMAGED_MATCH = "what was kept of its game and options is damaged"
"""Why a match whose row is damaged cannot be opened."""

BUSY_MS = 2000
"""How long to wait for another program that uses the file, in ms."""


DAMAGED_DATABASE = (sqlite3.Error, UnicodeDecodeError)
"""What Python raises on a damaged database: SQLite's own errors may quote bytes that are no text."""


Head = tuple[int, int]
"""What changes with every write to a journal."""


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
        """A journal of this version, opened for reading only, whoever else uses it. Raises `JournalError`."""
        with mending(path), closing(read_only(path)) as connection:
            yield cls(path, connection)

    def matches(self, *, with_entries: bool = False) -> list[MatchRecord]:
        """Every match kept here, the newest first; `with_entries`: only those in which something was done."""
        only = "AND EXISTS (SELECT * FROM entry WHERE match = id)" if with_entries else ""
        with self._reading() as connection:
            return _records(connection, only)

    def match(self, number: int) -> MatchRecord | None:
        """The match of that number; None if there is none."""
        with self._reading() as connection:
            return next(iter(_records(connection, "AND id = ?", number)), None)

    def summaries(self, most: int = -1) -> list[tuple[MatchRecord, Summary | None]]:
        """Every match kept here with its summary, the newest first; the summary is None if it must be
        replayed.

        With `most`, no more than that many.
        """
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
        """When the last entry was made of each match in which something was done."""
        query = "SELECT id, (SELECT at FROM entry WHERE match = id ORDER BY n DESC LIMIT 1) FROM match"
        with self._reading() as connection:
            return {match: str(at) for match, at in connection.execute(query) if at is not None}

    def titles(self) -> dict[int, str]:
        """The titles of matches, by number; a match without a title is not among them."""
        with self._reading() as connection:
            return dict(_rows(connection, "SELECT match, body FROM aside WHERE kind = ?", schema.TITLE))

    def removed(self) -> list[MatchRecord]:
        """The matches that were removed and can be brought back, the one removed last first."""
        query = (
            f"SELECT {schema.MATCH_COLUMNS}, match.digest FROM match"
            " JOIN aside ON match = id AND kind = ? ORDER BY since DESC"
        )
        with self._reading() as connection:
            return [_record(MatchRow(*row)) for row in _rows(connection, query, schema.REMOVED)]

    def every_match(self) -> list[MatchRecord]:
        """Every match in the file, those that were removed included."""
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
        """The journal's head: no match is read for it, and it changes whoever writes."""
        with self._reading() as connection:
            [[version]] = _rows(connection, "PRAGMA data_version")
            # A journal in memory is written over this very connection, which the version does not count.
            return version, connection.total_changes

    def known_faults(self) -> set[tuple[int, int]]:
        """The match and number of each entry that is known to be damaged or missing; number 0: the match."""
        with self._reading() as connection:
            return set(_rows(connection, "SELECT match, n FROM aside WHERE kind = ?", schema.KNOWN_FAULT))

    def rest(self, match: int, after: int) -> list[tuple[int, str]]:
        """The number and the body of each entry after number `after`, as they stand in the file."""
        query = "SELECT n, CAST(body AS BLOB) FROM entry WHERE match = ? AND n > ? ORDER BY n"
        with self._reading() as connection:
            rows = _rows(connection, query, match, after)
        return [(n, body.decode("utf-8", "replace")) for n, body in rows]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._reader_lock, mending(self.path):
            yield self._reader


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing in the database at `path`. Raises `sqlite3.Error`."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
    # A damaged database says and gives what is no text.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return connection


@contextmanager
def mending(path: Path) -> Iterator[None]:
    """Turn what the database raises into a `JournalError` that says why the journal at `path` cannot be
    used."""
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
    except OverflowError:  # a number of more than 64 bits is that of no match
        return []


LISTED = f"id NOT IN (SELECT match FROM aside WHERE kind = '{schema.REMOVED}')"
"""What holds of a match that was not removed."""


def _records(connection: sqlite3.Connection, where: str, *values: object) -> list[MatchRecord]:
    query = f"{schema.MATCH_ROWS} WHERE {LISTED} {where} ORDER BY id DESC"
    return [_record(MatchRow(*row)) for row in _rows(connection, query, *values)]


def _record(row: MatchRow) -> MatchRecord:
    options, fault = {}, DAMAGED_MATCH
    if row.whole():
        with suppress(*NOT_JSON):
            options, fault = msgspec.json.decode(row.options, type=dict[str, Any]), ""
    texts = (text.decode("utf-8", "replace") if isinstance(text, bytes) else "" for text in row[1:5:3])
    return MatchRecord(row.id, next(texts), options, row.seats, next(texts), fault)


def _summary(match: int, n: int | None, body: bytes | None, digest: bytes | None) -> Summary | None:
    """A summary as it was kept; None where there is none that can be believed."""
    if n is None or body is None or digest != schema.summary_digest(match, n, body):
        return None
    try:
        return msgspec.json.decode(body, type=Summary)
    except NOT_JSON:
        return None


def _course(begun: bytes, rows: Sequence[EntryRow]) -> Course:
    """The entries of the match of the digest `begun`, up to the first one that cannot be read."""
    entries: list[Entry] = []
    previous = begun
    for n, row in enumerate(rows, 1):
        if row.n != n or row.previous != previous:
            return Course(tuple(entries), f"entry {n} is missing")
        try:
            if not row.whole():
                raise ValueError("not as it was written")
            entries.append(_entry(row))
        except (ValueError, *NOT_JSON):
            return Course(tuple(entries), f"entry {n} is damaged")
        previous = row.digest
    return Course(tuple(entries))


def _entry(row: EntryRow) -> Entry:
    """An entry from its row. Raises `ValueError` or one of `NOT_JSON` where that holds none."""
    body = msgspec.json.decode(row.body, type=dict[str, Any])
    kind = msgspec.convert(row.kind.decode(), Kind)
    return Entry(row.n, kind, body, row.source.decode(), row.at.decode())
