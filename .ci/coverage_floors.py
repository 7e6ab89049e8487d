"""Hold what the tests reached (.coverage) against the floors: each game's rules, and all of it."""

import subprocess
import sys
from pathlib import Path

ALL = 97
"""Percent of all lines."""
RULES = 98
"""Percent of the lines of each game's folder."""


def reached(floor: int, *more: str) -> bool:
    """Print coverage's own report; whether it is at `floor` percent or above."""
    command = [sys.executable, "-m", "coverage", "report", "--skip-covered", f"--fail-under={floor}", *more]
    return subprocess.run(command, check=False).returncode == 0


def main() -> int:
    """0 when every floor holds."""
    low = [] if reached(ALL) else [f"all of it is below {ALL} %"]
    for rules in sorted(Path("companion/games").glob("*/rules.py")):
        folder = rules.parent
        if not reached(RULES, f"--include={folder}/*"):
            low.append(f"{folder} is below {RULES} %")
    if low:
        print(f"Tests reach too little: {'; '.join(low)}.", file=sys.stderr)
    return 1 if low else 0


sys.exit(main())
