"""Reads the tiles on a board, picture by picture, and asks when it is not sure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from companion.games.watching import (
    AnyTurn,
    Kind,
    Observation,
    Square,
    Tile,
    TilePlace,
    TileSquares,
    TurnOrder,
)
from hardware.arrays import Float32, Mask, Picture
from hardware.vision.board.appearance import Coat, colour_bins
from hardware.vision.board.board_view import BLURRED, BoardReader, Corners, Seen
from hardware.vision.board.evidence import Evidence, evidence, likely_boards, places_since
from hardware.vision.board.faces import (
    ComparedFaces,
    Face,
    Sight,
    Way,
    brighter_in,
    face_at,
    shift_of,
    way_of,
)
from hardware.vision.board.foreground import CoveredSquares, glaring, with_mirrored
from hardware.vision.board.illumination import NOISE_FLOOR, SAMPLES, Illumination, side_by_side
from hardware.vision.board.occlusions import (
    UNEVEN_LIGHT,
    is_change_unexplained,
    obstacle,
    occlusion_of_board,
    under_tokens,
)
from hardware.vision.board.reader_state import pack, unpack
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, Choice, TileName
from hardware.vision.board.tails import (
    changed_samples,
    changed_squares,
    coat_beside,
    nats_of_tail,
    way_round,
    with_tails,
)
from hardware.vision.board.temporal_filter import SURE, Estimate, has_twin, update
from hardware.vision.errors import SceneError
from hardware.vision.register.rectify import INNER, MARGIN
from hardware.vision.register.sharpness import level_of

BOARDS = 12
"""The number of likely boards to weigh against each other."""
SURE_AGAIN = 0.9
"""The minimum for a board that was asked about and shows again, with less than half the blur BLURRED."""
TWIN = 0.05
"""The confidence of an alternative with a twin, another kind on the same squares, that rules that out."""
RARE = ("moved", "taken-back")
"""Events that are believed only if the next picture shows them again, or a person confirms them."""
NOBODY = AnyTurn()
"""The turn order of a board without tiles."""


class _Believed(msgspec.Struct, frozen=True):
    """The last picture that was believed: its colours and its reading.

    `light`: the change of light from it to the last picture.
    """

    colours: Float32
    reading: Observation
    light: Illumination


class _News(msgspec.Struct, frozen=True):
    """A picture that shows something new.

    `empty`: each sample's log-density on the empty board. `changed`: the samples that show something new.
    Both are side by side.
    """

    seen: Seen
    empty: Float32
    changed: Mask
    weighed: Evidence

    @property
    def squares(self) -> Mask:
        """The squares of the board that show something new, shape (squares,)."""
        return changed_squares(self.changed)[INNER].ravel()

    def tail_marks(self, board: Board, tile: Tile) -> Mask:
        """The samples of a tail: its tile's coat beside the tile, new since the last believed picture."""
        return self.changed & coat_beside(board, tile, self.empty, self.weighed.samples)


class TileReader(BoardReader):
    """Reads pictures of one board. Show it the empty board (or a known start), teach it the tiles, then read.

    `turn_order` says who owns tiles, and whose is expected next. Without owners, covered squares are read
    instead of tiles. Pictures are BGR arrays, shape (H, W, 3), uint8. `corners_px` are the grid's four
    corners set by a person; they replace the markers. Not thread-safe.
    """

    def __init__(self, scene: Scene, turn_order: TurnOrder = NOBODY) -> None:
        super().__init__(scene)
        self.turn_order = turn_order
        self.coats: dict[TileName, Coat] = {}
        self.faces: dict[TileName, Face] = {}
        self.tiles: tuple[Tile, ...] = ()
        self._covered_squares = CoveredSquares()
        self._last_owner: str | None = None
        self._first = True
        self._pending: frozenset[TileSquares] = frozenset()
        self._believed: _Believed | None = None
        self._compared = ComparedFaces(self.faces, self.coats, scene.cols)
        self._way: Way | None = None
        self._blur = 0.0
        self._glare = np.zeros((scene.rows, scene.cols), dtype=bool)

    # -- what it is shown ---------------------------------------------------------------------------------

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Take this picture as the board with something on the squares `covered`."""
        look = self.view.show(picture, covered, corners_px)
        reference = self.view.reference
        self._covered_squares.learn(reference.colours[INNER], look, reference.covered)
        self._believed = None

    def teach(self, picture: Picture, tiles: Iterable[Tile], corners_px: Corners | None = None) -> None:
        """Learn the coats of these tiles, which lie on the board as given, with nothing else on it.

        Raises `SceneError` for a tile that is not in the scene, or that would lie off the board.
        """
        squares = {tile: tuple(np.array(self._cells_on_board(tile)).T) for tile in tiles}
        tiled = np.zeros((self.scene.rows, self.scene.cols), dtype=bool)
        for rows, cols in squares.values():
            tiled[rows, cols] = True
        lesson = self.view.show_more(picture, corners_px, tiled)
        for tile, (rows, cols) in squares.items():
            cells = rows + MARGIN, cols + MARGIN
            grain = lesson.grains[:, :, *cells].reshape(*lesson.grains.shape[:2], -1)
            coat = Coat(lesson.colours[cells].reshape(-1, 3), grain)
            self.coats[tile.owner, tile.kind] = coat
            if tile.turns % 4 == 0:
                shape = self.scene.shapes[tile.kind][0]
                place = tile.row, tile.col
                shift = shift_of(coat.colours_fit(colour_bins(lesson.colours)), lesson.empty, shape, *place)
                self.faces[tile.owner, tile.kind] = face_at(lesson.colours, shape, *place, shift)

    def _cells_on_board(self, tile: Tile) -> tuple[Square, ...]:
        cells = self.scene.cells_of(tile)
        if not cells:
            known = ", ".join(map(str, self.scene.shapes)) or "none"
            raise SceneError(f"The scene has no tile {tile.kind} to teach; its tiles are: {known}.")
        if not all(0 <= row < self.scene.rows and 0 <= col < self.scene.cols for row, col in cells):
            raise SceneError(
                f"The tile {tile.kind} to teach would lie off the board: mend its row, col or turns."
            )
        return cells

    def believe(self, tiles: Iterable[Tile]) -> None:
        """Believe these tiles, because a person or the match says so. The next reading starts from them."""
        self.tiles = tuple(
            msgspec.structs.replace(self.scene.with_cells(tile), confidence=1.0) for tile in tiles
        )
        self._first = False
        self._last_owner = None
        # The last picture may have shown another board, so nothing follows from what changed since.
        self._believed = None
        self.view.forget_picture()

    def taught(self) -> dict[str, tuple[Kind, ...]]:
        """Each owner's kinds whose coats are known."""
        owners = sorted({owner for owner, _ in self.coats})
        return {
            owner: tuple(sorted((kind for o, kind in self.coats if o == owner), key=str)) for owner in owners
        }

    def save(self) -> bytes:
        """The reader as bytes that survive a restart. Raises ReferenceMissingError."""
        state = msgspec.structs.replace(
            self.view.state(), coats=self.coats, faces=self.faces, believed=self.tiles
        )
        return pack(self.scene, state)

    @classmethod
    def restore(cls, scene: Scene, data: bytes, turn_order: TurnOrder = NOBODY) -> TileReader:
        state = unpack(scene, data)
        reader = cls(scene, turn_order)
        reader.view.restore(state)
        reader.coats.update(state.coats)
        reader.faces.update(state.faces)
        if state.believed:
            reader.believe(state.believed)
        return reader

    # -- reading -------------------------------------------------------------------------------------------

    def read_board(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        decide = self._read_tiles if self.scene.placements and self.turn_order.owners else self._read_squares
        return self.view.compare(picture, corners_px, image, decide, same_light=bool(self.coats))

    def _read_squares(self, seen: Seen) -> Observation:
        if self.view.is_lost:
            return self._waiting("markers")
        read = self._covered_squares.covered_mask(
            seen.empty.whole[INNER], seen.relit, seen.inner, seen.reference.covered
        )
        covered = tuple((int(row), int(col)) for row, col in np.argwhere(read.covered))
        self.view.stopwatch.lap("decide")
        why = "not-told-apart" if read.uncertain.any() else ""
        return Observation(unsure=bool(why), why=why, covered=covered)

    def _read_tiles(self, seen: Seen) -> Observation:
        self._blur = self.view.blur()
        if why := obstacle(self.view, seen, self.coats.values()):
            return self._waiting(why)
        changed = self._changed(seen)
        if self._believed is not None and not changed_squares(changed).any():
            self._pending = frozenset(tile.squares for tile in self.tiles)
            return msgspec.structs.replace(self._believed.reading, why="")
        if self.coats:
            seen = seen_mirroring(self.scene, seen)
        estimate, why = self._judge(seen, changed)
        self.view.stopwatch.lap("search")
        reading = self._decide(estimate, why)
        if not reading.unsure:
            since = seen.light if self._believed is None else self._believed.light
            self._believed = _Believed(seen.colours, reading, since.none())
        return reading

    def weigh(self, seen: Seen, covered: CoveredSquares, blur: float) -> tuple[Float32, Evidence]:
        """The fit of each sample to the empty board, side by side, and a picture's evidence.

        `covered` tells the coats that were never shown; `blur` of the picture is in squares.
        """
        unknown = covered.coat(seen.empty.whole[INNER], seen.relit, seen.inner, seen.reference.covered)
        empty = side_by_side(seen.empty.samples + (under_tokens(seen.empty) - seen.empty.whole)[..., None])
        owners, level = self.turn_order.owners, level_of(blur)
        return empty, evidence(self.scene, owners, self.coats, empty, seen.appearance, unknown, level)

    def _judge(self, seen: Seen, changed: Mask) -> tuple[Estimate, str]:
        """The estimate from a picture that shows something new, and a word for the unexplained part."""
        empty, weighed = self.weigh(seen, self._covered_squares, self._blur)
        self.view.stopwatch.lap("coats")
        if self._believed is None:
            self._compared.forget()
            self._way = None
        self._glare = glaring(seen.colours, seen.reference.colours, seen.light)
        news = _News(seen, empty, changed, weighed)
        look = self._face_worth(news)
        if self._believed is not None and self.tiles:
            # Tiles that show nothing new stay where they are; only if a doubt is left, they need not.
            estimate, why = self._estimate(news, look, over_unchanged=False)
            if not why and estimate.probability >= SURE and estimate.event not in RARE:
                return estimate, why
        return self._estimate(news, look, over_unchanged=True)

    def _estimate(
        self, news: _News, look: Callable[[Choice, int], float], *, over_unchanged: bool
    ) -> tuple[Estimate, str]:
        allowed = places_since(self.scene, self.tiles, news.squares, over_unchanged=over_unchanged)
        boards = likely_boards(self.scene, news.weighed, self.tiles, BOARDS, look, allowed)
        if self._is_way_clear(boards[0].tiles):
            boards = likely_boards(self.scene, news.weighed, self.tiles, BOARDS, look, allowed)
        lying = {tile.squares for tile in self.tiles}
        boards = with_tails(self.scene, boards, lying, news.tail_marks)
        expected = self.turn_order.next_owner(self.tiles, self._last_owner)
        estimate = update(
            boards,
            self.tiles,
            expected,
            first=self._first,
            taught=bool(self.coats),
            shaded=self._first and news.seen.uneven > UNEVEN_LIGHT,
        )
        estimate = self._the_right_way_round(estimate, news)
        empty = news.seen.empty.inner(MARGIN)
        why = occlusion_of_board(self.scene, news.weighed, empty, estimate.tiles, self.tiles, self._glare)
        if self._believed is not None and not why:
            changed = news.squares.reshape(self.scene.rows, self.scene.cols)
            if is_change_unexplained(news.seen.uneven, changed, estimate, self.tiles):
                why = "unexplained"
        between = self._compared.between_squares(
            estimate.tiles, news.weighed, lambda: sight_of(news.seen, news.empty), self._way
        )
        is_new = any(tile.squares not in lying for tile in between)
        return estimate, why or ("not-told-apart" if is_new else "")

    def _the_right_way_round(self, estimate: Estimate, news: _News) -> Estimate:
        """The estimate, with each new tile the way round that fits its face and its tail."""
        lying, board = {tile.squares for tile in self.tiles}, Board(estimate.tiles, 0.0)

        def nats(tile: Tile) -> float:
            likeness = self._compared.likeness(tile, self._way)
            face = 0.0 if likeness is None else likeness.worth
            return face + nats_of_tail(self.scene, tile, news.tail_marks(board, tile))

        tiles = (
            tile if tile.squares in lying else way_round(self.scene, tile, nats) for tile in estimate.tiles
        )
        return msgspec.structs.replace(estimate, tiles=tuple(tiles))

    def _is_way_clear(self, tiles: tuple[Tile, ...]) -> bool:
        """True if the faces of these tiles say now in which way prints lie, which was not known before."""
        if self._way is None:
            looks = (self._compared.compared(tile) for tile in tiles)
            self._way = way_of(look for look in looks if look is not None)
            return self._way is not None
        return False

    def _changed(self, seen: Seen) -> Mask:
        """The samples that show something new since the last believed picture; without one, all of them."""
        if self._believed is None:
            side = seen.colours.shape
            return np.ones((side[0] * SAMPLES, side[1] * SAMPLES), dtype=bool)
        changed, light = changed_samples(
            self._believed.colours, seen.colours, self.view.trust(), self._believed.light
        )
        self._believed = msgspec.structs.replace(self._believed, light=light)
        self.view.stopwatch.lap("changed")
        return changed

    def _face_worth(self, news: _News) -> Callable[[Choice, int], float]:
        """The evidence of a tile's face for one of its places, in nats.

        Where nothing changed since the last believed picture, a face is not compared again.
        """
        sight, changed = sight_of(news.seen, news.empty), news.squares
        met: set[TilePlace] = set()

        def worth(choice: Choice, number: int) -> float:
            place = choice.places.place(choice.owner, number)
            again = place not in met and bool(changed[choice.places.squares[number]].any())
            met.add(place)
            return self._compared.worth(choice, number, news.weighed, sight, self._way, again=again)

        return worth

    def _waiting(self, why: str) -> Observation:
        covered = tuple(sorted(cell for tile in self.tiles for cell in tile.cells))
        return Observation(unsure=True, why=why, tiles=self.tiles, covered=covered)

    def _decide(self, estimate: Estimate, why: str) -> Observation:
        board = frozenset(tile.squares for tile in estimate.tiles)
        was_asked = board == self._pending
        self._pending = board
        why = why or self._doubt(estimate, was_asked=was_asked)
        reading = Observation(
            unsure=bool(why),
            why=why or estimate.event,
            tiles=estimate.tiles,
            alternatives=estimate.alternatives,
            covered=tuple(sorted(cell for tile in estimate.tiles for cell in tile.cells)),
        )
        if not why:
            self._accept(estimate.tiles)
        return reading

    def _doubt(self, estimate: Estimate, *, was_asked: bool) -> str:
        """The reason to ask a person about the estimate; empty if it is believed."""
        again = was_asked and self._blur < BLURRED / 2 and not has_twin(estimate, TWIN)
        if estimate.probability < (SURE_AGAIN if again else SURE):
            return "glare" if _is_doubt_under(self._glare, estimate) else "not-told-apart"
        return estimate.event if estimate.event in RARE and not was_asked else ""

    def _accept(self, tiles: tuple[Tile, ...]) -> None:
        new = {tile.squares for tile in tiles} - {tile.squares for tile in self.tiles}
        if len(new) == 1:
            self._last_owner = next(iter(new))[0]
        elif new or len(tiles) != len(self.tiles):
            self._last_owner = None
        self.tiles = tiles
        self._first = False


def _is_doubt_under(glare: Mask, estimate: Estimate) -> bool:
    """True if a tile that another likely board has in another way lies under a glare."""
    best = {tile.squares for tile in estimate.tiles}
    others = ({tile.squares for tile in other.tiles} for other in estimate.alternatives)
    return any(glare[cell] for other in others for _, _, cells in best ^ other for cell in cells)


def seen_mirroring(scene: Scene, seen: Seen) -> Seen:
    """The picture, with reflections on a glossy board taken for empty board."""
    return msgspec.structs.replace(
        seen, empty=with_mirrored(scene, seen.colours, seen.empty, seen.light.noise)
    )


def sight_of(seen: Seen, empty: Float32) -> Sight:
    """A picture to compare faces with.

    `empty`, side by side: each sample's log-density on the empty board.
    """
    noise = np.maximum(seen.light.noise, NOISE_FLOOR[0]).astype(np.float32)
    colours = np.moveaxis(side_by_side(seen.in_reference_light), -1, 0)
    return Sight(np.ascontiguousarray(colours), empty, noise, brighter_in(seen.uneven))
