"""Lines shown at a table from outside, and calls of the table and of the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from companion.play.journal import utc_now

RefereeCall = Literal["", "called", "comes"]
"""The table's call for the referee, and its answer; empty without one."""


class Notice(msgspec.Struct, frozen=True):
    """A notice for everybody at the table: a key `notice.<key>` of the pages' words, and its facts."""

    key: str
    facts: dict[str, str | int] = {}


class Announcements:
    """Notices on every page until they are removed. `on_change` is called after each change."""

    def __init__(self, on_change: Callable[[], object]) -> None:
        self._on_change = on_change
        self.message = ""
        self.called = False
        self.referee: RefereeCall = ""
        self.question = ""
        self._said_at = self._called_at = self._referee_at = self._asked_at = ""

    def say(self, message: str) -> None:
        """Show a line on every page; an empty one removes it."""
        self.message, self._said_at = message, utc_now()
        self._on_change()

    def call(self, *, on: bool) -> None:
        """Call the table, or end the call."""
        self.called, self._called_at = on, utc_now()
        self._on_change()

    def call_referee(self, call: RefereeCall) -> None:
        """Call the referee, note that the referee comes, or end the call."""
        self.referee, self._referee_at = call, utc_now()
        self._on_change()

    def press(self, action: str) -> None:
        """Do what a button of the panel does that is not of the match."""
        if action == "call":
            self.call(on=not self.called)
        else:
            self.ask(action.removeprefix("ask-"))

    def ask(self, question: str) -> None:
        """Ask the table a question that pages answer aloud."""
        self.question, self._asked_at = question, utc_now()
        self._on_change()

    def notices(self) -> Iterator[Notice]:
        """Notices with their times: pages do not show closed ones again."""
        if self.called:
            yield Notice("called", {"at": self._called_at})
        if self.referee:
            yield Notice(f"referee-{self.referee}", {"at": self._referee_at})
        if self.question:
            yield Notice("asked", {"question": self.question, "at": self._asked_at})
        if self.message:
            yield Notice("message", {"text": self.message, "at": self._said_at})
