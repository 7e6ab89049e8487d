"""A program from outside as a player: a JSON object on its stdin, a move back on its stdout.

A request is a line such as `{"options": {...}, "seat": "cat", "view": {...}, "moves": [...]}`: the options of
the match, the program's seat, what that seat sees, and the moves so far that it may know. The answer is a
line with one move, as JSON. The program runs until its stdin ends. After a match lost without a legal move it
is started again, so that a late answer is not taken for a new one.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import msgspec

from companion.errors import UserError
from companion.games.players import Choice, Seen
from companion.games.registry import AnyGame

OUTSIDE = "exec:"

LONGEST_ANSWER_S = 60.0
"""A program that takes longer has lost."""

LONGEST_LINE = 1 << 16
"""The most bytes of an answer; a longer one is refused."""

MOST_WAITING = 100
"""The most unread lines kept of a program."""


class NoAnswer(UserError):
    """A program did not answer with a move."""


class OutsidePlayer:
    """A running program."""

    def __init__(self, game: AnyGame, command: str) -> None:
        self._game, self._command = game, command
        self._peak_kb = 0
        self._start()

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                shlex.split(self._command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise UserError(f"The program {self._command!r} cannot be started: {error}.") from error
        self._lines: Queue[bytes] = Queue(MOST_WAITING)
        Thread(target=_listen, args=(self._process, self._lines), daemon=True).start()

    def choose(self, seen: Seen, moves: Sequence[Any]) -> Choice:
        """Ask for the program's move; None for `null`. Raises `NoAnswer` or `InvalidMove`."""
        while not self._lines.empty() and self._lines.queue[0]:
            self._lines.get()
        request = {"options": seen.options, "seat": seen.seat, "view": seen.view, "moves": moves}
        # In a thread: a program that does not read would hold up whoever writes to it.
        Thread(target=_say, args=(self._process, msgspec.json.encode(request)), daemon=True).start()
        try:
            line = self._lines.get(timeout=LONGEST_ANSWER_S)
        except Empty:
            raise NoAnswer(f"The program {self._command!r} gave no move in {LONGEST_ANSWER_S:g} s.") from None
        with suppress(OSError):  # now: the system forgets it once the program has ended
            status = Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace")
            if peak := re.search(r"VmHWM:\s*(\d+)", status):
                self._peak_kb = max(self._peak_kb, int(peak[1]))
        if not line:
            raise NoAnswer(f"The program {self._command!r} ended before the match.")
        if line.strip() == b"null":
            return Choice(None)
        return Choice(self._game.parse(line.decode("utf-8", "replace")))

    @property
    def memory_mb(self) -> float | None:
        """The most memory that the program took so far; None where the system does not say."""
        return round(self._peak_kb / 1024, 1) if self._peak_kb else None

    def start_again(self) -> None:
        """End the program, and start it again."""
        self.close()
        self._start()

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what it has not read is lost
                    pipe.close()


def _listen(process: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    """Pass on a program's lines, and an empty one at its end."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):  # it is closed
        while line := process.stdout.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(b"")


def _say(process: subprocess.Popen[bytes], request: bytes) -> None:
    assert process.stdin is not None
    with suppress(OSError, ValueError):  # it has ended
        process.stdin.write(request + b"\n")
        process.stdin.flush()
