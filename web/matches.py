"""Matches kept over HTTP: the list of them, a new one, going on with an old one."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, abort

from companion.errors import InvalidMove, MendableError
from companion.games.registry import game
from companion.play.journal import Journal, MatchRecord
from companion.play.match import Match
from web.app_state import TableNow, app_state
from web.error_pages import refuse, say, sentence_of
from web.identity import phone
from web.match_api import PHONE
from web.openapi import Routes

PAGE_OF_MATCHES = 20
"""How many matches one page of the list shows."""

matches_api = Routes("matches")


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


@matches_api.route("GET", "/api/matches", gives=KeptMatches, refusals=(503,))
def matches() -> KeptMatches:
    """The newest matches kept here."""
    return kept_matches(None)


@matches_api.route("GET", "/api/matches/before/<int:number>", gives=KeptMatches, refusals=(503,))
def older_matches(number: int) -> KeptMatches:
    """The newest matches that are older than match `number`."""
    return kept_matches(number)


@matches_api.route("POST", "/api/matches", takes=NewMatch, gives=TableNow, refusals=(400, 403, 503))
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
    app_state().table.begin(new.game, new.options, new.seats)
    if any(new.players.values()):
        app_state().table.name_players(new.players, PHONE)
    return app_state().now(phone())


def names_a_file(value: object) -> bool:
    """Whether an option's value may be the path of a file: those are for whoever sits at the machine."""
    if not isinstance(value, str) or "\n" in value:
        return False
    return "/" in value or "\\" in value or value.endswith(".toml")


@matches_api.route("POST", "/api/matches/<int:number>/resume", gives=TableNow, refusals=(403, 404, 409, 503))
def resume(number: int) -> TableNow:
    """Put this match aside and go on with a kept one."""
    if all(record.id != number for record in app_state().table.journal.matches()):
        abort(404)
    app_state().table.resume(number)
    return app_state().now(phone())


def kept_matches(before: int | None) -> KeptMatches:
    """One page of the journal's matches, each with how it stands. Raises `JournalError`.

    A match in which nothing was done in the open stays kept but is not listed, unless it is being played or
    somebody filled in a board or a set of cards for it.
    """
    journal, played = app_state().table.journal, app_state().table.match.record
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
