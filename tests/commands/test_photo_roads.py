"""A photo by hand is taken, refused and read alike by the page and by `companion score`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.commands.score import bed_of
from companion.errors import PhotoError
from companion.games.this_bed_is_mine import GAME
from companion.service.photos.drafts import PhotoDrafts
from hardware.arrays import Picture
from hardware.vision.board.scene import scene_of
from tests.commands.conftest import GAME as LAID
from tests.commands.conftest import PictureFolder
from tests.conftest import Companion
from tests.service.photographed import is_read
from tests.vision.drawn import grid_corners_px, picture

SCENE = scene_of(GAME.scene(GAME.start(GAME.options({"board": "a"}), 2)))
BOARD = picture(LAID, noise=71, scene=SCENE)
LEFT_PX = min(x for x, _ in grid_corners_px(SCENE))
WIDTH_PX = max(x for x, _ in grid_corners_px(SCENE)) - LEFT_PX
HALF = "A part of the board is outside this photo"


@pytest.fixture
def photos(tmp_path: Path) -> Iterator[PhotoDrafts]:
    made = PhotoDrafts(folder=tmp_path / "photos")
    yield made
    made.stop()


def cut(share: float) -> Picture:
    """The photo without that share of the board, at its left."""
    return BOARD[:, round(LEFT_PX + share * WIDTH_PX) :]


@pytest.mark.parametrize("share", [-0.1, 0.02, 0.06, 0.09, 0.13, 0.2, 0.5])
@pytest.mark.parametrize("by_person", [False, True], ids=["found", "set by a person"])
def test_both_refuse_the_same_photos_of_part_of_a_board(
    companion: Companion, photos: PhotoDrafts, tmp_path: Path, share: float, by_person: bool
) -> None:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), cut(share))
    left = BOARD.shape[1] - cut(share).shape[1]
    corners = tuple((round(x - left, 1), round(y, 1)) for x, y in grid_corners_px(SCENE))
    typed = " ".join(f"{x},{y}" for x, y in corners)
    words = ("--corners", typed) if by_person else ()
    command = companion("score", path, "--board", "a", "--json", *words)
    number = photos.begin("this-bed-is-mine", {"board": "a"}).id
    try:
        (photo,) = photos.add(number, path.read_bytes()).photos
        if by_person:
            photos.set_corners(number, photo.name, corners)  # type: ignore[arg-type]
        refused = ""
    except PhotoError as error:
        refused = str(error)
    assert (HALF in command.err) == (HALF in refused) == bool(refused)
    if by_person and share in (0.02, 0.5):
        assert bool(refused) == (share == 0.5)


def test_both_read_the_same_tiles(companion: Companion, tmp_path: Path) -> None:
    table = PictureFolder(tmp_path / "table", SCENE)
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), BOARD)
    (printed,) = companion("score", path, "--board", table.path, "--json").lines
    shown = bed_of([path], str(table.path), {}).shown
    assert shown is not None
    (tmp_path / "shown").write_bytes(shown.save())
    photos = PhotoDrafts(folder=tmp_path / "photos", shown=tmp_path / "shown")
    number = photos.begin("this-bed-is-mine", {"board": "a"}).id
    photos.add(number, path.read_bytes())
    photos.read_photos(number)
    read = is_read(photos, number).read
    photos.stop()
    assert read is not None
    tiles = [
        (tile["owner"], tile["digit"], tile["turns"], tile["row"], tile["col"]) for tile in printed["tiles"]
    ]
    assert len(tiles) == len(LAID)
    assert tiles == [(tile.owner, tile.kind, tile.turns, tile.row, tile.col) for tile in read.tiles]
