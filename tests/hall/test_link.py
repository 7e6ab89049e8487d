"""Halls and thirty tables on the real Mosquitto: killed, restarted, cut off; nothing is lost or doubled."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

import pytest

from companion.broker.address import broker_address
from companion.hall.hall import Hall
from companion.hall.link import Link
from companion.hall.payloads import Plan
from tests.broker.conftest import Mosquitto, until
from tests.hall.tables import RACE, WireTable, course

pytestmark = pytest.mark.slow

TABLES = 30
ROUNDS = 3


def user_of(broker: Mosquitto) -> str:
    """The name by which a broker wants to know everybody; most want none."""
    return getattr(broker, "user", "")


class Joined:
    """A hall that is on the broker."""

    def __init__(self, name: str, broker: Mosquitto, parts: ExitStack) -> None:
        address = broker_address(
            f"mqtt://127.0.0.1:{broker.port}", user=user_of(broker), password="any" if user_of(broker) else ""
        )
        assert address is not None
        self.hall = Hall("tonight", name)
        self.link = Link(self.hall, address)
        self.link.start()
        parts.callback(self.link.stop)


def test_an_evening_of_thirty_tables_survives_whatever_fails(any_broker: Mosquitto, parts: ExitStack) -> None:
    tables = [WireTable(f"table-{n}", any_broker.port, user_of(any_broker)) for n in range(1, TABLES + 1)]
    parts.callback(lambda: [table.close() for table in tables])
    until(lambda: all(table.is_known for table in tables), "every table at the broker")
    first, second = Joined("a", any_broker, parts), Joined("b", any_broker, parts)
    hall = second.hall
    until(lambda: len(hall.free_tables) == TABLES and len(hall.halls) == 2, "all tables and both halls")
    hall.plan(Plan("Thirty tables", "swiss", RACE, rounds=ROUNDS))
    for n in range(2 * TABLES):
        hall.add(f"Player {n}")
    until(lambda: len(hall.evening.here) == 2 * TABLES, "all players")
    for number in range(1, ROUNDS + 1):
        hall.next_round()
        until(partial(_begun, tables, number), f"round {number} at every table")
        _play(tables, 10)
        if number == 1:
            first.link.stop()
        if number == 2:
            second.link.stop()
            hall = Joined("c", any_broker, parts).hall
            until(partial(_knows, hall, {1, 2}), "the evening, at a hall that has just begun")
            tables[0].cut()
            until(partial(_is_away, hall, "table-1"), "the last will of a table without power")
            tables[0] = tables[0].again()
        any_broker.kill()
        _play(tables, 5)
        any_broker.start()
        for table in tables:
            table.show(table.finish)
        until(partial(_has_every_result, hall), f"every result of round {number}")
    _check(tables, hall)


def _knows(hall: Hall, rounds: set[int]) -> bool:
    return hall.evening.rounds.keys() == rounds


def _is_away(hall: Hall, table: str) -> bool:
    return not hall.tables[table].is_online


def _has_every_result(hall: Hall) -> bool:
    return not hall.evening.open_pairings


def _begun(tables: list[WireTable], number: int) -> bool:
    return all(len(table.begun) == number and table.at == 0 for table in tables)


def _play(tables: list[WireTable], moves: int) -> None:
    for _ in range(min(moves, len(course()) - 2)):
        for table in tables:
            table.show(table.advance)


def _check(tables: list[WireTable], hall: Hall) -> None:
    """Every match was begun once, has its result once, and the standings add up."""
    assert [len(table.begun) for table in tables] == [ROUNDS] * TABLES
    assert len(hall.evening.results) == ROUNDS * TABLES
    standings = hall.evening.standings()
    assert {each.played for each in standings} == {ROUNDS}
    assert sum(each.wins for each in standings) == ROUNDS * TABLES
    for of_round in hall.evening.rounds.values():
        assert sorted(p for each in of_round.pairings for p in each.players) == sorted(hall.evening.here)


def test_a_hall_starts_without_a_broker_and_finds_it_later(mosquitto: Mosquitto, parts: ExitStack) -> None:
    mosquitto.kill()
    joined = Joined("a", mosquitto, parts)
    until(lambda: joined.link.fault, "a sentence about the broker")
    assert "127.0.0.1" in joined.link.fault
    mosquitto.start()
    until(lambda: joined.hall.leads, "the broker")
    joined.link.stop()
    assert not joined.hall.connected
