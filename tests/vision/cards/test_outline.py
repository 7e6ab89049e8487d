"""The outline of the card in the one picture from which it is learned."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.vision.cards.outline import outline_of
from hardware.vision.errors import PictureError
from tests.vision.cards.decks import HEIGHT, WIDTH, Deck, draw_deck
from tests.vision.cards.figures import LESSONS, OFF, outline_off, outline_tally
from tests.vision.cards.scenes import busy_shot, corners_of, shift


def on_ground(face: np.ndarray, turn_deg: float, level: int = 90, scale: float = 1.0) -> np.ndarray:
    """A card turned by some degrees, on a ground twice its size."""
    place = np.array([(1, 0, WIDTH / 2), (0, 1, HEIGHT / 2), (0, 0, 1)]) @ shift(0, 0, turn_deg)
    ground = np.full((2 * HEIGHT, 2 * WIDTH, 3), level, np.uint8)
    cv2.warpPerspective(face, place, (2 * WIDTH, 2 * HEIGHT), dst=ground, borderMode=cv2.BORDER_TRANSPARENT)
    return cv2.resize(ground, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("turn_deg", [0, 15, -40, 80])
def test_a_card_on_a_plain_ground_is_found(deck: Deck, turn_deg: float) -> None:
    place = np.array([(1, 0, WIDTH / 2), (0, 1, HEIGHT / 2), (0, 0, 1)]) @ shift(0, 0, turn_deg)
    matched = outline_of(on_ground(deck.faces["kind-1"], turn_deg))
    true = corners_of(place)
    apart = [np.linalg.norm(true - np.roll(matched, n, 0), axis=1).max() for n in range(4)]
    assert min(apart) < 0.015 * HEIGHT


def test_its_long_sides_go_down(deck: Deck) -> None:
    corners = outline_of(on_ground(deck.faces["kind-1"], 80))
    assert np.linalg.norm(corners[3] - corners[0]) > np.linalg.norm(corners[1] - corners[0])


def test_a_scan_is_taken_whole(deck: Deck) -> None:
    corners = outline_of(deck.back)
    assert corners.tolist() == [[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]


def test_a_picture_without_a_card_says_how_to_take_one() -> None:
    with pytest.raises(PictureError, match="lay it alone on a plain ground"):
        outline_of(np.full((480, 640, 3), 70, np.uint8))


def test_a_card_too_small_in_its_picture_is_refused(deck: Deck) -> None:
    with pytest.raises(PictureError, match="too small"):
        outline_of(on_ground(deck.faces["kind-1"], 0, scale=0.2))


@pytest.mark.parametrize("scale", [0.75, 2.5, 5.0])
def test_corners_are_in_px_of_the_picture_however_large(deck: Deck, scale: float) -> None:
    place = np.array([(1, 0, WIDTH / 2), (0, 1, HEIGHT / 2), (0, 0, 1)]) @ shift(0, 0, 10)
    picture = on_ground(deck.faces["kind-1"], 10)
    large = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners = outline_of(large)
    true = corners_of(place) * scale
    distances = [np.linalg.norm(true - np.roll(corners, n, 0), axis=1).max() for n in range(4)]
    assert min(distances) < 0.015 * HEIGHT * scale


@pytest.mark.parametrize(("turn_deg", "tilt"), [(0, 0.0), (20, 0.15), (-65, 0.1)])
def test_the_corners_go_clockwise_from_the_top_left(deck: Deck, turn_deg: float, tilt: float) -> None:
    picture = on_ground(deck.faces["kind-2"], turn_deg)
    height, width = picture.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    tilted = flat + np.array([(tilt * width, 0), (-tilt * width, 0), (0, 0), (0, 0)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, tilted.astype(np.float32))
    corners = outline_of(cv2.warpPerspective(picture, matrix, (width, height), borderValue=(90, 90, 90)))
    (ax, ay), (bx, by), (cx, cy) = (corners[n] for n in range(3))
    assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_folds_and_hard_shadows_are_no_card(deck: Deck, seed: int) -> None:
    picture, true = busy_shot(np.random.default_rng(seed), deck.faces["kind-1"])
    assert outline_off(outline_of(picture), true) <= OFF


@pytest.mark.slow
def test_lessons_on_busy_grounds_hold_their_figures() -> None:
    """One deck of each style that nothing was tuned on."""
    right, wrong, refused = outline_tally(draw_deck(style, seed) for style, seed in LESSONS[::4])
    assert right >= 0.7 * (right + wrong + refused)
