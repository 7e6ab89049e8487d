"""Commands from the broker: judged as a tap of the host, answered where the asker wants it."""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from flask.testing import FlaskClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.broker.commands import Commands
from companion.broker.payloads import PublishedLamp
from companion.broker.reports import lamps_of
from companion.broker.service import BrokerService
from companion.games.registry import games
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from companion.service.panel import TablePanel
from companion.service.panel_state import LATE_S
from tests.broker.conftest import Listener, OnBroker, until
from tests.conftest import BED, OPENING
from tests.running import running
from web.app import create_app
from web.language import messages_of_page
from web.packing import words_of
from web.settings_api import TablePages


@pytest.fixture
def table(journal: Journal) -> Table:
    """A table with a new match of This Bed Is Mine."""
    return Table(journal, Match.begin(journal, BED, {}))


@pytest.fixture
def commands(table: Table) -> Commands:
    """What answers the commands of a table at which a person sits, so that not everybody is the host."""
    table.seats.take_seat("cat", "a-phone")
    on_table = running(table, panel=TablePanel(table, None))
    app = create_app(on_table, BrokerService(on_table))
    return Commands(on_table, TablePages(app))


def test_the_next_game_begins_as_the_last_one_was_begun(commands: Commands, table: Table) -> None:
    table.play(OPENING[0], "phone")
    assert commands.answer("next", b"").ok
    assert (table.match.record.id, table.match.game.slug) == (2, "this-bed-is-mine")
    assert commands.answer("next", b'{"game": "chop-chop", "seats": 3, "instead_of": 2}').ok
    assert (table.match.record.game, table.match.record.seats) == ("chop-chop", 3)


def test_a_command_that_comes_twice_begins_one_match(commands: Commands, table: Table) -> None:
    assert commands.answer("next", b'{"instead_of": 1}').ok
    again = commands.answer("next", b'{"instead_of": 1}')
    assert (again.ok, again.rule) == (False, "page-was-old")
    assert table.match.record.id == 2


def test_undo_takes_back_the_last_open_move(commands: Commands, table: Table) -> None:
    table.play(OPENING[0], "phone")
    assert commands.answer("undo", b'{"n": 1}').ok
    assert table.match.moves == ()
    refused = commands.answer("undo", b"{}")
    assert (refused.ok, refused.rule) == (False, "nothing-to-undo")
    assert refused.says == "There is nothing to undo: this is the start of the match."


def test_the_clocks_stand_still_until_they_are_let_go(commands: Commands) -> None:
    panel = commands._running.panel
    assert panel is not None
    for on in (True, True, False):
        assert commands.answer("pause", b'{"on": true}' if on else b'{"on": false}').ok
        assert panel.status().paused is on


def test_a_button_of_a_home_presses_as_the_panels_own(commands: Commands, table: Table) -> None:
    panel = commands._running.panel
    assert panel is not None
    table.play(OPENING[0], "phone")
    assert commands.answer("press", b'{"button": "2"}').ok
    assert panel.status().seats[1].done
    assert lamps_of(commands._running, "kitchen").seats == {
        "cat": PublishedLamp("off", on=False, blinks=False, warns=False),
        "dog": PublishedLamp("waiting", on=True, blinks=True, warns=False),
    }
    begins_s = panel._clock()
    panel._clock = partial(add, begins_s, LATE_S + 1)
    refused = commands.answer("press", b'{"button": "cat"}')
    assert (refused.ok, refused.rule) == (False, "press-out-of-turn")
    assert "dog" in refused.says
    panel._clock = partial(add, begins_s, LATE_S + 1.1)
    assert commands.answer("press", b'{"button": "1", "gesture": "both"}').ok
    assert panel.status().paused
    assert commands.answer("press", b'{"button": "2", "gesture": "hold"}').ok
    assert table.match.moves == ()
    assert commands.answer("press", b'{"button": "9"}').rule == "no-such-seat"


def test_a_message_and_a_call_show_on_every_page(commands: Commands) -> None:
    watcher = commands._pages._app.test_client()
    assert commands.answer("message", b'{"text": " Round 2 at nine. "}').ok
    assert commands.answer("call", b"").ok
    shown = {each["key"]: each["facts"] for each in watcher.get("/api/table").json["notices"]}
    assert shown["message"]["text"] == "Round 2 at nine."
    assert "called" in shown
    commands.answer("message", b'{"text": ""}')
    commands.answer("call", b'{"on": false}')
    assert watcher.get("/api/table").json["notices"] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", games())
def test_the_page_of_each_game_says_a_call_in_the_phones_language(slug: str, language: str) -> None:
    assert (
        messages_of_page(slug).say("notice.called", language)
        in words_of(slug, language, ("/static/base.js",)).text
    )


def test_a_phone_that_listens_hears_of_a_call_at_once(commands: Commands, table: Table) -> None:
    version = table.snapshot.version
    assert commands.answer("call", b"").ok
    assert table.wait_for_change(version, 0) != version


def player_of(commands: Commands) -> FlaskClient:
    """The phone of a player who sits at the table."""
    secret = "p" * 32
    commands._running.table.seats.take_seat("dog", phone_of(secret))
    player = commands._pages._app.test_client()
    player.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    return player


def test_a_call_for_the_referee_is_answered_on_every_page(commands: Commands) -> None:
    commands._running.settings.change({"broker": "mqtt://127.0.0.1"})
    player, watcher = player_of(commands), commands._pages._app.test_client()

    def keys() -> list[str]:
        return [each["key"] for each in watcher.get("/api/table").json["notices"]]

    def called(*, on: bool) -> int:
        return player.post("/api/referee", json={"on": on}).status_code

    assert watcher.post("/api/referee", json={"on": True}).status_code == 403
    assert commands.answer("referee", b"").rule == "nobody-calls-referee"
    assert (called(on=True), keys()) == (200, ["referee-called"])
    assert commands.answer("referee", b"").ok
    assert keys() == ["referee-comes"]
    assert (called(on=True), keys()) == (200, ["referee-comes"]), "another player's tap takes back no answer"
    assert commands.answer("referee", b'{"comes": false}').ok
    assert keys() == []
    assert (called(on=True), called(on=False), keys()) == (200, 200, [])


def test_without_a_broker_nobody_would_hear_a_call_for_the_referee(commands: Commands) -> None:
    player = player_of(commands)
    assert player.post("/api/referee", json={"on": True}).status_code == 404
    assert 'id="referee"' not in player.get("/").text


@pytest.mark.parametrize(
    ("name", "payload", "rule", "says"),
    [
        ("dance", b"", "no-such-command", "There is no command dance; there are: next, pause"),
        ("undo", b"{", "not-a-command", "The command undo cannot be read: the JSON ends too early."),
        ("message", b'{"text": 5}', "not-a-command", "The command message cannot be read: “text” must be"),
        ("next", b'{"game": "go"}', "not-an-option", "There is no game 'go'"),
        ("next", b'{"game": "chop-chop", "options": {"board": "/etc/x"}}', "not-an-option", "board"),
    ],
    ids=["unknown", "no JSON", "wrong type", "no such game", "a file of the machine"],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    commands: Commands, table: Table, name: str, payload: bytes, rule: str, says: str
) -> None:
    refused = commands.answer(name, payload)
    assert (refused.command, refused.ok, refused.rule) == (name, False, rule)
    assert says in refused.says
    assert table.match.record.id == 1


def test_nobody_else_is_the_host(commands: Commands) -> None:
    stranger = commands._pages._app.test_client()
    for secret in ("", "x" * 32):
        answer = stranger.post(
            "/api/notices", json={"called": True}, headers={"Authorization": f"Bearer {secret}"}
        )
        assert answer.status_code == 403


def test_the_answer_comes_where_the_asker_wants_it(published: OnBroker, listener: Listener) -> None:
    properties: Any = Properties(PacketTypes.PUBLISH)
    properties.ResponseTopic, properties.CorrelationData = "the/desk", b"17"
    came: list[mqtt.MQTTMessage] = []
    listener.client.message_callback_add("the/desk", lambda _c, _d, message: came.append(message))
    topic = f"table-companion/{published.name}/commands/undo"
    listener.client.publish(topic, b"{}", qos=1, properties=properties)
    until(lambda: came, "the answer")
    assert came[0].properties.CorrelationData == b"17"  # type: ignore[union-attr]
    assert b'"rule":"nothing-to-undo"' in came[0].payload
