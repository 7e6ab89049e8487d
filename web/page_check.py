"""Whether a page can be served: asked for as a phone asks for it, over a connection of its own."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from threading import Event, Thread

WAIT_S = 5.0
"""Seconds within which a page has to come."""


class PageCheck:
    """Asks the server at `host`:`port` for the table's page, once each time that it is asked itself."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = _reached_at(host), port
        self._came = Event()
        self._thread = self._ask()

    def came(self) -> bool:
        """Whether the page that the last call asked for has come; asks for the next one without waiting."""
        if self._thread.is_alive():
            return False
        came = self._came.is_set()
        self._thread = self._ask()
        return came

    def _ask(self) -> Thread:
        self._came.clear()
        thread = Thread(target=self._fetch, name="page-check", daemon=True)
        thread.start()
        return thread

    def _fetch(self) -> None:
        connection = HTTPConnection(self._host, self._port, timeout=WAIT_S)
        try:
            connection.request("GET", "/", headers={"Host": "localhost"})
            answer = connection.getresponse()
            if answer.read() and answer.status == 200:
                self._came.set()
        except (OSError, HTTPException):
            return  # it did not come
        finally:
            connection.close()


def _reached_at(host: str) -> str:
    """The address by which this machine reaches a server at `host`."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return ("127.0.0.1" if address.version == 4 else "::1") if address.is_unspecified else host
