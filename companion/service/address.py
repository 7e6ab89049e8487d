"""Where the pages are found: said at the start, and kept up to date for the screen of a Pi."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import segno

CONSOLE = "console.issue"
"""What a screen shows before anybody logs in (`agetty` reads it)."""


def address(host: str, port: int) -> str:
    """The pages' address for other devices in this network."""
    named = reachable(host)
    return f"http://{named}/" if port == 80 else f"http://{named}:{port}/"


def greeting(host: str, port: int) -> str:
    """What is printed when the table stands: the address, and the same as a QR code."""
    told = address(host, port)
    return f"{told}\n{qr_code(told)}Scan it, or open the address on a phone in this network. Ctrl-C stops."


def qr_code(text: str) -> str:
    """A QR code of half blocks, for a dark terminal and a light one."""
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def reachable(host: str) -> str:
    """The name at which other devices find `host`; no packet is sent to learn it.

    Without a network it is this machine's name in the network to come.
    """
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().partition('.')[0]}.local"


class Doorplate:
    """Keeps `console.issue` in `folder` telling the address, which changes with the network."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        self._file = folder / CONSOLE
        self._host, self._port = host, port
        self._told = ""

    def look(self) -> None:
        """Write it anew if the address has changed; where nothing can be written, nothing is."""
        now = address(self._host, self._port)
        if now == self._told:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(f"Table Companion: {now}\n{qr_code(now)}\n", "utf-8")
        except OSError:
            return
        self._told = now
