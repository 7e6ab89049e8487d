"""A reading of photos as the values that a page shows: tiles, what each may be instead, and like coats."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.watching import Alternative, Tile
from hardware.arrays import Picture
from hardware.vision.board import overlay
from hardware.vision.board.photos import PhotosReading
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from web.photo_port import BoardRead, Coat, PlacedTile, ReadTile

MOST_OTHERS = 4
"""The most other tiles that are offered in place of an unsure one."""

CROP_MARGIN_SQUARES = 0.6
"""How much beside a tile its crop shows."""

NO_OBSTACLE = ("", "not-told-apart")
"""The `why` of readings in whose way nothing is: the unsure tiles say it themselves."""


def board_read(reading: PhotosReading) -> BoardRead:
    """What the photos show, for a page."""
    board = reading.reading
    tiles = board.tiles or ()
    doubtful = set(reading.doubtful)
    if board.unsure:
        # Of a board that may be another one, a person looks at every tile that the other does not hold so.
        others = board.alternatives
        doubtful |= {n for n, tile in enumerate(tiles) if not all(_holds(each, tile) for each in others)}
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
    """Whether a tile lies on another board just so."""
    return any(each.place == tile.place for each in board.tiles)


def _others(reading: PhotosReading, tile: Tile) -> Iterator[PlacedTile]:
    """What a tile may be instead, by the other boards that explain the photos, the likeliest first."""
    lying = {each.place for each in reading.reading.tiles or ()}
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
    """The crop with which the reader asks whose a tile is; None where it does not ask."""
    for group in reading.coats:
        if tile in group.tiles and len(group.crops) == len(group.tiles):
            return group.crops[group.tiles.index(tile)]
    return None


def crop(reading: PhotosReading, tile: int, picture: Picture, scene: Scene) -> Picture:
    """The part of the first photo around a tile."""
    height, width = picture.shape[:2]
    at = homography_from_corners(scene, reading.photos[0].corners.corners_px, Lens(width, height))
    cells = scene.cells_of((reading.reading.tiles or ())[tile])
    return overlay.crop_outlined(picture, at, cells, CROP_MARGIN_SQUARES)
