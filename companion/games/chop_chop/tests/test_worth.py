"""How a standing is weighed: its numbers against the rules, and what the player does where that is plain."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.games.chance import Chance, key_of
from companion.games.chop_chop import GAME
from companion.games.chop_chop.rules import legal_moves
from companion.games.chop_chop.state import ChopOptions, ChopState, GoTo, ThrowDie
from companion.games.chop_chop.tests.playing import CHOP, EMPTY, OPTIONS, go, kitchen, play, position, square
from companion.games.chop_chop.worth import FINEST, NUMBERS, Scale, Stand, chance, error, number_of
from companion.games.players import Budget, Choice, player_of, seen
from companion.players.worker import Judge, judge

PLAYER = player_of(GAME.slug)


def scale_of(state: ChopState) -> tuple[Scale, Stand]:
    """What weighs a state's standing, and that standing as bits."""
    scale = Scale.for_options(state.options, "wins")
    return scale, Stand.from_state(state)


def chosen(state: ChopState, nodes: int = 500, seed: int = 1) -> Choice:
    """What the best level does for the side in turn."""
    seat = GAME.turn(state)
    assert seat
    choice: Choice = PLAYER.choose(seen(GAME, state, seat), "top", Budget(nodes), seed)
    return choice


def positions(count: int) -> list[ChopState]:
    """Positions of every kind, with each choice of the rules, in which a throw is due."""
    draw = random.Random(5)
    drawn = [position(draw, options) for options in OPTIONS for _ in range(count)]
    return [state for state in drawn if state.standing.same is None]


def goes(state: ChopState) -> set[GoTo]:
    """The ways that the rules allow."""
    return {move for move in legal_moves(state) if isinstance(move, GoTo)}


def test_the_answers_looked_at_are_the_ways_of_the_rules() -> None:
    for state in positions(8):
        scale, stand = scale_of(state)
        side, bit = state.standing.side, state.options.kitchen.bit
        for value in state.options.two_dice.die_of(side).values:
            thrown = GAME.play(state, ThrowDie((value,)))
            allowed = goes(thrown) if thrown.standing.phase == "move" else set()
            expected = {(number_of(move.piece), bit((move.row, move.col))) for move in allowed}
            assert set(scale.ways(stand, side, value)) == expected


def test_the_risk_is_the_share_of_the_faces_that_catch_a_mouse() -> None:
    looked_at = 0
    for state in positions(8):
        if state.standing.side == "cat":
            scale, stand = scale_of(state)
            faces = state.options.two_dice.cat.faces
            catch = sum(catches(GAME.play(state, ThrowDie((face,)))) for face in faces)
            risk = scale.numbers(stand)[NUMBERS.index("risk")]
            assert risk == pytest.approx(catch / len(faces))
            looked_at += 0 < catch < len(faces)
    assert looked_at > 10


def catches(thrown: ChopState) -> bool:
    """Whether the cat can catch a mouse with her throw."""
    if thrown.standing.phase != "move":
        return False
    mice = [mouse for mouse in thrown.standing.mice if mouse not in thrown.options.kitchen.table]
    return any((move.row, move.col) in mice for move in goes(thrown))


TWO_MICE = """
1 . . . . . .
. . . . . . .
. . s . s . .
. . . . . . .
. . 2 C . . .
. . . . . . .
"""
"""A cat beside a mouse, and another mouse far away."""


def test_a_mouse_more_a_cheese_more_and_a_cat_far_away_are_worth_more() -> None:
    state = kitchen(TWO_MICE)
    scale, stand = scale_of(state)
    as_it_is, bit = scale.chance(stand, "cat"), state.options.kitchen.bit
    one_more = (*stand.mice[:2], bit((0, 2)), 0)
    assert scale.chance(stand._replace(mice=one_more), "cat") > as_it_is
    assert scale.chance(stand._replace(cat=bit((2, 6))), "cat") > as_it_is
    assert scale.chance(stand._replace(cheese_found=stand.cheese_found + 1, hidden=0), "cat") > as_it_is


PLAIN: dict[str, tuple[str, str, int, str, str]] = {
    "the cat catches the mouse that she reaches": (TWO_MICE, "cat", 1, "cat C5", "catches"),
    "a mouse that has all the cheese goes home": (
        """
. . . . . . .
. 1 . . . . .
. . . . . . .
. . . . . . .
. . . . 2 . .
. C . . . . .
""",
        "mice",
        2,
        "1 A3",
        "goes-home",
    ),
    "a mouse takes the last cheese where the cat is far away": (
        """
. . . . . 2 .
. . . . . . .
. . . . . . .
. . . . . . .
. . . $ . 1 .
C . . . . . .
""",
        "mice",
        2,
        "1 D5",
        "takes-cheese",
    ),
    "the mouse beside the cat goes under the table": (
        """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . 1 C . . .
s s . . . . 2
""",
        "mice",
        1,
        "1 C4",
        "keeps-away",
    ),
}
"""Positions in which the right move is plain: the drawing, who is in turn, the throw, that move, and why."""


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("nodes", [1, 500])
def test_where_the_right_move_is_plain_it_is_made(name: str, nodes: int) -> None:
    drawing, side, thrown, move, why = PLAIN[name]
    choice = chosen(play(kitchen(drawing, side=side), thrown), nodes)
    assert choice.move == go(*move.split())
    assert choice.why == f"advice.{why}"


CORNERED = """
1 . . . . . .
. . C . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . s s .
"""
"""A mouse whose both ways of one step end two steps from the cat."""


def test_the_reason_says_how_likely_the_cat_catches_a_mouse_next() -> None:
    """Three of her six faces are a 2."""
    choice = chosen(play(kitchen(CORNERED), 1))
    assert (choice.why, choice.facts) == ("advice.dares", {"percent": 50})


def test_the_side_that_has_as_good_as_won_says_so() -> None:
    """With the hole two steps away, the mice expect to win; the cat with one mouse left to catch, her."""
    drawing, _, thrown, *_ = PLAIN["a mouse that has all the cheese goes home"]
    assert chosen(play(kitchen(drawing), thrown)).value == 1
    last_mouse = drawing.replace("2", ".").replace("C", ".").replace(". 1", "C 1")
    assert chosen(play(kitchen(last_mouse, side="cat"), 1)).value == 1


def test_the_seed_decides_only_between_ways_that_are_as_good() -> None:
    state = play(kitchen(TWO_MICE), 2)
    values = {chosen(state, seed=seed).value for seed in range(4)}
    assert len(values) == 1
    assert chosen(state, seed=3) == chosen(state, seed=3)


def test_with_an_arrow_the_last_mouse_flies_where_the_cat_cannot_come_next() -> None:
    state = play(kitchen(EMPTY.replace(". . . . . . .\n", ". 1 s C . . .\n", 1)), 1, "1 C1", "arrow")
    scale, stand = scale_of(play(state, chosen(state).move))
    assert scale.risk([mouse for mouse in stand.mice if mouse], stand) == 0


def test_the_cat_is_placed_on_the_table() -> None:
    choice: Any = chosen(GAME.start(GAME.options({}), 2), nodes=40)
    assert choice.move in set(legal_moves(GAME.start(GAME.options({}), 2)))


def on_the_page(state: ChopState, side: str) -> float:
    """A side's chance to win as the page shows it."""
    said: float = getattr(GAME.view(state, None).chances, side)
    return said


def test_the_page_a_hint_and_the_review_say_the_same_chance() -> None:
    """What a hint expects of its move, the page shows after it, and the review says of it."""
    state, asked = GAME.start(CHOP, 2), 0
    moves: list[msgspec.Raw] = []
    dealer = player_of(GAME.slug).dealer()
    dealer.begin(state, Chance(key_of(4)))
    expected: dict[int, float] = {}
    for number in range(1, 60):
        move = dealer.chance(state)
        if move is None:
            side = state.standing.side
            hint = chosen(state, nodes=60)
            assert hint.value is not None
            move, expected[number] = hint.move, hint.value
            assert on_the_page(GAME.play(state, move), side) == hint.value
        state = GAME.play(state, move)
        moves.append(msgspec.Raw(msgspec.json.encode(move)))
    made = judge(Judge(GAME.slug, msgspec.Raw(msgspec.json.encode(CHOP)), 2, tuple(moves), limit_s=1))
    for judged in made.moves:
        assert judged.value == expected[judged.number] <= judged.best_value
        asked += 1
    assert asked > 15


def test_in_any_position_the_page_shows_what_the_hint_expected() -> None:
    for state in positions(1):
        thrown = GAME.play(state, ThrowDie((state.options.two_dice.die_of(state.standing.side).values[0],)))
        if thrown.standing.phase == "move":
            hint = chosen(thrown, nodes=60)
            assert on_the_page(GAME.play(thrown, hint.move), state.standing.side) == hint.value


def test_the_chance_adds_up_to_one_and_a_match_that_goes_on_is_not_certain() -> None:
    for state in positions(4):
        mice = chance(state, "mice")
        assert chance(state, "cat") == pytest.approx(1 - mice)
        assert (0 < mice < 1) == state.standing.mice_can_win
        assert (error(state) > 0) == state.standing.mice_can_win


def test_the_end_is_certain_and_so_is_a_hole_that_no_mouse_can_leave() -> None:
    near = kitchen(EMPTY, side="cat", cat=square("B2"), mice=(square("A2"), None, None, None))
    over = play(near, 1, "cat A2")
    assert (on_the_page(over, "cat"), on_the_page(over, "mice"), error(over)) == (1, 0, 0)
    shut = kitchen(
        EMPTY, cat=square("B2"), mice=(square("A2"), None, None, None), left=(True, False, True, True)
    )
    assert (chance(shut, "cat"), chance(shut, "mice"), error(shut)) == (1, 0, 0)


def test_a_slab_counts_for_what_may_lie_under_it() -> None:
    """The one that is turned hides cheese for sure; a die counts once its piece has moved."""
    state = kitchen(TWO_MICE, slabs=(square("C3"),), turned=(9, 0, 0, 0, 0, 0, 0), cheese_found=9)
    thrown = play(kitchen(TWO_MICE), 4)
    assert chance(thrown, "mice") == chance(kitchen(TWO_MICE), "mice")
    landed = play(state, 4, "1 C3")
    assert landed.standing.phase == "slab"
    assert chance(landed, "mice") == chance(play(landed, "cheese"), "mice")


def test_a_chance_knows_that_a_mouse_was_home_before() -> None:
    """Under the slab lies the last cheese: it is all that the mice still need."""
    state = kitchen(
        TWO_MICE,
        options=ChopOptions(drop_off="any-time"),
        slabs=(square("C3"),),
        turned=(9, 0, 0, 0, 0, 0, 0),
        cheese_found=9,
        left=(True,) * 4,
        been_home=True,
    )
    landed = play(state, 4, "1 C3")
    assert chance(landed, "mice") == 1 - FINEST
    scale, stand = scale_of(landed)
    assert scale.after(stand, 0, stand.mice[0], "cat") == 1
    assert chance(play(landed, "cheese"), "mice") == 1


def test_before_the_cat_is_placed_she_is_where_she_stands_best() -> None:
    begun = GAME.start(CHOP, 2)
    assert chance(begun, "mice") == min(chance(GAME.play(begun, move), "mice") for move in legal_moves(begun))
