"""What a phone is shown."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import BedState
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start
from companion.games.this_bed_is_mine.view import middle

KEYS = [
    *("rows", "cols", "side", "board", "zone", "pillows", "toys", "shapes", "tiles", "left", "turn"),
    *("first_tile", "skipped", "fits", "regions", "points", "toy_count", "chips", "short", "last", "fit"),
    *("over", "outcome", "layout"),
]


def shown(state: BedState) -> dict[str, Any]:
    """The view as the pages get it."""
    parsed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(GAME.view(state, None)))
    return parsed


def test_an_empty_bed() -> None:
    view = shown(start(board="b"))
    assert list(view) == KEYS
    assert (view["rows"], view["cols"], view["side"], view["board"]) == (16, 12, "B", "B")
    assert view["first_tile"] == {"digits": [1, 2, 3, 4], "zone": True}
    assert view["left"] == {"cat": list(range(1, 10)), "dog": list(range(1, 10))}
    assert view["skipped"] == {"cat": False, "dog": False}
    assert (view["last"], view["over"], view["outcome"], view["layout"]) == (None, False, None, [])
    (region,) = view["regions"]
    assert (region["owner"], region["why"], region["marker"]) == (None, "untouched", None)


def test_a_tile_and_its_region() -> None:
    view = shown(played(start(), "c4+1@6,3"))
    tile = {
        "owner": "cat",
        "digit": 4,
        "turns": 1,
        "row": 6,
        "col": 3,
        "cells": [[6, 5], [6, 6], [6, 7], [7, 5], [8, 3], [8, 4], [8, 5], [8, 6], [8, 7]],
        "n": 1,
    }
    assert view["tiles"] == [tile]
    assert view["last"] == tile
    assert view["first_tile"] is None
    (region,) = view["regions"]
    assert (region["size"], region["sums"], region["why"]) == (183, {"cat": 4, "dog": 0}, "higher")
    assert region["tiles"] == [{"owner": "cat", "digit": 4}]
    assert region["marker"] in region["squares"]


def test_what_binds_the_dogs_first_tile() -> None:
    view = GAME.view(played(start(dog_first_zone=True), "c1@5,3"), None)
    assert view.first_tile is not None
    assert view.first_tile.digits == tuple(range(1, 10))


def test_how_many_placements_each_side_has() -> None:
    view = GAME.view(played(start(board=bed("......"), tiles=bars(1, 4)), "c1@0,5"), None)
    assert (view.fits.cat, view.fits.dog) == (2, 5 + 2)


def test_a_side_that_is_out_has_no_placements() -> None:
    state = played(start(board=bed("++.....", "......."), tiles=bars(2, 2, 2), dog_first_zone=True), "c1@0,0")
    view = GAME.view(state, None)
    assert (view.skipped.dog, view.fits.dog) == (True, 0)
    assert view.fits.cat > 0


def test_every_seat_sees_the_same() -> None:
    state = played(start(), "c4@5,3")
    assert GAME.view(state, "cat") == GAME.view(state, "dog") == GAME.view(state, None)


def test_the_marker_stands_in_the_middle_of_its_region() -> None:
    assert middle(((0, 0), (0, 1), (0, 2))) == (0, 1)
    assert middle(((0, 0), (0, 1))) == (0, 0)
    assert middle(((0, 0), (1, 0), (2, 0), (2, 1), (2, 2))) == (1, 0)  # not on the hollow's empty square


def test_what_to_lay_out_at_the_end_step_by_step() -> None:
    state = played(start(board=bed("bb..bym.", side="B"), tiles=bars(2)), "c1@0,2")
    state = GAME.play(state, GAME.legal_moves(state)[-1])
    view = shown(state)
    assert [(tile["owner"], tile["row"], tile["col"]) for tile in view["tiles"]] == [
        ("cat", 0, 2),
        ("dog", 0, 6),
    ]
    steps = view["layout"]
    assert steps == [
        {"step": "marker", "owner": "cat", "region": 1, "square": [0, 0], "points": 2},
        {"step": "toys", "owner": "cat", "region": 1, "toys": {"bone": 2}},
        {"step": "bonus", "toy": "bone", "cat": 2, "dog": 0, "owner": "cat", "points": 5},
        {
            "step": "chips",
            "owner": "cat",
            "points": 7,
            "chips": {"10": 0, "5": 1, "2": 1, "1": 0},
            "short": 0,
        },
        {
            "step": "chips",
            "owner": "dog",
            "points": 0,
            "chips": {"10": 0, "5": 0, "2": 0, "1": 0},
            "short": 0,
        },
        {"step": "winner", "reason": "most-points", "winners": ["cat"], "points": {"cat": 7, "dog": 0}},
    ]
    assert view["outcome"] == {"reason": "most-points", "winners": ["cat"], "points": {"cat": 7, "dog": 0}}
    assert view["over"] is True
