"""The race as a drawing: each square's upper half is Cat's, its lower half Mouse's."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.cat_and_mouse.view import BoardView, RaceView
from companion.games.drawing import PAPER, Drawing, element, group, head, label

DEEP = 6
"""Squares in a column; the walk goes down one and up the next, as on the page."""

COLOURS = {"cat": "#d1495b", "mouse": "#3d3a4b"}
"""The colour of each side's numbers and counter: red and black."""

EFFECTS = {"pays": "#f6d5d0", "earns": "#d5ecd2", "lost_turn": "#ded9ea", "second_throw": "#d3e7f2"}
"""The colour of what a square does."""

PLAIN, EDGE = "#f4ecdf", 0.9
"""The colour of a square that does nothing, and the depth of the edge in which counters wait to start."""


def drawing(view: RaceView) -> Drawing:
    """The board with both counters."""
    pairs = list(_pairs(view.board))
    columns = -(-len(pairs) // DEEP)
    grounds: dict[str, list[str]] = {}
    numbers: dict[str, list[str]] = {"cat": [], "mouse": []}
    places = {("cat", 0): (0.5, EDGE / 2), ("mouse", 0): (columns - 0.5, DEEP * 2 + EDGE * 1.5)}
    for n, (red, black) in enumerate(pairs):
        column, down = divmod(n, DEEP)
        top = EDGE + 2 * (DEEP - 1 - down if column % 2 else down)
        for seat, number, y in (("cat", red, top), ("mouse", black, top + 0.96)):
            ground = _ground(view.board, number)
            grounds.setdefault(ground, []).append(f"M{column + 0.03:g} {y + 0.03:.2f}h.94v.92h-.94z")
            if number:
                numbers[seat].append(label(number, column + 0.5, y + 0.5, 0.4))
                places[seat, number] = column + 0.5, y + 0.5
    parts = [element("path", d="".join(each), fill=fill) for fill, each in grounds.items()]
    parts += [group(each, fill=COLOURS[seat]) for seat, each in numbers.items()]
    for seat, counter in view.counters.items():
        x, y = places.get((seat, counter.square), places[seat, 0])
        parts.append(head(seat, x, y, 0.95, fill=COLOURS[seat], stroke=PAPER, stroke_width=0.06))
    return Drawing(columns, DEEP * 2 + 2 * EDGE, "".join(parts))


def _pairs(board: BoardView) -> Iterator[tuple[int, int]]:
    """Each square's number for Cat and for Mouse along Cat's walk, 0 for none; those of Mouse alone last."""
    for red, black in enumerate(board.met, 1):
        yield red, black or 0
    for black in sorted(set(range(1, board.squares + 1)) - set(board.met), reverse=True):
        yield 0, black


def _ground(board: BoardView, number: int) -> str:
    """The colour of half a square, by what landing there does."""
    does = (name for name in reversed(EFFECTS) if number in getattr(board, name))
    return EFFECTS.get(next(does, ""), PLAIN)
