"""Another camera while the table is played at: without a restart, and without losing the match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import SettingError, UserError
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service import camera_switch
from companion.service.camera_switch import CameraSwitch
from companion.simulator.sources import virtual_camera
from hardware.camera.frame import CameraGone, Frame
from hardware.camera.sources import cameras_here
from tests.conftest import BED, OPENING


class Unplugged:
    """A live camera that gives no picture; it notes how it is turned."""

    live = True
    scene = None

    def __init__(self, source: str, rotate: int) -> None:
        self.source, self.rotate = source, rotate

    def open(self) -> None:
        raise CameraGone(f"{self.source} is not there.")

    def read_frame(self) -> Frame | None:
        return Frame(np.zeros((8, 8, 3), np.uint8), 0.0)

    def close(self) -> None: ...

    def replacement(self) -> Unplugged:
        return self


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, home: Path) -> list[Unplugged]:
    """The cameras that were opened."""
    cameras: list[Unplugged] = []

    def open_camera(source: str, *, rotate: int = 0) -> Any:
        cameras.append(Unplugged(source, rotate))
        return cameras[-1]

    monkeypatch.setattr(camera_switch, "open_camera", open_camera)
    return cameras


def test_a_table_without_a_camera_gets_one_and_goes_on_without(
    journal: Journal, opened: list[Unplugged]
) -> None:
    table = Table.open(journal, BED)
    table.play(OPENING[0], "phone")
    switch = CameraSwitch(table, "none", None)
    assert switch.at_work()
    switch.choose("usb:0")
    assert opened[-1].source == "usb:0"
    assert switch.loop is not None
    switch.turn(90)
    assert [(each.source, each.rotate) for each in opened] == [("usb:0", 0), ("usb:0", 90)]
    switch.choose("none")
    assert switch.loop is None
    assert switch.is_well()
    assert table.match.n == 1
    switch.stop()


def test_the_virtual_table_and_a_real_one_are_not_mixed(journal: Journal, opened: list[Unplugged]) -> None:
    table = Table.open(journal, BED)
    for before, wanted in (("virtual", "usb:0"), ("none", "virtual"), ("none", "folder:x")):
        switch = CameraSwitch(table, before, None)
        with pytest.raises(UserError, match="start the companion again"):
            switch.choose(wanted)
    assert not opened
    assert CameraSwitch(table, "virtual", None).choices() == ("virtual",)
    assert "none" in CameraSwitch(table, "none", None).choices()


def test_the_virtual_table_is_turned_while_it_is_played_at(journal: Journal, home: Path) -> None:
    camera = virtual_camera()
    switch = CameraSwitch(Table.open(journal, BED), "virtual", camera)
    loop = switch.loop
    switch.turn(180)
    assert (camera.table.degrees, camera.replacement().table.degrees) == (180, 180)
    assert switch.loop is loop, "what was shown is still known"


def test_a_camera_that_cannot_be_used_is_refused_in_the_askers_language(journal: Journal, home: Path) -> None:
    switch = CameraSwitch(Table.open(journal, BED), "none", None)
    with pytest.raises(SettingError) as refused:
        switch.choose("usb:nothing")
    assert str(refused.value).startswith("The camera usb:nothing cannot be used here: check its cable")
    assert "檢查連接線" in refused.value.says("zh-Hant")
    assert switch.loop is None


def test_usb_cameras_are_listed_once_each(tmp_path: Path) -> None:
    for number, bus, index in ((0, "usb1", 0), (1, "usb1", 1), (2, "usb2", 0), (3, "platform", 0)):
        device = tmp_path / f"sys/devices/{bus}/video4linux/video{number}"
        device.mkdir(parents=True)
        (device / "index").write_text(f"{index}\n")
        listed = tmp_path / f"sys/class/video4linux/video{number}"
        listed.parent.mkdir(parents=True, exist_ok=True)
        listed.symlink_to(device)
    assert cameras_here(tmp_path) == ("usb:0", "usb:2")
