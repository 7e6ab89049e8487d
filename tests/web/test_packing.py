"""What a page loads, as it is sent: few, small, compressed, and kept for good."""

from __future__ import annotations

import base64
import gzip
import hashlib
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.registry import games
from companion.messages import LANGUAGES
from companion.play.table import Table
from tests.conftest import BED
from web.language import messages_of_page
from web.packing import file_at

FOR_GOOD = "public, max-age=31536000, immutable"
ZIPPED = {"Accept-Encoding": "gzip"}
PAGES = ["/", "/camera", "/history", "/join", "/nothing-here"]
MOST_BYTES = 40_000
"""What the first view of a game may take over the wire, in bytes."""
STATUS_AND_DATE_BYTES = 17 + 37
"""What the server itself puts before the headers of an answer."""


def files_of(page: str) -> list[str]:
    """The addresses of the scripts of a page, as it was sent."""
    return [address.replace("&amp;", "&") for address in re.findall(r'<script[^>]* src="([^"]+)"', page)]


def unzipped(answer: TestResponse) -> str:
    """The text of an answer that was sent compressed."""
    assert answer.headers["Content-Encoding"] == "gzip"
    return gzip.decompress(answer.data).decode()


def wire_bytes(answer: TestResponse) -> int:
    """How long an answer is over the wire, headers and all."""
    headers = sum(len(f"{name}: {value}\r\n") for name, value in answer.headers)
    return STATUS_AND_DATE_BYTES + headers + len(answer.data)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_one_script_and_one_file_of_words_that_are_kept_for_good(
    client: FlaskClient, path: str
) -> None:
    words, script = files_of(client.get(path).text)
    for address, begins in ((words, "globalThis.words = {"), (script, "const _static_dom_js = ")):
        answer = client.get(address, headers=ZIPPED)
        assert answer.headers["Cache-Control"] == FOR_GOOD
        assert answer.mimetype == "text/javascript"
        assert begins in unzipped(answer)
        assert client.get(address).text == unzipped(answer), "who takes no gzip gets the same as it is"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_holds_its_styles_and_allows_just_these(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert "--ground" in style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in answer.headers["Content-Security-Policy"]
    assert '<link rel="stylesheet"' not in answer.text


def test_a_page_is_compressed_where_the_browser_takes_that(client: FlaskClient) -> None:
    plain = client.get("/")
    assert "Content-Encoding" not in plain.headers
    assert unzipped(client.get("/", headers=ZIPPED)) == plain.text
    assert "Accept-Encoding" in plain.headers["Vary"]


def words_on(client: FlaskClient, path: str) -> tuple[set[str], set[str]]:
    """The keys that come with a page, and those that its scripts say."""
    words, script, *_ = files_of(client.get(path).text)
    sent = set(msgspec.json.decode(client.get(words).text.removeprefix("globalThis.words = ").rstrip(";\n")))
    modules = script.partition("of=")[2].split(",")
    texts = [each for module in modules for each in with_loaded(module)]
    slug = words.split("/")[2]
    every = {key for key, _ in messages_of_page(slug)}
    literal = set(re.findall(r"[a-z][\w-]*\.[\w.-]+", "\n".join(texts)))
    begun = {each for text in texts for each in re.findall(r"`([a-z][\w-]*\.[\w-]*)\$", text)}
    return sent, {key for key in every if key in literal or key.startswith(tuple(begun))}


def with_loaded(address: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The text of a module, and of all that it names as a file."""
    path = file_at(address)
    if path is None or address in seen:
        return
    text = path.read_text("utf-8")
    yield text
    folder, slug = address.rpartition("/")[0], address.split("/")[2]
    for name in set(re.findall(r"[\w/$.{}-]+\.js", text)):
        there = name.replace("${match.game}", slug).replace("${now.match.game}", slug)
        yield from with_loaded(there if there.startswith("/") else f"{folder}/{there[2:]}", seen | {address})


OTHER_PAGES = (
    "/settings",
    "/panel",
    "/display",
    "/new",
    "/seats",
    "/players",
    "/accuracy",
    "/score",
)


@pytest.mark.parametrize("path", [*PAGES, *OTHER_PAGES, "/own/this-bed-is-mine/board"])
def test_a_page_gets_each_word_that_its_scripts_say_and_little_else(client: FlaskClient, path: str) -> None:
    sent, said = words_on(client, path)
    assert sent >= said
    assert len(sent - said) <= 5


@pytest.mark.parametrize("slug", games())
def test_a_game_gets_each_word_that_its_scripts_say(client: FlaskClient, table: Table, slug: str) -> None:
    table.begin(slug, {})
    sent, said = words_on(client, "/")
    assert sent >= said
    assert said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", games())
def test_the_first_view_of_a_game_is_small(
    client: FlaskClient, table: Table, slug: str, language: str
) -> None:
    table.begin(slug, {})
    client.set_cookie("language", language)
    page = client.get("/", headers=ZIPPED)
    (icon,) = re.findall(r'rel="icon" href="([^"]+)"', unzipped(page))
    answers = [page, *(client.get(each, headers=ZIPPED) for each in (*files_of(unzipped(page)), icon))]
    assert sum(map(wire_bytes, answers)) <= MOST_BYTES


def test_an_address_of_before_an_update_gives_what_is_there_now_and_is_not_kept(client: FlaskClient) -> None:
    for address in files_of(client.get("/").text):
        old = client.get(re.sub(r"[0-9a-f]{12}\.js", "000000000000.js", address))
        assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    "address",
    [
        "/packed/0.js",
        "/packed/0.js?of=/static/nothing.js",
        "/packed/0.js?of=/static/../app.py",
        "/packed/0.js?of=/games/this-bed-is-mine/rules.py",
        "/packed/this-bed-is-mine/xx/0.js",
        "/packed/gone-fishing/en/0.js",
    ],
)
def test_nothing_else_can_be_asked_for(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_icon_is_kept_for_good_by_its_hash_alone(client: FlaskClient) -> None:
    (icon,) = re.findall(r'rel="icon" href="([^"]+)"', client.get("/").text)
    assert client.get(icon).headers["Cache-Control"] == FOR_GOOD
    assert client.get("/static/icon.svg?v=0").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("address", ["/static/animals.svg", "/games/exploding-kittens/page_cards.svg"])
def test_a_drawing_is_compressed(client: FlaskClient, address: str) -> None:
    plain = client.get(address)
    small = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data) / 2
    again = client.get(address, headers={"If-None-Match": small.headers["ETag"]})
    assert again.status_code == 304


def test_scripts_that_cannot_be_joined_are_sent_as_they_are(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = games()[BED]
    for name in ("messages.toml", "page.html"):
        (tmp_path / name).write_bytes((game.folder / name).read_bytes())
    (tmp_path / "page.js").write_text("export default 1;\n", "utf-8")
    (tmp_path / "page.css").write_text("", "utf-8")
    monkeypatch.setattr(type(game), "folder", tmp_path)
    with caplog.at_level(logging.WARNING):
        page = app.test_client().get("/").text
    assert files_of(page)[1:] == ["/static/base.js", f"/games/{BED}/page.js"]
    assert "sent one by one" in caplog.text
