"""`companion run`: watches the table and serves its pages until it is stopped."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path
from threading import Event, Thread
from typing import Any

import click
import msgspec
from flask import Flask

from companion import paths
from companion.broker.service import BrokerService
from companion.commands.output import GAME_OPTIONS
from companion.commands.print_sheets import sheet_for_page
from companion.commands.rules import options_from_text
from companion.errors import UserError
from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import SeesTiles
from companion.messages import messages_of_game
from companion.play.rescue import open_mended
from companion.play.seats import LOT, draw_lots
from companion.play.table import Table, new_table
from companion.service import camera_settings
from companion.service.address import ConsoleIssue, address, greeting
from companion.service.camera_switch import is_real
from companion.service.running_table import RunningTable, running_table
from companion.service.shutdown import leave, stop_together
from companion.service.systemd import SystemdNotifier
from companion.service.table_settings import TableSettings
from companion.settings import LEAST_MINUTES, SETTINGS, Setting, SettingsFile, Value
from companion.simulator.demo import VirtualPhone
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Camera
from hardware.camera.sources import NO_CAMERA, default_source
from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring
from web.app import create_app, load_pages
from web.server import PageCheck, Server
from web.settings_api import TablePages

DEFAULT_GAME = "this-bed-is-mine"
DEFAULT_PORT = 8000

M_ARENA_MAX = -8
"""The number of this setting in mallopt(3)."""
MOST_ARENAS = 2
"""The threads' pools of memory; one for each thread would hold 14 MB more, all of it unused."""

PANEL_FILE = "panel.toml"
"""The wiring file in the folder where matches are kept, used if `--panel` names none."""

COMMAND_LINE = "command-line"
"""The source of an entry with the names from the command line."""

METAVARS = {
    "camera": "SOURCE",
    "panel": "FILE",
    "time_limit": "MINUTES",
    "time_added": "SECONDS",
    "table_name": "NAME",
    "broker": "URL",
    "broker_user": "NAME",
    "broker_password": "PASSWORD",
    "broker_table": "NAME",
    "broker_root": "PREFIX",
    "broker_home": "PREFIX",
}

Command = Callable[..., Any]


def setting_options(command: Command) -> Command:
    """Add an option for each setting; None stands for one that was not given."""
    for setting in reversed(SETTINGS):
        command = _option(setting)(command)
    return command


def _option(setting: Setting) -> Callable[[Command], Command]:
    metavar = METAVARS.get(setting.name)
    if isinstance(setting.default, bool):
        flags = f"{setting.flag}/--no-{setting.name}"
        return click.option(flags, setting.name, default=None, help=setting.help)
    kind: Any = str
    if setting.name == "time_limit":
        kind = click.FloatRange(LEAST_MINUTES)
    elif isinstance(setting.default, float):
        kind = float
    elif setting.choices and metavar is None:
        kind = click.Choice([choice for choice in setting.choices if choice])
    return click.option(setting.flag, setting.name, type=kind, metavar=metavar, help=setting.help)


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion run\n"
    "  companion run --camera none --game cat-and-mouse\n"
    "  companion run --camera usb:0 --game this-bed-is-mine --option board=b\n"
    "  companion run --camera folder:my-pictures\n"
    "  companion run --camera virtual:blurred\n"
    "  companion run --panel standard --clock tournament"
)
@setting_options
@click.option("--game", "slug", default=None, help=f"The game.  [the last one played, else {DEFAULT_GAME}]")
@GAME_OPTIONS
@click.option(
    "--player", "players", multiple=True, metavar="NAME", help="A player's name; one for each seat, in order."
)
@click.option("--lot", is_flag=True, help="Draw lots for who of the players sits where.")
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to serve on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, help="The port to serve on.")
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="Another host name for the companion; repeatable."
)
def run(
    slug: str | None,
    options: tuple[str, ...],
    host: str,
    port: int,
    names: tuple[str, ...],
    players: tuple[str, ...],
    *,
    lot: bool,
    **given: Value,
) -> None:
    """Watch the table and show the game on every phone. Prints the address and its QR code."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    with suppress(OSError, AttributeError):  # only glibc lets threads share pools of memory
        CDLL(None).mallopt(M_ARENA_MAX, MOST_ARENAS)
    stopping = stopped_by_signals()
    click.get_current_context().with_resource(paths.only_companion())
    settings = TableSettings(SettingsFile(), given)
    wires = panel_wires(settings.text("panel"))
    source = settings.text("camera") or default_source()
    settings.took("camera", source)
    camera, table = set_table(source, slug, options_from_text(options), settings)
    name_players(table, players, by_lot=lot)
    running = running_table(table, camera, source, wires, settings, sheet_for_page)
    broker = BrokerService(running)
    app = create_app(running, broker, names)
    server = served(app, host, port)
    running.start()
    broker.start(TablePages(app, lambda: address(host, port)))
    try:
        work(server, host, app.extensions["companion"].pin, stopping, running)
    finally:
        stop_together(*running.stops, broker.stop, server.stop)
        table.journal.close()
    leave()


def work(server: Server, host: str, pin: str, stopping: Event, running: RunningTable) -> None:
    """Say where the pages are, then look after the table until it is stopped."""
    click.echo(greeting(host, server.port, pin))
    paths.tell_running(server.port)
    console = ConsoleIssue(paths.runtime(), host, server.port, pin)
    page = PageCheck(server.host, server.port)

    def is_at_work() -> bool:
        # Both are asked every time: their answers are about the time since.
        return all([running.cameras is None or running.cameras.at_work(), page.came()])

    def each_round() -> None:
        console.update()
        running.table.journal.fold_when_quiet()

    SystemdNotifier().work(stopping, is_at_work, each_round)
    click.echo("Stopping.", err=True)


def stopped_by_signals() -> Event:
    """An event that SIGINT and SIGTERM set."""
    stopping = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def served(app: Flask, host: str, port: int) -> Server:
    """A started server of the app. The needs of the first views are loaded in the background."""
    server = Server(app, host, port)
    server.start()
    Thread(target=load_pages, args=(app,), name="pages", daemon=True).start()
    return server


def panel_wires(source: str) -> Wires | None:
    """The panel's wires, from the given file or else from the kept one, if any. Raises `WiringError` if the
    file is not a wiring."""
    kept = paths.home() / PANEL_FILE
    if source == "off" or (not source and not kept.is_file()):
        return None
    if source == "standard":
        return Wires(read_wiring())
    return Wires(read_wiring(Path(source) if source else kept))


def set_table(
    source: str, slug: str | None, options: dict[str, object], settings: TableSettings
) -> tuple[Camera | None, Table]:
    """The camera (None for `none`), and the table to play at. Raises `CompanionError`.

    The virtual table and folders have journals of their own. A folder begins a new match, because its
    pictures begin with the empty bed. Otherwise the last match goes on unless it is over.
    """
    rotate = int(settings.value("rotate") or 0)
    if source == NO_CAMERA:
        return None, Table.open(open_mended(), slug, options)
    if is_real(source):
        camera = open_camera(source, rotate=rotate)
        camera_settings.restore(camera)
        return camera, Table.open(open_mended(), slug, options)
    game = registry.game(slug or DEFAULT_GAME)
    if source.startswith("virtual") and "game=" not in source:
        source = f"{source}{'&' if '?' in source else '?'}game={game.slug}"
    camera = open_camera(source, options=_typed(game, options), rotate=rotate)
    scene = camera.scene
    of_board = game.options_for_scene(scene) if scene is not None and isinstance(game, SeesTiles) else {}
    given = _typed(game, of_board | options)
    if not isinstance(camera, VirtualCamera):
        return camera, new_table(open_mended("folder"), game.slug, given)
    table = Table.open(open_mended("virtual"), game.slug, given)
    if camera.table.seats not in (0, len(table.match.seat_names)):
        table.begin(game.slug, given, camera.table.seats)
    if camera.table.plays and (table.match.view().players or table.seats.seating.taken):
        # What people began is theirs: it stays kept, and the virtual ones play another match.
        table.begin(game.slug, given, len(table.match.seat_names))
        for seat in table.seats.seating.taken:
            table.seats.evict(seat)
    camera.table.sit_down(VirtualPhone(table))
    return camera, table


def _typed(game: AnyGame, options: dict[str, object]) -> dict[str, object]:
    built: dict[str, Any] = msgspec.to_builtins(game.options(options, from_text=True))
    return built


def name_players(table: Table, players: Sequence[str], *, by_lot: bool) -> None:
    """Give the seats of the match on the table the names of people.

    A lot is drawn once for a match: after a restart, the names stay where they were put. Raises `UserError`
    if there are not as many names as seats.
    """
    match = table.match
    seats = match.seat_names
    if len(players) != len(seats) and (players or by_lot):
        raise UserError(
            f"This match has {len(seats)} seats ({', '.join(seats)}); give --player {len(seats)} times."
        )
    if not players:
        return
    if by_lot and match.n:
        click.echo("The match on the table has begun; its seats are not drawn again.")
        return
    order = draw_lots(seats) if by_lot else seats
    named = dict(zip(order, players, strict=True))
    if named != match.view().players:
        table.name_players(named, LOT if by_lot else COMMAND_LINE)
    if by_lot:
        say = messages_of_game(match.game.slug).say
        click.echo(
            "By lot: " + ", ".join(f"{named[seat]} plays {say(f'name.{seat}', 'en')}" for seat in seats) + "."
        )
