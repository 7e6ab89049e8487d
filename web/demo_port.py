"""What the pages may ask a virtual table: its people play by themselves, or let a person try things."""

from __future__ import annotations

from typing import Literal, Protocol

from companion.games.watching import Kind
from web.accuracy_port import Task

Put = Literal["nothing", "lesson", "askew", "tile"]
"""What to put on the virtual table: nothing, a lesson's tiles, those with one askew, a forgotten tile."""


class Demo(Protocol):
    """The virtual table behind the pages. Safe from any thread."""

    @property
    def plays(self) -> bool:
        """Whether virtual people play by themselves."""

    def leave(self) -> None:
        """Let them leave: from then on people play by taps."""

    @property
    def rehearses(self) -> bool:
        """Whether a person tries the set-up: the virtual people wait."""

    def begin_rehearsal(self) -> None:
        """Clear the table for a person who tries the set-up."""

    def end_rehearsal(self) -> None:
        """Let the virtual people go on; they show the camera the board and the tiles again."""

    def put(self, what: Put, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Put this on the table. Raises `CompanionError` for tiles that do not fit on the board."""

    def follow(self, task: Task | None) -> None:
        """Do what the accuracy test asks; None: let the people go on, if they have waited for a test."""

    def fault_names(self) -> dict[str, bool]:
        """Every fault of the virtual camera, and whether it is switched on."""

    def set_fault(self, name: str, *, on: bool) -> None:
        """Switch a fault. Raises `CompanionError` for an unknown name."""
