"""The AsyncAPI 3 description of what halls keep on the broker, made from the payloads' own types.

`make release` writes it to `dist/asyncapi-hall.json`. What halls send to tables are the commands of
`companion.broker.description`.
"""

from __future__ import annotations

import sys
from typing import Any

from companion import __version__
from companion.broker.description import as_text, channel_of, message_of, sending
from companion.broker.schemas import schemas_of
from companion.hall.payloads import HALL, Here, Member, Plan, PublishedRound, Result

EVENING = {"evening": "The evening; by default its date"}
"""The part that all topics of halls share."""

PUBLISHED: dict[str, tuple[Any, str, dict[str, str], str]] = {
    "plan": (Plan, "plan", {}, "What is played"),
    "players": (Member, "players/{player}", {"player": "The player's id"}, "A player of the evening"),
    "rounds": (PublishedRound, "rounds/{number}", {"number": "The round, counted from 1"}, "A round"),
    "results": (
        *(Result, "results/{pairing}", {"pairing": "The match's id in its round"}),
        "How a match ended; an empty message takes the result back",
    ),
    "halls": (
        *(Here, "halls/{hall}", {"hall": "The hall's id"}),
        "A sign of life every three seconds; the last will, an empty message, takes it away",
    ),
}
"""Each kind of topic below the evening, all of them retained: the payload's type, the topic's last levels,
what each name in braces is, what the topic is for."""


def describe() -> dict[str, Any]:
    kinds = [kind for kind, _, _, _ in PUBLISHED.values()]
    schemas, components = schemas_of(kinds)
    schema_of = dict(zip(PUBLISHED, schemas, strict=True))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Halls of Table Companion on an MQTT 5 broker",
            "version": __version__,
            "description": "What halls keep of an evening. See docs/hall.md.",
        },
        "defaultContentType": "application/json",
        "channels": {
            name: channel_of(f"{HALL}/{{evening}}/{end}", {**EVENING, **parameters}, name)
            for name, (_, end, parameters, _) in PUBLISHED.items()
        },
        "operations": {
            f"send-{name}": sending(name, summary, retained=True)
            for name, (_, _, _, summary) in PUBLISHED.items()
        },
        "components": {
            "messages": {
                name: message_of(schema_of[name], summary) for name, (_, _, _, summary) in PUBLISHED.items()
            },
            "schemas": components,
        },
    }


if __name__ == "__main__":
    sys.stdout.write(as_text(describe()))
