"""What a table has published last, and which of its matches is one of the evening."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from companion.broker.payloads import ONLINE, PublishedHealth, PublishedResults, PublishedState
from companion.games.game import Outcome


class MatchSeen(NamedTuple):
    """A match of a table: its number there, its players by seat; `outcome` is None while it is played."""

    number: int
    game: str
    players: Mapping[str, str]
    outcome: Outcome | None


@dataclass(slots=True)
class TableSeen:
    """What a table has published last."""

    name: str
    is_online: bool = False
    state: PublishedState | None = None
    results: PublishedResults | None = None
    health: PublishedHealth | None = None
    matches: tuple[MatchSeen, ...] = ()
    """Its matches that are known, by number: those that ended lately, and the one that it shows."""
    changes: int = 0
    """How often its state has come."""

    def take(self, what: str, payload: bytes) -> bool:
        """Take the message of a topic by its last level; whether it was one of a table's.

        Raises one of `NOT_JSON`.
        """
        match what:
            case "status":
                self.is_online = payload == ONLINE.encode()
            case "state":
                self.state = msgspec.json.decode(payload, type=PublishedState) if payload else None
                self.changes += 1
                self.matches = self._matches()
            case "results":
                self.results = msgspec.json.decode(payload, type=PublishedResults) if payload else None
                self.matches = self._matches()
            case "health":
                self.health = msgspec.json.decode(payload, type=PublishedHealth) if payload else None
            case _:
                return False
        return True

    def _matches(self) -> tuple[MatchSeen, ...]:
        ended = () if self.results is None else self.results.matches
        seen = {each.match: MatchSeen(each.match, each.game, each.players, each.outcome) for each in ended}
        if self.state is not None:
            shown = self.state.match
            # Of the match that it shows, the state is what people see at the table.
            seen[shown.id] = MatchSeen(shown.id, shown.game, shown.players, shown.outcome)
        return tuple(seen[number] for number in sorted(seen))

    def match_of(self, game: str, names: Collection[str], after: int) -> MatchSeen | None:
        """The first match after number `after` of a game with these players, at whatever seats.

        None without one. A later one of the same players is a match of their own.
        """
        sought = sorted(names)
        fitting = (each for each in self.matches if each.number > after and each.game == game)
        return next((each for each in fitting if sorted(each.players.values()) == sought), None)

    def has_ended(self, number: int) -> bool:
        """Whether the match of that number is over. An old one, of which the table tells nothing, is."""
        if any(each.number == number and each.outcome is None for each in self.matches):
            return False
        is_told = self.results is not None and number >= self.results.since
        return not is_told or any(each.number == number for each in self.matches)

    @property
    def is_playing(self) -> bool:
        """Whether people are in the middle of a match."""
        return self.state is not None and self.state.match.moves > 0 and self.state.match.outcome is None


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which table 2 comes before table 10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in name.replace("-", " ").split()
    )
