"""Which phone sits at which seat of a match, kept in a small file beside the journal.

A phone is known by a long secret that it alone keeps; here stands only the secret's hash. A seat belongs
to one phone or to none. It belongs to a match: a match that is gone on with finds those who sat at it,
a new one those of the match before, by their order.
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
"""Matches whose seats are kept; beyond that, those longest untouched are forgotten."""

MOST_SCREENS = 8
"""Screens of the table that are kept; the oldest goes first."""


class Place(msgspec.Struct, frozen=True):
    """A seat and its phone, as `phone_of` gives it; empty while the seat is free."""

    seat: str
    phone: str = ""


class Seating(msgspec.Struct, frozen=True):
    """Who sits at a match: its seats in order."""

    match: int
    places: tuple[Place, ...]

    def seat_of(self, phone: str) -> str | None:
        """Where a phone sits; None where it does not."""
        return next((place.seat for place in self.places if phone and place.phone == phone), None)

    @property
    def taken(self) -> tuple[str, ...]:
        """The seats at which a phone sits, in order."""
        return tuple(place.seat for place in self.places if place.phone)

    @property
    def free(self) -> tuple[str, ...]:
        """The seats at which none sits, in order."""
        return tuple(place.seat for place in self.places if not place.phone)


class Kept(msgspec.Struct, frozen=True):
    """The file: the sittings, that of the match on the table last, and the phones that are its screens."""

    sittings: tuple[Seating, ...] = ()
    screens: tuple[str, ...] = ()


def phone_of(secret: str) -> str:
    """What a phone with this secret is known by; empty for an empty one.

    A hash alone is enough: a secret is as long as the hash, and was drawn, not thought of.
    """
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


class Seats:
    """Who sits where, safe from any thread. `path` None keeps nothing beyond this run."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = RLock()
        self._kept = self._read()

    @classmethod
    def beside(cls, journal: Path) -> Seats:
        """Those of a journal at that path (`:memory:` keeps nothing)."""
        return cls(None if journal.name == ":memory:" else journal.with_suffix(".seats.json"))

    def go_on(self, match: int, seats: tuple[str, ...], *, new: bool = False) -> None:
        """The match `match` is on the table now.

        Those who sat at it sit again. A `new` one is taken over by those of the match before, by their
        order; who finds no seat there stands. When that cannot be kept it holds until the next start.
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
        """Who sits at a match, which may be another than the one on the table."""
        return next(iter(self._of(match)), Seating(match, ()))

    def seat_of(self, phone: str) -> str | None:
        """Where a phone sits now; None where it does not."""
        return self._seating.seat_of(phone)

    def taken(self) -> tuple[str, ...]:
        """The seats at which a phone sits, in order."""
        return self._seating.taken

    def free(self) -> tuple[str, ...]:
        """The seats at which none sits, in order."""
        return self._seating.free

    def take(self, seat: str, phone: str, *, former: str = "") -> bool:
        """Let a phone sit down, known by `phone` from now on and `former` no more; False when the seat
        is not free.

        Raises `MendableError` when it cannot be kept; then nothing has changed.
        """
        with self._lock:
            if seat not in self.free():
                return False
            places = (Place(at.seat, phone if at.seat == seat else at.phone) for at in self._seating.places)
            seating = Seating(self._seating.match, tuple(places))
            self._keep(_without(former, Kept((*self._kept.sittings[:-1], seating), self._kept.screens)))
            return True

    def release(self, phone: str) -> None:
        """This phone's secret opens nothing any more, at this match or another.

        Raises `MendableError` when that cannot be kept; it holds until the next start all the same.
        """
        with self._lock:
            self._believe(_without(phone, self._kept))

    def evict(self, seat: str) -> bool:
        """Let go of whichever phone sits there; False when none does. Raises like `release`."""
        with self._lock:
            phone = next((place.phone for place in self._seating.places if place.seat == seat), "")
            if phone:
                self.release(phone)
            return bool(phone)

    def is_screen(self, phone: str) -> bool:
        """Whether a phone is one of the table's own screens."""
        return phone in self._kept.screens

    def add_screen(self, phone: str, *, former: str = "") -> None:
        """Make a phone a screen of the table, known by `phone` from now on. Raises like `take`."""
        with self._lock:
            screens = (*self._kept.screens, phone)[-MOST_SCREENS:]
            self._keep(_without(former, Kept(self._kept.sittings, screens)))

    def anyone(self) -> bool:
        """Whether any phone sits, or is a screen of the table."""
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
            # A phone soon takes its seat again; the evening must not wait for a file to be mended.
            log.warning("%s cannot be read (%s): every phone has to take its seat again.", self.path, error)
            return Kept()

    def _believe(self, kept: Kept) -> None:
        """What must hold at once, even if it cannot be kept: then raises `MendableError`."""
        before, self._kept = self._kept, kept
        if kept != before:
            self._write(kept)

    def _keep(self, kept: Kept) -> None:
        """What holds only once it is kept. Raises `MendableError`; then nothing has changed."""
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
