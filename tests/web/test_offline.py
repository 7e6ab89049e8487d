"""What a phone may keep of the table for when there is no connection to it."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.messages import LANGUAGES
from tests.web.conftest import page_now


def test_the_service_worker_answers_for_every_page(client: FlaskClient) -> None:
    answer = client.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_table_and_says_that_there_is_no_connection(
    client: FlaskClient, language: str
) -> None:
    client.set_cookie("language", language)
    answer = client.get("/offline")
    none = {"en": "No connection", "zh-Hant": "連不上", "ko": "연결할 수 없습니다"}[language]
    assert none in answer.text
    assert page_now(answer.text)["match"] == client.get("/api/match?seat=none").json


def test_nothing_can_be_done_on_it(client: FlaskClient) -> None:
    head, _, page = client.get("/offline").text.partition("<body")
    assert "data-kept" in head
    for what in ("look-back", "data-resume", 'id="share"'):
        assert what not in page
