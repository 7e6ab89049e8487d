"""Small files: written whole or not at all, and read as a type or not at all.

Data that a person may change is in TOML files. A fault in one is reported with the file and the line:
`my-board.toml, line 12: “hand” must be a whole number from 1 to 20, not 0.`
"""

from __future__ import annotations

import errno
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.errors import MendableError
from companion.errors.causes import NOT_JSON, cause_of, place_of
from companion.messages import Phrase

T = TypeVar("T")

MODE = 0o644
"""The permission bits of an ordinary file."""

SECRET_MODE = 0o600
"""The permission bits of a file that only its owner may read."""

LARGEST_BYTES = 200_000
"""The maximum size of a data file: twice that of a drawing of 100 × 100 squares with all comments."""

LARGEST_TEXT_BYTES = 5_000_000
"""The maximum size of a file of lines, such as moves: that of 50 matches of 1,000 moves."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The mark that some editors put before a UTF-8 text; it is not part of the text."""

MOST_DOTS = 20
"""Dots of a key in a TOML file, at most."""

TOKENS = re.compile(
    r'''
    """ (?: \\. | [^\\] )*? "{3,5}
    | \'\'\' .*? '{3,5}
    | " (?: \\. | [^"\\] )* "
    | ' [^']* '
    | \# [^\n]*
    | [\[\]{},=]
    | [^\s\[\]{},=\#"']+
    ''',
    re.DOTALL | re.VERBOSE,
)
"""The words of a statement: a text, a comment, a sign, or anything else up to the next of these."""


DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}
"""How many levels deeper a sign of TOML leads."""

Key = tuple[str | int, ...]
"""The path to a value in a TOML file: names of keys, and indices of lists from 0."""


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
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.parent)


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
    """The value in the JSON file `path`, as `kind`; None if there is no such file.

    Raises `OSError` if it cannot be read, and `ValueError` if it is not of that kind.
    """
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
    """The value that `write_sealed` wrote, as `kind`; None if there is no such file.

    A file from before the check is read as well. Raises `OSError` if it cannot be read, and `ValueError` if
    it is damaged.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    sealed = _SEALED.fullmatch(data)
    if sealed is not None and sealed[1] == _check(sealed[2]):
        data = sealed[2]
    elif not {"check", "kept"}.isdisjoint(_decoded(data, dict[str, Any])):
        raise ValueError("it is not as it was written")
    return _decoded(data, kind)


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
    """A text that a person may have edited: UTF-8, with or without a byte-order mark.

    Raises `OSError` and `UnicodeDecodeError`.
    """
    return unmarked(read_bytes(path)).decode("utf-8")


class FileFault(MendableError):
    """A fault in a file's text: the text's origin, the line if known, and what is wrong."""

    def __init__(self, origin: Phrase | str, line: int | None, fault: Phrase | str) -> None:
        super().__init__(origin, line, fault)
        self.origin, self.line, self.fault = origin, line, fault

    def says(self, language: str = "en") -> str:
        """The fault as one sentence, in `language` (a key of `messages.LANGUAGES`)."""
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
    def read(cls, path: Path, *, most_bytes: int = LARGEST_BYTES) -> TomlText:
        """The text of the file at `path`: UTF-8, with or without a byte-order mark.

        Raises `MendableError` if it cannot be read, is not text, or has more than `most_bytes`.
        """
        try:
            with path.open("rb") as file:
                data = file.read(most_bytes + 1)
            text = unmarked(data).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise MendableError(f"{path} cannot be read: {cause_of(error)}.") from error
        if len(data) > most_bytes:
            raise MendableError(f"{path} is too large; {most_bytes} bytes are the most.")
        return cls(text, str(path))

    def values(self) -> dict[str, Any]:
        """The values by key. Raises `FileFault` with the line that is not TOML."""
        try:
            return tomllib.loads(_undotted(self.text))
        except tomllib.TOMLDecodeError as error:
            raise FileFault(self.origin, None, cause_of(error)) from error
        except RecursionError as error:
            raise FileFault(self.origin, None, Phrase("cause.too-deep")) from error
        except ValueError as error:
            raise FileFault(self.origin, None, Phrase("cause.too-many-digits")) from error

    def convert(self, values: Mapping[str, Any], kind: type[T]) -> T:
        """`values`, which come from this text, as `kind`. Raises `FileFault` with the line."""
        try:
            return msgspec.convert(values, kind)
        except msgspec.ValidationError as error:
            raise self.error(cause_of(error, kind, values), *place_of(error, kind, values)) from error

    def parse(self, kind: type[T]) -> T:
        """The values as `kind`. Raises `FileFault` with the line at fault."""
        return self.convert(self.values(), kind)

    def error(self, fault: Phrase | str, *key: str | int) -> FileFault:
        """The error for a fault at `key`, or at the table around it if the text has no such key."""
        return FileFault(self.origin, line_of(self.text, key), fault)


def line_of(text: str, key: Key) -> int | None:
    """The line, from 1, on which the value at `key` begins in a TOML text, an entry of a list included.

    Without such a key, the line of the innermost table around it; None if that is the whole file.
    """
    deepest, line = 0, None
    table: Key = ()
    counts: dict[Key, int] = {}
    for at, statement in _statements(text):
        inside: Key = ()
        if statement.lstrip().startswith("["):
            table = _header(statement, counts)
            depth = _agreeing(table, key)
        else:
            inside = key[len(table) :]
            depth = _depth(tomllib.loads(statement), inside) if key[: len(table)] == table else 0
            depth += len(table) if depth else 0
        if depth > deepest:
            deepest, line = depth, at + _lines_into(statement, inside)
    return line


def _undotted(text: str) -> str:
    """The text, if no key in it is dotted beyond measure. Raises `RecursionError`.

    Python's reader takes a minute for a key of 50,000 parts.
    """
    for line in text.split("\n"):
        if line.count(".") > MOST_DOTS:
            unquoted = re.split(r"[\"']", "".join(line.split()))[::2]
            keys = (key for part in unquoted for key in re.split(r"[\[\]{},=#]", part))
            if any(".." not in key and key.count(".") > MOST_DOTS for key in keys):
                raise RecursionError(MOST_DOTS)
    return text


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each header and each `key = value` of a TOML text, with its first line; a value may span several."""
    depth = start = end = first = 0
    for token, line, at in _tokens(text):
        if depth == 0 and end > start and "\n" in text[end:at]:
            yield first, text[start:end]
            start = end
        if end <= start:
            start, first = at, line + 1
        depth += DEEPER.get(token, 0)
        end = at + len(token)
    if end > start:
        yield first, text[start:end]


def _header(statement: str, counts: dict[Key, int]) -> Key:
    """The key of a `[table]`, or of the next item of a `[[list of tables]]`, which `counts` counts."""
    key: Key = ()
    inner: Any = tomllib.loads(statement)
    while isinstance(inner, dict) and inner:
        name, inner = next(iter(inner.items()))
        key = (*key, name)
        if isinstance(inner, list):
            counts[key] = counts.get(key, 0) + 1
        if key in counts:
            key = (*key, counts[key] - 1)
    return key


def _agreeing(one: Key, other: Key) -> int:
    """The number of parts that two keys share if one begins with the other; 0 otherwise."""
    parts = min(len(one), len(other))
    return parts if one[:parts] == other[:parts] else 0


def _depth(values: Any, key: Key) -> int:
    """The number of parts of `key` that lead to a value in `values`."""
    for depth, part in enumerate(key):
        try:
            values = values[part]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(key)


class Token(NamedTuple):
    """A word of a TOML text, how many lines stand before it, and its place in the text."""

    text: str
    line: int
    at: int


def _lines_into(statement: str, key: Key) -> int:
    """How many lines into a `key = value` the value at `key` begins; as near as it can be followed there."""
    if "\n" not in statement:
        return 0
    tokens = [Token("{", 0, 0), *_tokens(statement), Token("}", 0, 0)]
    at = 0
    rest = key
    while rest:
        entry = _entry(tokens, at, rest)
        if entry is None:
            break
        at, rest = entry
    return tokens[at].line


def _tokens(text: str) -> Iterator[Token]:
    """The words of a TOML text, comments left out."""
    line = end = 0
    for match in TOKENS.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        if not match[0].startswith("#"):
            yield Token(match[0], line, match.start())


def _entry(tokens: Sequence[Token], at: int, key: Key) -> tuple[int, Key] | None:
    """The place of the entry that `key` begins with, in the list or table that begins at `at`, and the rest
    of `key`; None where there is none."""
    sign = tokens[at].text
    if sign == "[":
        for number, value in enumerate(_values(tokens, at)):
            if number == key[0]:
                return value, key[1:]
    if sign == "{":
        for name, value in _named_values(tokens, at):
            if key[: len(name)] == name:
                return value, key[len(name) :]
    return None


def _values(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """The places of a list's entries."""
    at += 1
    while tokens[at].text != "]":
        yield at
        at = _behind(tokens, at)


def _named_values(tokens: Sequence[Token], at: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """The keys of a table, part by part, and the places of their values."""
    at += 1
    while tokens[at].text != "}":
        name = ""
        while tokens[at].text != "=":
            name += tokens[at].text
            at += 1
        yield _parts(name), at + 1
        at = _behind(tokens, at + 1)


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a dotted key."""
    parts: list[str] = []
    inner = tomllib.loads(f"{name} = 0")
    while isinstance(inner, dict):
        part, inner = next(iter(inner.items()))
        parts.append(part)
    return tuple(parts)


def _behind(tokens: Sequence[Token], at: int) -> int:
    """The place behind a value and the comma after it."""
    depth = 0
    while depth or tokens[at].text not in (",", "]", "}"):
        depth += DEEPER.get(tokens[at].text, 0)
        at += 1
    return at + (tokens[at].text == ",")
