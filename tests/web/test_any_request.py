"""Requests made by chance from the API's own description: none is answered with 500."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.play.table import Table
from companion.service.photos.drafts import PhotoDrafts
from tests.running import pages_of, settings_of
from tests.service.photographed import Finds, Reads
from tests.web.conftest import Browser, ScriptedCamera

BODIES = 25
"""Requests to each route."""

STRANGE = (
    *(None, True, -1, 0, 7, 2**31, 2**63, 10**30, -0.5, 1e308, [], {}, [[[]]], [None] * 50, {"": {}}),
    *(
        "",
        "0",
        "cat",
        "first",
        "\0",
        "\ud800",
        "‮",
        "x" * 5000,
        "../../etc/passwd",
        "this-bed-is-mine",
        "a.toml",
    ),
)
"""Values that may stand where the description names others."""

NUMBERS = ("0", "1", "2", "99999999", "1" + "0" * 30, "-1", "x", "%00", "1.5")
"""What may stand for a number in an address."""


class Maker:
    """Makes values by a schema, now and then others."""

    def __init__(self, components: dict[str, Any], chance: Random) -> None:
        self._components, self._chance = components, chance

    def value(self, schema: dict[str, Any]) -> Any:
        """A value that the schema allows, mostly."""
        chance = self._chance
        if "$ref" in schema:
            return self.value(self._components[schema["$ref"].rpartition("/")[2]])
        if chance.random() < 0.06:
            return chance.choice(STRANGE)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self.value(chance.choice(schema[key]))
        if "enum" in schema:
            return chance.choice(schema["enum"])
        kinds = schema.get("type", "object")
        kind = chance.choice(kinds) if isinstance(kinds, list) else kinds
        return {"object": self._object, "array": self._list, "string": self._text}.get(kind, self._plain)(
            {**schema, "type": kind}
        )

    def _object(self, schema: dict[str, Any]) -> dict[str, Any]:
        chance, required = self._chance, schema.get("required", ())
        made = {
            name: self.value(inner)
            for name, inner in schema.get("properties", {}).items()
            if chance.random() < (0.98 if name in required else 0.4)
        }
        if chance.random() < 0.04 or isinstance(schema.get("additionalProperties"), dict):
            more = schema.get("additionalProperties")
            inner = more if isinstance(more, dict) else {"type": "null"}
            made[chance.choice(("cat", "first", "x", ""))] = self.value(inner)
        return made

    def _list(self, schema: dict[str, Any]) -> list[Any]:
        first = [self.value(each) for each in schema.get("prefixItems", ())]
        items = schema.get("items")
        least = max(0, schema.get("minItems", 0) - len(first))
        more = self._chance.randint(least, least + 2) if isinstance(items, dict) else 0
        return [*first, *(self.value(items) for _ in range(more) if isinstance(items, dict))]

    def _text(self, schema: dict[str, Any]) -> Any:
        return schema.get("const", self._chance.choice(("", "cat", "first", "skip", "12", "a", "ünï\n")))

    def _plain(self, schema: dict[str, Any]) -> Any:
        if schema["type"] in ("null", "boolean"):
            return None if schema["type"] == "null" else self._chance.random() < 0.5
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 12))
        number = self._chance.randint(int(low), int(high))
        return number if schema["type"] == "integer" else number + self._chance.random()


@pytest.fixture
def client(table: Table, camera: ScriptedCamera) -> Iterator[FlaskClient]:
    """A phone at a kitchen table: whatever it has asked for, it may go on."""
    photos = PhotoDrafts(reads=Reads(), finds=Finds())
    app = pages_of(table, camera, settings=settings_of(table, open=True), photos=photos)
    app.test_client_class = Browser
    yield app.test_client()
    app.extensions["companion"].stop()
    photos.stop()


@pytest.fixture
def description(client: FlaskClient) -> dict[str, Any]:
    """What the API says of itself."""
    matches: dict[str, Any] = client.get("/api/openapi.json").json
    return matches


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_request_is_answered_with_a_fault_of_ours(
    client: FlaskClient, description: dict[str, Any], seed: int
) -> None:
    chance = Random(seed)
    maker = Maker(description["components"]["schemas"], chance)
    operations = [
        (path, method, operation)
        for path, of in description["paths"].items()
        for method, operation in of.items()
        if path != "/api/events"
    ] * BODIES
    chance.shuffle(operations)
    answered: Counter[int] = Counter()
    for path, method, operation in operations:
        address = re.sub(r"\{\w+\}", lambda _: chance.choice(NUMBERS), path)
        body = b""
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]
            json_schema = content.get("application/json", {}).get("schema")
            body = json.dumps(maker.value(json_schema)).encode() if json_schema else chance.randbytes(900)
        answer = client.open(address, method=method.upper(), data=body, content_type="application/json")
        assert answer.status_code != 500, (method, address, body[:2000])
        answered[answer.status_code] += method == "post"
    assert answered[200] > 100, "many are as the description says"
    assert answered[400] > 50, "and many are not"
