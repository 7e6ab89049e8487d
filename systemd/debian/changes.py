"""Print the newest part of CHANGELOG.md as plain text."""

import re
import sys
from pathlib import Path

newest = Path("CHANGELOG.md").read_text("utf-8").split("\n## ")[1].partition("\n")[2]
newest = re.sub(r"\n +", " ", newest)
sys.stdout.write(
    re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", newest).replace("**", "").replace("`", "").strip() + "\n"
)
