"""What systemd hears, and when its watchdog is fed."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.service.systemd import HEARTBEATS, WATCHDOG_S, SystemdNotifier


class Manager:
    """Listens as systemd does."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.listening.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
        self.listening.settimeout(5)

    def hears(self) -> dict[str, str]:
        """The next thing it hears."""
        lines = self.listening.recv(4096).decode().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def notifier(self, **more: str) -> SystemdNotifier:
        """One that speaks to it."""
        return SystemdNotifier({"NOTIFY_SOCKET": self.address, **more})


@pytest.fixture(params=["a file", "a name without one"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    """A service manager."""
    made = Manager(str(tmp_path / "notify") if request.param == "a file" else f"@companion-{os.getpid()}")
    yield made
    made.listening.close()


def test_ready_then_stopping(manager: Manager) -> None:
    stopping = Event()
    stopping.set()
    rounds: list[bool] = []
    manager.notifier().work(stopping, lambda: True, lambda: rounds.append(True))
    assert manager.hears() == {"READY": "1"}
    assert manager.hears() == {"STOPPING": "1"}
    assert rounds == [True], "before it is ready"


def test_the_watchdog_is_fed_only_while_work_goes_on(
    manager: Manager, caplog: pytest.LogCaptureFixture
) -> None:
    stopping = Event()
    went_on = iter([True, False, False, True])

    def at_work() -> bool:
        on = next(went_on, None)
        if on is None:
            stopping.set()
        return bool(on)

    rounds = iter(range(10))

    def no_more_than_ten() -> None:
        if next(rounds, None) is None:
            stopping.set()

    manager.notifier(WATCHDOG_USEC="3000").work(stopping, at_work, no_more_than_ten)
    heard = [manager.hears() for _ in range(4)]
    assert heard == [{"READY": "1"}, {"WATCHDOG": "1"}, {"WATCHDOG": "1"}, {"STOPPING": "1"}]
    assert caplog.text.count("Nothing has gone on") == 3


def test_it_is_fed_three_times_in_its_term() -> None:
    assert SystemdNotifier({"WATCHDOG_USEC": "45000000"}).heartbeat_s == 45 / HEARTBEATS
    assert SystemdNotifier({}).heartbeat_s == WATCHDOG_S / HEARTBEATS


def test_a_watchdog_that_watches_another_process_is_not_ours() -> None:
    environment = {"WATCHDOG_USEC": "45000000", "WATCHDOG_PID": "1"}
    assert SystemdNotifier(environment).heartbeat_s == WATCHDOG_S / HEARTBEATS
    assert SystemdNotifier(environment | {"WATCHDOG_PID": str(os.getpid())}).heartbeat_s == 45 / HEARTBEATS


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path: Path) -> None:
    SystemdNotifier({}).notify(READY=1)
    SystemdNotifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).notify(READY=1)
