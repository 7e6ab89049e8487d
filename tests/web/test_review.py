"""What the table's player thinks of a match, over HTTP."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import AnyGame, game
from companion.play.journal import Journal
from companion.play.look_back import LookBack
from companion.play.match import Match
from companion.play.table import Table
from companion.players.worker import Judged, Review
from tests.conformance.golden import files, playthrough
from tests.conftest import BED
from tests.running import replace_services

MADE = Review(
    (
        Judged(1, "cat", "c1@5,3", 4.0, "c1@5,3", 4.0),
        Judged(2, "dog", "d1@0,0", -9.0, "d5+1@4,0", 3.2, settled=True),
        Judged(3, "cat", "c2@0,9", 9.0, "c2@0,9", 9.0),
        Judged(4, "dog", "d7@11,0", -8.0, "d8@9,0", -7.8),
    )
)
"""The dog gave twelve points away with its first tile; all other moves were as good as the best."""


class Ready:
    """Reviews that are made already, or never."""

    def __init__(self, made: Review | None, slug: str = BED) -> None:
        self._made, self._slug = made, slug

    def judges(self, game: AnyGame) -> bool:
        """Of one game alone."""
        return game.slug == self._slug

    def review_of(self, match: LookBack) -> Review | None:
        """Always the same."""
        if match.outcome is None:
            raise LookupError
        return self._made


@pytest.fixture
def finished(table: Table) -> int:
    """The number of a match that is over."""
    table.begin(BED, {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'})
    while table.match.outcome is None:
        table.play(next(iter(table.match.game.legal_moves(table.match.state))), "phone")
    return table.match.record.id


def test_the_best_and_the_worst_move_of_each_player_are_named(
    app: Flask, client: FlaskClient, finished: int
) -> None:
    replace_services(app, reviews=Ready(MADE))
    now = client.get(f"/api/matches/{finished}/review").json
    assert now["ready"]
    assert now["remarks"] == [
        {"number": 1, "says": "Cat's best move was number 1: the cat's 1 at D6."},
        {"number": 4, "says": "Dog's best move was number 4: the dog's 7 at A12."},
        {
            "number": 2,
            "says": "Dog lost most with move 2, the dog's 1 at A1: "
            "the dog's 5 at A5 was worth 12 points more.",
        },
        {"number": 0, "says": "Dog gave away about 12 points in 2 moves: that was choice, not luck."},
    ]


def test_the_course_is_what_was_expected_for_the_first_seat(
    app: Flask, client: FlaskClient, finished: int
) -> None:
    replace_services(app, reviews=Ready(MADE))
    course = client.get(f"/api/matches/{finished}/review").json["course"]
    assert course["seats"] == ["cat"]
    assert [each["cat"] for each in course["standing"]] == [0, 4, 9, 9, 8]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("zh-Hant", "改走狗狗放在 A5 的 5 號板塊可多得 12 分"),
        ("ko", "A5에 놓은 강아지의 5번 타일 쪽이었다면 12점 더 얻었습니다"),
    ],
)
def test_it_is_said_in_the_askers_language(
    app: Flask, client: FlaskClient, finished: int, language: str, says: str
) -> None:
    replace_services(app, reviews=Ready(MADE))
    answer = client.get(f"/api/matches/{finished}/review", headers={"Accept-Language": language})
    assert says in answer.json["remarks"][-2]["says"]


def test_until_it_is_made_it_is_not_ready(app: Flask, client: FlaskClient, finished: int) -> None:
    replace_services(app, reviews=Ready(None))
    assert client.get(f"/api/matches/{finished}/review").json["ready"] is False
    assert 'id="review"' in client.get(f"/history/{finished}").text


def test_where_nothing_judges_there_is_neither_review_nor_place_for_one(
    app: Flask, client: FlaskClient, finished: int, table: Table
) -> None:
    assert client.get(f"/api/matches/{finished}/review").status_code == 404
    assert 'id="review"' not in client.get(f"/history/{finished}").text
    replace_services(app, reviews=Ready(MADE))
    table.begin(BED, {})
    assert client.get(f"/api/matches/{table.match.record.id}/review").status_code == 404


def test_without_points_the_chance_to_win_is_judged_in_percent(
    app: Flask, client: FlaskClient, journal: Journal
) -> None:
    head, *lines = playthrough(files(game("chop-chop"))[0])
    match = Match.begin(journal, "chop-chop", head["options"], head["seats"])
    match.play_all([line["move"] for line in lines if "refused" not in line], "phone")
    made = Review(
        (
            Judged(1, "cat", "c@2,3", 0.4, "c@2,2", 0.45),
            Judged(3, "mice-1", "m1>0,1", 0.5, "m2>1,1", 0.62),
            Judged(9, "mice-2", "m1>0,2", 0.4, "m1>0,2", 0.4),
        )
    )
    replace_services(app, reviews=Ready(made, "chop-chop"))
    address = f"/api/matches/{match.record.id}/review"
    now = client.get(address).json
    assert [each["mice-1"] for each in now["course"]["trend"]] == [0.5, 0.6, 0.5, 0.4]
    says = [each["says"].removesuffix(": that was choice, not luck.") for each in now["remarks"]]
    assert says == [
        "Mice player 1 lost most with move 3, mouse 1 to B1: "
        "mouse 2 to B2 would have raised the chance to win by about 12 percentage points.",
        "Mice player 1 gave away about 12 percentage points of the chance to win in 1 move",
        "Mice player 2's best move was number 9: mouse 1 to C1.",
        "The cat lost most with move 1, the cat on D3: "
        "the cat on C3 would have raised the chance to win by about 5 percentage points.",
        "The cat gave away about 5 percentage points of the chance to win in 1 move",
    ]
    assert "Chance to win that was expected" in client.get(f"/history/{match.record.id}").text
