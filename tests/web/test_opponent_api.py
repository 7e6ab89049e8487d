"""The table as an opponent over HTTP: the seat that it plays, and hints."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.games.players import Choice
from companion.play.table import Table
from tests.conftest import BED
from tests.running import pages_of
from web.opponent_api import worth_said


def test_the_computer_takes_a_seat_and_leaves_it(opponent_client: FlaskClient) -> None:
    answer = opponent_client.post("/api/opponent", json={"seat": "dog", "level": "top"}).json
    assert answer["opponent"] == {
        "seat": "dog", "level": "top", "thinks": False, "move": None, "seats": ["dog"]
    }  # fmt: skip
    assert 'data-levels="beginner top"' in opponent_client.get("/seats").text
    assert opponent_client.post("/api/opponent", json={"seat": "dog", "level": ""}).json["opponent"] is None


def test_a_match_begins_with_the_computer_at_its_seats_and_the_phone_at_its_own(
    opponent_client: FlaskClient, table: Table
) -> None:
    opponent_client.post("/api/seats/take", json={"seat": "cat", "name": "Mei"})
    body = {"game": BED, "computer": {"cat": "top"}, "seat": "dog", "players": {"dog": "Mei"}}
    now = opponent_client.post("/api/matches", json=body).json
    assert (now["seat"], now["opponent"]["seats"]) == ("dog", ["cat"])
    assert now["match"]["players"] == {"dog": "Mei"}
    page = opponent_client.get("/new").text
    assert '<option value="level:top" selected>Computer: hardest</option>' in page
    assert '<option value="name:Mei" selected>' in page
    now = opponent_client.post("/api/matches", json={"game": BED}).json
    assert (now["seat"], now["opponent"]) == ("dog", None)


def test_who_sits_down_at_a_seat_of_the_computer_plays_on_for_it(opponent_client: FlaskClient) -> None:
    opponent_client.post("/api/opponent", json={"seat": "dog", "level": "top"})
    opponent_client.post("/api/seats/take", json={"seat": "dog"})
    assert opponent_client.get("/api/table").json["opponent"] is None


def test_a_hint_is_a_move_its_worth_and_why_in_the_askers_language(opponent_client: FlaskClient) -> None:
    hint = opponent_client.post("/api/hint", json={}).json
    assert (hint["notation"], hint["value"], hint["says"]) == ("c4@5,3", 2.5, "It wins 14 squares.")
    assert hint["called"] == "the cat's 4 at D6"
    korean = opponent_client.post("/api/hint", json={}, headers={"Accept-Language": "ko"}).json
    assert "14칸" in korean["says"]
    assert korean["called"] == "D6에 놓은 고양이의 4번 타일"
    assert hint["worth"] == "It expects to end 2 points ahead."
    opponent_client.post("/api/hints", json={"on": False})
    refused = opponent_client.post("/api/hint", json={})
    assert (refused.status_code, refused.json["rule"]) == (409, "hints-off")
    assert (
        'aria-pressed="false">Hints in this match'
        in opponent_client.get("/watch", follow_redirects=True).text
    )


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
    app = pages_of(table, None)
    assert app.test_client().post("/api/hint", json={}).status_code == 404
    assert app.test_client().get("/api/table").json["opponent"] is None
