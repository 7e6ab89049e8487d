"""From moves to what a camera sees of them: hands come, lay a tile or throw dice, and go again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from companion.games.watching import Tile
from companion.simulator.dice import Die
from companion.simulator.draw import Table
from companion.simulator.hands import Hand
from companion.simulator.kitchen import Thing
from hardware.vision.board.scene import PictureLine, Scene

TABLE_END = 9.0
"""How far beyond the bed a hand rests, in squares."""
TRAY_AWAY, TRAY_WIDTH, TRAY_HEIGHT = 3.2, 6.0, 8.0
"""The tray beside the bed, in squares."""
ELSEWHERE = 0.6
"""A die thrown anew lies farther than this from where any lay, in squares: half its edge."""
MOST_TRIES = 60
DIE_COLOURS = ("white", "red", "blue", "green", "yellow", "black", "grey", "other")

T = TypeVar("T")


class Pace(msgspec.Struct, frozen=True):
    """How many pictures each part of a game lasts."""

    empty: int = 3
    teach: int = 3
    reach: int = 4
    """A hand's way in, and again its way out."""
    still: int = 12
    end: int = 60


class Moment(msgspec.Struct, frozen=True):
    """One picture to be taken: what is on the table, and what is told of it."""

    table: Table
    note: PictureLine


WATCH = PictureLine("", "watch")


def tables(moves: Iterable[Mapping[str, Any]], scene: Scene, before: Table | None = None) -> Iterator[Table]:
    """What is on the table after each move, legal or not: what was done is what lies there.

    Knows `lay`, `shift`, `take-off`, `undo`, `redo` and moves that tell `dice`; others move nothing.
    """
    return replayed(moves, before or Table(), lambda table, move: _after(table, move, scene))


def replayed(
    moves: Iterable[Mapping[str, Any]], first: T, play: Callable[[T, Mapping[str, Any]], T]
) -> Iterator[T]:
    """What `play` makes of `first` after each move; `undo` and `redo` go back and forth between what was."""
    done, undone = [first], list[T]()
    for move in moves:
        kind = move.get("move")
        if kind == "undo" and len(done) > 1:
            undone.append(done.pop())
        elif kind == "redo" and undone:
            done.append(undone.pop())
        elif kind not in ("undo", "redo"):
            done.append(play(done[-1], move))
            undone.clear()
        yield done[-1]


def _after(table: Table, move: Mapping[str, Any], scene: Scene) -> Table:
    tile = tile_of(move, scene)
    if tile is not None:
        others = tuple(each for each in table.tiles if (each.owner, each.kind) != (tile.owner, tile.kind))
        tiles = others if move["move"] == "take-off" else (*others, tile)
        return msgspec.structs.replace(table, tiles=tiles)
    if isinstance(move.get("dice"), list | tuple):
        return msgspec.structs.replace(table, dice=thrown(move["dice"], scene))
    return table


def tile_of(move: Mapping[str, Any], scene: Scene) -> Tile | None:
    """The tile that a move lays, shifts or takes off, where it says; None for moves of other kinds."""
    if move.get("move") not in ("lay", "shift", "take-off"):
        return None
    digit, turns, row, col = (int(move.get(key, 0)) for key in ("digit", "turns", "row", "col"))
    tile = Tile(str(move.get("owner", "cat")), digit, turns, row, col)
    return msgspec.structs.replace(tile, cells=scene.cells_of(tile))


def thrown(
    values: Iterable[Any], scene: Scene, *, colour: str = "", lying: Sequence[Die] = ()
) -> tuple[Die, ...]:
    """Dice lying in the tray, side by side; the same throw after the same lies in the same way.

    `values`: numbers, or objects with `value` and `colour`. `lying` are the dice of the throw before: none
    comes to lie where it was. With a `colour` the thrown dice have it, and those of others stay.
    """
    told = [each if isinstance(each, Mapping) else {"value": each} for each in values]
    others = tuple(die for die in lying if colour and die.colour != colour)
    beside = int(any(die.x < _middle(scene) for die in others))
    for seed in range(MOST_TRIES):
        dice = _fallen([{"colour": colour, **each} if colour else each for each in told], scene, seed, beside)
        if all(np.hypot(die.x - o.x, die.y - o.y) > ELSEWHERE for die in dice for o in lying):
            break
    return (*others, *dice)


def _middle(scene: Scene) -> float:
    x, _, right, _ = scene.tray_in_cells_at_table_height or tray_beside(scene.rows, scene.cols)
    return (x + right) / 2


def _fallen(told: Sequence[Mapping[str, Any]], scene: Scene, seed: int, first: int) -> tuple[Die, ...]:
    """Dice at their places in the tray, from the `first` place on, shaken a little."""
    x, y, right, bottom = scene.tray_in_cells_at_table_height or tray_beside(scene.rows, scene.cols)
    random = np.random.default_rng([*([seed] if seed else []), *[each["value"] for each in told]] or [0])
    columns, rows = min(3, max(2, len(told))), -(-len(told) // 3)
    wide, high = (right - x - 0.8) / columns, (bottom - y) / (1 + rows)
    dice = []
    for number, each in enumerate(told, first):
        shake = min(0.25, wide / 2 - 0.75), min(0.9, high / 2 - 0.75), 45
        off_x, off_y, degrees = random.uniform(-1, 1, 3) * shake
        at = x + 0.4 + wide * (number % columns + 0.5) + off_x, y + high * (number // columns + 1) + off_y
        colour = str(each.get("colour", DIE_COLOURS[number % len(DIE_COLOURS)]))
        dice.append(Die(int(each["value"]), colour, at[0], at[1], degrees))
    return tuple(dice)


def tray_beside(rows: int, cols: int) -> tuple[float, float, float, float]:
    """Where a tray stands that is right of the bed, level with its middle: x, y, right, bottom in squares."""
    left, top = cols + TRAY_AWAY, rows / 2 - TRAY_HEIGHT / 2
    return left, top, left + TRAY_WIDTH, top + TRAY_HEIGHT


def acted(before: Table, after: Table, scene: Scene, pace: Pace) -> Iterator[Table]:
    """The pictures on the way from one table to the next: the hand's way in, then out again."""
    taken = [tile for tile in before.tiles if tile not in after.tiles]
    laid = [tile for tile in after.tiles if tile not in before.tiles]
    now = before
    for tile in taken:
        left = msgspec.structs.replace(now, tiles=tuple(each for each in now.tiles if each != tile))
        yield from _reach(now, tile, scene, pace, holds=False)
        yield from reversed(list(_reach(left, tile, scene, pace, holds=True)))
        now = left
    for tile in laid:
        with_it = msgspec.structs.replace(now, tiles=(*now.tiles, tile))
        yield from _reach(now, tile, scene, pace, holds=True)
        yield from reversed(list(_reach(with_it, tile, scene, pace, holds=False)))
        now = with_it
    if before.pieces != after.pieces:
        for table in _pieces_moved(now, after.pieces, scene, pace):
            now = msgspec.structs.replace(table, hand=None)
            yield table
    if before.ground != after.ground:
        yield from _ground_changed(now, after.ground, scene, pace)
        now = msgspec.structs.replace(now, ground=after.ground)
    if before.dice != after.dice:
        yield from _throw(now, after, pace)


def _pieces_moved(before: Table, after: tuple[Thing, ...], scene: Scene, pace: Pace) -> Iterator[Table]:
    """A hand for each piece that comes, goes or is moved: what leaves the board first."""
    gone = [piece for piece in before.pieces if piece not in after]
    come = [piece for piece in after if piece not in before.pieces]
    kinds = {piece.kind for piece in come}
    now = before
    for piece in sorted(gone, key=lambda each: each.kind in kinds):
        to = next((each for each in come if each.kind == piece.kind), None)
        if to is not None:
            come.remove(to)
        rest = tuple(each for each in now.pieces if each is not piece)
        yield from _carried(now, rest, piece, to, scene, pace)
        now = msgspec.structs.replace(now, pieces=rest if to is None else (*rest, to))
    for piece in come:
        yield from _carried(now, now.pieces, None, piece, scene, pace)
        now = msgspec.structs.replace(now, pieces=(*now.pieces, piece))
    # As the next table is told, whatever was moved first.
    yield from _over(msgspec.structs.replace(now, pieces=after), (come or gone or list(after))[-1], scene, 1)


def _carried(
    table: Table, rest: tuple[Thing, ...], piece: Thing | None, to: Thing | None, scene: Scene, pace: Pace
) -> Iterator[Table]:
    """A hand that takes a piece from its square (None: from beside the board) to another (None: off it)."""
    if piece is not None:
        yield from _over(table, piece, scene, pace.reach)
    begin, end = piece or to, to or piece
    assert begin is not None
    assert end is not None
    for step in range(1, pace.reach + 1):
        part = step / pace.reach
        row, col = begin.row + (end.row - begin.row) * part, begin.col + (end.col - begin.col) * part
        hand = _hand_at(begin.kind, row, col, scene, 1.0)
        yield msgspec.structs.replace(table, pieces=rest, hand=hand)
    if to is not None:
        with_it = msgspec.structs.replace(table, pieces=(*rest, to))
        yield from reversed(list(_over(with_it, to, scene, pace.reach)))


def _over(table: Table, thing: Thing, scene: Scene, steps: int) -> Iterator[Table]:
    """A hand on its way in to a square, from its owner's end."""
    for step in range(1, steps + 1):
        part = float(np.sin(step / steps * np.pi / 2))
        yield msgspec.structs.replace(table, hand=_hand_at(thing.kind, thing.row, thing.col, scene, part))


def _hand_at(kind: str, row: float, col: float, scene: Scene, part: float) -> Hand:
    """A hand whose finger tips are so much (0 to 1) of the way to a square's middle."""
    owner = "cat" if kind == "cat" else "dog"
    home_x, home_y = scene.cols * 0.6, scene.rows + TABLE_END if owner == "cat" else -TABLE_END
    x, y = home_x + (col + 0.5 - home_x) * part, home_y + (row + 0.5 - home_y) * part
    return Hand(float(x), float(y), owner, float((x - home_x) * (-1.5 if owner == "cat" else 1.5)) + 8)


def _ground_changed(before: Table, after: tuple[Thing, ...], scene: Scene, pace: Pace) -> Iterator[Table]:
    """A hand over the last square that changes, and what lies there is otherwise."""
    changed = [thing for thing in (*before.ground, *after) if (thing in before.ground) != (thing in after)]
    with_it = msgspec.structs.replace(before, ground=after)
    yield from _over(before, changed[-1], scene, pace.reach)
    yield from reversed(list(_over(with_it, changed[-1], scene, pace.reach)))


def _reach(table: Table, tile: Tile, scene: Scene, pace: Pace, *, holds: bool) -> Iterator[Table]:
    """A hand coming in over the bed to a tile's place, with the tile in it or not."""
    rows = [row for row, _ in tile.cells] or [tile.row]
    cols = [col for _, col in tile.cells] or [tile.col]
    y, x = (min(rows) + max(rows) + 1) / 2, (min(cols) + max(cols) + 1) / 2
    home_x = scene.cols * 0.6
    home_y = scene.rows + TABLE_END if tile.owner == "cat" else -TABLE_END
    for step in range(1, pace.reach + 1):
        part = np.sin(step / pace.reach * np.pi / 2)
        at_x, at_y = home_x + (x - home_x) * part, home_y + (y - home_y) * part
        place = (tile.row + at_y - y, tile.col + at_x - x)
        grip = 1.2 if tile.owner == "cat" else -1.2
        lean = float((at_x - home_x) * -1.5) * (1 if tile.owner == "cat" else -1) + 8
        hand = Hand(float(at_x), float(at_y + grip), tile.owner, lean, tile if holds else None, place)
        yield msgspec.structs.replace(table, hand=hand)


def _throw(before: Table, after: Table, pace: Pace) -> Iterator[Table]:
    """A hand over the tray, gathering the dice and letting them go."""
    lying = after.dice or before.dice
    x = sum(die.x for die in lying) / len(lying)
    y = sum(die.y for die in lying) / len(lying)
    for step in range(pace.reach):
        hand = Hand(x, y + 2.0 + step, "cat", -4)
        yield msgspec.structs.replace(after if step >= pace.reach // 2 else before, hand=hand)


def lessons(scene: Scene) -> Iterator[PictureLine]:
    """What is told of the pictures that show each side's tiles once, as many in each as fit."""
    for owner in ("cat", "dog"):
        waiting = [(digit, shapes[0]) for digit, shapes in scene.shapes.items()]
        while waiting:
            shown: list[Tile] = []
            row, col, deepest = first_free_row(scene), 0, 0
            while waiting:
                digit, shape = waiting[0]
                if col + shape.cols > scene.cols:
                    row, col, deepest = row + deepest + 1, 0, 0
                if row + shape.rows > scene.rows or shape.cols > scene.cols:
                    break
                tile = Tile(owner, digit, 0, row, col)
                shown.append(msgspec.structs.replace(tile, cells=scene.cells_of(tile)))
                col, deepest = col + shape.cols + 1, max(deepest, shape.rows)
                waiting.pop(0)
            if not shown:
                return
            yield PictureLine("", "teach", tuple(shown))


def first_free_row(scene: Scene) -> int:
    """The first row below all pillows."""
    return max((row + 1 for pillow in scene.blocked for row, _ in pillow), default=0)


def opening(scene: Scene, pace: Pace, *, teach: bool) -> Iterator[Moment]:
    """The empty bed and, if wanted, the tiles shown once."""
    for _ in range(pace.empty):
        yield Moment(Table(), PictureLine("", "empty"))
    if teach:
        for lesson in lessons(scene):
            for _ in range(pace.teach):
                yield Moment(Table(lesson.tiles), lesson)


def game_moments(
    moves: Iterable[Mapping[str, Any]], scene: Scene, pace: Pace, before: Table | None = None
) -> Generator[Moment, None, Table]:
    """A game, from the table `before` on: each move acted out, then still. Returns the table at its end."""
    before = before or Table()
    yield from still(before, pace.still)
    for after in tables(moves, scene, before):
        for table in acted(before, after, scene, pace):
            yield Moment(table, WATCH)
        yield from still(after, pace.still)
        before = after
    return before


def still(table: Table, pictures: int) -> Iterator[Moment]:
    """So many pictures in which nothing moves."""
    for _ in range(pictures):
        yield Moment(table, WATCH)
