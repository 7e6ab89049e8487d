"""Each part of the table, well and not: one finding that says how to mend it."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from string import Formatter
from threading import Thread
from typing import Any

import numpy as np
import pytest

from companion.doctor import checks, looking
from companion.doctor.checks import Finding, words
from companion.doctor.looking import CameraCheck
from companion.messages import LANGUAGES
from companion.play.journal import Journal
from hardware.panel import header
from hardware.panel.header import Header

Looks = Callable[..., CameraCheck]
GONE = CameraCheck("usb:0", "unplugged", says="Plug it in.")


def test_a_table_that_is_well(look: Looks) -> None:
    seen = look()
    assert checks.camera(seen).says() == "virtual gives pictures of 1280 × 960 px."
    assert checks.markers(seen).ok
    assert checks.light(seen).ok


def test_a_camera_that_is_gone_is_told_with_its_own_sentence() -> None:
    matches = checks.camera(GONE)
    assert not matches.ok
    assert matches.says() == "usb:0 gives no picture. Plug it in."
    assert [checks.markers(GONE).key, checks.light(GONE).key] == ["no-picture"] * 2


@pytest.mark.parametrize("kind", ["frozen", "black", "overexposed"])
def test_pictures_that_show_nothing_are_told(look: Looks, kind: str) -> None:
    matches = checks.camera(look(kind=kind))
    assert (matches.ok, matches.key) == (False, kind)


def test_at_a_table_without_a_camera_nothing_needs_fixing() -> None:
    for served in (False, True):
        without = CameraCheck("", "none", served=served)
        matches = [checks.camera(without), checks.markers(without), checks.light(without)]
        assert [(each.ok, each.key) for each in matches] == [(True, "none")] * 3


def test_a_marker_under_a_cup_is_named(look: Looks) -> None:
    matches = checks.markers(look("marker-covered"))
    assert (matches.ok, matches.facts) == (False, {"lacking": "0 (top-left)", "count": 4})


def test_markers_that_only_a_scene_knows_are_named_by_their_number(look: Looks) -> None:
    seen = look()
    asked = CameraCheck(seen.source, seen.kind, seen.picture, markers=(2, 17))
    assert checks.markers(asked).facts["lacking"] == "17"


def test_a_dark_table_and_a_glaring_one(look: Looks) -> None:
    picture = look().picture
    assert picture is not None
    dim = CameraCheck("virtual", "ok", (picture * 0.4).astype(np.uint8))
    assert checks.light(dim).key == "dark"
    glaring = picture.copy()
    glaring[:200] = 255
    matches = checks.light(CameraCheck("virtual", "ok", glaring))
    assert (matches.key, matches.facts["percent"]) == ("glare", 21)


NO_PANEL = Path("no-panel.toml")
USED = Header(Path("/dev/gpiochip0"), "pinctrl-rp1", {17: "fan", 4: "w1", 27: "lg"})


def test_a_machine_without_pins_is_fine(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    matches = checks.pins(NO_PANEL, tmp_path)
    assert (matches.ok, matches.key) == (True, "none")


def test_pins_in_use_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: name == "lgpio" or None)
    matches = checks.pins(NO_PANEL, find=lambda _: USED)
    assert matches.ok
    assert (
        matches.says()
        == "The header (pinctrl-rp1) can be used; in use now: GPIO4 (w1), GPIO17 (fan), GPIO27 (lg)."
    )


def test_pins_of_the_panel_that_another_program_has_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: name == "lgpio" or None)
    wiring = tmp_path / "panel.toml"
    wiring.write_text("seats = 2\n")
    matches = checks.pins(wiring, find=lambda _: USED)
    assert (matches.ok, matches.key, matches.facts) == (False, "taken", {"used": "GPIO17 (fan)"})
    wiring.write_text("seats = 99\n")
    assert checks.pins(wiring, find=lambda _: USED).key == "wiring"


def test_a_panel_that_takes_more_than_the_pins_give_is_named_with_what_mends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: name == "lgpio" or None)
    wiring = tmp_path / "panel.toml"
    wiring.write_text("seats = 5\n[lamps]\nohm = 110\n")
    matches = checks.pins(wiring, find=lambda _: Header(Path("/dev/gpiochip0"), "pinctrl-rp1", {}))
    assert (matches.ok, matches.key) == (False, "current")
    assert matches.facts == {"taken": 60, "most": 50, "low": 150, "high": 120}
    wiring.write_text("seats = 5\n[lamps]\nohm = 150\n")
    assert checks.pins(wiring, find=lambda _: Header(Path("/dev/gpiochip0"), "pinctrl-rp1", {})).ok


def test_pins_without_lgpio_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: None)
    matches = checks.pins(NO_PANEL, find=lambda _: USED)
    assert (matches.ok, matches.key) == (False, "no-library")


def test_pins_that_this_user_may_not_open_are_told() -> None:
    def refused(dev: Path) -> Header:
        raise PermissionError(13, "Permission denied", str(dev / "gpiochip0"))

    matches = checks.pins(NO_PANEL, Path("/"), refused)
    assert matches.facts["device"] == "/dev/gpiochip0"
    assert "usermod -aG gpio" in matches.says()


def chip(label: bytes, used: dict[int, bytes]) -> Callable[[int, int, bytes], bytes]:
    """Answers as the kernel does of a chip with 54 lines (linux/gpio.h)."""

    def ask(descriptor: int, what: int, output: bytes) -> bytes:
        if what == 0x8044B401:
            return struct.pack("=32s32sI", b"gpiochip0", label, 54)
        assert (what, len(output)) == (0xC100B405, 256)
        pin = struct.unpack_from("=I", output, 64)[0]
        return struct.pack("=32s32sIIQ176x", b"", used.get(pin, b""), pin, 0, pin in used)

    return ask


def test_the_header_is_found_by_its_label(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    assert header.find(tmp_path, chip(b"raspberrypi-exp-gpio", {})) is None
    matches = header.find(tmp_path, chip(b"pinctrl-bcm2711", {17: b"lg", 40: b"inside", 3: b""}))
    assert matches == Header(tmp_path / "gpiochip0", "pinctrl-bcm2711", {3: "?", 17: "lg"})


def usage(free_mb: int) -> Callable[[Path], tuple[int, int, int]]:
    return lambda _: (10**12, 0, free_mb * 1_000_000)


def test_the_disk(tmp_path: Path) -> None:
    home = tmp_path / "not" / "yet"
    assert checks.disk(home, usage(200)).facts == {"folder": str(home), "free": 200}
    assert checks.disk(home, usage(199)).key == "full"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert checks.disk(tmp_path / "file" / "home").key == "forbidden"


def test_a_disk_that_takes_no_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worn = os.statvfs_result((4096, 4096, 1, 1, 1, 1, 1, 1, os.ST_RDONLY, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: worn)
    assert checks.disk(tmp_path).key == "read-only"


def test_damaged_games_are_said_and_whole_ones_are_not(tmp_path: Path) -> None:
    assert checks.games(tmp_path).ok, "none at all"
    with_games(tmp_path, "2026-01-01T00:00:00.000+00:00")
    assert checks.games(tmp_path).ok
    file = tmp_path / "journal.sqlite"
    file.write_bytes(file.read_bytes()[:4096] + b"rubbish" * 2000)
    matches = checks.games(tmp_path)
    assert (matches.ok, matches.key) == (False, "broken")
    assert "companion restore" in matches.says()


def test_a_match_that_opens_only_in_part_is_said_with_the_reason(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        match = journal.begin("this-bed-is-mine", {}, 2)
        journal.append(match.id, 1, "move", {"move": "fly"}, "phone")
    finding = checks.games(tmp_path)
    assert (finding.key, finding.facts["match"]) == ("in-part", match.id)
    assert "entry 1 cannot be played" in finding.says()


def test_a_damaged_file_that_was_put_aside_is_said(tmp_path: Path) -> None:
    (tmp_path / "camera.damaged-2026-05-01T120000.npz").touch()
    assert "camera.damaged-2026-05-01T120000.npz" in checks.games(tmp_path).says()


def with_games(home: Path, at: str) -> None:
    journal = Journal(home / "journal.sqlite", clock=lambda: at)
    match = journal.begin("this-bed-is-mine", {}, 2)
    journal.append(match.id, 1, "players", {"cat": "Ada"}, "phone")
    journal.close()


NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


def test_the_clock(tmp_path: Path) -> None:
    assert checks.clock(tmp_path, tmp_path, lambda: NOON).says() == "2026-05-01 12:00 (UTC)."
    with_games(tmp_path, "2026-05-01T11:59:59.000+00:00")
    assert checks.clock(tmp_path, tmp_path, lambda: NOON).ok


def test_a_clock_behind_the_last_game(tmp_path: Path) -> None:
    with_games(tmp_path, "2026-05-01T12:00:01.000+00:00")
    matches = checks.clock(tmp_path, tmp_path, lambda: NOON)
    assert (matches.key, matches.facts["kept"]) == ("behind", "2026-05-01 12:00")


def test_a_clock_that_was_never_set(tmp_path: Path) -> None:
    timesync = tmp_path / "run/systemd/timesync"
    timesync.mkdir(parents=True)
    assert checks.clock(tmp_path, tmp_path, lambda: NOON).key == "not-set"
    (timesync / "synchronized").touch()
    assert checks.clock(tmp_path, tmp_path, lambda: NOON).ok


@pytest.fixture
def answering() -> Iterator[Callable[[bytes, int], int]]:
    """Serves one answer to every request; gives the port."""
    servers = []

    def serve(body: bytes, status: int) -> int:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        servers.append(HTTPServer(("127.0.0.1", 0), Answer))
        Thread(target=servers[-1].serve_forever, daemon=True).start()
        return servers[-1].server_port

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        pytest.param({"ok": True, "camera": "ok"}, 200, "running", id="ours"),
        pytest.param(
            {"ok": False, "says": "Disk full.", "camera": "ok"}, 503, "refusing", id="ours-refusing"
        ),
        pytest.param({"hello": 1}, 200, "taken", id="another-program"),
        pytest.param([1], 200, "taken", id="another-program-with-a-list"),
    ],
)
def test_who_serves_at_the_port(
    answering: Callable[[bytes, int], int], body: object, status: int, key: str
) -> None:
    assert checks.port(answering(json.dumps(body).encode(), status)).key == key


def test_a_port_that_is_free_and_one_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "ANSWER_S", 0.1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        taken.listen()
        assert checks.port(number).key == "taken"
    assert checks.port(number).key == "ok"


@pytest.mark.skipif(
    os.geteuid() == 0 or int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) <= 81,
    reason="here everybody may open port 81",
)
def test_a_port_that_only_root_may_open() -> None:
    assert checks.port(81).key == "forbidden"


@pytest.fixture
def a_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A machine whose vcgencmd says this."""

    def says(output: str) -> Path:
        (tmp_path / "dev").mkdir()
        (tmp_path / "dev/vcio").touch()
        program = tmp_path / "vcgencmd"
        program.write_text(f"#!/bin/sh\necho {output}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        return tmp_path

    return says


@pytest.mark.parametrize(
    ("flags", "key"),
    [
        ("throttled=0x0", "ok"),
        ("throttled=0x50005", "low-now"),
        ("throttled=0x50000", "low-before"),
        ("throttled=0x80008", "hot"),
        ("throttled=0xe0000", "ok"),
        ("VCHI initialization failed", "none"),
    ],
)
def test_what_a_pi_says_of_its_power(a_pi: Callable[[str], Path], flags: str, key: str) -> None:
    assert checks.power(a_pi(flags)).key == key


@pytest.mark.parametrize(("alarm", "key"), [("0", "ok"), ("1", "low-now")])
def test_the_kernels_alarm_is_heard_without_vcgencmd(tmp_path: Path, alarm: str, key: str) -> None:
    sensor = tmp_path / "sys/class/hwmon/hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text("rpi_volt\n")
    (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert checks.power(tmp_path).key == key


def test_a_machine_that_is_no_pi_has_nothing_to_tell_of_power(tmp_path: Path) -> None:
    assert checks.power(tmp_path) == Finding("power", ok=True, key="none")


def test_every_sentence_can_be_said_in_every_language() -> None:
    for key, said in words():
        facts = {name: "x" for _, name, _, _ in Formatter().parse(said["en"]) if name}
        for language in LANGUAGES:
            assert "{" not in words().say(key, language, **facts)


def test_a_journal_that_nobody_can_read_tells_no_time(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"no database at all, but long enough to be one" * 9)
    assert checks.clock(tmp_path, tmp_path, lambda: NOON).ok
    with (
        closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection,
        pytest.raises(sqlite3.DatabaseError),
    ):
        connection.execute("SELECT 1 FROM entry")
