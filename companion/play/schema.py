"""The journal's tables, the check on each of their rows, and how an older journal is brought up to date.

Each row holds a digest of itself. An entry's digest covers that of the entry before it, the first one's that
of its match: so a row that was changed, and a row that is missing, are both noticed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

VERSION = 3
"""Of the schema, kept in `user_version`, and in the last byte of `application_id`."""

APPLICATION_ID = 0x54434A00
"""What marks a database as a journal of the companion ("TCJ" and a byte for the version)."""

PAGE_BYTES = 2048
"""The size of the database's pages. A move writes two: a whole one of each, however little has changed.

With 4096 bytes a move wrote 14.7 kB to an SD card, with 2048 it writes 10.6 kB (every page of 4 kB that the
system writes counted). Smaller ones would split entries.
"""

DIGEST_BYTES = 8
"""The size of a digest. It guards against damage, not against people."""

TABLES = {
    "match": """CREATE TABLE match (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,
  seats INTEGER NOT NULL, began TEXT NOT NULL, digest BLOB NOT NULL
) STRICT""",
    "entry": """CREATE TABLE entry (
  match INTEGER NOT NULL REFERENCES match (id), n INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('move', 'undo', 'redo', 'players')),
  body TEXT NOT NULL, source TEXT NOT NULL, at TEXT NOT NULL,
  previous BLOB NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (match, n)
) STRICT, WITHOUT ROWID""",
    "summary": """CREATE TABLE summary (
  match INTEGER PRIMARY KEY REFERENCES match (id), n INTEGER NOT NULL, body TEXT NOT NULL,
  digest BLOB NOT NULL
) STRICT""",
    "aside": """CREATE TABLE aside (
  match INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
  source TEXT NOT NULL, at TEXT NOT NULL, why TEXT NOT NULL, since TEXT NOT NULL
) STRICT""",
}
"""The statement that makes each table.

A summary's `n` is the match's last entry when the summary was written: of another one it says nothing.
`aside` holds entries that could not be read or played when their match went on, and notes: of what is known
to be damaged, of titles, of matches removed; nothing plays what stands there.
"""

KNOWN_FAULT = "fault"
"""The kind of a row of `aside` that holds no entry, but says that the entry of that number is not whole."""

TITLE, REMOVED = "title", "removed"
"""The kinds of notes in `aside` about a match: what it is called (`body`), since when it is off the lists.

Until a match that was removed is deleted, it can be brought back.
"""

_HEADER_BYTES = 100
"""The length of the header of an SQLite database."""

_FORMAT = b"SQLite format 3\0"
"""How that header begins."""

_VERSION_AT, _APPLICATION_ID_AT = 60, 68
"""Where `user_version` and `application_id` stand in that header, four bytes each."""

_WAL_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
"""The lengths of the header of a write-ahead log, and of that of each frame in it."""

MATCH_COLUMNS = "id, CAST(game AS BLOB), CAST(options AS BLOB), seats, CAST(began AS BLOB)"
"""The columns of a match, its texts as bytes: those of a damaged row may be no text."""

ENTRY_COLUMNS = "match, n, CAST(kind AS BLOB), CAST(body AS BLOB), CAST(source AS BLOB), CAST(at AS BLOB)"

MATCH_ROWS = f"SELECT {MATCH_COLUMNS}, digest FROM match"
"""The rows of matches."""

ENTRY_ROWS = f"SELECT {ENTRY_COLUMNS}, previous, digest FROM entry"
"""The rows of entries."""


_NUMBERS = ("id", "match", "n", "seats")
"""The columns that hold whole numbers; the others hold texts and digests."""


class MatchRow(NamedTuple):
    """A row of `match` as it stands in the file."""

    id: int
    game: bytes
    options: bytes
    seats: int
    began: bytes
    digest: bytes = b""

    def checked(self) -> bytes:
        """The digest that this row should have."""
        return _digest(b"%d" % self.id, self.game, self.options, b"%d" % self.seats, self.began)

    def whole(self) -> bool:
        """Whether the row is as it was written."""
        return _whole(self)

    def typed(self) -> bool:
        """Whether each value is of its type."""
        return _typed(self)

    def sealed(self) -> MatchRow:
        """The row with the digest that it should have."""
        return self._replace(digest=self.checked())


class EntryRow(NamedTuple):
    """A row of `entry` as it stands in the file."""

    match: int
    n: int
    kind: bytes
    body: bytes
    source: bytes
    at: bytes
    previous: bytes = b""
    digest: bytes = b""

    def checked(self) -> bytes:
        """The digest that this row should have."""
        texts = (self.kind, self.body, self.source, self.at, self.previous)
        return _digest(b"%d" % self.match, b"%d" % self.n, *texts)

    def whole(self) -> bool:
        """Whether the row is as it was written."""
        return _whole(self)

    def typed(self) -> bool:
        """Whether each value is of its type."""
        return _typed(self)

    def after(self, previous: bytes) -> EntryRow:
        """The row with its digest, after an entry (or the match) of the digest `previous`."""
        row = self._replace(previous=previous)
        return row._replace(digest=row.checked())


def _whole(row: MatchRow | EntryRow) -> bool:
    try:
        return row.digest == row.checked()
    except TypeError:  # a damaged database may give any type
        return False


def _typed(row: MatchRow | EntryRow) -> bool:
    types = (int if name in _NUMBERS else bytes for name in row._fields)
    return all(map(isinstance, row, types))


def summary_digest(match: int, n: int, body: bytes) -> bytes:
    """The digest of a row of `summary`."""
    return _digest(b"%d" % match, b"%d" % n, body)


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=DIGEST_BYTES).digest()


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database, inside the transaction that is open."""
    for statement in TABLES.values():
        connection.execute(statement)
    mark_version(connection)


def mark_version(connection: sqlite3.Connection) -> None:
    """Note that the database is a journal of this version."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID + VERSION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def write_matches(connection: sqlite3.Connection, rows: Iterable[MatchRow]) -> None:
    """Write rows of `match`, their texts as texts."""
    statement = "INSERT INTO match VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), ?)"
    connection.executemany(statement, rows)


def write_entries(connection: sqlite3.Connection, rows: Iterable[EntryRow]) -> None:
    """Write rows of `entry`, their texts as texts."""
    text = "CAST(? AS TEXT)"
    statement = f"INSERT INTO entry VALUES (?, ?, {text}, {text}, {text}, {text}, ?, ?)"
    connection.executemany(statement, rows)


def write_summary(connection: sqlite3.Connection, match: int, n: int, body: bytes) -> None:
    """Write the summary of a match after its entry `n`, in place of the one before."""
    row = (match, n, body, summary_digest(match, n, body))
    connection.execute("INSERT OR REPLACE INTO summary VALUES (?, ?, CAST(? AS TEXT), ?)", row)


def note(connection: sqlite3.Connection, match: int, kind: str, body: str, at: str) -> None:
    """Write a note of a match in place of the one of that kind before."""
    forget_note(connection, match, kind)
    connection.execute("INSERT INTO aside VALUES (?, 0, ?, ?, '', ?, '', ?)", (match, kind, body, at, at))


def forget_note(connection: sqlite3.Connection, match: int, kind: str) -> None:
    """Take away a note of a match."""
    connection.execute("DELETE FROM aside WHERE match = ? AND kind = ?", (match, kind))


def delete_removed(connection: sqlite3.Connection, before: str) -> None:
    """Delete what was removed before that time, for good.

    The newest match stays: its number must not be given to another one.
    """
    query = "SELECT match FROM aside WHERE kind = ? AND since < ? AND match < (SELECT max(id) FROM match)"
    for (match,) in connection.execute(query, (REMOVED, before)).fetchall():
        for table, column in (("summary", "match"), ("entry", "match"), ("aside", "match"), ("match", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (match,))


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring the tables of version 1 or 2 up to date, inside the transaction that is open.

    Each row gets its digest; nothing else of it changes.
    """
    old = ["match", "entry", *(["summary"] if version > 1 else [])]
    for table in old:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    make_tables(connection)
    rows = connection.execute(f"SELECT {MATCH_COLUMNS} FROM old_match ORDER BY id").fetchall()
    matches = [MatchRow(*row).sealed() for row in rows]
    write_matches(connection, matches)
    rows = connection.execute(f"SELECT {ENTRY_COLUMNS} FROM old_entry ORDER BY match, n").fetchall()
    write_entries(connection, chained((EntryRow(*row) for row in rows), matches))
    if version > 1:
        query = "SELECT match, n, CAST(body AS BLOB) FROM old_summary"
        for match, n, body in connection.execute(query).fetchall():
            write_summary(connection, match, n, body)
    for table in reversed(old):
        connection.execute(f"DROP TABLE old_{table}")


def chained(rows: Iterable[EntryRow], matches: Iterable[MatchRow]) -> Iterator[EntryRow]:
    """Entries in order, of these matches, with their digests."""
    last = {match.id: match.digest for match in matches}
    for row in rows:
        sealed = row.after(last[row.match])
        last[row.match] = sealed.digest
        yield sealed


def stored_version(path: Path) -> tuple[int, int]:
    """The `user_version` and `application_id` in a database's file, which is only read.

    They stand in the file's header or, after a crash, in the newest copy of its first page in the write-ahead
    log. Zeros where there is no database. Raises `OSError`.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return 0, 0
    if not header.startswith(_FORMAT):
        return 0, 0
    header = _header_in_log(path.with_name(f"{path.name}-wal")) or header
    return _number(header, _VERSION_AT), _number(header, _APPLICATION_ID_AT)


def _header_in_log(log: Path) -> bytes:
    """The database's header in the newest frame of its first page; empty where the log holds none."""
    try:
        data = log.read_bytes()
    except FileNotFoundError:
        return b""
    page_bytes, salts = _number(data, 8), data[16:24]
    newest = b""
    at = _WAL_HEADER_BYTES
    while page_bytes and at + _FRAME_HEADER_BYTES + page_bytes <= len(data):
        if data[at + 8 : at + 16] != salts:
            break
        if _number(data, at) == 1:
            newest = data[at + _FRAME_HEADER_BYTES :][:_HEADER_BYTES]
        at += _FRAME_HEADER_BYTES + page_bytes
    return newest


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")
