"""The board on the virtual table: that of a match, with markers and a tray beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import HasBoard, SeesTiles
from companion.simulator.table_scene import tray_beside
from hardware.vision.board.layout import markers_in_cells

DEFAULT_GAME = "this-bed-is-mine"
"""The default game, on whose board games without a board are played too."""


def scene_of_match(game: AnyGame, options: object) -> dict[str, Any]:
    """The scene of a match as plain values; a game without a board is played beside the usual one."""
    if not isinstance(game, HasBoard):
        usual = registry.game(DEFAULT_GAME)
        return scene_of_match(usual, usual.options({}))
    state = game.start(options, min(game.seat_counts))
    owners = game.turn_order(state).owners if isinstance(game, SeesTiles) else ()
    # Through JSON: plain values are what a scene.json would hold, lists and text keys.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(game.scene(state)))
    return on_a_table({"owners": list(owners), **plain})


def on_a_table(scene: Mapping[str, Any]) -> dict[str, Any]:
    """A game's scene (plain values), with printed markers and a tray beside it."""
    rows, cols = scene["rows"], scene["cols"]
    markers = markers_in_cells(rows, cols)
    return {
        "marker_dictionary": "DICT_APRILTAG_36h11",
        "markers_in_cells": {str(marker): corners for marker, corners in markers.items()},
        "tray_in_cells_at_table_height": tray_beside(rows, cols),
        **scene,
    }
