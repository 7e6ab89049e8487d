"""How like a card's face what lies there is, block by block, once it is brought square-on.

Layout alone does not tell kinds apart that share frame, title and pose. So the face is compared as it
looks: after the light is evened out, each block of it agrees, contradicts, or is washed out by glare.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.cards.face import FACE, FACE_CORNERS, transformed
from hardware.vision.cards.place import can_lie

BLOCKS = (8, 12)
"""Columns and rows of blocks on a face."""
COUNT = BLOCKS[0] * BLOCKS[1]

UNREST_OFF, LIGHT_UNREST_OFF = 0.2, 0.06
KNOWN_UNREST = 1.5
"""So much more (standard deviation) do colours, as shares of brightness, or brightness (a power of e) differ
within a block that contradicts in full, than so many times what they do on the taught face."""
RIM_PX = 6
"""The rim of a face is not compared: sleeves cover it, and the ground shows where the outline is a px off."""
FAR_PX, NEAR_PX = 3, 1
"""How far a block may be off its place, px of the face: before the place is set right, and after."""
FLAT = 5.0
"""A block with less contrast than this (grey levels, standard deviation) has no pattern to compare."""
CHROMA_OFF = 26.0
LIGHT_OFF = 80.0
SHADE_OFF, LIGHT_COUNTS = 0.7, 0.35
"""So many levels off in colour, and a block contradicts in full; so much brighter or darker than those around
it (a power of e), and it does so in part. A veil so many levels bright takes colours away."""
MOST_SHADE, DARKEST = 3.0, 12.0
"""A shadow leaves a block so many times darker at most; so many levels are added to those compared, since
black times anything is black."""
WEAKER, WEAKEST = 0.15, 0.25
"""Colours may be so much weaker or stronger in the same light, and are never weaker than this share."""
PATTERN_LEAVE, PATTERN_OFF = 0.2, 0.65
"""A pattern's correlation may be so far below 1; so much further, and its block contradicts in full."""
WASHED, VEILED = 232.0, 20.0
"""A block whose mean level is above the first, and that is so much brighter than it should be, shows glare
and not the card."""
WASHED_COSTS = 0.12
"""What a block that glare hides counts against a card. All of these were tried on drawn decks with seeds
below 100 in the styles creatures, shapes and scribbles."""
EVENING_ROUNDS = 3
HOLD = 0.01
STIFF = 18.0
"""Levels off from which on a block counts little in evening out the light."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """A face compared. `off`: how much each block contradicts, 0 to 1, shape (rows, columns); `washed`:
    which are washed out; `matrix`: the place."""

    off: Float32
    washed: Mask
    matrix: Float64

    @property
    def cost(self) -> float:
        """How many blocks contradict, in sum."""
        return float(self.off.sum())

    @property
    def agree(self) -> float:
        """The share of blocks that are seen and agree."""
        return float(((self.off < 0.5) & ~self.washed).mean())


class Pyramid:
    """A picture in halves of halves, from which faces are taken at their own size, so that none flickers."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    def face(self, matrix: Float64) -> Picture:
        """What lies at that place, square-on, shape (FACE height, FACE width, 3)."""
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
    """The mean of each block of a face, its rim left out."""
    inner = values[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    return np.asarray(cv2.resize(inner, BLOCKS, interpolation=cv2.INTER_AREA), np.float32)


class Face:
    """A taught face, and what every comparison with it needs."""

    def __init__(self, picture: Picture) -> None:
        """`picture`: BGR, shape (FACE height, FACE width, 3)."""
        self.colours = picture.astype(np.float32)
        self.grey = _grey(self.colours)
        self.blocks = blocks(self.colours)
        self.mean = blocks(self.grey)
        self.contrast = _contrast(self.mean, blocks(self.grey * self.grey))
        self.colour_unrest = KNOWN_UNREST * _colour_unrest(self.colours)
        self.light_unrest = KNOWN_UNREST * _light_unrest(self.grey)

    @property
    def patterned(self) -> int:
        """How many blocks have a pattern to compare."""
        return int((self.contrast > FLAT).sum())


def set_right(pyramid: Pyramid, face: Face, matrix: Float64) -> Float64:
    """The place moved by a few px so that the patterns of a taught face lie where they belong; as it was
    where too few do."""
    _, shifts = _best_shifts(_grey(pyramid.face(matrix).astype(np.float32)), face, FAR_PX)
    better = _moved_by(matrix, shifts, face.contrast)
    return matrix if better is None else better


def compare(pyramid: Pyramid, face: Face, matrix: Float64) -> Likeness:
    """What lies at that place against a taught face."""
    seen = pyramid.face(matrix).astype(np.float32)
    grey = _grey(seen)
    like, _ = _best_shifts(grey, face, NEAR_PX)
    now, then = blocks(seen), face.blocks
    evens = [_evened(now, then), _scaled(now, then)]
    offs = [_colour_off(even, then, like, face.contrast) for even in evens]
    which = int(np.argmin([off.sum() for off in offs]))
    off = np.maximum(offs[which], _pattern_off(like, face.contrast))
    off = np.maximum(off, _excess(seen, grey, face))
    washed = (now.mean(2) > WASHED) & ((evens[which] - then).mean(2) > VEILED)
    return Likeness(np.where(washed, np.float32(WASHED_COSTS), off), washed, matrix)


def _grey(face: Float32) -> Float32:
    return np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.float32)


def _best_shifts(seen: Float32, face: Face, reach: int) -> tuple[Float32, Float32]:
    """For each block: the best correlation within `reach` px, and the shift (x, y) that gives it."""
    best = np.full((BLOCKS[1], BLOCKS[0]), -1, np.float32)
    shift = np.zeros((BLOCKS[1], BLOCKS[0], 2), np.float32)
    padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    squared = padded * padded
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            here = slice(y, y + FACE[1]), slice(x, x + FACE[0])
            sides = padded[here], squared[here], padded[here] * face.grey
            moments = blocks(np.asarray(cv2.merge(sides), np.float32))
            spread = _contrast(moments[..., 0], moments[..., 1]) * face.contrast
            like = (moments[..., 2] - moments[..., 0] * face.mean) / np.maximum(spread, 4.0)
            better = like > best
            best[better] = like[better]
            shift[better] = (x - reach, y - reach)
    return best, shift


def _contrast(mean: Float32, of_squares: Float32) -> Float32:
    return np.asarray(np.sqrt(np.maximum(of_squares - mean * mean, 0)), np.float32)


def _moved_by(matrix: Float64, shifts: Float32, pattern: Float32) -> Float64 | None:
    """The place moved so that most blocks with a pattern lie where they belong; None where too few do."""
    usable = (pattern > FLAT) & (np.abs(shifts).max(2) < FAR_PX)
    if usable.sum() < 8:
        return None
    width, height = (FACE[0] - 2 * RIM_PX) / BLOCKS[0], (FACE[1] - 2 * RIM_PX) / BLOCKS[1]
    rows, columns = np.nonzero(usable)
    at = np.stack([(columns + 0.5) * width, (rows + 0.5) * height], 1).astype(np.float32) + RIM_PX
    cv2.setRNGSeed(1)
    fix, inliers = cv2.estimateAffine2D(at, at + shifts[usable], ransacReprojThreshold=1.5, maxIters=100)
    if fix is None or inliers.sum() < 8:
        return None
    better = matrix @ np.vstack([fix, (0, 0, 1)])
    return better if can_lie(transformed(FACE_CORNERS, better)) else None


def _pattern_off(like: Float32, contrast: Float32) -> Float32:
    """How much each block's pattern contradicts; a block without one says nothing."""
    weight = np.clip((contrast - FLAT) / FLAT, 0, 1)
    return np.asarray(weight * np.clip((1 - like - PATTERN_LEAVE) / PATTERN_OFF, 0, 1), np.float32)


def _colour_off(even: Float32, then: Float32, like: Float32, contrast: Float32) -> Float32:
    """How much each block's colour contradicts, once the light is evened out over the whole face.

    What light still does to a single block is let pass: a shadow scales its colours, a veil of gloss or haze
    makes it lighter and its colours weaker.
    """
    light = (even - then).mean(2)
    shade = (then.mean(2) + DARKEST) / (np.maximum(even.mean(2), 0) + DARKEST)
    shaded = even * np.clip(shade, 1 / MOST_SHADE, MOST_SHADE)[..., None]
    veil = np.clip(light / LIGHT_OFF, 0, 1 - WEAKER - WEAKEST)
    hue = np.minimum(_hue_off(shaded, then, np.zeros_like(light)), _hue_off(even, then, veil))
    # Where the pattern agrees, brightness says nothing more; nor does what changes slowly, as a shadow.
    unproven = 1 - np.clip((contrast - FLAT) / FLAT, 0, 1) * np.clip(like, 0, 1)
    turned = np.log(shade).astype(np.float32)
    sudden = np.abs(turned - cv2.medianBlur(turned, 5))
    dark = np.clip(sudden / SHADE_OFF - 0.2, 0, 1) * LIGHT_COUNTS * unproven
    return np.asarray(np.maximum(hue, dark), np.float32)


def _excess(seen: Float32, grey: Float32, face: Face) -> Float32:
    """How much each block contradicts by a pattern that the taught face has not there, of colours against
    each other or of brightness with sharp edges (those of shadow and gloss are soft)."""
    colours = (_colour_unrest(seen) - face.colour_unrest) / UNREST_OFF
    light = (_light_unrest(grey) - face.light_unrest) / LIGHT_UNREST_OFF
    return np.asarray(np.clip(np.maximum(colours, light) - 0.5, 0, 1), np.float32)


def _colour_unrest(face: Float32) -> Float32:
    """How much the colours of each block, as shares of its brightness, differ within it."""
    soft = cv2.blur(face, (3, 3)) + DARKEST
    shares = soft / soft.mean(2, keepdims=True)
    mean, of_squares = blocks(shares), blocks(shares * shares)
    return np.asarray(np.sqrt(np.maximum(of_squares - mean * mean, 0).sum(2)), np.float32)


def _light_unrest(grey: Float32) -> Float32:
    """How much the brightness of each block (as a power of e) differs within it, soft edges left out."""
    level = np.log(cv2.blur(grey, (3, 3)) + 2 * DARKEST)
    sharp = np.asarray(level - cv2.blur(level, (9, 9)), np.float32)
    return _contrast(blocks(sharp), blocks(sharp * sharp))


def _hue_off(seen: Float32, then: Float32, weaker: Float32) -> Float32:
    """How much each block's colour, its brightness aside, contradicts, if it may be `weaker` by so much."""
    chroma, wanted = (side - side.mean(2, keepdims=True) for side in (seen, then))
    share = (chroma * wanted).sum(2) / np.maximum((wanted**2).sum(2), 1.0)
    rest = chroma - np.clip(share, 1 - WEAKER - weaker, 1 + WEAKER)[..., None] * wanted
    return np.asarray(np.clip(np.sqrt((rest**2).sum(2)) / CHROMA_OFF - 0.2, 0, 1), np.float32)


def _evened(now: Float32, then: Float32) -> Float32:
    """What is seen, in the light of the taught face: a gain and an offset for each colour, fitted to the
    blocks that agree."""
    flat, wanted = now.reshape(-1, 3), then.reshape(-1, 3)
    flat = flat * np.float32(np.median(wanted.mean(1)) / max(float(np.median(flat.mean(1))), 1.0))
    weights = (now.reshape(-1, 3).max(1) < WASHED).astype(np.float32) + np.float32(0.05)
    fitted = flat
    for _ in range(EVENING_ROUNDS):
        fitted = np.stack([_line(flat[:, c], wanted[:, c], weights) for c in range(3)], 1)
        far = np.abs(fitted - wanted).max(1)
        weights = (1 / (1 + (far / STIFF) ** 2)).astype(np.float32)
    return np.asarray(fitted.reshape(now.shape), np.float32)


def _scaled(now: Float32, then: Float32) -> Float32:
    """What is seen, in the light of the taught face where a shadow falls on part of it: the lamp's colour
    taken out, no more."""
    ratio = (now + DARKEST) / (then + DARKEST)
    lamp = np.median((ratio / ratio.mean(2, keepdims=True)).reshape(-1, 3), axis=0)
    level = np.median(ratio.mean(2))
    return np.asarray((now + DARKEST) / np.maximum(lamp * level, 0.05) - DARKEST, np.float32)


def _line(now: Float32, then: Float32, weights: Float32) -> Float32:
    """One colour's levels put through the line that fits best."""
    terms = np.stack([now, np.full_like(now, 255)], 1)
    # A little is held against leaving the light as it is, so that few blocks cannot turn red to blue.
    hold = np.diag([0.02, 0.3]) * len(now) * 128.0**2 * HOLD
    heavy = terms * weights[:, None]
    gain = np.linalg.solve(terms.T @ heavy + hold, heavy.T @ then + hold @ np.array([1.0, 0]))
    return np.asarray(terms @ gain, np.float32)
