"""Questions to the table, which every game answers."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.games.registry import game, games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.announcements import Announcements
from tests.browser.states import golden, play
from tests.running import pages_of
from tests.whispers.moves import DRAW, tell
from web.ask_api import QUESTIONS


def says(client: FlaskClient, question: str, place: str = "", lang: str = "en") -> str:
    """The answer in a sentence."""
    asked = urlencode({"question": question, "place": place, "lang": lang})
    return str(client.get(f"/api/ask?{asked}").json["says"])


def halfway(journal: Journal, slug: str) -> tuple[Table, FlaskClient]:
    """The golden match of a game, half of it played, and a phone at it."""
    head, moves = golden(slug)
    table = Table(journal, Match.begin(journal, slug, head["options"], head["seats"]))
    play(table, moves[: len(moves) // 2])
    return table, pages_of(table).test_client()


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_game_answers_every_question(journal: Journal, slug: str) -> None:
    table, client = halfway(journal, slug)
    for lang in ("en", "zh-Hant", "ko"):
        for question in QUESTIONS:
            assert "{" not in says(client, question, lang=lang)
        for place, things in game(slug).retrospect.lying(table.match.state).items():
            said = says(client, "place", place, lang)
            assert "{" not in said
            assert ("Nothing" in said) <= (not things or lang != "en")


@pytest.mark.parametrize(
    ("slug", "question", "place", "answer"),
    [
        ("cat-and-mouse", "turn", "", "Mouse to play"),
        ("cat-and-mouse", "standing", "", "Cat: 48, Mouse: 54. Mouse to play"),
        ("cat-and-mouse", "throw", "", "Cat threw 2, 5."),
        ("cat-and-mouse", "place", "48", "48: Cat."),
        ("cat-and-mouse", "place", "", "There is something at 48, 54."),
        ("chop-chop", "place", "c 6", "C6: The cat."),
        ("chop-chop", "place", "zz9", "Nothing lies at Zz9."),
        ("exploding-kittens", "standing", "", "Player 1: 2 cards, Player 2: 1 card. Player 2 to play"),
        ("exploding-kittens", "throw", "", "No dice have been thrown."),
        ("hide-and-seek", "place", "Plum", "Plum: Food."),
        ("score-sheet", "place", "4 →", "4 →: 18, 8."),
        ("this-bed-is-mine", "place", "l16", "L16: the cat's 7."),
    ],
)
def test_an_answer_is_a_sentence(journal: Journal, slug: str, question: str, place: str, answer: str) -> None:
    _, client = halfway(journal, slug)
    assert says(client, question, place) == answer


def test_players_are_called_by_their_names(journal: Journal) -> None:
    table, client = halfway(journal, "score-sheet")
    table.name_players({"player-1": "Mei"}, "phone")
    assert says(client, "turn") == "Mei to play"
    assert says(client, "place", "mei").startswith("Mei: ")


def test_a_throw_before_it_is_known_whose_has_no_name(journal: Journal) -> None:
    table = Table(journal, Match.begin(journal, "cat-and-mouse", {}))
    client = pages_of(table).test_client()
    table.play({"move": "throw", "dice": [3, 4]}, "phone")
    assert says(client, "throw") == "3, 4"
    table.play({"move": "throw", "dice": [6, 6]}, "phone")
    table.play({"move": "throw", "dice": [1, 2]}, "phone")
    table.play({"move": "stop"}, "phone")
    assert says(client, "throw") == "Cat threw 1, 2."
    assert says(client, "turn") == "Stopped early: nobody won."


def test_nothing_of_a_hand_is_spoken(journal: Journal, whispers: str) -> None:
    table = Table(journal, Match.begin(journal, whispers, {}, 3))
    client = pages_of(table).test_client()
    table.play(DRAW, "phone")
    before = [says(client, question) for question in QUESTIONS]
    table.play(tell("north", 3), "phone", seat="north")
    assert [says(client, question) for question in QUESTIONS] == before


def test_a_button_asks_and_pages_are_told_each_time() -> None:
    told: list[str] = []
    announcements = Announcements(lambda: told.append("changed"))
    announcements.press("ask-turn")
    (notice,) = announcements.notices()
    assert (notice.key, notice.facts["question"], told) == ("asked", "turn", ["changed"])
    announcements.press("call")
    assert announcements.called
