"""The game's data files: boards, bags, dice. Those that come with the game go by their name, those of a
person by their path."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from companion.errors import MendableError

FOLDER = Path(__file__).parent / "data"


class Data(Protocol):
    """What a data file is read as."""

    def faults(self) -> Iterator[str]:
        """What does not fit together, a sentence's end each."""


D = TypeVar("D", bound=Data)


def kept(given: str, what: str) -> str:
    """The option `what` as a match keeps it: the path of a file of one's own becomes the file's text, so
    that the match can be replayed when the file has changed. Raises `MendableError`."""
    if "\n" in given or not given.endswith(".toml"):
        return given
    path = Path(given).expanduser()
    try:
        return f"{path.read_text('utf-8')}\n"
    except (OSError, UnicodeDecodeError) as error:
        raise MendableError(f"The file {path} for the option {what} cannot be read ({error}).") from error


def read(given: str, folder: str, what: str, kind: type[D]) -> D:
    """What the option `what` means: the name of a file in `folder`, or a file's text.

    Raises `MendableError` when there is none of that name, or when it cannot be used.
    """
    if "\n" in given:
        return _parsed(given, f"The {what} kept with this match", kind)
    names = sorted(path.stem for path in (FOLDER / folder).glob("*.toml"))
    if given not in names:
        raise MendableError(
            f"There is no {what} {given!r} of Chop! Chop!; take one of {', '.join(names)}, "
            "or give the path of a file ending in .toml."
        )
    return _parsed((FOLDER / folder / f"{given}.toml").read_text("utf-8"), f"The {what} {given}", kind)


def _parsed(text: str, which: str, kind: type[D]) -> D:
    try:
        made = msgspec.convert(tomllib.loads(text), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise MendableError(f"{which} cannot be used: {error}.") from error
    for fault in made.faults():
        raise MendableError(f"{which} cannot be used: {fault}.")
    return made
