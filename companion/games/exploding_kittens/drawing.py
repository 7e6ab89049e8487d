"""The card table as a drawing: the deck with its kittens, and how many cards each player has."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.drawing import INK, Drawing, element, group, head, label
from companion.games.exploding_kittens.view import KittensView, SeatView

BACK, OUT = "#c8553d", "#b9b2a8"
"""The colours of a card's back, and of a player who is out."""

WIDTH, ROW = 20, 2
"""The width of the drawing, and the height of a player's row."""

MOST_BACKS = 12
"""Card backs drawn in a row; of more, their number says how many there are."""


def drawing(view: KittensView, name: Callable[[str], str]) -> Drawing:
    """The deck, and below it a row for each player."""
    parts = [
        element("rect", x=7, y=0.5, width=2.6, height=3.6, rx=0.3, fill=BACK, stroke=INK, stroke_width=0.1),
        label(view.deck, 8.3, 2.3, 1.5, fill="#ffffff"),
        head("cat", 11.6, 2.4, 1.6, fill=INK),
        label(f"× {view.kittens}", 13.6, 2.3, 1.2),
    ]
    for n, seat in enumerate(view.seats):
        parts += _row(seat, name(seat.seat), 5 + n * ROW, turn=view.turn == seat.seat)
    return Drawing(WIDTH, 5 + len(view.seats) * ROW, "".join(parts))


def _row(seat: SeatView, name: str, y: float, *, turn: bool) -> list[str]:
    """A player: the name, and a back for each card in the hand."""
    fill = INK if seat.alive else OUT
    struck = {"fill": fill, "text_decoration": "none" if seat.alive else "line-through"}
    weight = "bold" if turn else "normal"
    card = {"y": y + 0.3, "width": 0.9, "height": 1.3, "rx": 0.1}
    backs = [element("rect", x=9 + n * 0.7, **card) for n in range(min(seat.cards, MOST_BACKS))]
    return [
        label(name, 0.5, y + 1, 1, text_anchor="start", font_weight=weight, **struck),
        group(backs, fill=BACK, stroke=INK, stroke_width=0.05),
        label(seat.cards, WIDTH - 0.9, y + 1, 1, fill=fill),
    ]
