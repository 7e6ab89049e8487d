"""Who plays, as `companion run` is told: names of people, in the order of the seats or by lot."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.errors import MendableError
from companion.messages import messages_of_game
from companion.play.lot import LOT, draw_lots
from companion.play.table import Table

COMMAND_LINE = "command-line"
"""The source of an entry that names players as the command line does."""


def name_players(table: Table, players: Sequence[str], *, by_lot: bool) -> None:
    """Give the seats of the match on the table the names of people.

    A lot is drawn once for a match: when the program starts again, the names stay where they were put. Raises
    `MendableError` when there are not as many names as seats.
    """
    match = table.match
    seats = match.seat_names
    if len(players) != len(seats) and (players or by_lot):
        raise MendableError(
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
