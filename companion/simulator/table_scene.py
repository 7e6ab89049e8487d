"""A scene.json whole: the board as vision needs it, and what is printed on the bed for people."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.watching import Square
from hardware.vision.board.scene import Scene


class TableScene(Scene, frozen=True, dict=True):
    """A board with what only the game and whoever draws it must know.

    `toys`: the pictures of toys by kind; `start`: the zone for the first tile; `first_player`: who lays
    first; `cover`: whether a clear cover lies over the bed.
    """

    toys: dict[str, tuple[Square, ...]] = msgspec.field(default_factory=dict)
    start: tuple[Square, ...] = ()
    first_player: Literal["cat", "dog"] = "cat"
    cover: bool = False
