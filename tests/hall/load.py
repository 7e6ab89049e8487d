"""How soon a move on a table shows in the hall, with many tables on one broker. Run it by hand:

    python -m tests.hall.load --tables 30 --minutes 20 --speed 20

It starts a Mosquitto and a hall. Each table is a connection that publishes what a real match showed after
each of its moves, at the pace of people (a move each `PACE_S`), `--speed` times as fast. It prints one JSON
object: messages, the 99th percentile from a table's move to a plain listener and to the hall's page,
processor time and memory of broker and hall. With `--no-hall` the broker is measured alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import selectors
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from heapq import heapify, heapreplace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.broker.payloads import OFFLINE, ONLINE, PublishedState, Topics
from tests.broker.conftest import Mosquitto, free_port
from tests.hall.tables import course

PACE_S = 10.0
"""Seconds from one move on a table to the next, as people play."""

FILES = 20_000
"""Sockets that one process may have open."""

AT, TABLE, MATCH = "@AT@", "@TABLE@", 987_654_321
"""Stand for what differs between two messages."""


def packet(kind: int, body: bytes) -> bytes:
    """An MQTT packet: its kind, its length in groups of seven bits, its body."""
    length, left = b"", len(body)
    while True:
        left, seven = divmod(left, 128)
        length += bytes([seven | (128 if left else 0)])
        if not left:
            return bytes([kind]) + length + body


def text(of: str) -> bytes:
    """A text with its length before it."""
    return struct.pack("!H", len(of.encode())) + of.encode()


def connect(topics: Topics) -> bytes:
    """The packet by which a table connects, with its last will (QoS 1, retained)."""
    will = b"\0" + text(topics.topic("status")) + text(OFFLINE)
    return packet(
        0x10, text("MQTT") + b"\x05\x2e" + struct.pack("!H", 600) + b"\0" + text(topics.table) + will
    )


def publish(topic: str, payload: bytes, number: int) -> bytes:
    """A retained message with QoS 1."""
    return packet(0x33, text(topic) + struct.pack("!H", number) + b"\0" + payload)


class Tables:
    """All tables, each with a connection of its own, in one thread."""

    def __init__(self, port: int, count: int, every_s: float) -> None:
        self.sent_s: dict[tuple[str, int], float] = {}
        """When each move was sent, by the table and the number of the move."""
        self.messages = 0
        self._port, self._every_s = port, every_s
        self._texts = [_state(view) for view in course()]
        self._stopping = Event()
        self._selector = selectors.DefaultSelector()
        self._sockets = [self._joined(f"t{n}") for n in range(count)]
        self._due: list[tuple[float, int]] = []
        self._moves = [0] * count
        self._thread = Thread(target=self._run, daemon=True)

    def _joined(self, name: str) -> socket.socket:
        joined = socket.create_connection(("127.0.0.1", self._port))
        topics = Topics(name)
        joined.sendall(connect(topics) + publish(topics.topic("status"), ONLINE.encode(), 1))
        self._selector.register(joined, selectors.EVENT_READ)
        return joined

    def start(self) -> None:
        """Begin to play, not all at the same moment."""
        chance = Random(1)
        self._due = [(time.time() + chance.random() * self._every_s, n) for n in range(len(self._moves))]
        heapify(self._due)
        self._thread.start()

    def stop(self) -> None:
        """Play no more."""
        self._stopping.set()
        self._thread.join()
        for each in self._sockets:
            each.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            due_s, table = self._due[0]
            now_s = time.time()
            for key, _ in self._selector.select(max(0.0, due_s - now_s)):
                key.fileobj.recv(65_536)  # type: ignore[union-attr]
            if time.time() >= due_s:
                heapreplace(self._due, (due_s + self._every_s, table))
                self._move(table)

    def _move(self, table: int) -> None:
        self._moves[table] += 1
        match, at = divmod(self._moves[table], len(self._texts))
        name, now_s = f"t{table}", time.time()
        payload = (
            self._texts[at].replace(TABLE, name).replace(AT, repr(now_s)).replace(str(MATCH), str(match + 1))
        )
        self.sent_s[name, self._moves[table]] = now_s
        self._sockets[table].sendall(
            publish(Topics(name).topic("state"), payload.encode(), self._moves[table] % 60_000 + 2)
        )
        self.messages += 1


def _state(view: Any) -> str:
    of_match = msgspec.structs.replace(view, id=MATCH)
    return msgspec.json.encode(PublishedState(TABLE, TABLE, AT, of_match)).decode()


class PlainListener:
    """Hears every state, and how long each was on its way."""

    def __init__(self, port: int) -> None:
        self.late_s: list[float] = []
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, "listener", protocol=mqtt.MQTTv5)
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("table-companion/+/state", 1)
        self.client.loop_start()

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        now_s = time.time()
        if not message.retain:
            self.late_s.append(now_s - float(msgspec.json.decode(message.payload)["at"]))


class Page:
    """A browser on the hall's page: how late each move shows there."""

    def __init__(self, port: int, tables: Tables) -> None:
        self.late_s: list[float] = []
        self.events = self.bytes = 0
        self._shown: dict[str, int] = {}
        self._tables = tables
        self._answer = urlopen(f"http://127.0.0.1:{port}/api/events")
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):
            self._read_lines()

    def _read_lines(self) -> None:
        for line in self._answer:
            if not line.startswith(b"data: {"):
                continue
            now_s = time.time()
            self.events, self.bytes = self.events + 1, self.bytes + len(line)
            for each in json.loads(line[6:]).get("tables", ()):
                move = (each["match"] - 1) * len(course()) + each["moves"]
                if self._shown.get(each["name"]) not in (None, move):
                    sent_s = self._tables.sent_s.get((each["name"], move))
                    if sent_s is not None:
                        self.late_s.append(now_s - sent_s)
                self._shown[each["name"]] = move


def percentiles_ms(late_s: list[float]) -> dict[str, float]:
    """The middle, the 99th percentile and the worst."""
    ordered = sorted(late_s)
    if not ordered:
        return {}
    of = {"p50": 0.5, "p99": 0.99, "most": 1.0}
    return {
        name: round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)
        for name, part in of.items()
    }


def use_of(pid: int) -> tuple[float, float]:
    """A process's processor time in seconds and its memory in MB."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf(
        "SC_PAGE_SIZE"
    ) / 1e6


@contextmanager
def a_hall(broker: int) -> Iterator[tuple[int, int]]:
    """A hall in a process of its own: its port and number."""
    port = free_port()
    command = [sys.executable, "-m", "companion", "hall", "--broker", f"mqtt://127.0.0.1:{broker}"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        for _ in range(300):
            try:
                urlopen(f"http://127.0.0.1:{port}/health").close()
                break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
        process.terminate()


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=20, help="minutes of play")
    parser.add_argument("--speed", type=float, default=20, help="how many times as fast as people")
    parser.add_argument("--no-hall", action="store_true")
    given = parser.parse_args()
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (FILES, max(FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    )
    with ExitStack() as parts:
        broker = Mosquitto(Path(parts.enter_context(TemporaryDirectory())), "max_queued_messages 100000")
        broker.start()
        parts.callback(broker.kill)
        pids = {"broker": broker._running.pid}  # type: ignore[union-attr]
        # First, because paho cannot wait for a socket whose number is above 1024.
        listener, page = PlainListener(broker.port), None
        tables = Tables(broker.port, given.tables, PACE_S / given.speed)
        if not given.no_hall:
            port, pids["hall"] = parts.enter_context(a_hall(broker.port))
            page = Page(port, tables)
        time.sleep(2)
        before = {name: use_of(pid)[0] for name, pid in pids.items()}
        began_s = time.monotonic()
        tables.start()
        time.sleep(60 * given.minutes / given.speed)
        took_s = time.monotonic() - began_s
        tables.stop()
        time.sleep(3)
        figures: dict[str, Any] = {
            "tables": given.tables,
            "seconds": round(took_s, 1),
            "messages": tables.messages,
            "heard": len(listener.late_s),
            "a_second": round(tables.messages / took_s, 1),
            "to_listener_ms": percentiles_ms(listener.late_s),
            "load": os.getloadavg()[0],
        }
        if page is not None:
            figures["to_page_ms"] = percentiles_ms(page.late_s)
            figures["page"] = {"events": page.events, "mb": round(page.bytes / 1e6, 1)}
        for name, pid in pids.items():
            used_s, memory_mb = use_of(pid)
            figures[name] = {
                "cores": round((used_s - before[name]) / took_s, 2),
                "memory_mb": round(memory_mb, 1),
            }
        sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
