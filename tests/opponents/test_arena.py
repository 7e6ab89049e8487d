"""Players against each other: the count, the intervals, and programs from outside."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from companion.errors import MendableError
from companion.games.choosing import Budget
from companion.games.registry import game
from companion.opponents.arena import Arena, Result, wilson
from tests.conftest import BED, Companion

ANSWERS_FIRST = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    log = open(sys.argv[1], "a")
    log.write(line)
    log.close()
    view = request["view"]
    hand = view["left"][request["seat"]]
    taken = {tuple(square) for tile in view["tiles"] for square in tile["cells"]}
    for row in range(view["rows"]):
        for col in range(view["cols"] - 1):
            move = {"move": "lay", "owner": request["seat"], "digit": hand[0], "turns": 0}
            shape = view["shapes"][str(hand[0])]
            cells = [(row + down, col + across) for down, line in enumerate(shape)
                     for across, sign in enumerate(line) if sign == "#"]
            inside = all(
                r < view["rows"] and c < view["cols"] and (r, c) not in taken for r, c in cells
            )
            first = view["first_tile"] and view["first_tile"]["zone"]
            if inside and (not first or all([r, c] in view["zone"] for r, c in cells)):
                print(json.dumps({**move, "row": row, "col": col}), flush=True)
                break
        else:
            continue
        break
    else:
        print("{}", flush=True)
"""
"""A program that lays its smallest tile on the first place, and writes down what it was asked."""


def last(a: str, b: str, games: int = 4, nodes: int = 400) -> Result:
    """The result of some matches of the bed on both boards."""
    with Arena(game(BED), a, b, lambda: Budget(nodes)) as arena:
        return list(arena.matches([{"board": "a"}, {"board": "b"}], 2, games, 5))[-1]


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    [(0.5, 100, 0.4038, 0.5962), (1.0, 200, 0.9812, 1.0), (0.0, 10, 0.0, 0.2775)],
)
def test_the_interval_is_wilsons(share: float, games: int, low: float, high: float) -> None:
    """Against the values of statsmodels' `proportion_confint(..., method="wilson")`."""
    assert wilson(share, games) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_matches_add_up_and_come_out_the_same_again() -> None:
    first, again = last("middle", "random"), last("middle", "random")
    assert first.won + first.drawn + first.lost == first.games == 4
    assert (first.won, first.ahead) == (again.won, again.ahead)
    assert first.a_thinks.moves == again.a_thinks.moves > 8
    assert first.memory_mb > 0


def test_a_player_against_itself_is_even() -> None:
    """Each opening is played from both sides, so whatever luck there is comes back."""
    result = last("best-difference", "best-difference", games=2)
    assert result.even == 0.5
    assert result.games == 2


def test_a_program_from_outside_takes_part(tmp_path: Path, companion: Companion) -> None:
    program, log = tmp_path / "player.py", tmp_path / "asked"
    program.write_text(ANSWERS_FIRST)
    command = f"exec:{sys.executable} {program} {log}"
    ran = companion("arena", BED, "--a", "middle", "--b", command, "--games", "2", "--nodes", "300", "--json")
    assert ran.status == 0
    (line,) = ran.lines
    assert (line["games"], line["b"]) == (2, command)
    asked = [json.loads(each) for each in log.read_text().splitlines()]
    assert {each["seat"] for each in asked} == {"cat", "dog"}
    assert asked[0].keys() == {"options", "seat", "view", "moves"}
    assert asked[0]["options"]["board"] == "a"
    assert asked[-1]["moves"][0]["move"] == "lay"


def test_a_program_that_ends_has_lost(companion: Companion) -> None:
    ran = companion(
        "arena", BED, "--a", "random", "--b", f"exec:{sys.executable} -c 0", "--games", "2", "--json"
    )
    (line,) = ran.lines
    assert (line["won"], line["refused"]) == (2, 2)
    assert "ended before the match" in ran.err


def test_what_is_no_move_has_lost(companion: Companion) -> None:
    say = "import sys; [print('nonsense', flush=True) for _ in sys.stdin]"
    ran = companion("arena", BED, "--a", "random", "--b", f'exec:{sys.executable} -c "{say}"', "--games", "1")
    (line,) = ran.lines
    assert (line["won"], line["refused"]) == (1, 1)


def test_a_player_or_program_that_is_not_there_is_said(companion: Companion) -> None:
    assert "beginner, middle, top" in companion("arena", BED, "--a", "best", "--b", "top").err
    with pytest.raises(MendableError, match="cannot be started"):
        last("top", "exec:/no/such/program")
    assert "is not for 3" in companion("arena", BED, "--a", "top", "--b", "top", "--seats", "3").err


def test_any_game_has_players_by_chance(companion: Companion) -> None:
    ran = companion("arena", "cat-and-mouse", "--a", "random", "--b", "random", "--games", "2", "--json")
    assert ran.lines[0]["games"] == 2
