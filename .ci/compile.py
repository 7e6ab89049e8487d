"""Hatch's step before a wheel or an editable install: compiles what thinks faster so, where a C compiler is.

`CC=` in the environment: a wheel for every machine, with nothing compiled.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

PLAYER = Path("companion/games/this_bed_is_mine/player")


class Compile(BuildHookInterface):  # type: ignore[type-arg]
    """Found by its base class, whatever it is called."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say for which machine the wheel is."""
        if shutil.which(os.environ.get("CC", "cc")) is None:
            self.app.display_warning("No C compiler: the computer thinks less far in This Bed Is Mine.")
            return
        subprocess.run([Path(self.root) / PLAYER / "compile"], check=True)
        machine = next(tag.platform for tag in sys_tags() if "manylinux" not in tag.platform)
        build_data["artifacts"].append(f"/{PLAYER}/bed.so")
        build_data["tag"] = f"py3-none-{machine}"
