"""The big screen: the table for a television, which belongs to nobody."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conformance.golden import files, playthrough
from tests.conftest import BED, OPENING
from tests.play.test_records import some_rows
from tests.running import pages_of
from tests.web.conftest import Browser, page_now
from tests.web.test_packing import ZIPPED, files_of, wire_bytes

MOST_BYTES = 60_000
"""What the first view of the big screen may take over the wire, in bytes."""


@pytest.fixture(params=list(games()))
def played(request: pytest.FixtureRequest, journal: Journal) -> Flask:
    """Each game's table, in the middle of its golden playthrough."""
    head, *lines = playthrough(files(games()[request.param])[0])
    match = Match.begin(journal, request.param, head["options"], head["seats"])
    for line in lines[: len(lines) // 2]:
        if "refused" not in line:
            match.play(line["move"], "phone", seat=match.game.private_to(match.move(line["move"])))
    made = pages_of(Table(journal, match), None)
    made.test_client_class = Browser
    return made


def test_every_game_draws_itself_on_it_in_few_bytes(played: Flask) -> None:
    client = played.test_client()
    page = client.get("/display", headers=ZIPPED)
    addresses = files_of(client.get("/display").text)
    assert any("page_display.js" in each for each in addresses)
    files = [client.get(each, headers=ZIPPED) for each in addresses]
    assert all(each.status_code == 200 for each in files)
    assert wire_bytes(page) + sum(map(wire_bytes, files)) <= MOST_BYTES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_television_asks_for_a_language_in_its_address(client: FlaskClient, language: str) -> None:
    page = client.get(f"/display?lang={language}")
    assert f'<html lang="{language}"' in page.text
    assert page.headers["Content-Language"] == language
    assert "Set-Cookie" not in page.headers, "a phone's own pages keep their language"


def test_there_is_nothing_to_press_and_a_code_to_join_by(client: FlaskClient) -> None:
    page = client.get("/display").text
    assert not re.search("<(a|button|nav|header) ", page)
    assert 'src="/join.svg"' in page
    assert client.get("/join.svg").mimetype == "image/svg+xml"


def test_the_set_up_leads_to_it(client: FlaskClient) -> None:
    assert '<a class="button" href="/display">Big screen</a>' in client.get("/settings").text


class TestOnAPlayersOwnLaptop:
    """A player opens the big screen on the device on which their hand is noted."""

    @pytest.fixture
    def laptop(self, journal: Journal) -> FlaskClient:
        """A player of Exploding Kittens who told the laptop their hand."""
        table = Table(journal, Match.begin(journal, "exploding-kittens", {}, 2))
        app = pages_of(table, None)
        app.test_client_class = Browser
        seat, player = "first", app.test_client()
        assert player.post("/api/seats/take", json={"seat": seat}).status_code == 200
        hand = ["defuse", "skip", "skip", "nope", "attack", "future"]
        noted = player.post("/api/moves", json={"move": "hand", "seat": seat, "cards": hand})
        assert noted.status_code == 200, noted.text
        assert page_now(player.get("/").text)["match"]["board"]["mine"]["hand"]
        return player

    def test_the_page_shows_no_hand(self, laptop: FlaskClient) -> None:
        now = page_now(laptop.get("/display").text)
        assert (now["seat"], now["match"]["board"]["mine"]) == (None, None)

    def test_nor_does_its_stream(self, laptop: FlaskClient) -> None:
        stream = laptop.get("/api/events?seat=none", buffered=False)
        event = next(piece for piece in stream.iter_encoded() if b"event: table" in piece)
        stream.close()
        assert b'"mine":null' in event
        assert laptop.get("/api/table?seat=none").json["match"]["board"]["mine"] is None


def test_a_game_that_draws_nothing_for_it_shows_its_newest_moves(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "messages.toml").write_bytes((games()[BED].folder / "messages.toml").read_bytes())
    monkeypatch.setattr(type(games()[BED]), "folder", tmp_path)
    assert "/static/display_plain.js" in client.get("/display").text


def test_between_matches_it_shows_who_played_last_and_the_houses_records(
    client: FlaskClient, journal: Journal, table: Table
) -> None:
    for record, summary in some_rows(3):
        assert summary is not None
        journal.begin(BED, record.options, record.seats, msgspec.structs.replace(summary, n=0))
    page = client.get("/display?lang=en").text
    assert "Last played" in page
    assert "Records of this house" in page
    points = [s.outcome.points.values() for _, s in journal.summaries() if s and s.outcome]
    assert f"<b>{max(map(max, points))}</b>" in page
    table.play(OPENING[0], "phone")
    assert "Last played" not in client.get("/display").text
