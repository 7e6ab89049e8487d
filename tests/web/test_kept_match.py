"""A kept match is looked at without moving anybody; another on the table takes back what it put aside."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.web.conftest import page_now
from tests.whispers.moves import DRAW, tell


@pytest.fixture
def kept(journal: Journal) -> Match:
    """A match of another evening, and of another game."""
    match = Match.begin(journal, "cat-and-mouse", {})
    match.play({"move": "throw", "dice": [6, 5]}, "phone")
    return match


def test_looking_at_a_kept_match_moves_nobody(client: FlaskClient, table: Table, kept: Match) -> None:
    before = table.snapshot
    page = client.get(f"/history/{kept.record.id}")
    assert page.status_code == 200
    assert 'data-game="cat-and-mouse" data-kept' in page.text
    now = page_now(page.text)
    assert (now["match"]["id"], now["match"]["moves"]) == (kept.record.id, 1)
    assert (now["seat"], now["camera"], now["sighting"]) == (None, None, None)
    assert table.snapshot is before


@pytest.mark.parametrize("language", ["en", "zh-Hant", "ko"])
def test_it_speaks_the_words_of_its_own_game(client: FlaskClient, kept: Match, language: str) -> None:
    client.set_cookie("language", language)
    page = client.get(f"/history/{kept.record.id}").text
    (words,) = re.findall(r'src="(/packed/[^"]+)" defer', page)
    assert words.startswith(f"/packed/cat-and-mouse/{language}/")
    assert "race.win-chance" in client.get(words).text


def test_what_is_secret_there_is_shown_to_nobody(
    client: FlaskClient, journal: Journal, whispers: str
) -> None:
    match = Match.begin(journal, whispers, {}, 3)
    match.play_all([DRAW, tell("north", 7)], "import")
    shown = page_now(client.get(f"/history/{match.record.id}").text)["match"]
    assert shown["n"] == 1
    assert shown["board"]["hand"] == []


def test_the_match_on_the_table_is_shown_on_the_table(client: FlaskClient, table: Table) -> None:
    answer = client.get(f"/history/{table.match.record.id}")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_a_match_that_is_not_there_or_cannot_be_read_says_so(client: FlaskClient, journal: Journal) -> None:
    assert client.get("/history/99").status_code == 404
    gone = journal.begin("gone-fishing", {}, 2)
    answer = client.get(f"/history/{gone.id}")
    assert answer.status_code == 400
    assert "gone-fishing" in answer.text


def test_the_list_offers_to_look_at_each_and_to_go_on_with_what_is_not_over(
    client: FlaskClient, kept: Match
) -> None:
    page = client.get("/history").text
    assert page.count(f'href="/history/{kept.record.id}"') == 1
    assert page.count(f'data-resume="{kept.record.id}"') == 1


def test_a_match_that_is_over_is_not_gone_on_with(client: FlaskClient, journal: Journal) -> None:
    over = Match.begin(journal, BED, {})
    over.play({"move": "finish", "tiles": []}, "phone")
    assert over.outcome is not None
    page = client.get(f"/history/{over.record.id}").text
    assert "data-resume" not in page
    assert "data-resume" not in client.get("/history").text


def test_every_phone_is_told_what_was_put_aside(client: FlaskClient, table: Table) -> None:
    table.play(OPENING[0], "camera")
    old = table.match.record.id
    begun = client.post("/api/matches", json={"game": BED, "instead_of": old, "players": {"cat": "Mei"}})
    assert begun.json["put_aside"] == {"id": old, "moves": 1}
    assert client.get("/api/table").json["put_aside"] == {"id": old, "moves": 1}
    new = begun.json["match"]["id"]
    back = client.post(f"/api/matches/{old}/resume", json={"instead_of": new})
    assert (back.json["match"]["id"], back.json["put_aside"]) == (old, None)


def test_a_page_that_asked_about_another_match_changes_nothing(client: FlaskClient, table: Table) -> None:
    old = table.match.record.id
    table.begin(BED, {})
    for path, body in ((f"/api/matches/{old}/resume", {}), ("/api/matches", {"game": BED})):
        answer = client.post(path, json={**body, "instead_of": old})
        assert (answer.status_code, answer.json["rule"]) == (409, "page-was-old")
    assert table.match.record.id != old


def test_a_games_card_says_how_long_it_took_here(
    client: FlaskClient, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in (7, 3, 5):
        assert "min at this table" not in client.get("/new").text
        times = iter(("2026-01-01T20:00:00.000+00:00", f"2026-01-01T20:0{minutes}:00.000+00:00"))
        monkeypatch.setattr(journal, "_now", lambda times=times: next(times))
        Match.begin(journal, BED, {}).play({"move": "finish", "tiles": []}, "phone")
    assert "5 min at this table" in client.get("/new").text
