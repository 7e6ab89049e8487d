"""`companion read-bed FOLDER`: reads a folder as live pictures and prints one JSON line per picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

import click
import msgspec
from msgspec import Meta

from companion.commands.output import print_json
from companion.games.this_bed_is_mine.sighting import BedTurns
from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.camera.folder import read_picture
from hardware.vision.board.photos import read_photos
from hardware.vision.board.scene import PictureLine, Scene, read_picture_lines, read_scene_as
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice.reader import DiceReader, read_tray
from hardware.vision.errors import SceneError, VisionError

PRINTED = ("image", "unsure", "why", "tiles", "alternatives", "covered", "dice", "ms")

NO_DICE = ("hand", "blurred", "markers")
"""Reasons to wait for another picture. The tray is not read then either."""


def readings(folder: Path) -> Iterator[Observation]:
    """Read a folder's pictures in order. Yields the bed and the dice of each picture whose role is `watch`.
    Raises `VisionError` for a folder that cannot be read."""
    reader, dice_reader = bed_reader(folder), DiceReader()
    lines = read_picture_lines(folder)
    if not any(line.role == "watch" for line in lines):
        raise SceneError(
            f"{folder / 'pictures.jsonl'} has no picture of role watch: there is nothing to read."
        )
    for number, line in enumerate(lines, start=1):
        try:
            reading = take_in(reader, folder, line)
        except VisionError as reason:
            raise type(reason)(f"{folder / line.image} (picture {number}): {reason}") from None
        if reading is not None:
            yield with_dice(reading, dice_reader, reader, read_picture(folder / line.image))


def strangers(folder: Path) -> Iterator[tuple[Observation, tuple[tuple[int, ...], ...]]]:
    """Read each picture of a folder in which nothing was shown as a finished board. Yields the tiles, without
    owners, and those of each coat by their numbers. Raises `VisionError`."""
    scene = read_scene_as(folder, PhotographedBed)
    for line in read_picture_lines(folder):
        begun = perf_counter()
        try:
            picture = read_picture(folder / line.image)
            read = read_photos([picture], scene, [line.corners_px], owners=scene.owners)
        except VisionError as reason:
            raise type(reason)(f"{folder / line.image}: {reason}") from None
        ms = {"board": round(1000 * (perf_counter() - begun), 2)}
        yield (
            msgspec.structs.replace(read.reading, unsure=bool(read.reading.why), image=line.image, ms=ms),
            read.alike,
        )


def printed(reading: Observation) -> dict[str, Any]:
    """A reading as it is printed. What was not read is an empty list, because scripts iterate over it."""
    values = {name: getattr(reading, name) for name in PRINTED}
    return {name: () if value is None else value for name, value in values.items()}


class PhotographedBed(Scene, frozen=True, dict=True):
    """A folder's bed, the side that lays the first tile, and the number of coats where nothing was shown."""

    first_player: Literal["cat", "dog"] = "cat"
    owners: Annotated[int, Meta(ge=2, le=8)] = 2


def bed_reader(folder: Path) -> TileReader:
    """A reader of a folder's bed or board that has seen no picture yet. Raises `SceneError`."""
    scene = read_scene_as(folder, PhotographedBed)
    masks = {kind: places.masks for kind, places in scene.placements.items()}
    return TileReader(scene, BedTurns(masks, scene.cols, scene.first_player))


def with_dice(
    reading: Observation, dice_reader: DiceReader, bed: TileReader, picture: Picture
) -> Observation:
    """The reading, with the dice in the tray added. No dice are read under a hand, or while the bed is not
    found. `unsure` is about the bed alone; `why` is that of the dice if the bed has none."""
    if bed.homography is None or reading.why in NO_DICE:
        return msgspec.structs.replace(reading, dice=())
    begun = perf_counter()
    thrown = read_tray(dice_reader, picture, bed.scene, bed.homography)
    return msgspec.structs.replace(
        reading,
        dice=thrown.dice,
        why=reading.why or thrown.why,
        ms={**reading.ms, "dice": round(1000 * (perf_counter() - begun), 2)},
    )


def take_in(reader: TileReader, folder: Path, line: PictureLine) -> Observation | None:
    """Show the reader one picture. Returns the reading of a `watch` picture, None for any other."""
    picture = read_picture(folder / line.image)
    if line.role == "empty":
        reader.see_empty(picture, line.corners_px)
    elif line.role == "start":
        reader.see_start(picture, line.covered, line.corners_px)
    elif line.role == "teach":
        reader.teach(picture, line.tiles, line.corners_px)
    else:
        return reader.read_board(picture, line.corners_px, image=line.image)
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
    """Read the pictures in FOLDER as if they came live.

    FOLDER holds scene.json, pictures.jsonl and the pictures. For each picture of role "watch", one JSON
    object goes to stdout: the whole board as now believed, the dice in the tray, whether to ask a person, and
    why. Where nothing was shown, each picture is read as a finished board; its tiles have the number of their
    coat in place of an owner.
    """
    if {line.role for line in read_picture_lines(folder)} != {"watch"}:
        for reading in readings(folder):
            print_json(printed(reading))
        return
    for reading, coats in strangers(folder):
        coat_of = {number: coat for coat, alike in enumerate(coats) for number in alike}
        tiles = [
            {**msgspec.to_builtins(tile), "coat": coat_of.get(number)}
            for number, tile in enumerate(reading.tiles or ())
        ]
        print_json({**printed(reading), "tiles": tiles})
