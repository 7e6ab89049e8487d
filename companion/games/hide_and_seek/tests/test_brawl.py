"""敵人牌: the brawl after the catch, until the enemy is caught."""

from __future__ import annotations

from typing import Any

from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.animals import lines, points
from companion.games.hide_and_seek.state import (
    Catch,
    CatchEnemy,
    GoOn,
    HideState,
    Own,
    PlayEnemy,
    Seek,
    Taken,
)
from companion.games.hide_and_seek.steps import Brawl, brawl
from companion.games.hide_and_seek.tests.table import (
    ANIMALS,
    ENEMY,
    ONE,
    TWO,
    card,
    cards_on,
    on,
    options,
    refused,
    seeking,
    traits,
    up,
)


def in_brawl(*before: str, seeker: str = "卡士達", cards: tuple[str, ...] = (), **given: Any) -> HideState:
    """The cards of the brawl are up; `before` those of the round itself."""
    state = on(on(up(seeking(seeker, enemy=ONE, **given), *before)))
    assert state.brawl
    return on(up(state, *cards))


def ends(state: HideState) -> Brawl:
    """How the brawl ends."""
    ending = brawl(state)
    assert ending is not None
    return ending


def test_it_follows_the_catch_and_everyone_lays_again() -> None:
    state = up(seeking(enemy=ONE), *["1 food Ivy"] * 3)
    state = on(on(state))
    assert (state.phase, state.brawl, state.laid) == ("cards", True, {})
    assert state.hands == {ONE: 3, TWO: 6}
    state = up(state, *["1 food Ivy"] * 3)
    assert refused(state, card("1 food Ivy")) == "three-cards"
    assert refused(state, card("1 magician Ivy")) == "enemy-is-not-laid"


def test_without_an_enemy_there_is_none() -> None:
    assert on(on(seeking())).phase == "open"
    assert refused(on(seeking()), CatchEnemy("Max")) == "no-enemy-out"


def test_the_fastest_at_least_as_fast_and_of_its_colour_may_catch_it() -> None:
    state = in_brawl(cards=("2 cannonball 卡士達",))
    assert ends(state) == Brawl("catch", ("卡士達",), 10, 9, may_catch=("卡士達",))
    after = on(state, CatchEnemy("卡士達"))
    assert (after.enemy, points(after)) == (None, {ONE: 9, TWO: 13})


def test_as_fast_is_enough() -> None:
    state = in_brawl("1 rocket-fist 炭炭")
    assert ends(state).may_catch == ("炭炭",)


def test_its_food_counts_for_who_catches_it() -> None:
    state = in_brawl("1 food enemy", cards=("2 cannonball 卡士達", "1 big-food enemy"))
    state = on(state, CatchEnemy("卡士達"))
    assert [(line.what, line.points) for line in lines(state, TWO)[-2:]] == [("enemy", 5), ("enemy-food", 4)]
    assert cards_on(state, ENEMY) == []
    assert {"food", "big-food"} <= set(state.discards)


def test_it_may_be_let_go_and_stays() -> None:
    state = on(in_brawl(cards=("2 cannonball 卡士達",)))
    assert (state.phase, state.round) == ("open", 2)
    assert state.enemy is not None
    assert on(on(on(state, Seek("Ivy")))).brawl


def test_enemy_other_colour() -> None:
    state = in_brawl(cards=("2 rocket-fist Max",))
    assert ends(state) == Brawl("wrong-colour", ("Max",), 11, 9)
    assert refused(state, CatchEnemy("Max")) == "enemy-other-colour"
    assert on(state).caught == ()


def test_a_catch_card_in_the_brawl_gives_the_colour() -> None:
    state = in_brawl(cards=("2 rocket-fist Max", "2 hide-black Max"))
    assert ends(state).may_catch == ("Max",)


def test_without_colour_without_card_only_catch_cards_catch_it() -> None:
    state = in_brawl(cards=("2 cannonball 卡士達",), colour_without_card=False)
    assert ends(state).why == "wrong-colour"


def test_not_the_fastest() -> None:
    state = in_brawl(cards=("2 rocket-fist Max", "1 rocket-fist 炭炭"))
    assert refused(state, CatchEnemy("炭炭")) == "not-the-fastest"
    slow = in_brawl()
    assert refused(slow, CatchEnemy("Max")) == "not-the-fastest"


def test_ties_go_by_the_rounds_order() -> None:
    cards = ("1 rocket-fist 炭炭", "1 food 炭炭", "2 cannonball 卡士達", "2 big-food 卡士達", "1 food enemy")
    state = in_brawl(cards=cards, seeker="卡士達")
    assert (ends(state).fastest, ends(state).may_catch) == (("炭炭", "卡士達"), ("卡士達",))
    assert refused(state, CatchEnemy("炭炭")) == "enemy-other-colour"
    state = in_brawl(cards=cards, seeker="Ivy")
    assert ends(state).may_catch == ("炭炭",)


TIED = ("1 rocket-fist 炭炭", "1 food 炭炭", "2 cannonball 卡士達", "2 big-food 卡士達", "1 food enemy")
"""炭炭 and 卡士達 at 8, as fast as the enemy."""


def test_in_a_tie_whoever_lets_it_go_hands_on_to_the_next() -> None:
    state = in_brawl(cards=TIED, seeker="卡士達")
    assert (GAME.turn(state), GAME.pressed(state, ONE), GAME.pressed(state, TWO)) == (TWO, None, GoOn())
    state = on(state, GoOn())
    assert (state.phase, ends(state).may_catch, GAME.turn(state)) == ("catch", ("炭炭",), ONE)
    assert (GAME.pressed(state, ONE), GAME.pressed(state, TWO)) == (GoOn(), None)
    assert refused(state, CatchEnemy("卡士達")) == "enemy-let-go"
    assert points(on(state, CatchEnemy("炭炭"))) == {ONE: 10 + 6, TWO: 11}


def test_when_all_who_are_tied_let_it_go_it_stays() -> None:
    state = on(in_brawl(cards=TIED, seeker="卡士達"), GoOn(), GoOn())
    assert (state.phase, state.round, state.enemy is not None) == ("open", 2, True)
    again = on(on(on(state, Seek("Ivy"))))
    assert (again.brawl, again.catching.passed) == (True, ())


def test_whoever_lets_it_go_does_so_for_all_own_animals() -> None:
    cards = (*TIED, "2 hide-black Max")
    state = in_brawl(cards=cards, seeker="卡士達")
    assert ends(state).may_catch == ("卡士達", "Max")
    assert ends(on(state, GoOn())).may_catch == ("炭炭",)


def test_brawl_tie_ends() -> None:
    state = on(in_brawl(cards=TIED, seeker="卡士達", brawl_tie="ends"), GoOn())
    assert (state.phase, state.round, state.enemy is not None) == ("open", 2, True)


def test_all_being_slower_it_takes_the_slowest_of_its_colours() -> None:
    state = in_brawl()
    assert ends(state) == Brawl("takes", ("Max",), 7, 9, takes=("炭炭",))
    assert GAME.turn(state) == ONE
    assert refused(state, GoOn()) == "enemy-takes"
    assert refused(state, Taken("卡士達")) == "enemy-takes-slowest"
    after = on(state, Taken("炭炭"))
    assert [(each.animal, each.by) for each in after.caught] == [("炭炭", "enemy")]
    assert refused(after, Taken("卡士達")) == "brawl-settled"
    assert on(after).phase == "open"


def test_its_catch_cards_gear_and_paint_widen_what_it_takes() -> None:
    for line in ("2 hide-grey enemy", "2 gale-suit-grey enemy"):
        assert ends(in_brawl(cards=(line,))).takes == ("Rex",)


def test_ties_among_the_slowest_go_by_the_rounds_order_and_its_player_chooses() -> None:
    cards = ("1 hide-grey 炭炭",)
    state = in_brawl(cards=cards, seeker="卡士達")
    assert ends(state).takes == ("卡士達",)
    assert ends(in_brawl(cards=cards, seeker="Ivy")).takes == ("炭炭",)
    both = in_brawl(cards=("1 paint-white Ivy", "2 food Ivy", "1 paint-white 兩金"))
    assert ends(both).takes == ("兩金", "Ivy")
    assert on(both, Taken("Ivy")).caught[0].animal == "Ivy"


def test_who_hides_is_safe_from_it() -> None:
    state = in_brawl(cards=("1 hide-white 炭炭",))
    assert ends(state).takes == ("卡士達",)


def test_hide_from_enemy() -> None:
    cards = ("1 hide-brown 炭炭", "2 food 炭炭")
    assert ends(in_brawl(cards=cards)).takes == ("卡士達",)
    assert ends(in_brawl(cards=cards, hide_from_enemy=False)).takes == ("炭炭",)


def test_nobody_of_its_colours() -> None:
    keys = ("species", "colours", "speed", "points")
    animals = {
        name: dict(zip(keys, values, strict=True)) | {"colours": ["grey"]} for name, values in ANIMALS.items()
    }
    state = in_brawl(box={"animals": animals})
    assert ends(state).why == "nobody"
    assert refused(state, Taken("Rex")) == "enemy-takes-none"
    assert on(state).round == 2


def test_the_cards_of_the_round_stay_through_the_brawl() -> None:
    assert traits(in_brawl("2 cannonball 卡士達"), "卡士達").speed == 10


def test_brawl_clears() -> None:
    state = in_brawl("2 cannonball 卡士達", "1 food Ivy", brawl_clears=True)
    assert (traits(state, "卡士達").speed, traits(state, "Ivy").speed) == (6, 3)


def test_nobody_seeks_in_it() -> None:
    assert refused(in_brawl(), Catch("white", "炭炭")) == "nobody-seeks"


def test_the_seeker_hides_in_it_too() -> None:
    state = in_brawl(cards=("2 hide-white 卡士達", "1 hide-white 炭炭"))
    assert traits(state, "卡士達").hides == ("white",)
    assert ends(state).why == "nobody"


def test_candies_are_settled_before_it_ends() -> None:
    state = in_brawl("2 food 炭炭", cards=("1 candy 炭炭",))
    assert cards_on(state, "炭炭") == ["candy"]
    assert state.phase == "catch"


def test_it_comes_back_every_round_and_its_cards_stay() -> None:
    state = in_brawl("1 gale-suit-grey enemy", "1 food enemy")
    state = on(on(state, Taken(ends(state).takes[0])))
    assert cards_on(state, ENEMY) == ["gale-suit-grey", "food"]
    state = on(on(on(state, Seek("Ivy"))))
    assert (state.brawl, state.phase) == (True, "cards")


def test_the_seeking_animal_can_be_taken() -> None:
    state = in_brawl(seeker="炭炭")
    after = on(state, Taken("炭炭"))
    assert GAME.view(after, None).animals
    assert on(after).phase == "open"


def test_when_no_animal_is_free_the_match_is_over() -> None:
    state = GAME.start(options(box={"animals_each": 1, "hand": 3}), 2)
    state = on(state, Own(ONE, "炭炭"), Own(TWO, "卡士達"), PlayEnemy(ONE, "magician"), Seek("卡士達"))
    state = on(on(on(state), Catch("white", "炭炭")))
    state = on(on(on(state), Taken("卡士達")))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("none-free", (ONE, TWO))
