"""Which moves are pictured, and what of the camera's frame is kept. What is read is scripted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.registry import games
from companion.games.watching import Die, Observation, Tile
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.photos.kept import KeptPictures
from companion.service.pictures import MovePictures, shows_all
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from tests.conftest import BED, OPENING
from tests.service import scripted
from tests.service.scripted import CORNERS, ScriptedDice, ScriptedTiles, StillWatcher
from tests.whispers.moves import DRAW

RED, GREEN = (0, 0, 255), (0, 255, 0)
CAT_1 = Tile("cat", 1, 0, 5, 3, tuple((5 + r, 3) for r in range(5)), 0.99)
DICE = (Die(3, box=(500, 100, 30, 30)), Die(4, box=(560, 120, 30, 30)))
"""To the right of the board."""


def picture() -> Any:
    """A green board on a table where somebody's red sleeve lies."""
    drawn = np.full((480, 640, 3), RED, np.uint8)
    (left, top), (right, bottom) = CORNERS[0], CORNERS[2]
    drawn[top - 25 : bottom + 25, left - 25 : right + 25] = GREEN
    return drawn


class Evening:
    """A table with a camera, and the pictures of its moves."""

    def __init__(self, journal: Journal, folder: Path, game: str, *, on: bool = True) -> None:
        self.table = Table.open(journal, game)
        self.kept = KeptPictures(folder, free=lambda _: 10**12)
        self.kept.on = on
        watcher: Any = StillWatcher()
        self.loop = VisionLoop(self.table, watcher, pictures=MovePictures(self.kept), clock=lambda: 12.0)
        self._at_s = 0.0
        self.see()

    def see(self, said: Observation | None = None, drawn: Any = None) -> None:
        """One frame, in which the tiles' reader reads this."""
        if ScriptedTiles.made:
            ScriptedTiles.made[-1].says = said or Observation()
        self._at_s += 1.0
        self.loop.take_frame(Frame(picture() if drawn is None else drawn, self._at_s))

    @property
    def numbers(self) -> frozenset[int]:
        """The entries with a picture."""
        return self.kept.pictured(self.table.match.record)[0]

    def picture(self, n: int) -> Any:
        """The picture after entry `n`, decoded."""
        jpeg = self.kept.picture(self.table.match.record, n)
        return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.put_in(monkeypatch)


@pytest.fixture
def bed(journal: Journal, tmp_path: Path) -> Evening:
    """This Bed Is Mine under a camera."""
    return Evening(journal, tmp_path / "pictures", BED)


def test_a_tile_that_is_seen_has_the_picture_of_the_board_alone(bed: Evening) -> None:
    bed.see(Observation(tiles=(CAT_1,)))
    assert bed.numbers == {1}
    board = bed.picture(1)
    assert max(board.shape[:2]) <= 480
    green, red = board[..., 1], board[..., 2]
    assert (green > 200).mean() > 0.99, "of the table around it hardly anything"
    assert (red > 100).mean() < 0.01


def test_switched_off_no_picture_is_taken(journal: Journal, tmp_path: Path) -> None:
    at = Evening(journal, tmp_path / "pictures", BED, on=False)
    at.see(Observation(tiles=(CAT_1,)))
    assert at.table.match.n == 1
    assert not (tmp_path / "pictures").exists()


def test_a_tapped_move_is_pictured_once_the_hand_is_gone(bed: Evening) -> None:
    bed.table.play(OPENING[0], "phone")
    bed.see(Observation(unsure=True, why="hand"))
    assert bed.numbers == set()
    bed.see(Observation(tiles=(CAT_1,)))
    assert bed.numbers == {1}
    bed.see(Observation(tiles=(CAT_1,)))
    assert bed.kept.kept().pictures == 1, "one picture a move"


def test_points_on_a_sheet_have_the_picture_of_the_whole_table(journal: Journal, tmp_path: Path) -> None:
    at = Evening(journal, tmp_path / "pictures", "score-sheet")
    at.table.play(at.table.match.game.parse("player-1 gets 6 in 1"), "phone")
    at.see()
    assert at.numbers == {1}
    assert at.picture(1).shape == (360, 480, 3)
    assert (at.picture(1)[..., 2] > 200).any(), "the table around a board, too"


def test_while_something_moves_a_tapped_move_waits(bed: Evening) -> None:
    bed.table.play(OPENING[0], "phone")
    bed.see(drawn=np.full((480, 640, 3), 255, np.uint8))
    assert bed.numbers == set()


def test_of_a_throw_the_dice_are_kept(journal: Journal, tmp_path: Path) -> None:
    at = Evening(journal, tmp_path / "pictures", "cat-and-mouse")
    ScriptedDice.throws.append(Observation(dice=DICE))
    at.see()
    assert at.table.match.view().by == "camera"
    dice = at.picture(at.table.match.n)
    assert dice.shape[0] < 200
    assert dice.shape[1] < 200


def test_a_throw_that_a_person_put_right_has_the_picture_of_that_moment(
    journal: Journal, tmp_path: Path
) -> None:
    at = Evening(journal, tmp_path / "pictures", "cat-and-mouse")
    ScriptedDice.throws.append(Observation(unsure=True, dice=DICE))
    at.see()
    sighting = at.table.snapshot.sighting
    assert sighting is not None
    assert at.numbers == set()
    at.table.answer(sighting.id, 0, "phone")
    at.see(drawn=np.zeros((480, 640, 3), np.uint8))
    assert at.picture(1).max() > 100, "the dice as they lay, not the table after they were taken up"


@pytest.mark.parametrize("slug", ["exploding-kittens", "hide-and-seek"])
def test_no_game_of_cards_is_pictured(slug: str) -> None:
    assert not shows_all(games()[slug])


@pytest.mark.parametrize("slug", [BED, "cat-and-mouse", "chop-chop"])
def test_boards_and_dice_are_pictured(slug: str) -> None:
    assert shows_all(games()[slug])


def test_a_game_in_which_seats_keep_things_to_themselves_is_not_pictured(
    journal: Journal, tmp_path: Path, whispers: str
) -> None:
    at = Evening(journal, tmp_path / "pictures", whispers)
    at.table.play(DRAW, "phone")
    at.see()
    assert at.numbers == set()


def test_the_next_match_begins_without_pictures(bed: Evening) -> None:
    bed.see(Observation(tiles=(CAT_1,)))
    first = bed.table.match.record
    bed.table.begin(BED, {})
    bed.see()
    assert bed.numbers == set()
    assert bed.kept.pictured(first)[0] == {1}
