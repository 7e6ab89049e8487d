"""A program from outside as a player: one JSON object a request on its stdin, one move back on its stdout.

A request is a line such as `{"options": {...}, "seat": "cat", "view": {...}, "moves": [...]}`: the options of
the match, the seat that the program plays, what that seat sees, and the moves so far that it may know. The
answer is a line with one move, as JSON. The program runs until its stdin ends.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from queue import Empty, Queue
from threading import Thread
from typing import Any

import msgspec

from companion.errors import MendableError
from companion.games.choosing import Choice, Seen
from companion.games.registry import AnyGame

OUTSIDE = "exec:"
"""What a player from outside begins with; its command follows."""

LONGEST_ANSWER_S = 60.0
"""The seconds after which a program that does not answer has lost."""


class NoAnswer(MendableError):
    """A program did not answer with a move."""


class OutsidePlayer:
    """A running program."""

    def __init__(self, game: AnyGame, command: str, limit_s: float = LONGEST_ANSWER_S) -> None:
        self._game, self._command, self._limit_s = game, command, limit_s
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError) as error:
            raise MendableError(f"The program {command!r} cannot be started: {error}.") from error
        self._lines: Queue[bytes] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Pass on what it says, and an empty line once it ends."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def choose(self, seen: Seen, moves: Sequence[Any]) -> Choice:
        """The program's move, None if it said `null`.

        Raises `NoAnswer`, or `InvalidMove` for what is no move of the game.
        """
        request = {"options": seen.options, "seat": seen.seat, "view": seen.view, "moves": moves}
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")
            line = self._lines.get(timeout=self._limit_s)
        except Empty:
            raise NoAnswer(f"The program {self._command!r} gave no move in {self._limit_s:g} s.") from None
        except BrokenPipeError:
            line = b""
        if not line:
            raise NoAnswer(f"The program {self._command!r} ended before the match.")
        if line.strip() == b"null":
            return Choice(None)
        return Choice(self._game.parse(line.decode("utf-8", "replace")))

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
