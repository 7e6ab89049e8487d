"""The printed frame: the positions of the four markers around a bed of any size, and the resulting scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.errors.causes import NOT_JSON, cause_of
from hardware.vision.board.scene import Scene, check_scene
from hardware.vision.errors import SceneError

MARKER_SQUARES = 1.6
"""A printed marker's side, in squares of the bed."""
MARKER_GAP_SQUARES = 0.3
"""The gap between the grid's corner and the marker, across and down, in squares."""

Corner = tuple[float, float]


def markers_in_cells(rows: int, cols: int) -> dict[int, tuple[Corner, Corner, Corner, Corner]]:
    """Each marker's four corners in squares, x right and y down from the grid's corner, clockwise.

    Marker 0 is at the top left corner, 1 at the top right, 2 at the bottom right, 3 at the bottom left.
    """
    near, far = -MARKER_GAP_SQUARES - MARKER_SQUARES, MARKER_GAP_SQUARES
    origins = ((near, near), (cols + far, near), (cols + far, rows + far), (near, rows + far))
    return {number: _square(x, y) for number, (x, y) in enumerate(origins)}


def _square(x: float, y: float) -> tuple[Corner, Corner, Corner, Corner]:
    side = MARKER_SQUARES
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def scene_of(plain: Mapping[str, Any]) -> Scene:
    """A scene from plain values; without markers of its own, it gets those of the printed frame.

    Raises `SceneError`.
    """
    try:
        # The values go through JSON, because marker ids and kinds are keys, and JSON's keys are text.
        scene = msgspec.json.decode(msgspec.json.encode(plain), type=Scene)
    except NOT_JSON as error:
        raise SceneError(f"The board cannot be watched: {cause_of(error, Scene, plain)}.") from None
    check_scene(scene)
    if scene.markers_in_cells:
        return scene
    return msgspec.structs.replace(scene, markers_in_cells=markers_in_cells(scene.rows, scene.cols))
