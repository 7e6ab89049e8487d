"""Matches kept over HTTP: the list of them, a new one, going on with an old one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from flask import Response, abort, request

from companion.errors import InvalidMove, MendableError
from companion.games.registry import game
from companion.play import exports
from companion.play.entries import MatchRecord
from companion.play.journal import Journal
from companion.play.lot import LOT, draw_lots
from companion.play.match import FROM_PHOTO, Match, summary_of
from companion.play.reading import JournalReader
from companion.play.records import known_as, local
from companion.play.snapshot import UNPLAYABLE
from companion.play.summary import Summary
from companion.play.table import Table
from web.app_state import TableNow, app_state
from web.error_pages import refuse, say, sentence_of
from web.identity import phone
from web.match_api import PHONE
from web.openapi import Routes

LOOKED_BACK = 100
"""How many matches are looked at for how a game was played last."""

NOT_PLAYED_HERE = (FROM_PHOTO, "import")
"""Sources of the last entry of matches whose moves were not made one by one at this table."""

LEAST_TIMED = 3
"""Matches of a game, at least, for its page to say how long it takes here."""

LONGEST_MATCH = timedelta(hours=4)
"""A match that took longer was put aside in between."""

JSON_LINES = "application/x-ndjson"
"""The media type of a file with one JSON object a line."""

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
"""A day as it stands in an address."""

PAGE_OF_MATCHES = 20
"""How many matches one page of the list shows."""

matches_api = Routes("matches")


class NewMatch(msgspec.Struct, frozen=True):
    """What to play: the game's slug, its options (the others as by default), seats, who sits there.

    With `lot`, the players (each must have a name) and their phones are dealt out to the seats by lot. With
    `instead_of`, it begins only while that match is on the table.
    """

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}
    lot: bool = False
    instead_of: int | None = None


class Resume(msgspec.Struct, frozen=True):
    """Go on with a kept match; with `instead_of`, only while that match is on the table."""

    instead_of: int | None = None


class LastMatch(NamedTuple):
    """How a game was played last: its options, the number of seats, the players by seat."""

    options: dict[str, Any]
    seats: int
    players: dict[str, str]


class KeptMatch(msgspec.Struct, frozen=True):
    """A match in the journal. `fault` is set where not all of it can be played back; `opens` is false where
    nothing of it can be. `from_photo`: it is the photo of a finished board. `title`: what people call it."""

    id: int
    game: str
    began: str
    options: dict[str, Any]
    moves: int = 0
    players: dict[str, str] = {}
    over: bool = False
    winners: tuple[str, ...] = ()
    points: dict[str, int] = {}
    fault: str = ""
    opens: bool = True
    from_photo: bool = False
    title: str = ""


class KeptMatches(msgspec.Struct, frozen=True):
    """Matches kept, the newest first; `before` asks for the next older ones, 0 when there are none."""

    matches: tuple[KeptMatch, ...]
    before: int = 0


class Wanted(NamedTuple):
    """Which matches are listed: of one game, with one player, from one day to another.

    Days are those of this machine's time. What is empty leaves all in.
    """

    game: str = ""
    player: str = ""
    since: str = ""
    until: str = ""

    def takes(self, record: MatchRecord, summary: Summary | None) -> bool:
        """Whether a match is among them."""
        names = map(known_as, summary.players.values()) if summary else ()
        return (
            self.game in ("", record.game)
            and (not self.player or known_as(self.player) in names)
            and (not (self.since or self.until) or self._between(record))
        )

    def _between(self, record: MatchRecord) -> bool:
        # The day of a damaged match may be gone.
        day = f"{local(record.began):%Y-%m-%d}" if record.began else ""
        return self.since <= day <= (self.until or day)

    @property
    def query(self) -> str:
        """The part of an address behind its `?`; empty where all are wanted."""
        given = {"game": self.game, "player": self.player, "from": self.since, "to": self.until}
        return urlencode({name: value for name, value in given.items() if value})


def wanted_matches() -> Wanted:
    """What the request asks for by `game`, `player`, `from` and `to`; a day is written like 2026-11-23."""
    asked = [request.args.get(name, "").strip() for name in ("game", "player", "from", "to")]
    days = [day if DAY.fullmatch(day) else "" for day in asked[2:]]
    return Wanted(*asked[:2], *days)


@matches_api.route("GET", "/api/matches", gives=KeptMatches, refusals=(503,))
def matches() -> KeptMatches:
    """The newest matches kept here; `?game=`, `player=`, `from=` and `to=` choose among them."""
    return kept_matches(None, wanted_matches())


@matches_api.route("GET", "/api/matches/before/<int:number>", gives=KeptMatches, refusals=(503,))
def older_matches(number: int) -> KeptMatches:
    """The newest matches that are older than match `number`, chosen in the same way."""
    return kept_matches(number, wanted_matches())


@matches_api.route("POST", "/api/matches", takes=NewMatch, gives=TableNow, refusals=(400, 403, 409, 503))
def begin(new: NewMatch) -> TableNow | Response:
    """Put this match aside (it stays kept) and begin another."""
    for name, value in new.options.items():
        if names_a_file(value):
            return refuse("not-an-option", say("web.no-path", option=name), 400)
    try:
        rules = game(new.game)
        seats = min(rules.seat_counts) if new.seats is None else new.seats
        names = rules.seat_names(rules.start(rules.options(new.options), seats))
    except MendableError as error:
        return refuse("not-an-option", sentence_of(error), 400)
    strange = new.players.keys() - set(names)
    if strange:
        raise InvalidMove(new.game, "no-such-seat", seat=min(strange))
    if new.lot and not all(new.players.get(seat, "").strip() for seat in names):
        return refuse("lot-needs-names", say("web.lot-needs-names"), 400)
    order = draw_lots(names) if new.lot else names
    players = {
        seat: new.players[typed] for typed, seat in zip(names, order, strict=True) if typed in new.players
    }
    app_state().table.begin(new.game, new.options, new.seats, order=order, instead_of=new.instead_of)
    _name_who_plays(players, LOT if new.lot else PHONE)
    return app_state().now(phone())


def names_a_file(value: object) -> bool:
    """Whether an option's value may be the path of a file: those are for whoever sits at the machine."""
    if not isinstance(value, str) or "\n" in value:
        return False
    return "/" in value or "\\" in value or value.endswith(".toml")


@matches_api.route(
    "GET", "/api/matches/<int:number>/moves", gives="application/x-ndjson", refusals=(404, 503)
)
def moves(number: int) -> Response:
    """A kept match as the lines of a file that `companion import` and `companion replay` take.

    What seats noted in private is left out; the rest is a whole match.
    """
    return _saved(exports.as_lines(match_or_404(number)), JSON_LINES, f"match-{number}.jsonl")


@matches_api.route("GET", "/api/matches/<int:number>/moves.csv", gives="text/csv", refusals=(404, 503))
def moves_as_csv(number: int) -> Response:
    """A kept match as a table: a row for each open entry, its move in the game's notation."""
    return _saved(exports.as_csv(match_or_404(number)), "text/csv", f"match-{number}.csv")


@matches_api.route("GET", "/api/matches/<int:number>/bgstats", gives="application/json", refusals=(404, 503))
def bg_stats(number: int) -> Response:
    """A finished match as a play for the BG Stats app; 404 for one that is not over."""
    match = match_or_404(number)
    if match.outcome is None:
        abort(404)
    return _saved(exports.as_bg_stats(match), "application/json", f"match-{number}.json")


def match_or_404(number: int) -> Match:
    """The kept match of that number; 404 where none is."""
    journal = app_state().table.journal
    record = journal.match(number)
    return Match(journal, record) if record is not None else abort(404)


def _saved(text: str, media_type: str, name: str) -> Response:
    """A text that a browser saves as a file of that name."""
    answer = Response(text, mimetype=media_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/resume",
    takes=Resume,
    gives=TableNow,
    refusals=(400, 403, 404, 409, 503),
)
def resume(wanted: Resume, number: int) -> TableNow:
    """Put this match aside and go on with a kept one."""
    if app_state().table.journal.match(number) is None:
        abort(404)
    app_state().table.resume(number, instead_of=wanted.instead_of)
    return app_state().now(phone())


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/again",
    takes=Resume,
    gives=TableNow,
    refusals=(400, 403, 404, 409, 503),
)
def again(wanted: Resume, number: int) -> TableNow:
    """Begin the same game again, as that match was begun: its options, seats and players."""
    state = app_state()
    before = state.table.journal.match(number)
    if before is None:
        abort(404)
    players = Match(state.table.journal, before).view().players
    state.table.begin(
        before.game,
        before.options,
        before.seats,
        instead_of=wanted.instead_of,
        dealt_to=state.table.deals.players(number),
    )
    _name_who_plays(players, PHONE)
    return state.now(phone())


def _name_who_plays(players: dict[str, str], source: str) -> None:
    """Name the players of a new match: those of the phones that sit, or as given."""
    table = app_state().table
    sitting = {seat: each.name for seat, each in table.seats.players().items() if each.name}
    named = {**sitting, **players}
    if any(named.values()):
        table.name_players(named, source)


def last_of_each_game() -> dict[str, LastMatch]:
    """How each game was played last, among the newest matches."""
    last: dict[str, LastMatch] = {}
    for record, kept in islice(app_state().table.journal.summaries(), LOOKED_BACK):
        players = dict(kept.players) if kept else {}
        last.setdefault(record.game, LastMatch(record.options, record.seats, players))
    return last


def minutes_played(journal: JournalReader) -> dict[str, int]:
    """How many minutes a match of each game took here, in the middle of the last ones that were played out.

    Without a game of which too few were.
    """
    ended = journal.last_times()
    lasted: dict[str, list[float]] = {}
    for record, kept in islice(journal.summaries(), LOOKED_BACK):
        if kept is None or kept.outcome is None or kept.by in NOT_PLAYED_HERE or record.id not in ended:
            continue
        time = datetime.fromisoformat(ended[record.id]) - datetime.fromisoformat(record.began)
        if time <= LONGEST_MATCH:
            lasted.setdefault(record.game, []).append(time.total_seconds() / 60)
    return {slug: max(1, round(median(times))) for slug, times in lasted.items() if len(times) >= LEAST_TIMED}


def kept_matches(before: int | None, wanted: Wanted) -> KeptMatches:
    """One page of the journal's matches, each with how it stands. Raises `JournalError`.

    A match in which nothing was done in the open stays kept but is not listed, unless it is being played or
    somebody filled in a board or a set of cards for it.
    """
    shown = list(islice(_listed(app_state().table, before, wanted), PAGE_OF_MATCHES + 1))
    if len(shown) <= PAGE_OF_MATCHES:
        return KeptMatches(tuple(shown))
    return KeptMatches(tuple(shown[:-1]), before=shown[-2].id)


def _listed(table: Table, before: int | None, wanted: Wanted) -> Iterator[KeptMatch]:
    played, titles = table.snapshot.match.record.id, table.journal.titles()
    for record, kept in table.journal.summaries():
        if (before is None or record.id < before) and wanted.takes(record, kept):
            match = _kept(table.journal, record, kept, empty_too=record.id == played or _filled_in(record))
            if match is not None:
                yield msgspec.structs.replace(match, title=titles.get(record.id, ""))


def _filled_in(record: MatchRecord) -> bool:
    """Whether an option is a text of lines that a person wrote: the choices that games offer have none."""
    return any("\n" in value for value in record.options.values() if isinstance(value, str))


def _kept(
    journal: Journal, record: MatchRecord, kept: Summary | None, *, empty_too: bool
) -> KeptMatch | None:
    """How a match stands; None for one without open entries, unless `empty_too`."""
    if kept is not None and not kept.n and not empty_too:
        return None
    bare = KeptMatch(record.id, record.game, record.began, record.options)
    try:
        summary, cut = summary_of(journal, record, kept)
    except UNPLAYABLE as error:
        return msgspec.structs.replace(bare, fault=sentence_of(error), opens=False)
    if not summary.n and not empty_too:
        return None
    outcome = summary.outcome
    return msgspec.structs.replace(
        bare,
        fault=say("notice.match") if cut else "",
        moves=summary.moves,
        players=summary.players,
        over=outcome is not None,
        winners=outcome.winners if outcome else (),
        points=outcome.points if outcome else {},
        from_photo=summary.by == FROM_PHOTO,
    )
