"""What a table publishes on the real Mosquitto: its entries, its state, its health, its presence."""

from __future__ import annotations

from tests.broker.conftest import Listener, OnBroker, until
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
    until(lambda: listener.payloads("state")[-1]["match"]["moves"] == 1, "the state after it")
    assert listener.payloads("state")[-1]["match"]["turn"] == "dog"
    assert (f"table-companion/{published.name}/status", b"online") in listener.heard
    assert listener.payloads("health")[-1]["camera"] == "none"
