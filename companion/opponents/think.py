"""A process that chooses one move, at the lowest priority: pictures, pages and buttons do not feel it.

    python -m companion.opponents.think < task.json

The task is a `Task`, the answer a `Choice`, each one line of JSON. Whoever started it ends it when the turn
is over: the process knows nothing of that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import msgspec

from companion.games import choosing, registry
from companion.games.choosing import Choice
from companion.opponents.clock import seconds

LOWEST = 19
"""The niceness of a process that thinks: it gets what nobody else needs."""

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
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.opponents.think"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode(task))
    process.stdin.close()
    return process


def answer_of(process: subprocess.Popen[bytes], slug: str) -> Choice | None:
    """The choice of a process that has ended; None if it was ended before."""
    assert process.stdout is not None
    with process.stdout as said:
        line = said.read()
    if process.wait() or not line:
        return None
    choice = msgspec.json.decode(line, type=Choice)
    return msgspec.structs.replace(choice, move=registry.game(slug).move(choice.move))


def choose(task: Task) -> Choice:
    """The move for a task."""
    game = registry.game(task.game)
    state: Any = msgspec.json.decode(task.state, type=game.state_type)
    seen = choosing.seen(game, state, task.seat)
    return choosing.chooser_of(task.game).choose(seen, task.level, seconds(task.limit_s), task.seed)


def main() -> None:
    """Answer the task on stdin."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)
    choice = choose(msgspec.json.decode(sys.stdin.buffer.read(), type=Task))
    sys.stdout.buffer.write(msgspec.json.encode(choice) + b"\n")


if __name__ == "__main__":
    main()
