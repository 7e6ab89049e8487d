"""How commands print: one JSON object a line on stdout, and nothing else there."""

from __future__ import annotations

import sys
from typing import Any

import msgspec


def print_json(value: Any) -> None:
    """Print a value (plain, or msgspec structs) as one line of JSON, at once."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()
