"""Reads photos of one finished board, for the page and `companion score` alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from companion.errors import PhotoError
from companion.games.watching import Alternative, Kind, Tile
from hardware import pictures
from hardware.arrays import Picture
from hardware.vision.board import overlay
from hardware.vision.board.board_view import Corners
from hardware.vision.board.corners import BoardCorners, board_corners, find_corners
from hardware.vision.board.photos import PhotosReading, read_photos
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens

LEAST_SEEN = 0.9
"""The share of squares' middles that a photo must show: a cut-off corner hides no tile."""

MOST_OTHERS = 4

CROP_MARGIN_SQUARES = 0.6

NO_OBSTACLE = ("", "not-told-apart")
"""Values of `why` that are not obstacles: the unsure tiles show the question."""


class PlacedTile(msgspec.Struct, frozen=True):
    """A real or possible tile on the board; `row` and `col` are the top left of its shape's box."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    turns: int
    row: int
    col: int


class ReadTile(PlacedTile, frozen=True):
    """A read tile. `owner` is empty while unknown.

    `unsure`: a person must look at it; `others` are alternatives, the likeliest first.
    """

    unsure: bool = False
    others: tuple[PlacedTile, ...] = ()


class Coat(msgspec.Struct, frozen=True):
    """Tiles that look alike, by their numbers in the reading: one answer names the owner of all."""

    tiles: tuple[int, ...]


class BoardRead(msgspec.Struct, frozen=True):
    """The board in the photos. `why`: the obstacle's key `why.<why>`, or empty."""

    tiles: tuple[ReadTile, ...] = ()
    coats: tuple[Coat, ...] = ()
    why: str = ""


FindsCorners = Callable[[Picture, Scene], BoardCorners]


class Photo(NamedTuple):
    """An upright photo, and the board's corners in it."""

    picture: Picture
    corners: BoardCorners


def take(data: bytes, scene: Scene, finds: FindsCorners = find_corners) -> Photo:
    """Decode a photo and find the board. Raises `PhotoError`, also for half a board."""
    picture = pictures.photo(data)
    corners = finds(picture, scene)
    if corners.certain:
        _check_whole(corners, picture.shape[1], picture.shape[0], scene)
    return Photo(picture, corners)


def corners_by_person(corners_px: Corners, width: int, height: int, scene: Scene) -> BoardCorners:
    """A person's corners in a photo of that size.

    Raises `PhotoError` for corners that are not a board's, and for half a board.
    """
    try:
        corners = board_corners(corners_px, "person", certain=True)
    except HomographyError as error:
        raise PhotoError("bad-corners") from error
    _check_whole(corners, width, height, scene)
    return corners


def _check_whole(corners: BoardCorners, width: int, height: int, scene: Scene) -> None:
    homography = homography_from_corners(scene, corners.corners_px, Lens(width, height))
    middles = np.argwhere(np.ones((scene.rows, scene.cols), dtype=bool))[:, ::-1] + np.float64(0.5)
    places = homography.picture_points(middles) / (width, height)
    if float(((places >= 0) & (places <= 1)).all(axis=1).mean()) < LEAST_SEEN:
        raise PhotoError("half-a-board")


def read(
    photos: Sequence[Photo],
    scene: Scene,
    shown: TileReader | None,
    reads: Callable[..., PhotosReading] = read_photos,
) -> PhotosReading:
    """Read photos together; `shown` is a reader that knows the board. Raises `VisionError`.

    Only a person's corners are passed on: the reader finds the others itself, with the lens.
    """
    by_hand = [photo.corners.corners_px if photo.corners.source == "person" else None for photo in photos]
    return reads([photo.picture for photo in photos], scene, by_hand, shown=shown)


def board_read(reading: PhotosReading) -> BoardRead:
    """A reading's tiles and coats, for a page."""
    board = reading.reading
    tiles = board.tiles or ()
    doubtful = set(reading.doubtful)
    if board.unsure:
        # If the board may be another one, a person looks at every tile in which they differ.
        others = board.alternatives
        doubtful |= {n for n, tile in enumerate(tiles) if not all(_holds(other, tile) for other in others)}
    read = tuple(
        ReadTile(
            tile.owner,
            tile.kind,
            tile.turns,
            tile.row,
            tile.col,
            unsure=n in doubtful,
            others=tuple(_others(reading, tile)) if n in doubtful else (),
        )
        for n, tile in enumerate(tiles)
    )
    coats = tuple(Coat(group.tiles) for group in reading.coats)
    return BoardRead(read, coats, "" if board.why in NO_OBSTACLE else board.why)


def _holds(board: Alternative, tile: Tile) -> bool:
    return any(other.place == tile.place for other in board.tiles)


def _others(reading: PhotosReading, tile: Tile) -> Iterator[PlacedTile]:
    """Alternatives to a tile from other boards that explain the photos, the likeliest first."""
    lying = {other.place for other in reading.reading.tiles or ()}
    cells, offered = set(tile.cells), set()
    for board in reading.reading.alternatives:
        for other in board.tiles:
            if other.place in lying or other.place in offered or not cells & set(other.cells):
                continue
            offered.add(other.place)
            yield PlacedTile(other.owner, other.kind, other.turns, other.row, other.col)
            if len(offered) == MOST_OTHERS:
                return


def crop_of_coat(reading: PhotosReading, tile: int) -> Picture | None:
    """The reader's crop for the question of a tile's owner; None without a question."""
    for group in reading.coats:
        if tile in group.tiles and len(group.crops) == len(group.tiles):
            return group.crops[group.tiles.index(tile)]
    return None


def crop(reading: PhotosReading, tile: int, picture: Picture, scene: Scene) -> Picture:
    """The part of the first photo around a tile."""
    height, width = picture.shape[:2]
    homography = homography_from_corners(scene, reading.photos[0].corners.corners_px, Lens(width, height))
    cells = scene.cells_of((reading.reading.tiles or ())[tile])
    return overlay.crop_outlined(picture, homography, cells, CROP_MARGIN_SQUARES)
