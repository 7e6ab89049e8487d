"""What the settings page may ask about the broker: how it stands, and whether it can be reached."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from companion.errors import MendableError

RefereeCall = Literal["", "called", "comes"]
"""Whether people at a table call the referee: no, yes, or yes and the referee has answered."""


class BrokerNow(msgspec.Struct, frozen=True):
    """How this table stands with its broker: `off` where none is set up.

    `says` is the fault of the last attempt in one sentence; empty if there is none. `topics` is what all of
    the table's topics begin with.
    """

    state: Literal["off", "connecting", "connected"]
    says: str = ""
    topics: str = ""


class BrokerPort(Protocol):
    """The broker of the table behind the pages. Safe from any thread."""

    @property
    def state(self) -> Literal["off", "connecting", "connected"]:
        """How it stands."""

    @property
    def fault(self) -> MendableError | None:
        """What was wrong at the last attempt; None without a fault."""

    @property
    def topics(self) -> str:
        """What all of the table's topics begin with; empty without a broker."""

    def try_out(self) -> None:
        """Connect once more, beside what is connected, and end that again. Raises `MendableError`."""
