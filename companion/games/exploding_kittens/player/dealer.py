"""The machine's own cards: a deck and hands for a match without cards on the table.

The rules know only shown cards. The dealer holds the others. It tells each seat its hand, and what it drew,
saw and took, as the private notes of a player, and says what a draw brings. Before a card takes effect, it
asks each seat with a nope in order.
"""

from __future__ import annotations

from typing import Any

from companion.games.chance import Chance
from companion.games.exploding_kittens.cards import DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE
from companion.games.exploding_kittens.known import nopers
from companion.games.exploding_kittens.player.playout import LAID_BY
from companion.games.exploding_kittens.state import (
    SEATS,
    Action,
    AnswerAsked,
    Defuse,
    Draw,
    DrawKitten,
    Drew,
    Explode,
    Hand,
    Hid,
    KittensMove,
    KittensState,
    Nope,
    Pair,
    Play,
    PrivateMove,
    Saw,
    Seat,
    Three,
    Took,
    refuse,
)
from companion.games.game import Game
from companion.games.players import Dealer


class KittensDealer(Dealer):
    """Deals, and keeps every card of a match."""

    def begin(self, state: KittensState, chance: Chance) -> None:
        """Deal the hands and the deck of a new match (rulebook, set-up 1 to 6)."""
        box, seats = state.options.box, state.seats
        dealing = chance.stream("deck")
        self._thefts, self._shuffles = chance.stream("thefts"), chance.stream("shuffles")
        cards = [
            kind for kind, count in box.cards.items() if kind not in (KITTEN, DEFUSE) for _ in range(count)
        ]
        cards += [DEFUSE] * (box.cards[DEFUSE] - len(seats))
        dealing.shuffle(cards)
        self.hands: dict[str, list[str]] = {
            seat: [DEFUSE, *(cards.pop() for _ in range(box.dealt))] for seat in seats
        }
        self.deck = cards + [KITTEN] * (len(seats) - 1)
        dealing.shuffle(self.deck)
        self._notes: list[PrivateMove] = [Hand(seat, tuple(sorted(self.hands[seat]))) for seat in seats]
        self._passed: set[str] = set()
        self._settled = True
        self._hides: str | None = None

    def chance(self, state: KittensState) -> KittensMove | None:
        """A note of what a seat saw, or the answer to a named card; None while a player chooses."""
        if not self._notes and not self._settled and not self._nopers(state):
            answer = self._settle(state)
            if answer is not None:
                return answer
        return self._notes.pop(0) if self._notes else None

    def acting(self, game: Game[Any, Any, Any], state: KittensState) -> str | None:
        """The seat that hides a kitten, may lay a nope, or is in turn."""
        if self._hides is not None:
            return self._hides
        nopers = self.answerers(state)
        return nopers[0] if nopers else game.turn(state)

    def resolve(self, state: KittensState, move: KittensMove) -> KittensMove:
        """Turn a draw into that of the top card."""
        if not isinstance(move, Draw | DrawKitten):
            return move
        return DrawKitten() if self.deck[-1] == KITTEN else Draw()

    def passes(self, state: KittensState, seat: str) -> None:
        self._passed.add(seat)

    def after(self, state: KittensState, move: KittensMove) -> None:
        """Move the cards of a move; `state` is the one before it."""
        seat = state.standing.turn
        match move:
            case Draw():
                self.hands[seat].append(self.deck.pop())
                self._notes.append(Drew(seat, self.hands[seat][-1]))
            case DrawKitten():
                self.deck.pop()
            case Defuse():
                self.hands[seat].remove(DEFUSE)
                self._hides = seat
            case Hid():
                self.deck.insert(len(self.deck) - move.place, KITTEN)
                self._hides = None
            case Explode():
                self.hands[seat] = []
            case Play() | Pair() | Three():
                for _ in range(LAID_BY[type(move)]):
                    self.hands[seat].remove(move.card)
                self._passed, self._settled = {seat}, False
            case Nope():
                self.hands[move.seat].remove(NOPE)
                self._passed = {move.seat}

    def check(self, state: KittensState, move: KittensMove, seat: str) -> None:
        """Allow only cards of the seat's hand, in its turn, and a nope while the last card lies there."""
        if isinstance(move, Nope):
            self._check_nope(move, seat)
        elif isinstance(move, PrivateMove):
            if not isinstance(move, Hid) or self._hides != seat or not 0 <= move.place <= len(self.deck):
                refuse("dealt-told")
        elif isinstance(move, AnswerAsked):
            refuse("dealt-told")
        elif self.waits(state):
            refuse("dealt-wait")
        elif self._hides is not None:
            refuse("dealt-hide-first", seat=self._hides)
        elif state.standing.turn != seat:
            refuse("dealt-turn", seat=state.standing.turn)
        elif isinstance(move, Explode) and DEFUSE in self.hands[seat]:
            refuse("dealt-defuse")
        elif isinstance(move, Play | Pair | Three | Defuse):
            card = DEFUSE if isinstance(move, Defuse) else move.card
            self._check_held(seat, card, LAID_BY.get(type(move), 1))

    def _check_nope(self, move: Nope, seat: str) -> None:
        if move.seat != seat:
            refuse("dealt-turn", seat=move.seat)
        self._check_held(seat, NOPE, 1)
        if self._settled:
            refuse("dealt-too-late")

    def _check_held(self, seat: str, card: str, needed: int) -> None:
        if self.hands[seat].count(card) < needed:
            refuse("dealt-not-in-hand", card=card, needed=needed)

    def waits(self, state: KittensState) -> bool:
        """True while a nope may come, whoever really holds one: the time reveals nothing."""
        last = state.last
        if self._settled or last is None:
            return False
        latest = last.nopes[-1] if last.nopes else last.seat
        return any(seat != latest for seat in nopers(state))

    def answerers(self, state: KittensState) -> tuple[str, ...]:
        """The seats that hold a nope and have not declined."""
        return () if self._settled else tuple(self._nopers(state))

    def in_secret(self, state: KittensState) -> str:
        """The seat that puts a kitten back."""
        return self._hides or ""

    def answers(self, moves: tuple[KittensMove, ...]) -> tuple[KittensMove, ...]:
        """Nopes alone, even for the seat whose turn comes next."""
        return tuple(move for move in moves if isinstance(move, Nope))

    def _nopers(self, state: KittensState) -> list[str]:
        """The seats that may still nope the last card, from the seat after the one that laid it."""
        last = state.last
        if last is None or state.phase == "over":
            return []
        by = SEATS.index(last.nopes[-1] if last.nopes else last.seat)
        order = [*state.seats[by + 1 :], *state.seats[: by + 1]]
        return [
            seat
            for seat in order
            if seat not in self._passed and state.standing.lives(seat) and NOPE in self.hands[seat]
        ]

    def _settle(self, state: KittensState) -> AnswerAsked | None:
        """Let the last card take effect or not, and note what the seats see of it."""
        self._settled = True
        last = state.last
        if last is None or not last.works:
            return None
        if last.what == "three":
            given = last.named in self.hands[last.target]
            if given:
                self._hand_over(last, last.named)
            return AnswerAsked(given)
        if last.what == "pair" and self.hands[last.target]:
            card = self._thefts.choice(self.hands[last.target])
            self._hand_over(last, card)
            self._notes += [Took(_seat(last.seat), card), Took(_seat(last.target), card)]
        elif last.card == SHUFFLE:
            self._shuffles.shuffle(self.deck)
        elif last.card == FUTURE:
            seen = state.options.box.seen
            self._notes.append(Saw(_seat(last.seat), tuple(reversed(self.deck[-seen:]))))
        return None

    def _hand_over(self, theft: Action, card: str) -> None:
        self.hands[theft.target].remove(card)
        self.hands[theft.seat].append(card)


def _seat(name: str) -> Seat:
    return SEATS[SEATS.index(name)]
