"""What many tests need: a clock that ticks by itself, a journal in a folder of its own, a match, a command
run as a person runs it."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest

from companion import cli
from companion.games import registry
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.match import Match
from tests.whispers.game import GAME as WHISPERS

BED = "this-bed-is-mine"

Cost = Callable[[Callable[[], object]], float]
"""What the fixture `cost` gives: how many yardsticks something takes."""


MOST_COST = 2000
"""Yardsticks that the answer to something hostile may cost: about 2 s on a slow laptop."""


def lay(owner: str, digit: int, row: int, col: int, turns: int = 0) -> dict[str, object]:
    """A tile laid, as plain values."""
    return {"move": "lay", "owner": owner, "digit": digit, "turns": turns, "row": row, "col": col}


OPENING = (lay("cat", 1, 5, 3), lay("dog", 1, 0, 0), lay("cat", 2, 0, 9), lay("dog", 7, 11, 0))
"""Four legal moves of This Bed Is Mine on side A."""


@pytest.fixture
def ticking() -> Callable[[], str]:
    """A clock: each look is a second later."""
    seconds = count()
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return lambda: (began + timedelta(seconds=next(seconds))).isoformat(timespec="milliseconds")


@pytest.fixture
def journal(tmp_path: Path, ticking: Callable[[], str]) -> Iterator[Journal]:
    """A new journal."""
    made = Journal(tmp_path / "journal.sqlite", clock=ticking)
    yield made
    made.close()


@pytest.fixture
def match(journal: Journal) -> Match:
    """A new match of This Bed Is Mine."""
    return Match.begin(journal, BED, {})


@pytest.fixture
def whispers(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game with something to hide, found like any other; its slug."""
    monkeypatch.setitem(registry.games(), WHISPERS.slug, WHISPERS)
    yield WHISPERS.slug
    registry.game.cache_clear()
    messages_of_game.cache_clear()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where commands keep things, empty."""
    folder = tmp_path / "home"
    monkeypatch.setenv("COMPANION_HOME", str(folder))
    return folder


class Ran(NamedTuple):
    """What a command did: exit status, stdout, stderr."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """stdout as JSON objects, a line each."""
        return [json.loads(line) for line in self.out.splitlines()]


Companion = Callable[..., Ran]


@pytest.fixture
def companion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Companion:
    """`companion("games", "--json")` runs that command."""

    def run(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, words)])
        status: Any = 0
        try:
            cli.main()
        except SystemExit as stop:
            status = stop.code or 0
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run


@pytest.fixture
def soon(yardstick_s: float) -> Iterator[None]:
    """Every answer comes soon, that of a process of its own too."""
    begun_s = process_time() + children_s()
    yield
    assert process_time() + children_s() - begun_s < MOST_COST * yardstick_s


def children_s() -> float:
    """The processor time of all ended processes that tests have begun, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
