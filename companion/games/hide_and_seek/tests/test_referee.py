"""Matches by chance, judged by the rules and by a second referee that shares nothing with them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.state import End, HideMove, HideState, TurnUp
from companion.games.hide_and_seek.tests.referee import Referee
from companion.games.hide_and_seek.tests.table import CARDS, box

CROWDED = box(
    hand=9,
    rounds_each=2,
    cards=dict.fromkeys(CARDS, 4) | {"food": 7, "candy": 9, "gale-suit-grey": 6, "magician": 3},
)
"""Few kinds that are often laid on one animal, so that candies, gears and brawls come often."""

CHOICES = {
    "tie_speed": ("escape", "caught"),
    "colour_without_card": (True, False),
    "one_victim": ("ask", "one", "all"),
    "minimum_speed": ("none", "0", "1"),
    "hide_from_enemy": (True, False),
    "brawl_clears": (False, True),
    "brawl_tie": ("next", "ends"),
    "candy_removes": ("food-first", "any"),
    "spent_candy": ("stays", "discarded"),
}
"""Every choice; in each match one or two are another than by default."""

ON = ("炭炭", "卡士達", "enemy")
"""Where most cards are laid."""


def check(state: HideState, referee: Referee) -> None:
    """All that a page shows is as the referee has it."""
    view = GAME.view(state, None)
    assert {each.animal for each in view.animals} == set(referee.owner)
    stands = [each.standing for each in view.animals]
    for stand in [*stands, *([view.enemy.standing] if view.enemy else [])]:
        assert set(stand.colours) == referee.colours(stand.on), stand.on
        assert stand.speed == referee.speed(stand.on), stand.on
        assert set(stand.hides) == referee.hides(stand.on), stand.on
        assert set(stand.catches) == referee.catches(stand.on), stand.on
    assert {each.seat: each.points for each in view.seats} == referee.score()
    assert {each.colour: sorted(each.animals) for each in view.catch} == {
        colour: sorted(animals) for colour, animals in referee.prey().items()
    }
    assert (state.phase, dict(state.hands), state.deck) == (referee.phase, dict(referee.hands), referee.deck)
    if state.phase != "over":
        assert (state.round, state.brawl) == (referee.round, referee.brawl)
        assert (view.seeker and state.seats.index(view.seeker)) == referee.seeker
    may_catch, takes = referee.brawls()
    ends = view.ends if state.phase in ("candy", "catch") else None
    if ends:
        assert (set(ends.may_catch), set(ends.takes)) == (may_catch, takes)
    asked = {each.on: (sorted(each.choices), each.may_keep) for each in view.candies}
    assert asked == {on: (sorted(names), keep) for on, (_, names, keep) in referee.asked().items()}


@pytest.mark.parametrize("seats", [2])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_the_rules_and_the_referee_agree_after_every_move(seats: int, data: st.DataObject) -> None:
    changed = data.draw(st.lists(st.sampled_from(sorted(CHOICES)), max_size=2, unique=True))
    given_options = {name: data.draw(st.sampled_from(CHOICES[name])) for name in changed}
    state = GAME.start(GAME.options({"cards": CROWDED, **given_options}), seats)
    referee = Referee(state.options, state.seats)
    for _ in range(data.draw(st.integers(8, 70))):
        move = _one(state, data)
        if move is None:
            break
        state = GAME.play(state, move)
        referee.take(msgspec.to_builtins(move))
        check(state, referee)


def _one(state: HideState, data: st.DataObject) -> HideMove | None:
    """A move; most often a card on one of few animals, of each sort as often."""
    legal = [move for move in GAME.legal_moves(state) if not isinstance(move, End)]
    sorts: dict[str, list[HideMove]] = {}
    for move in legal:
        if not isinstance(move, TurnUp):
            sorts.setdefault("other", []).append(move)
        elif move.on in ON:
            sorts.setdefault(state.set.cards[move.card].does, []).append(move)
    return data.draw(st.sampled_from(data.draw(st.sampled_from(list(sorts.values()))))) if sorts else None
