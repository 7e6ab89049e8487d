"""What the service's tests need: `companion run` started as systemd starts it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from tempfile import mkdtemp

import pytest

PATIENCE_S = 60.0


class Service:
    """A companion as a service: told where to speak, where to keep things, and how often to be fed."""

    def __init__(self, folder: Path, watchdog_s: float, *words: str) -> None:
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(PATIENCE_S)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        # What need not last lies in memory, as on a Pi.
        in_memory = Path("/dev/shm")
        self.run = Path(mkdtemp(dir=in_memory if in_memory.is_dir() else folder))
        output = ["run", "--host", "127.0.0.1", "--port", str(self.port), *words]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *output],
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
        shutil.rmtree(each.run)
