"""What a page may show."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import How, JumpFee, RaceOptions, RaceState, Then
from companion.games.cat_and_mouse.tests.playing import FREE, at, begun, play
from companion.games.cat_and_mouse.view import RaceView, Shares


def seen(state: RaceState) -> RaceView:
    """The view of the table."""
    return GAME.view(state, None)


def test_before_the_race_it_shows_who_throws_for_cat() -> None:
    view = seen(play(GAME.start(FREE, 2), "63"))
    assert (view.phase, view.turn, view.start.by) == ("start", None, "second")
    assert view.start.first_is_cat == pytest.approx((26 + 4 / 2) / 36)
    assert (view.throws, view.chart, view.last, view.odds.why) == ((), (), None, None)


@pytest.mark.parametrize(("throws", "cat"), [(("65", "12"), "first"), (("12", "65"), "second")])
def test_it_tells_who_has_become_cat(throws: tuple[str, str], cat: str) -> None:
    start = seen(play(GAME.start(FREE, 2), *throws)).start
    assert (start.by, start.cat, start.first_is_cat) == (None, cat, float(cat == "first"))


def test_it_tells_where_to_move_the_counter_and_what_follows() -> None:
    last = seen(play(at(7, 20), "21")).last
    assert last is not None
    assert (last.seat, last.dice, last.start, last.to) == ("cat", (2, 1), 7, 10)
    assert (last.how, last.then, last.n) == (How.PLAIN, Then.SECOND_THROW, 3)


def test_it_tells_the_counters_and_whose_turn_is_lost() -> None:
    view = seen(play(begun(RaceOptions(stake=3, chips=3)), "41"))
    cat, mouse = view.counters["cat"], view.counters["mouse"]
    assert (cat.square, cat.also, cat.owes_turn, cat.purse.hand) == (5, 62, True, 0)
    assert (mouse.square, mouse.also, mouse.owes_turn) == (0, None, False)
    assert (view.turn, view.pots) == ("mouse", 6)


def test_it_tells_the_chips_to_hand_over_and_the_ledger() -> None:
    view = seen(play(at(31, 34), "41", "21"))
    assert view.hand_over == ()
    assert [line.reason for line in view.ledger] == ["jump", "pays"]


def test_the_chances_come_with_their_why() -> None:
    """From 60, past 55: a 6 wins (5 ways), double six wins (1), 7 and more but double six go back (20);
    4 lands on 64 and pays (3), 5 on 65 and loses a turn (4)."""
    view = seen(at(60, 20))
    assert view.odds.why == Shares(won=6, turn_back=20, leap=1, pays=3, lost_turn=4)
    assert view.odds.cat + view.odds.mouse == pytest.approx(1, abs=2e-9)
    assert view.odds.change_hands == pytest.approx(view.odds.cat_pays + view.odds.mouse_pays)
    assert view.odds.decimals == 9


def test_the_balance_counts_the_stakes() -> None:
    view = seen(at(60, 2, options=RaceOptions(stake=10)))
    assert view.odds.net_with_pots == pytest.approx(
        view.odds.net + 10 * (view.odds.cat - view.odds.mouse)
    )  # fmt: skip


def test_each_of_the_21_throws_tells_what_it_would_do() -> None:
    view = seen(at(60, 20))
    assert len(view.throws) == 21
    throws = {each.dice: each for each in view.throws}
    assert throws[6, 6].then is Then.WON
    assert (throws[6, 6].chance, throws[6, 6].to) == (1.0, 66)
    assert throws[1, 3].chips == -1
    assert sum(each.ways * each.gains for each in view.throws) == pytest.approx(0, abs=36e-9)


def test_mouses_throws_are_told_by_mouses_chance() -> None:
    view = seen(at(2, 60, "mouse"))
    throws = {each.dice: each for each in view.throws}
    assert throws[2, 4].chance == 1.0
    assert throws[2, 4].gains == pytest.approx(1 - view.odds.mouse)


def test_the_chart_has_a_point_for_each_throw_of_the_race() -> None:
    view = seen(play(begun(), "34", "11", "56"))
    assert [point.n for point in view.chart] == [2, 3, 4, 5]
    assert view.chart[-1].cat == view.odds.cat
    assert view.chart[0].cat == seen(begun()).odds.cat


def test_the_end_is_told() -> None:
    view = seen(play(at(64, 3), "11"))
    assert (view.phase, view.turn, view.odds.cat, view.throws) == ("over", None, 1.0, ())
    assert view.outcome is not None
    assert view.outcome.winners == ("cat",)


def test_a_jump_may_be_declared_once() -> None:
    declared = RaceOptions(jump_fee="declared")
    state = play(at(10, 10, options=declared), "21")
    view = seen(state)
    assert (view.may_declare_jump, view.odds.fees_foretold) == (True, False)
    after = seen(GAME.play(state, JumpFee()))
    assert not after.may_declare_jump
    assert [line.reason for line in after.hand_over] == ["jump"]


def test_a_jump_on_the_winning_throw_may_still_be_declared() -> None:
    won = play(at(60, 3, options=RaceOptions(jump_fee="declared")), "51")
    assert (seen(won).phase, seen(won).may_declare_jump) == ("over", True)
    after = seen(GAME.play(won, JumpFee()))
    assert not after.may_declare_jump
    assert [(line.payer, line.reason) for line in after.hand_over] == [("pots", "pots"), ("cat", "jump")]


def test_it_crosses_a_wire_and_shows_all_seats_the_same() -> None:
    state = play(begun(RaceOptions()), "34", "11")
    view = GAME.view(state, "cat")
    assert msgspec.json.decode(msgspec.json.encode(view), type=RaceView) == view
    assert GAME.view(state, "mouse") == view
    assert msgspec.json.decode(msgspec.json.encode(state), type=RaceState) == state


def test_the_board_tells_what_each_square_does() -> None:
    board = seen(begun()).board
    assert board.met[0] == 66
    assert board.earns == (11, 22, 33, 44, 55)
    assert (board.pay_chips, board.earn_chips) == (1, 2)
