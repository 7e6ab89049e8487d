"""The house has floors: a file imports nothing from above its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.project import sources

ROOF = 5
FLOORS = {
    "companion.games": 1,
    "companion.odds": 1,
    "companion.errors": 1,
    "companion.words": 1,
    "companion.match": 2,
    "companion.journal": 2,
    "companion.table": 2,
    "companion.moves_file": 2,
    "companion.places": 2,
    "hardware": 3,
    "web": 4,
}
"""By the longest prefix of a module's name; the rest of `companion` is the roof."""

STRANGERS = {
    1: "threading asyncio time datetime random secrets sqlite3 socket subprocess cv2 flask waitress gpiozero",
    2: "random cv2 numpy flask waitress gpiozero",
    3: "flask waitress sqlite3 companion.journal companion.match companion.table",
    4: "cv2 gpiozero picamera2 sqlite3",
}
"""What a floor knows nothing of: clocks, threads and chance below, pixels and pins above."""


def floor(name: str) -> int | None:
    """The floor of a module by its dotted name; None when it is not ours."""
    parts = name.split(".")
    if parts[0] not in sources.PACKAGES:
        return None
    prefixes = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((FLOORS[prefix] for prefix in prefixes if prefix in FLOORS), ROOF)


def dotted(path: Path) -> str:
    """A module's name from its path."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_file_imports_nothing_from_above(path: Path) -> None:
    own = floor(dotted(path))
    assert own is not None
    above = {name for name in sources.imported(path) if (floor(name) or 0) > own and name != "companion"}
    assert not above


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_file_knows_no_strangers(path: Path) -> None:
    own = floor(dotted(path))
    strangers = STRANGERS.get(own or ROOF, "").split()
    met = {name for name in sources.imported(path) for each in strangers if f"{name}.".startswith(f"{each}.")}
    assert not met


def test_no_game_knows_another() -> None:
    for path in sources.modules():
        if path.parts[:2] == ("companion", "games") and len(path.parts) > 3:
            others = {
                name
                for name in sources.imported(path)
                if name.startswith("companion.games.") and name.split(".")[2] not in (path.parts[2], "game")
            }
            assert not others, path


def test_the_floors_are_of_modules_that_exist() -> None:
    missing = [name for name in FLOORS if not sources.is_module(name)]
    assert set(missing) <= {"companion.odds"}


def test_an_import_from_above_would_be_found() -> None:
    tree = ast.parse("def f():\n    from web import server\n")
    assert [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] == ["web"]
    assert floor("web.server") == 4
    assert floor("companion.games.this_bed_is_mine.rules") == 1
    assert floor("companion.commands.run") == ROOF
    assert floor("cv2.aruco") is None
