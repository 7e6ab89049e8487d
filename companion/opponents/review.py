"""A process that judges the moves of a match beside the best ones (see `process`).

    python -m companion.opponents.review < task.json

The task is a `Task`, the answer a `Review`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from time import perf_counter
from typing import Any

import msgspec

from companion.games import choosing, registry
from companion.games.registry import AnyGame
from companion.opponents import process
from companion.opponents.clock import seconds

A_MATCH_S = 12.0
"""The seconds that all moves of a match may take, shared out among those that are left.

The start of the process and the first look at each of 11 moves take another 1.2 s on a busy server. A board
six times slower keeps to 20 s.
"""


class Task(msgspec.Struct, frozen=True):
    """The open moves of a match, from its start on."""

    game: str
    options: msgspec.Raw
    seats: int
    moves: tuple[msgspec.Raw, ...]
    limit_s: float = A_MATCH_S


class Judged(msgspec.Struct, frozen=True):
    """A move beside the best one, both by what the player expects of them (see `choosing.Choice.value`).

    `number` is that of the open move, from 1; `move` and `best` are in the game's notation.
    """

    number: int
    seat: str
    move: str
    value: float
    best: str
    best_value: float

    @property
    def lost(self) -> float:
        """How much more the best move was worth."""
        return self.best_value - self.value


class Review(msgspec.Struct, frozen=True):
    """The moves of a match that the game's player could judge, in the order in which they were made."""

    moves: tuple[Judged, ...]


def can_judge(game: AnyGame) -> bool:
    """Whether the game has a player that judges moves, and hides nothing from anyone."""
    return not registry.hides(game) and hasattr(choosing.chooser_of(game.slug), "weigh")


def begin(task: Task) -> subprocess.Popen[bytes]:
    """Start a process that judges a match."""
    return process.begin("review", task)


def answer_of(judging: subprocess.Popen[bytes]) -> Review | None:
    """The review by a process that has ended; None if it was ended before."""
    line = process.line_of(judging)
    return msgspec.json.decode(line, type=Review) if line else None


def review(task: Task, clock: Callable[[], float] = perf_counter) -> Review:
    """The judged moves of a task; `clock` gives the time in seconds."""
    game = registry.game(task.game)
    state = game.start(msgspec.json.decode(task.options, type=game.options_type), task.seats)
    chooser: Any = choosing.chooser_of(task.game)
    judged, ends = [], clock() + task.limit_s
    for number, raw in enumerate(task.moves, 1):
        move, seat = game.move(msgspec.json.decode(raw)), game.turn(state)
        after = game.play(state, move)
        seen = choosing.seen(game, state, seat) if seat is not None else None
        if seen is not None and type(move) in {type(each) for each in seen.legal}:
            share_s = (ends - clock()) / (len(task.moves) - number + 1)
            weighed = chooser.weigh(seen, move, seconds(share_s))
            if weighed is not None:
                best, written = weighed.best, game.notation(move)
                judged.append(
                    Judged(number, seen.seat, written, weighed.played, game.notation(best.move), best.value)
                )
        state = after
    return Review(tuple(judged))


if __name__ == "__main__":
    process.answer(Task, review)
