"""The table as an opponent over HTTP: the seat that it plays, and hints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.errors import IllegalMove
from companion.games.choosing import Choice
from companion.games.this_bed_is_mine.moves import Lay
from companion.play.table import Table
from tests.conftest import BED
from web.app import create_app
from web.opponent_api import worth_said
from web.opponent_port import OpponentNow


class ScriptedOpponent:
    """Plays and hints what a test says."""

    def __init__(self) -> None:
        self.playing: OpponentNow | None = None
        self.on = True

    def levels(self) -> tuple[str, ...]:
        return "beginner", "top"

    def can_hint(self) -> bool:
        return True

    def now(self) -> OpponentNow | None:
        return self.playing

    def sit_down(self, seat: str, level: str) -> None:
        self.playing = OpponentNow(seat, level)

    def stand_up(self) -> None:
        self.playing = None

    def hint(self, seat: str | None) -> Choice:
        if not self.on:
            raise IllegalMove(BED, "hints-off")
        return Choice(Lay("cat", 4, 0, 5, 3), 2.5, "advice.wins-squares", {"squares": 14, "other": "dog"})

    def hints(self) -> bool:
        return self.on

    def let_hint(self, seat: str | None, *, on: bool) -> None:
        self.on = on


@pytest.fixture
def client(table: Table) -> Iterator[FlaskClient]:
    """A browser at a table that plays."""
    app = create_app(table, None)
    app.extensions["companion"].opponent = ScriptedOpponent()
    yield app.test_client()
    app.extensions["companion"].stop()


def test_the_table_takes_a_seat_and_leaves_it(client: FlaskClient) -> None:
    answer = client.post("/api/opponent", json={"seat": "dog", "level": "top"}).json
    assert answer["opponent"] == {"seat": "dog", "level": "top", "thinks": False, "move": None}
    page = client.get("/opponent").text
    assert '<option value="dog" selected>' in page
    assert client.post("/api/opponent", json={"seat": None}).json["opponent"] is None


def test_a_hint_is_a_move_its_worth_and_why_in_the_askers_language(client: FlaskClient) -> None:
    hint = client.post("/api/hint", json={}).json
    assert (hint["notation"], hint["value"], hint["says"]) == ("c4@5,3", 2.5, "It wins 14 squares.")
    korean = client.post("/api/hint", json={}, headers={"Accept-Language": "ko"}).json
    assert "14칸" in korean["says"]
    assert hint["worth"] == "It expects to end 2 points ahead."
    client.post("/api/hints", json={"on": False})
    refused = client.post("/api/hint", json={})
    assert (refused.status_code, refused.json["rule"]) == (409, "hints-off")
    assert "Hints are switched off" in client.get("/opponent").text


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
    client: FlaskClient, slug: str, choice: Choice, says: str
) -> None:
    with client.application.test_request_context():
        assert worth_said(slug, choice) == says


def test_a_table_that_plays_nothing_says_so(table: Table) -> None:
    app = create_app(table, None)
    assert app.test_client().post("/api/hint", json={}).status_code == 404
    assert app.test_client().get("/api/table").json["opponent"] is None
