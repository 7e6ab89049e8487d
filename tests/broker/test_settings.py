"""The broker's settings: taken at once, refused where they cannot be, and nothing loaded without them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.broker.address import BrokerAddress, broker_address, topic_name
from companion.doctor.bundle import without_secrets
from companion.errors import SettingError
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import PATIENCE_S, Mosquitto, OnBroker, until
from tests.conftest import BED
from tests.web.conftest import Browser
from tests.web.seated import be_host

LOADED = """
import sys
from companion.commands import run
import companion.broker.service, companion.cli, web.app
print([name for name in sys.modules if name.startswith("paho") or name == "companion.broker.connection"])
"""


@pytest.mark.parametrize(
    ("url", "host", "port", "tls"),
    [
        ("club.local", "club.local", 1883, False),
        ("mqtt://192.168.1.5:1884", "192.168.1.5", 1884, False),
        ("mqtts://club.example", "club.example", 8883, True),
        (" mqtts://[fe80::1]:99/ ", "fe80::1", 99, True),
    ],
)
def test_an_address_is_a_host_with_or_without_its_port(url: str, host: str, port: int, tls: bool) -> None:
    assert broker_address(url, table="one", certificates=Path("certificates")) == BrokerAddress(
        host, port, tls, "one", certificates=Path("certificates")
    )


def test_no_address_is_no_broker() -> None:
    assert broker_address("  ") is None


@pytest.mark.parametrize(
    "url",
    [
        "http://club",
        "mqtt://",
        "mqtt://mei:secret@club",
        "mqtt://club/x",
        "club:port",
        "club:0",
        "club:99999",
        "mqtt://mei:secret@club:99999",
        "mei:secret@club:99999",
        "mqtt://mei:secret@[club",
        "mqtt://mei:secret\n@club:x",
        "mqtt://mei:secret",
        "[",
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(SettingError) as caught:
        broker_address(url)
    for language in LANGUAGES:
        assert "secret" not in caught.value.says(language)
        assert "mqtts://HOST:PORT" in caught.value.says("en")


@pytest.mark.parametrize(
    ("name", "level"),
    [("Table 3", "table-3"), ("a/b+c#", "a-b-c"), ("桌一", "桌一"), ("///", "table"), ("x" * 99, "x" * 40)],
)
def test_any_name_becomes_one_level_of_a_topic(name: str, level: str) -> None:
    assert topic_name(name) == level


def test_nothing_of_mqtt_is_loaded_without_a_broker() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_password_stands_in_no_bundle_and_in_no_log() -> None:
    address = broker_address("club", user="mei", password="sesame")
    assert "sesame" not in f"{address}{address!r}"
    assert "sesame" not in without_secrets(
        "ExecStart companion run --broker-password sesame\nbroker_password = sesame"
    )


def settings_page(one: OnBroker) -> str:
    """The settings page of a table."""
    return one.app.test_client().get("/settings").text


def test_the_page_tests_the_connection(published: OnBroker, mosquitto: Mosquitto) -> None:
    published.app.test_client_class = Browser
    client = be_host(published.app, published.app.test_client())
    until(lambda: client.get("/api/broker").json["state"] == "connected", "the broker")
    assert client.post("/api/broker/try", json={}).json == {
        "state": "connected",
        "says": "",
        "topics": f"table-companion/{published.name}/",
    }
    assert "The table is on the broker." in settings_page(published)
    published.settings.change({"broker": "mqtt://127.0.0.1:1"})
    until(lambda: "Nothing listens on 127.0.0.1, port 1" in settings_page(published), "the fault on the page")
    answer = client.post("/api/broker/try", json={})
    assert (answer.status_code, answer.json["says"]) == (
        409,
        "Nothing listens on 127.0.0.1, port 1: start the broker there, or check the port.",
    )
    published.settings.change({"broker": ""})
    assert client.get("/api/broker").json["state"] == "off"
    assert client.post("/api/broker/try", json={}).json["says"].startswith("No broker is set up")


class Door:
    """A port of loopback that keeps the first bytes of whoever comes, and answers nothing."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(PATIENCE_S)
        self.url = f"mqtt://127.0.0.1:{self._socket.getsockname()[1]}"

    def first_bytes(self) -> bytes:
        """What the next to come says first."""
        caller, _ = self._socket.accept()
        with caller:
            caller.settimeout(PATIENCE_S)
            return caller.recv(4096)

    def close(self) -> None:
        """Shut it."""
        self._socket.close()


@pytest.fixture
def doors() -> Iterator[tuple[Door, Door]]:
    """The owner's broker, and another."""
    made = Door(), Door()
    yield made
    for door in made:
        door.close()


@pytest.fixture
def logged_in(tmp_path: Path, doors: tuple[Door, Door]) -> Iterator[OnBroker]:
    """A table that has logged in at the first door."""
    journal = Journal(tmp_path / "one.sqlite")
    table = Table(journal, Match.begin(journal, BED, {}))
    made = OnBroker(journal, table, "one", doors[0].url, user="mei", password="sesame")
    assert b"sesame" in doors[0].first_bytes()
    yield made
    made.stop()


def test_a_new_address_is_not_sent_the_password_of_the_old_one(
    logged_in: OnBroker, doors: tuple[Door, Door]
) -> None:
    logged_in.settings.change({"broker": doors[1].url})
    said = doors[1].first_bytes()
    assert b"MQTT" in said
    assert b"sesame" not in said
    assert b"mei" not in said


def test_a_login_in_the_same_request_goes_to_the_new_address_alone(
    logged_in: OnBroker, doors: tuple[Door, Door]
) -> None:
    logged_in.settings.change(
        {"broker": doors[1].url, "broker_user": "dog", "broker_password": "open barley"}
    )
    said = doors[1].first_bytes()
    assert b"open barley" in said
    assert b"sesame" not in said
