"""Chips: what each has in hand, what each owes, and what each has won or lost."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.cat_and_mouse.rules import Payment, RaceState
from companion.games.cat_and_mouse.steps import SEATS, How, Seat
from companion.games.game import Outcome


class Purse(msgspec.Struct, frozen=True):
    """What one player has.

    `hand` is chips on the table before them, never below 0; `debt` what they could not pay (the
    stakes are unlimited, so nothing is refused); `net` what they have won (+) or lost since the start.
    """

    hand: int
    debt: int
    net: int


def change(ledger: Iterable[Payment], whose: str) -> int:
    """Chips that `whose` (a seat, or the pots) has gained by these lines."""
    return sum(
        line.chips * ((line.payee == whose) - (line.payer == whose)) for line in ledger
    )  # fmt: skip


def purse(state: RaceState, seat: Seat) -> Purse:
    """What `seat` has now."""
    net = change(state.ledger, seat)
    chips = state.options.chips + net
    return Purse(max(chips, 0), max(-chips, 0), net)


def purses(state: RaceState) -> dict[str, Purse]:
    """What both have now, by seat."""
    return {seat: purse(state, seat) for seat in SEATS}


def in_the_pots(state: RaceState) -> int:
    """Chips lying in the two pots."""
    return change(state.ledger, "pots")


def last_payments(state: RaceState) -> tuple[Payment, ...]:
    """The chips to hand over because of the last throw, a declared jump among them."""
    return tuple(line for line in state.ledger if line.throw == state.throws)


def outcome(state: RaceState) -> Outcome | None:
    """Who reached the pot, and by how: on the number, or led there by a double."""
    if state.winner is None:
        return None
    reason = "double" if state.steps[-1].how is How.LEAP else "exact"
    net = {seat: purse(state, seat).net for seat in SEATS}
    return Outcome(reason, (state.winner,), {str(seat): won for seat, won in net.items()})
