"""`companion run`: watches the table and serves its pages until it is stopped."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import click
import msgspec
from flask import Flask

from companion import paths
from companion.broker.service import SETTINGS as BROKER_SETTINGS
from companion.broker.service import BrokerService
from companion.commands.rules import options_from_text
from companion.commands.seating import name_players
from companion.commands.setting_options import setting_options
from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import SeesTiles
from companion.play.rescue import open_mended
from companion.play.table import Table
from companion.service import camera_settings
from companion.service.address import ConsoleIssue, greeting
from companion.service.camera_switch import CameraSwitch, is_real, shown_file
from companion.service.dealing import TableDealer
from companion.service.kept_pictures import KeptPictures
from companion.service.opponent import TableOpponent
from companion.service.panel import TablePanel
from companion.service.photo_drafts import PHOTOS, PhotoDrafts
from companion.service.reviews import Reviews
from companion.service.sheets import sheet
from companion.service.shutdown import leave, stop_together
from companion.service.systemd import SystemdNotifier
from companion.service.table_settings import TableSettings
from companion.service.vision_loop import VisionLoop
from companion.service.wall_clock import WallClock
from companion.settings import SettingsFile, Value
from companion.simulator.demo import VirtualDemo
from companion.simulator.phone import VirtualPhone
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Camera
from hardware.camera.sources import NO_CAMERA, default_source
from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring
from web.app import create_app, load_pages
from web.app_state import AppState
from web.page_check import PageCheck
from web.server import Server

DEFAULT_GAME = "this-bed-is-mine"
DEFAULT_PORT = 8000

M_ARENA_MAX = -8
"""The number of this setting in mallopt(3)."""
MOST_ARENAS = 2
"""The threads' pools of memory. With one for each thread the companion holds 14 MB more, all of it unused."""

REAL_JOURNAL = "journal"
"""The name of the journal of what is played on a real table."""

PANEL_FILE = "panel.toml"
"""The wiring file in the folder where matches are kept, used if `--panel` names none."""


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion run\n"
    "  companion run --camera none --game cat-and-mouse\n"
    "  companion run --camera usb:0 --game this-bed-is-mine --option board=b\n"
    "  companion run --camera folder:my-pictures\n"
    "  companion run --camera virtual:blurred\n"
    "  companion run --panel standard --time-limit 20"
)
@setting_options
@click.option("--game", "slug", default=None, help=f"The game.  [the last one played, else {DEFAULT_GAME}]")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
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
    limit_arenas()
    stopping = stopped_by_signals()
    click.get_current_context().with_resource(paths.only_companion())
    settings = TableSettings(SettingsFile(), given)
    wires = panel_wires(text_of(settings, "panel"))
    source = text_of(settings, "camera") or default_source()
    settings.took("camera", source)
    rotate = int(settings.value("rotate") or 0)
    camera, table = set_table(source, slug, options_from_text(options), rotate=rotate)
    name_players(table, players, by_lot=lot)
    kept = kept_of_matches(table)
    switch = CameraSwitch(table, source, camera, pictures=kept.pictures)
    switch.rotated(rotate)
    opponent = table_opponent(table, switch)
    panel = table_panel(table, wires, switch, settings, opponent)
    clock = WallClock(table.notify)
    app = pages_of(table, camera, switch, panel, settings, clock, kept, names)
    app.extensions["companion"].opponent = opponent
    broker = BrokerService(app)
    follow_settings(settings, app, switch, panel, broker)
    settings.follow("move_pictures", lambda on: setattr(kept.pictures, "on", bool(on)))
    services = (switch, panel, clock, opponent, TableDealer(table), broker, kept.reviews)
    server = served(app, host, port)
    for each in services:
        each.start()
    try:
        pin = "" if settings.value("open") else app.extensions["companion"].pin
        work(server, host, pin, stopping, switch, table)
    finally:
        stop_together(*(each.stop for each in services), server.stop, kept.photos.stop)
        table.journal.close()
    leave()


class Kept(NamedTuple):
    """What is kept of matches in addition to their moves."""

    pictures: KeptPictures
    photos: PhotoDrafts
    reviews: Reviews


def kept_of_matches(table: Table) -> Kept:
    """What is kept of the matches of a table. What belonged to matches that are gone for good goes now."""
    journal = table.journal
    kept = Kept(
        KeptPictures(journal.path.with_suffix(".pictures")),
        PhotoDrafts(folder=photos_of(journal.path), shown=shown_file()),
        Reviews(journal.path.with_suffix(".reviews"), table),
    )
    for each in kept:
        each.forget_others(journal.every_match())
    return kept


def photos_of(journal: Path) -> Path:
    """The folder of the photos that were kept with matches of a journal: `photos` for those of a real table.

    The virtual table and a folder of pictures have journals of their own, which know no real match.
    """
    return journal.with_suffix(".photos") if journal.stem != REAL_JOURNAL else journal.with_name(PHOTOS)


def pages_of(
    table: Table,
    camera: Camera | None,
    switch: CameraSwitch,
    panel: TablePanel,
    settings: TableSettings,
    clock: WallClock,
    kept: Kept,
    names: tuple[str, ...],
) -> Flask:
    """The pages of a table, with all that they may ask."""
    app = create_app(
        table,
        switch.loop,
        panel,
        names=names,
        set_back_min=clock.set_back_min,
        demo=VirtualDemo(camera.table) if isinstance(camera, VirtualCamera) else None,
        settings=settings,
        sheet=sheet,
        photos=kept.photos,
    )
    state: AppState = app.extensions["companion"]
    state.pictures, state.reviews = kept.pictures, kept.reviews
    return app


def work(server: Server, host: str, pin: str, stopping: Event, switch: CameraSwitch, table: Table) -> None:
    """Say where the pages are, then look after the table until it is stopped."""
    click.echo(greeting(host, server.port, pin))
    paths.tell_running(server.port)
    console = ConsoleIssue(paths.runtime(), host, server.port, pin)
    page = PageCheck(server.host, server.port)
    SystemdNotifier().work(stopping, both(switch.at_work, page.came), each_round(console, table))
    click.echo("Stopping.", err=True)


def limit_arenas() -> None:
    """Let the threads share `MOST_ARENAS` pools of memory. Only glibc has that setting."""
    with suppress(OSError, AttributeError):
        CDLL(None).mallopt(M_ARENA_MAX, MOST_ARENAS)


def text_of(settings: TableSettings, name: str) -> str | None:
    """A setting that is a text; None where nobody has chosen one."""
    value = settings.value(name)
    return None if value is None else str(value)


def follow_settings(
    settings: TableSettings, app: Flask, switch: CameraSwitch, panel: TablePanel, broker: BrokerService
) -> None:
    """Let each setting hold now, and each change of it at once."""
    state: AppState = app.extensions["companion"]

    def watch_with(loop: VisionLoop | None) -> None:
        state.camera = loop

    switch.on_change = watch_with
    settings.offer("camera", switch.choices)
    settings.when_changed("camera", lambda source: switch.choose(str(source)))
    settings.when_changed("rotate", lambda degrees: switch.turn(int(degrees or 0)))
    takers: dict[str, Callable[[Value], None]] = {
        "time_limit": lambda minutes: panel.limit(None if minutes is None else float(minutes) * 60),
        "sound": lambda on: panel.let_beep(on=bool(on)),
        "table_name": lambda name: setattr(state, "table_name", str(name or "")),
        "language": lambda tag: setattr(state, "language", str(tag or "")),
        "open": lambda on: setattr(state, "kitchen", bool(on)),
        **{name: broker.taker(name) for name in BROKER_SETTINGS},
    }
    state.broker, state.unsent = broker, broker.unsent
    for name, take in takers.items():
        settings.follow(name, take)


def stopped_by_signals() -> Event:
    """An event that SIGINT and SIGTERM set."""
    stopping = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def table_opponent(table: Table, switch: CameraSwitch) -> TableOpponent:
    """The table as a player: it makes its moves itself unless a real camera watches."""
    return TableOpponent(
        table,
        lambda: switch.loop is None or not is_real(switch.source),
        table.journal.path.with_suffix(".opponent.json"),
    )


def table_panel(
    table: Table,
    wires: Wires | None,
    switch: CameraSwitch,
    settings: TableSettings,
    opponent: TableOpponent,
) -> TablePanel:
    """The panel of a table."""
    minutes = settings.value("time_limit")
    return TablePanel(
        table,
        wires,
        limit_s=None if minutes is None else float(minutes) * 60,
        kept=table.journal.path.with_suffix(".clocks.json"),
        camera_well=switch.is_well,
        shows_for=opponent.shows_for,
    )


def both(*each: Callable[[], bool]) -> Callable[[], bool]:
    """Whether all of these say yes. Each is asked every time, because its answer is about the time since."""
    return lambda: False not in [ask() for ask in each]


def each_round(console: ConsoleIssue, table: Table) -> Callable[[], None]:
    """What the main loop does in each round: the address on the screen, the log folded into the journal."""

    def work() -> None:
        console.update()
        table.journal.fold_when_quiet()

    return work


def served(app: Flask, host: str, port: int) -> Server:
    """A started server of the app. What the first views need is loaded in the background."""
    server = Server(app, host, port)
    server.start()
    Thread(target=load_pages, args=(app,), name="pages", daemon=True).start()
    return server


def panel_wires(source: str | None) -> Wires | None:
    """The panel's wires, from the given file or else from the one where matches are kept, if there is one.

    Raises `WiringError` if the file is not a wiring.
    """
    kept = paths.home() / PANEL_FILE
    if source == "off" or (source is None and not kept.is_file()):
        return None
    if source == "standard":
        return Wires(read_wiring())
    return Wires(read_wiring(kept if source is None else Path(source)))


def set_table(
    source: str, slug: str | None, options: dict[str, object], *, rotate: int = 0
) -> tuple[Camera | None, Table]:
    """The camera (None for `none`), and the table to play at. The virtual table and folders have journals of
    their own.

    A folder begins a new match, because its pictures begin with the empty bed. Otherwise the last match goes
    on unless it is over. Raises `CompanionError`.
    """
    if source == NO_CAMERA:
        return None, Table.open(open_mended(), slug, options)
    if is_real(source):
        camera = open_camera(source, rotate=rotate)
        camera_settings.restore(camera)
        return camera, Table.open(open_mended(), slug, options)
    game = registry.game(slug or DEFAULT_GAME)
    camera = open_camera(_with_game(source, game), options=_typed(game, options), rotate=rotate)
    given = _typed(game, _options_of_board(game, camera.scene) | options)
    if not isinstance(camera, VirtualCamera):
        return camera, Table.begun(open_mended("folder"), game.slug, given)
    table = Table.open(open_mended("virtual"), game.slug, given)
    if camera.table.seats not in (0, len(table.match.seat_names)):
        table.begin(game.slug, given, camera.table.seats)
    if not camera.table.sit_down(VirtualPhone(table)):
        camera.table.go_on([msgspec.to_builtins(move) for move in table.match.moves])
    return camera, table


def _options_of_board(game: AnyGame, scene: Mapping[str, Any] | None) -> dict[str, object]:
    """The match options for the source's own board, if it has one and the game reads tiles."""
    return game.options_for_scene(scene) if scene is not None and isinstance(game, SeesTiles) else {}


def _with_game(source: str, game: AnyGame) -> str:
    """The source; a virtual table that names no game plays this one."""
    if not source.startswith("virtual") or "game=" in source or "moves=" in source:
        return source
    return f"{source}{'&' if '?' in source else '?'}game={game.slug}"


def _typed(game: AnyGame, options: dict[str, object]) -> dict[str, object]:
    built: dict[str, Any] = msgspec.to_builtins(game.options(options, from_text=True))
    return built
