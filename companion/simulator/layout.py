"""What a match has on the table, by its game's description: tiles, pieces, what lies under them, dice."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

import msgspec

from companion.games.registry import AnyGame
from companion.games.watching import Dice, HasGround, Kind, Piece, SeesDice, SeesPieces, SeesTiles, Tile
from companion.simulator.kitchen import Thing
from companion.simulator.table_scene import TableScene

Tiles = tuple[Tile, ...]
"""Tiles in the order in which they were laid."""


def tiles_of(game: AnyGame, state: Any, board: TableScene) -> Tiles:
    """The tiles on the board, with their squares."""
    lying = game.lying(state) if isinstance(game, SeesTiles) else ()
    return tuple(on_board(tile, board) for tile in lying)


def pieces_of(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    """The pieces on the board."""
    return _things(game.standing_pieces(state) if isinstance(game, SeesPieces) else ())


def ground_of(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    """What lies under the pieces."""
    return _things(game.ground(state) if isinstance(game, HasGround) else ())


def dice_of(game: AnyGame, state: Any) -> Dice | None:
    """The dice to be thrown now; None in a game without dice that a camera reads."""
    return game.dice_now(state) if isinstance(game, SeesDice) else None


def on_board(tile: Tile, board: TableScene) -> Tile:
    """The tile with the squares that it covers."""
    lying = Tile(tile.owner, tile.kind, tile.turns, tile.row, tile.col)
    return msgspec.structs.replace(lying, cells=board.cells_of(lying))


def laid(tiles: Tiles, tile: Tile) -> Tiles:
    """The tiles after this one was laid or moved; it is the last of them."""
    return (*without(tiles, {(tile.owner, tile.kind)}), tile)


def without(tiles: Tiles, names: Set[tuple[str, Kind]]) -> Tiles:
    """The tiles without those of these owners and kinds."""
    return tuple(tile for tile in tiles if (tile.owner, tile.kind) not in names)


def changed(tiles: Tiles, before: Tiles, after: Tiles) -> Tiles:
    """The tiles on the table after a move: `before` and `after` are the match's tiles before and after it.

    Tiles that the move does not change stay as they are, even those unknown to the match.
    """
    was, now = {tile.place for tile in before}, {tile.place for tile in after}
    gone = {(tile.owner, tile.kind) for tile in before if tile.place not in now}
    come = [tile for tile in after if tile.place not in was]
    return (*without(tiles, gone | {(tile.owner, tile.kind) for tile in come}), *come)


def _things(pieces: Iterable[Piece]) -> tuple[Thing, ...]:
    return tuple(Thing(each.kind, each.row, each.col) for each in pieces)
