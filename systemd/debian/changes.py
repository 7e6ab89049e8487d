"""Print the newest part of CHANGELOG.md as plain text: as many changes as a field of the package holds."""

import re
import sys
from pathlib import Path

LONGEST = 4900
"""Characters; lintian takes a field of 5,000."""

newest = Path("CHANGELOG.md").read_text("utf-8").split("\n## ")[1].partition("\n")[2]
newest = re.sub(r"\n +", " ", newest)
newest = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", newest).replace("**", "").replace("`", "").strip() + "\n"
sys.stdout.write(newest if len(newest) < LONGEST else newest[:LONGEST].rpartition("\n")[0] + "\n- …\n")
