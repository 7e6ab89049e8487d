"""The newer version that the package's repository has, as its timer last heard: `python -m` this asks apt.

apt asks with lists of its own, so that it needs no rights; the pages only read what it heard.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion import __version__, files, paths

KEPT = "newer.json"
"""The file in `paths.home()` with what was heard."""
SOURCES = "/etc/apt/sources.list.d/table-companion.sources"
"""The repository, as apt reads it."""


class Newer(msgspec.Struct, frozen=True):
    """A version in the repository, and what changed with it: plain text."""

    version: str
    changes: str


def newer() -> Newer | None:
    """The version in the repository, if it is newer than this one and was heard of."""
    try:
        heard = files.read_json(paths.home() / KEPT, Newer)
    except (OSError, ValueError):
        return None
    return heard if heard is not None and _order(heard.version) > _order(__version__) else None


def ask(cache: Path, programs: Sequence[str] = ("apt-get", "apt-cache")) -> None:
    """Ask the repository, with apt's lists in `cache`, and keep what it says.

    Raises `OSError` and `CalledProcessError`.
    """
    (cache / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    places = {
        "Dir::State": cache,
        "Dir::State::status": "/var/lib/dpkg/status",
        "Dir::Cache": cache,
        "Dir::Etc::SourceList": SOURCES,
        "Dir::Etc::SourceParts": "/dev/null",
    }
    options = [word for name, value in places.items() for word in ("-o", f"{name}={value}")]
    get, show = programs
    subprocess.run([get, *options, "-qq", "update"], check=True)
    asked = [show, *options, "show", "--no-all-versions", "table-companion"]
    text = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    files.write_json(paths.home() / KEPT, Newer(_field(text, "Version"), _field(text, "Changes")))


def _field(text: str, name: str) -> str:
    field = re.search(rf"^{name}: ?(.*(?:\n .*)*)", text, re.MULTILINE)
    return "" if field is None else re.sub(r"^ \.?", "", field[1], flags=re.MULTILINE).strip()


def _order(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


if __name__ == "__main__":
    ask(Path(sys.argv[1]))
