"""A match is its moves: played, undone, redone, and the same after the journal is opened again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.errors import IllegalMove, InvalidMove
from companion.messages import plain_name
from companion.play.journal import Journal, JournalError
from companion.play.match import Match
from tests.conftest import BED, OPENING, lay


def test_a_move_is_on_disk_before_it_is_shown(match: Match, journal: Journal) -> None:
    match.play(OPENING[0], "phone")
    assert [entry.body for entry in journal.entries(match.record.id)] == [OPENING[0]]
    assert match.view().by == "phone"


def test_a_move_that_cannot_be_kept_is_not_shown(match: Match, journal: Journal) -> None:
    before = match.view()
    journal.close()
    with pytest.raises(JournalError):
        match.play(OPENING[0], "phone")
    assert match.view() == before


def test_a_refused_move_is_neither_shown_nor_kept(match: Match, journal: Journal) -> None:
    with pytest.raises(IllegalMove):
        match.play(OPENING[1], "phone")  # the dog does not begin
    assert journal.entries(match.record.id) == []
    assert match.moves == ()


def test_a_refusal_holds_the_move_and_the_moves_before_it(match: Match) -> None:
    match.play_all(OPENING[:2], "phone")
    with pytest.raises(IllegalMove) as refusal:
        match.play(OPENING[3], "phone")
    assert refusal.value.move == "d7@11,0"
    assert refusal.value.position == ("c1@5,3", "d1@0,0")
    assert str(refusal.value) == refusal.value.says("en")
    assert "'d7@11,0' after c1@5,3; d1@0,0" in repr(refusal.value)


def test_a_view_shows_the_newest_moves_as_they_are_written(match: Match) -> None:
    assert match.view().last == ()
    match.play_all(OPENING, "phone")
    assert match.view().last == ("c1@5,3", "d1@0,0", "c2@0,9", "d7@11,0")
    match.undo("phone")
    assert match.view().last[-1] == "c2@0,9"


def test_several_moves_are_played_all_or_none(match: Match) -> None:
    with pytest.raises(IllegalMove):
        match.play_all([OPENING[0], OPENING[1], OPENING[1]], "camera")
    assert match.moves == ()
    match.play_all(OPENING, "camera")
    assert len(match.moves) == len(OPENING)


def test_undo_goes_back_to_the_start_and_redo_forth_again(match: Match) -> None:
    states = [match.state]
    for move in OPENING:
        match.play(move, "phone")
        states.append(match.state)
    for state in states[-2::-1]:
        match.undo("phone")
        assert match.state == state
    with pytest.raises(IllegalMove, match="nothing to undo"):
        match.undo("phone")
    for state in states[1:]:
        match.redo("phone")
        assert match.state == state
    with pytest.raises(IllegalMove, match="nothing to redo"):
        match.redo("phone")


def test_a_new_move_ends_what_could_be_redone(match: Match) -> None:
    match.play(OPENING[0], "phone")
    match.undo("phone")
    match.play(lay("cat", 1, 5, 4), "phone")
    assert not match.view().can_redo


def test_an_undone_move_stays_in_the_journal(match: Match, journal: Journal) -> None:
    match.play(OPENING[0], "phone")
    match.undo("button")
    assert [(entry.kind, entry.source) for entry in journal.entries(match.record.id)] == [
        ("move", "phone"),
        ("undo", "button"),
    ]


def test_replay_of_the_journal_gives_the_same_state(match: Match, journal: Journal) -> None:
    for move in OPENING:
        match.play(move, "phone")
    match.undo("phone")
    match.undo("phone")
    match.redo("phone")
    match.name_players({"cat": "Ada", "dog": "Bo"}, "phone")
    again = Match(journal, match.record)
    assert again.state == match.state
    assert msgspec.json.encode(again.view()) == msgspec.json.encode(match.view())


def test_players_have_names(match: Match) -> None:
    match.name_players({"cat": " Ada "}, "phone")
    assert match.view().players == {"cat": "Ada"}
    match.name_players({"cat": ""}, "phone")
    assert match.view().players == {}
    with pytest.raises(InvalidMove, match="no seat bird"):
        match.name_players({"bird": "Cy"}, "phone")


def test_seats_that_the_game_has_not_are_refused(journal: Journal) -> None:
    with pytest.raises(InvalidMove, match="2 seats, not 7"):
        Match.begin(journal, BED, {}, 7)
    assert journal.matches() == []


KILLED = """
import os, signal, sys
from pathlib import Path
from companion.play.journal import Journal
from companion.play.journal import JournalError
from companion.play.match import Match
sys.path.insert(0, {root!r})
from tests.conftest import OPENING
match = Match.begin(Journal(Path({path!r})), "this-bed-is-mine", {{}})
for move in OPENING:
    match.play(move, "phone")
    print(match.n, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_after_kill_9_the_match_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", KILLED.format(path=str(path), root=str(root))],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    assert run.stdout.split() == ["1", "2", "3", "4"]
    journal = Journal(path)
    match = Match(journal, journal.matches()[0])
    assert match.n == 4
    assert [msgspec.to_builtins(move) for move in match.moves] == list(OPENING)
    journal.close()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Mei\u202eada", "Meiada"),
        ("\u2066Jun\u2069\u0000", "Jun"),
        (" \u3000Ada\nBo  Cy ", "Ada Bo Cy"),
        ("\U0001f469\u200d\U0001f52c", "\U0001f469\u200d\U0001f52c"),
        ("x" * 50, "x" * 40),
    ],
)
def test_a_name_loses_the_signs_that_nobody_sees(written: str, kept: str) -> None:
    assert plain_name(written) == kept


def test_a_match_keeps_plain_names(journal: Journal) -> None:
    match = Match.begin(journal, "cat-and-mouse", {}, 2)
    assert match.name_players({"cat": "Mei\u202e"}, "phone").body == {"cat": "Mei"}
