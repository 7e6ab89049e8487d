"""The photos that people wished to keep with a score belong to one match, and go with it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from companion.errors import PhotoError
from companion.play.match_folders import NO_MATCH
from companion.play.schema import MatchRecord
from companion.service.photos.kept import KeptPhotos

BED = "this-bed-is-mine"
MATCH = MatchRecord(1, BED, {}, 2, "2026-01-01T20:00:00.000+00:00")
ELEVENTH = MatchRecord(11, BED, {}, 2, "2026-01-02T20:00:00.000+00:00")
IN_A_NEW_JOURNAL = MatchRecord(1, BED, {}, 2, "2026-03-01T20:00:00.000+00:00")
A_MONTH_S = 31 * 86_400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the photos are kept; somebody has put a file of their own there."""
    made = tmp_path / "photos"
    made.mkdir()
    (made / "holiday.jpg").touch()
    return made


@pytest.fixture
def photos(folder: Path) -> KeptPhotos:
    """Two photos of the first match, and one of the eleventh."""
    made = KeptPhotos(folder)
    made.keep(MATCH, [b"one", b"two"])
    made.keep(ELEVENTH, [b"eleven"])
    return made


def names(folder: Path) -> list[str]:
    """What the folder holds."""
    return sorted(path.name for path in folder.iterdir())


def test_each_match_has_its_own(photos: KeptPhotos, folder: Path) -> None:
    assert (photos.numbers(MATCH), photos.numbers(ELEVENTH)) == ((1, 2), (1,))
    photos.remove(MATCH)
    assert (photos.numbers(MATCH), photos.numbers(ELEVENTH)) == ((), (1,))
    assert len(names(folder)) == 2, "the folder of the eleventh, and the person's own file"


def test_the_match_of_that_number_in_a_new_journal_has_none(photos: KeptPhotos) -> None:
    assert photos.numbers(IN_A_NEW_JOURNAL) == ()
    with pytest.raises(PhotoError):
        photos.picture(IN_A_NEW_JOURNAL, 1)


def test_they_go_a_month_after_their_match_has_gone(photos: KeptPhotos, folder: Path) -> None:
    (gone,) = folder.glob("1-*")
    long_ago_s = time.time() - 12 * A_MONTH_S
    os.utime(gone, (long_ago_s, long_ago_s))
    photos.forget_others([ELEVENTH])
    assert photos.numbers(MATCH) == (1, 2), "a journal that was put aside may come back, however old"
    since_s = time.time() - A_MONTH_S
    os.utime(gone / NO_MATCH, (since_s, since_s))
    photos.forget_others([MATCH, ELEVENTH])
    photos.forget_others([ELEVENTH])
    assert photos.numbers(MATCH) == (1, 2), "it was back in between"
    os.utime(gone / NO_MATCH, (since_s, since_s))
    photos.forget_others([ELEVENTH])
    assert (photos.numbers(MATCH), photos.numbers(ELEVENTH)) == ((), (1,))
