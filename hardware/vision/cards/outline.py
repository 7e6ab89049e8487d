"""The outline of the card in the one picture from which it is learned.

Straight lines of the picture are crossed to quadrilaterals. Folds of cloth and hard shadows draw lines too.
But only the card's sides have another colour inside than outside along their whole length, and end at its
corners.
"""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Float32, Float64, Picture
from hardware.vision.errors import PictureError

# These were tuned on drawn decks with seeds 301 and 302, in the styles creatures, shapes and scribbles.

LOOKED_AT_PX = 640.0
SOFT_PX = 1.5
"""The blur that levels the grain of wood and cloth."""
FAINTEST = 1.5
"""The gradient, in levels a px, below which a px is on no line."""
STRONGEST = 8.0
"""The gradient above which a px has no larger say."""
TURNS = 180
STEP_PX = 2.0
TURNS_OFF = 3
"""The error, in steps of `TURNS`, of a px's direction."""
MOST_LINES = 40
PARALLEL = 0.4
"""The sine of the greatest angle between opposite sides."""
SQUARE = 0.8
"""The sine of the least angle between sides that meet."""
SHORT_TO_LONG = (0.5, 0.85)
"""The minimum and maximum ratio of a card's short side to its long one, allowing for a little tilt."""
SCAN = (0.6, 0.74)
"""The same for a scan; other pictures have a camera's ratio, 4 to 3 or 16 to 9."""
LEAST_TAPER = 0.75
"""The minimum ratio of opposite sides."""
LEAST_SHARE = 0.03
FRAME_SHARE = 0.5
"""The maximum share of a picture of a card's ratio that a card on a ground fills; a larger outline is a frame
printed on a scan."""
SAME_GROUND = 40.0
"""The difference, in levels, of the colours around a card and at the picture's rim, both the ground."""
APART_PX = 3.0
"""The distance from a side, inwards and outwards, at which its contrast is measured."""
WEAK_PART = 15
"""The percentile of the contrasts along a side that is the side's contrast."""
LEAST_CONTRAST = 12.0
"""The minimum contrast of a card's weakest side, in levels."""
OF_THE_BEST = 0.15
"""The share of the best contrast from which on a larger outline is the card, and the best a frame on it."""
REACH_PX = 5
"""The reach of the search for a side's true place."""
CHANGES = 0.4
"""The share of the greatest change of colour near a side from which on a change farther out is the side."""
LEAST_LONG_PX = 150.0


def outline_of(picture: Picture) -> Float32:
    """The corners of the card in a BGR picture: px, shape (4, 2), clockwise from the top left, long sides
    down.

    A picture that shows only the card (a scan) is taken whole. Raises `PictureError` if no card is found.
    """
    height, width = picture.shape[:2]
    scale = min(1.0, LOOKED_AT_PX / max(height, width))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), SOFT_PX), np.float32)
    quad = _strongest(soft, _quads(_lines(soft), soft.shape))
    if _is_all_card(picture) and (quad is None or _is_print(soft, quad)):
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    elif quad is not None:
        corners = np.asarray(_refined(soft, quad) / scale, np.float32)
    else:
        raise PictureError(
            "No card is found in the picture: lay it alone on a plain ground of another colour, with a "
            "little room around it, and take the picture from above."
        )
    upright = _upright(corners)
    if np.linalg.norm(upright[3] - upright[0]) < LEAST_LONG_PX:
        raise PictureError(
            f"The card is too small in the picture: its long side should be {LEAST_LONG_PX:.0f} px or more."
        )
    return upright


def _lines(soft: Float32) -> Float64:
    """The picture's strongest straight lines: normal x, y and distance from the corner, shape (N, 3).

    This is a Hough transform of the colours' gradients: each px votes for lines across its own gradient.
    """
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    channel = (across**2 + down**2).argmax(2)[..., None]
    across, down = (np.take_along_axis(part, channel, 2)[..., 0] for part in (across, down))
    steep = np.hypot(across, down)
    y, x = np.nonzero(steep > FAINTEST)
    votes = np.minimum(steep[y, x], STRONGEST)
    height, width = steep.shape
    reach = float(np.hypot(height, width)) / 2 + STEP_PX
    cells = int(2 * reach / STEP_PX) + 1
    turn = np.floor(np.arctan2(down[y, x], across[y, x]) % np.pi / np.pi * TURNS).astype(int)
    tally = np.zeros(TURNS * cells)
    for off in range(-TURNS_OFF, TURNS_OFF + 1):
        row = (turn + off) % TURNS
        angle = (row + 0.5) * np.pi / TURNS
        away = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle)
        tally += np.bincount(row * cells + ((away + reach) / STEP_PX).astype(int), votes, TURNS * cells)
    grid = tally.reshape(TURNS, cells)
    # After half a turn, a line comes back with its distance reversed.
    wide = cv2.GaussianBlur(np.concatenate([grid[-6:, ::-1], grid, grid[:6, ::-1]]), (0, 0), 1.0)
    peaks = ((wide >= cv2.dilate(wide, np.ones((7, 5), np.uint8))) & (wide > 0))[6:-6]
    row, cell = np.nonzero(peaks)
    best = np.argsort(-wide[6:-6][row, cell])[:MOST_LINES]
    angle = (row[best] + 0.5) * np.pi / TURNS
    normal = np.stack([np.cos(angle), np.sin(angle)], 1)
    away = (cell[best] + 0.5) * STEP_PX - reach + normal @ (width / 2, height / 2)
    return np.column_stack([normal, away])


def _quads(lines: Float64, shape: tuple[int, ...]) -> Float64:
    """The quadrilaterals of a card's shape between any four lines, corners in order, shape (N, 4, 2)."""
    x, y, away = lines.T
    sines = x[:, None] * y - y[:, None] * x
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.stack(
            [away[:, None] * y - away * y[:, None], x[:, None] * away - x * away[:, None]], -1
        )
        crossings = crossings / sines[..., None]
    one, two = np.triu_indices(len(lines), 1)
    parallel = np.abs(sines[one, two]) < PARALLEL
    one, two = one[parallel], two[parallel]
    a, b = np.triu_indices(len(one), 1)
    meet = np.abs(sines[one[a], one[b]]) > SQUARE
    a, b = a[meet], b[meet]
    around = ((one[a], one[b]), (one[a], two[b]), (two[a], two[b]), (two[a], one[b]))
    quads = np.stack([crossings[pair] for pair in around], 1)
    quads = quads[((quads > 2) & (quads < (shape[1] - 3, shape[0] - 3))).all((1, 2))]
    sides = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2)
    ratio = (sides[:, 0] + sides[:, 2]) / (sides[:, 1] + sides[:, 3])
    ratio = np.minimum(ratio, 1 / ratio)
    taper = np.abs(np.log(sides[:, :2] / sides[:, 2:])).max(1)
    like = (SHORT_TO_LONG[0] < ratio) & (ratio < SHORT_TO_LONG[1]) & (taper < -np.log(LEAST_TAPER))
    return np.asarray(quads[like & (_areas(quads) > LEAST_SHARE * shape[0] * shape[1])], np.float64)


def _strongest(soft: Float32, quads: Float64) -> Float64 | None:
    """The quadrilateral whose weakest side has the most contrast, or a larger one around it; None without
    enough contrast.

    What is printed on a card often has more contrast than the card on its ground.
    """
    if not len(quads):
        return None
    contrasts = _contrasts(soft, quads)
    best = int(contrasts.argmax())
    if contrasts[best] < LEAST_CONTRAST:
        return None
    ways = np.roll(quads, -1, 1) - quads
    offs = quads[best] - quads[:, :, None]
    aside = (ways[..., None, 0] * offs[..., 1] - ways[..., None, 1] * offs[..., 0]).reshape(len(quads), -1)
    sides = np.repeat(np.linalg.norm(ways, axis=2), 4, axis=1)
    around = (np.sign(np.median(aside, axis=1))[:, None] * aside / sides > -APART_PX).all(1)
    around &= contrasts >= max(LEAST_CONTRAST, OF_THE_BEST * contrasts[best])
    return np.asarray(quads[np.where(around, _areas(quads), 0).argmax() if around.any() else best])


def _contrasts(soft: Float32, quads: Float64) -> Float32:
    """The contrast of each quadrilateral's weakest side, less that of the same line beyond its corners."""
    along = np.concatenate(
        [np.linspace(-0.2, -0.05, 5), np.linspace(0.08, 0.92, 20), np.linspace(1.05, 1.2, 5)]
    )
    inner, outer = (_along(soft, quads, along, off) for off in (APART_PX, -APART_PX))
    apart = np.abs(inner - outer).max(-1)
    before, side, after = np.split(apart, (5, 25), axis=2)
    beyond = np.minimum(np.median(before, axis=2), np.median(after, axis=2))
    return np.asarray((np.percentile(side, WEAK_PART, axis=2) - beyond).min(1), np.float32)


def _along(soft: Float32, quads: Float64, along: Float64, off: float) -> Float32:
    """The colours at these shares of each side, `off` px inwards, shape (N, 4, shares, 3)."""
    ways = np.roll(quads, -1, 1) - quads
    places = quads[:, :, None] + ways[:, :, None] * along[:, None] + off * _inwards(quads)[:, :, None]
    x, y = np.clip(np.rint(places), 0, (soft.shape[1] - 1, soft.shape[0] - 1)).astype(int).T
    return np.asarray(soft[y.T, x.T], np.float32)


def _inwards(quads: Float64) -> Float64:
    """The unit vector inwards from each side, shape (N, 4, 2)."""
    ways = np.roll(quads, -1, 1) - quads
    normals = np.stack([-ways[..., 1], ways[..., 0]], -1) / np.linalg.norm(ways, axis=2, keepdims=True)
    side_of_middle = ((quads.mean(1, keepdims=True) - quads) * normals).sum(-1, keepdims=True)
    return np.asarray(normals * np.sign(side_of_middle), np.float64)


def _refined(soft: Float32, quad: Float64) -> Float64:
    """The corners where the sides' colours change most, near those of a quadrilateral."""
    along = np.linspace(0.06, 0.94, 45)
    offs = np.arange(-REACH_PX - 1, REACH_PX + 2)
    seen = np.stack([_along(soft, quad[None], along, float(off))[0] for off in offs])
    change = np.abs(seen[2:] - seen[:-2]).max(-1)
    ways, inwards = np.roll(quad, -1, 0) - quad, _inwards(quad[None])[0]
    lines = []
    for side in range(4):
        # A border printed along the side changes colours too, farther in.
        outermost = change[:, side] >= CHANGES * change[:, side].max(0)
        off = offs[1:-1][outermost.argmax(0)]
        edge = quad[side] + ways[side] * along[:, None] + inwards[side] * off[:, None]
        x, y, at_x, at_y = cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((-y, x, at_y * x - at_x * y))
    normals, away = np.array(lines)[:, :2], np.array(lines)[:, 2]
    return np.array([np.linalg.solve(normals[[n - 1, n]], away[[n - 1, n]]) for n in range(4)])


def _areas(quads: Float64) -> Float64:
    one, two = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2, np.float64)


def _is_all_card(picture: Picture) -> bool:
    height, width = picture.shape[:2]
    return bool(SCAN[0] < min(height, width) / max(height, width) < SCAN[1])


def _is_print(soft: Float32, quad: Float64) -> bool:
    """True if a quadrilateral in a picture of a card's ratio is printed on a card that fills the picture."""
    around = _along(soft, quad[None], np.linspace(0.1, 0.9, 20), -2 * APART_PX).reshape(-1, 3)
    rim = np.concatenate([soft[:6].reshape(-1, 3), soft[-6:].reshape(-1, 3)])
    apart = np.abs(np.median(around, axis=0) - np.median(rim, axis=0)).max()
    return bool(apart > SAME_GROUND or _areas(quad[None])[0] > FRAME_SHARE * soft[..., 0].size)


def _upright(corners: Float32) -> Float32:
    """The same corners clockwise from the top left, with the card's long sides going down."""
    middle = corners.mean(0)
    around = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    corners = corners[around]
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, -1, 0)
    return np.asarray(corners, np.float32)
