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
from hardware.arrays import Float64, Mask, Picture
from hardware.vision.board.board_view import BoardView, Corners
from hardware.vision.board.corners import BoardCorners, board_corners, find_corners
from hardware.vision.board.faces import ComparedFaces, Way, way_of
from hardware.vision.board.foreground import CoveredSquares
from hardware.vision.board.occlusions import obstacle, occlusion_of_board
from hardware.vision.board.overlay import crop_outlined
from hardware.vision.board.plain_coats import read_plain_coats
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, Choice, TileName, best_boards, choice_of
from hardware.vision.board.tails import coat_beside, nats_of_tail, tail_nats, way_round, weighed_by_tails
from hardware.vision.board.temporal_filter import SURE, Estimate, update
from hardware.vision.board.tile_reader import BOARDS, TileReader, seen_mirroring, sight_of
from hardware.vision.board.unshown import UNKNOWN_OWNER, Located, read_shapes
from hardware.vision.errors import HomographyError, PictureError
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from hardware.vision.register.rectify import MARGIN

MOST_AGAINST = -50.0
"""The most that one photograph says against a placement, in nats: glare, or a tail, may hide a tile in it."""
MOST_PHOTOS = 3
LONGEST_PX = 2000
"""The maximum width, or height, at which a photograph is read; a larger one is reduced first."""
CROP_MARGIN = 0.5


__all__ = ["UNKNOWN_OWNER", "CoatGroup", "PhotosReading", "PlacedPhoto", "named", "read_photos"]


class PhotoEvidence:
    """One photograph, compared with the things that a reader was shown.

    `why`: the obstacle to reading it, or empty. `weighed`: the evidence on every square; `empty`: the fit of
    squares to empty ones. `choices`: the worth of each tile in each of its places. Raises PictureError,
    HomographyError, ReferenceMissingError.
    """

    def __init__(self, shown: TileReader, view: BoardView, picture: Picture, corners: Corners | None) -> None:
        self.scene = view.scene
        self._seen = seen_mirroring(view.scene, view.see(picture, corners, same_light=False))
        self.empty = self._seen.empty.inner(MARGIN)
        self.why = obstacle(view, self._seen, shown.coats.values())
        self._bare, self.weighed = shown.weigh(self._seen, CoveredSquares(), view.blur())
        self.choices = {
            (owner, kind): choice_of(
                self.scene, owner, self.scene.placements[kind], nats, {}, least=MOST_AGAINST
            )
            for (owner, kind), nats in self.weighed.tiles.items()
        }
        self.faces = ComparedFaces(shown.faces, shown.coats, self.scene.cols)
        self._sight = sight_of(self._seen, self._bare)

    def most(self) -> Float64:
        """The most nats that any tile explains on each square, shape (squares,)."""
        nats_of_tiles = [nats.max(axis=(0, 1)) for nats in self.weighed.tiles.values()]
        return np.asarray(np.maximum(np.max(np.stack(nats_of_tiles), axis=0), 0), dtype=np.float64)

    def worth(self, name: TileName) -> Float64:
        """The worth of a tile in each of its places, in nats, shape (N,)."""
        return np.maximum(self.choices[name].worth, MOST_AGAINST)

    def face(self, name: TileName, number: int, way: Way | None) -> float:
        """The evidence of a tile's face for one of its places, in nats, if prints lie this way."""
        choice = self.choices.get(name)
        return 0.0 if choice is None else self.faces.worth(choice, number, self.weighed, self._sight, way)

    def between_squares(self, tiles: Sequence[Tile], way: Way | None) -> list[Tile]:
        """The tiles of a board whose faces, if they were compared, lie between squares."""
        return self.faces.between_squares(tiles, self.weighed, lambda: self._sight, way)

    def tails(self, boards: Sequence[Board]) -> Float64:
        """The evidence of the tails for each of the boards, in nats."""
        return tail_nats(self.scene, boards, set(), self._tail_marks)

    def for_way_round(self, board: Board, tile: Tile, way: Way | None) -> float:
        """The evidence of a tile's face and tail for its way round, in nats."""
        likeness = self.faces.likeness(tile, way)
        face = 0.0 if likeness is None else likeness.worth
        return face + nats_of_tail(self.scene, tile, self._tail_marks(board, tile))

    def _tail_marks(self, board: Board, tile: Tile) -> Mask:
        return coat_beside(board, tile, self._bare, self.weighed.samples)


def together(photos: Sequence[PhotoEvidence], name: TileName) -> Choice:
    """The mean worth of a tile in each of its places over all photographs, in the first one's pose."""
    first = photos[0].choices[name]
    worth = np.mean([photo.worth(name) for photo in photos], axis=0)
    return Choice(first.owner, first.places, worth, first.pose)


def way_by(photos: Sequence[PhotoEvidence], tiles: Sequence[Tile]) -> Way | None:
    """The way in which prints lie, by the tiles of one board in all photographs; None if not clear."""
    looks = (photo.faces.compared(tile) for photo in photos for tile in tiles)
    return way_of(look for look in looks if look is not None)


def unexplained(photos: Sequence[PhotoEvidence], tiles: Sequence[Tile], way: Way | None) -> str:
    """Name the thing that the tiles explain in none of the photographs; empty without one.

    Each square is taken from the photograph that explains it best: a glare, or a dark reflection, lies
    elsewhere in each of them.
    """
    between = [photo.between_squares(tiles, way) for photo in photos]
    if any(all(tile in in_photo for in_photo in between) for tile in tiles):
        return "not-told-apart"
    seen, empty = [photo.weighed for photo in photos], [photo.empty for photo in photos]
    least = msgspec.structs.replace(
        seen[0],
        moved=np.min([weighed.moved for weighed in seen], axis=0),
        coats={name: np.max([weighed.coats[name] for weighed in seen], axis=0) for name in seen[0].coats},
    )
    most_empty = msgspec.structs.replace(
        empty[0],
        corners=np.max([squares.corners for squares in empty], axis=0),
        hidden=np.min([squares.hidden for squares in empty], axis=0),
        mirrored=np.all([squares.mirrored for squares in empty], axis=0),
    )
    return occlusion_of_board(photos[0].scene, least, most_empty, tiles, ())


class CoatGroup(msgspec.Struct, frozen=True):
    """Tiles that look alike, so that one answer to “whose is this one?” holds for all of them.

    `tiles`: their indices in the reading's tiles. `crops`: each of them in the photograph that shows it best.
    """

    tiles: tuple[int, ...]
    crops: tuple[Picture, ...]


class PlacedPhoto(msgspec.Struct, frozen=True):
    """The board's corners in one photograph, and why that was not read."""

    corners: BoardCorners
    why: str = ""


class PhotosReading(msgspec.Struct, frozen=True):
    """A finished board, as all photographs together show it.

    `reading`: the board as the readers tell of it; the owner of a tile is UNKNOWN_OWNER where nobody named
    it. `doubtful`: the indices of its unsure tiles. `photos`: one for each picture. `coats`: the groups of
    tiles whose owner is unknown. `alike`: how they would be parted by a guess, for a person to agree to.
    """

    reading: Observation
    doubtful: tuple[int, ...]
    photos: tuple[PlacedPhoto, ...]
    coats: tuple[CoatGroup, ...] = ()
    alike: tuple[tuple[int, ...], ...] = ()


class _Photo(msgspec.Struct, frozen=True):
    """A photograph reduced to LONGEST_PX, and its corners unless markers show them."""

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

    `corners`: the grid's four corners in each photograph, None to search for them. `shown`: a reader that was
    shown the empty board and its tiles; it stays unchanged. Without it the tiles are read by their shapes,
    each kind at most once for each of the `owners`, and a person must name the owners. With more than two
    owners the first photograph alone is read, by plain coats. Raises PictureError for too many or too few
    photographs, HomographyError if no board is seen in any of them.
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
    placed = tuple(_placed(*photo, layout) for photo in zip(pictures, given, strict=True))
    photos = [_reduced(*photo) for photo in zip(pictures, placed, strict=True)]
    if all(photo.why for photo in placed):
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
    """The board's place in a photograph. Raises HomographyError for corners that cannot be."""
    if corners is not None:
        return PlacedPhoto(board_corners(corners, "person", certain=True))
    board = find_corners(picture, layout)
    return PlacedPhoto(board, "" if board.certain else "markers")


def _reduced(picture: Picture, placed: PlacedPhoto) -> _Photo:
    """The photograph not larger than LONGEST_PX; by its markers it is placed again, more exactly."""
    share = min(LONGEST_PX / max(picture.shape[:2]), 1.0)
    by = placed.corners
    corners = None if by.source == "markers" else [[share * px for px in point] for point in by.corners_px]
    if share == 1.0:
        return _Photo(picture, corners)
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _Photo(np.asarray(small, np.uint8), corners)


def _read_unshown(
    pictures: Sequence[Picture], placed: tuple[PlacedPhoto, ...], layout: Scene, owners: int
) -> PhotosReading:
    clear = [
        located(picture, layout, place)
        for picture, place in zip(pictures, placed, strict=True)
        if not place.why
    ]
    # The network learned from beds, which have two owners in patterned coats.
    read = read_shapes(clear, layout, 2) if owners == 2 else read_plain_coats(clear[0], layout, owners)
    doubtful = {number for number, tile in enumerate(read.tiles) if tile.confidence < SURE} | {*read.twins}
    nearest = max(clear, key=lambda photo: photo.homography.square_px(layout))
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
    return PhotosReading(reading, tuple(sorted(doubtful)), placed, coats, read.alike)


def located(picture: Picture, layout: Scene, placed: PlacedPhoto) -> Located:
    """A photograph with the board where its corners have it."""
    lens = Lens(picture.shape[1], picture.shape[0])
    return Located(picture, homography_from_corners(layout, placed.corners.corners_px, lens))


def _read_as_shown(
    photos: Sequence[_Photo], placed: tuple[PlacedPhoto, ...], shown: TileReader
) -> PhotosReading:
    """Read photographs of a board whose empty bed and tiles were shown."""
    # A copy, because a photograph by hand would move the board under the reader's own camera.
    view = TileReader.restore(shown.scene, shown.save()).view
    weighed = [
        None if place.why else PhotoEvidence(shown, view, photo.picture, photo.corners)
        for photo, place in zip(photos, placed, strict=True)
    ]
    placed = tuple(
        place if photo is None else msgspec.structs.replace(place, why=photo.why)
        for place, photo in zip(placed, weighed, strict=True)
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
