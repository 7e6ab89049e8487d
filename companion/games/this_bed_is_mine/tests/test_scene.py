"""The bed as a scene, and back."""

from __future__ import annotations

import pytest

from companion.errors import UserError
from companion.games.this_bed_is_mine import GAME
from companion.games.this_bed_is_mine.state import BedOptions


@pytest.mark.parametrize("board", ["a", "b", "square-14"])
def test_a_scene_gives_back_the_board_and_tiles_it_was_made_of(board: str) -> None:
    tiles = "squares" if board == "square-14" else "digits"
    scene = GAME.scene(GAME.start(GAME.options({"board": board, "tiles": tiles}), 2))
    again = GAME.scene(GAME.start(GAME.options(GAME.options_for_scene(scene)), 2))
    assert again == scene


def test_a_scene_of_bare_squares_is_a_bed_without_a_zone_drawn() -> None:
    options = GAME.options_for_scene({"rows": 3, "cols": 4, "marker_dictionary": "any", "toys": {}})
    assert set(options) == {"board"}
    assert BedOptions(**options).board.count("....") == 3


def test_toys_that_the_game_has_not_are_said() -> None:
    with pytest.raises(UserError, match="'ball'"):
        GAME.options_for_scene({"rows": 3, "cols": 4, "toys": {"ball": [[0, 0]]}})


def test_a_scene_of_no_bed_is_said() -> None:
    with pytest.raises(UserError, match="no bed"):
        GAME.options_for_scene({"rows": "three", "cols": 4})
