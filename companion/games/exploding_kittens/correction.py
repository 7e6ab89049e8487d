"""What of a hand that proved wrong can still be there: where its player begins to correct it."""

from __future__ import annotations

from collections import Counter

from companion.games.exploding_kittens.cards import DEFUSE, NOPE
from companion.games.exploding_kittens.known import Seen, counted, sure
from companion.games.exploding_kittens.state import KittensState, PrivateNote
from companion.odds import number_held


def may_stay(state: KittensState, seen: Seen, seat: str) -> dict[str, int]:
    """The cards of the hand that a seat noted last, those gone since left out, as far as they can be there.

    To these come the cards that the hand surely holds by the notes that still count.
    """
    hands = [note for note in state.notes if (note.seat, note.what) == (seat, "hand")]
    counts = _since(state, hands[-1]) if hands else Counter()
    holds = sure(seen.knowledge, seat)
    stays = {}
    for card in state.options.box.in_hands:
        numbers = counted(lambda deck, card=card: number_held(deck, seat, card), seen.knowledge)  # type: ignore[misc]
        stays[card] = max(holds.get(card, 0), min(counts[card], len(numbers) - 1))
    return stays


def _since(state: KittensState, hand: PrivateNote) -> Counter[str]:
    """The cards of a noted hand without those that its player laid or gave since, with those gained."""
    counts = Counter(hand.cards)
    for index, action in enumerate(state.record[max(0, hand.action) :], start=max(0, hand.action)):
        later = index > hand.action
        if later and action.seat == hand.seat:
            counts[DEFUSE if action.what == "defuse" else action.card] -= action.laid
        counts[NOPE] -= action.nopes[0 if later else hand.nopes :].count(hand.seat)
        answered_since = later or hand.answers < action.answers
        if action.what == "three" and action.given and action.works and answered_since:
            counts[action.named] += (action.seat == hand.seat) - (action.target == hand.seat)
    return counts
