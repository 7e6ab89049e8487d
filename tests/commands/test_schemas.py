"""Every schema that the companion gives out is one that can be met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.registry import games
from tests.conftest import Companion
from web.app import DESCRIBED
from web.openapi import describe


def objects(schema: Any, at: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object inside a schema, with its place."""
    if isinstance(schema, dict):
        yield at, schema
        for name, inside in schema.items():
            yield from objects(inside, f"{at}/{name}")
    elif isinstance(schema, list):
        for number, inside in enumerate(schema):
            yield from objects(inside, f"{at}/{number}")


def unmet(schema: Any) -> list[str]:
    """Each place at which a property is required that is not among the properties."""
    return [
        f"{at}: {name}"
        for at, each in objects(schema)
        if isinstance(each.get("required"), list)
        for name in each["required"]
        if name not in each.get("properties", {})
    ]


def dangling(schema: dict[str, Any]) -> list[str]:
    """Each reference that leads nowhere."""
    places = {at for at, _ in objects(schema)}
    return [str(each["$ref"]) for _, each in objects(schema) if each.get("$ref", "#") not in places]


@pytest.mark.parametrize("slug", games())
def test_the_schema_of_a_game_requires_only_what_it_describes(companion: Companion, slug: str) -> None:
    (schema,) = companion("schema", slug).lines
    assert unmet(schema) == []
    assert dangling(schema) == []
    assert [at for at, each in objects(schema) if each.get("required")], "moves have values that they need"


def test_the_description_of_the_api_requires_only_what_it_describes() -> None:
    description = describe(DESCRIBED, "/")
    assert unmet(description) == []
    assert dangling(description) == []
    assert "Refusal" in description["components"]["schemas"]


def test_a_schema_that_requires_what_it_does_not_describe_would_be_found() -> None:
    bad = {"$defs": {"Lay": {"properties": {"row": {}}, "required": ["row", "col"]}}}
    assert unmet(bad) == ["#/$defs/Lay: col"]
    assert dangling({"anyOf": [{"$ref": "#/$defs/None"}]}) == ["#/$defs/None"]


@pytest.mark.parametrize(
    ("slug", "move", "dice"), [("cat-and-mouse", "Throw", 2), ("chop-chop", "ThrowDie", 1)]
)
def test_a_schema_tells_how_many_dice_are_thrown_and_what_they_show(
    companion: Companion, slug: str, move: str, dice: int
) -> None:
    (schema,) = companion("schema", slug).lines
    for described in (schema["$defs"], describe(DESCRIBED, "/")["components"]["schemas"]):
        if move in described:
            thrown = described[move]["properties"]["dice"]
            assert (thrown["minItems"], thrown["maxItems"]) == (dice, dice)
            assert thrown["items"] == {"type": "integer", "minimum": 1, "maximum": 6}


@pytest.mark.parametrize("words", [(), ("chess",), ("this-bed-is-mine", "twice")])
def test_a_schema_that_there_is_not_is_said(companion: Companion, words: tuple[str, ...]) -> None:
    done = companion("schema", *words)
    assert (done.status, done.out) == (2, "")
    assert done.err
