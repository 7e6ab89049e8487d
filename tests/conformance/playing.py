"""Matches of any game, played by chance, for the tests that every game must pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from companion.games.game import Move, Options, State
from companion.games.registry import AnyGame, games
from companion.messages import Messages

GAMES = tuple(games().values())

MOST_MOVES = 30
"""How far a match is played by chance."""

MOST_LOOKS = 4
"""At about so many moments of a match it is viewed by every seat: an exact chance takes its time."""

TRIED_ELSEWHERE = 4
"""How many legal moves of each state are kept, to be tried in the match's other states."""


def rules_of(of: AnyGame) -> list[str]:
    """The names of a game's own rules: each has a sentence in its messages."""
    keys = (key for key, _ in Messages.from_files(of.folder / "messages.toml"))
    return [key.removeprefix("rule.") for key in keys if key.startswith("rule.")]


def kinds_of(of: AnyGame) -> tuple[Any, ...]:
    """The kinds of a game's moves."""
    return get_args(of.move_type) or (of.move_type,)


@dataclass
class Match:
    """A match by chance: its states from the start on, and the move that led to each next one."""

    game: AnyGame
    seats: int
    options: Options
    states: list[State]
    moves: list[Move] = field(default_factory=list)
    possible: list[Move] = field(default_factory=list)
    """Some moves that were legal somewhere in the match."""


def variants(of: AnyGame) -> Iterator[dict[str, Any]]:
    """The default options, then every other value of each option with a closed choice."""
    yield {}
    default = of.options({})
    for option in msgspec.structs.fields(of.options_type):
        now = getattr(default, option.name)
        kind = msgspec.inspect.type_info(option.type)
        if isinstance(kind, msgspec.inspect.Metadata):
            kind = kind.type
        others: tuple[Any, ...] = ()
        if isinstance(kind, msgspec.inspect.BoolType):
            others = (not now,)
        elif isinstance(kind, msgspec.inspect.LiteralType):
            others = tuple(value for value in kind.values if value != now)
        for other in others:
            yield {option.name: other}


@st.composite
def matches(draw: st.DrawFn, of: AnyGame) -> Match:
    """A match of that game, of any number of seats and with any one choice changed."""
    seats = draw(st.sampled_from(of.seat_counts))
    options = of.options(draw(st.sampled_from(tuple(variants(of)))))
    match = Match(of, seats, options, [of.start(options, seats)])
    for _ in range(draw(st.just(MOST_MOVES) | st.integers(0, MOST_MOVES))):
        legal = list(of.legal_moves(match.states[-1]))
        if not legal:
            break
        match.possible += draw(st.lists(st.sampled_from(legal), max_size=TRIED_ELSEWHERE))
        match.moves.append(legal[draw(st.integers(0, len(legal) - 1))])
        match.states.append(of.play(match.states[-1], match.moves[-1]))
    return match


@st.composite
def mangled(draw: st.DrawFn, move: Move) -> dict[str, Any]:
    """A legal move's plain values with one of them changed for something else, taken out or put in."""
    plain: dict[str, Any] = msgspec.to_builtins(move)
    key = draw(st.sampled_from([*sorted(plain), "surplus"]))
    if key != "surplus" and draw(st.booleans()):
        del plain[key]
    else:
        plain[key] = draw(
            st.none() | st.integers() | st.integers(-3, 70) | st.text(max_size=8) | st.booleans()
        )
    return plain


def some(states: list[State]) -> list[State]:
    """The last state of a match and a few before it, evenly apart."""
    return states[:: -max(1, len(states) // MOST_LOOKS)]


def plain(value: object) -> bytes:
    """A value as JSON, to see whether it has changed."""
    return msgspec.json.encode(value)
