"""The pages that people open."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import web
from companion.games.registry import games
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.project.sources import ROOT
from web import pages
from web.app import load_pages
from web.language import messages_of_page

PAGES = ["/", "/camera", "/history", "/seats", "/history/before/1", "/nothing-here"]
FILES = [
    *(f for f in Path(web.__file__).parent.glob("static/*") if f.suffix not in (".png", ".webm")),
    *(f for g in games().values() for f in g.folder.glob("page*")),
]

TYPES = re.compile(r"^/\*\* @import .*\*/$", re.MULTILINE)
"""A script's imports of types: comments, which no browser follows."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_each_page_speaks_each_language(client: FlaskClient, path: str, language: str) -> None:
    client.set_cookie("language", language)
    page = client.get(path)
    assert page.status_code == (404 if path == "/nothing-here" else 200)
    assert f'<html lang="{language}"' in page.text
    assert page.headers["Content-Language"] == language
    assert "Cookie" in page.headers["Vary"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_holds_no_script_of_its_own_and_no_styles_beside_its_files(
    client: FlaskClient, path: str
) -> None:
    page = client.get(path).text
    scripts = re.findall(r"<script([^>]*)>", page)
    assert scripts
    assert all("src=" in each or "application/json" in each for each in scripts)
    assert not re.search(r"\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_needs_no_internet(client: FlaskClient, path: str) -> None:
    loaded = re.findall(r'(?:src|href)="([^"]+)"', client.get(path).text)
    assert loaded
    assert all(each.startswith(("/", "?")) and not each.startswith("//") for each in loaded)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_of_a_page_needs_no_internet(file: Path) -> None:
    text = TYPES.sub("", file.read_text("utf-8")).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(['\"]?(?!#|/static/)[a-z/]", text)


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_loads_is_there(client: FlaskClient, path: str) -> None:
    page = client.get(path).text
    files = re.findall(r'(?:src|href)="(/(?:static|packed)/[^"]+)"', page)
    assert len(files) == 3
    for file in files:
        assert client.get(file).status_code == 200, file


@pytest.mark.parametrize("file", [file for file in FILES if file.suffix == ".js"], ids=lambda file: file.name)
def test_what_a_script_imports_is_there_under_its_plain_address_too(client: FlaskClient, file: Path) -> None:
    slug = next((slug for slug, game in games().items() if game.folder == file.parent), None)
    folder = f"/games/{slug}" if slug else "/static"
    answer = client.get(f"{folder}/{file.name}")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
    for imported in re.findall(r'from "([^"]+)"', TYPES.sub("", answer.text)):
        address = imported if imported.startswith("/") else f"{folder}/{imported[2:]}"
        assert client.get(address).status_code == 200, imported


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        pytest.param("", "en", id="nothing said"),
        pytest.param("fr,de;q=0.5", "en", id="none of ours"),
        pytest.param("zh-HK,en;q=0.5", "zh-Hant", id="Hong Kong"),
        pytest.param("zh-CN", "zh-Hant", id="the one Chinese there is"),
        pytest.param("fr, ko;q=0.8, en;q=0.5", "ko", id="the first that is ours"),
        pytest.param("en-GB,ko;q=0.9", "en", id="British"),
    ],
)
def test_the_language_is_what_the_browser_asks_for(client: FlaskClient, accepted: str, language: str) -> None:
    page = client.get("/seats", headers={"Accept-Language": accepted})
    assert f'<html lang="{language}"' in page.text


def test_the_menu_sets_the_language_and_it_stays(client: FlaskClient) -> None:
    answer = client.get("/history?language=ko", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/history")
    assert '<html lang="ko"' in client.get("/", headers={"Accept-Language": "en"}).text


@pytest.mark.parametrize("address", ["//evil.example/?language=ko", "/%2fevil.example?language=ko"])
def test_choosing_a_language_leads_to_no_other_host(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert not answer.headers.get("Location", "/").startswith("//")


def test_a_language_that_is_not_ours_is_not_set(client: FlaskClient) -> None:
    assert client.get("/join?language=xx").status_code == 200


def test_the_dashboard_is_the_page_of_the_game_that_is_played(client: FlaskClient) -> None:
    page = client.get("/").text
    assert f'data-game="{BED}"' in page
    assert f"of=/static/base.js,/games/{BED}/page.js" in page
    assert '"first_tile":{' in page


def test_a_game_without_a_page_gets_a_plain_one(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = games()[BED].folder
    (tmp_path / "messages.toml").write_bytes((folder / "messages.toml").read_bytes())
    monkeypatch.setattr(type(games()[BED]), "folder", tmp_path)
    assert "plain.js" in app.test_client().get("/").text


def test_a_name_as_long_as_its_field_lets_it_be_is_kept_whole_and_a_longer_one_is_cut(
    client: FlaskClient,
) -> None:
    (room,) = {int(most) for most in re.findall(r'maxlength="(\d+)"', client.get("/history").text)}
    longest = "Mei" + "-Mei" * room
    answer = client.post("/api/players", json={"players": {"cat": longest[:room], "dog": longest}})
    assert answer.json["match"]["players"] == {"cat": longest[:room], "dog": longest[:room]}


def test_the_history_shows_how_matches_stand(client: FlaskClient, journal: Journal) -> None:
    client.post("/api/players", json={"players": {"cat": "Mei <3", "dog": "Bo"}})
    client.post("/api/moves", json=OPENING[0])
    Match.begin(journal, BED, {}).play(OPENING[0], "phone")
    journal.append(journal.begin("gone-fishing", {}, 2).id, 1, "move", {"move": "cast"}, "phone")
    page = client.get("/history").text
    assert "Mei &lt;3, Bo" in page
    assert "1 move<" in page
    assert page.count("data-resume") == 1
    assert "gone-fishing" in page


def test_the_form_names_the_seats_of_every_game_in_the_readers_language(client: FlaskClient) -> None:
    page = client.get("/new?language=ko", follow_redirects=True).text
    assert "플레이어 1 이름" in page
    assert "쥐 플레이어 1 이름" in page
    assert not re.search(r"[a-z]: 누구인가요", page)


def test_older_matches_have_pages_of_their_own(client: FlaskClient, journal: Journal) -> None:
    for _ in range(21):
        Match.begin(journal, BED, {}).play(OPENING[0], "phone")
    assert 'href="/history/before/3"' in client.get("/history").text
    older = client.get("/history/before/3").text
    assert older.count("<li>") == 2
    assert 'id="names"' not in older


def test_how_to_join_shows_the_address_asked_for(client: FlaskClient) -> None:
    page = client.get("/seats", base_url="http://table.local:8000")
    assert "http://table.local:8000/" in page.text
    code = client.get("/join.svg", base_url="http://table.local:8000")
    assert code.mimetype == "image/svg+xml"
    assert code.data != client.get("/join.svg", base_url="http://table.local:8001").data


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_an_address_that_means_only_this_machine_is_replaced(
    client: FlaskClient, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "own_address", lambda: "192.0.2.7")
    assert "http://192.0.2.7:8000/" in client.get("/seats", base_url=f"http://{host}").text
    monkeypatch.setattr(pages, "own_address", lambda: None)
    assert f"http://{host}/" in client.get("/seats", base_url=f"http://{host}").text


def test_this_machine_knows_its_address_or_that_it_has_none() -> None:
    matches = pages.own_address()
    assert matches is None or re.fullmatch(r"\d+(\.\d+){3}", matches)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", games())
def test_each_game_has_short_rules_and_a_drawing(client: FlaskClient, slug: str, language: str) -> None:
    page = client.get(f"/rules/{slug}", headers={"Accept-Language": language}).text
    drawings = re.findall(r'<svg class="rule".*?</svg>', page, re.DOTALL)
    assert len(drawings) == page.count("<li>") >= 4
    assert all(re.search("<(?:path|rect)", each) for each in drawings)
    assert len(set(drawings)) == len(drawings)
    assert 'viewBox="0 0 120 84"' in page
    client.post("/api/matches", json={"game": slug})
    assert f'href="/rules/{slug}"' in client.get("/").text


def test_the_drawings_show_the_games_own_numbers(client: FlaskClient) -> None:
    race = client.get("/rules/cat-and-mouse").text
    assert all(f">{square}</text>" in race for square in (4, 9, 16, 22, 33, 44, 55, 10, 20, 48, 66))
    kitchen = client.get("/rules/chop-chop").text
    assert kitchen.count("× 10</text>") == 1, "the cheese in the bag"
    assert kitchen.count("× 3</text>") == 5


def test_a_game_that_is_not_there_has_no_rules(client: FlaskClient) -> None:
    assert client.get("/rules/chess").status_code == 404


def test_the_favicon_is_there(client: FlaskClient) -> None:
    assert client.get("/favicon.ico").mimetype == "image/svg+xml"


def test_the_camera_page_says_when_no_camera_watches(client: FlaskClient, blind: FlaskClient) -> None:
    assert 'id="eye"' in client.get("/camera").text
    assert 'id="eye"' not in blind.get("/camera").text
    assert "--camera" in blind.get("/camera").text


ONE_GAME = """
import sys
from pathlib import Path
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.running import pages_of

journal = Journal(Path(sys.argv[1]))
browser = pages_of(Table(journal, Match.begin(journal, "this-bed-is-mine", {})), None).test_client()
browser.set_cookie("watches", "yes")
for path in ("/", "/games/this-bed-is-mine/page.js"):
    with browser.get(path) as answer:
        assert answer.status_code == 200, path
others = ("cat_and_mouse", "chop_chop", "exploding_kittens", "hide_and_seek")
sys.exit([each for each in others if f"companion.games.{each}" in sys.modules] or 0)
"""
"""A process in which only the page of one game is looked at; it exits with the other games that it loaded."""


def test_the_page_of_a_game_waits_for_no_other_game(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ONE_GAME, str(tmp_path / "journal.sqlite")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_what_was_loaded_beforehand_the_first_view_does_not_wait_for(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages_of_page.cache_clear()
    load_pages(app)

    def late(*_: object, **__: object) -> None:
        raise AssertionError("read or compiled while somebody waits")

    monkeypatch.setattr("companion.messages.tomllib.loads", late)
    monkeypatch.setattr(app.jinja_env, "compile", late)
    browser = app.test_client()
    assert [browser.get(path).status_code for path in ("/", "/history", "/camera", "/seats")] == [200] * 4


@pytest.mark.parametrize(
    ("slug", "shown"),
    [
        (BED, True),
        ("cat-and-mouse", True),
        ("chop-chop", True),
        ("exploding-kittens", False),
        ("hide-and-seek", False),
    ],
)
def test_only_games_with_a_board_or_dice_ask_for_the_empty_one(
    client: FlaskClient, table: Table, slug: str, shown: bool
) -> None:
    table.begin(slug, {})
    page = client.get("/camera").text
    assert ('id="eye"' in page, 'id="step-empty"' in page) == (True, shown)
