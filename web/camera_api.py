"""The camera over HTTP: its picture, what was read in it, and its setup."""

from __future__ import annotations

import msgspec
from flask import Response, abort

from companion.games.watching import Kind
from web.app_state import app_state
from web.camera_port import (
    CameraPort,
    CameraState,
    EmptyCheck,
    LearntTile,
    Lesson,
    LessonCheck,
    Overlay,
    PictureCheck,
    Point,
)
from web.error_pages import say
from web.openapi import Routes

camera_api = Routes("camera")


class Teach(msgspec.Struct, frozen=True):
    """The tiles, all of one owner, that lie in the newest picture where their lesson puts them."""

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")


class Empty(msgspec.Struct, frozen=True):
    """The board is empty; `sure`: what seems to lie there is printed on it."""

    sure: bool = False


class Corners(msgspec.Struct, frozen=True):
    """The grid's corners, top left first, clockwise, in px of the picture; null: use the markers again."""

    corners_px: tuple[Point, Point, Point, Point] | None


class WholeBoard(msgspec.Struct, frozen=True):
    """Whether the whole board, read afresh, differs from the match, and one sentence that says so."""

    differs: bool
    sentence: str


def _camera() -> CameraPort:
    """The vision loop; 404 without a camera."""
    camera = app_state().camera
    if camera is None:
        abort(404)
    return camera


def _jpeg(picture: bytes | None) -> Response:
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")


@camera_api.route("GET", "/api/camera", gives=CameraState, refusals=(404,))
def state() -> CameraState:
    """The camera's status."""
    return _camera().state()


@camera_api.route("GET", "/api/camera/picture", gives="image/jpeg", refusals=(403, 404))
def picture() -> Response:
    """The newest picture."""
    return _jpeg(_camera().picture())


@camera_api.route("GET", "/api/camera/overlay", gives=Overlay, refusals=(403, 404))
def overlay() -> Overlay:
    """The grid and the tiles that were read, in px of the picture."""
    return _camera().overlay()


@camera_api.route("GET", "/api/camera/crop", gives="image/jpeg", refusals=(403, 404))
def crop() -> Response:
    """The part of the picture that the open sighting asks about."""
    return _jpeg(_camera().crop())


@camera_api.route("POST", "/api/camera/whole", gives=WholeBoard, refusals=(403, 404, 409, 503))
def whole() -> WholeBoard:
    """Read the whole board afresh. What the match does not hold is asked about, and nothing is played."""
    differs = _camera().read_whole()
    return WholeBoard(differs, say("web.whole-differs" if differs else "web.whole-same"))


@camera_api.route("GET", "/api/camera/lessons", gives=tuple[Lesson, ...], refusals=(403, 404))
def lessons() -> tuple[Lesson, ...]:
    """Which tiles to show at once, and where to lay them."""
    return _camera().lessons()


@camera_api.route("GET", "/api/camera/check", gives=PictureCheck, refusals=(403, 404, 409))
def check() -> PictureCheck:
    """The newest picture judged for the set-up: light, sharpness, markers, the grid's fit."""
    return _camera().check()


@camera_api.route("GET", "/api/camera/check/empty", gives=EmptyCheck, refusals=(403, 404, 409))
def check_empty() -> EmptyCheck:
    """Whether the newest picture shows the empty board, still and sharp."""
    return _camera().check_empty()


@camera_api.route(
    "POST", "/api/camera/check/lesson", takes=Teach, gives=LessonCheck, refusals=(400, 403, 404, 409)
)
def check_lesson(shown: Teach) -> LessonCheck:
    """Whether these tiles lie where their lesson puts them."""
    return _camera().check_lesson(shown.owner, shown.kinds)


@camera_api.route("GET", "/api/camera/learnt", gives=tuple[LearntTile, ...], refusals=(403, 404))
def learnt() -> tuple[LearntTile, ...]:
    """The tiles that were learnt, as they were seen."""
    return _camera().learnt()


@camera_api.route("POST", "/api/camera/forget", gives=CameraState, refusals=(403, 404, 409))
def forget() -> CameraState:
    """Forget the corners, the empty board and the tiles."""
    _camera().forget()
    return _camera().state()


@camera_api.route("POST", "/api/camera/empty", takes=Empty, gives=CameraState, refusals=(400, 403, 404, 409))
def empty(given: Empty) -> CameraState:
    """Remember the newest picture as that of the empty board."""
    _camera().remember_empty(sure=given.sure)
    return _camera().state()


@camera_api.route("POST", "/api/camera/teach", takes=Teach, gives=CameraState, refusals=(400, 403, 404, 409))
def teach(shown: Teach) -> CameraState:
    """Learn the tiles that the newest picture shows."""
    _camera().teach(shown.owner, shown.kinds)
    return _camera().state()


@camera_api.route(
    "POST", "/api/camera/corners", takes=Corners, gives=CameraState, refusals=(400, 403, 404, 409)
)
def corners(tapped: Corners) -> CameraState:
    """Set the grid's corners by hand, where markers cannot be seen."""
    _camera().corners(tapped.corners_px)
    return _camera().state()
