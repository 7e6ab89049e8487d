"""Whispers: the smallest game with something to hide, for the tests of seats and private moves.

Numbered cards lie face down. Who is to play draws one, or lays one of theirs on the table. A phone may
tell the companion, in private, which card its seat drew: then its page shows the hand.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeVar

import msgspec
from msgspec import Meta

from companion.errors import IllegalMove, InvalidMove
from companion.games.game import Game, Move, Options, Outcome, State

T = TypeVar("T")

SEATS = ("north", "east", "south")


class WhispersOptions(Options, frozen=True):
    """How a match is set up."""

    cards: Annotated[int, Meta(ge=3, le=30, description="Cards face down")] = 9


class Draw(Move, frozen=True, tag="draw"):
    """The seat to play draws the top card; nobody else sees it."""


class Lay(Move, frozen=True, tag="lay"):
    """The seat to play lays a card of its hand on the table."""

    card: int


class Tell(Move, frozen=True, tag="tell"):
    """Private: `seat` holds this card."""

    seat: str
    card: int


class WhispersState(State, frozen=True):
    """`hand_sizes` and `noted` by seat: how many cards it holds, and which of them it told of."""

    options: WhispersOptions
    seats: tuple[str, ...]
    left: int
    hand_sizes: tuple[int, ...]
    noted: tuple[tuple[int, ...], ...]
    laid: tuple[int, ...] = ()
    played: int = 0


class WhispersView(msgspec.Struct, frozen=True):
    """What all see, and `hand`: what the asker's seat told of."""

    left: int
    hand_sizes: dict[str, int]
    laid: tuple[int, ...]
    hand: tuple[int, ...]


class Whispers(Game[WhispersState, Draw | Lay | Tell, WhispersOptions]):
    """Two or three players."""

    slug = "whispers"
    names: ClassVar = {"en": "Whispers", "zh-Hant": "悄悄話", "ko": "귓속말"}
    seat_counts = (2, 3)

    def set_up(self, options: WhispersOptions, seats: int) -> WhispersState:
        """All cards face down, hands empty."""
        return WhispersState(options, SEATS[:seats], options.cards, (0,) * seats, ((),) * seats)

    def seat_names(self, state: WhispersState) -> tuple[str, ...]:
        """By the points of the compass."""
        return state.seats

    def turn(self, state: WhispersState) -> str | None:
        """In turn; who can neither draw nor lay is passed over."""
        return None if self.outcome(state) else state.seats[_to_play(state)]

    def legal_moves(self, state: WhispersState) -> list[Draw | Lay | Tell]:
        """The open ones of who is to play, and what each seat may tell."""
        if self.outcome(state):
            return []
        mine = _to_play(state)
        moves: list[Draw | Lay | Tell] = [Draw()] if state.left else []
        unseen = [card for card in range(1, state.options.cards + 1) if card not in state.laid]
        if state.hand_sizes[mine]:
            moves += map(Lay, unseen)
        for seat, size, cards in zip(state.seats, state.hand_sizes, state.noted, strict=True):
            if size > len(cards):
                moves += [Tell(seat, card) for card in unseen if card not in cards]
        return moves

    def play(self, state: WhispersState, move: Draw | Lay | Tell) -> WhispersState:
        """The state after the move."""
        if self.outcome(state):
            raise IllegalMove(self.slug, "match-over")
        if isinstance(move, Tell):
            return self._note(state, move)
        mine = _to_play(state)
        if isinstance(move, Draw):
            if not state.left:
                raise IllegalMove(self.slug, "deck-empty")
            return _changed(
                state, left=state.left - 1, hand_sizes=_at(state.hand_sizes, mine, state.hand_sizes[mine] + 1)
            )
        self._check(state, move.card)
        if not state.hand_sizes[mine]:
            raise IllegalMove(self.slug, "no-card", seat=state.seats[mine])
        hand_sizes = _at(state.hand_sizes, mine, state.hand_sizes[mine] - 1)
        # What anyone told of this card was wrong, or is so no more; a hand told too large is told wrong.
        noted = tuple(
            tuple(card for card in cards if card != move.card)[:count]
            for cards, count in zip(state.noted, hand_sizes, strict=True)
        )
        return _changed(state, hand_sizes=hand_sizes, noted=noted, laid=(*state.laid, move.card))

    def _note(self, state: WhispersState, move: Tell) -> WhispersState:
        if move.seat not in state.seats:
            raise InvalidMove(self.slug, "no-such-seat", seat=move.seat)
        self._check(state, move.card)
        at = state.seats.index(move.seat)
        if move.card in state.noted[at]:
            raise IllegalMove(self.slug, "told-twice", card=move.card)
        if len(state.noted[at]) >= state.hand_sizes[at]:
            raise IllegalMove(self.slug, "told-all", hand=state.hand_sizes[at])
        return msgspec.structs.replace(state, noted=_at(state.noted, at, (*state.noted[at], move.card)))

    def _check(self, state: WhispersState, card: int) -> None:
        if not 1 <= card <= state.options.cards:
            raise InvalidMove(self.slug, "no-such-card", card=card)
        if card in state.laid:
            raise IllegalMove(self.slug, "laid-already", card=card)

    def outcome(self, state: WhispersState) -> Outcome | None:
        """Over when every card lies on the table."""
        return Outcome("all-laid", ()) if len(state.laid) == state.options.cards else None

    def hide(self, state: WhispersState, seat: str | None) -> WhispersState:
        """Without what the others told."""
        noted = tuple(
            cards if name == seat else () for name, cards in zip(state.seats, state.noted, strict=True)
        )
        return msgspec.structs.replace(state, noted=noted)

    def private_to(self, move: Draw | Lay | Tell) -> str | None:
        """What a seat tells."""
        return move.seat if isinstance(move, Tell) else None

    def view(self, state: WhispersState, seat: str | None) -> WhispersView:
        """The table, and the hand of `seat`."""
        hand = state.noted[state.seats.index(seat)] if seat in state.seats else ()
        return WhispersView(
            state.left, dict(zip(state.seats, state.hand_sizes, strict=True)), state.laid, tuple(sorted(hand))
        )


def _to_play(state: WhispersState) -> int:
    """Which seat, by its number."""
    seats = len(state.seats)
    in_turn = ((state.played + step) % seats for step in range(seats))
    return next(at for at in in_turn if state.left or state.hand_sizes[at])


def _changed(state: WhispersState, **changes: object) -> WhispersState:
    return msgspec.structs.replace(state, played=state.played + 1, **changes)


def _at(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


GAME = Whispers()
