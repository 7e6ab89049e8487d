"""`companion run` as systemd starts it: it says when it is ready, feeds the watchdog, and ends in time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

STOPS_WITHIN_S = 3.0
FIRST_PAGE_WITHIN_S = 2.5
PATIENCE_S = 60.0
PHONES = 12


class Service:
    """A companion as a service: told where to speak, where to keep things, and how often to be fed."""

    def __init__(self, folder: Path, watchdog_s: float, *words: str) -> None:
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(PATIENCE_S)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.run = folder / "run"
        told = ["run", "--host", "127.0.0.1", "--port", str(self.port), *words]
        self.began_s = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *told],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ
            | {
                "STATE_DIRECTORY": str(folder / "state"),
                "RUNTIME_DIRECTORY": str(self.run),
                "NOTIFY_SOCKET": str(folder / "notify"),
                "WATCHDOG_USEC": str(int(watchdog_s * 1e6)),
            },
        )

    def hears(self) -> str:
        """What the service manager is told next."""
        return self.manager.recv(4096).decode()

    def phone(self) -> HTTPResponse:
        """A phone that listens to the live stream, and has heard the table's first news."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/api/events")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.readline()
        return answer

    def stop(self) -> float:
        """As systemd stops it; returns how long that took in seconds."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)
        return time.monotonic() - began


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Service]]:
    """Starts the service on the virtual table."""
    monkeypatch.delenv("COMPANION_HOME", raising=False)
    running: list[Service] = []

    def start(watchdog_s: float = 60.0, camera: str = "virtual?speed=5") -> Service:
        running.append(Service(tmp_path, watchdog_s, "--camera", camera))
        assert running[-1].hears() == "READY=1"
        return running[-1]

    yield start
    for each in running:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()
        each.manager.close()


@pytest.mark.slow
def test_it_stops_cleanly_in_time_with_phones_connected(service: Callable[..., Service]) -> None:
    running = service()
    phones = [running.phone() for _ in range(PHONES)]
    assert running.stop() < STOPS_WITHIN_S
    assert running.process.returncode == 0
    assert running.hears() == "STOPPING=1"
    for phone in phones:
        while phone.readline():
            pass
        phone.close()


@pytest.mark.slow
@pytest.mark.parametrize("camera", ["virtual?speed=5", "virtual:unplugged", "virtual:frozen"])
def test_the_watchdog_is_fed_with_a_camera_and_without(service: Callable[..., Service], camera: str) -> None:
    running = service(watchdog_s=3.0, camera=camera)
    assert [running.hears() for _ in range(3)] == ["WATCHDOG=1"] * 3
    assert running.stop() < STOPS_WITHIN_S


@pytest.mark.slow
def test_what_need_not_last_lies_in_its_own_folder(service: Callable[..., Service]) -> None:
    running = service()
    assert f":{running.port}/" in (running.run / "console.issue").read_text("utf-8")
    assert str(running.port) in (running.run / "running.json").read_text()
    running.stop()
