"""What the classifier makes of a place, also where it is given the wrong size."""

from __future__ import annotations

import numpy as np
import pytest

from companion.simulator.dice import Die, draw_die
from companion.simulator.view import TABLE_Z, view_of
from hardware.arrays import Picture
from hardware.vision.dice.classifier import NONE, Classifier
from hardware.vision.dice.reader import WEIGHTS

FELT = (92, 122, 58)
"""The BGR of the cloth on which the die lies."""


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    """The classifier as it is shipped."""
    return Classifier(WEIGHTS / "classifier.onnx")


def plain_die(value: int, colour: str) -> tuple[Picture, tuple[float, float], float]:
    """A plain die of the virtual table, the centre of its upper face, and that face's edge, in px."""
    view, die = view_of(16, 16), Die(value, colour, x=8.0, y=8.0)
    picture = np.full((view.height, view.width, 3), FELT, np.uint8)
    draw_die(picture, view, die, TABLE_Z)
    top = TABLE_Z + die.size
    middle, beside = view.project(np.array([[8.0, 8.0, top], [8.0 + die.size, 8.0, top]]))
    return picture, (float(middle[0]), float(middle[1])), float(np.hypot(*(beside - middle)))


@pytest.mark.parametrize("colour", ["grey", "white", "blue"])
@pytest.mark.parametrize("times", [1.0, 1.9])
def test_a_plain_one_taken_for_too_large_is_a_die_of_its_true_size(
    classifier: Classifier, colour: str, times: float
) -> None:
    picture, middle, edge = plain_die(1, colour)
    verdict = classifier.classify(picture, *middle, times * edge)
    assert verdict.chances[NONE] < 0.05
    assert verdict.chances.argmax() == 1
    assert verdict.edge == pytest.approx(edge, rel=0.2)
