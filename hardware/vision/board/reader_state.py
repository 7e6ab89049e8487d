"""A reader's state, as bytes that survive a restart."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import BANDS, GRAINS, Coat, GrainBins
from hardware.vision.board.faces import Face, face_of
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import TileName
from hardware.vision.errors import BROKEN_ARCHIVE, BrokenStateError, SavedStateError
from hardware.vision.register.lens import Lens
from hardware.vision.register.rectify import MARGIN

VERSION = 2


class ReaderState(msgspec.Struct, frozen=True):
    """The memory of a reader.

    `colours`, `covered`: its reference. `lens`, `matrix`: the last homography. `widths`: the widths of the
    markers' edges. `coats`, `faces`, `believed`: its knowledge of tiles. `focal_px`: the lens's focal length,
    None if unknown.
    """

    colours: Float32
    covered: Mask
    lens: Lens | None
    matrix: Float64 | None
    widths: dict[int, float]
    coats: dict[TileName, Coat] = {}
    faces: dict[TileName, Face] = {}
    believed: tuple[Tile, ...] = ()
    focal_px: float | None = None


class _Head(msgspec.Struct, frozen=True):
    version: int
    rows: int
    cols: int
    coats: tuple[TileName, ...]
    believed: tuple[Tile, ...]
    lens: tuple[int, int, float] | None
    widths: dict[int, float] = {}
    faces: tuple[TileName, ...] = ()
    focal_px: float | None = None


def pack(scene: Scene, state: ReaderState) -> bytes:
    """The state as the bytes of an .npz file."""
    lens = None if state.lens is None else (state.lens.width, state.lens.height, state.lens.k1)
    head = _Head(
        VERSION,
        scene.rows,
        scene.cols,
        tuple(state.coats),
        state.believed,
        lens,
        state.widths,
        tuple(state.faces),
        state.focal_px,
    )
    arrays: dict[str, NDArray[Any]] = {
        "head": np.frombuffer(msgspec.json.encode(head), dtype=np.uint8),
        "colours": state.colours,
        "covered": state.covered,
    }
    if state.matrix is not None:
        arrays["matrix"] = state.matrix
    for number, coat in enumerate(state.coats.values()):
        arrays[f"coat_{number}"] = coat.colours
        arrays[f"grain_{number}"] = coat.grains
    for number, face in enumerate(state.faces.values()):
        arrays[f"face_{number}"] = face.colours
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def unpack(scene: Scene, data: bytes) -> ReaderState:
    """The state of a reader of this scene. Raises SavedStateError if it is broken, or of another board."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = msgspec.json.decode(arrays["head"].tobytes(), type=_Head)
        if (head.version, head.rows, head.cols) == (VERSION, scene.rows, scene.cols):
            _check_shapes(scene, head, arrays)
            return _state(scene, head, arrays)
    except BROKEN_ARCHIVE:
        raise BrokenStateError(
            "What was shown earlier is broken: show the empty board and the tiles again."
        ) from None
    raise SavedStateError(
        "What was shown earlier belongs to another board: show this one empty, then its tiles."
    )


def _check_shapes(scene: Scene, head: _Head, arrays: dict[str, NDArray[Any]]) -> None:
    """Raise ValueError, KeyError if an array does not fit its name."""
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("not numbers")
    shapes = {
        "colours": (head.rows + 2 * MARGIN, head.cols + 2 * MARGIN, SAMPLES**2, 3),
        "covered": (head.rows, head.cols),
    }
    if "matrix" in arrays:
        shapes["matrix"] = (3, 3)
    for number in range(len(head.coats)):
        count = arrays[f"coat_{number}"].shape[0]
        shapes[f"coat_{number}"] = (count, 3)
        levels = arrays[f"grain_{number}"].shape[0]
        shapes[f"grain_{number}"] = (levels, len(BANDS), count)
        if not count or not levels or int(arrays[f"grain_{number}"].max()) >= GRAINS:
            raise ValueError("a coat of nothing, or grain off the scale")
    for number, (_, kind) in enumerate(head.faces):
        upright = scene.shapes[kind][0]
        shapes[f"face_{number}"] = (upright.rows * SAMPLES, upright.cols * SAMPLES, 3)
    if any(arrays[name].shape != shape for name, shape in shapes.items()):
        raise ValueError("an array has another shape")


def _state(scene: Scene, head: _Head, arrays: dict[str, NDArray[Any]]) -> ReaderState:
    coats = {}
    for number, tile in enumerate(head.coats):
        grains: GrainBins = arrays[f"grain_{number}"].astype(np.uint8)
        coats[tile] = Coat(arrays[f"coat_{number}"].astype(np.float32), grains)
    faces = {
        name: face_of(arrays[f"face_{number}"].astype(np.float32), scene.shapes[name[1]][0])
        for number, name in enumerate(head.faces)
    }
    lens = None if head.lens is None else Lens(*head.lens)
    colours = arrays["colours"].astype(np.float32)
    matrix = arrays.get("matrix")
    return ReaderState(
        colours, arrays["covered"], lens, matrix, head.widths, coats, faces, head.believed, head.focal_px
    )
