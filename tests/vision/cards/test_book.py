"""What was taught is kept, forgotten on demand, and refused where it could not be told apart."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.vision.cards import CardBook, CardReader
from hardware.vision.cards.book import load, pack, save, unpack
from hardware.vision.errors import PictureError, SavedStateError
from tests.vision.cards.decks import HEIGHT, WIDTH, Deck, polygon
from tests.vision.cards.scenes import draw_shot, teaching_shot


def picture_of(face: np.ndarray, seed: int = 1) -> np.ndarray:
    """The picture a person takes to teach a card."""
    return teaching_shot(np.random.default_rng(seed), face)


def test_a_kind_is_learned_from_one_picture(deck: Deck) -> None:
    book = CardBook().taught("kind-1", picture_of(deck.faces["kind-1"]))
    assert book.kinds == ("kind-1",)
    shot = draw_shot(deck, "plain", 3, "kind-1")
    assert [card.kind for card in CardReader(book.cards).read_cards(shot.picture).cards] == ["kind-1"]


def test_a_deck_with_look_alikes_can_be_taught_card_by_card(deck: Deck) -> None:
    book = CardBook()
    for kind in ("cat-1", "cat-2", "cat-3", "cat-4", "kind-1"):
        book = book.taught(kind, picture_of(deck.faces[kind]))
    assert book.kinds == ("cat-1", "cat-2", "cat-3", "cat-4", "kind-1")


def test_the_same_card_under_another_name_is_refused(deck: Deck, book: CardBook) -> None:
    with pytest.raises(PictureError, match=r"'other' is too like 'cat-2' to be told apart"):
        book.taught("other", picture_of(deck.faces["cat-2"], seed=8))


@pytest.mark.parametrize("radius_px", [12, 20, 30])
def test_a_card_that_differs_by_a_small_sign_is_refused_with_the_other_s_name(
    deck: Deck, radius_px: int
) -> None:
    """Two aces: what is taught as one would be read as the other."""
    aces = [deck.faces["kind-1"].copy() for _ in range(2)]
    for sides, ace in enumerate(aces, start=4):
        cv2.circle(ace, (WIDTH // 2, HEIGHT // 2), round(1.3 * radius_px), (245, 250, 250), -1)
        polygon(ace, (WIDTH / 2, HEIGHT / 2), radius_px, sides, (30, 30, 200))
    book = CardBook().taught("ace-1", picture_of(aces[0]))
    with pytest.raises(PictureError, match=r"'ace-2' is too like 'ace-1' .* forget 'ace-1' too"):
        book.taught("ace-2", picture_of(aces[1], seed=2))


def test_a_kind_is_not_taught_twice_by_mistake(deck: Deck, book: CardBook) -> None:
    with pytest.raises(PictureError, match="is there already: forget it first"):
        book.taught("kind-1", picture_of(deck.faces["kind-1"]))


def test_a_kind_may_have_another_face(deck: Deck) -> None:
    book = CardBook().taught("kind-1", picture_of(deck.faces["kind-1"]))
    book = book.taught("kind-1", picture_of(deck.faces["kind-2"]), another=True)
    assert book.kinds == ("kind-1",)
    assert len(book.faces_of("kind-1")) == 2
    shot = draw_shot(deck, "plain", 3, "kind-2")
    assert [card.kind for card in CardReader(book.cards).read_cards(shot.picture).cards] == ["kind-1"]


def test_a_card_too_plain_is_refused() -> None:
    plain = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    with pytest.raises(PictureError, match="too plain"):
        CardBook().taught("blank", picture_of(plain))


def test_a_kind_is_forgotten(book: CardBook) -> None:
    assert "cat-2" not in book.without("cat-2").kinds
    with pytest.raises(SavedStateError, match=r"'dog' was never taught; there are: kind-1"):
        book.without("dog")


def test_a_book_comes_back_from_its_file(deck: Deck, book: CardBook, tmp_path: Path) -> None:
    path = tmp_path / "cards" / "discard.npz"
    save(book, path)
    again = load(path)
    assert again.kinds == book.kinds
    for one, two in zip(book.cards, again.cards, strict=True):
        assert np.array_equal(one.face, two.face)
        assert np.array_equal(one.features.points, two.features.points)
        assert np.abs(one.features.signs - two.features.signs).max() < 0.2
    shot = draw_shot(deck, "tilted", 5, "cat-3")
    assert [card.kind for card in CardReader(again.cards).read_cards(shot.picture).cards] == ["cat-3"]


def test_an_empty_book_comes_back_too() -> None:
    assert unpack(pack(CardBook())).cards == ()


def test_without_a_file_nothing_was_taught(tmp_path: Path) -> None:
    assert load(tmp_path / "none.npz").cards == ()


@pytest.mark.parametrize("data", [b"", b"nothing", b"PK\x03\x04 broken"], ids=["empty", "no zip", "broken"])
def test_a_broken_file_is_said(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "cards.npz"
    path.write_bytes(data)
    with pytest.raises(SavedStateError, match="teach the cards again"):
        load(path)


def test_a_file_cut_short_is_said(book: CardBook) -> None:
    data = pack(book)
    for end in (len(data) // 3, len(data) - 40):
        with pytest.raises(SavedStateError, match="teach the cards again"):
            unpack(data[:end])


def test_a_disk_that_is_full_is_said(book: CardBook, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(SavedStateError, match="cannot be kept"):
        save(book, tmp_path / "taken" / "cards.npz")
