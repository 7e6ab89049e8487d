"""The round: set-up, an enemy, who seeks, cards turned up, drawing up, the next seeker, the end."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove, InvalidMove
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.animals import lines, points
from companion.games.hide_and_seek.state import (
    SEATS,
    Catch,
    End,
    Own,
    PlayEnemy,
    RemoveFood,
    Seek,
    Taken,
    TurnUp,
)
from companion.games.hide_and_seek.tests.table import (
    ANIMALS,
    CARDS,
    ONE,
    TWO,
    box,
    card,
    cards_on,
    dealt,
    on,
    options,
    refused,
    seeking,
    traits,
    up,
)
from companion.games.retrospect import Decided
from tests.conformance.playing import rules_of


def marked(*collectors: str) -> dict[str, object]:
    """The tests' animals, some of them collectors' cards."""
    keys = ("species", "colours", "speed", "points")
    return {
        name: dict(zip(keys, values, strict=True)) | ({"collector": True} if name in collectors else {})
        for name, values in ANIMALS.items()
    }


COLLECTED = {"animals": marked("Ivy", "Max")}


class TestSetUp:
    """Who has which animal."""

    def test_each_player_is_told_three_animals(self) -> None:
        state = dealt()
        assert [each.animal for each in state.owned if each.seat == ONE] == list(ANIMALS)[:3]
        assert state.phase == "open"

    def test_then_hands_are_drawn(self) -> None:
        state = dealt()
        assert state.hands == {ONE: 6, TWO: 6}
        assert state.deck == 9 * len(CARDS) - 12

    def test_animal_taken(self) -> None:
        state = on(GAME.start(options(), 2), Own(ONE, "Ivy"))
        assert refused(state, Own(TWO, "Ivy")) == "animal-taken"

    def test_animals_enough(self) -> None:
        state = on(GAME.start(options(), 2), Own(ONE, "Ivy"), Own(ONE, "Max"), Own(ONE, "Rex"))
        assert refused(state, Own(ONE, "兩金")) == "animals-enough"

    def test_each_player_is_dealt_one_collectors_card(self) -> None:
        state = GAME.start(options(box=COLLECTED), 2)
        state = on(state, Own(ONE, "Ivy"))
        assert refused(state, Own(ONE, "Max")) == "collectors-one"
        state = on(state, Own(ONE, "兩金"), Own(TWO, "炭炭"), Own(TWO, "Rex"))
        assert refused(state, Own(TWO, "卡士達")) == "collectors-first"
        assert Own(TWO, "Max") in set(GAME.legal_moves(state))
        assert Own(TWO, "卡士達") not in set(GAME.legal_moves(state))
        assert on(state, Own(TWO, "Max"), Own(ONE, "卡士達")).phase == "open"

    def test_set_collectors(self) -> None:
        """A set with fewer than one for each player cannot be played with them."""
        one = box(animals=marked("Ivy"))
        with pytest.raises(InvalidMove) as caught:
            GAME.start(GAME.options({"cards": one}), 2)
        assert caught.value.rule == "set-collectors"
        assert "for each of 2 players, not 1" in caught.value.says()

    def test_set_collectors_leaves_others_enough(self) -> None:
        three = box(animals=marked("Ivy", "Max", "Rex"))
        with pytest.raises(InvalidMove) as caught:
            GAME.start(GAME.options({"cards": three}), 2)
        assert caught.value.rule == "set-collectors"

    def test_nothing_else_comes_before(self) -> None:
        state = on(GAME.start(options(), 2), Own(ONE, "Ivy"))
        assert refused(state, Seek("Ivy")) == "not-now"
        assert refused(state, Seek("Max")) == "no-such-animal"

    @pytest.mark.parametrize("seats", [3, 6])
    def test_set_animals(self, seats: int) -> None:
        with pytest.raises(InvalidMove) as caught:
            GAME.start(options(), seats)
        assert caught.value.rule == "set-animals"

    def test_set_players(self) -> None:
        with pytest.raises(InvalidMove) as caught:
            GAME.start(options(box={"players": [3, 4]}), 2)
        assert caught.value.rule == "set-players"

    def test_set_cards(self) -> None:
        with pytest.raises(InvalidMove) as caught:
            GAME.start(options(box={"hand": 6, "cards": dict.fromkeys(CARDS, 0) | {"food": 11}}), 2)
        assert caught.value.rule == "set-cards"

    def test_without_enemies_their_cards_stay_in_the_box(self) -> None:
        state = dealt(enemies=False)
        assert state.deck == 9 * (len(CARDS) - 1) - 12
        assert refused(state, PlayEnemy(ONE, "magician")) == "no-such-card"


class TestEnemyIsAskedFor:
    """Step 0."""

    def test_its_player_draws_a_card_at_once(self) -> None:
        state = dealt()
        after = on(state, PlayEnemy(TWO, "magician"))
        assert after.hands == {ONE: 6, TWO: 6}
        assert after.deck == state.deck - 1

    def test_one_enemy_a_round_and_one_at_large(self) -> None:
        state = on(dealt(), PlayEnemy(TWO, "magician"))
        assert refused(state, PlayEnemy(ONE, "magician")) == "one-enemy-a-round"
        state = on(on(on(on(state, Seek("Max")))))
        state = on(on(state, Taken("炭炭")))
        assert (state.round, state.phase) == (2, "open")
        assert refused(state, PlayEnemy(ONE, "magician")) == "enemy-at-large"

    def test_no_enemy_card(self) -> None:
        assert refused(dealt(), PlayEnemy(ONE, "food")) == "no-enemy-card"

    def test_it_is_too_late_once_somebody_seeks(self) -> None:
        assert refused(seeking(), PlayEnemy(ONE, "magician")) == "not-now"

    def test_enemy_is_not_laid(self) -> None:
        assert refused(seeking(), card("1 magician 兩金")) == "enemy-is-not-laid"


class TestWhoSeeks:
    """Step 1, and who comes next."""

    def test_in_the_first_round_the_chip_tells_who_begins(self) -> None:
        assert seeking("Max").order == (TWO, ONE)
        assert seeking("Ivy").order == (ONE, TWO)

    def test_then_the_next_player_seeks(self) -> None:
        state = on(on(seeking("Max")))
        assert GAME.turn(state) == ONE
        assert refused(state, Seek("Max")) == "only-the-seeker"
        assert on(state, Seek("Ivy")).seeking == "Ivy"

    def test_who_has_no_animal_left_is_passed_over(self) -> None:
        three = GAME.start(options(box={"animals_each": 1, "hand": 3}), 3)
        three = on(three, Own(ONE, "Max"), Own(TWO, "炭炭"), Own(SEATS[2], "Ivy"), Seek("Max"))
        three = on(on(on(three), Catch("brown", "炭炭")))
        assert GAME.turn(three) == SEATS[2]
        assert three.round == 3

    def test_an_animal_that_was_caught_seeks_no_more(self) -> None:
        state = on(on(on(seeking("Max")), Catch("brown", "炭炭")))
        assert refused(state, Seek("炭炭")) == "animal-caught"


class TestCards:
    """Steps 2 and 3: up to three cards a player, whoever's animal they lie on."""

    def test_three_cards(self) -> None:
        state = up(seeking(), "1 food Ivy", "1 food Max", "1 candy Rex")
        assert refused(state, card("1 food Ivy")) == "three-cards"
        assert cards_on(up(state, "2 food Ivy"), "Ivy") == ["food", "food"]

    def test_none_is_allowed(self) -> None:
        assert on(seeking()).phase == "catch"

    def test_hand_empty(self) -> None:
        state = seeking(box={"hand": 1})
        assert refused(up(state, "1 food Ivy"), card("1 food Ivy")) == "hand-empty"

    def test_card_all_seen(self) -> None:
        state = up(seeking(box={"cards": {"candy": 1}}), "1 candy Ivy")
        assert refused(state, card("2 candy Ivy")) == "card-all-seen"

    def test_no_such_card(self) -> None:
        assert refused(seeking(box={"cards": {"candy": 0}}), card("1 candy Ivy")) == "no-such-card"
        assert refused(seeking(), card("1 cheese Ivy")) == "no-such-card"

    def test_no_such_animal_or_seat(self) -> None:
        assert refused(seeking(), card("1 food Cow")) == "no-such-animal"
        assert refused(seeking(), card("3 food Ivy")) == "no-such-seat"

    def test_no_enemy_out(self) -> None:
        assert refused(seeking(), card("1 food enemy")) == "no-enemy-out"

    def test_colour_of_rainbow_only(self) -> None:
        assert refused(seeking(), card("1 hide-grey Ivy white")) == "colour-of-rainbow-only"

    def test_a_card_without_a_colour_is_not_said_to_have_one(self) -> None:
        with pytest.raises(IllegalMove) as refusal:
            GAME.play(seeking(), card("1 food Ivy white"))
        says = [refusal.value.says(language) for language in ("en", "zh-Hant", "ko")]
        assert says == [
            "You choose a colour only for a rainbow catch/hide card, not for food.",
            "只有彩色抓躲牌才指定顏色，食物牌不用。",
            "색은 무지개 잡기/숨기 카드에만 정합니다. 먹이에는 정하지 않습니다.",
        ]

    def test_faster_of_rocket_only(self) -> None:
        assert refused(seeking(), TurnUp(ONE, "food", "Ivy", faster=True)) == "faster-of-rocket-only"

    def test_a_card_leaves_the_hand_when_it_is_turned_up(self) -> None:
        state = up(seeking(), "1 food Ivy", "1 food Max")
        assert state.hands == {ONE: 4, TWO: 6}
        assert state.laid == {ONE: 2}

    def test_what_comes_later_is_not_now(self) -> None:
        assert refused(seeking(), Catch("grey")) == "not-now"
        assert refused(seeking(), RemoveFood("Ivy", "food")) == "not-now"
        assert refused(on(seeking()), card("1 food Ivy")) == "not-now"


def test_a_rocket_may_be_told_both_ways_by_the_legal_moves() -> None:
    state = seeking()
    moves = [
        move
        for move in GAME.legal_moves(state)
        if isinstance(move, TurnUp) and (move.card, move.on) == ("rocket-fist", "炭炭")
    ]
    speeds = {(move.by, traits(on(state, move), "炭炭").speed) for move in moves}
    assert len(moves) == 4
    assert speeds == {(ONE, 9), (ONE, 2), (TWO, 9), (TWO, 2)}


class TestDrawingUp:
    """Step 6."""

    def test_every_hand_is_drawn_up(self) -> None:
        state = up(seeking(), "1 food Ivy", "1 food Ivy", "2 candy Max")
        after = on(on(state))
        assert after.hands == {ONE: 6, TWO: 6}
        assert after.deck == state.deck - 3

    def test_from_the_seeker_on_as_far_as_the_deck_goes(self) -> None:
        counts = dict.fromkeys(CARDS, 0) | {"food": 13}
        state = seeking("Max", box={"cards": counts})
        after = on(on(up(state, "1 food Ivy", "2 food Ivy", "2 food Ivy")))
        assert (after.deck, after.hands) == (0, {ONE: 5, TWO: 5})

    def test_an_empty_deck_is_made_anew_where_the_set_says_so(self) -> None:
        counts = dict.fromkeys(CARDS, 0) | {"hide-grey": 13, "food": 1}
        state = seeking("Max", box={"cards": counts, "reshuffle": True})
        state = on(on(up(state, "1 hide-grey Ivy", "2 food Ivy", "2 hide-grey Ivy")))
        assert state.hands == {ONE: 6, TWO: 6}
        assert (state.deck, state.discards) == (1, ())
        assert cards_on(state, "Ivy") == ["food"]

    def test_card_not_in_hand(self) -> None:
        """What was shuffled into the new deck and not drawn is in no hand."""
        counts = dict.fromkeys(CARDS, 0) | {"hide-grey": 12, "hide-white": 1, "food": 0}
        state = seeking("Max", box={"cards": counts, "reshuffle": True, "hand": 5})
        state = on(on(up(state, "1 hide-grey Ivy", "1 hide-white Ivy", "1 hide-grey Ivy")))
        assert state.discards == ("hide-grey", "hide-white", "hide-grey")
        state = on(on(up(on(state, Seek("Ivy")), "1 hide-grey Max")))
        assert (state.deck, state.discards) == (3, ())
        state = on(state, Seek("Max"))
        assert refused(state, card("2 hide-white Ivy")) == "card-not-in-hand"
        assert up(state, "1 hide-white Ivy").hands[ONE] == 4


class TestEnd:
    """Rounds, points, who wins."""

    def test_the_last_round_ends_the_match(self) -> None:
        state = dealt()
        for seeker in ("Max", "Ivy", "Max", "Ivy"):
            assert GAME.outcome(state) is None
            state = on(on(on(state, Seek(seeker))))
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("rounds", (ONE,))
        assert outcome.points == {ONE: 9, TWO: 8}
        assert GAME.turn(state) is None
        assert refused(state, Seek("Max")) == "match-over"

    def test_the_players_may_end_it_between_rounds(self) -> None:
        state = on(dealt(box={"rounds_each": 0}), End())
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.reason == "ended"
        assert refused(seeking(), End()) == "not-now"

    def test_without_a_number_of_rounds_it_goes_on(self) -> None:
        state = dealt(box={"rounds_each": 0})
        for n in range(30):
            state = on(on(on(state, Seek(("Max", "Ivy")[n % 2]))))
        assert (state.round, GAME.outcome(state)) == (31, None)

    def test_points_of_the_free_and_of_their_food(self) -> None:
        state = on(up(seeking(), "2 big-food 兩金", "1 food Ivy", "1 candy Max"))
        assert [(line.what, line.name, line.points) for line in lines(state, ONE)] == [
            ("animal", "兩金", 3),
            ("food", "兩金", 3),
            ("animal", "炭炭", 2),
            ("animal", "Ivy", 4),
            ("food", "Ivy", 1),
        ]
        assert points(state) == {ONE: 13, TWO: 8}

    def test_what_is_caught_counts_for_nobody_and_its_cards_go(self) -> None:
        state = on(up(seeking("Max"), "1 food 炭炭", "2 red-claw-black 炭炭"))
        state = on(state, Catch("brown", "炭炭"))
        assert points(state) == {ONE: 7, TWO: 8}
        assert sorted(state.discards) == ["food", "red-claw-black"]

    def test_as_many_points_share_the_win(self) -> None:
        animals = {name: {"species": "cat", "colours": ["grey"], "speed": 1, "points": 2} for name in ANIMALS}
        state = on(dealt(box={"animals": animals}), End())
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.winners == (ONE, TWO)
        assert GAME.retrospect.decided((), state) == Decided("level", {"points": 6})


class TestButton:
    """What a seat's button on the table means."""

    def test_the_seekers_button_goes_on(self) -> None:
        state = seeking("Max")
        pressed = GAME.pressed(state, TWO)
        assert pressed is not None
        assert on(state, pressed).phase == "catch"
        assert on(on(state, pressed), pressed).phase == "open"

    def test_others_and_other_steps_mean_nothing(self) -> None:
        assert GAME.pressed(seeking("Max"), ONE) is None
        assert GAME.pressed(dealt(), ONE) is None
        assert GAME.pressed(on(on(seeking("Max"))), ONE) is None


def test_every_rule_is_one_that_a_test_names() -> None:
    """The rules of play are tested here, in test_catching, test_brawl, test_cards and test_deck."""
    tests = "".join(path.read_text("utf-8") for path in (GAME.folder / "tests").glob("test_*.py"))
    rules = [rule for rule in rules_of(GAME) if not rule.startswith("dealt-")]
    assert not [rule for rule in rules if f'"{rule}"' not in tests]


def test_the_sets_text_is_as_the_match_keeps_it() -> None:
    assert dealt().options.cards == box()
