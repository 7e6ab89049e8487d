"""The address of the pages, printed at the start and shown on a Pi's screen."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import segno

from companion import files

CONSOLE = "console.issue"
"""The file that `agetty` shows before the login."""


def address(host: str, port: int) -> str:
    """The address of the pages for other devices in this network."""
    name = reachable(host)
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def greeting(host: str, port: int, pin: str = "") -> str:
    """The first lines of `companion run`: the address, its QR code and the host's PIN."""
    url = address(host, port)
    scan = "Scan it, or open the address on a phone in this network. Ctrl-C stops."
    return f"{url}\n{qr_code(url)}{pin_line(pin)}{scan}"


def pin_line(pin: str) -> str:
    """The line with the host's PIN in two halves of three digits; empty without a PIN."""
    return f"The host's PIN: {pin[:3]} {pin[3:]}\n" if pin else ""


def qr_code(text: str) -> str:
    """A QR code of half blocks, readable on dark and light terminals."""
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def reachable(host: str) -> str:
    """The name of `host` for other devices.

    Without a network it is this machine's mDNS name.
    """
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    return own_address() or f"{socket.gethostname().partition('.')[0]}.local"


def own_address() -> str | None:
    """This machine's address in the local network; None without a network. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return None if address.startswith("0.") else address


class ConsoleIssue:
    """The file `console.issue` in `folder`, with the address and the host's PIN, for a Pi's screen."""

    def __init__(self, folder: Path, host: str, port: int, pin: str = "") -> None:
        self._file = folder / CONSOLE
        self._host, self._port, self._pin = host, port, pin
        self._written = ""

    def update(self) -> None:
        """Write the file if the address has changed. A failed write is ignored."""
        url = address(self._host, self._port)
        if url == self._written:
            return
        try:
            files.write(self._file, f"Table Companion: {url}\n{qr_code(url)}{pin_line(self._pin)}\n".encode())
        except OSError:
            return
        self._written = url
