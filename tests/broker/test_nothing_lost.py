"""Nothing is lost and nothing private is told, whatever becomes of the broker or of the table."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.registry import game, games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import Listener, Mosquitto, OnBroker, on_broker, until
from tests.broker.test_description import check_described
from tests.conformance.golden import files, playthrough

PERSISTENT = ("persistence true", "autosave_on_changes true", "autosave_interval 1")
"""A broker that keeps what it has taken through a power cut."""


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker of the test's own, to be killed."""
    folder = tmp_path / "mosquitto"
    folder.mkdir(mode=0o777)
    broker = Mosquitto(folder, *PERSISTENT, f"persistence_location {folder}/", "user root")
    broker.start()
    yield broker
    broker.kill()


def golden(slug: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The options and the moves of a game's golden playthrough, those of seats in private among them."""
    head, *lines = playthrough(files(game(slug))[-1])
    return head, [line["move"] for line in lines if "refused" not in line]


def play(table: Table, moves: list[dict[str, Any]]) -> None:
    """Play moves, each from the seat whose own it is."""
    rules = table.match.game
    for move in moves:
        table.play(move, "phone", seat=rules.private_to(rules.move(move)))


def open_moves(table: Table) -> list[tuple[int, dict[str, Any]]]:
    """What the journal holds in the open: each entry's number among those, and its body."""
    return [(n, each.body) for n, each in enumerate(table.match.entries(), 1)]


def published_in(listener: Listener) -> list[tuple[int, dict[str, Any]]]:
    """The same as it was published, each id once."""
    entries = sorted(listener.entries().values(), key=lambda each: each["n"])
    return [(each["n"], each["move"] or {}) for each in entries]


@pytest.mark.slow
@pytest.mark.parametrize("slug", games())
def test_a_whole_match_arrives_while_the_broker_dies_thrice(
    slug: str, mortal: Mosquitto, tmp_path: Path
) -> None:
    head, moves = golden(slug)
    listener = Listener(mortal.port)
    url = f"mqtt://127.0.0.1:{mortal.port}"
    with on_broker(tmp_path, slug, url, seats=head["seats"], **head["options"]) as one:
        quarter = len(moves) // 4 + 1
        for begin in range(0, len(moves), quarter):
            play(one.table, moves[begin : begin + quarter // 2])
            until(lambda: len(listener.entries()) == len(open_moves(one.table)), "the entries so far")
            if begin:
                mortal.kill()
            play(one.table, moves[begin + quarter // 2 : begin + quarter])
            if begin:
                mortal.start()
        until(lambda: len(listener.entries()) == len(open_moves(one.table)), "every entry")
        assert published_in(listener) == open_moves(one.table)
        until(lambda: listener.payloads("health")[-1]["unsent"] == 0, "the count once the broker has all")
        until(lambda: listener.payloads("state")[-1]["match"]["n"] == one.table.match.n_of(None), "the end")
        assert listener.payloads("state")[-1]["match"]["n"] == len(open_moves(one.table))
        for topic, payload in listener.heard:
            if topic.startswith("table-companion/"):
                check_described(topic, payload)
    listener.close()


AT = "2026-01-01T00:00:00.000+00:00"
"""The one time at which everything happens: so two tables differ only in what was done there."""

POWER_CUT = """
import sys, os, signal
from pathlib import Path
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import OnBroker, until
from tests.broker.test_nothing_lost import golden, play
path, url = Path(sys.argv[1]), sys.argv[2]
journal = Journal(path)
one = OnBroker(journal, Table(journal, Match.begin(journal, "cat-and-mouse", {})), "one", url)
until(lambda: one.broker.state == "connected", "the broker")
play(one.table, golden("cat-and-mouse")[1][:12])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_power_cut_at_the_table_loses_no_entry(mortal: Mosquitto, tmp_path: Path) -> None:
    listener = Listener(mortal.port)
    url = f"mqtt://127.0.0.1:{mortal.port}"
    path = tmp_path / "journal.sqlite"
    cut = [sys.executable, "-c", POWER_CUT, str(path), url]
    ran = subprocess.run(cut, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert ran.returncode == -signal.SIGKILL
    until(lambda: listener.payloads("status")[-1:] == ["offline"], "the last will")
    journal = Journal(path)
    one = OnBroker(journal, Table.open(journal, None), "one", url)
    play(one.table, golden("cat-and-mouse")[1][12:15])
    until(lambda: len(listener.entries()) == 15, "what was kept before the cut and after it")
    assert published_in(listener) == open_moves(one.table)
    one.stop()
    listener.close()


def bare(payload: dict[str, Any]) -> dict[str, Any]:
    """A payload without what tells one table, or one moment, from another."""
    return {name: value for name, value in payload.items() if name not in ("table", "name", "at")}


def test_what_is_published_does_not_depend_on_what_any_seat_notes(
    mosquitto: Mosquitto, listener: Listener, tmp_path: Path
) -> None:
    head, moves = golden("exploding-kittens")
    rules = game("exploding-kittens")
    private = [move for move in moves if rules.private_to(rules.move(move)) is not None]
    assert len(private) > 5
    url = f"mqtt://127.0.0.1:{mosquitto.port}"
    for name, played in (("notes", moves), ("none", [move for move in moves if move not in private])):
        journal = Journal(tmp_path / f"{name}.sqlite", clock=lambda: AT)
        begun = Match.begin(journal, rules.slug, head["options"], head["seats"])
        played_on(listener, OnBroker(journal, Table(journal, begun), name, url), played)
    assert list(map(bare, of(listener, "notes", "moves"))) == list(map(bare, of(listener, "none", "moves")))
    states = {each["match"]["n"]: bare(each) for each in of(listener, "none", "state")}
    for state in of(listener, "notes", "state"):
        assert bare(state) == states.get(state["match"]["n"], bare(state))
    assert bare(of(listener, "notes", "state")[-1]) == bare(of(listener, "none", "state")[-1])
    said = b"".join(payload for topic, payload in listener.heard if "/notes/" in topic)
    assert not [move for move in private if rules.notation(rules.move(move)).encode() in said]


def played_on(listener: Listener, one: OnBroker, moves: list[dict[str, Any]]) -> None:
    """Play moves at a table, until all that they lead to has been published."""
    until(lambda: of(listener, one.name, "state"), "the first state")
    play(one.table, moves)
    n = one.table.match.n_of(None)
    until(lambda: of(listener, one.name, "state")[-1]["match"]["n"] == n, "the end")
    until(lambda: len(of(listener, one.name, "moves")) == n, "every entry")
    one.stop()


def of(listener: Listener, table: str, end: str) -> list[dict[str, Any]]:
    """What one table published to one of its topics."""
    return [each for each in listener.payloads(end) if each["table"] == table]
