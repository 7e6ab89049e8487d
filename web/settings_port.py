"""What the settings page may ask: each setting as it stands, and changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec


class SettingNow(msgspec.Struct, frozen=True):
    """A setting as it stands.

    `choices` are its values if they are few. `at_once`: a change is taken without a restart. `waits`: a
    change waits for the next start. `on_command_line`: the next start has the value that was given there
    again. The value of a `secret` setting is never sent: `is_set` says whether it has one.
    """

    name: str
    value: str | float | bool | None
    default: str | float | bool | None
    choices: tuple[str, ...] = ()
    at_once: bool = True
    waits: bool = False
    on_command_line: bool = False
    secret: bool = False
    is_set: bool = False


class SettingsPort(Protocol):
    """The settings of the table behind the pages. Safe from any thread."""

    def now(self) -> tuple[SettingNow, ...]:
        """Every setting as it stands."""

    def change(self, values: Mapping[str, object]) -> None:
        """Take these changes and keep them. Raises `CompanionError` for what cannot be."""
