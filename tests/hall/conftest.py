"""A broker without a network: it keeps retained messages and gives every message to all halls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from companion.broker.payloads import OFFLINE, ONLINE, PublishedHealth
from companion.hall.hall import AGAIN_S, SETTLE_S, Hall
from companion.hall.payloads import Plan
from tests.broker.conftest import Mosquitto
from tests.hall import ejabberd
from tests.hall.tables import RACE, Scripted

MOST_ROUNDS = 50
"""Messages settle long before this many rounds of sending."""


class StillBroker:
    """Halls and scripted tables in one room. `settle` sends until nobody has anything more to say."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.halls: list[Hall] = []
        self.tables: dict[str, Scripted] = {}
        self.deaf: set[str] = set()
        """Tables that hear no command."""
        self.published = 0
        self.now_s = 0.0

    def hall(self, name: str = "one", evening: str = "tonight") -> Hall:
        """A hall that starts now, and hears all that was kept."""
        hall = Hall(evening, name, clock=lambda: self.now_s)
        self.halls.append(hall)
        self.publish(hall.topics.topic("halls", name), ONLINE.encode())
        hall.connect(connected=True)
        for topic, payload in self.kept.items():
            hall.receive(topic, payload)
        hall.catch_up()
        self.now_s += SETTLE_S
        return hall

    def leave(self, hall: Hall) -> None:
        """A hall is switched off."""
        self.halls.remove(hall)
        self.publish(hall.topics.topic("halls", hall.id), b"")

    def sit(self, *names: str) -> list[Scripted]:
        """Tables that come online."""
        for name in names:
            table = self.tables[name] = Scripted(name)
            self.publish(table.topics.topic("status"), ONLINE.encode())
            self.show(table)
        return [self.tables[name] for name in names]

    def show(self, table: Scripted) -> None:
        """A table publishes how its matches ended, and its state."""
        self.publish(table.topics.topic("results"), msgspec.json.encode(table.results()))
        self.publish(table.topics.topic("state"), msgspec.json.encode(table.state()))

    def finish(self, *names: str) -> None:
        """The matches of these tables begin and end, and all that follows happens."""
        self.settle()
        for name in names:
            self.tables[name].finish()
            self.show(self.tables[name])
        self.settle()

    def go(self, table: str) -> None:
        """A table loses its power."""
        self.publish(self.tables[table].topics.topic("status"), OFFLINE.encode())

    def report(self, health: PublishedHealth) -> None:
        """A table publishes its health."""
        self.publish(f"table-companion/{health.table}/health", msgspec.json.encode(health))

    def publish(self, topic: str, payload: bytes, *, retain: bool = True) -> None:
        """Give a message to everybody."""
        self.published += 1
        if retain:
            self.kept[topic] = payload
        for hall in self.halls:
            hall.receive(topic, payload)
        _, name, *what = topic.split("/")
        if name in self.tables and name not in self.deaf and what[0] == "commands":
            self.tables[name].obey(what[1], payload)
            self.show(self.tables[name])

    def settle(self) -> None:
        """Send whatever the halls have to send, until that is nothing."""
        for _ in range(MOST_ROUNDS):
            sent = [each for hall in self.halls for each in hall.work()]
            for each in sent:
                self.publish(each.topic, each.payload, retain=each.retain)
            if not sent:
                return
        raise AssertionError("the halls never stop talking")

    def later(self) -> None:
        """So much later that what had no effect is sent again."""
        self.now_s += AGAIN_S
        self.settle()


@pytest.fixture
def broker() -> StillBroker:
    """A broker with nothing on it."""
    return StillBroker()


@pytest.fixture
def begun(broker: StillBroker) -> Callable[..., Hall]:
    """Begins an evening of Cat and Mouse with these players."""

    def begin(*names: str, kind: str = "swiss", tables: int = 2) -> Hall:
        broker.sit(*(f"table-{n}" for n in range(1, tables + 1)))
        hall = broker.hall()
        hall.plan(msgspec.convert({"name": "Cup", "kind": kind, "game": RACE}, Plan))
        broker.settle()
        for name in names:
            hall.add(name)
            broker.settle()
        return hall

    return begin


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that writes down what it keeps, as Debian's does by default."""
    broker = Mosquitto(tmp_path, "persistence true", f"persistence_location {tmp_path}/")
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    """What is stopped or closed at the end of a test."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(params=["mosquitto", "ejabberd"])
def any_broker(request: pytest.FixtureRequest) -> Iterator[Mosquitto]:
    """A Mosquitto, and a broker of another make."""
    if request.param == "mosquitto":
        yield request.getfixturevalue("mosquitto")
    elif ejabberd.LACKING:
        pytest.skip(ejabberd.LACKING)
    else:
        broker = ejabberd.Ejabberd()
        broker.start()
        yield broker
        broker.remove()
