"""The command line as a whole."""

from __future__ import annotations

import subprocess
import sys

import companion


def test_the_command_tells_its_version() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "companion", "--version"], capture_output=True, text=True, check=True
    )
    assert companion.__version__ in said.stdout
