"""What a move is called and what it did, in words: for those who see no board, and for remarks on a move."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol, runtime_checkable

from companion.messages import Phrase


@runtime_checkable
class Narrated(Protocol):
    """A game that says what its moves are called, and what they did."""

    def named(self, move: Any) -> Phrase | None:
        """A move as people call it within a sentence; None where its notation serves."""
        return None

    @abstractmethod
    def narrate(self, before: Any, after: Any) -> tuple[Phrase, ...]:
        """What an open move did, between two states as all may know them; nothing where words say no more.

        Seats, pieces and cards stand in the facts as they are: their names follow from the messages.
        """
