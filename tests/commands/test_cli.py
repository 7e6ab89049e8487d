"""What starting the command line settles for all commands."""

from __future__ import annotations

import os
import subprocess
import sys


def test_numpy_computes_on_one_core() -> None:
    """In a process of its own: here numpy may have started its threads long ago."""
    ask = "import companion.cli, numpy, os; numpy.ones((600, 600)) @ numpy.ones((600, 600))"
    count = "print(len(os.listdir('/proc/self/task')))"
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OPENBLAS", "OMP", "COV"))}
    output = subprocess.run(
        [sys.executable, "-c", f"{ask}; {count}"], env=clean, capture_output=True, text=True, check=True
    )
    assert int(output.stdout) == 1
