"""The board as scene.json describes it (squares, markers, tile shapes), and every way to lay a tile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.errors.causes import NOT_JSON, cause_of
from companion.files import read_bytes, read_text, unmarked
from companion.games.watching import Kind, Square, Tile, TilePlace
from hardware.arrays import Mask
from hardware.vision.errors import SceneError

MOST_SQUARES_A_SIDE = 256
"""The maximum rows, and columns, of a board."""

MOST_SQUARES_A_TILE = 100
"""The maximum squares of a tile; the largest of the games that are read has 13."""

MOST_PLACES = 200_000
"""The maximum number of ways to lay all tiles, turned or not; nine on 64 × 64 squares have 147,456."""

MOST_PLACE_BITS = 1_000_000_000
"""The maximum of that number times the squares of the board: each way is kept with a bit a square."""

FARTHEST_SQUARES = 1000
"""The maximum distance of a marker or the tray from the board's corner, in squares."""

AnyScene = TypeVar("AnyScene", bound="Scene")


MARKER_SQUARES = 1.6
"""A printed marker's side, in squares of the bed."""
MARKER_GAP_SQUARES = 0.3
"""The gap between the grid's corner and the marker, across and down, in squares."""

Corner = tuple[float, float]
GAP = 1
"""Open squares between tiles in a lesson, so that no tail lies on another tile's coat."""


class PictureLine(msgspec.Struct, frozen=True):
    """One line of pictures.jsonl: a picture, and what is known about it beforehand.

    `corners_px` are the grid's four corners in px of the picture: the bed's top left first, then clockwise.
    """

    image: Annotated[str, Meta(max_length=1000)]
    role: Literal["empty", "start", "teach", "watch"]
    tiles: tuple[Tile, ...] = ()
    covered: tuple[Square, ...] = ()
    corners_px: tuple[tuple[float, float], ...] | None = None


class Shape(msgspec.Struct, frozen=True):
    """A tile's squares after `turns` quarter turns: `squares` as (row, col) inside a box of `rows` × `cols`.

    They keep the order of the unturned tile's squares.
    """

    kind: Kind
    turns: int
    rows: int
    cols: int
    squares: tuple[Square, ...]


class Placements(msgspec.Struct, frozen=True, dict=True):
    """Every way to lay one kind of tile on the bare bed.

    `squares` shape (N, K): indices row * cols + col, in the order of the unturned tile's squares. `turns`,
    `row` and `col` have shape (N,). `masks`: each placement's squares as the bits of one number.
    """

    kind: Kind
    squares: NDArray[np.int32]
    turns: NDArray[np.int32]
    row: NDArray[np.int32]
    col: NDArray[np.int32]
    masks: tuple[int, ...]

    @cached_property
    def numbers_of(self) -> dict[int, list[int]]:
        """The placements on the same squares, by their mask."""
        numbers: dict[int, list[int]] = {}
        for number, mask in enumerate(self.masks):
            numbers.setdefault(mask, []).append(number)
        return numbers

    def place(self, owner: str, number: int) -> TilePlace:
        """Placement `number` as a tile's `place`."""
        return owner, self.kind, int(self.turns[number]), int(self.row[number]), int(self.col[number])

    def tile(self, owner: str, number: int, cols: int) -> Tile:
        """Placement `number` as a tile of `owner`, on a bed of `cols` columns."""
        cells = tuple((int(square) // cols, int(square) % cols) for square in self.squares[number])
        return Tile(*self.place(owner, number), cells)


class Scene(msgspec.Struct, frozen=True, dict=True):
    """A board: its size in squares, its markers, and the shapes of the tiles that may lie on it.

    `markers_in_cells`: each marker's id, and its four corners in squares, x right and y down from the grid's
    corner, in the printed marker's own order. `blocked`: groups of squares that no tile may cover, called
    `pillows` in the file. Only `rows` and `cols` are required.
    """

    rows: int
    cols: int
    marker_dictionary: str = "DICT_APRILTAG_36h11"
    markers_in_cells: dict[int, tuple[tuple[float, float], ...]] = {}
    blocked: tuple[tuple[Square, ...], ...] = msgspec.field(default=(), name="pillows")
    tile_shapes: dict[Kind, tuple[str, ...]] = {}
    tray_in_cells_at_table_height: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        """Turn kinds written as digits into numbers, because JSON's keys are text."""
        shapes = {_kind(kind): drawing for kind, drawing in self.tile_shapes.items()}
        msgspec.structs.force_setattr(self, "tile_shapes", shapes)

    @property
    def squares(self) -> int:
        """The number of squares on the bed."""
        return self.rows * self.cols

    @cached_property
    def blocked_mask(self) -> Mask:
        """The squares that no tile may cover, shape (rows, cols)."""
        mask = np.zeros((self.rows, self.cols), dtype=bool)
        for group in self.blocked:
            for row, col in group:
                mask[row, col] = True
        return mask

    @cached_property
    def shapes(self) -> dict[Kind, tuple[Shape, ...]]:
        """Each kind's shape turned clockwise 0 to 3 times, even if the outline stays the same: the coat does
        not."""
        return {kind: _turned(kind, self.tile_shapes[kind]) for kind in sorted(self.tile_shapes, key=str)}

    @cached_property
    def placements(self) -> dict[Kind, Placements]:
        """Each kind's placements that lie wholly on the board and off the blocked squares."""
        return {kind: _placements(self, shapes) for kind, shapes in self.shapes.items()}

    def cells_of(self, tile: Tile) -> tuple[Square, ...]:
        """The squares under a tile by its kind, turns and place; its own `cells` if the kind has no shape."""
        for shape in self.shapes.get(tile.kind, ()):
            if shape.turns == tile.turns % 4:
                return tuple((tile.row + r, tile.col + c) for r, c in shape.squares)
        return tile.cells

    def with_cells(self, tile: Tile) -> Tile:
        """The tile with the squares under it."""
        return tile if tile.cells else msgspec.structs.replace(tile, cells=self.cells_of(tile))


def _kind(written: Kind) -> Kind:
    return int(written) if isinstance(written, str) and written.isdecimal() else written


def turn_squares(squares: list[Square], rows: int, cols: int, turns: int) -> list[Square]:
    """Squares inside a box of `rows` × `cols`, turned clockwise `turns` times, in the same order."""
    for _ in range(turns % 4):
        squares = [(c, rows - 1 - r) for r, c in squares]
        rows, cols = cols, rows
    return squares


def _turned(kind: Kind, drawing: tuple[str, ...]) -> tuple[Shape, ...]:
    rows, cols = len(drawing), max(map(len, drawing))
    plain = [(r, c) for r, line in enumerate(drawing) for c, mark in enumerate(line) if mark == "#"]
    shapes = []
    for turns in range(4):
        size = (rows, cols) if turns % 2 == 0 else (cols, rows)
        shapes.append(Shape(kind, turns, *size, tuple(turn_squares(plain, rows, cols, turns))))
    return tuple(shapes)


def _placements(scene: Scene, shapes: tuple[Shape, ...]) -> Placements:
    squares, turns, rows, cols = [], [], [], []
    for shape in shapes:
        inside = np.array(shape.squares, dtype=np.int32).reshape(-1, 2)
        for row in range(scene.rows - shape.rows + 1):
            for col in range(scene.cols - shape.cols + 1):
                cells = inside + np.array([row, col], dtype=np.int32)
                if not scene.blocked_mask[cells[:, 0], cells[:, 1]].any():
                    squares.append(cells[:, 0] * scene.cols + cells[:, 1])
                    turns.append(shape.turns)
                    rows.append(row)
                    cols.append(col)
    size = len(shapes[0].squares)
    return Placements(
        kind=shapes[0].kind,
        squares=np.array(squares, dtype=np.int32).reshape(-1, size),
        turns=np.array(turns, dtype=np.int32),
        row=np.array(rows, dtype=np.int32),
        col=np.array(cols, dtype=np.int32),
        masks=tuple(map(mask_of_indices, squares)),
    )


def mask_of_indices(squares: Iterable[int]) -> int:
    """Squares, as indices row * cols + col, as the bits of one number."""
    return sum(1 << int(square) for square in squares)


def read_scene(folder: Path) -> Scene:
    """The scene in a folder. Raises SceneError."""
    return read_scene_as(folder, Scene)


def read_scene_as(folder: Path, kind: type[AnyScene]) -> AnyScene:
    """The scene in a folder, as a subclass of `Scene` that reads more of the file.

    Raises SceneError if scene.json is missing, broken or inconsistent.
    """
    path = folder / "scene.json"
    if not folder.is_dir():
        raise SceneError(f"There is no folder {folder}: name one that holds scene.json and pictures.jsonl.")
    try:
        text = unmarked(read_bytes(path))
        scene = msgspec.json.decode(text, type=kind)
    except OSError:
        raise SceneError(
            f"{path} cannot be read: a folder needs a scene.json that tells the board's size."
        ) from None
    except NOT_JSON as reason:
        raise SceneError(f"{path} is no scene: {cause_of(reason, kind, text)}.") from None
    check_scene(scene, str(path))
    _check_places(scene, str(path))
    return scene


def check_scene(scene: Scene, name: str = "The scene") -> None:
    """Raise SceneError, naming the key, if a scene's values cannot describe a bed."""
    if not (1 <= scene.rows <= MOST_SQUARES_A_SIDE and 1 <= scene.cols <= MOST_SQUARES_A_SIDE):
        raise SceneError(
            f"{name}: rows and cols must be 1 to {MOST_SQUARES_A_SIDE}, not {scene.rows} × {scene.cols}."
        )
    for group in scene.blocked:
        for row, col in group:
            if not (0 <= row < scene.rows and 0 <= col < scene.cols):
                raise SceneError(
                    f"{name}: pillow square [{row}, {col}] is not on a board of {scene.rows} × {scene.cols}."
                )
    for marker, corners in scene.markers_in_cells.items():
        if len(corners) != 4:
            raise SceneError(f"{name}: marker {marker} needs four corners, it has {len(corners)}.")
    far = [*(scene.tray_in_cells_at_table_height or ()), *chain(*chain(*scene.markers_in_cells.values()))]
    if any(abs(number) > FARTHEST_SQUARES for number in far):
        raise SceneError(f"{name}: a marker or the tray is over {FARTHEST_SQUARES} squares from the board.")
    for kind, drawing in scene.tile_shapes.items():
        if not any("#" in line for line in drawing):
            raise SceneError(f"{name}: the shape of tile {kind} has no square '#'.")


def _check_places(scene: Scene, name: str) -> None:
    """Raise SceneError if all ways to lay the tiles would take more memory than the smallest machine has."""
    for kind, drawing in scene.tile_shapes.items():
        squares = sum(line.count("#") for line in drawing)
        if squares > MOST_SQUARES_A_TILE or max(len(drawing), *map(len, drawing)) > MOST_SQUARES_A_SIDE:
            raise SceneError(
                f"{name}: the shape of tile {kind} is too large; a tile has at most {MOST_SQUARES_A_TILE}"
                " squares."
            )
    places = 4 * len(scene.tile_shapes) * scene.squares
    if places > MOST_PLACES or places * scene.squares > MOST_PLACE_BITS:
        raise SceneError(
            f"{name}: tiles ({len(scene.tile_shapes)}) on {scene.rows} × {scene.cols} squares can lie in too"
            " many ways to be read; make the board smaller."
        )


def read_picture_lines(folder: Path) -> list[PictureLine]:
    """The lines of pictures.jsonl in order. Raises SceneError with the number of the wrong line."""
    path = folder / "pictures.jsonl"
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError):
        raise SceneError(
            f"{path} cannot be read: it must list the pictures, one JSON object a line."
        ) from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            lines.append(_picture_line(line, f"{path}, line {number}"))
    return lines


def _picture_line(line: str, where: str) -> PictureLine:
    try:
        picture = msgspec.json.decode(line, type=PictureLine)
    except NOT_JSON as reason:
        raise SceneError(f"{where}: {cause_of(reason, PictureLine, line.encode())}.") from None
    if picture.corners_px is not None and len(picture.corners_px) != 4:
        raise SceneError(f"{where}: corners_px needs four corners, it has {len(picture.corners_px)}.")
    return picture


def markers_in_cells(rows: int, cols: int) -> dict[int, tuple[Corner, Corner, Corner, Corner]]:
    """Each marker's four corners in squares, x right and y down from the grid's corner, clockwise.

    Marker 0 is at the top left corner, 1 at the top right, 2 at the bottom right, 3 at the bottom left.
    """
    near, far = -MARKER_GAP_SQUARES - MARKER_SQUARES, MARKER_GAP_SQUARES
    origins = ((near, near), (cols + far, near), (cols + far, rows + far), (near, rows + far))
    return {number: _square(x, y) for number, (x, y) in enumerate(origins)}


def _square(x: float, y: float) -> tuple[Corner, Corner, Corner, Corner]:
    side = MARKER_SQUARES
    return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def scene_of(plain: Mapping[str, Any]) -> Scene:
    """A scene from plain values; without markers, it gets those of the printed frame. Raises `SceneError`."""
    try:
        # The values go through JSON, because marker ids and kinds are keys, and JSON's keys are text.
        scene = msgspec.json.decode(msgspec.json.encode(plain), type=Scene)
    except NOT_JSON as error:
        raise SceneError(
            f"The board cannot be watched: {cause_of(error, Scene, msgspec.json.encode(plain))}."
        ) from None
    check_scene(scene)
    if scene.markers_in_cells:
        return scene
    return msgspec.structs.replace(scene, markers_in_cells=markers_in_cells(scene.rows, scene.cols))


def teaching_places(scene: Scene, owner: str, kinds: Iterable[Kind]) -> tuple[Tile, ...]:
    """The places for these tiles: upright, in rows from the top left, off the blocked squares.

    Raises `SceneError` if they do not all fit on the bed at once; show fewer at a time.
    """
    taken = {square for group in scene.blocked for square in group}
    places = []
    for kind in kinds:
        if kind not in scene.shapes:
            raise SceneError(
                f"There is no tile {kind} in this set; there are: {', '.join(map(str, scene.shapes))}."
            )
        upright = scene.shapes[kind][0]
        place = _first_free(scene, upright, taken)
        if place is None:
            raise SceneError(
                "So many tiles do not fit on the board side by side: show fewer of them at a time."
            )
        cells = tuple((place[0] + row, place[1] + col) for row, col in upright.squares)
        places.append(Tile(owner, kind, 0, *place, cells))
        taken |= {
            (row, col)
            for row in range(place[0] - GAP, place[0] + upright.rows + GAP)
            for col in range(place[1] - GAP, place[1] + upright.cols + GAP)
        }
    return tuple(places)


def lesson_groups(scene: Scene, owner: str) -> tuple[tuple[Kind, ...], ...]:
    """A side's kinds, in as few groups as possible that each fit on the bed."""
    shown: list[tuple[Kind, ...]] = []
    left = list(scene.shapes)
    while left:
        most = next(n for n in range(len(left), 0, -1) if _fit_together(scene, owner, left[:n]))
        shown.append(tuple(left[:most]))
        left = left[most:]
    return tuple(shown)


def _fit_together(scene: Scene, owner: str, kinds: list[Kind]) -> bool:
    try:
        teaching_places(scene, owner, kinds)
    except SceneError:
        # A tile that does not fit alone makes a group by itself, so that teaching it explains why.
        return len(kinds) == 1
    return True


def _first_free(scene: Scene, shape: Shape, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
    for row in range(scene.rows - shape.rows + 1):
        for col in range(scene.cols - shape.cols + 1):
            if not any((row + r, col + c) in taken for r in range(shape.rows) for c in range(shape.cols)):
                return row, col
    return None
