"""By which names this table is asked for. A request for another name is not answered.

Any site can have its own name point to this machine (DNS rebinding). A browser then takes the site's page and
ours for the same site, and neither `Sec-Fetch-Site` nor `Origin` tells them apart; the name alone does.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import ip_address

HOST = re.compile(r"(?:\[(?P<six>[^\[\]]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>\d{1,5}))?", re.ASCII)
"""A `Host` header: an address or a name, and the port. An IPv6 address stands in brackets."""

HOME = "local"
"""The top-level domain of mDNS, by which machines of a home network name themselves: no site can have it."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which a machine reaches itself, and no phone reaches it."""


def is_ours(host: str, names: Collection[str] = ()) -> bool:
    """Whether a `Host` header names this machine; `names` are those that the owner added, in lower case.

    An IP address is no site's name. An empty header comes from programs alone: a browser sends one.
    """
    if not host:
        return True
    parts = HOST.fullmatch(host)
    if parts is None:
        return False
    if parts["six"] or is_address(parts["name"]):
        return is_address(parts["six"] or parts["name"])
    name = parts["name"].lower().removesuffix(".")
    return name == "localhost" or name.endswith(f".{HOME}") or name in own_names() or name in names


def name_and_port(host: str) -> tuple[str, str]:
    """A `Host` header of ours in its two parts: an IPv6 address in its brackets; no port is empty."""
    parts = HOST.fullmatch(host)
    if parts is None:
        return host, ""
    return f"[{parts['six']}]" if parts["six"] else parts["name"], parts["port"] or ""


def own_names() -> frozenset[str]:
    """The names of this machine, in lower case: its host name, whole and without a domain."""
    name = socket.gethostname().lower()
    return frozenset({name, name.partition(".")[0]} - {""})


def is_address(text: str) -> bool:
    """Whether a name is a mere IP address, with or without the brackets of an IPv6 address."""
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True
