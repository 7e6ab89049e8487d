"""The machine's own cards, for a match that has none on the table.

The rules know no cards but those that were turned up. The dealer holds the others, and notes each hand for
its seat. Seats lay their cards one after another, face down: a seat sees its own, and all are turned up once
every seat has laid. Before the seeker's chip lies, whoever holds an enemy may play it.
"""

from __future__ import annotations

from typing import Any

from companion.games.choosing import Dealer, Lots
from companion.games.game import Game
from companion.games.hide_and_seek import deck, rules
from companion.games.hide_and_seek.legal import turn
from companion.games.hide_and_seek.moves import (
    MOST_LAID,
    Drew,
    End,
    GoOn,
    HandNoted,
    HideMove,
    HideState,
    Hold,
    Own,
    PlayEnemy,
    Reshuffled,
    Seek,
    Showed,
    TurnUp,
)
from companion.games.hide_and_seek.opponent.chooser import may_choose


class HideDealer(Dealer):
    """Deals animals and cards, and keeps every card of a match."""

    deals_to_people = True

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
        self._asked = False

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
        if self._may_bring_enemy(state) and not self._asked:
            for seat in state.order:
                if seat not in self._done and self._holds_enemy(state, seat):
                    return seat
        return game.turn(state)

    def seen_by(self, state: HideState, seat: str) -> HideState:
        """The state with the cards turned up that this seat has laid face down."""
        for move in self._laid.get(seat, ()) if state.phase == "cards" else ():
            state = rules.play(state, move)
        return state

    def comes_of(self, state: HideState, move: HideMove) -> HideMove | None:
        """A card is laid face down, or the seat lays no more: nothing shows yet."""
        if isinstance(move, GoOn) and state.phase == "cards":
            self._done.add(self._next_to_lay(state) or "")
            return None
        if not isinstance(move, TurnUp) or state.phase != "cards":
            return move
        laid = self._laid.setdefault(move.by, [])
        laid.append(move)
        if len(laid) == MOST_LAID:
            self._done.add(move.by)
        return None

    def passes(self, state: HideState, seat: str) -> None:
        """The seat lays no more cards, or plays no enemy."""
        self._done.add(seat)

    def close(self, state: HideState) -> None:
        """Everybody had the time to play an enemy."""
        self._follow(state)
        self._asked = True

    def waits(self, state: HideState) -> bool:
        """Whether an enemy may come, whoever holds one in truth; not before all know their new cards."""
        self._follow(state)
        some_left = any(self._is_enemy(state, card) for card in +deck.unseen(state))
        return self._may_bring_enemy(state) and some_left and not self._asked and not self._to_note

    def answerers(self, state: HideState) -> tuple[str, ...]:
        """Who holds an enemy and has not let it be. The seeker may still play one in its own turn."""
        if not self._may_bring_enemy(state) or self._asked:
            return ()
        return tuple(
            seat for seat in state.order[1:] if seat not in self._done and self._holds_enemy(state, seat)
        )

    def answers(self, moves: tuple[HideMove, ...]) -> tuple[HideMove, ...]:
        """An enemy alone."""
        return tuple(move for move in moves if isinstance(move, PlayEnemy))

    def in_secret(self, state: HideState) -> str:
        """Who lays cards face down now."""
        return (self._next_to_lay(state) or "") if state.phase == "cards" else ""

    def check(self, state: HideState, move: HideMove, seat: str) -> None:
        """A seat lays the cards of its hand when it is asked to, and chooses for its own animals."""
        if isinstance(move, Hold | Own):
            raise rules.refuse("dealt-told")
        if isinstance(move, PlayEnemy):
            self._check_own(move.by, seat)
            self._check_in_hand(state, move.card, seat)
        elif self.waits(state):
            raise rules.refuse("dealt-enemy-first")
        elif isinstance(move, End):
            self._check_end(state)
        elif state.phase == "cards":
            self._check_laid(state, move, seat)
        elif state.phase != "over" and not may_choose(state, seat, move):
            raise rules.refuse("dealt-turn", seat=turn(state) or seat)

    def _check_laid(self, state: HideState, move: HideMove, seat: str) -> None:
        self._check_own(self._next_to_lay(state) or "", seat)
        if isinstance(move, TurnUp):
            self._check_own(move.by, seat)
            seen = self.seen_by(state, seat)
            self._check_in_hand(seen, move.card, seat)
            rules.play(seen, move)

    def _check_own(self, owner: str, seat: str) -> None:
        if owner != seat:
            raise rules.refuse("dealt-turn", seat=owner)

    def _check_in_hand(self, state: HideState, card: str, seat: str) -> None:
        laid = [each.card for each in self._laid.get(seat, ())]
        if self.hands[seat].count(card) <= laid.count(card):
            raise rules.refuse("card-not-in-hand", seat=seat, card=card)

    def _check_end(self, state: HideState) -> None:
        if state.rounds:
            raise rules.refuse("dealt-to-the-end", rounds=state.rounds)

    def _follow(self, state: HideState) -> None:
        """Draw and show the cards that were drawn and shown on the table since."""
        step = state.round, state.phase, state.brawl
        if step != self._step:
            self._step, self._done, self._laid, self._asked = step, set(), {}, False
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

    def _may_bring_enemy(self, state: HideState) -> bool:
        """Whether the rules let somebody play an enemy before the seeker's chip lies."""
        asks = state.phase == "open" and state.seeker is not None
        return asks and not state.enemy_played and state.enemy is None

    def _holds_enemy(self, state: HideState, seat: str) -> bool:
        return any(self._is_enemy(state, card) for card in self.hands[seat])

    def _is_enemy(self, state: HideState, card: str) -> bool:
        return state.set.cards[card].does == "enemy"
