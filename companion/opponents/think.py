"""A process that chooses one move (see `process`).

    python -m companion.opponents.think < task.json

The task is a `Task`, the answer a `Choice`.
"""

from __future__ import annotations

import subprocess
from typing import Any

import msgspec

from companion.games import choosing, registry
from companion.games.choosing import Choice
from companion.opponents import process
from companion.opponents.clock import seconds

A_MOVE_S = 1.0
"""The seconds that a move may take."""


class Task(msgspec.Struct, frozen=True):
    """What to choose a move for: `state` is what the seat may know, as JSON."""

    game: str
    state: msgspec.Raw
    seat: str
    level: str
    seed: int
    limit_s: float = A_MOVE_S


def begin(task: Task) -> subprocess.Popen[bytes]:
    """Start a process that thinks about the task."""
    return process.begin("think", task)


def answer_of(thinking: subprocess.Popen[bytes], slug: str) -> Choice | None:
    """The choice of a process that has ended; None if it was ended before."""
    line = process.line_of(thinking)
    if not line:
        return None
    choice = msgspec.json.decode(line, type=Choice)
    return msgspec.structs.replace(choice, move=registry.game(slug).move(choice.move))


def choose(task: Task) -> Choice:
    """The move for a task."""
    game = registry.game(task.game)
    state: Any = msgspec.json.decode(task.state, type=game.state_type)
    seen = choosing.seen(game, state, task.seat)
    return choosing.chooser_of(task.game).choose(seen, task.level, seconds(task.limit_s), task.seed)


if __name__ == "__main__":
    process.answer(Task, choose)
