"""What is played at the virtual table: a file of moves, or the tiles that people choose to lay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.errors import MoveError
from companion.games.registry import AnyGame
from companion.games.watching import SeesTiles, Tile
from companion.simulator.acting import replayed, tile_of
from companion.simulator.draw import Marker
from hardware.vision.board.scene import Scene

LOOKED_AT = 120
"""How many of the legal moves a player weighs."""
DIGIT_WORTH, CONTACT_WORTH, HOLE_COST, WHIM = 0.55, 0.3, 1.2, 2.5
"""How a player weighs a placement: the tile's number, each edge that it shares with border, pillow or tile,
each single square that it cuts off, and chance. Set by watching a dozen games: they last 14 to 16 tiles."""

Moves = Iterator[dict[str, Any]]
Squares = NDArray[np.bool_]


class Players(Protocol):
    """Who plays: the moves of one game after the other, and the paw markers at the end of the last."""

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Before the first game: these moves of it have been played already."""

    def next_game(self) -> Moves | None:
        """The moves of the next game, None when no more is played."""

    def markers(self) -> tuple[Marker, ...]:
        """What lies in the regions at the end of the game that was just played."""


class FilePlayers:
    """They play the moves of a file, once."""

    def __init__(
        self, game: AnyGame, options: Mapping[str, object], moves: tuple[dict[str, Any], ...]
    ) -> None:
        self._game, self._options, self._all = game, options, moves
        self._left: list[Moves] = [iter(moves)]

    def go_on(self, moves: Sequence[Mapping[str, Any]]) -> None:
        """Leave out as many moves as have been played."""
        self._left = [iter(self._all[len(moves) :])]

    def next_game(self) -> Moves | None:
        """The file's moves; None the second time."""
        return self._left.pop() if self._left else None

    def markers(self) -> tuple[Marker, ...]:
        """The paw markers, if the moves stand before the rules."""
        state = self._game.start(self._game.options(self._options), min(self._game.seat_counts))
        try:
            for each in replayed(
                self._all, state, lambda now, move: self._game.play(now, self._game.move(move))
            ):
                state = each
        except MoveError:
            return ()
        return markers_of(self._game, state)


def markers_of(game: AnyGame, state: Any) -> tuple[Marker, ...]:
    """Where the game's view puts paw markers; none for a game whose view has no regions."""
    view = msgspec.to_builtins(game.view(state, None))
    regions = view.get("regions", ())
    return tuple(
        Marker(region["owner"], *region["marker"])
        for region in regions
        if region.get("marker") and region.get("owner")
    )


def chosen_tile(
    game: SeesTiles, state: Any, legal: list[Any], scene: Scene, random: np.random.Generator
) -> Any:
    """The move that a player chooses who looks at some of the legal ones."""
    picked = random.choice(len(legal), min(LOOKED_AT, len(legal)), replace=False)
    tiles = [tile_of(msgspec.to_builtins(legal[number]), scene) for number in picked]
    taken = _taken(game.lying(state), scene)
    worths = [_worth(tile, taken) + WHIM * random.random() for tile in tiles]
    return legal[picked[int(np.argmax(worths))]]


def _taken(lying: Iterable[Tile], scene: Scene) -> Squares:
    """Squares that are not free, with the bed's border all around; shape (rows + 2, cols + 2)."""
    taken = np.ones((scene.rows + 2, scene.cols + 2), dtype=bool)
    taken[1:-1, 1:-1] = scene.blocked_mask
    for seen in lying:
        tile = Tile(seen.owner, seen.kind, seen.turns, seen.row, seen.col)
        for row, col in scene.cells_of(tile):
            taken[row + 1, col + 1] = True
    return taken


def _worth(tile: Tile | None, taken: Squares) -> float:
    """How good a placement looks to a player who likes high numbers and snug places; 0 for other moves."""
    if tile is None:
        return 0.0
    after = taken.copy()
    for row, col in tile.cells:
        after[row + 1, col + 1] = True
    contact = 0
    for row, col in tile.cells:
        contact += int(taken[row, col + 1]) + int(taken[row + 2, col + 1])
        contact += int(taken[row + 1, col]) + int(taken[row + 1, col + 2])
    number = tile.kind if isinstance(tile.kind, int) else len(tile.cells)
    return DIGIT_WORTH * number + CONTACT_WORTH * contact - HOLE_COST * (_holes(after) - _holes(taken))


def _holes(taken: Squares) -> int:
    """How many free squares have no free neighbour."""
    shut = ~taken[1:-1, 1:-1] & taken[:-2, 1:-1] & taken[2:, 1:-1] & taken[1:-1, :-2] & taken[1:-1, 2:]
    return int(shut.sum())
