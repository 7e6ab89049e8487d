"""The AsyncAPI description, and what a home is told: both say what is really sent."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from typing import Any

import jsonschema
import msgspec
import pytest
from jinja2 import Environment

from companion.broker import publisher
from companion.broker.description import PUBLISHED, as_text, describe
from companion.broker.home_assistant import device_id, discovery
from companion.broker.payloads import COMMANDS, ROOT, PageMessage, Pause, Topics
from companion.broker.schemas import schemas_of
from companion.hall import description as of_halls
from companion.messages import LANGUAGES
from tests.broker.conftest import Listener, OnBroker, until
from tests.conftest import OPENING
from tests.readers import reader

DESCRIBED = describe()

PARSE = """
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";
const { diagnostics } = await new Parser().parse(readFileSync(0, "utf8"));
for (const { code, message, path } of diagnostics.filter((one) => one.severity < 2))
  console.log(path.join("/"), code, message);
"""
"""Prints each error and each warning of the official parser."""


def check_described(topic: str, payload: bytes) -> None:
    """What was sent to a topic must be as the description says."""
    end = topic.rpartition("/")[2]
    message = DESCRIBED["components"]["messages"][end]
    value = msgspec.json.decode(payload) if message["contentType"] == "application/json" else payload.decode()
    schema = {**message["payload"], "components": DESCRIBED["components"]}
    jsonschema.Draft7Validator(schema).validate(value)


def check_references(described: Any) -> None:
    """Every reference in a description must lead somewhere in it."""
    for reference in set(re.findall(r"'(#/[^']+)'", repr(described))):
        place = described
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def test_the_root_can_be_another() -> None:
    for channel in (*DESCRIBED["channels"].values(), *of_halls.describe()["channels"].values()):
        assert channel["address"].startswith("{root}/")
        assert {*re.findall("{(.+?)}", channel["address"])} == channel["parameters"].keys()
        assert channel["parameters"]["root"]["default"] == ROOT


def test_every_reference_leads_somewhere() -> None:
    check_references(DESCRIBED)
    taken = {name.removeprefix("take-") for name in DESCRIBED["operations"] if "take-" in name}
    assert taken == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("described", [describe, of_halls.describe], ids=["table", "hall"])
def test_the_official_parser_has_nothing_to_say(described: Callable[[], dict[str, Any]]) -> None:
    command = ["node", "--input-type=module", "--eval", PARSE]
    folder, text = reader("node_modules/@asyncapi/parser").parents[2], as_text(described())
    parsed = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False)
    assert (parsed.stdout, parsed.stderr) == ("", "")


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
    assert home["availability"][0]["topic"] == topics.topic("status")
    entities = home["components"]
    assert {each["platform"] for each in entities.values()} == {
        *("sensor", "event", "binary_sensor", "button", "switch", "notify")
    }
    # An entity that only names its platform is one that the home takes away.
    entities = {name: entity for name, entity in entities.items() if entity.keys() != {"platform"}}
    assert len({entity["unique_id"] for entity in entities.values()}) == len(entities)
    published.table.play(OPENING[0], "phone")
    until(lambda: listener.entries(), "the move")
    until(lambda: listener.payloads("state")[-1]["match"]["moves"] == 1, "the state")
    shown = {}
    for name, entity in entities.items():
        if "state_topic" in entity:
            payload = msgspec.json.decode(dict(listener.heard)[entity["state_topic"]])
            shown[name] = Environment().from_string(entity["value_template"]).render(value_json=payload)
        else:
            assert entity["command_topic"].rpartition("/")[2] in COMMANDS
    assert (shown["turn"], shown["game"], shown["camera"]) == ("dog", "this-bed-is-mine", "OFF")
    assert shown["turn"] in entities["turn"]["options"]
    assert (shown["points-cat"], shown["points-dog"], shown["pause"]) == ("187", "0", "OFF")
    assert shown["points"] == "cat 187 · dog 0"
    event = msgspec.json.decode(shown["move"])
    assert (event["event_type"], event["notation"]) == ("move", "c1@5,3")


def entities_of(published: OnBroker, address: str = "") -> dict[str, Any]:
    """The table's device as a home is told of it now, with its entities."""
    match = published.table.snapshot.match
    [(_, payload)] = discovery(published.settings, Topics("one"), match, address)
    told: dict[str, Any] = msgspec.json.decode(payload)
    return told


def sent_by(entity: dict[str, Any], template: str, **facts: Any) -> msgspec.Struct:
    """The command that a home sends with that template of an entity."""
    kind = COMMANDS[entity["command_topic"].rpartition("/")[2]]
    return msgspec.json.decode(Environment().from_string(entity[template]).render(**facts), type=kind)


def test_a_home_has_a_link_to_the_tables_settings(published: OnBroker) -> None:
    assert "configuration_url" not in entities_of(published)["device"]
    device = entities_of(published, "http://192.168.1.20:8000/")["device"]
    assert device["configuration_url"] == "http://192.168.1.20:8000/settings"
    assert device["model"]


def test_a_homes_own_prefix_is_kept_to(published: OnBroker) -> None:
    published.settings.change({"broker_home": "ha"})
    [(topic, _)] = discovery(published.settings, Topics("one"), published.table.snapshot.match, "")
    assert topic == f"ha/device/{device_id('one')}/config"


def test_a_home_counts_each_seats_points(published: OnBroker) -> None:
    one = entities_of(published)["components"]
    assert (one["points-cat"]["state_class"], one["points-cat"]["name"]) == ("measurement", "Points: Cat")
    assert one["points-mice-1"] == {"platform": "sensor"}
    published.table.begin("chop-chop", {}, 3)
    other = entities_of(published)["components"]
    assert other["points-dog"] == {"platform": "sensor"}
    assert other["points-mice-1"]["name"] == "Points: Mice player 1"
    assert other["turn"]["device_class"] == "enum"
    assert other["turn"]["options"] == one["turn"]["options"]
    assert {"-", "dog", "mice-2", "player-6", "fourth"} <= set(other["turn"]["options"])


def test_a_home_hears_of_the_seats_of_the_next_match(published: OnBroker, listener: Listener) -> None:
    topic = f"homeassistant/device/{device_id(published.name)}/config"
    published.table.begin("chop-chop", {}, 3)
    until(lambda: b'"Points: Mice player 1"' in dict(listener.heard)[topic], "the seats of the next game")


def test_a_home_switches_the_pause(published: OnBroker) -> None:
    pause = entities_of(published)["components"]["pause"]
    assert pause["platform"] == "switch"
    assert [sent_by(pause, f"payload_{to}") for to in ("on", "off")] == [Pause(on=True), Pause(on=False)]
    shown = Environment().from_string(pause["value_template"])
    assert [shown.render(value_json={"paused": on}) for on in (True, False)] == ["ON", "OFF"]


def test_a_home_notifies_every_page(published: OnBroker) -> None:
    notify = entities_of(published)["components"]["message"]
    for text in ('Round 2 at "nine" & more', "第二輪"):
        assert sent_by(notify, "command_template", value=text) == PageMessage(text)
    cut = sent_by(notify, "command_template", value="ab " * 100)
    assert isinstance(cut, PageMessage)
    assert (len(cut.text), cut.text[-1]) == (200, "…")


def test_a_home_hears_of_another_name_of_the_table(
    published: OnBroker, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "HEALTH_S", 0.1)
    topic = f"homeassistant/device/{device_id(published.name)}/config"
    published.settings.change({"table_name": "By the window"})
    until(lambda: b'"name":"By the window"' in dict(listener.heard)[topic], "the new name")


def test_a_homes_words_are_in_the_tables_language(published: OnBroker) -> None:
    names = {}
    for language in LANGUAGES:
        published.settings.change({"language": language})
        names[language] = entities_of(published)["components"]["turn"]["name"]
    assert names == {"en": "Turn", "zh-Hant": "輪到", "ko": "차례"}


@pytest.mark.parametrize(("one", "other"), [("桌一", "桌二"), ("a_b", "ab")])
def test_two_tables_are_two_devices(one: str, other: str) -> None:
    assert device_id(one) != device_id(other)
    assert re.fullmatch(r"[a-z0-9-]+", device_id(one))


def test_a_pair_says_what_its_two_values_are_and_no_more() -> None:
    (alike, apart), _ = schemas_of((tuple[int, int], tuple[int, str]))
    assert alike == {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}
    assert [part["type"] for part in apart["prefixItems"]] == ["integer", "string"]
    assert "items" not in apart
