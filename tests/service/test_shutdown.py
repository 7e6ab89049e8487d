"""The end of the program, while a thread is still inside OpenCV."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A reading that never ends, inside OpenCV, and a Python that takes long to end: the reading returns
# while the interpreter is being torn down, as on a slow machine.
SLOW_READING = """
import sys
import time
import cv2, numpy as np
from companion.commands.run import run
from companion.service.vision_loop import VisionLoop

class SlowEnd:
    def __del__(self, sleep=time.sleep):
        sleep(3)

sys.slow_end = SlowEnd()

def take(loop, frame, picture=np.zeros((400, 400), np.uint8)):
    print("reading", flush=True)
    loop._stopping.wait()
    while True:
        cv2.fastNlMeansDenoising(picture)

VisionLoop.take_frame = take
run(["--camera", "virtual", "--host", "127.0.0.1", "--port", "0"])
"""


@pytest.mark.slow
def test_a_stop_is_clean_while_a_reading_is_inside_opencv(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", SLOW_READING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COMPANION_HOME": str(tmp_path)},
    )
    with running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert any(line == "reading\n" for line in running.stdout)
        running.send_signal(signal.SIGTERM)
        complaints = running.stderr.read()
    assert running.returncode == 0, complaints
    assert "vision" in complaints.splitlines()[-1], "the reading had ended by itself: nothing was tried"
    assert not list(tmp_path.rglob("*-wal")), "the journal was not closed"
