"""The journal's content: matches and entries as plain values, its tables, and the check on each row.

Each row holds a digest of itself. An entry's digest also covers the one before it (at first, that of the
match), so changed rows and missing rows are both noticed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import msgspec

from companion.games.game import Outcome
from companion.games.retrospect import Luck

Kind = Literal["move", "undo", "redo", "players"]


class MatchRecord(msgspec.Struct, frozen=True):
    """The journal's record of a match: the game's slug, its options and seats, and when it began (UTC).
    `fault` says why it cannot be opened; empty if it can."""

    id: int
    game: str
    options: dict[str, Any]
    seats: int
    began: str
    fault: str = ""

    @property
    def identity(self) -> str:
        """The match's number and its beginning, as new journals count from 1 again; fit for a file's name."""
        return f"{self.id}-{re.sub(r'[^0-9]', '', self.began)}"


class Entry(msgspec.Struct, frozen=True):
    """One entry of a match: what was done (`body`: a move, or names of players), its source, its time (UTC).
    `n` counts from 1. `source` is `phone`, `camera`, `button`, `replay`, …."""

    n: int
    kind: Kind
    body: dict[str, Any]
    source: str
    at: str


class Course(msgspec.Struct, frozen=True):
    """The entries of a match in order; `cut` says why later ones are left out."""

    entries: tuple[Entry, ...]
    cut: str = ""


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a match for one seat, or for the table: everything in a view except the board.

    `n` is the number of entries that the seat may see, `moves` that of the moves among them that were not
    undone; `by` is the source of the last one. The journal keeps the table's own summary, which holds only
    what lies open, and so nothing that a seat keeps to itself.

    `luck` and `pieces` are by seat, as the game's `Retrospect` gives them; only the table's summary of a
    match that is over has them.
    """

    n: int
    moves: int
    seats: tuple[str, ...]
    players: dict[str, str]
    turn: str | None
    outcome: Outcome | None
    can_undo: bool
    can_redo: bool
    by: str
    luck: dict[str, Luck] = {}
    pieces: dict[str, int] = {}


VERSION = 3
"""The schema's version, kept in `user_version` and in the last byte of `application_id`."""

APPLICATION_ID = 0x54434A00
"""The mark of a journal of the companion: "TCJ" and a byte for the version."""

PAGE_BYTES = 2048
"""The size of the database's pages. A move writes two of them whole; smaller ones would split entries."""

DIGEST_BYTES = 8
"""Digests guard against damage, not against people."""

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

A summary counts only while its `n` is the match's last entry. `aside` holds entries that could not be read or
played when their match went on, and notes: known damage, titles, removed matches. It is never played.
"""

KNOWN_FAULT = "fault"
"""The kind of a row of `aside` that marks the entry of that number as not whole."""

TITLE, REMOVED = "title", "removed"
"""The kinds of notes in `aside` about a match: its title (`body`), since when it is off the lists."""

MATCH_COLUMNS = "id, CAST(game AS BLOB), CAST(options AS BLOB), seats, CAST(began AS BLOB)"
"""The columns of a match, its texts as bytes: a damaged row may hold other than text."""

ENTRY_COLUMNS = "match, n, CAST(kind AS BLOB), CAST(body AS BLOB), CAST(source AS BLOB), CAST(at AS BLOB)"

MATCH_ROWS = f"SELECT {MATCH_COLUMNS}, digest FROM match"

ENTRY_ROWS = f"SELECT {ENTRY_COLUMNS}, previous, digest FROM entry"


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
        texts = (self.kind, self.body, self.source, self.at, self.previous)
        return _digest(b"%d" % self.match, b"%d" % self.n, *texts)

    def after(self, previous: bytes) -> EntryRow:
        """The row with its digest, after an entry (or the match) of the digest `previous`."""
        row = self._replace(previous=previous)
        return row._replace(digest=row.checked())


def is_whole(row: MatchRow | EntryRow) -> bool:
    """Check that a row is as it was written."""
    try:
        return row.digest == row.checked()
    except TypeError:  # a damaged database may give any type
        return False


def is_typed(row: MatchRow | EntryRow) -> bool:
    """Check that each value of a row is of its type."""
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


def note(connection: sqlite3.Connection, match: int, kind: str, body: str, when: str) -> None:
    """Write a note of a match in place of the one of that kind before."""
    forget_note(connection, match, kind)
    connection.execute("INSERT INTO aside VALUES (?, 0, ?, ?, '', ?, '', ?)", (match, kind, body, when, when))


def forget_note(connection: sqlite3.Connection, match: int, kind: str) -> None:
    """Delete a note of a match."""
    connection.execute("DELETE FROM aside WHERE match = ? AND kind = ?", (match, kind))


def delete_removed(connection: sqlite3.Connection, before: str) -> None:
    """Delete for good what was removed before that time, but not the newest match: its number stays taken."""
    query = "SELECT match FROM aside WHERE kind = ? AND since < ? AND match < (SELECT max(id) FROM match)"
    for (match,) in connection.execute(query, (REMOVED, before)).fetchall():
        for table, column in (("summary", "match"), ("entry", "match"), ("aside", "match"), ("match", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (match,))


def marks_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """The `user_version` and `application_id` of a database. Raises `sqlite3.Error`."""
    version, application = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
    )
    return version, application
