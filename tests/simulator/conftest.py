"""What the simulator's tests share with the camera's: a clock that only sleeping moves, both beds."""

from __future__ import annotations

from tests.camera.conftest import bed as bed
from tests.camera.conftest import clock as clock
from tests.camera.conftest import dream_bed as dream_bed
