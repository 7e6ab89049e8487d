"""Whether two squares side by side belong to one tile: what a photograph says about tiles never shown.

On one tile the coat goes on over the line between its squares; elsewhere there is a line of the bed, an edge
of a tile, or a seam between two. A small network judges that from the steps, the colours and the grain at the
line, seen at the height of the tiles' upper faces and at the height of the bed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Float64, Picture
from hardware.vision.board.illumination import LOGARITHMS
from hardware.vision.board.relief import TILE_SQUARES, raised
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography
from hardware.vision.register.rectify import Rectifier

PX = 16
"""Px per square."""
NEAR = 4
"""The px to either side of the line between squares where an edge may show: tiles lie carelessly."""
ENDS = 2
"""The px at both ends of that line that are left out: other tiles' corners."""
LAG = 6
"""The distance in px of the pixels that are compared over the line, and elsewhere."""
WEIGHTS = Path(__file__).parent / "weights" / "joins.npz"
"""The network, trained by `hardware.vision.board.training.joins`."""


class Network(msgspec.Struct, frozen=True):
    """Two layers: `mean` and `spread` (features,) of the features, `inner` and `outer` weights and biases."""

    mean: Float64
    spread: Float64
    inner: Float64
    inner_bias: Float64
    outer: Float64
    outer_bias: Float64

    def logits(self, features: Float64) -> Float64:
        """The log-odds for features, shape (N, features)."""
        hidden = np.tanh((features - self.mean) / self.spread @ self.inner + self.inner_bias)
        return np.asarray(hidden @ self.outer + self.outer_bias, dtype=np.float64)


@cache
def network() -> Network:
    """The network that comes with the reader."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return Network(**{name: file[name] for name in Network.__struct_fields__})


def pairs(rows: int, cols: int) -> NDArray[np.int32]:
    """All squares side by side, as indices row * cols + col: those beside each other, then those below."""
    squares = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    beside = np.stack([squares[:, :-1].ravel(), squares[:, 1:].ravel()], axis=1)
    below = np.stack([squares[:-1].ravel(), squares[1:].ravel()], axis=1)
    return np.concatenate([beside, below])


def joined(picture: Picture, scene: Scene, homography: Homography, focal_length: float) -> Float64:
    """The log-odds that each of the `pairs` of squares belongs to one tile, shape (N,)."""
    return network().logits(features(picture, scene, homography, focal_length))


def features(picture: Picture, scene: Scene, homography: Homography, focal_length: float) -> Float64:
    """What the network judges, for each of the `pairs`, shape (N, features)."""
    planes = raised(homography, focal_length, TILE_SQUARES), homography
    seen = [_patches(_rectified(picture, scene, plane), scene.rows, scene.cols) for plane in planes]
    return np.concatenate([_features_at(patches) for patches in seen], axis=1)


def _rectified(picture: Picture, scene: Scene, homography: Homography) -> Float32:
    """The board's brightness and two colours, as logarithms, shape (rows PX, cols PX, 3)."""
    logs = LOGARITHMS[Rectifier(scene, homography, PX)(picture)[PX:-PX, PX:-PX]]
    luma = logs.mean(axis=-1)
    return np.dstack([luma, logs[..., 0] - logs[..., 1], logs[..., 2] - logs[..., 1]]).astype(np.float32)


def _patches(seen: Float32, rows: int, cols: int) -> Float32:
    """Both squares of each of the `pairs`, turned so that they lie beside each other: (N, PX, 2 PX, 3)."""
    beside = [
        seen[row * PX : (row + 1) * PX, col * PX : (col + 2) * PX]
        for row in range(rows)
        for col in range(cols - 1)
    ]
    turned = seen.transpose(1, 0, 2)
    below = [
        turned[col * PX : (col + 1) * PX, row * PX : (row + 2) * PX]
        for row in range(rows - 1)
        for col in range(cols)
    ]
    return np.array(beside + below)


def _features_at(patches: Float32) -> Float64:
    """The features of pairs of squares on one plane, shape (N, features)."""
    inside = patches[:, ENDS:-ENDS]
    both = [*_line_features(inside.mean(axis=1)), *_coat_features(inside)]
    return np.stack(both, axis=-1).astype(np.float64)


def _line_features(profile: Float32) -> list[Float32]:
    """Lines and steps across the middle of profiles, shape (N, 2 PX, 3), and the most elsewhere."""

    def line(at: int) -> Float32:
        beside = profile[:, at - 3] + profile[:, at + 3]
        return np.asarray(profile[:, at] - beside / 2, dtype=np.float32)

    def step(at: int) -> Float32:
        return profile[:, at + 2] - profile[:, at - 2]

    middle = range(PX - NEAR, PX + NEAR)
    elsewhere = (*range(NEAR, PX - NEAR), *range(PX + NEAR, 2 * PX - NEAR))
    strongest = [
        np.max([np.linalg.norm(kind(at), axis=-1) for at in where], axis=0)
        for kind, where in ((line, middle), (line, elsewhere), (step, middle), (step, elsewhere))
    ]
    darkest = np.min([line(at)[..., 0] for at in middle], axis=0)
    return [*(np.log(each + 0.01) for each in strongest), darkest]


def _coat_features(inside: Float32) -> list[Float32]:
    """How alike both squares are in colour and grain, and whether the coat goes on over the line."""
    count = len(inside)
    one = inside[:, :, 2 : PX - 3].reshape(count, -1, 3)
    other = inside[:, :, PX + 3 : -2].reshape(count, -1, 3)
    apart = np.abs(one.mean(axis=1) - other.mean(axis=1))
    spread = np.sqrt((one.var(axis=1) + other.var(axis=1)) / 2)
    spreads = [np.log(each[..., 0].std(axis=1) + 0.01) for each in (one, other)]
    lagged = np.abs(inside[:, :, LAG:] - inside[:, :, :-LAG]).mean(axis=(1, 3))
    over = lagged[:, PX - 5 : PX].max(axis=1)
    elsewhere = np.median(np.concatenate([lagged[:, : PX - 8], lagged[:, PX + 2 :]], axis=1), axis=1)
    grain = np.abs(np.diff(inside[..., 0], axis=1)).mean(axis=1)
    grains = [np.log(grain[:, part].mean(axis=1) + 0.005) for part in (slice(2, PX - 3), slice(PX + 3, -2))]
    return [
        np.log(apart[:, 0] + 0.01),
        np.log(np.hypot(apart[:, 1], apart[:, 2]) + 0.005),
        np.log(spread[:, 0] + 0.01),
        np.log(np.hypot(spread[:, 1], spread[:, 2]) + 0.005),
        np.abs(spreads[0] - spreads[1]),
        np.log(over + 0.01),
        np.log(elsewhere + 0.01),
        np.abs(grains[0] - grains[1]),
    ]
