"""The bed as a camera's scene tells of it (`scene.json`), and back: boards that come with pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.games.this_bed_is_mine.board import TOYS, Board, Square, board_text
from companion.games.this_bed_is_mine.fits import bed_of
from companion.games.this_bed_is_mine.moves import BedOptions
from companion.games.this_bed_is_mine.tiles import tiles_text


class BedScene(msgspec.Struct, frozen=True):
    """What of a scene concerns the rules; a scene may tell more."""

    rows: int
    cols: int
    side: Literal["A", "B"] | None = None
    """Where it is not given: B if there are pillows or toys."""
    pillows: tuple[tuple[Square, ...], ...] = ()
    toys: dict[str, tuple[Square, ...]] = {}
    start: tuple[Square, ...] = ()
    tile_shapes: dict[int, tuple[str, ...]] = {}


def options_of(scene: Mapping[str, Any]) -> dict[str, Any]:
    """The options `board` and (where the scene tells shapes) `tiles`, as the texts of their files.

    Raises `MendableError` when the scene tells of no bed.
    """
    try:
        # Through JSON: digits are keys there, and keys are text.
        given = msgspec.json.decode(msgspec.json.encode(scene), type=BedScene)
    except msgspec.ValidationError as error:
        raise MendableError(f"The scene describes no bed: {cause_of(error, BedScene, scene)}.") from error
    strange = given.toys.keys() - set(TOYS)
    if strange:
        raise MendableError(
            f"The scene has toys of a kind {min(strange)!r}; the kinds are {', '.join(TOYS)}."
        )
    toys = {kind: given.toys.get(kind, ()) for kind in TOYS}
    side = given.side or ("B" if given.pillows or any(given.toys.values()) else "A")
    board = Board("scene", side, given.rows, given.cols, given.start, given.pillows, toys)
    options: dict[str, Any] = {"board": board_text(board)}
    if given.tile_shapes:
        options["tiles"] = tiles_text("scene", dict(sorted(given.tile_shapes.items())))
    return options


def scene_of(options: BedOptions) -> dict[str, Any]:
    """The scene of a match's bed and tiles; where markers lie is not the rules' to say."""
    bed = bed_of(options)
    board = bed.board
    return {
        "rows": board.rows,
        "cols": board.cols,
        "side": board.side,
        "pillows": board.pillows,
        "toys": board.toys,
        "start": board.zone,
        "tile_shapes": bed.tiles.shapes,
    }
