"""The guided accuracy test over HTTP, and its page."""

from __future__ import annotations

import msgspec
from flask import Response, abort, render_template

from companion.games.watching import sees
from web.accuracy_port import AccuracyNow, Report
from web.app_state import app_state
from web.camera_port import CameraPort
from web.openapi import Routes

accuracy_api = Routes("accuracy")


class Answer(msgspec.Struct, frozen=True):
    """Whether the tile lies as it was asked, or the throw was read right."""

    right: bool


class Accuracy(msgspec.Struct, frozen=True):
    """The test as it stands, and the figures of former ones, the newest first."""

    now: AccuracyNow
    reports: tuple[Report, ...]


def _camera() -> CameraPort:
    """The vision loop; 404 without a camera."""
    camera = app_state().camera
    if camera is None:
        abort(404)
    return camera


def _stands() -> Accuracy:
    camera, demo = _camera(), app_state().demo
    now = camera.accuracy()
    if demo is not None:
        demo.follow(now.task)
    return Accuracy(now, camera.accuracy_reports())


@accuracy_api.route("GET", "/api/accuracy", gives=Accuracy, refusals=(403, 404))
def now() -> Accuracy:
    """What is asked now; on the virtual table it is laid."""
    return _stands()


@accuracy_api.route("POST", "/api/accuracy/begin", gives=Accuracy, refusals=(403, 404, 409))
def begin() -> Accuracy:
    """Begin a test. The match is not read meanwhile."""
    _camera().begin_accuracy()
    return _stands()


@accuracy_api.route("POST", "/api/accuracy/answer", takes=Answer, gives=Accuracy, refusals=(400, 403, 404))
def answer(given: Answer) -> Accuracy:
    """Say whether what was read is right."""
    _camera().answer_accuracy(right=given.right)
    return _stands()


@accuracy_api.route("POST", "/api/accuracy/end", gives=Accuracy, refusals=(403, 404))
def end() -> Accuracy:
    """End the test; figures of a test that is not over are not kept."""
    _camera().end_accuracy()
    return _stands()


@accuracy_api.route("GET", "/api/accuracy/reports", gives=tuple[Report, ...], refusals=(403, 404))
def reports() -> tuple[Report, ...]:
    """The figures of all tests, the newest first."""
    return _camera().accuracy_reports()


@accuracy_api.route("GET", "/api/accuracy/reports.csv", gives="text/csv", refusals=(403, 404))
def reports_csv() -> Response:
    """The same as a table."""
    return Response(_camera().accuracy_csv(), mimetype="text/csv")


@accuracy_api.blueprint.get("/accuracy")
def page() -> str:
    """The test as a page."""
    played = app_state().table.match.game
    _camera()
    return render_template("accuracy.html", game=played, page="accuracy", tiles="tiles" in sees(played))
