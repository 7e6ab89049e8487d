"""`companion read-bed FOLDER`: reads a folder as live pictures and prints one JSON line a picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Literal

import click
import cv2
import msgspec
import numpy as np

from companion.commands.output import print_json
from companion.games.this_bed_is_mine.turn_order import BedTurns
from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.board.scene import PictureLine, Scene, read_picture_lines, read_scene_as
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice import DiceReader
from hardware.vision.dice.beside import read_tray
from hardware.vision.errors import PictureError, SceneError, VisionError

PRINTED = ("image", "unsure", "why", "tiles", "alternatives", "covered", "dice", "ms")
"""What of an observation a line tells."""

NO_DICE = ("hand", "blurred", "markers")
"""The reasons to wait for another picture; with one of them the tray is not read either."""


def load_picture(path: Path) -> Picture:
    """A picture file as BGR, shape (H, W, 3). Raises PictureError where it is missing or broken."""
    try:
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError:
        raise PictureError(
            f"{path} cannot be read: pictures.jsonl names a picture that is not there."
        ) from None
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise PictureError(f"{path} is not a picture, or a broken one: take it again or leave its line out.")
    return np.asarray(picture, dtype=np.uint8)


def readings(folder: Path) -> Iterator[Observation]:
    """Read a folder's pictures in order. Yields the bed and the dice of each picture of role `watch`.

    Raises `VisionError` for a folder that cannot be read.
    """
    reader, dice_reader = bed_reader(folder), DiceReader()
    lines = read_picture_lines(folder)
    if not any(line.role == "watch" for line in lines):
        raise SceneError(
            f"{folder / 'pictures.jsonl'} has no picture of role watch: there is nothing to read."
        )
    for number, line in enumerate(lines, start=1):
        try:
            reading = take_in(reader, folder, line)
        except PictureError:
            raise
        except VisionError as reason:
            raise type(reason)(f"{folder / line.image} (picture {number}): {reason}") from None
        if reading is not None:
            yield with_dice(reading, dice_reader, reader, load_picture(folder / line.image))


class PhotographedBed(Scene, frozen=True, dict=True):
    """A folder's bed, and the side that lays the first tile there."""

    first_player: Literal["cat", "dog"] = "cat"


def bed_reader(folder: Path) -> TileReader:
    """The reader of a folder's bed or board, before it was shown any picture. Raises `SceneError`."""
    scene = read_scene_as(folder, PhotographedBed)
    masks = {kind: places.masks for kind, places in scene.placements.items()}
    return TileReader(scene, BedTurns(masks, scene.cols, scene.first_player))


def with_dice(
    reading: Observation, dice_reader: DiceReader, bed: TileReader, picture: Picture
) -> Observation:
    """The reading together with the dice in the tray.

    Under a hand, and where the bed is not found, no dice are read. Where the dice are unsure, `why` is
    `dice`; `unsure` speaks of the bed alone.
    """
    if bed.homography is None or reading.why in NO_DICE:
        return msgspec.structs.replace(reading, dice=())
    begun = perf_counter()
    thrown = read_tray(dice_reader, picture, bed.scene, bed.homography)
    return msgspec.structs.replace(
        reading,
        dice=thrown.dice,
        why=reading.why or ("dice" if thrown.unsure else ""),
        ms={**reading.ms, "dice": round(1000 * (perf_counter() - begun), 2)},
    )


def take_in(reader: TileReader, folder: Path, line: PictureLine) -> Observation | None:
    """Give one picture to the reader. Returns the reading of a `watch` picture, None for any other."""
    picture = load_picture(folder / line.image)
    if line.role == "empty":
        reader.see_empty(picture, line.corners_px)
    elif line.role == "start":
        reader.see_start(picture, line.covered, line.corners_px)
    elif line.role == "teach":
        reader.teach(picture, line.tiles, line.corners_px)
    else:
        return reader.read(picture, line.corners_px, image=line.image)
    return None


@click.command(
    "read-bed",
    epilog="\b\n"
    "Examples:\n"
    "  companion read-bed photos/game-1\n"
    "  companion read-bed photos/game-1 > read.jsonl",
)
@click.argument("folder", type=click.Path(path_type=Path))
def read_bed(folder: Path) -> None:
    """Read the pictures of FOLDER as if they came live.

    FOLDER holds scene.json, pictures.jsonl and the pictures. One JSON object goes to stdout for each
    picture of role "watch": the whole board as believed after it, the dice in the tray, whether a person
    would have to be asked, and why.
    """
    for reading in readings(folder):
        # A list that was not read is an empty one: scripts iterate over it.
        values = {name: getattr(reading, name) for name in PRINTED}
        print_json({name: () if value is None else value for name, value in values.items()})
