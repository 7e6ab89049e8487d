"""The data files of games: boards, bags, dice, tile sets, sets of cards.

An option names a data file by the name of one that comes with the game (`classic`), by the path of a person's
own file (ending in `.toml`), or by the file's text. A match keeps the text of a person's own file, so that it
can be replayed when the file has changed or is gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from companion.errors import TableError
from companion.errors.causes import Key
from companion.files import LARGEST_BYTES, FileFault, TomlText
from companion.messages import Fact, Phrase


class Fault(NamedTuple):
    """A fault in a data file: the end of a sentence, and the key at fault."""

    says: Phrase | str
    key: Key = ()


def out_of_bounds(key: str, least: int, most: int, given: int) -> Phrase:
    """The fault of a number at `key` that is not from `least` to `most`."""
    return Phrase("data.must-be", {"field": key, "least": least, "most": most, "given": given})


def too_long(key: str, most: int) -> Phrase:
    """The fault of a drawing at `key` with a side of more than `most` squares."""
    return Phrase("data.side-too-long", {"field": key, "most": most})


class Data(Protocol):
    """The type of a data file's contents."""

    def faults(self) -> Iterator[Fault]:
        """Yield each fault."""


class Tool(NamedTuple):
    """A sign to draw squares with; the game's messages call it `draw.<name>`."""

    sign: str
    name: str

    @property
    def key(self) -> str:
        """The key of its name in the game's messages."""
        return f"draw.{self.name}"


class Drawable(NamedTuple):
    """A data file whose main part is a drawing of squares that people can make on a page.

    `drawing`: its key in the file, which is read as `kind`. `folder`: the files that come with the game.
    `write` gives the text of a file from its name, its rows, and the text from which it was drawn (empty if
    it is new), whose other keys stay. `blends`: the sign that results when one sign is drawn over another, by
    both signs, the older first. `numbered` squares show their number, row by row.
    """

    kind: type[Any]
    folder: Path
    drawing: str
    tools: tuple[Tool, ...]
    write: Callable[[str, tuple[str, ...], str], str]
    blends: Mapping[str, str] = {}
    numbered: bool = False

    def contents(self, file: DataFile) -> tuple[str, ...]:
        """The drawing in a file. Raises `UserError` with the line at fault."""
        rows: tuple[str, ...] = getattr(file.parse(self.kind), self.drawing)
        return rows


class Number(NamedTuple):
    """A number of a data file: its key, the key of its name in the game's messages, its bounds, its value.

    `group`: the key of the heading over it. `adds`: its group's sum is shown.
    """

    key: str
    label: str
    least: int
    most: int
    value: int
    group: str
    adds: bool = False


class Countable(NamedTuple):
    """A data file of numbers that people can set on a page.

    The file is read as `kind`; `folder` has the files that come with the game. `numbers` lists the numbers of
    its contents; `write` gives the text of a file from its numbers by key.
    """

    kind: type[Any]
    folder: Path
    numbers: Callable[[Any], tuple[Number, ...]]
    write: Callable[[Mapping[str, int]], str]

    def contents(self, file: DataFile) -> tuple[Number, ...]:
        """The numbers in a file. Raises `UserError` with the line at fault."""
        return self.numbers(file.parse(self.kind))


class Scripted(NamedTuple):
    """A data file that people edit on a page with a script of the game's own, which works on its text.

    `kind` and `folder`: see `Drawable`. `parse` gives the contents of a file to the script, and raises
    `UserError` for an invalid file. `script`: a file in the game's folder.
    """

    kind: type[Any]
    folder: Path
    parse: Callable[[DataFile], Any]
    script: str

    def contents(self, file: DataFile) -> Any:
        """The contents of a file. Raises `UserError`."""
        return self.parse(file)


Editable = Drawable | Countable | Scripted

PICTURE = re.compile(r"""\bpicture = "([0-9a-f]{16})\"""")
"""The name of a picture kept beside a data file."""

PICTURES = "\n[pictures]\n"
"""The head of the last part of a shared file: its pictures as base64."""


def without_pictures(text: str) -> str:
    """The text of a shared file without its pictures."""
    return text.partition(PICTURES)[0]


D = TypeVar("D", bound=Data)


class DataFile(msgspec.Struct, frozen=True):
    """A data file: its text, and a short name."""

    toml: TomlText
    name: str

    def parse(self, kind: type[D]) -> D:
        """The contents as `kind`. Raises `UserError` with the line of the first fault."""
        data = self.toml.parse(kind)
        for fault in data.faults():
            raise self.error(fault)
        return data

    def kept_text(self, kind: type[Any]) -> str:
        """A match's text of a person's own file of this `kind`.

        If it can have a name but has none, it gets the file's.
        """
        text = self.toml.text
        if "name" not in kind.__annotations__ or "name" in self.toml.values():
            return f"{text}\n"
        return f"name = {msgspec.json.encode(self.name).decode()}\n{text}\n"

    def error(self, fault: Fault) -> FileFault:
        """The error for a fault, with its line."""
        return self.toml.error(fault.says, *fault.key)


def is_own_file(given: str) -> bool:
    """True for the path of a person's own file."""
    return "\n" not in given and given.endswith(".toml")


def own_file(given: str, *, most_bytes: int = LARGEST_BYTES) -> DataFile:
    """A person's own file, by its path. Raises `UserError` if it cannot be read."""
    path = Path(given).expanduser()
    return DataFile(TomlText.from_file(path, most_bytes=most_bytes), path.stem)


def names(folder: Path) -> list[str]:
    """The names of the files that come with a game in `folder`."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def find(given: str, folder: Path, what: str) -> DataFile:
    """The file that an option's value names; `what` is the word for it (`board`).

    Raises `UserError` for an unknown name.
    """
    if "\n" in given:
        if len(given.encode()) > LARGEST_BYTES:
            raise TableError("long-text", what=what, most=LARGEST_BYTES)
        return DataFile(TomlText(given, Phrase("data.of-a-match", {"what": what})), "own")
    if is_own_file(given):
        return own_file(given)
    there = names(folder)
    if given not in there:
        raise TableError("no-file", what=what, name=repr(given), names=", ".join(there))
    return DataFile(TomlText.from_file(folder / f"{given}.toml"), given)


def read(given: str, folder: Path, what: str, kind: type[D]) -> D:
    """The contents of the file that an option's value names. Raises `UserError` with the line at fault."""
    return find(given, folder, what).parse(kind)


def drawing_faults(key: Key, rows: tuple[str, ...], signs: str) -> Iterator[Fault]:
    """Faults of a drawing at `key`: no squares, an unknown sign, rows of different lengths."""
    name = ".".join(map(str, key))
    if not rows or not rows[0]:
        yield Fault(Phrase("data.no-squares", {"name": name}), key)
        return
    for number, row in enumerate(rows, start=1):
        where: dict[str, Fact] = {"row": number, "name": name}
        for place, sign in enumerate(row, start=1):
            if sign not in signs:
                facts = {**where, "sign": repr(sign), "place": place, "signs": " ".join(signs)}
                yield Fault(Phrase("data.unknown-sign", facts), key)
        if len(row) != len(rows[0]):
            facts = {**where, "squares": len(row), "first": len(rows[0])}
            yield Fault(Phrase("data.row-length", facts), key)


def drawing_text(key: str, rows: Iterable[str], **others: str) -> str:
    """The text of a data file: a drawing at `key`, after the `others`, each a text by its key."""
    heads = "".join(f"{name} = {msgspec.json.encode(value).decode()}\n" for name, value in others.items())
    lines = "".join(f"  {msgspec.json.encode(row).decode()},\n" for row in rows)
    return f"{heads}{key} = [\n{lines}]\n"
