"""What the broker has of the journal, and what it does not have yet.

The journal is the queue: nothing else is kept for a broker that is away. For each match the cursor names the
last entry that the broker has acknowledged. Its file may lag behind, so that not every move is written twice
to the disk: what is sent again then bears the same id.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion import files
from companion.broker import narration
from companion.broker.payloads import PublishedEntry
from companion.play.entries import Course, Entry, MatchRecord
from companion.play.exports import in_notation
from companion.play.journal import Journal
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot

log = logging.getLogger(__name__)

ID_BYTES = 4
"""The size of the part of an id that tells apart the entries of two journals with the same numbers."""


MOST_COUNTED = 20
"""Matches whose entries are counted that the broker lacks: more would take long to read."""


class Position(msgspec.Struct, frozen=True, array_like=True):
    """The last entry of a match that the broker has: its number, and the id of the last open one up to it.

    `began` tells the match from another of its number.
    """

    began: str
    n: int
    last: str = ""


class _Count(NamedTuple):
    """How many open entries of a match the broker lacks from a position to the match's last entry."""

    after: Position
    end: int
    entries: int


class Outgoing(NamedTuple):
    """An entry to publish, with its place in the journal: the position that its acknowledgement reaches."""

    match: int
    position: Position
    message: PublishedEntry


class Cursor:
    """The positions of all matches, in a file beside the journal. For one thread."""

    def __init__(self, path: Path, journal: Journal, first: int) -> None:
        """Read the file at `path`. Without one, the broker gets the matches from number `first` on.

        After a damaged file it gets everything that the journal holds: doubles are known by their ids.
        """
        self.path = path
        self.journal = journal
        self._reached: dict[int, Position] = {}
        self._written: dict[int, Position] = {}
        self._counts: dict[int, _Count] = {}
        self.counted: int | None = None
        """What `unsent` found last; None before the first count, and after one that failed."""
        try:
            kept = files.read_sealed(path, dict[int, Position])
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read, so the broker gets every match again: %s", path, error)
            return
        if kept is not None:
            self._reached, self._written = kept, dict(kept)
            return
        ends = journal.ends()
        for record in journal.matches():
            if record.id < first:
                self._reached[record.id] = Position(record.began, ends.get(record.id, 0))
        # One that is brought back is an old match all the same.
        for record in journal.removed():
            course = journal.course(record.id).entries
            self._reached[record.id] = Position(record.began, course[-1].n if course else 0)

    def reach(self, match: int, position: Position) -> None:
        """The broker has the entries of a match up to this position."""
        self._reached[match] = position

    def reached(self, record: MatchRecord) -> Position:
        """How far the broker has a match."""
        position = self._reached.get(record.id)
        return position if position and position.began == record.began else Position(record.began, 0)

    def behind(self) -> list[MatchRecord]:
        """Every match of which the broker may lack an entry, the oldest first. Raises `JournalError`.

        The newest match is always among them: it may have been cut, and have as many entries again.
        """
        ends, records = self.journal.ends(), self.journal.matches()
        lacking = [each for each in records if ends.get(each.id, 0) != self.reached(each).n]
        return [*reversed(lacking), *(each for each in records[:1] if each not in lacking)]

    def unsent(self, table: str) -> int:
        """How many open entries the broker lacks, of the oldest matches at least. Raises `JournalError`.

        A match that stands as it stood at the last count is not read again.
        """
        before, self._counts, self.counted = self._counts, {}, None
        ends = self.journal.ends()
        for record in self.behind()[:MOST_COUNTED]:
            after, end = self.reached(record), ends.get(record.id, 0)
            count = before.get(record.id)
            if count is None or count[:2] != (after, end):
                reading = read_match(self.journal, table, record, after)
                count = _Count(after, end, len(reading.outgoing))
            self._counts[record.id] = count
        self.counted = sum(count.entries for count in self._counts.values())
        return self.counted

    def write(self) -> None:
        """Keep the cursor, if it has moved. A disk that takes nothing costs doubles, no entry."""
        if self._reached == self._written:
            return
        try:
            files.write_sealed(self.path, self._reached, mode=files.SECRET_MODE)
        except OSError as error:
            log.warning("%s cannot be written: %s", self.path, error)
        else:
            self._written = dict(self._reached)


class Reading(NamedTuple):
    """What a match holds for the broker: the entries that it lacks, and the position behind all of them."""

    outgoing: list[Outgoing]
    end: Position


def read_match(
    journal: Journal,
    table: str,
    record: MatchRecord,
    after: Position,
    *,
    playing: MatchSnapshot | None = None,
    language: str | None = None,
) -> Reading:
    """The open entries of a match after a position, and the position behind all of them.

    Where the entry at that position is another one by now (the match was cut, or restored), all of it is
    read. What the rules of today cannot play is left out, as at the table. Of the match that is `playing`,
    what that snapshot holds is read: it was judged already, and what is newer comes with the table's news.
    Without a `language` nothing is replayed and nothing is said of what moves did: enough to count entries.
    Raises `JournalError`.
    """
    course = journal.course(record.id)
    if playing is not None:
        course = Course(tuple(each for each in course.entries if each.n <= playing.n))
    end = course.entries[-1].n if course.entries else 0
    try:
        snapshot = playing or MatchSnapshot.begun(record)
        if language is None:
            published = _all_published(table, snapshot, course.entries)
        else:
            snapshot = playing or snapshot.follow(course)
            entries = tuple(each for each in course.entries if each.n <= snapshot.n)
            published = _all_published(table, snapshot, entries)
            _say(published, snapshot, after, language)
    except UNPLAYABLE as error:
        log.warning("Match %d is not published: %s", record.id, error)
        return Reading([], Position(record.began, end))
    if not _stands(after, end, published):
        after = Position(record.began, 0)
    outgoing = [
        Outgoing(record.id, Position(record.began, n, each.id), each) for n, each in published if n > after.n
    ]
    behind_all = Position(record.began, end, published[-1][1].id if published else "")
    # Behind the last open entry there may be private ones, which nobody is sent.
    return Reading(
        [*outgoing[:-1], *(each._replace(position=behind_all) for each in outgoing[-1:])], behind_all
    )


def _stands(position: Position, end: int, published: list[tuple[int, PublishedEntry]]) -> bool:
    """Whether the match still holds what the broker has of it; a position without an id is believed."""
    until = [each.id for n, each in published if n <= position.n]
    return position.n <= end and (not position.last or until[-1:] == [position.last])


def _all_published(
    table: str, match: MatchSnapshot, entries: tuple[Entry, ...]
) -> list[tuple[int, PublishedEntry]]:
    """What is published of each open entry, with its number in the journal."""
    return [(entry.n, _published(table, match, n, entry)) for n, entry in _open_entries(match, entries)]


def _say(
    published: list[tuple[int, PublishedEntry]], match: MatchSnapshot, after: Position, language: str
) -> None:
    """Say of the moves after a position what they did; `match` is the match with all of them.

    Of what was undone since, and of what came before that, the match knows no more.
    """
    sentences = narration.backwards(match, language)
    for at in range(len(published) - 1, -1, -1):
        number, message = published[at]
        if number <= after.n or message.kind in ("undo", "redo"):
            return
        if message.kind == "move":
            published[at] = number, msgspec.structs.replace(message, says=next(sentences, ""))


def _open_entries(match: MatchSnapshot, entries: tuple[Entry, ...]) -> Iterator[tuple[int, Entry]]:
    """The open entries, counted from 1: a gap would tell of a private one."""
    return enumerate((each for each in entries if match.owner(each) is None), 1)


def _published(table: str, match: MatchSnapshot, n: int, entry: Entry) -> PublishedEntry:
    return PublishedEntry(
        id=_id(match.record, n, entry),
        table=table,
        match=match.record.id,
        game=match.record.game,
        n=n,
        kind=entry.kind,
        at=entry.at,
        source=entry.source,
        notation=in_notation(match.game, entry),
        move=entry.body if entry.kind == "move" else None,
        players=entry.body if entry.kind == "players" else None,
    )


def _id(record: MatchRecord, n: int, entry: Entry) -> str:
    """The key of an open entry: match, number, and a digest of what is published of it."""
    texts = (record.began, entry.kind, entry.source, entry.at)
    content = "\0".join(texts).encode() + b"\0" + msgspec.json.encode(entry.body)
    return f"{record.id}-{n}-{blake2b(content, digest_size=ID_BYTES).hexdigest()}"
