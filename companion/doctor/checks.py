"""The nine checks. Each gives one finding and changes nothing.

`root` is the folder that holds proc, sys, dev and run; a test gives one of its own.
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

from companion import paths
from companion.doctor.finding import Finding, fine, mend
from companion.doctor.looking import Look, health
from companion.play.examine import fault_of, unplayable
from companion.play.reading import JournalError
from hardware.arrays import Picture
from hardware.camera.health import STEP_PX, Condition
from hardware.panel import header
from hardware.panel.current import MOST_MA, enough_ohms, milliamps
from hardware.panel.wiring import Wiring, WiringError, read_wiring
from hardware.print.layout import MARKERS
from hardware.vision.register.markers import find_markers, to_gray

ROOT = Path("/")
"""The folder that holds proc, sys, dev and run."""

BRIGHT_ENOUGH = 110
"""Level of 255 that the brightest twentieth of a picture has to reach.

On every folder of photographs and rendered beds the darkest picture reaches 151; the virtual table's `black`
reaches 6.
"""
MOST_WHITE_PERCENT = 8
"""The largest share of a picture that may be white.

On the same folders the share is 1.7 % at most; the virtual table's `overexposed` is 99 % white.
"""
WHITE = 250
"""The level of 255 from which a pixel counts as white."""

OUR_LIBRARY = "lg"
"""The kernel's name for a program that uses a pin through lgpio, as our panel does."""

ENOUGH_MB = 200
"""Free space in MB that is enough for years of games and an update."""

PI_UNDER_VOLTAGE = 0x1
"""Flag of `vcgencmd get_throttled`: the voltage is too low now."""
PI_THROTTLED = 0x4
"""Flag of the same: the processor is slowed down now."""
PI_HOT = 0x8
"""Flag of the same: the soft temperature limit is reached now."""
SINCE_BOOT = 16
"""Bits by which each flag is shifted for "at some time since the start"."""


def camera(look: Look) -> Finding:
    """Whether the camera gives pictures in which something can be seen."""
    if look.kind == Condition.OK and look.picture is not None:
        height, width = look.picture.shape[:2]
        key = "running" if look.served else "ok"
        return fine("camera", key, source=look.source, width=width, height=height)
    if look.kind in (Condition.FROZEN, Condition.BLACK, Condition.OVEREXPOSED):
        return mend("camera", look.kind, source=look.source)
    if look.kind == "none" and not look.source:
        return fine("camera", "none")
    return mend("camera", "gone", source=look.source, says=look.says)


def _without_picture(check: str, look: Look) -> Finding:
    """What to say where no picture came: nothing is wrong where there is no camera."""
    return fine(check, "none") if camera(look).key == "none" else mend(check, "no-picture")


def markers(look: Look) -> Finding:
    """Whether every marker is in the picture."""
    if look.picture is None:
        return _without_picture("markers", look)
    seen = find_markers(to_gray(look.picture))
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
        return _without_picture("light", look)
    level, white = levels(look.picture)
    if white > MOST_WHITE_PERCENT:
        return mend("light", "glare", percent=round(white))
    if level < BRIGHT_ENOUGH:
        return mend("light", "dark", level=round(level), enough=BRIGHT_ENOUGH)
    return fine("light")


def levels(picture: Picture) -> tuple[float, float]:
    """The level (0 to 255) that the brightest twentieth of a picture reaches, and its white share in %."""
    some = picture[::STEP_PX, ::STEP_PX]
    return float(np.percentile(some.max(axis=2), 95)), 100 * float((some.min(axis=2) >= WHITE).mean())


def pins(
    wiring: Path, root: Path = ROOT, find: Callable[[Path], header.Header | None] = header.find
) -> Finding:
    """Whether the header's pins can be used, and whether another program uses one of the panel's.

    `wiring` is the panel's file; without it no pin belongs to a panel.
    """
    try:
        panel_header = find(root / "dev")
    except PermissionError as error:
        return mend("pins", "forbidden", device=str(error.filename), user=getpass.getuser())
    if panel_header is None:
        return fine("pins", "none")
    # lgpio is not imported: that leaves a file in the working directory.
    if find_spec("lgpio") is None:
        return mend("pins", "no-library")
    try:
        panel = read_wiring(wiring) if wiring.is_file() else None
    except WiringError as error:
        return mend("pins", "wiring", says=str(error))
    ours = set() if panel is None else {wire.gpio for wire in panel.wires()}
    lost = {pin: user for pin, user in panel_header.used.items() if pin in ours and user != OUR_LIBRARY}
    if lost:
        return mend("pins", "taken", used=_named(lost))
    if panel is not None and milliamps(panel) > MOST_MA:
        return _too_much(panel)
    return fine("pins", label=panel_header.label, used=_named(panel_header.used) or "–")


def _too_much(panel: Wiring) -> Finding:
    """The finding for a panel that draws more current than the pins may give."""
    low, high = enough_ohms(panel)
    return mend("pins", "current", taken=math.ceil(milliamps(panel)), most=round(MOST_MA), low=low, high=high)


def _named(used: Mapping[int, str]) -> str:
    return ", ".join(f"GPIO{pin} ({user})" for pin, user in sorted(used.items()))


def disk(home: Path, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> Finding:
    """Whether games can be kept."""
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return mend("disk", "read-only", folder=str(home))
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return mend("disk", "forbidden", folder=str(home))
    free = usage(there)[2] // 1_000_000
    if free < ENOUGH_MB:
        return mend("disk", "full", folder=str(home), free=free, enough=ENOUGH_MB)
    return fine("disk", folder=str(home), free=free)


def games(home: Path) -> Finding:
    """Whether every match can be read and played on, and whether a damaged file was put aside or was gone."""
    file = home / "journal.sqlite"
    try:
        fault = fault_of(file)
        if fault:
            return mend("games", "broken", file=str(file), says=fault)
        unplayed = dict(unplayable(file)) if file.exists() else {}
    except (JournalError, OSError) as error:
        return mend("games", "unread", says=str(error))
    gone = paths.missing_in(home)
    if gone:
        return mend("games", "gone", folder=str(home), file=gone[0])
    if unplayed:
        number, why = next(iter(unplayed.items()))
        return mend("games", "in-part", count=len(unplayed), match=number, says=why)
    aside = paths.damaged_in(home)
    if aside:
        return mend("games", "put-aside", folder=str(home), files=", ".join(aside))
    return fine("games")


def clock(home: Path, root: Path = ROOT, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Finding:
    """Whether the clock is set and later than the last game: a Pi has no battery for its clock."""
    shown = now().isoformat(sep=" ", timespec="minutes")[:16]
    kept = _last_kept(home / "journal.sqlite")
    if kept > now().isoformat():
        return mend("clock", "behind", now=shown, kept=kept[:16].replace("T", " "))
    timesync = root / "run/systemd/timesync"
    if timesync.is_dir() and not (timesync / "synchronized").exists():
        return mend("clock", "not-set", now=shown)
    return fine("clock", now=shown)


def _last_kept(file: Path) -> str:
    """When the newest entry was written (UTC, ISO 8601); empty where no journal can be read."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return str(connection.execute("SELECT max(at) FROM entry").fetchone()[0] or "")
    except sqlite3.Error:
        return ""


def port(number: int) -> Finding:
    """Whether the pages are served on this port, or could be."""
    status = health(number)
    if status is not None:
        return (
            fine("port", "running", port=number)
            if status["ok"]
            else mend("port", "refusing", port=number, says=str(status.get("says", "")))
        )
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", number))
        except OSError as error:
            return mend("port", "forbidden" if error.errno == errno.EACCES else "taken", port=number)
    return fine("port", port=number)


def power(root: Path = ROOT) -> Finding:
    """Whether a Pi has had too little voltage or too much heat since its start."""
    flags = _throttled(root)
    if flags is None:
        return fine("power", "none")
    if flags & PI_UNDER_VOLTAGE:
        return mend("power", "low-now")
    if flags & (PI_UNDER_VOLTAGE << SINCE_BOOT):
        return mend("power", "low-before")
    if flags & (PI_THROTTLED | PI_HOT):
        return mend("power", "hot")
    return fine("power")


def _throttled(root: Path) -> int | None:
    """The firmware's flags, else the kernel's under-voltage alarm; None where neither is there."""
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
