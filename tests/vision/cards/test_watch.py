"""A card is told once, when it has come to rest, and not again until another lies there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.watching import Card, Observation
from companion.service.senses.beside import CardsSense
from hardware.camera.frame import Frame
from hardware.vision.cards import CardBook, DiscardWatcher
from hardware.vision.cards.book import save
from tests.vision.cards.decks import Deck
from tests.vision.cards.scenes import draw_shot


def card(kind: str, x: float = 0, y: float = 0) -> Card:
    """A card of 60 × 90 px with its top left corner there."""
    return Card(kind, 0.99, ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90)))


def lies(*cards: Card) -> Observation:
    """What lies on top."""
    return Observation(cards=cards)


def unsure(*cards: Card) -> Observation:
    """What a person must be asked about."""
    return Observation(
        cards=tuple(replace(card, unsure=True) for card in cards), unsure=True, why="card-unclear"
    )


EMPTY = lies()
SKIP, NOPE = lies(card("skip")), lies(card("nope", 10, 5))


class Script:
    """Reads off what it was told: the picture's first px says which of the tables it shows."""

    def __init__(self, *tables: Observation) -> None:
        self.tables, self.looks = tables, 0

    def read_cards(self, picture: np.ndarray) -> Observation:
        self.looks += 1
        return self.tables[int(picture[0, 0, 0])]


MATCH: Any = SimpleNamespace(n=0)
"""A match as the sense of cards sees it: its number of moves."""


def shot(number: int) -> np.ndarray:
    """A picture that shows table `number`: a light square stands somewhere else in each."""
    picture = np.zeros((120, 160, 3), np.uint8)
    picture[20:50, 10 + 30 * number : 40 + 30 * number] = 200
    picture[0, 0] = number
    return picture


def whole(picture: np.ndarray) -> tuple[int, int, int, int]:
    """All of the picture as the discard spot."""
    return 0, 0, picture.shape[1], picture.shape[0]


def laid(watch: DiscardWatcher, numbers: Iterable[int]) -> list[list[str]]:
    """The cards told while these tables are seen, five pictures a second; unsure ones with a `?`."""
    reported = (watch.detect_cards(shot(number), 0.2 * n) for n, number in enumerate(numbers))
    return [[c.kind + "?" * r.unsure for c in r.cards] for r in reported if r is not None]


def at_rest(*numbers: int) -> list[int]:
    """Each of these tables for a second and a half."""
    return [number for number in numbers for _ in range(8)]


def test_a_card_laid_is_told_once() -> None:
    assert laid(DiscardWatcher(Script(EMPTY, SKIP), whole), at_rest(0, 1, 1, 1)) == [["skip"]]


def test_what_lay_there_before_is_not_told() -> None:
    assert laid(DiscardWatcher(Script(SKIP, NOPE), whole), at_rest(0, 0, 1)) == [["nope"]]


def test_nothing_is_read_while_things_move() -> None:
    reported = Script(EMPTY, SKIP)
    assert laid(DiscardWatcher(reported, whole), [0, 1] * 10) == []
    assert reported.looks == 0


def test_a_hand_that_hides_the_card_does_not_make_it_new() -> None:
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, EMPTY), whole), at_rest(0, 1, 2, 1)) == [["skip"]]


def test_another_card_on_top_is_told() -> None:
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, NOPE), whole), at_rest(0, 1, 2)) == [["skip"], ["nope"]]


def test_two_cards_laid_at_once_are_told_together() -> None:
    both = lies(card("cat"), card("cat", 100, 0))
    assert laid(DiscardWatcher(Script(EMPTY, both), whole), at_rest(0, 1)) == [["cat", "cat"]]


def test_a_card_laid_beside_the_last_is_told_alone() -> None:
    both = lies(card("skip"), card("nope", 100, 0))
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, both), whole), at_rest(0, 1, 2)) == [["skip"], ["nope"]]


def test_the_same_kind_a_little_aside_is_asked_about() -> None:
    nudged = lies(card("skip", 8, 3))
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, nudged), whole), at_rest(0, 1, 2, 2)) == [
        ["skip"],
        ["skip?"],
    ]


def test_a_card_that_comes_to_light_again_is_asked_about() -> None:
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, NOPE), whole), at_rest(0, 1, 2, 1)) == [
        ["skip"], ["nope"], ["skip?"],
    ]  # fmt: skip


def test_the_same_kind_laid_elsewhere_is_another_card() -> None:
    elsewhere = lies(card("skip", 80, 20))
    assert laid(DiscardWatcher(Script(EMPTY, SKIP, elsewhere), whole), at_rest(0, 1, 2)) == [
        ["skip"],
        ["skip"],
    ]


def test_a_card_asked_about_is_asked_about_once() -> None:
    hazy = unsure(card("skip"))
    assert laid(DiscardWatcher(Script(EMPTY, hazy, EMPTY), whole), at_rest(0, 1, 2, 1)) == [["skip?"]]


def test_a_card_asked_about_is_told_when_the_glare_is_gone() -> None:
    watch = DiscardWatcher(Script(EMPTY, unsure(card("nope")), SKIP), whole)
    assert laid(watch, at_rest(0, 1, 2)) == [["nope?"], ["skip"]]


def test_a_card_asked_about_and_answered_is_not_told_any_more() -> None:
    watch = DiscardWatcher(Script(EMPTY, unsure(card("nope")), SKIP), whole)
    assert laid(watch, at_rest(0, 1)) == [["nope?"]]
    watch.answered()
    assert [watch.detect_cards(shot(2), 10 + 0.2 * n) for n in range(8)] == [None] * 8


def test_a_sure_card_is_told_before_an_unclear_one_is_asked_about() -> None:
    both = Observation(
        cards=(card("skip"), *unsure(card("nope", 100)).cards), unsure=True, why="card-unclear"
    )
    assert laid(DiscardWatcher(Script(EMPTY, both), whole), at_rest(0, 1, 1)) == [["skip"], ["nope?"]]


def test_a_card_answered_is_not_asked_about_again_when_another_is_laid() -> None:
    hazy = unsure(card("nope", 100))
    both = Observation(cards=(card("skip"), *hazy.cards), unsure=True, why="card-unclear")
    watch = DiscardWatcher(Script(EMPTY, hazy, both), whole)
    assert laid(watch, at_rest(0, 1)) == [["nope?"]]
    watch.answered()
    told = [watch.detect_cards(shot(2), 10 + 0.2 * n) for n in range(12)]
    assert [reading for reading in told if reading] == [SKIP]


def test_an_unclear_card_beside_the_spot_makes_no_card_unsure() -> None:
    cards = card("skip", 20, 10), replace(card("nope", -10, 10), unsure=True)
    assert beside(DiscardWatcher(Beside(*cards), lambda picture: (36, 26, 116, 86)))[0].unsure is False


def test_readings_that_differ_at_rest_are_unsure() -> None:
    class Wavering(Script):
        def read_cards(self, picture: np.ndarray) -> Observation:
            self.looks += 1
            return EMPTY if self.looks < 3 else lies(card(f"kind-{self.looks}"))

    watch = DiscardWatcher(Wavering(), whole)
    assert laid(watch, at_rest(0, 1)) == [["kind-5?"]]


class Beside(Script):
    """Sees an empty table, then one card; the picture that it gets is the spot and some of what is around."""

    def __init__(self, *cards: Card) -> None:
        super().__init__(Observation(cards=cards, unsure=any(card.unsure for card in cards)))

    def read_cards(self, picture: np.ndarray) -> Observation:
        assert picture.shape == (24 + 60 + 24, 32 + 80 + 32, 3)
        self.looks += 1
        return EMPTY if self.looks < 3 else self.tables[0]


def beside(watch: DiscardWatcher) -> list[Observation]:
    """What is told of two tables."""
    readings = [watch.detect_cards(shot(n), 0.2 * i) for i, n in enumerate(at_rest(0, 1))]
    return [reading for reading in readings if reading is not None]


def test_corners_are_told_in_px_of_the_whole_picture() -> None:
    (reported,) = beside(DiscardWatcher(Beside(card("skip", 20, 10)), lambda picture: (36, 26, 116, 86)))
    assert reported.cards[0].corners[0] == (24, 12)


def test_a_card_whose_middle_lies_beside_the_spot_does_not_count() -> None:
    assert beside(DiscardWatcher(Beside(card("skip", -10, 10)), lambda picture: (36, 26, 116, 86))) == []


def test_a_drawn_card_is_told_by_what_was_kept(deck: Deck, book: CardBook, tmp_path: Path) -> None:
    path = tmp_path / "discard.npz"
    sense = CardsSense(path)
    empty, full = draw_shot(deck, "empty", 4).picture, draw_shot(deck, "plain", 4, "kind-6").picture
    # The first px of both are made alike: the same table, seen before and after.
    assert sense.observe(MATCH, Frame(empty, 0.0), None) is None
    save(book, path)
    frames = [Frame(picture, 0.3 * n) for n, picture in enumerate([empty] * 5 + [full] * 5)]
    reported = [sense.observe(MATCH, frame, None) for frame in frames]
    assert [[c.kind for c in reading.cards] for reading in reported if reading] == [["kind-6"]]


def test_what_was_kept_and_is_broken_is_left_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "discard.npz"
    path.write_bytes(b"broken")
    sense = CardsSense(path)
    assert sense.observe(MATCH, Frame(shot(0), 0.0), None) is None
    assert sense.observe(MATCH, Frame(shot(0), 1.0), None) is None
    assert [record.levelname for record in caplog.records] == ["WARNING"]
