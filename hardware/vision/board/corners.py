"""Finds the four corners of a board in a photograph taken by hand, by its markers or by its edges.

Lines of the board and edges of tiles lie where squares meet, and between them it is plainer. So each
quadrilateral of long edges is judged by the steepness of the picture along the lines of its grid.
"""

from __future__ import annotations

from typing import Literal

import cv2
import msgspec
import numpy as np

from hardware.arrays import Float32, Float64, Gray, Mask, Picture
from hardware.vision.board.board_view import Corners, check_picture
from hardware.vision.board.overlay import Point
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import check_corners, grid_corners, homography_from_corners
from hardware.vision.register.lens import Lens
from hardware.vision.register.locate import locate
from hardware.vision.register.markers import to_gray

GUESS_SHARE = 0.7
"""The share of the picture's height, or width, filled by a guessed board."""

LEAST_SCORE = 1.2
"""The least score of an outline to be offered as a board."""
CERTAIN_SCORE = 1.6
"""The least score of an outline to be believed, if its blocked squares show as well."""
CERTAIN_UPRIGHT = 1.2
"""The logarithm by which blocked squares must look more like blocked ones than turned by half."""
MARKER_OFF = 0.6
"""The maximum distance in squares of a marker's corners from where an outline expects them."""

Source = Literal["markers", "edges", "person", "guess"]

LONGEST_PX = 900
"""The longer side in px of the picture in which edges are searched."""
LEAST_SEGMENT = 0.03
"""The minimum length of a segment of an edge, in widths of the picture."""
APART_PX = 3.0
"""The maximum distance in px of the ends of a segment from the edge that it belongs to."""
MOST_EDGES = 16
"""The most edges in each of two directions: the outermost, and those with the longest segments."""
OUTERMOST = 3
"""Outermost edges kept at either end: of many lines, a board ends at one of them."""
LEAST_OUTERMOST = 0.4
"""Their minimum length of segments, relative to the direction's longest."""
SAME_DIRECTION = np.deg2rad(25)
"""The maximum angle between edges of one direction, which perspective spreads."""
DIRECTIONS = 18
LEAST_SINE = 0.3
"""The minimum sine of the angle between two edges that meet at a corner."""
OUTSIDE = 0.15
"""The distance that corners may lie outside the picture, in its widths and heights."""
LEAST_AREA = 0.08
FOCAL_LENGTHS = (0.6, 0.75, 0.9, 1.1, 1.4, 2.0)
"""The focal lengths to try, in widths of the picture: of phones, without and with zoom."""
MOST_STRETCH = 0.11
"""The maximum ratio of a square's sides, as the camera would see them (logarithm)."""
MOST_SLANT = 0.12
LEAST_SUPPORT = 0.25
"""The minimum length of the segments on an edge, in lengths of the side of the quadrilateral."""
COARSE, FINE = 4, 8
"""The samples along each side of a square, to judge all quadrilaterals and the best of them."""
LOOKED_AROUND = 60
"""The best quadrilaterals that are checked for a grid that goes on outside them."""
SMOOTH_PX = 5
"""The px over which the picture is smoothed to judge all quadrilaterals: a thin line shows nearby."""
KEEP = 5
STEEPEST = 0.15
"""The maximum steepness that counts (logarithm): one strong edge must not outweigh a whole grid."""
PLAIN = 0.004
"""The steepness (logarithm) that noise gives a plain surface."""
SAME_PX = 8.0
"""The distance in px of their corners within which quadrilaterals are improved to the same one."""
RIM = 0.5
"""The weight of the outer edges, beside which the frame is plain, relative to the lines of the grid."""
CONTINUED = 1.0
"""The weight of lines that go on outside the outer edges, as they do around a part of a board."""
STEPS_PX = (3.0, 1.5, 0.75, 0.4)
DARK = 32.0
"""Gray levels added before logarithms, so that noise in dark areas counts little."""


class BoardCorners(msgspec.Struct, frozen=True):
    """The grid's four corners in px of the picture: the board's top left first, then clockwise.

    `source`: printed markers, the board's own edges, a person, or a guess to start dragging from.
    `certain`: a person need not confirm them.
    """

    corners_px: tuple[Point, Point, Point, Point]
    source: Source
    certain: bool


def find_corners(picture: Picture, layout: Scene) -> BoardCorners:
    """The corners of the board in a picture, BGR. Raises PictureError if it is no picture."""
    check_picture(picture)
    seen = locate(to_gray(picture), layout)
    if seen.homography is not None:
        corners = seen.homography.picture_points(grid_corners(layout))
        return board_corners(corners, "markers", certain=True)
    return _by_edges(picture, layout, seen.markers) or _guess(picture, layout)


def board_corners(corners: Corners | Float64, source: Source, *, certain: bool) -> BoardCorners:
    """Four corners in px, and where they come from.

    Raises HomographyError where they are not the corners of a convex quadrilateral.
    """
    one, two, three, four = ((round(float(x), 1), round(float(y), 1)) for x, y in check_corners(corners))
    return BoardCorners((one, two, three, four), source, certain)


def _by_edges(picture: Picture, layout: Scene, markers: dict[int, Float64]) -> BoardCorners | None:
    """The corners by the board's edges; a single marker must lie where it belongs."""
    outlines = find_outlines(picture, layout.blocked_mask)
    known = sorted(markers.keys() & layout.markers_in_cells.keys())
    if not known:
        best = next((outline for outline in outlines if outline.score > LEAST_SCORE), None)
        if best is None:
            return None
        certain = best.score > CERTAIN_SCORE and best.upright > CERTAIN_UPRIGHT
        return board_corners(best.corners, "edges", certain=certain)
    for outline in outlines:
        for turned in (outline, outline.turned()):
            if all(_fits_marker(layout, picture, turned, number, markers[number]) for number in known):
                return board_corners(turned.corners, "edges", certain=True)
    return None


def _fits_marker(layout: Scene, picture: Picture, outline: Outline, number: int, seen: Float64) -> bool:
    """True if a marker lies where an outline expects it, and the same way round."""
    lens = Lens(picture.shape[1], picture.shape[0])
    homography = homography_from_corners(layout, outline.corners, lens)
    expected = homography.picture_points(np.array(layout.markers_in_cells[number], dtype=np.float64))
    off = np.linalg.norm(expected - seen, axis=1).max()
    return bool(off < MARKER_OFF * homography.square_px(layout))


def _guess(picture: Picture, layout: Scene) -> BoardCorners:
    """A board in the middle of the picture, upright."""
    height, width = picture.shape[:2]
    square = GUESS_SHARE * min(width / layout.cols, height / layout.rows)
    middle = np.array([layout.cols, layout.rows]) / 2
    corners = (grid_corners(layout) - middle) * square + (width / 2, height / 2)
    return board_corners(corners, "guess", certain=False)


class Outline(msgspec.Struct, frozen=True):
    """The corners of a board in px, shape (4, 2), clockwise, and the `score` of the grid in it.

    `upright`: the logarithm by which the blocked squares look more like blocked ones this way round than
    turned by half; 0 for a board without any.
    """

    corners: Float64
    score: float
    upright: float

    def turned(self) -> Outline:
        """The same outline, turned by half."""
        return Outline(np.roll(self.corners, 2, axis=0), self.score, -self.upright)


class _Edge(msgspec.Struct, frozen=True):
    """A line as its normal (2,) and distance from the origin, its angle, and the length of its segments."""

    normal: Float64
    distance: float
    angle: float
    support: float


def find_outlines(picture: Picture, blocked: Mask) -> list[Outline]:
    """Outlines that may be a board with these `blocked` squares, shape (rows, cols), the best first.

    Each is the way round that fits its blocked squares; without any, its first corner is the upper left in
    the picture.
    """
    rows, cols = blocked.shape
    share = min(LONGEST_PX / max(picture.shape[:2]), 1.0)
    small = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    logs = np.log(small.astype(np.float32) + DARK)
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    size = small.shape[1], small.shape[0]
    quads = _quads(gray)
    either_way = np.stack([quads, np.roll(quads, -1, axis=1)], axis=1).reshape(-1, 4, 2)
    smooth = np.asarray(cv2.blur(logs, (SMOOTH_PX, SMOOTH_PX)), np.float32)
    judged = [
        (_score(_grid(smooth, corners, rows, cols, COARSE)), corners)
        for corners in either_way[_has_square_squares(either_way, rows, cols, size)]
    ]
    judged.sort(key=lambda scored: -scored[0])
    whole = [
        (score - CONTINUED * _continued(_grid(smooth, corners, rows, cols, COARSE)), corners)
        for score, corners in judged[:LOOKED_AROUND]
    ]
    whole.sort(key=lambda scored: -scored[0])
    outlines = []
    for rough in _apart([corners for _, corners in whole]):
        score, corners = _improved(logs, rough, rows, cols)
        score -= CONTINUED * _continued(_grid(logs, corners, rows, cols, FINE))
        outline = Outline(corners / share, score, _upright(logs, corners, blocked))
        # Without blocked squares the upper left in the picture comes first.
        upright = outline.upright or float(corners[2].sum() - corners[0].sum())
        outlines.append(outline if upright >= 0 else outline.turned())
    return sorted(outlines, key=lambda outline: -outline.score)


def _apart(quads: list[Float64]) -> list[Float64]:
    """The first KEEP quadrilaterals that differ clearly from each other."""
    kept: list[Float64] = []
    for quad in quads:
        if len(kept) == KEEP:
            break
        if all(np.abs(quad - other).max() > SAME_PX for other in kept):
            kept.append(quad)
    return kept


def _quads(gray: Gray) -> Float64:
    """The quadrilaterals of long edges, their corners clockwise, shape (N, 4, 2)."""
    height, width = gray.shape
    one_way, other_way = _two_directions(_edges(gray), np.array([width, height]) / 2)
    if min(len(one_way), len(other_way)) < 2:
        return np.zeros((0, 4, 2))
    top, bottom = np.triu_indices(len(one_way), 1)
    left, right = np.triu_indices(len(other_way), 1)
    top, bottom = (np.repeat(side, len(left)) for side in (top, bottom))
    left, right = (np.tile(side, len(top) // len(left)) for side in (left, right))
    meets = _meets(one_way, other_way)
    quads = np.stack([meets[top, left], meets[top, right], meets[bottom, right], meets[bottom, left]], axis=1)
    one, other = (np.array([edge.support for edge in way]) for way in (one_way, other_way))
    supports = np.stack([one[top], other[right], one[bottom], other[left]], axis=1)
    ahead = np.roll(quads, -1, axis=1) - quads
    after = np.roll(ahead, -1, axis=1)
    turn = ahead[..., 0] * after[..., 1] - ahead[..., 1] * after[..., 0]
    share = quads / (width, height)
    with np.errstate(invalid="ignore"):
        fits = (
            ((turn > 0).all(axis=1) | (turn < 0).all(axis=1))
            & (supports >= LEAST_SUPPORT * np.linalg.norm(ahead, axis=2)).all(axis=1)
            & ((share > -OUTSIDE) & (share < 1 + OUTSIDE)).all(axis=(1, 2))
        )
    area = (turn[:, 0] + turn[:, 2]) / 2
    fits &= np.abs(area) >= LEAST_AREA * width * height
    clockwise = area[fits, None, None] > 0
    return np.asarray(np.where(clockwise, quads[fits], quads[fits][:, ::-1]), dtype=np.float64)


def _has_square_squares(quads: Float64, rows: int, cols: int, size: tuple[int, int]) -> Mask:
    """True if a camera with one of FOCAL_LENGTHS would see the squares of these boards as squares.

    `quads`: the boards' corners, shape (N, 4, 2). Returns shape (N,).
    """
    across, down = _axes(quads - np.array(size) / 2)
    across, down = across[:, None] / cols, down[:, None] / rows
    focal = np.array(FOCAL_LENGTHS)[:, None] * np.array([1, 1, 0]) * max(size) + np.array([0, 0, 1])
    across, down = across / focal, down / focal
    lengths = np.linalg.norm(across, axis=2), np.linalg.norm(down, axis=2)
    stretch = np.abs(np.log(lengths[0] / lengths[1]))
    slant = np.abs((across * down).sum(axis=2)) / (lengths[0] * lengths[1])
    return np.asarray(((stretch < MOST_STRETCH) & (slant < MOST_SLANT)).any(axis=1), dtype=bool)


def _axes(quads: Float64) -> tuple[Float64, Float64]:
    """The first two columns of the matrices that take the unit square to quadrilaterals, shape (N, 3) each.

    The third column is (x, y, 1) of the first corner.
    """
    one, two, three, four = (quads[:, number] for number in range(4))
    # Two equations for the last row: the third corner is reached over both others.
    ahead, beyond, left = two - three, four - three, one - two + three - four
    cross = ahead[:, 0] * beyond[:, 1] - ahead[:, 1] * beyond[:, 0]
    far_across = (left[:, 0] * beyond[:, 1] - left[:, 1] * beyond[:, 0]) / cross
    far_down = (ahead[:, 0] * left[:, 1] - ahead[:, 1] * left[:, 0]) / cross
    across = np.column_stack([two - one + far_across[:, None] * two, far_across])
    down = np.column_stack([four - one + far_down[:, None] * four, far_down])
    return across, down


def _edges(gray: Gray) -> list[_Edge]:
    """The straight edges of a picture, those with the longest segments first."""
    segments = cv2.createLineSegmentDetector().detect(gray)[0]
    if segments is None:
        return []
    ends = np.asarray(segments, dtype=np.float64).reshape(-1, 2, 2)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    far = lengths > LEAST_SEGMENT * gray.shape[1]
    ends, lengths = ends[far], lengths[far]
    edges = []
    free = np.ones(len(ends), dtype=bool)
    for number in np.argsort(-lengths):
        if free[number]:
            near = free & (_distances(ends, ends[number]).max(axis=1) < APART_PX)
            free &= ~near
            edges.append(_fitted(ends[near], lengths[near]))
    return sorted(edges, key=lambda edge: -edge.support)


def _distances(ends: Float64, segment: Float64) -> Float64:
    """The distances in px of the ends of segments, shape (N, 2, 2), from the line through a segment."""
    along = segment[1] - segment[0]
    normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    return np.asarray(np.abs((ends - segment[0]) @ normal), dtype=np.float64)


def _fitted(ends: Float64, lengths: Float64) -> _Edge:
    """The edge through segments, by least squares weighed by their lengths."""
    points, weights = ends.reshape(-1, 2), np.repeat(lengths, 2)
    middle = np.average(points, axis=0, weights=weights)
    off = points - middle
    _, axes = np.linalg.eigh((off * weights[:, None]).T @ off)
    normal, along = axes[:, 0], axes[:, 1]
    angle = float(np.arctan2(along[1], along[0]) % np.pi)
    return _Edge(normal, float(normal @ middle), angle, float(lengths.sum()))


def _two_directions(edges: list[_Edge], middle: Float64) -> tuple[list[_Edge], list[_Edge]]:
    """The edges of the two directions, about a right angle apart, that have the most of them.

    `middle`: the picture's, in px.
    """

    def near(angle: float) -> list[_Edge]:
        off = (abs((edge.angle - angle + np.pi / 2) % np.pi - np.pi / 2) for edge in edges)
        return [edge for edge, apart in zip(edges, off, strict=True) if apart < SAME_DIRECTION]

    angles = np.linspace(0, np.pi / 2, DIRECTIONS, endpoint=False)
    pairs = [(near(angle), near(angle + np.pi / 2)) for angle in angles]
    one, other = max(pairs, key=lambda pair: sum(edge.support for edge in (*pair[0], *pair[1])))
    return _longest_and_outermost(one, middle), _longest_and_outermost(other, middle)


def _longest_and_outermost(edges: list[_Edge], middle: Float64) -> list[_Edge]:
    """At most MOST_EDGES of a direction's edges, the longest first. `middle`: the picture's, in px."""
    if len(edges) <= MOST_EDGES:
        return edges
    along = edges[0].normal

    def place(edge: _Edge) -> float:
        off = edge.distance - float(edge.normal @ middle)
        return off if float(edge.normal @ along) >= 0 else -off

    long = [edge for edge in edges if edge.support >= LEAST_OUTERMOST * edges[0].support]
    in_order = sorted(long, key=place)
    ends = [*in_order[:OUTERMOST], *in_order[-OUTERMOST:]]
    ranked = sorted(edges, key=lambda edge: not any(edge is end for end in ends))
    return sorted(ranked[:MOST_EDGES], key=lambda edge: -edge.support)


def _meets(one_way: list[_Edge], other_way: list[_Edge]) -> Float64:
    """The crossings of edges of two directions, px, shape (N, M, 2); NaN where they are nearly parallel."""
    one, other = (np.array([[*edge.normal, edge.distance] for edge in way]) for way in (one_way, other_way))
    cross = np.cross(one[:, None], other[None])
    # The third component is the sine of the angle between them; lines are (normal, -distance).
    sine = np.where(np.abs(cross[..., 2]) < LEAST_SINE, np.nan, cross[..., 2])
    return np.asarray(np.stack([-cross[..., 0], -cross[..., 1]], axis=-1) / sine[..., None], dtype=np.float64)


class _Grid(msgspec.Struct, frozen=True):
    """The grid of a quadrilateral, sampled with one square around it.

    `seen`: the logarithms of the picture, shape ((rows + 2) samples, (cols + 2) samples, 3). `around`: true
    for the squares left of it, right of it, above it and below it if they lie in the picture.
    """

    rows: int
    cols: int
    samples: int
    seen: Float32
    around: tuple[bool, bool, bool, bool]


def _grid(logs: Float32, corners: Float64, rows: int, cols: int, samples: int) -> _Grid:
    grid = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], dtype=np.float32)
    to_grid = np.array([[1, 0, 0.5 - samples], [0, 1, 0.5 - samples], [0, 0, samples]]) / samples
    to_picture = np.asarray(cv2.getPerspectiveTransform(grid, corners.astype(np.float32)), dtype=np.float64)
    size = ((cols + 2) * samples, (rows + 2) * samples)
    seen = cv2.warpPerspective(
        logs,
        to_picture @ to_grid,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return _Grid(
        rows, cols, samples, np.asarray(seen, dtype=np.float32), _sides_in(logs, to_picture, rows, cols)
    )


def _sides_in(logs: Float32, to_picture: Float64, rows: int, cols: int) -> tuple[bool, bool, bool, bool]:
    """True if the squares left of a grid, right of it, above it and below it lie in the picture."""
    left, right = [(-1, 0), (-1, rows)], [(cols + 1, 0), (cols + 1, rows)]
    above, below = [(0, -1), (cols, -1)], [(0, rows + 1), (cols, rows + 1)]
    far = np.column_stack([np.array([*left, *right, *above, *below]), np.ones(8)]) @ to_picture.T
    points = far[:, :2] / far[:, 2:]
    inside = np.asarray((points >= 0) & (points < logs.shape[1::-1]), dtype=bool).reshape(4, -1)
    one, two, three, four = (bool(side.all()) for side in inside)
    return one, two, three, four


def _steepness(grid: _Grid) -> tuple[Float32, Float32]:
    """The steepness of the board across and down, on each square's side, with one square around it.

    Shapes (rows, (cols + 2) samples - 1) and ((rows + 2) samples - 1, cols).
    """
    rows, cols, samples = grid.rows, grid.cols, grid.samples
    inside = slice(samples, -samples)
    across = _steps(grid.seen[inside, 1:], grid.seen[inside, :-1])
    down = _steps(grid.seen[1:, inside], grid.seen[:-1, inside])
    return (
        across.reshape(rows, samples, -1)[:, 1:-1].mean(axis=1),
        down.reshape(-1, cols, samples)[:, :, 1:-1].mean(axis=2),
    )


def _steps(one: Float32, other: Float32) -> Float32:
    """The largest step of any channel between two pictures, at most STEEPEST, shape (rows, cols)."""
    # By OpenCV: NumPy takes twenty times as long for the maximum of three channels.
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(np.minimum(cv2.max(cv2.max(blue, green), red), STEEPEST), dtype=np.float32)


def _score(grid: _Grid) -> float:
    """The ratio of steepness on the lines of the grid to that beside them, as a mean of logarithms.

    Line by line, because on a third of a board every third line would be one of the board's too.
    """
    across, down, samples = *_steepness(grid), grid.samples
    profiles = across.mean(axis=0), down.mean(axis=1)
    inside = np.concatenate([_on_lines(profile, samples) for profile in profiles])
    # The frame is plain beside the outer edges, all along them.
    sides = across[:, : samples + 1].T, across[:, ::-1][:, : samples + 1].T, down[: samples + 1]
    rims = [
        np.log((_lines(side, samples)[0] + PLAIN) / (side[: samples // 2].mean(axis=0) + PLAIN))
        for side in (*sides, down[::-1][: samples + 1])
    ]
    return float(inside.mean() + RIM * np.concatenate(rims).mean())


def _continued(grid: _Grid) -> float:
    """The same ratio for the squares around the grid, where its lines would go on.

    Around a whole board they do not go on; around a part of one they do. A side of the picture counts as 0.
    """
    samples = grid.samples
    inside, middle = slice(samples, -samples), slice(samples // 4, -(samples // 4))
    left, right = grid.seen[inside, :samples][:, middle], grid.seen[inside, -samples:][:, middle]
    above, below = (
        side.transpose(1, 0, 2) for side in (grid.seen[:samples, inside], grid.seen[-samples:, inside])
    )
    strips = left, right, above[:, middle], below[:, middle]
    goes_on = [
        max(float(_on_lines(_steps(strip[1:], strip[:-1]).mean(axis=1), samples).mean()), 0.0)
        for strip, shows in zip(strips, grid.around, strict=True)
        if shows
    ]
    return sum(goes_on) / len(strips)


def _on_lines(profile: Float32, samples: int) -> Float32:
    """The ratio of steepness on each line to that in the middle of its squares (logarithm)."""
    lines = _lines(profile, samples)
    middles = profile[samples // 2 - 1 :: samples]
    count = len(lines)
    beside = (middles[:count] + middles[1 : count + 1]) / 2
    return np.asarray(np.log((lines + PLAIN) / (beside + PLAIN)), dtype=np.float32)


def _lines(steep: Float32, samples: int) -> Float32:
    """The steepness on each line between squares, along the first axis: the step there, or those beside it.

    A thin line that lies on both sides alike has no step in its middle.
    """
    on = steep[samples - 1 :: samples]
    beside = (steep[samples - 2 :: samples][: len(on)] + steep[samples::samples][: len(on)]) / 2
    return np.asarray(np.maximum(on, beside), dtype=np.float32)


def _improved(logs: Float32, corners: Float64, rows: int, cols: int) -> tuple[float, Float64]:
    """The score of corners that are moved, one at a time, as long as that improves it, and these corners."""
    best, score = corners.copy(), _score(_grid(logs, corners, rows, cols, FINE))
    for step in STEPS_PX:
        better = True
        while better:
            better = False
            for number in range(4):
                for move in ((step, 0), (-step, 0), (0, step), (0, -step)):
                    other = best.copy()
                    other[number] += move
                    value = _score(_grid(logs, other, rows, cols, FINE))
                    if value > score:
                        best, score, better = other, value, True
    return score, best


def _upright(logs: Float32, corners: Float64, blocked: Mask) -> float:
    """The logarithm by which the blocked squares are plainer than those at their place after half a turn."""
    rows, cols = blocked.shape
    across, down = _steepness(_grid(logs, corners, rows, cols, FINE))
    # The lines between two blocked squares.
    beside = blocked[:, 1:] & blocked[:, :-1], blocked[1:] & blocked[:-1]
    if not beside[0].any() and not beside[1].any():
        return 0.0
    lines = across[:, 2 * FINE - 1 :: FINE][:, : cols - 1], down[2 * FINE - 1 :: FINE][: rows - 1]
    this_way = np.concatenate([line[mask] for line, mask in zip(lines, beside, strict=True)])
    turned = np.concatenate([line[mask[::-1, ::-1]] for line, mask in zip(lines, beside, strict=True)])
    return float(np.log((turned.mean() + PLAIN) / (this_way.mean() + PLAIN)))
