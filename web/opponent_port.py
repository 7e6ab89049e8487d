"""What the pages may ask the seat that the table plays by itself: plain values only, no processes."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from companion.games.choosing import Choice


class OpponentNow(msgspec.Struct, frozen=True):
    """The seat that the table plays, and how well.

    `move` is what it would play now, for a person to do on the table; None while it thinks, when it is not
    its turn, and where it plays by itself.
    """

    seat: str
    level: str
    thinks: bool = False
    move: Any = None


class OpponentPort(Protocol):
    """The table as an opponent."""

    def levels(self) -> tuple[str, ...]:
        """The levels at which it can play the game on the table, the weakest first; none if it cannot."""

    def can_hint(self) -> bool:
        """Whether it can say what to do in the game on the table."""

    def now(self) -> OpponentNow | None:
        """The seat that it plays; None if it plays none."""

    def sit_down(self, seat: str, level: str) -> None:
        """Play this seat from now on. Raises `IllegalMove` or `InvalidMove`."""

    def stand_up(self) -> None:
        """Play no seat any more."""

    def hint(self, seat: str | None) -> Choice:
        """What it would play for this seat now. Raises `IllegalMove`."""

    def hints(self) -> bool:
        """Whether hints are given in this match."""

    def let_hint(self, seat: str | None, *, on: bool) -> None:
        """Give hints in this match, or none. Raises `IllegalMove` where another player switched them off."""
