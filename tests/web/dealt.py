"""Pairs of tables that deal their own cards, and differ in nothing but the cards that nobody here may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.games.chance import Chance, key_of
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import KITTEN, NOPE
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.games.exploding_kittens.state import Draw, Hand
from companion.games.hide_and_seek.player import HideDealer
from companion.games.hide_and_seek.state import HideState
from companion.games.players import Choice
from companion.play.dealt import Deals
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.players import table_players, worker
from companion.players.table_players import ANSWER_S, TablePlayers
from tests.running import pages_of, replace_services
from tests.web.conftest import Browser, ScriptedOpponent

KITTENS = GAME.slug
HIDE = "hide-and-seek"
NEXT_DRAWS = 4
CATS = ("cat-a", "cat-b", "cat-c", "cat-d")


class World:
    """A table that has dealt by a seed, with a person at the first seat, a free seat, and one who watches.

    The table plays the third seat.
    """

    def __init__(self, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch, slug: str = KITTENS) -> None:
        monkeypatch.setattr("companion.play.dealt.token_bytes", lambda size: key_of(seed))
        self.journal = Journal(folder / f"{seed}.sqlite", clock=lambda: "2026-01-01T00:00:00.000+00:00")
        match = Match.begin(self.journal, slug, {}, 3)
        first, _, third = match.seat_names
        Deals(self.journal).begin(match.record, {third: "top"})
        self.table = Table(self.journal, match)
        self.table.continue_dealing(self.table.snapshot.match)
        self.app = pages_of(self.table, None)
        self.app.test_client_class = Browser
        replace_services(self.app, opponent=ScriptedOpponent())
        self.first, self.watcher = self.app.test_client(), self.app.test_client()
        assert self.first.post("/api/seats/take", json={"seat": first}).status_code == 200
        assert self.first.post("/api/seats/pick-up").status_code == 200
        self.now_s = 0.0
        self.dealer = TablePlayers(self.table, lambda: True, clock=lambda: self.now_s)

    def settles(self) -> Iterator[None]:
        """What the table does by itself, until it waits for a person; yields after each step."""
        for passed_s in (0.0, ANSWER_S):
            self.now_s += passed_s
            while self.dealer.step(self.table.snapshot) == 0.0:
                yield
            yield

    def close(self) -> None:
        """End it."""
        self.app.extensions["companion"].stop()
        self.journal.close()


def without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that two tables draw by lot is the same, but for their cards."""
    monkeypatch.setattr("secrets.randbelow", lambda below: 0)
    monkeypatch.setattr("secrets.token_hex", lambda length: "0" * 2 * length)
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: "0" * length)


def dealt_by(seed: int) -> KittensDealer:
    """The cards that a seed deals."""
    dealer = KittensDealer()
    dealer.begin(GAME.start(GAME.options({}), 3), Chance(key_of(seed)))
    return dealer


@contextmanager
def two_tables(folder: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> Iterator[tuple[World, World]]:
    """Two tables at which the first bit that is drawn for the cards differs."""
    without_chance(monkeypatch)
    seeds = [
        next(seed for seed in count() if Chance(key_of(seed)).stream("worlds").randbelow(2) == bit)
        for bit in (0, 1)
    ]
    one, other = [World(folder, seed, monkeypatch, slug) for seed in seeds]
    yield one, other
    for each in (one, other):
        each.close()


@contextmanager
def other_hand_of_the_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Two tables of Exploding Kittens: the third seat's hand at one lies at the other below in the deck.

    At one of them that hand holds a nope. The third seat lays none, and draws in its turn.
    """

    def fits(dealer: KittensDealer) -> bool:
        third, below = dealer.hands["third"][1:], dealer.deck[: len(dealer.hands["third"]) - 1]
        return (
            "skip" in dealer.hands["first"]
            and any(dealer.hands["second"].count(cat) > 1 for cat in CATS)
            and KITTEN not in (*below, *dealer.deck[-NEXT_DRAWS:])
            and (NOPE in third) != (NOPE in below)
        )

    seed = next(seed for seed in count() if fits(dealt_by(seed)))
    begin = KittensDealer.begin

    def begun(dealer: KittensDealer, state: Any, chance: Chance) -> None:
        swapped = chance.stream("worlds").randbelow(2)
        begin(dealer, state, Chance(key_of(seed)))
        if swapped:
            hand = dealer.hands["third"]
            below = len(hand) - 1
            hand[1:], dealer.deck[:below] = dealer.deck[:below], hand[1:]
            dealer._notes = [Hand(seat, tuple(sorted(cards))) for seat, cards in dealer.hands.items()]

    monkeypatch.setattr(KittensDealer, "begin", begun)
    monkeypatch.setattr(table_players, "chosen", lets_be_and_draws)
    with two_tables(folder, monkeypatch, KITTENS) as worlds:
        yield worlds


def lets_be_and_draws(task: worker.Choose, goes_on: Callable[[], bool]) -> Choice:
    """A player of the table that lays no nope, and draws in its turn."""
    return Choice(None if task.answers else Draw())


@contextmanager
def other_hands_of_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Two tables of Hide and Seek with the same animals and the same first hand; all other cards differ."""
    begin = HideDealer.begin

    def begun(dealer: HideDealer, state: HideState, chance: Chance) -> None:
        turned = chance.stream("worlds").randbelow(2)
        begin(dealer, state, Chance(key_of(1)))
        own = len(dealer.deck) - state.set.hand
        if turned:
            dealer.deck[:own] = reversed(dealer.deck[:own])

    monkeypatch.setattr(HideDealer, "begin", begun)
    with two_tables(folder, monkeypatch, HIDE) as worlds:
        yield worlds


def lay_one(world: World, seat: str) -> Iterator[None]:
    """A seat lays the first card of its hand that is no enemy, and no more; yields after each."""
    board = world.table.snapshot.view(seat).match.board
    card = next(each for each in board.hand.cards if board.set.cards[each].does != "enemy")
    laid = {"move": "turn-up", "by": seat, "card": card, "on": board.animals[0].animal}
    for move in (laid, {"move": "go-on"}):
        world.table.play(move, "phone", seat=seat)
        yield


def two_lay(world: World) -> Iterator[None]:
    """Two seats of Hide and Seek lay a card face down; yields after everything that happens."""
    for _ in range(2):
        assert world.table.snapshot.dealt
        yield from lay_one(world, world.table.snapshot.dealt.in_secret)


def a_round(world: World) -> Iterator[None]:
    """A round of Exploding Kittens in which the second seat steals a card of the third.

    Yields after everything that happens.
    """
    yield from world.settles()
    yield from _plays(world, "first", {"move": "play", "card": "skip"})
    hand = [
        note.card
        for note in world.table.snapshot.view("second").match.board.mine.hand
        for _ in range(note.count)
    ]
    cat = next(each for each in CATS if hand.count(each) > 1)
    yield from _plays(world, "second", {"move": "pair", "card": cat, "target": "third"})
    yield from _plays(world, "second", {"move": "draw"})
    assert world.table.snapshot.match.game.turn(world.table.snapshot.match.state) == "first", (
        "third has drawn"
    )
    yield from _plays(world, "first", {"move": "draw"})


def _plays(world: World, seat: str, move: dict[str, str]) -> Iterator[None]:
    world.table.play(move, "phone", seat=seat)
    yield
    yield from world.settles()


COURSES: dict[str, tuple[Any, Callable[[World], Iterable[None]]]] = {
    "exploding kittens": (other_hand_of_the_table, a_round),
    "hide and seek": (other_hands_of_others, two_lay),
}
"""By the game: the pair of tables, and what happens at each of them."""
