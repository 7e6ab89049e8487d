"""The notation of moves. Animals and cards are written by their names, in quotes if a name has a space.

| text | move |
| --- | --- |
| `player-1 has 兩金` | set-up: the animal's owner |
| `player-2 plays magician` | the player plays an enemy |
| `seek 兩金` | the seeker's chip lies on this animal |
| `player-1 turns up gale on 兩金` | the player turns up a card on an animal, or on `enemy` |
| `player-1 turns up hide-rainbow on 兩金 as grey` | the same, with the colour named for a rainbow |
| `player-1 turns up fist on 兩金 faster` | the same, with the way that a rocket works; or `slower` |
| `go on` | this step of the round is done |
| `candy on 兩金 removes fish` `candy on 兩金 stays` | what a candy does |
| `catch grey` `catch grey 兩金` | the seeker catches by a colour: all animals, or this one |
| `兩金 catches enemy` `enemy takes 兩金` | the end of a brawl |
| `兩金 drops hat` | of two gears of one kind, the animal drops this one |
| `end` | the players end the match |
| `player-1 holds gale fish` | private: the player's whole hand |
"""

from __future__ import annotations

import json
import re

from companion.games.game import Form
from companion.games.hide_and_seek.cardset import COLOURS
from companion.games.hide_and_seek.moves import (
    Catch,
    CatchEnemy,
    DropGear,
    End,
    GoOn,
    Hold,
    Own,
    PlayEnemy,
    RemoveFood,
    Seek,
    Taken,
    TurnUp,
)

NAME = r'("(?:[^"\\\x00-\x1f]|\\["\\])*"|[^\s"]+)'
"""A name, in the quotes of JSON where it has a space or a quote itself."""

COLOUR = f"({'|'.join(COLOURS)})"
"""A colour."""


def _quoted(name: str) -> str:
    return name if re.fullmatch(r'[^\s"]+', name) else json.dumps(name, ensure_ascii=False)


def _name(word: str) -> str:
    return str(json.loads(word)) if word.startswith('"') else word


def _turned_up(move: TurnUp) -> str:
    colour = f" as {move.colour}" if move.colour else ""
    speed = "" if move.faster is None else " faster" if move.faster else " slower"
    return f"{_quoted(move.by)} turns up {_quoted(move.card)} on {_quoted(move.on)}{colour}{speed}"


def _turn_up(by: str, card: str, on: str, colour: str | None, speed: str | None) -> TurnUp:
    faster = None if speed is None else speed == "faster"
    return TurnUp(_name(by), _name(card), _name(on), colour, faster)  # type: ignore[arg-type]


FORMS = (
    Form(
        Own,
        f"{NAME} has {NAME}",
        lambda move: f"{_quoted(move.seat)} has {_quoted(move.animal)}",
        lambda seat, animal: Own(_name(seat), _name(animal)),
    ),
    Form(
        PlayEnemy,
        f"{NAME} plays {NAME}",
        lambda move: f"{_quoted(move.by)} plays {_quoted(move.card)}",
        lambda by, card: PlayEnemy(_name(by), _name(card)),
    ),
    Form(
        Seek,
        f"seek {NAME}",
        lambda move: f"seek {_quoted(move.animal)}",
        lambda animal: Seek(_name(animal)),
    ),
    Form(
        TurnUp,
        f"{NAME} turns up {NAME} on {NAME}(?: as {COLOUR})?(?: (faster|slower))?",
        _turned_up,
        _turn_up,
    ),
    Form(GoOn, "go on", lambda _: "go on", GoOn),
    Form(
        RemoveFood,
        f"candy on {NAME} (?:removes {NAME}|stays)",
        lambda move: (
            f"candy on {_quoted(move.on)} {'stays' if move.food is None else f'removes {_quoted(move.food)}'}"
        ),
        lambda on, food: RemoveFood(_name(on), None if food is None else _name(food)),
    ),
    Form(
        Catch,
        f"catch {COLOUR}(?: {NAME})?",
        lambda move: f"catch {move.colour}{'' if move.animal is None else f' {_quoted(move.animal)}'}",
        lambda colour, animal: Catch(colour, None if animal is None else _name(animal)),
    ),
    Form(
        CatchEnemy,
        f"{NAME} catches enemy",
        lambda move: f"{_quoted(move.animal)} catches enemy",
        lambda animal: CatchEnemy(_name(animal)),
    ),
    Form(
        Taken,
        f"enemy takes {NAME}",
        lambda move: f"enemy takes {_quoted(move.animal)}",
        lambda animal: Taken(_name(animal)),
    ),
    Form(
        DropGear,
        f"{NAME} drops {NAME}",
        lambda move: f"{_quoted(move.on)} drops {_quoted(move.card)}",
        lambda on, card: DropGear(_name(on), _name(card)),
    ),
    Form(End, "end", lambda _: "end", End),
    Form(
        Hold,
        f"{NAME} holds((?: {NAME})*)",
        lambda move: f"{_quoted(move.seat)} holds{''.join(f' {_quoted(card)}' for card in move.cards)}",
        lambda seat, cards, _: Hold(_name(seat), tuple(map(_name, re.findall(NAME, cards)))),
    ),
)
"""Each kind of move as text."""
