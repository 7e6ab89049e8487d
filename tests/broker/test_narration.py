"""What moves did, in sentences: those of whole matches of each game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.broker.cursor import backwards
from companion.games.registry import game, games
from companion.games.retrospect import Retrospect
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.test_nothing_lost import golden, play


@pytest.mark.parametrize(
    "slug", [slug for slug in games() if type(game(slug).retrospect).narrate is not Retrospect.narrate]
)
def test_a_match_is_said_move_by_move_in_each_language(slug: str, tmp_path: Path) -> None:
    head, moves = golden(slug)
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, slug, head["options"], head["seats"]))
    play(table, moves)
    shown = table.snapshot.match
    for language in LANGUAGES:
        said = list(backwards(shown, language))
        assert len(said) == len(shown.seen(None))
        assert sum(map(bool, said)) > len(said) / 2
        assert not [each for each in said if "{" in each]
    journal.close()


def race(tmp_path: Path, moves: list[dict[str, object]]) -> list[str]:
    """What is said of these moves of Cat and Mouse, the first one first."""
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, "cat-and-mouse", {}))
    table.name_players({"cat": "Mei"}, "phone")
    play(table, moves)
    said = list(backwards(table.snapshot.match, "en"))[::-1]
    journal.close()
    return said


def test_a_throw_is_said_with_the_players_name_and_what_follows(tmp_path: Path) -> None:
    throws = [{"move": "throw", "dice": dice} for dice in ([6, 5], [1, 2], [2, 3], [1, 1])]
    said = race(tmp_path, throws)
    assert said[:2] == ["", ""]
    assert said[2] == "Mei went from corner to square 5 · Mei misses the next turn."
    served = "Mei's missed turn is over"
    assert said[3] == f"Mouse went from corner to square 11 · The double leads straight there. · {served}"


def test_a_nope_is_said_with_what_it_stopped(tmp_path: Path) -> None:
    head, moves = golden("exploding-kittens")
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, "exploding-kittens", head["options"], head["seats"]))
    play(table, moves)
    said = list(backwards(table.snapshot.match, "en"))
    assert "Player 1 played 2 × Cat A on Player 2 · Stopped (1)" in said
    journal.close()
