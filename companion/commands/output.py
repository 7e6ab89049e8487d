"""Shared by commands: JSON on stdout, written files, and options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.messages import LANGUAGES

LANGUAGE = click.option(
    "--lang", type=click.Choice(list(LANGUAGES)), default="en", show_default=True, help="The language."
)
GAME_OPTIONS = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)


def print_json(value: Any) -> None:
    """Print a plain value or a msgspec struct as one line of JSON, and flush."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def part(some: int, of: int) -> str:
    """A share as text: "3 of 4 (75.0 %)"."""
    return f"{some} of {of}" + (f" ({100 * some / of:.1f} %)" if of else "")


def write_file(path: Path, data: bytes, option: str = "-o") -> None:
    """Write a file that `option` named. Raises `UserError`."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UserError(
            f"{path} cannot be written ({cause_of(error)}); name another file with {option}."
        ) from error
