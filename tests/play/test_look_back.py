"""Looking back: every moment of a match is as the table saw it then."""

from __future__ import annotations

import pytest

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.look_back import LookBack, LookBacks
from companion.play.match import Match
from tests.conformance.golden import files, playthrough
from tests.conftest import BED, OPENING, lay
from tests.whispers.moves import DRAW, tell


@pytest.mark.parametrize("slug", games())
def test_each_moment_is_as_the_table_saw_it_then(journal: Journal, slug: str) -> None:
    """What the table was shown is noted while the playthrough is played, and asked for afterwards."""
    head, *lines = playthrough(files(games()[slug])[0])
    match = Match.begin(journal, slug, head["options"], head["seats"])
    shown = [match.view().board]
    for line in lines[: len(lines) // 2]:
        if "refused" in line:
            continue
        move = match.move(line["move"])
        if match.game.private_to(move) is None:
            match.play(move, "phone")
            shown.append(match.view().board)
    back = LookBack.from_match(match.snapshot)
    assert len(back.moves) == len(shown) - 1
    for moves in {0, 1, len(shown) // 2, len(shown) - 1}:
        assert back.view(moves).board == shown[moves], moves


def test_what_was_undone_is_no_moment_of_the_match(journal: Journal, match: Match) -> None:
    match.play_all(OPENING[:2], "phone")
    match.undo("phone")
    match.play(OPENING[1], "phone")
    assert LookBack.from_match(match.snapshot).course().moves == ("c1@5,3", "d1@0,0")


def test_what_a_seat_noted_in_private_is_left_out(journal: Journal, whispers: str) -> None:
    match = Match.begin(journal, whispers, {}, 3)
    match.play_all([DRAW, tell("north", 7), DRAW], "import")
    back = LookBack.from_match(match.snapshot)
    assert len(back.moves) == 2
    assert back.view(2).board.hand == ()


def test_the_course_is_what_each_seat_had_after_each_move(journal: Journal, match: Match) -> None:
    match.play_all(OPENING, "phone")
    course = LookBack.from_match(match.snapshot).course()
    assert course.seats == ("cat", "dog")
    assert course.standing[0] == {"cat": 0, "dog": 0}
    points = match.view().board.points
    assert course.standing[-1] == {"cat": points.cat.total, "dog": points.dog.total}


def test_where_nothing_is_counted_up_the_course_has_the_chances_of_the_game_s_chart(journal: Journal) -> None:
    match = Match.begin(journal, "exploding-kittens", {}, 2)
    match.play({"move": "draw"}, "phone")
    match.play({"move": "kitten"}, "phone")
    course = LookBack.from_match(match.snapshot).course()
    assert course.standing == ()
    deck = match.snapshot.game.view(match.snapshot.history.states[0], None).deck
    shares = [1 / deck, 1 / (deck - 1), 0]
    assert [each["boom.short-kitten"] for each in course.trend] == pytest.approx(shares)


def test_what_decided_a_match_is_said_of_one_that_was_played_out(journal: Journal) -> None:
    head, *lines = playthrough(files(games()["cat-and-mouse"])[0])
    match = Match.begin(journal, "cat-and-mouse", head["options"], head["seats"])
    for line in lines:
        if "refused" not in line:
            match.play(match.move(line["move"]), "phone")
    back = LookBack.from_match(match.snapshot)
    assert back.outcome
    assert back.decided()


@pytest.mark.parametrize("moves", [-1, 5])
def test_there_is_no_moment_before_the_first_nor_after_the_last(match: Match, moves: int) -> None:
    match.play_all(OPENING, "phone")
    with pytest.raises(IndexError):
        LookBack.from_match(match.snapshot).view(moves)


def test_a_match_that_went_on_is_played_back_again(journal: Journal, match: Match) -> None:
    backs = LookBacks(journal)
    match.play(OPENING[0], "phone")
    first = backs.replayed(match.record)
    assert backs.replayed(match.record) is first
    match.play(OPENING[1], "phone")
    assert len(backs.replayed(match.record).moves) == 2


def test_a_match_is_read_once_while_nothing_is_written(
    journal: Journal, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match.play_all(OPENING, "phone")
    backs, read = LookBacks(journal), []
    course = journal.course
    monkeypatch.setattr(journal, "course", lambda number: read.append(number) or course(number))
    for _ in range(3):
        backs.replayed(match.record)
    assert read == [match.record.id]
    other = Match.begin(journal, BED, {})
    first = backs.replayed(match.record)
    assert backs.replayed(match.record) is first, "another match was begun: this one has not gone on"
    assert backs.replayed(other.record) is not first


def test_few_matches_are_kept_played_back_at_once(journal: Journal) -> None:
    backs = LookBacks(journal)
    records = [Match.begin(journal, BED, {}).record for _ in range(6)]
    first = backs.replayed(records[0])
    for record in records:
        backs.replayed(record)
    assert backs.replayed(records[0]) is not first


def test_each_move_names_the_entries_after_which_the_table_showed_it(journal: Journal, match: Match) -> None:
    match.play_all(OPENING[:3], "phone")
    match.undo("phone")
    match.redo("phone")
    back = LookBacks(journal).replayed(match.record)
    assert back.shows == ((1,), (4, 2), (5, 3))


def test_a_move_put_right_has_no_entry_of_the_wrong_one(journal: Journal, match: Match) -> None:
    """Entries 1 to 3 were the moves; 4 and 5 undo two of them, 6 is the right one, 7 the third again."""
    match.play_all(OPENING[:3], "phone")
    match.correct(2, lay("dog", 1, 0, 1), "phone")
    assert LookBacks(journal).replayed(match.record).shows == ((5, 1), (6,), (7, 3))
