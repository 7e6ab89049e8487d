"""What the doctor's tests need: a look at the virtual table, as it is and with its faults."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.doctor.looking import CameraCheck
from companion.simulator.sources import virtual_camera


@pytest.fixture(scope="session")
def look() -> Callable[..., CameraCheck]:
    """`look("black")` is what the virtual camera shows with that fault on."""

    def through(fault: str = "", kind: str = "ok") -> CameraCheck:
        camera = virtual_camera(f"virtual:{fault}?teach=0", sleep=lambda _: None)
        camera.open()
        frame = camera.read_frame()
        assert frame is not None
        return CameraCheck("virtual", kind, frame.picture)

    return through
