"""The checks, all but that of the panel. Each gives one finding and changes nothing.

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
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from companion import paths
from companion.doctor.looking import CameraCheck, health
from companion.messages import Fact, Messages
from companion.play.journal import JournalError
from companion.play.rescue import fault_of, unplayable
from hardware.camera.health import Condition
from hardware.light import BRIGHT_ENOUGH, levels_of
from hardware.panel import header
from hardware.panel.wiring import MOST_MA, WiringError, enough_ohms, milliamps, read_wiring
from hardware.print.layout import MARKERS
from hardware.vision.register.markers import find_markers, to_gray

ROOT = Path("/")

OUR_LIBRARY = "lg"
"""The kernel's name for a program that uses a pin through lgpio, as our panel does."""

ENOUGH_MB = 200
"""Free space in MB that is enough for years of games and an update."""

PI_UNDER_VOLTAGE, PI_THROTTLED, PI_HOT = 0x1, 0x4, 0x8
"""Flags of `vcgencmd get_throttled`: the voltage is too low, the processor is slowed down, the soft
temperature limit is reached now."""
SINCE_BOOT = 16
"""Bits by which each flag is shifted for "at some time since the start"."""


class Finding(msgspec.Struct, frozen=True):
    """The result of one check: a part, and the sentence `<check>.<key>` with its `facts`. The sentence is the
    result if the part is `ok`, else how to mend it."""

    check: str
    ok: bool
    key: str
    facts: dict[str, Fact] = {}

    def says(self, language: str = "en") -> str:
        """The sentence in `language`."""
        return words().say(f"{self.check}.{self.key}", language, **self.facts).strip()

    def line(self, language: str = "en") -> str:
        """The finding as a line for a person: the part, whether it works, the sentence."""
        verdict = words().say("verdict.ok" if self.ok else "verdict.mend", language)
        return f"{words().say(f'check.{self.check}', language)}: {verdict} {self.says(language)}"


def fine(check: str, key: str = "ok", **facts: Fact) -> Finding:
    """A part that works."""
    return Finding(check, ok=True, key=key, facts=facts)


def mend(check: str, key: str, **facts: Fact) -> Finding:
    """A part that needs a hand."""
    return Finding(check, ok=False, key=key, facts=facts)


@cache
def words() -> Messages:
    """The doctor's messages, read once."""
    return Messages.from_files(Path(__file__).with_name("messages.toml"))


def camera(look: CameraCheck) -> Finding:
    """Check that the camera gives readable pictures."""
    if look.kind == Condition.OK and look.picture is not None:
        height, width = look.picture.shape[:2]
        key = "running" if look.served else "ok"
        return fine("camera", key, source=look.source, width=width, height=height)
    if look.kind in (Condition.FROZEN, Condition.BLACK, Condition.OVEREXPOSED):
        return mend("camera", look.kind, source=look.source)
    if look.kind == "none" and not look.source:
        return fine("camera", "none")
    return mend("camera", "gone", source=look.source, says=look.says)


def _without_picture(check: str, look: CameraCheck) -> Finding:
    """The finding without a picture; a table without a camera is fine."""
    return fine(check, "none") if camera(look).key == "none" else mend(check, "no-picture")


def markers(look: CameraCheck) -> Finding:
    """Check that every marker is in the picture."""
    if look.picture is None:
        return _without_picture("markers", look)
    seen = find_markers(to_gray(look.picture))
    lacking = [number for number in look.markers if number not in seen]
    if not lacking:
        return fine("markers", count=len(look.markers))
    corners = dict(enumerate(MARKERS))
    named = ", ".join(f"{n} ({corners[n]})" if n in corners else str(n) for n in lacking)
    return mend("markers", "lacking", lacking=named, count=len(look.markers))


def light(look: CameraCheck) -> Finding:
    """Check that the picture is neither too dark nor full of glare."""
    if look.picture is None:
        return _without_picture("light", look)
    levels = levels_of(look.picture)
    if levels.exposure.advice == "bright":
        return mend("light", "glare", percent=round(levels.white_percent))
    if levels.exposure.advice == "dark":
        return mend("light", "dark", level=round(levels.brightest), enough=BRIGHT_ENOUGH)
    return fine("light")


def pins(
    wiring: Path, root: Path = ROOT, find: Callable[[Path], header.Header | None] = header.find
) -> Finding:
    """Check that the header's pins can be used, and that no other program uses one of the panel's. `wiring`
    is the panel's file; without it no pin belongs to a panel."""
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
        low, high = enough_ohms(panel)
        taken = math.ceil(milliamps(panel))
        return mend("pins", "current", taken=taken, most=round(MOST_MA), low=low, high=high)
    return fine("pins", label=panel_header.label, used=_named(panel_header.used) or "–")


def _named(used: Mapping[int, str]) -> str:
    return ", ".join(f"GPIO{pin} ({user})" for pin, user in sorted(used.items()))


def disk(home: Path, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> Finding:
    """Check that games can be kept."""
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
    """Check that every match can be read and played on, and that no file was damaged or gone."""
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


def clock(home: Path, root: Path = ROOT, utc: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Finding:
    """Check that the clock is set and later than the last game: a Pi has no battery for its clock."""
    shown = utc().isoformat(sep=" ", timespec="minutes")[:16]
    file = (home / "journal.sqlite").absolute()
    kept = ""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection,
    ):
        kept = str(connection.execute("SELECT max(at) FROM entry").fetchone()[0] or "")
    if kept > utc().isoformat():
        return mend("clock", "behind", now=shown, kept=kept[:16].replace("T", " "))
    timesync = root / "run/systemd/timesync"
    if timesync.is_dir() and not (timesync / "synchronized").exists():
        return mend("clock", "not-set", now=shown)
    return fine("clock", now=shown)


def port(number: int) -> Finding:
    """Check that the pages are served on this port, or could be."""
    status = health(number)
    if status is not None and status["ok"]:
        return fine("port", "running", port=number)
    if status is not None:
        return mend("port", "refusing", port=number, says=str(status.get("says", "")))
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", number))
        except OSError as error:
            return mend("port", "forbidden" if error.errno == errno.EACCES else "taken", port=number)
    return fine("port", port=number)


def power(root: Path = ROOT) -> Finding:
    """Check that a Pi has had enough voltage and not too much heat since its start."""
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
    """The firmware's flags, else the kernel's under-voltage alarm; None without either."""
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
