"""A match with the table's own cards over HTTP: nobody is shown another's hand or the deck."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from companion.games.choosing import Lots
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.moves import Draw
from companion.games.exploding_kittens.opponent.dealer import KittensDealer
from companion.games.hide_and_seek.moves import HideState
from companion.games.hide_and_seek.opponent.dealer import HideDealer
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.simulator.phone import VirtualPhone
from tests.web.conftest import Browser
from tests.web.seated import sit
from tests.web.test_opponent_api import ScriptedOpponent
from tests.web.test_peeking import addresses, reply
from web.app import create_app

KITTENS = GAME.slug


class World:
    """A table that has dealt by a seed, with a person at the first seat, a free seat, and one who watches.

    The table plays the third seat.
    """

    def __init__(self, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch, slug: str = KITTENS) -> None:
        monkeypatch.setattr("secrets.randbits", lambda bits: seed)
        self.journal = Journal(folder / f"{seed}.sqlite", now=lambda: "2026-01-01T00:00:00.000+00:00")
        self.table = Table(self.journal, Match.begin(self.journal, slug, {}, 3))
        first, _, third = self.table.match.seat_names
        self.table.deals.begin(1, {third: "middle"})
        self.table.deal_on(self.table.snapshot.match)
        self.app = create_app(self.table, None)
        self.app.test_client_class = Browser
        self.app.extensions["companion"].opponent = ScriptedOpponent()
        self.first, self.watcher = self.app.test_client(), self.app.test_client()
        assert self.first.post("/api/seats/take", json={"seat": first}).status_code == 200

    def close(self) -> None:
        """End it."""
        self.app.extensions["companion"].stop()
        self.journal.close()


def dealt_by(seed: int) -> KittensDealer:
    """The cards that a seed deals."""
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 3), Lots(seed))
    return dealer


def without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that two tables draw by lot is the same, but for their cards."""
    monkeypatch.setattr("secrets.randbelow", lambda below: 0)
    monkeypatch.setattr("secrets.token_hex", lambda length: "0" * 2 * length)
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: "0" * length)


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
    without_chance(monkeypatch)
    begin = HideDealer.begin

    def begun(dealer: HideDealer, state: HideState, lots: Lots) -> None:
        turned = lots.below(2)
        begin(dealer, state, Lots(1))
        own = len(dealer.deck) - state.set.hand
        if turned:
            dealer.deck[:own] = reversed(dealer.deck[:own])

    monkeypatch.setattr(HideDealer, "begin", begun)
    seeds = [next(seed for seed in range(100) if Lots(seed).below(2) == turned) for turned in (0, 1)]
    worlds = [World(tmp_path, seed, monkeypatch, "hide-and-seek") for seed in seeds]
    yield worlds[0], worlds[1]
    for each in worlds:
        each.close()


def lay_one(world: World, seat: str) -> None:
    """A seat lays the first card of its hand that is no enemy, and no more."""
    board = world.table.view(seat).match.board
    card = next(each for each in board.hand.cards if board.set.cards[each].does != "enemy")
    laid = {"move": "turn-up", "by": seat, "card": card, "on": board.animals[0].animal}
    for move in (laid, {"move": "go-on"}):
        world.table.play(move, "phone", seat=seat)


def test_nobody_is_shown_which_cards_lie_face_down(hiding: tuple[World, World]) -> None:
    first, second, third = hiding[0].table.match.seat_names
    hands = [each.table.view(third).match.board.hand for each in hiding]
    assert hands[0] != hands[1]
    for world in hiding:
        for _ in range(2):
            assert world.table.snapshot.dealt
            lay_one(world, world.table.snapshot.dealt.in_secret)
    laid = [[each.table.view(seat).match.board for seat in (first, second, third)] for each in hiding]
    assert laid[0][0] == laid[1][0]
    assert laid[0] != laid[1]
    look_the_same(*hiding)


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


@pytest.fixture
def client(table: Table) -> Iterator[FlaskClient]:
    """A browser at a table that can deal."""
    app = create_app(table, None)
    app.extensions["companion"].opponent = ScriptedOpponent()
    yield app.test_client()
    app.extensions["companion"].stop()


def test_the_table_deals_for_who_sits_and_for_its_own_players(client: FlaskClient, table: Table) -> None:
    client.post("/api/seats/take", json={"seat": "dog", "name": "Mei"})
    now = client.post(
        "/api/opponent/deal", json={"game": KITTENS, "people": 1, "opponents": 3, "level": "top"}
    ).json
    assert now["seat"] == "first", "whoever sat at the dog's place"
    assert now["match"]["players"] == {"first": "Mei"}
    assert now["dealt"] == {
        "players": {"second": "top", "third": "top", "fourth": "top"}, "waits": False, "in_secret": ""
    }  # fmt: skip
    assert not now["match"]["can_undo"]
    assert client.post("/api/undo", json={}).json["rule"] == "dealt-stays"
    again = client.post(f"/api/matches/{now['match']['id']}/again", json={}).json
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
    client: FlaskClient, table: Table, wanted: dict[str, object]
) -> None:
    before = table.match.record.id
    assert client.post("/api/opponent/deal", json={"game": KITTENS, **wanted}).status_code == 400
    assert table.match.record.id == before
    assert table.snapshot.dealt is None


def test_the_page_offers_it(client: FlaskClient) -> None:
    page = client.get("/opponent").text
    assert "Exploding Kittens, with the table&#39;s own cards" in page


def test_virtual_people_leave_when_the_table_deals(
    client: FlaskClient, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    state = client.application.extensions["companion"]
    demo = state.demo = Mock(plays=False)
    client.post("/api/opponent/deal", json={"game": KITTENS})
    demo.leave.assert_called_once_with()
    phone = VirtualPhone(table)
    phone.tap(phone.look(), Draw())
    assert "were refused" not in caplog.text, "nor do they try to tap at a table that is resumed"
