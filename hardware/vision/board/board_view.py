"""Registers, rectifies and samples pictures of one board, and compares them with a reference.

Every reader of a board starts from a `BoardView` and adds its own question; the view knows neither tiles nor
pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import cv2
import msgspec
import numpy as np

from companion.games.watching import Observation, Square
from hardware.arrays import Float32, Float64, Gray, Mask, Picture
from hardware.vision.board.appearance import GrainBins, Look, colour_bins, grain_bins
from hardware.vision.board.foreground import Empty, empty_likelihood, sample_likelihood
from hardware.vision.board.hindrances import is_blurred, reaches_over_frame
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
from hardware.vision.register.focal_length import focal_length
from hardware.vision.register.homography import (
    LARGEST_ERROR_SQUARES,
    LEAST_LIMIT_PX,
    Homography,
    expected_markers,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
    marker_pairs,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_cut_markers, find_markers, to_gray
from hardware.vision.register.motion import Motion
from hardware.vision.register.print_match import (
    PrintMatch,
    has_moved,
    match_print,
    refined_by_print,
)
from hardware.vision.register.rectify import INNER, MARGIN, Rectifier
from hardware.vision.register.sharpness import (
    LEVELS,
    Widths,
    blur_beyond,
    blurred,
    edge_widths,
    usual_widths,
)
from hardware.vision.stopwatch import Stopwatch

SCALE = 24
"""Px per square in the rectified picture: about what a one-megapixel camera resolves on a bed of 16 × 12."""
STILL_PX = 0.7
"""The shift of the grid's corners in px above which the homography is replaced. Markers jitter by less."""
WIDTHS_KEPT = 9
"""The number of shown pictures whose sharpness is remembered."""

BLURRED = 0.038
"""The blur above which reading stops, in squares beyond the blur of the pictures shown.

Rendered beds reach 0.034 by themselves, those with tiles on them 0.029. With an added blur of 1 px (0.025
squares), nothing was read wrongly; with 1.3 px, two pictures of 112 would have been.
"""
UNCERTAIN_SQUARES = 0.08
"""The standard error in squares of the board's worst corner above which the print locates nothing.

Of 25 locations by one marker on two rendered beds photographed by hand, 15 are below it, all of them right
within 0.19 squares; with a focal length 0.2 % too short, 16 and 0.21. A limit of 0.06 squares for how far two
halves of the print lie apart believed 13 (18), up to 0.38 (0.58) squares off.
"""
CUT_ERROR_SQUARES = 0.5
"""The error in squares of the corners of a marker that is cut by the picture's edge."""
TAIL_SQUARES = 1
"""The squares around a shown tile that its tail and shadow may reach."""
FEWEST_VIEWS = 3
"""The minimum pictures of a sample to take their median as the empty board's."""
MOST_VIEWS = 5
"""The maximum pictures to take it from: the latest."""
LEAST_SHOWN = 0.25
"""The middle part of each square that a picture must show, in squares; of blocked squares none."""
SHARP_AGAIN = 0.0355
"""The blur in squares below which reading resumes after a blurred picture (hysteresis)."""

Corners = Sequence[Sequence[float]]
"""The grid's four corners in px, set by a person: the board's top left first, then clockwise."""


class Reference(msgspec.Struct, frozen=True):
    """The board without what is to be read.

    `colours` and `steep` have shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3). `covered`, shape (rows,
    cols): the squares that were covered already.
    """

    colours: Float32
    steep: Float32
    covered: Mask


class Lesson(msgspec.Struct, frozen=True):
    """A picture to learn from, in the reference's light.

    `colours` has the shape of the reference's. `grains` shape (levels, bands, rows + 2 MARGIN, cols + 2
    MARGIN, samples): the grain at each level of blur. `empty` shape (rows + 2 MARGIN, cols + 2 MARGIN,
    samples): how well each sample fits the empty board, as a log-density.
    """

    colours: Float32
    grains: GrainBins
    empty: Float32


class Seen(msgspec.Struct, frozen=True, dict=True):
    """A picture made comparable with its reference.

    `rectified`: the picture as seen from above. `colours` has the shape of the reference's. `empty`: how well
    the squares, including the frame's, fit their empty state. `in_picture`: the squares, including the
    frame's, that lie wholly in the picture. `uneven`: how much the light of the frame differs from place to
    place beyond the model (logarithm), as by a shadow.
    """

    reference: Reference
    rectified: Picture
    colours: Float32
    light: Illumination
    empty: Empty
    in_picture: Mask
    uneven: float = 0.0

    @cached_property
    def frame(self) -> Look:
        """All samples in the reference's light, including the frame's.

        Grain takes long to measure: a picture that shows nothing new does without.
        """
        return Look(colour_bins(self.in_reference_light), grain_bins(self.rectified, *self.colours.shape[:2]))

    @property
    def look(self) -> Look:
        """The same of the grid alone."""
        return Look(self.frame.colours[INNER], self.frame.grains[:, *INNER])

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
        self._covered_markers: list[int] = []
        self._shown_at: list[Homography] = []
        self._focal_px: float | None = None
        self._lost = False
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
        """Whether the empty board was shown."""
        return self._reference is not None

    @property
    def _framed(self) -> bool:
        """Whether the squares around the board show our printed frame."""
        return bool(self.scene.markers_in_cells)

    @property
    def homography(self) -> Homography | None:
        """The board's homography in the last picture where it was located."""
        return None if self._rectifier is None else self._rectifier.homography

    # -- what it is shown ---------------------------------------------------------------------------------

    def show(self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None) -> Look:
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
        return Look(colour_bins(colours[INNER]), self._grain_bins(rectified)[:, *INNER])

    def show_more(self, picture: Picture, corners_px: Corners | None, own: Mask) -> Lesson:
        """What there is to learn from a picture.

        `own`, shape (rows, cols): the squares under the lesson, which the fit of the light ignores. Raises
        ReferenceMissingError, PictureError, HomographyError.
        """
        reference = self.reference
        colours, rectified = self.samples(picture, corners_px)
        trust = self.trust()
        trust[INNER][own] = 0
        light = fit_illumination(reference.colours, colours, trust, framed=self._framed)
        levels = np.stack([self._grain_bins(rectified), *self._blurred_grains(picture)])
        self._shown_widths = [*self._shown_widths, self._widths][-WIDTHS_KEPT:]
        self._learn_focal()
        self._motion.forget()
        self._add_view(light.undone(colours), own)
        empty = sample_likelihood(colours, light.expected(reference.colours), reference.steep, light)
        return Lesson(np.asarray(colours - light.shift.astype(np.float32), dtype=np.float32), levels, empty)

    def _add_view(self, colours: Float32, own: Mask) -> None:
        """Learn the empty board from a lesson as well, away from its tiles.

        One picture may show a glare, or what a glossy board mirrors; in several they lie elsewhere, or cancel
        out. `colours`: in the reference's light.
        """
        far = np.zeros((self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN), dtype=np.uint8)
        far[INNER] = own
        near = cv2.dilate(far, np.ones((2 * TAIL_SQUARES + 1,) * 2, np.uint8)) > 0
        self._views = [*self._views, np.where(near[:, :, None, None], np.float32(np.nan), colours)][
            -MOST_VIEWS:
        ]
        # NaN is sorted last. np.nanmedian would do, but takes far more memory.
        ordered = np.sort(np.stack(self._views), axis=0)
        count = np.isfinite(ordered).sum(axis=0, dtype=np.int8)[None]
        low, high = (
            np.take_along_axis(ordered, np.maximum(at, 0).astype(np.intp), axis=0)[0]
            for at in ((count - 1) // 2, count // 2)
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
        """What speaks against this picture as that of the empty board: `blurred`, `hand`, or nothing.

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
        """What was shown, as a state that survives a restart. Raises ReferenceMissingError if nothing was."""
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

    def read(
        self,
        picture: Picture,
        corners_px: Corners | None,
        image: str,
        decide: Callable[[Seen], Observation],
        *,
        same_light: bool,
    ) -> Observation:
        """What `decide` makes of a picture; the last observation again if nothing moved.

        `same_light`: try the previous picture's light first. Raises ReferenceMissingError, PictureError,
        HomographyError.
        """
        reference = self.reference
        check_picture(picture)
        watch = self.stopwatch = Stopwatch()
        if corners_px is None and not self._motion.moved(picture) and self._reading is not None:
            watch.lap("still")
            return msgspec.structs.replace(self._reading, image=image, ms=watch.ms)
        seen = self._see(reference, picture, corners_px, same_light=same_light)
        watch.lap("squares")
        self._reading = msgspec.structs.replace(decide(seen), image=image, ms=watch.ms)
        return self._reading

    def blur(self) -> float:
        """The last picture's blur beyond that of the pictures shown, in squares."""
        return blur_beyond(self._widths, usual_widths(self._shown_widths))

    def is_blurred(self) -> bool:
        """Whether the last picture is too blurred to be read."""
        self._blurred = self.blur() > (SHARP_AGAIN if self._blurred else BLURRED)
        return self._blurred

    def is_lost(self) -> bool:
        """Whether the last picture does not show enough of the board, after a bump or because it is cut."""
        return self._lost

    def covered_markers(self) -> tuple[Float64, ...]:
        """The markers that the last picture should show but does not: corners in squares, shape (4, 2)."""
        return tuple(np.array(self.scene.markers_in_cells[number]) for number in self._covered_markers)

    def trust(self) -> Float64:
        """Each square's trust to show the empty board, including the frame: 1, or 0 if it was covered."""
        trust = np.ones((self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN))
        trust[INNER][self.reference.covered] = 0
        return trust

    def samples(
        self, picture: Picture, corners_px: Corners | None, *, refine: bool = True
    ) -> tuple[Float32, Picture]:
        """A picture's samples as logarithmic colours, and the rectified picture; both include the frame.

        `refine`: whether corners that a person set are refined by the print of the empty board that was
        shown. Raises PictureError, HomographyError.
        """
        check_picture(picture)
        rectified = self._register(picture, corners_px, refine=refine)(picture)
        self.stopwatch.lap("rectify")
        colours = samples(rectified, self.scene)
        self.stopwatch.lap("samples")
        return colours, rectified

    def _see(
        self, reference: Reference, picture: Picture, corners_px: Corners | None, *, same_light: bool
    ) -> Seen:
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
        self._lost |= not shown.all()
        in_picture = self._rectifier.squares_in(picture)
        uneven = unevenness(colours - expected, in_picture) if self._framed else 0.0
        return Seen(reference, rectified, colours, light, empty, in_picture, uneven)

    def _grain_bins(self, rectified: Picture) -> GrainBins:
        return grain_bins(rectified, self.scene.rows + 2 * MARGIN, self.scene.cols + 2 * MARGIN)

    def _blurred_grains(self, picture: Picture) -> list[GrainBins]:
        assert self._rectifier is not None
        square_px = self._rectifier.homography.square_px(self.scene)
        views = (self._rectifier(blurred(picture, level * square_px)) for level in LEVELS[1:])
        return [self._grain_bins(view) for view in views]

    def _register(self, picture: Picture, corners_px: Corners | None, *, refine: bool) -> Rectifier:
        """The rectifier of this picture; the last one if the board has not moved."""
        self._covered_markers, self._lost = [], False
        if corners_px is None:
            homography = self._from_markers(picture)
        else:
            self._widths = {}
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
        """A homography from corners set by hand, refined; as before where the corners are those of before."""
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

    def _from_markers(self, picture: Picture) -> Homography:
        """The homography from the visible markers; the last one if too few are visible."""
        self._widths = {}
        size = picture.shape[1], picture.shape[0]
        gray = to_gray(picture)
        markers = find_markers(gray, self.scene.marker_dictionary)
        self.stopwatch.lap("markers")
        if self._lens is None or (self._lens.width, self._lens.height) != size:
            self._lens = lens_from_markers(self.scene, size, [markers])
            self._rectifier = None
        try:
            homography = homography_from_markers(self.scene, markers, self._lens)
            self._covered_markers = [
                number
                for number, corners in expected_markers(self.scene, homography).items()
                if number not in markers and (corners > 0).all() and (corners < size).all()
            ]
        except HomographyError:
            homography = self._from_print(picture, gray, markers)
            # Blur may hide the markers, so their edges are measured where they should be.
            markers = {**expected_markers(self.scene, homography), **markers}
        self._widths = edge_widths(gray, self.scene, markers)
        return homography

    def _from_print(self, picture: Picture, gray: Gray, markers: dict[int, Float64]) -> Homography:
        """The homography where fewer than two markers are seen: the last one, if the board is still there.

        Otherwise the board is located by its print. Raises HomographyError if it was never located.
        """
        last = self.homography
        near = markers or find_cut_markers(gray, self.scene.marker_dictionary)
        off_squares = LARGEST_ERROR_SQUARES if markers else CUT_ERROR_SQUARES
        if last is not None and self._is_still(last, near, off_squares, picture):
            return last
        matches = [match for number in near if (match := self._match_print(picture, {number: near[number]}))]
        best = min(matches, key=lambda match: match.error_squares, default=None)
        self.stopwatch.lap("print")
        if best is not None and best.error_squares < UNCERTAIN_SQUARES:
            return best.homography
        if last is None:
            return homography_from_markers(self.scene, markers, self._lens or Lens(*gray.shape[::-1]))
        self._lost = self._reference is not None
        return last

    def _match_print(self, picture: Picture, marker: dict[int, Float64]) -> PrintMatch | None:
        squares, px = marker_pairs(self.scene, marker)
        if not len(squares) or self._reference is None or self._lens is None or self._focal_px is None:
            return None
        empty = _luma(self._reference.colours)
        return match_print(
            self.scene,
            empty,
            lambda homography: self._rectified_luma(picture, homography),
            self._lens,
            self._focal_px,
            (squares, px),
        )

    def _is_still(
        self, last: Homography, markers: dict[int, Float64], most_off: float, picture: Picture
    ) -> bool:
        """Whether the board is where it was: by its markers in sight, or without one, by its print.

        `most_off`: how far off the markers' corners may be, in squares.
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
