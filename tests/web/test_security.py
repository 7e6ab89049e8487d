"""Who may change the table from a browser, and what a page may load."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.play.table import Table
from tests.conftest import OPENING


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Sec-Fetch-Site": "cross-site"}, id="another site"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, id="a sibling"),
        pytest.param({"Origin": "http://evil.example"}, id="an older browser"),
        pytest.param({"Origin": "null"}, id="a file or a sandbox"),
        pytest.param({"Origin": "http://localhost:81"}, id="another port"),
        pytest.param({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, id="the two disagree"),
    ],
)
def test_a_page_of_another_site_changes_nothing(
    client: FlaskClient, table: Table, headers: dict[str, str]
) -> None:
    answer = client.post("/api/moves", json=OPENING[0], headers=headers)
    assert (answer.status_code, answer.json["rule"]) == (403, "another-site")
    assert table.match.n == 0


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({}, id="a program"),
        pytest.param({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, id="our own page"),
        pytest.param({"Sec-Fetch-Site": "none"}, id="typed by hand"),
        pytest.param({"Origin": "http://localhost"}, id="our own page in an older browser"),
    ],
)
def test_our_own_pages_and_programs_may(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/api/moves", json=OPENING[0], headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/match", "/static/base.js", "/join.svg", "/nothing", "/metrics"])
def test_every_answer_says_what_may_be_loaded(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Cache-Control"] in ("no-store", "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/games/this-bed-is-mine/messages.toml",
        "/games/this-bed-is-mine/rules.py",
        "/games/this-bed-is-mine/data/boards/a.toml",
        "/games/this-bed-is-mine/..%2f..%2ferrors.py",
        "/games/this-bed-is-mine/page.html",
        "/games/ludo/page.js",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ],
)
def test_only_a_games_page_files_can_be_loaded(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_what_a_page_is_told_cannot_end_its_script(client: FlaskClient) -> None:
    client.post("/api/players", json={"players": {"cat": "</script><b>"}})
    page = client.get("/").text
    assert "</script><b>" not in page
    assert "\\u003c/script>" in page
