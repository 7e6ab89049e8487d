"""The temporal filter: weighs the likely boards by what may have happened since the last picture."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Alternative, Tile, TileSquares
from hardware.vision.board.search import Board

OUT_OF_TURN = 3.0
"""The cost in nats of a tile out of turn."""
UNTAUGHT_TURN = 8.0
"""The same if no coats were shown, so that only the turn identifies a tile's owner."""
ANOTHER_TILE = 2.0
UNEVEN = 1.5
"""The cost in nats of each new tile of one owner without one of the other between."""
TAKEN_BACK = 5.0
MOVED = 6.0
RENAMED = 10.0
"""The cost in nats of a tile that turns out to be another one on the same squares."""
TWIN_SHARE = 0.5
"""The weight of the coats' evidence against a board that differs only by a twin."""
SHADED_SHARE = 0.4
"""The weight of the evidence in a shadow against one more tile, or another kind on the same squares."""
SURE = 0.98
"""The minimum probability to believe a board without asking."""
LEAST_ALTERNATIVE = 0.005
"""The probability above which an alternative is reported."""


class Estimate(msgspec.Struct, frozen=True):
    """The believed board: its tiles, its probability, the alternatives, and the event in a word."""

    tiles: tuple[Tile, ...]
    probability: float
    alternatives: tuple[Alternative, ...]
    event: str


def transition(
    before: set[TileSquares], after: set[TileSquares], expected: str | None, *, first: bool, turn_cost: float
) -> tuple[float, str]:
    """The cost in nats of the change from one board to another, and the event in a word (empty: one tile or
    none).

    `expected`: the owner whose tile comes next, None for anybody's. `first`: nothing was read before, so any
    number of tiles may be new.
    """
    added, removed = after - before, before - after
    if first:
        alone = next(iter(added))[0] if len(added) == 1 else None
        return (turn_cost if alone and expected and alone != expected else 0.0), ""
    moved = {tile[:2] for tile in added} & {tile[:2] for tile in removed}
    renamed = {tile[2] for tile in added} & {tile[2] for tile in removed}
    gone = len(removed) - len(moved) - len(renamed)
    new = [tile for tile in added if tile[:2] not in moved and tile[2] not in renamed]
    cost = MOVED * len(moved) + RENAMED * len(renamed) + TAKEN_BACK * max(gone, 0)
    cost += ANOTHER_TILE * max(len(new) - 1, 0)
    out_of_turn = False
    if expected is not None:
        theirs = sum(tile[0] == expected for tile in new)
        cost += UNEVEN * max(abs(2 * theirs - len(new)) - 1, 0)
        out_of_turn = len(new) % 2 == 1 and theirs * 2 < len(new)
        cost += turn_cost if out_of_turn else 0.0
    if moved:
        return cost, "moved"
    if removed:
        return cost, "taken-back"
    if len(new) > 1:
        return cost, "several-missed"
    return cost, "out-of-turn" if out_of_turn else ""


def update(
    boards: Sequence[Board],
    before: Sequence[Tile],
    expected: str | None,
    *,
    first: bool,
    taught: bool,
    shaded: bool = False,
) -> Estimate:
    """The estimate after a picture: the likely boards, weighed by what may have happened since `before`.

    A tile that lies on the squares of before lies the way round that it did.

    `expected`: the owner whose tile comes next, None for anybody's. `first`: nothing was read before.
    `taught`: coats were shown, so a tile out of turn can be recognised. `shaded`: a shadow lies on the board.
    """
    turn_cost = OUT_OF_TURN if taught else UNTAUGHT_TURN
    lying = {tile.squares: tile for tile in before}
    known = set(lying)
    best: dict[frozenset[TileSquares], tuple[float, str, Board]] = {}
    for board in boards:
        key = frozenset(tile.squares for tile in board.tiles)
        price, event = transition(known, set(key), expected, first=first, turn_cost=turn_cost)
        if key not in best or board.cost + price < best[key][0]:
            best[key] = (board.cost + price, event, board)
    ranked = sorted(best.values(), key=lambda entry: entry[0])
    first_choice = {tile.squares for tile in ranked[0][2].tiles}

    def share(board: Board) -> float:
        other = {tile.squares for tile in board.tiles}
        if _twins(first_choice, other, known):
            return TWIN_SHARE
        return SHADED_SHARE if shaded and _is_hard_in_shadow(first_choice, other) else 1.0

    behind = [(cost - ranked[0][0]) * share(board) for cost, _, board in ranked]
    weights = np.exp(-np.array(behind))
    weights /= weights.sum()
    likely: dict[TileSquares, float] = {}
    for (_, _, board), weight in zip(ranked, weights, strict=True):
        for tile in board.tiles:
            likely[tile.squares] = likely.get(tile.squares, 0.0) + float(weight)
    tiles = [_with_confidence(board, likely, lying) for _, _, board in ranked]
    others = tuple(
        Alternative(other, round(float(weight), 4))
        for other, weight in zip(tiles[1:], weights[1:], strict=True)
        if weight > LEAST_ALTERNATIVE
    )
    return Estimate(tiles[0], float(weights[0]), others, ranked[0][1])


def _twins(chosen: set[TileSquares], other: set[TileSquares], known: set[TileSquares]) -> bool:
    """True if another board only has other kinds on the squares of tiles that are new."""
    ours = {cells: kind for _, kind, cells in chosen - other - known}
    theirs = {cells: kind for _, kind, cells in other - chosen}
    return ours.keys() == theirs.keys() and any(ours[cells] != theirs[cells] for cells in ours)


def _is_hard_in_shadow(chosen: set[TileSquares], other: set[TileSquares]) -> bool:
    """True if another board only has more tiles, or has another kind on the squares of a chosen tile."""
    kinds = {cells: kind for _, kind, cells in chosen}
    return chosen <= other or any(kinds.get(cells, kind) != kind for _, kind, cells in other)


def has_twin(estimate: Estimate, above: float) -> bool:
    """True if an alternative above a confidence has another kind on the squares of a believed tile."""
    kinds = {frozenset(tile.cells): tile.kind for tile in estimate.tiles}
    return any(
        kinds.get(frozenset(tile.cells), tile.kind) != tile.kind
        for other in estimate.alternatives
        if other.confidence > above
        for tile in other.tiles
    )


def _with_confidence(
    board: Board, likely: dict[TileSquares, float], lying: dict[TileSquares, Tile]
) -> tuple[Tile, ...]:
    as_before = (lying.get(tile.squares, tile) for tile in board.tiles)
    tiles = sorted(as_before, key=lambda tile: (tile.owner, tile.kind))
    return tuple(
        msgspec.structs.replace(tile, confidence=round(min(likely[tile.squares], 1.0), 4)) for tile in tiles
    )
