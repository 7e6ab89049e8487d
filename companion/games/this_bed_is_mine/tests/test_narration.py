"""A score told in sentences."""

from __future__ import annotations

import pytest

from companion.games.this_bed_is_mine import retrospect
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start
from companion.games.this_bed_is_mine.view import BedView
from companion.messages import LANGUAGES

DREAM = bed("bb..bym.", side="B")


def ended(**options: object) -> BedView:
    state = played(start(board=DREAM, tiles=bars(2), **options), "c1@0,2")
    return GAME.view(GAME.play(state, GAME.legal_moves(state)[-1]), None)


def test_regions_with_their_why() -> None:
    assert list(retrospect.regions(ended(), "en")) == [
        "  1    2 □  The cat gets this region: cat 1, dog 0; 2 points.  [cat 1 = 1]",
        "  2    2 □  Equal sums, 1 and 1: nobody gets this region.  [cat 1 = 1, dog 1 = 1]",
    ]
    (empty,) = retrospect.regions(GAME.view(start(), None), "en")
    assert empty == "  1  192 □  No tile touches this region."


def test_what_to_lay_out() -> None:
    assert list(retrospect.steps(ended(), "en")) == [
        "Put a cat paw marker on A1: 2 points.",
        "The cat takes 2 × bone.",
        "bone: cat 2, dog 0. The cat has more and gets 5 points.",
        "Give the cat chips worth 7 points. (1 × 5, 1 × 2)",
        "Give the dog chips worth 0 points.",
        "Most points: cat. This bed is mine!",
    ]


def test_what_the_chips_cannot_pay_is_told() -> None:
    said = list(retrospect.steps(ended(chips_5=0, chips_2=1, chips_1=0, chips_10=0), "en"))
    assert "There are not enough chips: note 5 more points for the cat on paper." in said


def test_equal_toys_are_told() -> None:
    tied = played(start(board=bed(".b..b.", side="B"), tiles=bars(1)), "c1@0,2 d1@0,3")
    assert "bone: cat 1, dog 1. Equal, so nobody gets points." in list(
        retrospect.steps(GAME.view(tied, None), "en")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_said_in_every_language(language: str) -> None:
    view = ended(chips_5=0)
    assert len(list(retrospect.regions(view, language))) == 2
    assert all(sentence.strip() for sentence in retrospect.steps(view, language))
