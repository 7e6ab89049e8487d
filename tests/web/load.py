"""Many phones on the live stream: what each is sent, and how late.

`python -m tests.web.load --phones 200 --rate 10 --seconds 300` serves a table, changes it, listens from a
process of its own, and prints how many phones got the states in order, the delay from the change to each
phone, the server's memory and the seconds of processor time. Times are those of one machine that does both.
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import selectors
import socket
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import click
import msgspec

from companion.play.journal import Journal
from companion.play.table import Table, new_table
from tests.conftest import BED, OPENING
from tests.running import pages_of
from web.server import Server

ID = re.compile(rb"^id: \S*-(\d+)\r?$", re.MULTILINE)
READ_BYTES = 1 << 16


class Load(msgspec.Struct, frozen=True):
    """What was measured.

    `in_order` phones got the newest state at last and none after a newer one, `complete` ones every state;
    `refused` ones got no stream. `delays_ms`: of every state at every phone, sorted.
    """

    phones: int
    states: int
    in_order: int
    complete: int
    refused: int
    delays_ms: list[float]
    seconds: float
    cpu_s: float
    memory_mb: float

    def percentile(self, share: float) -> float:
        """The delay in ms that this share of all states came within."""
        return self.delays_ms[min(len(self.delays_ms) - 1, int(share * len(self.delays_ms)))]

    def line(self) -> str:
        """All of it for a person."""
        return (
            f"{self.phones} phones, {self.states} states in {self.seconds:.0f} s: {self.in_order} in order, "
            f"{self.complete} with every state, {self.refused} refused; "
            f"delay p50 {self.percentile(0.5):.1f}, p99 {self.percentile(0.99):.1f}, "
            f"worst {self.delays_ms[-1]:.1f} ms; "
            f"server {self.cpu_s:.1f} s of processor time, {self.memory_mb:.0f} MB"
        )


def measure(phones: int, rate: float, seconds: float) -> Load:
    """Change a table `rate` times a second while so many phones listen."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        table = new_table(journal, BED, {})
        server = Server(pages_of(table, None), "127.0.0.1", 0)
        server.start()
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        crowd = context.Process(target=listen, args=(theirs, server.port, phones), daemon=True)
        crowd.start()
        refused: int = ours.recv()
        cpu_s = time.process_time()
        changed = change(table, rate, seconds)
        cpu_s = time.process_time() - cpu_s
        ours.send(table.snapshot.version)
        heard: list[list[tuple[int, float]]] = ours.recv()
        crowd.join()
        server.stop()
        journal.close()
    delays = sorted(
        1000 * (at - changed[version]) for phone in heard for version, at in phone if version in changed
    )
    every = list(changed)
    versions = [[version for version, _ in phone if version in changed] for phone in heard]
    in_order = sum(got == sorted(set(got)) and got[-1:] == every[-1:] for got in versions)
    complete = sum(got == every for got in versions)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Load(phones, len(changed), in_order, complete, refused, delays, seconds, cpu_s, memory_mb)


def change(table: Table, rate: float, seconds: float) -> dict[int, float]:
    """Play and take back a move, `rate` times a second; when each version began to be, in seconds."""
    changed: dict[int, float] = {}
    began = time.monotonic()
    for number in range(int(rate * seconds)):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        at = time.monotonic()
        if number % 2:
            table.undo("phone")
        else:
            table.play(OPENING[0], "phone")
        changed[table.snapshot.version] = at
    return changed


def listen(pipe: Connection, port: int, phones: int) -> None:
    """Listen on so many streams, for 5 s more at most once the last version came through the pipe."""
    ready, heard, texts = selectors.DefaultSelector(), {}, {}
    refused = 0
    for _ in range(phones):
        phone = socket.create_connection(("127.0.0.1", port))
        phone.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if b" 200 " in phone.recv(READ_BYTES).split(b"\r\n")[0]:
            ready.register(phone, selectors.EVENT_READ)
            heard[phone], texts[phone] = [], b""
        else:
            refused += 1
    pipe.send(refused)
    last, ends = -1, float("inf")
    while time.monotonic() < ends and (
        last < 0 or any(not got or got[-1][0] < last for got in heard.values())
    ):
        for key, _ in ready.select(0.05):
            phone = key.fileobj
            data = phone.recv(READ_BYTES)  # type: ignore[union-attr]
            at = time.monotonic()
            if not data:
                ready.unregister(phone)  # the server has ended it: it is not in order at the end
                continue
            text = texts[phone] + data
            heard[phone] += [(int(version), at) for version in ID.findall(text)]
            texts[phone] = text[text.rfind(b"\n") + 1 :] if b"\n" in text else text
        if last < 0 and pipe.poll():
            last, ends = pipe.recv(), time.monotonic() + 5
    pipe.send(list(heard.values()))


@click.command()
@click.option("--phones", default=200, show_default=True)
@click.option("--rate", default=10.0, show_default=True, help="Changes a second.")
@click.option("--seconds", default=300.0, show_default=True)
def main(phones: int, rate: float, seconds: float) -> None:
    """Measure, and print a line."""
    click.echo(measure(phones, rate, seconds).line())


if __name__ == "__main__":
    main()
