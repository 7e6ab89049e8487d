"""Who may do what at this table: one table of lines, asked before every request.

A route that stands in no line is answered to nobody; a test walks all routes, so that none is forgotten.
docs/seats.md shows the same table, made from this one.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

import msgspec

from companion.play.table import Table

Role = Literal["watcher", "player", "host"]
"""What a phone is at the table."""

ROLES: tuple[Role, ...] = ("watcher", "player", "host")
"""Each may do all that those before it may."""


class Line(msgspec.Struct, frozen=True):
    """One line of the table: what is done, who may do it, and by which routes.

    `silent`: any phone may, too, once no phone of the table has been heard from for `app_state.QUIET_S`.
    A line without routes is asked for inside a route that answers more than one question.
    """

    what: str
    least: Role
    routes: tuple[str, ...] = ()
    silent: bool = False

    def permits(self, role: Role, *, silent: bool = False) -> bool:
        """Whether a phone of that role may, now that the table's own phones are `silent` or are not."""
        return ROLES.index(role) >= ROLES.index(self.least) or (self.silent and silent)


LOOK = Line(
    "look at the table, the matches and the panel",
    "watcher",
    (
        "GET /",
        "GET /welcome",
        "GET /watch",
        "GET /display",
        "GET /offline",
        "GET /api/match",
        "GET /api/table",
        "GET /api/events",
        "GET /new",
        "GET /rules/<slug>",
        "GET /own/<slug>/<option>",
        "GET /own/<slug>/<option>/<name>.toml",
        "GET /own/pictures/<name>.jpg",
        "GET /history",
        "GET /history/<int:number>",
        "GET /history/before/<int:number>",
        "GET /api/matches",
        "GET /api/matches/before/<int:number>",
        "GET /api/matches/<int:number>/moves",
        "GET /api/matches/<int:number>/moves.csv",
        "GET /api/matches/<int:number>/bgstats",
        "GET /api/matches/<int:number>/at/<int:moves>",
        "GET /api/matches/<int:number>/course",
        "GET /api/matches/<int:number>/ending",
        "GET /api/matches/<int:number>/review",
        "GET /panel",
        "GET /opponent",
        "GET /api/panel",
        "GET /api/panel/patterns",
        "GET /camera",
        "GET /sheets/<name>.pdf",
        "GET /api/camera",
        "GET /score",
        "GET /players",
        "GET /player",
        "GET /years/<int:year>",
        "GET /api/records",
        "GET /api/records/<int:year>",
    ),
)
FILES = Line(
    "load a page's files, the API's description, health and figures",
    "watcher",
    (
        "GET /static/<path:filename>",
        "GET /packed/<name>.js",
        "GET /packed/<slug>/<language>/<name>.js",
        "GET /games/<slug>/<name>",
        "GET /favicon.ico",
        "GET /app.webmanifest",
        "GET /service-worker.js",
        "GET /apple-touch-icon.png",
        "GET /api/openapi.json",
        "GET /health",
        "GET /metrics",
    ),
)
SIT = Line(
    "see who sits where, sit down by a code, stand up",
    "watcher",
    (
        "GET /join",
        "GET /join.svg",
        "GET /join/<int:place>.svg",
        "GET /api/seats",
        "POST /api/seats/take",
        "POST /api/seats/leave",
    ),
)
ASK = Line("ask to be let in, type the PIN", "watcher", ("POST /api/seats/ask", "POST /api/seats/host"))
PLAY = Line(
    "play: moves, undo, redo, a past move put right, answers to the camera, the whole board read again, the "
    "panel's buttons, a seat for the table, hints",
    "player",
    (
        "POST /api/matches/<int:number>/correct",
        "POST /api/moves",
        "POST /api/undo",
        "POST /api/redo",
        "POST /api/sighting",
        "POST /api/panel/buttons",
        "POST /api/camera/whole",
        "POST /api/opponent",
        "POST /api/hint",
        "POST /api/hints",
    ),
)
NAME = Line("name the players", "player", ("POST /api/players",))
SEE = Line(
    "see the camera's picture and what is read in it, see or delete the pictures of a match's moves",
    "player",
    (
        "GET /api/camera/picture",
        "GET /api/camera/overlay",
        "GET /api/camera/crop",
        "GET /api/camera/lessons",
        "GET /api/matches/<int:number>/pictures",
        "GET /api/matches/<int:number>/pictures/<int:picture>",
        "POST /api/matches/<int:number>/pictures/remove",
    ),
)
TRY_PANEL = Line("try the panel's buttons and lamps", "host", ("POST /api/panel/try",))
SCORE = Line(
    "score a finished board from a photo, see or delete kept photos, and let a photo of the dice be read",
    "player",
    (
        "POST /api/photos",
        "GET /api/photos/<int:number>",
        "POST /api/photos/<int:number>/pictures",
        "GET /api/photos/<int:number>/pictures/<int:photo>",
        "POST /api/photos/<int:number>/corners",
        "POST /api/photos/<int:number>/remove",
        "POST /api/photos/<int:number>/read",
        "GET /api/photos/<int:number>/crops/<int:tile>",
        "POST /api/photos/<int:number>/board",
        "POST /api/photos/<int:number>/keep",
        "POST /api/photos/<int:number>/drop",
        "POST /api/photos/throw",
        "GET /api/matches/<int:number>/photos/<int:photo>",
        "POST /api/matches/<int:number>/photos/remove",
    ),
)
LET_IN = Line("let a phone in that asks", "player", ("POST /api/seats/let-in",))
SIT_WITHOUT_CODE = Line("sit down at a free seat without its code", "player", silent=True)
SHOW_CODES = Line(
    "make a device show the codes of free seats", "player", ("POST /api/seats/screen",), silent=True
)
HAND_OVER_OWN = Line(
    "hand over what this phone itself noted at a seat", "watcher", ("POST /api/seats/hand-over",)
)
HAND_OVER = Line("hand over what others noted, as a host of that time or by the PIN", "host")
REMOVE = Line("remove a phone", "host", ("POST /api/seats/throw-out",), silent=True)
BEGIN = Line(
    "begin or resume a match",
    "host",
    (
        "POST /api/matches",
        "POST /api/matches/<int:number>/resume",
        "POST /api/matches/<int:number>/again",
        "POST /api/opponent/deal",
    ),
)
CHANGE_KEPT = Line(
    "name a kept match, take it off the list and back",
    "host",
    (
        "POST /api/matches/<int:number>/title",
        "POST /api/matches/<int:number>/remove",
        "POST /api/matches/<int:number>/bring-back",
    ),
)
OWN = Line(
    "keep and remove boards of one's own",
    "host",
    ("POST /api/own", "POST /api/own/remove", "POST /api/own/picture"),
)
END_DEMO = Line(
    "end the demo, so that people play; try the set-up on it",
    "host",
    (
        "POST /api/demo/leave",
        "GET /api/demo",
        "POST /api/demo/rehearsal",
        "POST /api/demo/put",
        "POST /api/demo/fault",
    ),
)
TEACH = Line(
    "set up and teach the camera, try how well it reads",
    "host",
    (
        "POST /api/camera/empty",
        "POST /api/camera/teach",
        "POST /api/camera/corners",
        "POST /api/camera/forget",
        "GET /api/camera/check",
        "GET /api/camera/check/empty",
        "POST /api/camera/check/lesson",
        "GET /api/camera/learnt",
        "GET /accuracy",
        "GET /api/accuracy",
        "GET /api/accuracy/reports",
        "GET /api/accuracy/reports.csv",
        "POST /api/accuracy/begin",
        "POST /api/accuracy/answer",
        "POST /api/accuracy/end",
    ),
)

CHANGE_SETTINGS = Line(
    "see and change the settings, test the broker",
    "host",
    (
        "POST /api/pictures/remove",
        "GET /settings",
        "GET /api/settings",
        "POST /api/settings",
        "GET /api/broker",
        "POST /api/broker/try",
    ),
)
CALL_REFEREE = Line("call the referee", "player", ("POST /api/referee",))
SAY = Line("show a line on every page, call the table", "host", ("POST /api/notices",))

TABLE = (
    *(LOOK, FILES, SIT, ASK, HAND_OVER_OWN, PLAY, NAME, SEE, SCORE, LET_IN, SIT_WITHOUT_CODE, SHOW_CODES),
    *(HAND_OVER, REMOVE, BEGIN, CHANGE_KEPT, OWN, END_DEMO, TEACH, TRY_PANEL, CHANGE_SETTINGS, SAY),
    CALL_REFEREE,
)
"""Every line, from what all may do to what the host alone may."""

LINE_OF = MappingProxyType({route: line for line in TABLE for route in line.routes})
"""The line of each route, by method and path as Flask writes it."""


def role_of(table: Table, phone: str, *, kitchen: bool) -> Role:
    """What a phone is at a table. While nobody sits, and at a `kitchen` table, everyone is the host."""
    seats, seating = table.seats, table.seating
    if kitchen or not seating.taken or seats.is_host(phone):
        return "host"
    sits = seating.seat_of(phone) is not None
    return "player" if sits or seats.is_guest(phone) or seats.is_screen(phone) else "watcher"


def as_markdown() -> str:
    """The table as docs/seats.md shows it."""
    columns = tuple(reversed(ROLES))
    rows = [f"| | {' | '.join(columns)} |", "| --- | --- | --- | --- |"]
    for line in TABLE:
        other = "after five silent minutes" if line.silent else "no"
        cells = ["yes" if line.permits(role) else other for role in columns]
        rows.append(f"| {' | '.join([line.what[0].upper() + line.what[1:], *cells])} |")
    return "\n".join(rows) + "\n"
