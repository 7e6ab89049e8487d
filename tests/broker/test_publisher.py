"""What a publisher does over a connection, step by step: no broker, and a clock that a test moves."""

from __future__ import annotations

from collections import deque
from threading import Event
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.broker.address import BrokerError
from companion.broker.connection import Heard
from companion.broker.payloads import Topics
from companion.broker.publisher import HEALTH_S, ROUND_S, Publisher, _wake, cursor_of
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.test_nothing_lost import golden
from tests.conftest import BED
from tests.running import running
from web.app import create_app
from web.settings_api import TablePages


class Still:
    """A connection on which nothing moves by itself: what is published is noted, by its number."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.acknowledged: deque[int] = deque()
        self.refused: deque[int] = deque()
        self.heard: deque[Heard] = deque()

    def subscribe(self, pattern: str) -> None:
        """Hear commands: those that a test puts in."""

    def publish(self, topic: str, payload: bytes, **how: Any) -> int:
        self.sent.append((topic, payload))
        return len(self.sent)

    def number(self, end: str) -> int:
        """The number of the newest message whose topic ends so."""
        return max(n for n, (topic, _) in enumerate(self.sent, 1) if topic.endswith(end))

    def payloads(self, end: str) -> list[Any]:
        """What was published there."""
        return [msgspec.json.decode(payload) for topic, payload in self.sent if topic.endswith(f"/{end}")]


class AtTable:
    """A table and its publisher."""

    def __init__(self, journal: Journal) -> None:
        self.table = Table(journal, Match.begin(journal, BED, {}))
        self.connection, self.now_s = Still(), 0.0
        playing = running(self.table)
        pages = TablePages(create_app(playing))
        connection: Any = self.connection
        self.publisher = Publisher(
            connection, Topics("one"), playing, pages, cursor_of(self.table), clock=lambda: self.now_s
        )
        self.publisher.begin()
        self.publisher.work()


@pytest.fixture
def at(journal: Journal) -> AtTable:
    """A table whose state is published."""
    return AtTable(journal)


def test_a_match_that_grew_beside_the_table_is_told_with_its_end(at: AtTable, journal: Journal) -> None:
    head, moves = golden("cat-and-mouse")
    other = Match.begin(journal, "cat-and-mouse", head["options"])
    other.play_all(moves, "import")
    at.publisher.work()
    assert at.connection.payloads("moves") == []
    at.now_s += HEALTH_S
    at.publisher.work()
    assert [ended["match"] for ended in at.connection.payloads("results")[-1]["matches"]] == [other.record.id]
    at.publisher.work()
    told = at.connection.payloads("moves")
    assert {entry["match"] for entry in told} == {other.record.id}
    assert told[0]["move"] == moves[0]


def test_a_broker_that_refuses_the_state_is_left(at: AtTable) -> None:
    at.connection.refused.append(at.connection.number("/state"))
    with pytest.raises(BrokerError):
        at.publisher.work()


def test_a_broker_may_refuse_an_answer(at: AtTable) -> None:
    at.connection.heard.append(Heard("table-companion/one/commands/undo", b"{}"))
    at.publisher.work()
    at.connection.refused.append(at.connection.number("/answers"))
    at.publisher.work()


def test_the_connection_is_woken_by_news_and_rests_without() -> None:
    """The table is asked for news of the version that was seen last, and waits a round for them."""
    ended, woken = Event(), []
    versions, asked = iter([7, 7, 8, 8, 9]), []

    def wait_for_change(version: int, timeout_s: float) -> int:
        asked.append((version, timeout_s))
        newest = next(versions)
        if newest == 9:
            ended.set()
        return newest

    table: Any = SimpleNamespace(snapshot=SimpleNamespace(version=7), wait_for_change=wait_for_change)
    connection: Any = SimpleNamespace(wake=lambda: woken.append(len(asked)))
    _wake(table, connection, ended, Event())
    assert asked == [(version, ROUND_S) for version in (7, 7, 7, 8, 8)]
    assert woken == [3, 5]
