"""Which camera a SOURCE names, and what is said of one that names none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from companion.errors import UserError
from companion.simulator.sources import open_camera, virtual_camera
from companion.simulator.table import VirtualCamera
from hardware.camera import pi
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import CameraError, CameraGone
from hardware.camera.pi import PiCamera
from hardware.camera.process import ProcessCamera
from hardware.camera.sources import TurnedCamera, default_source
from hardware.camera.video import FileCamera, StreamCamera
from hardware.vision.board.scene import Scene

LAY = {"move": "lay", "owner": "cat", "digit": 4, "turns": 1, "row": 6, "col": 3}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("virtual", VirtualCamera),
        ("virtual:slow", VirtualCamera),
        ("virtual?board=b", VirtualCamera),
        ("usb:0", ProcessCamera),
        ("usb:/dev/video2", ProcessCamera),
        ("usb", ProcessCamera),
        ("rtsp://camera.local/live", StreamCamera),
        ("http://camera.local:8080/?action=stream", StreamCamera),
    ],
)
def test_a_source_by_its_name(source: str, kind: type) -> None:
    assert isinstance(open_camera(source), kind)


def test_a_folder_and_a_file(folder: Callable[..., Path], tmp_path: Path) -> None:
    path = folder(["a.png"])
    (tmp_path / "game.mp4").write_bytes(b"")
    camera = open_camera(f"folder:{path}", interval_s=3)
    assert isinstance(camera, FolderCamera)
    assert camera.interval_s == 3
    assert isinstance(open_camera(str(tmp_path / "game.mp4")), FileCamera)


def test_the_pis_camera_on_either_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "available", lambda: True)
    first, second = open_camera("picamera"), open_camera("picamera:1")
    assert isinstance(first, ProcessCamera)
    assert isinstance(second, ProcessCamera)
    assert (first.arguments, second.arguments) == ({"port": "0"}, {"port": "1"})
    assert first.maker == f"{PiCamera.__module__}:{PiCamera.__name__}"


def test_a_port_that_no_pi_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "available", lambda: True)
    with pytest.raises(CameraError, match="picamera:0 or picamera:1"):
        open_camera("picamera:7")


def test_a_real_camera_can_hang_any_way() -> None:
    camera = open_camera("usb:0", rotate=180)
    assert isinstance(camera, TurnedCamera)
    assert isinstance(camera.camera, ProcessCamera)
    assert isinstance(open_camera("usb:0", rotate=0), ProcessCamera)


@pytest.mark.parametrize(("source", "degrees"), [("virtual", 45), ("usb:0", 45)])
def test_what_cannot_be_turned_is_said(source: str, degrees: int) -> None:
    with pytest.raises(CameraError, match=f"{source} cannot be turned by {degrees}"):
        open_camera(source, rotate=degrees)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("webcam", "'webcam' is no camera and no file: write virtual, picamera"),
        ("", "is no camera"),
        ("folder:", "is no camera"),
        ("folder:nowhere", "There is no folder nowhere"),
        ("usb:front", "usb:front names no camera"),
        ("virtual:rain", "There is no fault 'rain'; there are: unplugged, frozen"),
        ("virtual?speed=fast", "speed=fast makes no sense"),
        ("virtual?speed=0", "speed=0 makes no sense"),
        ("virtual?still=0", "still=0 makes no sense"),
        ("virtual?speed=nan", "speed=nan makes no sense"),
        ("virtual?board=c", "c"),
        ("virtual?nonsense=1", "nonsense"),
        ("virtual?game=chess", "There is no game 'chess'"),
    ],
)
def test_what_is_no_source_is_said_in_one_sentence(source: str, says: str) -> None:
    with pytest.raises(CameraError) as error:
        open_camera(source)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, UserError)


def test_a_folder_without_its_word_is_answered_with_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="is a folder: write folder:"):
        open_camera(str(tmp_path))


def test_without_picamera2_it_says_what_to_install() -> None:
    if pi.available():
        pytest.skip("picamera2 is installed here")
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("picamera")


def test_the_matchs_options_choose_the_virtual_bed() -> None:
    camera = virtual_camera(
        "virtual", options={"board": "b", "touch": "edge-or-corner", "of_another_game": 1}
    )
    assert camera.scene["side"] == "B"
    assert virtual_camera("virtual?board=a", options={"board": "b"}).scene["side"] == "A"


def test_the_scene_of_the_virtual_table_is_what_a_scene_json_holds() -> None:
    scene = virtual_camera("virtual?board=b").scene
    assert msgspec.convert(json.loads(json.dumps(scene)), Scene, strict=False).cols == 12
    assert (scene["rows"], scene["cols"], len(scene["pillows"])) == (16, 12, 3)
    assert list(scene["markers_in_cells"]) == ["0", "1", "2", "3"]
    assert set(scene["tile_shapes"]) == set("123456789")
    assert sorted(map(len, scene["toys"].values())) == [8, 8, 8]


@pytest.mark.parametrize(
    ("model", "receiver", "installed", "source"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0\0", "rp1-cfe-csi2_ch0", True, "picamera"),
        ("Raspberry Pi 4 Model B Rev 1.4\0", "unicam-image", True, "picamera"),
        ("Raspberry Pi 4 Model B Rev 1.4\0", "bcm2835-codec-decode", True, "none"),
        ("Raspberry Pi 4 Model B Rev 1.4\0", None, True, "none"),
        ("Raspberry Pi Zero 2 W", "unicam-image", False, "none"),
        ("Radxa ROCK 5B", "unicam-image", True, "none"),
        (None, "Integrated Camera", True, "none"),
    ],
    ids=["a Pi 5", "a Pi 4", "no ribbon", "no device", "no picamera2", "another board", "a laptop"],
)
def test_the_source_when_none_is_named(
    model: str | None,
    receiver: str | None,
    installed: bool,
    source: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pi, "available", lambda: installed)
    for path, text in (
        ("proc/device-tree/model", model),
        ("sys/class/video4linux/video0/name", receiver and f"{receiver}\n"),
    ):
        if text is not None:
            (tmp_path / path).parent.mkdir(parents=True)
            (tmp_path / path).write_text(text)
    assert default_source(tmp_path) == source


def test_a_usb_camera_that_is_not_there_is_said_from_its_own_process() -> None:
    camera = open_camera("usb:/dev/video-that-is-not-there")
    with pytest.raises(CameraGone, match="There is no camera /dev/video-that-is-not-there: plug it in"):
        camera.open()
    camera.close()
