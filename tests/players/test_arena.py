"""Players against each other: the count, the intervals, and programs from outside."""

from __future__ import annotations

import json
import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.games.exploding_kittens.player.chooser import KittensPlayer
from companion.games.exploding_kittens.state import Nope, Play
from companion.games.players import Budget, Choice, Seen, levels_of
from companion.games.registry import game
from companion.players import outside
from companion.players.arena import Arena, Result, elo_of, wilson
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


@pytest.mark.parametrize(
    ("share", "even", "elo"), [(0.5, 0.5, 0), (0.76, 0.5, 200), (0.25, 0.25, 0), (1.0, 0.5, 1200)]
)
def test_elo_is_ten_times_the_odds_for_400(share: float, even: float, elo: float) -> None:
    assert elo_of(share, even) == pytest.approx(elo, abs=1)


def test_without_players_the_ladder_is_printed(companion: Companion) -> None:
    """Each level's Elo is that of the level below and what its matches against that add."""
    rungs = companion("arena", BED, "--games", "2", "--nodes", "300", "--json").lines
    levels = ["random", *levels_of(BED)]
    assert [(rung["against"]["b"], rung["level"]) for rung in rungs] == list(pairwise(levels))
    for below, rung in pairwise(rungs):
        step = elo_of(rung["against"]["share"], 0.5)
        assert rung["elo"] - below["elo"] == pytest.approx(step, abs=1)
        assert rung["low"] - rung["elo"] <= below["low"] - below["elo"]
    assert "neither" in companion("arena", BED, "--a", "top").err


def test_matches_add_up_and_come_out_the_same_again() -> None:
    first, again = last("middle", "random"), last("middle", "random")
    assert first.won + first.drawn + first.lost == first.games == 4
    assert (first.won, first.ahead) == (again.won, again.ahead)
    assert first.a_thinks.moves == again.a_thinks.moves > 8
    assert first.memory_mb > 0


def test_the_result_tells_the_sides_apart() -> None:
    """The side of Chop! Chop! that plays well wins, and the other's share is its own."""
    with Arena(game("chop-chop"), "top", "random", lambda: Budget(20)) as arena:
        result = list(arena.matches([{}], 2, 3, 5))[-1]
    assert {side: part.games for side, part in result.sides.items()} == {"mice": 2, "cat": 1}
    assert sum(part.share * part.games for part in result.sides.values()) == result.won


def test_a_player_against_itself_is_even() -> None:
    """Each opening is played from both sides, so whatever luck there is comes back."""
    result = last("middle", "middle", games=2)
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


def against(program: str, games: int = 2, slug: str = BED) -> Result:
    """The result of matches against a program that is given as Python."""
    command = f"exec:{sys.executable} -c {shlex.quote(program)}"
    with Arena(game(slug), "random", command, Budget) as arena:
        return list(arena.matches([{}], 2, games, 5))[-1]


def test_a_program_that_gives_no_move_in_time_has_lost_and_is_started_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outside, "LONGEST_ANSWER_S", 0.2)
    result = against("import time; time.sleep(600)")
    assert (result.won, result.refused) == (2, 2)
    [why] = result.refused_why
    assert why.startswith("b made no legal move: The program ")
    assert why.endswith(" gave no move in 0.2 s.")


def test_a_program_that_lets_a_turn_pass_in_which_it_has_to_move_has_lost() -> None:
    result = against("import sys; [print('null', flush=True) for _ in sys.stdin]", games=1)
    assert (result.won, result.refused) == (1, 1)
    assert "has to move" in result.refused_why[0]


def test_a_program_that_never_stops_talking_has_lost() -> None:
    result = against("while True: print('x' * 100_000)", games=1)
    assert (result.won, result.refused) == (1, 1)


PASSES_OR_DRAWS = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    phase = request["view"]["phase"]
    mine = request["seat"] == request["view"]["turn"]
    if not mine:
        move = None
    elif phase == "kitten":
        move = {"move": "explode"}
    else:
        move = {"move": "draw"}
    print(json.dumps(move), flush=True)
"""
"""A program for Exploding Kittens that plays no card."""

DOCS = Path(__file__).parents[2] / "docs" / "opponent.md"

IN_THE_DOCS = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
"""The program for Chop! Chop! that the docs show, which takes the first way that it is shown."""


@pytest.mark.parametrize(
    ("slug", "program"),
    [
        ("exploding-kittens", PASSES_OR_DRAWS),
        pytest.param("chop-chop", IN_THE_DOCS[0], marks=pytest.mark.slow),
    ],
)
def test_a_small_program_plays_a_game_of_cards_or_dice_to_its_end(slug: str, program: str) -> None:
    result = against(program, slug=slug)
    assert result.refused_why == ()
    assert result.won + result.drawn + result.lost == 2
    assert result.b_thinks.moves > 0
    assert result.b_thinks.memory_mb is None or result.b_thinks.memory_mb > 1


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
    assert ", ".join(levels_of(BED)) in companion("arena", BED, "--a", "best", "--b", "top").err
    with pytest.raises(UserError, match="cannot be started"):
        last("top", "exec:/no/such/program")
    assert "is not for 3" in companion("arena", BED, "--a", "top", "--b", "top", "--seats", "3").err


def test_nobody_nopes_a_card_that_has_taken_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the rules let a table tell of a nope until the next move, and this player would."""
    moves = list[type]()

    def choose(_: KittensPlayer, seen: Seen, *__: object) -> Choice:
        others = [move for move in seen.legal if not isinstance(move, Nope)]
        nopes = [move for move in seen.legal if isinstance(move, Nope)]
        best = (nopes or others)[len(moves) % len(nopes or others)] if others else None
        moves.append(type(best))
        return Choice(best)

    monkeypatch.setattr(KittensPlayer, "choose", choose)
    with Arena(game("exploding-kittens"), "random", "random", lambda: Budget(1)) as arena:
        result = list(arena.matches([{}], 3, 3, 1))[-1]
    assert result.refused == 0
    assert Play in moves
    assert Nope not in moves


def test_any_game_has_players_by_chance(companion: Companion) -> None:
    ran = companion("arena", "cat-and-mouse", "--a", "random", "--b", "random", "--games", "2", "--json")
    assert ran.lines[0]["games"] == 2
