"""A night in fast-forward: one match after the other, of every game in turn, played over HTTP.

`python -m tests.web.night --matches 500` serves a table and plays at it while phones listen. After each round
of all games it looks at the process: its memory, threads and open files. It prints a line for each round. At
the end it says what has grown since the first third of the night, in which caches fill.
"""

from __future__ import annotations

import gc
import os
import random
import socket
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import click
import msgspec

from companion.games.registry import AnyGame, games
from companion.games.watching import Autoplay
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from tests.running import pages_of
from web.server import Server

MOST_MOVES = 300
"""Moves after which a match is left, and the next one begun."""

LISTENERS = 4
"""Phones that listen. They come again with each match, as people's phones fall asleep."""

MOST_MB = 40.0
"""How much memory may grow in any case, in MB: the caches of exact chances fill in the first half of a night.
It grew from 170 MB after 165 matches to 197 MB after 500."""

MOST_MB_A_MATCH = 0.1
"""How much it may grow besides with each match, in MB: what the allocator keeps."""

MOST_FILES = 5
"""How many more files may be open: connections that the server is about to close."""


class Look(msgspec.Struct, frozen=True):
    """The process after so many matches."""

    matches: int
    moves: int
    memory_mb: float
    threads: int
    files: int

    def line(self) -> str:
        """All of it for a person."""
        return (
            f"{self.matches} matches, {self.moves} moves: {self.memory_mb:.1f} MB, "
            f"{self.threads} threads, {self.files} files"
        )


def grown(looks: list[Look]) -> list[str]:
    """What is not flat between the end of the first third and the end of the night; empty if all is."""
    first, last = looks[len(looks) // 3], looks[-1]
    most_mb = MOST_MB + MOST_MB_A_MATCH * (last.matches - first.matches)
    faults = []
    if last.memory_mb - first.memory_mb > most_mb:
        faults.append(f"memory: {first.memory_mb:.1f} to {last.memory_mb:.1f} MB, {most_mb:.1f} more at most")
    if last.threads > first.threads:
        faults.append(f"threads: {first.threads} to {last.threads}")
    if last.files > first.files + MOST_FILES:
        faults.append(f"files: {first.files} to {last.files}")
    return faults


def look(matches: int, moves: int) -> Look:
    """The process now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    memory_mb = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Look(
        matches, moves, memory_mb, threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
    )


class Phones:
    """Phones on the live stream, and one that taps, each time over a connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: deque[socket.socket] = deque()
        self.broken_off = 0
        """Requests whose connection broke off: a machine that is busy for 10 s gives up slow ones."""

    def ask(self, method: str, path: str, body: object = None) -> None:
        """Send a request. Raises `ValueError` for any answer but 200."""
        try:
            self._ask(method, path, body)
        except ConnectionError:
            self.broken_off += 1

    def _ask(self, method: str, path: str, body: object) -> None:
        sent = b"" if body is None else msgspec.json.encode(body)
        headers = {"Content-Type": "application/json", "Host": "localhost"}
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=60)) as connection:
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            text = answer.read()
        if answer.status != 200:
            raise ValueError(f"{path} gave {answer.status}: {text[:200]!r}")

    def listen(self) -> None:
        """Let the oldest listener go, and another come; read what all have been sent."""
        stream = socket.create_connection(("127.0.0.1", self._port))
        stream.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self._streams.append(stream)
        if len(self._streams) > LISTENERS:
            self._streams.popleft().close()
        self.touch()

    def touch(self) -> None:
        """Read what the listeners were sent."""
        for stream in self._streams:
            stream.setblocking(False)
            try:
                while stream.recv(1 << 16):
                    pass
            except BlockingIOError:
                continue

    def close(self) -> None:
        """Hang up."""
        for stream in self._streams:
            stream.close()


def moves_of(table: Table, chance: random.Random) -> Iterator[object]:
    """The moves of people at the table, until the match is over."""
    for _ in range(MOST_MOVES):
        match = table.match.snapshot
        if match.outcome is not None:
            return
        game: AnyGame = match.game
        move = game.likely_move(match.state, chance.randrange) if isinstance(game, Autoplay) else None
        if move is None:
            legal = list(game.legal_moves(match.state))
            move = chance.choice(legal) if legal else None
        if move is None:
            return
        yield move


def play(table: Table, phones: Phones, chance: random.Random) -> int:
    """One match: every move is tapped, one in ten taken back. Returns the number of moves."""
    count = 0
    for move in moves_of(table, chance):
        seat = table.match.game.private_to(move)
        if seat is not None:
            table.play(move, "phone", seat=seat)  # what only a seat's own phone may tap
        else:
            phones.ask("POST", "/api/moves", msgspec.to_builtins(move))
            count += 1
        if chance.random() < 0.1:
            phones.ask("POST", "/api/undo", {})
        phones.touch()
    return count


def night(matches: int, *, seed: int = 1, say: bool = False) -> list[Look]:
    """Play that many matches; the looks at the process, one for each round of all games."""
    chance, looks, moves = random.Random(seed), list[Look](), 0
    slugs = sorted(games())
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder) / "night.sqlite")) as journal:
        table = new_table(journal, slugs[0], {})
        server = Server(pages_of(table, None), "127.0.0.1", 0)
        server.start()
        phones = Phones(server.port)
        try:
            for number in range(matches):
                table.begin(slugs[number % len(slugs)], {})
                phones.listen()
                for page in ("/", "/history", "/api/matches"):
                    phones.ask("GET", page)
                moves += play(table, phones, chance)
                if (number + 1) % len(slugs) == 0:
                    journal.fold()
                    looks.append(look(number + 1, moves))
                    if say:
                        sys.stdout.write(f"{looks[-1].line()}\n")
                        sys.stdout.flush()
        finally:
            phones.close()
            server.stop()
        if say and phones.broken_off:
            sys.stdout.write(f"{phones.broken_off} requests broke off\n")
    return looks


@click.command()
@click.option("--matches", default=500, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(matches: int, seed: int) -> None:
    """Play the night, and say what has grown."""
    faults = grown(night(matches, seed=seed, say=True))
    click.echo("\n".join(faults) or "all flat")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
