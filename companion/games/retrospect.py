"""A look back at a match, in the game's own words: its moves, its luck, and the reason for its end.

A game with something to say gives its own `Retrospect` (`Game.retrospect`). This one is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from companion.messages import Fact, Phrase


class Decided(NamedTuple):
    """The reason for the end of a match, as the sentence `decided.<reason>` of the game's messages.

    `facts` fill that sentence's places; a seat stands by its name.
    """

    reason: str
    facts: Mapping[str, str | int]


class Place(NamedTuple):
    """A seat's place at the end, with a few words `place.<reason>` of the game's messages."""

    seat: str
    reason: str
    facts: Mapping[str, str | int] = {}


class LuckRemark(NamedTuple):
    """A sentence on chance, or on choice, in a finished match.

    `reason`: the end of a key `luck.<reason>` of the game's messages, and of `luck-why.<reason>`, which
    explains the reckoning. `seat`: its player is the place `{name}` in both; empty for nobody. `move`: the
    number of its open move, from 1; 0 without one.
    """

    reason: str
    seat: str = ""
    facts: Mapping[str, str | int] = {}
    move: int = 0


class Luck(msgspec.Struct, frozen=True):
    """A seat's luck in a match: `times` throws or draws, worth `total` together.

    `expected`: the mean of that sum; `variance`: its variance.
    """

    times: int
    total: float
    expected: float
    variance: float


def luck_of(chances: Iterable[tuple[str, float, float, float]]) -> dict[str, Luck]:
    """Luck by seat, from each single chance: whose it was, its worth, its mean and its variance."""
    sums: dict[str, Luck] = {}
    for seat, worth, mean, variance in chances:
        so_far = sums.get(seat, Luck(0, 0.0, 0.0, 0.0))
        sums[seat] = Luck(
            so_far.times + 1, so_far.total + worth, so_far.expected + mean, so_far.variance + variance
        )
    return sums


S = TypeVar("S")
M = TypeVar("M")


class Retrospect(Generic[S, M]):
    """A game's own words on the course of a match: its open moves, each with the state before it."""

    luck_kind: ClassVar[str] = ""
    """The chances counted by `luck`, `dice` or `kittens`: a key `players.luck-<luck_kind>`."""
    trend: ClassVar[Mapping[str, str]] = {}
    """The chances in a match's chart without `progress`: by key of the messages, the place of each value in
    the view, as names and numbers with dots between."""

    def progress(self, state: S) -> dict[str, int]:
        """Each seat's points, or whatever else the game counts; empty if it counts nothing."""
        return {}

    def lying(self, state: S) -> Mapping[str, tuple[Fact, ...]]:
        """The things that lie at each place, both by name, for people who ask; a seat is a place, too."""
        return {}

    def pieces(self, state: S) -> dict[str, int]:
        """The pieces that each seat brought into play, if points per piece measure its play."""
        return {}

    def decided(self, course: Sequence[tuple[S, M]], state: S) -> Decided | None:
        """The reason for the end of a finished match; None if its outcome says enough."""
        return None

    def places(self, course: Sequence[tuple[S, M]], state: S) -> tuple[Place, ...]:
        """The seats of a finished match from the first on; empty where the board shows how it ended."""
        return ()

    def luck(self, course: Iterable[tuple[S, M]]) -> dict[str, Luck]:
        """Each seat's luck; empty if the game's chances are not counted."""
        return {}

    def luck_remarks(self, course: Sequence[tuple[S, M]], state: S) -> Iterable[LuckRemark]:
        """Luck and choice apart in a finished match; empty where hands stay secret."""
        return ()

    def named(self, move: M) -> Phrase | None:
        """A move as people call it within a sentence; None where its notation serves."""
        return None

    def narrate(self, before: S, after: S) -> Iterable[Phrase]:
        """The effects of an open move, from the states before and after it as everybody knows them.

        Seats, pieces and cards stand in the facts by their identifiers: their names follow from the messages.
        """
        return ()
