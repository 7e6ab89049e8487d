"""The camera over HTTP: its picture and setup, the guided accuracy test, the virtual table."""

from __future__ import annotations

import msgspec
from flask import Response, render_template

from companion.games.watching import Kind, sees
from companion.service.accuracy import AccuracyNow, Report
from companion.service.camera_status import CameraState, Lesson, Overlay, Point
from companion.service.setup.checks import EmptyCheck, LearntTile, LessonCheck, PictureCheck
from companion.service.vision_loop import VisionLoop
from companion.simulator.demo import Put, VirtualDemo
from web.app_state import TableNow, app_state, or_404, running
from web.error_pages import say
from web.identity import phone
from web.openapi import Nothing, Routes
from web.permissions import END_DEMO, LOOK, PLAY, SEE, TEACH

camera_api = Routes("camera")


class Teach(msgspec.Struct, frozen=True):
    """The tiles of one owner that lie in the newest picture as their lesson puts them."""

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")


class Empty(msgspec.Struct, frozen=True):
    """The board is empty; `sure`: visible things are printed on it."""

    sure: bool = False


class Corners(msgspec.Struct, frozen=True):
    """The grid's corners, top left first, clockwise, in px of the picture; null: use the markers again."""

    corners_px: tuple[Point, Point, Point, Point] | None


class WholeBoard(msgspec.Struct, frozen=True):
    """A new reading of the whole board: `differs` from the match or not, in a sentence too."""

    differs: bool
    sentence: str


def _camera() -> VisionLoop:
    return or_404(running().camera)


def _jpeg(picture: bytes | None) -> Response:
    return Response(or_404(picture), mimetype="image/jpeg")


@camera_api.route("GET", "/api/camera", who=LOOK, gives=CameraState, refusals=(404,))
def state() -> CameraState:
    """The camera's status."""
    return _camera().state()


@camera_api.route("GET", "/api/camera/picture", who=SEE, gives="image/jpeg", refusals=(404,))
def picture() -> Response:
    """The newest picture."""
    return _jpeg(_camera().picture())


@camera_api.route("GET", "/api/camera/overlay", who=SEE, gives=Overlay, refusals=(404,))
def overlay() -> Overlay:
    """The grid and the read tiles, in px of the picture."""
    return _camera().overlay()


@camera_api.route("GET", "/api/camera/crop", who=SEE, gives="image/jpeg", refusals=(404,))
def crop() -> Response:
    """The part of the picture that the open sighting asks about."""
    return _jpeg(_camera().crop())


@camera_api.route("POST", "/api/camera/whole", who=PLAY, gives=WholeBoard, refusals=(404, 409, 503))
def whole() -> WholeBoard:
    """Read the whole board again. Differences from the match are asked about, and nothing is played."""
    differs = _camera().set_up.read_whole()
    return WholeBoard(differs, say("web.whole-differs" if differs else "web.whole-same"))


@camera_api.route("GET", "/api/camera/lessons", who=SEE, gives=tuple[Lesson, ...], refusals=(404,))
def lessons() -> tuple[Lesson, ...]:
    """The tiles to show together, and their places."""
    return _camera().lessons()


@camera_api.route("GET", "/api/camera/check", who=TEACH, gives=PictureCheck, refusals=(404, 409))
def check() -> PictureCheck:
    """The newest picture judged for the set-up: light, sharpness, markers, the grid's fit."""
    return _camera().set_up.check()


@camera_api.route("GET", "/api/camera/check/empty", who=TEACH, gives=EmptyCheck, refusals=(404, 409))
def check_empty() -> EmptyCheck:
    """Check that the newest picture shows the empty board, still and sharp."""
    return _camera().set_up.check_empty()


@camera_api.route(
    "POST", "/api/camera/check/lesson", who=TEACH, takes=Teach, gives=LessonCheck, refusals=(404, 409)
)
def check_lesson(shown: Teach) -> LessonCheck:
    """Check that these tiles lie where their lesson puts them."""
    return _camera().set_up.check_lesson(shown.owner, shown.kinds)


@camera_api.route("GET", "/api/camera/learnt", who=TEACH, gives=tuple[LearntTile, ...], refusals=(404,))
def learnt() -> tuple[LearntTile, ...]:
    """The learnt tiles, with their pictures."""
    return _camera().set_up.learnt()


@camera_api.route("POST", "/api/camera/forget", who=TEACH, gives=CameraState, refusals=(404, 409))
def forget() -> CameraState:
    """Forget the corners, the empty board and the tiles."""
    _camera().set_up.forget()
    return _camera().state()


@camera_api.route("POST", "/api/camera/empty", who=TEACH, takes=Empty, gives=CameraState, refusals=(404, 409))
def empty(given: Empty) -> CameraState:
    """Remember the newest picture as that of the empty board."""
    _camera().set_up.remember_empty(sure=given.sure)
    return _camera().state()


@camera_api.route("POST", "/api/camera/teach", who=TEACH, takes=Teach, gives=CameraState, refusals=(404, 409))
def teach(shown: Teach) -> CameraState:
    """Learn the tiles that the newest picture shows."""
    _camera().set_up.teach(shown.owner, shown.kinds)
    return _camera().state()


@camera_api.route(
    "POST", "/api/camera/corners", who=TEACH, takes=Corners, gives=CameraState, refusals=(404, 409)
)
def corners(tapped: Corners) -> CameraState:
    """Set the grid's corners by hand, where markers cannot be seen."""
    _camera().set_up.set_corners(tapped.corners_px)
    return _camera().state()


class Answer(msgspec.Struct, frozen=True):
    """A person's answer: the tile lies as asked, or the throw was read right."""

    right: bool


class Accuracy(msgspec.Struct, frozen=True):
    """The current test, and the figures of former ones, the newest first."""

    now: AccuracyNow
    reports: tuple[Report, ...]


def _stands() -> Accuracy:
    camera, demo = _camera(), running().demo
    progress = camera.accuracy.progress()
    if demo is not None:
        demo.follow(progress.task)
    return Accuracy(progress, camera.accuracy.reports())


@camera_api.route("GET", "/api/accuracy", who=TEACH, gives=Accuracy, refusals=(404,))
def accuracy() -> Accuracy:
    """The current task; on the virtual table it is laid."""
    return _stands()


@camera_api.route("POST", "/api/accuracy/begin", who=TEACH, gives=Accuracy, refusals=(404, 409))
def begin_accuracy() -> Accuracy:
    """Begin a test, which pauses the match's reading."""
    _camera().begin_accuracy()
    return _stands()


@camera_api.route("POST", "/api/accuracy/answer", who=TEACH, takes=Answer, gives=Accuracy, refusals=(404,))
def answer_accuracy(given: Answer) -> Accuracy:
    """Judge the reading."""
    _camera().accuracy.answer(right=given.right)
    return _stands()


@camera_api.route("POST", "/api/accuracy/end", who=TEACH, gives=Accuracy, refusals=(404,))
def end_accuracy() -> Accuracy:
    """End the test; an unfinished test's figures are dropped."""
    _camera().accuracy.end()
    return _stands()


@camera_api.route("GET", "/api/accuracy/reports", who=TEACH, gives=tuple[Report, ...], refusals=(404,))
def accuracy_reports() -> tuple[Report, ...]:
    """The figures of all tests, the newest first."""
    return _camera().accuracy.reports()


@camera_api.route("GET", "/api/accuracy/reports.csv", who=TEACH, gives="text/csv", refusals=(404,))
def accuracy_csv() -> Response:
    """The figures of all tests as CSV."""
    return Response(_camera().accuracy.csv(), mimetype="text/csv")


@camera_api.page("/accuracy", who=TEACH)
def accuracy_page() -> str:
    """The test as a page."""
    played = running().table.match.game
    _camera()
    return render_template("accuracy.html", game=played, page="accuracy", tiles="tiles" in sees(played))


class DemoNow(msgspec.Struct, frozen=True):
    """The virtual table's faults, and whether a person tries the set-up there."""

    rehearses: bool
    faults: dict[str, bool]


class Rehearsal(msgspec.Struct, frozen=True):
    """Begin or end a rehearsal of the set-up."""

    on: bool


class PutThere(msgspec.Struct, frozen=True):
    """Things to put on the virtual table; the tiles are a lesson's."""

    what: Put
    owner: str = ""
    kinds: tuple[Kind, ...] = msgspec.field(name="digits", default=())


class FaultSwitch(msgspec.Struct, frozen=True):
    """A fault of the virtual camera to switch on or off."""

    name: str
    on: bool


def _demo() -> VirtualDemo:
    return or_404(running().demo)


def _demo_now(demo: VirtualDemo) -> DemoNow:
    return DemoNow(demo.rehearses, demo.fault_names())


@camera_api.route("POST", "/api/demo/leave", who=END_DEMO, takes=Nothing, gives=TableNow, refusals=(503,))
def end_demo(nothing: Nothing) -> TableNow:
    """Let virtual people leave, if there are any; once their table is clear, the next match begins."""
    state = app_state()
    state.running.end_demo()
    state.table.notify()
    return state.table_now(phone())


@camera_api.route("GET", "/api/demo", who=END_DEMO, gives=DemoNow, refusals=(404,))
def demo() -> DemoNow:
    """The virtual table in a rehearsal."""
    return _demo_now(_demo())


@camera_api.route(
    "POST", "/api/demo/rehearsal", who=END_DEMO, takes=Rehearsal, gives=DemoNow, refusals=(404,)
)
def rehearse(given: Rehearsal) -> DemoNow:
    """Begin a rehearsal on the virtual table, with a camera that knows nothing; or end it."""
    state, demo = app_state(), _demo()
    if given.on:
        demo.begin_rehearsal()
        if state.running.camera is not None:
            state.running.camera.set_up.forget()
    else:
        demo.end_rehearsal()
    state.table.notify()
    return _demo_now(demo)


@camera_api.route("POST", "/api/demo/put", who=END_DEMO, takes=PutThere, gives=DemoNow, refusals=(404, 409))
def put_on_table(given: PutThere) -> DemoNow:
    """Put something on the virtual table."""
    demo = _demo()
    demo.put(given.what, given.owner, given.kinds)
    return _demo_now(demo)


@camera_api.route(
    "POST", "/api/demo/fault", who=END_DEMO, takes=FaultSwitch, gives=DemoNow, refusals=(404, 409)
)
def switch_fault(given: FaultSwitch) -> DemoNow:
    """Switch a fault of the virtual camera."""
    demo = _demo()
    demo.set_fault(given.name, on=given.on)
    return _demo_now(demo)
