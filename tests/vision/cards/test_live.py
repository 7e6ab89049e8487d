"""A card laid on the discard spot becomes a move of the match; what is unsure is asked at the table."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion import paths
from companion.games.watching import Verdict
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from hardware.camera.health import CameraState, Condition
from hardware.vision.cards import CardBook
from hardware.vision.cards.book import save
from tests.vision.cards.decks import Deck
from tests.vision.cards.scenes import draw_shot


class Evening:
    """A table of the small game, and a camera over it that sees what a test shows."""

    def __init__(self, table: Table, cards: Path) -> None:
        self.table = table
        watcher: Any = SimpleNamespace(
            camera=SimpleNamespace(live=True), latest=None, state=CameraState(Condition.OK, 0.0)
        )
        self.live = VisionLoop(table, watcher, cards=cards, clock=lambda: 0.0)
        self.at_s = 0.0

    def see(self, picture: Any) -> None:
        """What is seen for two seconds."""
        for _ in range(8):
            self.at_s += 0.25
            self.live.take_frame(Frame(picture, self.at_s))

    @property
    def pile(self) -> tuple[str, ...]:
        """The pile that the match holds."""
        return self.table.match.state.pile  # type: ignore[no-any-return]


@pytest.fixture
def at(journal: Journal, discard: str, book: CardBook) -> Evening:
    save(book, paths.cards() / f"{discard}.npz")
    return Evening(new_table(journal, discard, {}), paths.cards())


def test_a_card_that_is_laid_is_played_once(at: Evening, deck: Deck) -> None:
    at.see(draw_shot(deck, "empty", 2).picture)
    at.see(draw_shot(deck, "plain", 2, "kind-4").picture)
    at.see(draw_shot(deck, "plain", 2, "kind-4").picture)
    assert at.pile == ("kind-4",)
    assert at.table.snapshot.view().match.by == "camera"
    at.see(draw_shot(deck, "pile", 6, "cat-2").picture)
    assert at.pile == ("kind-4", "cat-2")


def test_a_card_that_is_unsure_is_asked_and_answered_once(at: Evening, deck: Deck) -> None:
    at.see(draw_shot(deck, "empty", 2).picture)
    fifth = draw_shot(deck, "fifth cat", 3).picture
    at.see(fifth)
    shown = at.table.snapshot.view().sighting
    assert shown is not None
    assert shown.verdict is Verdict.ASK
    assert at.pile == ()
    at.table.answer(shown.id, 0, "phone")
    assert len(at.pile) == 1
    at.see(draw_shot(deck, "empty", 2).picture)
    at.see(fifth)
    assert len(at.pile) == 1
    assert at.table.snapshot.view().sighting is None


def test_without_cards_taught_nothing_is_seen(journal: Journal, discard: str, deck: Deck) -> None:
    at = Evening(new_table(journal, discard, {}), paths.cards())
    at.see(draw_shot(deck, "empty", 2).picture)
    at.see(draw_shot(deck, "plain", 2).picture)
    assert at.pile == ()


def test_a_skip_laid_at_a_game_of_exploding_kittens_is_played(
    journal: Journal, home: Path, deck: Deck, book: CardBook
) -> None:
    as_skip = [type(card)("skip", card.face, card.features) for card in book.faces_of("kind-4")]
    save(CardBook(as_skip), paths.cards() / "exploding-kittens.npz")
    at = Evening(new_table(journal, "exploding-kittens", {}), paths.cards())
    at.see(draw_shot(deck, "empty", 2).picture)
    at.see(draw_shot(deck, "sleeved", 2, "kind-4").picture)
    (move,) = at.table.match.moves
    assert (move.card, at.table.snapshot.view().match.by) == ("skip", "camera")
