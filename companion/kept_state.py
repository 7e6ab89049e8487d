"""A small value that survives a restart, in its own file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Generic, TypeVar

from companion import files, paths
from companion.errors import NotKept
from companion.errors.causes import cause_of

log = logging.getLogger(__name__)

T = TypeVar("T")


class KeptState(Generic[T]):
    """A value of type `kind` in the file at `path`; None keeps it until the end of the program. `secret`:
    only the file's owner may read it."""

    def __init__(self, path: Path | None, kind: type[T], *, secret: bool = False) -> None:
        self.path = path
        self._kind = kind
        self._mode = files.SECRET_MODE if secret else files.MODE
        self._failed = False

    def load(self) -> T | None:
        """The kept value; None without one, or if it cannot be read. A damaged file is put aside."""
        if self.path is None:
            return None
        try:
            return files.read_sealed(self.path, self._kind)
        except OSError as error:
            log.warning("%s is left aside: it cannot be read (%s).", self.path, cause_of(error))
        except ValueError:
            try:
                log.warning("%s was damaged; it is kept as %s.", self.path, paths.put_aside(self.path).name)
            except OSError as error:
                log.warning("%s is damaged, and cannot be put aside (%s).", self.path, cause_of(error))
        return None

    def save(self, value: T) -> bool:
        """Keep a value; True if that worked. A failed write is logged once, until one succeeds."""
        try:
            self._write(value)
        except OSError as error:
            if not self._failed:
                log.warning("%s cannot be kept (%s); play goes on.", self.path, cause_of(error))
            self._failed = True
        else:
            self._failed = False
        return not self._failed

    def save_or_raise(self, value: T) -> None:
        """Keep a value. Raises `NotKept`."""
        try:
            self._write(value)
        except OSError as error:
            raise NotKept(
                f"{self.path} cannot be written ({cause_of(error)}); free some space, make its folder"
                " writable, or name another with COMPANION_HOME."
            ) from error

    def forget(self) -> None:
        """Delete the file. Raises `OSError`."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _write(self, value: T) -> None:
        if self.path is not None:
            files.write_sealed(self.path, value, mode=self._mode)
