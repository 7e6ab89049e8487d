"""The machine's own figures: memory, disk, temperature. Each is one look at the system."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
"""Where Linux gives the processor's temperature, in thousandths of a degree Celsius."""

DISK_STEP_BYTES = 1 << 20
"""Free space is given in whole steps of this: a single move, which may be private, does not show in it."""


class Disk(NamedTuple):
    """The disk where matches are kept."""

    free_bytes: int
    size_bytes: int


def peak_memory_bytes() -> int:
    """The most memory that this process has used so far; 0 where that cannot be asked."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def disk(folder: Path) -> Disk | None:
    """The disk of a folder; None where it cannot be asked."""
    try:
        of_folder = os.statvfs(folder)
    except OSError:
        return None
    free_bytes = of_folder.f_bavail * of_folder.f_frsize
    return Disk(free_bytes - free_bytes % DISK_STEP_BYTES, of_folder.f_blocks * of_folder.f_frsize)


def temperature_c(path: Path = THERMAL) -> float | None:
    """The processor's temperature in °C; None on a machine that does not say it."""
    try:
        return int(path.read_text("ascii")) / 1000
    except (OSError, ValueError):
        return None
