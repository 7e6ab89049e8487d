"""Hands and deck: what is left, the exact chances against every deal there is, and hands told in private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import msgspec
import pytest

from companion.games.hide_and_seek import GAME, deck, view
from companion.games.hide_and_seek.deck import unseen
from companion.games.hide_and_seek.state import (
    CardEvent,
    Drew,
    HandNoted,
    HideState,
    Hold,
    PlayEnemy,
    Reshuffled,
    Seek,
    Showed,
)
from companion.games.hide_and_seek.tests.table import CARDS, ONE, TWO, dealt, on, refused, seeking, up
from companion.games.hide_and_seek.view import DeckView, HideView
from companion.odds import TooManyWorlds

Deal = tuple[tuple[str, ...], dict[str, tuple[str, ...]], Fraction]
"""The deck from the top, the hands, and how likely it is."""


def small(**counts: int) -> dict[str, object]:
    """A set of few cards, hands of two."""
    return {"hand": 2, "cards": dict.fromkeys(CARDS, 0) | counts}


def deals(state: HideState, seat: str | None) -> Iterator[Deal]:
    """Every way the cards can lie, played through: each order of the deck is as likely, and a card shown
    is any of the hand's."""
    start = Counter(state.set.counts(enemies=True)).elements()
    before: list[Deal] = [(order, {ONE: (), TWO: ()}, Fraction(1)) for order in permutations(start)]
    for event in state.events:
        before = [after for deal in before for after in happens(deal, event, seat)]
    yield from before


def happens(deal: Deal, event: CardEvent, seat: str | None) -> Iterator[Deal]:
    """What a deal becomes by an event, with its chance; nothing where the event cannot be."""
    cards, hands, chance = deal
    match event:
        case Drew():
            drawn = cards[: event.cards]
            yield cards[event.cards :], hands | {event.seat: hands[event.seat] + drawn}, chance
        case Showed():
            hand = list(hands[event.seat])
            if event.card in hand:
                share = Fraction(hand.count(event.card), len(hand))
                hand.remove(event.card)
                yield cards, hands | {event.seat: tuple(hand)}, chance * share
        case Reshuffled():
            assert not cards
            for order in permutations(event.cards):
                yield order, hands, chance
        case HandNoted():
            if event.seat != seat or Counter(hands[event.seat]) == Counter(event.cards):
                yield deal


def by_hand(state: HideState, seat: str | None, cards: int) -> dict[str, Fraction]:
    """Of each kind, the chance that one of the next cards is one."""
    every = list(deals(state, seat))
    whole = sum(chance for _, _, chance in every)
    return {
        card: sum((chance for order, _, chance in every if card in order[:cards]), Fraction(0)) / whole
        for card in state.set.counts(enemies=True)
    }


def shown(state: HideState, seat: str | None = None) -> DeckView:
    """The cards left, as a seat is shown them."""
    view: HideView = GAME.view(GAME.hide(state, seat), seat)
    return view.deck


def check(state: HideState, seat: str | None = None) -> None:
    """Check the chances that a seat is shown against every deal."""
    deck_view = shown(state, seat)
    assert deck_view.exact
    for cards, name in ((1, "next"), (deck_view.drawn, "three")):
        chances = {kind.card: getattr(kind, name) for kind in deck_view.kinds}
        assert {card: Fraction(each.part, each.of) for card, each in chances.items()} == by_hand(
            state, seat, cards
        )
        assert all(each.chance == pytest.approx(each.part / each.of) for each in chances.values())


class TestChances:
    """Exact, against the count of every deal."""

    def test_at_the_start_every_unseen_card_is_as_likely(self) -> None:
        state = dealt(box=small(food=3, candy=2, magician=1))
        check(state)
        assert {kind.card: (kind.next.part, kind.next.of) for kind in shown(state).kinds if kind.next} == {
            "food": (3, 6),
            "candy": (2, 6),
            "magician": (1, 6),
        }

    def test_cards_turned_up_are_out_of_it(self) -> None:
        state = up(seeking(box=small(food=3, candy=2, **{"hide-grey": 2})), "1 food Ivy", "2 candy Max")
        check(state)
        check(on(on(state)))

    def test_an_enemy_played_and_the_card_drawn_for_it(self) -> None:
        check(on(dealt(box=small(food=3, candy=2, magician=1)), PlayEnemy(TWO, "magician")))

    def test_a_deck_made_anew(self) -> None:
        state = seeking(box=small(food=1, candy=2, **{"hide-grey": 3}) | {"reshuffle": True})
        state = on(on(up(state, "1 hide-grey Ivy", "2 hide-grey Ivy", "2 candy Ivy")))
        assert any(isinstance(each, Reshuffled) for each in state.events)
        check(state)
        check(up(on(state, Seek("Ivy")), "1 hide-grey Max"))

    def test_a_hand_told_sharpens_that_seats_chances(self) -> None:
        state = on(dealt(box=small(food=3, candy=2, **{"hide-grey": 1})), Hold(ONE, ("candy", "food")))
        check(state, ONE)
        check(state, TWO)
        check(state)
        kinds = {kind.card: kind for kind in shown(state, ONE).kinds}
        assert (kinds["candy"].in_hand, kinds["candy"].next) == (1, msgspec.convert(
            {"part": 1, "of": 4, "chance": 0.25}, type(kinds["candy"].next)
        ))  # fmt: skip

    def test_and_after_cards_have_gone_and_come(self) -> None:
        state = on(seeking(box=small(food=3, candy=2, **{"hide-grey": 2})), Hold(ONE, ("candy", "food")))
        state = on(on(up(state, "1 food Ivy", "2 candy Max")))
        check(state, ONE)
        state = on(state, Hold(ONE, ("candy", "hide-grey")))
        check(state, ONE)
        check(state, TWO)

    def test_an_empty_deck_has_none(self) -> None:
        deck_view = shown(dealt(box=small(food=4)))
        assert (deck_view.cards, deck_view.drawn, deck_view.exact) == (0, 0, True)
        assert deck_view.kinds[0].next is None


class TestHold:
    """A hand told to the own phone."""

    STATE = seeking(box=small(food=3, candy=2, **{"hide-grey": 2}))

    def test_it_is_that_seats_own_move(self) -> None:
        assert GAME.private_to(Hold(ONE, ("food",))) == ONE
        assert GAME.private_to(Seek("Max")) is None

    def test_only_that_seat_is_shown_it(self) -> None:
        noted = on(self.STATE, Hold(ONE, ("food", "candy")))
        for seat in (None, TWO):
            assert GAME.hide(noted, seat) == self.STATE
            assert GAME.view(GAME.hide(noted, seat), seat) == GAME.view(self.STATE, seat)
            assert GAME.view(noted, seat) == GAME.view(self.STATE, seat)
        mine = GAME.view(GAME.hide(noted, ONE), ONE).hand
        assert mine is not None
        assert (mine.cards, mine.untold) == (("candy", "food"), 0)

    def test_what_is_shown_leaves_it_and_what_is_drawn_is_not_told(self) -> None:
        state = on(self.STATE, Hold(ONE, ("food", "candy")))
        state = on(on(up(state, "1 food Ivy")))
        mine = GAME.view(state, ONE).hand
        assert mine is not None
        assert (mine.cards, mine.untold) == (("candy",), 1)

    def test_open_moves_are_judged_without_it(self) -> None:
        noted = on(self.STATE, Hold(ONE, ("food", "candy")))
        after = up(noted, "1 hide-grey Ivy")
        assert GAME.hide(after, None) == up(self.STATE, "1 hide-grey Ivy")

    def test_a_hand_told_wrong_is_doubted_and_can_be_told_again(self) -> None:
        state = up(on(self.STATE, Hold(ONE, ("food", "candy"))), "1 hide-grey Ivy")
        assert (shown(state, ONE).doubt, GAME.view(state, ONE).hand) == (True, None)
        assert shown(state, ONE).kinds == shown(state).kinds
        again = on(state, Hold(ONE, ("food",)))
        assert not shown(again, ONE).doubt
        assert sum(isinstance(each, HandNoted) for each in again.events) == 1
        check(again, ONE)

    def test_of_a_wrong_hand_what_can_still_be_there_is_where_its_correction_begins(self) -> None:
        state = up(on(self.STATE, Hold(ONE, ("food", "candy"))), "1 hide-grey Ivy")
        assert shown(state, ONE).may_stay == ("candy", "food")
        assert shown(state, TWO).may_stay == shown(state).may_stay == ()
        assert shown(on(state, Hold(ONE, ("food",))), ONE).may_stay == ()

    def test_both_may_tell(self) -> None:
        state = on(self.STATE, Hold(ONE, ("food", "candy")), Hold(TWO, ("hide-grey", "hide-grey")))
        check(state, ONE)
        check(state, TWO)
        check(state)
        assert GAME.hide(state, TWO) == on(self.STATE, Hold(TWO, ("hide-grey", "hide-grey")))

    def test_hand_size(self) -> None:
        assert refused(self.STATE, Hold(ONE, ("food",))) == "hand-size"

    def test_hand_cannot_be(self) -> None:
        state = up(self.STATE, "2 candy Ivy")
        assert refused(state, Hold(ONE, ("candy", "candy"))) == "hand-cannot-be"
        assert refused(state, Hold(ONE, ("candy", "cheese"))) == "no-such-card"

    def test_what_another_told_does_not_judge_it(self) -> None:
        """Else a refusal would tell one what the other holds."""
        state = on(self.STATE, Hold(ONE, ("hide-grey", "hide-grey")), Hold(TWO, ("hide-grey", "food")))
        assert GAME.view(state, TWO).hand is not None


def test_no_card_is_lost_or_doubled_when_it_is_turned_up_and_laid_aside() -> None:
    state = up(seeking(enemy=TWO), "1 food Ivy", "2 gale-suit-grey Ivy", "1 candy Ivy", "1 hide-grey 兩金")
    for _ in range(2):
        assert state.deck + sum(state.hands.values()) == unseen(state).total()
        state = on(state)


def test_where_there_are_too_many_cases_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TooManyWorlds("more than can be told apart")

    deck._known.cache_clear()
    monkeypatch.setattr(deck, "_after", refuse)
    state = dealt()
    deck_view = shown(state)
    deck._known.cache_clear()
    assert not deck_view.exact
    assert deck_view.kinds[0].next is None


class TestManyCases:
    """After a new shuffle the cases grow; they are told apart as long as that is quick."""

    NEW = seeking(box=small(food=3, candy=2, **{"hide-grey": 2}) | {"reshuffle": True, "hand": 3})

    def shuffled(self) -> HideState:
        """The deck was shuffled again when hands were drawn up."""
        state = on(on(up(self.NEW, "1 hide-grey Ivy", "2 hide-grey Ivy")))
        assert any(isinstance(each, Reshuffled) for each in state.events)
        return state

    def test_beyond_some_no_chances_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        state = up(on(self.shuffled(), Seek("Ivy")), "1 food Max")
        assert shown(state).exact
        deck._known.cache_clear()
        monkeypatch.setattr(deck, "MOST_WORLDS", 0)
        deck_view = shown(state)
        deck._known.cache_clear()
        assert (deck_view.exact, deck_view.kinds[0].next) == (False, None)

    def test_beyond_few_only_the_next_card(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(view, "FEW_WORLDS", 0)
        kinds = shown(self.shuffled()).kinds
        assert any(kind.next for kind in kinds)
        assert not any(kind.three for kind in kinds)
