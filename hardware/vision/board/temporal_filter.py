"""From likely boards to one that is believed: what may happen between two pictures, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Alternative, Tile
from hardware.vision.board.scene import OWNERS, Scene
from hardware.vision.board.search import Board, Laid

OUT_OF_TURN = 3.0
UNTAUGHT_TURN = 8.0
ANOTHER_TILE = 2.0
UNEVEN = 1.5
TAKEN_BACK = 5.0
MOVED = 6.0
RENAMED = 10.0
"""What is unlikely to happen between two pictures costs this many nats: a tile of the side that is not to
play, each tile after the first, each tile too many of one side, a tile gone, a tile moved, a tile that
turns out another."""
HALF_TOLD = 0.5
"""Two kinds that cover the same squares (6 and 9) are told apart by their coats alone: of what a coat
says then against a tile that was not believed before, this share counts."""
SURE = 0.98
"""A board is believed without asking from this probability on."""
TELLING = 0.005
"""Alternatives less likely than this are not told."""


class Verdict(msgspec.Struct, frozen=True):
    """The board that is believed: its tiles, how likely it is, the other boards, and what happened, in a
    word."""

    tiles: tuple[Tile, ...]
    probability: float
    alternatives: tuple[Alternative, ...]
    happened: str


def laid(tile: Tile) -> Laid:
    """What makes two placements the same: whose, which, on which squares."""
    return tile.owner, tile.kind, frozenset(tile.cells)


def fits(scene: Scene, tiles: Sequence[Tile], owner: str) -> bool:
    """Whether any tile that `owner` has left still fits anywhere on the bed."""
    free = np.ones(scene.squares, dtype=bool)
    for tile in tiles:
        for row, col in tile.cells:
            free[row * scene.cols + col] = False
    out = {tile.kind for tile in tiles if tile.owner == owner}
    return any(
        bool(free[places.squares].all(axis=1).any())
        for kind, places in scene.placements.items()
        if kind not in out
    )


def to_play(scene: Scene, tiles: Sequence[Tile], last: str | None) -> str:
    """Whose tile is expected next: the sides alternate until one of them cannot lay."""
    other = {OWNERS[0]: OWNERS[1], OWNERS[1]: OWNERS[0]}
    if last is None:
        counts = [sum(tile.owner == owner for tile in tiles) for owner in OWNERS]
        expected = scene.first_player if counts[0] == counts[1] else OWNERS[int(counts[0] > counts[1])]
    else:
        expected = other[last]
    return expected if expected not in other or fits(scene, tiles, expected) else other[expected]


def transition(
    before: set[Laid], after: set[Laid], expected: str, *, first: bool, turn_cost: float
) -> tuple[float, str]:
    """What it costs, in nats, that one board follows another, and what then happened, in a word."""
    added, removed = after - before, before - after
    if first:
        return (turn_cost if len(added) == 1 and next(iter(added))[0] != expected else 0.0), ""
    moved = {tile[:2] for tile in added} & {tile[:2] for tile in removed}
    renamed = {tile[2] for tile in added} & {tile[2] for tile in removed}
    gone = len(removed) - len(moved) - len(renamed)
    new = [tile for tile in added if tile[:2] not in moved and tile[2] not in renamed]
    cost = MOVED * len(moved) + RENAMED * len(renamed) + TAKEN_BACK * max(gone, 0)
    mine = sum(tile[0] == expected for tile in new)
    cost += ANOTHER_TILE * max(len(new) - 1, 0) + UNEVEN * max(abs(2 * mine - len(new)) - 1, 0)
    turn = len(new) % 2 == 1 and mine * 2 < len(new)
    cost += turn_cost if turn else 0.0
    if moved:
        return cost, "moved"
    if removed:
        return cost, "taken-back"
    if len(new) > 1:
        return cost, "several-missed"
    return cost, "out-of-turn" if turn else ""


def weigh(
    scene: Scene,
    boards: Sequence[Board],
    before: Sequence[Tile],
    last: str | None,
    *,
    first: bool,
    taught: bool,
) -> Verdict:
    """Weighs likely boards by what may have happened since the board `before`.

    `last`: who laid last, if known; `first`: nothing was read yet; `taught`: coats were shown, so that a
    tile out of turn would be seen as such.
    """
    expected = to_play(scene, before, last)
    turn_cost = OUT_OF_TURN if taught else UNTAUGHT_TURN
    known = {laid(tile) for tile in before}
    best: dict[frozenset[Laid], tuple[float, str, Board]] = {}
    for board in boards:
        key = frozenset(laid(tile) for tile in board.tiles)
        price, happened = transition(known, set(key), expected, first=first, turn_cost=turn_cost)
        if key not in best or board.cost + price < best[key][0]:
            best[key] = (board.cost + price, happened, board)
    ranked = sorted(best.values(), key=lambda entry: entry[0])
    first_choice = {laid(tile) for tile in ranked[0][2].tiles}
    behind = [
        (cost - ranked[0][0]) * _told(first_choice, {laid(tile) for tile in board.tiles}, known)
        for cost, _, board in ranked
    ]
    weights = np.exp(-np.array(behind))
    weights /= weights.sum()
    share: dict[Laid, float] = {}
    for (_, _, board), weight in zip(ranked, weights, strict=True):
        for tile in board.tiles:
            share[laid(tile)] = share.get(laid(tile), 0.0) + float(weight)
    seen = [_seen(board, share) for _, _, board in ranked]
    others = tuple(
        Alternative(tiles, round(float(weight), 4))
        for tiles, weight in zip(seen[1:], weights[1:], strict=True)
        if weight > TELLING
    )
    return Verdict(seen[0], float(weights[0]), others, ranked[0][1])


def _told(chosen: set[Laid], other: set[Laid], known: set[Laid]) -> float:
    """The share of what speaks against another board that counts."""
    ours = {cells: kind for _, kind, cells in chosen - other - known}
    theirs = {cells: kind for _, kind, cells in other - chosen}
    twins = ours.keys() == theirs.keys() and any(ours[cells] != theirs[cells] for cells in ours)
    return HALF_TOLD if twins else 1.0


def twins(verdict: Verdict, likelier: float) -> bool:
    """Whether a board `likelier` than so much has another kind on squares of the believed one."""
    kinds = {frozenset(tile.cells): tile.kind for tile in verdict.tiles}
    return any(
        kinds.get(frozenset(tile.cells), tile.kind) != tile.kind
        for other in verdict.alternatives
        if other.confidence > likelier
        for tile in other.tiles
    )


def _seen(board: Board, share: dict[Laid, float]) -> tuple[Tile, ...]:
    tiles = sorted(board.tiles, key=lambda tile: (tile.owner, tile.kind))
    return tuple(
        Tile(
            tile.owner,
            tile.kind,
            tile.turns,
            tile.row,
            tile.col,
            tile.cells,
            round(min(share[laid(tile)], 1.0), 4),
        )
        for tile in tiles
    )
