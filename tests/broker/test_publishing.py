"""What a table publishes on the real Mosquitto: its entries, its state, its health, its presence."""

from __future__ import annotations

from pathlib import Path

from companion.broker.reports import MOST_RESULTS, results_of
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import Listener, OnBroker, until
from tests.broker.test_nothing_lost import golden, play
from tests.conftest import OPENING
from web.app import create_app


def test_the_picture_is_sent_again_only_when_it_looks_different(
    published: OnBroker, listener: Listener
) -> None:
    def pictures() -> list[bytes]:
        return [each for topic, each in list(listener.heard) if topic.endswith(f"{published.name}/picture")]

    until(lambda: len(pictures()) == 1, "the empty bed")
    for on in (True, False):
        assert listener.command(published.name, "call", on=on)["ok"]
        until(lambda on=on: listener.payloads("state")[-1]["called"] is on, "the call in the state")
    published.table.play(OPENING[0], "phone")
    until(lambda: len(pictures()) > 1, "the bed with a tile")
    assert len(pictures()) == 2
    assert pictures()[0] != pictures()[1]


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


def test_the_ends_of_matches_are_published_as_the_journal_has_them(tmp_path: Path) -> None:
    head, moves = golden("cat-and-mouse")
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, "cat-and-mouse", head["options"]))
    state = create_app(table, None).extensions["companion"]
    table.name_players({"cat": "Mei", "mouse": "Jun"}, "phone")
    assert results_of(state, "one").matches == ()
    play(table, moves)
    (ended,) = results_of(state, "one").matches
    assert (ended.match, ended.game, ended.players) == (1, "cat-and-mouse", {"cat": "Mei", "mouse": "Jun"})
    assert ended.outcome == table.match.outcome
    table.begin("cat-and-mouse", {})
    assert results_of(state, "one").matches == (ended,), "the next match hides no end"
    table.resume(1)
    table.undo("phone")
    assert results_of(state, "one").matches == (), "an end that was taken back is none"
    table.redo("phone")
    for _ in range(MOST_RESULTS):
        table.begin("cat-and-mouse", {})
    now = results_of(state, "one")
    assert (now.since, now.matches) == (3, ()), "match 1 is too old to be told of"
    state.stop()
    journal.close()
