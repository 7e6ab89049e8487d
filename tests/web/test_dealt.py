"""A match with the table's own cards over HTTP: nobody is shown another's hand or the deck."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from companion.games.exploding_kittens.moves import Draw
from companion.play.seats import phone_of
from companion.play.table import Table
from companion.simulator.phone import VirtualPhone
from tests.web.dealt import (
    COURSES,
    KITTENS,
    World,
    dealt_by,
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
    hands = [each.table.view("second").match.board.mine.hand for each in alike]
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
    hands = [each.table.view(third).match.board.hand for each in hiding]
    assert hands[0] != hands[1]
    for world in hiding:
        deque(two_lay(world), maxlen=0)
    laid = [[each.table.view(seat).match.board for seat in (first, second, third)] for each in hiding]
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
        assert one.table.view(third).match.board != other.table.view(third).match.board
        ours, theirs = streamed(one, course(one)), streamed(other, course(other))
        assert [len(each) > 2 for each in ours.values()] == [True] * 3
        assert ours == theirs


def test_the_seat_itself_is_shown_its_hand(alike: tuple[World, World]) -> None:
    mine = alike[0].first.get("/api/match").json["board"]["mine"]
    assert sum(kind["count"] for kind in mine["hand"]) == 6
    assert mine["unknown"] == 0
    assert alike[0].watcher.get("/api/match").json["board"]["mine"] is None


def test_nobody_sits_where_the_table_plays(alike: tuple[World, World]) -> None:
    world = alike[0]
    assert world.table.seats.free() == ("second",)
    assert not world.table.seats.take("third", "a phone")
    rows = {row["seat"]: row for row in world.first.get("/api/seats").json["seats"]}
    assert [seat for seat, row in rows.items() if row["code"]] == ["second"]
    assert rows["third"]["taken"]
    assert world.first.get("/api/table").json["sitting"] == ["first", "third"]


def test_who_sits_down_later_takes_up_the_hand_that_lies_there(alike: tuple[World, World]) -> None:
    world = alike[0]
    second = sit(world.app, "second", world.first)
    mine = second.get("/api/match").json["board"]["mine"]
    assert sum(kind["count"] for kind in mine["hand"]) == 6
    rows = second.get("/api/seats").json["seats"]
    assert not any(row["kept_back"] for row in rows)


def test_a_phone_sees_one_hand_in_a_match(alike: tuple[World, World]) -> None:
    world = alike[0]
    assert world.first.post("/api/seats/take", json={"seat": "second"}).json["rule"] == "dealt-own-hand"
    world.first.post("/api/seats/leave")
    assert world.first.post("/api/seats/take", json={"seat": "second"}).json["rule"] == "dealt-own-hand"
    assert world.first.post("/api/seats/take", json={"seat": "first"}).status_code == 200


def test_the_table_deals_for_who_sits_and_for_its_own_players(
    opponent_client: FlaskClient, table: Table
) -> None:
    opponent_client.post("/api/seats/take", json={"seat": "dog", "name": "Mei"})
    now = opponent_client.post(
        "/api/opponent/deal", json={"game": KITTENS, "people": 1, "opponents": 3, "level": "top"}
    ).json
    assert now["seat"] == "first", "whoever sat at the dog's place"
    assert now["match"]["players"] == {"first": "Mei"}
    assert now["dealt"] == {
        "players": {"second": "top", "third": "top", "fourth": "top"}, "waits": False, "in_secret": ""
    }  # fmt: skip
    assert not now["match"]["can_undo"]
    assert opponent_client.post("/api/undo", json={}).json["rule"] == "dealt-stays"
    again = opponent_client.post(f"/api/matches/{now['match']['id']}/again", json={}).json
    assert again["dealt"] == now["dealt"]
    assert again["match"]["board"]["mine"]["unknown"] == 0


@pytest.mark.parametrize(
    "wanted",
    [
        {"people": 2, "opponents": 3},
        {"people": 0, "opponents": 2},
        {"people": 2, "opponents": 0},
        {"level": "random"},
        {"game": "cat-and-mouse"},
    ],
    ids=["five seats", "nobody", "no seat of the table", "no such level", "no cards for it"],
)
def test_it_deals_only_what_can_be_played(
    opponent_client: FlaskClient, table: Table, wanted: dict[str, object]
) -> None:
    before = table.match.record.id
    assert opponent_client.post("/api/opponent/deal", json={"game": KITTENS, **wanted}).status_code == 400
    assert table.match.record.id == before
    assert table.snapshot.dealt is None


def test_the_page_offers_it(opponent_client: FlaskClient) -> None:
    page = opponent_client.get("/opponent").text
    assert "Exploding Kittens, with the table&#39;s own cards" in page


def test_virtual_people_leave_when_the_table_deals(
    opponent_client: FlaskClient, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    state = opponent_client.application.extensions["companion"]
    demo = state.demo = Mock(plays=False)
    opponent_client.post("/api/opponent/deal", json={"game": KITTENS})
    demo.leave.assert_called_once_with()
    phone = VirtualPhone(table)
    phone.tap(phone.look(), Draw())
    assert "were refused" not in caplog.text, "nor do they try to tap at a table that is resumed"
