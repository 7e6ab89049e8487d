"""Matches for the tests, written shortly: `play(began(3), "draw", "attack", "nope second")`."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import MoveError
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.known import known
from companion.games.exploding_kittens.state import KittensState
from companion.odds import Knowledge

WORDS: dict[str, tuple[str, ...]] = {
    "pair": ("card", "target"),
    "three": ("card", "target", "named"),
    "nope": ("seat",),
    "drew": ("seat", "card"),
    "took": ("seat", "card"),
    "hid": ("seat", "place"),
}
"""What follows the name of a move."""


def move(text: str) -> Any:
    """A move from its short form: a card alone is played; `hand first nope skip`, `saw first kitten nope`."""
    name, *rest = text.split()
    if name in ("draw", "kitten", "defuse", "explode") and not rest:
        return GAME.move({"move": name})
    if name in ("gave", "none"):
        return GAME.move({"move": "answer", "given": name == "gave"})
    if name in ("hand", "saw"):
        return GAME.move({"move": name, "seat": rest[0], "cards": rest[1:]})
    if name == "play":
        return GAME.move({"move": "play", "card": rest[0]})
    if name in WORDS:
        fields = dict(zip(WORDS[name], rest, strict=True))
        return GAME.move(
            {"move": name, **fields, **({"place": int(fields["place"])} if name == "hid" else {})}
        )
    return GAME.move({"move": "play", "card": name})


def began(seats: int = 3, **options: str) -> KittensState:
    """Hands just dealt."""
    return GAME.start(GAME.options(options), seats)


def play(state: KittensState, *moves: str) -> KittensState:
    """The state after these moves."""
    for text in moves:
        state = GAME.play(state, move(text))
    return state


def refused(state: KittensState, text: str) -> str:
    """The rule that refuses a move; its sentence is there in every language."""
    with pytest.raises(MoveError) as caught:
        GAME.play(state, move(text))
    assert all(caught.value.says(language) for language in ("en", "zh-Hant", "ko"))
    return caught.value.rule


def knows(state: KittensState, seat: str | None = None) -> Knowledge:
    """What a seat knows of the cards; None: what all know."""
    return known(state, seat).knowledge
