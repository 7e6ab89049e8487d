"""Tells systemd how the companion fares: ready, still at work, stopping. Without systemd nothing is told.

The watchdog is fed from the main loop, and only while the work goes on: what hangs is begun anew.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from threading import Event

log = logging.getLogger(__name__)

SEND_S = 1.0
"""How long a message to the manager may take."""
FEEDS_A_TERM = 3
"""The watchdog is fed so often within its time: one feed may come late."""
TERM_S = 30.0
"""How often it is looked whether the work goes on, times FEEDS_A_TERM, where nobody watches."""


class Notifier:
    """Speaks to the service manager that `environment` names, or to nobody."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        watched = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        term_us = environment.get("WATCHDOG_USEC", "") if watched else ""
        self.feed_every_s = (int(term_us) / 1e6 if term_us.isdecimal() else TERM_S) / FEEDS_A_TERM

    def tell(self, **what: int) -> None:
        """Send variables (`READY=1`); a manager that does not listen changes nothing."""
        if not self._address:
            return
        # A name that begins with @ is one of Linux' own, without a file.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        told = "\n".join(f"{name}={value}" for name, value in what.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
                # The main loop must not wait for a manager that does not listen.
                manager.settimeout(SEND_S)
                manager.sendto(told.encode(), address)
        except OSError as error:
            log.warning("The service manager does not listen: %s", error)

    def work(
        self, stopping: Event, at_work: Callable[[], bool], each_time: Callable[[], None] = lambda: None
    ) -> None:
        """The main loop: tell that all is ready, then feed the watchdog while `at_work()`, until stopped.

        `at_work` tells whether the work has gone on since it was asked last; `each_time` is called once a
        round, and before the first.
        """
        each_time()
        self.tell(READY=1)
        while not stopping.wait(self.feed_every_s):
            if at_work():
                self.tell(WATCHDOG=1)
            else:
                log.warning("Nothing has gone on for %.0f s.", self.feed_every_s)
            each_time()
        self.tell(STOPPING=1)
