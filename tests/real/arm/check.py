"""On aarch64: everything imports, markers are found, a bed is read, a whole match is replayed."""

import platform
import sys
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np


def check(what: str, ok: bool, *details: object) -> None:
    """Say that something holds; end where it does not."""
    if not ok:
        sys.exit(f"FAILED: {what} {details}")
    sys.stderr.write(f"  ok: {what}\n")


check(f"Python {platform.python_version()} on aarch64", platform.machine() == "aarch64")
versions = [f"{name} {import_module(name).__version__}" for name in ("numpy", "cv2", "msgspec")]
check(f"the packages import: {', '.join(versions)}", True)

ours = sorted(
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for package in ("companion", "hardware", "web")
    for path in Path(package).rglob("*.py")
    if "tests" not in path.parts and path.stem != "__main__"
)
for name in ours:
    import_module(name)
check(f"all {len(ours)} modules of ours import", len(ours) > 100)

from companion.games.this_bed_is_mine import GAME  # noqa: E402
from companion.games.this_bed_is_mine.player.compiled import LIBRARY  # noqa: E402
from companion.simulator.sources import virtual_camera  # noqa: E402
from hardware.vision.board.tile_reader import TileReader  # noqa: E402
from hardware.vision.register.markers import find_markers, to_gray  # noqa: E402

check("the bed's search is compiled", LIBRARY is not None)
camera = virtual_camera("virtual?teach=0&empty=1", sleep=lambda _: None)
camera.open()
empty = camera.read_frame().picture
check("the markers are found", sorted(find_markers(to_gray(empty))) == [0, 1, 2, 3])
reader = TileReader(camera.table.scene, GAME.turn_order(GAME.start(GAME.options({}), 2)))
reader.see_empty(empty, None)
reading = reader.read_board(camera.read_frame().picture, None, "")
check("an empty bed is read as empty", not reading.unsure and not reading.tiles, reading)
check("pictures become JPEG", cv2.imencode(".jpg", np.asarray(empty))[0])

from companion.games import registry  # noqa: E402

for slug, game in registry.games().items():
    state = game.start(game.options({}), min(game.seat_counts))
    for _ in range(12):
        move = next(iter(game.legal_moves(state)), None)
        if game.outcome(state) is not None or move is None:
            break
        state = game.play(state, move)
    check(f"{slug} is played", game.view(state, None) is not None)
