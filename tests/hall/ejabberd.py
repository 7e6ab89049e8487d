"""A second MQTT 5 broker, of another make and language: ejabberd, started by a test on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.broker.conftest import Mosquitto, free_port, until

EJABBERDCTL = shutil.which("ejabberdctl", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
LACKING = (
    ""
    if EJABBERDCTL and os.geteuid() == 0 and os.environ.get("EVERY_BROKER")
    else "the second broker takes a minute: EVERY_BROKER=1 as root, with apt install ejabberd"
)
"""Why it is not tried; empty where it is."""

CONFIGURATION = """
hosts: [localhost]
listen:
  - {{port: {port}, ip: "127.0.0.1", module: mod_mqtt, backlog: 1000}}
auth_method: [anonymous]
anonymous_protocol: login_anon
allow_multiple_connections: true
modules:
  mod_mqtt:
    access_publish: {{"#": [allow]}}
    access_subscribe: {{"#": [allow]}}
    match_retained_limit: infinity
    max_queue: 100000
"""


class Ejabberd(Mosquitto):
    """The same for a test as a Mosquitto. It knows nobody without a name, so everybody is `user`."""

    user = "anybody@localhost"

    def __init__(self) -> None:
        # Its own user must get there, which a test's folder does not allow.
        self.folder = Path(mkdtemp(prefix="ejabberd-", dir="/var/tmp"))
        self.port = free_port()
        self._node = f"hall{self.port}@localhost"
        self._running: subprocess.Popen[bytes] | None = None
        (self.folder / "ejabberd.yml").write_text(CONFIGURATION.format(port=self.port), "utf-8")
        # Its own port for the node, so that no name server stays behind.
        (self.folder / "ejabberdctl.cfg").write_text(f"ERL_DIST_PORT={free_port()}\n", "utf-8")
        shutil.copy("/etc/ejabberd/inetrc", self.folder)
        owner = pwd.getpwnam("ejabberd")
        for each in (self.folder, *self.folder.iterdir()):
            os.chown(each, owner.pw_uid, owner.pw_gid)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert EJABBERDCTL is not None
        places = ["--config-dir", "", "--config", "ejabberd.yml", "--ctl-config", "ejabberdctl.cfg"]
        places += ["--logs", "", "--spool", "", "--node", self._node]
        words = [each if each.startswith("--") or "@" in each else str(self.folder / each) for each in places]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._running = subprocess.Popen([EJABBERDCTL, *words, "foreground"], start_new_session=True, **quiet)
        until(self._listens, "ejabberd")

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._running is not None:
            # It runs as a user of its own, in a session of its own: known by its node's name alone.
            for each in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):
                    if self._node.encode() in each.read_bytes():
                        os.kill(int(each.parent.name), signal.SIGKILL)
            self._running.wait()
            self._running = None

    def remove(self) -> None:
        """Leave nothing behind."""
        self.kill()
        shutil.rmtree(self.folder)
