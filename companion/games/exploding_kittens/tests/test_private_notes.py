"""What a seat tells its own phone: it changes that seat's view, and nothing that anyone else is shown."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import MoveError
from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens.known import known
from companion.games.exploding_kittens.state import PRIVATE, KittensState
from companion.games.exploding_kittens.tests.playing import began, knows, move, play, refused
from companion.games.exploding_kittens.view import KittensView
from companion.odds import card_at, certain, holds, number_held

HAND = "hand first attack defuse future shuffle skip skip"


def seen(state: KittensState, seat: str | None) -> KittensView:
    """The view of a seat."""
    return GAME.view(GAME.hide(state, seat), seat)


def hand(state: KittensState, seat: str) -> dict[str, int]:
    """The cards that a seat's phone knows in its hand."""
    own = seen(state, seat).mine
    assert own is not None
    return {kind.card: kind.count for kind in own.hand}


def asks(state: KittensState, seat: str) -> list[tuple[str, int]]:
    """What a seat's phone asks, and of how many cards or places."""
    own = seen(state, seat).mine
    assert own is not None
    return [(each.what, each.count) for each in own.asks]


# What can be told


def test_a_hand_that_was_told_is_followed_card_by_card() -> None:
    state = play(began(3), HAND)
    assert hand(state, "first") == {"defuse": 1, "attack": 1, "shuffle": 1, "skip": 2, "future": 1}
    state = play(state, "future", "skip")
    assert hand(state, "first") == {"defuse": 1, "attack": 1, "shuffle": 1, "skip": 1}
    assert hand(play(state, "draw", "draw", "draw", "drew first nope"), "first")["nope"] == 1


def test_a_seat_is_shown_what_it_told_lately_and_no_other_is() -> None:
    state = play(began(3), HAND, "draw", "drew first nope", "draw", "drew second skip", "draw", "future")
    state = play(state, "saw first attack skip", "draw", "drew first attack", "draw")
    own = seen(state, "first").mine
    assert own is not None
    assert [(note.what, note.cards, note.drawn) for note in own.noted] == [
        ("drew", ("attack",), 1),
        ("saw", ("attack", "skip"), 2),
        ("drew", ("nope",), 4),
    ]
    other = seen(state, "second").mine
    assert other is not None
    assert [(note.what, note.cards) for note in other.noted] == [("drew", ("skip",))]
    assert b"noted" not in msgspec.json.encode(seen(state, None))


def test_places_that_were_told_are_void_after_a_shuffle() -> None:
    state = play(began(3), HAND, "future", "saw first attack nope")
    assert [note.shuffled for note in seen(state, "first").mine.noted] == [False]  # type: ignore[union-attr]
    state = play(state, "shuffle")
    assert [note.shuffled for note in seen(state, "first").mine.noted] == [True]  # type: ignore[union-attr]


def test_what_was_told_long_ago_is_shown_no_more() -> None:
    state = play(began(2), "draw", "drew first skip", "draw")
    for card in ("attack", "future", "nope", "nope", "attack"):
        state = play(state, "draw", f"drew first {card}", "draw")
    own = seen(state, "first").mine
    assert own is not None
    assert [note.cards for note in own.noted] == [("attack",), ("nope",), ("nope",), ("future",), ("attack",)]


def test_a_hand_that_was_not_told_is_the_defuse_that_all_know_of() -> None:
    own = seen(began(3), "first").mine
    assert own is not None
    assert (hand(began(3), "first"), own.unknown, own.effects) == ({"defuse": 1}, 5, ())


def test_a_draw_is_told_with_one_tap_and_corrected_with_another() -> None:
    state = play(began(3), HAND, "draw", "drew first nope")
    assert hand(state, "first")["nope"] == 1
    state = play(state, "drew first cat-a")
    assert "nope" not in hand(state, "first")
    assert hand(state, "first")["cat-a"] == 1
    assert len(state.notes) == 2


def test_what_is_told_late_counts_from_when_it_happened() -> None:
    late = play(began(3), "future", "draw", "kitten", "saw first nope kitten")
    at_once = play(began(3), "future", "saw first nope kitten", "draw", "kitten")
    assert knows(late, "first") == knows(at_once, "first")


def test_a_kitten_that_was_hidden_is_known_to_one_seat_until_a_shuffle() -> None:
    state = play(began(3), "kitten", "defuse", "hid first 3")
    assert card_at(knows(state, "first"), 3)["kitten"] == 1
    assert card_at(knows(state, "second"), 3)["kitten"] == card_at(knows(state), 3)["kitten"] < 1
    assert card_at(knows(play(state, "draw"), "first"), 2)["kitten"] == 1
    assert card_at(knows(play(state, "shuffle"), "first"), 3)["kitten"] == Fraction(2, 23)


def test_what_the_future_shows_is_drawn_in_that_order() -> None:
    state = play(began(3), HAND, "future", "saw first nope kitten", "draw")
    assert hand(state, "first")["nope"] == 1
    assert card_at(knows(state, "first"))["kitten"] == 1


def test_both_know_which_card_was_stolen_and_the_third_does_not() -> None:
    state = play(began(3), "pair cat-a second", "took first nope")
    assert certain(knows(state, "first"), "first")["nope"] == 1
    lost = play(state, "took second nope")
    assert certain(knows(lost, "second"), "first") == {**certain(knows(state), "first"), "nope": 1}
    assert holds(knows(state, "third"), "first", "nope") == holds(knows(state), "first", "nope") < 1


def test_a_hand_told_after_a_theft_that_is_then_noped_is_left_aside() -> None:
    state = play(began(3), "pair cat-a second", "hand first attack defuse future shuffle skip")
    assert hand(state, "first")["attack"] == 1
    noped = play(state, "nope third")
    assert not known(noped, "first").lost
    assert "attack" not in hand(noped, "first")


def test_a_hand_told_before_a_nope_on_a_card_is_still_that_hand() -> None:
    state = play(began(3), "attack", "hand first defuse nope shuffle skip skip", "nope first")
    assert hand(state, "first") == {"defuse": 1, "shuffle": 1, "skip": 2}


# What cannot be


def test_a_hand_of_another_size_is_refused() -> None:
    assert refused(began(3), "hand first nope") == "wrong-number"
    assert refused(play(began(3), "future"), "saw first nope") == "wrong-number"


def test_what_never_happened_cannot_be_told() -> None:
    for text in ("drew first nope", "saw first nope skip", "hid first 0", "took first nope"):
        assert refused(began(3), text) == "nothing-to-tell"
    assert refused(play(began(3), "future", "nope second"), "saw first nope skip") == "nothing-to-tell"
    assert refused(play(began(3), "draw"), "drew second nope") == "nothing-to-tell"


def test_a_kitten_cannot_be_hidden_below_the_bottom() -> None:
    state = play(began(3), "kitten", "defuse")
    assert play(state, "hid first 22").notes
    assert refused(state, "hid first 23") == "no-such-place"


def test_what_contradicts_all_that_is_known_is_refused() -> None:
    assert refused(began(3), "hand first attack attack attack skip skip skip") == "cannot-be"
    state = play(began(3), "future", "saw first nope kitten", "draw")
    assert refused(state, "drew first skip") == "cannot-be"
    assert refused(play(began(4), "skip", "skip", "skip", "draw"), "drew fourth skip") == "cannot-be"


def test_a_refusal_says_what_cannot_be() -> None:
    with pytest.raises(MoveError) as caught:
        GAME.play(began(3), move("hand first attack attack attack skip skip skip"))
    assert caught.value.says().startswith(
        "A hand of Attack, Attack, Attack, Skip, Skip, Skip is impossible, "
    )
    assert "手牌是攻擊卡、攻擊卡、" in caught.value.says("zh-Hant")


def test_a_kitten_is_in_no_hand() -> None:
    assert refused(play(began(3), "draw"), "drew first kitten") == "no-such-card"


def test_who_is_out_tells_nothing() -> None:
    assert refused(play(began(3), "kitten", "explode"), "hand first") == "out-of-the-game"
    assert refused(began(2), "hand third nope") == "no-such-seat"
    assert seen(play(began(3), "kitten", "explode"), "first").mine is None


def test_a_hand_that_proves_wrong_never_stops_the_table_and_is_asked_for_again() -> None:
    """The first said it holds no skip, and plays one: the hand counts no more until it is entered again."""
    state = play(began(3), "hand first attack defuse future nope nope shuffle", "skip")
    own = seen(state, "first").mine
    assert own is not None
    assert own.lost
    assert seen(state, "first").odds.kinds == seen(state, None).odds.kinds
    assert asks(state, "first") == [("hand", 5)]
    looked = play(state, "draw", "draw", "future")
    assert asks(looked, "first") == [("saw", 2), ("hand", 4)]
    assert asks(play(looked, "saw first nope skip"), "first") == [("hand", 4)]
    again = play(state, "hand first attack defuse future nope shuffle")
    own = seen(again, "first").mine
    assert own is not None
    assert not own.lost
    assert own.unknown == 0
    assert asks(again, "first") == []


def test_of_a_wrong_hand_what_can_still_be_true_is_where_its_correction_begins() -> None:
    """Two nopes and a skip played: of the hand five cards can be left, the defuse surely is."""
    state = play(began(3), "hand first attack defuse future nope nope shuffle", "skip")
    own = seen(state, "first").mine
    assert own is not None
    stays = {kind.card: kind.count for kind in own.may_stay}
    assert stays == {"defuse": 1, "attack": 1, "shuffle": 1, "future": 1, "nope": 2}
    after = play(state, "draw", "attack", "nope first", "three cat-a first nope", "none")
    own = seen(after, "first").mine
    assert own is not None
    stays = {kind.card: kind.count for kind in own.may_stay}
    assert stays == {"defuse": 1, "attack": 1, "shuffle": 1, "future": 1}


def test_what_else_was_noted_still_counts_when_a_hand_proves_wrong() -> None:
    """The kitten that the first saw is on top for it, wrong hand or not."""
    state = play(began(3), "draw", "drew first attack", "draw", "draw", "future", "saw first kitten nope")
    state = play(state, "hand first defuse cat-a cat-a cat-b cat-b attack")
    state = play(state, "skip")
    own = seen(state, "first").mine
    assert own is not None
    assert own.lost
    assert card_at(knows(state, "first"))["kitten"] == 1
    assert hand(state, "first") == {"defuse": 1, "attack": 1}


def test_the_newest_notes_count_that_can_be_true_together() -> None:
    """The first drew a nope, it says, and later that it holds none and has played none."""
    state = play(began(3), "draw", "drew first nope", "draw", "draw")
    state = play(state, "hand first defuse cat-a cat-a cat-b cat-b skip attack")
    assert hand(state, "first") == {"defuse": 1, "cat-a": 2, "cat-b": 2, "skip": 1, "attack": 1}
    own = seen(state, "first").mine
    assert own is not None
    assert [(note.what, note.wrong) for note in own.noted] == [("drew", True)]


def test_a_note_that_contradicts_what_still_counts_is_refused_after_a_wrong_hand_too() -> None:
    state = play(began(3), "hand first attack defuse future nope nope shuffle", "skip", "draw", "draw")
    state = play(state, "future", "saw first skip nope", "draw")
    assert known(state, "first").lost
    assert refused(state, "drew first attack") == "cannot-be"
    assert hand(play(state, "drew first skip"), "first")["skip"] == 1


# Hands noted while a card seemed to change hands


def test_a_hand_noted_before_an_answer_is_followed_through_it() -> None:
    asked = play(began(3), "three cat-a second skip", "hand second defuse skip skip nope nope cat-b")
    assert hand(play(asked, "gave"), "second") == {"defuse": 1, "skip": 1, "nope": 2, "cat-b": 1}
    lying = play(asked, "none")
    assert known(lying, "second").lost


def test_a_hand_noted_after_an_answer_is_that_hand_without_the_card_once_it_is_noped() -> None:
    state = play(began(3), "three cat-a second skip", "gave", "hand first defuse skip attack nope")
    assert hand(state, "first") == {"defuse": 1, "skip": 1, "attack": 1, "nope": 1}
    noped = play(state, "nope third")
    assert hand(noped, "first") == {"defuse": 1, "attack": 1, "nope": 1}
    assert certain(knows(noped, "first"), "second")["skip"] == 1


def test_a_card_that_was_taken_and_given_back_is_known_to_be_there() -> None:
    state = play(began(3), "pair cat-a second", "took first nope", "nope third")
    assert certain(knows(state, "first"), "second") == {"defuse": 1, "nope": 1}
    assert certain(knows(state, "first"), "first") == certain(knows(state), "first")
    assert certain(knows(state, "third"), "second") == certain(knows(state), "second") == {"defuse": 1}
    again = play(state, "nope second")
    assert asks(again, "first") == [("took", 1)]
    assert certain(knows(play(again, "took first skip"), "first"), "first")["skip"] == 1


def test_cards_that_were_seen_before_a_nope_came_are_still_there() -> None:
    state = play(began(3), "future", "saw first kitten skip", "nope second")
    assert card_at(knows(state, "first"))["kitten"] == 1
    assert card_at(knows(state, "first"), 1)["skip"] == 1
    assert ("saw", "first", 0, ("kitten", "skip")) in facts(state, "first")


# What a phone asks


@pytest.mark.parametrize(
    ("moves", "seat", "asked"),
    [
        ((), "first", []),
        (("draw",), "first", [("drew", 1)]),
        (("draw",), "second", []),
        (("draw", "drew first nope"), "first", []),
        (("future",), "first", [("saw", 2)]),
        (("kitten", "defuse"), "first", [("hid", 23)]),
        (("pair cat-a second",), "second", [("took", 1)]),
        (("pair cat-a second", "nope third"), "second", []),
        (("draw", "hand first attack defuse future nope nope shuffle skip"), "first", []),
    ],
)
def test_a_phone_asks_for_what_its_seat_has_seen(
    moves: tuple[str, ...], seat: str, asked: list[tuple[str, int]]
) -> None:
    assert asks(play(began(3), *moves), seat) == asked


# What each card would change


def doomed() -> KittensState:
    """Two turns owed, no defuse, and the kitten known to lie on top."""
    state = play(began(2), "kitten", "defuse", "hid first 0", "attack")
    return play(state, "hand first attack skip shuffle future nope")


def test_each_card_in_the_hand_tells_the_risk_before_and_after() -> None:
    own = seen(doomed(), "first").mine
    assert own is not None
    effects = {effect.card: effect for effect in own.effects}
    assert {effect.before.explode.exact for effect in own.effects} == {"1"}
    assert list(effects) == ["attack", "skip", "shuffle", "future"]
    assert (effects["attack"].after.draws, effects["attack"].after.explode.exact) == (0, "0")
    assert (effects["skip"].after.draws, effects["skip"].after.explode.exact) == (1, "1")
    assert [(sight.kittens, sight.chance.exact) for sight in effects["future"].sights] == [((0,), "1")]


def test_a_shuffle_is_worth_what_the_forgotten_places_are() -> None:
    """On top: 1/28, out. Second: 1/28, out unless the card before it is one of the deck's defuses."""
    state = doomed()
    own = seen(state, "first").mine
    assert own is not None
    after = next(effect.after for effect in own.effects if effect.card == "shuffle")
    saved = sum(
        number * share for number, share in enumerate(number_held(knows(state, "first"), "second", "defuse"))
    )
    in_deck = 4 - saved
    assert Fraction(after.explode.exact) == Fraction(1, 28) + Fraction(1, 28) * (1 - in_deck / 27)


def test_looking_changes_no_card_so_what_it_may_show_averages_out() -> None:
    state = play(
        began(3), "hand first attack defuse future nope nope shuffle", "attack", "attack", "draw", "draw"
    )
    state = play(state, "draw", "draw")
    assert (state.standing.turn, state.standing.owed) == ("first", 1)
    own = seen(state, "first").mine
    assert own is not None
    look = next(effect for effect in own.effects if effect.card == "future")
    shown_risk = sum(Fraction(each.chance.exact) * Fraction(each.risk.kitten.exact) for each in look.sights)
    assert len(look.sights) == 4
    assert shown_risk == Fraction(look.before.kitten.exact)


def test_a_turn_of_another_tells_no_effects() -> None:
    own = seen(play(doomed(), "skip", "skip"), "first").mine
    assert own is not None
    assert own.effects == ()


# Nobody's private knowledge shows elsewhere


@st.composite
def matches(draw: st.DrawFn) -> tuple[KittensState, KittensState, str]:
    """Two matches of the same open moves in which one seat tells different things; and that seat."""
    seats = draw(st.sampled_from((2, 3, 4)))
    teller = draw(st.sampled_from(("first", "second", "third", "fourth")[:seats]))
    one = other = began(seats)
    for _ in range(draw(st.integers(1, 14))):
        legal = list(GAME.legal_moves(one))
        if not legal:
            break
        opened = [each for each in legal if GAME.private_to(each) is None]
        chosen = draw(st.sampled_from(opened))
        one, other = GAME.play(one, chosen), GAME.play(other, chosen)
        one, other = _fact(draw, one, teller), _fact(draw, other, teller)
    return one, other, teller


def _fact(draw: st.DrawFn, state: KittensState, teller: str) -> KittensState:
    private = [each for each in GAME.legal_moves(state) if GAME.private_to(each) == teller]
    chosen = draw(st.none() | st.sampled_from(private)) if private else None
    return GAME.play(state, chosen) if chosen else state


def shown(state: KittensState, seat: str | None) -> list[bytes]:
    """All that a seat can see of a match."""
    hidden = GAME.hide(state, seat)
    legal = [each for each in GAME.legal_moves(state) if GAME.private_to(each) in (None, seat)]
    pressed = GAME.pressed(state, seat) if seat else None
    values = (GAME.view(hidden, seat), hidden, GAME.turn(state), GAME.outcome(state), legal, pressed)
    return [msgspec.json.encode(value) for value in values]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(both=matches())
def test_matches_that_differ_in_what_one_seat_told_are_shown_alike_to_all_others(
    both: tuple[KittensState, KittensState, str],
) -> None:
    one, other, teller = both
    for seat in (None, *one.seats):
        if seat != teller:
            assert shown(one, seat) == shown(other, seat)


def test_what_a_seat_told_is_in_its_own_view_alone() -> None:
    noted = play(began(3), "future", "saw first nope kitten", "draw", "drew first nope")
    missing_notes = play(began(3), "future", "draw")
    assert shown(noted, "first") != shown(missing_notes, "first")
    for seat in (None, "second", "third"):
        assert shown(noted, seat) == shown(missing_notes, seat)


def test_only_what_a_seat_tells_is_private() -> None:
    private = [HAND, "drew first nope", "saw first nope skip", "hid first 0", "took first nope"]
    assert {GAME.private_to(move(text)) for text in private} == {"first"}
    opened = ["draw", "kitten", "defuse", "explode", "attack", "pair cat-a second", "nope second", "gave"]
    assert {GAME.private_to(move(text)) for text in opened} == {None}
    assert len(PRIVATE) == len(private)


def test_no_rule_of_the_table_depends_on_what_was_told() -> None:
    """The first told a hand without a skip: all others may think so, and the move is taken."""
    state = play(began(3), "hand first attack defuse future nope nope shuffle")
    assert play(state, "skip").standing.turn == "second"
    assert cards.deck(cards.TRAVEL).cards["skip"] == 3


# Why: what is known of the deck


def facts(state: KittensState, seat: str | None) -> list[tuple[str, str, int, tuple[str, ...]]]:
    """What a seat is told of the deck."""
    return [(fact.name, fact.seat, fact.count, fact.cards) for fact in seen(state, seat).odds.facts]


def test_the_why_says_what_each_knows_of_the_deck() -> None:
    state = play(began(3), "future", "saw first nope skip", "draw", "kitten", "defuse", "hid second 4")
    dealt, drawn = ("dealt", "", 0, ()), ("drawn", "", 2, ())
    looked, hidden = ("saw", "first", 0, ("nope", "skip")), ("anywhere", "second", 0, ())
    assert facts(state, None) == facts(state, "third") == [dealt, hidden, drawn]
    assert facts(state, "first") == [dealt, looked, hidden, drawn]
    assert facts(state, "second") == [dealt, ("hid", "second", 4, ()), drawn]


def test_the_why_forgets_places_with_a_shuffle_and_keeps_who_is_out() -> None:
    state = play(began(3), "kitten", "defuse", "kitten", "explode", "shuffle", "draw")
    assert facts(state, None) == [("shuffled", "", 0, ()), ("drawn", "", 1, ()), ("out", "second", 0, ())]
    noped = play(began(3), "kitten", "defuse", "shuffle", "nope first")
    assert facts(noped, None)[0][0] == "dealt"
