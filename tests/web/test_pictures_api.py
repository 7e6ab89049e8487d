"""The pictures of moves over HTTP, on the page of a match and in the settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.messages import LANGUAGES
from companion.play.match import Match
from companion.play.table import Table
from companion.service.photos.kept import KeptPictures
from companion.service.table_settings import TableSettings
from companion.settings import SettingsFile
from tests.conftest import BED, OPENING
from tests.running import pages_of, replace_services
from tests.web.conftest import Browser

JPEG = b"\xff\xd8\xff the board \xff\xd9"


@pytest.fixture
def pictures(tmp_path: Path) -> KeptPictures:
    """The pictures of moves, switched on."""
    kept = KeptPictures(tmp_path / "pictures", free=lambda _: 10**12)
    kept.on = True
    return kept


@pytest.fixture
def app(table: Table, pictures: KeptPictures, tmp_path: Path) -> Iterator[Flask]:
    """The pages of a table that keeps pictures."""
    made = pages_of(table, None, settings=TableSettings(SettingsFile(tmp_path / "settings.toml"), {}))
    replace_services(made, pictures=pictures)
    made.test_client_class = Browser
    yield made
    made.extensions["companion"].stop()


@pytest.fixture
def match(table: Table, pictures: KeptPictures) -> Match:
    """A kept match of four moves; the camera saw the second one, and the fourth after an undo and a redo."""
    match = Match.begin(table.journal, BED, {})
    match.play_all(OPENING, "phone")
    match.undo("phone")
    match.redo("phone")
    for n in (2, 6):
        pictures.keep(match.record, n, JPEG)
    return match


def address(match: Match) -> str:
    return f"/api/matches/{match.record.id}/pictures"


def test_each_move_has_its_picture_or_none(client: FlaskClient, match: Match) -> None:
    assert client.get(address(match)).json == {"pictures": [0, 2, 0, 6], "gone": ""}
    picture = client.get(f"{address(match)}/2")
    assert (picture.mimetype, picture.data) == ("image/jpeg", JPEG)
    assert client.get(f"{address(match)}/1").status_code == 404
    assert client.get("/api/matches/99/pictures").status_code == 404


def test_its_page_has_a_place_for_them_and_one_tap_deletes_them(client: FlaskClient, match: Match) -> None:
    page = client.get(f"/history/{match.record.id}").text
    assert f'data-remove="{address(match)}/remove"' in page
    assert client.post(f"{address(match)}/remove").status_code == 200
    assert client.get(address(match)).json == {"pictures": [0, 0, 0, 0], "gone": "deleted"}
    assert 'data-deleted="The pictures of this match were deleted."' in client.get(
        f"/history/{match.record.id}"
    ).text  # fmt: skip


def test_a_match_without_pictures_says_nothing_of_them(client: FlaskClient, table: Table) -> None:
    match = Match.begin(table.journal, BED, {})
    match.play_all(OPENING, "phone")
    assert 'id="move-picture"' not in client.get(f"/history/{match.record.id}").text


def test_nothing_that_is_exported_holds_them(client: FlaskClient, match: Match) -> None:
    for way in ("export", "export?format=csv"):
        text = client.get(f"/api/matches/{match.record.id}/{way}").text
        assert "picture" not in re.sub("toys_per.{1,6}picture", "", text)


def test_a_match_off_the_list_shows_none_until_it_is_back(client: FlaskClient, match: Match) -> None:
    client.post(f"/api/matches/{match.record.id}/remove", json={})
    assert client.get(f"{address(match)}/2").status_code == 404
    client.post(f"/api/matches/{match.record.id}/bring-back", json={})
    assert client.get(f"{address(match)}/2").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_say_what_is_kept_and_delete_all_of_it(
    client: FlaskClient, match: Match, language: str
) -> None:
    client.set_cookie("language", language)
    page = client.get("/settings").text
    assert {"en": "2 pictures kept, 0.0 MB.", "zh-Hant": "已保留 2 張畫面，", "ko": "사진 2장"}[
        language
    ] in page
    assert 'id="delete-pictures"' in page
    assert client.post("/api/pictures/remove").status_code == 200
    assert 'id="delete-pictures"' not in client.get("/settings").text
