"""Small files: written whole or not at all, and read as a type or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

import msgspec

T = TypeVar("T")

MODE = 0o644
"""The permission bits of a file that is no secret."""

SECRET_MODE = 0o600
"""The permission bits of a file that only its owner may read."""


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What some editors put before a text in UTF-8; it is no part of the text."""


def unmarked(data: bytes) -> bytes:
    """The bytes of a text without a byte-order mark."""
    return data.removeprefix(BYTE_ORDER_MARK)


def read_text(path: Path) -> str:
    """A text that a person may have edited: in UTF-8, with a byte-order mark or without.

    Raises `OSError` and `UnicodeDecodeError`.
    """
    return unmarked(path.read_bytes()).decode("utf-8")


def write(path: Path, data: bytes, *, mode: int = MODE) -> None:
    """Write `data` to `path` so that a power cut leaves the old file or the new one, never a part.

    The bytes go to a file beside it, are synced to the disk, and take the name; then the folder is synced, so
    that the name lasts too. Missing folders are made. Raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as beside:
        try:
            beside.write(data)
            beside.flush()
            os.fchmod(beside.fileno(), mode)
            os.fsync(beside.fileno())
            Path(beside.name).replace(path)
        except BaseException:
            Path(beside.name).unlink(missing_ok=True)
            raise
    sync_folder(path.parent)


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
    """The value that the JSON file `path` holds, as `kind`; None where there is no such file.

    Raises `OSError` where it cannot be read and `msgspec.MsgspecError` where it is not of that kind.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    return msgspec.json.decode(unmarked(data), type=kind)
