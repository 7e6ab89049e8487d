"""A broker's address and this table's login there, checked and in one value."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from companion import paths
from companion.broker.payloads import ROOT, Topics
from companion.errors import PhrasedError, SettingError
from companion.settings import MOST_NAME


class BrokerError(PhrasedError):
    """The broker cannot be used now; the table itself plays on untouched."""

    family = "broker-fault"


PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The usual port of each kind of address: in the clear, and with TLS."""

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
    root: str = ROOT

    @property
    def topics(self) -> Topics:
        """The topics of this table."""
        return Topics(self.table, self.root)

    def __repr__(self) -> str:
        """Without the password, so that no log can show it."""
        return f"BrokerAddress({self.host!r}, {self.port}, tls={self.tls}, table={self.table!r})"


def broker_address(
    url: str,
    *,
    user: str = "",
    password: str = "",
    table: str = "",
    root: str = "",
    certificates: Path | None = None,
) -> BrokerAddress | None:
    """The broker at `url`; None for an empty one. Raises `SettingError`. `url` is a host alone, or
    `mqtt://HOST[:PORT]`, or `mqtts://HOST[:PORT]` for TLS. An empty `table` takes the machine's name."""
    url = url.strip()
    if not url:
        return None
    try:
        parts = urlsplit(url if "://" in url else f"mqtt://{url}")
        port = parts.port
    except ValueError as error:
        raise SettingError("not-a-broker") from error
    rest = parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment
    if parts.scheme not in PORTS or not parts.hostname or rest or port == 0:
        raise SettingError("not-a-broker")
    return BrokerAddress(
        parts.hostname,
        port or PORTS[parts.scheme],
        parts.scheme == "mqtts",
        topic_name(table or socket.gethostname()),
        user,
        password,
        paths.home() / CERTIFICATES if certificates is None else certificates,
        root or ROOT,
    )


def topic_name(name: str) -> str:
    """A name as one level of a topic: lower-case letters, digits and hyphens; `table` if nothing is left."""
    plain = re.sub(r"[^\w]+|_", "-", name.lower()).strip("-")[:MOST_NAME].strip("-")
    return plain or "table"
