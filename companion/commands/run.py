"""`companion run`: the table. Camera → games → dashboard, until it is told to stop."""

from __future__ import annotations

import io
import logging
import signal
import socket
from threading import Event
from typing import Any

import click
import msgspec
import segno

from companion import places
from companion.commands.rules import options_from_text
from companion.games import registry
from companion.games.registry import AnyGame
from companion.live import Live
from companion.table import Table
from hardware.camera.frame import Camera
from hardware.camera.sources import default_source, open_camera
from hardware.camera.virtual.table import VirtualCamera
from hardware.camera.watch import Watcher
from hardware.vision.layout import scene_of
from web.app import create_app
from web.server import Server

DEFAULT_GAME = "this-bed-is-mine"
DEFAULT_PORT = 8000


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion run\n"
    "  companion run --camera usb:0 --game this-bed-is-mine --option board=b\n"
    "  companion run --camera folder:my-pictures\n"
    "  companion run --camera virtual:blurred"
)
@click.option(
    "--camera", "source", metavar="SOURCE", help="virtual, picamera, usb:0, a URL, a file, folder:DIR."
)
@click.option(
    "--game", "slug", default=None, help=f"Which game; default: the last one played, {DEFAULT_GAME}."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to serve on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, help="The port to serve on.")
def run(source: str | None, slug: str | None, options: tuple[str, ...], host: str, port: int) -> None:
    """Watch the table and show the game on every phone; prints the address and its QR code."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    stopping = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    source = source or default_source()
    camera, table = set_table(source, slug, options_from_text(options))
    live = Live(
        table,
        Watcher(camera, told=lambda _: table.tell()),
        scene_of(camera.scene) if camera.scene else None,
        source=source,
        knowledge=places.home() / "eyes.npz" if _real(source) else None,
        cards=places.cards() if _real(source) else None,
    )
    server = Server(create_app(table, live), host, port)
    server.start()
    live.start()
    try:
        click.echo(greeting(host, server.port))
        stopping.wait()
        click.echo("Stopping.", err=True)
    finally:
        live.stop()
        server.stop()
        table.journal.close()


def set_table(source: str, slug: str | None, options: dict[str, object]) -> tuple[Camera, Table]:
    """The camera, and the table to play at. What is only shown (virtual, a folder) is kept apart from
    real games.

    A folder begins a new match of its own, since its pictures begin with the empty bed; elsewhere the
    last match goes on unless it is over. Raises `CompanionError`.
    """
    if _real(source):
        return open_camera(source), Table.open(places.journal(), slug, options)
    game = registry.game(slug or DEFAULT_GAME)
    camera = open_camera(source, options=_typed(game, options))
    told = _typed(game, (game.options_for_scene(camera.scene) if camera.scene else {}) | options)
    if not isinstance(camera, VirtualCamera):
        return camera, Table.begun(places.journal("folder"), game.slug, told)
    table = Table.open(places.journal("virtual"), game.slug, told)
    camera.table.go_on([msgspec.to_builtins(move) for move in table.match.moves])
    return camera, table


def _typed(game: AnyGame, options: dict[str, object]) -> dict[str, object]:
    built: dict[str, Any] = msgspec.to_builtins(game.options(options, from_text=True))
    return built


def _real(source: str) -> bool:
    return not source.startswith(("virtual", "folder:"))


def greeting(host: str, port: int) -> str:
    """What is printed when the table stands: the address, and the same as a QR code."""
    address = f"http://{_reachable(host)}:{port}/"
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True, border=2)
    return (
        f"{address}\n{drawn.getvalue()}Scan it, or open the address on a phone in this network. Ctrl-C stops."
    )


def _reachable(host: str) -> str:
    """The address at which other devices find this one; no packet is sent to learn it."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
