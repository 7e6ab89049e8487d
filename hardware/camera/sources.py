"""Which camera a SOURCE names.

    virtual                          a table that plays by itself
    virtual:black,slow               … with these faults on
    virtual?moves=FILE               … plays the moves of a file (as `companion replay` takes them), once
    virtual?board=b&speed=4&seed=7   … on side B, four times as fast, another game
    virtual?seats=5                  … with five people
    picamera, picamera:1             the Pi's camera, on its second port
    usb:0                            a USB camera
    rtsp://…, http://…               a network camera's stream
    game.mp4                         a video file
    folder:DIR                       pictures in a folder (scene.json, pictures.jsonl, or just pictures)

After `virtual?`: `moves`, `speed`, `seed`, `game`, `seats`; `empty`, `teach`, `reach`, `still`, `end` (how
many pictures each part lasts); anything else is an option of the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from companion import moves_file
from companion.errors import CompanionError, MoveError
from companion.games import registry
from hardware.camera import pi
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import Camera, CameraError
from hardware.camera.process import HoldingProcessCamera, ProcessCamera
from hardware.camera.turned import TURNS, TurnedCamera
from hardware.camera.video import FileCamera, StreamCamera, check_device
from hardware.camera.virtual.acting import Pace
from hardware.camera.virtual.faults import Faults
from hardware.camera.virtual.people import Memory, People
from hardware.camera.virtual.players import FilePlayers, Players
from hardware.camera.virtual.scenes import DEFAULT_GAME, scene_of_match
from hardware.camera.virtual.table import VirtualCamera, VirtualTable

STREAMS = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://")
KINDS = "virtual, picamera, usb:0, a stream's URL, a video file or folder:DIR"
PI_MODEL = Path("/proc/device-tree/model")
FASTEST = 1e6


def default_source(model: Path = PI_MODEL) -> str:
    """`picamera` on a Raspberry Pi that has picamera2, else `virtual`."""
    try:
        on_a_pi = "Raspberry Pi" in model.read_text("utf-8", "replace")
    except OSError:
        on_a_pi = False
    return "picamera" if on_a_pi and pi.available() else "virtual"


def open_camera(
    source: str,
    *,
    options: Mapping[str, object] | None = None,
    rotate: int = 0,
    interval_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Camera:
    """The camera that `source` names, not begun yet (its `open` does that).

    `options` of the game are what the virtual table plays by, `rotate` by how many degrees pictures are to
    be turned clockwise, `interval_s` is a folder's pace. Raises `CameraError` for a source that is none, or
    one that can be seen not to work.
    """
    camera = _camera(source, options, interval_s, clock, sleep)
    if rotate and (not camera.live or rotate not in TURNS):
        raise CameraError(f"{source} cannot be turned by {rotate}: only a real camera by 90, 180 or 270.")
    return TurnedCamera(camera, rotate) if rotate else camera


def _camera(
    source: str,
    options: Mapping[str, object] | None,
    interval_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> Camera:
    kind, _, rest = source.partition(":")
    if kind.partition("?")[0] == "virtual":
        return virtual_camera(source, options=options, clock=clock, sleep=sleep)
    if source.startswith(STREAMS):
        return StreamCamera(source, clock=clock)
    if kind == "picamera":
        return _pi_camera(rest or "0")
    if kind == "usb":
        return _usb_camera(rest or "0")
    if kind == "folder" and rest:
        return FolderCamera(Path(rest).expanduser(), interval_s, clock=clock, sleep=sleep)
    path = Path(source).expanduser()
    if path.is_file():
        return FileCamera(path, clock=clock, sleep=sleep)
    if source and path.is_dir():
        raise CameraError(f"{source!r} is a folder: write folder:{source}.")
    raise CameraError(f"{source!r} is no camera and no file: write {KINDS}.")


def _pi_camera(port: str) -> HoldingProcessCamera:
    """In a process of its own: what hangs in the Pi's camera stack can only be ended with its process."""
    pi.check_port(port)
    pi.check_installed()
    name = f"The Pi's camera on port {port}"
    return HoldingProcessCamera(name, "hardware.camera.pi:PiCamera", {"port": port})


def _usb_camera(device: str) -> ProcessCamera:
    """In a process of its own, too: a USB camera may hang in its driver for as long as it is plugged in."""
    check_device(device)
    return ProcessCamera(f"The camera usb:{device}", "hardware.camera.video:UsbCamera", {"device": device})


def virtual_camera(
    source: str = "virtual",
    *,
    options: Mapping[str, object] | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> VirtualCamera:
    """The virtual table's camera. Raises `CameraError` naming what is wrong in `source`."""
    head, _, query = source.partition("?")
    faults = Faults(name for name in head.partition(":")[2].split(",") if name)
    told = dict(parse_qsl(query, keep_blank_values=True))
    speed = _number(told, "speed", 1.0)
    seed = int(_number(told, "seed", 1))
    seats = int(_number(told, "seats", 0))
    usual = msgspec.structs.asdict(Pace())
    pace = Pace(**{part: int(_number(told, part, count)) for part, count in usual.items()})
    try:
        scene, players = _table(told, dict(options or {}), seed, seats)
    except CameraError:
        raise
    except CompanionError as error:
        raise CameraError(str(error)) from error
    table = VirtualTable(scene, players, pace=pace, faults=faults, seed=seed)
    table.seats = seats
    return VirtualCamera(table, speed=speed, clock=clock, sleep=sleep)


def _table(
    told: dict[str, str], options: dict[str, object], seed: int, seats: int
) -> tuple[dict[str, Any], Players | People]:
    """The bed, and who plays at it; what is left in `told` are options of the game."""
    path = Path(told.pop("moves")).expanduser() if "moves" in told else None
    file = moves_file.read(path) if path else None
    header = file.header if file else None
    game = registry.game(told.pop("game", header.game if header else DEFAULT_GAME))
    options = {**(header.options if header else {}), **options}
    chosen = game.options({**_plain(game, options), **told}, from_text=True)
    plain = msgspec.to_builtins(chosen)
    scene = scene_of_match(game, chosen)
    if file is not None:
        _check_moves(game, str(path), file.lines)
        return scene, FilePlayers(game, plain, file.lines)
    return scene, People(scene, Memory(game, chosen, seats or min(game.seat_counts)), seed)


def _check_moves(game: registry.AnyGame, path: str, lines: Iterable[dict[str, Any]]) -> None:
    """Whether each line is a move at all; whether it is legal is not asked: people do what they like."""
    for n, line in enumerate(lines, 1):
        try:
            if line not in ({"move": "undo"}, {"move": "redo"}):
                game.move(line)
        except MoveError as error:
            raise CameraError(f"{path}, move {n}: {error}") from error


def _plain(game: registry.AnyGame, options: Mapping[str, object]) -> dict[str, object]:
    """Those of the match's options that this game has."""
    return {name: value for name, value in options.items() if name in game.options_type.__struct_fields__}


def _number(told: dict[str, str], name: str, usual: float) -> float:
    """Take a number out of what was told. Raises `CameraError` when it is none, or no use."""
    given = told.pop(name, None)
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
