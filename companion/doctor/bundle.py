"""One file for a bug report: findings, machine, log, moves and the last picture that could not be read.

It holds no secrets: what may be one is struck out of every text, and players' names and the environment are
left out.
"""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from companion import __version__, paths
from companion.doctor.checks import Finding
from companion.doctor.looking import CameraCheck
from companion.errors import CompanionError, UserError
from companion.errors.causes import cause_of
from companion.play.journal import Journal
from hardware import pictures

UNIT = "table-companion"
LOG_LINES = 500
OF_A_MATCH = ("game", "options", "seats", "began")
"""The facts in the first line of a match's moves: enough to replay it."""
STRUCK = "•••"

_SECRETS = (
    (re.compile(r"(\w+://)[^\s/@]*@"), rf"\1{STRUCK}@"),
    (re.compile(r"(\w+://[^\s?#]+)[?#]\S*"), rf"\1?{STRUCK}"),
    (
        re.compile(
            r"(?i)\b([\w-]*(?:pass\w*|secret|token|cookie|authorization|api[-_]?key|psk|pin))(\s*[=:]\s*)(?:(?:basic|bearer)\s+)?\S+"
        ),
        rf"\1\2{STRUCK}",
    ),
    (re.compile(r"(?i)(--[\w-]*(?:pass\w*|secret|token))\s+\S+"), rf"\1 {STRUCK}"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), STRUCK),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), STRUCK),
    (re.compile(r"(/home/|/Users/)[^/\s]+"), rf"\1{STRUCK}"),
)
"""Patterns and replacements: passwords in URLs, queries, named secrets, secrets on a command line, MAC and
mail addresses, users."""


def without_secrets(text: str) -> str:
    """A text with every secret struck out, so that strangers may read it."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def write(file: Path, findings: Iterable[Finding], look: CameraCheck, home: Path) -> None:
    """Write the bundle. Raises `UserError` when the file cannot be written."""
    texts = {
        "findings.txt": "".join(f"{finding.line()}\n" for finding in findings),
        "machine.txt": machine(),
        "log.txt": log(),
        "moves.jsonl": moves(home),
    }
    shown = {} if look.picture is None else {"picture.jpg": pictures.jpeg(look.picture, pictures.TO_READ)}
    try:
        with ZipFile(file, "w", ZIP_DEFLATED) as bundle:
            for name, text in texts.items():
                bundle.writestr(name, without_secrets(text))
            for name, data in (shown | failing(paths.runtime())).items():
                bundle.writestr(name, data)
    except OSError as error:
        raise UserError(
            f"{file} cannot be written ({cause_of(error)}); name another with --bundle."
        ) from error


def failing(runtime: Path) -> dict[str, bytes]:
    """The last picture that could not be read and its reason, by file name; empty without one."""
    files = {}
    for name in (paths.FAILING_PICTURE, paths.FAILING_WHY):
        with suppress(OSError):
            files[name] = (runtime / name).read_bytes()
    return files


def machine() -> str:
    """Versions and models, nothing that identifies this machine or its owner."""
    facts = {
        "companion": __version__,
        "python": platform.python_version(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "model": _first_line(Path("/proc/device-tree/model")),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", "")
        if Path("/etc/os-release").exists()
        else platform.system(),
        "memory": _first_line(Path("/proc/meminfo")),
    }
    packages = sorted(f"{package.metadata['Name']} {package.version}" for package in distributions())
    return "\n".join([*(f"{name}: {value}" for name, value in facts.items()), "", *packages, ""])


def log() -> str:
    """The newest lines of the service's log; empty without a service or a log."""
    command = f"journalctl --unit={UNIT} --lines={LOG_LINES} --no-pager --output=short-iso --no-hostname"
    try:
        return subprocess.run(command.split(), capture_output=True, text=True, check=False, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def moves(home: Path) -> str:
    """The newest match as lines of moves, without its players' names; empty without a match."""
    file = home / "journal.sqlite"
    if not file.exists():
        return ""
    try:
        journal = Journal(file)
    except CompanionError as error:
        return f"{error}\n"
    try:
        matches = journal.matches()
        entries = journal.entries(matches[0].id) if matches else []
    finally:
        journal.close()
    header = {name: getattr(match, name) for match in matches[:1] for name in OF_A_MATCH}
    played = (entry for entry in entries if entry.kind != "players")
    lines = [header, *({"kind": entry.kind, **entry.body} for entry in played)]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def _first_line(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip("\0\n").partition("\n")[0]
    except OSError:
        return ""
