"""The pages of the players and the house, and the same as JSON."""

from __future__ import annotations

import re

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.messages import LANGUAGES
from companion.play.journal import Journal
from tests.conftest import BED
from tests.play.test_records import finished, some_rows

MOST_BYTES = 60_000


@pytest.fixture
def house(client: FlaskClient, journal: Journal) -> FlaskClient:
    """A house in which eight people have played thirty matches."""
    for record, summary in some_rows(30):
        assert summary is not None
        journal.begin(BED, record.options, record.seats, msgspec.structs.replace(summary, n=0))
    return client


def text_of(page: str) -> str:
    """A page's text without its tags, on one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main>") :]).split())


def test_before_the_first_finished_match_the_page_says_what_it_will_count(client: FlaskClient) -> None:
    assert "from the first finished match on" in text_of(client.get("/players").text)


def test_every_player_leads_to_a_page_of_its_own(house: FlaskClient) -> None:
    links = re.findall(r'href="(/player\?name=[^"]+)"', house.get("/players").text)
    assert len(links) == 8
    for link in links:
        assert f"<h1>{link.rpartition('=')[2]}</h1>" in house.get(link).text


def test_the_page_says_what_the_json_says(house: FlaskClient) -> None:
    [ada] = [each for each in house.get("/api/records").json["players"] if each["name"] == "Ada"]
    text = text_of(house.get("/player?name=ada").text)
    assert f"Matches {ada['matches']} Won {ada['won']} " in text
    assert f"Most points {ada['games'][BED]['best']} " in text
    assert f"{ada['games'][BED]['mean']:.1f}" in text


def test_luck_is_said_in_a_sentence(client: FlaskClient, journal: Journal) -> None:
    """Sixty pips more than 700 in a hundred throws: 60 / 24.15 standard errors."""
    luck = {"cat": {"times": 100, "total": 760.0, "expected": 700.0, "variance": 583.3}}
    record, summary = finished(1, {"cat": "Ada", "dog": "Ben"}, ("cat",), {}, game="cat-and-mouse")
    lucky = msgspec.convert({**msgspec.to_builtins(summary), "luck": luck, "n": 0}, type(summary))
    journal.begin(record.game, {}, 2, lucky)
    text = text_of(client.get("/player?name=Ada").text)
    assert "Throws: 100, 760 in all; on average it would be 700.0." in text
    assert "That is +2.5 standard errors from the average." in text
    assert "about one time in twenty" in text


def test_a_year_is_one_page(house: FlaskClient) -> None:
    [year] = house.get("/api/records").json["years"]
    assert f'href="/years/{year}"' in house.get("/players").text
    assert "30 matches" in text_of(house.get(f"/years/{year}").text)
    assert sum(house.get(f"/api/records/{year}").json["months"]) == 30


@pytest.mark.parametrize(
    "path", ["/player?name=Nobody", "/player", "/years/1999", "/years/99999999999999999999"]
)
def test_who_never_played_here_has_no_page(house: FlaskClient, path: str) -> None:
    assert house.get(path).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_speaks_each_language_in_few_bytes(house: FlaskClient, language: str) -> None:
    [year] = house.get("/api/records").json["years"]
    for path in ("/players", "/player?name=Ada", f"/years/{year}"):
        page = house.get(
            f"{path}{'&' if '?' in path else '?'}lang={language}", headers={"Accept-Encoding": "gzip"}
        )
        assert page.status_code == 200
        assert page.headers["Content-Language"] == language
        assert len(page.data) <= MOST_BYTES
