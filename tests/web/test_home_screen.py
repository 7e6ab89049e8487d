"""What a phone needs to put the table on its home screen."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

import web
from companion.messages import LANGUAGES
from tests.running import state_of
from web.pages import GROUND


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a picture in px."""
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    height, width = picture.shape[:2]
    return width, height


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_names_a_manifest_in_its_language(client: FlaskClient, language: str) -> None:
    client.set_cookie("language", language)
    for path in ("/", "/history"):
        (address,) = re.findall(r'<link rel="manifest" href="([^"]+)">', client.get(path).text)
        # A browser asks for a manifest without cookies.
        answer = client.application.test_client().get(address)
        assert answer.mimetype == "application/manifest+json"
        assert answer.json["lang"] == language


def test_it_opens_the_table_on_the_whole_screen(client: FlaskClient) -> None:
    manifest = client.get("/app.webmanifest").json
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == (
        "Table Companion", "/", "standalone"
    )  # fmt: skip


def test_it_has_the_tables_own_name(app: Flask, client: FlaskClient) -> None:
    state_of(app).running.settings.change({"table_name": "Kitchen table"})
    assert client.get("/app.webmanifest").json["name"] == "Kitchen table"


def test_each_icon_is_there_and_as_large_as_it_says(client: FlaskClient) -> None:
    icons = client.get("/app.webmanifest").json["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        width, height = size_of(client.get(icon["src"]).data)
        assert icon["sizes"] == f"{width}x{height}"


def test_an_iphone_finds_its_icon(client: FlaskClient) -> None:
    assert size_of(client.get("/apple-touch-icon.png").data) == (180, 180)


def test_what_waits_for_the_first_page_has_its_colour() -> None:
    style = Path(web.__file__).with_name("static").joinpath("base.css").read_text("utf-8")
    assert f"--ground: {GROUND};" in style
