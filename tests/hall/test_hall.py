"""A hall follows from what is on the broker: results come by themselves, and nothing is done twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.broker.address import broker_address
from companion.broker.connection import Heard
from companion.broker.payloads import PublishedHealth
from companion.games.game import Outcome
from companion.hall.evening import EveningError
from companion.hall.hall import GONE_S, Hall, natural
from companion.hall.link import Link
from companion.hall.pairing import WIN
from companion.hall.view import HallShown, TableShown, shown
from tests.hall import tables
from tests.hall.conftest import StillBroker
from tests.hall.tables import course

Begun = Callable[..., Hall]


def table(hall: Hall, name: str) -> TableShown:
    """A table on the page."""
    (of_name,) = (each for each in shown(hall).tables if each.name == name)
    return of_name


def states(hall: Hall) -> list[str]:
    """What the matches of the newest round do."""
    return [each.state for each in shown(hall).rounds[0].pairings]


def test_a_round_begins_at_the_tables_with_the_players_names(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana", "Bo")
    hall.next_round()
    broker.settle()
    assert states(hall) == ["in-play", "in-play"]
    commands = [each for of_table in broker.tables.values() for each in of_table.begun]
    assert sorted(name for each in commands for name in each.players.values()) == ["Bo", "Hana", "Jun", "Mei"]
    assert {each.instead_of for each in commands} == {1}


def test_a_result_comes_by_itself_when_a_match_ends(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    (pairing,) = shown(hall).rounds[0].pairings
    assert (pairing.state, pairing.by) == ("over", "table")
    assert sorted(each.score or 0 for each in pairing.players) == [0, 1]


def test_a_match_that_was_stopped_early_is_no_result(
    broker: StillBroker, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    *before, last = course()
    stopped = msgspec.structs.replace(last, outcome=Outcome("stopped", (), {"cat": 9, "mouse": 1}))
    monkeypatch.setattr(tables, "course", lambda *_: (*before, stopped))
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    assert set(hall.evening.scores().values()) == {0}


def test_a_match_waits_for_a_free_table(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana", "Bo", tables=1)
    hall.next_round()
    broker.settle()
    assert states(hall) == ["in-play", "waits"]
    broker.finish("table-1")
    assert states(hall) == ["over", "in-play"]


def test_an_undo_at_the_end_takes_the_result_back(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    broker.tables["table-1"].at -= 1
    broker.show(broker.tables["table-1"])
    broker.settle()
    assert states(hall) == ["in-play"]
    assert set(hall.evening.scores().values()) == {0}


def test_what_the_referee_writes_stays_whatever_the_table_says(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    (pairing,) = hall.evening.pairings()
    hall.correct(pairing.id, dict.fromkeys(pairing.players, 1))
    broker.settle()
    broker.show(broker.tables["table-1"])
    broker.settle()
    assert set(hall.evening.scores().values()) == {WIN // 2}


def uncounted(page: HallShown) -> HallShown:
    """A page without what a hall counts since its start."""
    tables = tuple(msgspec.structs.replace(each, changes=0) for each in page.tables)
    return msgspec.structs.replace(page, version=0, tables=tables)


def test_a_hall_that_starts_again_knows_everything(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana", "Bo")
    hall.next_round()
    broker.finish("table-1")
    broker.halls.remove(hall)
    again = broker.hall(hall.id)
    assert uncounted(shown(again)) == uncounted(shown(hall))
    assert again.work() == [], "it begins nothing a second time"


def by_name(hall: Hall) -> dict[str, int]:
    """The score of each player, by name."""
    return {hall.evening.name(player): score for player, score in hall.evening.scores().items()}


def test_what_ends_while_no_hall_is_there_counts_once_one_is(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana", "Bo", tables=1)
    hall.next_round()
    broker.settle()
    waiting = list(hall.evening.pairings())[1]
    broker.leave(hall)
    one = broker.tables["table-1"]
    one.finish()
    # The two who wait take their own seats at the table, the other way round, and play their match.
    cat, mouse = (hall.evening.name(each) for each in reversed(waiting.players))
    one.begin_by_hand(cat=cat, mouse=mouse)
    one.finish()
    one.begin_by_hand(cat="Somebody", mouse="Else")
    broker.show(one)
    again = broker.hall("two")
    broker.settle()
    assert states(again) == ["over", "over"]
    winner = course()[-1].outcome.winners[0]  # type: ignore[union-attr]
    seats = {"cat": cat, "mouse": mouse}
    won = {one.begun[0].players[winner], seats[winner]}
    assert {name for name, score in by_name(again).items() if score == WIN} == won
    assert len(one.begun) == 1, "nobody's match is put aside for one that was played"


def test_a_rematch_of_the_same_players_is_not_the_match_of_the_evening(
    broker: StillBroker, begun: Begun
) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    before, one = by_name(hall), broker.tables["table-1"]
    same = dict(one.players)
    for seats in (same, {"cat": same["mouse"], "mouse": same["cat"]}):
        one.begin_by_hand(**seats)
        broker.show(one)
        broker.settle()
        assert (states(hall), by_name(hall)) == (["over"], before)
        broker.finish("table-1")
        assert (states(hall), by_name(hall)) == (["over"], before)


def test_an_end_that_was_taken_back_while_no_hall_was_there_does_not_count(
    broker: StillBroker, begun: Begun
) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    broker.leave(hall)
    one = broker.tables["table-1"]
    one.at -= 1
    one.begin_by_hand(**one.players)
    broker.show(one)
    again = broker.hall("two")
    broker.settle()
    assert states(again) == ["in-play"]
    assert set(by_name(again).values()) == {0}


def test_another_game_of_the_same_players_is_not_the_match_of_the_evening(
    broker: StillBroker, begun: Begun
) -> None:
    hall = begun("Mei", "Jun")
    broker.deaf.add("table-1")
    hall.next_round()
    broker.settle()
    one = broker.tables["table-1"]
    one.begin_by_hand(cat="Mei", mouse="Jun")
    state = one.state()
    other = msgspec.structs.replace(state, match=msgspec.structs.replace(state.match, game="chop-chop"))
    broker.publish(one.topics.topic("state"), msgspec.json.encode(other))
    broker.settle()
    assert states(hall) == ["other"]


def test_a_table_in_the_middle_of_a_match_is_the_last_to_be_taken(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    broker.tables["table-1"].advance()
    broker.show(broker.tables["table-1"])
    hall.next_round()
    broker.settle()
    assert [each.table for each in hall.evening.pairings()] == ["table-2"]


def test_before_it_has_heard_all_that_is_kept_a_hall_does_nothing(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    (pairing,) = hall.evening.pairings()
    hall.correct(pairing.id, dict.fromkeys(pairing.players, 1))
    broker.settle()
    again = Hall("tonight", "two", clock=lambda: broker.now_s)
    again.connect(connected=True)
    broker.now_s += 60
    # What the referee wrote comes late.
    for topic, payload in sorted(broker.kept.items(), key=lambda each: "/results/" in each[0]):
        assert again.work() == []
        again.receive(topic, payload)
    again.catch_up()
    broker.now_s += GONE_S
    assert again.leads
    assert again.work() == []


def test_of_two_halls_one_acts_and_the_other_takes_over(broker: StillBroker, begun: Begun) -> None:
    first = begun("Mei", "Jun", "Hana", "Bo")
    second = broker.hall("two")
    assert (first.leads, second.leads) == (True, False)
    second.next_round()
    broker.settle()
    assert [len(each.begun) for each in broker.tables.values()] == [1, 1]
    broker.leave(first)
    broker.finish("table-1", "table-2")
    assert second.leads
    assert states(second) == ["over", "over"]


def test_a_hall_that_was_gone_without_a_word_is_not_waited_for(broker: StillBroker, begun: Begun) -> None:
    first, second = begun("Mei", "Jun"), broker.hall("two")
    broker.halls.remove(first)
    assert not second.leads
    broker.now_s += GONE_S
    assert second.leads


def test_both_halls_show_the_same(broker: StillBroker, begun: Begun) -> None:
    first, second = begun("Mei", "Jun"), broker.hall("two")
    second.add("Hana")
    broker.settle()
    first.next_round()
    broker.finish("table-1")
    assert shown(first).standings == shown(second).standings


def test_a_command_that_was_not_heard_is_sent_again(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    broker.deaf.add("table-1")
    hall.next_round()
    broker.settle()
    assert states(hall) == ["begins"]
    broker.deaf.clear()
    broker.settle()
    assert states(hall) == ["begins"], "a moment later it may still be on its way"
    broker.later()
    assert states(hall) == ["in-play"]
    assert len(broker.tables["table-1"].begun) == 1


def test_a_match_moves_from_a_table_that_drops_out(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.settle()
    broker.go("table-1")
    assert states(hall) == ["offline"]
    (pairing,) = hall.evening.pairings()
    with pytest.raises(EveningError, match="Table table-1 is not free"):
        hall.move(pairing.id, "table-1")
    hall.move(pairing.id, "table-2")
    broker.settle()
    assert (states(hall), table(hall, "table-2").pairing) == (["in-play"], pairing.id)


def test_another_match_on_the_table_is_said(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.settle()
    broker.tables["table-1"].match, broker.tables["table-1"].players = 9, {"cat": "Somebody"}
    broker.show(broker.tables["table-1"])
    assert states(hall) == ["other"]


def test_free_play_goes_on_by_itself(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana", kind="free", tables=1)
    assert shown(hall).waiting == ("Hana",)
    broker.finish("table-1")
    (pairing,) = hall.evening.open_pairings
    assert "Hana" in {hall.evening.name(each) for each in pairing.players}
    assert len(shown(hall).waiting) == 1


def test_a_late_player_is_paired_from_the_next_round_on(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun", "Hana")
    hall.next_round()
    broker.settle()
    hall.add("Bo")
    broker.finish("table-1")
    hall.next_round()
    broker.settle()
    assert len(shown(hall).rounds[0].pairings) == 2


def test_who_comes_back_is_the_same_player(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    (mei,) = (each.id for each in hall.evening.members.values() if each.name == "Mei")
    hall.leave(mei)
    broker.settle()
    hall.add("mei")
    broker.settle()
    assert hall.evening.here.count(mei) == 1
    assert len(hall.evening.members) == 2
    with pytest.raises(EveningError, match="Mei plays already"):
        hall.add("Mei")


def test_the_referee_calls_a_table_until_it_has_come(broker: StillBroker, begun: Begun) -> None:
    hall = begun()
    with pytest.raises(EveningError, match="Table attic"):
        hall.call("attic", on=True)
    hall.call("table-2", on=True)
    broker.settle()
    assert [each.name for each in shown(hall).tables if each.called] == ["table-2"]
    hall.call("table-2", on=False)
    broker.settle()
    assert not any(each.called for each in shown(hall).tables)


def test_a_table_s_call_for_the_referee_is_answered_and_ended(broker: StillBroker, begun: Begun) -> None:
    hall = begun()
    one = broker.tables["table-1"]
    one.referee = "called"
    broker.show(one)
    assert table(hall, "table-1").referee == "called"
    hall.answer_call("table-1", comes=True)
    broker.settle()
    assert table(hall, "table-1").referee == "comes"
    hall.answer_call("table-1", comes=False)
    broker.settle()
    assert table(hall, "table-1").referee == ""


def test_a_blind_camera_shows(broker: StillBroker, begun: Begun) -> None:
    hall = begun()
    blind = PublishedHealth("table-1", "", "", "unplugged", camera_ok=False, camera_fps=0, phones=1,
                            journal_ok=True, unsent=0)  # fmt: skip
    broker.report(blind)
    assert not table(hall, "table-1").camera_ok
    broker.report(msgspec.structs.replace(blind, camera="none"))
    assert table(hall, "table-1").camera_ok, "a table without a camera is well"


def test_each_table_shows_its_version(broker: StillBroker, begun: Begun) -> None:
    hall = begun()
    assert table(hall, "table-1").version == "", "it has not said yet"
    broker.report(PublishedHealth("table-1", "", "0.2.0", "none", camera_ok=False, camera_fps=0, phones=1,
                                  journal_ok=True, unsent=0))  # fmt: skip
    assert table(hall, "table-1").version == "0.2.0"


def test_what_a_killed_broker_has_lost_it_gets_from_the_hall(broker: StillBroker, begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    before, kept = shown(hall).standings, dict(broker.kept)
    hall.connect(connected=False)
    lost = {topic for topic in kept if "/results/" in topic or "/plan" in topic}
    broker.kept = {topic: payload for topic, payload in kept.items() if topic not in lost}
    hall.connect(connected=True)
    for topic, payload in broker.kept.items():
        hall.receive(topic, payload)
    broker.publish(hall.topics.topic("halls", hall.id), b"online")
    hall.catch_up()
    assert hall.work() == [], "first it listens"
    broker.later()
    assert broker.kept == kept
    assert shown(hall).standings == before


def test_nothing_is_taken_while_the_broker_is_away(begun: Begun) -> None:
    hall = begun("Mei", "Jun")
    hall.connect(connected=False)
    with pytest.raises(EveningError, match="The broker does not answer now"):
        hall.add("Bo")
    assert not hall.leads


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        pytest.param("table-companion/table-1/state", b"{}", id="no state"),
        pytest.param("table-companion/table-1/state", b"\xff", id="no text"),
        pytest.param("table-companion/table-1/moves", b"{}", id="another topic"),
        pytest.param("elsewhere/table-1/state", b"{}", id="another root"),
        pytest.param("table-companion/hall/yesterday/plan", b"{}", id="another evening"),
        pytest.param("table-companion//status", b"online", id="a table without a name"),
    ],
)
def test_what_is_no_message_for_a_hall_changes_nothing(begun: Begun, topic: str, payload: bytes) -> None:
    hall = begun()
    before = shown(hall)
    hall.receive(topic, payload)
    assert shown(hall) == before


def test_table_2_comes_before_table_10() -> None:
    assert sorted(["table-10", "table-2", "hall", "table-1"], key=natural) == [
        "hall", "table-1", "table-2", "table-10",
    ]  # fmt: skip


DIGITS = b"9" * 5000
ROUND = (
    b'{"number": 1, "game": "cat-and-mouse", "pairings": '
    b'[{"id": "%s", "players": [], "seats": [], "table": "table-1", "after": 1}], "options": %s}'
)


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        pytest.param(f"table-companion/{'9' * 5000}/status", b"online", id="a table of 5,000 digits"),
        pytest.param(f"hall/rounds/{'9' * 5000}", ROUND % (b"1-1", b"{}"), id="a round of 5,000 digits"),
        pytest.param("hall/rounds/1", ROUND % (DIGITS + b"-1", b"{}"), id="a pairing of 5,000 digits"),
        pytest.param(
            "hall/rounds/1", ROUND % (b"1-1", b'{"a":' * 900 + b"1" + b"}" * 900), id="options too deep"
        ),
        pytest.param(
            "hall/results/1-1", b'{"pairing": "1-1", "scores": {"mei": %s}}' % DIGITS[:900], id="a huge score"
        ),
        pytest.param(
            "hall/players/m", b'{"id": "m", "name": "M", "place": %s}' % DIGITS[:4300], id="a huge place"
        ),
        pytest.param("hall/plan", b"no plan", id="no plan"),
    ],
)
def test_one_message_ends_with_itself_and_is_not_published_again(
    broker: StillBroker, begun: Begun, topic: str, payload: bytes
) -> None:
    hall = begun("Mei", "Jun")
    topic = topic.replace("hall", "table-companion/hall/tonight", 1) if topic.startswith("hall") else topic
    before = shown(hall)
    hall.receive(topic, payload)
    assert shown(hall) == before
    hall.connect(connected=False)
    hall.connect(connected=True)
    hall.catch_up()
    broker.now_s += GONE_S
    assert payload not in [each.payload for each in hall.work()]
    hall.add("Bo")
    hall.next_round()
    hall.work()


def test_a_table_whose_players_take_other_names_after_their_match_keeps_its_result(
    broker: StillBroker, begun: Begun
) -> None:
    hall = begun("Mei", "Jun")
    hall.next_round()
    broker.finish("table-1")
    before = by_name(hall)
    one = broker.tables["table-1"]
    one.players = dict.fromkeys(one.players, "Somebody")
    broker.show(one)
    broker.settle()
    assert by_name(hall) == before


def hears(hall: Hall, *heard: Heard) -> None:
    """Let a hall, whose own sign is `own`, take what came."""
    address = broker_address("localhost", table="t")
    assert address is not None
    connection: Any = SimpleNamespace(heard=deque(heard), acknowledged=deque(), refused=deque())
    Link(hall, address)._hear(connection, "own")


def test_after_a_message_that_breaks_the_hall_the_next_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall("tonight", "one")
    taken: list[str] = []

    def take(topic: str, _: bytes) -> None:
        if topic == "bad":
            raise ValueError
        taken.append(topic)

    monkeypatch.setattr(hall, "receive", take)
    hears(hall, Heard("bad", b""), Heard("good", b""))
    assert taken == ["good"]


@pytest.mark.parametrize(
    ("sign", "is_up"), [(Heard("own", b""), True), (Heard("own", b"", is_kept=True), False)]
)
def test_its_own_new_sign_says_that_all_that_was_kept_has_come(
    monkeypatch: pytest.MonkeyPatch, sign: Heard, is_up: bool
) -> None:
    hall = Hall("tonight", "one")
    up: list[bool] = []
    monkeypatch.setattr(hall, "catch_up", lambda: up.append(True))
    hears(hall, Heard("other", b""), sign)
    assert up == [True] * is_up
