"""Every rule of Cat and Mouse, each with a test that names it."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove, InvalidMove, MoveError, UserError
from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import How, JumpFee, RaceBoard, RaceOptions, Then, Throw
from companion.games.cat_and_mouse.tests.playing import FREE, at, begun, nets, play, reasons, throw
from companion.messages import LANGUAGES, messages_of_game


def refused(rule: str) -> pytest.RaisesExc[MoveError]:
    """That the rule of this name refuses."""
    assert f"rule.{rule}" in dict(messages_of_game(GAME.slug))
    return pytest.RaisesExc(MoveError, check=lambda error: error.rule == rule)


class TestTheStart:
    """Rule 1."""

    def test_nobody_is_cat_before_both_have_thrown(self) -> None:
        state = GAME.start(FREE, 2)
        assert (GAME.turn(state), state.starter) == (None, "first")
        state = play(state, "12")
        assert (GAME.turn(state), state.starter, state.first) == (None, "second", None)

    @pytest.mark.parametrize(("first", "second", "became"), [("65", "12", "cat"), ("12", "13", "mouse")])
    def test_the_higher_total_is_cat(self, first: str, second: str, became: str) -> None:
        assert play(GAME.start(FREE, 2), first, second).first == became

    def test_equal_totals_throw_again(self) -> None:
        state = play(GAME.start(FREE, 2), "34", "52")
        assert (state.first, state.starter) == (None, "first")
        assert play(state, "11", "66").first == "mouse"

    def test_cat_begins_from_the_corner(self) -> None:
        assert begun().standing == RaceBoard(0, 0, "cat")

    def test_each_puts_the_stake_in_the_pot(self) -> None:
        state = begun(RaceOptions(stake=7))
        assert nets(state) == (-7, -7)
        assert [(line.payer, line.payee, line.chips) for line in state.ledger] == [
            ("cat", "pots", 7),
            ("mouse", "pots", 7),
        ]

    def test_without_a_stake_the_ledger_is_empty(self) -> None:
        assert begun(FREE).ledger == ()


class TestAThrow:
    """Rules 2 and 3: by the total, but for doubles."""

    @pytest.mark.parametrize(
        ("dice", "to"), [("21", 3), ("31", 4), ("23", 5), ("41", 5), ("65", 11), ("22", 4)]
    )
    def test_it_moves_by_the_total(self, dice: str, to: int) -> None:
        assert play(begun(), dice).standing.cat == to

    def test_mouse_throws_next_and_moves_in_the_same_way(self) -> None:
        state = play(begun(), "21", "61")
        assert state.standing == RaceBoard(3, 7, "cat")

    @pytest.mark.parametrize(
        ("square", "dice", "to", "how"),
        [
            pytest.param(0, "11", 11, How.LEAP, id="double 1 from the corner"),
            pytest.param(10, "11", 11, How.LEAP, id="double 1 from just below"),
            pytest.param(11, "11", 13, How.PLAIN, id="double 1 on 11"),
            pytest.param(12, "11", 14, How.PLAIN, id="double 1 past 11"),
            pytest.param(10, "22", 14, How.PLAIN, id="double 2 before 11"),
            pytest.param(11, "22", 15, How.PLAIN, id="double 2 on 11"),
            pytest.param(12, "22", 22, How.LEAP, id="double 2 past 11"),
            pytest.param(22, "22", 26, How.PLAIN, id="double 2 on 22"),
            pytest.param(22, "33", 28, How.PLAIN, id="double 3 on 22"),
            pytest.param(23, "33", 33, How.LEAP, id="double 3 past 22"),
            pytest.param(32, "33", 33, How.LEAP, id="double 3 from just below 33"),
            pytest.param(33, "33", 39, How.PLAIN, id="double 3 on 33"),
            pytest.param(33, "44", 41, How.PLAIN, id="double 4 on 33"),
            pytest.param(34, "44", 44, How.LEAP, id="double 4 past 33"),
            pytest.param(44, "55", 54, How.PLAIN, id="double 5 on 44"),
            pytest.param(45, "55", 55, How.LEAP, id="double 5 past 44"),
            pytest.param(54, "55", 55, How.LEAP, id="double 5 from just below 55"),
            pytest.param(55, "55", 65, How.PLAIN, id="double 5 on 55"),
            pytest.param(55, "66", 55, How.STAY, id="double 6 on 55"),
            pytest.param(56, "66", 66, How.LEAP, id="double 6 past 55"),
            pytest.param(0, "66", 0, How.STAY, id="double 6 in the corner"),
            pytest.param(54, "66", 54, How.STAY, id="double 6 on 54, where 12 would be exact"),
        ],
    )
    def test_doubles_lead_straight_on(self, square: int, dice: str, to: int, how: How) -> None:
        state = play(at(square, 1), dice)
        assert (state.standing.cat, state.steps[-1].how) == (to, how)

    @pytest.mark.parametrize(
        ("square", "dice", "to"),
        [(11, "22", 22), (22, "33", 33), (33, "44", 44), (44, "55", 55), (55, "66", 66)],
    )
    def test_choice_past_may_count_the_square_itself(self, square: int, dice: str, to: int) -> None:
        assert play(at(square, 1, options=RaceOptions(past="at-or-beyond")), dice).standing.cat == to
        assert play(at(square, 1, options=RaceOptions(past="beyond")), dice).standing.cat != to

    def test_double_six_before_55_pays_two_chips_and_loses_the_turn(self) -> None:
        state = play(at(30, 20), "66")
        assert state.standing == RaceBoard(30, 20, "mouse")
        assert nets(state) == (-2, 2)
        assert reasons(state) == ["stay"]

    def test_staying_is_no_landing(self) -> None:
        state = play(at(25, 20), "66")
        assert state.standing == RaceBoard(25, 20, "mouse")
        assert reasons(state) == ["stay"]


class TestLanding:
    """Rules 2, 4 and 5: what the squares do, by whatever way they are reached."""

    @pytest.mark.parametrize("square", [4, 9, 16, 36, 49, 64])
    def test_the_square_numbers_cost_a_chip(self, square: int) -> None:
        state = play(at(square - 3, 0), "21")
        assert nets(state) == (-1, 1)
        assert state.standing.thrower == "mouse"

    def test_25_costs_a_chip_and_the_next_turn(self) -> None:
        state = play(at(22, 0), "21")
        assert nets(state) == (-1, 1)
        assert state.standing == RaceBoard(25, 0, "mouse", cat_owes=True)

    @pytest.mark.parametrize("square", [22, 33, 44, 55])
    def test_the_elevens_earn_two_chips(self, square: int) -> None:
        assert nets(play(at(square - 3, 0), "21")) == (2, -2)

    @pytest.mark.parametrize(("square", "dice"), [(13, "22"), (27, "33"), (36, "44"), (47, "55")])
    def test_the_elevens_earn_two_chips_when_a_double_led_there(self, square: int, dice: str) -> None:
        assert nets(play(at(square, 0), dice)) == (2, -2)

    def test_double_one_to_11_earns_two_chips(self) -> None:
        assert nets(play(begun(), "11")) == (2, -2)

    def test_double_one_from_9_leads_to_11_and_earns(self) -> None:
        assert nets(play(at(9, 0), "11")) == (2, -2)

    def test_a_plain_11_earns_nothing(self) -> None:
        assert nets(play(begun(), "65")) == (0, 0)

    def test_choice_pays_on_plain_11(self) -> None:
        assert nets(play(begun(RaceOptions(stake=0, pays_on_plain_11=True)), "65")) == (2, -2)

    @pytest.mark.parametrize("square", [5, 15, 25, 35, 45, 65])
    def test_some_squares_lose_the_next_turn(self, square: int) -> None:
        state = play(at(square - 3, 0), "21")
        assert state.steps[-1].then is Then.LOST_TURN
        assert state.standing.cat_owes

    @pytest.mark.parametrize("square", [10, 20, 30, 40, 50, 60])
    def test_the_tens_give_a_second_throw(self, square: int) -> None:
        state = play(at(square - 3, 0), "21")
        assert state.standing == RaceBoard(square, 0, "cat")

    def test_a_second_throw_can_earn_a_third(self) -> None:
        assert play(at(7, 0), "21", "64").standing == RaceBoard(20, 0, "cat")

    def test_a_second_throw_that_stays_ends_the_turn(self) -> None:
        assert play(at(7, 0), "21", "66").standing == RaceBoard(10, 0, "mouse")

    def test_mouse_pays_and_earns_alike(self) -> None:
        assert nets(play(at(0, 6, "mouse"), "21")) == (1, -1)
        assert nets(play(at(0, 19, "mouse"), "21")) == (-2, 2)


class TestLostTurns:
    """A turn that is lost is served when it comes up, each in order."""

    def test_the_other_throws_twice(self) -> None:
        state = play(begun(), "41", "21")
        assert state.standing == RaceBoard(5, 3, "mouse")
        assert state.steps[-1].served == ("cat",)
        assert play(state, "12").standing == RaceBoard(5, 6, "cat")

    def test_a_second_throw_comes_before_the_lost_turn_is_served(self) -> None:
        state = play(begun(), "41", "64")
        assert state.standing == RaceBoard(5, 10, "mouse", cat_owes=True)

    def test_both_owing_a_lost_turn_each_is_served_in_order(self) -> None:
        state = play(begun(), "41", "41")
        assert state.steps[-1].served == ("cat", "mouse")
        assert state.standing == RaceBoard(5, 5, "cat")


class TestTheEnd:
    """Rule 6."""

    @pytest.mark.parametrize(("square", "dice"), [(56, "65"), (60, "61"), (64, "12"), (65, "11"), (65, "43")])
    def test_beyond_66_turns_back_to_48(self, square: int, dice: str) -> None:
        state = play(at(square, 0), dice)
        assert (state.standing.cat, state.steps[-1].how) == (48, How.TURN_BACK)

    @pytest.mark.parametrize(("square", "dice"), [(55, "65"), (60, "42"), (64, "11")])
    def test_66_exactly_wins(self, square: int, dice: str) -> None:
        state = play(at(square, 0), dice)
        assert state.winner == "cat"
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("exact", ("cat",))

    def test_double_six_past_55_wins(self) -> None:
        outcome = GAME.outcome(play(at(0, 65, "mouse"), "66"))
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("double", ("mouse",))

    def test_the_winner_takes_both_stakes(self) -> None:
        won = play(at(51, 64, options=RaceOptions(stake=7)), "55", "31", "65")
        assert [(line.payer, line.payee, line.chips) for line in won.ledger[-1:]] == [("pots", "cat", 14)]
        outcome = GAME.outcome(won)
        assert outcome is not None
        assert outcome.points == {"cat": 9, "mouse": -9}

    def test_nobody_throws_after_the_end(self) -> None:
        over = play(at(64, 0), "11")
        assert GAME.turn(over) is None
        assert list(GAME.legal_moves(over)) == []


class TestJumping:
    """Rule 4: red r and black 67 - r are the same square."""

    @pytest.mark.parametrize(
        ("cat", "mouse", "dice", "fee"),
        [
            pytest.param(30, 35, "21", True, id="over 32, where black 35 is"),
            pytest.param(30, 34, "21", False, id="onto 33, where black 34 is"),
            pytest.param(32, 35, "61", False, id="from the other's own square"),
            pytest.param(30, 36, "61", True, id="over 31, at once"),
            pytest.param(36, 36, "21", False, id="the other is behind"),
            pytest.param(0, 0, "21", False, id="the other waits in its corner"),
            pytest.param(30, 35, "66", False, id="double six moves nobody"),
        ],
    )
    def test_passing_over_the_other_costs_a_chip(self, cat: int, mouse: int, dice: str, *, fee: bool) -> None:
        state = play(at(cat, mouse), dice)
        assert ("jump" in reasons(state)) is fee
        assert state.steps[-1].jumped is fee

    def test_mouse_pays_cat_for_a_jump(self) -> None:
        state = play(at(34, 30, "mouse"), "43")
        assert [(line.payer, line.payee, line.chips) for line in state.ledger] == [("mouse", "cat", 1)]

    def test_the_jump_is_paid_before_what_the_square_costs(self) -> None:
        assert reasons(play(at(31, 34), "41")) == ["jump", "pays"]

    def test_choice_jump_fee_off(self) -> None:
        state = play(at(30, 35, options=RaceOptions(jump_fee="off")), "22")
        assert (reasons(state), state.steps[-1].jumped) == ([], True)

    @pytest.mark.parametrize("costs", [True, False])
    def test_choice_fee_on_double(self, *, costs: bool) -> None:
        state = play(at(24, 40, options=RaceOptions(fee_on_double=costs)), "33")
        assert ("jump" in reasons(state)) is costs

    def test_a_double_that_is_just_its_total_is_a_plain_way(self) -> None:
        assert "jump" in reasons(play(at(30, 36, options=RaceOptions(fee_on_double=False)), "22"))

    @pytest.mark.parametrize("costs", [True, False])
    def test_choice_fee_on_turn_back(self, *, costs: bool) -> None:
        state = play(at(60, 15, options=RaceOptions(fee_on_turn_back=costs)), "61")
        assert state.standing.cat == 48
        assert ("jump" in reasons(state)) is costs

    def test_the_winning_throw_pays_for_its_jump(self) -> None:
        state = play(at(60, 3), "51")
        assert (state.winner, nets(state)) == ("cat", (-1, 1))


class TestDeclaredJumps:
    """Choice jump_fee = declared: a player taps it."""

    DECLARED = RaceOptions(stake=0, jump_fee="declared")

    def test_nothing_is_paid_by_itself(self) -> None:
        assert reasons(play(at(30, 35, options=self.DECLARED), "22")) == []

    def test_a_declared_jump_costs_the_last_thrower_a_chip(self) -> None:
        state = GAME.play(play(at(10, 10, "mouse", self.DECLARED), "21"), JumpFee())
        assert nets(state) == (1, -1)
        assert state.ledger[-1].reason == "jump"
        assert GAME.turn(state) == "cat"

    def test_it_is_among_the_legal_moves_while_it_may_be_declared(self) -> None:
        before = play(at(10, 10, options=self.DECLARED), "21")
        assert JumpFee() in GAME.legal_moves(before)
        assert JumpFee() not in GAME.legal_moves(GAME.play(before, JumpFee()))

    def test_rule_jump_fee_not_declared(self) -> None:
        with refused("jump-fee-not-declared"):
            GAME.play(play(at(30, 35), "21"), JumpFee())

    def test_a_refusal_names_no_option_by_its_key(self) -> None:
        with pytest.raises(IllegalMove) as caught:
            GAME.play(play(at(30, 35), "21"), JumpFee())
        assert not any("jump_fee" in caught.value.says(language) for language in LANGUAGES)

    def test_rule_jump_fee_after_a_move(self) -> None:
        for state in (
            GAME.start(self.DECLARED, 2),
            at(3, 3, options=self.DECLARED),
            play(at(3, 3, options=self.DECLARED), "66"),
        ):
            with refused("jump-fee-after-a-move"):
                GAME.play(state, JumpFee())

    def test_rule_jump_fee_once(self) -> None:
        state = GAME.play(play(at(10, 10, options=self.DECLARED), "21"), JumpFee())
        with refused("jump-fee-once"):
            GAME.play(state, JumpFee())
        assert nets(GAME.play(play(state, "21"), JumpFee())) == (0, 0)

    def test_rule_jump_fee_on_double(self) -> None:
        options = RaceOptions(jump_fee="declared", fee_on_double=False)
        with refused("jump-fee-on-double"):
            GAME.play(play(at(24, 40, options=options), "33"), JumpFee())

    def test_rule_jump_fee_on_turn_back(self) -> None:
        with refused("jump-fee-on-turn-back"):
            GAME.play(play(at(60, 15, options=self.DECLARED), "61"), JumpFee())

    def test_a_jump_on_the_winning_throw_can_be_declared_while_the_match_stands(self) -> None:
        won = play(at(60, 3, options=RaceOptions(stake=7, jump_fee="declared")), "51")
        assert (won.winner, nets(won)) == ("cat", (7, -7))
        claimed = GAME.play(won, JumpFee())
        assert (claimed.winner, nets(claimed)) == ("cat", (6, -6))
        outcome = GAME.outcome(claimed)
        assert outcome is not None
        assert outcome.points == {"cat": 6, "mouse": -6}
        assert list(GAME.legal_moves(claimed)) == []

    def test_a_jump_on_the_winning_throw_is_declared_once(self) -> None:
        won = GAME.play(play(at(60, 3, options=self.DECLARED), "51"), JumpFee())
        with refused("jump-fee-once"):
            GAME.play(won, JumpFee())

    def test_a_double_that_wins_costs_its_jump_as_any_double_does(self) -> None:
        won = play(at(60, 3, options=self.DECLARED), "66")
        assert nets(GAME.play(won, JumpFee())) == (-1, 1)
        free = RaceOptions(stake=0, jump_fee="declared", fee_on_double=False)
        with refused("jump-fee-on-double"):
            GAME.play(play(at(60, 3, options=free), "66"), JumpFee())


class TestRefusals:
    """What is no throw, and no match."""

    @pytest.mark.parametrize("dice", ["", "3", "345", "1" * 11])
    def test_rule_two_dice(self, dice: str) -> None:
        with refused("two-dice"):
            GAME.play(begun(), throw(dice))

    @pytest.mark.parametrize("dice", [(0, 3), (3, 7), (-1, 1)])
    def test_rule_die_faces(self, dice: tuple[int, int]) -> None:
        with refused("die-faces"):
            GAME.play(begun(), Throw(dice))

    def test_rule_match_over(self) -> None:
        over = play(at(64, 0), "11")
        with refused("match-over"):
            play(over, "34")

    def test_eleven_dice_are_refused_with_how_many(self) -> None:
        with pytest.raises(InvalidMove, match="two dice, not 11"):
            GAME.play(begun(), throw("1" * 11))

    def test_rule_not_a_move(self) -> None:
        for given in ({"move": "throw"}, {"move": "throw", "dice": "34"}, {"move": "lay"}, 7):
            with refused("not-a-move"):
                GAME.move(given)

    @pytest.mark.parametrize(
        "given", [{"past": "near"}, {"stake": -1}, {"jump_fee": "maybe"}, {"fee_on_double": 3}, {"dice": 2}]
    )
    def test_rule_not_an_option(self, given: dict[str, object]) -> None:
        with refused("not-an-option"):
            GAME.options(given)

    def test_three_cannot_play(self) -> None:
        with refused("not-an-option"):
            GAME.start(FREE, 3)

    def test_a_board_that_is_not_there_is_said(self) -> None:
        with pytest.raises(UserError, match="no board 'round'"):
            GAME.start(GAME.options({"board": "round"}), 2)

    def test_options_come_from_text(self) -> None:
        options = GAME.options({"stake": "12", "fee_on_double": "false"}, from_text=True)
        assert options == RaceOptions(stake=12, fee_on_double=False)

    def test_a_refusal_is_said_in_every_language(self) -> None:
        with pytest.raises(IllegalMove) as refusal:
            GAME.play(play(at(30, 35), "21"), JumpFee())
        said = {refusal.value.says(language) for language in ("en", "zh-Hant", "ko")}
        assert len(said) == 3


def test_every_way_the_dice_can_fall_is_legal() -> None:
    moves = list(GAME.legal_moves(begun()))
    assert len(moves) == len(set(moves)) == 36
    assert {sum(move.dice) for move in moves if isinstance(move, Throw)} == set(range(2, 13))
