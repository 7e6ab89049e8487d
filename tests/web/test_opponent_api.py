"""The table as an opponent over HTTP: the seat that it plays, and hints."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.games.choosing import Choice
from companion.play.table import Table
from tests.conftest import BED
from web.app import create_app
from web.opponent_api import worth_said


def test_the_table_takes_a_seat_and_leaves_it(opponent_client: FlaskClient) -> None:
    answer = opponent_client.post("/api/opponent", json={"seat": "dog", "level": "top"}).json
    assert answer["opponent"] == {"seat": "dog", "level": "top", "thinks": False, "move": None}
    page = opponent_client.get("/opponent").text
    assert '<option value="dog" selected>' in page
    assert opponent_client.post("/api/opponent", json={"seat": None}).json["opponent"] is None


def test_a_hint_is_a_move_its_worth_and_why_in_the_askers_language(opponent_client: FlaskClient) -> None:
    hint = opponent_client.post("/api/hint", json={}).json
    assert (hint["notation"], hint["value"], hint["says"]) == ("c4@5,3", 2.5, "It wins 14 squares.")
    assert hint["called"] == "the cat's 4 (its top left at D6)"
    korean = opponent_client.post("/api/hint", json={}, headers={"Accept-Language": "ko"}).json
    assert "14칸" in korean["says"]
    assert korean["called"] == "고양이의 4번 타일(왼쪽 위 D6)"
    assert hint["worth"] == "It expects to end 2 points ahead."
    opponent_client.post("/api/hints", json={"on": False})
    refused = opponent_client.post("/api/hint", json={})
    assert (refused.status_code, refused.json["rule"]) == (409, "hints-off")
    assert "Hints are switched off" in opponent_client.get("/opponent").text


@pytest.mark.parametrize(
    ("slug", "choice", "says"),
    [
        (BED, Choice(None, -3.2), "It expects to end 3 points behind."),
        (BED, Choice(None, 0.3), "It expects to end level."),
        (BED, Choice(None, 12.0, "advice.wins", {"points": 12}), ""),
        ("hide-and-seek", Choice(None, 1.0), "It expects to end 1 point ahead."),
        ("chop-chop", Choice(None, 0.43), "The chance to win with it is about 43 %."),
        ("exploding-kittens", Choice(None, 0.43), "The chance to win with it is about 43 %."),
        ("exploding-kittens", Choice(None), ""),
    ],
)
def test_what_a_hint_is_worth_is_said_in_points_or_as_a_chance(
    opponent_client: FlaskClient, slug: str, choice: Choice, says: str
) -> None:
    with opponent_client.application.test_request_context():
        assert worth_said(slug, choice) == says


def test_a_table_that_plays_nothing_says_so(table: Table) -> None:
    app = create_app(table, None)
    assert app.test_client().post("/api/hint", json={}).status_code == 404
    assert app.test_client().get("/api/table").json["opponent"] is None
