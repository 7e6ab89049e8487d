"""Reads one finished board from one to three photographs taken by hand, all of them together.

The evidence of the photographs is added up for each way to lay each tile, in squares of the board; nothing is
decided by a vote. Nothing that lay on the board before counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.board.board_view import Corners
from hardware.vision.board.corners import BoardCorners, find_corners
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import HomographyError, PictureError
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens

MOST_PHOTOS = 3
"""The maximum number of photographs that are read together."""

UNKNOWN_OWNER = ""
"""The owner of a tile whose coat nobody named yet."""


class CoatGroup(msgspec.Struct, frozen=True):
    """Tiles that look alike, so that one answer to “whose is this one?” holds for all of them.

    `tiles`: their indices in the reading's tiles. `crops`: each of them in the photograph that shows it best.
    """

    tiles: tuple[int, ...]
    crops: tuple[Picture, ...]


class PlacedPhoto(msgspec.Struct, frozen=True):
    """Where the board lies in one photograph, and what kept it from being read, if anything (a `why`)."""

    corners: BoardCorners
    homography: Homography
    why: str = ""


class PhotosReading(msgspec.Struct, frozen=True):
    """A finished board, as all photographs together show it.

    `reading`: the board as the readers tell of it; the owner of a tile is UNKNOWN_OWNER where nobody named
    it. `doubtful`: the indices of its unsure tiles. `photos`: one for each picture. `coats`: the groups of
    tiles whose owner is unknown.
    """

    reading: Observation
    doubtful: tuple[int, ...]
    photos: tuple[PlacedPhoto, ...]
    coats: tuple[CoatGroup, ...] = ()


def read_photos(
    pictures: Sequence[Picture],
    layout: Scene,
    corners: Sequence[Corners | None] | None = None,
    *,
    shown: TileReader | None = None,
) -> PhotosReading:
    """Read one to three photographs, BGR, of the same finished board.

    `corners`: the grid's four corners in each photograph, None where they are to be looked for. `shown`: a
    reader that was shown the empty board and its tiles; it stays as it is. Raises PictureError for too many
    or too few photographs, HomographyError if no board is seen in one.
    """
    if not 1 <= len(pictures) <= MOST_PHOTOS:
        raise PictureError(
            f"One to {MOST_PHOTOS} photos of the board are read together, not {len(pictures)}."
        )
    given = [None] * len(pictures) if corners is None else list(corners)
    if len(given) != len(pictures):
        raise PictureError(
            f"Four corners for each photo are needed: {len(pictures)} photos, {len(given)} times corners."
        )
    photos = tuple(_placed(*each, layout) for each in zip(pictures, given, strict=True))
    reading = Observation(unsure=True, why="not-told-apart", tiles=())
    return PhotosReading(reading, (), photos)


def named(reading: PhotosReading, owners: Sequence[str]) -> PhotosReading:
    """The reading with the owner of each of its `coats` named, in their order; UNKNOWN_OWNER leaves one open."""
    tiles = list(reading.reading.tiles or ())
    for group, owner in zip(reading.coats, owners, strict=True):
        for number in group.tiles:
            tiles[number] = msgspec.structs.replace(tiles[number], owner=owner)
    coats = tuple(
        group for group, owner in zip(reading.coats, owners, strict=True) if owner == UNKNOWN_OWNER
    )
    board = msgspec.structs.replace(reading.reading, tiles=tuple(tiles))
    return msgspec.structs.replace(reading, reading=board, coats=coats)


def _placed(picture: Picture, corners: Corners | None, layout: Scene) -> PlacedPhoto:
    """Where the board lies in a picture. Raises HomographyError."""
    if corners is None:
        at = find_corners(picture, layout)
        if at.source == "guess":
            raise HomographyError(
                "No board is seen in this photo: take it with the whole board in the picture, or set the four"
                " corners by hand."
            )
    else:
        points = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
        one, two, three, four = ((float(x), float(y)) for x, y in points)
        at = BoardCorners((one, two, three, four), "person", certain=True)
    lens = Lens(picture.shape[1], picture.shape[0])
    return PlacedPhoto(at, homography_from_corners(layout, at.corners_px, lens))
