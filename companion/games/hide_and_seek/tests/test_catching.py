"""Who is caught: colour, hiding, speed, and the choices that the guide leaves open."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.state import Catch, HideState
from companion.games.hide_and_seek.steps import catch_results, catchable
from companion.games.hide_and_seek.tests.table import ONE, TWO, on, refused, seeking, up


def because(state: HideState) -> dict[str, tuple[str, int, int]]:
    """Of each animal that does not seek: why it is safe, its speed, the seeker's."""
    return {each.animal: (each.why, each.speed, each.against) for each in catch_results(state)}


def test_a_slower_animal_of_a_colour_is_caught() -> None:
    state = on(on(seeking("Max")), Catch("brown", "炭炭"))
    assert [(each.animal, each.by, each.round) for each in state.caught] == [("炭炭", TWO, 1)]


def test_who_is_safe_and_why() -> None:
    state = up(seeking("卡士達"), "1 hide-grey 兩金", "1 hide-grey 炭炭", "2 hide-yellow 卡士達")
    assert because(state) == {
        "兩金": ("hides", 4, 7),
        "炭炭": ("", 6, 7),
        "Ivy": ("", 4, 7),
        "Rex": ("own", 2, 7),
        "Max": ("own", 7, 7),
    }


def test_no_colour() -> None:
    state = on(seeking("卡士達"))
    assert because(state)["兩金"] == ("no-colour", 3, 6)
    assert refused(state, Catch("white", "兩金")) == "no-colour"
    assert refused(state, Catch("brown", "炭炭")) == "no-colour"


def test_too_fast() -> None:
    state = on(up(seeking("卡士達"), "1 rocket-fist 炭炭"))
    assert because(state)["炭炭"] == ("faster", 9, 6)
    assert refused(state, Catch("white", "炭炭")) == "too-fast"


def test_as_fast_says_the_speeds() -> None:
    state = on(up(seeking("卡士達"), "1 hide-grey 炭炭"))
    with pytest.raises(IllegalMove) as caught:
        GAME.play(state, Catch("white", "炭炭"))
    assert caught.value.says("en") == "Tantan is as fast as the seeker (6 against 6), so it escapes."
    assert "6 對 6" in caught.value.says("zh-Hant")


def test_tie_speed() -> None:
    lines = ("1 hide-grey 炭炭",)
    assert refused(on(up(seeking(), *lines)), Catch("white", "炭炭")) == "as-fast"
    state = on(up(seeking(tie_speed="caught"), *lines))
    assert on(state, Catch("white", "炭炭")).caught[0].animal == "炭炭"


def test_hidden() -> None:
    state = on(up(seeking(), "1 hide-white 炭炭"))
    with pytest.raises(IllegalMove) as caught:
        GAME.play(state, Catch("white", "炭炭"))
    assert (caught.value.rule, caught.value.facts) == ("hidden", {"animal": "炭炭", "colour": "white"})


def test_own_animal() -> None:
    state = on(seeking("Max"))
    assert refused(state, Catch("brown", "Max")) == "own-animal"
    assert refused(state, Catch("grey", "Rex")) == "own-animal"


def test_colour_without_card() -> None:
    state = on(seeking("Max", colour_without_card=False))
    assert catchable(state) == {}
    state = on(up(seeking("Max", colour_without_card=False), "2 hide-brown Max"))
    assert catchable(state) == {"brown": ("炭炭",)}


class TestOneVictim:
    """How many of a colour are caught."""

    BOTH = ("2 hide-grey Max", "1 gale-suit-grey Ivy")

    def test_ask_one_then_another_of_that_colour(self) -> None:
        state = on(up(seeking("Max"), *self.BOTH))
        assert catchable(state)["grey"] == ("兩金", "Ivy")
        state = on(state, Catch("grey", "Ivy"))
        assert catchable(state) == {"grey": ("兩金",)}
        assert [each.animal for each in on(state, Catch("grey", "兩金")).caught] == ["Ivy", "兩金"]

    def test_ask_all_at_once(self) -> None:
        state = on(on(up(seeking("Max"), *self.BOTH)), Catch("grey"))
        assert [each.animal for each in state.caught] == ["兩金", "Ivy"]
        assert catchable(state) == {}

    def test_one(self) -> None:
        state = on(up(seeking("Max", one_victim="one"), *self.BOTH))
        assert refused(state, Catch("grey")) == "one-victim"
        state = on(state, Catch("grey", "Ivy"))
        assert catchable(state) == {}
        assert refused(state, Catch("grey", "兩金")) == "one-victim"

    def test_one_of_one_needs_no_name(self) -> None:
        state = on(on(seeking("Max", one_victim="one")), Catch("brown"))
        assert state.caught[0].animal == "炭炭"

    def test_all(self) -> None:
        state = on(up(seeking("Max", one_victim="all"), *self.BOTH))
        assert refused(state, Catch("grey", "Ivy")) == "all-of-a-colour"
        assert [each.animal for each in on(state, Catch("grey")).caught] == ["兩金", "Ivy"]

    def test_who_is_safe_of_that_colour_stays(self) -> None:
        state = on(on(up(seeking("Max", one_victim="all"), *self.BOTH, "1 hide-yellow Ivy")), Catch("grey"))
        assert [each.animal for each in state.caught] == ["兩金"]


def test_colour_not_caught() -> None:
    assert refused(on(seeking("Max")), Catch("yellow")) == "colour-not-caught"


def test_the_seeker_need_not_catch() -> None:
    state = on(on(seeking("Max")))
    assert (state.phase, state.caught) == ("open", ())


def test_the_next_round_begins_with_any_colour_again() -> None:
    state = on(on(on(seeking("Max")), Catch("brown", "炭炭")))
    assert (state.catching.colour, state.catching.animals) == (None, ())
    assert GAME.turn(state) == ONE
