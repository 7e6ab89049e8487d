"""No input makes a parser fail but with its own errors; `python -m tests.fuzz.run` tries out many more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.errors import CompanionError
from tests.fuzz.parsers import PARSERS, picture
from tests.fuzz.seeds import CORPUS, SEEDS, SIGNS

TRIES = 150
"""Inputs for each parser in the quick tests."""

TRIES_OF_PICTURES = 5
"""Inputs for the decoder of pictures: some say that they are of 50 megapixels, which takes a second."""


def spoilt(whole: bytes, chance: Random) -> bytes:
    """An input with some of its bytes changed, taken out, doubled or replaced by signs that matter."""
    data = whole
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(len(data) + 1)
        to = min(len(data), at + chance.choice((0, 1, 1, 2, 8, 40)))
        middle = chance.choice((b"", bytes([chance.randrange(256)]), data[at:to] * 2, chance.choice(SIGNS)))
        data = data[:at] + middle + data[to:]
    return data


def fault(parse: Callable[[bytes], None], data: bytes) -> str:
    """What is wrong with how a parser takes an input; empty for nothing."""
    try:
        parse(data)
    except CompanionError as error:
        return "" if "Traceback" not in str(error) else "a traceback is said"
    except Exception as error:
        return repr(error)
    return ""


@pytest.mark.parametrize("parse", PARSERS, ids=lambda parse: parse.__name__)
def test_spoilt_inputs(parse: Callable[[bytes], None]) -> None:
    chance = Random(parse.__name__)
    for _ in range(TRIES_OF_PICTURES if parse is picture else TRIES):
        data = spoilt(chance.choice(SEEDS[parse.__name__]), chance)
        assert fault(parse, data) == "", data[:2000]


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.bin")), ids=lambda file: file.stem)
def test_what_was_found_stays_mended(file: object) -> None:
    name = file.name.partition("-")[0]  # type: ignore[attr-defined]
    [parse] = [each for each in PARSERS if each.__name__ == name]
    assert fault(parse, file.read_bytes()) == ""  # type: ignore[attr-defined]


def test_every_parser_has_seeds() -> None:
    assert {each.__name__ for each in PARSERS} == SEEDS.keys()
