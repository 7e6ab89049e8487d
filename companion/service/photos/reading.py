"""Reads photos of one finished board, for the page and `companion score` alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import NamedTuple

import msgspec
import numpy as np

from companion.errors import MoveError, PhotoError
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

MOST_TWINS = 5
"""The most tiles whose twins are tried together."""

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

    @property
    def place(self) -> tuple[Kind, int, int, int]:
        """The place where it lies, whosever it is."""
        return self.kind, self.turns, self.row, self.col


class ReadTile(PlacedTile, frozen=True):
    """A read tile. `owner` is empty while unknown.

    `unsure`: a person must look at it; `others` are alternatives, the likeliest first. `twin`: the only other
    one covers the same squares.
    """

    unsure: bool = False
    others: tuple[PlacedTile, ...] = ()
    twin: bool = False


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
    if board.unsure and not reading.coats:
        # If the board may be another one, a person looks at every tile in which they differ.
        others = board.alternatives
        doubtful |= {n for n, tile in enumerate(tiles) if not all(_holds(other, tile) for other in others)}
    read = tuple(_read_tile(reading, tile, unsure=n in doubtful) for n, tile in enumerate(tiles))
    coats = tuple(map(Coat, reading.alike or [group.tiles for group in reading.coats]))
    return BoardRead(read, coats, "" if board.why in NO_OBSTACLE else board.why)


def _read_tile(reading: PhotosReading, tile: Tile, *, unsure: bool) -> ReadTile:
    others = tuple(_others(reading, tile)) if unsure else ()
    twin = len(others) == 1 and set(others[0].cells) == set(tile.cells)
    return ReadTile(*_placed(tile), unsure, tuple(PlacedTile(*_placed(other)) for other in others), twin)


def _placed(tile: Tile) -> tuple[str, Kind, int, int, int]:
    return tile.owner, tile.kind, tile.turns, tile.row, tile.col


class Settled(NamedTuple):
    """A board on which nobody is asked more than its score hangs on; `asked` are numbers of its tiles."""

    tiles: tuple[PlacedTile, ...]
    asked: tuple[int, ...]


def settled(
    tiles: Sequence[PlacedTile],
    unsure: Sequence[int],
    read: BoardRead | None,
    score: Callable[[Sequence[PlacedTile]], Hashable],
) -> Settled:
    """Ask about a tile or its twin only where the rules leave both, and they score otherwise.

    `unsure`: the numbers of the tiles that were not looked at. `score` raises `MoveError` for tiles that the
    rules refuse together.
    """
    twins = {tile.place: tile.others[0] for tile in (read.tiles if read else ()) if tile.twin}
    ways = {n: (tiles[n], twins[tiles[n].place]) for n in unsure if tiles[n].place in twins}
    rest = tuple(n for n in unsure if n not in ways)
    if not ways or len(ways) > MOST_TWINS:
        return Settled(tuple(tiles), tuple(unsure))

    def board_of(chosen: tuple[int, ...]) -> tuple[PlacedTile, ...]:
        board = list(tiles)
        for (n, both), way in zip(ways.items(), chosen, strict=True):
            board[n] = msgspec.structs.replace(both[way], owner=tiles[n].owner)
        return tuple(board)

    scores: dict[tuple[int, ...], Hashable] = {}
    for chosen in sorted(product((0, 1), repeat=len(ways)), key=sum):
        with suppress(MoveError):
            scores[chosen] = score(board_of(chosen))
    if not scores:
        return Settled(tuple(tiles), tuple(unsure))
    asked = list(range(len(ways)))
    for place in range(len(ways)):
        fewer = [other for other in asked if other != place]
        alike: dict[tuple[int, ...], set[Hashable]] = {}
        for chosen, value in scores.items():
            alike.setdefault(tuple(chosen[other] for other in fewer), set()).add(value)
        asked = fewer if all(len(values) == 1 for values in alike.values()) else asked
    likeliest = next(iter(scores))
    return Settled(board_of(likeliest), (*(list(ways)[place] for place in asked), *rest))


def _holds(board: Alternative, tile: Tile) -> bool:
    return any(other.place == tile.place for other in board.tiles)


def _others(reading: PhotosReading, tile: Tile) -> Iterator[Tile]:
    """Alternatives to a tile from other boards that explain the photos, the likeliest first."""
    lying = {other.place for other in reading.reading.tiles or ()}
    cells, offered = set(tile.cells), set()
    for board in reading.reading.alternatives:
        for other in board.tiles:
            if other.place in lying or other.place in offered or not cells & set(other.cells):
                continue
            offered.add(other.place)
            yield other
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
