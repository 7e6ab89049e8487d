"""Reads one finished board from one to three photographs taken by hand, all of them together.

The evidence of the photographs is added up for each way to lay each tile, in squares of the board; nothing is
decided by a vote. Nothing that lay on the board before counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from companion.games.watching import Observation, Tile
from hardware.arrays import Picture
from hardware.vision.board.board_view import Corners
from hardware.vision.board.corners import BoardCorners, board_corners, find_corners
from hardware.vision.board.faces import Way
from hardware.vision.board.overlay import crop_outlined
from hardware.vision.board.photo_evidence import PhotoEvidence, together, unexplained, way_by
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, Choice, best_boards
from hardware.vision.board.tails import way_round, weighed_by_tails
from hardware.vision.board.temporal_filter import SURE, Estimate, update
from hardware.vision.board.tile_reader import BOARDS, TileReader
from hardware.vision.board.unshown import UNKNOWN_OWNER, Located, read_shapes
from hardware.vision.errors import HomographyError, PictureError
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens

MOST_PHOTOS = 3
"""The maximum number of photographs that are read together."""
LONGEST_PX = 2000
"""The maximum width, or height, at which a photograph is read; a larger one is reduced first."""
CROP_MARGIN = 0.5
"""The squares that a crop shows around its tile."""


__all__ = ["UNKNOWN_OWNER", "CoatGroup", "PhotosReading", "PlacedPhoto", "named", "read_photos"]


class CoatGroup(msgspec.Struct, frozen=True):
    """Tiles that look alike, so that one answer to “whose is this one?” holds for all of them.

    `tiles`: their indices in the reading's tiles. `crops`: each of them in the photograph that shows it best.
    """

    tiles: tuple[int, ...]
    crops: tuple[Picture, ...]


class PlacedPhoto(msgspec.Struct, frozen=True):
    """Where the board lies in one photograph, in its px, and what kept it from being read (a `why`)."""

    corners: BoardCorners
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


class _Photo(msgspec.Struct, frozen=True):
    """A photograph as it is read: not larger than LONGEST_PX, with its corners unless markers tell them."""

    picture: Picture
    corners: Corners | None


def read_photos(
    pictures: Sequence[Picture],
    layout: Scene,
    corners: Sequence[Corners | None] | None = None,
    *,
    shown: TileReader | None = None,
    owners: int = 2,
) -> PhotosReading:
    """Read one to three photographs, BGR, of the same finished board.

    `corners`: the grid's four corners in each photograph, None where they are to be looked for. `shown`: a
    reader that was shown the empty board and its tiles; it stays as it is. Without it the tiles are read by
    their shapes, each kind at most once for each of the `owners`, and a person must say whose they are.
    Raises PictureError for too many or too few photographs, HomographyError if no board is seen in any of
    them.
    """
    if not 1 <= len(pictures) <= MOST_PHOTOS:
        raise PictureError(
            f"{len(pictures)} photos of the board cannot be read together: give one, two or three."
        )
    given = [None] * len(pictures) if corners is None else list(corners)
    if len(given) != len(pictures):
        raise PictureError(
            f"Corners are given for {len(given)} photos of {len(pictures)}: give four for each, or none."
        )
    placed = tuple(_placed(*each, layout) for each in zip(pictures, given, strict=True))
    photos = [_reduced(*each) for each in zip(pictures, placed, strict=True)]
    if all(at.why for at in placed):
        raise HomographyError(
            "No board is seen in the photo: take one with the whole board in it, or set the four corners"
            " by hand."
        )
    if shown is None:
        return _read_unshown(pictures, placed, layout, owners)
    return _read_as_shown(photos, placed, shown)


def named(reading: PhotosReading, owners: Sequence[str]) -> PhotosReading:
    """The reading with the owner of each group of `coats` named, in their order.

    UNKNOWN_OWNER leaves one open.
    """
    tiles = list(reading.reading.tiles or ())
    for group, owner in zip(reading.coats, owners, strict=True):
        for number in group.tiles:
            tiles[number] = msgspec.structs.replace(tiles[number], owner=owner)
    coats = tuple(group for group, owner in zip(reading.coats, owners, strict=True) if owner == UNKNOWN_OWNER)
    unsure = bool(reading.reading.why or coats)
    board = msgspec.structs.replace(reading.reading, tiles=tuple(tiles), unsure=unsure)
    return msgspec.structs.replace(reading, reading=board, coats=coats)


def _placed(picture: Picture, corners: Corners | None, layout: Scene) -> PlacedPhoto:
    """Where the board lies in a photograph. Raises HomographyError for corners that cannot be."""
    if corners is not None:
        return PlacedPhoto(board_corners(corners, "person", certain=True))
    at = find_corners(picture, layout)
    return PlacedPhoto(at, "" if at.certain else "markers")


def _reduced(picture: Picture, placed: PlacedPhoto) -> _Photo:
    """The photograph not larger than LONGEST_PX; by its markers it is placed again, more exactly."""
    share = min(LONGEST_PX / max(picture.shape[:2]), 1.0)
    at = placed.corners
    corners = None if at.source == "markers" else [[share * px for px in point] for point in at.corners_px]
    if share == 1.0:
        return _Photo(picture, corners)
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _Photo(np.asarray(small, np.uint8), corners)


def _read_unshown(
    pictures: Sequence[Picture], placed: tuple[PlacedPhoto, ...], layout: Scene, owners: int
) -> PhotosReading:
    """Read photographs of a board of which nothing was shown."""
    located = [
        Located(picture, _homography(picture, layout, at))
        for picture, at in zip(pictures, placed, strict=True)
        if not at.why
    ]
    read = read_shapes(located, layout, owners)
    doubtful = {number for number, tile in enumerate(read.tiles) if tile.confidence < SURE} | {*read.twins}
    nearest = max(located, key=lambda photo: photo.homography.square_px(layout))
    coats = tuple(
        CoatGroup((number,), (crop_outlined(nearest.picture, nearest.homography, tile.cells, CROP_MARGIN),))
        for number, tile in enumerate(read.tiles)
    )
    covered = tuple(sorted(cell for tile in read.tiles for cell in tile.cells))
    reading = Observation(
        unsure=bool(read.why or coats),
        why=read.why,
        tiles=read.tiles,
        alternatives=read.alternatives,
        covered=covered,
    )
    return PhotosReading(reading, tuple(sorted(doubtful)), placed, coats)


def _homography(picture: Picture, layout: Scene, placed: PlacedPhoto) -> Homography:
    lens = Lens(picture.shape[1], picture.shape[0])
    return homography_from_corners(layout, placed.corners.corners_px, lens)


def _read_as_shown(
    photos: Sequence[_Photo], placed: tuple[PlacedPhoto, ...], shown: TileReader
) -> PhotosReading:
    """Read photographs of a board whose empty bed and tiles were shown."""
    # A copy, because a photograph by hand would move the board under the reader's own camera.
    view = TileReader.restore(shown.scene, shown.save()).view
    weighed = [
        None if at.why else PhotoEvidence(shown, view, photo.picture, photo.corners)
        for photo, at in zip(photos, placed, strict=True)
    ]
    placed = tuple(
        at if photo is None else msgspec.structs.replace(at, why=photo.why)
        for at, photo in zip(placed, weighed, strict=True)
    )
    clear = [photo for photo in weighed if photo is not None and not photo.why]
    if not clear:
        return PhotosReading(Observation(unsure=True, why=placed[0].why, tiles=()), (), placed)
    estimate, way = _estimate(shown.scene, clear)
    why = "not-told-apart" if estimate.probability < SURE else unexplained(clear, estimate.tiles, way)
    doubtful = tuple(number for number, tile in enumerate(estimate.tiles) if tile.confidence < SURE)
    covered = tuple(sorted(cell for tile in estimate.tiles for cell in tile.cells))
    reading = Observation(bool(why), why, estimate.tiles, alternatives=estimate.alternatives, covered=covered)
    return PhotosReading(reading, doubtful, placed)


def _estimate(scene: Scene, photos: Sequence[PhotoEvidence]) -> tuple[Estimate, Way | None]:
    """The likeliest board by all photographs, and its rivals; and the way in which prints lie."""
    choices = [together(photos, name) for name in photos[0].choices]
    most = np.mean([photo.most() for photo in photos], axis=0)

    def boards_by(way: Way | None) -> list[Board]:
        def look(choice: Choice, number: int) -> float:
            name = (choice.owner, choice.places.kind)
            return float(np.mean([photo.face(name, number, way) for photo in photos]))

        return best_boards(choices, most, scene.cols, BOARDS, look)

    boards = boards_by(None)
    way = way_by(photos, boards[0].tiles)
    boards = boards if way is None else boards_by(way)
    nats = np.sum([photo.tails(boards) for photo in photos], axis=0)
    summed = [Board(board.tiles, len(photos) * board.cost) for board in boards]
    estimate = update(weighed_by_tails(scene, summed, nats), (), None, first=True, taught=True)
    board = Board(estimate.tiles, 0.0)

    def says(tile: Tile) -> float:
        return sum(photo.for_way_round(board, tile, way) for photo in photos)

    tiles = tuple(way_round(scene, tile, says) for tile in estimate.tiles)
    return msgspec.structs.replace(estimate, tiles=tiles), way
