"""The phones at the seats of each match, kept in a small file beside the journal.

A phone has a long secret, which it alone keeps; the file has only the secret's hash. A seat belongs to one
phone or is free. Seats belong to a match: at a resumed match, those who sat at it sit again; at a new one,
those of the match before sit in the same order.

Besides seated phones there are hosts, guests (let in without a seat) and screens. The first phone to sit down
is the host, and as long as somebody sits, somebody is. A seat also remembers the last phone that sat there,
and the phones that may hand over what they noted there.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Callable, Collection
from pathlib import Path
from threading import RLock
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from companion.errors import UserError
from companion.kept_state import KeptState
from companion.play.journal import IN_MEMORY, JournalReader

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
    notes that are set aside here, by their number (`history.Aside`): they may hand them over. `seen` are the
    phones that have seen the hand which the table dealt here.
    """

    seat: str
    phone: str = ""
    last: tuple[str, ...] = ()
    keepers: dict[int, tuple[str, ...]] = {}
    seen: tuple[str, ...] = ()

    @property
    def is_face_down(self) -> bool:
        """True while a phone sits here that has not picked up the hand."""
        return bool(self.phone) and self.phone not in self.seen

    @property
    def others(self) -> int:
        """The number of phones that have seen the hand and do not sit here."""
        return len(self.seen) - (self.phone in self.seen)


class Seating(msgspec.Struct, frozen=True):
    """Who sits at a match: its seats in order. `elsewhere`: the journal has another match of that number; the
    one of this `identity` may be put back."""

    match: int
    places: tuple[Place, ...]
    identity: str = ""
    elsewhere: bool = False

    def is_of(self, match: int) -> bool:
        """True for the seating of the journal's match of that number."""
        return self.match == match and not self.elsewhere

    def seat_of(self, phone: str) -> str | None:
        """The phone's seat; None if it does not sit."""
        place = self.place_of(phone)
        return None if place is None else place.seat

    def place_of(self, phone: str) -> Place | None:
        """The phone's place; None if it does not sit."""
        return next((place for place in self.places if phone and place.phone == phone), None)

    @property
    def taken(self) -> tuple[str, ...]:
        """The taken seats, in order."""
        return tuple(place.seat for place in self.places if place.phone)

    @property
    def free(self) -> tuple[str, ...]:
        """The free seats, in order."""
        return tuple(place.seat for place in self.places if not place.phone)


Colour = Literal["", "red", "orange", "yellow", "green", "blue", "violet"]
"""The colour by which a player is known at the table; empty if not chosen."""

COLOURS: tuple[Colour, ...] = get_args(Colour)[1:]

Animal = Literal["", "bear", "fox", "frog", "owl", "rabbit", "turtle"]
"""The animal by which a player is known at the table; empty if not chosen. It is never the name of a seat."""

ANIMALS: tuple[Animal, ...] = get_args(Animal)[1:]


class Player(msgspec.Struct, frozen=True):
    """Who holds a phone: a name, a colour and an animal, kept from match to match."""

    name: str = ""
    colour: Colour = ""
    animal: Animal = ""


class StoredSeats(msgspec.Struct, frozen=True):
    """The content of the file: the seatings, the current one last, and the screens, hosts and guests."""

    sittings: tuple[Seating, ...] = ()
    screens: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    by_pin: tuple[str, ...] = ()
    """Hosts that typed the PIN: they are at the table, or somebody there trusts them."""
    players: dict[str, Player] = {}
    """The player of each phone that named one."""

    @property
    def seating(self) -> Seating:
        """The seating of the current match."""
        return self.sittings[-1] if self.sittings else Seating(0, ())

    def has_typed_pin(self, phone: str) -> bool:
        """True for a host that has typed the PIN."""
        return phone in self.by_pin and phone in self.hosts

    def at(self, match: int) -> Seating:
        """The seating of a match."""
        return next((sitting for sitting in self.sittings if sitting.is_of(match)), Seating(match, ()))


def phone_of(secret: str) -> str:
    """The hash by which a phone with this secret is known; empty for an empty secret. A plain hash is enough,
    because a secret is random and as long as the hash."""
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


class Seats:
    """Who sits where. Safe from any thread. With `path` None, nothing outlives this run."""

    def __init__(self, path: Path | None = None, journal: JournalReader | None = None) -> None:
        self._file = KeptState(path, StoredSeats, secret=True)
        self._lock = RLock()
        self._kept = self._file.load() or StoredSeats()
        if journal is not None:
            sittings = tuple(_in(journal, sitting) for sitting in self._kept.sittings)
            self._kept = replace(self._kept, sittings=sittings)
        self._played_by_table: Collection[str] = ()

    @classmethod
    def beside(cls, journal: JournalReader) -> Seats:
        """The seats of the journal (`:memory:` keeps nothing)."""
        kept = None if str(journal.path) == IN_MEMORY else journal.path.with_suffix(".seats.json")
        return cls(kept, journal)

    def go_on(
        self,
        match: int,
        seats: tuple[str, ...],
        *,
        identity: str = "",
        new: bool = False,
        order: tuple[str, ...] = (),
        played_by_table: Collection[str] = (),
    ) -> None:
        """Put the match `match` on the table, which plays some of its seats itself: nobody may sit there.

        Those who sat at it sit again. At a `new` match, those of the match before sit in the same order, or
        take the seats in the `order` that a lot has drawn; people left without a seat stand. If this
        cannot be kept, it applies until the next start.
        """
        with self._lock:
            former, self._played_by_table = self.seating, played_by_table
            places = {place.seat: place for place in self.at(match).places}
            if new and not any(place.phone for place in places.values()):
                phones = (place.phone for place in former.places)
                places = {
                    seat: Place(seat, phone, seen=(phone,) if phone else ())
                    for seat, phone in zip(order or seats, phones, strict=False)
                }
            others = tuple(sitting for sitting in self._kept.sittings if not sitting.is_of(match))
            seating = Seating(match, tuple(places.get(seat, Place(seat)) for seat in seats), identity)
            try:
                self._believe(replace(self._kept, sittings=(*others, seating)[-MOST_MATCHES:]))
            except UserError as error:
                log.warning("%s", error)

    def at(self, match: int) -> Seating:
        """Who sits at a match, even one that is not on the table."""
        return self._kept.at(match)

    @property
    def seating(self) -> Seating:
        """Who sits at the match on the table."""
        return self._kept.seating

    def free(self) -> tuple[str, ...]:
        """The free seats, in order, without those that the table plays."""
        return tuple(seat for seat in self.seating.free if seat not in self._played_by_table)

    def place(self, seat: str) -> Place:
        """A seat of the match on the table; a free one if the match has no seat of that name."""
        return next((place for place in self.seating.places if place.seat == seat), Place(seat))

    def take_seat(
        self, seat: str, phone: str, *, former: str = "", aside: int = 0, player: Player | None = None
    ) -> bool:
        """Seat a phone, from now on known as `phone` and no longer as `former`; False if the seat is taken.

        `player` holds the phone; None keeps the former holder. `aside` is the number under which the
        last phone's notes there were set aside, for that phone to hand over. If nobody sat before, the phone
        is the host, and former guests and hosts (except screens and hosts by the PIN) no longer are. Raises
        `UserError` if this cannot be kept; then nothing has changed.
        """
        with self._lock:
            if seat not in self.free():
                return False
            opened, kept = not self.seating.taken, _following(former, phone, self._kept)
            if player is not None:
                kept = replace(kept, players={**kept.players, phone: player})
            seating = kept.seating
            taken = next(place for place in seating.places if place.seat == seat)
            keepers = {**taken.keepers, aside: taken.last} if aside and taken.last else taken.keepers
            sits = Place(seat, phone, keepers=keepers, seen=taken.seen)
            places = tuple(sits if place.seat == seat else place for place in seating.places)
            kept = replace(kept, sittings=(*kept.sittings[:-1], replace(seating, places=places)))
            if opened:
                stay = (
                    host for host in kept.hosts if host in (*kept.screens, *kept.by_pin) and host != phone
                )
                kept = replace(kept, hosts=(*stay, phone), guests=())
            self._keep(kept)
            return True

    def hold(self, phone: str, player: Player) -> None:
        """Note who holds a phone. Raises like `take_seat`."""
        with self._lock:
            self._keep(replace(self._kept, players={**self._kept.players, phone: player}))

    def pick_up(self, phone: str) -> None:
        """Let a phone see the hand that the table dealt to its seat. Raises like `take`."""

        def seen(place: Place) -> Place:
            takes = place.is_face_down and place.phone == phone
            return replace(place, seen=(*place.seen, phone)[-MOST_GUESTS:]) if takes else place

        with self._lock:
            seating = replace(self.seating, places=tuple(map(seen, self.seating.places)))
            self._keep(replace(self._kept, sittings=(*self._kept.sittings[:-1], seating)))

    def release(self, phone: str) -> None:
        """Void this phone's secret in every match. Raises like `take`."""
        with self._lock:
            self._keep(_without(phone, self._kept))

    def evict(self, seat: str) -> bool:
        """Release the phone at this seat; False if nobody sits there.

        Raises `NotKept` if that lasts only until the next start.
        """
        with self._lock:
            phone = next((place.phone for place in self.seating.places if place.seat == seat), "")
            if phone:
                self._believe(_without(phone, self._kept))
            return bool(phone)

    def players(self) -> dict[str, Player]:
        """The players who named themselves, by their seat in the match on the table."""
        known = self._kept.players
        return {place.seat: known[place.phone] for place in self.seating.places if place.phone in known}

    @property
    def phones(self) -> StoredSeats:
        """The table's phones, by what they are."""
        return self._kept

    def knows(self, phone: str) -> bool:
        """True for a phone that sits, or is a screen, a host or a guest."""
        return bool(phone) and (
            self.seating.seat_of(phone) is not None
            or phone in (*self._kept.screens, *self._kept.hosts, *self._kept.guests)
        )

    def remembers(self, phone: str) -> bool:
        """True for a phone that is known, or noted something at a seat where it no longer sits."""
        places = [place for sitting in self._kept.sittings for place in sitting.places]
        noted = (noted for place in places for noted in (place.last, place.seen, *place.keepers.values()))
        return self.knows(phone) or any(phone in phones for phones in noted if phone)

    def add_screen(self, phone: str, *, former: str = "") -> None:
        """Make a phone a screen, now known as `phone`; a host if nobody sits. Raises like `take_seat`."""
        with self._lock:
            opened, kept = not self.seating.taken, _following(former, phone, self._kept)
            hosts = tuple(dict.fromkeys((*kept.hosts, phone))) if opened else kept.hosts
            screens = (*kept.screens, phone)[-MOST_SCREENS:]
            self._keep(replace(kept, screens=screens, hosts=hosts[-MOST_GUESTS:]))

    def add_host(self, phone: str) -> None:
        """Make a phone a host that has typed the PIN. Raises like `take_seat`."""
        with self._lock:
            others = tuple(host for host in self._kept.hosts if host != phone)
            hosts, by_pin = (*others, phone)[-MOST_GUESTS:], (*self._kept.by_pin, phone)[-MOST_GUESTS:]
            self._keep(replace(self._kept, hosts=hosts, by_pin=by_pin))

    def may_hand_over(self, phone: str, seat: str, number: int) -> bool:
        """True if a phone may hand over what is set aside at a seat under that number.

        It may if it made the notes, was a host at that time, or is a host by the PIN. A phone that is the
        host only because all others have left may not; otherwise the last to come could see every hand.
        """
        return self._kept.has_typed_pin(phone) or (
            bool(phone) and phone in self.place(seat).keepers.get(number, ())
        )

    def add_guest(self, phone: str) -> None:
        """Let a phone in without a seat. Raises like `take_seat`."""
        with self._lock:
            others = tuple(guest for guest in self._kept.guests if guest != phone)
            self._keep(replace(self._kept, guests=(*others, phone)[-MOST_GUESTS:]))

    def remove_guests(self) -> bool:
        """Let all guests go; False without guests. Raises like `evict`."""
        with self._lock:
            had_guests = bool(self._kept.guests)
            self._believe(replace(self._kept, guests=()))
            return had_guests

    def handed_over(self, seat: str, numbers: Collection[int]) -> None:
        """Forget who keeps what was set aside under these numbers. Raises like `evict`."""

        def without(place: Place) -> Place:
            keepers = {n: keeper for n, keeper in place.keepers.items() if n not in numbers}
            return replace(place, keepers=keepers) if place.seat == seat else place

        with self._lock:
            seating = replace(self.seating, places=tuple(map(without, self.seating.places)))
            self._believe(replace(self._kept, sittings=(*self._kept.sittings[:-1], seating)))

    def _believe(self, kept: StoredSeats) -> None:
        """Apply a change at once, then keep it. Raises `UserError` if it cannot be kept."""
        before, self._kept = self._kept, _with_a_host(kept)
        if self._kept != before:
            self._file.save_or_raise(self._kept)

    def _keep(self, kept: StoredSeats) -> None:
        """Keep a change, then apply it. Raises `UserError`, and changes nothing then."""
        self._file.save_or_raise(_with_a_host(kept))
        self._kept = _with_a_host(kept)


def _following(former: str, phone: str, before: StoredSeats) -> StoredSeats:
    """With `former` known as `phone` from now on: it has no seat, but stays a host if it was one."""
    kept = _renamed(former, phone, _without(former, before))
    if former in before.players:
        kept = replace(kept, players={**kept.players, phone: before.players[former]})
    if former in before.hosts:
        kept = replace(kept, hosts=(*kept.hosts, phone))
    return replace(kept, by_pin=(*kept.by_pin, phone)) if former in before.by_pin else kept


def _with_a_host(kept: StoredSeats) -> StoredSeats:
    """If phones sit but the host has left, the first of them becomes the host."""
    sitting = [place.phone for place in kept.seating.places if place.phone]
    return replace(kept, hosts=(sitting[0],)) if sitting and not kept.hosts else kept


def _without(phone: str, kept: StoredSeats) -> StoredSeats:
    """Without a phone at any seat, among screens, hosts and guests; its seats remember it as the last."""
    if not phone:
        return kept

    def left(place: Place) -> Place:
        hosts = (host for host in kept.hosts if host != phone)
        return replace(place, phone="", last=(phone, *hosts)) if place.phone == phone else place

    def others(phones: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other for other in phones if other != phone)

    return StoredSeats(
        _of_places(left, kept),
        others(kept.screens),
        others(kept.hosts),
        others(kept.guests),
        others(kept.by_pin),
        {owner: player for owner, player in kept.players.items() if owner != phone},
    )


def _renamed(former: str, phone: str, kept: StoredSeats) -> StoredSeats:
    """With a phone known by another name wherever a seat remembers it."""

    def renamed(place: Place) -> Place:
        last, seen, *keepers = (
            tuple(phone if known == former else known for known in phones)
            for phones in (place.last, place.seen, *place.keepers.values())
        )
        return replace(place, last=last, seen=seen, keepers=dict(zip(place.keepers, keepers, strict=True)))

    return replace(kept, sittings=_of_places(renamed, kept)) if former else kept


def _of_places(change: Callable[[Place], Place], kept: StoredSeats) -> tuple[Seating, ...]:
    return tuple(replace(sitting, places=tuple(map(change, sitting.places))) for sitting in kept.sittings)


def _in(journal: JournalReader, sitting: Seating) -> Seating:
    """A seating by the number that its match has in the journal; older ones know no more than a number."""
    if not sitting.identity:
        return sitting
    number = abs(sitting.match)  # older files have a number below 0 for a match elsewhere
    record = journal.match(number)
    is_there = record is not None and record.identity == sitting.identity
    return replace(sitting, match=number, elsewhere=not is_there)


LOT = "lot"
"""The source of an entry that names players at the seats that a lot gave them."""


def draw_lots(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The seats in random order: the first player takes the first of them, and so on."""
    return tuple(secrets.SystemRandom().sample(seats, len(seats)))
