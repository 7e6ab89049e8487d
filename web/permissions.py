"""Permissions at this table: every route names its line, checked before each request.

docs/seats.md shows them as a table, made from these.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.play.table import Table

Role = Literal["watcher", "player", "host"]

ROLES: tuple[Role, ...] = ("watcher", "player", "host")
"""Each may do everything that those before it may."""


class Line(msgspec.Struct, frozen=True):
    """One line of the table: an act, and the least role for it.

    `silent`: any phone may do it, too, after `app_state.QUIET_S` of silence from the table's phones.
    `by_pin`: only a phone that has typed the PIN may, even while nobody sits and at an open table.
    """

    what: str
    least: Role
    silent: bool = False
    by_pin: bool = False

    def permits(self, role: Role, *, silent: bool = False, by_pin: bool = False) -> bool:
        """True if that role may; `silent`: the table's phones have been silent for long; `by_pin`: the phone
        has typed the PIN."""
        if self.by_pin and not by_pin:
            return False
        return ROLES.index(role) >= ROLES.index(self.least) or (self.silent and silent)


LOOK = Line("look at the table, the matches and the panel", "watcher")
FILES = Line("load a page's files, the API's description, health and figures", "watcher")
SIT = Line("see who sits where, sit down by a code, stand up", "watcher")
ASK = Line("ask to be let in, type the PIN", "watcher")
PLAY = Line(
    "play: moves, undo, redo, a past move put right, answers to the camera, the whole board read again, the "
    "panel's buttons, a seat for the table, hints",
    "player",
)
NAME = Line("name the players", "player")
SEE = Line(
    "see the camera's picture and what is read in it, see or delete the pictures of a match's moves",
    "player",
)
TRY_PANEL = Line("try the panel's buttons and lamps", "host")
SCORE = Line("score a finished board from a photo", "watcher")
KEPT_PHOTOS = Line("see or delete kept photos, and let a photo of the dice be read", "player")
LET_IN = Line("let a phone in that asks", "player")
# Lines that are asked inside a route which answers more than one question.
SIT_WITHOUT_CODE = Line("sit down at a free seat without its code", "player", silent=True)
SHOW_CODES = Line("make a device show the codes of free seats", "player", silent=True)
HAND_OVER_OWN = Line("hand over what this phone itself noted at a seat", "watcher")
HAND_OVER = Line("hand over what others noted, as a host of that time or by the PIN", "host")
REMOVE = Line("remove a phone", "host", silent=True)
BEGIN = Line("begin or resume a match", "host")
CHANGE_KEPT = Line("name a kept match, take it off the list and back", "host")
OWN = Line("keep and remove boards of one's own", "host")
END_DEMO = Line("end the demo, so that people play; try the set-up on it", "host")
TEACH = Line("set up and teach the camera, try how well it reads", "host")

CHANGE_SETTINGS = Line("see and change the settings", "host")
CONNECT = Line("name the broker and its password, test it; open the table to everybody", "host", by_pin=True)
CALL_REFEREE = Line("call the referee", "player")
SAY = Line("show a line on every page, call the table", "host")

TABLE = (
    *(LOOK, FILES, SIT, ASK, HAND_OVER_OWN, SCORE, PLAY, NAME, SEE, KEPT_PHOTOS, LET_IN),
    *(SIT_WITHOUT_CODE, SHOW_CODES),
    *(HAND_OVER, REMOVE, BEGIN, CHANGE_KEPT, OWN, END_DEMO, TEACH, TRY_PANEL, CHANGE_SETTINGS, CONNECT, SAY),
    CALL_REFEREE,
)


def role_of(table: Table, phone: str, *, kitchen: bool) -> Role:
    """A phone's role at a table. While nobody sits, and at a `kitchen` table, everyone is the host."""
    seats, seating = table.seats, table.seats.at(table.snapshot.match.record.id)
    if kitchen or not seating.taken or phone in seats.phones.hosts:
        return "host"
    sits = seating.seat_of(phone) is not None
    known = phone in (*seats.phones.guests, *seats.phones.screens)
    return "player" if sits or known else "watcher"


def as_markdown() -> str:
    """The table as docs/seats.md shows it."""
    columns = tuple(reversed(ROLES))
    rows = [f"| | {' | '.join(columns)} |", "| --- | --- | --- | --- |"]
    for line in TABLE:
        other = "after five silent minutes" if line.silent else "no"
        allowed = "after the PIN" if line.by_pin else "yes"
        cells = [allowed if line.permits(role, by_pin=True) else other for role in columns]
        rows.append(f"| {' | '.join([line.what[0].upper() + line.what[1:], *cells])} |")
    return "\n".join(rows) + "\n"
