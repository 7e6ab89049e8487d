"""Registers, rectifies and samples pictures of one board, and compares them with a reference.

Every reader of a board starts from a `BoardView` and adds its own question; the view knows neither tiles nor
pieces.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import cv2
import msgspec
import numpy as np

from companion.games.watching import Observation, Square
from hardware.arrays import Float32, Float64, Gray, Mask, Picture
from hardware.vision.board.appearance import Appearance, GrainBins, colour_bins, grain_bins
from hardware.vision.board.foreground import Empty, empty_likelihood, sample_likelihood
from hardware.vision.board.illumination import (
    Illumination,
    fit_illumination,
    samples,
    side_by_side,
    steepness,
    unevenness,
)
from hardware.vision.board.reader_state import ReaderState
from hardware.vision.board.scene import Scene, check_scene
from hardware.vision.errors import HomographyError, PictureError, ReferenceMissingError
from hardware.vision.motion import Motion
from hardware.vision.register.homography import (
    LARGEST_ERROR_SQUARES,
    LEAST_LIMIT_PX,
    Homography,
    expected_markers,
    focal_length,
    homography_from_corners,
    marker_pairs,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.locate import Located, locate
from hardware.vision.register.markers import find_cut_markers, to_gray
from hardware.vision.register.print_match import PrintMatch, has_moved, match_print, refined_by_print
from hardware.vision.register.rectify import INNER, MARGIN, SCALE, Rectifier
from hardware.vision.register.sharpness import (
    LEVELS,
    Widths,
    blur_beyond,
    blurred,
    edge_widths,
    is_blurred,
    usual_widths,
)

STILL_PX = 0.7
"""The shift of the grid's corners in px above which the homography is replaced. Markers jitter by less."""
WIDTHS_KEPT = 9
"""Shown pictures whose sharpness is remembered."""

BLURRED = 0.038
"""The blur above which reading stops, in squares beyond the blur of the pictures shown."""
UNCERTAIN_SQUARES = 0.08
"""The standard error in squares of the board's worst corner above which the print locates nothing."""
CUT_ERROR_SQUARES = 0.5
TAIL_SQUARES = 1
"""The squares around a shown tile that its tail and shadow may reach."""
FEWEST_VIEWS = 3
"""The fewest pictures of a sample whose median replaces the empty board's."""
MOST_VIEWS = 5
LEAST_SHOWN = 0.25
"""The middle part of each square that a picture must show, in squares; blocked squares need not show."""
SHARP_AGAIN = 0.0355
"""The blur in squares below which reading resumes after a blurred picture (hysteresis)."""

ODD_ON_FRAME = 0.08
"""The distance of a square's mean colour from the frame's at which something lies on it."""
ODD_IN_GRAIN = 8.0
"""The same as a multiple of the median distance: a frame on grained wood differs by itself."""
ODD_SQUARES = 2
FITS = 8
"""The rounds of the fit of the frame's colours, with less and less weight on what stands out."""

Corners = Sequence[Sequence[float]]
"""The grid's four corners in px, set by a person: the board's top left first, then clockwise."""


class Stopwatch:
    """A stopwatch: `lap(stage)` adds the time since the last lap to a stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._at = time.perf_counter()

    def lap(self, stage: str) -> None:
        """Add the milliseconds since the last lap to a stage."""
        now_s = time.perf_counter()
        self.ms[stage] = round(self.ms.get(stage, 0.0) + (now_s - self._at) * 1000, 3)
        self._at = now_s


class Reference(msgspec.Struct, frozen=True):
    """The look of the empty board.

    `colours` and `steep` have shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3). `covered`, shape (rows,
    cols): the squares that were covered already.
    """

    colours: Float32
    steep: Float32
    covered: Mask


class Lesson(msgspec.Struct, frozen=True):
    """A picture to learn from, in the reference's light.

    `colours` has the reference's shape. `grains` shape (levels, bands, rows + 2 MARGIN, cols + 2 MARGIN,
    samples): the grain at each level of blur. `empty` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples): the
    log-density of each sample on the empty board.
    """

    colours: Float32
    grains: GrainBins
    empty: Float32


class Seen(msgspec.Struct, frozen=True, dict=True):
    """A picture made comparable with its reference.

    `rectified`: the picture from above. `colours` has the reference's shape. `empty`: the fit of the squares,
    including the frame's, to their empty state. `in_picture`: the squares wholly in the picture. `uneven`:
    the difference of light over the frame beyond the model (logarithm), as from a shadow.
    """

    reference: Reference
    rectified: Picture
    colours: Float32
    light: Illumination
    empty: Empty
    in_picture: Mask
    uneven: float = 0.0

    @cached_property
    def appearance(self) -> Appearance:
        """All samples in the reference's light, including the frame's.

        Grain takes long to measure: a picture that shows nothing new does without.
        """
        return Appearance(
            colour_bins(self.in_reference_light), grain_bins(self.rectified, *self.colours.shape[:2])
        )

    @property
    def inner(self) -> Appearance:
        """The same of the grid alone."""
        return Appearance(self.appearance.colours[INNER], self.appearance.grains[:, *INNER])

    @property
    def in_reference_light(self) -> Float32:
        """The approximate colours in the reference's light, of the reference's shape."""
        return np.asarray(self.colours - self.light.shift.astype(np.float32), dtype=np.float32)

    @property
    def relit(self) -> Float32:
        """The same of the grid alone, shape (rows, cols, samples, 3)."""
        return np.asarray(self.in_reference_light[INNER], dtype=np.float32)


class BoardView:
    """One board in front of one camera. Not thread-safe."""

    def __init__(self, scene: Scene) -> None:
        check_scene(scene)
        self.scene = scene
        self.stopwatch = Stopwatch()
        self._reference: Reference | None = None
        self._lens: Lens | None = None
        self._rectifier: Rectifier | None = None
        self._motion = Motion()
        self._reading: Observation | None = None
        self._views: list[Float32] = []
        self._light: Illumination | None = None
        self._widths: Widths = {}
        self._shown_widths: list[Widths] = []
        self._blurred = False
        self.covered_markers: tuple[Float64, ...] = ()
        """The markers that the last picture should show but does not: corners in squares, shape (4, 2)."""
        self.is_lost = False
        """True if the last picture does not show enough of the board, after a bump or because it is cut."""
        self._shown_at: list[Homography] = []
        self._focal_px: float | None = None
        self._framed = bool(scene.markers_in_cells)
        """True if the squares around the board show our printed frame."""
        self._by_hand: tuple[Homography, Homography] | None = None

    @property
    def reference(self) -> Reference:
        """The empty board's look. Raises ReferenceMissingError before it was shown."""
        if self._reference is None:
            raise ReferenceMissingError(
                "The empty board was not seen yet: show it first, a picture of role empty "
                "(or start, with the squares that are covered)."
            )
        return self._reference

    @property
    def has_reference(self) -> bool:
        """True if the empty board was shown."""
        return self._reference is not None

    @property
    def homography(self) -> Homography | None:
        """The board's homography in the last picture where it was located."""
        return None if self._rectifier is None else self._rectifier.homography

    # -- what it is shown ---------------------------------------------------------------------------------

    def show(self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None) -> Appearance:
        """Take a picture as the reference, with something on the squares `covered`. Returns the grid's look.

        Raises PictureError, HomographyError.
        """
        mask = np.zeros((self.scene.rows, self.scene.cols), dtype=bool)
        for row, col in covered:
            if not (0 <= row < self.scene.rows and 0 <= col < self.scene.cols):
                raise PictureError(f"covered square [{row}, {col}] is not on the board.")
            mask[row, col] = True
        colours, rectified = self.samples(picture, corners_px, refine=False)
        self._by_hand = None
        self._shown_widths = [self._widths]
        self._learn_focal()
        self._reference = Reference(colours, steepness(colours), mask)
        self._views = [colours]
        self._light = None
        self._motion.forget()
        return Appearance(colour_bins(colours[INNER]), _grains(self.scene, rectified)[:, *INNER])

    def show_more(self, picture: Picture, corners_px: Corners | None, tiles: Mask) -> Lesson:
        """Learn from a picture of the board with some tiles on it.

        `tiles`, shape (rows, cols): the squares under the lesson, which the fit of the light ignores. Raises
        ReferenceMissingError, PictureError, HomographyError.
        """
        reference = self.reference
        colours, rectified = self.samples(picture, corners_px)
        trust = self.trust()
        trust[INNER][tiles] = 0
        light = fit_illumination(reference.colours, colours, trust, framed=self._framed)
        assert self._rectifier is not None
        square_px = self._rectifier.homography.square_px(self.scene)
        views = (self._rectifier(blurred(picture, level * square_px)) for level in LEVELS[1:])
        grains = np.stack([_grains(self.scene, view) for view in (rectified, *views)])
        self._shown_widths = [*self._shown_widths, self._widths][-WIDTHS_KEPT:]
        self._learn_focal()
        self._motion.forget()
        self._add_view(light.undone(colours), tiles)
        empty = sample_likelihood(colours, light.expected(reference.colours), reference.steep, light)
        return Lesson(np.asarray(colours - light.shift.astype(np.float32), dtype=np.float32), grains, empty)

    def _add_view(self, colours: Float32, tiles: Mask) -> None:
        """Learn the empty board from a lesson as well, away from its tiles.

        Glares and reflections move from picture to picture, so a median cancels them. `colours`: in the
        reference's light.
        """
        far = np.zeros((self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN), dtype=np.uint8)
        far[INNER] = tiles
        near = cv2.dilate(far, np.ones((2 * TAIL_SQUARES + 1,) * 2, np.uint8)) > 0
        self._views = [*self._views, np.where(near[:, :, None, None], np.float32(np.nan), colours)][
            -MOST_VIEWS:
        ]
        # NaN is sorted last. np.nanmedian would do, but takes far more memory.
        ordered = np.sort(np.stack(self._views), axis=0)
        count = np.isfinite(ordered).sum(axis=0, dtype=np.int8)[None]
        low, high = (
            np.take_along_axis(ordered, np.maximum(rank, 0).astype(np.intp), axis=0)[0]
            for rank in ((count - 1) // 2, count // 2)
        )
        merged = np.where(count[0] >= FEWEST_VIEWS, (low + high) / 2, self.reference.colours)
        self._reference = msgspec.structs.replace(self.reference, colours=merged, steep=steepness(merged))

    def _learn_focal(self) -> None:
        """Learn the lens's focal length from where the board was in the pictures shown."""
        if self.homography is not None:
            self._shown_at = [*self._shown_at, self.homography][-WIDTHS_KEPT:]
            widths = focal_length(self._shown_at)
            self._focal_px = self._focal_px if widths is None else widths * self.homography.lens.width

    def hindrance(self, picture: Picture, corners_px: Corners | None) -> str:
        """The obstacle to taking this picture as the empty board: `blurred`, `hand`, or nothing.

        Raises PictureError, HomographyError.
        """
        colours, _ = self.samples(picture, corners_px)
        assert self._rectifier is not None
        if is_blurred(self._widths.values(), self._rectifier.homography.square_px(self.scene)):
            return "blurred"
        return "hand" if reaches_over_frame(colours) else ""

    def forget_picture(self) -> None:
        """Read the next picture in full, even if nothing moved."""
        self._motion.forget()

    def state(self) -> ReaderState:
        """The state that survives a restart. Raises ReferenceMissingError before anything was shown."""
        reference, homography = self.reference, self.homography
        return ReaderState(
            colours=reference.colours,
            covered=reference.covered,
            lens=None if homography is None else homography.lens,
            matrix=None if homography is None else homography.matrix,
            widths=usual_widths(self._shown_widths),
            focal_px=self._focal_px,
        )

    def restore(self, state: ReaderState) -> None:
        """Continue from the state of another view of the same board."""
        self._reference = Reference(state.colours, steepness(state.colours), state.covered)
        self._views = [state.colours]
        self._shown_widths = [state.widths]
        self._focal_px = state.focal_px
        if state.lens is not None and state.matrix is not None:
            self._lens = state.lens
            self._rectifier = Rectifier(self.scene, Homography(state.matrix, state.lens), SCALE)

    # -- reading -------------------------------------------------------------------------------------------

    def compare(
        self,
        picture: Picture,
        corners_px: Corners | None,
        image: str,
        decide: Callable[[Seen], Observation],
        *,
        same_light: bool,
    ) -> Observation:
        """Compare a picture, and let `decide` read it; if nothing moved, repeat the last observation.

        `same_light`: try the previous picture's light first. Raises ReferenceMissingError, PictureError,
        HomographyError.
        """
        check_picture(picture)
        watch = self.stopwatch = Stopwatch()
        if corners_px is None and not self._motion.moved(picture) and self._reading is not None:
            watch.lap("still")
            return msgspec.structs.replace(self._reading, image=image, ms=watch.ms)
        seen = self.see(picture, corners_px, same_light=same_light)
        watch.lap("squares")
        self._reading = msgspec.structs.replace(decide(seen), image=image, ms=watch.ms)
        return self._reading

    def blur(self) -> float:
        """The last picture's blur beyond that of the pictures shown, in squares."""
        return blur_beyond(self._widths, usual_widths(self._shown_widths))

    def is_blurred(self) -> bool:
        """True if the last picture is too blurred to be read."""
        self._blurred = self.blur() > (SHARP_AGAIN if self._blurred else BLURRED)
        return self._blurred

    def trust(self) -> Float64:
        """Each square's trust to show the empty board, including the frame: 1, or 0 if it was covered."""
        trust = np.ones((self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN))
        trust[INNER][self.reference.covered] = 0
        return trust

    def samples(
        self, picture: Picture, corners_px: Corners | None, *, refine: bool = True
    ) -> tuple[Float32, Picture]:
        """A picture's samples as logarithmic colours, and the rectified picture; both include the frame.

        `refine`: refine corners set by a person by the print of the empty board. Raises PictureError,
        HomographyError.
        """
        check_picture(picture)
        rectified = self._register(picture, corners_px, refine=refine)(picture)
        self.stopwatch.lap("rectify")
        colours = samples(rectified, self.scene)
        self.stopwatch.lap("samples")
        return colours, rectified

    def see(self, picture: Picture, corners_px: Corners | None, *, same_light: bool) -> Seen:
        """The picture made comparable with the reference.

        Raises ReferenceMissingError, PictureError, HomographyError.
        """
        reference = self.reference
        colours, rectified = self.samples(picture, corners_px)
        last = self._light if same_light else None
        light = self._light = fit_illumination(
            reference.colours, colours, self.trust(), last, framed=self._framed
        )
        self.stopwatch.lap("light")
        expected = light.expected(reference.colours)
        empty = empty_likelihood(colours, expected, reference.steep, light)
        self.stopwatch.lap("squares")
        assert self._rectifier is not None
        shown = self._rectifier.squares_in(picture, LEAST_SHOWN)[INNER] | self.scene.blocked_mask
        self.is_lost |= not shown.all()
        in_picture = self._rectifier.squares_in(picture)
        uneven = unevenness(colours - expected, in_picture) if self._framed else 0.0
        return Seen(reference, rectified, colours, light, empty, in_picture, uneven)

    def _register(self, picture: Picture, corners_px: Corners | None, *, refine: bool) -> Rectifier:
        """The rectifier of this picture; the last one if the board has not moved."""
        self.covered_markers, self.is_lost, self._widths = (), False, {}
        if corners_px is None:
            homography = self._by_markers(picture)
        else:
            height, width = picture.shape[:2]
            homography = homography_from_corners(self.scene, corners_px, self._lens or Lens(width, height))
            if refine and self._reference is not None:
                homography = self._refined_by_print(picture, homography)
        if (
            self._rectifier is None
            or homography.shifted_from(self._rectifier.homography, self.scene) > STILL_PX
        ):
            self._rectifier = Rectifier(self.scene, homography, SCALE)
            self._light = None
        return self._rectifier

    def _refined_by_print(self, picture: Picture, by_hand: Homography) -> Homography:
        """A homography from corners set by hand, refined; the last one for the same corners."""
        if self._by_hand is not None:
            before, after = self._by_hand
            if by_hand.lens == before.lens and by_hand.shifted_from(before, self.scene) <= STILL_PX:
                return after
        empty = _luma(self.reference.colours)
        refined = refined_by_print(
            self.scene, empty, lambda homography: self._rectified_luma(picture, homography), by_hand
        )
        self.stopwatch.lap("print")
        self._by_hand = None if refined is None else (by_hand, refined)
        return refined or by_hand

    def _by_markers(self, picture: Picture) -> Homography:
        """The homography by the markers in sight; where they are too few, by the print."""
        gray = to_gray(picture)
        located = locate(gray, self.scene, self._lens)
        self.stopwatch.lap("markers")
        if located.lens is not self._lens:
            self._lens, self._rectifier = located.lens, None
        homography, markers = located.homography, located.markers
        if homography is None:
            homography = self._by_print(picture, gray, located)
            # Blur may hide the markers, so their edges are measured where they should be.
            markers = {**expected_markers(self.scene, homography), **markers}
        self.covered_markers = tuple(
            np.array(self.scene.markers_in_cells[number]) for number in located.covered
        )
        self._widths = edge_widths(gray, self.scene, markers)
        return homography

    def _by_print(self, picture: Picture, gray: Gray, located: Located) -> Homography:
        """The homography where fewer than two markers are seen: the last one, if the board is still there.

        Otherwise the board is located by its print. Raises HomographyError if it was never located.
        """
        last, markers = self.homography, located.markers
        near = markers or find_cut_markers(gray, self.scene.marker_dictionary)
        off_squares = LARGEST_ERROR_SQUARES if markers else CUT_ERROR_SQUARES
        if last is not None and self._is_still(last, near, off_squares, picture):
            return last
        matches = [
            match
            for number in near
            if (match := self._match_print(picture, located.lens, {number: near[number]}))
        ]
        best = min(matches, key=lambda match: match.error_squares, default=None)
        self.stopwatch.lap("print")
        if best is not None and best.error_squares < UNCERTAIN_SQUARES:
            return best.homography
        if last is None:
            raise HomographyError(located.fault)
        self.is_lost = self._reference is not None
        return last

    def _match_print(self, picture: Picture, lens: Lens, marker: dict[int, Float64]) -> PrintMatch | None:
        squares, px = marker_pairs(self.scene, marker)
        if not len(squares) or self._reference is None or self._focal_px is None:
            return None
        return match_print(
            self.scene,
            _luma(self._reference.colours),
            lambda homography: self._rectified_luma(picture, homography),
            lens,
            self._focal_px,
            (squares, px),
        )

    def _is_still(
        self, last: Homography, markers: dict[int, Float64], most_off: float, picture: Picture
    ) -> bool:
        """True if the board has not moved, by its markers in sight or, without one, by its print.

        `most_off`: the largest error of the markers' corners, in squares.
        """
        squares, px = marker_pairs(self.scene, markers)
        if len(squares):
            off_px = np.linalg.norm(last.picture_points(squares) - px, axis=1).max()
            return bool(off_px < max(most_off * last.square_px(self.scene), LEAST_LIMIT_PX))
        if self._reference is None:
            return True
        seen = self._rectified_luma(picture, last)
        return not has_moved(self.scene, _luma(self._reference.colours), seen)

    def _rectified_luma(self, picture: Picture, homography: Homography) -> Float32:
        return _luma(samples(Rectifier(self.scene, homography, SCALE)(picture), self.scene))


class BoardReader(ABC):
    """A reader of the things on one board. Show it the empty board, then read."""

    def __init__(self, scene: Scene) -> None:
        self.view = BoardView(scene)
        self.scene = scene

    @property
    def homography(self) -> Homography | None:
        return self.view.homography

    @abstractmethod
    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Take this picture as the board with something on the squares `covered`.

        `corners_px`: the grid's four corners set by a person; they replace the markers. Raises PictureError,
        HomographyError.
        """

    def see_empty(self, picture: Picture, corners_px: Corners | None = None) -> None:
        """Take this picture as the empty board. Raises PictureError, HomographyError."""
        self.see_start(picture, (), corners_px)

    @abstractmethod
    def read_board(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        """Read one picture. Raises ReferenceMissingError, PictureError, HomographyError."""

    @abstractmethod
    def save(self) -> bytes:
        """The reader as bytes that survive a restart. Raises ReferenceMissingError before the empty board."""


def _grains(scene: Scene, rectified: Picture) -> GrainBins:
    return grain_bins(rectified, scene.rows + 2 * MARGIN, scene.cols + 2 * MARGIN)


def _luma(colours: Float32) -> Float32:
    return np.ascontiguousarray(side_by_side(colours)[..., 0])


def check_picture(picture: Picture) -> None:
    """Raise PictureError if this is not a BGR picture."""
    if (
        not isinstance(picture, np.ndarray)
        or picture.ndim != 3
        or picture.shape[2] != 3
        or min(picture.shape) < 1
    ):
        raise PictureError("That is no colour picture: an array of shape (height, width, 3) is needed.")
    if picture.dtype != np.uint8:
        raise PictureError(f"A picture holds bytes, 0 to 255, not {picture.dtype}.")


def reaches_over_frame(colours: Float32) -> bool:
    """True if something lies on the frame around the board, as a hand does that reaches in.

    `colours`, shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3), as `BoardView.samples` gives them.
    """
    around = _frame(colours.shape[0], colours.shape[1])
    distances = _distances(colours.mean(axis=2)[around].astype(np.float64), around)
    limit = max(ODD_ON_FRAME, ODD_IN_GRAIN * float(np.median(distances)))
    return int((distances > limit).sum()) >= ODD_SQUARES


def _frame(rows: int, cols: int) -> Mask:
    """The squares of the frame without its corners, where the markers are."""
    around = np.ones((rows, cols), dtype=bool)
    around[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    for row in (slice(None, MARGIN), slice(-MARGIN, None)):
        for col in (slice(None, MARGIN), slice(-MARGIN, None)):
            around[row, col] = False
    return around


def _distances(colours: Float64, around: Mask) -> Float64:
    """The distance of each square of the frame from the colour expected by the others, shape (N,)."""
    rows, cols = np.nonzero(around)
    # Light changes slowly along the frame; what stands out must not bend the fit.
    terms = np.stack([np.ones(len(rows)), rows, cols, rows * cols], axis=1)
    weights = np.ones(len(rows))
    distances = np.zeros(len(rows))
    for _ in range(FITS):
        factors, *_rest = np.linalg.lstsq(terms * weights[:, None], colours * weights[:, None], rcond=None)
        distances = np.linalg.norm(colours - terms @ factors, axis=1)
        scale = 2 * float(np.median(distances)) + 1e-6
        weights = 1 / (1 + (distances / scale) ** 2)
    return distances
