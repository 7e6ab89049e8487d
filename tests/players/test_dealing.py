"""The table plays its seats in a match that it deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.chance import Chance, key_of
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import NOPE
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.games.exploding_kittens.state import Draw, Nope
from companion.games.players import Choice
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.players import table_players, worker
from companion.players.table_players import TablePlayers

KITTENS = GAME.slug


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Evening:
    """A table that deals for a person and two players of its own, who choose what a test says."""

    def __init__(self, folder: Path) -> None:
        journal = Journal(folder / "journal.sqlite")
        self.table = Table(journal, Match.begin(journal, KITTENS, {}))
        self.table.begin(KITTENS, {}, 3, dealt_to={"second": "top", "third": "beginner"})
        self.clock = Clock()
        self.dealer = TablePlayers(self.table, lambda: True, answer_s=4.0, clock=self.clock)
        self.asked: list[worker.Choose] = []
        self.chooses: Callable[[worker.Choose], Any] = lambda _: None

    def chosen(self, task: worker.Choose, goes_on: Callable[[], bool]) -> Choice:
        """What a player of the table chooses."""
        assert goes_on()
        self.asked.append(task)
        return Choice(self.chooses(task))

    def step(self) -> float:
        """One look of the dealer's thread."""
        return self.dealer.step(self.table.snapshot)

    def play(self, move: dict[str, Any]) -> None:
        """What the person does."""
        self.table.play(move, "phone", seat="first")

    @property
    def notation(self) -> list[str]:
        """The open moves."""
        return [GAME.notation(move) for move in self.table.match.snapshot.seen(None)]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Evening]]:
    """An evening on which the first seat holds these cards, and the others hold a nope or not."""
    made: list[Evening] = []

    def make(*cards: str, nope: str = "") -> Evening:
        def deals_it(seed: int) -> bool:
            dealer = KittensDealer()
            dealer.begin(GAME.start(GAME.options({}), 3), Chance(key_of(seed)))
            nopes = [seat for seat in ("second", "third") if NOPE in dealer.hands[seat]]
            holds = all(card in dealer.hands["first"] for card in cards)
            return holds and nopes == ([nope] if nope else []) and dealer.deck[-1] != "kitten"

        seed = next(filter(deals_it, range(10_000)))
        monkeypatch.setattr("companion.play.dealt.token_bytes", lambda size: key_of(seed))
        made.append(Evening(tmp_path))
        monkeypatch.setattr(table_players, "chosen", made[-1].chosen)
        return made[-1]

    yield make
    for each in made:
        each.table.journal.close()


def test_it_plays_a_seat_whose_turn_it_is_with_what_that_seat_knows(evening: Callable[..., Evening]) -> None:
    at = evening()
    at.chooses = lambda _: Draw()
    at.step()
    assert at.notation == [], "it is the person's turn"
    at.play({"move": "draw"})
    at.step()
    assert len(at.notation) == 2
    [task] = at.asked
    assert (task.seat, task.level) == ("second", "top")
    assert b'"seat":"first","what"' not in bytes(task.state), "the notes of the second seat alone"
    assert b'"seat":"second","what":"hand"' in bytes(task.state)


def test_a_card_takes_effect_after_the_same_time_whoever_holds_a_nope(
    evening: Callable[..., Evening],
) -> None:
    for nope in ("", "third"):
        at = evening("skip", nope=nope)
        at.play({"move": "play", "card": "skip"})
        while at.step() == 0.0:
            pass
        assert at.step() == 4.0
        at.clock.now_s += 3.9
        assert at.step() == pytest.approx(0.1)
        assert at.table.snapshot.dealt
        assert at.table.snapshot.dealt.waits == 4.0
        assert at.dealer.waited_s(at.table.snapshot.match) == pytest.approx(3.9)
        at.clock.now_s += 0.2
        at.step()
        assert not at.table.snapshot.dealt.waits
        assert [task.seat for task in at.asked] == [nope] * bool(nope), "who holds none is not asked"
        at.table.journal.close()


def test_who_thinks_too_long_about_a_nope_lays_none(
    evening: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow board, a late card would tell that somebody holds a nope."""
    at = evening("skip", nope="second")

    def slow(task: worker.Choose, goes_on: Callable[[], bool]) -> Choice | None:
        assert goes_on()
        at.clock.now_s += 4.0
        return None if not goes_on() else at.chosen(task, goes_on)

    monkeypatch.setattr(table_players, "chosen", slow)
    at.play({"move": "play", "card": "skip"})
    at.chooses = lambda task: Nope("second")
    at.step()
    at.step()
    assert at.notation == ["play skip"]
    assert at.table.snapshot.dealt
    assert not at.table.snapshot.dealt.waits


def test_a_player_of_the_table_may_answer_with_a_nope_and_nothing_else(
    evening: Callable[..., Evening],
) -> None:
    at = evening("skip", nope="second")
    at.play({"move": "play", "card": "skip"})
    at.chooses = lambda task: Nope("second") if task.answers else None
    at.step()
    assert at.notation == ["play skip", "nope second"]
    assert [task.answers for task in at.asked] == [True]
    assert at.step() == 4.0, "the person may answer in turn"


def test_a_whole_match_is_played_without_anybody_at_the_first_seat_but_a_drawer(
    tmp_path: Path,
) -> None:
    """With the real players, in this process; the person only draws, defuses and explodes."""
    at = Evening(tmp_path)
    dealing_step, seat = at.step, "first"
    original, table_players.chosen = table_players.chosen, lambda task, goes_on: worker.choose(quick(task))
    try:
        for _ in range(600):
            dealing_step()
            at.clock.now_s += 5.0
            match = at.table.match
            if match.outcome is not None:
                break
            mine, dealt = at.table.snapshot.view(seat).match.board, at.table.snapshot.dealt
            assert dealt
            if dealt.waits or dealt.in_secret or match.state.standing.turn != seat or not mine.mine:
                if mine.mine and any(ask.what == "hid" for ask in mine.mine.asks):
                    at.play({"move": "hid", "seat": seat, "place": 0})
                continue
            holds = {kind.card for kind in mine.mine.hand}
            kitten = {"move": "defuse" if "defuse" in holds else "explode"}
            at.play(kitten if mine.phase == "kitten" else {"move": "draw"})
    finally:
        table_players.chosen = original
        at.table.journal.close()
    assert at.table.match.outcome is not None
    assert at.notation.count("explode") == 2


def quick(task: worker.Choose) -> worker.Choose:
    """The same task for a player that does not think long."""
    return worker.Choose(task.game, task.state, task.seat, "beginner", 5, 0.01, answers=task.answers)
