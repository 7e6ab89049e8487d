"""The camera over HTTP."""

from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient

from tests.web.conftest import JPEG, ToldEyes
from web.camera_port import CameraState, Overlay

CORNERS = [[0, 0], [10, 0], [10, 10], [0, 10.5]]


def test_how_the_camera_fares(client: FlaskClient, eyes: ToldEyes) -> None:
    assert msgspec.convert(client.get("/api/eyes").json, CameraState) == eyes.status


@pytest.mark.parametrize("which", ["picture", "crop"])
def test_a_picture_is_there_or_not(client: FlaskClient, eyes: ToldEyes, which: str) -> None:
    told = client.get(f"/api/eyes/{which}")
    assert (told.mimetype, told.data) == ("image/jpeg", JPEG)
    assert told.headers["Cache-Control"] == "no-store"
    eyes.shown = None
    assert client.get(f"/api/eyes/{which}").status_code == 404


def test_what_was_read_comes_in_px_of_the_picture(client: FlaskClient) -> None:
    overlay = msgspec.convert(client.get("/api/eyes/overlay").json, Overlay)
    assert (overlay.width, overlay.height) == (64, 48)
    assert overlay.tiles[0].polygon[2] == (20.0, 20.0)


def test_a_lesson_tells_which_tiles_go_where(client: FlaskClient) -> None:
    first, second = client.get("/api/eyes/lessons").json or ()
    assert (first["owner"], first["digits"]) == ("cat", [1, 2])
    assert second["outlines"][0][2] == [20.0, 20.0]


def test_setting_up_asks_the_eyes(client: FlaskClient, eyes: ToldEyes) -> None:
    assert client.post("/api/eyes/empty").json["kind"] == "ok"
    client.post("/api/eyes/teach", json={"owner": "dog", "digits": [1, 2]})
    client.post("/api/eyes/corners", json={"corners_px": CORNERS})
    assert eyes.asked == [
        ("empty",),
        ("teach", "dog", (1, 2)),
        ("corners", ((0, 0), (10, 0), (10, 10), (0, 10.5))),
    ]


@pytest.mark.parametrize("body", [{}, {"corners_px": CORNERS[:3]}, {"corners_px": [[0]] * 4}])
def test_corners_are_four_points(client: FlaskClient, eyes: ToldEyes, body: dict[str, object]) -> None:
    assert client.post("/api/eyes/corners", json=body).status_code == 400
    assert not eyes.asked


def test_what_the_camera_cannot_do_is_said(client: FlaskClient, eyes: ToldEyes) -> None:
    eyes.refusal = "A hand is over the bed; take it away and try again."
    told = client.post("/api/eyes/empty")
    assert (told.status_code, told.json["says"]) == (409, eyes.refusal)


@pytest.mark.parametrize("path", ["", "/picture", "/crop", "/overlay"])
def test_without_a_camera_there_is_nothing_to_see(blind: FlaskClient, path: str) -> None:
    assert blind.get(f"/api/eyes{path}").status_code == 404


@pytest.mark.parametrize("path", ["empty", "teach", "corners"])
def test_without_a_camera_there_is_nothing_to_set_up(blind: FlaskClient, path: str) -> None:
    body = {"owner": "cat", "digits": [1], "corners_px": CORNERS}
    assert blind.post(f"/api/eyes/{path}", json=body).status_code == 404
