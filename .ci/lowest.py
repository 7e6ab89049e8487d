"""Print the lowest version of each dependency that pyproject.toml allows, as constraints for pip."""

import tomllib
from pathlib import Path

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]

needs = list(PROJECT["dependencies"])
for extra in ("print", "test"):
    needs += PROJECT["optional-dependencies"][extra]
for need in needs:
    print(need.replace(">=", "==", 1))
