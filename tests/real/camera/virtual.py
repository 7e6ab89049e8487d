"""picamera2 on libcamera's virtual camera, which differs from a Pi's in three things and no more."""

import sys
from typing import Any
from unittest.mock import MagicMock

from hardware.camera.pi import PiCamera

# Drawing on a Pi's screen, which nobody here does, wants these on import.
sys.modules.setdefault("pykms", MagicMock())
sys.modules.setdefault("kms", MagicMock())


def picamera2(port: int) -> Any:
    """A Picamera2 on the virtual camera of that number."""
    from picamera2 import Picamera2
    from picamera2.allocators import LibcameraAllocator

    class Virtual(Picamera2):
        def _get_raw_modes(self) -> list[dict[str, Any]]:
            # There is no sensor to be asked for its modes.
            return [{"format": "NV12", "size": (1280, 960)}]

    camera = Virtual(port)
    # Its frames do not come from a Pi's own memory for cameras.
    camera.allocator = LibcameraAllocator(camera.camera)
    return camera


def camera(port: str) -> PiCamera:
    """Our camera on it."""
    return PiCamera(port, make=picamera2)
