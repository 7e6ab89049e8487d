"""Looking back over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.games.registry import game
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conformance.golden import files, playthrough
from tests.conftest import BED, OPENING


@pytest.fixture
def kept(journal: Journal) -> Match:
    """A match of another evening."""
    match = Match.begin(journal, BED, {})
    match.play_all(OPENING, "phone")
    return match


def test_a_page_gets_each_moment_as_it_gets_the_table(client: FlaskClient, kept: Match, table: Table) -> None:
    before = table.snapshot
    now = client.get(f"/api/matches/{kept.record.id}/at/1").json
    assert (now["match"]["moves"], len(now["match"]["board"]["tiles"])) == (1, 1)
    assert (now["id"], now["seat"], now["camera"]) == ("kept.1-1", None, None)
    assert table.snapshot is before


def test_its_page_has_a_slider_as_long_as_the_match(client: FlaskClient, kept: Match) -> None:
    assert 'type="range" min="0" max="4" value="4"' in client.get(f"/history/{kept.record.id}").text
    assert 'type="range"' not in client.get("/").text


def test_the_course_names_the_moves(client: FlaskClient, kept: Match) -> None:
    course = client.get(f"/api/matches/{kept.record.id}/course").json
    assert course["moves"] == ["c1@5,3", "d1@0,0", "c2@0,9", "d7@11,0"]
    assert len(course["standing"]) == 5


def test_a_match_is_saved_in_three_ways_once_it_is_over(client: FlaskClient, table: Table) -> None:
    table.begin(BED, {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'})
    table.name_players({"cat": "Ada"}, "phone")
    number = table.match.record.id
    assert client.get(f"/api/matches/{number}/export?format=bgstats").status_code == 404
    while table.match.outcome is None:
        table.play(next(iter(table.match.game.legal_moves(table.match.state))), "phone")
    page = client.get(f"/history/{number}").text
    saved = {
        way: client.get(f"/api/matches/{number}/{way}")
        for way in ("export", "export?format=csv", "export?format=bgstats")
    }
    assert all(f'href="/api/matches/{number}/{way}" download' in page for way in saved)
    assert saved["export"].text.startswith('{"match":{"game":"this-bed-is-mine"')
    rows = saved["export?format=csv"].text.splitlines()
    assert rows[0] == "n,at,kind,source,what,move"
    assert len(rows) == 1 + table.match.n
    [ada, _] = saved["export?format=bgstats"].json["players"]
    assert (ada["name"], ada["role"], ada["score"]) == (
        "Ada", "cat", str(table.match.outcome.points["cat"])
    )  # fmt: skip


def test_there_is_no_moment_outside_the_match(client: FlaskClient, kept: Match) -> None:
    for path in (f"{kept.record.id}/at/5", "99/at/0", "99/course"):
        assert client.get(f"/api/matches/{path}").status_code == 404


def test_the_match_on_the_table_is_looked_back_at_once_it_is_over(client: FlaskClient, table: Table) -> None:
    table.begin(BED, {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'})
    number = table.match.record.id
    assert client.get(f"/history/{number}").status_code == 302
    while table.match.outcome is None:
        table.play(next(iter(table.match.game.legal_moves(table.match.state))), "phone")
    page = client.get(f"/history/{number}")
    assert page.status_code == 200
    assert 'id="look-back"' in page.text
    assert '<a class="button main" href="/">' in page.text


@pytest.mark.parametrize(
    ("slug", "says"),
    [
        ("cat-and-mouse", "Nobody chooses anything in this game: the dice alone decided it."),
        ("chop-chop", "The cat threw "),
        ("exploding-kittens", "of them kittens; on average it would be "),
    ],
)
def test_luck_and_choice_are_told_apart_on_the_page_of_a_finished_match(
    client: FlaskClient, journal: Journal, slug: str, says: str
) -> None:
    head, *lines = playthrough(files(game(slug))[0])
    match = Match.begin(journal, slug, head["options"], head["seats"])
    match.play_all([line["move"] for line in lines if "refused" not in line], "phone")
    assert match.outcome is not None
    address = f"/history/{match.record.id}"
    page = client.get(address).text
    assert 'id="luck"' in page
    assert says in page
    for language, title in (("zh-Hant", "運氣與選擇"), ("ko", "운과 선택")):
        assert title in client.get(address, headers={"Accept-Language": language}).text


def test_a_match_that_goes_on_and_a_game_without_chance_say_nothing_of_luck(
    client: FlaskClient, kept: Match
) -> None:
    assert 'id="luck"' not in client.get(f"/history/{kept.record.id}").text
