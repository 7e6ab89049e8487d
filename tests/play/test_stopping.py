"""A match that is stopped early: it is over with the score so far, and nobody has won."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import IllegalMove
from companion.games.game import Stop
from companion.games.registry import game, games
from companion.play.exports import as_lines, read_moves
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.records import Records
from companion.play.table import Table
from tests.conformance import golden

STOP = {"move": "stop"}

every_game = pytest.mark.parametrize("slug", games())


def begun(journal: Journal, slug: str) -> Match:
    """A match of a game after some moves of its golden playthrough."""
    head, *lines = golden.playthrough(golden.files(game(slug))[0])
    match = Match.begin(journal, slug, head["options"], head["seats"])
    match.play_all([line["move"] for line in lines[:8] if "refused" not in line], "phone")
    assert match.outcome is None
    return match


@every_game
def test_it_is_over_with_the_score_so_far_and_nobody_has_won(journal: Journal, slug: str) -> None:
    match = begun(journal, slug)
    standing = match.view().standing
    match.play(STOP, "phone")
    outcome, view = match.outcome, match.view()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.points) == ("stopped", (), standing)
    assert (view.outcome, view.turn, view.last[-1]) == (outcome, None, "stop")
    assert not (match.snapshot.summary().luck or match.snapshot.summary().pieces)


@every_game
def test_nothing_is_played_after_it_until_it_is_undone(journal: Journal, slug: str) -> None:
    match = begun(journal, slug)
    state = match.state
    match.play(STOP, "phone")
    for move in (STOP, next(iter(match.game.legal_moves(state)))):
        with pytest.raises(IllegalMove) as caught:
            match.play(move, "phone")
        assert caught.value.rule == "match-over"
    match.undo("phone")
    assert (match.outcome, match.state) == (None, state)
    match.redo("phone")
    assert match.outcome is not None


@every_game
def test_the_journal_and_an_export_keep_it(journal: Journal, slug: str, tmp_path: Path) -> None:
    match = begun(journal, slug)
    match.play(STOP, "phone")
    record = journal.match(match.record.id)
    assert record is not None
    assert Match(journal, record).view() == match.view()
    path = tmp_path / "moves.jsonl"
    path.write_text(as_lines(match), "utf-8")
    assert json.loads(path.read_text("utf-8").splitlines()[-1]) == STOP
    assert read_moves(path).lines[-1] == STOP
    assert game(slug).parse("stop") == Stop()


def test_a_match_that_is_over_cannot_be_stopped(journal: Journal) -> None:
    match = Match.begin(journal, "this-bed-is-mine", {})
    match.play({"move": "skip", "owner": "cat"}, "phone")
    match.play({"move": "skip", "owner": "dog"}, "phone")
    with pytest.raises(IllegalMove) as caught:
        match.play(STOP, "phone")
    assert caught.value.rule == "match-over"


def test_it_is_no_result_in_the_records(journal: Journal) -> None:
    match = begun(journal, "this-bed-is-mine")
    match.name_players({"cat": "Ada", "dog": "Bo"}, "phone")
    match.play(STOP, "phone")
    assert Records(journal).house().matches == 0


def test_a_restart_begins_another_match(journal: Journal) -> None:
    table = Table.open(journal, "chop-chop")
    table.play({"move": "place", "row": 2, "col": 2}, "phone")
    table.play(STOP, "phone")
    assert Table.open(journal, "chop-chop").match.record.id != table.match.record.id
