"""How commands print: one JSON object per line, and nothing else on stdout."""

from __future__ import annotations

import sys
from typing import Any

import msgspec


def print_json(value: Any) -> None:
    """Print a plain value or a msgspec struct as one line of JSON, and flush."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def part(some: int, of: int) -> str:
    """A share as text: "3 of 4 (75.0 %)"."""
    return f"{some} of {of}" + (f" ({100 * some / of:.1f} %)" if of else "")
