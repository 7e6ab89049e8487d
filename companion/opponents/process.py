"""A process that thinks, at the lowest priority: pictures, pages and buttons do not feel it.

It gets its task as a line of JSON on stdin and answers with one on stdout. Whoever started it ends it when
nobody waits for the answer any more: the process knows nothing of that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TypeVar

import msgspec

LOWEST = 19
"""The niceness of a process that thinks: it gets what nobody else needs."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""The environment in which numpy uses one core, and reserves no memory for others."""

Task = TypeVar("Task", bound=msgspec.Struct)


def begin(module: str, task: msgspec.Struct) -> subprocess.Popen[bytes]:
    """Start a module of this package on a task."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"companion.opponents.{module}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD},
    )
    if hasattr(os, "setpriority"):  # at once: what it imports takes longest on a small board
        os.setpriority(os.PRIO_PROCESS, process.pid, LOWEST)
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode(task))
    process.stdin.close()
    return process


def line_of(process: subprocess.Popen[bytes]) -> bytes:
    """The answer of a process, once it has ended; empty if it was ended before."""
    assert process.stdout is not None
    with process.stdout as said:
        line = said.read()
    return b"" if process.wait() else line


def answer(kind: type[Task], work: Callable[[Task], msgspec.Struct]) -> None:
    """Do the task on stdin and print the answer."""
    done = work(msgspec.json.decode(sys.stdin.buffer.read(), type=kind))
    sys.stdout.buffer.write(msgspec.json.encode(done) + b"\n")
