"""Dice on the virtual table become throws of the sheet, and a round's throws have their pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from companion.games.score_sheet import GAME
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.photos.kept import KeptPictures
from companion.service.pictures import shows_all
from tests.running import pages_of, replace_services
from tests.thrown import watched
from tests.web.conftest import Browser

THROWS = 3
"""At least so many are read in so many pictures."""
PICTURES = 150


@pytest.mark.parametrize("sheet", ["five_dice", pytest.param("points", marks=pytest.mark.slow)])
def test_each_throw_is_read_once_whether_its_dice_are_counted_or_not(journal: Journal, sheet: str) -> None:
    table = Table(journal, Match.begin(journal, GAME.slug, {"sheet": sheet}, 2))
    truly = watched(table, "game=score-sheet&sheet=five_dice&seed=5", PICTURES)
    played = [sorted(move.dice) for move in table.match.moves if hasattr(move, "dice")]
    assert played == truly[: len(played)]
    assert len(played) >= THROWS


def test_the_picture_of_a_throw_is_that_of_its_round(journal: Journal, tmp_path: Path) -> None:
    match = Match.begin(journal, GAME.slug, {"sheet": "tricks"}, 2)
    table = Table(journal, match)
    kept = KeptPictures(tmp_path / "pictures", free=lambda _: 10**12)
    kept.on = True
    for text in (
        *("player-1 throws 6", "player-1 gets 6 in 1", "player-1 gets 5 in 1", "player-2 gets 1 in 1"),
        "player-2 throws 3 3",
    ):
        table.play(GAME.parse(text), "phone")
    kept.keep(match.record, 5, b"\xff\xd8\xff dice \xff\xd9")
    app: Flask = pages_of(table, None)
    replace_services(app, pictures=kept)
    app.test_client_class = Browser
    answer = app.test_client().get(f"/api/matches/{match.record.id}/pictures").get_json()
    pictures = answer["pictures"]
    began = table.snapshot.view().match.board.began
    assert (began, pictures[began[0] : began[1]], pictures[began[1] :]) == ((0, 4), [0, 0, 0, 0], [5])
    assert shows_all(GAME)
    app.extensions["companion"].stop()
