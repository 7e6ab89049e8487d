"""The house has floors: a file imports nothing from above its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.project import sources

ROOF = 5
FLOORS = {
    "companion.bench": 0,  # a stop-watch: any floor may measure itself
    "companion.games": 1,
    "companion.odds": 1,
    "companion.datafile": 1,
    "companion.errors": 1,
    "companion.words": 1,
    "companion.match": 2,
    "companion.course": 2,
    "companion.seats": 2,
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


def above(name: str, imported: Iterable[str]) -> set[str]:
    """What of `imported` stands above the module `name`."""
    own = floor(name)
    assert own is not None, name
    # The package `companion` itself holds only the version.
    return {each for each in imported if (floor(each) or 0) > own and each != "companion"}


def strangers(name: str, imported: Iterable[str]) -> set[str]:
    """What of `imported` the floor of the module `name` must not know."""
    unknown = STRANGERS.get(floor(name) or ROOF, "").split()
    return {each for each in imported for other in unknown if f"{each}.".startswith(f"{other}.")}


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_file_imports_nothing_from_above(path: Path) -> None:
    assert not above(dotted(path), sources.imported(path))


@pytest.mark.parametrize("path", sources.modules(), ids=str)
def test_a_file_knows_no_strangers(path: Path) -> None:
    assert not strangers(dotted(path), sources.imported(path))


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
    assert above("hardware.camera.usb", ["web.server", "companion.errors", "cv2"]) == {"web.server"}
    assert above("companion.games.nim.rules", ["companion.journal", "msgspec"]) == {"companion.journal"}
    assert above("companion.match", ["companion.commands.run"]) == {"companion.commands.run"}
    assert not above("companion.commands.run", ["web.server", "hardware.camera.usb", "companion.cli"])


def test_a_stranger_would_be_found() -> None:
    assert strangers("companion.games.nim.rules", ["random", "cv2.aruco", "re"]) == {"random", "cv2.aruco"}
    assert strangers("hardware.panel", ["gpiozero", "companion.journal"]) == {"companion.journal"}


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import cv2.aruco\ndef f():\n    from hardware.print import layout, sheets\n", "utf-8")
    found = set(sources.imported(path))
    assert found == {"cv2.aruco", "hardware.print.layout", "hardware.print.sheets"}
