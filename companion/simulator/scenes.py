"""Which bed or board lies on the virtual table: that of a match, with markers and a tray beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import HasBoard
from companion.simulator.acting import tray_beside
from hardware.vision.board.layout import markers_in_cells

DEFAULT_GAME = "this-bed-is-mine"


def scene_of_match(game: AnyGame, options: object) -> dict[str, Any]:
    """The scene of a match as plain values; a game without a board is played beside the usual bed."""
    if not isinstance(game, HasBoard):
        return scene_of_match(registry.game(DEFAULT_GAME), registry.game(DEFAULT_GAME).options({}))
    bed = game.scene(game.start(options, min(game.seat_counts)))
    # Through JSON: what is told is what a scene.json would hold, lists and text keys.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(bed))
    return on_a_table(plain)


def on_a_table(bed: Mapping[str, Any]) -> dict[str, Any]:
    """The scene of a bed that a game tells (plain values), with printed markers and a tray beside it."""
    rows, cols = bed["rows"], bed["cols"]
    markers = markers_in_cells(rows, cols)
    return {
        "marker_dictionary": "DICT_APRILTAG_36h11",
        "markers_in_cells": {str(marker): corners for marker, corners in markers.items()},
        "tray_in_cells_at_table_height": tray_beside(rows, cols),
        "first_player": "cat",
        "cover": False,
        **bed,
    }
