"""`companion hall`: one page for many tables on one broker."""

from __future__ import annotations

import logging
import secrets
from datetime import date
from importlib.util import find_spec

import click

from companion.broker.address import broker_address, topic_name
from companion.commands.run import stopped_by_signals
from companion.errors import UserError
from companion.hall.app import create_app
from companion.hall.evening import EveningError
from companion.hall.hall import Hall
from companion.hall.view import HallState
from companion.service.address import greeting
from companion.service.shutdown import leave, stop_together
from companion.settings import checked
from web.server import Server

DEFAULT_PORT = 8100
"""Not a table's own, so that both can run on one computer."""

NEEDS = ("paho", "networkx")
"""The packages of the extra `hall`."""


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion hall --broker mqtt://192.168.1.10\n"
    "  companion hall --broker mqtts://club.example --user hall\n"
    "  companion hall --broker mqtt://192.168.1.10 --evening christmas-cup"
)
@click.option("--broker", "url", required=True, metavar="URL", help="The broker that the tables use.")
@click.option("--user", default="", metavar="NAME", help="The hall's user on the broker.")
@click.option(
    "--password",
    default="",
    metavar="TEXT",
    envvar="COMPANION_BROKER_PASSWORD",
    help="The password of that user, here or in the variable COMPANION_BROKER_PASSWORD.",
)
@click.option(
    "--evening", default="", metavar="NAME", help="Which evening; halls of one name share it.  [today's date]"
)
@click.option(
    "--root", default="", metavar="PREFIX", help="The first level of the tables' topics.  [table-companion]"
)
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to serve on.")
@click.option("--port", default=DEFAULT_PORT, show_default=True, help="The port to serve on.")
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="Another host name of the hall; repeatable."
)
def hall(
    url: str,
    user: str,
    password: str,
    evening: str,
    root: str,
    host: str,
    port: int,
    names: tuple[str, ...],
) -> None:
    """Show all tables of a broker on one page, and lead an evening that they play together.

    It keeps nothing: everything is on the broker. It may be stopped and started again at any moment, and a
    second one may run beside it.
    """
    if not all(map(find_spec, NEEDS)):
        raise EveningError("not-installed")
    from companion.hall.link import Link

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    stopping = stopped_by_signals()
    broker = broker_address(url, user=user, password=password, root=str(checked("broker_root", root)))
    if broker is None:
        raise UserError("Name the broker with --broker, such as mqtt://192.168.1.10.")
    # Drawn at each start: a hall that was killed is still in the broker's list for a moment.
    shared = Hall(topic_name(evening or date.today().isoformat()), secrets.token_hex(4), root=broker.root)
    app = create_app(shared, frozenset(name.lower().removesuffix(".") for name in names))
    state: HallState = app.extensions["companion"]
    server, link = Server(app, host, port), Link(shared, broker)
    server.start()
    link.start()
    try:
        click.echo(greeting(host, server.port))
        click.echo(f"The referee's PIN: {state.pin[:3]} {state.pin[3:]}")
        stopping.wait()
        click.echo("Stopping.", err=True)
    finally:
        stop_together(server.stop, link.stop)
    leave()
