"""`companion run` as systemd starts it: it says when it is ready, feeds the watchdog, and ends in time."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.systemd.conftest import Service

STOPS_WITHIN_S = 3.0
PHONES = 12


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
def test_the_watchdog_is_not_fed_while_no_page_can_be_served(
    service: Callable[..., Service], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The port is taken from the pages without their notice: whoever connects now waits in vain.
    (tmp_path / "sitecustomize.py").write_text(
        "import threading, time, os\n"
        "def deafen():\n"
        "    from web import connections\n"
        "    while not os.path.exists(os.environ['DEAF']): time.sleep(0.05)\n"
        "    connections.Front.handle_accept = lambda self: time.sleep(0.05)\n"
        "threading.Thread(target=deafen, daemon=True).start()\n",
        "utf-8",
    )
    deaf = tmp_path / "deaf"
    monkeypatch.setenv("DEAF", str(deaf))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    running = service(watchdog_s=1.5)
    assert running.hears() == "WATCHDOG=1"
    deaf.touch()
    running.manager.settimeout(2.0)
    with pytest.raises(TimeoutError):
        for _ in range(20):
            running.hears()


@pytest.mark.slow
def test_what_need_not_last_lies_in_its_own_folder(service: Callable[..., Service]) -> None:
    running = service()
    assert f":{running.port}/" in (running.run / "console.issue").read_text("utf-8")
    assert str(running.port) in (running.run / "running.json").read_text()
    running.stop()
