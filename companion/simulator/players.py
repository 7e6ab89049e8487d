"""The moves at the virtual table: from a file, or chosen by people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.errors import MoveError
from companion.games.registry import AnyGame
from companion.games.watching import Tile
from companion.simulator.acting import thrown
from companion.simulator.draw import Marker, Table
from companion.simulator.layout import Tiles, changed, dice_of, laid, on_board, tiles_of, without
from companion.simulator.table_scene import TableScene

LOOKED_AT = 120
"""The number of legal moves that a player weighs."""
NUMBER_WORTH = 0.55
"""The worth to a player of each step of a tile's number, or of each square if its kind is not a number."""
CONTACT_WORTH = 0.3
"""The worth of each edge that a tile shares with the border, a blocked square or a tile."""
HOLE_COST = 1.2
"""The cost of each single square that a tile cuts off."""
WHIM = 2.5
"""The maximum worth of chance.

With these four values, a game of This Bed Is Mine lasts 14 to 16 tiles (in a dozen games watched).
"""

WRITTEN = dict(zip(Tile.__struct_fields__, Tile.__struct_encode_fields__, strict=True))
"""The written name of each field of a tile."""

Squares = NDArray[np.bool_]
"""A yes or no for each square, and for the border around them."""
T = TypeVar("T")


class Players(Protocol):
    """Players: the tables of one game after another, and the markers at the end of the last."""

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Begin the first game after these moves, which were already played."""

    def next_game(self) -> Iterator[Table] | None:
        """The tables of the next game, from its first table on; None if there is no other game."""

    def markers(self) -> tuple[Marker, ...]:
        """The markers in the regions at the end of the last game."""


class Position(msgspec.Struct, frozen=True):
    """A match's state by the rules, and what lies on the table: more, after moves that broke a rule."""

    state: Any
    table: Table = Table()


class FilePlayers:
    """Players of the moves in a file, once."""

    def __init__(
        self,
        game: AnyGame,
        options: Mapping[str, object],
        moves: tuple[dict[str, Any], ...],
        board: TableScene,
    ) -> None:
        self._game, self._moves, self._board = game, moves, board
        self._start = Position(game.start(game.options(options), min(game.seat_counts)))
        self._games = [(self._start, moves)]

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Begin after these moves, and skip that number of moves in the file."""
        for position in followed(self._game, self._start, moves, self._board):
            self._games = [(position, self._moves[len(moves) :])]

    def next_game(self) -> Iterator[Table] | None:
        """The file's game; None the second time."""
        if not self._games:
            return None
        first, moves = self._games.pop()
        return (position.table for position in (first, *followed(self._game, first, moves, self._board)))

    def markers(self) -> tuple[Marker, ...]:
        """The markers at the end, if all moves are legal."""
        state = self._start.state
        try:
            for each in replayed(self._moves, state, self._play):
                state = each
        except MoveError:
            return ()
        return markers_of(self._game, state)

    def _play(self, state: Any, move: Mapping[str, Any]) -> Any:
        return self._game.play(state, self._game.move(move))


def followed(
    game: AnyGame, first: Position, moves: Iterable[Mapping[str, Any]], board: TableScene
) -> Iterator[Position]:
    """The position after each move, legal or not, because people lay what they like.

    A refused move lays the tile that it describes, or removes the tile that it only names.
    """
    return replayed(moves, first, lambda position, move: _after(game, position, move, board))


def replayed(
    moves: Iterable[Mapping[str, Any]], first: T, play: Callable[[T, Mapping[str, Any]], T]
) -> Iterator[T]:
    """The result of `play` after each move, from `first` on; `undo` and `redo` go back and forth."""
    done, undone = [first], list[T]()
    for move in moves:
        name = move.get("move")
        if name == "undo" and len(done) > 1:
            undone.append(done.pop())
        elif name == "redo" and undone:
            done.append(undone.pop())
        elif name not in ("undo", "redo"):
            done.append(play(done[-1], move))
            undone.clear()
        yield done[-1]


def _after(game: AnyGame, position: Position, move: Mapping[str, Any], board: TableScene) -> Position:
    state, table = position.state, position.table
    if isinstance(move.get("dice"), list | tuple):
        dice = dice_of(game, state)
        fallen = thrown(move["dice"], board, faces=dice.faces) if dice else thrown(move["dice"], board)
        table = msgspec.structs.replace(table, dice=fallen)
    try:
        after = game.play(state, game.move(move))
    except MoveError:
        return Position(state, msgspec.structs.replace(table, tiles=_done_anyway(table.tiles, move, board)))
    tiles = changed(table.tiles, tiles_of(game, state, board), tiles_of(game, after, board))
    return Position(after, msgspec.structs.replace(table, tiles=tiles))


def _done_anyway(tiles: Tiles, move: Mapping[str, Any], board: TableScene) -> Tiles:
    """The tiles after people made a move that the rules refuse; only its values say what they did."""
    try:
        return laid(tiles, on_board(msgspec.convert(move, Tile), board))
    except msgspec.ValidationError:
        # The move has no tile in a place; if it names one, that one was removed.
        return without(tiles, {(move.get(WRITTEN["owner"], ""), move.get(WRITTEN["kind"], ""))})


def markers_of(game: AnyGame, state: Any) -> tuple[Marker, ...]:
    """The owners' markers in the game's view; none if the view has no regions."""
    view = msgspec.to_builtins(game.view(state, None))
    regions = view.get("regions", ())
    return tuple(
        Marker(region["owner"], *region["marker"])
        for region in regions
        if region.get("marker") and region.get("owner")
    )


def chosen_move(
    game: AnyGame, state: Any, legal: Sequence[Any], board: TableScene, random: np.random.Generator
) -> Any:
    """The choice of a player of tiles who weighs some of the legal moves."""
    picked = random.choice(len(legal), min(LOOKED_AT, len(legal)), replace=False)
    before = tiles_of(game, state, board)
    taken = _taken(before, board)
    worths = []
    for number in picked:
        after = tiles_of(game, game.play(state, legal[number]), board)
        new = changed((), before, after)
        worths.append(sum(_worth(tile, taken) for tile in new) + WHIM * random.random())
    return legal[picked[int(np.argmax(worths))]]


def _taken(lying: Tiles, board: TableScene) -> Squares:
    """The taken squares, including the border around the board; shape (rows + 2, cols + 2)."""
    taken = np.ones((board.rows + 2, board.cols + 2), dtype=bool)
    taken[1:-1, 1:-1] = board.blocked_mask
    for row, col in (cell for tile in lying for cell in tile.cells):
        taken[row + 1, col + 1] = True
    return taken


def _worth(tile: Tile, taken: Squares) -> float:
    """The worth of a placement to a player who likes high numbers, or large tiles, and snug places."""
    after = taken.copy()
    for row, col in tile.cells:
        after[row + 1, col + 1] = True
    contact = 0
    for row, col in tile.cells:
        contact += int(taken[row, col + 1]) + int(taken[row + 2, col + 1])
        contact += int(taken[row + 1, col]) + int(taken[row + 1, col + 2])
    number = tile.kind if isinstance(tile.kind, int) else len(tile.cells)
    return NUMBER_WORTH * number + CONTACT_WORTH * contact - HOLE_COST * (_holes(after) - _holes(taken))


def _holes(taken: Squares) -> int:
    """The number of free squares without a free neighbour."""
    shut = ~taken[1:-1, 1:-1] & taken[:-2, 1:-1] & taken[2:, 1:-1] & taken[1:-1, :-2] & taken[1:-1, 2:]
    return int(shut.sum())
