"""The place in the journal up to which the broker has its entries.

The journal is the queue: nothing else is kept for a broker that is away. For each match the cursor names the
last entry that the broker has acknowledged. Its file may lag behind, so that not every move is written twice
to the disk: entries that are sent again bear the same id.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.broker.payloads import PublishedEntry
from companion.kept_state import KeptState
from companion.messages import Fact, Phrase, capital, messages_of_game
from companion.play.exports import in_notation
from companion.play.journal import Journal
from companion.play.schema import Course, Entry, MatchRecord
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot

log = logging.getLogger(__name__)

ID_BYTES = 4
"""Bytes of the digest in an id, which tells apart the same numbers of two journals."""


MOST_COUNTED = 20
"""The most matches whose unsent entries are counted: reading more would take long."""


class Position(msgspec.Struct, frozen=True, array_like=True):
    """The last entry of a match that the broker has: its number, and the id of the last open one up to it.
    `began` tells the match from another of its number."""

    began: str
    n: int
    last: str = ""


class _Count(NamedTuple):
    """The open entries of a match that the broker lacks after a position, up to entry `end`."""

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
        """Read the file at `path`. Without one, the broker gets the matches from number `first` on. After a
        damaged file it gets the whole journal: duplicates are known by their ids."""
        self.journal = journal
        self._reached: dict[int, Position] = {}
        self._written: dict[int, Position] = {}
        self._counts: dict[int, _Count] = {}
        self.counted: int | None = None
        """The last count of `unsent`; None before the first one, and after one that failed."""
        self._file = KeptState(path, dict[int, Position], secret=True)
        is_new = not path.exists()
        kept = self._file.load()
        if kept is not None:
            self._reached, self._written = kept, dict(kept)
        elif is_new:
            self._skip_before(first)

    def _skip_before(self, first: int) -> None:
        """Leave out all matches before number `first`, and those that may be brought back."""
        journal = self.journal
        ends = journal.ends()
        for record in journal.matches():
            if record.id < first:
                self._reached[record.id] = Position(record.began, ends.get(record.id, 0))
        # A match that is brought back is still an old one.
        for record in journal.removed():
            course = journal.course(record.id).entries
            self._reached[record.id] = Position(record.began, course[-1].n if course else 0)

    def reach(self, match: int, position: Position) -> None:
        """Note that the broker has the entries of a match up to this position."""
        self._reached[match] = position

    def reached(self, record: MatchRecord) -> Position:
        """The position up to which the broker has a match."""
        position = self._reached.get(record.id)
        return position if position and position.began == record.began else Position(record.began, 0)

    def behind(self) -> list[MatchRecord]:
        """Every match with entries that the broker may lack, the oldest first. Raises `JournalError`. The
        newest match is always among them: it may have been cut, and have as many entries as before."""
        ends, records = self.journal.ends(), self.journal.matches()
        lacking = [record for record in records if ends.get(record.id, 0) != self.reached(record).n]
        return [*reversed(lacking), *(record for record in records[:1] if record not in lacking)]

    def unsent(self, table: str) -> int:
        """Count the open entries that the broker lacks, at least of the oldest matches. A match that has not
        changed since the last count is not read again. Raises `JournalError`."""
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
        """Keep the cursor, if it has moved. If the write fails, entries are sent twice, never lost."""
        if self._reached != self._written and self._file.save(self._reached):
            self._written = dict(self._reached)


class Reading(NamedTuple):
    """The entries of a match that the broker lacks, and the position behind all of them."""

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

    If the entry at that position has changed (the match was cut, or restored), the whole match is read.
    Entries that today's rules cannot play are left out, as at the table. Of the match that is `playing`, only
    that snapshot's entries are read: newer ones come with the table's news. Without a `language`, nothing is
    replayed and moves get no sentences: enough to count entries. Raises `JournalError`.
    """
    course = journal.course(record.id)
    if playing is not None:
        course = Course(tuple(entry for entry in course.entries if entry.n <= playing.n))
    end = course.entries[-1].n if course.entries else 0
    try:
        snapshot = playing or MatchSnapshot.begun(record)
        if language is None:
            published = _all_published(table, snapshot, course.entries)
        else:
            snapshot = playing or snapshot.follow(course)
            entries = tuple(entry for entry in course.entries if entry.n <= snapshot.n)
            published = _all_published(table, snapshot, entries)
            _say(published, snapshot, after, language)
    except UNPLAYABLE as error:
        log.warning("Match %d is not published: %s", record.id, error)
        return Reading([], Position(record.began, end))
    if not _stands(after, end, published):
        after = Position(record.began, 0)
    outgoing = [
        Outgoing(record.id, Position(record.began, n, new.id), new) for n, new in published if n > after.n
    ]
    behind_all = Position(record.began, end, published[-1][1].id if published else "")
    # Behind the last open entry there may be private ones, which nobody is sent.
    return Reading(
        [*outgoing[:-1], *(last._replace(position=behind_all) for last in outgoing[-1:])], behind_all
    )


def _stands(position: Position, end: int, published: list[tuple[int, PublishedEntry]]) -> bool:
    """Check that the match still holds what the broker has of it; a position without an id is trusted."""
    until = [entry.id for n, entry in published if n <= position.n]
    return position.n <= end and (not position.last or until[-1:] == [position.last])


def _all_published(
    table: str, match: MatchSnapshot, entries: tuple[Entry, ...]
) -> list[tuple[int, PublishedEntry]]:
    """The message about each open entry, with its number in the journal."""
    # Counted from 1: a gap would tell of a private entry.
    open_ones = enumerate((entry for entry in entries if match.owner(entry) is None), 1)
    return [(entry.n, _published(table, match, n, entry)) for n, entry in open_ones]


def _say(
    published: list[tuple[int, PublishedEntry]], match: MatchSnapshot, after: Position, language: str
) -> None:
    """Give the moves after a position their sentences; `match` holds all of them. It no longer knows what was
    undone since, nor what came before that."""
    sentences = backwards(match, language)
    for index in range(len(published) - 1, -1, -1):
        number, message = published[index]
        if number <= after.n or message.kind in ("undo", "redo"):
            return
        if message.kind == "move":
            published[index] = number, msgspec.structs.replace(message, says=next(sentences, ""))


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


APART = " · "
"""Between two sentences about one move: not all end with a full stop."""


def backwards(match: MatchSnapshot, language: str) -> Iterator[str]:
    """A sentence about each open move that stands, the newest first; empty where the game has no words."""
    game, states = match.game, match.history.states
    for index in range(len(match.history.moves) - 1, -1, -1):
        if game.private_to(match.history.moves[index]) is not None:
            continue
        phrases = game.retrospect.narrate(game.hide(states[index], None), game.hide(states[index + 1], None))
        yield APART.join(_said(phrase, match.players, language) for phrase in phrases)


def _said(phrase: Phrase, players: Mapping[str, str], language: str) -> str:
    """A sentence, with the players' own names for their seats."""
    facts: dict[str, Fact] = dict(phrase.facts)
    for name, fact in phrase.facts.items():
        if isinstance(fact, str) and fact in players:
            facts[name] = players[fact]
    return capital(messages_of_game(phrase.game).say(phrase.key, language, **facts))
