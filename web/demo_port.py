"""What the pages may ask a table at which virtual people play."""

from __future__ import annotations

from typing import Protocol


class Demo(Protocol):
    """The virtual table behind the pages. Safe from any thread."""

    @property
    def plays(self) -> bool:
        """Whether virtual people play by themselves."""

    def leave(self) -> None:
        """Let them leave: from then on people play by taps."""
