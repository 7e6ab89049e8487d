"""Where to lay tiles when the camera learns their coats."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.watching import Kind, Tile
from hardware.vision.board.scene import Scene, Shape
from hardware.vision.errors import SceneError

GAP = 1
"""Open squares between tiles in a lesson, so that no tail lies on another tile's coat."""


def teaching_places(scene: Scene, owner: str, kinds: Iterable[Kind]) -> tuple[Tile, ...]:
    """The places for these tiles: upright, in rows from the top left, off the blocked squares.

    Raises `SceneError` if they do not all fit on the bed at once; show fewer at a time.
    """
    taken = {square for group in scene.blocked for square in group}
    places = []
    for kind in kinds:
        if kind not in scene.shapes:
            raise SceneError(
                f"There is no tile {kind} in this set; there are: {', '.join(map(str, scene.shapes))}."
            )
        upright = scene.shapes[kind][0]
        place = _first_free(scene, upright, taken)
        if place is None:
            raise SceneError(
                "So many tiles do not fit on the board side by side: show fewer of them at a time."
            )
        cells = tuple((place[0] + row, place[1] + col) for row, col in upright.squares)
        places.append(Tile(owner, kind, 0, *place, cells))
        taken |= {
            (row, col)
            for row in range(place[0] - GAP, place[0] + upright.rows + GAP)
            for col in range(place[1] - GAP, place[1] + upright.cols + GAP)
        }
    return tuple(places)


def groups(scene: Scene, owner: str) -> tuple[tuple[Kind, ...], ...]:
    """A side's kinds, in as few groups as possible that each fit on the bed."""
    shown: list[tuple[Kind, ...]] = []
    left = list(scene.shapes)
    while left:
        most = next(n for n in range(len(left), 0, -1) if _fits(scene, owner, left[:n]))
        shown.append(tuple(left[:most]))
        left = left[most:]
    return tuple(shown)


def _fits(scene: Scene, owner: str, kinds: list[Kind]) -> bool:
    try:
        teaching_places(scene, owner, kinds)
    except SceneError:
        # A tile that does not fit alone makes a group by itself, so that teaching it explains why.
        return len(kinds) == 1
    return True


def _first_free(scene: Scene, shape: Shape, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
    for row in range(scene.rows - shape.rows + 1):
        for col in range(scene.cols - shape.cols + 1):
            if not any((row + r, col + c) in taken for r in range(shape.rows) for c in range(shape.cols)):
                return row, col
    return None
