"""Small files with flipped bits, or cut short, are put aside under a name with the date, and play goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion import paths
from companion.kept_state import KeptState
from companion.play.seats import Seats, phone_of
from companion.service import camera_settings
from companion.service.panel_state import ClockFile
from companion.service.turn_clock import KeptClock
from hardware.camera.frame import LockedControls
from hardware.vision.board import reader_state
from hardware.vision.board.reader_state import ReaderState
from hardware.vision.board.scene import Scene
from hardware.vision.cards import book
from hardware.vision.cards.book import CardBook
from hardware.vision.errors import BrokenStateError, SavedStateError

SEATS = ("cat", "dog")
FLIPS = 120
"""How often each file is damaged: every part of it is met."""


def damages(whole: bytes) -> Iterator[bytes]:
    """The file with one bit flipped, cut short, and with nothing left."""
    chance = Random(7)
    yield b""
    for _ in range(FLIPS):
        at = chance.randrange(len(whole))
        yield whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
    for _ in range(FLIPS // 4):
        yield whole[: chance.randrange(len(whole))]


def try_out(path: Path, read: Callable[[], Any], empty: Any) -> None:
    """However the file is damaged, what is read is what was kept, or nothing and the file is put aside."""
    whole, kept = path.read_bytes(), read()
    assert kept != empty
    for data in damages(whole):
        path.write_bytes(data)
        value = read()
        aside = paths.damaged_in(path.parent)
        if value != kept or type(value) is not type(kept):
            assert value == empty, data
            assert len(aside) == 1, data
            assert aside[0].startswith(f"{path.stem}.damaged-20")
            assert (path.parent / aside[0]).read_bytes() == data
        for name in aside:
            (path.parent / name).unlink()


@pytest.fixture
def folder(home: Path) -> Path:
    """The folder in which things are kept."""
    home.mkdir()
    return home


def test_seats(folder: Path) -> None:
    path = folder / "journal.seats.json"
    seats = Seats(path)
    seats.go_on(3, SEATS)
    seats.take_seat("cat", phone_of("a secret"))
    seats.take_seat("dog", phone_of("another"))
    try_out(path, lambda: Seats(path)._kept, Seats(None)._kept)


def test_clocks(folder: Path) -> None:
    path = folder / "journal.clocks.json"
    ClockFile(path).write(3, KeptClock({"cat": 61.5, "dog": 12.0}))
    try_out(path, lambda: ClockFile(path).read_clock(3), KeptClock())


def test_locked_controls_of_the_camera(folder: Path) -> None:
    def restored() -> LockedControls:
        return KeptState(camera_settings.file(), LockedControls).load() or LockedControls()

    camera_settings.keep(LockedControls(8000, 2.5, (1.5, 1.75), 3.0))
    try_out(folder / "camera.json", restored, LockedControls())


def test_what_the_camera_was_shown_is_whole_or_refused() -> None:
    scene = Scene(rows=4, cols=3)
    shape = (4 + 2 * reader_state.MARGIN, 3 + 2 * reader_state.MARGIN, reader_state.SAMPLES**2, 3)
    colours = np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 255
    state = ReaderState(colours, np.zeros((4, 3), bool), None, np.eye(3), {1: 2.5})
    whole = reader_state.pack(scene, state)
    for data in damages(whole):
        try:
            read = reader_state.unpack(scene, data)
        except SavedStateError:
            continue
        assert (read.colours == reader_state.unpack(scene, whole).colours).all()
        assert (read.covered == state.covered).all()
        assert read.widths == state.widths


def test_cards_that_are_damaged_are_put_aside(home: Path) -> None:
    path = paths.cards() / "exploding-kittens.npz"
    path.parent.mkdir(parents=True)
    path.write_bytes(book.pack(CardBook()))
    path.write_bytes(path.read_bytes()[:-70])
    with pytest.raises(BrokenStateError, match=r"The damaged file is .*cards/exploding-kittens\.damaged-20"):
        book.load(path)
    assert paths.damaged_in(home)
    assert book.load(path).cards == (), "the next card is taught to a new one"
