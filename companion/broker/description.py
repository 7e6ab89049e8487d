"""The AsyncAPI 3 description of what a table publishes and takes, made from the payloads' own types.

`make release` writes it to `dist/asyncapi.json`.
"""

from __future__ import annotations

import sys
from typing import Any, get_type_hints

import msgspec

from companion import __version__
from companion.broker.payloads import (
    COMMANDS,
    ROOT,
    CommandReply,
    PublishedEntry,
    PublishedHealth,
    PublishedLamps,
    PublishedResults,
    PublishedState,
    Status,
)
from companion.broker.schemas import schemas_of
from companion.games.registry import games

OF_OPENAPI = "discriminator"
"""A keyword that AsyncAPI means otherwise."""

PUBLISHED: dict[str, tuple[Any, bool, str]] = {
    "status": (Status, True, "Whether the table is there; also the last will"),
    "state": (PublishedState, True, "The table as a spectator sees it"),
    "lamps": (PublishedLamps, True, "The panel's lamps by seat"),
    "results": (PublishedResults, True, "How the newest matches of the table ended"),
    "moves": (PublishedEntry, False, "One open entry of a match, at least once; its id is its key"),
    "health": (PublishedHealth, True, "How the table's machine is"),
    "answers": (CommandReply, False, "The answer to a command that names no response topic"),
}
"""Each topic that a table publishes to: the payload's type, whether it is retained, what it is for."""


def describe() -> dict[str, Any]:
    """The whole description."""
    views = [get_type_hints(type(game).view)["return"] for game in games().values()]
    kinds = [kind for kind, _, _ in PUBLISHED.values()] + list(COMMANDS.values())
    schemas, components = schemas_of([*kinds, *views], OF_OPENAPI)
    # The type of a view's board is the game's own.
    components["MatchView"]["properties"]["board"] = {"anyOf": list(schemas[len(kinds) :])}
    named = dict(zip([*PUBLISHED, *COMMANDS], schemas, strict=False))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Table Companion on an MQTT 5 broker",
            "version": __version__,
            "description": "What a table publishes, and the commands that it takes. See docs/broker.md.",
        },
        "defaultContentType": "application/json",
        "channels": {
            **{name: _of_table(name, name) for name in PUBLISHED},
            **{f"command-{name}": _of_table(f"commands/{name}", name) for name in COMMANDS},
        },
        "operations": {**_sent(), **_taken()},
        "components": {
            "messages": {
                **{name: message_of(named[name], PUBLISHED[name][2]) for name in PUBLISHED},
                **{name: message_of(named[name], kind.__doc__ or "") for name, kind in COMMANDS.items()},
            },
            "schemas": components,
        },
    }


def _of_table(end: str, message: str) -> dict[str, Any]:
    return channel_of(f"{{table}}/{end}", {"table": "The table's name at the broker"}, message)


def channel_of(address: str, parameters: dict[str, str], message: str) -> dict[str, Any]:
    """A topic below the root, with what each of the `parameters` in braces is, and the message sent there."""
    root = {"description": "The first level, which a setting names", "default": ROOT}
    return {
        "address": f"{{root}}/{address}",
        "parameters": {"root": root} | {name: {"description": says} for name, says in parameters.items()},
        "messages": {message: {"$ref": f"#/components/messages/{message}"}},
    }


def message_of(schema: dict[str, Any], summary: str) -> dict[str, Any]:
    """A message of that schema: a file of its kind, plain text where it is one of a few words, else JSON."""
    plain = "application/json" if schema.get("enum") is None else "text/plain"
    return {
        "contentType": schema.get("contentMediaType", plain),
        "summary": " ".join(summary.split("\n\n")[0].split()),
        "payload": schema,
    }


def _sent() -> dict[str, Any]:
    return {
        f"send-{name}": sending(name, summary, retained=retained)
        for name, (_, retained, summary) in PUBLISHED.items()
    }


def sending(name: str, summary: str, *, retained: bool) -> dict[str, Any]:
    """The operation of publishing to the channel `name`."""
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": summary,
        "bindings": {"mqtt": {"qos": 1, "retain": retained, "bindingVersion": "0.2.0"}},
    }


def _taken() -> dict[str, Any]:
    return {
        f"take-{name}": {
            "action": "receive",
            "channel": {"$ref": f"#/channels/command-{name}"},
            "bindings": {"mqtt": {"qos": 1, "retain": False, "bindingVersion": "0.2.0"}},
            "reply": {
                "address": {"location": "$message.header#/responseTopic"},
                "channel": {"$ref": "#/channels/answers"},
            },
        }
        for name in COMMANDS
    }


def as_text(described: dict[str, Any]) -> str:
    """A description as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(described), indent=1).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_text(describe()))
