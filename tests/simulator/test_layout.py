"""What a move does to the tiles on the table: what the match gains is laid, what it loses is taken off."""

from __future__ import annotations

from companion.games import registry
from companion.games.watching import Tile
from companion.simulator.table_scene import (
    TableScene,
    board_of,
    changed,
    dice_of,
    ground_of,
    pieces_of,
    scene_of_match,
    tiles_of,
    without,
)

ONE, TWO = Tile("red", "I3", 0, 0, 0), Tile("green", "I3", 1, 4, 4)
MOVED = Tile("red", "I3", 0, 1, 0)
STRANGE = Tile("green", "T4", 0, 6, 6)
"""A tile that lies on the table against the rules: the match knows nothing of it."""


def test_a_tile_that_the_match_gains_is_laid_last() -> None:
    assert changed((STRANGE, ONE), (ONE,), (ONE, TWO)) == (STRANGE, ONE, TWO)


def test_a_tile_that_the_match_loses_is_taken_off() -> None:
    assert changed((ONE, STRANGE, TWO), (ONE, TWO), (TWO,)) == (STRANGE, TWO)


def test_a_tile_that_lies_elsewhere_in_the_match_is_moved() -> None:
    assert changed((ONE, TWO), (ONE, TWO), (MOVED, TWO)) == (TWO, MOVED)


def test_a_move_that_leaves_the_tiles_alone_changes_nothing() -> None:
    assert changed((STRANGE, ONE), (ONE,), (ONE,)) == (STRANGE, ONE)


def test_tiles_are_left_out_by_owner_and_kind() -> None:
    assert without((ONE, TWO), {("red", "I3"), ("red", "T4")}) == (TWO,)


def test_a_game_without_a_board_is_played_beside_the_usual_one_with_nothing_of_its_own_there() -> None:
    game = registry.game("exploding-kittens")
    options = game.options({})
    state = game.start(options, 2)
    board = board_of(scene_of_match(game, options))
    assert (board.rows, board.cols, board.owners) == (16, 12, ("cat", "dog"))
    assert tiles_of(game, state, board) == pieces_of(game, state) == ground_of(game, state) == ()
    assert dice_of(game, state) is None


def test_a_board_of_pieces_has_no_owners_of_tiles() -> None:
    game = registry.game("chop-chop")
    board = board_of(scene_of_match(game, game.options({})))
    assert (board.rows, board.cols, board.owners) == (6, 7, ())
    assert isinstance(board, TableScene)
