"""Small files: written whole or not at all, and read as a type or not at all.

A fault in a TOML file, which a person may change, is reported with the file, the key and, if clear, the line:
`my-board.toml, line 12: “hand” must be a whole number from 1 to 20, not 0.`
"""

from __future__ import annotations

import errno
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import msgspec

from companion.errors import UserError
from companion.errors.causes import NOT_JSON, Key, cause_of, misfit
from companion.messages import Phrase

T = TypeVar("T")

MODE = 0o644

SECRET_MODE = 0o600
"""The permission bits of a file that only its owner may read."""

LARGEST_BYTES = 200_000
"""The maximum size of a data file: twice that of a drawing of 100 × 100 squares."""

LARGEST_TEXT_BYTES = 5_000_000
"""The maximum size of a file of lines, such as moves: that of 50 long matches."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors put it before a UTF-8 text."""

MOST_DOTS = 20


def write(path: Path, data: bytes, *, mode: int = MODE) -> None:
    """Write `data` to `path` so that a power cut leaves the old file or the new one, never a part.

    The bytes are written to a file beside it and synced to the disk, then renamed; the folder is synced too,
    so that the new name lasts. Missing folders are made. Raises `OSError`, and leaves the old file whole
    then.
    """
    make_folder(path.parent)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as beside:
        try:
            beside.write(data)
            beside.flush()
            os.fchmod(beside.fileno(), mode)
            os.fsync(beside.fileno())
            Path(beside.name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(beside.name).unlink()
            raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make `folder` and its missing parents, so that they survive a power cut. Raises `OSError`."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        sync_folder(made.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in `folder` to the disk. Raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: object, *, mode: int = MODE) -> None:
    """Write `value` as JSON, whole or not at all. Raises `OSError`."""
    write(path, msgspec.json.encode(value), mode=mode)


def read_json(path: Path, kind: type[T]) -> T | None:
    """The JSON file's value as `kind`; None without a file. Raises `OSError`, or `ValueError` if unfit."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    return _decoded(unmarked(data), kind)


def _decoded(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except NOT_JSON as error:
        # A ValueError in newer releases of msgspec alone.
        raise ValueError(str(error)) from error


_SEALED = re.compile(rb'\{"check":"([0-9a-f]{16})","kept":(.*)\}', re.DOTALL)
"""A value as `write_sealed` writes it, with the check on its text."""


def write_sealed(path: Path, value: object, *, mode: int = MODE) -> None:
    """Write `value` as JSON with a check on it, whole or not at all. Raises `OSError`."""
    text = msgspec.json.encode(value)
    write(path, b'{"check":"%s","kept":%s}' % (_check(text), text), mode=mode)


def read_sealed(path: Path, kind: type[T]) -> T | None:
    """The value that `write_sealed` wrote; None without a file. Raises `OSError`, `ValueError` if damaged."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    sealed = _SEALED.fullmatch(data)
    if sealed is None or sealed[1] != _check(sealed[2]):
        raise ValueError("it is not as it was written")
    return _decoded(sealed[2], kind)


def _check(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).hexdigest().encode()


def unmarked(data: bytes) -> bytes:
    """The bytes of a text, without any byte-order mark."""
    return data.removeprefix(BYTE_ORDER_MARK)


def read_bytes(path: Path, *, most_bytes: int = LARGEST_TEXT_BYTES) -> bytes:
    """The bytes of a file of a person's own. Raises `OSError`, also for one of more than `most_bytes`."""
    try:
        with path.open("rb") as file:
            # A device may have no end, and its size says nothing.
            if os.fstat(file.fileno()).st_size <= most_bytes:
                data = file.read(most_bytes + 1)
                if len(data) <= most_bytes:
                    return data
    except ValueError as error:  # a name with NUL in it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from error
    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))


def read_text(path: Path) -> str:
    """A person's own text: UTF-8, byte-order mark or not. Raises `OSError`, `UnicodeDecodeError`."""
    return unmarked(read_bytes(path)).decode("utf-8")


class FileFault(UserError):
    """A fault in a file's text: the text's origin, the line if known, and what is wrong."""

    def __init__(self, origin: Phrase | str, line: int | None, fault: Phrase | str) -> None:
        super().__init__(origin, line, fault)
        self.origin, self.line, self.fault = origin, line, fault

    def says(self, language: str = "en") -> str:
        line = {} if self.line is None else {"line": self.line}
        key = "file-fault.at-line" if line else "file-fault.somewhere"
        return Phrase(key, {"origin": self.origin, "fault": self.fault, **line}).says(language)

    def __str__(self) -> str:
        return self.says()


class TomlText(msgspec.Struct, frozen=True):
    """The text of a TOML file; `origin` begins the sentence of each fault in it."""

    text: str
    origin: Phrase | str

    @classmethod
    def from_file(cls, path: Path, *, most_bytes: int = LARGEST_BYTES) -> TomlText:
        """The text of the file at `path`: UTF-8, with or without a byte-order mark. Raises `UserError` if it
        cannot be read, is not text, or has more than `most_bytes`."""
        try:
            with path.open("rb") as file:
                data = file.read(most_bytes + 1)
            text = unmarked(data).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{path} cannot be read: {cause_of(error)}.") from error
        if len(data) > most_bytes:
            raise UserError(f"{path} is too large; {most_bytes} bytes are the most.")
        return cls(text, str(path))

    def values(self) -> dict[str, Any]:
        """The values by key. Raises `FileFault` with the line that is not TOML."""
        try:
            return tomllib.loads(_undotted(self.text))
        except (ValueError, RecursionError) as error:
            raise FileFault(self.origin, None, cause_of(error)) from error

    def convert(self, values: Mapping[str, Any], kind: type[T]) -> T:
        """`values`, which come from this text, as `kind`. Raises `FileFault` with the line."""
        try:
            return msgspec.convert(values, kind)
        except msgspec.ValidationError as error:
            key, fault = misfit(kind, values)
            raise self.error(fault, *key) from error

    def parse(self, kind: type[T]) -> T:
        """The values as `kind`. Raises `FileFault` with the line at fault."""
        return self.convert(self.values(), kind)

    def error(self, fault: Phrase | str, *key: str | int) -> FileFault:
        """The error for a fault at `key`, or at the table around it if the text has no such key."""
        return FileFault(self.origin, find_line(self.text, key), fault)


HEADER = re.compile(r"""\s*\[\[?([\w."' -]+)\]\]?\s*(?:#.*)?""")
ENTRY = re.compile(r"""\s*(["']?)([\w-]+)\1\s*=.*""")
"""Lines of a TOML text that begin a table, and a value in it."""


def find_line(text: str, key: Key) -> int | None:
    """The line, from 1, of the value at `key` in a TOML text, or of what is around it; None if not clear. A
    plain search, which does not look into values."""
    names = tuple(part for part in key if isinstance(part, str))
    table: Key = ()
    lines: dict[Key, list[int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.fullmatch(line):
            table = tuple(part.strip(" \"'") for part in header[1].split("."))
            lines.setdefault(table, []).append(number)
        elif entry := ENTRY.fullmatch(line):
            lines.setdefault((*table, entry[2]), []).append(number)
    places = (lines.get(names[:depth], ()) for depth in range(len(names), 0, -1))
    return next((place[0] for place in places if len(place) == 1), None)


def _undotted(text: str) -> str:
    """The text. Raises `RecursionError` for a key of many dots: Python's reader takes a minute for 50,000."""
    for line in text.split("\n"):
        if line.count(".") > MOST_DOTS:
            unquoted = re.split(r"[\"']", "".join(line.split()))[::2]
            keys = (key for part in unquoted for key in re.split(r"[\[\]{},=#]", part))
            if any(".." not in key and key.count(".") > MOST_DOTS for key in keys):
                raise RecursionError(MOST_DOTS)
    return text
