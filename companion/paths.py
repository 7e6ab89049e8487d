"""Where the companion keeps what must last (matches, what the camera was shown), and what need not."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from companion import files

FOLDER = "table-companion"
"""The folder's name among those of other programs."""

RUNNING = "running.json"
"""The file that names the companion that runs here."""

FAILING_PICTURE, FAILING_WHY = "failing.jpg", "failing.json"
"""The last picture that could not be read, and why."""


def home() -> Path:
    """The folder to keep things in: `COMPANION_HOME`, else systemd's `STATE_DIRECTORY`, else the user's."""
    folder = os.environ.get("COMPANION_HOME") or os.environ.get("STATE_DIRECTORY")
    if folder:
        return Path(folder)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / FOLDER


def runtime() -> Path:
    """The folder for what is of use only now, if possible in memory: systemd's `RUNTIME_DIRECTORY`, else the
    user's, else (and where `COMPANION_HOME` keeps all in one place) one in `home()`."""
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
    """Note for other commands that this process serves at `port`; where nothing can be noted, nothing is."""
    try:
        files.write_json(runtime() / RUNNING, Running(os.getpid(), port))
    except OSError:
        return


def running_port() -> int | None:
    """The port of the companion that runs here; None where none does."""
    try:
        running = files.read_json(runtime() / RUNNING, Running)
    except (OSError, ValueError):
        return None
    return running.port if running is not None and _runs(running.pid) else None


def _runs(pid: int) -> bool:
    """Whether there is a process of that number, another user's among them."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def cards() -> Path:
    """The folder that keeps what cards look like, a file a game."""
    return home() / "cards"
