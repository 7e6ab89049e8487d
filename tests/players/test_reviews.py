"""What the companion's player thinks of finished matches: made in the background, and kept as a file."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import msgspec
import pytest

from companion.play.journal import Journal
from companion.play.look_back import LookBack
from companion.play.match import Match
from companion.play.match_folders import NO_MATCH
from companion.play.table import Table, new_table
from companion.players import worker
from companion.players.reviews import QUIET_S, Reviews
from companion.players.worker import Review
from tests.conftest import BED

TINY = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
LOOK_S = 0.05
MOST_LOOKS = 2_400
A_MONTH_S = 31 * 86_400


def files_of(folder: Path) -> list[Path]:
    """Every review in a folder."""
    return list(folder.glob("*/*.json"))


@pytest.fixture
def finished(journal: Journal) -> LookBack:
    """A match of a tiny bed, played to its end."""
    match = Match.begin(journal, BED, {"board": TINY})
    while match.outcome is None:
        match.play(next(iter(match.game.legal_moves(match.state))), "phone")
    return LookBack.from_match(match.snapshot)


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[Reviews]:
    """Reviews in an empty folder."""
    made = Reviews(tmp_path / "reviews")
    yield made
    made.stop()


def until_made(ask: Callable[[], Review | None]) -> Review:
    """The review, asked for again and again."""
    for _ in range(MOST_LOOKS):
        if (made := ask()) is not None:
            return made
        Event().wait(LOOK_S)
    raise AssertionError("no review was made")


def test_a_review_is_made_once_and_read_from_its_file_after_that(
    reviews: Reviews, finished: LookBack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reviews.review_of(finished) is None
    made = until_made(lambda: reviews.review_of(finished))
    assert [each.seat for each in made.moves][:2] == ["cat", "dog"][: len(made.moves)]
    [kept] = files_of(tmp_path / "reviews")
    assert kept.parent.name == finished.record.identity

    monkeypatch.setattr(worker, "begin", lambda _: pytest.fail("it was made a second time"))
    assert Reviews(tmp_path / "reviews").review_of(finished) == made


def test_a_file_that_is_gone_or_damaged_is_made_again(
    reviews: Reviews, finished: LookBack, tmp_path: Path
) -> None:
    made = until_made(lambda: reviews.review_of(finished))
    [kept] = files_of(tmp_path / "reviews")
    kept.write_text('{"moves": 7}')
    assert reviews.review_of(finished) is None
    assert until_made(lambda: reviews.review_of(finished)) == made
    assert [kept] == files_of(tmp_path / "reviews")


def test_it_goes_a_month_after_its_match_has_gone(
    reviews: Reviews, finished: LookBack, tmp_path: Path
) -> None:
    reviews.review_of(finished)
    until_made(lambda: reviews.review_of(finished))
    reviews.forget_others([])
    [mark] = (tmp_path / "reviews").glob(f"*/{NO_MATCH}")
    assert len(files_of(tmp_path / "reviews")) == 1, "until then the match may come back"
    since_s = time.time() - A_MONTH_S
    os.utime(mark, (since_s, since_s))
    reviews.forget_others([])
    assert list((tmp_path / "reviews").iterdir()) == []


def test_the_same_match_of_that_number_in_a_new_journal_has_none(
    reviews: Reviews, finished: LookBack, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews.review_of(finished)
    made = until_made(lambda: reviews.review_of(finished))
    record = msgspec.structs.replace(finished.record, began="2027-01-01T20:00:00.000+00:00")
    monkeypatch.setattr(worker, "begin", Judges().begin)
    assert reviews.review_of(dataclasses.replace(finished, record=record)) is None
    assert reviews.review_of(finished) == made


def test_a_match_that_goes_on_and_a_game_without_a_judge_have_none(
    reviews: Reviews, journal: Journal
) -> None:
    going_on = Match.begin(journal, BED, {})
    dice = Match.begin(journal, "cat-and-mouse", {})
    for match in (going_on, dice):
        with pytest.raises(LookupError):
            reviews.review_of(LookBack.from_match(match.snapshot))


class Judges:
    """Processes that are asked for reviews and never answer."""

    def __init__(self) -> None:
        self.tasks: list[worker.Judge] = []
        self.running: list[subprocess.Popen[bytes]] = []

    def begin(self, task: worker.Judge) -> subprocess.Popen[bytes]:
        """One more."""
        self.tasks.append(task)
        self.running.append(subprocess.Popen(["sleep", "600"], stdout=subprocess.PIPE))
        return self.running[-1]


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> Judges:
    """Instead of the processes that review."""
    made = Judges()
    monkeypatch.setattr(worker, "begin", made.begin)
    return made


def play_to_the_end(table: Table) -> None:
    """Play what is left of the match on the table."""
    while table.match.outcome is None:
        table.play(next(iter(table.match.game.legal_moves(table.match.state))), "phone")


def test_a_match_that_ends_on_the_table_is_reviewed_unasked(journal: Journal, tmp_path: Path) -> None:
    table, folder = new_table(journal, BED, {"board": TINY}), tmp_path / "reviews"
    reviews = Reviews(folder, table, quiet_s=0)
    reviews.start()
    play_to_the_end(table)
    for _ in range(MOST_LOOKS):
        if files_of(folder):
            break
        Event().wait(LOOK_S)
    reviews.stop()
    assert Reviews(folder).review_of(LookBack.from_match(table.snapshot.match)) is not None, (
        "it was kept already"
    )


def test_a_review_begins_once_nobody_has_changed_the_end_for_a_while(
    reviews: Reviews, journal: Journal, judges: Judges
) -> None:
    """An undo makes it wait again; the next match does not keep it from beginning."""
    table = new_table(journal, BED, {"board": TINY})
    play_to_the_end(table)
    reviews.follow(table.snapshot.match, 100)
    reviews.follow(table.snapshot.match, 100 + QUIET_S / 2)
    table.undo("phone")
    reviews.follow(table.snapshot.match, 101 + QUIET_S)
    play_to_the_end(table)
    reviews.follow(table.snapshot.match, 200)
    assert judges.tasks == []
    ended = table.snapshot.match
    table.begin(BED, {"board": TINY})
    reviews.follow(table.snapshot.match, 200 + QUIET_S)
    reviews.follow(table.snapshot.match, 300 + QUIET_S)
    assert [len(task.moves) for task in judges.tasks] == [len(ended.history.moves)]


def test_one_review_is_made_at_a_time_and_none_after_the_end(
    reviews: Reviews, journal: Journal, judges: Judges
) -> None:
    table = new_table(journal, BED, {"board": TINY})
    for now_s in (0, 1):
        play_to_the_end(table)
        reviews.follow(table.snapshot.match, now_s)
        table.begin(BED, {"board": TINY})
    reviews.follow(table.snapshot.match, 100)
    [first] = judges.running
    first.kill()
    for _ in range(MOST_LOOKS):
        reviews.follow(table.snapshot.match, 101)
        if len(judges.running) == 2:
            break
        Event().wait(LOOK_S)
    reviews.stop()
    assert [each.wait() for each in judges.running] == [-9, -9]
    reviews.follow(table.snapshot.match, 102)
    assert len(judges.running) == 2
