"""The data files of games: boards, bags, dice, tile sets, sets of cards.

An option names such a file in one of three ways: by the name of a file that comes with the game (`classic`),
by the path of a file of a person's own (ending in `.toml`), or by the file's text itself. A match keeps the
text of a person's own file, so that it can be replayed when the file has changed or is gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from companion.errors import TableError
from companion.files import LARGEST_BYTES, FileFault, Key, TomlText
from companion.messages import Fact, Phrase


class Fault(NamedTuple):
    """What does not fit together in a data file: a sentence's end, and the key where it stands.

    `entry` is the value at fault where `key` leads to a list that holds it. A `slip` is refused only in a new
    match: a match that is kept was played with it, and still opens.
    """

    says: Phrase | str
    key: Key = ()
    entry: object = None
    slip: bool = False


def out_of_bounds(key: str, least: int, most: int, given: int) -> Phrase:
    """What is wrong with a number at `key` that is not `least` to `most`."""
    return Phrase("data.must-be", {"field": key, "least": least, "most": most, "given": given})


def too_long(key: str, most: int) -> Phrase:
    """What is wrong with a drawing at `key` with a side of more than `most` squares."""
    return Phrase("data.side-too-long", {"field": key, "most": most})


class Data(Protocol):
    """What a data file is read as."""

    def faults(self) -> Iterator[Fault]:
        """What does not fit together."""


class Tool(NamedTuple):
    """A sign to draw squares with; the game's messages call it `draw.<name>`."""

    sign: str
    name: str

    @property
    def key(self) -> str:
        """The key of its name in the game's messages."""
        return f"draw.{self.name}"


class Drawable(NamedTuple):
    """A data file whose main part is a drawing of squares, so that a person can make one on a page.

    `drawing` is the drawing's key in the file, which is read as `kind`. `folder` has the files that come with
    the game. `blends` says what becomes of a sign over which another is drawn: by the two signs, the one
    that was there first. `write` gives the text of a file from its name, its rows, and
    the text from which it was drawn (empty for none), whose other keys stay. `numbered`: each square
    shows its number, row by row.
    """

    kind: type[Any]
    folder: Path
    drawing: str
    tools: tuple[Tool, ...]
    write: Callable[[str, tuple[str, ...], str], str]
    blends: Mapping[str, str] = {}
    numbered: bool = False

    def read(self, file: DataFile) -> tuple[str, ...]:
        """The drawing in a file. Raises `MendableError` naming the line at fault."""
        rows: tuple[str, ...] = getattr(file.parse(self.kind), self.drawing)
        return rows


class Number(NamedTuple):
    """A number of a data file: its key, the key of its name in the game's messages, its bounds, its value.

    `group` is what those that stand together are called (a key of the messages too); `adds`: they add up.
    """

    key: str
    label: str
    least: int
    most: int
    value: int
    group: str
    adds: bool = False


class Countable(NamedTuple):
    """A data file of numbers, so that a person can set each on a page.

    The file is read as `kind`; `folder` has the files that come with the game. `numbers` are those of what
    was read, and `write` gives the text of a file from its numbers by key.
    """

    kind: type[Any]
    folder: Path
    numbers: Callable[[Any], tuple[Number, ...]]
    write: Callable[[Mapping[str, int]], str]

    def read(self, file: DataFile) -> tuple[Number, ...]:
        """The numbers in a file. Raises `MendableError` naming the line at fault."""
        return self.numbers(file.parse(self.kind))


class Scripted(NamedTuple):
    """A data file that a script of the game's own edits on a page, as the text of the file.

    `kind`, `folder`: as of `Drawable`. `parse` gives what a file holds, for the script, and raises
    `MendableError` for a file that the game does not take. `script` is a file in the game's folder.
    """

    kind: type[Any]
    folder: Path
    parse: Callable[[DataFile], Any]
    script: str

    def read(self, file: DataFile) -> Any:
        """What a file holds. Raises `MendableError`."""
        return self.parse(file)


Editable = Drawable | Countable | Scripted
"""A data file that people make on a page."""

PICTURE = re.compile(r"""\bpicture = "([0-9a-f]{16})\"""")
"""Where a data file names a picture that is kept beside it."""

PICTURES = "\n[pictures]\n"
"""What begins the last part of a file that is shared: the pictures that it names, each as base64."""


def without_pictures(text: str) -> str:
    """The text of a file without the pictures that were put into it when it was shared."""
    return text.partition(PICTURES)[0]


D = TypeVar("D", bound=Data)


class DataFile(msgspec.Struct, frozen=True):
    """A data file: its text, and a short name."""

    toml: TomlText
    name: str

    def parse(self, kind: type[D], *, slips: bool = False) -> D:
        """The contents as `kind`. Raises `MendableError` naming the line of the first fault.

        With `slips`, those that a match can be played with pass.
        """
        data = self.toml.parse(kind)
        for fault in data.faults():
            if not (slips and fault.slip):
                raise self.error(fault)
        return data

    def error(self, fault: Fault) -> FileFault:
        """The error for a fault, naming its line."""
        values: Any = self.toml.values()
        for part in fault.key if fault.entry is not None else ():
            values = values[part]
        place = () if fault.entry is None else (values.index(fault.entry),)
        return self.toml.error(fault.says, *fault.key, *place)


def is_own_file(given: str) -> bool:
    """Whether an option's value is the path of a person's own file."""
    return "\n" not in given and given.endswith(".toml")


def own_file(given: str, *, most_bytes: int = LARGEST_BYTES) -> DataFile:
    """A person's own file, by its path. Raises `MendableError` where it cannot be read."""
    path = Path(given).expanduser()
    return DataFile(TomlText.read(path, most_bytes=most_bytes), path.stem)


def names(folder: Path) -> list[str]:
    """The names of the files that come with a game in `folder`."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def find(given: str, folder: Path, what: str) -> DataFile:
    """The file that an option's value means; `what` is the option's name for it (`board`).

    Raises `MendableError` where there is none.
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
    return DataFile(TomlText.read(folder / f"{given}.toml"), given)


def read(given: str, folder: Path, what: str, kind: type[D]) -> D:
    """What an option's value means, as `kind`; a text is that of a match, which may be kept with slips in it.

    Raises `MendableError` naming the line at fault.
    """
    return find(given, folder, what).parse(kind, slips="\n" in given)


def kept(given: str, what: str, kind: type[Data]) -> str:
    """An option's value as a new match keeps it: the path of a person's own file becomes the file's text.

    `what` is the option's name for it. Raises `MendableError` naming that file, and the line where it, or a
    text given instead of it, cannot be read as `kind`.
    """
    if "\n" not in given and not is_own_file(given):
        return given
    file = find(given, Path(), what)
    file.parse(kind)
    return given if "\n" in given else text_to_keep(file, named="name" in kind.__annotations__)


def text_to_keep(file: DataFile, *, named: bool) -> str:
    """The text of a person's own file; where it is `named` and has no name, the file's becomes its name."""
    text = file.toml.text
    if not named or "name" in file.toml.values():
        return f"{text}\n"
    return f"name = {msgspec.json.encode(file.name).decode()}\n{text}\n"


def drawing_faults(key: Key, rows: tuple[str, ...], signs: str) -> Iterator[Fault]:
    """The faults of a drawing at `key`: no squares, an unknown sign, rows of different lengths.

    Rows and places are counted from 1.
    """
    name = ".".join(map(str, key))
    if not rows or not rows[0]:
        yield Fault(Phrase("data.no-squares", {"name": name}), key)
        return
    for number, row in enumerate(rows, start=1):
        for place, sign in enumerate(row, start=1):
            if sign not in signs:
                facts: dict[str, Fact] = {
                    "row": number,
                    "name": name,
                    "sign": repr(sign),
                    "place": place,
                    "signs": " ".join(signs),
                }
                yield Fault(Phrase("data.unknown-sign", facts), (*key, number - 1))
        if len(row) != len(rows[0]):
            facts = {"row": number, "name": name, "squares": len(row), "first": len(rows[0])}
            yield Fault(Phrase("data.row-length", facts), (*key, number - 1))


def drawing_text(key: str, rows: Iterable[str], **others: str) -> str:
    """The text of a data file: a drawing at `key`, after the `others`, each a text by its key."""
    heads = "".join(f"{name} = {msgspec.json.encode(value).decode()}\n" for name, value in others.items())
    lines = "".join(f"  {msgspec.json.encode(row).decode()},\n" for row in rows)
    return f"{heads}{key} = [\n{lines}]\n"
