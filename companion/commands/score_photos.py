"""One finished bed from one to three photos by hand: what `companion score PHOTO…` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from companion.commands.read_bed import PRINTED, bed_reader, take_in
from companion.errors import MendableError, PhotoError
from companion.errors.causes import cause_of
from companion.games.this_bed_is_mine import GAME
from companion.games.this_bed_is_mine.moves import OWNERS
from companion.games.watching import Tile, square_name
from hardware import photo_file, pictures
from hardware.arrays import Picture
from hardware.vision.board.board_view import Corners
from hardware.vision.board.layout import scene_of
from hardware.vision.board.photos import UNKNOWN_OWNER, CoatGroup, PhotosReading, named, read_photos
from hardware.vision.board.scene import Scene, read_picture_lines
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import VisionError
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens
from hardware.vision.screen import is_of_a_screen

PIXEL = r"-?\d{1,6}(?:\.\d{1,6})?"
"""A coordinate in px."""

CORNERS = re.compile(rf"\s*{PIXEL},{PIXEL}(?:\s+{PIXEL},{PIXEL}){{3}}\s*")
"""Four corners as they are typed: x,y x,y x,y x,y."""

OUTSIDE_SHARE = 0.1
"""The share of the board's squares that may lie outside a photo."""

ANY_MARKERS = "-"
"""What stands for the corners of a photo whose corners are to be looked for."""


class Bed(msgspec.Struct, frozen=True):
    """The bed that was photographed: its options for the rules, its layout, and what was shown of it."""

    options: dict[str, object]
    layout: Scene
    shown: TileReader | None


class ScoredPhotos(msgspec.Struct, frozen=True):
    """Photos of one bed, upright, with their reading."""

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    bed: Bed
    read: PhotosReading

    def plain(self) -> dict[str, Any]:
        """The reading as `read-bed` prints one, with each photo's corners and the coats that nobody named."""
        values = {name: getattr(self.read.reading, name) for name in PRINTED}
        plain = {name: () if value is None else value for name, value in values.items()}
        places = [
            {"image": name, "corners_px": at.corners.corners_px, "source": at.corners.source, "why": at.why}
            for name, at in zip(self.names, self.read.photos, strict=True)
        ]
        coats = [group.tiles for group in self.read.coats]
        return {
            **plain,
            "image": self.names[0],
            "photos": places,
            "doubtful": self.read.doubtful,
            "coats": coats,
        }

    def clearest(self) -> tuple[Picture, Homography]:
        """The first photo in which nothing was in the way, and where the board lies in it."""
        whys = [at.why for at in self.read.photos]
        number = whys.index("") if "" in whys else 0
        picture, corners = self.pictures[number], self.read.photos[number].corners.corners_px
        return picture, homography_from_corners(
            self.bed.layout, corners, Lens(picture.shape[1], picture.shape[0])
        )


def score_photos(
    paths: Sequence[Path],
    board: str | None,
    corners: Sequence[str],
    owners: Sequence[str],
    options: Mapping[str, object],
    *,
    real_table: bool = False,
) -> ScoredPhotos:
    """Read photos of one bed together; those of a screen only with `real_table`. Raises `MendableError`."""
    photos = [load(path) for path in paths]
    for path, (picture, _) in zip(paths, photos, strict=True):
        if not real_table and is_of_a_screen(picture):
            raise MendableError(
                f"{path} looks like a photo of a screen: take one of the table itself, or add --real-table if"
                " it is one."
            )
    bed = bed_of(paths, board, options)
    given = _corners_of(corners, paths, [share for _, share in photos])
    try:
        read = read_photos([picture for picture, _ in photos], bed.layout, given, shown=bed.shown)
    except VisionError as error:
        raise type(error)(f"{', '.join(map(str, paths))}: {error}") from None
    for path, (picture, _), at in zip(paths, photos, read.photos, strict=True):
        if at.corners.certain and _share_outside(picture, bed.layout, at.corners.corners_px) > OUTSIDE_SHARE:
            raise MendableError(f"{path}: {PhotoError('half-a-board')}")
    read = named(read, _owners_of(read, owners))
    return ScoredPhotos(tuple(map(str, paths)), tuple(picture for picture, _ in photos), bed, read)


def load(path: Path) -> tuple[Picture, float]:
    """The photo in a file, upright, and how much it was reduced. Raises `MendableError`."""
    try:
        data = pictures.load(path)
        picture = photo_file.photo(data)
    except OSError as error:
        raise MendableError(f"{path} cannot be read: {cause_of(error)}.") from error
    except PhotoError as error:
        raise MendableError(f"{path}: {error}") from None
    return picture, max(picture.shape[:2]) / max(photo_file.stored_size(data))


def bed_of(paths: Sequence[Path], board: str | None, options: Mapping[str, object]) -> Bed:
    """The bed by its name, its own file or its folder; without any, the folder in which the photos lie."""
    folder = paths[0].parent if board is None else Path(board)
    if (folder / "scene.json").is_file():
        reader = bed_reader(folder)
        for line in read_picture_lines(folder):
            if line.role != "watch":
                take_in(reader, folder, line)
        given = GAME.options_for_scene(msgspec.to_builtins(reader.scene)) | dict(options)
        return Bed(given, reader.scene, reader if reader.coats else None)
    if board is None:
        raise MendableError(
            "Say which bed the photo shows: --board a, --board b, a file of your own, or a folder with its"
            " scene.json."
        )
    given = {"board": board, **options}
    state = GAME.start(GAME.options(given, from_text=True), 2)
    return Bed(given, scene_of(GAME.scene(state)), None)


def question(read: PhotosReading) -> str:
    """What a person must tell before the bed can be scored; empty if nothing."""
    tiles = read.reading.tiles or ()
    unknown = [tiles[group.tiles[0]] for group in read.coats]
    if unknown:
        named_squares = ", ".join(f"{tile.kind} at {square_name(tile.cells[0])}" for tile in unknown)
        example = square_name(unknown[0].cells[0])
        return (
            f"Nobody said whose these tiles are: {named_squares}. Say it for each, such as --owner"
            f" {example}=cat."
        )
    if not read.reading.unsure:
        return ""
    doubtful = ", ".join(
        f"{tiles[number].kind} at {square_name(tiles[number].cells[0])}" for number in read.doubtful
    )
    at = f"; it is not sure of {doubtful}" if doubtful else ""
    return (
        f"The photos cannot be read for certain ({read.reading.why}){at}: take another one from above, in"
        " even light, and read them together."
    )


def _corners_of(
    typed: Sequence[str], paths: Sequence[Path], shares: Sequence[float]
) -> list[Corners | None] | None:
    """The corners that were typed for each photo, in px of the reduced one. Raises `MendableError`."""
    if not typed:
        return None
    if len(typed) != len(paths):
        raise MendableError(
            f"--corners is needed once for each of the {len(paths)} photos; - stands for those to look for."
        )
    return [_four(text, share) for text, share in zip(typed, shares, strict=True)]


def _four(text: str, share: float) -> Corners | None:
    if text == ANY_MARKERS:
        return None
    if not CORNERS.fullmatch(text):
        raise MendableError(
            f"--corners {text!r} is not four corners: write x,y x,y x,y x,y in px, the bed's top left first,"
            " then clockwise."
        )
    return [[share * float(number) for number in point.split(",")] for point in text.split()]


def _share_outside(picture: Picture, layout: Scene, corners: Corners) -> float:
    """The share of the board's squares whose middles lie outside a photo."""
    height, width = picture.shape[:2]
    homography = homography_from_corners(layout, corners, Lens(width, height))
    middles = np.argwhere(np.ones((layout.rows, layout.cols), dtype=bool))[:, ::-1] + np.float64(0.5)
    outside = homography.picture_points(middles) / (width, height)
    return float(((outside < 0) | (outside > 1)).any(axis=1).mean())


def _owners_of(read: PhotosReading, pairs: Sequence[str]) -> list[str]:
    """The owner of each coat, by `--owner SQUARE=OWNER`. Raises `MendableError`."""
    tiles = read.reading.tiles or ()
    owners = [UNKNOWN_OWNER] * len(read.coats)
    for pair in pairs:
        square, _, owner = pair.partition("=")
        groups = [
            number
            for number, group in enumerate(read.coats)
            if any(square.upper() in _square_names(tiles[tile]) for tile in group.tiles)
        ]
        if owner not in OWNERS or not groups:
            raise MendableError(
                f"--owner {pair!r} names no tile to ask about: write a square that it covers and its side,"
                " such as C4=cat."
            )
        owners[groups[0]] = owner
    return [
        owner or _other_of_its_kind(tiles, read.coats, owners, number) for number, owner in enumerate(owners)
    ]


def _other_of_its_kind(
    tiles: Sequence[Tile], coats: Sequence[CoatGroup], owners: Sequence[str], number: int
) -> str:
    """The owner of a coat by its digit's other tile: each side has one of each."""
    kinds = {tiles[tile].kind for tile in coats[number].tiles}
    for group, owner in zip(coats, owners, strict=True):
        if owner and kinds & {tiles[tile].kind for tile in group.tiles}:
            return next(side for side in OWNERS if side != owner)
    return UNKNOWN_OWNER


def _square_names(tile: Tile) -> set[str]:
    return {square_name(cell) for cell in tile.cells}
