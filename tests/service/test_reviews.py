"""What the companion's player thinks of finished matches: made in the background, and kept as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.opponents import review
from companion.opponents.review import Review
from companion.play.journal import Journal
from companion.play.look_back import LookBack
from companion.play.match import Match
from companion.service.reviews import Reviews
from tests.conftest import BED

TINY = 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'
LOOK_S = 0.05
MOST_LOOKS = 2_400


@pytest.fixture
def finished(journal: Journal) -> LookBack:
    """A match of a tiny bed, played to its end."""
    match = Match.begin(journal, BED, {"board": TINY})
    while match.outcome is None:
        match.play(next(iter(match.game.legal_moves(match.state))), "phone")
    return LookBack.of(match.snapshot)


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
    assert reviews.of(finished) is None
    made = until_made(lambda: reviews.of(finished))
    assert [each.seat for each in made.moves][:2] == ["cat", "dog"][: len(made.moves)]
    [kept] = (tmp_path / "reviews").iterdir()
    assert kept.name.startswith(f"match-{finished.record.id}-")

    monkeypatch.setattr(review, "begin", lambda _: pytest.fail("it was made a second time"))
    assert Reviews(tmp_path / "reviews").of(finished) == made


def test_a_file_that_is_gone_or_damaged_is_made_again(
    reviews: Reviews, finished: LookBack, tmp_path: Path
) -> None:
    made = until_made(lambda: reviews.of(finished))
    [kept] = (tmp_path / "reviews").iterdir()
    kept.write_text('{"moves": 7}')
    assert reviews.of(finished) is None
    assert until_made(lambda: reviews.of(finished)) == made
    assert [kept] == list((tmp_path / "reviews").iterdir())


def test_a_match_that_goes_on_and_a_game_without_a_judge_have_none(
    reviews: Reviews, journal: Journal
) -> None:
    going_on = Match.begin(journal, BED, {})
    dice = Match.begin(journal, "cat-and-mouse", {})
    for match in (going_on, dice):
        with pytest.raises(LookupError):
            reviews.of(LookBack.of(match.snapshot))
