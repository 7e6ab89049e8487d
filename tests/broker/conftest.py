"""A table on the real Mosquitto, which each test module starts on loopback, and somebody who listens."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.broker import service
from companion.broker.service import BrokerService
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.panel import TablePanel
from tests.conftest import BED
from tests.running import running, settings_of
from web.app import create_app
from web.settings_api import TablePages

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
"""Where programs are, those of the system among them."""

MOSQUITTO = shutil.which("mosquitto", path=PATH)

PATIENCE_S = 60.0
"""How long anything may take on a busy machine."""


HELD: list[socket.socket] = []
"""Bound and never listened at: nobody else is given their ports."""


def free_port() -> int:
    """A port of loopback that nothing uses, now and as long as these tests run."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    HELD.append(held)
    port: int = held.getsockname()[1]
    return port


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is true."""
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s, f"it never came: {what}"
        time.sleep(0.02)


def check_there(*programs: str) -> None:
    """Without the real programs a test is left out, but never in CI."""
    lacking = [each for each in programs if shutil.which(each, path=PATH) is None]
    if lacking and os.environ.get("CI"):
        pytest.fail(f"CI must have them (apt install mosquitto openssl): {lacking}")
    if lacking:
        pytest.skip(f"not here (apt install mosquitto openssl): {lacking}")


class Mosquitto:
    """The real broker on loopback, with a folder of its own. Started and killed as a test wants."""

    def __init__(self, folder: Path, *lines: str) -> None:
        """`lines` are further lines of its configuration."""
        check_there("mosquitto")
        self.port = free_port()
        self.folder = folder
        anyone = () if any(line.startswith("password_file") for line in lines) else ("allow_anonymous true",)
        text = "\n".join((f"listener {self.port} 127.0.0.1", *anyone, *lines, ""))
        (folder / "mosquitto.conf").write_text(text, "utf-8")
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert MOSQUITTO is not None
        conf = str(self.folder / "mosquitto.conf")
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._running = subprocess.Popen([MOSQUITTO, "-c", conf], **quiet)
        until(self._listens, "Mosquitto")

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._running = None


class Listener:
    """Somebody who hears everything on a broker, and remembers it; the broker keeps what comes meanwhile."""

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._lock = Lock()
        self._subscribed = False
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, f"listener-{id(self)}", protocol=mqtt.MQTTv5)
        self.client.on_message = self._hear
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_subscribe = lambda *_: setattr(self, "_subscribed", True)
        self.client.reconnect_delay_set(1, 1)
        self.client.max_inflight_messages_set(1000)
        if user:
            self.client.username_pw_set(user, password)
        kept: Any = Properties(PacketTypes.CONNECT)
        kept.SessionExpiryInterval = 3600
        self.client.connect("127.0.0.1", port, clean_start=False, properties=kept)
        self.client.loop_start()
        until(lambda: self._subscribed, "the listener's subscription")

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        with self._lock:
            self.heard.append((message.topic, bytes(message.payload)))

    def payloads(self, end: str) -> list[Any]:
        """The payloads of all topics that end with `end`, in the order in which they came."""
        with self._lock:
            heard = [payload for topic, payload in self.heard if topic.endswith(f"/{end}")]
        return [msgspec.json.decode(each) if each[:1] in b"{[" else each.decode() for each in heard]

    def entries(self) -> dict[str, Any]:
        """Every entry that was published, once for each id."""
        return {each["id"]: each for each in self.payloads("moves")}

    def command(self, table: str, name: str, **body: Any) -> Any:
        """Send a command to a table; its answer, once it has come."""
        before = len(self.payloads("answers"))
        topic = f"table-companion/{table}/commands/{name}"
        self.client.publish(topic, msgspec.json.encode(body), qos=1)
        until(lambda: len(self.payloads("answers")) > before, f"an answer to {name}")
        return self.payloads("answers")[-1]

    def close(self) -> None:
        """Hear no more."""
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that tries again soon."""
    monkeypatch.setattr(service, "AGAIN_S", 0.05)
    monkeypatch.setattr(service, "LATER_S", 0.2)


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker that lets everybody in."""
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def listener(mosquitto: Mosquitto) -> Iterator[Listener]:
    """Somebody who hears everything there."""
    made = Listener(mosquitto.port)
    yield made
    made.close()


class OnBroker:
    """A table with its pages, on a broker."""

    def __init__(self, journal: Journal, table: Table, name: str, url: str, **settings: str) -> None:
        self.journal, self.table, self.name = journal, table, name
        self.panel = TablePanel(table, None)
        given = {f"broker_{setting}": value for setting, value in settings.items()}
        self.settings = settings_of(table, broker=url, broker_table=name, **given)
        self.running = running(table, panel=self.panel, settings=self.settings)
        self.broker = BrokerService(self.running)
        self.app = create_app(self.running, self.broker)
        self.state = self.app.extensions["companion"]
        self.broker.start(TablePages(self.app))

    def stop(self) -> None:
        """Leave the broker, and close the journal."""
        self.broker.stop()
        self.state.stop()
        self.journal.close()


@contextmanager
def on_broker(folder: Path, slug: str, url: str, name: str = "one", **options: Any) -> Iterator[OnBroker]:
    """A table with a new match of a game, on the broker at `url`."""
    journal = Journal(folder / f"{name}.sqlite")
    seats = options.pop("seats", None)
    made = OnBroker(journal, Table(journal, Match.begin(journal, slug, options, seats)), name, url)
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def published(
    tmp_path: Path, mosquitto: Mosquitto, listener: Listener, request: pytest.FixtureRequest
) -> Iterator[OnBroker]:
    """A table of This Bed Is Mine on that broker, under a name of its own."""
    name = f"t{abs(hash(request.node.name)) % 10**6}"
    with on_broker(tmp_path, BED, f"mqtt://127.0.0.1:{mosquitto.port}", name) as made:
        until(lambda: f"table-companion/{name}/state" in dict(listener.heard), "the table's state")
        yield made
