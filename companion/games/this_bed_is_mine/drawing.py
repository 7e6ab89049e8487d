"""The bed as a drawing: the tiles with their numbers, and whose each region would be now."""

from __future__ import annotations

from companion.games.drawing import INK, PAPER, Drawing, edges, element, group, label, squares
from companion.games.this_bed_is_mine.view import BedView, TileView

COATS = {"cat": "#e9a045", "dog": "#7fa8dc"}
"""The colour of each side's tiles."""

OWN = {"cat": "#f8dfbb", "dog": "#d3e4f8"}
"""The colour of each side's regions."""

PILLOW, LINES, TOY = "#d8c6e4", "#e3d8c8", "#a99a86"
"""The colours of pillows, of the lines between squares, and of toys."""

TOYS = {
    "bone": "M-.24 .1a.1 .1 0 1 1-.1-.14a.1 .1 0 1 1 .14-.1l.36 .02a.1 .1 0 1 1 .14 .1a.1 .1 0 1 1-.1 .14z",
    "mouse": "M-.36 .12Q-.22-.16 .06-.17Q.3-.14 .3 .08Q.3 .2 .16 .2H-.24Q-.34 .2-.36 .12z",
    "yarn": "M-.28 0a.28 .28 0 1 1 .56 0a.28 .28 0 1 1-.56 0z",
}
"""The outline of each toy, as on the page."""


def drawing(view: BedView) -> Drawing:
    """The bed."""
    lines = "".join(f"M0 {row}h{view.cols}" for row in range(view.rows + 1))
    lines += "".join(f"M{col} 0v{view.rows}" for col in range(view.cols + 1))
    owned = [
        element("path", d=squares(each.squares), fill=OWN[each.owner]) for each in view.regions if each.owner
    ]
    toys = [
        element("path", d=TOYS[toy], transform=f"translate({col + 0.5} {row + 0.5})", fill=TOY)
        for toy, places in view.toys.items()
        for row, col in places
        if toy in TOYS
    ]
    return Drawing(
        view.cols,
        view.rows,
        "".join(
            (
                element("rect", width=view.cols, height=view.rows, fill=PAPER),
                *owned,
                element("path", d=lines, stroke=LINES, stroke_width=0.04),
                element("path", d=squares(view.zone), fill="none", stroke=TOY, stroke_width=0.03),
                *(element("path", d=squares(each), fill=PILLOW) for each in view.pillows),
                *toys,
                *map(_tile, view.tiles),
            )
        ),
    )


def _tile(tile: TileView) -> str:
    """A tile with its number on the square that is nearest to its middle."""
    rows, cols = zip(*tile.cells, strict=True)
    middle = (min(rows) + max(rows)) / 2, (min(cols) + max(cols)) / 2
    row, col = min(tile.cells, key=lambda cell: (abs(cell[0] - middle[0]) + abs(cell[1] - middle[1]), cell))
    coat = COATS[tile.owner]
    return group(
        (
            element("path", d=squares(tile.cells), fill=coat, stroke=coat, stroke_width=0.02),
            element("path", d=edges(tile.cells), stroke=INK, stroke_width=0.06, stroke_linecap="round"),
            label(tile.digit, col + 0.5, row + 0.5, 0.9, font_weight="bold"),
        )
    )
