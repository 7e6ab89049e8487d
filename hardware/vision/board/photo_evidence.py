"""What one photograph of a finished board says for each way to lay each tile, and for whole boards.

Several of these are added up; see `photos`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Observation, Tile
from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.board.between import between_squares, look_again
from hardware.vision.board.board_view import BoardView, Corners, Seen
from hardware.vision.board.evidence import Evidence, evidence
from hardware.vision.board.faces import Compared, Likeness, Way, compare, way_of
from hardware.vision.board.foreground import CoveredSquares
from hardware.vision.board.illumination import side_by_side
from hardware.vision.board.occlusions import occlusion_of_board, occlusion_of_frame, under_tokens
from hardware.vision.board.scene import TilePlace
from hardware.vision.board.search import Board, Choice, TileName, choice_of
from hardware.vision.board.tails import coat_beside, nats_of_tail, tail_nats
from hardware.vision.board.tile_reader import TileReader, place_of, seen_mirroring, sight_of
from hardware.vision.register.rectify import MARGIN
from hardware.vision.register.sharpness import level_of

MOST_AGAINST = -50.0
"""The most that one photograph says against a placement, in nats: glare, or a tail, may hide a tile in it."""


class PhotoEvidence:
    """One photograph, compared with what a reader was shown.

    `why`: what keeps the photograph from being read, empty if nothing does. `weighed`: the evidence on every
    square; `empty`: how well squares fit empty ones. `choices`: what each tile is worth in each of its
    places. Raises PictureError, HomographyError, ReferenceMissingError.
    """

    def __init__(self, shown: TileReader, view: BoardView, picture: Picture, corners: Corners | None) -> None:
        self._shown = shown
        self.scene = view.scene
        self._seen = seen_mirroring(view.scene, _seen(view, picture, corners))
        self.empty = self._seen.empty.inner(MARGIN)
        self._coats = shown.coats
        seen = self._seen
        self.why = self._hindrance(view)
        self._bare = side_by_side(
            seen.empty.samples + (under_tokens(seen.empty) - seen.empty.whole)[..., None]
        )
        self.weighed = self._weigh(self._bare, level_of(view.blur()))
        self.choices = {
            (owner, kind): choice_of(
                self.scene, owner, self.scene.placements[kind], nats, {}, least=MOST_AGAINST
            )
            for (owner, kind), nats in self.weighed.tiles.items()
        }
        self._looks: dict[TilePlace, Compared] = {}
        self._sight = sight_of(seen, self._bare)

    def _hindrance(self, view: BoardView) -> str:
        if view.is_blurred():
            return "blurred"
        if view.is_lost():
            return "markers"
        seen, coats = self._seen, self._coats.values()
        return occlusion_of_frame(
            lambda: seen.frame, seen.empty.whole, coats, view.covered_markers(), seen.in_picture
        )

    def _weigh(self, empty: Float32, level: int) -> Evidence:
        seen, covered = self._seen, self._seen.reference.covered
        unknown = CoveredSquares().coat(self.empty.whole, seen.relit, seen.look, covered)
        owners = self._shown.turn_order.owners
        return evidence(self.scene, owners, self._coats, empty, seen.frame, unknown, level)

    def most(self) -> Float64:
        """The most nats that any tile explains on each square, shape (squares,)."""
        each = [nats.max(axis=(0, 1)) for nats in self.weighed.tiles.values()]
        return np.asarray(np.maximum(np.max(np.stack(each), axis=0), 0), dtype=np.float64)

    def worth(self, name: TileName) -> Float64:
        """What a tile is worth in each of its places, in nats, shape (N,)."""
        return np.maximum(self.choices[name].worth, MOST_AGAINST)

    def face(self, name: TileName, number: int, way: Way | None) -> float:
        """What the face of a tile in one of its places adds, in nats, if prints lie this way."""
        if name not in self._shown.faces or name not in self._coats:
            return 0.0
        choice = self.choices[name]
        known = choice.places.place(choice.owner, number)
        if known in self._looks:
            return self._looks[known].by(way).worth
        on_coat = self.weighed.samples[name]
        place = place_of(choice, number, self.scene.cols, self.weighed)
        usual = self._coats[name].usual
        self._looks[known] = compare(self._shown.faces[name], usual, self._sight, on_coat, place)
        return self._looks[known].by(way).worth

    def looked(self, tile: Tile) -> Compared | None:
        """A tile's face as it was compared, None if it was not."""
        return self._looks.get(tile.place)

    def between_squares(self, tiles: Sequence[Tile], way: Way | None) -> list[Tile]:
        """The tiles of a board whose faces, as far as they were looked at, lie between squares."""
        faces, coats = self._shown.faces, self._coats
        again = look_again(faces, coats, lambda: self._sight, self.weighed, self.scene.cols, way)

        def looked(tile: Tile) -> Likeness | None:
            look = self.looked(tile)
            return None if look is None else look.by(way)

        return between_squares(tiles, looked, again)

    def tails(self, boards: Sequence[Board]) -> Float64:
        """What the tails in this photograph say for each of the boards, in nats."""
        return tail_nats(self.scene, boards, set(), self._tail_marks)

    def for_way_round(self, board: Board, tile: Tile, way: Way | None) -> float:
        """What a tile's face and tail say for the way round in which it lies, in nats."""
        look = self.looked(tile)
        face = 0.0 if look is None else look.by(way).worth
        return face + nats_of_tail(self.scene, tile, self._tail_marks(board, tile))

    def _tail_marks(self, board: Board, tile: Tile) -> Mask:
        return coat_beside(board, tile, self._bare, self.weighed.samples)


def _seen(view: BoardView, picture: Picture, corners: Corners | None) -> Seen:
    """The picture made comparable with the view's reference, whatever came before."""
    seen: list[Seen] = []

    def keep(each: Seen) -> Observation:
        seen.append(each)
        return Observation()

    view.forget_picture()
    view.read(picture, corners, "", keep, same_light=False)
    return seen[0]


def together(photos: Sequence[PhotoEvidence], name: TileName) -> Choice:
    """What a tile is worth in each of its places by the mean of all photographs, in the first one's pose."""
    first = photos[0].choices[name]
    worth = np.mean([photo.worth(name) for photo in photos], axis=0)
    return Choice(first.owner, first.places, worth, first.pose)


def way_by(photos: Sequence[PhotoEvidence], tiles: Sequence[Tile]) -> Way | None:
    """The way in which prints lie, by the tiles of one board in all photographs; None if not clear."""
    looks = (photo.looked(tile) for photo in photos for tile in tiles)
    return way_of(look for look in looks if look is not None)


def unexplained(photos: Sequence[PhotoEvidence], tiles: Sequence[Tile], way: Way | None) -> str:
    """What the tiles do not explain in any of the photographs, in a word; empty if nothing is left.

    Each square is taken from the photograph that explains it best: a glare, or a dark reflection, lies
    elsewhere in each of them.
    """
    between = [photo.between_squares(tiles, way) for photo in photos]
    if any(all(tile in each for each in between) for tile in tiles):
        return "not-told-apart"
    seen, empty = [photo.weighed for photo in photos], [photo.empty for photo in photos]
    least = msgspec.structs.replace(
        seen[0],
        moved=np.min([each.moved for each in seen], axis=0),
        coats={name: np.max([each.coats[name] for each in seen], axis=0) for name in seen[0].coats},
    )
    most_empty = msgspec.structs.replace(
        empty[0],
        corners=np.max([each.corners for each in empty], axis=0),
        hidden=np.min([each.hidden for each in empty], axis=0),
        mirrored=np.all([each.mirrored for each in empty], axis=0),
    )
    return occlusion_of_board(photos[0].scene, least, most_empty, tiles, ())
