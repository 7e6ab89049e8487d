"""What a table publishes on the real Mosquitto: its entries, its state, its health, its presence."""

from __future__ import annotations

from pathlib import Path

from companion.broker.address import broker_address
from companion.broker.reports import MOST_RESULTS, results_of
from companion.hall.hall import Hall
from companion.hall.link import Link
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import Listener, Mosquitto, OnBroker, until
from tests.broker.test_nothing_lost import golden, play
from tests.conftest import OPENING


def test_a_move_is_published_with_its_key_and_the_state_after_it(
    published: OnBroker, listener: Listener
) -> None:
    published.table.play(OPENING[0], "phone")
    until(lambda: listener.entries(), "the move")
    (entry,) = listener.entries().values()
    assert entry["id"].startswith("1-1-")
    assert (entry["table"], entry["match"], entry["game"]) == (published.name, 1, "this-bed-is-mine")
    assert (entry["n"], entry["kind"], entry["source"]) == (1, "move", "phone")
    assert (entry["notation"], entry["move"]) == ("c1@5,3", OPENING[0])
    assert entry["says"] == "Cat 1 is on the bed"
    until(lambda: listener.payloads("state")[-1]["match"]["moves"] == 1, "the state after it")
    assert listener.payloads("state")[-1]["match"]["turn"] == "dog"
    assert (f"table-companion/{published.name}/status", b"online") in listener.heard
    assert listener.payloads("health")[-1]["camera"] == "none"


def test_a_hall_hears_a_table_below_the_first_level_that_both_are_set_to(
    published: OnBroker, mosquitto: Mosquitto, listener: Listener
) -> None:
    published.settings.change({"broker_root": "club"})
    until(lambda: f"club/{published.name}/state" in dict(listener.heard), "the state below club")
    until(lambda: (f"table-companion/{published.name}/status", b"offline") in listener.heard, "a goodbye")
    address = broker_address(f"mqtt://127.0.0.1:{mosquitto.port}", root="club")
    assert address is not None
    hall = Hall("tonight", "one", root=address.root)
    link = Link(hall, address)
    link.start()
    until(lambda: hall.tables.keys() == {published.name}, "the table in the hall")
    hall.call(published.name, on=True)
    until(lambda: listener.payloads("state")[-1]["called"], "the call at the table")
    link.stop()


def test_the_ends_of_matches_are_published_as_the_journal_has_them(tmp_path: Path) -> None:
    head, moves = golden("cat-and-mouse")
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, "cat-and-mouse", head["options"]))
    table.name_players({"cat": "Mei", "mouse": "Jun"}, "phone")
    assert results_of(journal, "one").matches == ()
    play(table, moves)
    (ended,) = results_of(journal, "one").matches
    assert (ended.match, ended.game, ended.players) == (1, "cat-and-mouse", {"cat": "Mei", "mouse": "Jun"})
    assert ended.outcome == table.match.outcome
    table.begin("cat-and-mouse", {})
    assert results_of(journal, "one").matches == (ended,), "the next match hides no end"
    table.resume(1)
    table.undo("phone")
    assert results_of(journal, "one").matches == (), "an end that was taken back is none"
    table.redo("phone")
    for _ in range(MOST_RESULTS):
        table.begin("cat-and-mouse", {})
    now = results_of(journal, "one")
    assert (now.since, now.matches) == (3, ()), "match 1 is too old to be told of"
    journal.close()
