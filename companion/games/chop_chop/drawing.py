"""The kitchen as a drawing: slabs, holes, the table, visible cheeses, and who stands where."""

from __future__ import annotations

from companion.games.chop_chop.view import KitchenView, PieceView
from companion.games.drawing import INK, PAPER, Drawing, element, group, head, label, squares
from companion.games.watching import Square

SLAB, WOOD, HOLE, CHEESE = "#d9cfc2", "#b98a5b", "#5b4636", "#f2c230"
"""The colours of slabs that are not turned, of the table, of mouse holes, and of cheese."""

COATS = {"cat": "#6f9fd8", "mouse": "#b5b0a8"}
"""The colours of the cat and of the mice."""


def drawing(view: KitchenView) -> Drawing:
    """The kitchen; mice that were caught sit in a row below it."""
    board = view.board
    lines = "".join(f"M0 {row}h{board.cols}" for row in range(board.rows + 1))
    lines += "".join(f"M{col} 0v{board.rows}" for col in range(board.cols + 1))
    caught = [each for each in view.pieces if each.caught]
    standing = sorted((each for each in view.pieces if each.at is not None), key=lambda each: each.on_table)
    under = [_piece(each, *_place(each)) for each in standing if not each.on_table]
    over = [_piece(each, *_place(each)) for each in standing if each.on_table]
    table = element("path", d=squares(board.table), fill=WOOD, fill_opacity=0.55)
    return Drawing(
        board.cols,
        board.rows + 1,
        "".join(
            (
                element("rect", width=board.cols, height=board.rows, fill=PAPER),
                element("path", d=squares(view.slabs), fill=SLAB),
                element("path", d=squares(each.at for each in view.holes), fill=HOLE),
                element("path", d=lines, stroke=INK, stroke_width=0.02, stroke_opacity=0.4),
                *map(_cheese, view.cheeses),
                *under,
                table,
                *over,
                *(_piece(each, n + 0.5, board.rows + 0.55) for n, each in enumerate(caught)),
            )
        ),
    )


def _place(piece: PieceView) -> tuple[float, float]:
    assert piece.at is not None
    row, col = piece.at
    return col + 0.5, row + 0.5


def _piece(piece: PieceView, x: float, y: float) -> str:
    """The cat, or a mouse with its number; a caught one is pale."""
    kind, _, number = piece.piece.partition("-")
    face = head(kind, x, y, 0.8, fill=COATS[kind], stroke=INK, stroke_width=0.05)
    return group((face, label(number, x, y, 0.36)), opacity=0.4 if piece.caught else 1)


def _cheese(square: Square) -> str:
    """A wedge of cheese."""
    row, col = square
    return element(
        "path", d=f"M{col + 0.2} {row + 0.7}h.6v-.3l-.15-.1z", fill=CHEESE, stroke=INK, stroke_width=0.03
    )
