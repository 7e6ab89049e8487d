"""What a table publishes of a match that it deals itself: nobody reads another's cards from any topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.broker import reports
from companion.broker.connection import Heard
from companion.broker.payloads import Topics
from companion.broker.publisher import HEALTH_S, Publisher, cursor_of
from tests.web.dealt import COURSES, World
from web.settings_api import TablePages

NAME = "one"


class Broker:
    """Stands for a connection whose broker takes everything at once; `sent` is all that it was sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes | str]] = []
        self.acknowledged: deque[int] = deque()
        self.refused: deque[int] = deque()
        self.heard: deque[Heard] = deque()
        self._numbers = count(1)

    def subscribe(self, pattern: str) -> None:
        """Nobody else publishes there."""

    def publish(self, topic: str, payload: bytes | str, **_: Any) -> int:
        """Take a message."""
        self.sent.append((topic, payload))
        self.acknowledged.append(next(self._numbers))
        return self.acknowledged[-1]


def published(world: World, course: Iterable[None]) -> list[tuple[str, bytes | str]]:
    """Every message of a table while that happens there, and the answers to those who ask it to undo."""
    state, pages = world.app.extensions["companion"], TablePages(world.app)
    topics, broker, now_s = Topics(NAME), Broker(), [0.0]
    world.app.test_client_class = None  # commands ask as a program does, not as a browser
    publisher = Publisher(
        broker,  # type: ignore[arg-type]
        topics,
        state.running,
        pages,
        cursor_of(world.table),
        clock=lambda: now_s[0],
    )
    publisher.begin()
    for _ in course:
        publisher.work()
    for command in ("undo", "pause", "nonsense"):
        broker.heard.append(Heard(topics.topic(f"commands/{command}"), b"{}"))
    now_s[0] += HEALTH_S
    publisher.work()
    return broker.sent


@pytest.fixture
def same_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tables publish at the same moment, and their machine never changes."""
    monkeypatch.setattr(reports, "utc_now", lambda: "2026-01-01T00:00:00.000+00:00")
    for figure in ("disk", "peak_memory_bytes", "temperature_c"):
        monkeypatch.setattr(reports.machine, figure, lambda *_: None)


@pytest.mark.parametrize(("tables", "course"), COURSES.values(), ids=COURSES)
@pytest.mark.usefixtures("same_machine")
def test_no_topic_shows_which_cards_somebody_holds(
    tables: Any,
    course: Callable[[World], Iterable[None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tables(tmp_path, monkeypatch) as (one, other):
        ours, theirs = published(one, course(one)), published(other, course(other))
    topics = Topics(NAME)
    everywhere = {
        *(
            topics.topic("status"),
            topics.topic("state"),
            topics.topic("moves"),
            topics.topic("results"),
            topics.topic("health"),
        ),
        topics.topic("answers"),
    }
    assert everywhere <= {topic for topic, _ in ours}
    assert ours == theirs
