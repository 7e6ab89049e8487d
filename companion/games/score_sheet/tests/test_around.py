"""What all games have, where the fewest points win: records, export, the hall."""

from __future__ import annotations

import json

import pytest

from companion.games.game import Outcome
from companion.games.score_sheet import GAME
from companion.hall.evening import Evening
from companion.hall.pairing import WIN
from companion.hall.payloads import Member, Pairing, Plan
from companion.play import exports
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.records import Records
from tests.hall.test_evening import message, taken

SEATS = ("player-1", "player-2", "player-3")


def played(journal: Journal, sheet: str) -> Match:
    """A finished match of three with names, in which the first has 5 points, the others 9 and 7."""
    match = Match.begin(journal, GAME.slug, {"sheet": sheet}, 3)
    match.name_players(dict(zip(SEATS, ("Ada", "Ben", "Cleo"), strict=True)), "phone")
    for seat, points in zip(SEATS, (5, 9, 7), strict=True):
        match.play({"move": "enter", "seat": seat, "points": points, "line": 1}, "phone")
    match.play({"move": "finish"}, "phone")
    return match


@pytest.mark.parametrize(("sheet", "best", "winner"), [("points", 9, "Ben"), ("tricks", None, "Ada")])
def test_few_points_are_no_record_and_win_all_the_same(
    journal: Journal, sheet: str, best: int | None, winner: str
) -> None:
    match = played(journal, sheet)
    house = Records(journal).house()
    record = house.games[GAME.slug].best
    assert (record and record.value) == best
    assert [player.name for player in house.players if player.won] == [winner]
    exported = json.loads(exports.as_bg_stats(match))
    assert exported["game"]["highestWins"] is (sheet == "points")
    assert [player["winner"] for player in exported["players"]].count(True) == 1


def evening(sheet: str, seats: int) -> Evening:
    """An evening of five people with that sheet."""
    plan = Plan(name="Cup", kind="swiss", game=GAME.slug, options={"sheet": sheet}, seats=seats, rounds=2)
    members = [message("players", name, of=Member(name, name, n)) for n, name in enumerate("abcde")]
    return taken([message("plan", of=plan), *members])


def test_an_evening_ranks_the_fewest_points_first() -> None:
    of, points = evening("tricks", 4), dict(zip(SEATS, (5, 9, 7), strict=True))
    pairing = Pairing("1-1", ("a", "b", "c"), SEATS)
    outcome = Outcome("finished", ("player-1",), points)
    result = of.result_by_table(pairing, outcome, dict(zip(SEATS, "abc", strict=True)), match=1)
    assert result.scores == {"a": WIN, "c": WIN // 2, "b": 0}


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_nobody_plays_alone_on_an_evening(seats: int) -> None:
    drawn = evening("points", seats).next_round(tables=4)
    assert all(len(pairing.players) >= 2 for pairing in drawn.pairings)
    assert sum(len(pairing.players) for pairing in drawn.pairings) + len(drawn.byes) == 5
