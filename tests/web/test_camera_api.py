"""The camera over HTTP."""

from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.service.camera_status import CameraState, Overlay
from companion.service.setup.checks import EmptyCheck, LessonCheck, TileCheck
from tests.web.conftest import JPEG, ScriptedCamera

CORNERS = [[0, 0], [10, 0], [10, 10], [0, 10.5]]


def test_the_cameras_status(client: FlaskClient, camera: ScriptedCamera) -> None:
    assert msgspec.convert(client.get("/api/camera").json, CameraState) == camera.status


@pytest.mark.parametrize("which", ["picture", "crop"])
def test_a_picture_is_there_or_not(client: FlaskClient, camera: ScriptedCamera, which: str) -> None:
    answer = client.get(f"/api/camera/{which}")
    assert (answer.mimetype, answer.data) == ("image/jpeg", JPEG)
    assert answer.headers["Cache-Control"] == "no-store"
    camera.shown = None
    assert client.get(f"/api/camera/{which}").status_code == 404


def test_what_was_read_comes_in_px_of_the_picture(client: FlaskClient) -> None:
    overlay = msgspec.convert(client.get("/api/camera/overlay").json, Overlay)
    assert (overlay.width, overlay.height) == (64, 48)
    assert overlay.tiles[0].polygon[2] == (20.0, 20.0)


def test_a_lesson_tells_which_tiles_go_where(client: FlaskClient) -> None:
    first, second = client.get("/api/camera/lessons").json or ()
    assert (first["owner"], first["digits"]) == ("cat", [1, 2])
    assert second["outlines"][0][2] == [20.0, 20.0]


def test_setup_asks_the_camera(client: FlaskClient, camera: ScriptedCamera) -> None:
    assert client.post("/api/camera/empty").json["kind"] == "ok"
    client.post("/api/camera/teach", json={"owner": "dog", "digits": [1, 2]})
    client.post("/api/camera/corners", json={"corners_px": CORNERS})
    assert camera.asked == [
        ("empty",),
        ("teach", "dog", (1, 2)),
        ("corners", ((0, 0), (10, 0), (10, 10), (0, 10.5))),
    ]


@pytest.mark.parametrize("body", [{}, {"corners_px": CORNERS[:3]}, {"corners_px": [[0]] * 4}])
def test_corners_are_four_points(
    client: FlaskClient, camera: ScriptedCamera, body: dict[str, object]
) -> None:
    assert client.post("/api/camera/corners", json=body).status_code == 400
    assert not camera.asked


def test_what_the_camera_cannot_do_is_said(client: FlaskClient, camera: ScriptedCamera) -> None:
    camera.refusal = "A hand is over the bed; take it away and try again."
    answer = client.post("/api/camera/empty")
    assert (answer.status_code, answer.json["says"]) == (409, camera.refusal)


def test_the_markers_are_used_again_where_there_are_no_corners(
    client: FlaskClient, camera: ScriptedCamera
) -> None:
    assert client.post("/api/camera/corners", json={"corners_px": None}).status_code == 200
    assert camera.asked == [("corners", None)]


def test_the_set_up_is_judged_step_by_step(client: FlaskClient, camera: ScriptedCamera) -> None:
    camera.emptiness, camera.lying = EmptyCheck("hand"), LessonCheck("", (TileCheck(4, "beside", ()),))
    assert client.get("/api/camera/check").json["markers"][0]["state"] == "seen"
    assert client.get("/api/camera/check/empty").json["hindrance"] == "hand"
    lesson = client.post("/api/camera/check/lesson", json={"owner": "cat", "digits": [4]}).json
    assert [(tile["digit"], tile["state"]) for tile in lesson["tiles"]] == [(4, "beside")]
    assert client.get("/api/camera/learnt").json[0]["picture"].startswith("data:image/png")


def test_what_is_printed_on_the_board_is_no_tile_if_a_person_is_sure(
    client: FlaskClient, camera: ScriptedCamera
) -> None:
    assert client.post("/api/camera/empty", json={"sure": True}).status_code == 200
    assert client.post("/api/camera/forget").status_code == 200
    assert camera.asked == [("empty", "sure"), ("forget",)]


@pytest.mark.parametrize("path", ["", "/picture", "/crop", "/overlay", "/check", "/check/empty", "/learnt"])
def test_without_a_camera_there_is_nothing_to_see(blind: FlaskClient, path: str) -> None:
    assert blind.get(f"/api/camera{path}").status_code == 404


@pytest.mark.parametrize("path", ["empty", "teach", "corners", "check/lesson", "forget"])
def test_without_a_camera_there_is_nothing_to_set_up(blind: FlaskClient, path: str) -> None:
    body = {"owner": "cat", "digits": [1], "corners_px": CORNERS}
    assert blind.post(f"/api/camera/{path}", json=body).status_code == 404


def test_the_whole_board_is_read_again_and_what_differs_is_said(
    client: FlaskClient, camera: ScriptedCamera
) -> None:
    same = client.post("/api/camera/whole").json
    assert (same["differs"], same["sentence"]) == (
        False,
        "The whole board was read: the match is as it lies there.",
    )
    camera.differs = True
    assert "differs" in client.post("/api/camera/whole").json["sentence"]
    assert camera.asked == [("whole",), ("whole",)]
