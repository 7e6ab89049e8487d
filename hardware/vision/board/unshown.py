"""Reads a finished board that was never shown: neither empty nor its tiles.

The shapes are known. A network says of each square whether a tile covers it, and of each line between two
whether one tile goes on over it. A board is as likely as all of these, and finished: no tile that is left may
fit anywhere. Tails say which way round a tile lies. Whose it is can only be guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Alternative, Kind, Square, Tile
from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.board.feet import LEAST_LIKE, Ends, like
from hardware.vision.board.illumination import LOGARITHMS
from hardware.vision.board.scene import Placements, Scene
from hardware.vision.board.search import ANY_PLACE, mask_of, tabu_search
from hardware.vision.board.temporal_filter import LEAST_ALTERNATIVE, SURE
from hardware.vision.register.homography import TILE_SQUARES, Homography, raised, usual_focal_length
from hardware.vision.register.rectify import Rectifier

PX = 16
NEAR = 4
"""The px to either side of the line between squares where an edge may show: tiles lie carelessly."""
ENDS = 2
"""The px at both ends of that line that are left out: other tiles' corners."""
LAG = 6
"""The distance in px of the pixels that are compared over the line, and elsewhere."""
EDGE = 26
"""The number of features of a line between squares, on both planes."""
SQUARE = 8
"""The number of features of a square, on each plane."""
WAYS = 8
"""The ways to turn and mirror a board."""
LINES_RIGHT, ANSWERS_RIGHT = slice(0, EDGE), slice(1, 2)
"""The features and the answers of lines on the right of squares: mirrored, they are the next square's."""
SQUARE_TRANSPOSED = (*range(SQUARE - 2), SQUARE - 1, SQUARE - 2)
TRANSPOSED = (
    *range(EDGE, 2 * EDGE),
    *range(EDGE),
    *(first + feature for first in (2 * EDGE, 2 * EDGE + SQUARE) for feature in SQUARE_TRANSPOSED),
)
ANSWERS_TRANSPOSED = (0, 2, 1, 3)
"""The order of features and of answers with rows for columns."""
WEIGHTS = Path(__file__).parent / "weights" / "joins.npz"
UNKNOWN_OWNER = ""
MOST_NATS = 6.0
"""The most that one photograph says about a square or a line."""
LEAST = -8.0
MOST_ROWS = 1500
"""The maximum number of placements to be considered: those for which each square and line says most."""
TOO_MANY = 25.0
"""The cost in nats of each tile of a kind beyond one for each owner."""
ROOM = 12.0
"""The cost in nats of a board on which a tile that is left would still fit: it was said to be finished."""
CHECKED = 200
"""The number of the likeliest boards that are checked for room."""
KEEP = 30
"""The number of likely boards to weigh against each other."""
DEPENDENT = 0.5
"""The share of the evidence that counts between boards: neighbours err together."""
ONE_SQUARE = 1.75
"""The nats less between boards that differ in one covered square: a glare on it misleads all its lines."""
COATS = 2.0
"""The weight of the likeness of squares to the rest of their tile, and to the bed."""
BARE, PILLOW = -1, -2
"""The numbers of squares without a tile."""
INNER = slice(3, -3, 3)
"""The px of a square that are looked at for its colours."""
LOUD = 1.5
"""The log-odds of one square or line that a board must not contradict."""
STARK = 4.0
"""The log-odds of one square that no board may leave bare."""
SURE_ALTHOUGH = 0.9985
"""The probability to believe a tile whose outline a line contradicts."""
SURE_THOUGH_BARE = 0.9999
"""The probability to believe a tile although one of its squares looks bare."""
LEFT_OVER_SQUARES = 3
"""The number of squares side by side that are no chance."""
OTHER_SQUARES = 6
"""The number of squares unlike this board's, blocked or open, that are no chance: one pillow."""
MOVED_SQUARES = 3
"""The same where both are seen: a pillow lies one square further."""
OTHER_BOARD = "other-board"
"""The `why` of a board that is not the one in the photograph."""
BLOCKED = 2.0
"""The log-odds above which a square is blocked, and below whose negative it is open."""
CLEAR_WAY = 5.0
"""The nats from which a 6 or a 9 is believed: on pictures left out, a wrong one had up to 4.1."""


Row = tuple[float, Placements, int]
"""A placement by its number, and its worth in nats."""


class Network(msgspec.Struct, frozen=True):
    """Convolutions over the squares: `mean` and `spread` (features,) of the features, one layer of single
    squares, some of 3 × 3 that each add to what came before, and the answers."""

    mean: Float64
    spread: Float64
    first: Float64
    first_bias: Float64
    layers: Float64
    biases: Float64
    last: Float64
    last_bias: Float64

    def answers(self, features: Float64) -> Float64:
        """The answers for features, shape (features, rows, cols), as (ANSWERS, rows, cols)."""
        _, rows, cols = features.shape
        scaled = (features - self.mean[:, None, None]) / self.spread[:, None, None]
        if len(scaled) > 2 * EDGE:  # no line goes on beyond the board
            scaled[:EDGE, :, -1] = scaled[EDGE : 2 * EDGE, -1] = 0
        hidden = np.maximum(np.tensordot(self.first, scaled, 1) + self.first_bias[:, None, None], 0)
        for layer, bias in zip(self.layers, self.biases, strict=True):
            wide = np.pad(hidden, ((0, 0), (1, 1), (1, 1)))
            near = [wide[:, row : row + rows, col : col + cols] for row in range(3) for col in range(3)]
            taps = layer.reshape(*layer.shape[:2], 9)
            more = sum(np.tensordot(taps[:, :, tap], part, 1) for tap, part in enumerate(near))
            hidden = hidden + np.maximum(more + bias[:, None, None], 0)
        answers = np.tensordot(self.last, hidden, 1) + self.last_bias[:, None, None]
        return np.asarray(answers, dtype=np.float64)


class Located(msgspec.Struct, frozen=True):
    """A photograph and where the board lies in it."""

    picture: Picture
    homography: Homography


@cache
def network() -> Network:
    """The network that comes with the reader."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return Network(**{name: file[name].astype(np.float64) for name in Network.__struct_fields__})


class SquaresSeen(msgspec.Struct, frozen=True):
    """The evidence of a board's squares, as log-odds.

    `covered` shape (squares,). `joined` shape (N,): each of the `pairs` belongs to one tile. `blocked` shape
    (rows, cols): squares that no tile may cover.
    """

    covered: Float64
    joined: Float64
    blocked: Float64


def pairs(rows: int, cols: int) -> NDArray[np.int32]:
    """All squares side by side, as indices row * cols + col: those beside each other, then those below."""
    squares = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    beside = np.stack([squares[:, :-1].ravel(), squares[:, 1:].ravel()], axis=1)
    below = np.stack([squares[:-1].ravel(), squares[1:].ravel()], axis=1)
    return np.concatenate([beside, below])


def squares_seen(picture: Picture, scene: Scene, homography: Homography, focal_length: float) -> SquaresSeen:
    """The evidence of a board's squares in a picture: the network's mean over all WAYS, which errs less."""
    answers = _summed(features(picture, scene, homography, focal_length), WAYS - 1)
    covered, right, below, blocked = answers / WAYS
    return SquaresSeen(
        covered.ravel(),
        np.concatenate([right[:, :-1].ravel(), below[:-1].ravel()]),
        blocked,
    )


def _summed(seen: Float64, more: int) -> Float64:
    """The network's answers for features, and for them mirrored and transposed by turns, `more` times."""
    answers = network().answers(seen)[: len(ANSWERS_TRANSPOSED)]
    if not more:
        return answers
    if more % 2:
        return answers + mirrored(_summed(mirrored(seen, LINES_RIGHT), more - 1), ANSWERS_RIGHT)
    return answers + transposed(_summed(transposed(seen, TRANSPOSED), more - 1), ANSWERS_TRANSPOSED)


def mirrored(values: Float64, right: slice) -> Float64:
    """Values, shape (..., values, rows, cols), from right to left; `right`: those of lines beside squares."""
    there = values[..., ::-1].copy()
    there[..., right, :, :] = np.roll(there[..., right, :, :], -1, axis=-1)
    return there


def transposed(values: Float64, order: Sequence[int]) -> Float64:
    """Values, shape (..., values, rows, cols), with rows for columns and in another order."""
    return np.asarray(values.swapaxes(-1, -2)[..., list(order), :, :], dtype=np.float64)


def features(picture: Picture, scene: Scene, homography: Homography, focal_length: float) -> Float64:
    """The network's input: of each square the line to its right, that below it, and itself.

    Shape (2 EDGE + 2 SQUARE, rows, cols); each on the plane of the tiles' upper faces, then on the bed's.
    """
    planes = raised(homography, focal_length, TILE_SQUARES), homography
    return features_of([Rectifier(scene, plane, PX)(picture) for plane in planes])


def features_of(rectified: Sequence[Picture]) -> Float64:
    """The same from the rectified picture on both planes, `PX` px a square, with a square of frame."""
    seen = [logarithms(plane[PX:-PX, PX:-PX]) for plane in rectified]
    rows, cols = (side // PX for side in seen[0].shape[:2])
    lines = np.concatenate([_features_at(_patches(plane, rows, cols)) for plane in seen], axis=1)
    beside = rows * (cols - 1)
    right, below = np.zeros((2, EDGE, rows, cols))
    right[:, :, :-1] = lines[:beside].T.reshape(EDGE, rows, cols - 1)
    below[:, :-1] = lines[beside:].T.reshape(EDGE, rows - 1, cols)
    return np.concatenate([right, below, *(_square_features(plane) for plane in seen)])


def _square_features(seen: Float32) -> Float64:
    """The colour and grain of each square, shape (SQUARE, rows, cols)."""
    rows, cols = (side // PX for side in seen.shape[:2])
    inner = seen.reshape(rows, PX, cols, PX, 3)[:, 3:-3, :, 3:-3]
    down, across = (np.abs(np.diff(inner[..., 0], axis=axis)).mean(axis=(1, 3)) for axis in (1, 3))
    colour = [inner.mean(axis=(1, 3)), np.log(inner.std(axis=(1, 3)) + 0.01)]
    grain = np.log(np.stack([down, across], axis=-1) + 0.005)
    return np.concatenate([*colour, grain], axis=-1).transpose(2, 0, 1).astype(np.float64)


def upper_faces(photo: Located, scene: Scene, focal_length: float) -> Float32:
    """The board at the height of the tiles' upper faces, as `Ends` takes it."""
    plane = raised(photo.homography, focal_length, TILE_SQUARES)
    return logarithms(Rectifier(scene, plane, PX)(photo.picture))


def logarithms(rectified: Picture) -> Float32:
    """The board's brightness and two colours, as logarithms, shape (rows PX, cols PX, 3)."""
    logs = LOGARITHMS[rectified]
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

    def line(place: int) -> Float32:
        beside = profile[:, place - 3] + profile[:, place + 3]
        return np.asarray(profile[:, place] - beside / 2, dtype=np.float32)

    def step(place: int) -> Float32:
        return profile[:, place + 2] - profile[:, place - 2]

    middle = range(PX - NEAR, PX + NEAR)
    elsewhere = (*range(NEAR, PX - NEAR), *range(PX + NEAR, 2 * PX - NEAR))
    strongest = [
        np.max([np.linalg.norm(kind(place), axis=-1) for place in where], axis=0)
        for kind, where in ((line, middle), (line, elsewhere), (step, middle), (step, elsewhere))
    ]
    darkest = np.min([line(place)[..., 0] for place in middle], axis=0)
    return [*(np.log(strength + 0.01) for strength in strongest), darkest]


def _coat_features(inside: Float32) -> list[Float32]:
    """The likeness of both squares in colour and grain, and of the coat across the line."""
    count = len(inside)
    one = inside[:, :, 2 : PX - 3].reshape(count, -1, 3)
    other = inside[:, :, PX + 3 : -2].reshape(count, -1, 3)
    apart = np.abs(one.mean(axis=1) - other.mean(axis=1))
    spread = np.sqrt((one.var(axis=1) + other.var(axis=1)) / 2)
    spreads = [np.log(square[..., 0].std(axis=1) + 0.01) for square in (one, other)]
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


class ShapesRead(msgspec.Struct, frozen=True):
    """The tiles by their shapes alone, with no owners.

    `twins`: the indices of tiles that may be of another kind on the same squares. `alike`: those of each
    owner, guessed by their coats. `why`: what keeps the board from being believed, empty if nothing does.
    """

    tiles: tuple[Tile, ...]
    alternatives: tuple[Alternative, ...]
    twins: tuple[int, ...]
    alike: tuple[tuple[int, ...], ...]
    why: str


def read_shapes(photos: Sequence[Located], scene: Scene, owners: int) -> ShapesRead:
    """The finished board in photographs, by the shapes of tiles, each kind at most once for each owner."""
    focal = usual_focal_length([photo.homography for photo in photos])
    seen = _together([squares_seen(photo.picture, scene, photo.homography, focal) for photo in photos])
    is_other = _other_board(scene, seen)
    if is_other:  # then its own pillows say where tiles may lie
        shown = tuple((int(row), int(col)) for row, col in np.argwhere(seen.blocked > 0))
        scene = msgspec.structs.replace(scene, blocked=(shown,))
    faces = [upper_faces(photo, scene, focal) for photo in photos]
    twin_kinds = _twin_kinds(scene)
    boards, likely = _weighed(scene, *_likely_boards(scene, seen, twin_kinds, owners), faces)
    ends = [Ends(face, scene, boards[0]) for face in faces]
    tiles, twins = _told_apart(scene, boards[0], ends, owners)
    confidences = _confidences(boards, likely)
    kinds, tile_of = [tile.kind for tile in tiles], _tile_of(scene, [tiles])[0]
    beyond = _beyond(kinds, twin_kinds, owners)
    believed = [confidences[frozenset(tile.cells)] for tile in tiles]
    bare = {int(number) for number in tile_of[seen.covered < -LOUD] if number >= 0}
    against = {number for number in _against(scene, tile_of, seen) if believed[number] < SURE_ALTHOUGH}
    against |= {number for number in bare if believed[number] < SURE_THOUGH_BARE}
    against |= {number for number, kind in enumerate(kinds) if twin_kinds[kind] in beyond}
    tiles = tuple(
        msgspec.structs.replace(tile, confidence=0.5 if number in against else round(believed[number], 4))
        for number, tile in enumerate(tiles)
    )
    covered = tile_of >= 0
    if is_other:
        why = OTHER_BOARD
    elif (
        _has_room(scene, covered, kinds, twin_kinds, owners)
        or _left_over(scene, seen, covered)
        or _missed(tiles, confidences)
    ):
        why = "unexplained"
    else:
        why = "not-told-apart" if likely[0] < SURE or twins or against else ""
    alike = ends[0].alike(tiles) if owners == 2 else ()
    return ShapesRead(tiles, _others(scene, tiles, twins, boards, likely), twins, alike, why)


def _others(
    scene: Scene,
    tiles: tuple[Tile, ...],
    twins: tuple[int, ...],
    boards: Sequence[tuple[Tile, ...]],
    likely: Float64,
) -> tuple[Alternative, ...]:
    """The board with each of its `twins` swapped, and the other likely boards."""
    swapped = tuple(
        Alternative((*tiles[:number], _ways(scene, tiles[number])[1], *tiles[number + 1 :]), 0.5)
        for number in twins
    )
    way_of = {frozenset(tile.cells): tile for tile in tiles}
    return swapped + tuple(
        Alternative(tuple(way_of.get(frozenset(tile.cells), tile) for tile in other), round(float(share), 4))
        for other, share in zip(boards[1:], likely[1:], strict=True)
        if share > LEAST_ALTERNATIVE
    )


def _together(seen: Sequence[SquaresSeen]) -> SquaresSeen:
    """All photographs' evidence; none of them may say more than MOST_NATS, or MOST_WAY."""

    def summed(said: Sequence[Float64], most: float) -> Float64:
        return np.asarray(np.sum(np.clip(said, -most, most), axis=0), dtype=np.float64)

    return SquaresSeen(
        summed([photo.covered for photo in seen], MOST_NATS),
        summed([photo.joined for photo in seen], MOST_NATS),
        summed([photo.blocked for photo in seen], MOST_NATS),
    )


def _other_board(scene: Scene, seen: SquaresSeen) -> bool:
    """True if blocked squares lie elsewhere than on the board that was chosen."""
    expected = scene.blocked_mask
    elsewhere = np.count_nonzero(seen.blocked[~expected] > BLOCKED)
    missing = np.count_nonzero(seen.blocked[expected] < -BLOCKED)
    return bool(elsewhere + missing >= (MOVED_SQUARES if elsewhere and missing else OTHER_SQUARES))


def _against(scene: Scene, tile_of: NDArray[np.int32], seen: SquaresSeen) -> set[int]:
    """The tiles against whose outline some line speaks clearly: it may be another kind's."""
    one, other = tile_of[pairs(scene.rows, scene.cols)].T
    same = (one == other) & (one >= 0)
    wrong = np.where(same, -seen.joined, seen.joined) > LOUD
    bare = (tile_of < 0) & (seen.covered > LOUD)
    near = pairs(scene.rows, scene.cols)[(bare[pairs(scene.rows, scene.cols)]).any(axis=1)]
    return {int(n) for n in (*one[wrong], *other[wrong], *tile_of[near].ravel()) if n >= 0}


def _likely_boards(
    scene: Scene, seen: SquaresSeen, twins: dict[Kind, tuple[Kind, ...]], owners: int
) -> tuple[list[tuple[Tile, ...]], Float64]:
    """The likeliest boards by their squares and lines, the best first, and the cost of each in nats."""
    rows, rest = _rows(scene, seen)
    if not rows:
        return [()], np.zeros(1, dtype=np.float64)
    worth, clash, _ = _to_choose_from(scene, rows)
    met = tabu_search(worth, clash, [])
    best_met = max(met, key=lambda board: met[board])
    lying = [_mask(rows[row]) for row in best_met]
    # Where squares and lines say little, a tile's true place may be worth less than none.
    rows += [row for row in rest if sum(bool(_mask(row) & tile) for tile in lying) <= 1]
    worth, clash, covers = _to_choose_from(scene, rows)
    met |= tabu_search(worth, clash, sorted(best_met))
    kinds = [places.kind for _, places, _ in rows]
    costs = {
        board: -value + TOO_MANY * sum(_beyond([kinds[row] for row in board], twins, owners).values())
        for board, value in met.items()
    }
    for board in sorted(costs, key=lambda board: costs[board])[:CHECKED]:
        covered = np.asarray(covers[sorted(board)].any(axis=0), dtype=bool)
        if _has_room(scene, covered, [kinds[row] for row in board], twins, owners):
            costs[board] += ROOM
    best = sorted(costs, key=lambda board: costs[board])[:KEEP]
    boards = [
        tuple(
            sorted(
                (rows[row][1].tile(UNKNOWN_OWNER, rows[row][2], scene.cols) for row in board),
                key=lambda tile: (str(tile.kind), tile.row, tile.col),
            )
        )
        for board in best
    ]
    return boards, np.array([costs[board] for board in best])


def _weighed(
    scene: Scene, boards: list[tuple[Tile, ...]], costs: Float64, faces: Sequence[Float32]
) -> tuple[list[tuple[Tile, ...]], Float64]:
    """The boards by all evidence, the likeliest first, and their probabilities."""
    tile_of = _tile_of(scene, boards)
    # One picture's error is likely the next one's too.
    said = np.sum([_coats_fit(scene, tile_of, face) for face in faces], axis=0)
    fits = COATS * said / len(faces) ** 0.5
    best = int((fits - DEPENDENT * costs).argmax())
    squares, coats = DEPENDENT * (costs - costs[best]), fits[best] - fits
    apart = ((tile_of < 0) != (tile_of[best] < 0)).sum(axis=1)
    behind = np.where(apart == 1, squares - ONE_SQUARE + np.minimum(coats, 0), squares + coats)
    weights = np.exp(-np.maximum(behind, 0))
    order = np.argsort(-weights, kind="stable")
    return [boards[number] for number in order], weights[order] / weights.sum()


def _tile_of(scene: Scene, boards: Sequence[tuple[Tile, ...]]) -> NDArray[np.int32]:
    """The number of each square's tile, the same on all boards that have it, shape (boards, squares)."""
    numbers: dict[tuple[Square, ...], int] = {}
    tile_of = np.full((len(boards), scene.squares), BARE, dtype=np.int32)
    tile_of[:, scene.blocked_mask.ravel()] = PILLOW
    for board, row in zip(boards, tile_of, strict=True):
        for tile in board:
            number = numbers.setdefault(tuple(sorted(tile.cells)), len(numbers))
            row[[y * scene.cols + x for y, x in tile.cells]] = number
    return tile_of


def _coats_fit(scene: Scene, tile_of: NDArray[np.int32], face: Float32) -> Float64:
    """The likeness of squares to the rest of their tile, or of the bare bed, for each board, in nats.

    Only squares count that are not the same tile's on all boards.
    """
    open_squares = np.flatnonzero((tile_of != tile_of[0]).any(axis=0))
    inside = face[PX:-PX, PX:-PX].reshape(scene.rows, PX, scene.cols, PX, 3)[:, INNER, :, INNER]
    px = inside.transpose(0, 2, 1, 3, 4).reshape(scene.squares, -1, 3)
    to_each = np.stack([like(px[open_squares], samples) for samples in px[:, ::2]])
    fits = []
    for row in tile_of:
        same = row[:, None] == row[open_squares]
        same[open_squares, range(len(open_squares))] = False
        rest = np.einsum("stp,st->tp", to_each, same) / np.maximum(same.sum(axis=0), 1)[:, None]
        fits.append(np.log(rest + LEAST_LIKE).mean(axis=1).sum())
    return np.array(fits, dtype=np.float64)


def _rows(scene: Scene, seen: SquaresSeen) -> tuple[list[Row], list[Row]]:
    """The placements, one for each set of squares: the likely ones, the likeliest first, and all others."""
    ends = pairs(scene.rows, scene.cols)
    table = np.zeros((scene.squares, scene.squares), dtype=np.float32)
    table[ends[:, 0], ends[:, 1]] = table[ends[:, 1], ends[:, 0]] = seen.joined
    shares: dict[int, tuple[float, Row]] = {}
    for places in scene.placements.values():
        lines = table[places.squares[:, :, None], places.squares[:, None, :]]
        worth = lines.sum(axis=(1, 2)) / 2 + seen.covered[places.squares].sum(axis=1) - ANY_PLACE
        said = places.squares.shape[1] + np.count_nonzero(lines, axis=(1, 2)) / 2
        for number, share in enumerate(((worth + ANY_PLACE) / said).tolist()):
            shares.setdefault(places.masks[number], (share, (float(worth[number]), places, number)))
    ordered = [row for _, row in sorted(shares.values(), key=lambda each: -each[0])]
    likely = [row for row in ordered if row[0] > LEAST][:MOST_ROWS]
    known = {_mask(row) for row in likely}
    return likely, [row for row in ordered if _mask(row) not in known]


def _mask(row: Row) -> int:
    _, places, number = row
    return places.masks[number]


def _to_choose_from(scene: Scene, rows: Sequence[Row]) -> tuple[Float64, Mask, Float32]:
    """The worth of placements in nats, those that exclude each other, and the squares that each covers."""
    covers = np.zeros((len(rows), scene.squares), dtype=np.float32)
    for row, (_, places, number) in enumerate(rows):
        covers[row, places.squares[number]] = 1
    worth = np.array([value for value, _, _ in rows])
    return worth, np.asarray(covers @ covers.T > 0, dtype=bool), covers


def _twin_kinds(scene: Scene) -> dict[Kind, tuple[Kind, ...]]:
    """Each kind, with those that cover the same squares when they are turned."""
    outlines: dict[Kind, set[frozenset[tuple[int, int]]]] = {
        kind: {frozenset(shape.squares) for shape in shapes} for kind, shapes in scene.shapes.items()
    }
    return {
        kind: tuple(other for other, theirs in outlines.items() if mine & theirs)
        for kind, mine in outlines.items()
    }


def _beyond(
    kinds: Sequence[Kind], twins: dict[Kind, tuple[Kind, ...]], owners: int
) -> dict[tuple[Kind, ...], int]:
    """The kinds, with their twins, of which more tiles lie than the sets hold, and how many more."""
    lie = {group: sum(kind in group for kind in kinds) for group in {twins[kind] for kind in kinds}}
    return {group: n - owners * len(group) for group, n in lie.items() if n > owners * len(group)}


def _has_room(
    scene: Scene, covered: Mask, kinds: Sequence[Kind], twins: dict[Kind, tuple[Kind, ...]], owners: int
) -> bool:
    """True if a tile that is left would still fit: then a tile was missed, or the board is not finished."""
    free = ~covered
    return any(
        sum(kind in twins[left] for kind in kinds) < owners * len(twins[left])
        and bool(free[places.squares].all(axis=1).any())
        for left, places in scene.placements.items()
    )


def _confidences(boards: Sequence[tuple[Tile, ...]], likely: Float64) -> dict[frozenset[Square], float]:
    """The probability of each set of squares to be a tile."""
    shares: dict[frozenset[Square], float] = {}
    for board, share in zip(boards, likely, strict=True):
        for tile in board:
            cells = frozenset(tile.cells)
            shares[cells] = min(shares.get(cells, 0.0) + float(share), 1.0)
    return shares


def _missed(tiles: Sequence[Tile], confidences: dict[frozenset[Square], float]) -> bool:
    """True if another likely board has a tile beside all those that are asked about."""
    lying = {frozenset(tile.cells) for tile in tiles}
    asked = {cell for tile in tiles if tile.confidence < SURE for cell in tile.cells}
    return any(
        share > 1 - SURE and cells not in lying and not cells & asked for cells, share in confidences.items()
    )


def _left_over(scene: Scene, seen: SquaresSeen, covered: Mask) -> bool:
    """True if squares without a tile look covered, or belong together like a tile's, or to a tile beside."""
    bare = ~(covered | scene.blocked_mask.ravel())
    near = pairs(scene.rows, scene.cols)
    together = np.zeros(scene.squares, dtype=bool)
    together[near[(seen.joined > LOUD) & bare[near].all(axis=1)]] = True
    marks = (together | (bare & (seen.covered > LOUD))).reshape(scene.rows, scene.cols)
    count, _, stats, _ = cv2.connectedComponentsWithStats(marks.astype(np.uint8), connectivity=4)
    side_by_side = count > 1 and int(stats[1:, cv2.CC_STAT_AREA].max()) >= LEFT_OVER_SQUARES
    goes_on = (bare & (seen.covered > LOUD))[near] & covered[near][:, ::-1] & (seen.joined > LOUD)[:, None]
    return side_by_side or bool(goes_on.any() or (bare & (seen.covered > STARK)).any())


def _told_apart(
    scene: Scene, board: tuple[Tile, ...], ends: Sequence[Ends], owners: int
) -> tuple[tuple[Tile, ...], tuple[int, ...]]:
    """The board with each tile the way round that tails tell, and the indices of those of unsure kind.

    There is one of each kind for each owner, so one tile's way may follow from the others'.
    """
    ways = {number: both for number, tile in enumerate(board) if len(both := _ways(scene, tile)) > 1}
    # One picture's error is likely the next one's too.
    nats = {n: sum(end.nats(board[n]) for end in ends) / len(ends) ** 0.5 for n in ways}
    tiles = [ways[n][nats[n] < 0] if n in ways else tile for n, tile in enumerate(board)]
    twins = [n for n, both in ways.items() if both[0].kind != both[1].kind]
    legal = [
        chosen
        for chosen in product((0, 1), repeat=len(twins))
        if max(Counter(ways[n][way].kind for n, way in zip(twins, chosen, strict=True)).values(), default=0)
        <= owners
    ] or [(0,) * len(twins)]
    worth = np.array([-sum(nats[n] for n, way in zip(twins, chosen, strict=True) if way) for chosen in legal])
    best = legal[int(worth.argmax())]
    unsure = []
    for place, number in enumerate(twins):
        tiles[number] = ways[number][best[place]]
        other = [value for chosen, value in zip(legal, worth, strict=True) if chosen[place] != best[place]]
        if other and worth.max() - max(other) < CLEAR_WAY:
            unsure.append(number)
    return tuple(tiles), tuple(unsure)


def _ways(scene: Scene, tile: Tile) -> list[Tile]:
    """A tile, and one on the same squares the other way round, if there is one."""
    mask = mask_of(tile.cells, scene.cols)
    ways = (
        places.tile(UNKNOWN_OWNER, number, scene.cols)
        for places in scene.placements.values()
        for number in places.numbers_of.get(mask, ())
    )
    return [tile, *(way for way in ways if way.turns % 4 == (tile.turns + 2) % 4)][:2]
