"""A face held against what lies there: refined by a few px, compared in any light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Float64, Picture
from hardware.vision.cards.likeness import RIM_PX, Face, Pyramid, compare, refine
from hardware.vision.cards.place import FACE, FACE_CORNERS, corners_in, transformed
from tests.vision.cards.decks import Deck

SIZE = (400, 500)


def small(deck: Deck, kind: str) -> Picture:
    """A kind's face as it is kept."""
    return np.asarray(cv2.resize(deck.faces[kind], FACE, interpolation=cv2.INTER_AREA), np.uint8)


def place(x: float = 90, y: float = 80, scale: float = 2.0, turn_deg: float = 12.0) -> Float64:
    """A homography from face to picture."""
    angle = np.radians(turn_deg)
    turn = scale * np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.vstack([np.column_stack([turn, (x, y)]), (0, 0, 1)])


def lying(face: Picture, matrix: Float64, gain: float = 1.0, add: float = 0.0) -> Picture:
    """A picture of a face that lies there on gray ground, in some light."""
    ground = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    cv2.warpPerspective(face, matrix, SIZE, dst=ground, borderMode=cv2.BORDER_TRANSPARENT)
    return np.clip(gain * ground.astype(float) + add, 0, 255).astype(np.uint8)


def test_corners_of_a_face_in_the_picture() -> None:
    assert np.allclose(corners_in(np.eye(3)), FACE_CORNERS)
    moved = np.array([(2.0, 0, 5), (0, 2.0, 7), (0, 0, 1)])
    assert np.allclose(transformed(np.array([(1, 1), (3, 4)], np.float32), moved), [(7, 9), (11, 15)])


def test_the_face_that_lies_there_is_seen_as_it_is(deck: Deck) -> None:
    face = small(deck, "kind-1")
    seen = Pyramid(lying(face, place())).face(place())
    inner = slice(RIM_PX, -RIM_PX), slice(RIM_PX, -RIM_PX)
    assert np.abs(seen[inner].astype(int) - face[inner]).mean() < 10
    assert np.abs(seen[inner].astype(int) - small(deck, "kind-2")[inner]).mean() > 30


@pytest.mark.parametrize(("right", "down"), [(0, 0), (2, 0), (0, -2), (-2, 2), (1, 1)])
def test_a_place_that_is_a_few_px_off_is_refined(deck: Deck, right: int, down: int) -> None:
    face, true = small(deck, "kind-1"), place()
    off = true @ np.array([(1, 0, right), (0, 1, down), (0, 0, 1)])
    refined = refine(Pyramid(lying(face, true)), Face(face), off)
    distance = np.linalg.norm(corners_in(refined) - corners_in(true), axis=1).max()
    assert distance < 2.0  # px of the picture, one of the face
    assert distance <= np.linalg.norm(corners_in(off) - corners_in(true), axis=1).max() + 2.0


def test_where_no_pattern_agrees_the_place_stays(deck: Deck) -> None:
    plain = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    assert np.array_equal(refine(Pyramid(plain), Face(small(deck, "kind-1")), place()), place())


@pytest.mark.parametrize(("gain", "add"), [(1.0, 0), (0.6, 0), (1.2, 0), (0.8, 25)])
def test_a_face_agrees_with_itself_in_any_light_and_with_no_other(
    deck: Deck, gain: float, add: float
) -> None:
    faces = {kind: Face(small(deck, kind)) for kind in ("kind-1", "kind-2", "cat-1")}
    pyramid = Pyramid(lying(small(deck, "kind-1"), place(), gain, add))
    likeness = {kind: compare(pyramid, face, place()) for kind, face in faces.items()}
    assert likeness["kind-1"].agree > 0.9
    assert likeness["kind-1"].cost < 6
    assert min(likeness["kind-2"].cost, likeness["cat-1"].cost) > 4 * likeness["kind-1"].cost


def test_glare_says_nothing(deck: Deck) -> None:
    face = small(deck, "kind-1")
    picture = lying(face, place())
    middle = tuple(int(each) for each in corners_in(place()).mean(axis=0))
    cv2.circle(picture, middle, 40, (255, 255, 255), -1)
    likeness = compare(Pyramid(picture), Face(face), place())
    assert likeness.washed.sum() >= 4
    assert likeness.agree + likeness.washed.mean() > 0.8


def test_a_plain_face_has_no_pattern(deck: Deck) -> None:
    assert Face(np.full((FACE[1], FACE[0], 3), 90, np.uint8)).patterned == 0
    assert Face(small(deck, "kind-1")).patterned > 20
