"""Cards that the camera saw on the discard pile: what is plain is played, the rest asked or refused."""

from __future__ import annotations

import pytest

from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.state import (
    Defuse,
    Draw,
    DrawKitten,
    KittensMove,
    KittensState,
    Nope,
    Pair,
    Play,
)
from companion.games.watching import Card, KindGuess, Observation, Sighting, Verdict


def after(*moves: KittensMove, seats: int = 3) -> KittensState:
    state = GAME.start(GAME.options({}), seats)
    for move in moves:
        state = GAME.play(state, move)
    return state


def shown(
    state: KittensState, kind: str, *, sure: bool = True, others: dict[str, float] | None = None
) -> Sighting:
    card = Card(kind, 0.9 if sure else 0.6, (), tuple(KindGuess(*other) for other in (others or {}).items()))
    return GAME.sighting(
        state, Observation(unsure=not sure, why="" if sure else "cards-alike", cards=(card,))
    )


@pytest.mark.parametrize(
    ("state", "kind", "move"),
    [
        (after(), "skip", Play("skip")),
        (after(), "kitten", DrawKitten()),
        (after(DrawKitten()), "defuse", Defuse()),
    ],
    ids=["a-card", "a-kitten", "a-defuse"],
)
def test_what_is_plain_is_played(state: KittensState, kind: str, move: KittensMove) -> None:
    seen = shown(state, kind)
    assert (seen.verdict, seen.guesses[0].moves) == (Verdict.PLAY, (move,))


def test_whose_nope_it_is_is_asked() -> None:
    seen = shown(after(Play("attack")), "nope")
    assert (seen.verdict, seen.why) == (Verdict.ASK, "whose-nope")
    assert {guess.moves[0] for guess in seen.guesses} == {Nope("first"), Nope("second"), Nope("third")}


def test_on_whom_a_pair_is_played_is_asked() -> None:
    seen = shown(after(), "cat-a")
    assert seen.why == "whose-cats"
    assert [guess.moves[0] for guess in seen.guesses] == [Pair("cat-a", "second"), Pair("cat-a", "third")]
    assert sum(guess.confidence for guess in seen.guesses) == pytest.approx(0.9)


def test_two_kinds_alike_are_asked_the_likelier_first() -> None:
    seen = shown(after(), "skip", sure=False, others={"attack": 0.3})
    assert (seen.verdict, seen.why) == (Verdict.ASK, "cards-alike")
    assert [guess.moves[0] for guess in seen.guesses] == [Play("skip"), Play("attack")]


def test_what_breaks_a_rule_is_said_and_not_played() -> None:
    assert shown(after(), "defuse").rule == "no-kitten-drawn"
    assert shown(after(Draw()), "nope").verdict is Verdict.BREAKS


def test_no_card_is_nothing() -> None:
    assert GAME.sighting(after(), Observation(cards=())).verdict is Verdict.NOTHING
