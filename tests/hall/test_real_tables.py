"""Real tables on the real Mosquitto, led by a hall from the first round to the winner's name."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from companion.broker.address import broker_address
from companion.hall.hall import Hall
from companion.hall.link import Link
from companion.hall.payloads import Plan
from companion.hall.view import shown
from tests.broker.conftest import Mosquitto, OnBroker, on_broker, until

pytestmark = pytest.mark.slow

RACE = "cat-and-mouse"
PLAYERS = ("Mei", "Jun", "Hana", "Bo")


def play_out(of_table: OnBroker) -> None:
    """Play the match on a table to its end by taps: the first of the legal moves, again and again."""
    table = of_table.table
    while table.match.outcome is None:
        game, state = table.match.game, table.match.state
        legal = list(game.legal_moves(state))
        table.play(legal[7 * len(table.match.moves) % len(legal)], "phone")


def play_again(of_table: OnBroker) -> None:
    """The same players play once more by themselves."""
    table = of_table.table
    players = dict(table.snapshot.match.players)
    table.begin(RACE, dict(table.match.record.options))
    table.name_players(players, "phone")
    play_out(of_table)


def on_link(url: str, name: str, parts: ExitStack) -> tuple[Hall, Link]:
    """A hall on the broker."""
    address = broker_address(url)
    assert address is not None
    hall = Hall("real", name)
    link = Link(hall, address)
    link.start()
    parts.callback(link.stop)
    return hall, link


def names(of_table: OnBroker) -> set[str]:
    """Who plays on a table."""
    return set(of_table.table.snapshot.match.players.values())


def test_real_tables_play_an_evening(mosquitto: Mosquitto, parts: ExitStack, tmp_path: Path) -> None:
    url = f"mqtt://127.0.0.1:{mosquitto.port}"
    tables = [
        parts.enter_context(on_broker(tmp_path, "this-bed-is-mine", url, f"real-{n}")) for n in range(2)
    ]
    hall, link = on_link(url, "one", parts)
    ours = partial(_ours, hall)
    until(lambda: len(ours()) == 2 and hall.leads, "both tables")
    hall.plan(Plan("Real evening", "swiss", RACE, {"jump_fee": "off"}, rounds=2))
    for name in PLAYERS:
        hall.add(name)
    until(lambda: len(hall.evening.here) == len(PLAYERS), "all players")
    for number in (1, 2):
        hall.next_round()
        until(partial(_all_sit, tables, hall, number), f"round {number} at both tables")
        if number == 2:
            link.stop()
        for each in tables:
            assert each.table.match.game.slug == RACE
            assert each.table.match.record.options["jump_fee"] == "off"
            play_out(each)
            if number == 2:
                play_again(each)
        if number == 2:
            hall, link = on_link(url, "two", parts)
        until(partial(_is_played, hall, number), f"the results of round {number}")
    now = shown(hall)
    assert (now.over, len(now.winners), now.standings[0].score) == (True, 1, 2)
    assert [each.played for each in now.standings] == [2] * len(PLAYERS)
    ended = {(each.match, each.by) for each in hall.evening.results.values()}
    assert ended == {(2, "table"), (3, "table")}, "match 4 is nobody's but the players' own"


def _ours(hall: Hall) -> list[str]:
    return [each.name for each in hall.free_tables if each.name.startswith("real-")]


def _all_sit(tables: list[OnBroker], hall: Hall, number: int) -> bool:
    playing = set().union(*map(names, tables))
    return playing == set(PLAYERS) and len(hall.evening.rounds) == number and _fresh(tables)


def _fresh(tables: list[OnBroker]) -> bool:
    return all(each.table.match.outcome is None for each in tables)


def _is_played(hall: Hall, number: int) -> bool:
    return len(hall.evening.results) == 2 * number
