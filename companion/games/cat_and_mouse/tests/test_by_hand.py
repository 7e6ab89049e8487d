"""A whole match, throw by throw, checked by hand against the rulebook; it must never come out otherwise.

In it: equal throws for Cat, both owing a lost turn, a second throw that jumps over Cat, doubles that
lead on and doubles that do not, a double six that stays, a turn back, a win on the number.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.cat_and_mouse import GAME
from companion.play import exports

FOLDER = Path(__file__).parent


def test_the_match_comes_out_as_it_did_by_hand() -> None:
    moves = exports.read_moves(FOLDER / "by_hand.jsonl")
    expected = [json.loads(line) for line in (FOLDER / "by_hand-standings.jsonl").read_text().splitlines()]
    assert moves.header is not None
    state = GAME.start(GAME.options(moves.header.options), 2)
    assert len(moves.lines) == len(expected) == 24
    for line, after in zip(moves.lines, expected, strict=True):
        state = GAME.play(state, GAME.move(line))
        view = GAME.view(state, None)
        paid = view.hand_over if state.first else ()
        assert {
            "turn": view.turn,
            "cat": state.standing.cat,
            "mouse": state.standing.mouse,
            "paid": [f"{each.payer} {each.chips} {each.payee} {each.reason}" for each in paid],
            "served": list(state.steps[-1].served if state.steps else ()),
            "nets": [view.counters["cat"].purse.net, view.counters["mouse"].purse.net],
            "chance": pytest.approx(after["chance"], abs=1e-9),
        } == after
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.points) == ("exact", ("mouse",), {"cat": -2, "mouse": 2})
