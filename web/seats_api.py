"""Seats over HTTP: who sits where, taking a seat by its code, leaving it, letting in, removing a lost phone.

A free seat has codes. They are shown to the table's own phones: those that sit, hosts, guests, and screens (a
phone or tablet made to show them). A taken seat has no code: the only way to it is to remove its phone, and
every phone is notified of that. Who may do what stands in `permissions`.
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
from companion.play.match import Match
from companion.play.seats import Animal, Colour, Player, phone_of
from companion.play.snapshot import MatchSnapshot
from web import identity
from web.app_state import AppState, app_state
from web.door import WAIT_S, Asker
from web.error_pages import not_allowed, refuse, say
from web.guesses import TooManyGuesses, source_of
from web.invites import is_code
from web.match_api import PHONE
from web.openapi import Routes, as_json
from web.permissions import REMOVE, SIT_WITHOUT_CODE, Role

log = logging.getLogger(__name__)

SECRET_BYTES = 32
"""Random bytes in the secret of a seat."""

MOST_NAME = 40
"""Letters of a player's name."""

seats_api = Routes("seats")


class SeatNow(msgspec.Struct, frozen=True):
    """One seat of the match on the table."""

    seat: str
    taken: bool
    mine: bool
    """Whether the asker sits there."""
    code: str = ""
    """The code to type; empty for a taken seat and for an asker who may not see it."""
    link: str = ""
    """The code inside the QR code; empty in the same cases."""
    hand_over: bool = False
    """Whether the asker may hand over what was noted here before."""
    kept_back: bool = False
    """Whether what was noted here before is kept back from the asker, who sits here."""


class SeatsNow(msgspec.Struct, frozen=True):
    """The seats of the match on the table, in order.

    `match` is the number of the match.
    """

    match: int
    seat: str | None
    """Where the asker sits; None where it does not."""
    screen: bool
    """Whether the asker shows the codes of free seats."""
    trusted: bool
    """Whether the asker may become a screen, and sit down without a code."""
    seats: tuple[SeatNow, ...]
    role: Role = "host"
    """What the asker is at the table."""
    may_remove: bool = False
    """Whether the asker may remove phones."""
    wait_s: int = 0
    """Seconds, in whole minutes, until any phone may remove those that sit, if none of them is heard from."""
    asks: int = 0
    """The asker's own number while it asks to be let in."""
    asking: tuple[int, ...] = ()
    """The numbers of phones that ask to be let in, for those who may let them in."""
    askers: tuple[Asker, ...] = ()
    """The same phones, each with who says to hold it."""
    guests: int = 0
    """Phones that were let in without a seat."""
    pin: str = ""
    """The PIN that makes a phone the host, for a host and for a screen."""


class Holder(msgspec.Struct, frozen=True):
    """Who says to hold a phone."""

    name: str = ""
    colour: Colour = ""
    animal: Animal = ""

    @property
    def player(self) -> Player:
        """The same as it is kept."""
        return Player(self.name.strip()[:MOST_NAME], self.colour, self.animal)


class Sit(Holder, frozen=True):
    """The code of a free seat, short or long; or the seat itself, from a phone that is trusted.

    A program asks for its secret instead of a cookie.
    """

    code: str = ""
    seat: str = ""
    program: bool = False


class Sat(msgspec.Struct, frozen=True):
    """The seat taken; `secret` for a program alone, to be sent as `Authorization: Bearer <secret>`."""

    seat: str
    secret: str = ""


class HostPin(msgspec.Struct, frozen=True):
    """The PIN. A program asks for its secret instead of a cookie."""

    pin: str
    program: bool = False


class LetIn(msgspec.Struct, frozen=True):
    """The number of the phone that asks."""

    number: int


class HandOver(msgspec.Struct, frozen=True):
    """The seat to whose phone everything is handed over that was noted there before."""

    seat: str


class Evicted(msgspec.Struct, frozen=True):
    """The seat whose phone is to be removed; or all guests."""

    seat: str = ""
    guests: bool = False


@seats_api.route("GET", "/api/seats", gives=SeatsNow)
def who_sits() -> SeatsNow:
    """Who sits where, and for those who may see them the codes of free seats."""
    return _seats_now(app_state(), identity.phone())


@seats_api.route("POST", "/api/seats/take", takes=Sit, gives=Sat, refusals=(400, 403, 404, 409, 429, 503))
def take(given: Sit) -> Response:
    """Sit down at the free seat that a code is of. Who sat elsewhere gives that seat up."""
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    with state.table.locked() as match, state.codes_lock:
        seats = state.table.seats
        if given.seat and not state.may(former, SIT_WITHOUT_CODE):
            return not_allowed(SIT_WITHOUT_CODE)
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
        own = [number for number, keepers in seats.place(seat).keepers.items() if former in keepers[:1]]
        player = given.player
        seats.take(
            seat,
            phone_of(secret),
            former=former,
            aside=_set_aside(state, seat, former),
            player=player if player != Player() else None,
        )
        if player.name:
            state.table.name_players({seat: player.name}, PHONE)
        _hand_over(state, seat, own)
        state.invites.void(seat)
        state.hear(phone_of(secret))
        state.table.notify()
    log.info("A phone sits at %s.", seat)
    if given.program:
        return as_json(Sat(seat, secret))
    return identity.give(as_json(Sat(seat)), secret)


@seats_api.route("POST", "/api/seats/leave", gives=SeatsNow, refusals=(403, 409))
def leave() -> Response:
    """Give up one's seat (or showing the codes); the secret opens nothing any more."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        noted = _has_noted(match, state.seat(phone))
        state.table.seats.release(phone)
        state.table.notify()
    answer = as_json(_seats_now(state, phone if noted else ""))
    # Its secret opens no seat any more, but by it the phone can still hand over what it noted there.
    return answer if noted else identity.take_away(answer)


@seats_api.route("POST", "/api/seats/screen", gives=SeatsNow, refusals=(403, 409))
def screen() -> Response:
    """Show the codes of free seats on the asker's device, which sits nowhere."""
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    with state.table.locked():
        if state.table.seats.is_screen(former):
            return as_json(_seats_now(state, former))
        state.table.seats.add_screen(phone_of(secret), former=former)
        state.hear(phone_of(secret))
        state.table.notify()
    return identity.give(as_json(_seats_now(state, phone_of(secret))), secret)


@seats_api.route("POST", "/api/seats/ask", takes=Holder, gives=SeatsNow, refusals=(400, 403, 429))
def ask(holder: Holder) -> Response:
    """Ask to be let in as a player. Who may do that is shown the number in the answer, and who asks."""
    state, phone = app_state(), identity.phone()
    if state.role(phone) != "watcher" or state.door.number_of(phone):
        return as_json(_seats_now(state, phone))
    secret = "" if state.table.seats.remembers(phone) else secrets.token_urlsafe(SECRET_BYTES)
    asker = phone_of(secret) or phone
    if not state.door.ask(asker, source_of(request.remote_addr or ""), holder.player):
        return _later("too-many-ask", "web.too-many-ask", WAIT_S)
    state.table.notify()
    answer = as_json(_seats_now(state, asker))
    return identity.give(answer, secret) if secret else answer


@seats_api.route("POST", "/api/seats/let-in", takes=LetIn, gives=SeatsNow, refusals=(400, 403, 404, 409))
def let_in(asked: LetIn) -> SeatsNow | Response:
    """Let the phone in that asks with a number: it is a player, with or without a seat."""
    state, phone = app_state(), identity.phone()
    guest = state.door.phone_of(asked.number)
    if not guest:
        return refuse("nobody-asks", say("web.nobody-asks", number=asked.number), 404)
    # It asks until it is in: a phone that asks no more, and is not in, stops waiting.
    state.table.seats.add_guest(guest)
    state.door.leave(guest)
    state.table.notify()
    return _seats_now(state, phone)


@seats_api.route("POST", "/api/seats/host", takes=HostPin, gives=Sat, refusals=(400, 403, 409, 429))
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
    state.hear(host)
    state.table.notify()
    log.info("A phone is the host by the PIN.")
    if typed.program:
        return as_json(Sat("", secret))
    answer = as_json(Sat(state.seat(host) or ""))
    return identity.give(answer, secret) if secret else answer


@seats_api.route(
    "POST", "/api/seats/hand-over", takes=HandOver, gives=SeatsNow, refusals=(400, 403, 404, 409, 503)
)
def hand_over(which: HandOver) -> SeatsNow | Response:
    """Hand over what was noted at a seat before to the phone that sits there now."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        if which.seat not in match.seat_names:
            raise InvalidMove(match.game.slug, "no-such-seat", seat=which.seat)
        if which.seat not in state.table.seats.taken():
            return refuse("nobody-sits-there", say("web.nobody-sits-there"), 404)
        numbers = _may_hand_over(state, match.snapshot, phone, which.seat)
        if not numbers:
            return refuse("not-yours-to-hand-over", say("web.not-yours-to-hand-over"), 403)
        _hand_over(state, which.seat, numbers)
    return _seats_now(state, phone)


@seats_api.route("POST", "/api/seats/throw-out", takes=Evicted, gives=SeatsNow, refusals=(400, 403, 404, 409))
def evict(which: Evicted) -> SeatsNow | Response:
    """Remove the phone that sits at a seat, because it was lost; its secret ends at once. Or all guests."""
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
    """The long code of the free seat number `place` (from 0); None for who may not see it, or for none."""
    rows = _seats_now(app_state(), identity.phone()).seats
    return (rows[place].link or None) if place < len(rows) else None


def _has_noted(match: Match, seat: str | None) -> bool:
    """Whether private moves of a seat stand in the match."""
    return seat is not None and any(match.game.private_to(move) == seat for move in match.moves)


def _set_aside(state: AppState, seat: str, phone: str) -> int:
    """Set aside what was noted at a seat at which `phone` sits down; the number, 0 where that is not needed.

    It is done even if nothing was noted: nobody can tell whether anything was.
    """
    match, last = state.table.match, state.table.seats.place(seat).last
    if state.table.deals.players(match.record.id):
        return 0  # the hand that the table has dealt lies at the seat
    if not hides(match.game) or phone in last[:1] or not (last or _has_noted(match, seat)):
        return 0
    number = state.table.set_aside(seat, PHONE)
    state.begin_strands(seat)
    return number


def _plays_elsewhere(state: AppState, phone: str, seat: str) -> bool:
    """Whether a phone has seen the hand of another seat in a match that the table deals."""
    match = state.table.match.record.id
    if not phone or not state.table.deals.players(match):
        return False
    places = state.table.seats.at(match).places
    return any(phone in (place.phone, *place.last[:1]) for place in places if place.seat != seat)


def _may_hand_over(state: AppState, match: MatchSnapshot, phone: str, seat: str) -> list[int]:
    """The numbers of what is set aside at a seat and `phone` may hand over."""
    own = (each.number for each in match.history.aside if each.owner == seat)
    return [number for number in own if state.table.seats.may_hand_over(phone, seat, number)]


def _hand_over(state: AppState, seat: str, numbers: Collection[int]) -> None:
    """Give a seat what was set aside there; what the match no longer has is nothing to give."""
    for each in state.table.match.snapshot.history.aside:
        if each.number in numbers and each.owner == seat:
            state.table.hand_over(seat, each.number, PHONE)
    if numbers:
        state.table.seats.handed_over(seat, numbers)
        state.table.notify()


def _seats_now(state: AppState, phone: str) -> SeatsNow:
    with state.codes_lock:
        match, seats = state.table.snapshot.match, state.table.seats
        # Before the role: whoever is let in meanwhile still asks, or is in.
        asks = state.door.number_of(phone)
        seating, role = seats.at(match.record.id), state.role(phone)
        mine, rows = seating.seat_of(phone), []
        played_by_table = state.table.deals.players(match.record.id)
        for seat in match.seat_names:
            row = SeatNow(seat, seat in seating.taken or seat in played_by_table, seat == mine)
            if seats.knows(phone) and not row.taken:
                invite = state.invites.of(match.record.id, seat)
                row = msgspec.structs.replace(row, code=invite.code, link=invite.link)
            if row.taken:
                kept_back = row.mine and any(each.owner == seat for each in match.history.aside)
                may = bool(_may_hand_over(state, match, phone, seat))
                row = msgspec.structs.replace(row, hand_over=may, kept_back=kept_back)
            rows.append(row)
        return SeatsNow(
            match=match.record.id,
            seat=mine,
            screen=seats.is_screen(phone),
            trusted=state.may(phone, SIT_WITHOUT_CODE),
            seats=tuple(rows),
            role=role,
            may_remove=state.may(phone, REMOVE),
            wait_s=60 * ceil(state.wait_s() / 60) if role == "watcher" else 0,
            asks=asks,
            asking=state.door.numbers() if role != "watcher" else (),
            askers=state.door.askers() if role != "watcher" else (),
            guests=seats.guests,
            pin=state.pin_for(phone),
        )


def _later(rule: str, key: str, wait_s: float) -> Response:
    seconds = ceil(wait_s)
    answer = refuse(rule, say(key, seconds=seconds), 429)
    answer.headers["Retry-After"] = str(seconds)
    return answer
