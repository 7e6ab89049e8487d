"""A game of another package is played by the camera: found, drawn, taught, read, judged, kept.

Nothing of it stands in the product: its owners, kinds, shapes and turns are in `tests/polyomino/game.py`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from companion.games import registry
from companion.games.watching import Tile, sees
from companion.play.journal import Journal
from companion.play.match import Match
from companion.simulator.coats import plain_coat
from companion.simulator.draw import Table
from companion.simulator.table_scene import on_board
from tests.polyomino.conftest import ENTRY_POINT
from tests.project import sources
from tests.project.installed import install
from tests.service.test_shows import Show

SQUARES = {"I3": 3, "L3": 3, "L4": 4, "O4": 4, "S4": 4, "T4": 4}
"""How many squares each kind of tile has."""


def names(tiles: tuple[Tile, ...]) -> list[tuple[str, int | str]]:
    """Owners and kinds."""
    return [(tile.owner, tile.kind) for tile in tiles]


def test_it_is_found_by_its_entry_point(patches: str) -> None:
    assert registry.game(patches).names["en"] == "Patches"
    assert sees(registry.game(patches)) == ("tiles",)


def test_its_tiles_are_taught_each_once(patches: str, journal: Journal) -> None:
    show = Show(journal, patches)
    show.until(lambda _: show.live.state().needs == "", 10)
    show.until(lambda match: match.n == 1, 20)
    taught = show.live.state().taught
    assert {owner: set(kinds) for owner, kinds in taught.items()} == {
        "red": set(SQUARES),
        "green": set(SQUARES),
    }


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_it_is_played_by_the_camera_to_its_end(patches: str, journal: Journal, seed: int) -> None:
    show = Show(journal, patches, seed=seed)
    came = show.whole_match()
    match = Match(journal, show.table.match.record)
    lying = show.camera.table.now.tiles
    assert came == Counter({("put", "camera"): len(lying)})
    # The journal keeps what lies on the table, tile by tile as it was laid.
    kept = [on_board(tile, show.camera.table.scene) for tile in match.game.lying(match.state)]
    assert [tile.place for tile in kept] == [tile.place for tile in lying]
    points = {
        owner: sum(SQUARES[str(tile.kind)] for tile in lying if tile.owner == owner)
        for owner in ("red", "green")
    }
    assert match.outcome is not None
    assert match.outcome.points == points
    assert match.outcome.winners == tuple(o for o in points if points[o] == max(points.values()))


def test_a_tile_laid_against_the_rules_is_seen_and_not_played(patches: str, journal: Journal) -> None:
    show = Show(journal, patches)
    show.until(lambda match: match.n == 1, 40)
    (first,) = show.camera.table.now.tiles
    apart = Tile(_opponent(first.owner), "I3", 0, 6 if first.row < 3 else 0, 0)
    scene = show.camera.table.scene
    show.camera.table.show(Table(tiles=(first, on_board(apart, scene))))
    for _ in range(3):
        show.take()
    sighting = show.table.snapshot.view().sighting
    assert sighting is not None
    assert sighting.rule == "apart"
    assert names(show.table.match.game.lying(show.table.match.state)) == names((first,))


def test_a_move_undone_on_a_phone_is_taken_off_the_table_and_made_again(
    patches: str, journal: Journal
) -> None:
    show = Show(journal, patches)
    show.until(lambda match: match.n == 3, 40)
    show.table.undo("phone")
    show.until(lambda _: len(show.camera.table.now.tiles) == 2, 30)
    show.until(partial(_went_on, 5), 60)
    assert show.table.match.moves


def _went_on(moves: int, match: Match) -> bool:
    return len(match.moves) >= moves


def _opponent(owner: str) -> str:
    return "green" if owner == "red" else "red"


def test_its_coats_are_made_of_its_names() -> None:
    coats = {(owner, kind): plain_coat(owner, kind) for owner in ("red", "green") for kind in SQUARES}
    assert len(set(coats.values())) == len(coats)
    for (owner, _), coat in coats.items():
        blue, green, red = coat.base
        assert max(blue, green, red) == {"red": red, "green": green}[owner]


@pytest.mark.slow
def test_the_conformance_suite_finds_it_and_it_passes(tmp_path: Path) -> None:
    install(tmp_path, "patches_table", ENTRY_POINT)
    path = os.pathsep.join([str(tmp_path), str(sources.ROOT)])
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/conformance", "-k", "patches and not golden", "-q"],
        cwd=sources.ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"\d\d passed", ran.stdout)
