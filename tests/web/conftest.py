"""A table with its pages, and a camera that sees what a test scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from companion.errors import IllegalMove, UserError
from companion.games.players import Choice
from companion.games.this_bed_is_mine.state import Lay
from companion.games.watching import Alternative, Kind, Observation, Tile
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.snapshot import MatchSnapshot
from companion.play.table import Table
from companion.players.table_players import OpponentNow
from companion.service.accuracy import AccuracyNow, Report, Task
from companion.service.camera_status import CameraState, Lesson, Overlay, OverlayTile, Point, Readings
from companion.service.setup.checks import EmptyCheck, LearntTile, LessonCheck, MarkerCheck, PictureCheck
from tests.conftest import BED
from tests.running import pages_of, replace_services
from web.app import EVERY_ROUTE
from web.openapi import describe

PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
"""A picture of one px."""

JPEG = b"\xff\xd8\xff\xe0 not really a picture \xff\xd9"


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def clock() -> Clock:
    """A clock at 100 s until the test moves it."""
    return Clock()


class ScriptedCamera:
    """Scripted answers of a camera; notes what is asked."""

    def __init__(self) -> None:
        self.status = CameraState("ok", 1.0, source="virtual", fps=12.0)
        self.shown: bytes | None = JPEG
        self.counted = Readings()
        self.checked = PictureCheck(64, 48, 16, 12, markers=(MarkerCheck(0, "seen"),))
        self.emptiness = EmptyCheck("moving")
        self.lying = LessonCheck("moving")
        self.tested = AccuracyNow()
        self.kept_reports: tuple[Report, ...] = ()
        self.set_up = self.accuracy = self
        self.refusal = ""
        self.differs = False
        self.asked: list[tuple[object, ...]] = []

    def state(self) -> CameraState:
        return self.status

    def readings(self) -> Readings:
        return self.counted

    def picture(self) -> bytes | None:
        return self.shown

    def crop(self) -> bytes | None:
        return self.shown

    def overlay(self) -> Overlay:
        square = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
        return Overlay(64, 48, (((10.0, 10.0), (20.0, 10.0)),), (OverlayTile("cat", 1, square, 0.9),))

    def remember_empty(self, *, sure: bool = False) -> None:
        self._note("empty", *(("sure",) if sure else ()))
        self.checked = replace(self.checked, empty_shown=True)

    def read_whole(self) -> bool:
        self._note("whole")
        return self.differs

    def lessons(self) -> tuple[Lesson, ...]:
        outline = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
        return Lesson("cat", (1, 2), (outline, outline)), Lesson("dog", (3, 7), (outline, outline))

    def teach(self, owner: str, digits: tuple[int, ...]) -> None:
        self._note("teach", owner, digits)

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        self._note("corners", corners_px)

    def check(self) -> PictureCheck:
        return self.checked

    def check_empty(self) -> EmptyCheck:
        return self.emptiness

    def check_lesson(self, owner: str, kinds: tuple[Kind, ...]) -> LessonCheck:
        return self.lying

    def learnt(self) -> tuple[LearntTile, ...]:
        return (LearntTile("cat", 1, PNG),)

    def begin_accuracy(self) -> None:
        self._note("accuracy")
        self.tested = AccuracyNow(
            "read", Task("throw", 20), 20, 30, report=Report("2026-01-01T20:00:00+00:00", "")
        )

    def progress(self) -> AccuracyNow:
        return self.tested

    def answer(self, *, right: bool) -> None:
        self._note("answer", right)

    def end(self) -> None:
        self.tested = AccuracyNow()

    def reports(self) -> tuple[Report, ...]:
        return self.kept_reports

    def csv(self) -> str:
        return "began,camera\n"

    def forget(self) -> None:
        self._note("forget")
        self.checked = replace(self.checked, empty_shown=False)

    def _note(self, *asked: object) -> None:
        if self.refusal:
            raise UserError(self.refusal)
        self.asked.append(asked)


class ScriptedOpponent:
    """Plays and hints what a test says."""

    def __init__(self) -> None:
        self.levels_at: dict[str, str] = {}
        self.on = True

    def levels(self) -> tuple[str, ...]:
        return "beginner", "top"

    def can_hint(self) -> bool:
        return True

    def status(self) -> OpponentNow | None:
        first = next(iter(self.levels_at), None)
        return OpponentNow(first, self.levels_at[first], seats=tuple(self.levels_at)) if first else None

    def playing(self) -> dict[str, str]:
        return self.levels_at

    def waited_s(self, match: MatchSnapshot) -> float:
        return 0.0

    def sit_down(self, seat: str, level: str) -> None:
        self.levels_at = {**self.levels_at, seat: level}

    def stand_up(self, seat: str | None = None) -> None:
        self.levels_at = {
            other: level for other, level in self.levels_at.items() if seat not in (None, other)
        }

    def hint(self, seat: str | None) -> Choice:
        if not self.on:
            raise IllegalMove(BED, "hints-off")
        return Choice(Lay("cat", 4, 0, 5, 3), 2.5, "advice.wins-squares", {"squares": 14, "other": "dog"})

    def hints(self) -> bool:
        return self.on

    def let_hint(self, seat: str | None, *, on: bool) -> None:
        self.on = on


def seen(*tiles: tuple[str, int, int, int, int]) -> tuple[Tile, ...]:
    """Tiles as the camera reports them: owner, digit, turns, row, column."""
    return tuple(Tile(*tile) for tile in tiles)


def doubtful(*boards: tuple[Tile, ...], why: str = "not-told-apart") -> Observation:
    """A reading that must be asked about, the likeliest board first."""
    others = tuple(Alternative(board, 0.6 / (n + 1)) for n, board in enumerate(boards))
    return Observation(unsure=True, why=why, tiles=boards[0], alternatives=others)


ANY_ROUTE = {405, 413, 421, 500}
"""Statuses that no route describes: the wrong method, too long a body, a name that is not ours, our fault."""


@cache
def described() -> dict[tuple[str, str], set[int]]:
    """The statuses that `/api/openapi.json` describes, by method and path as Flask writes it."""
    routes = [each for group in EVERY_ROUTE for each in group.described]
    paths = describe(routes, "/")["paths"]
    return {
        (each.method, each.path): set(map(int, operation["responses"]))
        for each in routes
        for operation in [paths[each.path.replace("<int:", "{").replace(">", "}")][each.method.lower()]]
    }


class Browser(FlaskClient):
    """A browser without scripts. It reads every answer to its end, so that no file stays open.

    It takes no status from a route of the API but those that the description names. It chose to watch, so
    that `/` shows it the table.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.set_cookie("watches", "yes")

    def open(self, *args: Any, **named: Any) -> TestResponse:
        answer = super().open(*args, **{"buffered": True, **named})
        if answer.status_code not in ANY_ROUTE:
            with suppress(HTTPException):
                routes = self.application.url_map.bind_to_environ(answer.request.environ)
                method, (rule, _) = answer.request.method, routes.match(return_rule=True)
                allowed = described().get((method, rule.rule), {answer.status_code})
                assert answer.status_code in allowed, f"{method} {rule.rule}: {answer.text}"
        return answer


def page_now(page: str) -> Any:
    """What a page was told of the table when it was sent."""
    (now,) = re.findall(r'id="now">(.*?)</script>', page)
    return json.loads(now)


@pytest.fixture
def table(journal: Journal) -> Table:
    """A table with a new match of This Bed Is Mine."""
    return Table(journal, Match.begin(journal, BED, {}))


@pytest.fixture
def camera() -> ScriptedCamera:
    """A camera that sees what it is told."""
    return ScriptedCamera()


@pytest.fixture
def app(table: Table, camera: ScriptedCamera) -> Iterator[Flask]:
    """The pages of that table."""
    made = pages_of(table, camera)
    made.test_client_class = Browser
    yield made
    made.extensions["companion"].stop()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without scripts."""
    return app.test_client()


@pytest.fixture
def blind(table: Table) -> FlaskClient:
    """The same where no camera watches."""
    made = pages_of(table, None)
    made.test_client_class = Browser
    return made.test_client()


@pytest.fixture
def opponent_client(table: Table) -> Iterator[FlaskClient]:
    """The same where the table plays and deals, and no camera watches."""
    made = pages_of(table, None)
    replace_services(made, opponent=ScriptedOpponent())
    made.test_client_class = Browser
    yield made.test_client()
    made.extensions["companion"].stop()
