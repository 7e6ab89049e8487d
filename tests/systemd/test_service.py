"""`companion run` as systemd starts it: it says when it is ready, feeds the watchdog, and ends in time."""

from __future__ import annotations

from collections.abc import Callable

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
def test_what_need_not_last_lies_in_its_own_folder(service: Callable[..., Service]) -> None:
    running = service()
    assert f":{running.port}/" in (running.run / "console.issue").read_text("utf-8")
    assert str(running.port) in (running.run / "running.json").read_text()
    running.stop()
