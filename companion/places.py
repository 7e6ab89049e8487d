"""Where the companion keeps what must last: matches, and what the camera was shown."""

from __future__ import annotations

import os
from pathlib import Path

from companion.journal import Journal

FOLDER = "table-companion"


def home() -> Path:
    """The folder to keep things in: `COMPANION_HOME`, else systemd's `STATE_DIRECTORY`, else the user's."""
    told = os.environ.get("COMPANION_HOME") or os.environ.get("STATE_DIRECTORY")
    if told:
        return Path(told)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / FOLDER


def journal(name: str = "journal") -> Journal:
    """The journal of that name in `home()`. Raises `JournalError`."""
    return Journal(home() / f"{name}.sqlite")


def cards() -> Path:
    """The folder that keeps what cards look like, a file a game."""
    return home() / "cards"
