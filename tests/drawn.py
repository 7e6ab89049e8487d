"""A table drawn as the virtual camera sees it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.watching import Tile
from companion.simulator.dice import Die
from companion.simulator.draw import Light, Marker, Table, painter
from companion.simulator.hands import Hand
from companion.simulator.view import View, view_of
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene


def draw(
    scene: Scene,
    tiles: Sequence[Tile] = (),
    dice: Sequence[Die] = (),
    hand: Hand | None = None,
    *,
    markers: Sequence[Marker] = (),
    cup: tuple[float, float] | None = None,
    light: Light | None = None,
    view: View | None = None,
) -> Picture:
    """Draw a table; the first picture of a scene from a view takes about a second, later ones about 15 ms."""
    table = Table(tuple(tiles), tuple(dice), tuple(markers), hand, cup)
    return painter(scene, view or view_of(scene.rows, scene.cols)).paint(table, light or Light())
