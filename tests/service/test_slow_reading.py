"""While a picture is being read nobody else waits: pages, taps and live events come at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from companion.games.watching import Observation
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.camera_status import CameraStatus
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from hardware.camera.health import CameraState, Condition
from hardware.vision.board.scene import Scene
from tests.conftest import BED, OPENING
from tests.running import pages_of
from tests.service import scripted
from tests.service.scripted import PICTURE, ScriptedTiles, StillWatcher
from web import events
from web.app_state import AppState

READING_S = 20.0
"""A reading takes this long, or until the test lets it end: whoever waited for it would see it done."""


class Slow(NamedTuple):
    """Pages of a table whose camera is in the middle of a reading."""

    table: Table
    loop: VisionLoop
    client: FlaskClient
    app_state: AppState
    reading: Thread
    done: Event


@pytest.fixture
def slow(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    """One picture was read; the reading of the next has begun."""
    scripted.put_in(monkeypatch)
    table = Table.open(journal, BED)
    watcher: Any = StillWatcher()
    loop = VisionLoop(table, watcher)
    ScriptedTiles.says = Observation(tiles=())
    loop.take_frame(Frame(PICTURE, 0.0))
    begun, done = Event(), Event()

    def read() -> None:
        begun.set()
        done.wait(READING_S)

    monkeypatch.setattr(ScriptedTiles, "reads", staticmethod(read))
    app = pages_of(table, loop)
    reading = Thread(target=loop.take_frame, args=(Frame(PICTURE, 0.1),), daemon=True)
    reading.start()
    assert begun.wait(READING_S)
    yield Slow(table, loop, app.test_client(), app.extensions["companion"], reading, done)
    done.set()
    reading.join(READING_S)
    app.extensions["companion"].stop()


def look(path: str) -> Callable[[Slow], int]:
    return lambda slow: slow.client.get(path).status_code


def tap(slow: Slow) -> int:
    return slow.client.post("/api/moves", json=OPENING[0]).status_code


def tap_the_corners(slow: Slow) -> int:
    corners = [[100, 50], [340, 50], [340, 370], [100, 370]]
    return slow.client.post("/api/camera/corners", json={"corners_px": corners}).status_code


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(look("/api/match"), id="match"),
        pytest.param(look("/api/table"), id="table"),
        pytest.param(look("/api/camera"), id="state-of-the-camera"),
        pytest.param(look("/api/camera/overlay"), id="overlay"),
        pytest.param(look("/api/camera/picture"), id="picture"),
        pytest.param(look("/api/camera/lessons"), id="lessons"),
        pytest.param(look("/metrics"), id="metrics"),
        pytest.param(look("/"), id="page"),
        pytest.param(tap, id="tap"),
        pytest.param(tap_the_corners, id="corners"),
    ],
)
def test_an_answer_comes_while_a_picture_is_being_read(slow: Slow, ask: Callable[[Slow], int]) -> None:
    assert ask(slow) == 200
    assert slow.reading.is_alive(), "the answer waited for the reading"


def test_a_live_event_comes_while_a_picture_is_being_read(slow: Slow) -> None:
    stream = events.lines(events.LiveStream(slow.app_state, ""))
    next(stream)
    before = next(stream)
    assert tap(slow) == 200
    after = next(stream)
    assert after.startswith(b"event: table")
    assert after != before
    assert slow.reading.is_alive(), "the event waited for the reading"


def test_the_empty_board_is_learned_between_two_readings(slow: Slow) -> None:
    setting_up = Thread(target=slow.loop.set_up.remember_empty, daemon=True)
    setting_up.start()
    setting_up.join(0.1)
    assert ScriptedTiles.made[-1].shown == [], "the reader is still reading"
    slow.done.set()
    setting_up.join(READING_S)
    assert ScriptedTiles.made[-1].shown == ["empty"]


def test_what_was_read_of_a_match_that_was_put_aside_meanwhile_does_not_count(slow: Slow) -> None:
    first = slow.table.match
    ScriptedTiles.says = Observation(unsure=True, why="hand", tiles=())
    slow.table.begin(BED, {})
    slow.done.set()
    slow.reading.join(READING_S)
    assert slow.table.match is not first
    assert slow.table.snapshot.sighting is None


@pytest.mark.parametrize(
    ("condition", "load", "kind"),
    [
        pytest.param(Condition.SLOW, 3.9, "slow", id="the camera is the cause"),
        pytest.param(Condition.SLOW, 4.1, "busy", id="the load is the cause"),
        pytest.param(Condition.UNPLUGGED, 4.1, "unplugged", id="no load unplugs a camera"),
    ],
)
def test_a_slow_camera_is_not_blamed_for_the_machines_load(
    condition: Condition, load: float, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    status = CameraStatus(1, Scene(4, 3))
    assert status.state(CameraState(condition, 0.0), 1.0, "usb:0").kind == kind
