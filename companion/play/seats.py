"""Which phone sits at which seat of a match, kept in a small file beside the journal.

A phone has a long secret, which it alone keeps; the file has only the secret's hash. A seat belongs to one
phone or to none. Seats belong to a match: at a resumed match, those who sat at it sit again; at a new one,
those of the match before sit in the same order.

Besides seated phones there are hosts, guests (let in without a seat) and screens. The phone that sits down
while nobody sits is the host, and as long as somebody sits, somebody is. A seat also remembers the last phone
that sat there, and the phones that may hand over what they noted there.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Collection
from pathlib import Path
from threading import RLock
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from companion import paths
from companion.errors import MendableError

log = logging.getLogger(__name__)

MOST_MATCHES = 100
"""The most matches whose seats are kept; beyond that, the least recently played are forgotten."""

MOST_SCREENS = 8
"""The most screens of the table; beyond that, the oldest is forgotten."""

MOST_GUESTS = 16
"""The most guests, and the most hosts; beyond that, the oldest is forgotten."""


class Place(msgspec.Struct, frozen=True):
    """A seat and its phone (a hash by `phone_of`; empty while the seat is free).

    `last` is the phone that sat there before, followed by the hosts of that time. `keepers` are the same for
    notes that are set aside here, by their number (`history.Aside`): they may hand them over.
    """

    seat: str
    phone: str = ""
    last: tuple[str, ...] = ()
    keepers: dict[int, tuple[str, ...]] = {}


class Seating(msgspec.Struct, frozen=True):
    """Who sits at a match: its seats in order."""

    match: int
    places: tuple[Place, ...]

    def seat_of(self, phone: str) -> str | None:
        """The phone's seat; None if it has none."""
        return next((place.seat for place in self.places if phone and place.phone == phone), None)

    @property
    def taken(self) -> tuple[str, ...]:
        """The taken seats, in order."""
        return tuple(place.seat for place in self.places if place.phone)

    @property
    def free(self) -> tuple[str, ...]:
        """The free seats, in order."""
        return tuple(place.seat for place in self.places if not place.phone)


Colour = Literal["", "red", "orange", "yellow", "green", "blue", "violet"]
"""The colour by which a player is known at the table; empty for none."""

COLOURS: tuple[Colour, ...] = get_args(Colour)[1:]
"""The colours to choose from."""

Animal = Literal["", "bear", "fox", "frog", "owl", "rabbit", "turtle"]
"""The animal by which a player is known at the table; empty for none. None of them is a seat of our games."""

ANIMALS: tuple[Animal, ...] = get_args(Animal)[1:]
"""The animals to choose from."""


class Player(msgspec.Struct, frozen=True):
    """Who holds a phone: a name, a colour and an animal, kept from match to match."""

    name: str = ""
    colour: Colour = ""
    animal: Animal = ""


class Kept(msgspec.Struct, frozen=True):
    """The content of the file: the seatings, that of the current match last, and the table's screens, hosts
    and guests."""

    sittings: tuple[Seating, ...] = ()
    screens: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    by_pin: tuple[str, ...] = ()
    """Hosts that typed the PIN: they are at the table, or somebody there trusts them."""
    players: dict[str, Player] = {}
    """The player of each phone that named one."""


def phone_of(secret: str) -> str:
    """The hash by which a phone with this secret is known; empty for an empty secret.

    A plain hash is enough, because a secret is random and as long as the hash.
    """
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


class Seats:
    """Who sits where. Safe from any thread. With `path` None, nothing outlives this run."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = RLock()
        self._kept = self._read()
        self.played_by_table: Callable[[int], Collection[str]] = lambda _: ()
        """The seats of a match that the table itself plays: nobody may sit there."""

    @classmethod
    def beside(cls, journal: Path) -> Seats:
        """The seats of the journal at that path (`:memory:` keeps nothing)."""
        return cls(None if journal.name == ":memory:" else journal.with_suffix(".seats.json"))

    def go_on(
        self, match: int, seats: tuple[str, ...], *, new: bool = False, order: tuple[str, ...] = ()
    ) -> None:
        """Put the match `match` on the table.

        Those who sat at it sit again. At a `new` match, those of the match before sit in the same order, or
        take the seats in the `order` that a lot has drawn; whoever is left without a seat stands. If this
        cannot be kept, it applies until the next start.
        """
        with self._lock:
            former = self._seating
            places = {place.seat: place for each in self._of(match) for place in each.places}
            if new and not any(place.phone for place in places.values()):
                phones = (place.phone for place in former.places)
                places = {
                    seat: Place(seat, phone) for seat, phone in zip(order or seats, phones, strict=False)
                }
            others = tuple(each for each in self._kept.sittings if each.match != match)
            seating = Seating(match, tuple(places.get(seat, Place(seat)) for seat in seats))
            try:
                self._believe(replace(self._kept, sittings=(*others, seating)[-MOST_MATCHES:]))
            except MendableError as error:
                log.warning("%s", error)

    def at(self, match: int) -> Seating:
        """Who sits at a match, even one that is not on the table."""
        return next(iter(self._of(match)), Seating(match, ()))

    def seat_of(self, phone: str) -> str | None:
        """The phone's current seat; None if it has none."""
        return self._seating.seat_of(phone)

    def taken(self) -> tuple[str, ...]:
        """The taken seats, in order."""
        return self._seating.taken

    def free(self) -> tuple[str, ...]:
        """The free seats, in order, without those that the table plays."""
        seating = self._seating
        return tuple(seat for seat in seating.free if seat not in self.played_by_table(seating.match))

    def place(self, seat: str) -> Place:
        """A seat of the match on the table; a free one if the match has no seat of that name."""
        return next((place for place in self._seating.places if place.seat == seat), Place(seat))

    def take(
        self, seat: str, phone: str, *, former: str = "", aside: int = 0, player: Player | None = None
    ) -> bool:
        """Seat a phone, from now on known as `phone` and no longer as `former`; False if the seat is taken.

        `player` holds the phone; None means whoever held it before. `aside` is the number under which the
        last phone's notes there were set aside, for that phone to hand over. If nobody sat before, the phone
        is the host, and former guests and hosts (except screens and hosts by the PIN) no longer are. Raises
        `MendableError` if this cannot be kept; then nothing has changed.
        """
        with self._lock:
            if seat not in self.free():
                return False
            opened, kept = not self.taken(), self._following(former, phone)
            if player is not None:
                kept = replace(kept, players={**kept.players, phone: player})
            at = _seating_of(kept)
            own = next(place for place in at.places if place.seat == seat)
            keepers = {**own.keepers, aside: own.last} if aside and own.last else own.keepers
            sits = Place(seat, phone, keepers=keepers)
            places = tuple(sits if place.seat == seat else place for place in at.places)
            kept = replace(kept, sittings=(*kept.sittings[:-1], Seating(at.match, places)))
            if opened:
                stay = (
                    each for each in kept.hosts if each in (*kept.screens, *kept.by_pin) and each != phone
                )
                kept = replace(kept, hosts=(*stay, phone), guests=())
            self._keep(kept)
            return True

    def release(self, phone: str) -> None:
        """Void this phone's secret in every match.

        Raises `MendableError` if this cannot be kept; it applies until the next start all the same.
        """
        with self._lock:
            self._believe(_without(phone, self._kept))

    def evict(self, seat: str) -> bool:
        """Release the phone at this seat; False if there is none. Raises like `release`."""
        with self._lock:
            phone = next((place.phone for place in self._seating.places if place.seat == seat), "")
            if phone:
                self.release(phone)
            return bool(phone)

    def players(self) -> dict[str, Player]:
        """The players who named themselves, by their seat in the match on the table."""
        known = self._kept.players
        return {place.seat: known[place.phone] for place in self._seating.places if place.phone in known}

    def is_screen(self, phone: str) -> bool:
        """Whether a phone is one of the table's own screens."""
        return phone in self._kept.screens

    def is_host(self, phone: str) -> bool:
        """Whether a phone is a host of the table."""
        return phone in self._kept.hosts

    def is_guest(self, phone: str) -> bool:
        """Whether a phone was let in without a seat."""
        return phone in self._kept.guests

    def knows(self, phone: str) -> bool:
        """Whether a phone sits, or is a screen, a host or a guest."""
        return bool(phone) and (
            self.seat_of(phone) is not None
            or phone in (*self._kept.screens, *self._kept.hosts, *self._kept.guests)
        )

    def remembers(self, phone: str) -> bool:
        """Whether a phone is known, or noted something at a seat where it no longer sits."""
        places = [place for each in self._kept.sittings for place in each.places]
        noted = (noted for at in places for noted in (at.last, *at.keepers.values()))
        return self.knows(phone) or any(phone in phones for phones in noted if phone)

    @property
    def guests(self) -> int:
        """How many phones were let in without a seat."""
        return len(self._kept.guests)

    def add_screen(self, phone: str, *, former: str = "") -> None:
        """Make a phone a screen of the table, from now on known as `phone`. Raises like `take`.

        It is a host if nobody sits.
        """
        with self._lock:
            opened, kept = not self.taken(), self._following(former, phone)
            hosts = tuple(dict.fromkeys((*kept.hosts, phone))) if opened else kept.hosts
            screens = (*kept.screens, phone)[-MOST_SCREENS:]
            self._keep(replace(kept, screens=screens, hosts=hosts[-MOST_GUESTS:]))

    def add_host(self, phone: str) -> None:
        """Make a phone a host that has typed the PIN. Raises like `take`."""
        with self._lock:
            others = tuple(each for each in self._kept.hosts if each != phone)
            hosts, by_pin = (*others, phone)[-MOST_GUESTS:], (*self._kept.by_pin, phone)[-MOST_GUESTS:]
            self._keep(replace(self._kept, hosts=hosts, by_pin=by_pin))

    def may_hand_over(self, phone: str, seat: str, number: int) -> bool:
        """Whether a phone may hand over what is set aside at a seat under that number.

        It may if it made the notes, was a host at that time, or is a host by the PIN. A phone that is the
        host only because all others have left may not; otherwise the last to come could see every hand.
        """
        by_pin = phone in self._kept.by_pin and self.is_host(phone)
        return by_pin or (bool(phone) and phone in self.place(seat).keepers.get(number, ()))

    def add_guest(self, phone: str) -> None:
        """Let a phone in without a seat. Raises like `take`."""
        with self._lock:
            others = tuple(each for each in self._kept.guests if each != phone)
            self._keep(replace(self._kept, guests=(*others, phone)[-MOST_GUESTS:]))

    def remove_guests(self) -> bool:
        """Let all guests go; False if there are none. Raises like `release`."""
        with self._lock:
            had_guests = bool(self._kept.guests)
            self._believe(replace(self._kept, guests=()))
            return had_guests

    def handed_over(self, seat: str, numbers: Collection[int]) -> None:
        """What was set aside under these numbers is handed over: nobody keeps it. Raises like `release`."""

        def without(place: Place) -> Place:
            keepers = {n: keeper for n, keeper in place.keepers.items() if n not in numbers}
            return replace(place, keepers=keepers) if place.seat == seat else place

        with self._lock:
            seating = Seating(self._seating.match, tuple(map(without, self._seating.places)))
            self._believe(replace(self._kept, sittings=(*self._kept.sittings[:-1], seating)))

    def _following(self, former: str, phone: str) -> Kept:
        """The file without `former`, which is `phone` from now on: it has no seat, but stays a host if it was
        one."""
        before = self._kept
        kept = _renamed(former, phone, _without(former, before))
        if former in before.players:
            kept = replace(kept, players={**kept.players, phone: before.players[former]})
        if former in before.hosts:
            kept = replace(kept, hosts=(*kept.hosts, phone))
        return replace(kept, by_pin=(*kept.by_pin, phone)) if former in before.by_pin else kept

    @property
    def _seating(self) -> Seating:
        return _seating_of(self._kept)

    def _of(self, match: int) -> list[Seating]:
        return [each for each in self._kept.sittings if each.match == match]

    def _read(self) -> Kept:
        if self.path is None:
            return Kept()
        try:
            return paths.read_kept(self.path, Kept) or Kept()
        except OSError as error:
            # Phones soon take their seats again, and a game need not wait until somebody mends a file.
            log.warning("%s cannot be read (%s): every phone has to take its seat again.", self.path, error)
            return Kept()

    def _believe(self, kept: Kept) -> None:
        """Apply a change at once, then keep it. Raises `MendableError` if it cannot be kept."""
        before, self._kept = self._kept, _with_a_host(kept)
        if self._kept != before:
            self._write(self._kept)

    def _keep(self, kept: Kept) -> None:
        """Keep a change, then apply it. Raises `MendableError`, and changes nothing then."""
        self._write(_with_a_host(kept))
        self._kept = _with_a_host(kept)

    def _write(self, kept: Kept) -> None:
        if self.path is not None:
            paths.keep_secret(self.path, kept)


def _seating_of(kept: Kept) -> Seating:
    return kept.sittings[-1] if kept.sittings else Seating(0, ())


def _with_a_host(kept: Kept) -> Kept:
    """If phones sit but none is the host (it has left), the first of them becomes the host."""
    sitting = [place.phone for place in _seating_of(kept).places if place.phone]
    return replace(kept, hosts=(sitting[0],)) if sitting and not kept.hosts else kept


def _without(phone: str, kept: Kept) -> Kept:
    """Without a phone at any seat, among screens, hosts and guests; its seats remember it as the last."""
    if not phone:
        return kept

    def left(at: Place) -> Place:
        hosts = (each for each in kept.hosts if each != phone)
        return Place(at.seat, last=(phone, *hosts), keepers=at.keepers) if at.phone == phone else at

    def others(phones: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for each in phones if each != phone)

    return Kept(
        _of_places(left, kept),
        others(kept.screens),
        others(kept.hosts),
        others(kept.guests),
        others(kept.by_pin),
        {each: player for each, player in kept.players.items() if each != phone},
    )


def _renamed(former: str, phone: str, kept: Kept) -> Kept:
    """With a phone known by another name wherever a seat remembers it."""

    def renamed(at: Place) -> Place:
        last, *keepers = (
            tuple(phone if each == former else each for each in phones)
            for phones in (at.last, *at.keepers.values())
        )
        return replace(at, last=last, keepers=dict(zip(at.keepers, keepers, strict=True)))

    return replace(kept, sittings=_of_places(renamed, kept)) if former else kept


def _of_places(change: Callable[[Place], Place], kept: Kept) -> tuple[Seating, ...]:
    return tuple(Seating(each.match, tuple(map(change, each.places))) for each in kept.sittings)
