"""The machine's own figures: memory, disk, temperature. Each is one look at the system."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
"""Linux's file with the processor's temperature, in thousandths of a degree Celsius."""

STEP_BYTES = 1 << 20
"""Free space and memory are rounded to this: a single move, which may be private, does not show in them."""


class Disk(NamedTuple):
    """The disk where matches are kept."""

    free_bytes: int
    size_bytes: int


def peak_memory_bytes() -> int:
    """The most memory that this process has used so far; 0 if unknown."""
    try:
        import resource
    except ImportError:
        return 0
    return _rounded(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def disk(folder: Path) -> Disk | None:
    """The disk of a folder; None if unknown."""
    try:
        of_folder = os.statvfs(folder)
    except OSError:
        return None
    free_bytes = of_folder.f_bavail * of_folder.f_frsize
    return Disk(_rounded(free_bytes), of_folder.f_blocks * of_folder.f_frsize)


def _rounded(size_bytes: int) -> int:
    return size_bytes - size_bytes % STEP_BYTES


def is_busy() -> bool:
    """True while more work waits than this machine has processors for."""
    try:
        return os.getloadavg()[0] > (os.cpu_count() or 1)
    except (AttributeError, OSError):
        return False


def temperature_c(path: Path = THERMAL) -> float | None:
    """The processor's temperature in °C; None on a machine that does not say it."""
    try:
        return int(path.read_text("ascii")) / 1000
    except (OSError, ValueError):
        return None
