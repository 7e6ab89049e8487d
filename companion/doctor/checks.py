"""The eight parts that are looked at. Each check gives one finding and changes nothing.

`root` is where /proc, /sys, /dev and /run are looked for: a test gives a folder of its own.
"""

from __future__ import annotations

import errno
import getpass
import math
import os
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from companion.doctor.finding import Finding, fine, mend
from companion.doctor.looking import Look, health
from companion.errors import cause_of
from hardware.arrays import Picture
from hardware.camera.health import STEP_PX, Condition
from hardware.panel import header
from hardware.panel.current import MOST_MA, enough_ohms, milliamps
from hardware.panel.wiring import Wiring, WiringError, read_wiring
from hardware.print.layout import MARKERS
from hardware.vision.register.markers import find_markers, grey

ROOT = Path("/")

BRIGHT_ENOUGH = 110
"""Level of 255 that the brightest twentieth of a picture is to reach."""
MOST_WHITE_PERCENT = 8
"""So much of a picture may be plain white."""
WHITE = 250
"""Tried on every folder of photographs and rendered beds: the darkest reaches level 151, the most of one that
is plain white is 1.7 %. The virtual table's `black` reaches 6, its `overexposed` is 99 % white.
"""

OUR_LIBRARY = "lg"
"""What the kernel calls whoever has a pin through lgpio, as our panel does."""

ENOUGH_MB = 200
"""Free space to go on for years of games, with room for an update."""

PI_UNDER_VOLTAGE, PI_THROTTLED, PI_HOT = 0x1, 0x4, 0x8
"""What the Pi's firmware tells of now; the same shifted by `SINCE_BOOT` bits: since it began."""
SINCE_BOOT = 16


def camera(look: Look) -> Finding:
    """Whether pictures come, and whether they show anything."""
    if look.kind == Condition.OK and look.picture is not None:
        height, width = look.picture.shape[:2]
        key = "running" if look.served else "ok"
        return fine("camera", key, source=look.source, width=width, height=height)
    if look.kind in (Condition.FROZEN, Condition.BLACK, Condition.OVEREXPOSED):
        return mend("camera", look.kind, source=look.source)
    if look.served and not look.source:
        return mend("camera", "none")
    return mend("camera", "gone", source=look.source, says=look.says)


def markers(look: Look) -> Finding:
    """Whether each marker is found in the picture."""
    if look.picture is None:
        return mend("markers", "no-picture")
    seen = find_markers(grey(look.picture))
    lacking = [number for number in look.markers if number not in seen]
    if not lacking:
        return fine("markers", count=len(look.markers))
    named = ", ".join(
        f"{number} ({MARKERS[number]})" if number < len(MARKERS) else str(number) for number in lacking
    )
    return mend("markers", "lacking", lacking=named, count=len(look.markers))


def light(look: Look) -> Finding:
    """Whether the picture is neither too dark nor full of glare."""
    if look.picture is None:
        return mend("light", "no-picture")
    level, white = levels(look.picture)
    if white > MOST_WHITE_PERCENT:
        return mend("light", "glare", percent=round(white))
    if level < BRIGHT_ENOUGH:
        return mend("light", "dark", level=round(level), enough=BRIGHT_ENOUGH)
    return fine("light")


def levels(picture: Picture) -> tuple[float, float]:
    """How bright the brightest twentieth of a picture is at least (0 to 255), and how much is white (%)."""
    some = picture[::STEP_PX, ::STEP_PX]
    return float(np.percentile(some.max(axis=2), 95)), 100 * float((some.min(axis=2) >= WHITE).mean())


def pins(
    wiring: Path, root: Path = ROOT, find: Callable[[Path], header.Header | None] = header.find
) -> Finding:
    """Whether the header's pins can be used, and which are in use: a panel's own by another program?

    `wiring` is the file that tells how the panel is wired; where there is none, no pin is kept for it.
    """
    try:
        found = find(root / "dev")
    except PermissionError as error:
        return mend("pins", "forbidden", device=str(error.filename), user=getpass.getuser())
    if found is None:
        return fine("pins", "none")
    # Found, not imported: importing lgpio leaves a file in the working directory.
    if find_spec("lgpio") is None:
        return mend("pins", "no-library")
    try:
        panel = read_wiring(wiring) if wiring.is_file() else None
    except WiringError as error:
        return mend("pins", "wiring", says=str(error))
    ours = set() if panel is None else {wire.gpio for wire in panel.wires()}
    lost = {pin: user for pin, user in found.used.items() if pin in ours and user != OUR_LIBRARY}
    if lost:
        return mend("pins", "taken", used=_named(lost))
    if panel is not None and milliamps(panel) > MOST_MA:
        return _too_much(panel)
    return fine("pins", label=found.label, used=_named(found.used) or "–")


def _too_much(panel: Wiring) -> Finding:
    """How to mend a panel that takes more than the pins may give."""
    low, high = enough_ohms(panel)
    return mend("pins", "current", taken=math.ceil(milliamps(panel)), most=round(MOST_MA), low=low, high=high)


def _named(used: Mapping[int, str]) -> str:
    return ", ".join(f"GPIO{pin} ({user})" for pin, user in sorted(used.items()))


def disk(home: Path, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> Finding:
    """Whether games can be kept, and those that are kept are whole."""
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return mend("disk", "read-only", folder=str(home))
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return mend("disk", "forbidden", folder=str(home))
    free = usage(there)[2] // 1_000_000
    if free < ENOUGH_MB:
        return mend("disk", "full", folder=str(home), free=free, enough=ENOUGH_MB)
    file = home / "journal.sqlite"
    fault = journal_fault(file) if file.exists() else ""
    if fault:
        return mend("disk", "broken", file=str(file), says=fault)
    return fine("disk", folder=str(home), free=free)


def journal_fault(file: Path) -> str:
    """What SQLite finds wrong with a journal; empty where nothing is."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            told = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        return str(cause_of(error))
    return "" if told == "ok" else told


def clock(home: Path, root: Path = ROOT, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Finding:
    """Whether the time is later than the last game, and was set: a Pi has no clock of its own."""
    told = now().isoformat(sep=" ", timespec="minutes")[:16]
    kept = _last_kept(home / "journal.sqlite")
    if kept > now().isoformat():
        return mend("clock", "behind", now=told, kept=kept[:16].replace("T", " "))
    timesync = root / "run/systemd/timesync"
    if timesync.is_dir() and not (timesync / "synchronized").exists():
        return mend("clock", "not-set", now=told)
    return fine("clock", now=told)


def _last_kept(file: Path) -> str:
    """When the newest entry was written (UTC, ISO 8601); empty where none can be read."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return str(connection.execute("SELECT max(at) FROM entry").fetchone()[0] or "")
    except sqlite3.Error:
        return ""


def port(number: int) -> Finding:
    """Whether the pages are served at this port, or could be."""
    told = health(number)
    if told is not None:
        return (
            fine("port", "running", port=number)
            if told["ok"]
            else mend("port", "refusing", port=number, says=str(told.get("says", "")))
        )
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", number))
        except OSError as error:
            return mend("port", "forbidden" if error.errno == errno.EACCES else "taken", port=number)
    return fine("port", port=number)


def power(root: Path = ROOT) -> Finding:
    """What a Pi says of its voltage and its heat since it began."""
    told = _throttled(root)
    if told is None:
        return fine("power", "none")
    if told & PI_UNDER_VOLTAGE:
        return mend("power", "low-now")
    if told & (PI_UNDER_VOLTAGE << SINCE_BOOT):
        return mend("power", "low-before")
    if told & (PI_THROTTLED | PI_HOT):
        return mend("power", "hot")
    return fine("power")


def _throttled(root: Path) -> int | None:
    """The firmware's flags, else the kernel's alarm for under-voltage; None where neither is there."""
    program = shutil.which("vcgencmd")
    if program and (root / "dev/vcio").exists():
        ran = subprocess.run(
            [program, "get_throttled"], capture_output=True, text=True, check=False, timeout=5
        )
        _, _, flags = ran.stdout.strip().partition("throttled=")
        if flags.startswith("0x"):
            return int(flags, 16)
    for name in (root / "sys/class/hwmon").glob("*/name"):
        alarm = name.with_name("in0_lcrit_alarm")
        if name.read_text().strip() == "rpi_volt" and alarm.exists():
            return PI_UNDER_VOLTAGE if alarm.read_text().strip() == "1" else 0
    return None
