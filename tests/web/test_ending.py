"""How a match ended: who won, what decided it, in the words of the reader."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.messages import LANGUAGES
from companion.play.table import Table
from tests.browser.states import golden, play
from tests.conftest import BED


def why(client: FlaskClient, table: Table, language: str = "en") -> list[str]:
    """What the page says of the match on the table: who won, and by what."""
    said = client.get(f"/api/matches/{table.match.record.id}/ending?lang={language}").json
    return [said["won"], *said["why"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_says_what_decided_it(client: FlaskClient, table: Table, language: str) -> None:
    for slug in games():
        head, moves = golden(slug)
        table.begin(slug, head["options"], head["seats"])
        play(table, moves)
        said = why(client, table, language)
        assert table.match.outcome is not None
        assert len(said) >= (3 if len(table.match.outcome.winners) == 1 else 2), slug
        assert not [line for line in said if "{" in line or "decided." in line], said


def test_a_player_is_called_by_name(client: FlaskClient, table: Table) -> None:
    head, moves = golden("exploding-kittens")
    table.begin("exploding-kittens", head["options"], head["seats"])
    play(table, moves)
    assert table.match.outcome is not None
    [winner] = table.match.outcome.winners
    table.name_players({winner: "Ada"}, "phone")
    assert [line for line in why(client, table) if line.startswith("Ada ")]


def test_a_match_that_goes_on_has_no_ending(client: FlaskClient, table: Table) -> None:
    table.begin(BED, {})
    assert client.get(f"/api/matches/{table.match.record.id}/ending").status_code == 404
    assert client.get("/api/matches/99/ending").status_code == 404
