"""USB cameras, streams and video files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest

from hardware.camera import video
from hardware.camera.frame import CameraError, CameraGone, Frame
from hardware.camera.video import FileCamera, StreamCamera, UsbCamera, without_secret
from tests.camera.conftest import Clock, plain

PICTURE = plain(90, (120, 160))


def test_a_usb_camera_that_is_not_there(tmp_path: Path) -> None:
    camera = UsbCamera("/dev/video-that-is-not-there")
    with pytest.raises(CameraGone, match="plug it in"):
        camera.open()
    with pytest.raises(CameraGone, match="gives no picture"):
        camera.read_frame()
    camera.close()


class FakeCapture:
    """Stands for cv2.VideoCapture on a machine without a camera; `opens` and `pictures` are set by a test."""

    opens = True
    pictures = 1
    made: FakeCapture

    def __init__(self, path: str, backend: int) -> None:
        self.path, self.backend = path, backend
        self.asked: dict[int, float] = {}
        self.left = self.pictures
        self.released = False
        FakeCapture.made = self

    def isOpened(self) -> bool:  # noqa: N802 - cv2's own name
        return self.opens

    def set(self, key: int, value: float) -> bool:
        self.asked[key] = value
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.left -= 1
        return (True, PICTURE) if self.left >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UsbCamera:
    """A USB camera whose device file is there and whose driver is the fake."""
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)
    camera = UsbCamera("0", clock=lambda: 7.0)
    camera.device = str(tmp_path / "video0")
    Path(camera.device).touch()
    return camera


def test_a_usb_camera_is_asked_for_our_size_and_gives_frames_until_it_is_unplugged(usb: UsbCamera) -> None:
    usb.open()
    frame = usb.read_frame()
    assert (frame.picture.shape, frame.at_s, frame.note) == (PICTURE.shape, 7.0, None)
    assert FakeCapture.made.asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert FakeCapture.made.asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG"), "30 a second"
    with pytest.raises(CameraGone, match="check its cable"):
        usb.read_frame()
    usb.close()
    usb.close()
    assert FakeCapture.made.released


def test_a_usb_camera_that_another_program_holds(usb: UsbCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeCapture, "opens", False)
    with pytest.raises(CameraGone, match="close other programs"):
        usb.open()


def test_the_replacement_of_a_usb_camera_is_on_the_same_port() -> None:
    camera = UsbCamera("1")
    assert (camera.replacement() is camera, camera.replacement().device) == (False, "1")


class OneStream(BaseHTTPRequestHandler):
    """A network camera: three JPEGs, then it breaks off."""

    def do_GET(self) -> None:
        jpeg = cv2.imencode(".jpg", PICTURE)[1].tobytes()
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        self.end_headers()
        for _ in range(3):
            head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def stream() -> Iterator[str]:
    """The address of a network camera on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), OneStream)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/live"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_network_camera_gives_frames_until_it_breaks_off(stream: str) -> None:
    camera = StreamCamera(stream, clock=lambda: 3.0)
    camera.open()
    frame = camera.read_frame()
    assert frame.picture.shape == PICTURE.shape
    assert abs(int(frame.picture[60, 80, 0]) - 90) < 4
    with pytest.raises(CameraGone, match="broke off"):
        for _ in range(10):
            camera.read_frame()
    camera.close()
    camera.close()
    assert camera.replacement().url == stream


def test_a_network_camera_that_does_not_answer() -> None:
    camera = StreamCamera("http://me:secret@127.0.0.1:1/live?key=secret")
    with pytest.raises(
        CameraGone, match=re.escape("No video comes from http://127.0.0.1:1/live: check")
    ) as error:
        camera.open()
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://camera/live", "rtsp://camera/live"),
        ("rtsp://me:pass@camera:554/live?token=1", "rtsp://camera:554/live"),
        ("http://camera", "http://camera"),
        ("http://a@b@camera/x@y", "http://camera/x@y"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert without_secret(url) == shown


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Two seconds of video, 20 pictures a second, growing lighter."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (160, 120))
    for number in range(40):
        writer.write(plain(20 + 5 * number, (120, 160)))
    writer.release()
    return path


def test_a_video_file_gives_a_few_pictures_a_second_of_it(film: Path, clock: Clock) -> None:
    camera = FileCamera(film, clock=clock, sleep=clock.sleep)
    camera.open()
    frames: list[Frame] = []
    while frame := camera.read_frame():
        frames.append(frame)
    camera.close()
    assert [frame.name for frame in frames[:3]] == ["film.avi 0.0 s", "film.avi 0.2 s", "film.avi 0.4 s"]
    assert len(frames) == 2 * video.FILE_FPS
    assert [round(frame.at_s - 100, 3) for frame in frames[:3]] == [0, 0.2, 0.4]
    assert [int(frame.picture[60, 80, 0]) for frame in frames[:3]] == pytest.approx([20, 40, 60], abs=4)
    assert camera.read_frame() is None
    assert camera.replacement().path == film


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_text("not a film")
    with pytest.raises(CameraError, match=r"film\.mp4 is no video"):
        FileCamera(path).open()
