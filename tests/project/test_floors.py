"""The house has floors: every room stands on one, and a module imports nothing from above its own."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.project import sources

FLOORS = {
    # 0: what every room may use
    "companion": 0,
    "companion.games": 0,
    "companion.errors": 0,
    "companion.messages": 0,
    "companion.files": 0,
    "companion.kept_state": 0,
    "companion.paths": 0,
    "companion.machine": 0,
    "companion.settings": 0,
    # 1: what a game is, what is seen, what chances are
    "companion.games.game": 1,
    "companion.games.watching": 1,
    "companion.games.data_files": 1,
    "companion.games.players": 1,
    "companion.games.chance": 1,
    "companion.games.forms": 1,
    "companion.games.retrospect": 1,
    "companion.games.registry": 1,
    "companion.odds": 1,
    # 2: rules on one side, light and pins on the other
    **{f"companion.games.{path.parent.name}": 2 for path in Path("companion/games").glob("*/__init__.py")},
    "hardware": 2,
    # 3: matches over their journal
    "companion.play": 3,
    # 3: the companion's players at work
    "companion.players": 3,
    # 4: what puts senses and matches together
    "companion.service": 4,
    "companion.simulator": 4,
    "companion.broker": 4,
    "companion.doctor": 4,
    # 5: pages
    "web": 5,
    # 6: many tables on one page
    "companion.hall": 6,
    # 7: what a person starts
    "companion.cli": 7,
    "companion.commands": 7,
    "companion.__main__": 7,
}
"""Each room by the longest prefix of its modules' names. A module of no room fails the test."""

PACKAGES_ONLY = {"companion", "companion.games"}
"""Prefixes that stand for the package's own file alone, for no module below it."""

RULES_AND_PLAY = "companion.play companion.games.game companion.games.registry companion.odds"
STRANGERS = {
    "companion.games": "threading asyncio time datetime random secrets sqlite3 socket subprocess cv2 flask "
    "waitress gpiozero hardware",
    "companion.odds": "threading asyncio time datetime random secrets sqlite3 socket subprocess cv2 flask "
    "waitress gpiozero hardware",
    "companion.play": "random cv2 numpy flask waitress gpiozero hardware",
    "hardware": f"flask waitress sqlite3 {RULES_AND_PLAY}",
    "web": "cv2 numpy gpiozero picamera2 hardware",
}
"""What a room knows nothing of, itself or through its imports; `web` only itself: it asks the services."""

LOADS_NONE_OF = (
    "sqlite3",
    "flask",
    "companion.play",
    "companion.games.game",
    "companion.games.registry",
    "companion.odds",
)
"""What a fresh Python that imports a module of `hardware` must not have loaded."""


def floor(name: str) -> int | None:
    """The floor of a module by its dotted name; None for one of no room."""
    room = room_of(name, FLOORS)
    return None if room is None else FLOORS[room]


def room_of(name: str, rooms: Iterable[str]) -> str | None:
    """The longest of `rooms` that is a prefix of a module's dotted name."""
    parts = name.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    known = set(rooms)
    return next(
        (each for each in prefixes if each in known and (each == name or each not in PACKAGES_ONLY)), None
    )


def dotted(path: Path) -> str:
    """A module's name from its path."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path): path for path in sources.modules()}


def above(name: str, imported: Iterable[str]) -> set[str]:
    """What of `imported` stands above the module `name`."""
    own = floor(name)
    assert own is not None, name
    return {each for each in imported if (floor(each) or 0) > own}


def strangers(name: str, imported: Iterable[str]) -> set[str]:
    """What of `imported` the room of the module `name` must not know."""
    room = room_of(name, STRANGERS) or next((r for r in STRANGERS if name.startswith(f"{r}.")), "")
    unknown = STRANGERS.get(room, "").split()
    return {each for each in imported for other in unknown if f"{each}.".startswith(f"{other}.")}


@cache
def imports_of(name: str) -> frozenset[str]:
    """What a module loads when it is imported: what it names, and the packages that these stand in."""
    path = MODULES.get(name)
    if path is None:
        return frozenset()
    named = sources.imported(path)
    packages = {".".join(each.split(".")[:n]) for each in named for n in range(1, each.count(".") + 1)}
    return frozenset(named | packages)


@cache
def reached(name: str) -> frozenset[str]:
    """Everything that a module imports, itself or through others of the product."""
    seen: set[str] = set()
    left = [name]
    while left:
        for each in imports_of(left.pop()):
            if each not in seen:
                seen.add(each)
                left.append(each)
    return frozenset(seen)


def circles(graph: dict[str, frozenset[str]]) -> Iterator[list[str]]:
    """Each circle of imports once, as the names along it."""
    done: set[str] = set()
    path: list[str] = []

    def walk(name: str) -> Iterator[list[str]]:
        if name in path:
            yield path[path.index(name) :]
        if name in done or name in path:
            return
        path.append(name)
        for each in sorted(graph.get(name, ())):
            yield from walk(each)
        path.pop()
        done.add(name)

    for name in sorted(graph):
        yield from walk(name)


def own_imports(name: str) -> frozenset[str]:
    """The modules of the product that a module names, not the packages around it."""
    return frozenset(each for each in sources.imported(MODULES[name]) if each in MODULES and each != name)


def test_every_module_stands_on_a_floor() -> None:
    assert MODULES
    assert [name for name in MODULES if floor(name) is None] == [], "name their room in FLOORS"


def test_a_module_imports_nothing_from_above() -> None:
    assert {name: up for name in MODULES if (up := above(name, imports_of(name)))} == {}


def test_a_module_reaches_no_stranger() -> None:
    known = {name: imports_of(name) if name.startswith("web") else reached(name) for name in MODULES}
    assert {name: unknown for name in MODULES if (unknown := strangers(name, known[name]))} == {}


def test_no_page_speaks_to_the_database_itself() -> None:
    assert not [name for name in MODULES if name.startswith("web") and "sqlite3" in imports_of(name)]


def test_no_game_knows_another() -> None:
    shared = {"game", "forms", "retrospect", "watching", "data_files", "players", "chance"}
    for name in MODULES:
        parts = name.split(".")
        if parts[:2] == ["companion", "games"] and len(parts) > 3:
            games = {each.split(".")[2] for each in imports_of(name) if each.startswith("companion.games.")}
            assert games <= {parts[2], *shared}, name


def test_there_is_no_circle_of_imports() -> None:
    assert list(circles({name: own_imports(name) for name in MODULES})) == []


def test_no_import_hides_behind_type_checking() -> None:
    hiding = [
        str(path)
        for path in sources.modules()
        for node in ast.walk(sources.tree(path))
        if isinstance(node, ast.Name) and node.id == "TYPE_CHECKING"
    ]
    assert hiding == []


def test_nothing_stands_loose_in_the_product() -> None:
    loose = {path.name for path in sources.modules() if len(path.parts) == 2 and path.parts[0] == "companion"}
    assert loose == {
        "__init__.py",
        "__main__.py",
        "cli.py",
        "messages.py",
        "paths.py",
        "files.py",
        "kept_state.py",
        "machine.py",
        "settings.py",
    }


def test_the_floors_are_of_rooms_that_exist() -> None:
    assert [name for name in FLOORS if not sources.is_module(name)] == []


def test_nothing_that_is_installed_imports_the_lab() -> None:
    assert [
        path
        for path in sources.modules()
        if any(name.split(".")[0] == "lab" for name in sources.imported(path))
    ] == []


LOOK = """
import importlib, sys
wanted, unwanted = sys.argv[1].split(), sys.argv[2].split()
before = set(sys.modules)  # coverage, where it looks on, has loaded sqlite3 for itself
for name in wanted:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        # What only a Pi or printing has may be missing; ours may not.
        assert error.name and error.name.split(".")[0] not in ("companion", "hardware", "web"), error
    new = set(sys.modules) - before
    loaded = [each for each in new for other in unwanted if f"{each}.".startswith(f"{other}.")]
    assert not loaded, f"{name} loads {loaded}"
"""


def test_hardware_loads_no_rules_and_no_journal() -> None:
    wanted = " ".join(name for name in MODULES if name.startswith("hardware"))
    ran = subprocess.run(
        [sys.executable, "-c", LOOK, wanted, " ".join(LOADS_NONE_OF)],
        cwd=sources.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_what_hardware_must_not_load_would_be_found() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LOOK, "companion.play.table", " ".join(LOADS_NONE_OF)],
        cwd=sources.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "companion.play.table loads" in ran.stderr


def test_an_import_from_above_would_be_found() -> None:
    assert above("hardware.camera.usb", ["web.server", "companion.errors", "cv2"]) == {"web.server"}
    assert above("companion.games.game", ["companion.play.journal", "msgspec"]) == {"companion.play.journal"}
    assert above("companion.play.match", ["companion.commands.run"]) == {"companion.commands.run"}
    assert not above("companion.commands.run", ["web.server", "hardware.camera.usb", "companion.cli"])


def test_a_module_of_no_room_would_be_found() -> None:
    assert floor("companion.attic") is None
    assert floor("companion.games.nim.rules") is None


def test_a_stranger_would_be_found() -> None:
    assert strangers("companion.games.chop_chop.rules", ["random", "cv2.aruco", "re"]) == {
        "random",
        "cv2.aruco",
    }
    assert strangers("hardware.panel", ["gpiozero", "companion.play.journal"]) == {"companion.play.journal"}


def test_a_circle_would_be_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"b"}), "d": frozenset({"a"})}
    assert list(circles(graph)) == [["b", "c"]]


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import cv2.aruco\ndef f():\n    from hardware.print import layout, sheets\n", "utf-8")
    imports = set(sources.imported(path))
    assert imports == {"cv2.aruco", "hardware.print.layout", "hardware.print.sheets"}


def test_contributing_shows_each_room_on_its_floor() -> None:
    table = re.findall(r"^\| (\d) \| (.+?) \|", sources.read(Path("CONTRIBUTING.md")), re.MULTILINE)
    shown = {
        (int(number), Path(room).name) for number, rooms in table for room in re.findall(r"`(.+?)`", rooms)
    }
    games = {name for name in FLOORS if name.startswith("companion.games.") and FLOORS[name] == 2}
    rooms = FLOORS.keys() - PACKAGES_ONLY - games - {"companion.__main__"}
    assert shown == {(FLOORS[name], name.rpartition(".")[2]) for name in rooms} | {(2, "<game>")}
