"""The pictures of moves on the disk: counted, limited, and never at the cost of the matches."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from companion.errors import PhotoError
from companion.play.match_folders import NO_MATCH
from companion.play.schema import MatchRecord
from companion.service.photos import kept as kept_pictures
from companion.service.photos.kept import KeptPictures

BED = "this-bed-is-mine"
MATCH = MatchRecord(7, BED, {}, 2, "2026-01-01T20:00:00.000+00:00")
LATER = MatchRecord(8, BED, {}, 2, "2026-01-02T20:00:00.000+00:00")


def jpeg(size: int = 25_000) -> bytes:
    """As much as a picture of a bed takes, between a JPEG's first and last bytes."""
    return b"\xff\xd8\xff" + bytes(size - 5) + b"\xff\xd9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures are kept."""
    return tmp_path / "journal.pictures"


@pytest.fixture
def kept(folder: Path) -> KeptPictures:
    """Pictures that are switched on, on a disk with room."""
    pictures = KeptPictures(folder, free=lambda _: 10**12)
    pictures.on = True
    return pictures


def test_a_picture_is_kept_for_its_match_and_its_owner_alone(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    assert kept.pictured(MATCH) == ({3}, "")
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
    assert again.pictured(MATCH) == ({3}, "")
    assert again.kept().size_bytes == 25_000


def test_the_match_of_that_number_in_a_new_journal_has_none(kept: KeptPictures) -> None:
    kept.keep(MATCH, 3, jpeg())
    other = MatchRecord(MATCH.id, BED, {}, 2, "2026-05-05T20:00:00.000+00:00")
    assert kept.pictured(other) == (frozenset(), "")
    with pytest.raises(PhotoError):
        kept.picture(other, 3)


@pytest.mark.parametrize("torn", [b"", jpeg()[:9000], bytes(25_000)], ids=["empty", "half", "zeros"])
def test_a_picture_that_a_power_cut_tore_is_not_shown(kept: KeptPictures, folder: Path, torn: bytes) -> None:
    kept.keep(MATCH, 3, jpeg())
    next(folder.glob("*/*.jpg")).write_bytes(torn)
    with pytest.raises(PhotoError):
        kept.picture(MATCH, 3)


# -- limits -----------------------------------------------------------------------------------------------


def test_a_match_has_so_many_pictures_and_no_more(
    kept: KeptPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_pictures, "MOST_A_MATCH", 2)
    for n in (1, 2, 3):
        kept.keep(MATCH, n, jpeg())
    kept.keep(LATER, 1, jpeg())
    assert kept.pictured(MATCH) == ({1, 2}, "")
    assert kept.pictured(LATER) == ({1}, "")


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
    assert kept.pictured(MATCH) == (frozenset(), "")
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
    assert kept.pictured(MATCH) == (frozenset(), "deleted")
    assert kept.pictured(LATER) == ({1}, "")
    kept.remove_all()
    assert kept.pictured(LATER) == (frozenset(), "deleted")
    assert not list(folder.glob("*/*.jpg"))
    assert kept.kept().size_bytes == 0


def test_they_go_with_their_match_once_it_cannot_be_brought_back(kept: KeptPictures, folder: Path) -> None:
    kept.keep(MATCH, 3, jpeg())
    kept.keep(LATER, 1, jpeg())
    kept.forget_others([LATER])
    assert kept.pictured(MATCH)[0] == {3}, "a journal that was put aside may come back"
    for each in folder.glob(f"*/{NO_MATCH}"):
        os.utime(each, (time.time() - 31 * 86_400,) * 2)
    kept.forget_others([LATER])
    assert kept.pictured(MATCH) == (frozenset(), "")
    assert kept.pictured(LATER)[0] == {1}
    assert len(list(folder.iterdir())) == 1
