"""A past move put right: what follows is judged anew, and nothing that was kept is written over."""

from __future__ import annotations

import pytest

from companion.errors import MoveError
from companion.play.history import correction
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED, OPENING
from tests.whispers.moves import DRAW, tell


def notation(match: Match) -> list[str]:
    """The open moves of a match."""
    return [match.game.notation(move) for move in match.snapshot.seen(None)]


@pytest.fixture
def played(match: Match) -> Match:
    """Four tiles: c1@5,3 d1@0,0 c2@0,9 d7@11,0."""
    match.play_all(OPENING, "phone")
    return match


def test_the_moves_after_it_stay_where_they_still_fit(played: Match) -> None:
    done = played.correct(2, played.game.parse("d2@0,3"), "phone")
    assert notation(played) == ["c1@5,3", "d2@0,3", "c2@0,9", "d7@11,0"]
    assert done.lost == ()


def test_one_that_fits_no_more_is_left_out_and_named(played: Match) -> None:
    done = correction(played.snapshot.history, 2, played.game.parse("d7@11,0"))
    assert [(each.number, played.game.notation(each.move)) for each in done.lost] == [(4, "d7@11,0")]
    assert done.lost[0].error.rule == "tile-already-laid"


def test_to_ask_what_it_changes_changes_nothing(played: Match) -> None:
    before = played.n, notation(played)
    correction(played.snapshot.history, 2, played.game.parse("d2@0,3"))
    assert (played.n, notation(played)) == before


def test_a_move_that_was_never_made_is_taken_out(played: Match) -> None:
    done = played.correct(4, None, "phone")
    assert notation(played) == ["c1@5,3", "d1@0,0", "c2@0,9"]
    assert done.lost == ()


def test_the_journal_keeps_it_as_entries_and_replays_it(played: Match, journal: Journal) -> None:
    kept = [entry.kind for entry in played.entries()]
    played.correct(3, played.game.parse("c3@0,9"), "phone")
    assert [entry.kind for entry in played.entries()] == [*kept, "undo", "undo", "move", "move"]
    assert Match(journal, played.record).state == played.state


def test_a_move_that_breaks_a_rule_corrects_nothing(played: Match) -> None:
    before = played.n
    with pytest.raises(MoveError):
        played.correct(2, played.game.parse("d2@5,3"), "phone")
    for number in (0, 5):
        with pytest.raises(MoveError) as refused:
            played.correct(number, None, "phone")
        assert refused.value.rule == "no-such-move"
    assert played.n == before


def test_what_a_seat_noted_in_private_stays_at_its_place(journal: Journal, whispers: str) -> None:
    match = Match.begin(journal, whispers, {}, 3)
    match.play_all([DRAW, tell("north", 7), DRAW], "import")
    seen = match.snapshot.seen("north")
    match.correct(2, DRAW, "phone")
    assert match.snapshot.seen("north") == seen


def test_a_page_that_is_old_corrects_nothing_be_the_match_on_the_table_or_not(
    journal: Journal,
) -> None:
    table = Table(journal, Match.begin(journal, BED, {}))
    kept = Match.begin(journal, BED, {})
    kept.play_all(OPENING, "phone")
    table.play(OPENING[0], "phone")
    for number, n in ((kept.record.id, 4), (table.match.record.id, 1)):
        with pytest.raises(MoveError) as refused:
            table.correct(number, 1, table.match.game.parse("c2@5,3"), "phone", n=n + 1)
        assert refused.value.rule == "page-was-old"
        table.correct(number, 1, table.match.game.parse("c3@5,3"), "phone", n=n)
    assert notation(table.match) == ["c3@5,3"]
    assert notation(table.kept(kept.record.id))[0] == "c3@5,3"
