"""Kept matches over HTTP: list, begin, resume, name, correct and remove them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from statistics import median
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from flask import Response, abort, request
from msgspec import Meta

from companion.errors import InvalidMove, UserError
from companion.games.game import Outcome
from companion.games.players import levels_of, player_of
from companion.games.registry import AnyGame, game, hides
from companion.messages import plain_name
from companion.play import exports
from companion.play.history import History, correction
from companion.play.journal import Journal, JournalReader
from companion.play.match import FROM_PHOTO, Match, summary_of
from companion.play.records import known_as, local
from companion.play.schema import MatchRecord, Summary
from companion.play.seats import LOT, Player, draw_lots
from companion.play.snapshot import UNPLAYABLE
from companion.play.table import Table
from web.app_state import TableNow, app_state, or_404, running
from web.error_pages import refuse, say, sentence_of
from web.identity import phone
from web.match_api import PHONE
from web.openapi import Nothing, Routes
from web.permissions import BEGIN, CHANGE_KEPT, LOOK, PLAY

LOOKED_BACK = 100
"""The newest matches that are searched for a game's last one."""

NOT_PLAYED_HERE = (FROM_PHOTO, "import")
"""Sources of the last entry of matches that were not played move by move at this table."""

LEAST_TIMED = 3
"""The fewest matches of a game for an estimate of its length."""

LONGEST_MATCH = timedelta(hours=4)
"""A longer match was put aside in between."""

JSON_LINES = "application/x-ndjson"

EXPORTS: dict[str, tuple[Callable[[Match], str], str, str]] = {
    "jsonl": (exports.as_lines, JSON_LINES, "jsonl"),
    "csv": (exports.as_csv, "text/csv", "csv"),
    "bgstats": (exports.as_bg_stats, "application/json", "json"),
}
"""The formats of an exported match: writer, media type, end of the file's name."""

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

PAGE_OF_MATCHES = 20

NOBODY = Player()

matches_api = Routes("matches")


class NewMatch(msgspec.Struct, frozen=True):
    """A match to begin: the game's slug, its options (others by default), seats and players.

    With `lot`, the players (each must have a name) and their phones are dealt out to the seats by lot. With
    `instead_of`, it begins only while that match is on the table. `computer` names the seats that the
    companion plays, with their levels. Hands are secret in some games: there, it plays only with `dealt`,
    when it deals the cards to all. `seat` is for the asker's phone, if that sits already.
    """

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}
    lot: bool = False
    instead_of: int | None = None
    computer: dict[str, str] = {}
    dealt: bool = False
    seat: str = ""


class Resume(msgspec.Struct, frozen=True):
    """Go on with a kept match; with `instead_of`, only while that match is on the table."""

    instead_of: int | None = None


class LastMatch(NamedTuple):
    """The last match of a game, with its players by seat; `computer`: the levels at the companion's seats."""

    options: dict[str, Any]
    seats: int
    players: dict[str, str]
    computer: Mapping[str, str] = {}
    dealt: bool = False


class KeptMatch(msgspec.Struct, frozen=True):
    """A match in the journal.

    `fault` is set where only a part can be played back; `opens` is false where nothing can. `from_photo`: it
    is the photo of a finished board. `title` is given by people. `computer` are the seats that the companion
    plays in a match that it dealt, or in the one on the table.
    """

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
    seats: tuple[str, ...] = ()
    computer: tuple[str, ...] = ()


class KeptMatches(msgspec.Struct, frozen=True):
    """Kept matches, the newest first; `before` asks for the next older ones, 0 at the end."""

    matches: tuple[KeptMatch, ...]
    before: int = 0


class Wanted(msgspec.Struct, frozen=True):
    """A choice of matches; empty values choose all. Days are those of this machine's time."""

    game: Annotated[str, Meta(description="Only of the game with this slug")] = ""
    player: Annotated[str, Meta(description="Only with the player of this name")] = ""
    since: Annotated[str, Meta(description="Only from this day on, written like 2026-11-23")] = msgspec.field(
        name="from", default=""
    )
    until: Annotated[str, Meta(description="Only up to this day")] = msgspec.field(name="to", default="")

    def takes(self, record: MatchRecord, summary: Summary | None) -> bool:
        """True for a wanted match."""
        names = map(known_as, summary.players.values()) if summary else ()
        # The day of a damaged match may be gone.
        day = f"{local(record.began):%Y-%m-%d}" if record.began and (self.since or self.until) else ""
        return (
            self.game in ("", record.game)
            and (not self.player or known_as(self.player) in names)
            and self.since <= day <= (self.until or day)
        )

    @property
    def query(self) -> str:
        """The part of an address behind its `?`; empty where all are wanted."""
        return urlencode({name: value for name, value in msgspec.to_builtins(self).items() if value})


def wanted_matches() -> Wanted:
    """Read `game`, `player`, `from` and `to` of the request; a day is written like 2026-11-23."""
    asked = {name: text.strip() for name, text in request.args.items()}
    bad = [name for name in ("from", "to") if not DAY.fullmatch(asked.get(name, ""))]
    return msgspec.convert(asked | dict.fromkeys(bad, ""), Wanted)


@matches_api.route("GET", "/api/matches", who=LOOK, gives=KeptMatches, asks=Wanted, refusals=(503,))
def matches() -> KeptMatches:
    """The newest kept matches."""
    return kept_matches(None, wanted_matches())


@matches_api.route(
    "GET",
    "/api/matches/before/<int:number>",
    who=LOOK,
    gives=KeptMatches,
    asks=Wanted,
    refusals=(503,),
)
def older_matches(number: int) -> KeptMatches:
    """The newest matches before match `number`, chosen in the same way."""
    return kept_matches(number, wanted_matches())


@matches_api.route("POST", "/api/matches", who=BEGIN, takes=NewMatch, gives=TableNow, refusals=(409, 503))
def begin(new: NewMatch) -> TableNow | Response:
    """Put this match aside (it stays kept) and begin another."""
    for name, value in new.options.items():
        if names_a_file(value):
            return refuse("not-an-option", say("web.no-path", option=name), 400)
    try:
        rules = game(new.game)
        seats = min(rules.seat_counts) if new.seats is None else new.seats
        names = rules.seat_names(rules.start(rules.options(new.options), seats))
    except UserError as error:
        return refuse("not-an-option", sentence_of(error), 400)
    strange = {*new.players, *new.computer, new.seat or names[0]} - set(names)
    if new.seat in new.computer:
        strange.add(new.seat)
    if strange:
        raise InvalidMove(new.game, "no-such-seat", seat=min(strange))
    _check_computer(rules, new, names)
    if new.lot and not all(new.players.get(seat, "").strip() for seat in names):
        return refuse("lot-needs-names", say("web.lot-needs-names"), 400)
    table = running().table
    with table.locked():
        drawn = draw_lots(names) if new.lot else names
        players = {
            seat: new.players[typed] for typed, seat in zip(names, drawn, strict=True) if typed in new.players
        }
        running().end_demo()
        order = drawn if new.lot else _order(new, names)
        dealt_to = new.computer if new.dealt else None
        table.begin(
            new.game, new.options, new.seats, order=order, instead_of=new.instead_of, dealt_to=dealt_to
        )
        if (opponent := running().opponent) is not None:
            opponent.stand_up()
            for seat, level in () if new.dealt else new.computer.items():
                opponent.sit_down(seat, level)
        _name_who_plays(players, LOT if new.lot else PHONE)
    return app_state().table_now(phone())


def _check_computer(rules: AnyGame, new: NewMatch, names: tuple[str, ...]) -> None:
    """Refuse seats that the companion cannot play. Raises `InvalidMove`."""
    if new.computer and running().opponent is None:
        abort(404)
    levels = levels_of(rules.slug) if new.dealt or not hides(rules) else ()
    for level in new.computer.values():
        if level not in levels:
            raise InvalidMove(rules.slug, "no-such-level", level=level)
    can_deal = player_of(rules.slug).deals_to_people and 0 < len(new.computer) < len(names)
    if new.dealt and not can_deal:
        raise InvalidMove(rules.slug, "dealt-seats", most=max(rules.seat_counts))


def _order(new: NewMatch, names: tuple[str, ...]) -> tuple[str, ...]:
    """The new seat of each place of the match before: asked for, of the same name, at its place, or free.

    No phone sits at a seat of the companion's; an empty name is no seat.
    """
    seats, asker = running().table.seats, phone()
    free = [seat for seat in names if seat not in new.computer]
    order: dict[str, str] = {}
    asked = seats.seating.seat_of(asker)
    if new.seat and asked:
        free.remove(new.seat)
        order[asked] = new.seat
    for at, place in enumerate(seats.seating.places):
        if place.phone and place.seat not in order and free:
            name = seats.players().get(place.seat, NOBODY).name
            same = [seat for seat in free if name and new.players.get(seat) == name]
            here = [seat for seat in names[at : at + 1] if seat in free]
            order[place.seat] = (same or here or free)[0]
            free.remove(order[place.seat])
    return tuple(order.get(place.seat, "") for place in seats.seating.places)


def names_a_file(value: object) -> bool:
    """True for an option's value that may be a path: those are for whoever sits at the machine."""
    if not isinstance(value, str) or "\n" in value:
        return False
    return "/" in value or "\\" in value or value.endswith(".toml")


class ExportAs(msgspec.Struct, frozen=True):
    """The format of an exported match."""

    format: Annotated[
        Literal["jsonl", "csv", "bgstats"], Meta(description="`bgstats` only once the match is over")
    ] = "jsonl"


@matches_api.route(
    "GET",
    "/api/matches/<int:number>/export",
    who=LOOK,
    gives=JSON_LINES,
    asks=ExportAs,
    refusals=(404, 503),
)
def export(number: int) -> Response:
    """A kept match as a file.

    `companion import` and `companion replay` take the first. Private notes of seats are left out.
    """
    match, kind = match_or_404(number), request.args.get("format", "jsonl")
    if kind not in EXPORTS or (kind == "bgstats" and match.outcome is None):
        abort(404)
    write, media_type, ending = EXPORTS[kind]
    answer = Response(write(match), mimetype=media_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="match-{number}.{ending}"'
    return answer


def match_or_404(number: int) -> Match:
    """The kept match of that number; 404 without one."""
    journal = running().table.journal
    return Match(journal, or_404(journal.match(number)))


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/resume",
    who=BEGIN,
    takes=Resume,
    gives=TableNow,
    refusals=(404, 409, 503),
)
def resume(wanted: Resume, number: int) -> TableNow:
    """Put this match aside and go on with a kept one."""
    or_404(running().table.journal.match(number))
    running().end_demo()
    running().table.resume(number, instead_of=wanted.instead_of)
    return app_state().table_now(phone())


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/again",
    who=BEGIN,
    takes=Resume,
    gives=TableNow,
    refusals=(404, 409, 503),
)
def again(wanted: Resume, number: int) -> TableNow:
    """Begin the same game again, with that match's options, seats and players."""
    return _again(number, wanted.instead_of)


def _again(number: int, instead_of: int | None) -> TableNow:
    state = app_state()
    before = or_404(state.table.journal.match(number))
    players = Match(state.table.journal, before).view().players
    state.running.end_demo()
    state.table.begin(
        before.game,
        before.options,
        before.seats,
        instead_of=instead_of,
        dealt_to=state.table.deals.players(before),
    )
    _name_who_plays(players, PHONE)
    return state.table_now(phone())


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/rematch",
    who=PLAY,
    takes=Nothing,
    gives=TableNow,
    refusals=(404, 409, 503),
)
def rematch(wanted: Nothing, number: int) -> TableNow:
    """Want the finished match on the table again. The first player asks, and with the second it begins.

    Where no other phone sits it begins at once.
    """
    state, table = app_state(), running().table.snapshot
    if table.match.record.id != number or table.match.summary().outcome is None:
        abort(404)
    seat = state.seat(phone())
    others = [sits for sits in state.table.seats.at(number).taken if sits != seat]
    if not others or set(table.rematch) & set(others) or (seat is None and state.may(phone(), BEGIN)):
        return _again(number, instead_of=number)
    if seat is not None:
        state.table.notify(rematch=(seat,))
    return state.table_now(phone())


def _name_who_plays(players: dict[str, str], source: str) -> None:
    """Name the players of a new match as given, or as their phones say."""
    table = running().table
    sitting = {seat: player.name for seat, player in table.seats.players().items() if player.name}
    named = {**sitting, **players}
    if any(named.values()):
        table.name_players(named, source)


def last_of_each_game() -> dict[str, LastMatch]:
    """The last match of each game, among the newest matches."""
    last: dict[str, LastMatch] = {}
    table, opponent = running().table, running().opponent
    for record, kept in islice(table.journal.summaries(), LOOKED_BACK):
        if record.game not in last:
            dealt_to = table.deals.players(record)
            on_table = record.id == table.snapshot.match.record.id
            computer = dealt_to or (opponent.playing() if on_table and opponent is not None else {})
            players = dict(kept.players) if kept else {}
            last[record.game] = LastMatch(record.options, record.seats, players, computer, bool(dealt_to))
    return last


def minutes_played(journal: JournalReader) -> dict[str, int]:
    """The median minutes of each game's last matches played to their end here.

    Games with too few of them are left out.
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
    """One page of the journal's matches with their standing. Raises `JournalError`.

    A match without open entries stays kept but is not listed, unless it is being played or somebody filled in
    a board or a set of cards for it.
    """
    shown = list(islice(_listed(running().table, before, wanted), PAGE_OF_MATCHES + 1))
    if len(shown) <= PAGE_OF_MATCHES:
        return KeptMatches(tuple(shown))
    return KeptMatches(tuple(shown[:-1]), before=shown[-2].id)


def _listed(table: Table, before: int | None, wanted: Wanted) -> Iterator[KeptMatch]:
    played, titles = table.snapshot.match.record.id, table.journal.titles()
    opponent = running().opponent
    playing = {} if opponent is None else opponent.playing()
    for record, kept in table.journal.summaries():
        if (before is None or record.id < before) and wanted.takes(record, kept):
            # An option's text of several lines was written by people.
            filled_in = any("\n" in value for value in record.options.values() if isinstance(value, str))
            match = _kept(table.journal, record, kept, empty_too=record.id == played or filled_in)
            if match is not None:
                computer = {**table.deals.players(record), **(playing if record.id == played else {})}
                yield msgspec.structs.replace(
                    match, title=titles.get(record.id, ""), computer=tuple(computer)
                )


def _kept(
    journal: Journal, record: MatchRecord, kept: Summary | None, *, empty_too: bool
) -> KeptMatch | None:
    """A match with its standing; None for one without open entries, unless `empty_too`."""
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
        seats=summary.seats,
        over=outcome is not None,
        winners=outcome.winners if outcome else (),
        points=outcome.points if outcome else {},
        from_photo=summary.by == FROM_PHOTO,
    )


LONGEST_TITLE = 80


class Title(msgspec.Struct, frozen=True):
    """The title of a match; an empty one removes it."""

    title: str


class Correct(msgspec.Struct, frozen=True):
    """Open move `number` (the first is 1) of a match was `move`, or was never made (None).

    `n` is the number of entries that the asker sees. Without `keep`, the answer only tells the changes.
    """

    number: int
    n: int
    move: dict[str, Any] | None = None
    keep: bool = False


class LostMove(msgspec.Struct, frozen=True):
    """An open move that no longer fits, with its number before the correction, and the reason."""

    number: int
    move: str
    says: str


class StandingOf(msgspec.Struct, frozen=True):
    """A match's standing: its open moves, each seat's points, and the outcome if it is over."""

    moves: int
    standing: dict[str, int]
    outcome: Outcome | None


class Corrected(msgspec.Struct, frozen=True):
    """A correction's changes; made already if `kept`."""

    kept: bool
    before: StandingOf
    after: StandingOf
    lost: tuple[LostMove, ...]


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/title",
    who=CHANGE_KEPT,
    takes=Title,
    gives=Nothing,
    refusals=(404, 503),
)
def title(wanted: Title, number: int) -> Nothing:
    """Set a kept match's title; an empty one removes it."""
    match_or_404(number)
    running().table.journal.name_match(number, plain_name(wanted.title, LONGEST_TITLE))
    return Nothing()


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/remove",
    who=CHANGE_KEPT,
    takes=Nothing,
    gives=Nothing,
    refusals=(404, 409, 503),
)
def remove(_: Nothing, number: int) -> Nothing | Response:
    """Take a kept match off the lists and out of the records; it can be brought back for a month."""
    table = running().table
    with table.locked() as match:
        if number == match.record.id:
            return refuse("on-the-table", say("look.on-the-table"), 409)
        match_or_404(number)
        table.journal.remove(number)
    return Nothing()


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/bring-back",
    who=CHANGE_KEPT,
    takes=Nothing,
    gives=Nothing,
    refusals=(404, 503),
)
def bring_back(_: Nothing, number: int) -> Nothing:
    """Put a removed match on the lists again."""
    journal = running().table.journal
    if number not in {record.id for record in journal.removed()}:
        abort(404)
    journal.bring_back(number)
    return Nothing()


@matches_api.route(
    "POST",
    "/api/matches/<int:number>/correct",
    who=PLAY,
    takes=Correct,
    gives=Corrected,
    refusals=(404, 409, 503),
)
def correct(wanted: Correct, number: int) -> Corrected:
    """Correct a past move, or tell the changes: the moves after it are judged again."""
    table = running().table
    match_or_404(number)
    before = table.kept(number)
    history = before.snapshot.history
    if wanted.keep:
        done = table.correct(number, wanted.number, wanted.move, PHONE, n=wanted.n)
    else:
        right = None if wanted.move is None else before.move(wanted.move)
        done = correction(history, wanted.number, right)
    lost = tuple(
        LostMove(lost.number, before.game.notation(lost.move), sentence_of(lost.error)) for lost in done.lost
    )
    return Corrected(wanted.keep, _standing(history), _standing(done.history), lost)


def _standing(history: History) -> StandingOf:
    game = history.game
    state = game.hide(history.state, None)
    return StandingOf(len(history.seen(None)), game.retrospect.progress(state), history.outcome_in(state))
