"""Seats over HTTP: taking a seat by its code, leaving it, letting in, removing a lost phone.

A free seat has codes, shown to the table's own phones: those that sit, hosts, guests, and screens (devices
made to show them). A taken seat has no code: the only way to it is to remove its phone, and every phone is
notified of that. `permissions` has the rules.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection
from math import ceil

import msgspec
from flask import Response, request

from companion.errors import IllegalMove, InvalidMove
from companion.games.registry import hides
from companion.messages import plain_name
from companion.play.match import Match
from companion.play.seats import Animal, Colour, Player, phone_of
from companion.play.snapshot import MatchSnapshot
from web import identity
from web.app_state import AppState, app_state
from web.error_pages import not_allowed, refuse, say
from web.joining import WAIT_S, JoinRequest, TooManyGuesses, is_code, source_of
from web.match_api import PHONE
from web.openapi import Routes, as_json
from web.permissions import ASK, HAND_OVER_OWN, LET_IN, REMOVE, SHOW_CODES, SIT, SIT_WITHOUT_CODE, Role

log = logging.getLogger(__name__)

SECRET_BYTES = 32

"""Letters of a player's name."""

seats_api = Routes("seats")


class SeatNow(msgspec.Struct, frozen=True):
    """One seat of the match on the table."""

    seat: str
    taken: bool
    mine: bool
    code: str = ""
    """The code to type; empty for a taken seat and for an asker who may not see it."""
    link: str = ""
    """The code in the QR code, or empty likewise."""
    hand_over: bool = False
    """True where the asker may hand over earlier notes."""
    kept_back: bool = False
    """True where earlier notes are kept back from the asker, who sits here."""


class SeatsNow(msgspec.Struct, frozen=True):
    """The seats of match `match` on the table, in order, for an asker in `seat` with `role`."""

    match: int
    seat: str | None
    screen: bool
    trusted: bool
    """True where the asker may become a screen, and sit down without a code."""
    seats: tuple[SeatNow, ...]
    role: Role = "host"
    may_remove: bool = False
    wait_s: int = 0
    """Seconds, in whole minutes, until any phone may remove silent seated phones."""
    asks: int = 0
    """The asker's number while it asks to be let in, else 0."""
    asking: tuple[int, ...] = ()
    """The numbers of phones that ask, for those who may let them in."""
    askers: tuple[JoinRequest, ...] = ()
    """The same phones with their holders."""
    guests: int = 0
    pin: str = ""
    """The host's PIN, for a phone that has typed one."""


class Holder(msgspec.Struct, frozen=True):
    """The person who holds a phone."""

    name: str = ""
    colour: Colour = ""
    animal: Animal = ""

    @property
    def player(self) -> Player:
        """The holder as kept."""
        return Player(plain_name(self.name), self.colour, self.animal)


class Sit(Holder, frozen=True):
    """The code of a free seat, short or long; or the seat itself, from a trusted phone.

    A program asks for its secret instead of a cookie.
    """

    code: str = ""
    seat: str = ""
    program: bool = False


class Sat(msgspec.Struct, frozen=True):
    """The taken seat; `secret` is for a program alone, sent as `Authorization: Bearer <secret>`."""

    seat: str
    secret: str = ""


class HostPin(msgspec.Struct, frozen=True):
    """The PIN. A program asks for its secret instead of a cookie."""

    pin: str
    program: bool = False


class LetIn(msgspec.Struct, frozen=True):
    """The number of an asking phone; with `no`, it is not let in."""

    number: int
    no: bool = False


class HandOver(msgspec.Struct, frozen=True):
    """The seat whose earlier notes its current phone gets."""

    seat: str


class Evicted(msgspec.Struct, frozen=True):
    """The seat to clear of its phone; or all guests."""

    seat: str = ""
    guests: bool = False


@seats_api.route("GET", "/api/seats", who=SIT, gives=SeatsNow)
def who_sits() -> SeatsNow:
    """All seats, with the codes of free ones for those who may see them."""
    return _seats_now(app_state(), identity.phone())


@seats_api.route("POST", "/api/seats/take", who=SIT, takes=Sit, gives=Sat, refusals=(404, 409, 429, 503))
def take(given: Sit) -> Response:
    """Take a free seat by its code, and give up another one.

    Where the table deals its own cards, the hand lies face down until `/api/seats/pick-up`.
    """
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    if state.running.in_demo:
        return refuse("demo-plays", say("web.demo-plays"), 409)
    with state.table.locked() as match, state.codes_lock:
        seats = state.table.seats
        if given.seat and not state.may(former, SIT_WITHOUT_CODE):
            return not_allowed(SIT_WITHOUT_CODE)
        if given.seat and given.seat not in match.seat_names:
            raise InvalidMove(match.game.slug, "no-such-seat", seat=given.seat)
        address = request.remote_addr or ""
        try:
            seat = given.seat or state.invites.seat(match.record.id, given.code, seats.free(), address)
        except TooManyGuesses as error:
            return _later("too-many-guesses", "web.too-many-guesses", error.wait_s)
        if seat is not None and _plays_elsewhere(state, former, seat):
            raise IllegalMove(match.game.slug, "dealt-own-hand")
        if seat is None or seat not in seats.free():
            if given.seat:
                return refuse("seat-not-free", say("web.seat-not-free"), 404)
            return refuse("no-such-code", say("web.no-such-code"), 404)
        theirs = [number for number, keepers in seats.place(seat).keepers.items() if former in keepers[:1]]
        player = given.player
        seats.take_seat(
            seat,
            phone_of(secret),
            former=former,
            aside=_set_aside(state, seat, former),
            player=player if player != Player() else None,
        )
        if player.name:
            state.table.name_players({seat: player.name}, PHONE)
        _hand_over(state, seat, theirs)
        state.invites.void(seat)
        if (opponent := state.running.opponent) is not None and seat in opponent.playing():
            opponent.stand_up(seat)
        state.touch(phone_of(secret))
        state.table.notify()
    log.info("A phone sits at %s.", seat)
    if given.program:
        return as_json(Sat(seat, secret))
    return identity.give(as_json(Sat(seat)), secret)


@seats_api.route("POST", "/api/seats/me", who=SIT, takes=Holder, gives=SeatsNow, refusals=(409, 503))
def hold(holder: Holder) -> SeatsNow:
    """Set the name, colour and animal of who sits with this phone. Does nothing without a seat."""
    state, phone = app_state(), identity.phone()
    with state.table.locked():
        seat = state.table.seats.seating.seat_of(phone)
        if seat is not None:
            state.table.seats.hold(phone, holder.player)
            state.table.name_players({seat: holder.player.name}, PHONE)
        state.table.notify()
    return _seats_now(state, phone)


@seats_api.route("POST", "/api/seats/pick-up", who=SIT, gives=SeatsNow, refusals=(409, 503))
def pick_up() -> SeatsNow:
    """Pick up the hand that the table has dealt to one's seat. Every page tells of it."""
    state, phone = app_state(), identity.phone()
    with state.table.locked():
        state.table.seats.pick_up(phone)
        state.table.notify()
    return _seats_now(state, phone)


@seats_api.route("POST", "/api/seats/leave", who=SIT, gives=SeatsNow, refusals=(409, 503))
def leave() -> Response:
    """Give up one's seat, showing the codes, or asking to be let in; the secret becomes void."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        seat = state.seat(phone)
        noted = seat is not None and bool(state.table.deals.players(match.record) or _has_noted(match, seat))
        state.table.seats.release(phone)
        state.join_requests.leave(phone)
        state.table.notify()
    answer = as_json(_seats_now(state, phone if noted else ""))
    # The secret opens no seat now, but the phone still needs it to hand over its notes.
    return answer if noted else identity.take_away(answer)


@seats_api.route("POST", "/api/seats/screen", who=SHOW_CODES, gives=SeatsNow, refusals=(409, 503))
def screen() -> Response:
    """Show the codes of free seats on the asker's device, which sits nowhere."""
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    with state.table.locked():
        if former in state.table.seats.phones.screens:
            return as_json(_seats_now(state, former))
        state.table.seats.add_screen(phone_of(secret), former=former)
        state.touch(phone_of(secret))
        state.table.notify()
    return identity.give(as_json(_seats_now(state, phone_of(secret))), secret)


@seats_api.route("POST", "/api/seats/ask", who=ASK, takes=Holder, gives=SeatsNow, refusals=(429,))
def ask(holder: Holder) -> Response:
    """Ask to be let in as a player. Those who may do that see the number and the holder."""
    state, phone = app_state(), identity.phone()
    if state.role(phone) != "watcher" or state.join_requests.number_of(phone):
        return as_json(_seats_now(state, phone))
    secret = "" if state.table.seats.remembers(phone) else secrets.token_urlsafe(SECRET_BYTES)
    asker = phone_of(secret) or phone
    if not state.join_requests.ask(asker, source_of(request.remote_addr or ""), holder.player):
        return _later("too-many-ask", "web.too-many-ask", WAIT_S)
    state.table.notify()
    answer = as_json(_seats_now(state, asker))
    return identity.give(answer, secret) if secret else answer


@seats_api.route(
    "POST", "/api/seats/let-in", who=LET_IN, takes=LetIn, gives=SeatsNow, refusals=(404, 409, 503)
)
def let_in(asked: LetIn) -> SeatsNow | Response:
    """Let an asking phone in by its number: it is a player, with or without a seat. Or say no."""
    state, phone = app_state(), identity.phone()
    guest = state.join_requests.phone_of(asked.number)
    if not guest:
        return refuse("nobody-asks", say("web.nobody-asks", number=asked.number), 404)
    # It asks until it is in: a phone that neither asks nor is in stops waiting.
    if not asked.no:
        state.table.seats.add_guest(guest)
    state.join_requests.leave(guest)
    state.table.notify()
    return _seats_now(state, phone)


@seats_api.route("POST", "/api/seats/host", who=ASK, takes=HostPin, gives=Sat, refusals=(409, 429, 503))
def become_host(typed: HostPin) -> Response:
    """Become a host by the PIN. A phone keeps its seat."""
    state, phone = app_state(), identity.phone()
    address = request.remote_addr or ""
    with state.codes_lock:
        try:
            state.guesses.check(address)
        except TooManyGuesses as error:
            return _later("too-many-guesses", "web.too-many-guesses", error.wait_s)
        if not is_code(typed.pin, state.pin):
            state.guesses.wrong(address)
            return refuse("wrong-pin", say("web.wrong-pin"), 403)
    known = state.table.seats.remembers(phone) and not typed.program
    secret = "" if known else secrets.token_urlsafe(SECRET_BYTES)
    host = phone_of(secret) or phone
    state.table.seats.add_host(host)
    state.touch(host)
    state.table.notify()
    log.info("A phone is the host by the PIN.")
    if typed.program:
        return as_json(Sat("", secret))
    answer = as_json(Sat(state.seat(host) or ""))
    return identity.give(answer, secret) if secret else answer


@seats_api.route(
    "POST",
    "/api/seats/hand-over",
    who=HAND_OVER_OWN,
    takes=HandOver,
    gives=SeatsNow,
    refusals=(404, 409, 503),
)
def hand_over(which: HandOver) -> SeatsNow | Response:
    """Hand over a seat's earlier notes to its current phone."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        if which.seat not in match.seat_names:
            raise InvalidMove(match.game.slug, "no-such-seat", seat=which.seat)
        if which.seat not in state.table.seats.seating.taken:
            return refuse("nobody-sits-there", say("web.nobody-sits-there"), 404)
        numbers = _may_hand_over(state, match.snapshot, phone, which.seat)
        if not numbers:
            return refuse("not-yours-to-hand-over", say("web.not-yours-to-hand-over"), 403)
        _hand_over(state, which.seat, numbers)
    return _seats_now(state, phone)


@seats_api.route(
    "POST", "/api/seats/throw-out", who=REMOVE, takes=Evicted, gives=SeatsNow, refusals=(404, 409, 503)
)
def evict(which: Evicted) -> SeatsNow | Response:
    """Remove a seat's lost phone, whose secret ends at once; or all guests."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        if not which.guests and which.seat not in match.seat_names:
            raise InvalidMove(match.game.slug, "no-such-seat", seat=which.seat)
        seats = state.table.seats
        try:
            evicted = seats.remove_guests() if which.guests else seats.evict(which.seat)
        finally:
            state.table.notify()
    if not evicted:
        return refuse("nobody-sits-there", say("web.nobody-sits-there"), 404)
    log.info("%s: removed.", "The guests" if which.guests else f"The phone at {which.seat}")
    return _seats_now(state, phone)


def invited(place: int) -> str | None:
    """The long code of the free seat number `place` (from 0); None if the asker may not see it."""
    rows = _seats_now(app_state(), identity.phone()).seats
    return (rows[place].link or None) if place < len(rows) else None


def _has_noted(match: Match, seat: str | None) -> bool:
    return seat is not None and any(match.game.private_to(move) == seat for move in match.moves)


def _set_aside(state: AppState, seat: str, phone: str) -> int:
    """Set aside a seat's earlier notes for a new `phone`; their number, 0 where that is not needed.

    It is done even without notes: nobody can tell whether there were any.
    """
    match, last = state.table.match, state.table.seats.place(seat).last
    if state.table.deals.players(match.record):
        return 0  # the hand that the table has dealt lies at the seat
    if not hides(match.game) or phone in last[:1] or not (last or _has_noted(match, seat)):
        return 0
    number = state.table.set_aside(seat, PHONE)
    state.renew_stream_keys(seat)
    return number


def _plays_elsewhere(state: AppState, phone: str, seat: str) -> bool:
    """True for a phone that has seen another seat's hand in a dealt match."""
    match = state.table.match.record
    if not phone or not state.table.deals.players(match):
        return False
    places = state.table.seats.at(match.id).places
    return any(phone in place.seen for place in places if place.seat != seat)


def _may_hand_over(state: AppState, match: MatchSnapshot, phone: str, seat: str) -> list[int]:
    """The numbers of a seat's set-aside notes that `phone` may hand over."""
    theirs = (aside.number for aside in match.history.aside if aside.owner == seat)
    return [number for number in theirs if state.table.seats.may_hand_over(phone, seat, number)]


def _hand_over(state: AppState, seat: str, numbers: Collection[int]) -> None:
    """Give a seat its set-aside notes, except those the match no longer has."""
    for aside in state.table.match.snapshot.history.aside:
        if aside.number in numbers and aside.owner == seat:
            state.table.hand_over(seat, aside.number, PHONE)
    if numbers:
        state.table.seats.handed_over(seat, numbers)
        state.table.notify()


def _seats_now(state: AppState, phone: str) -> SeatsNow:
    with state.codes_lock:
        match, seats = state.table.snapshot.match, state.table.seats
        # Before the role: whoever is let in meanwhile still asks, or is in.
        asks = state.join_requests.number_of(phone)
        seating, role = seats.at(match.record.id), state.role(phone)
        mine, rows = seating.seat_of(phone), []
        played_by_table = state.table.deals.players(match.record)
        for seat in match.seat_names:
            row = SeatNow(seat, seat in seating.taken or seat in played_by_table, seat == mine)
            if seats.knows(phone) and not row.taken:
                invite = state.invites.invite(match.record.id, seat)
                row = msgspec.structs.replace(row, code=invite.code, link=invite.link)
            if row.taken:
                kept_back = row.mine and any(aside.owner == seat for aside in match.history.aside)
                may = bool(_may_hand_over(state, match, phone, seat))
                row = msgspec.structs.replace(row, hand_over=may, kept_back=kept_back)
            rows.append(row)
        return SeatsNow(
            match=match.record.id,
            seat=mine,
            screen=phone in seats.phones.screens,
            trusted=state.may(phone, SIT_WITHOUT_CODE),
            seats=tuple(rows),
            role=role,
            may_remove=state.may(phone, REMOVE),
            wait_s=60 * ceil(state.wait_s() / 60) if role == "watcher" else 0,
            asks=asks,
            asking=state.join_requests.numbers() if role != "watcher" else (),
            askers=state.join_requests.shown() if role != "watcher" else (),
            guests=len(seats.phones.guests),
            pin=state.pin_for(phone),
        )


def _later(rule: str, key: str, wait_s: float) -> Response:
    seconds = ceil(wait_s)
    answer = refuse(rule, say(key, seconds=seconds), 429)
    answer.headers["Retry-After"] = str(seconds)
    return answer
