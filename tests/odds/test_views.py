"""The table's knowledge and each seat's: what one sees, the others do not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.odds import (
    ImpossibleCards,
    Knowledge,
    Pile,
    Reading,
    TooFewCards,
    UnknownName,
    Views,
    card_at,
    holds,
    number_held,
)

SEATS = ("ann", "bob", "cid")


@pytest.fixture
def views() -> Views:
    """Three hands of three with a defuse each, and two kittens in a deck of ten."""
    cards = {"kitten": 2, "defuse": 4, "nope": 5, "skip": 8}
    hands = {seat: Pile(3, {"defuse": 1}) for seat in SEATS}
    table = Knowledge.start(cards, Pile(10, {"kitten": 2}), {**hands, "out": Pile(0)})
    return Views.start(table, SEATS)


def test_all_know_the_same_at_the_start(views: Views) -> None:
    assert views.of("ann") == views.of("bob") == views.of(None) == views.table


def test_only_the_seat_that_looked_knows_the_top(views: Views) -> None:
    looked = views.peek("ann", ["nope", "kitten"])
    assert card_at(looked.of("ann"), 1)["kitten"] == 1
    assert looked.of("bob") == looked.table == views.table
    assert card_at(looked.shuffle().of("ann"))["kitten"] == Fraction(2, 10)


def test_only_the_seat_that_hid_the_kitten_knows_where(views: Views) -> None:
    hid = views.draw("ann", "kitten").play("ann", "out", "defuse", Reading.HELD).put("ann", "kitten", place=2)
    assert card_at(hid.of("ann"), 2)["kitten"] == 1
    assert card_at(hid.of("bob"), 2)["kitten"] == card_at(hid.table, 2)["kitten"] == Fraction(2, 10)


def test_the_others_may_hold_it_to_lie_near_the_top(views: Views) -> None:
    drawn = views.draw("ann", "kitten")
    hid = drawn.put("ann", "kitten", weights=[1] + [0] * 9)
    assert card_at(hid.of("cid"))["kitten"] == 1
    assert hid.of("ann") == hid.table


def test_a_draw_is_no_kitten_for_all_and_a_nope_for_the_one_who_drew(views: Views) -> None:
    drawn = views.draw("ann", unlike=["kitten"], seen={"ann": "nope"})
    assert card_at(drawn.table)["kitten"] == Fraction(2, 9)
    assert holds(drawn.of("ann"), "ann", "nope") == 1
    assert drawn.of("bob") == drawn.table == views.draw("ann", unlike=["kitten"]).table


def test_a_draw_of_which_nothing_is_seen(views: Views) -> None:
    drawn = views.draw("ann")
    assert card_at(drawn.table) == card_at(views.table, 1)


def test_a_seat_that_told_its_hand_has_its_own_odds(views: Views) -> None:
    told = views.tell_hand("ann", {"defuse": 1, "nope": 2})
    assert number_held(told.of("ann"), "ann", "nope")[2] == 1
    assert holds(told.of("ann"), "bob", "nope") < holds(told.table, "bob", "nope")
    assert told.of("bob") == told.table == views.table


def test_a_theft_is_known_to_those_who_tell_it(views: Views) -> None:
    stolen = views.steal("bob", "ann", seen={"ann": "nope", "bob": "nope"})
    assert holds(stolen.of("ann"), "ann", "nope") == holds(stolen.of("bob"), "ann", "nope") == 1
    assert stolen.of("cid") == stolen.table == views.steal("bob", "ann").table


def test_a_card_that_was_named_is_seen_by_all(views: Views) -> None:
    given = views.give("bob", "ann", "defuse")
    assert all(holds(given.of(seat), "ann", "defuse", 2) == 1 for seat in SEATS)


def test_a_seat_asked_in_vain_has_none(views: Views) -> None:
    asked = views.has_none("bob", "nope")
    assert all(holds(asked.of(seat), "bob", "nope") == 0 for seat in SEATS)


def test_a_seat_that_is_out_lays_its_hand_down_unseen(views: Views) -> None:
    out = views.draw("bob", "kitten").lay_down("bob", "out")
    assert out.table.pile_size("out") == 4
    assert holds(out.table, "out", "kitten") == 1
    assert 0 < holds(out.table, "out", "nope") < 1


def test_what_a_seat_learns_by_itself_is_its_own(views: Views) -> None:
    told = views.tell("cid", lambda mine: mine.count("bob", "nope", at_least=1))
    assert holds(told.of("cid"), "bob", "nope") == 1
    assert told.of("ann") == views.of("ann")


def test_what_no_seat_can_be_told_is_refused(views: Views) -> None:
    with pytest.raises(UnknownName):
        views.of("eve")
    with pytest.raises(UnknownName):
        views.tell("eve", lambda same: same)
    with pytest.raises(UnknownName):
        Views.start(views.table, ["eve"])
    with pytest.raises(ImpossibleCards):
        views.tell_hand("ann", {"nope": 3})
    with pytest.raises(TooFewCards):
        views.steal("out", "ann")


def test_a_seat_that_told_wrong_never_stops_the_table_nor_shows(views: Views) -> None:
    wrong = views.peek("ann", ["nope"])
    drawn = wrong.draw("bob", "kitten")
    assert drawn.table == views.draw("bob", "kitten").table
    assert drawn.of("ann") == drawn.table
    assert drawn.lost == ("ann",)
    assert drawn.of("cid") == views.draw("bob", "kitten").of("cid")


def test_a_lost_seat_starts_anew_by_telling_its_hand(views: Views) -> None:
    lost = views.peek("ann", ["nope"]).draw("bob", "kitten")
    found = lost.tell_hand("ann", {"defuse": 1, "skip": 2})
    assert found.lost == ()
    assert holds(found.of("ann"), "ann", "skip", 2) == 1


def test_the_table_knows_the_average_of_what_a_seat_may_see(views: Views) -> None:
    average = Fraction(0)
    for kind, chance in card_at(views.table).items():
        average += chance * card_at(views.peek("ann", [kind]).of("ann"), 1)["kitten"]
    assert average == card_at(views.table, 1)["kitten"]
