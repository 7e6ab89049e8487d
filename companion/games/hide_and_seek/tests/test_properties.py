"""Any match: cards are never lost or doubled, undo is replay, and points and views are what they say."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.deck import unseen
from companion.games.hide_and_seek.state import MOST_LAID, End, HideMove, HideState, Hold
from companion.games.hide_and_seek.tests.table import CARDS, box

thorough = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])

TIGHT = box(
    hand=3, cards=dict.fromkeys(CARDS, 1) | {"food": 2, "candy": 3, "gale-suit-grey": 2, "magician": 2}
)
"""So few cards that the deck runs out, and candies, gears and enemies meet."""


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[HideState], list[HideMove]]:
    """A match by chance, of any choices; players tell their hands now and then."""
    options = GAME.options(
        {
            "cards": draw(st.sampled_from(["example", TIGHT])),
            "one_victim": draw(st.sampled_from(["ask", "one", "all"])),
            "brawl_clears": draw(st.booleans()),
            "spent_candy": draw(st.sampled_from(["stays", "discarded"])),
            "hide_from_enemy": draw(st.booleans()),
        }
    )
    states = [GAME.start(options, 2)]
    moves: list[HideMove] = []
    for _ in range(draw(st.integers(0, 60))):
        legal = [move for move in GAME.legal_moves(states[-1]) if not isinstance(move, End)]
        if not legal:
            break
        kinds = sorted({type(move).__name__ for move in legal})
        kind = draw(st.sampled_from(kinds))
        moves.append(draw(st.sampled_from([move for move in legal if type(move).__name__ == kind])))
        states.append(GAME.play(states[-1], moves[-1]))
    return states, moves


@thorough
@given(matches())
def test_cards_are_never_lost_or_doubled(match: tuple[list[HideState], list[HideMove]]) -> None:
    for state in match[0]:
        whole = Counter(state.set.counts(enemies=True))
        left = unseen(state)
        assert min(left.values()) >= 0
        assert left.total() == state.deck + sum(state.hands.values())
        out = Counter(each.card for each in state.lying) + Counter(state.discards)
        out += Counter(each.card for each in state.enemies_caught)
        out += Counter([state.enemy.card] if state.enemy else [])
        assert out + left == whole


@thorough
@given(matches())
def test_undo_is_replay(match: tuple[list[HideState], list[HideMove]]) -> None:
    states, moves = match
    again = states[0]
    for move, state in zip(moves, states[1:], strict=True):
        again = GAME.play(again, msgspec.json.decode(msgspec.json.encode(move), type=GAME.move_type))
        assert msgspec.json.encode(again) == msgspec.json.encode(state)


@thorough
@given(matches())
def test_what_lies_lies_on_someone_and_for_as_long_as_it_may(
    match: tuple[list[HideState], list[HideMove]],
) -> None:
    for state in match[0]:
        there = {own.animal for own in state.free} | ({"enemy"} if state.enemy else set())
        assert {each.on for each in state.lying} <= there
        assert all(laid <= MOST_LAID for laid in state.laid.values())
        if state.phase == "open":
            worn = Counter((each.on, state.set.cards[each.card].gear) for each in state.lying)
            assert all(count == 1 for (_, gear), count in worn.items() if gear)
            assert {state.set.cards[each.card].does for each in state.lying} <= {"food", "candy", "gear"}


@thorough
@given(matches(), st.data())
def test_views_are_exact(match: tuple[list[HideState], list[HideMove]], data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(match[0]))
    view = GAME.view(state, None)
    for seat in view.seats:
        assert seat.points == sum(line.points for line in seat.lines)
    for animal in view.animals:
        stand = animal.standing
        assert stand.speed == stand.speed_before + sum(effect.speed for effect in stand.effects)
        can = {each.colour for each in view.catch if animal.animal in each.animals}
        if view.phase == "catch" and animal.verdict and not state.catching.animals and not state.brawl:
            assert can == (set() if animal.verdict.why else set(animal.verdict.colours))
    chances = [kind.next for kind in view.deck.kinds if kind.next]
    assert not chances or abs(sum(each.chance for each in chances) - 1) < 1e-9
    assert all(kind.count == kind.lying + kind.out + kind.unseen for kind in view.deck.kinds)


@thorough
@given(matches(), st.data())
def test_a_hand_told_changes_nobody_elses_match(
    match: tuple[list[HideState], list[HideMove]], data: st.DataObject
) -> None:
    states, moves = match
    at = data.draw(st.integers(0, len(states) - 1))
    seat, other = data.draw(st.permutations(states[at].seats))
    left = sorted(unseen(states[at]).elements())
    hand = data.draw(st.permutations(left))[: states[at].hands[seat]]
    noted = GAME.play(states[at], Hold(seat, tuple(hand)))
    assert GAME.hide(noted, other) == states[at]
    for move, state in zip(moves[at:], states[at + 1 :], strict=True):
        noted = GAME.play(noted, move)
        for who in (None, other):
            assert GAME.hide(noted, who) == state
    assert GAME.view(noted, other) == GAME.view(states[-1], other)
    assert GAME.view(noted, seat).deck.exact
