"""A card is recognised however it lies and in bad light; where it cannot be, that is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.watching import Observation
from hardware.vision.cards import CardReader
from tests.vision.cards.decks import Deck
from tests.vision.cards.figures import GROUNDS, JUDGED_ON, measure, on_grounds, verdict
from tests.vision.cards.scenes import COVERED, KNOWN, STRANGE, TROUBLES, draw_shot


def kinds(reading: Observation) -> list[str]:
    """What the cards are of that are told."""
    return [card.kind for card in reading.cards]


@pytest.mark.parametrize("quarter_turns", range(4))
def test_a_card_is_recognised_any_way_up(deck: Deck, reader: CardReader, quarter_turns: int) -> None:
    shot = draw_shot(deck, "plain", 7, "kind-3")
    turned = np.ascontiguousarray(np.rot90(shot.picture, quarter_turns))
    reading = reader.read_cards(turned)
    assert (kinds(reading), reading.unsure) == (["kind-3"], False)


@pytest.mark.parametrize("kind", ["cat-1", "cat-2", "cat-3", "cat-4"])
def test_cards_that_differ_only_in_their_coats_are_told_apart(
    deck: Deck, reader: CardReader, kind: str
) -> None:
    reading = reader.read_cards(draw_shot(deck, "plain", 11, kind).picture)
    assert (kinds(reading), reading.unsure) == ([kind], False)
    assert reading.cards[0].confidence > 0.95


@pytest.mark.parametrize("trouble", ["sleeved", "glare", "shadow", "pile", "dim and noisy"])
def test_a_card_is_recognised_in_trouble(deck: Deck, reader: CardReader, trouble: str) -> None:
    shot = draw_shot(deck, trouble, 21, "kind-5")
    reading = reader.read_cards(shot.picture)
    assert (kinds(reading), reading.unsure) == (["kind-5"], False)


def test_it_says_where_the_card_lies(deck: Deck, reader: CardReader) -> None:
    shot = draw_shot(deck, "tilted", 5, "kind-1")
    (card,) = reader.read_cards(shot.picture).cards
    long_px = np.linalg.norm(shot.corners[3] - shot.corners[0])
    assert np.abs(np.array(card.corners) - shot.corners).max() < 0.05 * long_px


def test_a_cat_of_a_coat_that_was_never_taught_is_asked_about(deck: Deck, reader: CardReader) -> None:
    reading = reader.read_cards(draw_shot(deck, "fifth cat", 3).picture)
    assert reading.unsure
    assert reading.why in ("card-unclear", "cards-alike")
    assert kinds(reading)[0].startswith("cat-")


@pytest.mark.parametrize("trouble", ["unknown card", "back", "empty"])
def test_what_was_never_taught_is_no_card(deck: Deck, reader: CardReader, trouble: str) -> None:
    reading = reader.read_cards(draw_shot(deck, trouble, 9).picture)
    assert not reading.cards or reading.unsure


def test_two_cards_side_by_side_are_both_told(deck: Deck, reader: CardReader) -> None:
    one, two = (draw_shot(deck, "plain", seed, kind).picture for seed, kind in ((7, "kind-2"), (8, "cat-3")))
    reading = reader.read_cards(np.hstack([one[:, 200:1080], two[:, 200:1080]]))
    assert (sorted(kinds(reading)), reading.unsure) == (["cat-3", "kind-2"], False)


def test_a_sure_card_is_kept_beside_one_that_is_unclear(deck: Deck, reader: CardReader) -> None:
    one, two = draw_shot(deck, "plain", 7, "kind-2").picture, draw_shot(deck, "fifth cat", 3).picture
    reading = reader.read_cards(np.hstack([one[:, 200:1080], two[:, 200:1080]]))
    assert reading.unsure
    assert [card.kind for card in reading.cards if not card.unsure] == ["kind-2"]
    assert [card.kind[:4] for card in reading.cards if card.unsure] == ["cat-"]


@pytest.mark.parametrize("kind", ["kind-1", "kind-3", "cat-2"])
def test_a_hard_shadow_across_a_card_does_not_hide_it(deck: Deck, reader: CardReader, kind: str) -> None:
    shot = draw_shot(deck, "plain", 7, kind)
    shadow = np.zeros(shot.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(shadow, np.round(shot.corners[[0, 1, 2]]).astype(np.int32), 1)
    dark = np.where(shadow[..., None], shot.picture * 0.45, shot.picture).astype(np.uint8)
    reading = reader.read_cards(dark)
    assert (kinds(reading), reading.unsure) == ([kind], False)


def test_a_kind_with_two_faces_is_told_by_either(deck: Deck, reader: CardReader) -> None:
    both = [
        card if card.kind != "kind-9" else type(card)("kind-8", card.face, card.features)
        for card in reader._cards
    ]
    reading = CardReader(both).read_cards(draw_shot(deck, "plain", 7, "kind-9").picture)
    assert (kinds(reading), reading.unsure) == (["kind-8"], False)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.zeros((20, 30, 3), np.uint8), id="tiny"),
        pytest.param(np.full((480, 640, 3), 128, np.uint8), id="plain"),
        pytest.param(np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8), id="noise"),
    ],
)
def test_a_picture_of_nothing_holds_no_card(reader: CardReader, picture: np.ndarray) -> None:
    assert reader.read_cards(picture) == Observation(cards=())


def test_a_reader_that_was_taught_nothing_sees_nothing(deck: Deck) -> None:
    assert CardReader(()).read_cards(draw_shot(deck, "plain", 1).picture) == Observation(cards=())


@pytest.mark.slow
def test_few_pictures_of_each_trouble_are_never_silently_wrong(deck: Deck, reader: CardReader) -> None:
    said = [
        verdict(shot, reader.read_cards(shot.picture)) for shot in (draw_shot(deck, t, 31) for t in TROUBLES)
    ]
    assert "wrong" not in said
    assert said.count("exact") >= 0.75 * len(TROUBLES)


@pytest.mark.slow
def test_decks_that_nothing_was_tuned_on_hold_their_figures() -> None:
    """Two decks of each style; `python -m tests.vision.cards.figures judge` takes four."""
    styles, decks, first_shot = JUDGED_ON
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        tally = measure((styles, decks[:2], first_shot), 1)
    finally:
        cv2.setNumThreads(threads)
    assert tally.share("wrong") <= 0.005
    assert tally.share("exact", KNOWN) >= 0.9
    assert tally.share("exact", COVERED) + tally.share("asked", COVERED) >= 0.9
    assert tally.share("wrong", STRANGE) <= 0.02


@pytest.mark.slow
def test_cards_among_folds_and_hard_shadows_hold_their_figures() -> None:
    """One deck that nothing was tuned on; `python -m tests.vision.cards.figures grounds` takes all."""
    counts = on_grounds(GROUNDS[:1]).counts
    assert sum(said["wrong"] for said in counts.values()) == 0
    taught = [said for group, said in counts.items() if group.startswith("taught")]
    assert sum(said["exact"] for said in taught) >= 0.8 * 26
