"""A process that chooses one move, or judges the moves of a finished match.

    python -m companion.players.worker < task.json

It gets its task as JSON on stdin and answers with a line of JSON on stdout: a `Choose` with a `Choice`, a
`Judge` with a `Review`. It runs at the lowest priority, unless somebody waits for a hint. Whoever started it
ends it when nobody waits for the answer any more.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from time import monotonic, perf_counter
from typing import Any

import msgspec

from companion.games import players, registry
from companion.games.players import Budget, Choice

A_MOVE_S = 1.0
"""The seconds for a move, from the start of its process."""

A_HINT_S = 0.5
"""The same for a hint, for which somebody waits."""

THINKS = 0.5
"""The least share of these seconds for thinking, where a process takes long to start."""

A_MATCH_S = 12.0
"""The seconds for judging all moves of a match, shared out among those that are left."""

RESERVE = 0.04
"""The share of the time kept for work after the last look at the clock."""

LOWEST = 19

FOR_A_HINT = (-5, 0)
"""The priorities to try for a hint: the first one needs a permission, which the service has."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


class Choose(msgspec.Struct, frozen=True, tag="choose"):
    """Choose a move; `state` is what the seat may know, as JSON.

    `begun` is the process's start by `time.monotonic`, which all processes share. `answers`: the seat may
    only answer the last move. `is_hint`: somebody waits for it.
    """

    game: str
    state: msgspec.Raw
    seat: str
    level: str
    seed: int
    limit_s: float = A_MOVE_S
    begun: float | None = None
    answers: bool = False
    is_hint: bool = False


class Judge(msgspec.Struct, frozen=True, tag="judge"):
    """Judge the open moves of a match from its start."""

    game: str
    options: msgspec.Raw
    seats: int
    moves: tuple[msgspec.Raw, ...]
    limit_s: float = A_MATCH_S


class Judged(msgspec.Struct, frozen=True):
    """A move beside the best one, both by the player's expectation (see `Choice.value`).

    `number` is that of the open move, from 1; `move` and `best` are in the game's notation. `settled`: both
    values are certain. `stays`: the best move was the same with a third of the time.
    """

    number: int
    seat: str
    move: str
    value: float
    best: str
    best_value: float
    settled: bool = False
    stays: bool = True

    @property
    def lost(self) -> float:
        """The worth of the best move above this one."""
        return self.best_value - self.value


class Review(msgspec.Struct, frozen=True):
    """The moves of a match that the game's player could judge, in order."""

    moves: tuple[Judged, ...]


def begin(task: Choose | Judge) -> subprocess.Popen[bytes]:
    """Start a process on a task."""
    if isinstance(task, Choose):
        task = msgspec.structs.replace(task, begun=monotonic())
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.players.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD},
    )
    is_hint = isinstance(task, Choose) and task.is_hint
    for priority in FOR_A_HINT if is_hint else (LOWEST,):
        # At once: what it imports takes longest on a small board.
        with suppress(AttributeError, PermissionError):
            os.setpriority(os.PRIO_PROCESS, process.pid, priority)
            break
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode(task))
    process.stdin.close()
    return process


def choice_of(process: subprocess.Popen[bytes], slug: str) -> Choice | None:
    """The choice of an ended process; None if it was killed."""
    line = _line_of(process)
    if not line:
        return None
    choice = msgspec.json.decode(line, type=Choice)
    if choice.move is None:
        return choice
    return msgspec.structs.replace(choice, move=registry.game(slug).move(choice.move))


def review_of(process: subprocess.Popen[bytes]) -> Review | None:
    """The review by an ended process; None if it was killed."""
    line = _line_of(process)
    return msgspec.json.decode(line, type=Review) if line else None


def _line_of(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    with process.stdout as said:
        line = said.read()
    return b"" if process.wait() else line


def choose(task: Choose) -> Choice:
    """Choose a move for a task."""
    took_s = 0.0 if task.begun is None else monotonic() - task.begun
    budget = seconds(max(task.limit_s - took_s, task.limit_s * THINKS))
    game, player = registry.game(task.game), players.player_of(task.game)
    state: Any = msgspec.json.decode(task.state, type=game.state_type)
    seen = players.seen(game, state, task.seat)
    if task.answers:
        seen = replace(seen, legal=player.dealer().answers(seen.legal))
    return player.choose(seen, task.level, budget, task.seed)


def judge(task: Judge, clock: Callable[[], float] = perf_counter) -> Review:
    """Judge the moves of a task; `clock` gives the time in seconds."""
    game, player = registry.game(task.game), players.player_of(task.game)
    state = game.start(msgspec.json.decode(task.options, type=game.options_type), task.seats)
    judged, ends = [], clock() + task.limit_s
    for number, raw in enumerate(task.moves, 1):
        move, seat = game.move(msgspec.json.decode(raw)), game.turn(state)
        after = game.play(state, move)
        seen = players.seen(game, state, seat) if seat is not None else None
        if seen is not None and type(move) in {type(legal) for legal in seen.legal}:
            share_s = (ends - clock()) / (len(task.moves) - number + 1)
            at_first = player.weigh(seen, move, seconds(share_s / 4))
            weighed = at_first if at_first is None or at_first.settled else None
            weighed = weighed or player.weigh(seen, move, seconds(share_s * 3 / 4))
            if weighed is not None and (value := weighed.best.value) is not None:
                written, best = game.notation(move), game.notation(weighed.best.move)
                stays = at_first is not None and at_first.best.move == weighed.best.move
                judged.append(
                    Judged(number, seen.seat, written, weighed.played, best, value, weighed.settled, stays)
                )
        state = after
    return Review(tuple(judged))


def seconds(limit_s: float, nodes: int | None = None, clock: Callable[[], float] = perf_counter) -> Budget:
    """A budget of time from now on, and of `nodes` if given.

    It ends before the time is up: see `RESERVE` and `_Deadline`.
    """
    return Budget(nodes, _Deadline(clock, clock() + limit_s * (1 - RESERVE)))


class _Deadline:
    """True once another piece of work, as long as the longest so far, would end too late."""

    def __init__(self, clock: Callable[[], float], end: float) -> None:
        self._clock, self._end = clock, end
        self._last: float | None = None
        self._longest = 0.0

    def __call__(self) -> bool:
        now_s = self._clock()
        if self._last is not None:
            self._longest = max(self._longest, now_s - self._last)
        self._last = now_s
        return now_s + self._longest >= self._end


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Choose | Judge)
    answer = choose(asked) if isinstance(asked, Choose) else judge(asked)
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
