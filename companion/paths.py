"""The folders for what must last (matches, what the camera was shown) and for what need not."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from companion import files

FOLDER = "table-companion"
"""The folder's name."""

RUNNING = "running.json"
"""The file about the companion that runs here."""

FAILING_PICTURE, FAILING_WHY = "failing.jpg", "failing.json"
"""The files with the last picture that could not be read, and the reason."""


def home() -> Path:
    """The folder for what must last: `COMPANION_HOME`, else systemd's `STATE_DIRECTORY`, else the user's."""
    folder = os.environ.get("COMPANION_HOME") or os.environ.get("STATE_DIRECTORY")
    if folder:
        return Path(folder)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / FOLDER


def runtime() -> Path:
    """The folder for what need not last, in memory if possible.

    It is systemd's `RUNTIME_DIRECTORY`, else the user's, else (and always with `COMPANION_HOME`) one in
    `home()`.
    """
    folder = os.environ.get("RUNTIME_DIRECTORY")
    if folder:
        return Path(folder)
    users = os.environ.get("XDG_RUNTIME_DIR")
    return Path(users) / FOLDER if users and not os.environ.get("COMPANION_HOME") else home() / "now"


class Running(msgspec.Struct, frozen=True):
    """The companion that runs here: its process and the port of its pages."""

    pid: int
    port: int


def tell_running(port: int) -> None:
    """Note for other commands that this process serves at `port`, if the note can be written."""
    try:
        files.write_json(runtime() / RUNNING, Running(os.getpid(), port))
    except OSError:
        return


def running_port() -> int | None:
    """The port of the companion that runs here; None if there is none."""
    try:
        running = files.read_json(runtime() / RUNNING, Running)
    except (OSError, ValueError):
        return None
    return running.port if running is not None and _runs(running.pid) else None


def _runs(pid: int) -> bool:
    """Whether a process with that number exists, even another user's."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def cards() -> Path:
    """The folder with the look of cards, one file per game."""
    return home() / "cards"
