"""Seats over HTTP: who sits where, taking a seat by its code, leaving it, evicting a lost phone.

A free seat has codes. They are shown to every phone that sits and to every screen, which is a phone or tablet
made to show them. Both may evict a phone. While there is neither, or none of them was heard of for
`app_state.QUIET_S`, any phone may sit down without a code, evict a phone, or become a screen. A taken seat
has no code: the only way to it is to evict its phone, and every phone is notified of that.
"""

from __future__ import annotations

import logging
import secrets
from math import ceil

import msgspec
from flask import Response

from companion.errors import InvalidMove
from companion.play.seats import phone_of
from web import identity
from web.app_state import AppState, app_state
from web.error_pages import refuse, say
from web.invites import TooManyGuesses
from web.openapi import Routes, as_json

log = logging.getLogger(__name__)

SECRET_BYTES = 32
"""Random bytes in the secret of a seat."""

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
    """Whether the asker may evict phones, become a screen, and sit down without a code."""
    seats: tuple[SeatNow, ...]


class Sit(msgspec.Struct, frozen=True):
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


class WhichSeat(msgspec.Struct, frozen=True):
    """The seat whose phone is to be evicted."""

    seat: str


@seats_api.route("GET", "/api/seats", gives=SeatsNow)
def who_sits() -> SeatsNow:
    """Who sits where, and for those who may see them the codes of free seats."""
    return _seats_now(app_state(), identity.phone())


@seats_api.route("POST", "/api/seats/take", takes=Sit, gives=Sat, refusals=(400, 403, 404, 409, 429))
def take(given: Sit) -> Response:
    """Sit down at the free seat that a code is of. Who sat elsewhere gives that seat up."""
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    with state.table.locked() as match, state.codes_lock:
        seats = state.table.seats
        if given.seat and not state.trusts(former):
            return _not_at_the_table()
        try:
            seat = given.seat or state.invites.seat(match.record.id, given.code, seats.free())
        except TooManyGuesses as error:
            return _later(error.wait_s)
        if seat is None or not seats.take(seat, phone_of(secret), former=former):
            if given.seat:
                return refuse("seat-not-free", say("web.seat-not-free"), 404)
            return refuse("no-such-code", say("web.no-such-code"), 404)
        state.invites.void(seat)
        state.table.notify()
    log.info("A phone sits at %s.", seat)
    if given.program:
        return as_json(Sat(seat, secret))
    return identity.give(as_json(Sat(seat)), secret)


@seats_api.route("POST", "/api/seats/leave", gives=SeatsNow, refusals=(403, 409))
def leave() -> Response:
    """Give up one's seat (or showing the codes); the secret opens nothing any more."""
    state, phone = app_state(), identity.phone()
    with state.table.locked():
        state.table.seats.release(phone)
        state.table.notify()
    return identity.take_away(as_json(_seats_now(state, "")))


@seats_api.route("POST", "/api/seats/screen", gives=SeatsNow, refusals=(403, 409))
def screen() -> Response:
    """Show the codes of free seats on the asker's device, which sits nowhere."""
    state, former, secret = app_state(), identity.phone(), secrets.token_urlsafe(SECRET_BYTES)
    with state.table.locked():
        if not state.trusts(former):
            return _not_at_the_table()
        if state.table.seats.is_screen(former):
            return as_json(_seats_now(state, former))
        state.table.seats.add_screen(phone_of(secret), former=former)
        state.table.notify()
    return identity.give(as_json(_seats_now(state, phone_of(secret))), secret)


@seats_api.route(
    "POST", "/api/seats/throw-out", takes=WhichSeat, gives=SeatsNow, refusals=(400, 403, 404, 409)
)
def evict(which: WhichSeat) -> SeatsNow | Response:
    """Evict the phone that sits at a seat, because it was lost. Its secret ends at once; the seat is free."""
    state, phone = app_state(), identity.phone()
    with state.table.locked() as match:
        if not state.trusts(phone):
            return _not_at_the_table()
        if which.seat not in match.seat_names:
            raise InvalidMove(match.game.slug, "no-such-seat", seat=which.seat)
        try:
            evicted = state.table.seats.evict(which.seat)
        finally:
            state.table.notify()
    if not evicted:
        return refuse("nobody-sits-there", say("web.nobody-sits-there"), 404)
    log.info("The phone at %s was evicted.", which.seat)
    return _seats_now(state, phone)


def invited(place: int) -> str | None:
    """The long code of the free seat number `place` (from 0); None for who may not see it, or for none."""
    rows = _seats_now(app_state(), identity.phone()).seats
    return (rows[place].link or None) if place < len(rows) else None


def _seats_now(state: AppState, phone: str) -> SeatsNow:
    with state.codes_lock:
        match, seats = state.table.snapshot.match, state.table.seats
        seating, screen = seats.at(match.record.id), seats.is_screen(phone)
        mine, rows = seating.seat_of(phone), []
        for seat in match.seat_names:
            row = SeatNow(seat, seat in seating.taken, seat == mine)
            if (mine or screen) and not row.taken:
                invite = state.invites.of(match.record.id, seat)
                row = msgspec.structs.replace(row, code=invite.code, link=invite.link)
            rows.append(row)
        return SeatsNow(match.record.id, mine, screen, state.trusts(phone), tuple(rows))


def _not_at_the_table() -> Response:
    return refuse("not-at-the-table", say("web.not-at-the-table"), 403)


def _later(wait_s: float) -> Response:
    seconds = ceil(wait_s)
    answer = refuse("too-many-guesses", say("web.too-many-guesses", seconds=seconds), 429)
    answer.headers["Retry-After"] = str(seconds)
    return answer
