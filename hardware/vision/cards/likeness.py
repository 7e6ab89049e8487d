"""Compares a rectified card with a taught face, block by block.

Layout alone does not distinguish kinds that share frame, title and pose. So the look of the face is compared:
after the light is evened out, each block agrees, contradicts, or is washed out by glare.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.cards.place import FACE, FACE_CORNERS, can_lie, transformed

# These were tuned on drawn decks with seeds below 100, in the styles creatures, shapes and scribbles.

BLOCKS = (8, 12)
COUNT = BLOCKS[0] * BLOCKS[1]
KNOWN_ENERGY = 1.5
"""The ratio to a taught block's texture energy up to which a block does not contradict."""
COLOUR_ENERGY_OFF = 0.2
"""The excess energy of colours (shares of brightness) at which a block contradicts fully."""
LIGHT_ENERGY_OFF = 0.06
"""The excess energy of brightness (logarithm) at which a block contradicts fully."""
RIM_PX = 6
"""The rim of a face in px that is not compared: sleeves cover it, and imprecise outlines show the ground."""
FAR_PX = 3
"""The maximum shift of a block in px of the face before the position is refined."""
NEAR_PX = 1
"""The maximum shift of a block in px of the face afterwards."""
FLAT = 5.0
"""The contrast (gray levels, standard deviation) below which a block has no pattern to compare."""
CHROMA_OFF = 26.0
"""The difference of colour, in levels, at which a block contradicts fully."""
LIGHT_OFF = 80.0
"""The levels of a veil of gloss or haze at which it removes all colour."""
SHADE_OFF = 0.7
"""The logarithm of a block's brightness relative to its neighbours at which it contradicts."""
LIGHT_COUNTS = 0.35
MOST_SHADE = 3.0
"""The maximum factor by which a shadow darkens a block."""
DARKEST = 12.0
"""Levels added before comparing by ratio, because black times anything is black."""
WEAKER = 0.15
"""The maximum change of colour saturation in the same light, as a share."""
WEAKEST = 0.25
"""The minimum share of its colours that a block keeps under a veil."""
PATTERN_LEAVE = 0.2
"""The distance of a pattern's correlation from 1 at which its block begins to contradict."""
PATTERN_OFF = 0.65
"""The distance beyond PATTERN_LEAVE at which the block contradicts fully."""
WASHED = 232.0
"""The mean level above which a block may be washed out by glare."""
VEILED = 20.0
"""The minimum excess brightness of a washed out block, in levels."""
WASHED_COSTS = 0.12
"""The contradiction of a block that glare hides."""
REFINED = 2
"""The times that a position is refined; few features place a small card roughly."""
SHADOW_COST = 3.0
"""The contradicting blocks that shadows stand for, because their removal hides differences of brightness."""
SHADOW_PX = 11
"""The width in px of the window over which the median of brightness is taken for a shadow."""
LIT_PART = 75
"""The percentile of brightness, relative to the taught face, that counts as lit."""
EVENING_ROUNDS = 3
HOLD = 0.01
"""The weight, relative to the blocks, of unchanged light."""
STIFF = 18.0
"""The difference in levels beyond which a block counts little in evening out the light."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The result of a comparison. `off`: the contradiction of each block, 0 to 1, shape (rows, columns).
    `washed`: the blocks that are washed out. `matrix`: the position."""

    off: Float32
    washed: Mask
    matrix: Float64

    @property
    def cost(self) -> float:
        """The sum of all blocks' contradictions."""
        return float(self.off.sum())

    @property
    def agree(self) -> float:
        """The share of blocks that are visible and agree."""
        return float(((self.off < 0.5) & ~self.washed).mean())


class Pyramid:
    """A picture at halved sizes, from which a face is taken at about its own size, to avoid aliasing."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    def face(self, matrix: Float64) -> Picture:
        """The rectified view of a position, shape (FACE height, FACE width, 3)."""
        corners = transformed(FACE_CORNERS, matrix)
        long = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).max())
        level = max(0, int(np.floor(np.log2(max(long / FACE[1], 1.0) * 1.2))))
        while len(self._levels) <= level:
            small = cv2.pyrDown(self._levels[-1])
            self._levels.append(np.asarray(small, np.uint8))
        shrunk = np.diag([0.5**level, 0.5**level, 1.0]) @ matrix
        return np.asarray(
            cv2.warpPerspective(
                self._levels[level],
                shrunk,
                FACE,
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )


def blocks(values: Float32) -> Float32:
    """The mean of each block of a face, without its rim."""
    inner = values[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    return np.asarray(cv2.resize(inner, BLOCKS, interpolation=cv2.INTER_AREA), np.float32)


class Face:
    """A taught face, with the values that every comparison needs."""

    def __init__(self, picture: Picture) -> None:
        """`picture`: BGR, shape (FACE height, FACE width, 3)."""
        self.colours = picture.astype(np.float32)
        self.gray = _gray(self.colours)
        self.blocks = blocks(self.colours)
        self.mean = blocks(self.gray)
        self.contrast = _contrast(self.mean, blocks(self.gray * self.gray))
        self.colour_energy = KNOWN_ENERGY * _colour_energy(self.colours)
        self.light_energy = KNOWN_ENERGY * _light_energy(self.gray)

    @property
    def patterned(self) -> int:
        """The number of blocks with a pattern to compare."""
        return int((self.contrast > FLAT).sum())


def refine(pyramid: Pyramid, face: Face, matrix: Float64) -> Float64:
    """The position refined by a few px, so that the taught patterns match; unchanged if too few do."""
    for _ in range(REFINED):
        _, shifts = _best_shifts(_gray(pyramid.face(matrix).astype(np.float32)), face, FAR_PX)
        matrix = _moved_by(matrix, shifts, face.contrast)
    return matrix


def compare(pyramid: Pyramid, face: Face, matrix: Float64) -> Likeness:
    """Compare the picture at a position with a taught face, as it is and without hard shadows."""
    seen = pyramid.face(matrix).astype(np.float32)
    as_seen, lit = (_compared(light, face, matrix) for light in (seen, _without_shadows(seen, face)))
    lit = Likeness(lit.off + np.float32(SHADOW_COST / COUNT), lit.washed, matrix)
    return min(as_seen, lit, key=lambda like: like.cost)


def _without_shadows(seen: Float32, face: Face) -> Float32:
    """The face in the taught face's brightness, up to `MOST_SHADE`, but with its own small spots and lines.

    The median keeps the edges of a shadow, so what crosses them can be compared.
    """
    darker = np.log((_gray(seen) + DARKEST) / (face.gray + DARKEST))
    darker -= np.percentile(darker, LIT_PART)
    levels = np.clip(darker / np.log(MOST_SHADE) * 127 + 128, 0, 255).astype(np.uint8)
    shade = (cv2.medianBlur(levels, SHADOW_PX).astype(np.float32) - 128) / 127 * np.log(MOST_SHADE)
    return np.asarray((seen + DARKEST) / np.exp(shade)[..., None] - DARKEST, np.float32)


def _compared(seen: Float32, face: Face, matrix: Float64) -> Likeness:
    """Compare a rectified card with a taught face."""
    gray = _gray(seen)
    like, _ = _best_shifts(gray, face, NEAR_PX)
    colours, then = blocks(seen), face.blocks
    evens = [_evened(colours, then), _scaled(colours, then)]
    offs = [_colour_off(even, then, like, face.contrast) for even in evens]
    which = int(np.argmin([off.sum() for off in offs]))
    off = np.maximum(offs[which], _pattern_off(like, face.contrast))
    off = np.maximum(off, _excess(seen, gray, face))
    washed = (colours.mean(2) > WASHED) & ((evens[which] - then).mean(2) > VEILED)
    return Likeness(np.where(washed, np.float32(WASHED_COSTS), off), washed, matrix)


def _gray(face: Float32) -> Float32:
    return np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.float32)


def _best_shifts(seen: Float32, face: Face, reach: int) -> tuple[Float32, Float32]:
    """Each block's best correlation within `reach` px, and the shift (x, y) that gives it."""
    best = np.full((BLOCKS[1], BLOCKS[0]), -1, np.float32)
    shift = np.zeros((BLOCKS[1], BLOCKS[0], 2), np.float32)
    padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    squared = padded * padded
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            here = slice(y, y + FACE[1]), slice(x, x + FACE[0])
            sides = padded[here], squared[here], padded[here] * face.gray
            moments = blocks(np.asarray(cv2.merge(sides), np.float32))
            spread = _contrast(moments[..., 0], moments[..., 1]) * face.contrast
            like = (moments[..., 2] - moments[..., 0] * face.mean) / np.maximum(spread, 4.0)
            better = like > best
            best[better] = like[better]
            shift[better] = (x - reach, y - reach)
    return best, shift


def _contrast(mean: Float32, of_squares: Float32) -> Float32:
    return np.asarray(np.sqrt(np.maximum(of_squares - mean * mean, 0)), np.float32)


def _moved_by(matrix: Float64, shifts: Float32, pattern: Float32) -> Float64:
    """The position moved so that most blocks with a pattern match; unchanged if too few do."""
    usable = (pattern > FLAT) & (np.abs(shifts).max(2) < FAR_PX)
    if usable.sum() < 8:
        return matrix
    width, height = (FACE[0] - 2 * RIM_PX) / BLOCKS[0], (FACE[1] - 2 * RIM_PX) / BLOCKS[1]
    rows, columns = np.nonzero(usable)
    px = np.stack([(columns + 0.5) * width, (rows + 0.5) * height], 1).astype(np.float32) + RIM_PX
    cv2.setRNGSeed(1)
    fix, inliers = cv2.estimateAffine2D(px, px + shifts[usable], ransacReprojThreshold=1.5, maxIters=100)
    if fix is None or inliers.sum() < 8:
        return matrix
    better = matrix @ np.vstack([fix, (0, 0, 1)])
    return better if can_lie(transformed(FACE_CORNERS, better)) else matrix


def _pattern_off(like: Float32, contrast: Float32) -> Float32:
    """The contradiction of each block's pattern; 0 for a block without one."""
    weight = np.clip((contrast - FLAT) / FLAT, 0, 1)
    return np.asarray(weight * np.clip((1 - like - PATTERN_LEAVE) / PATTERN_OFF, 0, 1), np.float32)


def _colour_off(even: Float32, then: Float32, like: Float32, contrast: Float32) -> Float32:
    """The contradiction of each block's colour, once the light is evened out over the whole face.

    Further effects of light on a single block are tolerated: a shadow scales its colours, a veil of gloss or
    haze makes it lighter and its colours weaker.
    """
    light = (even - then).mean(2)
    shade = (then.mean(2) + DARKEST) / (np.maximum(even.mean(2), 0) + DARKEST)
    shaded = even * np.clip(shade, 1 / MOST_SHADE, MOST_SHADE)[..., None]
    veil = np.clip(light / LIGHT_OFF, 0, 1 - WEAKER - WEAKEST)
    hue = np.minimum(_hue_off(shaded, then, np.zeros_like(light)), _hue_off(even, then, veil))
    # Brightness does not count where the pattern agrees, nor where it changes slowly, as in a shadow.
    unproven = 1 - np.clip((contrast - FLAT) / FLAT, 0, 1) * np.clip(like, 0, 1)
    turned = np.log(shade).astype(np.float32)
    sudden = np.abs(turned - cv2.medianBlur(turned, 5))
    dark = np.clip(sudden / SHADE_OFF - 0.2, 0, 1) * LIGHT_COUNTS * unproven
    return np.asarray(np.maximum(hue, dark), np.float32)


def _excess(seen: Float32, gray: Float32, face: Face) -> Float32:
    """The contradiction of each block by a pattern that the taught face does not have there.

    The pattern is of colours, or of brightness with sharp edges (the edges of shadow and gloss are soft).
    """
    colours = (_colour_energy(seen) - face.colour_energy) / COLOUR_ENERGY_OFF
    light = (_light_energy(gray) - face.light_energy) / LIGHT_ENERGY_OFF
    return np.asarray(np.clip(np.maximum(colours, light) - 0.5, 0, 1), np.float32)


def _colour_energy(face: Float32) -> Float32:
    """The texture energy of each block's colours, as shares of its brightness."""
    soft = cv2.blur(face, (3, 3)) + DARKEST
    shares = soft / soft.mean(2, keepdims=True)
    mean, of_squares = blocks(shares), blocks(shares * shares)
    return np.asarray(np.sqrt(np.maximum(of_squares - mean * mean, 0).sum(2)), np.float32)


def _light_energy(gray: Float32) -> Float32:
    """The texture energy of each block's brightness (logarithm), without soft edges."""
    level = np.log(cv2.blur(gray, (3, 3)) + 2 * DARKEST)
    sharp = np.asarray(level - cv2.blur(level, (9, 9)), np.float32)
    return _contrast(blocks(sharp), blocks(sharp * sharp))


def _hue_off(seen: Float32, then: Float32, weaker: Float32) -> Float32:
    """The contradiction of each block's colour apart from its brightness; it may be weaker by `weaker`."""
    chroma, wanted = (side - side.mean(2, keepdims=True) for side in (seen, then))
    share = (chroma * wanted).sum(2) / np.maximum((wanted**2).sum(2), 1.0)
    rest = chroma - np.clip(share, 1 - WEAKER - weaker, 1 + WEAKER)[..., None] * wanted
    return np.asarray(np.clip(np.sqrt((rest**2).sum(2)) / CHROMA_OFF - 0.2, 0, 1), np.float32)


def _evened(colours: Float32, then: Float32) -> Float32:
    """The blocks in the taught face's light: a gain and an offset per colour, fitted to those that agree."""
    flat, wanted = colours.reshape(-1, 3), then.reshape(-1, 3)
    flat = flat * np.float32(np.median(wanted.mean(1)) / max(float(np.median(flat.mean(1))), 1.0))
    weights = (colours.reshape(-1, 3).max(1) < WASHED).astype(np.float32) + np.float32(0.05)
    fitted = flat
    for _ in range(EVENING_ROUNDS):
        fitted = np.stack([_line(flat[:, c], wanted[:, c], weights) for c in range(3)], 1)
        far = np.abs(fitted - wanted).max(1)
        weights = (1 / (1 + (far / STIFF) ** 2)).astype(np.float32)
    return np.asarray(fitted.reshape(colours.shape), np.float32)


def _scaled(colours: Float32, then: Float32) -> Float32:
    """The blocks with only the lamp's colour removed, for partial shadows."""
    ratio = (colours + DARKEST) / (then + DARKEST)
    lamp = np.median((ratio / ratio.mean(2, keepdims=True)).reshape(-1, 3), axis=0)
    level = np.median(ratio.mean(2))
    return np.asarray((colours + DARKEST) / np.maximum(lamp * level, 0.05) - DARKEST, np.float32)


def _line(colours: Float32, then: Float32, weights: Float32) -> Float32:
    """One colour's levels, mapped by the line that fits best."""
    terms = np.stack([colours, np.full_like(colours, 255)], 1)
    # Leaving the light as it is has some weight, so that a few blocks cannot turn red to blue.
    hold = np.diag([0.02, 0.3]) * len(colours) * 128.0**2 * HOLD
    heavy = terms * weights[:, None]
    gain = np.linalg.solve(terms.T @ heavy + hold, heavy.T @ then + hold @ np.array([1.0, 0]))
    return np.asarray(terms @ gain, np.float32)
