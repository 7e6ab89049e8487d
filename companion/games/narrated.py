"""What a move did, in sentences: for those who see no board, such as a home's lists and a club's screens."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol, runtime_checkable

from companion.messages import Phrase


@runtime_checkable
class Narrated(Protocol):
    """A game that says what its moves did."""

    @abstractmethod
    def narrate(self, before: Any, after: Any) -> tuple[Phrase, ...]:
        """What an open move did, between two states as all may know them; nothing where words say no more.

        Seats, pieces and cards stand in the facts as they are: their names follow from the messages.
        """
