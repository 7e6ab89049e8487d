"""The chances: against boards solved by hand and with fractions, and against their own meaning."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse import board as boards
from companion.games.cat_and_mouse.board import Board, Earns, Leap, Pays, Stay
from companion.games.cat_and_mouse.odds import THROWS, _error_bound, chain, first_is_cat, odds, solve
from companion.games.cat_and_mouse.state import SEATS, RaceBoard, RaceOptions, Seat, Step, Throw, other, step
from companion.games.cat_and_mouse.tests.playing import at
from tests.conftest import Cost

MOST_TO_SOLVE = 250.0
"""In yardsticks: of about a millisecond each."""

MOST_TO_LOOK_UP = 0.05
"""In yardsticks."""

NOTHING = Board(
    squares=4,
    turn_back_to=2,
    same_squares=(),
    jump_chips=1,
    leaps=(),
    stay=Stay(double=7, chips=0),
    pays=Pays(squares=(), chips=0),
    earns=Earns(squares=(), by_leap=(), chips=0),
    lost_turn=(),
    second_throw=(),
)
"""Four squares where nothing happens: beyond the fourth, back to the second."""

RICH = msgspec.structs.replace(
    NOTHING,
    squares=5,
    turn_back_to=3,
    same_squares=6,
    leaps=(Leap(1, 4), Leap(2, 5, past=2)),
    stay=Stay(double=6, chips=2),
    pays=Pays(squares=(3,), chips=1),
    earns=Earns(squares=(2,), by_leap=(4,), chips=2),
    lost_turn=(3,),
    second_throw=(4,),
)
"""Five squares where everything happens that the rules know."""

CHOICES = [
    GAME.options(
        {"past": past, "pays_on_plain_11": plain, "jump_fee": fee, "fee_on_double": double}
        | {"fee_on_turn_back": back}
    )
    for past, plain, fee, double, back in product(
        ("beyond", "at-or-beyond"), (False, True), ("auto", "declared", "off"), (True, False), (False, True)
    )
]  # fmt: skip
"""Every combination of the choices."""


def everywhere(board: Board) -> list[RaceBoard]:
    """Every standing in which somebody throws."""
    squares = range(board.squares)
    return [
        RaceBoard(cat, mouse, thrower, owes and thrower == "mouse", owes and thrower == "cat")
        for cat, mouse, thrower, owes in product(squares, squares, SEATS, (False, True))
    ]


def in_fractions(
    board: Board, options: RaceOptions, standings: list[RaceBoard]
) -> dict[RaceBoard, list[Fraction]]:
    """The same values by Gauss and Jordan over fractions: exact, and slow."""
    place = {standing: i for i, standing in enumerate(standings)}
    n = len(standings)
    rows = [[Fraction(i == j) for j in range(n)] + [Fraction(0)] * 4 for i in range(n)]
    for i, standing in enumerate(standings):
        for dice, ways in THROWS:
            done = step(board, options, standing, dice)
            if done.standing in place:
                rows[i][place[done.standing]] -= Fraction(ways, 36)
            for k, value in enumerate(brought(done)):
                rows[i][n + k] += Fraction(ways * value, 36)
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        top = rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                rows[r] = [a - rows[r][i] * b if b else a for a, b in zip(rows[r], top, strict=True)]
    return {standing: rows[i][n:] for standing, i in place.items()}


def brought(done: Step) -> list[int]:
    """What one throw brings: Cat's win, chips that Cat and Mouse pay, itself."""
    pays = {"cat": 0, "mouse": 0}
    for due in done.dues:
        pays[done.seat if due.pays else other(done.seat)] += due.chips
    return [int(done.standing.cat == RICH.squares and done.seat == "cat"), pays["cat"], pays["mouse"], 1]


class TestByHand:
    """Four squares, nothing on them. From 2 or 3 and beyond 4 you go back to 2.

    Let w(a, b) be the chance of whoever throws from a while the other stands on b.
    From 2, only a 2 in all (1 way in 36) wins; all else ends on 2 again:
        w(2,2) = 1/36 + 35/36 (1 - w(2,2))                            so w(2,2) = 36/71
    From 3 nothing wins, and every throw ends on 2:
        w(3,2) = 1 - w(2,2) = 35/71
        w(2,3) = 1/36 + 35/36 (1 - w(3,2)) = 1/36 + 35/36 · 36/71     = 1331/2556
        w(3,3) = 1 - w(3,2) = 36/71
    From the corner, 2 leads to 2, 3 (2 ways) to 3, 4 (3 ways) wins, all else (30 ways) to 2:
        w(0,2) = 3/36 + 31/36 (1 - w(2,2)) + 2/36 (1 - w(2,3))
    """

    W22, W32, W23, W33 = Fraction(36, 71), Fraction(35, 71), Fraction(1331, 2556), Fraction(36, 71)

    @pytest.mark.parametrize(
        ("own", "others", "chance"),
        [
            (2, 2, W22),
            (3, 2, W32),
            (2, 3, W23),
            (3, 3, W33),
            (0, 2, Fraction(3, 36) + Fraction(31, 36) * (1 - W22) + Fraction(2, 36) * (1 - W23)),
        ],
    )
    @pytest.mark.parametrize("thrower", ["cat", "mouse"])
    def test_a_race_of_four_squares(self, own: int, others: int, chance: Fraction, thrower: Seat) -> None:
        cat, mouse = (own, others) if thrower == "cat" else (others, own)
        chances = solve(NOTHING, RaceOptions()).chances(RaceBoard(cat, mouse, thrower))
        assert chances.chance_of(thrower) == pytest.approx(float(chance), abs=1e-14)
        assert (chances.cat_pays, chances.mouse_pays) == (0.0, 0.0)

    def test_who_owes_a_turn_lets_the_other_throw_twice(self) -> None:
        """1/36 + 35/36 · w(2,2), for whoever throws twice from 2 against 2."""
        chances = solve(NOTHING, RaceOptions()).chances(RaceBoard(2, 2, "cat", mouse_owes=True))
        assert chances.cat == pytest.approx(float(Fraction(1, 36) + Fraction(35, 36) * self.W22), abs=1e-14)


@pytest.mark.parametrize(
    "options",
    [
        RaceOptions(),
        RaceOptions(past="at-or-beyond", pays_on_plain_11=True, fee_on_double=False, fee_on_turn_back=True),
        RaceOptions(jump_fee="off"),
    ],
)
@pytest.mark.parametrize("walks", [6, ((1, 2), (4, 3), (3, 1))], ids=["opposite walks", "walks in pairs"])
def test_a_board_with_everything_agrees_with_fractions(
    options: RaceOptions, walks: int | tuple[tuple[int, int], ...]
) -> None:
    board = msgspec.structs.replace(RICH, same_squares=walks)
    solved, standings = solve(board, options), everywhere(board)
    for standing, exact in in_fractions(board, options, standings).items():
        chances = solved.chances(standing)
        computed = [chances.cat, chances.cat_pays, chances.mouse_pays, chances.throws]
        assert computed == pytest.approx([float(value) for value in exact], abs=1e-12)
        assert abs(chances.cat - float(exact[0])) <= solved.error_bound + 1e-16


SOME = st.sampled_from(
    [RaceOptions(), RaceOptions(past="at-or-beyond", fee_on_turn_back=True, fee_on_double=False)]
)
SQUARES = st.integers(0, 65)


@settings(max_examples=150, deadline=None)
@given(
    options=SOME, cat=SQUARES, mouse=SQUARES, thrower=st.sampled_from(["cat", "mouse"]), owing=st.booleans()
)
def test_the_chance_now_is_the_mean_of_the_chances_after(
    options: RaceOptions, cat: int, mouse: int, thrower: Seat, *, owing: bool
) -> None:
    state = at(cat, mouse, thrower, options, owes=other(thrower) if owing else "")
    solved = odds(options)
    now = solved.chances(state.standing)
    win, net, throws = 0.0, 0.0, 0.0
    for dice, ways in THROWS:
        after = GAME.play(state, Throw(dice))
        paid = [line for line in after.ledger if line.reason != "pots"]
        then = solved.chances(after.standing)
        win += ways / 36 * then.cat
        net += (
            ways
            / 36
            * (
                then.net_with_pots(0)
                + msgspec.structs.replace(after, ledger=paid).gained("cat")
                - state.gained("cat")
            )
        )
        throws += ways / 36 * (then.throws + 1)
    assert win == pytest.approx(now.cat, abs=1e-12)
    assert net == pytest.approx(now.net_with_pots(0), abs=1e-11)
    assert throws == pytest.approx(now.throws, abs=1e-11)
    assert now.cat + now.mouse == 1.0
    assert 0.0 < now.cat < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_every_combination_of_choices_is_solved(options: RaceOptions) -> None:
    board = boards.board("classic")
    solved = solve(board, options)
    assert solved.error_bound <= 1e-12
    assert solved.chips_error_bound <= 1e-11
    for standing in everywhere(board)[::97]:
        now, foreseen = solved.chances(standing), solved.foresee(standing)
        assert sum(each.ways * each.after.cat for each in foreseen) / 36 == pytest.approx(now.cat, abs=1e-12)


def test_the_error_bound_is_small_and_told() -> None:
    assert 0 < odds(RaceOptions()).error_bound <= 1e-12
    assert 0 < odds(RaceOptions()).chips_error_bound <= 1e-11


def test_half_of_the_solution_is_bounded_as_half_wrong() -> None:
    values = odds(RaceOptions())._values
    bound = _error_bound(chain(boards.board("classic"), RaceOptions()), values / 2)
    assert (bound >= values.max(axis=(0, 1, 2, 3)) / 2 * (1 - 1e-9)).all()


def test_it_is_solved_once_and_then_looked_up(cost: Cost) -> None:
    classic, solved = boards.board("classic"), odds(RaceOptions())
    assert cost(lambda: solve(classic, RaceOptions())) < MOST_TO_SOLVE
    assert cost(lambda: solved.chances(RaceBoard(30, 40, "cat"))) < MOST_TO_LOOK_UP
    assert solved.size_bytes < 1_000_000


def test_stakes_and_purses_share_one_solution() -> None:
    assert odds(RaceOptions(stake=3)) is odds(RaceOptions(stake=50, chips=0))
    assert odds(RaceOptions(stake=3)) is not odds(RaceOptions(pays_on_plain_11=True))


def test_a_race_that_is_won_holds_nothing_more() -> None:
    solved = odds(RaceOptions())
    for standing, cat in ((RaceBoard(66, 20), 1.0), (RaceBoard(20, 66), 0.0)):
        chances = solved.chances(standing)
        assert (chances.cat, chances.mouse, chances.cat_pays, chances.throws) == (cat, 1 - cat, 0, 0)
        assert solved.foresee(standing) == ()


def test_the_21_throws_make_36_ways() -> None:
    assert len(THROWS) == 21
    assert sum(ways for _, ways in THROWS) == 36


def test_cat_has_the_better_chance_because_she_begins() -> None:
    """The two walks are alike, so Mouse has from the same squares just what Cat has."""
    solved = odds(RaceOptions())
    assert solved.chances(RaceBoard(thrower="cat")).cat > 0.5
    mirrored = solved.chances(RaceBoard(20, 30, "mouse")).mouse
    assert mirrored == pytest.approx(solved.chances(RaceBoard(30, 20, "cat")).cat, abs=1e-13)


def test_declared_jumps_cannot_be_foretold() -> None:
    start = RaceBoard(thrower="cat")
    declared, off = odds(RaceOptions(jump_fee="declared")), odds(RaceOptions(jump_fee="off"))
    assert declared.chances(start) == off.chances(start)
    assert odds(RaceOptions()).chances(start).cat_pays > off.chances(start).cat_pays


@pytest.mark.parametrize(
    ("thrown", "chance"),
    [
        ((), Fraction(1, 2)),
        (((6, 6),), 1 - Fraction(1, 72)),
        (((1, 1),), Fraction(1, 72)),
        (((3, 4),), Fraction(1, 2)),
        (((3, 4), (2, 5)), Fraction(1, 2)),
    ],
)
def test_the_chance_that_the_first_becomes_cat(thrown: tuple[tuple[int, int], ...], chance: Fraction) -> None:
    assert first_is_cat(thrown) == pytest.approx(float(chance), abs=1e-15)
