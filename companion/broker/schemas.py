"""JSON Schema of our types, in words that readers of OpenAPI and AsyncAPI take."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import cleandoc
from typing import Any

import msgspec

PLACE = "#/components/schemas/"


def schemas_of(kinds: Iterable[Any], *left_out: str) -> tuple[list[Any], dict[str, Any]]:
    """The schema of each type, and those that they refer to by name; without the keywords `left_out`."""
    schemas, components = msgspec.json.schema_components(kinds, ref_template=PLACE + "{name}")
    # Two types of one name are told apart by their modules, also in programs made from their titles.
    for name in [name for name in components if "." in name]:
        plain = name.replace(".", "_")
        components[plain] = components.pop(name) | {"title": plain}
    return _taken(list(schemas), left_out), _taken(components, left_out)


def _taken(schema: Any, left_out: tuple[str, ...]) -> Any:
    """The same schema with `items` as a schema alone, as readers want it, and no indents of docstrings."""
    if isinstance(schema, list):
        return [_taken(part, left_out) for part in schema]
    if isinstance(schema, str):
        return schema.replace(".", "_") if schema.startswith(PLACE) else cleandoc(schema)
    if not isinstance(schema, dict):
        return schema
    made = {key: _taken(value, left_out) for key, value in schema.items() if key not in left_out}
    if made.get("items") is False:
        # A tuple, whose length `maxItems` tells as well.
        del made["items"]
        if all(part == made["prefixItems"][0] for part in made["prefixItems"]):
            made["items"] = made.pop("prefixItems")[0]
    if made.get("type") == "array" and "prefixItems" not in made:
        made.setdefault("items", {})
    return made
