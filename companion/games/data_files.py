"""The data files of games: boards, bags, dice, sets of cards. Those that come with a game go by their name,
those of a person by the path of a TOML file; a match keeps the text of the latter, so that it can be replayed
when the file has changed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from companion.errors import MendableError, cause_of
from companion.files import read_text


class Data(Protocol):
    """What a data file is read as."""

    def faults(self) -> Iterator[str]:
        """What does not fit together, a sentence's end each."""


D = TypeVar("D", bound=Data)


def is_own_file(given: str) -> bool:
    """Whether an option's value is the path of a file of one's own."""
    return "\n" not in given and given.endswith(".toml")


def kept(given: str, called: str) -> str:
    """An option as a match keeps it: the path of a file of one's own becomes the file's text.

    `called` names the file in a sentence, with `{path}` in it. Raises `MendableError`.
    """
    if not is_own_file(given):
        return given
    path = Path(given).expanduser()
    try:
        return f"{read_text(path)}\n"
    except (OSError, UnicodeDecodeError) as error:
        raise MendableError(f"{called.format(path=path)} cannot be read: {cause_of(error)}.") from error


def read(given: str, game: str, folder: Path, what: str, kind: type[D]) -> D:
    """What an option of a game means: the name of a file in `folder`, or a file's text.

    Raises `MendableError` when there is none of that name, or when it cannot be used.
    """
    if "\n" in given:
        return parsed(given, f"The {what} kept with this match", kind)
    return parsed(that_comes_with(game, folder, what, given), f"The {what} {given}", kind)


def that_comes_with(game: str, folder: Path, what: str, name: str) -> str:
    """The text of the file of that name in `folder`. Raises `MendableError`, which names those there are."""
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if name not in names:
        raise MendableError(
            f"There is no {what} {name!r} of {game}; take one of {', '.join(names)}, "
            "or give the path of a file ending in .toml."
        )
    return (folder / f"{name}.toml").read_text("utf-8")


def parsed(text: str, which: str, kind: type[D]) -> D:
    """What a file's text says; `which` begins the sentence of a fault. Raises `MendableError`."""
    given: object = None
    try:
        given = tomllib.loads(text)
        made = msgspec.convert(given, kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise MendableError(f"{which} cannot be used: {cause_of(error, kind, given)}.") from error
    for fault in made.faults():
        raise MendableError(f"{which} cannot be used: {fault}.")
    return made
