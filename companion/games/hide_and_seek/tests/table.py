"""How the tests play: two players with three animals each, cards written as a line of words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.errors import MoveError
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.animals import traits
from companion.games.hide_and_seek.cardset import COLOURS, ENEMY
from companion.games.hide_and_seek.state import (
    GoOn,
    HideMove,
    HideOptions,
    HideState,
    Own,
    PlayEnemy,
    Seek,
    TurnUp,
)

ONE, TWO = "player-1", "player-2"

ANIMALS = {
    "兩金": ("cat", ["grey"], 3, 3),
    "炭炭": ("dog", ["white", "brown"], 5, 2),
    "Ivy": ("cat", ["yellow"], 4, 4),
    "卡士達": ("cat", ["black", "white"], 6, 2),
    "Rex": ("dog", ["grey"], 2, 1),
    "Max": ("dog", ["brown"], 7, 5),
}
"""Species, colours, speed, points. The first three are player 1's, the others player 2's."""

CARDS: dict[str, dict[str, Any]] = {
    **{f"hide-{colour}": {"does": "hide", "colour": colour, "speed": 1} for colour in COLOURS},
    "hide-rainbow": {"does": "hide", "colour": "rainbow", "speed": 2},
    "food": {"does": "food", "speed": -1, "points": 1},
    "big-food": {"does": "food", "speed": -2, "points": 3},
    "candy": {"does": "candy", "speed": 1},
    "gale-suit-yellow": {"does": "gear", "gear": "gale-suit", "colour": "yellow", "speed": 1},
    "gale-suit-grey": {"does": "gear", "gear": "gale-suit", "colour": "grey", "speed": 1},
    "red-claw-black": {"does": "gear", "gear": "red-claw", "colour": "black", "speed": 1},
    "paint-black": {"does": "paint", "colour": "black", "speed": -1},
    "paint-white": {"does": "paint", "colour": "white", "speed": -1},
    "rocket-fist": {"does": "rocket", "species": "dog", "speed": 4, "slows": 3},
    "cannonball": {"does": "rocket", "species": "cat", "speed": 4},
    "magician": {"does": "enemy", "colours": ["black", "white"], "speed": 9, "points": 5},
}


def toml(value: Any) -> str:
    """A value as TOML writes it, tables in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml(key)} = {toml(each)}" for key, each in value.items()) + " }"
    return msgspec.json.encode(value).decode()


def box(**changed: Any) -> str:
    """The text of a set with nine cards of each kind; `cards` changes counts, the rest other keys."""
    counts = changed.pop("cards", {})
    animals = {
        name: dict(zip(("species", "colours", "speed", "points"), values, strict=True))
        for name, values in ANIMALS.items()
    }
    cards = {name: {**kind, "count": counts.get(name, 9)} for name, kind in CARDS.items()}
    keys = {"name": "Test", "hand": 6, "rounds_each": 2, "animals": animals, "cards": cards, **changed}
    return "".join(f"{key} = {toml(value)}\n" for key, value in keys.items())


def options(**given: Any) -> HideOptions:
    """The options with the tests' set; `box` changes that set."""
    return GAME.options({"cards": box(**given.pop("box", {})), **given})


def dealt(**given: Any) -> HideState:
    """All have their animals, and the first round begins."""
    state = GAME.start(options(**given), 2)
    for n, animal in enumerate(ANIMALS):
        state = GAME.play(state, Own((ONE, TWO)[n // 3], animal))
    return state


def seeking(animal: str = "卡士達", *, enemy: str = "", **given: Any) -> HideState:
    """That animal seeks; `enemy`: who played the magician before."""
    state = dealt(**given)
    if enemy:
        state = GAME.play(state, PlayEnemy(enemy, "magician"))
    return GAME.play(state, Seek(animal))


def card(line: str) -> TurnUp:
    """`1 paint-black 兩金`: player 1's card on an animal; then a rainbow's colour, or faster, or slower."""
    by, kind, on, *more = line.split()
    said = more[0] if more else None
    colour: Any = said if said in COLOURS else None
    return TurnUp(f"player-{by}", kind, on, colour, {"faster": True, "slower": False}.get(said or ""))


def up(state: HideState, *lines: str) -> HideState:
    """Cards are turned up."""
    for line in lines:
        state = GAME.play(state, card(line))
    return state


def on(state: HideState, *moves: HideMove) -> HideState:
    """Moves, one after another; none is a tap on "go on"."""
    for move in moves or (GoOn(),):
        state = GAME.play(state, move)
    return state


def stands(state: HideState, animal: str) -> tuple[str, int]:
    """Colours (in the order of the rulebook) and speed of an animal, or of `enemy`."""
    stand = traits(state, animal)
    return " ".join(stand.colours), stand.speed


def refused(state: HideState, move: HideMove | dict[str, object]) -> str:
    """The rule that refuses a move, which changes nothing."""
    before = msgspec.json.encode(state)
    with pytest.raises(MoveError) as caught:
        GAME.play(state, GAME.move(move) if isinstance(move, dict) else move)
    assert msgspec.json.encode(state) == before
    return caught.value.rule


def cards_on(state: HideState, animal: str) -> list[str]:
    """The cards that lie on an animal, or on `enemy`."""
    return [each.card for each in state.lying if each.on == animal]


__all__ = [
    "ANIMALS", "CARDS", "ENEMY", "ONE", "TWO", "box", "card", "cards_on", "dealt", "on", "options",
    "refused", "seeking", "stands", "toml", "traits", "up",
]  # fmt: skip
