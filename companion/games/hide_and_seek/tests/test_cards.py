"""Each card of the table, on the seeker, on another, on the enemy."""

from __future__ import annotations

import pytest

from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.state import Catch, DropGear, HideState, RemoveFood, Seek
from companion.games.hide_and_seek.steps import catch_results, catchable
from companion.games.hide_and_seek.tests.table import (
    ANIMALS,
    ENEMY,
    ONE,
    TWO,
    cards_on,
    on,
    refused,
    seeking,
    stands,
    traits,
    up,
)
from companion.games.hide_and_seek.view import HideView


def why(state: HideState, animal: str) -> tuple[str, tuple[str, ...]]:
    """Why an animal is safe, and the colours that it is about."""
    verdict = next(each for each in catch_results(state) if each.animal == animal)
    return verdict.why, verdict.colours


def shown(state: HideState) -> HideView:
    """What the table is shown."""
    return GAME.view(state, None)


class TestCatchHide:
    """抓躲牌, 彩色抓躲牌."""

    def test_on_the_seeker_it_catches_that_colour_and_adds_its_speed(self) -> None:
        state = up(seeking(), "2 hide-grey 卡士達")
        assert traits(state, "卡士達").catches == ("grey", "white", "black")
        assert stands(state, "卡士達") == ("white black", 7)
        assert why(state, "兩金") == ("", ("grey",))

    def test_the_seeker_is_not_hidden_by_it(self) -> None:
        assert traits(up(seeking(), "2 hide-white 卡士達"), "卡士達").hides == ()

    def test_on_another_it_hides_by_a_colour_that_it_bears_whatever_its_speed(self) -> None:
        state = up(seeking(), "2 rocket-fist 炭炭", "1 hide-white 炭炭")
        assert stands(state, "炭炭") == ("white brown", 3)
        assert why(state, "炭炭") == ("hides", ("white",))

    def test_any_of_two_colours_hides_from_the_other_too(self) -> None:
        state = up(seeking(), "1 hide-brown 炭炭")
        assert why(state, "炭炭") == ("hides", ("brown",))

    def test_of_a_colour_that_it_does_not_bear_it_only_adds_speed(self) -> None:
        state = up(seeking(), "1 hide-black 炭炭")
        assert stands(state, "炭炭") == ("white brown", 6)
        assert traits(state, "炭炭").effects[0].note == "speed-only"
        assert why(state, "炭炭") == ("as-fast", ("white",))

    def test_several_on_the_seeker_all_add_speed_but_one_colour_is_picked(self) -> None:
        state = on(up(seeking("Max"), "2 hide-grey Max", "2 hide-yellow Max"))
        assert stands(state, "Max") == ("brown", 9)
        assert catchable(state) == {"grey": ("兩金",), "brown": ("炭炭",), "yellow": ("Ivy",)}
        state = on(state, Catch("grey", "兩金"))
        assert refused(state, Catch("yellow", "Ivy")) == "one-colour"

    def test_it_stays_for_the_round(self) -> None:
        state = on(on(up(seeking(), "1 hide-grey 兩金")))
        assert cards_on(state, "兩金") == []
        assert "hide-grey" in state.discards

    def test_gear_and_paint_count_for_hiding(self) -> None:
        for card in ("gale-suit-grey", "paint-black"):
            colour = card.rsplit("-", 1)[1]
            state = up(seeking(), f"1 {card} Ivy", f"1 hide-{colour} Ivy")
            assert why(state, "Ivy") == ("hides", (colour,))

    def test_paint_and_hide_in_one_colour_protect_from_it(self) -> None:
        state = up(seeking(), "2 paint-white 兩金")
        assert why(state, "兩金") == ("", ("white",))
        assert why(up(state, "1 hide-white 兩金"), "兩金") == ("hides", ("white",))

    def test_a_rainbow_is_any_one_colour(self) -> None:
        seeker = up(seeking(), "2 hide-rainbow 卡士達")
        assert len(traits(seeker, "卡士達").catches) == 5
        assert stands(seeker, "卡士達") == ("white black", 8)
        assert why(up(seeking(), "1 hide-rainbow 炭炭"), "炭炭")[0] == "hides"

    def test_a_rainbow_can_be_named_one_colour(self) -> None:
        seeker = up(seeking("Max"), "2 hide-rainbow Max grey")
        assert traits(seeker, "Max").catches == ("grey", "brown")
        assert why(up(seeking(), "1 hide-rainbow 炭炭 yellow"), "炭炭")[0] == "faster"

    def test_on_the_enemy_it_catches_that_colour_and_adds_its_speed(self) -> None:
        state = up(seeking(enemy=ONE), "2 hide-grey enemy")
        assert traits(state, ENEMY).catches == ("grey", "white", "black")
        assert stands(state, ENEMY) == ("white black", 10)

    def test_a_rainbow_on_the_enemy_is_named(self) -> None:
        state = seeking(enemy=ONE)
        assert (
            refused(state, {"move": "turn-up", "by": ONE, "card": "hide-rainbow", "on": ENEMY})
            == "name-a-colour"
        )
        assert traits(up(state, "1 hide-rainbow enemy grey"), ENEMY).catches == ("grey", "white", "black")


class TestFood:
    """食物牌."""

    def test_it_slows_and_is_worth_points(self) -> None:
        state = up(seeking(), "2 food 兩金", "2 big-food 兩金")
        assert stands(state, "兩金") == ("grey", 0)
        assert traits(state, "兩金").food == 4

    def test_it_stays_to_the_end(self) -> None:
        assert cards_on(on(on(up(seeking(), "2 food 兩金"))), "兩金") == ["food"]

    def test_it_slows_the_enemy_and_adds_to_its_points(self) -> None:
        state = up(seeking(enemy=ONE), "2 food enemy")
        assert stands(state, ENEMY) == ("white black", 8)
        assert traits(state, ENEMY).food == 1


class TestCandy:
    """大米枇杷糖."""

    def test_without_food_it_adds_speed_to_the_end(self) -> None:
        state = on(up(seeking(), "1 candy 兩金"))
        assert stands(state, "兩金") == ("grey", 4)
        assert stands(on(state), "兩金") == ("grey", 4)

    def test_it_removes_the_only_food_without_asking(self) -> None:
        state = on(up(seeking(), "2 food 兩金", "1 candy 兩金"))
        assert state.phase == "catch"
        assert cards_on(state, "兩金") == ["candy"]
        assert stands(state, "兩金") == ("grey", 3)

    def test_it_is_forced_by_whoever_lays_it(self) -> None:
        state = on(up(seeking(), "1 big-food 兩金", "2 candy 兩金"))
        assert traits(state, "兩金").food == 0

    def test_food_of_the_same_turning_up_counts_whatever_the_order(self) -> None:
        state = on(up(seeking(), "1 candy 兩金", "2 food 兩金"))
        assert cards_on(state, "兩金") == ["candy"]

    def test_the_owner_chooses_among_several(self) -> None:
        state = on(up(seeking(), "2 food 兩金", "2 big-food 兩金", "1 candy 兩金"))
        assert state.phase == "candy"
        (asked,) = shown(state).candies
        assert (asked.owner, asked.choices, asked.may_keep) == (ONE, ("food", "big-food"), False)
        assert refused(state, RemoveFood("兩金", None)) == "food-must-go"
        after = on(state, RemoveFood("兩金", "big-food"))
        assert after.phase == "catch"
        assert cards_on(after, "兩金") == ["food", "candy"]

    def test_candy_removes_candy(self) -> None:
        state = on(up(seeking(), "1 candy 兩金"))
        state = on(state)
        state = on(up(on(state, Seek("兩金")), "2 candy 兩金"))
        assert state.phase == "candy"
        kept = on(state, RemoveFood("兩金", None))
        assert stands(kept, "兩金") == ("grey", 5)
        gone = on(state, RemoveFood("兩金", "candy"))
        assert stands(gone, "兩金") == ("grey", 3)

    def test_while_other_food_lies_there_a_candy_removes_food(self) -> None:
        """Rulebook: "強制的 … 須決定移除一張食物牌"; a candy goes only where nothing else is left to go."""
        state = on(on(up(seeking(), "1 candy 兩金")))
        state = on(up(on(state, Seek("兩金")), "2 food 兩金", "2 big-food 兩金", "1 candy 兩金"))
        (asked,) = shown(state).candies
        assert (asked.choices, asked.may_keep) == (("food", "big-food"), False)
        assert refused(state, RemoveFood("兩金", "candy")) == "food-first"
        assert refused(state, RemoveFood("兩金", None)) == "food-must-go"
        assert cards_on(on(state, RemoveFood("兩金", "food")), "兩金") == ["candy", "big-food", "candy"]

    def test_one_food_beside_a_candy_goes_without_asking(self) -> None:
        state = on(up(seeking(), "1 candy 兩金", "2 food 兩金", "1 candy 兩金"))
        (asked,) = shown(state).candies
        assert cards_on(state, "兩金") == ["candy", "candy"]
        assert (asked.choices, asked.may_keep) == (("candy",), True)

    def test_with_any_the_owner_may_give_up_a_candy_instead_of_food(self) -> None:
        state = on(up(seeking(candy_removes="any"), "1 candy 兩金", "1 candy 兩金", "2 food 兩金"))
        (asked,) = shown(state).candies
        assert (asked.choices, asked.may_keep) == (("candy", "food"), False)
        state = on(state, RemoveFood("兩金", "candy"))
        assert cards_on(state, "兩金") == ["candy", "food"]

    def test_of_two_candies_a_spent_one_goes_first(self) -> None:
        state = on(on(on(up(seeking(), "1 candy Ivy"))), Seek("兩金"))
        state = on(up(state, "2 food Ivy", "1 candy Ivy"))
        assert [effect.note for effect in traits(state, "Ivy").effects] == ["faster", "spent"]
        state = on(on(state), Seek("卡士達"))
        state = on(on(up(state, "1 candy Ivy")), RemoveFood("Ivy", "candy"))
        assert stands(state, "Ivy") == ("yellow", 5)
        assert [effect.note for effect in traits(state, "Ivy").effects] == ["faster", "spent"]

    def test_spent_candy_is_an_option(self) -> None:
        state = on(up(seeking(spent_candy="discarded"), "2 food 兩金", "1 candy 兩金"))
        assert cards_on(state, "兩金") == []
        assert sorted(state.discards) == ["candy", "food"]

    def test_on_the_enemy_who_played_it_chooses(self) -> None:
        state = on(up(seeking(enemy=TWO), "1 food enemy", "1 big-food enemy", "1 candy enemy"))
        (asked,) = shown(state).candies
        assert asked.owner == TWO
        state = on(state, RemoveFood(ENEMY, "big-food"))
        assert stands(state, ENEMY) == ("white black", 8)

    def test_what_is_not_asked_is_refused(self) -> None:
        state = on(up(seeking(), "2 food 兩金", "2 big-food 兩金", "1 candy 兩金"))
        assert refused(state, RemoveFood("Ivy", "food")) == "no-candy-there"
        assert refused(state, RemoveFood("兩金", "hide-grey")) == "no-such-food"


class TestGear:
    """裝備牌: 疾風正義裝, 紅蓮爪."""

    def test_the_guides_own_example(self) -> None:
        state = up(seeking("兩金"), "2 gale-suit-yellow 卡士達", "2 red-claw-black 卡士達")
        assert stands(state, "卡士達") == ("white black yellow", 8)

    def test_a_colour_that_is_there_already_is_only_speed(self) -> None:
        state = up(seeking(), "1 red-claw-black 卡士達")
        assert traits(state, "卡士達").effects[0].note == "has-colour"
        assert stands(state, "卡士達") == ("white black", 7)

    def test_its_colour_can_be_caught_by_and_caught(self) -> None:
        state = up(seeking("Max"), "2 gale-suit-grey Max", "2 gale-suit-yellow 炭炭")
        assert why(state, "兩金") == ("", ("grey",))
        assert why(up(seeking("Max"), "2 hide-yellow Max", "2 gale-suit-yellow 兩金"), "兩金")[0] == ""

    def test_it_stays_to_the_end(self) -> None:
        state = on(on(up(seeking(), "1 red-claw-black 兩金")))
        assert stands(state, "兩金") == ("grey black", 4)

    def test_one_of_each_kind_may_stay(self) -> None:
        state = on(on(up(seeking(), "1 red-claw-black 兩金", "1 gale-suit-yellow 兩金")))
        assert cards_on(state, "兩金") == ["red-claw-black", "gale-suit-yellow"]

    def test_a_second_counts_this_round_then_its_owner_drops_one(self) -> None:
        state = on(up(seeking(), "2 gale-suit-grey Ivy", "1 gale-suit-yellow Ivy"))
        assert stands(state, "Ivy") == ("grey yellow", 6)
        state = on(state)
        assert state.phase == "gear"
        (asked,) = shown(state).gears
        assert (asked.owner, asked.choices) == (ONE, ("gale-suit-grey", "gale-suit-yellow"))
        assert refused(state, DropGear("Ivy", "red-claw-black")) == "no-gear-twice"
        state = on(state, DropGear("Ivy", "gale-suit-yellow"))
        assert stands(state, "Ivy") == ("grey yellow", 5)
        assert state.phase == "open"

    def test_two_that_are_alike_need_no_choice(self) -> None:
        state = on(on(up(seeking(), "1 red-claw-black Ivy", "2 red-claw-black Ivy")))
        assert state.phase == "open"
        assert cards_on(state, "Ivy") == ["red-claw-black"]

    def test_of_three_two_go(self) -> None:
        state = up(seeking(), "1 gale-suit-grey Ivy", "2 gale-suit-yellow Ivy", "2 gale-suit-grey Ivy")
        state = on(on(on(state)), DropGear("Ivy", "gale-suit-grey"))
        assert state.phase == "gear"
        assert cards_on(on(state, DropGear("Ivy", "gale-suit-grey")), "Ivy") == ["gale-suit-yellow"]

    def test_it_works_on_the_enemy(self) -> None:
        state = up(seeking(enemy=ONE), "1 gale-suit-yellow enemy")
        assert stands(state, ENEMY) == ("white black yellow", 10)


class TestPaint:
    """油漆彈."""

    def test_the_guides_own_example(self) -> None:
        assert stands(up(seeking(), "2 paint-black 兩金"), "兩金") == ("grey black", 2)

    def test_a_colour_that_is_there_already_is_only_slower(self) -> None:
        state = up(seeking("兩金"), "1 paint-black 卡士達")
        assert stands(state, "卡士達") == ("white black", 5)
        assert traits(state, "卡士達").effects[0].note == "has-colour"

    def test_it_stays_for_the_round(self) -> None:
        assert stands(on(on(up(seeking(), "1 paint-black 兩金"))), "兩金") == ("grey", 3)

    def test_it_works_on_the_enemy(self) -> None:
        state = up(seeking(enemy=ONE), "1 paint-black enemy")
        assert stands(state, ENEMY) == ("white black", 8)


class TestRockets:
    """狗狗飛拳, 貓貓砲彈."""

    @pytest.mark.parametrize(
        ("line", "animal", "speed"),
        [
            ("1 rocket-fist 炭炭", "炭炭", 9),
            ("2 rocket-fist 炭炭", "炭炭", 2),
            ("1 cannonball Ivy", "Ivy", 8),
            ("2 cannonball Ivy", "Ivy", 0),
        ],
        ids=["fist on one's own", "fist on another's", "cannonball on one's own", "on another's"],
    )
    def test_faster_on_ones_own_slower_on_anothers(self, line: str, animal: str, speed: int) -> None:
        assert traits(up(seeking(), line), animal).speed == speed

    def test_its_player_may_say_otherwise(self) -> None:
        assert traits(up(seeking(), "2 rocket-fist 炭炭 faster"), "炭炭").speed == 9
        assert traits(up(seeking(), "1 rocket-fist 炭炭 slower"), "炭炭").speed == 2

    @pytest.mark.parametrize("line", ["1 rocket-fist Ivy", "1 cannonball 炭炭"])
    def test_it_does_nothing_to_the_other_species(self, line: str) -> None:
        state = up(seeking(), line)
        (effect,) = traits(state, line.split()[2]).effects
        assert (effect.note, effect.speed) == ("no-effect", 0)

    @pytest.mark.parametrize("card", ["rocket-fist", "cannonball"])
    def test_it_does_nothing_to_the_enemy(self, card: str) -> None:
        state = up(seeking(enemy=ONE), f"1 {card} enemy")
        assert stands(state, ENEMY) == ("white black", 9)

    def test_it_stays_for_the_round(self) -> None:
        assert cards_on(on(on(up(seeking(), "1 rocket-fist 炭炭"))), "炭炭") == []


@pytest.mark.parametrize(("minimum", "speed"), [("none", -2), ("0", 0), ("1", 1)])
def test_minimum_speed(minimum: str, speed: int) -> None:
    state = up(seeking(minimum_speed=minimum), *["2 big-food 兩金"] * 2, "2 food 兩金")
    assert traits(state, "兩金").speed == speed


def test_minimum_speed_makes_nobody_faster() -> None:
    keys = ("species", "colours", "speed", "points")
    slow = {name: dict(zip(keys, values, strict=True)) for name, values in ANIMALS.items()}
    slow["Rex"]["speed"] = 0
    state = seeking(minimum_speed="1", box={"animals": slow})
    assert traits(state, "Rex").speed == 0
