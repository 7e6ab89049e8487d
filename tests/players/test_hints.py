"""A hint is a move, what it is worth, and one sentence that says why."""

from __future__ import annotations

import pytest

from companion.games.chance import Stream, key_of
from companion.games.players import Budget, Choice, levels_of, player_of, seen
from companion.games.registry import game
from companion.messages import LANGUAGES, messages_of_game
from tests.conftest import BED

NODES = 400

UNTIL_A_CHOICE = {
    BED: (),
    "chop-chop": ("c@2,3", "2"),
    "exploding-kittens": (
        '{"move": "hand", "seat": "first", "cards": ["attack", "defuse", "nope", "shuffle", "skip", "skip"]}',
    ),
}
"""Moves after which the first seat has something to choose."""


@pytest.mark.parametrize("slug", UNTIL_A_CHOICE)
def test_a_hint_has_a_move_its_worth_and_a_sentence_in_every_language(slug: str) -> None:
    of = game(slug)
    state = of.start(of.options({}), min(of.seat_counts))
    for move in UNTIL_A_CHOICE[slug]:
        state = of.play(state, of.parse(move))
    seat, chooser = of.seat_names(state)[0], player_of(slug)
    best = levels_of(slug)[-1]
    choice: Choice = chooser.choose(
        seen(of, state, seat), best, Budget(NODES), Stream(key_of(1)).randbelow(100)
    )
    of.play(state, choice.move)
    assert choice.value is not None
    assert chooser.expects == "points" or 0 <= choice.value <= 1
    for language in LANGUAGES:
        assert messages_of_game(slug).say(choice.why, language, **choice.facts)
