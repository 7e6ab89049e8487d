"""A process that chooses one move (see `process`).

    python -m companion.opponents.think < task.json

The task is a `Task`, the answer a `Choice`.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from time import monotonic
from typing import Any

import msgspec

from companion.games import choosing, registry
from companion.games.choosing import Choice
from companion.opponents import process
from companion.opponents.clock import seconds

A_MOVE_S = 1.0
"""The seconds that a move may take, from the moment at which its process is started."""

THINKS = 0.5
"""The least share of these seconds for thinking, on a board that takes long to start a process."""


class Task(msgspec.Struct, frozen=True):
    """What to choose a move for: `state` is what the seat may know, as JSON.

    `begun` is when the process was started, by `time.monotonic`, which all processes share.
    `answers`: the seat may answer the last move, and do nothing else.
    """

    game: str
    state: msgspec.Raw
    seat: str
    level: str
    seed: int
    limit_s: float = A_MOVE_S
    begun: float | None = None
    answers: bool = False


def begin(task: Task) -> subprocess.Popen[bytes]:
    """Start a process that thinks about the task."""
    return process.begin("think", msgspec.structs.replace(task, begun=monotonic()))


def answer_of(thinking: subprocess.Popen[bytes], slug: str) -> Choice | None:
    """The choice of a process that has ended; None if it was ended before."""
    line = process.line_of(thinking)
    if not line:
        return None
    choice = msgspec.json.decode(line, type=Choice)
    if choice.move is None:
        return choice
    return msgspec.structs.replace(choice, move=registry.game(slug).move(choice.move))


def choose(task: Task) -> Choice:
    """The move for a task."""
    took_s = 0.0 if task.begun is None else monotonic() - task.begun
    budget = seconds(max(task.limit_s - took_s, task.limit_s * THINKS))
    game = registry.game(task.game)
    state: Any = msgspec.json.decode(task.state, type=game.state_type)
    seen = choosing.seen(game, state, task.seat)
    if task.answers:
        seen = replace(seen, legal=choosing.dealer_of(task.game).answers(seen.legal))
    return choosing.chooser_of(task.game).choose(seen, task.level, budget, task.seed)


if __name__ == "__main__":
    process.answer(Task, choose)
