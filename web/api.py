"""The match over HTTP: what pages and scripts read and change."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort

from companion.errors import InvalidMove, MendableError
from companion.games.registry import game
from companion.journal import Journal, MatchRecord
from companion.match import Match, MatchView
from web.asker import phone
from web.house import TableNow, house
from web.openapi import AnyMove, BadBody, Routes, as_json, describe
from web.refusals import refuse, say, sentence_of

PHONE = "phone"
"""The source that the journal notes for whatever was tapped."""

PAGE_OF_MATCHES = 20

api = Routes("api")


class LastEntry(msgspec.Struct, frozen=True):
    """The last entry that the asker knew of; given, it must still be the last."""

    n: int | None = None


class Players(msgspec.Struct, frozen=True):
    """Names of people by seat; an empty name takes it off."""

    players: dict[str, str]


class ChosenGuess(msgspec.Struct, frozen=True):
    """Which guess (0 is the best) of the sighting `id` is what was done."""

    id: int
    guess: int


class NewMatch(msgspec.Struct, frozen=True):
    """What to play: the game's slug, its options (the others as by default), seats, who sits there."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}


class KeptMatch(msgspec.Struct, frozen=True):
    """A match in the journal. `fault` is set where it can no longer be played back."""

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


class KeptMatches(msgspec.Struct, frozen=True):
    """Matches kept, the newest first; `before` asks for the next older ones, 0 when there are none."""

    matches: tuple[KeptMatch, ...]
    before: int = 0


@api.route("GET", "/api/openapi.json", gives=dict[str, Any])
def openapi() -> dict[str, Any]:
    """This description."""
    # Imported here: the app knows of all routes, these among them.
    from web.app import EVERY_ROUTE

    return describe([route for each in EVERY_ROUTE for route in each.described])


@api.route("GET", "/api/match", gives=MatchView, refusals=(503,))
def match() -> MatchView:
    """The match as the asker's seat may see it: the game's own view is its `board`."""
    return house().now(phone()).match


@api.route("GET", "/api/table", gives=TableNow, refusals=(503,))
def table() -> Response:
    """The match, the open sighting and the camera's state: what each live event carries."""
    return Response(house().encoded(phone())[1], mimetype="application/json")


@api.route("POST", "/api/moves", takes=AnyMove, gives=TableNow, refusals=(400, 403, 409, 503))
def play(body: dict[str, Any]) -> TableNow:
    """Play one move: the move itself, or `{"move": {...}, "n": 7}` to play only after entry 7.

    What a seat tells in private is taken from the phone that sits there, and from no other.
    """
    inner = body.get("move")
    wrapped = isinstance(inner, dict)
    n = body.get("n") if wrapped else None
    if n is not None and (not isinstance(n, int) or isinstance(n, bool)):
        raise BadBody("Expected `int`, got something else - at `$.n`")
    home = house()
    with home.table.still() as match:
        open_before = match.n_of(None)
        home.table.play(inner if wrapped else body, PHONE, n=n, seat=home.seat(phone()))
        lies_open = match.n_of(None) != open_before
    if lies_open:
        home.count("moves")
    return home.now(phone())


@api.route("POST", "/api/undo", takes=LastEntry, gives=TableNow, refusals=(400, 403, 409, 503))
def undo(last: LastEntry) -> TableNow:
    """Take back the last move that the asker's seat may see."""
    with house().table.still():
        house().table.undo(PHONE, n=last.n, seat=house().seat(phone()))
    return house().now(phone())


@api.route("POST", "/api/redo", takes=LastEntry, gives=TableNow, refusals=(400, 403, 409, 503))
def redo(last: LastEntry) -> TableNow:
    """Play again what was last undone of that which the asker's seat may see."""
    with house().table.still():
        house().table.redo(PHONE, n=last.n, seat=house().seat(phone()))
    return house().now(phone())


@api.route("POST", "/api/players", takes=Players, gives=TableNow, refusals=(400, 403, 503))
def players(named: Players) -> TableNow:
    """Give seats the names of people."""
    house().table.name_players(named.players, PHONE)
    return house().now(phone())


@api.route("POST", "/api/sighting", takes=ChosenGuess, gives=TableNow, refusals=(400, 403, 409, 503))
def sighting(answer: ChosenGuess) -> TableNow:
    """Say which guess of the open sighting is what was done; its moves are played."""
    house().table.answer(answer.id, answer.guess, PHONE)
    house().count("answers")
    return house().now(phone())


@api.route("GET", "/api/matches", gives=KeptMatches, refusals=(503,))
def matches() -> KeptMatches:
    """The newest matches kept here."""
    return kept_matches(None)


@api.route("GET", "/api/matches/before/<int:number>", gives=KeptMatches, refusals=(503,))
def older_matches(number: int) -> KeptMatches:
    """The newest matches that are older than match `number`."""
    return kept_matches(number)


@api.route("POST", "/api/matches", takes=NewMatch, gives=TableNow, refusals=(400, 403, 503))
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
    house().table.begin(new.game, new.options, new.seats)
    if any(new.players.values()):
        house().table.name_players(new.players, PHONE)
    return house().now(phone())


def names_a_file(value: object) -> bool:
    """Whether an option's value may be the path of a file: those are for whoever sits at the machine."""
    if not isinstance(value, str) or "\n" in value:
        return False
    return "/" in value or "\\" in value or value.endswith(".toml")


@api.route("POST", "/api/matches/<int:number>/resume", gives=TableNow, refusals=(403, 404, 409, 503))
def resume(number: int) -> TableNow:
    """Put this match aside and go on with a kept one."""
    if all(record.id != number for record in house().table.journal.matches()):
        abort(404)
    house().table.resume(number)
    return house().now(phone())


@api.route("GET", "/health", gives=dict[str, Any], refusals=(503,))
def health() -> Response:
    """Whether moves can be taken: 200, or 503 with the reason after the journal failed to write."""
    fault = house().table.journal.fault
    eyes = house().fares()
    told = {"ok": not fault, "says": fault, "eyes": eyes.kind if eyes else "none"}
    return as_json(told, 503 if fault else 200)


def kept_matches(before: int | None) -> KeptMatches:
    """One page of the journal's matches, each with how it stands. Raises `JournalError`.

    A match in which nothing was done in the open stays kept but is not listed, unless it is being played or
    somebody filled in a board or a set of cards for it.
    """
    journal, played = house().table.journal, house().table.match.record
    every = journal.matches()
    listed = {each.id for each in every if each.id == played.id or _filled_in(each)}
    ids = {each.id for each in journal.matches(with_entries=True)} | listed
    records = [each for each in every if each.id in ids and (before is None or each.id < before)]
    shown = records[:PAGE_OF_MATCHES]
    more = shown[-1].id if len(records) > len(shown) else 0
    told = (_kept(journal, record, listed=record.id in listed) for record in shown)
    return KeptMatches(tuple(each for each in told if each is not None), more)


def _filled_in(record: MatchRecord) -> bool:
    """Whether an option is a text of lines that a person wrote: the choices that games offer have none."""
    return any("\n" in value for value in record.options.values() if isinstance(value, str))


def _kept(journal: Journal, record: MatchRecord, *, listed: bool) -> KeptMatch | None:
    """How a match stands; None for one without open entries that is not to be listed all the same."""
    bare = KeptMatch(record.id, record.game, record.began, record.options)
    try:
        match = Match(journal, record)
    except (MendableError, ValueError, LookupError) as error:
        return msgspec.structs.replace(bare, fault=sentence_of(error))
    if not match.n_of(None) and not listed:
        return None
    view = match.view()
    outcome = view.outcome
    return msgspec.structs.replace(
        bare,
        moves=view.moves,
        players=view.players,
        over=outcome is not None,
        winners=outcome.winners if outcome else (),
        points=outcome.points if outcome else {},
    )
