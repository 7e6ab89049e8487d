"""`companion bench`: what can be measured, and how it is told."""

from __future__ import annotations

import pytest

from companion.games import registry
from lab.bench import odds, vision
from lab.bench.measure import Measure
from tests.conftest import Companion

MEASURED = [
    Measure("read a still picture", 2.0, 1.5, limit_ms=3.0),
    Measure("read a new tile", 9.0, 8.0, floor_ms=3.0, note="nine tiles"),
]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benches that take no time."""
    monkeypatch.setattr(vision, "measures", lambda: MEASURED)
    monkeypatch.setattr(odds, "measures", lambda: [Measure("draw a card", 0.2, 0.1)])


@pytest.mark.usefixtures("measured")
def test_a_stage_is_a_line(companion: Companion) -> None:
    still, tile = companion("bench", "vision").out.splitlines()
    assert still.startswith("read a still picture")
    assert still.endswith("2.000 ms (best 1.500)  keeps to its limit of 3 ms")
    assert tile.endswith("9.000 ms (best 8.000)  3.00 × its floor of 3.000 ms  nine tiles")


@pytest.mark.usefixtures("measured")
def test_as_json_a_stage_is_an_object(companion: Companion) -> None:
    first, second = companion("bench", "vision", "--json").lines
    assert (first["name"], first["value_ms"], first["limit_ms"]) == ("read a still picture", 2.0, 3.0)
    assert (second["floor_ms"], second["limit_ms"]) == (3.0, None)


@pytest.mark.usefixtures("measured")
def test_several_are_measured_in_the_order_that_they_are_named(companion: Companion) -> None:
    lines = companion("bench", "odds", "vision", "--json").lines
    assert [line["name"] for line in lines] == ["draw a card", "read a still picture", "read a new tile"]


def test_what_cannot_be_measured_is_answered_with_what_can(companion: Companion) -> None:
    done = companion("bench", "vision", "speed")
    assert (done.status, done.out) == (2, "")
    assert "'speed' is not one of" in done.err
    for name in ("vision", "odds", *registry.games()):
        assert name in done.err


def test_every_game_that_is_installed_can_be_measured(companion: Companion) -> None:
    done = companion("bench", "--help")
    assert done.status == 0
    assert "companion bench vision --json" in done.out
