"""Reads the bed, picture by picture: remembers what it was shown, believes what it has seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from companion.games.watching import AnyTurn, Kind, Observation, Square, Tile, TurnOrder
from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.board.appearance import Boxes, Coat, Look, colour_boxes, grain_boxes
from hardware.vision.board.evidence import evidence, likely_boards
from hardware.vision.board.foreground import Covers, Empty, empty_likelihood
from hardware.vision.board.illumination import Light, fit_light, samples, steepness
from hardware.vision.board.occlusions import over_the_frame, strays, under_paw_markers
from hardware.vision.board.reader_state import ReaderState, pack, unpack
from hardware.vision.board.scene import Scene, check_scene
from hardware.vision.board.search import Laid, TileName
from hardware.vision.board.tails import with_tails
from hardware.vision.board.temporal_filter import SURE, Estimate, has_twin, laid, update
from hardware.vision.errors import HomographyError, PictureError, ReferenceMissingError
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers, to_gray
from hardware.vision.register.motion import Motion
from hardware.vision.register.rectify import MARGIN, Rectifier
from hardware.vision.register.sharpness import (
    LEVELS,
    Widths,
    blur_beyond,
    blurred,
    edge_widths,
    level_of,
    usual_widths,
)
from hardware.vision.stopwatch import Stopwatch

SCALE = 24
"""Px a square in the square-on view: a camera of a megapixel sees a bed of 16 × 12 about as fine."""
STILL_PX = 0.7
"""A homography that moved the grid's corners by less than this is the old one: markers jitter by as much."""
BOARDS = 12
"""So many likely boards are weighed against each other."""
LIKELY = 0.9
TWINS = 0.05
"""A board that was asked about already, and that the next picture shows again, is gone on with from
probability LIKELY on: the question stays open, and new pictures do not ask it again. Not from a blurred
picture, and not where a board is likelier than TWINS that has another kind on the same squares: a 6 taken
for a 9 looks like one in the next picture too."""
RARE = ("moved", "taken-back")
"""What happens so rarely that it is only believed when the next picture shows it again, or a person says
so."""
BLURRED, SHARP_AGAIN = 0.038, 0.0355
"""A picture is not read that is blurrier by so many squares than those shown, until it is sharper than the
second again. The rendered beds as they are reach 0.034, those with tiles on them 0.029; with a blur of 1 px
added (0.025 squares) nothing was read wrongly, with 1.3 px two pictures of 112 would have been."""
SHOWN = 9
"""The sharpness of so many of the pictures shown is remembered."""
INNER = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
NOBODY = AnyTurn()
"""The turn order of a board without tiles."""
Corners = Sequence[Sequence[float]]


class Reference(msgspec.Struct, frozen=True):
    """What the bed looks like without what is to be read.

    `colours`, `steep` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3); `covered` (rows, cols): squares
    that something lay on already.
    """

    colours: Float32
    steep: Float32
    covered: Mask


class Seen(msgspec.Struct, frozen=True):
    """A picture made comparable: square-on `colours` with the frame, their `light`, and how `empty` squares
    look."""

    colours: Float32
    look: Look
    frame: Look
    light: Light
    empty: Empty


class TileReader:
    """Reads pictures of one bed or board: show it the empty bed (or a known start), teach it the tiles, then
    read.

    Pictures are BGR arrays, shape (H, W, 3), uint8; `corners_px` are the grid's four corners in px, top
    left of the bed first, clockwise, where a person set them: they stand for the markers. Not for several
    threads at once.
    """

    def __init__(self, scene: Scene, turn_order: TurnOrder = NOBODY) -> None:
        check_scene(scene)
        self.scene = scene
        self.turn_order = turn_order
        self.coats: dict[TileName, Coat] = {}
        self.tiles: tuple[Tile, ...] = ()
        self.reference: Reference | None = None
        self._lens: Lens | None = None
        self._rectifier: Rectifier | None = None
        self._covers = Covers()
        self._motion = Motion()
        self._last_owner: str | None = None
        self._first = True
        self._pending: frozenset[Laid] = frozenset()
        self._reading: Observation | None = None
        self._watch = Stopwatch()
        self._light: Light | None = None
        self._believed_colours: Float32 | None = None
        self._widths: Widths = {}
        self._shown_widths: list[Widths] = []
        self._beyond = 0.0
        self._blurred = False

    # -- what it is shown ---------------------------------------------------------------------------------

    def see_empty(self, picture: Picture, corners_px: Corners | None = None) -> None:
        """Takes this picture for the empty bed. Raises PictureError, HomographyError where it cannot."""
        self.see_start(picture, (), corners_px)

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Takes this picture for the bed, on which something lies on the squares `covered`."""
        told = np.zeros((self.scene.rows, self.scene.cols), dtype=bool)
        for row, col in covered:
            if not (0 <= row < self.scene.rows and 0 <= col < self.scene.cols):
                raise PictureError(f"covered square [{row}, {col}] is not on the bed.")
            told[row, col] = True
        colours, grains = self._samples(picture, corners_px)
        self._shown_widths = [self._widths]
        self.reference = Reference(colours, steepness(colours), told)
        self._light = None
        self._believed_colours = None
        look = Look(colour_boxes(colours[INNER]), grains[:, *INNER])
        self._covers.learn(colours[INNER], look, told)
        self._motion.forget()

    def teach(self, picture: Picture, tiles: Iterable[Tile], corners_px: Corners | None = None) -> None:
        """Learns the coats of tiles that lie on the bed as told, and nothing else does."""
        tiles = list(tiles)
        reference = self._known_reference()
        colours, grains = self._samples(picture, corners_px)
        trusted = self._trusted()
        for tile in tiles:
            for row, col in self.scene.cells_of(tile):
                trusted[row + MARGIN, col + MARGIN] = 0
        light = fit_light(reference.colours, colours, trusted)
        every_grain = np.stack([grains, *self._blurred_grains(picture)])
        for tile in tiles:
            rows, cols = (np.array(self.scene.cells_of(tile)) + MARGIN).T
            own = (colours[rows, cols] - light.shift.astype(np.float32)).reshape(-1, 3)
            grain = every_grain[:, :, rows, cols].reshape(*every_grain.shape[:2], -1)
            self.coats[tile.owner, tile.kind] = Coat(own, grain)
        self._shown_widths = [*self._shown_widths, self._widths][-SHOWN:]
        self._motion.forget()

    def believe(self, tiles: Iterable[Tile]) -> None:
        """These tiles lie there: a person, or the match, says so. The next reading starts from them."""
        self.tiles = tuple(
            msgspec.structs.replace(tile, cells=tile.cells or self.scene.cells_of(tile), confidence=1.0)
            for tile in tiles
        )
        self._first = False
        self._last_owner = None
        self._motion.forget()

    def taught(self) -> dict[str, tuple[Kind, ...]]:
        """The tiles whose coats are known: the kinds of each owner."""
        owners = sorted({owner for owner, _ in self.coats})
        return {
            owner: tuple(sorted((kind for o, kind in self.coats if o == owner), key=str)) for owner in owners
        }

    def forget_picture(self) -> None:
        """The next picture is read in full, even where nothing moved."""
        self._motion.forget()

    @property
    def homography(self) -> Homography | None:
        """Where the bed lay in the last picture in which it was found."""
        return None if self._rectifier is None else self._rectifier.homography

    def save(self) -> bytes:
        """What was shown and is believed, to survive a restart. Raises ReferenceMissingError before any
        was."""
        reference, homography = self._known_reference(), self.homography
        lens = (
            None
            if homography is None
            else (homography.lens.width, homography.lens.height, homography.lens.k1)
        )
        matrix = None if homography is None else homography.matrix
        widths = usual_widths(self._shown_widths)
        shown = ReaderState(
            reference.colours, reference.covered, self.coats, self.tiles, lens, matrix, widths
        )
        return pack(self.scene, shown)

    @classmethod
    def restore(cls, scene: Scene, data: bytes, turn_order: TurnOrder = NOBODY) -> TileReader:
        """A reader that knows what another was shown. Raises SavedStateError where the bytes are no good."""
        shown = unpack(scene, data)
        reader = cls(scene, turn_order)
        reader.reference = Reference(shown.colours, steepness(shown.colours), shown.covered)
        reader.coats = dict(shown.coats)
        reader._shown_widths = [shown.widths]
        if shown.lens is not None and shown.matrix is not None:
            reader._lens = Lens(*shown.lens)
            reader._rectifier = Rectifier(scene, Homography(shown.matrix, reader._lens), SCALE)
        if shown.believed:
            reader.believe(shown.believed)
        return reader

    # -- reading -------------------------------------------------------------------------------------------

    def read(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        """Reads one picture. Raises ReferenceMissingError, PictureError, HomographyError where nothing can be
        read."""
        reference = self._known_reference()
        check_picture(picture)
        watch = self._watch = Stopwatch()
        if corners_px is None and not self._motion.moved(picture) and self._reading is not None:
            watch.lap("still")
            return msgspec.structs.replace(self._reading, image=image, ms=watch.ms)
        seen = self._see(reference, picture, corners_px)
        watch.lap("squares")
        has_tiles = self.scene.placements and self.turn_order.owners
        read = self._read_tiles if has_tiles else self._read_squares
        self._reading = msgspec.structs.replace(read(reference, seen), image=image, ms=watch.ms)
        return self._reading

    def _see(self, reference: Reference, picture: Picture, corners_px: Corners | None) -> Seen:
        colours, grains = self._samples(picture, corners_px)
        light = fit_light(reference.colours, colours, self._trusted(), self._light if self.coats else None)
        self._light = light
        self._watch.lap("light")
        empty = empty_likelihood(colours, light.expected(reference.colours), reference.steep, light)
        self._watch.lap("squares")
        frame = Look(colour_boxes(colours - light.shift.astype(np.float32)), grains)
        look = Look(frame.colours[INNER], grains[:, *INNER])
        return Seen(colours, look, frame, light, empty)

    def _read_squares(self, reference: Reference, seen: Seen) -> Observation:
        own = seen.colours[INNER] - seen.light.shift.astype(np.float32)
        found = self._covers.read(seen.empty.whole[INNER], own, seen.look, reference.covered)
        covered = tuple((int(row), int(col)) for row, col in np.argwhere(found.covered))
        self._watch.lap("decide")
        why = "not-told-apart" if found.uncertain.any() else ""
        return Observation(unsure=bool(why), why=why, covered=covered)

    def _read_tiles(self, reference: Reference, seen: Seen) -> Observation:
        beyond = self._beyond = blur_beyond(self._widths, usual_widths(self._shown_widths))
        self._blurred = beyond > (SHARP_AGAIN if self._blurred else BLURRED)
        if self._blurred:
            return self._waiting("blurred")
        why = over_the_frame(seen.frame, seen.empty.whole, self.coats.values())
        if why:
            return self._waiting(why)
        own = seen.colours[INNER] - seen.light.shift.astype(np.float32)
        unknown = self._covers.coat(seen.empty.whole[INNER], own, seen.look, reference.covered)
        empty = under_paw_markers(seen.empty)[INNER]
        said = evidence(
            self.scene, self.turn_order.owners, self.coats, empty, seen.look, unknown, level_of(beyond)
        )
        self._watch.lap("coats")
        boards = likely_boards(self.scene, said, self.tiles, BOARDS)
        if not boards:
            return self._waiting("unexplained")
        known = {laid(tile) for tile in self.tiles}
        if self._believed_colours is not None:
            trusted = self._trusted()
            boards = with_tails(self.scene, boards, known, self._believed_colours, seen.colours, trusted)
        expected = self.turn_order.next_owner(self.tiles, self._last_owner)
        verdict = update(boards, self.tiles, expected, first=self._first, taught=bool(self.coats))
        why = strays(self.scene, said, seen.empty.inner(MARGIN), verdict.tiles, self.tiles)
        self._watch.lap("search")
        reading = self._decide(verdict, why)
        if not reading.unsure:
            self._believed_colours = seen.colours
        return reading

    def _waiting(self, why: str) -> Observation:
        covered = tuple(sorted(cell for tile in self.tiles for cell in tile.cells))
        return Observation(unsure=True, why=why, tiles=self.tiles, covered=covered)

    def _decide(self, verdict: Estimate, why: str) -> Observation:
        covered = tuple(sorted(cell for tile in verdict.tiles for cell in tile.cells))
        others = verdict.alternatives
        board = frozenset(laid(tile) for tile in verdict.tiles)
        asked = board == self._pending
        again = asked and self._beyond < BLURRED / 2 and not has_twin(verdict, TWINS)
        if not why and verdict.probability < (LIKELY if again else SURE):
            why = "not-told-apart"
        if not why and verdict.event in RARE and not asked:
            why = verdict.event
        self._pending = board
        if why:
            return Observation(
                unsure=True, why=why, tiles=verdict.tiles, alternatives=others, covered=covered
            )
        new = {laid(tile) for tile in verdict.tiles} - {laid(tile) for tile in self.tiles}
        if len(new) == 1:
            self._last_owner = next(iter(new))[0]
        elif new or len(verdict.tiles) != len(self.tiles):
            self._last_owner = None
        self.tiles = verdict.tiles
        self._first = False
        return Observation(why=verdict.event, tiles=self.tiles, alternatives=others, covered=covered)

    # -- seeing --------------------------------------------------------------------------------------------

    def _known_reference(self) -> Reference:
        if self.reference is None:
            raise ReferenceMissingError(
                "The empty bed was not seen yet: show it first, a picture of role empty "
                "(or start, with the squares that are covered)."
            )
        return self.reference

    def _trusted(self) -> Float64:
        trusted = np.ones((self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN))
        trusted[INNER][self._known_reference().covered] = 0
        return trusted

    def _samples(self, picture: Picture, corners_px: Corners | None) -> tuple[Float32, Boxes]:
        check_picture(picture)
        self._place(picture, corners_px)
        assert self._rectifier is not None
        view = self._rectifier(picture)
        self._watch.lap("square-on")
        rows, cols = self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN
        seen = samples(view, self.scene), grain_boxes(view, rows, cols)
        self._watch.lap("samples")
        return seen

    def _blurred_grains(self, picture: Picture) -> list[Boxes]:
        assert self._rectifier is not None
        square_px = self._rectifier.homography.square_px(self.scene)
        views = (self._rectifier(blurred(picture, level * square_px)) for level in LEVELS[1:])
        return [
            grain_boxes(view, self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN) for view in views
        ]

    def _place(self, picture: Picture, corners_px: Corners | None) -> None:
        height, width = picture.shape[:2]
        self._widths = {}
        if corners_px is not None:
            homography = homography_from_corners(self.scene, corners_px, self._lens or Lens(width, height))
        else:
            luma = to_gray(picture)
            markers = find_markers(luma, self.scene.marker_dictionary)
            self._watch.lap("markers")
            if self._lens is None or (self._lens.width, self._lens.height) != (width, height):
                self._lens = lens_from_markers(self.scene, (width, height), [markers])
                self._rectifier = None
            try:
                homography = homography_from_markers(self.scene, markers, self._lens)
            except HomographyError:
                if self._rectifier is None:
                    raise
                # A blur may be what hides the markers: their edges are looked for where they were last.
                markers = {**expected_markers(self.scene, self._rectifier.homography), **markers}
                self._widths = edge_widths(luma, self.scene, markers)
                return
            self._widths = edge_widths(luma, self.scene, markers)
        if (
            self._rectifier is None
            or homography.shifted_from(self._rectifier.homography, self.scene) > STILL_PX
        ):
            self._rectifier = Rectifier(self.scene, homography, SCALE)


def check_picture(picture: Picture) -> None:
    """Raises PictureError where this is no BGR picture."""
    if (
        not isinstance(picture, np.ndarray)
        or picture.ndim != 3
        or picture.shape[2] != 3
        or min(picture.shape) < 1
    ):
        raise PictureError("That is no colour picture: an array of shape (height, width, 3) is needed.")
    if picture.dtype != np.uint8:
        raise PictureError(f"A picture holds bytes, 0 to 255, not {picture.dtype}.")
