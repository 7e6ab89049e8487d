"""`companion read-dice`: reads pip dice in photos and prints one JSON object per photo."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import msgspec

from companion.commands.output import print_json
from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.files import read_text
from hardware.vision.dice import DiceReader
from hardware.vision.dice.photo import load_photo

LONGEST_PATH = 4096


def photo_names(photos: tuple[str, ...], listed: Path | None) -> list[str]:
    """The photos' names as given. Raises `UserError` if there is no photo, or an impossible name."""
    names = list(photos)
    if listed is not None:
        try:
            text = sys.stdin.read() if str(listed) == "-" else read_text(listed)
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"The list {listed} cannot be read: {cause_of(error)}.") from error
        for n, line in enumerate(map(str.strip, text.splitlines()), 1):
            if len(line) > LONGEST_PATH or "\0" in line:
                raise UserError(f"The list {listed}, line {n}, is not the path of a photo.")
            names += [line] if line else []
    if not names:
        raise UserError("There is no photo to read: name some, or a file that lists them with --list.")
    return names


def read_photo(reader: DiceReader, name: str) -> dict[str, Any]:
    """The dice in one photo, boxes in px of the stored photo. Raises `UserError` if it is not a photo."""
    photo = load_photo(Path(name))
    begun = perf_counter()
    reading = reader.read_dice(photo.upright)
    spent_ms = round((perf_counter() - begun) * 1000, 1)
    dice = [{**msgspec.structs.asdict(die), "box": photo.as_stored(die.box)} for die in reading.dice or ()]
    return {"image": name, "unsure": reading.unsure, "dice": dice, "ms": spent_ms}


@click.command(
    epilog="\b\nExamples:\n  companion read-dice throw.jpg other.png\n  companion read-dice --list photos.txt"
)
@click.argument("photos", nargs=-1)
@click.option(
    "--list",
    "listed",
    type=click.Path(path_type=Path),
    help="A file with one photo's path per line; - for stdin.",
)
def read_dice(photos: tuple[str, ...], listed: Path | None) -> None:
    """Read the pip dice in PHOTOS: the value, colour, box and confidence of each."""
    reader = DiceReader()
    faults: list[str] = []
    for name in photo_names(photos, listed):
        try:
            print_json(read_photo(reader, name))
        except UserError as fault:
            faults.append(str(fault))
    if faults:
        more = f" (and {len(faults) - 1} more photos like it)" if len(faults) > 1 else ""
        raise UserError(faults[0] + more)
