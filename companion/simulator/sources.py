"""Opens the camera that a SOURCE names, including the virtual table.

    virtual                          a table that plays by itself
    virtual:black,slow               … with these faults on
    virtual?board=b&speed=4&seed=7   … on side B, four times as fast, another game
    virtual?seats=5                  … with five people

Any other SOURCE names a real camera; see `hardware.camera.sources`.

After `virtual?`: `speed`, `seed`, `game`, `seats`; `empty`, `teach`, `reach`, `still`, `end` (the
number of pictures of each part); anything else is an option of the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl

import msgspec

from companion.errors import CompanionError
from companion.games import registry
from companion.simulator.acting import Pace
from companion.simulator.faults import Faults
from companion.simulator.people import Memory, People
from companion.simulator.table import VirtualCamera, VirtualTable
from companion.simulator.table_scene import DEFAULT_GAME, scene_of_match
from hardware.camera import sources
from hardware.camera.frame import Camera, CameraError

FASTEST = 1e6
"""The maximum number after `virtual?`."""


def is_virtual(source: str) -> bool:
    """True if `source` names the virtual table."""
    return source.partition(":")[0].partition("?")[0] == "virtual"


def open_camera(
    source: str,
    *,
    options: Mapping[str, object] | None = None,
    rotate: int = 0,
    interval_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Camera:
    """The camera that `source` names, still closed. Raises as `hardware.camera.sources.open_camera`.

    The virtual table plays with these `options` of the game.
    """
    if not is_virtual(source):
        return sources.open_camera(source, rotate=rotate, interval_s=interval_s, clock=clock, sleep=sleep)
    camera = virtual_camera(source, options=options, clock=clock, sleep=sleep)
    sources.check_turn(source, rotate)
    camera.table.degrees = rotate
    return camera


def virtual_camera(
    source: str = "virtual",
    *,
    options: Mapping[str, object] | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> VirtualCamera:
    """The virtual table's camera. Raises `CameraError`, which names the fault in `source`."""
    head, _, query = source.partition("?")
    faults = Faults(name for name in head.partition(":")[2].split(",") if name)
    query_values = dict(parse_qsl(query, keep_blank_values=True))
    speed = _number(query_values, "speed", 1.0)
    seed = int(_number(query_values, "seed", 1))
    seats = int(_number(query_values, "seats", 0))
    usual = msgspec.structs.asdict(Pace())
    pace = Pace(**{part: int(_number(query_values, part, count)) for part, count in usual.items()})
    try:
        game = registry.game(query_values.pop("game", DEFAULT_GAME))
        chosen = game.options({**_plain(game, options or {}), **query_values}, from_text=True)
        scene = scene_of_match(game, chosen)
    except CompanionError as error:
        raise CameraError(str(error)) from error
    people = People(scene, Memory(game, chosen, seats or min(game.seat_counts)), seed)
    table = VirtualTable(scene, people, pace=pace, faults=faults, seed=seed)
    table.seats = seats
    return VirtualCamera(table, speed=speed, clock=clock, sleep=sleep)


def _plain(game: registry.AnyGame, options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if name in game.options_type.__struct_fields__}


def _number(query_values: dict[str, str], name: str, usual: float) -> float:
    """Take a number out of the query. Raises `CameraError` for an unusable value."""
    given = query_values.pop(name, None)
    if given is None:
        return usual
    try:
        number = float(given)
    except ValueError:
        number = -1
    least = 1 if name in ("reach", "still") else 0
    if not least <= number <= FASTEST or (name == "speed" and number == 0):
        raise CameraError(f"virtual?{name}={given} makes no sense: write a number, as {name}={usual:g}.")
    return number
