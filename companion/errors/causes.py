"""Puts a library's error about a file, a text, a value or a database into a phrase of our own.

This is apart from the errors themselves, because `companion --help` needs those, but not msgspec.
"""

from __future__ import annotations

import errno
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from companion.messages import Fact, Phrase

NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises on a text that is not JSON, not of the type, or nested too deeply."""

OF_THE_SYSTEM = {
    errno.ENOENT: "no-such-file",
    errno.EISDIR: "a-folder",
    errno.ENOTDIR: "no-folder",
    errno.EACCES: "not-allowed",
    errno.EPERM: "not-allowed",
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EEXIST: "there-already",
    errno.EIO: "disk-broken",
    errno.ENAMETOOLONG: "name-too-long",
    errno.EFBIG: "too-large",
    errno.EBUSY: "in-use",
    errno.EADDRINUSE: "in-use",
    errno.EADDRNOTAVAIL: "no-such-address",
}
"""The meaning of the system's error numbers."""

OF_THE_DATABASE = {
    3: "not-allowed",
    5: "in-use",
    6: "in-use",
    8: "read-only",
    10: "disk-broken",
    11: "damaged",
    13: "disk-full",
    14: "cannot-open",
    26: "damaged",
}
"""The meaning of SQLite's primary result codes.

They are PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB, as numbers, because
reporting an error need not load SQLite.
"""

PRIMARY_CODE = 0xFF
"""The bits of an SQLite result code with its primary code."""

LONGEST_VALUE = 40
"""The maximum number of characters of a quoted value."""

KINDS = {
    "int": "whole",
    "float": "number",
    "str": "text",
    "bool": "yes-or-no",
    "array": "list",
    "object": "table",
    "null": "nothing",
}
"""msgspec's names of kinds of values, and our own."""


def cause_of(error: Exception, kind: Any = None, given: object = None) -> Phrase:
    """The meaning of a library's error (about a file, a text, a value, a database) in plain words.

    With `kind`, the intended type of `given`, the choices and bounds come from that type. The phrase can be
    said in any language; its `str()` is English.
    """
    if isinstance(error, msgspec.ValidationError):
        return _of_value(str(error), kind, given)
    if isinstance(error, OSError):
        number = error.errno or 0
        return (
            _cause(OF_THE_SYSTEM[number]) if number in OF_THE_SYSTEM else _cause("the-system", number=number)
        )
    if isinstance(code := getattr(error, "sqlite_errorcode", None), int):
        return _cause(OF_THE_DATABASE.get(code & PRIMARY_CODE, "damaged"))
    if isinstance(error, UnicodeDecodeError):
        return _cause("not-text")
    return _of_text(error)


def place_of(error: msgspec.ValidationError, kind: Any, given: object) -> tuple[str | int, ...]:
    """The names and list indices that lead to what is wrong, with a missing or unknown field last."""
    path, _, _ = _followed(str(error), kind, given)
    field = FIELD.match(str(error))
    return (*path, field[2]) if field else tuple(path)


def _cause(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"cause.{key}", facts)


def _value(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"value.{key}", facts)


def _of_text(error: Exception) -> Phrase:
    """A text that is not JSON, or not TOML."""
    if isinstance(error, tomllib.TOMLDecodeError):
        at = re.search(r"line (\d+), column (\d+)", str(error))
        return _cause("not-toml-at", line=int(at[1]), column=int(at[2])) if at else _cause("not-toml")
    if isinstance(error, json.JSONDecodeError):
        return _cause("not-json-at", at=error.pos + 1)
    if isinstance(error, msgspec.DecodeError):
        at = re.search(r"\(byte (\d+)\)", str(error))
        return _cause("not-json-at", at=int(at[1]) + 1) if at else _cause("cut-off")
    return _cause("too-deep" if isinstance(error, RecursionError) else "other")


PLACE = re.compile(r" - at `\$([^`]*)`$| - at `key` in `\$([^`]*)`$")
"""The position of msgspec's error in the value."""

FIELD = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")
"""A missing or unknown field in msgspec's message."""


def _of_value(said: str, kind: Any, given: object) -> Phrase:
    """The phrase for msgspec's message about a value, by the value's intended type."""
    path, there, value = _followed(said, kind, given)
    field = FIELD.match(said)
    if field and field[1] == "missing required":
        choices = _tags(there) if field[2] == _tag_field(there) else ()
        if choices:
            return _cause("lacks-one-of", field=_dotted(path, field[2]), choices=choices)
        return _cause("lacks", field=_dotted(path, field[2]))
    if field:
        return _cause("no-such-field", field=_dotted(path, field[2]), choices=_fields(there, value))
    if said.startswith("Number out of range"):
        return _cause("too-large-a-number", field=_dotted(path))
    wanted = _wanted(there) if there is not None else _wanted_in_words(said)
    facts = {"wanted": wanted, "given": _given(said, value)}
    return _cause("must-be", field=_dotted(path), **facts) if path else _cause("must-be-whole", **facts)


def _steps(said: str) -> Iterator[str | int]:
    """The steps of `… at $.cards[...].speed`: names, list indices, and `...` for some key of a table."""
    place = PLACE.search(said)
    for name, inside in re.findall(
        r"\.([^.\[\]]+)|\[([^\]]*)\]", (place[1] or place[2] or "") if place else ""
    ):
        yield name or (int(inside) if inside.isdigit() else inside)


def _named_steps(said: str, kind: Any, given: object) -> Iterator[str | int]:
    """The steps, with `...` replaced by the key whose value gives that error; msgspec does not name it."""
    path: list[str | int] = []
    value = given
    for step in _steps(said):
        if step == "..." and isinstance(value, Mapping):
            entries = value.items()
            alone = (key for key, one in entries if _refusal(_with(given, path, {key: one}), kind) == said)
            step = next(alone, "…")
        path.append(step)
        value = _inside(value, step)
        yield step


def _refusal(value: object, kind: Any) -> str:
    """msgspec's message about a value; empty if the value fits."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _with(value: Any, path: Sequence[str | int], inside: object) -> Any:
    """A copy of `value` with `inside` at `path`."""
    if not path:
        return inside
    copy = dict(value) if isinstance(value, Mapping) else list(value)
    copy[path[0]] = _with(copy[path[0]], path[1:], inside)  # type: ignore[index]
    return copy


def _dotted(path: Sequence[str | int], *more: str) -> str:
    """A path as people write it: `cards.food.colours[1]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in (*path, *more))
    return text.removeprefix(".")


UNKNOWN = object()
"""The marker for a value that cannot be reached."""


def _followed(said: str, root: Any, value: object) -> tuple[list[str | int], Any, object]:
    """The path with its keys named, and the type and the value there, as far as both can be followed."""
    kind: Any = None if root is None else inspect.type_info(root)
    path = list(_steps(said) if root is None else _named_steps(said, root, value))
    for step in path:
        kind = _below(_member(kind, value), step)
        value = _inside(value, step)
    return path, _member(kind, value), value


def _inside(value: object, step: str | int) -> object:
    if isinstance(value, Mapping):
        return value.get(step, UNKNOWN)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return value[step]
    return UNKNOWN


def _below(kind: Any, step: str | int) -> Any:
    """The type one step down; None if it is unknown."""
    if isinstance(kind, inspect.StructType | inspect.DataclassType | inspect.TypedDictType):
        return next((each.type for each in kind.fields if each.encode_name == step), None)
    if isinstance(kind, inspect.UnionType):
        return inspect.LiteralType(values=_tags(kind)) if step == _tag_field(kind) else None
    if isinstance(kind, inspect.DictType):
        return kind.value_type
    if isinstance(kind, inspect.TupleType):
        return kind.item_types[step] if isinstance(step, int) and step < len(kind.item_types) else None
    return getattr(kind, "item_type", None)


def _member(kind: Any, value: object) -> Any:
    """The type of a union that a value is meant to be: by its tag, or else the only one that is not None."""
    if isinstance(kind, inspect.Metadata):
        return _member(kind.type, value)
    if not isinstance(kind, inspect.UnionType):
        return kind
    tag = value.get(_tag_field(kind)) if isinstance(value, Mapping) else None
    tagged = next(
        (each for each in kind.types if tag is not None and getattr(each, "tag", None) == tag), None
    )
    rest = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    return tagged or (rest[0] if len(rest) == 1 else kind)


def _tag_field(kind: Any) -> str | None:
    types: Sequence[Any] = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return next((each.tag_field for each in types if getattr(each, "tag_field", None)), None)


def _tags(kind: Any) -> tuple[str, ...]:
    types: Sequence[Any] = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return tuple(str(each.tag) for each in types if getattr(each, "tag", None) is not None)


def _fields(kind: Any, value: object) -> tuple[str, ...]:
    own = tuple(each.encode_name for each in getattr(_member(kind, value), "fields", ()))
    return own or tuple(filter(None, (_tag_field(kind),)))


def _one_of(choices: Sequence[object]) -> Phrase:
    return _value("one-of", choices=tuple(map(_plain, choices)))


def _plain(value: object) -> str:
    """A value as in a TOML or JSON file; a whole number has no decimals."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _wanted(kind: Any) -> Phrase:
    """The phrase for what a value of this type must be."""
    match kind:
        case inspect.LiteralType():
            return _one_of(kind.values)
        case inspect.EnumType():
            return _one_of([each.value for each in kind.cls])
        case inspect.BoolType():
            return _value("yes-or-no")
        case inspect.IntType():
            return _number("whole", kind)
        case inspect.FloatType():
            return _number("number", kind)
        case inspect.StrType():
            return _text(kind)
        case inspect.TupleType():
            return _value("list-of", count=len(kind.item_types))
        case inspect.CollectionType() if kind.min_length and kind.max_length:
            return _value("list-between", least=kind.min_length, most=kind.max_length)
        case inspect.CollectionType():
            return _value("list-from", least=kind.min_length) if kind.min_length else _value("list")
        case inspect.UnionType():
            return _either([_wanted(each) for each in kind.types])
        case inspect.NoneType():
            return _value("nothing")
        case inspect.StructType() | inspect.DictType() | inspect.DataclassType() | inspect.TypedDictType():
            return _value("table")
    return _value("other")


def _number(name: str, kind: Any) -> Phrase:
    step = 1 if name == "whole" else 0
    if name == "number" and kind.gt is not None and kind.le is None and kind.lt is None:
        return _value("number-above", least=_plain(kind.gt))
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + step
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - step
    if least is not None and most is not None:
        return _value(f"{name}-between", least=_plain(least), most=_plain(most))
    if least is not None:
        return _value(f"{name}-from", least=_plain(least))
    return _value(name) if most is None else _value(f"{name}-to", most=_plain(most))


def _text(kind: Any) -> Phrase:
    if kind.pattern:
        return _value("text-like", pattern=kind.pattern)
    if kind.min_length and kind.max_length:
        return _value("text-between", least=kind.min_length, most=kind.max_length)
    if kind.min_length:
        return _value("text-at-least", least=kind.min_length)
    return _value("text-at-most", most=kind.max_length) if kind.max_length else _value("text")


def _either(wanted: list[Phrase]) -> Phrase:
    different = [each for n, each in enumerate(wanted) if each not in wanted[:n]]
    last = different.pop()
    for each in reversed(different):
        last = _value("either", one=each, other=last)
    return last


def _wanted_in_words(said: str) -> Phrase:
    """The phrase for what msgspec expected, if the type is unknown."""
    named = re.match(r"Expected `([^`]*)`", said)
    kinds = named[1].split(" | ") if named else []
    return _either([_value(KINDS[each]) for each in kinds if each in KINDS] or [_value("other")])


def _given(said: str, value: object) -> Phrase | str:
    """What was given: the value if known, or else its kind."""
    if isinstance(value, int | float):
        return _plain(value)
    quoted = re.match(r"Invalid (?:enum )?value '(.*?)'(?: - at|$)", said)
    if isinstance(value, str) or quoted:
        text = value if isinstance(value, str) else quoted[1] if quoted else ""
        return _value("quoted", text=text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…")
    if isinstance(value, list | tuple):
        return _value("list-of", count=len(value))
    named = re.search(r"got `([^`]*)`", said)
    return _value(KINDS.get(named[1], "other") if named else "other")
