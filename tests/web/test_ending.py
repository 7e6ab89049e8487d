"""How a match ended: who won, what decided it, in the words of the reader."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.games.retrospect import Retrospect
from companion.messages import LANGUAGES
from companion.play.table import Table
from tests.browser.states import golden, play
from tests.conftest import BED
from tests.web.seated import sit


def why(client: FlaskClient, table: Table, language: str = "en") -> list[str]:
    """What the page says of the match on the table: who won, and by what."""
    said = client.get(f"/api/matches/{table.match.record.id}/ending?lang={language}").json
    return [said["won"], said["why"], *(f"{place['seat']}: {place['says']}" for place in said["places"])]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_says_what_decided_it(client: FlaskClient, table: Table, language: str) -> None:
    for slug in games():
        head, moves = golden(slug)
        table.begin(slug, head["options"], head["seats"])
        play(table, moves)
        said = why(client, table, language)
        assert table.match.outcome is not None
        on_a_board = type(table.match.game.retrospect).places is Retrospect.places
        assert len(said) == 2 + (0 if on_a_board else len(table.snapshot.view().match.seats)), slug
        assert not [line for line in said if "{" in line or "decided." in line], said


def test_a_player_is_called_by_name(client: FlaskClient, table: Table) -> None:
    head, moves = golden("exploding-kittens")
    table.begin("exploding-kittens", head["options"], head["seats"])
    play(table, moves)
    assert table.match.outcome is not None
    [winner] = table.match.outcome.winners
    table.name_players({winner: "Ada"}, "phone")
    assert why(client, table)[0] == "Ada wins!"


def test_a_match_that_goes_on_has_no_ending(client: FlaskClient, table: Table) -> None:
    table.begin(BED, {})
    assert client.get(f"/api/matches/{table.match.record.id}/ending").status_code == 404
    assert client.get("/api/matches/99/ending").status_code == 404


def test_a_rematch_is_asked_for_by_one_phone_and_begun_by_the_next(app: Flask, table: Table) -> None:
    head, moves = golden("cat-and-mouse")
    table.begin("cat-and-mouse", head["options"], head["seats"])
    number = table.match.record.id
    cat = app.test_client()
    assert cat.post("/api/seats/take", json={"seat": "cat"}).status_code == 200
    mouse = sit(app, "mouse", cat)
    address = f"/api/matches/{number}/rematch"
    assert cat.post(address, json={}).status_code == 404, "it is not over"
    play(table, moves)
    assert mouse.post(address, json={}).json["rematch"] == ["mouse"]
    assert mouse.post(address, json={}).json["match"]["id"] == number, "nobody agrees with themselves"
    begun = cat.post(address, json={}).json
    assert (begun["match"]["moves"], begun["rematch"], begun["match"]["game"]) == (0, [], "cat-and-mouse")


def test_a_lone_phone_begins_a_rematch_with_one_tap(client: FlaskClient, table: Table) -> None:
    head, moves = golden("cat-and-mouse")
    table.begin("cat-and-mouse", head["options"], head["seats"])
    play(table, moves)
    number = table.match.record.id
    assert client.post(f"/api/matches/{number}/rematch", json={}).json["match"]["id"] != number


def test_winners_are_listed_as_a_sentence_does(client: FlaskClient, table: Table) -> None:
    head, moves = golden("hide-and-seek")
    table.begin("hide-and-seek", head["options"], head["seats"])
    animals = [move for move in moves if move["move"] == "animal"]
    play(table, [*animals, {"move": "end"}])
    assert table.match.outcome is not None and len(table.match.outcome.winners) == head["seats"]
    assert why(client, table)[0] == "Player 1, Player 2 and Player 3 win!"
