"""The form for a game's options, generated from their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.games.registry import AnyGame
from companion.messages import Messages


class Choice(msgspec.Struct, frozen=True):
    """One choice: its value as JSON, and its label."""

    value: str
    label: str


class Field(msgspec.Struct, frozen=True):
    """One option: `kind` is `choice`, `boolean`, `integer`, `number`, `text` or `json`."""

    name: str
    kind: str
    label: str
    help: str
    default: Any
    choices: tuple[Choice, ...] = ()
    least: float | None = None
    most: float | None = None


def choosable(made: list[Field], last: Mapping[str, object]) -> list[Field]:
    """The fields that a page offers, each with its last choice.

    A text without offered choices is a path, and those are for whoever sits at the machine.
    """
    offered = [field for field in made if field.kind not in ("text", "json")]
    return [msgspec.structs.replace(field, default=_chosen(field, last)) for field in offered]


def with_own(made: list[Field], own_of: Mapping[str, Iterable[Choice]]) -> list[Field]:
    """Add the choices that people made, `own_of` an option, to the fields of those options."""
    return [msgspec.structs.replace(one, choices=(*one.choices, *own_of.get(one.name, ()))) for one in made]


def _chosen(field: Field, last: Mapping[str, object]) -> Any:
    if field.name not in last:
        return field.default
    if field.kind != "choice":
        return last[field.name]
    value = msgspec.json.encode(last[field.name]).decode()
    return value if value in {choice.value for choice in field.choices} else field.default


def fields(game: AnyGame, words: Messages, language: str) -> list[Field]:
    """The form's fields in the options' order; labels from `option.<name>` in the game's words."""
    schema = msgspec.json.schema(game.options_type)
    components = schema.get("$defs", {})
    named = components.get(schema.get("$ref", "").rpartition("/")[2], schema)
    defaults = msgspec.to_builtins(game.options({}))
    return [
        _field(name, _resolved(option, components), defaults.get(name), words, language)
        for name, option in named.get("properties", {}).items()
    ]


def _resolved(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**components.get(name, {}), **schema}


def _field(name: str, schema: dict[str, Any], default: Any, words: Messages, language: str) -> Field:
    label = _said(words, f"option.{name}", language, schema.get("title", name.replace("_", " ")))
    # The type's own help is English; other languages have a message for it, or no help.
    english = schema.get("description", "") if language == "en" else ""
    help_ = _said(words, f"option-help.{name}", language, english)
    if "enum" in schema:
        choices = tuple(
            Choice(
                msgspec.json.encode(value).decode(),
                _said(words, f"choice.{name}.{value}", language, str(value)),
            )
            for value in sorted(schema["enum"], key=lambda value: bool(value != default))
        )
        return Field(name, "choice", label, help_, msgspec.json.encode(default).decode(), choices)
    offered = [key for key, _ in words if key.startswith(f"choice.{name}.")]
    if schema.get("type") == "string" and offered:
        values = [key.removeprefix(f"choice.{name}.") for key in offered]
        choices = tuple(
            Choice(msgspec.json.encode(value).decode(), words.say(key, language))
            for value, key in zip(values, offered, strict=True)
        )
        return Field(name, "choice", label, help_, msgspec.json.encode(default).decode(), choices)
    kind = {"string": "text"}.get(schema.get("type", ""), schema.get("type", "json"))
    if kind not in ("boolean", "integer", "number", "text"):
        kind, default = "json", msgspec.json.encode(default).decode()
    return Field(name, kind, label, help_, default, (), schema.get("minimum"), schema.get("maximum"))


def _said(words: Messages, key: str, language: str, otherwise: str) -> str:
    return words.say(key, language) if key in words else otherwise
