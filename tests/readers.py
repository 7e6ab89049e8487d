"""What other programs read our descriptions with, where `make slow` has installed it."""

from __future__ import annotations

from pathlib import Path

import pytest

READERS = Path(__file__).parents[1] / ".venv-readers"


def reader(path: str) -> Path:
    """A file of theirs; the test skips without it."""
    if not (READERS / path).exists():
        pytest.skip(f"no {READERS.name}/{path}; make slow installs it")
    return READERS / path
