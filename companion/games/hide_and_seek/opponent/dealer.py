"""The machine's own cards, for a match that has none on the table.

The rules know no cards but those that were turned up. The dealer holds the others, and notes each hand for
its seat. Cards are laid face down: a seat sees its own, and all are turned up once every seat has laid.
"""

from __future__ import annotations

from typing import Any

from companion.games.choosing import Dealer, Lots
from companion.games.game import Game
from companion.games.hide_and_seek import rules
from companion.games.hide_and_seek.moves import (
    MOST_LAID,
    Drew,
    GoOn,
    HandNoted,
    HideMove,
    HideState,
    Hold,
    Own,
    Reshuffled,
    Seek,
    Showed,
    TurnUp,
)


class HideDealer(Dealer):
    """Deals animals and cards, and keeps every card of a match."""

    def begin(self, state: HideState, lots: Lots) -> None:
        """Shuffle the deck of a match that begins."""
        self._lots = lots
        counts = state.set.counts(enemies=state.options.enemies)
        self.deck = [card for card, count in counts.items() for _ in range(count)]
        lots.mix(self.deck)
        self.hands: dict[str, list[str]] = {seat: [] for seat in state.seats}
        self._dealt = 0
        self._to_note: list[str] = []
        self._step: tuple[object, ...] = ()
        self._done: set[str] = set()
        self._laid: dict[str, list[TurnUp]] = {}

    def chance(self, state: HideState) -> HideMove | None:
        """An animal dealt, a hand noted, who seeks first, a card turned up; None while a player chooses."""
        self._follow(state)
        if state.phase == "animals":
            return self._animal(state)
        if self._to_note:
            seat = self._to_note.pop()
            return Hold(seat, tuple(sorted(self.hands[seat])))
        if state.phase == "open" and state.seeker is None:
            return Seek(self._lots.one_of([own.animal for own in state.free]))
        if state.phase != "cards" or self._next_to_lay(state) is not None:
            return None
        for seat in state.order:
            if self._laid.get(seat):
                return self._laid[seat].pop(0)
        return GoOn()

    def acting(self, game: Game[Any, Any, Any], state: HideState) -> str | None:
        """Who lays cards now, or is asked for an enemy; otherwise whose turn it is."""
        if state.phase == "cards":
            return self._next_to_lay(state)
        if state.phase == "open" and not state.enemy_played and state.enemy is None:
            for seat in state.order:
                if seat not in self._done and any(self._is_enemy(state, card) for card in self.hands[seat]):
                    return seat
        return game.turn(state)

    def seen_by(self, state: HideState, seat: str) -> HideState:
        """The state with the cards turned up that this seat has laid face down."""
        for move in self._laid.get(seat, ()) if state.phase == "cards" else ():
            state = rules.play(state, move)
        return state

    def comes_of(self, state: HideState, move: HideMove) -> HideMove | None:
        """A card is laid face down: nothing shows yet."""
        if not isinstance(move, TurnUp):
            return move
        laid = self._laid.setdefault(move.by, [])
        laid.append(move)
        if len(laid) == MOST_LAID:
            self._done.add(move.by)
        return None

    def passes(self, state: HideState, seat: str) -> None:
        """The seat lays no more cards, or plays no enemy."""
        self._done.add(seat)

    def _follow(self, state: HideState) -> None:
        """Draw and show the cards that were drawn and shown on the table since."""
        step = state.round, state.phase, state.brawl
        if step != self._step:
            self._step, self._done, self._laid = step, set(), {}
        events = [each for each in state.events if not isinstance(each, HandNoted)]
        for event in events[self._dealt :]:
            match event:
                case Drew():
                    self.hands[event.seat] += [self.deck.pop() for _ in range(event.cards)]
                    if event.seat not in self._to_note:
                        self._to_note.append(event.seat)
                case Showed():
                    self.hands[event.seat].remove(event.card)
                case Reshuffled():
                    self.deck = list(event.cards)
                    self._lots.mix(self.deck)
        self._dealt = len(events)

    def _animal(self, state: HideState) -> Own:
        """An animal for the seat that has the fewest."""
        counts = {seat: sum(own.seat == seat for own in state.owned) for seat in state.seats}
        seat = min(state.seats, key=lambda each: counts[each])
        return Own(seat, self._lots.one_of([each for each in state.set.animals if state.owner(each) is None]))

    def _next_to_lay(self, state: HideState) -> str | None:
        """The first seat, in the round's order, that has not laid its cards."""
        for seat in state.order:
            if seat not in self._done and len(self.hands[seat]) > len(self._laid.get(seat, ())):
                return seat
        return None

    def _is_enemy(self, state: HideState, card: str) -> bool:
        return state.set.cards[card].does == "enemy"
