"""Things of a match on the virtual table: its board with markers and a tray, tiles, pieces and dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import msgspec

from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import (
    Dice,
    HasBoard,
    HasGround,
    Kind,
    Piece,
    SeesDice,
    SeesPieces,
    SeesTiles,
    Square,
    Tile,
)
from hardware.vision.board.scene import Scene, markers_in_cells

DEFAULT_GAME = "this-bed-is-mine"
"""The default game; games without a board are played on its board too."""

TRAY_AWAY = 3.2
"""In squares, as the tray's size."""
TRAY_WIDTH, TRAY_HEIGHT = 6.0, 8.0

Tiles = tuple[Tile, ...]


class Thing(msgspec.Struct, frozen=True):
    """A thing on a board: its kind and its square (in fractions of a square while it is carried)."""

    kind: str
    row: float
    col: float


class TableScene(Scene, frozen=True, dict=True):
    """A board, with values for the game and the drawing.

    `owners`: the owners of tiles in their order of play. `pictures`: the squares with a printed picture by
    kind, called `toys` in the file. `zone`: the outlined squares for the first tile, called `start` in the
    file.
    """

    owners: tuple[str, ...] = ()
    pictures: dict[str, tuple[Square, ...]] = msgspec.field(default_factory=dict, name="toys")
    zone: tuple[Square, ...] = msgspec.field(default=(), name="start")

    def is_far(self, owner: str) -> bool:
        """True for an owner at the board's top row: all but the first."""
        return owner in self.owners[1:]


def board_of(scene: dict[str, Any]) -> TableScene:
    """The board from the plain values of a `scene.json`."""
    return msgspec.convert(scene, TableScene, strict=False)


def tray_beside(rows: int, cols: int) -> tuple[float, float, float, float]:
    """A tray on the right of the board, level with its middle: x, y, right, bottom in squares."""
    left, top = cols + TRAY_AWAY, rows / 2 - TRAY_HEIGHT / 2
    return left, top, left + TRAY_WIDTH, top + TRAY_HEIGHT


def scene_of_match(game: AnyGame, options: object) -> dict[str, Any]:
    """The scene of a match as plain values; a game without a board is played beside the usual one."""
    if not isinstance(game, HasBoard):
        usual = registry.game(DEFAULT_GAME)
        return scene_of_match(usual, usual.options({}))
    state = game.start(options, min(game.seat_counts))
    owners = game.turn_order(state).owners if isinstance(game, SeesTiles) else ()
    # Through JSON: plain values are what a scene.json would hold, lists and text keys.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(game.scene(state)))
    return on_a_table({"owners": list(owners), **plain})


def on_a_table(scene: Mapping[str, Any]) -> dict[str, Any]:
    """A game's scene (plain values), with printed markers and a tray beside it."""
    rows, cols = scene["rows"], scene["cols"]
    markers = markers_in_cells(rows, cols)
    return {
        "marker_dictionary": "DICT_APRILTAG_36h11",
        "markers_in_cells": {str(marker): corners for marker, corners in markers.items()},
        "tray_in_cells_at_table_height": tray_beside(rows, cols),
        **scene,
    }


def tiles_of(game: AnyGame, state: Any, board: TableScene) -> Tiles:
    """The tiles on the board, with their squares."""
    lying = game.lying(state) if isinstance(game, SeesTiles) else ()
    return tuple(on_board(tile, board) for tile in lying)


def pieces_of(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    """The pieces on the board."""
    return _things(game.standing_pieces(state) if isinstance(game, SeesPieces) else ())


def ground_of(game: AnyGame, state: Any) -> tuple[Thing, ...]:
    """The things under the pieces."""
    return _things(game.ground(state) if isinstance(game, HasGround) else ())


def dice_of(game: AnyGame, state: Any) -> Dice | None:
    """The dice to throw next; None in a game without dice that a camera reads."""
    return game.dice_now(state) if isinstance(game, SeesDice) else None


def on_board(tile: Tile, board: TableScene) -> Tile:
    """The tile with the squares that it covers."""
    lying = Tile(tile.owner, tile.kind, tile.turns, tile.row, tile.col)
    return msgspec.structs.replace(lying, cells=board.cells_of(lying))


def without(tiles: Tiles, names: Set[tuple[str, Kind]]) -> Tiles:
    """The tiles without those of these owners and kinds."""
    return tuple(tile for tile in tiles if (tile.owner, tile.kind) not in names)


def changed(tiles: Tiles, before: Tiles, after: Tiles) -> Tiles:
    """Change the tiles on the table by a move, from the match's tiles `before` and `after` it.

    Tiles that the move does not change stay as they are, even those unknown to the match.
    """
    was, places = {tile.place for tile in before}, {tile.place for tile in after}
    gone = {(tile.owner, tile.kind) for tile in before if tile.place not in places}
    come = [tile for tile in after if tile.place not in was]
    return (*without(tiles, gone | {(tile.owner, tile.kind) for tile in come}), *come)


def _things(pieces: Iterable[Piece]) -> tuple[Thing, ...]:
    return tuple(Thing(piece.kind, piece.row, piece.col) for piece in pieces)
