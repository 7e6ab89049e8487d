"""A match of Hide and Seek with the table's own cards: laid face down, turned up together, to its end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import MoveError
from companion.games.chance import Chance, key_of
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.cardset import card_set
from companion.games.hide_and_seek.player import HideDealer
from companion.games.hide_and_seek.state import GoOn
from companion.games.players import Choice
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.players import table_players, worker
from companion.players.table_players import TablePlayers
from tests.players.test_dealing import Clock

HIDE = GAME.slug
ONE, TWO, THREE = "player-1", "player-2", "player-3"

LAYS_NO_MORE = {"move": "go-on"}

ENEMIES = [name for name, kind in card_set("example").cards.items() if kind.does == "enemy"]


def at_once(task: worker.Choose, goes_on: Callable[[], bool]) -> Choice:
    """What a player of the table chooses, in this process."""
    assert goes_on()
    return worker.choose(
        worker.Choose(task.game, task.state, task.seat, task.level, 5, 0.01, answers=task.answers)
    )


class Round:
    """A table that deals for two people and a player of its own, at the start of a match."""

    def __init__(self, journal: Journal) -> None:
        self.table = Table(journal, Match.begin(journal, "cat-and-mouse", {}))
        self.table.begin(HIDE, {}, 3, dealt_to={THREE: "top"})
        self.clock = Clock()
        self.dealer = TablePlayers(self.table, lambda: True, answer_s=4.0, clock=self.clock)

    @property
    def board(self) -> Any:
        """What everybody sees."""
        return self.table.snapshot.view(None).match.board

    def own(self, seat: str) -> Any:
        """What that seat's phone shows."""
        return self.table.snapshot.view(seat).match.board

    def turns(self) -> str:
        """Who lays cards now."""
        dealt = self.table.snapshot.dealt
        assert dealt
        return dealt.in_secret

    def play(self, seat: str | None, /, **move: object) -> None:
        """What the person at that seat does."""
        self.table.play(move, "phone", seat=seat)

    def lay(self, seat: str) -> str:
        """Lay a card of the seat's hand on an animal; its name."""
        board = self.own(seat)
        card = next(each for each in board.hand.cards if board.set.cards[each].does != "enemy")
        self.play(seat, move="turn-up", by=seat, card=card, on=board.animals[0].animal)
        return card

    def refused(self, seat: str | None, /, **move: object) -> str:
        """The rule that refuses a move."""
        with pytest.raises(MoveError) as refusal:
            self.play(seat, **move)
        return refusal.value.rule

    def step(self) -> float:
        """One look of the dealer's thread."""
        return self.dealer.step(self.table.snapshot)

    def goes_on(self) -> None:
        """What the table does, then what a person does whose choice is waited for; time passes.

        People lay nothing, and make the first choice that they have.
        """
        self.step()
        self.clock.now_s += 5.0
        match, dealt = self.table.snapshot.match, self.table.snapshot.dealt
        assert dealt
        seat = dealt.in_secret or match.game.turn(match.state)
        if dealt.waits or seat not in (ONE, TWO):
            return
        if dealt.in_secret:
            self.play(seat, **LAYS_NO_MORE)
            return
        for move in sorted(GAME.legal_moves(match.state), key=lambda each: isinstance(each, GoOn)):
            try:
                self.play(seat, **msgspec.to_builtins(move))
            except MoveError:
                continue
            return

    def goes_on_to(self, round_number: int) -> None:
        """To the start of a round, or the end of the match."""
        for _ in range(800):
            if self.board.round == round_number or self.board.outcome:
                return
            self.goes_on()
        raise AssertionError(f"{self.board.phase} never ends")


def holds_enemy(dealer: HideDealer, seat: str) -> bool:
    """Whether an enemy was dealt to a seat."""
    return any(card in ENEMIES for card in dealer.hands[seat])


def dealt_by(seed: int) -> HideDealer:
    """The cards that a seed deals, with the first animal that seeks."""
    state, dealer = GAME.start(GAME.options({}), 3), HideDealer()
    dealer.begin(state, Chance(key_of(seed)))
    while (move := dealer.chance(state)) is not None:
        state = GAME.play(state, move)
    return dealer


@pytest.fixture
def dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Round]]:
    """A match dealt by a seed."""
    monkeypatch.setattr(table_players, "chosen", at_once)
    made: list[Round] = []

    def make(seed: int) -> Round:
        monkeypatch.setattr("companion.play.dealt.token_bytes", lambda size: key_of(seed))
        made.append(Round(Journal(tmp_path / f"{len(made)}.sqlite")))
        return made[-1]

    yield make
    for each in made:
        each.table.journal.close()


def laid_by_all(at: Round) -> dict[str, str]:
    """Each person lays one card, the table's player what it likes; the cards of the people."""
    laid = {}
    while seat := at.turns():
        if seat == THREE:
            at.step()
            continue
        laid[seat] = at.lay(seat)
        at.play(seat, **LAYS_NO_MORE)
    return laid


def test_animals_and_cards_are_dealt_and_a_lot_says_who_seeks_first(
    dealt: Callable[[int], Round],
) -> None:
    at = dealt(1)
    assert [(len(seat.animals), seat.hand) for seat in at.board.seats] == [(3, 6)] * 3
    assert at.board.phase == "cards"
    assert at.board.seeking
    assert at.board.hand is None
    for seat in (ONE, TWO, THREE):
        assert sorted(at.own(seat).hand.cards) == sorted(dealt_by(1).hands[seat])


def test_cards_are_seen_by_their_player_alone_until_all_have_laid(dealt: Callable[[int], Round]) -> None:
    at = dealt(5)
    seat = at.turns()
    other = ONE if seat == TWO else TWO
    before, seen_before = at.board, at.own(other)
    card = at.lay(seat)
    assert at.board == before
    assert at.own(other) == seen_before
    own = at.own(seat)
    assert [effect.card for animal in own.animals for effect in animal.standing.effects] == [card]
    assert len(own.hand.cards) == 5
    at.play(seat, **LAYS_NO_MORE)
    laid = laid_by_all(at) | {seat: card}
    assert at.board == before, "nothing lies open before the table turns it up"
    at.step()
    up = {(effect.by, effect.card) for animal in at.board.animals for effect in animal.standing.effects}
    assert up >= set(laid.items())
    assert at.board.phase != "cards"


def test_a_seat_lays_its_own_cards_when_it_is_asked(dealt: Callable[[int], Round]) -> None:
    at = dealt(1)
    seat = at.turns()
    other = ONE if seat == TWO else TWO
    animal = at.board.animals[0].animal
    missing = next(card for card in at.board.set.cards if card not in at.own(seat).hand.cards)
    lays = {"move": "turn-up", "on": animal}
    assert at.refused(seat, **lays, by=seat, card=missing) == "card-not-in-hand"
    assert at.refused(other, **lays, by=other, card=at.own(other).hand.cards[0]) == "dealt-turn"
    assert at.refused(seat, **lays, by=other, card=at.own(other).hand.cards[0]) == "dealt-turn"
    assert at.refused(other, **LAYS_NO_MORE) == "dealt-turn"
    assert at.refused(None, **LAYS_NO_MORE) == "dealt-on-phones"
    assert at.refused(seat, move="hold", seat=seat, cards=[missing] * 6) == "dealt-told"
    assert at.refused(seat, move="catch", colour="grey") == "not-now"
    for _ in range(3):
        at.lay(seat)
    assert at.turns() != seat, "three are the most"


def test_the_same_cards_lie_face_down_after_a_restart(dealt: Callable[[int], Round], tmp_path: Path) -> None:
    at = dealt(1)
    seat = at.turns()
    at.lay(seat)
    shutil.copytree(tmp_path, tmp_path / "later")
    journal = Journal(tmp_path / "later" / at.table.journal.path.name)
    again = Table(journal, Match(journal, at.table.match.record))
    assert again.snapshot.view(seat).match.board == at.own(seat)
    for table in (at.table, again):
        table.play(LAYS_NO_MORE, "phone", seat=seat)
    assert again.snapshot.dealt == at.table.snapshot.dealt
    journal.close()


def test_there_is_the_same_time_for_an_enemy_whoever_holds_one(dealt: Callable[[int], Round]) -> None:
    for holds in (True, False):
        seed = next(
            seed
            for seed in range(500)
            if [holds_enemy(dealt_by(seed), seat) for seat in (ONE, TWO, THREE)] == [holds, False, False]
        )
        at = dealt(seed)
        at.goes_on_to(2)
        assert at.table.snapshot.dealt
        assert at.table.snapshot.dealt.waits
        while at.step() == 0.0:
            pass
        assert at.step() == 4.0
        seeker = at.board.seeker
        own = next(animal.animal for animal in at.board.animals if animal.seat == seeker)
        assert at.refused(seeker, move="seek", animal=own) == "dealt-enemy-first"
        assert at.refused(seeker, move="end") == "dealt-enemy-first"
        at.clock.now_s += 5.0
        at.step()
        assert not at.table.snapshot.dealt.waits
        assert at.refused(seeker, move="end") == "dealt-to-the-end"


def test_a_person_plays_an_enemy_of_the_own_hand(dealt: Callable[[int], Round]) -> None:
    seed = next(seed for seed in range(500) if holds_enemy(dealt_by(seed), ONE))
    at = dealt(seed)
    at.goes_on_to(2)
    card = next(card for card in at.own(ONE).hand.cards if card in ENEMIES)
    assert at.refused(TWO, move="enemy", by=TWO, card=card) == "card-not-in-hand"
    assert at.refused(TWO, move="enemy", by=ONE, card=card) == "dealt-turn"
    at.play(ONE, move="enemy", by=ONE, card=card)
    assert at.board.enemy.by == ONE
    assert len(at.own(ONE).hand.cards) == 6, "it was drawn for at once, and its player knows what came"
    assert at.own(ONE).hand.untold == 0


def test_a_whole_match_is_played_to_its_end(dealt: Callable[[int], Round]) -> None:
    at = dealt(1)
    at.goes_on_to(0)
    assert at.board.outcome
    assert at.board.outcome.reason == "rounds"
