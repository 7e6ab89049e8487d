"""One reader for all tests of dice: loading it takes longer than a reading."""

import pytest

from hardware.vision.dice import DiceReader


@pytest.fixture(scope="session")
def reader() -> DiceReader:
    """The reader as it is shipped."""
    return DiceReader()
