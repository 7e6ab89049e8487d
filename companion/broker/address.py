"""Where a broker is and who asks: the settings about it, checked and in one value."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion import paths
from companion.errors import SettingError

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The usual port of each kind of address: in the clear, and with TLS."""

MOST_NAME = 40
"""Characters of a table's name in topics."""

CERTIFICATES = "broker"
"""The folder in `paths.home()` with the certificates for the broker."""

AUTHORITY, CERTIFICATE, KEY = "ca.pem", "client.pem", "client.key"
"""The files in that folder: who signs the broker's certificate, this table's own certificate, and its key."""


class BrokerAddress(msgspec.Struct, frozen=True):
    """A broker and this table's part there; `certificates` is the folder with files for TLS."""

    host: str
    port: int
    tls: bool
    table: str
    user: str = ""
    password: str = ""
    certificates: Path = Path()

    def __repr__(self) -> str:
        """Without the password, so that no log can show it."""
        return f"BrokerAddress({self.host!r}, {self.port}, tls={self.tls}, table={self.table!r})"


def broker_address(
    url: str, *, user: str = "", password: str = "", table: str = "", certificates: Path | None = None
) -> BrokerAddress | None:
    """The broker at `url`; None for an empty one. Raises `SettingError`.

    `url` is a host alone, or `mqtt://HOST[:PORT]`, or `mqtts://HOST[:PORT]` for TLS. A `table` without a name
    is called by the machine's.
    """
    url = url.strip()
    if not url:
        return None
    parts = urlsplit(url if "://" in url else f"mqtt://{url}")
    try:
        port = parts.port
    except ValueError as error:
        raise SettingError("not-a-broker", url=url) from error
    rest = parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment
    if parts.scheme not in PORTS or not parts.hostname or rest or port == 0:
        raise SettingError("not-a-broker", url=_without_user(url))
    return BrokerAddress(
        parts.hostname,
        port or PORTS[parts.scheme],
        parts.scheme == "mqtts",
        topic_name(table or socket.gethostname()),
        user,
        password,
        paths.home() / CERTIFICATES if certificates is None else certificates,
    )


def topic_name(name: str) -> str:
    """A name as one level of a topic: letters, digits and hyphens, in lower case; `table` if none is left."""
    plain = re.sub(r"[^\w]+|_", "-", name.lower()).strip("-")[:MOST_NAME].strip("-")
    return plain or "table"


def _without_user(url: str) -> str:
    """The address without a user and a password that somebody wrote into it."""
    return re.sub(r"(?<=://).*@", "", url)
