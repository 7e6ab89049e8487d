"""`companion doctor` as a person runs it, and the bundle for a bug report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from companion import paths
from companion.doctor import bundle
from companion.doctor.looking import CameraCheck, look_through, look_with
from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.pictures import EVERY_S, DebugFrames
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from hardware.camera.watcher import Watcher
from tests.conftest import BED, OPENING, Companion
from tests.running import pages_of
from web.server import Server

PARTS = ["camera", "markers", "light", "pins", "panel", "disk", "games", "clock", "port", "power"]


def test_every_part_is_a_line(companion: Companion, home: Path) -> None:
    ran = companion("doctor", "--camera", "virtual?speed=20")
    assert ran.status == 0
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == PARTS
    assert "camera: ok. virtual?speed=20 gives pictures" in ran.out
    assert not home.exists(), "a look changes nothing"


def test_as_json_and_in_another_language(companion: Companion, home: Path) -> None:
    ran = companion("doctor", "--json", "--lang", "ko", "--camera", "usb:97")
    assert [line["check"] for line in ran.lines] == PARTS
    camera = ran.lines[0]
    assert (camera["ok"], camera["key"]) == (False, "gone")
    assert camera["says"].startswith("usb:97 카메라에서 화면이 오지 않습니다.")
    assert ran.lines[1]["key"] == "no-picture"


def test_no_camera_is_no_fault(companion: Companion, home: Path) -> None:
    ran = companion("doctor", "--camera", "none")
    assert "camera: ok. There is no camera, so every game is played by taps." in ran.out


def test_a_source_that_is_not_a_camera_is_a_finding_too(companion: Companion, home: Path) -> None:
    ran = companion("doctor", "--camera", "periscope")
    assert ran.status == 0
    assert "camera: needs fixing. periscope gives no picture. 'periscope' is no camera" in ran.out


def test_a_bundle_holds_findings_machine_moves_and_pictures(
    companion: Companion, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    table = Table.open(Journal(home / "journal.sqlite"), BED)
    table.play(OPENING[0], "phone")
    table.journal.close()
    DebugFrames(tmp_path / "run").keep(Frame(np.zeros((9, 9, 3), np.uint8), 0, "7.jpg"), "blurred")
    ran = companion("doctor", "--camera", "virtual?speed=20", "--bundle", tmp_path / "report.zip")
    assert "Look at the pictures" in ran.err
    with ZipFile(tmp_path / "report.zip") as archive:
        assert archive.read("findings.txt").decode() == ran.out
        header, move = map(json.loads, archive.read("moves.jsonl").splitlines())
        assert (header["game"], header["seats"], move["digit"]) == (BED, 2, 1)
        assert header["began"] == table.match.record.began, "how a match is replayed depends on when it began"
        assert archive.read("picture.jpg").startswith(b"\xff\xd8")
        assert archive.read("failing.jpg").startswith(b"\xff\xd8")
        assert json.loads(archive.read("failing.json")) == {"why": "blurred", "picture": "7.jpg"}
        assert b"companion: " in archive.read("machine.txt")


def test_a_bundle_without_games_camera_or_failing_picture(tmp_path: Path, home: Path) -> None:
    bundle.write(tmp_path / "report.zip", [], CameraCheck("usb:0", "unplugged"), home)
    with ZipFile(tmp_path / "report.zip") as archive:
        assert set(archive.namelist()) == {"findings.txt", "machine.txt", "log.txt", "moves.jsonl"}
        assert archive.read("moves.jsonl") == b""


def test_a_bundle_that_cannot_be_written_is_said(companion: Companion, home: Path, tmp_path: Path) -> None:
    ran = companion("doctor", "--camera", "periscope", "--bundle", tmp_path / "no" / "report.zip")
    assert ran.status == 2
    assert "name another with --bundle" in ran.err


def test_names_of_players_stay_at_home(home: Path) -> None:
    journal = Journal(home / "journal.sqlite")
    match = journal.begin(BED, {}, 2)
    journal.append(match.id, 1, "players", {"cat": "Minji", "dog": "Wei"}, "phone")
    journal.append(match.id, 2, "move", dict(OPENING[0]), "phone")
    journal.close()
    output = bundle.moves(home)
    assert "lay" in output
    assert "Minji" not in output


def test_a_journal_that_cannot_be_opened_is_told_in_the_bundle(home: Path) -> None:
    home.mkdir()
    (home / "journal.sqlite").write_bytes(b"no journal" * 100)
    assert "cannot be used" in bundle.moves(home)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Camera: rtsp://admin:hunter2@192.168.1.9/live", "hunter2"),
        ("No video comes from http://cam/live?key=hunter2&user=me", "hunter2"),
        ("wifi psk=hunter2 joined", "hunter2"),
        ("MQTT_PASSWORD: hunter2", "hunter2"),
        ("Authorization: Bearer hunter2", "hunter2"),
        ("seat token = hunter2", "hunter2"),
        ("phone d8:3a:dd:12:34:56 joined", "12:34:56"),
        ("sent to minji@example.org", "minji"),
        (f"opened {Path('/', 'home', 'minji', 'table')}", "minji"),
    ],
)
def test_secrets_are_struck_out(text: str, secret: str) -> None:
    output = bundle.without_secrets(text)
    assert secret not in output
    assert bundle.STRUCK in output


def test_what_is_no_secret_stays() -> None:
    text = "camera: ok. usb:0 gives pictures of 1280 × 960 px. GPIO17 at 12:03:04, pins 4 and 17\n"
    assert bundle.without_secrets(text) == text


def test_a_failing_picture_is_kept_now_and_then_and_a_hand_is_none(tmp_path: Path) -> None:
    now = [0.0]
    failing = DebugFrames(tmp_path / "run", clock=lambda: now[0])
    kept = tmp_path / "run" / paths.FAILING_WHY
    frame = Frame(np.zeros((9, 9, 3), np.uint8), 0)
    failing.keep(frame, "hand")
    assert not kept.exists()
    for now[0], why in ((1.0, "glare"), (EVERY_S, "overlap"), (EVERY_S + 1, "blurred")):
        failing.keep(frame, why)
        assert json.loads(kept.read_bytes())["why"] == ("glare" if now[0] <= EVERY_S else "blurred")


def test_a_failing_picture_that_cannot_be_kept_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    DebugFrames(tmp_path / "file").keep(Frame(np.zeros((9, 9, 3), np.uint8), 0), "glare")
    assert "was not kept" in caplog.text


@pytest.fixture
def running(home: Path, look: Callable[..., CameraCheck]) -> object:
    """A companion that serves the virtual table's picture; its port is noted where `doctor` looks."""
    table = Table.open(Journal(home / "journal.sqlite"), BED)

    class Still(Watcher):
        @property
        def latest(self) -> Frame | None:
            picture = look().picture
            assert picture is not None
            return Frame(picture, 0)

    from companion.simulator.sources import virtual_camera

    live = VisionLoop(table, Still(virtual_camera()), source="usb:0")
    server = Server(pages_of(table, live), "127.0.0.1", 0)
    server.start()
    paths.tell_running(server.port)
    yield server.port
    server.stop()
    table.journal.close()


def test_a_companion_that_runs_is_asked_for_its_picture(running: int, companion: Companion) -> None:
    assert paths.running_port() == running
    seen = look_through(running)
    assert (seen.source, seen.served) == ("usb:0", True)
    ran = companion("doctor", "--json")
    matches = {line["check"]: line for line in ran.lines}
    assert matches["markers"]["ok"]
    assert matches["port"]["key"] == "running"
    assert matches["port"]["facts"] == {"port": running}


def test_where_nothing_runs_there_is_no_port(home: Path) -> None:
    assert paths.running_port() is None
    paths.runtime().mkdir(parents=True)
    gone = paths.Running(2**22 + 1, 8000)
    (paths.runtime() / paths.RUNNING).write_text(f'{{"pid": {gone.pid}, "port": {gone.port}}}')
    assert paths.running_port() is None
    (paths.runtime() / paths.RUNNING).write_text("rubbish")
    assert paths.running_port() is None
    paths.tell_running(8123)
    assert paths.running_port() == 8123
    assert paths.Running(os.getpid(), 8123).pid == os.getpid()


def test_a_camera_that_never_gives_a_picture_is_given_up_in_time() -> None:
    look = look_with("virtual:unplugged", within_s=0.5)
    assert (look.kind, look.picture) == ("unplugged", None)
    assert "unplugged" in look.says


def test_a_folder_of_pictures_is_a_camera_too(tmp_path: Path, look: Callable[..., CameraCheck]) -> None:
    import cv2

    picture = look().picture
    assert picture is not None
    cv2.imwrite(str(tmp_path / "1.png"), picture)
    seen = look_with(f"folder:{tmp_path}")
    assert seen.kind == "ok"
    assert seen.picture is not None


def test_what_need_not_last_is_kept_in_memory_if_possible(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "user"))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert paths.runtime() == home / "now", "told to keep all in one place"
    monkeypatch.delenv("COMPANION_HOME")
    assert paths.runtime() == tmp_path / "user" / "table-companion"
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    assert paths.runtime() == tmp_path / "run"
    for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name)
    assert paths.runtime() == paths.home() / "now"
