"""The whole content of a scene.json: the board as vision needs it, and what people see."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.watching import Square
from hardware.vision.board.scene import Scene

TRAY_AWAY = 3.2
"""The distance from the board to the tray, in squares."""
TRAY_WIDTH, TRAY_HEIGHT = 6.0, 8.0
"""The size of the tray, in squares."""


class TableScene(Scene, frozen=True, dict=True):
    """A board, and what only the game and the drawing need.

    `owners`: the owners of tiles in their order of play. `pictures`: the squares with a printed picture by
    kind, called `toys` in the file. `zone`: the outlined squares for the first tile, called `start` in the
    file.
    """

    owners: tuple[str, ...] = ()
    pictures: dict[str, tuple[Square, ...]] = msgspec.field(default_factory=dict, name="toys")
    zone: tuple[Square, ...] = msgspec.field(default=(), name="start")

    def is_far(self, owner: str) -> bool:
        """Whether an owner sits at the board's top row: all but the first do."""
        return owner in self.owners[1:]


def board_of(scene: dict[str, Any]) -> TableScene:
    """The board from the plain values of a `scene.json`."""
    return msgspec.convert(scene, TableScene, strict=False)


def tray_beside(rows: int, cols: int) -> tuple[float, float, float, float]:
    """A tray on the right of the board, level with its middle: x, y, right, bottom in squares."""
    left, top = cols + TRAY_AWAY, rows / 2 - TRAY_HEIGHT / 2
    return left, top, left + TRAY_WIDTH, top + TRAY_HEIGHT
