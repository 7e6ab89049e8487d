"""The folders for what must last (matches, the look of cards) and for what need not."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import msgspec

from companion import files
from companion.errors import UserError
from companion.errors.causes import cause_of

FOLDER = "table-companion"

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
    """The folder for what need not last, in memory if possible: systemd's `RUNTIME_DIRECTORY`, else the
    user's, else (and always with `COMPANION_HOME`) one in `home()`."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    if folder:
        return Path(folder)
    users = os.environ.get("XDG_RUNTIME_DIR")
    return Path(users) / FOLDER if users and not os.environ.get("COMPANION_HOME") else home() / "now"


DAMAGED = ".damaged-"
"""Marks the name of a file that was put aside, before the date."""

MISSING = ".missing-"
"""Marks the name of an empty file that stands for a lost one, before the date."""

LOG = "-wal"
"""The end of the name of the log that belongs to a database of SQLite."""

CARDS = "cards"
"""The folder in `home()` that keeps what cards look like."""

LOCK = "companion.lock"
"""The file in `home()` that the companion locks while it keeps matches there."""


@contextmanager
def only_companion() -> Iterator[None]:
    """Be the only companion that changes what is kept in `home()`. Raises `UserError` if there is another
    one, or if nothing can be kept."""
    path = home() / LOCK
    try:
        files.make_folder(path.parent)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, files.SECRET_MODE)
    except OSError as error:
        raise UserError(
            f"Nothing can be kept in {home()} ({cause_of(error)}); make it writable, or name another folder"
            " with COMPANION_HOME."
        ) from error
    try:
        # The lock ends with the process, however that ends.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        port = running_port()
        where = f" at port {port}" if port else ""
        raise UserError(
            f"Another companion{where} keeps its games in {home()} already: stop that one, or name another"
            " folder with COMPANION_HOME."
        ) from error
    else:
        yield
    finally:
        os.close(descriptor)


class Running(msgspec.Struct, frozen=True):
    """The companion that runs here: its process and the port of its pages."""

    pid: int
    port: int


def tell_running(port: int) -> None:
    """Note for other commands that this process serves at `port`, if the note can be written."""
    with suppress(OSError):
        files.write_json(runtime() / RUNNING, Running(os.getpid(), port))


def running_port() -> int | None:
    """The port of the companion that runs here; None if it does not run."""
    try:
        running = files.read_json(runtime() / RUNNING, Running)
    except (OSError, ValueError):
        return None
    return running.port if running is not None and _runs(running.pid) else None


def _runs(pid: int) -> bool:
    """True if a process with that number exists, even another user's."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def cards() -> Path:
    """The folder with the look of cards, one file per game."""
    return home() / CARDS


def put_aside(path: Path) -> Path:
    """Give the damaged file at `path` a name with the date, and return that. Raises `OSError`."""
    aside = free_name(path, f"{path.stem}{DAMAGED}{datetime.now(UTC):%Y-%m-%dT%H%M%S}")
    path.replace(aside)
    files.sync_folder(path.parent)
    return aside


def note_missing(path: Path) -> None:
    """Leave an empty file for the lost one at `path`. Raises `OSError`."""
    files.write(free_name(path, f"{path.stem}{MISSING}{datetime.now(UTC):%Y-%m-%dT%H%M%S}"), b"")


def free_name(path: Path, stem: str) -> Path:
    """A name beside `path` that begins with `stem` and belongs to no file yet."""
    name = path.with_name(f"{stem}{path.suffix}")
    counted = (path.with_name(f"{stem}-{n}{path.suffix}") for n in count(2))
    return name if not name.exists() else next(candidate for candidate in counted if not candidate.exists())


def damaged_in(folder: Path) -> tuple[str, ...]:
    """The names of the files that were put aside in `folder` and its cards' folder, the newest first."""
    return _marked(DAMAGED, folder, folder / CARDS)


def missing_in(folder: Path) -> tuple[str, ...]:
    """The names of the empty files in `folder` that stand for lost ones, the newest first."""
    return _marked(MISSING, folder)


def _marked(mark: str, *folders: Path) -> tuple[str, ...]:
    names: list[str] = []
    for folder in folders:
        with suppress(OSError):
            names += [file.name for file in folder.glob(f"*{mark}*") if not file.name.endswith(LOG)]
    return tuple(sorted(names, key=lambda name: name.partition(mark)[2], reverse=True))
