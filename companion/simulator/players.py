"""What is played at the virtual table: a file of moves, or the moves that people choose."""

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
"""How many of the legal moves a player weighs."""
NUMBER_WORTH = 0.55
"""What each step of a tile's number is worth to a player: of its squares, where its kind is no number."""
CONTACT_WORTH = 0.3
"""What each edge is worth that a tile shares with the border, a blocked square or a tile."""
HOLE_COST = 1.2
"""What each single square costs that a tile cuts off."""
WHIM = 2.5
"""What chance is worth at the most. With these four a game of This Bed Is Mine lasts 14 to 16 tiles (a dozen
games watched)."""

WRITTEN = dict(zip(Tile.__struct_fields__, Tile.__struct_encode_fields__, strict=True))
"""The fields of a tile, each by the name under which it is written."""

Squares = NDArray[np.bool_]
"""A yes or no for each square, and for the border around them."""
T = TypeVar("T")


class Players(Protocol):
    """Who plays: the tables of one game after the other, and the markers at the end of the last."""

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Before the first game: these moves of it have been played already."""

    def next_game(self) -> Iterator[Table] | None:
        """The tables of the next game, the one that it begins with first; None when no more is played."""

    def markers(self) -> tuple[Marker, ...]:
        """What lies in the regions at the end of the game that was just played."""


class Position(msgspec.Struct, frozen=True):
    """A match as the rules have it, and what lies on the table: more, where moves broke a rule."""

    state: Any
    table: Table = Table()


class FilePlayers:
    """They play the moves of a file, once."""

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
        """Begin where these moves end, and leave as many of the file out."""
        for position in followed(self._game, self._start, moves, self._board):
            self._games = [(position, self._moves[len(moves) :])]

    def next_game(self) -> Iterator[Table] | None:
        """The file's game; None the second time."""
        if not self._games:
            return None
        first, moves = self._games.pop()
        return (position.table for position in (first, *followed(self._game, first, moves, self._board)))

    def markers(self) -> tuple[Marker, ...]:
        """The markers at the end, if all moves are within the rules."""
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
    """The position after each move, legal or not: what was done is what lies there.

    The tile that a refused move describes is laid; one that it only names is taken off.
    """
    return replayed(moves, first, lambda position, move: _after(game, position, move, board))


def replayed(
    moves: Iterable[Mapping[str, Any]], first: T, play: Callable[[T, Mapping[str, Any]], T]
) -> Iterator[T]:
    """What `play` makes of `first` after each move; `undo` and `redo` go back and forth between what was."""
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
    """The tiles once people made a move that the rules refuse: its values alone say what was done."""
    try:
        return laid(tiles, on_board(msgspec.convert(move, Tile), board))
    except msgspec.ValidationError:
        # No tile in its place: where the move names one, that was taken off.
        return without(tiles, {(move.get(WRITTEN["owner"], ""), move.get(WRITTEN["kind"], ""))})


def markers_of(game: AnyGame, state: Any) -> tuple[Marker, ...]:
    """Where the game's view puts its owners' markers; none for a game whose view has no regions."""
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
    """The move that a player of tiles chooses who looks at some of the legal ones."""
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
    """Squares that are not free, with the board's border all around; shape (rows + 2, cols + 2)."""
    taken = np.ones((board.rows + 2, board.cols + 2), dtype=bool)
    taken[1:-1, 1:-1] = board.blocked_mask
    for row, col in (cell for tile in lying for cell in tile.cells):
        taken[row + 1, col + 1] = True
    return taken


def _worth(tile: Tile, taken: Squares) -> float:
    """How good a placement looks to a player who likes high numbers, or large tiles, and snug places."""
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
    """How many free squares have no free neighbour."""
    shut = ~taken[1:-1, 1:-1] & taken[:-2, 1:-1] & taken[2:, 1:-1] & taken[1:-1, :-2] & taken[1:-1, 2:]
    return int(shut.sum())
