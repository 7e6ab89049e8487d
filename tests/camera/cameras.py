"""Cameras that a process of its own can be given by name: well, and not."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from hardware.arrays import Picture
from hardware.camera.frame import CameraError, CameraGone, Frame, LockedControls


def noisy(seed: int, level: int = 120) -> Picture:
    """A small picture as a sensor would give it: no two are the same."""
    return np.random.default_rng(seed).normal(level, 3, (60, 80, 3)).clip(0, 255).astype(np.uint8)


class Steady:
    """Twenty pictures a second. While a file called `fault` in `folder` says so, it fails that way."""

    live = True
    scene: dict[str, Any] | None = None

    def __init__(self, folder: str) -> None:
        self.fault_file = Path(folder) / "fault"
        self.locked: LockedControls | None = None
        self.taken = 0
        self.same = noisy(0)

    def fault(self) -> str:
        return self.fault_file.read_text() if self.fault_file.exists() else ""

    def open(self) -> None:
        sys.stdout.write("a library that prints where it should not\n")
        if self.fault() == "unplugged":
            raise CameraGone("Plug it in.")

    def read_frame(self) -> Frame | None:
        time.sleep(0.05)
        self.taken += 1
        match self.fault():
            case "unplugged":
                raise CameraGone("Plug it in.")
            case "finds the light":
                time.sleep(2 if self.taken == 1 else 0)
            case "hangs":
                time.sleep(60)
            case "hangs for good":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(60)
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "wrong":
                raise CameraError("This can never work.")
            case "broken":
                raise ZeroDivisionError
            case "ended":
                return None
            case "frozen":
                return Frame(noisy(1), self.taken)
            case "black":
                return Frame(np.full_like(self.same, self.taken % 3), self.taken)
            case "still":
                return Frame(self.same, self.taken, small=noisy(self.taken)[..., 0])
        level = 120 if self.locked is None else self.locked.exposure_us or 0
        return Frame(noisy(self.taken, level), self.taken)

    def lock_controls(self) -> LockedControls:
        self.locked = LockedControls(exposure_us=80)
        return self.locked

    def close(self) -> None: ...

    def replacement(self) -> Steady:
        return Steady(str(self.fault_file.parent))
