"""Reading the files that a person may edit (beds, tile sets), with one sentence for each fault.

An option names such a file in one of three ways: by the name of a file that comes with the game
(`b`), by the path of a file of one's own (ending in `.toml`), or as the file's text itself. A match
keeps the text of one's own file, so that it can be replayed when the file has changed or is gone.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.errors import MendableError, cause_of
from companion.files import unmarked
from companion.games.data_files import is_own_file

DATA = Path(__file__).with_name("data")

NAMED = re.compile(r"^\s*name\s*=", re.MULTILINE)
"""A file that says what it is called."""

LARGEST_FILE_BYTES = 200_000
"""More than a drawing of 100 × 100 squares with every comment one could wish for."""

T = TypeVar("T")


class Source(msgspec.Struct, frozen=True):
    """A data file's text, what to call it in a sentence (`what`) and its short name."""

    text: str
    what: str
    name: str


def names(folder: str) -> list[str]:
    """The names of the files that come with the game in `data/<folder>`."""
    return sorted(path.stem for path in (DATA / folder).glob("*.toml"))


def find(folder: str, kind: str, given: str) -> Source:
    """The file that an option's value means. Raises `MendableError` when there is none."""
    if "\n" in given:
        return Source(given, f"The {kind} kept with this match", "own")
    if is_own_file(given):
        path = Path(given).expanduser()
        return Source(_read(path, kind), f"The {kind} file {path}", path.stem)
    if given not in names(folder):
        there = ", ".join(names(folder))
        raise MendableError(
            f"There is no {kind} {given!r}; take one of {there}, or give the path of a file ending in .toml."
        )
    path = DATA / folder / f"{given}.toml"
    return Source(_read(path, kind), f"The {kind} file {path.name}", given)


def kept(folder: str, kind: str, given: str) -> str:
    """An option's value as a match keeps it: the path of a file of one's own becomes the file's text."""
    if not is_own_file(given):
        return given
    source = find(folder, kind, given)
    named = "" if NAMED.search(source.text) else f"name = {msgspec.json.encode(source.name).decode()}\n"
    return f"{named}{source.text}\n"


def _read(path: Path, kind: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE_BYTES + 1)
        text = unmarked(raw).decode("utf-8")
    except OSError as error:
        raise MendableError(f"The {kind} file {path} cannot be read: {cause_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise MendableError(f"The {kind} file {path} is not text; save it as UTF-8.") from error
    if len(raw) > LARGEST_FILE_BYTES:
        raise MendableError(f"The {kind} file {path} is too large; {LARGEST_FILE_BYTES} bytes are the most.")
    return text


def parse(source: Source, into: type[T]) -> T:
    """The file's keys as a struct. Raises `MendableError` naming the line or the key at fault."""
    keys: Any = None
    try:
        keys = tomllib.loads(source.text)
        return msgspec.convert(keys, into)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise fault(source, str(cause_of(error, into, keys))) from error


def fault(source: Source, sentence: str) -> MendableError:
    """The error for a file that holds a fault."""
    return MendableError(f"{source.what} cannot be used: {sentence.rstrip('.')}.")


def check_drawing(source: Source, key: str, rows: tuple[str, ...], signs: str) -> None:
    """Check that a drawing has squares, that its rows are of one length and that each sign is known.

    Raises `MendableError` naming the first row (counted from 1) at fault.
    """
    if not rows or not rows[0]:
        raise fault(source, f"`{key}` has no squares; draw at least one row")
    for number, row in enumerate(rows, start=1):
        for place, sign in enumerate(row, start=1):
            if sign not in signs:
                raise fault(
                    source,
                    f"row {number} of `{key}` has a hole or an unknown sign {sign!r} at place {place}; "
                    f"the signs are {' '.join(signs)}",
                )
        if len(row) != len(rows[0]):
            raise fault(
                source,
                f"row {number} of `{key}` has {len(row)} squares, but row 1 has {len(rows[0])}; "
                "make every row as long",
            )
