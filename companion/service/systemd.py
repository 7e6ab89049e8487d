"""Notifies systemd that the companion is ready, alive or stopping; see sd_notify(3).

The main loop sends a heartbeat only while work continues, so systemd restarts a hanging companion. Nothing is
sent without systemd.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from threading import Event

log = logging.getLogger(__name__)

SEND_S = 1.0
HEARTBEATS = 3
"""Heartbeats within the watchdog's time; one may come late."""
WATCHDOG_S = 30.0
"""The watchdog's seconds by default."""


class SystemdNotifier:
    """Sends messages to the service manager that `environment` names, if any."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        watched = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_us = environment.get("WATCHDOG_USEC", "") if watched else ""
        self.heartbeat_s = (int(watchdog_us) / 1e6 if watchdog_us.isdecimal() else WATCHDOG_S) / HEARTBEATS

    def notify(self, **variables: int) -> None:
        """Send variables, for example READY=1. A deaf manager is ignored."""
        if not self._address:
            return
        # An address that begins with @ is an abstract Linux socket.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        message = "\n".join(f"{name}={value}" for name, value in variables.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
                # The main loop must not wait for a manager that does not listen.
                manager.settimeout(SEND_S)
                manager.sendto(message.encode(), address)
        except OSError as error:
            log.warning("The service manager does not listen: %s", error)

    def work(
        self, stopping: Event, at_work: Callable[[], bool], each_time: Callable[[], None] = lambda: None
    ) -> None:
        """Run the main loop until `stopping` is set: send READY, then a heartbeat every `heartbeat_s`.

        A heartbeat needs `at_work`: true if work continued since its last call. `each_time` is called before
        the first round and once per round.
        """
        each_time()
        self.notify(READY=1)
        while not stopping.wait(self.heartbeat_s):
            if at_work():
                self.notify(WATCHDOG=1)
            else:
                log.warning("Nothing has gone on for %.0f s.", self.heartbeat_s)
            each_time()
        self.notify(STOPPING=1)
