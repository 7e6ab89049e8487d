"""The rules of the table, each by a test that names it."""

from __future__ import annotations

import pytest

from companion.errors import InvalidMove
from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens.known import discarded
from companion.games.exploding_kittens.state import KittensState
from companion.games.exploding_kittens.tests.playing import began, knows, move, play, refused
from companion.odds import card_at, holds


def turn(state: KittensState) -> tuple[str, int]:
    """Whose turn it is, and how many are owed."""
    return state.standing.turn, state.standing.owed


# Set-up


def test_the_box_holds_42_cards() -> None:
    deck = cards.deck(cards.TRAVEL)
    assert sum(deck.cards.values()) == 42
    assert (deck.cards["kitten"], deck.cards["defuse"]) == (3, 5)
    assert sum(cards.is_cat(kind) for kind in deck.cards) == 4


@pytest.mark.parametrize(("seats", "deck"), [(2, 28), (3, 23), (4, 18)])
def test_six_cards_each_and_one_kitten_fewer_than_players_in_the_deck(seats: int, deck: int) -> None:
    state = began(seats)
    assert state.standing.hands == (6,) * seats
    assert (state.standing.deck, state.kittens) == (deck, seats - 1)
    assert card_at(knows(state))["kitten"] == pytest.approx((seats - 1) / deck)


def test_everyone_holds_a_defuse_at_the_start() -> None:
    view = GAME.view(began(4), None)
    assert [seat.defuse.exact for seat in view.seats if seat.defuse] == ["1"] * 4


def test_two_to_four_play() -> None:
    with pytest.raises(InvalidMove):
        began(5)


# A turn


def test_drawing_ends_the_turn() -> None:
    state = play(began(3), "draw")
    assert turn(state) == ("second", 1)
    assert (state.standing.hand_size("first"), state.standing.deck) == (7, 22)


def test_any_number_of_cards_may_be_played_before_the_draw() -> None:
    state = play(began(3), "future", "shuffle", "future", "draw")
    assert turn(state) == ("second", 1)
    assert (state.standing.hand_size("first"), discarded(state)) == (4, {"future": 2, "shuffle": 1})


def test_skip_ends_the_turn_without_a_draw() -> None:
    state = play(began(3), "skip")
    assert turn(state) == ("second", 1)
    assert (state.standing.hand_size("first"), state.standing.deck) == (5, 23)


def test_a_drawn_kitten_is_dealt_with_before_anything_else() -> None:
    state = play(began(3), "kitten")
    assert GAME.turn(state) == "first"
    assert {refused(state, text) for text in ("draw", "kitten", "attack", "pair cat-a second")} == {
        "kitten-first"
    }


def test_without_a_kitten_there_is_nothing_to_defuse_or_to_explode() -> None:
    assert refused(began(3), "defuse") == "no-kitten-drawn"
    assert refused(began(3), "explode") == "no-kitten-drawn"


def test_a_defused_kitten_goes_back_and_the_turn_is_over() -> None:
    state = play(began(3), "kitten", "defuse")
    assert turn(state) == ("second", 1)
    assert (state.standing.hand_size("first"), state.standing.deck, state.kittens) == (5, 23, 2)


def test_who_explodes_is_out_and_the_hand_stays_unknown() -> None:
    state = play(began(3), "kitten", "defuse", "skip", "skip", "kitten", "explode")
    assert state.standing.living == ("second", "third")
    assert (state.standing.hand_size("first"), knows(state).pile_size("out")) == (0, 5)
    assert discarded(state) == {"defuse": 1, "skip": 2, "kitten": 1}
    assert refused(state, "pair cat-a first") == "out-of-the-game"
    assert refused(state, "nope first") == "out-of-the-game"


def test_the_last_one_alive_wins() -> None:
    state = play(began(3), "kitten", "explode", "kitten", "explode")
    ended = GAME.outcome(state)
    assert ended is not None
    assert (ended.reason, ended.winners) == ("last-alive", ("third",))
    assert GAME.turn(state) is None
    assert refused(state, "draw") == "match-over"
    assert refused(state, "drew third nope") == "match-over"


# Attacks


def test_an_attack_brings_two_turns_on_the_next() -> None:
    state = play(began(3), "attack")
    assert turn(state) == ("second", 2)
    assert turn(play(state, "draw")) == ("second", 1)
    assert turn(play(state, "draw", "draw")) == ("third", 1)


def test_an_attack_by_the_attacked_adds_up_to_four() -> None:
    assert turn(play(began(3), "attack", "attack")) == ("third", 4)


def test_an_attack_by_the_attacked_with_one_turn_done_adds_up_to_three() -> None:
    assert turn(play(began(3), "attack", "draw", "attack")) == ("third", 3)


def test_attacks_add_up_further() -> None:
    assert turn(play(began(3), "attack", "attack", "draw", "attack")) == ("first", 5)


def test_turns_of_ones_own_are_not_handed_on_with_an_attack() -> None:
    assert turn(play(began(3), "attack", "draw", "draw", "attack")) == ("first", 2)


def test_skip_ends_one_owed_turn_only() -> None:
    state = play(began(3), "attack", "skip")
    assert turn(state) == ("second", 1)
    assert turn(play(state, "skip")) == ("third", 1)


def test_a_defuse_ends_one_owed_turn() -> None:
    assert turn(play(began(3), "attack", "kitten", "defuse")) == ("second", 1)


def test_who_explodes_owes_nothing_any_more() -> None:
    assert turn(play(began(3), "attack", "kitten", "explode")) == ("third", 1)


def test_the_turn_passes_over_who_is_out() -> None:
    state = play(began(3), "draw", "kitten", "explode", "draw")
    assert turn(state) == ("first", 1)
    assert turn(play(state, "attack")) == ("third", 2)


# Nopes


def test_a_nope_stops_an_attack() -> None:
    state = play(began(3), "attack", "nope second")
    assert turn(state) == ("first", 1)
    assert (state.standing.hand_size("first"), state.standing.hand_size("second")) == (5, 5)


def test_a_nope_stops_a_nope() -> None:
    assert turn(play(began(3), "attack", "nope second", "nope first")) == ("second", 2)
    assert turn(play(began(3), "attack", "nope second", "nope first", "nope third")) == ("first", 1)


def test_an_attack_that_was_noped_does_not_count_for_the_next() -> None:
    assert turn(play(began(3), "attack", "nope second", "draw")) == ("second", 1)


def test_a_nope_stops_a_pair_so_that_no_card_changes_hands() -> None:
    state = play(began(3), "pair cat-a second")
    assert state.standing.hands == (5, 5, 6)
    assert play(state, "nope third").standing.hands == (4, 6, 5)
    assert play(state, "nope third", "nope second").standing.hands == (5, 4, 5)


def test_a_nope_stops_a_shuffle_so_that_places_stay_known() -> None:
    state = play(began(3), "future", "saw first kitten nope", "shuffle")
    assert card_at(knows(state, "first"))["kitten"] < 1
    assert card_at(knows(play(state, "nope second"), "first"))["kitten"] == 1


def test_a_nope_comes_before_the_card_takes_effect() -> None:
    """The card that a pair took cannot be the nope on that pair."""
    state = play(began(2), "three cat-a second nope", "none", "pair cat-b second", "pair defuse second")
    assert (state.before.hand_size("first"), state.standing.hand_size("first")) == (0, 1)
    assert refused(state, "nope first") == "hand-too-small"


def test_a_last_card_that_was_a_nope_is_not_stolen() -> None:
    """The pair goes on in the end, but its nope was the only card to take."""
    low = ("three cat-a second cat-d", "none", "pair cat-b second", "pair defuse second")
    state = play(began(2), *low, "draw", "pair cat-c first", "pair skip first")
    assert state.standing.hand_size("first") == 0
    state = play(state, "nope first", "nope second")
    assert (state.last is not None and state.last.works, state.standing.hand_size("first")) == (True, 0)


def test_a_nope_is_no_answer_to_a_draw_a_kitten_or_a_defuse() -> None:
    assert refused(began(3), "nope first") == "nothing-to-nope"
    assert refused(play(began(3), "draw"), "nope first") == "nothing-to-nope"
    assert refused(play(began(3), "kitten"), "nope second") == "nope-not-that"
    assert refused(play(began(3), "kitten", "defuse"), "nope second") == "nope-not-that"


def test_a_nope_is_not_played_as_a_card_of_a_turn() -> None:
    assert refused(began(3), "play nope") == "nope-on-a-card"


# Combos


def test_two_alike_take_a_card() -> None:
    state = play(began(3), "pair cat-a third")
    assert state.standing.hands == (5, 6, 5)
    assert turn(state) == ("first", 1)


def test_three_alike_ask_for_a_card_that_is_named() -> None:
    state = play(began(3), "three cat-a second defuse")
    assert state.phase == "asked"
    assert refused(state, "draw") == "answer-first"
    assert play(state, "gave").standing.hands == (4, 5, 6)
    with_none = play(began(3), "three cat-a second nope", "none")
    assert with_none.standing.hands == (3, 6, 6)


def test_a_named_card_that_was_noped_is_not_answered() -> None:
    state = play(began(3), "three cat-a second defuse", "nope second")
    assert refused(state, "gave") == "nothing-asked"
    assert state.standing.hands == (3, 5, 6)


def test_a_nope_on_an_answer_asks_anew_when_it_is_noped_itself() -> None:
    state = play(began(3), "three cat-a second nope", "gave", "nope second", "nope third")
    assert state.phase == "asked"
    assert play(state, "none").standing.hands == (3, 5, 5)


def test_what_an_answer_showed_stays_known_when_it_is_noped() -> None:
    """All saw the skip: it can't be denied when the nope is stopped, nor played away unseen."""
    state = play(began(3), "three cat-a second skip", "gave", "nope third")
    assert holds(knows(state), "second", "skip") == 1
    assert refused(play(state, "nope first"), "none") == "surely-held"
    assert play(state, "nope first", "gave").standing.hands == (3, 5, 5)


def test_who_answered_to_have_none_plays_none_for_a_nope() -> None:
    state = play(began(3), "three cat-a second nope", "none")
    assert refused(state, "nope second") == "cannot-hold"
    assert holds(knows(play(state, "nope third")), "second", "nope") == 0
    assert refused(play(state, "nope third", "nope first"), "gave") == "cannot-give"


def test_the_named_nope_itself_may_be_the_nope() -> None:
    """The second showed a nope and played one; whether it has another is open."""
    state = play(began(3), "three cat-a second nope", "gave", "nope second")
    assert 0 < holds(knows(state), "second", "nope") < 1


def test_what_was_seen_before_a_nope_can_be_forgotten() -> None:
    state = play(began(3, seen_before_nope="forgotten"), "three cat-a second skip", "gave", "nope third")
    assert holds(knows(state), "second", "skip") < 1
    assert play(state, "nope first", "none").standing.hands == (2, 6, 5)


def test_who_surely_holds_the_named_card_hands_it_over() -> None:
    assert refused(play(began(3), "three cat-a second defuse"), "none") == "surely-held"


def test_who_cannot_hold_the_named_card_does_not_hand_it_over() -> None:
    state = play(began(3), "three cat-a second nope", "none", "skip", "skip", "three cat-b second nope")
    assert refused(state, "gave") == "cannot-give"


def test_nobody_can_be_asked_for_a_kitten() -> None:
    assert refused(began(3), "three cat-a second kitten") == "no-kitten-in-hands"


def test_with_special_combos_any_two_alike_will_do() -> None:
    assert play(began(3), "pair skip second").standing.hands == (5, 5, 6)
    assert play(began(3), "pair nope second").standing.hands == (5, 5, 6)


def test_without_special_combos_two_cats_will_do_and_nothing_else() -> None:
    state = began(3, special_combos="off")
    assert refused(state, "pair skip second") == "cats-only"
    assert refused(state, "three skip second nope") == "cats-only"
    assert refused(state, "three cat-a second nope") == "no-threes"
    assert play(state, "pair cat-a second").standing.hands == (5, 5, 6)
    assert GAME.view(state, None).can.three == ()
    assert {type(each).__name__ for each in GAME.legal_moves(state)} == {"Draw", "DrawKitten", "Play", "Pair"}


def test_with_cats_two_or_three_cats_will_do() -> None:
    state = began(3, special_combos="cats")
    assert refused(state, "pair skip second") == "cats-only"
    assert refused(state, "three skip second nope") == "cats-only"
    assert play(state, "pair cat-a second").standing.hands == (5, 5, 6)
    assert play(state, "three cat-a second nope").phase == "asked"


def test_a_combo_does_nothing_of_what_its_cards_say() -> None:
    assert turn(play(began(3), "pair skip second")) == ("first", 1)
    assert turn(play(began(3), "pair attack second")) == ("first", 1)


def test_a_cat_does_nothing_alone() -> None:
    assert refused(began(3), "play cat-a") == "cat-alone"


def test_a_defuse_is_for_kittens() -> None:
    assert refused(began(3), "play defuse") == "defuse-needs-kitten"


def test_nobody_steals_from_themselves() -> None:
    assert refused(began(3), "pair cat-a first") == "not-oneself"


def test_an_empty_hand_cannot_be_stolen_from() -> None:
    low = ("three cat-a second nope", "none", "pair cat-b second", "pair defuse second", "skip")
    state = play(began(2), *low)
    assert (state.standing.turn, state.standing.hand_size("first")) == ("second", 0)
    assert refused(state, "pair cat-d first") == "empty-hand"
    assert refused(state, "three cat-d first nope") == "empty-hand"


# What cannot be


def test_a_sixth_defuse_is_refused() -> None:
    """Pairs of defuses count as well: five lie on the pile, so the kitten cannot be defused."""
    state = play(
        began(2),
        "pair defuse second",
        "draw",
        "pair defuse first",
        "draw",
        "kitten",
        "defuse",
        "draw",
        "draw",
    )
    assert discarded(state)["defuse"] == 5
    assert refused(play(state, "kitten"), "defuse") == "none-left"


def test_no_more_of_a_kind_than_there_are() -> None:
    state = play(began(4), "skip", "skip", "skip")
    assert refused(state, "skip") == "none-left"


def test_a_hand_of_one_is_no_pair() -> None:
    state = play(began(3), "pair cat-a second", "pair cat-b third", "three cat-c second nope", "none")
    assert state.standing.hand_size("first") == 1
    assert refused(state, "pair skip second") == "hand-too-small"


def test_a_card_that_a_seat_said_it_has_not_cannot_be_played() -> None:
    state = play(began(3), "three cat-a second skip", "none", "draw")
    assert refused(state, "skip") == "cannot-hold"


def test_an_unknown_card_is_no_card() -> None:
    assert refused(began(3), "play unicorn") == "no-such-card"
    assert refused(began(3), "three cat-a second unicorn") == "no-such-card"


def test_a_seat_that_is_not_there_is_refused() -> None:
    assert refused(play(began(2), "future"), "nope third") == "no-such-seat"


def test_when_only_kittens_are_left_a_draw_is_a_kitten() -> None:
    state = play(began(2), *["draw"] * 27)
    assert (state.standing.deck, state.kittens) == (1, 1)
    assert refused(state, "draw") == "only-kittens"
    assert GAME.pressed(state, state.standing.turn) is None


def test_nothing_is_drawn_from_an_empty_deck() -> None:
    state = play(began(2), *["draw"] * 27, "kitten")
    assert state.standing.deck == 0
    assert refused(play(state, "defuse"), "draw") == "only-kittens"


# The button


def test_the_button_of_the_seat_to_play_means_a_card_drawn() -> None:
    state = began(3)
    assert GAME.pressed(state, "first") == move("draw")
    assert GAME.pressed(state, "second") is None
    assert GAME.pressed(play(state, "kitten"), "first") is None
    assert GAME.pressed(play(state, "three cat-a second nope"), "first") is None
