"""What may happen between two pictures, event by event, on a strip of six squares."""

from __future__ import annotations

from math import exp

import msgspec
import pytest

from companion.games.watching import Tile, TileSquares
from hardware.vision.board.search import Board
from hardware.vision.board.temporal_filter import SURE, Estimate, transition, update

TURN_COST = 3.0
"""What the tests charge for a tile out of turn."""


def tile(owner: str, kind: int, *cols: int) -> Tile:
    """A tile on these squares of the strip."""
    return Tile(owner, kind, 0, 0, min(cols), tuple((0, col) for col in cols))


RED_1, RED_2, GREEN_1, GREEN_2 = (
    tile("red", 1, 0),
    tile("red", 2, 1),
    tile("green", 1, 2),
    tile("green", 2, 3),
)
RED_1_ELSEWHERE = tile("red", 1, 5)
RED_3_INSTEAD = tile("red", 3, 0)


def names(*tiles: Tile) -> set[TileSquares]:
    """Tiles as the filter tells them apart."""
    return {each.squares for each in tiles}


def after(
    before: tuple[Tile, ...], now: tuple[Tile, ...], expected: str | None = "red", *, first: bool = False
) -> tuple[float, str]:
    """The cost and the event of one board after another."""
    return transition(names(*before), names(*now), expected, first=first, turn_cost=TURN_COST)


@pytest.mark.parametrize(
    ("before", "now", "expected", "cost", "event"),
    [
        pytest.param((), (), "red", 0.0, "", id="nothing"),
        pytest.param((), (RED_1,), "red", 0.0, "", id="the expected owner's tile"),
        pytest.param((), (GREEN_1,), "red", 3.0, "out-of-turn", id="another's tile"),
        pytest.param((), (GREEN_1,), None, 0.0, "", id="nobody is expected"),
        pytest.param((RED_1,), (RED_1, GREEN_1), "green", 0.0, "", id="the answer to it"),
        pytest.param((), (RED_1, GREEN_1), "red", 2.0, "several-missed", id="one of each"),
        pytest.param((), (RED_1, RED_2), "red", 3.5, "several-missed", id="two of one owner"),
        pytest.param((), (RED_1, RED_2), None, 2.0, "several-missed", id="two of one, nobody expected"),
        pytest.param((), (RED_1, GREEN_1, RED_2), "red", 4.0, "several-missed", id="three, begun in turn"),
        pytest.param((), (RED_1, GREEN_1, GREEN_2), "red", 7.0, "several-missed", id="three, out of turn"),
        pytest.param((RED_1,), (), "red", 5.0, "taken-back", id="one gone"),
        pytest.param((RED_1, RED_2), (), "red", 10.0, "taken-back", id="two gone"),
        pytest.param((RED_1,), (RED_1_ELSEWHERE,), "red", 6.0, "moved", id="one moved"),
        pytest.param((RED_1,), (RED_3_INSTEAD,), "red", 10.0, "taken-back", id="one that was another"),
        pytest.param((RED_1,), (RED_1_ELSEWHERE, GREEN_1), "green", 6.0, "moved", id="moved, one new"),
        pytest.param((RED_1, RED_2), (RED_1_ELSEWHERE,), "red", 11.0, "moved", id="one moved, one gone"),
    ],
)
def test_each_event_has_its_cost_and_its_word(
    before: tuple[Tile, ...], now: tuple[Tile, ...], expected: str | None, cost: float, event: str
) -> None:
    assert after(before, now, expected) == (pytest.approx(cost), event)


@pytest.mark.parametrize(
    ("now", "expected", "cost"),
    [
        pytest.param((RED_1, GREEN_1, GREEN_2), "red", 0.0, id="any number of tiles"),
        pytest.param((RED_1,), "red", 0.0, id="one in turn"),
        pytest.param((GREEN_1,), "red", 3.0, id="one out of turn"),
        pytest.param((GREEN_1,), None, 0.0, id="one, nobody expected"),
    ],
)
def test_the_first_picture_may_show_anything(
    now: tuple[Tile, ...], expected: str | None, cost: float
) -> None:
    assert after((), now, expected, first=True) == (cost, "")


def updated(
    *boards: Board, before: tuple[Tile, ...] = (), expected: str | None = "red", taught: bool = True
) -> Estimate:
    """The estimate among these boards."""
    return update(boards, before, expected, first=False, taught=taught)


def test_the_cheapest_board_is_believed_and_the_others_are_ranked() -> None:
    estimate = updated(Board((RED_1,), 2.0), Board((RED_2,), 0.0), Board((), 1.0))
    assert [each.kind for each in estimate.tiles] == [2]
    assert [[each.kind for each in other.tiles] for other in estimate.alternatives] == [[], [1]]
    shares = [exp(0), exp(-1), exp(-2)]
    assert estimate.probability == pytest.approx(shares[0] / sum(shares))
    assert [other.confidence for other in estimate.alternatives] == [
        pytest.approx(share / sum(shares), abs=1e-4) for share in shares[1:]
    ]


def test_what_happened_is_weighed_with_what_is_seen() -> None:
    moved, stayed = Board((RED_1_ELSEWHERE,), 0.0), Board((RED_1,), 4.0)
    assert updated(moved, stayed, before=(RED_1,)).event == ""
    assert updated(moved, Board((RED_1,), 8.0), before=(RED_1,)).event == "moved"


def test_without_coats_the_turn_says_whose_a_tile_is() -> None:
    boards = Board((GREEN_1,), 0.0), Board((tile("red", 1, 2),), 6.0)
    assert updated(*boards).tiles[0].owner == "green"
    assert updated(*boards, taught=False).tiles[0].owner == "red"


def test_boards_that_are_the_same_count_once() -> None:
    turned = Tile("red", 1, 2, 0, 0, RED_1.cells)
    estimate = updated(Board((RED_1,), 3.0), Board((turned,), 1.0), Board((), 50.0))
    assert (estimate.tiles[0].turns, estimate.probability) == (2, pytest.approx(1.0))
    assert estimate.alternatives == ()


def test_a_tiles_confidence_is_that_of_all_boards_that_hold_it() -> None:
    estimate = updated(Board((RED_1, GREEN_1), 0.0), Board((RED_1,), 3.0))
    sure = {each.owner: each.confidence for each in estimate.tiles}
    assert sure["red"] == 1.0
    assert sure["green"] == pytest.approx(estimate.probability, abs=1e-4)


def test_an_alternative_nobody_would_choose_is_left_out() -> None:
    estimate = updated(Board((RED_1,), 0.0), Board((RED_2,), 6.0))
    assert exp(-6) / (1 + exp(-6)) < 0.005
    assert estimate.alternatives == ()


def test_of_what_coats_say_between_twins_half_counts_in_a_first_picture_too() -> None:
    six, nine = tile("red", 6, 0, 1), tile("red", 9, 0, 1)
    twins = Board((six,), 0.0), Board((nine,), 4.0)
    between_twins = updated(*twins)
    in_a_first_picture = update(twins, (), None, first=True, taught=True)
    between_others = updated(Board((six,), 0.0), Board((tile("red", 9, 2, 3),), 4.0))
    assert between_twins.probability == pytest.approx(1 / (1 + exp(-2)))
    assert in_a_first_picture.probability == pytest.approx(1 / (1 + exp(-2)))
    assert between_others.probability == pytest.approx(1 / (1 + exp(-4)))


def test_a_tile_that_lay_there_before_keeps_the_way_round_in_which_it_lay() -> None:
    """Later pictures show less of what is new about it, such as its tail."""
    turned = msgspec.structs.replace(RED_1, turns=2)
    seen = Board((turned, GREEN_1), 0.0)
    assert [each.turns for each in updated(seen, before=(RED_1, GREEN_1)).tiles] == [0, 0]
    assert [each.turns for each in updated(seen).tiles] == [0, 2]


@pytest.mark.parametrize(
    "rival",
    [
        pytest.param((RED_1, GREEN_1, GREEN_2), id="one tile more"),
        pytest.param((RED_3_INSTEAD, RED_2), id="another kind there, and a tile elsewhere"),
    ],
)
def test_in_a_shadow_a_tile_that_may_be_missing_or_another_one_is_a_closer_question(
    rival: tuple[Tile, ...],
) -> None:
    boards = [Board((RED_1, GREEN_1), 0.0), Board(rival, 6.0)]
    clear, shaded = (update(boards, (), None, first=True, taught=True, shaded=dark) for dark in (False, True))
    assert clear.probability > SURE > shaded.probability
    assert names(*shaded.tiles) == names(*clear.tiles) == names(RED_1, GREEN_1)


def test_in_a_shadow_a_tile_elsewhere_is_no_closer_question() -> None:
    boards = [Board((RED_1, GREEN_1), 0.0), Board((RED_1_ELSEWHERE, GREEN_1), 6.0)]
    assert update(boards, (), None, first=True, taught=True, shaded=True).probability > SURE


def test_a_twin_that_lay_there_before_is_no_open_question() -> None:
    six, nine = tile("red", 6, 0, 1), tile("red", 9, 0, 1)
    estimate = updated(Board((six,), 0.0), Board((nine,), 0.0), before=(six,))
    assert estimate.tiles[0].kind == 6
    assert estimate.probability == pytest.approx(1 / (1 + exp(-10)))
