"""The meaning of a library's error about a file, a text, a value or a database, as a phrase of our own.

It is a module of its own because `companion --help` needs the errors, but not msgspec.
"""

from __future__ import annotations

import errno
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from companion.messages import Fact, Phrase

NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The errors of msgspec about a text that is not JSON, not of the type, or nested too deeply."""

STRUCTS = type(msgspec.Struct)
"""The class of all struct types; msgspec names it from 0.20 on."""

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
"""SQLite's primary result codes PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB; as
numbers, so that a report need not load SQLite."""

PRIMARY_CODE = 0xFF
"""The bits of an SQLite result code with its primary code."""

LONGEST_VALUE = 40

Key = tuple[str | int, ...]
"""The path to a value: names of keys, and indices of lists from 0."""


def cause_of(error: Exception, kind: Any = None, given: object = None, *, from_text: bool = False) -> Phrase:
    """The meaning of a library's error (about a file, a text, a value, a database) in plain words.

    `kind` is the type that `given` should have: a plain value or, as bytes, its JSON. With `from_text`, the
    values were typed (`"3"`). The phrase can be said in any language; its `str()` is English.
    """
    if isinstance(error, msgspec.ValidationError):
        try:
            value = msgspec.json.decode(given) if isinstance(given, bytes) else given
        except msgspec.ValidationError:
            return _cause("too-many-digits")
        except NOT_JSON as other:
            return cause_of(other)
        return misfit(kind, value, strict=not from_text)[1]
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


def misfit(kind: Any, value: object, *, strict: bool = True) -> tuple[Key, Phrase]:
    """The path to the first value in `value` that is not of the type `kind`, and what is wrong with it. A
    missing or unknown field ends the path."""
    path: Key = ()
    while below := next((part for part in _below(kind, value) if not _fits(*part[:2], strict=strict)), None):
        kind, value, step = below
        path = (*path, step)
    kind = _member(kind, value)
    if isinstance(value, Mapping):
        for name, fault, facts in _bad_fields(kind, value):
            return (*path, name), _cause(fault, field=_dotted((*path, name)), **facts)
    if isinstance(value, int) and abs(value) >= 2**63:
        return path, _cause("too-large-a-number", field=_dotted(path))
    facts = {"wanted": _wanted(inspect.type_info(kind)), "given": _given(value)}
    return path, _cause("must-be", field=_dotted(path), **facts) if path else _cause("must-be-whole", **facts)


def _fits(kind: Any, value: object, *, strict: bool) -> bool:
    try:
        msgspec.convert(value, kind, strict=strict, str_keys=True)
    except msgspec.ValidationError:
        return False
    return True


def _below(kind: Any, value: Any) -> Iterator[tuple[Any, Any, str | int]]:
    """The values in a table or a list, each with its type and its name or index."""
    kind = _member(kind, value)
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    kinds, origin = get_args(kind), get_origin(kind)
    if isinstance(value, Mapping):
        fields = _fields(kind) if isinstance(kind, STRUCTS) else {}
        for name, one in value.items():
            if name in fields or origin is dict:
                yield (kinds[1] if origin is dict else fields[name].type), one, name
    elif isinstance(value, list | tuple) and origin in (list, tuple):
        if origin is list or kinds[1:] == (...,):
            kinds = kinds[:1] * len(value)
        yield from ((item_kind, one, n) for n, (item_kind, one) in enumerate(zip(kinds, value, strict=False)))


def _member(kind: Any, value: object) -> Any:
    """The type in a union that a value is meant to be: by its tag, or the only one that is not None."""
    if get_origin(kind) not in (UnionType, Union):
        return kind
    members = [member for member in get_args(kind) if member is not type(None)]
    tags = _tags(kind)
    if tags and isinstance(value, Mapping):
        return next((member for tag, member in tags.items() if tag == value.get(_tag_field(member))), kind)
    return members[0] if len(members) == 1 and value is not None else kind


def _tags(kind: Any) -> dict[str, Any]:
    """The structs of a tagged union by their tags."""
    structs = [member for member in get_args(kind) if isinstance(member, STRUCTS)]
    return {str(member.__struct_config__.tag): member for member in structs if _tag_field(member)}


def _fields(kind: Any) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _tag_field(kind: Any) -> str | None:
    return kind.__struct_config__.tag_field  # type: ignore[no-any-return]


def _bad_fields(kind: Any, value: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Unknown and missing fields of a table, each with the key and the facts of its sentence."""
    tags = _tags(kind)
    if tags:
        field, choices = str(_tag_field(next(iter(tags.values())))), tuple(tags)
        given = {"wanted": _value("one-of", choices=choices), "given": _given(value.get(field))}
        yield field, *(("must-be", given) if field in value else ("lacks-one-of", {"choices": choices}))
    elif isinstance(kind, STRUCTS):
        fields = _fields(kind)
        known = tuple(fields) or tuple(filter(None, [_tag_field(kind)]))
        for name in value:
            if kind.__struct_config__.forbid_unknown_fields and name not in (*fields, _tag_field(kind)):
                yield name, "no-such-field", {"choices": known}
        lacking = (name for name, field in fields.items() if field.required and name not in value)
        yield from ((name, "lacks", {}) for name in lacking)


def _cause(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"cause.{key}", facts)


def _value(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"value.{key}", facts)


def _of_text(error: Exception) -> Phrase:
    """A text that is not JSON, or not TOML."""
    if isinstance(error, tomllib.TOMLDecodeError):
        place = re.search(r"line (\d+), column (\d+)", str(error))
        return (
            _cause("not-toml-at", line=int(place[1]), column=int(place[2])) if place else _cause("not-toml")
        )
    if isinstance(error, json.JSONDecodeError):
        return _cause("not-json-at", at=error.pos + 1)
    if isinstance(error, msgspec.DecodeError):
        place = re.search(r"\(byte (\d+)\)", str(error))
        return _cause("not-json-at", at=int(place[1]) + 1) if place else _cause("cut-off")
    if isinstance(error, RecursionError):
        return _cause("too-deep")
    # The readers of TOML and JSON raise a plain one for a number of thousands of digits.
    return _cause("too-many-digits" if type(error) is ValueError else "other")


def _dotted(path: Key) -> str:
    """A path as people write it: `cards.food.colours[1]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def _plain(value: object) -> str:
    """A value as in a TOML or JSON file; a whole number has no decimals."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _wanted(kind: Any) -> Phrase:
    """The phrase for what a value of this type must be."""
    match kind:
        case inspect.Metadata():
            return _wanted(kind.type)
        case inspect.LiteralType():
            return _value("one-of", choices=tuple(map(_plain, kind.values)))
        case inspect.EnumType():
            return _value("one-of", choices=tuple(_plain(choice.value) for choice in kind.cls))
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
            return _either([_wanted(member) for member in kind.types])
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
    different = [phrase for n, phrase in enumerate(wanted) if phrase not in wanted[:n]]
    last = different.pop()
    for phrase in reversed(different):
        last = _value("either", one=phrase, other=last)
    return last


def _given(value: object) -> Phrase | str:
    if isinstance(value, int | float):
        return _plain(value)
    if isinstance(value, str):
        text = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}…"
        return _value("quoted", text=text)
    if isinstance(value, list | tuple):
        return _value("list-of", count=len(value))
    if isinstance(value, Mapping):
        return _value("table")
    return _value("nothing" if value is None else "other")
