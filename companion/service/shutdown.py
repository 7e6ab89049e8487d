"""Ends the program in a set time, whatever its threads are doing.

A thread inside OpenCV or a camera's driver cannot be interrupted. If Python ends around it, the thread
returns to a lost interpreter, and C++ aborts the whole process. So, once everything is stopped and kept, a
busy thread is ended with the process.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from threading import Thread, main_thread
from threading import enumerate as running_threads
from time import monotonic

STOP_S = 2.0


def stop_together(*stops: Callable[[], object], within_s: float = STOP_S) -> None:
    """Call each of `stops` in its own thread; return when all are done, or after `within_s` seconds."""
    threads = [Thread(target=stop, name="stop", daemon=True) for stop in stops]
    for thread in threads:
        thread.start()
    ends = monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, ends - monotonic()))


def leave(status: int = 0) -> None:
    """End the process at once if another thread is busy; else return, so that Python ends as usual.

    Call it last, when all data is on the disk: no `finally` of any thread runs after it.
    """
    at_work = [thread.name for thread in running_threads() if thread is not main_thread()]
    if not at_work:
        return
    logging.getLogger(__name__).info("Still at work at the end: %s.", ", ".join(sorted(at_work)))
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)
