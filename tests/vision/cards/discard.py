"""The smallest game with a discard pile: cards are laid, and that is all."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.games.game import Game, Move, Options, Outcome, State
from companion.games.watching import Guess, Observation, SeesCards, Sighting, Verdict

KINDS = tuple(f"kind-{n + 1}" for n in range(9)) + tuple(f"cat-{n + 1}" for n in range(4))


class DiscardOptions(Options, frozen=True):
    """Nothing to set up."""


class Lay(Move, frozen=True, tag="lay"):
    """A card laid on the pile."""

    kind: str


class DiscardState(State, frozen=True):
    """The pile, the last card last."""

    options: DiscardOptions
    pile: tuple[str, ...] = ()


class DiscardView(msgspec.Struct, frozen=True):
    """The pile for all to see."""

    pile: tuple[str, ...]


class Discard(Game[DiscardState, Lay, DiscardOptions], SeesCards):
    """Lay cards on a pile, for ever."""

    slug = "discard"
    names: ClassVar = {"en": "Discard", "zh-Hant": "棄牌", "ko": "버리기"}
    seat_counts = (2,)
    card_kinds = KINDS

    def set_up(self, options: DiscardOptions, seats: int) -> DiscardState:
        """An empty pile."""
        return DiscardState(options)

    def seat_names(self, state: DiscardState) -> tuple[str, ...]:
        """Two seats."""
        return ("first", "second")

    def turn(self, state: DiscardState) -> str | None:
        """Whoever likes."""
        return None

    def legal_moves(self, state: DiscardState) -> list[Lay]:
        """Any card."""
        return [Lay(kind) for kind in KINDS]

    def play(self, state: DiscardState, move: Lay) -> DiscardState:
        """The pile with the card on it."""
        return DiscardState(state.options, (*state.pile, move.kind))

    def outcome(self, state: DiscardState) -> Outcome | None:
        """Never."""
        return None

    def view(self, state: DiscardState, seat: str | None) -> DiscardView:
        """All of it."""
        return DiscardView(state.pile)

    def sighting(self, state: DiscardState, observation: Observation) -> Sighting:
        """A card that is sure is laid; of others each kind that it may be is asked about."""
        if not observation.cards:
            return Sighting(Verdict.NOTHING)
        if not observation.unsure:
            moves = tuple(Lay(card.kind) for card in observation.cards)
            return Sighting(Verdict.PLAY, guesses=(Guess(moves, observation.cards[0].confidence),))
        card = observation.cards[0]
        likely = ((card.kind, card.confidence), *((o.kind, o.confidence) for o in card.others))
        return Sighting(Verdict.ASK, observation.why, guesses=tuple(Guess((Lay(k),), c) for k, c in likely))


GAME = Discard()
