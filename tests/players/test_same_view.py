"""A player knows what its seat knows: two matches that look the same to it bring the same choice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.chance import Stream, key_of
from companion.games.game import Move, State
from companion.games.hide_and_seek.deck import unseen
from companion.games.hide_and_seek.state import HideState, Hold
from companion.games.players import Budget, Choice, Seen, player_of, seen
from companion.games.registry import AnyGame, hides
from tests.conformance.playing import GAMES

MOVES = 30
"""The moves of a match by lot, at most."""

LOOKS = 4
"""At about this number of moments of a match choices are compared."""

SEEDS = (1, 2)

NODES = 400
"""The positions that a choice may weigh here: a little of all that a level does."""


def by_lot(of: AnyGame, seed: int) -> list[Move]:
    """The moves of a match, private notes among them: about half of the moves, where there are any."""
    luck, moves = Stream(key_of(seed)), list[Move]()
    state = of.start(of.options({}), max(of.seat_counts))
    while len(moves) < MOVES and (legal := list(of.legal_moves(state))):
        private = [move for move in legal if of.private_to(move) is not None] or noted_hands(state, luck)
        kind = private if private and luck.randbelow(2) else legal
        moves.append(luck.choice(kind))
        state = of.play(state, moves[-1])
    return moves


def noted_hands(state: State, luck: Stream) -> list[Move]:
    """A hand of Hide and Seek that each seat could write down: too many for the rules to list them."""
    if not isinstance(state, HideState):
        return []
    cards = sorted(unseen(state).elements())
    return [
        Hold(seat, tuple(sorted(cards[(at + 7 * n) % len(cards)] for n in range(state.hands[seat]))))
        for seat, at in ((seat, luck.randbelow(len(cards))) for seat in state.seats if state.hands.get(seat))
    ]


def twins(of: AnyGame, moves: list[Move], seat: str) -> Iterator[tuple[State, State]]:
    """The match after each move, beside one in which the others never noted what `seat` must not see.

    For a game without secrets both are the same, and there is no pair to compare.
    """
    whole = without = of.start(of.options({}), max(of.seat_counts))
    for move in moves:
        whole = of.play(whole, move)
        if of.private_to(move) in (None, seat):
            without = of.play(without, move)
        if whole != without:
            yield whole, without


def chosen(given: Seen) -> Iterator[tuple[str, Choice]]:
    """What each level chooses; nothing where the seat has nothing to do."""
    chooser = player_of(given.game.slug)
    for level in chooser.levels if given.legal else ():
        yield level, chooser.choose(given, level, Budget(NODES), 7)


@pytest.mark.parametrize("of", [each for each in GAMES if hides(each)], ids=lambda of: of.slug)
def test_two_matches_with_the_same_view_bring_the_same_choice(of: AnyGame) -> None:
    compared = 0
    for seed in SEEDS:
        moves = by_lot(of, seed)
        for seat in of.seat_names(of.start(of.options({}), max(of.seat_counts)))[:2]:
            pairs = list(twins(of, moves, seat))
            for whole, without in pairs[:: -max(1, len(pairs) // LOOKS)]:
                one, other = seen(of, whole, seat), seen(of, without, seat)
                assert (one.known, one.legal) == (other.known, other.legal)
                assert list(chosen(one)) == list(chosen(other))
                compared += 1
    assert compared > 4, "too few matches had secrets to say anything"


@pytest.mark.parametrize("of", GAMES, ids=lambda of: of.slug)
def test_a_player_is_given_what_its_seat_may_know_and_its_own_moves(of: AnyGame) -> None:
    moves = by_lot(of, 4)
    states = [of.start(of.options({}), max(of.seat_counts))]
    for move in moves:
        states.append(of.play(states[-1], move))
    for state in states[:: -max(1, len(states) // LOOKS)]:
        for seat in of.seat_names(state):
            given = seen(of, state, seat)
            assert given.known == of.hide(state, seat)
            assert {of.private_to(move) for move in given.legal} <= {None, seat}
            assert set(given.legal) <= set(of.legal_moves(given.known))
