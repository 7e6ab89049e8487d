"""The AsyncAPI description of the hall's topics says what a hall really sends."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any

import jsonschema
import msgspec
import pytest

from companion.hall.description import PUBLISHED, describe
from companion.hall.payloads import Plan
from tests.broker.conftest import Listener, Mosquitto, until
from tests.broker.test_description import check_references
from tests.hall.tables import RACE, WireTable
from tests.hall.test_link import Joined

DESCRIBED = describe()
PATTERNS = {
    name: re.compile(re.sub(r"{[^}]+}", "[^/]+", channel["address"]))
    for name, channel in DESCRIBED["channels"].items()
}


def described(topic: str, payload: bytes) -> str:
    """The channel of a topic; what was sent there must be as the description says."""
    (name,) = (name for name, pattern in PATTERNS.items() if pattern.fullmatch(topic))
    message = DESCRIBED["components"]["messages"][name]
    value: Any = payload.decode() if message["contentType"] == "text/plain" else msgspec.json.decode(payload)
    schema = {**message["payload"], "components": DESCRIBED["components"]}
    jsonschema.Draft7Validator(schema).validate(value)
    return name


def test_every_reference_leads_somewhere() -> None:
    check_references(DESCRIBED)


def test_what_is_not_as_described_would_be_noticed() -> None:
    begins = "table-companion/hall/tonight"
    assert described(f"{begins}/halls/one", b"online") == "halls"
    for end, payload in (("halls/one", b"away"), ("plan", b"{}"), ("players/a", b'{"id": 5}')):
        with pytest.raises(jsonschema.ValidationError):
            described(f"{begins}/{end}", payload)


def test_what_a_hall_sends_in_an_evening_is_as_described(mosquitto: Mosquitto, parts: ExitStack) -> None:
    table = WireTable("described", mosquitto.port)
    parts.callback(table.close)
    hall = Joined("described", mosquitto, parts).hall
    until(lambda: "described" in hall.tables and hall.tables["described"].state, "the table")
    hall.plan(Plan("Tonight", "swiss", RACE, rounds=1))
    hall.add("Mei")
    hall.add("Bo")
    until(lambda: len(hall.evening.here) == 2, "the players")
    hall.next_round()
    until(lambda: table.begun, "the match")
    table.show(table.finish)
    until(lambda: hall.evening.results, "the result")
    # What is retained is heard again by whoever comes later.
    listener = Listener(mosquitto.port)
    parts.callback(listener.close)
    until(lambda: kinds_heard(listener) == PUBLISHED.keys(), "all that the broker keeps")


def kinds_heard(listener: Listener) -> set[str]:
    """The kinds of topics of halls that were heard; each message must be as described."""
    heard = [each for each in list(listener.heard) if each[0].startswith("table-companion/hall/")]
    return {described(topic, payload) for topic, payload in heard if payload}
