"""Which phone sits at which seat of a match, kept in a small file beside the journal.

A phone has a long secret, which it alone keeps; the file has only the secret's hash. A seat belongs to one
phone or to none. Seats belong to a match: at a resumed match, those who sat at it sit again; at a new one,
those of the match before sit in the same order.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from threading import RLock

import msgspec

from companion import files
from companion.errors import MendableError
from companion.errors.causes import cause_of

log = logging.getLogger(__name__)

MOST_MATCHES = 100
"""The most matches whose seats are kept; beyond that, the least recently played are forgotten."""

MOST_SCREENS = 8
"""The most screens of the table; beyond that, the oldest is forgotten."""


class Place(msgspec.Struct, frozen=True):
    """A seat and its phone (a hash by `phone_of`; empty while the seat is free)."""

    seat: str
    phone: str = ""


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


class Kept(msgspec.Struct, frozen=True):
    """The file: the seatings, with the current match's last, and the phones that are the table's screens."""

    sittings: tuple[Seating, ...] = ()
    screens: tuple[str, ...] = ()


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

    @classmethod
    def beside(cls, journal: Path) -> Seats:
        """The seats of the journal at that path (`:memory:` keeps nothing)."""
        return cls(None if journal.name == ":memory:" else journal.with_suffix(".seats.json"))

    def go_on(self, match: int, seats: tuple[str, ...], *, new: bool = False) -> None:
        """Put the match `match` on the table.

        Those who sat at it sit again. At a `new` match, those of the match before sit in the same order;
        whoever is left without a seat stands. If this cannot be kept, it applies until the next start.
        """
        with self._lock:
            former = self._seating
            phones = {place.seat: place.phone for each in self._of(match) for place in each.places}
            if not phones and new:
                phones = dict(zip(seats, (place.phone for place in former.places), strict=False))
            others = tuple(each for each in self._kept.sittings if each.match != match)
            seating = Seating(match, tuple(Place(seat, phones.get(seat, "")) for seat in seats))
            try:
                self._believe(Kept((*others, seating)[-MOST_MATCHES:], self._kept.screens))
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
        """The free seats, in order."""
        return self._seating.free

    def take(self, seat: str, phone: str, *, former: str = "") -> bool:
        """Seat a phone, from now on known as `phone` and no longer as `former`; False if the seat is taken.

        Raises `MendableError` if this cannot be kept, and changes nothing then.
        """
        with self._lock:
            if seat not in self.free():
                return False
            places = (Place(at.seat, phone if at.seat == seat else at.phone) for at in self._seating.places)
            seating = Seating(self._seating.match, tuple(places))
            self._keep(_without(former, Kept((*self._kept.sittings[:-1], seating), self._kept.screens)))
            return True

    def release(self, phone: str) -> None:
        """Void this phone's secret at every match.

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

    def is_screen(self, phone: str) -> bool:
        """Whether a phone is one of the table's own screens."""
        return phone in self._kept.screens

    def add_screen(self, phone: str, *, former: str = "") -> None:
        """Make a phone a screen of the table, from now on known as `phone`. Raises like `take`."""
        with self._lock:
            screens = (*self._kept.screens, phone)[-MOST_SCREENS:]
            self._keep(_without(former, Kept(self._kept.sittings, screens)))

    def anyone(self) -> bool:
        """Whether any phone has a seat, or is a screen of the table."""
        return bool(self.taken() or self._kept.screens)

    @property
    def _seating(self) -> Seating:
        return self._kept.sittings[-1] if self._kept.sittings else Seating(0, ())

    def _of(self, match: int) -> list[Seating]:
        return [each for each in self._kept.sittings if each.match == match]

    def _read(self) -> Kept:
        if self.path is None:
            return Kept()
        try:
            return files.read_json(self.path, Kept) or Kept()
        except (OSError, ValueError) as error:
            # Phones soon take their seats again, and a game need not wait until somebody mends a file.
            log.warning("%s cannot be read (%s): every phone has to take its seat again.", self.path, error)
            return Kept()

    def _believe(self, kept: Kept) -> None:
        """Apply a change at once, then keep it. Raises `MendableError` if it cannot be kept."""
        before, self._kept = self._kept, kept
        if kept != before:
            self._write(kept)

    def _keep(self, kept: Kept) -> None:
        """Keep a change, then apply it. Raises `MendableError`, and changes nothing then."""
        self._write(kept)
        self._kept = kept

    def _write(self, kept: Kept) -> None:
        if self.path is None:
            return
        try:
            files.write_json(self.path, kept, mode=files.SECRET_MODE)
        except OSError as error:
            raise MendableError(
                f"{self.path} cannot be written ({cause_of(error)}); free some space, make its folder"
                " writable, or name another with COMPANION_HOME."
            ) from error


def _without(phone: str, kept: Kept) -> Kept:
    if not phone:
        return kept
    sittings = (
        Seating(each.match, tuple(Place(at.seat) if at.phone == phone else at for at in each.places))
        for each in kept.sittings
    )
    return Kept(tuple(sittings), tuple(each for each in kept.screens if each != phone))
