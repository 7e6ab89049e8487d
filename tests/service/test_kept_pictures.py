"""The pictures of moves on the disk: counted, limited, and never at the cost of the matches."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from companion.errors import PhotoError
from companion.play.entries import MatchRecord
from companion.service import kept_pictures
from companion.service.kept_pictures import KeptPictures
from companion.service.match_folders import NO_MATCH

BED = "this-bed-is-mine"
MATCH = MatchRecord(7, BED, {}, 2, "2026-01-01T20:00:00.000+00:00")
LATER = MatchRecord(8, BED, {}, 2, "2026-01-02T20:00:00.000+00:00")
MOST_WRITTEN_IN_AN_HOUR = 3_000_000
"""Bytes: what the SD card is promised."""
WRITTEN_BY_A_MOVE = 12_000


def jpeg(size: int = 25_000) -> bytes:
    """As much as a picture of a bed takes, between a JPEG's first and last bytes."""
    return b"\xff\xd8\xff" + bytes(size - 5) + b"\xff\xd9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures are kept."""
    return tmp_path / "journal.pictures"


@pytest.fixture
def hours() -> list[float]:
    """The time by the pictures' clock, in hours."""
    return [0.0]


@pytest.fixture
def kept(folder: Path, hours: list[float]) -> KeptPictures:
    """Pictures that are switched on, on a disk with room."""
    pictures = KeptPictures(folder, clock=lambda: hours[0] * 3600, free=lambda _: 10**12)
    pictures.on = True
    return pictures


def test_a_picture_is_kept_for_its_match_and_its_owner_alone(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    assert kept.of(MATCH) == ({3}, "")
    assert kept.picture(MATCH, 3) == jpeg()
    [path] = folder.glob("*/*.jpg")
    assert path.stat().st_mode & 0o777 == 0o600
    assert (kept.kept().pictures, kept.kept().size_bytes) == (1, 25_000)


def test_nothing_is_kept_until_somebody_switches_it_on(folder: Path) -> None:
    pictures = KeptPictures(folder)
    pictures.keep(MATCH, 3, jpeg())
    assert not folder.exists()


def test_after_a_restart_they_are_there_and_counted(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    again = KeptPictures(folder)
    assert again.of(MATCH) == ({3}, "")
    assert again.kept().size_bytes == 25_000


def test_the_match_of_that_number_in_a_new_journal_has_none(kept: KeptPictures) -> None:
    kept.keep(MATCH, 3, jpeg())
    other = MatchRecord(MATCH.id, BED, {}, 2, "2026-05-05T20:00:00.000+00:00")
    assert kept.of(other) == (frozenset(), "")
    with pytest.raises(PhotoError):
        kept.picture(other, 3)


@pytest.mark.parametrize("torn", [b"", jpeg()[:9000], bytes(25_000)], ids=["empty", "half", "zeros"])
def test_a_picture_that_a_power_cut_tore_is_not_shown(kept: KeptPictures, folder: Path, torn: bytes) -> None:
    kept.keep(MATCH, 3, jpeg())
    next(folder.glob("*/*.jpg")).write_bytes(torn)
    with pytest.raises(PhotoError):
        kept.picture(MATCH, 3)


# -- limits -----------------------------------------------------------------------------------------------


def test_an_hour_of_the_quickest_play_keeps_to_what_the_card_is_promised(
    kept: KeptPictures, hours: list[float]
) -> None:
    """A move every 15 s. A picture of 25 kB takes seven blocks of the card, and its name one more."""
    written = 0
    for n in range(1, 481):
        hours[0] += 15 / 3600
        kept.count_entries(1)
        before = kept.kept().pictures
        kept.keep(MATCH, n, jpeg())
        written += WRITTEN_BY_A_MOVE + (kept.kept().pictures - before) * 8 * 4096
        if n == 240:
            assert kept.kept().pictures > 0
            assert written <= MOST_WRITTEN_IN_AN_HOUR
    assert written <= 2 * MOST_WRITTEN_IN_AN_HOUR


def test_an_evening_of_beds_has_a_picture_of_every_move(kept: KeptPictures, hours: list[float]) -> None:
    """18 tiles in 20 minutes, match after match for three hours."""
    for n in range(1, 9 * 18 + 1):
        hours[0] += 20 / 60 / 18
        kept.count_entries(1)
        kept.keep(MATCH, n, jpeg())
    assert kept.kept().pictures == 9 * 18


def test_the_oldest_of_a_match_make_room(
    kept: KeptPictures, hours: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_pictures, "MOST_A_MATCH", 2)
    for n in (1, 2, 3):
        hours[0] += 1
        kept.keep(MATCH, n, jpeg())
    assert kept.of(MATCH) == ({2, 3}, "made-room")
    assert kept.of(LATER) == (frozenset(), "")


def test_the_oldest_matches_make_room(kept: KeptPictures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pictures, "MOST_BYTES", 60_000)
    kept.keep(LATER, 1, jpeg())
    kept.keep(MATCH, 1, jpeg())
    kept.keep(LATER, 2, jpeg())
    assert kept.of(MATCH) == (frozenset(), "made-room")
    assert kept.of(LATER) == ({1, 2}, "")


# -- a disk that takes no more ----------------------------------------------------------------------------


def test_a_disk_that_fills_up_is_left_to_the_matches(folder: Path) -> None:
    pictures = KeptPictures(folder, free=lambda _: 200_000_000)
    pictures.on = True
    pictures.keep(MATCH, 3, jpeg())
    assert not list(folder.glob("*/*.jpg"))
    assert pictures.kept().fault == "full"


def test_a_picture_that_cannot_be_written_stops_nothing(
    kept: KeptPictures, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails_half_way(path: Path, data: bytes) -> None:
        with path.open("wb") as file:
            file.write(data[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", fails_half_way)
    kept.keep(MATCH, 3, jpeg())
    kept.keep(MATCH, 4, jpeg())
    assert kept.kept().fault == "failed"
    assert kept.of(MATCH) == (frozenset(), "")
    assert not list(folder.glob("*/*.jpg")), "no half picture stays"
    assert len(caplog.records) == 1, "a full disk takes no long log either"
    monkeypatch.undo()
    kept.keep(MATCH, 5, jpeg())
    assert (kept.kept().fault, kept.kept().pictures) == ("", 1)


# -- deleting ---------------------------------------------------------------------------------------------


def test_what_a_person_deleted_is_said_to_be_deleted(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    kept.keep(LATER, 1, jpeg())
    kept.remove(MATCH)
    assert kept.of(MATCH) == (frozenset(), "deleted")
    assert kept.of(LATER) == ({1}, "")
    kept.remove_all()
    assert kept.of(LATER) == (frozenset(), "deleted")
    assert not list(folder.glob("*/*.jpg"))
    assert kept.kept().size_bytes == 0


def test_they_go_with_their_match_once_it_cannot_be_brought_back(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    kept.keep(LATER, 1, jpeg())
    kept.forget_others([LATER])
    assert kept.of(MATCH)[0] == {3}, "a journal that was put aside may come back"
    for each in folder.glob(f"*/{NO_MATCH}"):
        os.utime(each, (time.time() - 31 * 86_400,) * 2)
    kept.forget_others([LATER])
    assert kept.of(MATCH) == (frozenset(), "")
    assert kept.of(LATER)[0] == {1}
    assert len(list(folder.iterdir())) == 1
