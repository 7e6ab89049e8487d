"""Makes the README's picture again: `make pictures`.

Starts the companion on the virtual table, lets it play until enough tiles lie on the bed, and puts what the
camera sees beside what a phone shows at that moment. Needs the tests' environment and Chromium.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

PICTURE = Path(__file__).parent / "pictures" / "table-and-phone.png"
MOVES = 10
"""At least so many are played, and the match is not over: enough for regions with owners."""
PATIENCE_S = 300
PHONE = {"width": 390, "height": 844}
POSTER = {"width": 1400, "height": 800}

RUN = ("run", "--camera", "virtual?speed=3", "--host", "127.0.0.1", "--port", "0")

POSTER_PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; width: 1400px; height: 800px; display: flex; gap: 44px; align-items: center;
  justify-content: center; background: #efe9df; font: 20px system-ui, "Liberation Sans", sans-serif;
  color: #3b342b; }}
figure {{ margin: 0; }}
figcaption {{ margin-top: 14px; text-align: center; }}
.table {{ width: 920px; border-radius: 14px; display: block; box-shadow: 0 6px 24px #0003; }}
.phone {{ height: 690px; box-sizing: border-box; border-radius: 30px; border: 9px solid #26221d;
  display: block; box-shadow: 0 6px 24px #0005; }}
</style>
<figure><img class="table" src="data:image/jpeg;base64,{table}">
<figcaption>What the camera sees (here: the virtual table)</figcaption></figure>
<figure><img class="phone" src="data:image/png;base64,{phone}">
<figcaption>What every phone shows</figcaption></figure>"""


@contextmanager
def companion() -> Iterator[str]:
    """The companion on the virtual table, with a home of its own; gives the address of its page."""
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *RUN],
            env=os.environ | {"COMPANION_HOME": home},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield address(process)
        finally:
            process.terminate()
            process.wait(10)


def address(process: subprocess.Popen[str]) -> str:
    """The address that the companion prints. Raises `SystemExit` when it stops before it does."""
    for line in process.stdout or ():
        match = re.search(r"http://\S+", line)
        if match:
            return match.group()
    raise SystemExit("The companion stopped before it printed its address.")


def get(url: str) -> bytes:
    """What is at a URL."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        body: bytes = answer.read()
    return body


def table(url: str) -> dict[str, Any]:
    """The table's view."""
    view: dict[str, Any] = json.loads(get(f"{url}api/table"))
    return view


def one_moment(browser: Browser, url: str) -> tuple[bytes, bytes]:
    """The camera's picture (JPEG) and a phone's page (PNG), taken while nothing changed between them."""
    phone = browser.new_page(viewport=PHONE, device_scale_factor=2)  # type: ignore[arg-type]
    phone.goto(f"{url}watch")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        before = table(url)
        match = before["match"]
        if match["moves"] >= MOVES and match["outcome"] is None and before["sighting"] is None:
            phone.wait_for_timeout(400)
            seen, shown = get(f"{url}api/camera/picture"), phone.screenshot()
            if table(url)["id"] == before["id"]:
                return seen, shown
        time.sleep(0.3)
    raise SystemExit(f"After {PATIENCE_S} s there was no quiet moment with {MOVES} tiles on the bed.")


def main() -> None:
    """Make the picture."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("No Chromium here: sudo apt install chromium")
    with sync_playwright() as playwright, companion() as url:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        seen, shown = one_moment(browser, url)
        poster = browser.new_page(viewport=POSTER)  # type: ignore[arg-type]
        parts = {"table": base64.b64encode(seen).decode(), "phone": base64.b64encode(shown).decode()}
        poster.set_content(POSTER_PAGE.format(**parts))
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        poster.screenshot(path=PICTURE)
        browser.close()
    sys.stdout.write(f"{PICTURE} is made.\n")


if __name__ == "__main__":
    main()
