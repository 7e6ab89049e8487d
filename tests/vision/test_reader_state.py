"""What a reader saves: whole again after a restart, and refused where the bytes are no good."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.watching import Tile
from hardware.vision.board.appearance import BANDS, Coat
from hardware.vision.board.reader_state import ReaderState, pack, unpack
from hardware.vision.board.scene import Scene
from hardware.vision.errors import SavedStateError
from hardware.vision.register.lens import Lens


def archive(name: str, data: bytes) -> bytes:
    """A saved state in which one array is replaced by these bytes."""
    whole, changed = zipfile.ZipFile(io.BytesIO(pack(BOARD, state()))), io.BytesIO()
    with zipfile.ZipFile(changed, "w") as file:
        for entry in whole.namelist():
            file.writestr(entry, data if entry == name else whole.read(entry))
    return changed.getvalue()


HUGE = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1%s,), }\n" % (b"0" * 30)


@pytest.mark.parametrize("name", ["head.npy", "colours.npy"])
@pytest.mark.parametrize("data", [b"no array", b"\x93NUMPY\x01\0" + len(HUGE).to_bytes(2, "little") + HUGE])
def test_somebody_else_s_file_is_broken_and_no_more(name: str, data: bytes) -> None:
    with pytest.raises(SavedStateError):
        unpack(BOARD, archive(name, data))


BOARD = Scene(rows=3, cols=2)
TILE = Tile("red", 4, 1, 0, 0, ((0, 0), (1, 0)), 0.97)


def state(**changed: Any) -> ReaderState:
    """What a reader of the board was shown."""
    random = np.random.default_rng(1)
    whole = ReaderState(
        colours=random.random((5, 4, 64, 3)).astype(np.float32),
        covered=random.random((3, 2)) < 0.5,
        lens=Lens(640, 480, 0.05),
        matrix=random.random((3, 3)),
        widths={0: 0.02, 3: 0.03},
        coats={
            ("red", 4): Coat(
                random.random((128, 3)).astype(np.float32), random.integers(0, 30, (5, len(BANDS), 128))
            )
        },
        believed=(TILE,),
    )
    return msgspec.structs.replace(whole, **changed)


def arrays_of(data: bytes) -> dict[str, Any]:
    """The arrays of a saved state, to spoil them."""
    with np.load(io.BytesIO(data)) as file:
        return {name: file[name] for name in file.files}


def written(arrays: dict[str, Any]) -> bytes:
    """Arrays as the bytes of a file."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def test_all_of_it_comes_back() -> None:
    before = state()
    after = unpack(BOARD, pack(BOARD, before))
    assert (after.lens, after.widths, after.believed) == (before.lens, before.widths, before.believed)
    assert np.array_equal(after.colours, before.colours)
    assert np.array_equal(after.covered, before.covered)
    assert np.array_equal(after.matrix, before.matrix)
    assert list(after.coats) == [("red", 4)]
    assert np.array_equal(after.coats["red", 4].grains, before.coats["red", 4].grains)
    assert np.array_equal(after.coats["red", 4].colours, before.coats["red", 4].colours)


def test_a_reader_that_saw_no_tiles_and_no_markers_is_whole_too() -> None:
    after = unpack(BOARD, pack(BOARD, state(lens=None, matrix=None, coats={}, believed=(), widths={})))
    assert (after.lens, after.matrix, after.coats, after.believed, after.widths) == (None, None, {}, (), {})


def test_saving_what_was_restored_changes_nothing() -> None:
    once = pack(BOARD, unpack(BOARD, pack(BOARD, state())))
    twice = pack(BOARD, unpack(BOARD, once))
    assert {name: array.tolist() for name, array in arrays_of(once).items()} == {
        name: array.tolist() for name, array in arrays_of(twice).items()
    }


@pytest.mark.parametrize("missing", ["head", "colours", "covered", "coat_0", "grain_0"])
def test_a_file_that_lacks_something_is_refused(missing: str) -> None:
    arrays = arrays_of(pack(BOARD, state()))
    del arrays[missing]
    with pytest.raises(SavedStateError, match="broken"):
        unpack(BOARD, written(arrays))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        pytest.param("colours", np.full((5, 4, 64, 3), np.nan, np.float16), id="no numbers"),
        pytest.param("colours", np.zeros((5, 4, 64), np.float16), id="colours without channels"),
        pytest.param("colours", np.zeros((9, 4, 64, 3), np.float16), id="colours of another board"),
        pytest.param("covered", np.zeros((2, 3), bool), id="covered squares of another board"),
        pytest.param("matrix", np.zeros((2, 3)), id="half a homography"),
        pytest.param("coat_0", np.zeros((128,), np.float16), id="a flat coat"),
        pytest.param("grain_0", np.zeros((5, 128), np.uint8), id="grain without bands"),
        pytest.param("grain_0", np.full((5, len(BANDS), 128), 200, np.uint8), id="grain off the scale"),
        pytest.param("head", np.frombuffer(b"[]", np.uint8), id="a head of another shape"),
        pytest.param("head", np.frombuffer(b"{", np.uint8), id="half a head"),
    ],
)
def test_a_file_of_the_wrong_shape_is_refused(name: str, array: Any) -> None:
    arrays = {**arrays_of(pack(BOARD, state())), name: array}
    with pytest.raises(SavedStateError, match="broken"):
        unpack(BOARD, written(arrays))


@pytest.mark.parametrize("other", [Scene(rows=2, cols=3), Scene(rows=3, cols=3)])
def test_a_state_of_another_board_is_refused(other: Scene) -> None:
    with pytest.raises(SavedStateError, match="belongs to another board"):
        unpack(other, pack(BOARD, state()))


def test_a_state_of_another_version_is_refused() -> None:
    arrays = arrays_of(pack(BOARD, state()))
    head = msgspec.json.decode(arrays["head"].tobytes())
    arrays["head"] = np.frombuffer(msgspec.json.encode({**head, "version": 1}), np.uint8)
    with pytest.raises(SavedStateError, match="show this one empty"):
        unpack(BOARD, written(arrays))


SAVED = pack(BOARD, state())


@settings(deadline=None)
@given(st.integers(0, len(SAVED) - 1), st.integers(1, 255))
def test_a_byte_that_is_wrong_is_found_or_does_no_harm(at: int, by: int) -> None:
    data = bytearray(SAVED)
    data[at] ^= by
    try:
        after = unpack(BOARD, bytes(data))
    except SavedStateError:
        return
    assert np.isfinite(after.colours).all()
    assert after.believed == (TILE,)


@settings(deadline=None)
@given(st.integers(0, len(SAVED) - 1))
def test_a_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(SavedStateError):
        unpack(BOARD, SAVED[:length])
