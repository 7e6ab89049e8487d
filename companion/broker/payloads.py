"""The topics of a table, and the types of what is sent there.

Everything is open at the table: what a spectator's page shows. No type holds what a seat keeps to itself, or
anything that would tell how often a seat noted something.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.game import Outcome
from companion.play.schema import Kind
from companion.play.snapshot import MatchView
from companion.service.announcements import RefereeCall

ROOT = "table-companion"
"""The first level of every topic, where nobody has set another."""

ONLINE, OFFLINE = "online", "offline"
"""The payloads of the topic `status`: plain words, which a home's automation compares as they are."""


MOST_MESSAGE = 200
"""The longest line that every page shows, in characters."""


class Topics(msgspec.Struct, frozen=True):
    """The topics of one table; `table` is its name there."""

    table: str
    root: str = ROOT

    def topic(self, last: str) -> str:
        """The topic of this table that ends with `last`."""
        return f"{self.root}/{self.table}/{last}"


class PublishedEntry(msgspec.Struct, frozen=True):
    """One open entry of a match, on the topic `moves`.

    `id` is the entry's key: it is sent at least once, and every copy bears the same id. `n` counts the
    match's open entries from 1. `at` is the time of the entry (UTC), `source` what it came from. `notation`
    is a move in the game's notation, `undo` or `redo`. `says` is what a move did, in sentences in the table's
    language; empty where the game has no words for it, and for what was undone before it was sent. `move` is
    the move itself, `players` are the names that an entry of the kind `players` gives to seats.
    """

    id: str
    table: str
    match: int
    game: str
    n: Annotated[int, Meta(ge=1)]
    kind: Kind
    at: str
    source: str
    notation: str = ""
    says: str = ""
    move: dict[str, Any] | None = None
    players: dict[str, str] | None = None


class PublishedState(msgspec.Struct, frozen=True):
    """The table as a spectator sees it, on the topic `state`.

    `name` is the table's name on its pages, `at` when this was sent (UTC). `match` is the spectator's view.
    `points` is what each seat has so far, in games with points. `seated` are the seats with a phone.
    `paused`: the clocks stand still. `asks`: the camera waits for a person's answer. `called`: the
    table was called. `referee`: people at the table have called the referee, or know that the referee comes.
    The topic `moves` holds all of this once it has entry `match.n` of match `match.id`.
    """

    table: str
    name: str
    at: str
    match: MatchView
    points: dict[str, int] = {}
    seated: tuple[str, ...] = ()
    paused: bool = False
    asks: bool = False
    called: bool = False
    referee: RefereeCall = ""


class EndedMatch(msgspec.Struct, frozen=True):
    """A match that is over: its number, its game, when it began (UTC), its players by seat, how it ended."""

    match: int
    game: str
    began: str
    players: dict[str, str]
    outcome: Outcome


class PublishedResults(msgspec.Struct, frozen=True):
    """The ends of the newest matches of the table, on the topic `results`, the newest last.

    Every match from number `since` on that is over is among them; one whose end was taken back is not.
    """

    table: str
    since: int
    matches: tuple[EndedMatch, ...]


class PublishedHealth(msgspec.Struct, frozen=True):
    """The state of the table's machine, on the topic `health`.

    `camera` is the camera's condition (`none` without one), `camera_fps` the pictures read per second.
    `phones` listen now. `unsent` counts the entries that the broker has not acknowledged yet. What the
    machine cannot measure is None.
    """

    table: str
    at: str
    version: str
    camera: str
    camera_ok: bool
    camera_fps: float
    phones: int
    journal_ok: bool
    unsent: int
    disk_free_bytes: int | None = None
    memory_peak_bytes: int | None = None
    temperature_c: float | None = None


class PublishedLamp(msgspec.Struct, frozen=True):
    """A seat's lamp: its pattern by name, and for a lamp that knows less: it is `on`, `blinks`, is red."""

    pattern: str
    on: bool
    blinks: bool
    warns: bool


class PublishedLamps(msgspec.Struct, frozen=True):
    """The panel's lamps by seat, in order of play, on the topic `lamps`."""

    table: str
    match: int
    seats: dict[str, PublishedLamp] = {}


class NextGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `next`: put this match aside and begin another.

    Without `game`, the same game begins again with its options, seats and players. With `instead_of`, only
    while that match is on the table, so that a command that comes twice begins one match.
    """

    game: str | None = None
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}
    instead_of: int | None = None


class Pause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `pause`: stop the clocks, or let them go on. Without `on`, it is the pause button."""

    on: bool | None = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `undo`: take back the last open move; with `n`, only after that many open entries."""

    n: int | None = None


class PageMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `message`: show a line on every page of the table. An empty one removes it."""

    text: Annotated[str, Meta(max_length=MOST_MESSAGE)]


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `call`: call the table, on every page of it, until `on` is false."""

    on: bool = True


class Referee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `referee`: say at a table that called the referee that help comes, or end that call."""

    comes: bool = True


class Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command `press`: a button that somebody else hears is pressed, as if it were the panel's own.

    `button` is a seat's name or its place from 1, `undo`, `pause`, or a further button's name. The panel's
    file says what a `press`, a `hold` and `both` do, and each further button.
    """

    button: str
    gesture: Literal["press", "hold", "both"] = "press"


COMMANDS: dict[str, type[msgspec.Struct]] = {
    "next": NextGame,
    "pause": Pause,
    "undo": Undo,
    "message": PageMessage,
    "call": Call,
    "referee": Referee,
    "press": Press,
}
"""The payload of each command, by its name: the last level of its topic."""


class CommandReply(msgspec.Struct, frozen=True):
    """The answer to a command. A refused one names the rule and says in a sentence why; nothing changed."""

    command: str
    ok: bool
    rule: str = ""
    says: str = ""


Status = Literal["online", "offline"]
"""The payload of the topic `status`, as plain text."""
