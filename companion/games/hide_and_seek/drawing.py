"""The animals as a drawing: a row for each player, each animal with its colours and its speed."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.drawing import INK, PAPER, Drawing, element, group, label
from companion.games.hide_and_seek.view import AnimalView, HideView

COATS = {"grey": "#9a9a9a", "white": "#ffffff", "brown": "#8a5a33", "black": "#222222", "yellow": "#f2c230"}
"""How each colour of an animal is drawn."""

WIDE, ROW, NAME = 6, 3.4, 1.2
"""The width of an animal, the height of a player's row, and the part of it for the player's name."""


def drawing(view: HideView, name: Callable[[str], str]) -> Drawing:
    """A row for each player; the animal that seeks has a thick edge."""
    parts: list[str] = []
    widest = 1
    for row, seat in enumerate(view.seats):
        own = [each for each in view.animals if each.seat == seat.seat]
        widest = max(widest, len(own))
        y = row * ROW
        parts.append(label(name(seat.seat), 0.3, y + NAME / 2, 0.8, text_anchor="start", font_weight="bold"))
        for n, animal in enumerate(own):
            parts += _animal(animal, n * WIDE, y + NAME)
    return Drawing(widest * WIDE, max(1, len(view.seats)) * ROW, "".join(parts))


def _animal(animal: AnimalView, x: float, y: float) -> list[str]:
    """A card with the animal's name, a spot for each colour, and its speed."""
    edge = 0.25 if animal.seeks else 0.06
    box = {"x": x + 0.2, "y": y + 0.1, "width": WIDE - 0.4, "height": ROW - NAME - 0.3, "rx": 0.3}
    spots = [
        element("circle", cx=x + 0.9 + n * 0.75, cy=y + 1.35, r=0.3, fill=COATS[colour])
        for n, colour in enumerate(animal.standing.colours)
    ]
    return [
        element("rect", **box, fill=PAPER, stroke=INK, stroke_width=edge),
        label(animal.animal, x + 0.6, y + 0.65, 0.7, text_anchor="start"),
        group(spots, stroke=INK, stroke_width=0.05),
        label(animal.standing.speed, x + WIDE - 0.9, y + 1, 1, font_weight="bold"),
    ]
