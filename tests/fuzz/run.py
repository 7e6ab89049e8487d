"""Tries out many inputs: `python -m tests.fuzz.run --seconds 3600 --seed 1`. What fails goes into corpus."""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
from random import Random
from time import monotonic

from tests.fuzz.parsers import PARSERS
from tests.fuzz.seeds import CORPUS, SEEDS
from tests.fuzz.test_parsers import fault, spoilt

A_TURN_S = 0.2
"""Seconds for each parser before it is the next one's turn."""


def main() -> int:
    """Try out inputs until the time is over. Returns the number of different faults."""
    words = argparse.ArgumentParser()
    words.add_argument("--seconds", type=float, default=60.0)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    logging.disable()
    chance, ends, tried = Random(given.seed), monotonic() + given.seconds, 0
    faults: dict[str, int] = {}
    while monotonic() < ends:
        for parse in PARSERS:
            turn_ends = monotonic() + A_TURN_S
            while monotonic() < turn_ends:
                data = spoilt(chance.choice(SEEDS[parse.__name__]), chance)
                tried += 1
                why = fault(parse, data)
                key = f"{parse.__name__}: {why[:80]}"
                if why and key not in faults:
                    digest = hashlib.sha256(data).hexdigest()[:8]
                    (CORPUS / f"{parse.__name__}-{digest}.bin").write_bytes(data)
                    sys.stdout.write(f"{key}\n")
                if why:
                    faults[key] = faults.get(key, 0) + 1
    sys.stdout.write(f"inputs: {tried}, different faults: {len(faults)}\n")
    return len(faults)


if __name__ == "__main__":
    sys.exit(main() > 0)
