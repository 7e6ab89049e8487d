"""Acts out a match for a camera: hands come, lay a tile or throw dice, and go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from companion.games.watching import Tile
from companion.simulator.dice import USUAL_FACES, Die
from companion.simulator.draw import Table
from companion.simulator.hands import Hand
from companion.simulator.table_scene import TableScene, Thing, tray_beside
from hardware.vision.board.scene import PictureLine, Scene, lesson_groups, teaching_places
from hardware.vision.errors import SceneError

TABLE_END = 9.0
ELSEWHERE = 0.6
"""The minimum distance of a thrown die from where any die lay, in squares."""
MOST_TRIES = 60
DIE_COLOURS = ("white", "red", "blue", "green", "yellow", "black", "grey", "other")
"""The colours of dice without a named colour, in order."""


class Pace(msgspec.Struct, frozen=True):
    """The number of pictures for each part of a game."""

    empty: int = 3
    teach: int = 3
    reach: int = 4
    """A hand's way in, and also its way out."""
    still: int = 12
    end: int = 60


class Moment(msgspec.Struct, frozen=True):
    """One picture to take: the table, and the picture's note (None as from a real camera)."""

    table: Table
    note: PictureLine | None


WATCH = PictureLine("", "watch")


def thrown(
    values: Iterable[Any],
    scene: Scene,
    *,
    colour: str = "",
    faces: tuple[int, ...] = USUAL_FACES,
    lying: Sequence[Die] = (),
) -> tuple[Die, ...]:
    """Lay dice in the tray, side by side. The same throw after the same dice lies in the same way.

    `values`: numbers, or objects with `value` and `colour`. `faces` are the values on each die. No die lands
    where one of `lying`, the previous throw, lay. With a `colour`, the thrown dice have it, and other dice
    stay.
    """
    throw = [die if isinstance(die, Mapping) else {"value": die} for die in values]
    if colour:
        throw = [{"colour": colour, **die} for die in throw]
    others = tuple(die for die in lying if colour and die.colour != colour)
    beside = int(any(die.x < _middle(scene) for die in others))
    for seed in range(MOST_TRIES):
        dice = _fallen(throw, faces, scene, seed, beside)
        if all(np.hypot(die.x - o.x, die.y - o.y) > ELSEWHERE for die in dice for o in lying):
            break
    return (*others, *dice)


def _middle(scene: Scene) -> float:
    x, _, right, _ = scene.tray_in_cells_at_table_height or tray_beside(scene.rows, scene.cols)
    return (x + right) / 2


def _fallen(
    throw: Sequence[Mapping[str, Any]], faces: tuple[int, ...], scene: Scene, seed: int, first: int
) -> tuple[Die, ...]:
    """Dice at their places in the tray from the `first` place on, slightly shaken."""
    x, y, right, bottom = scene.tray_in_cells_at_table_height or tray_beside(scene.rows, scene.cols)
    random = np.random.default_rng([*([seed] if seed else []), *[die["value"] for die in throw]] or [0])
    columns, rows = min(3, max(2, len(throw))), -(-len(throw) // 3)
    wide, high = (right - x - 0.8) / columns, (bottom - y) / (1 + rows)
    dice = []
    for number, die in enumerate(throw, first):
        shake = min(0.25, wide / 2 - 0.75), min(0.9, high / 2 - 0.75), 45
        off_x, off_y, degrees = random.uniform(-1, 1, 3) * shake
        spot = x + 0.4 + wide * (number % columns + 0.5) + off_x, y + high * (number // columns + 1) + off_y
        colour = str(die.get("colour", DIE_COLOURS[number % len(DIE_COLOURS)]))
        dice.append(Die(int(die["value"]), colour, spot[0], spot[1], degrees, faces=faces))
    return tuple(dice)


def acted(before: Table, after: Table, board: TableScene, pace: Pace) -> Iterator[Table]:
    """Pictures on the way from one table to the next: the hand's way in, then out again."""
    taken = [tile for tile in before.tiles if tile not in after.tiles]
    laid = [tile for tile in after.tiles if tile not in before.tiles]
    shown = before
    for tile in taken:
        left = msgspec.structs.replace(shown, tiles=tuple(other for other in shown.tiles if other != tile))
        yield from _reach(shown, tile, board, pace, holds=False)
        yield from reversed(list(_reach(left, tile, board, pace, holds=True)))
        shown = left
    for tile in laid:
        with_it = msgspec.structs.replace(shown, tiles=(*shown.tiles, tile))
        yield from _reach(shown, tile, board, pace, holds=True)
        yield from reversed(list(_reach(with_it, tile, board, pace, holds=False)))
        shown = with_it
    if before.pieces != after.pieces:
        for table in _pieces_moved(shown, after.pieces, board, pace):
            shown = msgspec.structs.replace(table, hand=None)
            yield table
    if before.ground != after.ground:
        yield from _ground_changed(shown, after.ground, board, pace)
        shown = msgspec.structs.replace(shown, ground=after.ground)
    if before.dice != after.dice:
        yield from _throw(shown, after, pace)


def _pieces_moved(before: Table, after: tuple[Thing, ...], board: TableScene, pace: Pace) -> Iterator[Table]:
    """A hand for each piece that comes, goes or moves; pieces that leave the board go first."""
    gone = [piece for piece in before.pieces if piece not in after]
    come = [piece for piece in after if piece not in before.pieces]
    kinds = {piece.kind for piece in come}
    shown = before
    for piece in sorted(gone, key=lambda thing: thing.kind in kinds):
        to = next((thing for thing in come if thing.kind == piece.kind), None)
        if to is not None:
            come.remove(to)
        rest = tuple(thing for thing in shown.pieces if thing is not piece)
        yield from _carried(shown, rest, piece, to, board, pace)
        shown = msgspec.structs.replace(shown, pieces=rest if to is None else (*rest, to))
    for piece in come:
        yield from _carried(shown, shown.pieces, None, piece, board, pace)
        shown = msgspec.structs.replace(shown, pieces=(*shown.pieces, piece))
    # In the order of the next table, whatever was moved first.
    yield from _over(
        msgspec.structs.replace(shown, pieces=after), (come or gone or list(after))[-1], board, 1
    )


def _carried(
    table: Table,
    rest: tuple[Thing, ...],
    piece: Thing | None,
    to: Thing | None,
    board: TableScene,
    pace: Pace,
) -> Iterator[Table]:
    """A hand that takes a piece from its square (None: from beside the board) to another (None: off it)."""
    if piece is not None:
        yield from _over(table, piece, board, pace.reach)
    begin, end = piece or to, to or piece
    assert begin is not None
    assert end is not None
    for step in range(1, pace.reach + 1):
        part = step / pace.reach
        row, col = begin.row + (end.row - begin.row) * part, begin.col + (end.col - begin.col) * part
        hand = _hand_at(begin.kind, row, col, board, 1.0)
        yield msgspec.structs.replace(table, pieces=rest, hand=hand)
    if to is not None:
        with_it = msgspec.structs.replace(table, pieces=(*rest, to))
        yield from reversed(list(_over(with_it, to, board, pace.reach)))


def _over(table: Table, thing: Thing, board: TableScene, steps: int) -> Iterator[Table]:
    for step in range(1, steps + 1):
        part = float(np.sin(step / steps * np.pi / 2))
        yield msgspec.structs.replace(table, hand=_hand_at(thing.kind, thing.row, thing.col, board, part))


def _hand_at(kind: str, row: float, col: float, board: TableScene, part: float) -> Hand:
    """A hand with its fingertips at a square's centre (`part` 1), or part of the way there."""
    far = board.is_far(kind)
    home_x, home_y = _home(board, far=far)
    x, y = home_x + (col + 0.5 - home_x) * part, home_y + (row + 0.5 - home_y) * part
    return Hand(x, y, kind, _lean(x - home_x, far=far), far)


def _home(board: TableScene, *, far: bool) -> tuple[float, float]:
    return board.cols * 0.6, -TABLE_END if far else board.rows + TABLE_END


def _lean(aside: float, *, far: bool) -> float:
    return aside * (1.5 if far else -1.5) + 8


def _ground_changed(
    before: Table, after: tuple[Thing, ...], board: TableScene, pace: Pace
) -> Iterator[Table]:
    changed = [thing for thing in (*before.ground, *after) if (thing in before.ground) != (thing in after)]
    with_it = msgspec.structs.replace(before, ground=after)
    yield from _over(before, changed[-1], board, pace.reach)
    yield from reversed(list(_over(with_it, changed[-1], board, pace.reach)))


def _reach(table: Table, tile: Tile, board: TableScene, pace: Pace, *, holds: bool) -> Iterator[Table]:
    """A hand coming in over the board to a tile's place, with or without the tile."""
    rows = [row for row, _ in tile.cells] or [tile.row]
    cols = [col for _, col in tile.cells] or [tile.col]
    y, x = (min(rows) + max(rows) + 1) / 2, (min(cols) + max(cols) + 1) / 2
    far = board.is_far(tile.owner)
    home_x, home_y = _home(board, far=far)
    for step in range(1, pace.reach + 1):
        part = float(np.sin(step / pace.reach * np.pi / 2))
        at_x, at_y = home_x + (x - home_x) * part, home_y + (y - home_y) * part
        place = (tile.row + at_y - y, tile.col + at_x - x)
        grip, lean = -1.2 if far else 1.2, _lean(at_x - home_x, far=far)
        hand = Hand(at_x, at_y + grip, tile.owner, lean, far, tile if holds else None, place)
        yield msgspec.structs.replace(table, hand=hand)


def _throw(before: Table, after: Table, pace: Pace) -> Iterator[Table]:
    lying = after.dice or before.dice
    x = sum(die.x for die in lying) / len(lying)
    y = sum(die.y for die in lying) / len(lying)
    for step in range(pace.reach):
        hand = Hand(x, y + 2.0 + step, lean=-4)
        yield msgspec.structs.replace(after if step >= pace.reach // 2 else before, hand=hand)


def lessons(board: TableScene) -> Iterator[PictureLine]:
    """Notes of the pictures that show each owner's tiles once, as many per picture as fit."""
    for owner in board.owners:
        for kinds in lesson_groups(board, owner):
            with suppress(SceneError):  # a tile that does not fit on the board is not shown
                yield PictureLine("", "teach", teaching_places(board, owner, kinds))


def opening(board: TableScene, pace: Pace, *, teach: bool) -> Iterator[Moment]:
    """The empty board and, with `teach`, the tiles shown once."""
    for _ in range(pace.empty):
        yield Moment(Table(), PictureLine("", "empty"))
    if teach:
        for lesson in lessons(board):
            for _ in range(pace.teach):
                yield Moment(Table(lesson.tiles), lesson)


def still(table: Table, pictures: int) -> Iterator[Moment]:
    """Pictures in which nothing moves."""
    for _ in range(pictures):
        yield Moment(table, WATCH)
