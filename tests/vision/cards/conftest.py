"""What tests of cards need: a drawn deck that was taught, and a small game with a discard pile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import registry, watching
from hardware.vision.cards import CardBook, CardReader
from tests.vision.cards.decks import Deck, draw_deck
from tests.vision.cards.discard import GAME
from tests.vision.cards.figures import taught


@pytest.fixture(scope="session")
def deck() -> Deck:
    """A drawn deck."""
    return draw_deck("mosaic", 101)


@pytest.fixture(scope="session")
def book(deck: Deck) -> CardBook:
    """Its kinds, each learned from one picture."""
    return CardBook(taught(deck, 101))


@pytest.fixture(scope="session")
def reader(book: CardBook) -> CardReader:
    """A reader that was taught the deck."""
    return CardReader(book.cards)


@pytest.fixture
def discard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game with a discard pile, the only one that the camera watches for cards; its slug."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    before = dict(registry.games())
    for name, game in before.items():
        if "cards" in watching.sees(game):
            del registry.games()[name]
    registry.games()[GAME.slug] = GAME
    yield GAME.slug
    registry.games().clear()
    registry.games().update(before)
    registry.game.cache_clear()
