"""What the companion costs a small computer: how soon the first page is there, what an SD card suffers."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.systemd.conftest import PATIENCE_S, Service

LIBRARIES = "import cv2, flask, msgspec, numpy, sqlite3"
MOST_FOR_THE_FIRST_PAGE = 6.0
"""Times the processor time that a Python takes which only loads the libraries; 3.1 as this was written."""
MOST_WRITTEN_BYTES = 3_000_000
"""In an hour of play."""
MOST_WRITTEN_A_MOVE_BYTES = 12_000
MOVES_AN_HOUR = 240
"""One every 15 s for a whole hour: no table is as quick."""
MOVES = 6
PLAYED_WITHIN_S = 120.0


def cpu_s(pid: int) -> float:
    """The processor time of a process and its threads so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def written_bytes(pid: int) -> int:
    """What a process has had written to disks so far."""
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


def match(port: int) -> dict[str, Any]:
    """The match being played."""
    with urlopen(f"http://127.0.0.1:{port}/api/match", timeout=10) as answer:
        output: dict[str, Any] = json.load(answer)
        return output


def loading_s() -> float:
    """The processor time of a Python that only loads the libraries, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.slow
def test_from_a_cold_start_the_first_page_costs_little(service: Callable[..., Service]) -> None:
    running = service()
    with urlopen(f"http://127.0.0.1:{running.port}/", timeout=PATIENCE_S) as page:
        assert b"<html" in page.read()
    assert cpu_s(running.process.pid) < MOST_FOR_THE_FIRST_PAGE * loading_s()


@pytest.mark.slow
def test_an_hour_of_play_spares_the_sd_card(service: Callable[..., Service]) -> None:
    running = service(camera="virtual?speed=20")
    pid = running.process.pid

    def written_at(n: int) -> int:
        ends = time.monotonic() + PLAYED_WITHIN_S
        while match(running.port)["n"] < n:
            assert time.monotonic() < ends
            time.sleep(0.1)
        return written_bytes(pid)

    first = match(running.port)["n"] + 1
    began = written_at(first)
    written = written_at(first + MOVES) - began
    moves = match(running.port)["n"] - first
    # A picture that cannot be read is kept in memory, the moves on the disk.
    if not written:
        pytest.skip("the test's folder lies in memory here")
    assert written / moves < MOST_WRITTEN_A_MOVE_BYTES
    assert written / moves * MOVES_AN_HOUR < MOST_WRITTEN_BYTES


@pytest.mark.slow
def test_while_nobody_plays_nothing_is_written(service: Callable[..., Service]) -> None:
    running = service(camera="virtual:hand-stays")
    time.sleep(2)
    began = written_bytes(running.process.pid)
    time.sleep(3)
    assert written_bytes(running.process.pid) == began
