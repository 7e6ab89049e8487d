"""A match with the table's own cards over HTTP: nobody is shown another's hand or the deck."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from companion.games.exploding_kittens.state import Draw
from companion.games.players import Choice
from companion.play.seats import phone_of
from companion.play.table import Table
from companion.players import table_players
from companion.simulator.demo import VirtualPhone
from tests.running import replace_services
from tests.web.dealt import (
    COURSES,
    KITTENS,
    World,
    dealt_by,
    lay_one,
    other_hands_of_others,
    two_lay,
    without_chance,
)
from tests.web.seated import let_in, secret_of, sit
from tests.web.test_peeking import addresses, reply
from web.events import LiveStream


@pytest.fixture
def alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Two tables with the same first hand and next card, at which all other cards lie otherwise."""
    without_chance(monkeypatch)
    known: dict[tuple[str, ...], int] = {}
    for seed in range(5_000):
        dealer = dealt_by(seed)
        sees = (*sorted(dealer.hands["first"]), dealer.deck[-1])
        if dealer.deck[-1] != "kitten" and sees in known:
            break
        known[sees] = seed
    worlds = World(tmp_path, known[sees], monkeypatch), World(tmp_path, seed, monkeypatch)
    yield worlds
    for each in worlds:
        each.close()


def test_no_address_shows_anybody_what_lies_in_another_hand_or_in_the_deck(
    alike: tuple[World, World],
) -> None:
    for world in alike:
        assert world.first.post("/api/moves", json={"move": "draw"}).status_code == 200
    one, other = alike
    hands = [each.table.snapshot.view("second").match.board.mine.hand for each in alike]
    assert hands[0] != hands[1]
    look_the_same(one, other)


def look_the_same(one: World, other: World) -> None:
    """Neither the person at the first seat nor who watches sees which table it is."""
    for client in ("first", "watcher"):
        for address in addresses(one.app):
            ours, theirs = (reply(getattr(each, client).get(address)) for each in (one, other))
            assert ours == theirs, (client, address)


@pytest.fixture
def hiding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Two tables with the same animals and the same first hand, at which all other cards lie otherwise."""
    with other_hands_of_others(tmp_path, monkeypatch) as worlds:
        yield worlds


def test_nobody_is_shown_which_cards_lie_face_down(hiding: tuple[World, World]) -> None:
    first, second, third = hiding[0].table.match.seat_names
    hands = [each.table.snapshot.view(third).match.board.hand for each in hiding]
    assert hands[0] != hands[1]
    for world in hiding:
        deque(two_lay(world), maxlen=0)
    laid = [
        [each.table.snapshot.view(seat).match.board for seat in (first, second, third)] for each in hiding
    ]
    assert laid[0][0] == laid[1][0]
    assert laid[0] != laid[1]
    look_the_same(*hiding)


def streamed(world: World, course: Iterable[None]) -> dict[str, list[bytes]]:
    """Every event that the phones of the first seat, of a guest and of a watcher are sent meanwhile."""
    state = world.app.extensions["companion"]
    guest = let_in(world.app, world.first)
    phones = {"first": phone_of(secret_of(world.first)), "guest": phone_of(secret_of(guest)), "watcher": ""}
    streams = {name: LiveStream(state, "", phone) for name, phone in phones.items()}
    events: dict[str, list[bytes]] = {name: [] for name in phones}
    for _ in course:
        for name, stream in streams.items():
            events[name].append(stream.text(beat=False))
    return {name: [each for each in sent if each] for name, sent in events.items()}


@pytest.mark.parametrize(("tables", "course"), COURSES.values(), ids=COURSES)
def test_no_event_of_a_live_stream_shows_which_cards_others_hold(
    tables: Any,
    course: Callable[[World], Iterable[None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tables(tmp_path, monkeypatch) as (one, other):
        third = one.table.match.seat_names[-1]
        assert one.table.snapshot.view(third).match.board != other.table.snapshot.view(third).match.board
        ours, theirs = streamed(one, course(one)), streamed(other, course(other))
        assert [len(each) > 2 for each in ours.values()] == [True] * 3
        assert ours == theirs


def test_a_phone_that_comes_late_is_told_how_much_of_the_time_for_a_nope_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = next(seed for seed in count() if "skip" in dealt_by(seed).hands["first"])
    world = World(tmp_path, seed, monkeypatch)
    replace_services(world.app, opponent=world.dealer)
    monkeypatch.setattr(table_players, "chosen", lambda task, goes_on: Choice(None))
    assert world.first.post("/api/moves", json={"move": "play", "card": "skip"}).status_code == 200
    while world.dealer.step(world.table.snapshot) == 0.0:
        pass
    for passed_s in (0.0, 3.0):
        world.now_s = passed_s
        now = world.watcher.get("/api/table").get_json()
        assert (now["dealt"]["waits"], now["dealt"]["waited"]) == (4.0, passed_s)
    world.close()


def test_the_seat_itself_is_shown_its_hand(alike: tuple[World, World]) -> None:
    mine = alike[0].first.get("/api/match").json["board"]["mine"]
    assert sum(kind["count"] for kind in mine["hand"]) == 6
    assert mine["unknown"] == 0
    assert alike[0].watcher.get("/api/match").json["board"]["mine"] is None


def test_nobody_sits_where_the_table_plays(alike: tuple[World, World]) -> None:
    world = alike[0]
    assert world.table.seats.free() == ("second",)
    assert not world.table.seats.take_seat("third", "a phone")
    rows = {row["seat"]: row for row in world.first.get("/api/seats").json["seats"]}
    assert [seat for seat, row in rows.items() if row["code"]] == ["second"]
    assert rows["third"]["taken"]
    assert world.first.get("/api/table").json["sitting"] == ["first", "third"]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """One table, at which each phone has a secret of its own."""
    made = World(tmp_path, 1, monkeypatch)
    yield made
    made.close()


def check_refused_for_room(world: World, phone: FlaskClient, move: dict[str, Any]) -> None:
    """The move is answered as on every full disk, and the match stands where it stood."""
    before = world.table.match.n
    answer = phone.post("/api/moves", json=move)
    assert (answer.status_code, world.table.match.n) == (503, before)
    assert "free some space" in answer.json["says"]


def test_on_a_full_disk_a_move_is_refused_as_in_every_match(world: World) -> None:
    world.table.journal._connection.execute("PRAGMA query_only = ON")
    check_refused_for_room(world, world.first, {"move": "draw"})


def test_on_a_full_disk_a_card_that_cannot_be_laid_in_secret_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with other_hands_of_others(tmp_path, monkeypatch) as (world, _):
        seat, *_ = world.table.match.seat_names
        while world.table.snapshot.dealt.in_secret != seat:
            deque(lay_one(world, world.table.snapshot.dealt.in_secret))
        board = world.table.snapshot.view(seat).match.board
        card = next(name for name in board.hand.cards if board.set.cards[name].does != "enemy")
        monkeypatch.setattr(Path, "replace", no_room)
        laid = {"move": "turn-up", "by": seat, "card": card, "on": board.animals[0].animal}
        check_refused_for_room(world, world.first, laid)


def cards(phone: FlaskClient) -> int:
    """The number of cards that a phone is shown as its own."""
    mine = phone.get("/api/match").json["board"]["mine"]
    return 0 if mine is None else sum(kind["count"] for kind in mine["hand"])


def told(phone: FlaskClient, what: str) -> Any:
    """What every page tells."""
    return phone.get("/api/table").json[what]


def test_who_sits_down_later_is_shown_the_hand_after_a_tap_that_all_are_told_of(
    world: World,
) -> None:
    second = sit(world.app, "second", world.first)
    assert cards(second) == 0
    assert (told(second, "seat"), told(second, "own_face_down")) == (None, "second")
    assert second.post("/api/moves", json={"move": "draw"}).json["rule"] == "dealt-on-phones"
    assert told(world.watcher, "face_down") == ["second"]
    assert second.post("/api/seats/pick-up").json["seat"] == "second"
    assert (cards(second), told(second, "seat")) == (6, "second")
    assert told(world.watcher, "face_down") == []
    assert not any(row["kept_back"] for row in second.get("/api/seats").json["seats"])


def test_a_hand_that_was_seen_on_the_way_is_told_to_all_and_to_who_sits_there_next(
    world: World,
) -> None:
    private_window = sit(world.app, "second", world.first)
    private_window.post("/api/seats/pick-up")
    private_window.post("/api/seats/leave")
    seen = {"key": "hand-seen", "facts": {"seat": "second", "phones": 1, "match": 1}}
    honest = sit(world.app, "second", world.first)
    for phone in (world.first, world.watcher, honest):
        assert told(phone, "notices") == [seen]
    assert cards(honest) == 0
    honest.post("/api/seats/pick-up")
    assert cards(honest) == 6
    assert told(honest, "notices") == [seen]


def test_who_only_sat_there_has_seen_nothing(world: World) -> None:
    passer_by = sit(world.app, "second", world.first)
    passer_by.post("/api/seats/leave")
    sit(world.app, "second", world.first)
    assert told(world.watcher, "notices") == []


def test_who_comes_back_to_its_own_hand_sees_it_at_once(world: World) -> None:
    world.first.post("/api/seats/leave")
    assert told(world.watcher, "notices")[0]["facts"]["seat"] == "first"
    world.first.post("/api/seats/take", json={"seat": "first"})
    assert cards(world.first) == 6
    assert told(world.watcher, "notices") == []


def test_a_phone_sees_one_hand_in_a_match(world: World) -> None:
    assert world.first.post("/api/seats/take", json={"seat": "second"}).json["rule"] == "dealt-own-hand"
    world.first.post("/api/seats/leave")
    assert world.first.post("/api/seats/take", json={"seat": "second"}).json["rule"] == "dealt-own-hand"
    assert world.first.post("/api/seats/take", json={"seat": "first"}).status_code == 200


def test_the_table_deals_for_who_sits_and_for_its_own_players(
    opponent_client: FlaskClient, table: Table
) -> None:
    opponent_client.post("/api/seats/take", json={"seat": "dog", "name": "Mei"})
    now = opponent_client.post(
        "/api/matches",
        json={
            "game": KITTENS,
            "seats": 4,
            "dealt": True,
            "computer": dict.fromkeys(("second", "third", "fourth"), "top"),
        },
    ).json
    assert now["seat"] == "first", "whoever sat at the dog's place"
    assert now["match"]["players"] == {"first": "Mei"}
    players = {"second": "top", "third": "top", "fourth": "top"}
    assert now["dealt"] == {"players": players, "waits": 0, "waited": 0, "in_secret": ""}
    assert not now["match"]["can_undo"]
    assert opponent_client.post("/api/undo", json={}).json["rule"] == "dealt-stays"
    again = opponent_client.post(f"/api/matches/{now['match']['id']}/again", json={}).json
    assert again["dealt"] == now["dealt"]
    assert again["match"]["board"]["mine"]["unknown"] == 0


@pytest.mark.parametrize(
    "wanted",
    [
        {"computer": {}},
        {"computer": {"first": "top", "second": "top"}},
        {"computer": {"fifth": "top"}},
        {"computer": {"second": "random"}},
        {"computer": {"second": "top"}, "dealt": False},
        {"game": "cat-and-mouse", "computer": {"cat": "top"}},
    ],
    ids=[
        "no seat of its own",
        "nobody",
        "no such seat",
        "no such level",
        "cards it cannot see",
        "no cards for it",
    ],
)
def test_it_deals_only_what_can_be_played(
    opponent_client: FlaskClient, table: Table, wanted: dict[str, object]
) -> None:
    before = table.match.record.id
    body = {"game": KITTENS, "dealt": True, **wanted}
    assert opponent_client.post("/api/matches", json=body).status_code == 400
    assert table.match.record.id == before
    assert table.snapshot.dealt is None


def test_virtual_people_leave_when_the_table_deals(
    opponent_client: FlaskClient, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    demo = Mock(plays=True)
    replace_services(opponent_client.application, demo=demo)
    opponent_client.post("/api/matches", json={"game": KITTENS, "dealt": True, "computer": {"second": "top"}})
    demo.leave.assert_called_once_with()
    phone = VirtualPhone(table)
    phone.tap(phone.shown(), Draw())
    assert "were refused" not in caplog.text, "nor do they try to tap at a table that is resumed"
