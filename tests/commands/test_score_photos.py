"""`companion score PHOTO…`: photos by hand of a drawn bed, and what is refused in one sentence."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.commands.conftest import GAME
from tests.conftest import Companion
from tests.vision.drawn import grid_corners_px, picture

ASLANT = ((420, 90), (900, 40), (1100, 930), (330, 840))
LARGE_PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + struct.pack(">II", 20_000, 20_000) + b"\x08\x02\0\0\0" + bytes(4)
)
"""The head of a PNG of 20,000 × 20,000 px."""
CORNERS = " ".join(f"{x:.0f},{y:.0f}" for x, y in grid_corners_px())


def photo(path: Path, **drawn: object) -> Path:
    """A photo of the finished bed, as a file."""
    cv2.imwrite(str(path), picture(GAME, **drawn))  # type: ignore[arg-type]
    return path


def test_photos_of_a_bed_that_was_shown_are_scored_together(
    companion: Companion, drawn_game: Path, tmp_path: Path
) -> None:
    photos = [photo(tmp_path / "above.png", noise=60), photo(tmp_path / "left.jpg", noise=61, corners=ASLANT)]
    output = tmp_path / "score.png"
    done = companion("score", *photos, "--board", drawn_game, "--json", "--picture", output)
    (read,) = done.lines
    assert not read["unsure"]
    assert {(tile["owner"], tile["digit"]) for tile in read["tiles"]} == {("cat", 4), ("dog", 8)}
    assert [at["source"] for at in read["photos"]] == ["markers", "markers"]
    assert read["score"]["points"]["dog"]["total"] > read["score"]["points"]["cat"]["total"]
    drawn, taken = cv2.imread(str(output)), cv2.imread(str(photos[0]))
    assert (np.abs(drawn.astype(int) - taken).max(axis=2) > 20).mean() > 0.1


def test_a_photo_beside_its_scene_needs_no_board(companion: Companion, drawn_game: Path) -> None:
    done = companion("score", drawn_game / "04.png")
    assert done.status == 0
    assert "dog" in done.out


def test_without_markers_the_corners_may_be_typed(
    companion: Companion, drawn_game: Path, tmp_path: Path
) -> None:
    bare = photo(tmp_path / "bare.png", noise=62, hidden=(0, 1, 2, 3))
    done = companion("score", bare, "--board", drawn_game, "--corners", CORNERS, "--json")
    (read,) = done.lines
    assert read["photos"][0]["source"] == "person"
    assert {(tile["owner"], tile["digit"]) for tile in read["tiles"]} == {("cat", 4), ("dog", 8)}


def test_a_bed_of_which_nothing_was_shown_is_asked_about(companion: Companion, tmp_path: Path) -> None:
    seen = photo(tmp_path / "seen.png", noise=63)
    done = companion("score", seen, "--board", "a")
    assert (done.status, done.out) == (2, "")
    assert "cannot be read for certain" in done.err or "Nobody said whose" in done.err
    (read,) = companion("score", seen, "--board", "a", "--json").lines
    assert read["unsure"]
    assert read["score"] is None


def test_a_photo_of_another_bed_says_so(companion: Companion, tmp_path: Path) -> None:
    seen = photo(tmp_path / "seen.png", noise=63)
    done = companion("score", seen, "--board", "b")
    assert (done.status, done.out) == (2, "")
    assert "another bed: its pillows lie elsewhere. Say which with --board" in done.err


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        pytest.param("film.jpg", b"\0\0\0\x18ftypmp42" + b"\0" * 64, "video", id="video"),
        pytest.param("phone.jpg", b"\0\0\0\x18ftypheic" + b"\0" * 64, "HEIC", id="heic"),
        pytest.param("letter.jpg", b"Dear cat,\n" * 20, "not a picture", id="text"),
        pytest.param("empty.jpg", b"", "not a picture", id="empty"),
        pytest.param("poster.png", LARGE_PNG, "megapixels", id="20000-by-20000"),
    ],
)
def test_what_is_no_photo_is_refused(
    companion: Companion, tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(data)
    done = companion("score", tmp_path / name, "--board", "a")
    assert (done.status, done.out) == (2, "")
    assert name in done.err
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_photo_of_a_wall_is_refused(companion: Companion, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "wall.png"), np.full((600, 800, 3), 130, np.uint8))
    done = companion("score", tmp_path / "wall.png", "--board", "a")
    assert done.status == 2
    assert "No board is seen" in done.err


def test_half_a_board_is_refused(companion: Companion, drawn_game: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "half.png"), picture(GAME, noise=64)[:, :800])
    done = companion("score", tmp_path / "half.png", "--board", drawn_game)
    assert done.status == 2
    assert "outside this photo" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param((), "Say which bed", id="no-board"),
        pytest.param(("--board", "a", "--corners", "1,2 3,4"), "not four corners", id="two-corners"),
        pytest.param(("--board", "a", "--corners", "-", "--corners", "-"), "once for each", id="too-many"),
        pytest.param(("--board", "a", "--corners", "0,0 9,9 9,0 0,9"), "four corners", id="crossed"),
        pytest.param(("--board", "a", "--owner", "Z99=cat"), "names no tile", id="no-such-tile"),
    ],
)
def test_a_wrong_word_is_answered_with_how_to_mend_it(
    companion: Companion, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = companion("score", photo(tmp_path / "seen.png", noise=65), *words)
    assert (done.status, done.out) == (2, "")
    assert says in done.err


def test_a_folder_takes_no_words_for_photos(companion: Companion, drawn_game: Path) -> None:
    done = companion("score", drawn_game, "--board", "a")
    assert done.status == 2
    assert "belong to photos" in done.err


def test_a_photo_is_taken_upright_as_its_exif_says(
    companion: Companion, drawn_game: Path, tmp_path: Path
) -> None:
    _, data = cv2.imencode(".jpg", np.rot90(picture(GAME, noise=66)))
    # An APP1 segment whose one entry says: turn clockwise by a quarter.
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
    exif = b"Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\0\0\0\0"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "turned.jpg").write_bytes(data.tobytes()[:2] + segment + data.tobytes()[2:])
    done = companion("score", tmp_path / "turned.jpg", "--board", drawn_game, "--corners", CORNERS, "--json")
    (read,) = done.lines
    assert {(tile["owner"], tile["digit"]) for tile in read["tiles"]} == {("cat", 4), ("dog", 8)}
