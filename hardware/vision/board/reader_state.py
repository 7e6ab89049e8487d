"""What a reader was shown, as bytes that survive a restart."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import Boxes, Coat
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import TileName
from hardware.vision.errors import SavedStateError

VERSION = 2


class ReaderState(msgspec.Struct, frozen=True):
    """All that a reader must remember: the reference, the coats, the lens and the last homography, what it
    believes, how wide the markers' edges were."""

    colours: Float32
    covered: Mask
    coats: dict[TileName, Coat]
    believed: tuple[Tile, ...]
    lens: tuple[int, int, float] | None
    matrix: Float64 | None
    widths: dict[int, float]


class _Head(msgspec.Struct, frozen=True):
    version: int
    rows: int
    cols: int
    coats: tuple[TileName, ...]
    believed: tuple[Tile, ...]
    lens: tuple[int, int, float] | None
    widths: dict[int, float] = {}


def pack(scene: Scene, shown: ReaderState) -> bytes:
    """What was shown, as the bytes of an .npz file."""
    about = tuple(shown.coats), shown.believed, shown.lens, shown.widths
    head = _Head(VERSION, scene.rows, scene.cols, *about)
    arrays: dict[str, NDArray[Any]] = {
        "head": np.frombuffer(msgspec.json.encode(head), dtype=np.uint8),
        "colours": shown.colours.astype(np.float16),
        "covered": shown.covered,
    }
    if shown.matrix is not None:
        arrays["matrix"] = shown.matrix
    for number, coat in enumerate(shown.coats.values()):
        arrays[f"coat_{number}"] = coat.colours.astype(np.float16)
        arrays[f"grain_{number}"] = coat.grains.astype(np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def unpack(scene: Scene, data: bytes) -> ReaderState:
    """What was shown to the reader of this scene. Raises SavedStateError where the bytes are broken or
    another's."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = msgspec.json.decode(arrays["head"].tobytes(), type=_Head)
        shown = _shown(head, arrays)
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise ValueError("not numbers")
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError):
        raise SavedStateError(
            "What was shown earlier is broken: show the empty bed and the tiles again."
        ) from None
    if (head.version, head.rows, head.cols) != (VERSION, scene.rows, scene.cols):
        raise SavedStateError(
            "What was shown earlier belongs to another bed: show this one empty, then its tiles."
        )
    return shown


def _shown(head: _Head, arrays: dict[str, NDArray[Any]]) -> ReaderState:
    coats = {}
    for number, tile in enumerate(head.coats):
        grains: Boxes = arrays[f"grain_{number}"].astype(np.int32)
        coats[tile] = Coat(arrays[f"coat_{number}"].astype(np.float32), grains)
    colours = arrays["colours"].astype(np.float32)
    matrix = arrays.get("matrix")
    return ReaderState(colours, arrays["covered"], coats, head.believed, head.lens, matrix, head.widths)
