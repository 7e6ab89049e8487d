"""What can be done with a kept match: a title, off the list and back, chosen by game and day, put right."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask.testing import FlaskClient

from companion.play import journal as journals
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING


@pytest.fixture
def kept(journal: Journal) -> Match:
    """A match of another evening: Ada is the cat."""
    match = Match.begin(journal, BED, {})
    match.name_players({"cat": "Ada"}, "phone")
    match.play_all(OPENING, "phone")
    return match


@pytest.fixture
def race(journal: Journal) -> Match:
    """A race that Ben began."""
    match = Match.begin(journal, "cat-and-mouse", {})
    match.name_players({"cat": "Ben"}, "phone")
    match.play({"move": "throw", "dice": [6, 5]}, "phone")
    return match


def listed(client: FlaskClient, query: str = "") -> list[int]:
    """The numbers of the matches that are listed."""
    return [match["id"] for match in client.get(f"/api/matches?{query}").json["matches"]]


def test_a_match_gets_a_title_and_loses_it_again(client: FlaskClient, kept: Match) -> None:
    address = f"/api/matches/{kept.record.id}/title"
    assert client.post(address, json={"title": "  Mei's   birthday "}).status_code == 200
    assert client.get("/api/matches").json["matches"][0]["title"] == "Mei's birthday"
    assert "Mei&#39;s birthday" in client.get("/history").text
    assert "Mei&#39;s birthday" in client.get(f"/history/{kept.record.id}").text
    client.post(address, json={"title": "\u2066Mei\u202e\u0000's"})
    assert client.get("/api/matches").json["matches"][0]["title"] == "Mei's"
    client.post(address, json={"title": ""})
    assert client.get("/api/matches").json["matches"][0]["title"] == ""


def test_a_match_that_is_removed_is_brought_back(client: FlaskClient, kept: Match, table: Table) -> None:
    number = kept.record.id
    before = listed(client)
    assert client.post(f"/api/matches/{number}/remove", json={}).status_code == 200
    assert number not in listed(client)
    assert client.get(f"/history/{number}").status_code == 404
    assert f'data-bring-back="{number}"' in client.get("/history").text
    assert client.post(f"/api/matches/{number}/bring-back", json={}).status_code == 200
    assert listed(client) == before
    assert client.post(f"/api/matches/{number}/bring-back", json={}).status_code == 404


def test_the_match_on_the_table_stays(client: FlaskClient, table: Table) -> None:
    answer = client.post(f"/api/matches/{table.match.record.id}/remove", json={})
    assert answer.status_code == 409
    assert "on the table" in answer.json["says"]


def test_after_its_time_a_removed_match_is_deleted_but_no_number_is_given_twice(
    journal: Journal, kept: Match, race: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    for match in (kept, race):
        journal.remove(match.record.id)
    journal.close()
    monkeypatch.setattr(journals, "REMOVED_DAYS", -36500)
    again = Journal(journal.path)
    assert [record.id for record in again.removed()] == [race.record.id], "the newest stays for its number"
    assert again.entries(kept.record.id) == []
    assert again.begin(BED, {}, 2).id > race.record.id
    again.close()


def test_matches_are_chosen_by_game_player_and_day(client: FlaskClient, kept: Match, race: Match) -> None:
    day = datetime.fromisoformat(kept.record.began).astimezone().strftime("%Y-%m-%d")
    one, two = kept.record.id, race.record.id
    assert [each for each in listed(client, f"game={BED}") if each in (one, two)] == [one]
    assert listed(client, "player=ben") == [two]
    assert listed(client, "player=Nobody") == []
    assert listed(client, f"player=Ada&from={day}&to={day}") == [one]
    assert listed(client, "player=Ada&to=1999-01-01") == []
    assert listed(client, "player=Ada&from=tomorrow") == [one], "what is no day chooses nothing"
    page = client.get("/history?player=ada").text
    assert f'href="/history/{one}"' in page
    assert f'href="/history/{two}"' not in page


def test_a_correction_says_what_it_changes_before_it_does(client: FlaskClient, kept: Match) -> None:
    address = f"/api/matches/{kept.record.id}/correct"
    wanted = {"number": 2, "n": 5, "move": {"move": "lay", **OPENING[3]}}
    said = client.post(address, json=wanted).json
    assert (said["kept"], said["before"]["moves"], said["after"]["moves"]) == (False, 4, 3)
    assert [(each["number"], each["move"]) for each in said["lost"]] == [(4, "d7@11,0")]
    assert said["lost"][0]["says"]
    assert client.get(f"/api/matches/{kept.record.id}/course").json["moves"][1] == "d1@0,0"
    done = client.post(address, json={**wanted, "keep": True}).json
    assert done["kept"]
    assert client.get(f"/api/matches/{kept.record.id}/course").json["moves"] == [
        "c1@5,3",
        "d7@11,0",
        "c2@0,9",
    ]
    assert client.post(address, json={**wanted, "keep": True}).json["rule"] == "page-was-old"


def test_a_match_that_is_not_there_is_not_changed(client: FlaskClient) -> None:
    for what, body in (("title", {"title": "x"}), ("remove", {}), ("correct", {"number": 1, "n": 1})):
        assert client.post(f"/api/matches/99/{what}", json=body).status_code == 404
