"""The camera over HTTP: its picture, what was read in it, and its setup."""

from __future__ import annotations

import msgspec
from flask import Response, abort

from companion.games.watching import Kind
from web.app_state import app_state
from web.camera_port import CameraPort, CameraState, Lesson, Overlay, Point
from web.openapi import Routes

camera_api = Routes("camera")


class Teach(msgspec.Struct, frozen=True):
    """The tiles, all of one owner, that lie in the newest picture where their lesson puts them."""

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")


class Corners(msgspec.Struct, frozen=True):
    """The grid's four corners, top left first, clockwise, in px of the picture."""

    corners_px: tuple[Point, Point, Point, Point]


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


@camera_api.route("GET", "/api/camera/lessons", gives=tuple[Lesson, ...], refusals=(403, 404))
def lessons() -> tuple[Lesson, ...]:
    """Which tiles to show at once, and where to lay them."""
    return _camera().lessons()


@camera_api.route("POST", "/api/camera/empty", gives=CameraState, refusals=(403, 404, 409))
def empty() -> CameraState:
    """Remember the newest picture as that of the empty bed."""
    _camera().remember_empty()
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
