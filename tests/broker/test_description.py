"""The AsyncAPI description, and what a home is told: both say what is really sent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from jinja2 import Environment

from companion.broker import publisher
from companion.broker.description import PUBLISHED, as_text, describe
from companion.broker.home_assistant import device_id, discovery
from companion.broker.payloads import COMMANDS, Topics
from companion.messages import LANGUAGES
from tests.broker.conftest import Listener, OnBroker, until
from tests.conftest import OPENING
from tests.project import sources

DESCRIBED = describe()


def check_described(topic: str, payload: bytes) -> None:
    """What was sent to a topic must be as the description says."""
    end = topic.rpartition("/")[2]
    message = DESCRIBED["components"]["messages"][end]
    value = msgspec.json.decode(payload) if message["contentType"] == "application/json" else payload.decode()
    schema = {**message["payload"], "components": DESCRIBED["components"]}
    jsonschema.Draft202012Validator(schema).validate(value)


def sorted_choices(described: Any) -> Any:
    """The same with the choices of each `anyOf` sorted, as the versions of msgspec differ in their order."""
    if isinstance(described, list):
        return [sorted_choices(each) for each in described]
    if not isinstance(described, dict):
        return described
    plain = {key: sorted_choices(value) for key, value in described.items()}
    return plain | {key: sorted(plain[key], key=repr) for key in ("anyOf",) if key in plain}


def test_the_file_in_docs_is_the_description_of_today() -> None:
    kept = msgspec.json.decode(sources.read(Path("docs/asyncapi.json")))
    assert sorted_choices(kept) == sorted_choices(msgspec.json.decode(as_text(DESCRIBED))), "make page-types"


def check_references(described: Any) -> None:
    """Every reference in a description must lead somewhere in it."""
    for reference in set(re.findall(r"'(#/[^']+)'", repr(described))):
        place = described
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def test_every_reference_leads_somewhere() -> None:
    check_references(DESCRIBED)
    taken = {name.removeprefix("take-") for name in DESCRIBED["operations"] if "take-" in name}
    assert taken == set(COMMANDS)


def test_what_is_not_as_described_would_be_noticed() -> None:
    check_described("table-companion/one/status", b"online")
    for end, payload in (("status", b"away"), ("moves", b'{"id": 5}'), ("state", b"{}")):
        with pytest.raises(jsonschema.ValidationError):
            check_described(f"table-companion/one/{end}", payload)


def test_what_is_sent_is_as_described(published: OnBroker, listener: Listener) -> None:
    published.table.play(OPENING[0], "phone")
    published.table.name_players({"cat": "Mei"}, "phone")
    until(lambda: len(listener.entries()) == 2, "the entries")
    assert not listener.command(published.name, "dance")["ok"]
    sent = {f"table-companion/{published.name}/{end}" for end in PUBLISHED}
    ours = [each for each in list(listener.heard) if each[0] in sent]
    assert {topic for topic, _ in ours} == sent
    for topic, payload in ours:
        check_described(topic, payload)


def test_a_home_is_told_of_one_device_with_all_its_entities(published: OnBroker, listener: Listener) -> None:
    topics = Topics(published.name)
    device = device_id(published.name)
    topic = f"homeassistant/device/{device}/config"
    home = msgspec.json.decode(dict(listener.heard)[topic])
    assert home["availability"][0]["topic"] == topics.status
    entities = home["components"]
    assert {each["platform"] for each in entities.values()} == {
        *("sensor", "event", "binary_sensor", "button", "image")
    }
    assert len({each["unique_id"] for each in entities.values()}) == len(entities)
    published.table.play(OPENING[0], "phone")
    until(lambda: listener.entries(), "the move")
    until(lambda: listener.payloads("state")[-1]["match"]["moves"] == 1, "the state")
    shown = {}
    for name, entity in entities.items():
        if "image_topic" in entity:
            until(
                lambda: listener.picture(published.name).count(">1</text>") == 1, "the picture with the tile"
            )
        elif "state_topic" in entity:
            payload = msgspec.json.decode(dict(listener.heard)[entity["state_topic"]])
            shown[name] = Environment().from_string(entity["value_template"]).render(value_json=payload)
        else:
            assert entity["command_topic"].rpartition("/")[2] in COMMANDS
    assert (shown["turn"], shown["game"], shown["camera"]) == ("dog", "this-bed-is-mine", "OFF")
    assert shown["points"] == "cat 187 · dog 0"
    event = msgspec.json.decode(shown["move"])
    assert (event["event_type"], event["notation"]) == ("move", "c1@5,3")


def test_a_home_hears_of_another_name_of_the_table(
    published: OnBroker, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "HEALTH_S", 0.1)
    topic = f"homeassistant/device/{device_id(published.name)}/config"
    published.state.table_name = "By the window"
    until(lambda: b'"name":"By the window"' in dict(listener.heard)[topic], "the new name")


def test_a_homes_words_are_in_the_tables_language(published: OnBroker) -> None:
    names = {}
    for language in LANGUAGES:
        published.state.language = language
        [(_, payload)] = discovery(published.state, Topics("one"))
        names[language] = msgspec.json.decode(payload)["components"]["turn"]["name"]
    assert names == {"en": "Turn", "zh-Hant": "輪到", "ko": "차례"}


@pytest.mark.parametrize(("one", "other"), [("桌一", "桌二"), ("a_b", "ab")])
def test_two_tables_are_two_devices(one: str, other: str) -> None:
    assert device_id(one) != device_id(other)
    assert re.fullmatch(r"[a-z0-9-]+", device_id(one))
