"""The matches of the labelled pictures, by their truth: the rules agree with every one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.this_bed_is_mine.board import Board, Square, board_text, tiles_text
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import BedState
from companion.games.watching import Observation, Tile, Verdict

PHOTOS = Path(__file__).parents[5] / "shared" / "photos" / "bed"
"""`../shared/photos/bed`, beside the project."""


def _photos() -> Path:
    for root in Path(__file__).parents:
        if (root.parent / "shared" / "photos" / "bed").is_dir():
            return root.parent / "shared" / "photos" / "bed"
    return PHOTOS


FOLDERS = sorted(path for kind in ("game", "final") for path in _photos().glob(f"{kind}-*"))

pytestmark = pytest.mark.skipif(
    not FOLDERS, reason="the labelled pictures (../shared/photos/bed) are missing"
)


def _squares(listed: list[list[int]]) -> tuple[Square, ...]:
    return tuple((row, col) for row, col in listed)


def _start(scene: dict[str, Any]) -> BedState:
    board = Board(
        "photographed",
        scene["side"],
        scene["rows"],
        scene["cols"],
        zone=_squares(scene["start"]),
        pillows=tuple(map(_squares, scene["pillows"])),
        toys={kind: _squares(listed) for kind, listed in scene["toys"].items()},
    )
    shapes = {int(digit): rows for digit, rows in scene["tile_shapes"].items()}
    options = {"board": board_text(board), "tiles": tiles_text("photographed", shapes)}
    return GAME.start(GAME.options(options), seats=2)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_truth_is_played_to_its_end(folder: Path) -> None:
    state = _start(json.loads((folder / "scene.json").read_text("utf-8")))
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        if truth["event"] == "empty" or truth["event"].startswith("teach"):
            continue
        lying = [
            Tile(*(tile[key] for key in ("owner", "digit", "turns", "row", "col"))) for tile in truth["tiles"]
        ]
        sighting = GAME.sighting(state, Observation(tiles=tuple(lying)))
        assert sighting.verdict in (Verdict.PLAY, Verdict.NOTHING)
        for move in sighting.guesses[0].moves if sighting.guesses else ():
            state = GAME.play(state, move)
        shown = {(tile.owner, tile.digit, tile.cells) for tile in GAME.view(state, None).tiles}
        assert shown == {(tile["owner"], tile["digit"], _squares(tile["cells"])) for tile in truth["tiles"]}
    assert GAME.outcome(state) is not None
