"""The game's odds against a list of every way that the cards of a small box can lie, and by themselves.

The list shares nothing with the engine: it deals every order of the cards, and plays the moves on each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.exploding_kittens import GAME, cards
from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens import view as view_module
from companion.games.exploding_kittens.cards import Deck
from companion.games.exploding_kittens.mine import Theft
from companion.games.exploding_kittens.state import (
    PRIVATE,
    Action,
    AnswerAsked,
    KittensState,
    Nope,
    PrivateNote,
    Three,
)
from companion.games.exploding_kittens.tests.playing import began, knows, move, play
from companion.games.exploding_kittens.view import KittensView, SeatView
from companion.odds import card_at, number_held

SMALL = Deck(
    dealt=1,
    seen=2,
    attack_turns=2,
    cards={"kitten": 3, "defuse": 3, "attack": 1, "shuffle": 1, "skip": 1, "future": 1, "nope": 1},
)
"""Two players with two cards each, and five in the deck: 720 deals and a little more."""

ALIKE = Deck(
    dealt=3,
    seen=2,
    attack_turns=2,
    cards=dict.fromkeys(("attack", "shuffle", "skip"), 0)
    | {"kitten": 3, "defuse": 2, "cat-a": 4, "nope": 3, "future": 1},
)
"""Two players with four cards each, and three in the deck: few kinds, so that three alike and nopes meet."""

Lie = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The deck from the top, and each hand, sorted."""


@lru_cache
def deals(seats: int, dealt: int, box: tuple[tuple[str, int], ...]) -> dict[Lie, Fraction]:
    """A defuse each; the others are dealt; then the kittens are shuffled in (set-up 2 to 6)."""
    counts = {**dict(box), "kitten": 0}
    counts["defuse"] -= seats
    loose = [kind for kind, count in counts.items() for _ in range(count)]
    lies: defaultdict[Lie, Fraction] = defaultdict(Fraction)
    for order in set(permutations(loose)):
        hands = tuple(tuple(sorted(("defuse", *order[at * dealt : (at + 1) * dealt]))) for at in range(seats))
        rest = (*order[seats * dealt :], *("kitten",) * (seats - 1))
        orders = set(permutations(rest))
        for pile in orders:
            lies[pile, hands] += Fraction(1, len(orders))
    whole = sum(lies.values())
    return {lie: share / whole for lie, share in lies.items()}


class Listing:
    """Every way that the cards lie, with its chance, as `seat` knows it (None: the table)."""

    def __init__(self, seats: int, seat: str | None = None) -> None:
        self.names, self.seat = ("first", "second", "third", "fourth")[:seats], seat
        box = cards.deck(cards.TRAVEL)
        self.chances = dict(deals(seats, box.dealt, tuple(box.cards.items())))

    def _replace(self, falls: Iterator[tuple[Lie, Fraction]]) -> None:
        sums: defaultdict[Lie, Fraction] = defaultdict(Fraction)
        for lie, chance in falls:
            sums[lie] += chance
        whole = sum(sums.values())
        self.chances = {lie: chance / whole for lie, chance in sums.items() if chance}

    def _at(self, seat: str) -> int:
        return self.names.index(seat)

    def _each(self) -> Iterator[tuple[Lie, Fraction]]:
        yield from list(self.chances.items())

    def draw(self, seat: str, card: str | None) -> None:
        """`card`: what it was, for one who saw; None: no kitten."""
        at = self._at(seat)
        self._replace(
            ((deck[1:], _given(hands, at, deck[0])), chance)
            for (deck, hands), chance in self._each()
            if (deck[0] == card if card else deck[0] != "kitten")
        )

    def kitten(self) -> None:
        self._replace(((lie[0][1:], lie[1]), chance) for lie, chance in self._each() if lie[0][0] == "kitten")

    def lay(self, seat: str, card: str) -> None:
        """A card of the hand, any of them as likely."""
        at = self._at(seat)
        self._replace(
            ((deck, _taken(hands, at, card)), chance * hands[at].count(card))
            for (deck, hands), chance in self._each()
            if card in hands[at]
        )

    def defuse(self, seat: str, weights: list[int]) -> None:
        """A hand with a defuse loses it, whatever else it holds; the kitten goes to a place by its weight."""
        at = self._at(seat)
        self._replace(
            (((*deck[:place], "kitten", *deck[place:]), _taken(hands, at, "defuse")), chance * weight)
            for (deck, hands), chance in self._each()
            if "defuse" in hands[at]
            for place, weight in enumerate(weights)
        )

    def explode(self, seat: str, *, held_none: bool) -> None:
        at = self._at(seat)
        none = any("defuse" not in hands[at] for _, hands in self.chances)
        self._replace(
            ((deck, (*hands[:at], (), *hands[at + 1 :])), chance)
            for (deck, hands), chance in self._each()
            if not (held_none and none) or "defuse" not in hands[at]
        )

    def shuffle(self) -> None:
        def falls() -> Iterator[tuple[Lie, Fraction]]:
            for (deck, hands), chance in self._each():
                orders = set(permutations(deck))
                for order in orders:
                    yield (order, hands), chance / len(orders)

        self._replace(falls())

    def steal(self, victim: str, thief: str, card: str | None) -> None:
        one, two = self._at(victim), self._at(thief)
        self._replace(
            ((deck, _given(_taken(hands, one, taken), two, taken)), chance)
            for (deck, hands), chance in self._each()
            for taken in hands[one]
            if card in (None, taken)
        )

    def give(self, giver: str, taker: str, card: str) -> None:
        one, two = self._at(giver), self._at(taker)
        self._replace(
            ((deck, _given(_taken(hands, one, card), two, card)), chance)
            for (deck, hands), chance in self._each()
            if card in hands[one]
        )

    def has_none(self, seat: str, card: str) -> None:
        at = self._at(seat)
        self._replace((lie, chance) for lie, chance in self._each() if card not in lie[1][at])

    def keep(self, test: object) -> None:
        self._replace((lie, chance) for lie, chance in self._each() if test(lie))  # type: ignore[operator]

    def chance(self, test: object) -> Fraction:
        return sum((chance for lie, chance in self.chances.items() if test(lie)), Fraction(0))  # type: ignore[operator]

    def survival(self, draws: int, seat: str) -> Fraction:
        """Walks each deck card by card, a defuse for a kitten."""
        at = self._at(seat)

        def lives(lie: Lie) -> bool:
            defuses = lie[1][at].count("defuse")
            for card in lie[0][:draws]:
                defuses += (card == "defuse") - (card == "kitten")
                if defuses < 0:
                    return False
            return True

        return self.chance(lives)


def _given(hands: tuple[tuple[str, ...], ...], at: int, card: str) -> tuple[tuple[str, ...], ...]:
    return (*hands[:at], tuple(sorted((*hands[at], card))), *hands[at + 1 :])


def _taken(hands: tuple[tuple[str, ...], ...], at: int, card: str) -> tuple[tuple[str, ...], ...]:
    left = list(hands[at])
    left.remove(card)
    return (*hands[:at], tuple(left), *hands[at + 1 :])


def listed(state: KittensState, seat: str | None) -> Listing:
    """The list played through a whole record, as `seat` knows it.

    Where its notes cannot all be true, the newest of them that can be true together count.
    """
    notes = tuple(note for note in state.notes if note.seat == seat)
    listing = through(state, seat, notes)
    if listing.chances:
        return listing
    fitting: tuple[PrivateNote, ...] = ()
    for note in reversed(notes):
        tried = tuple(each for each in notes if each is note or each in fitting)
        if through(state, seat, tried).chances:
            fitting = tried
    return through(state, seat, fitting)


def through(state: KittensState, seat: str | None, notes: tuple[PrivateNote, ...]) -> Listing:
    """The list played through a whole record, with these notes."""
    listing = Listing(len(state.seats), seat)
    _hands(listing, [note for note in notes if note.action < 0])
    for index, action in enumerate(state.record):
        if not listing.chances:
            break
        now = [note for note in notes if note.action == index]
        noted: dict[str, tuple[Any, ...]] = {
            note.what if note.what != "took" else f"took {note.nopes}": note.cards or (note.place,)
            for note in now
            if note.what != "hand"
        }
        _played(listing, state, action, noted, [note for note in now if note.what == "hand"])
    return listing


def _hands(listing: Listing, notes: list[PrivateNote]) -> None:
    for note in notes:
        at = listing.names.index(note.seat)
        listing.keep(lambda lie, at=at, note=note: lie[1][at] == note.cards)


def _played(
    listing: Listing,
    state: KittensState,
    action: Action,
    noted: dict[str, tuple[Any, ...]],
    hands: list[PrivateNote],
) -> None:
    if action.laid and action.what != "defuse":
        _laid(listing, action, noted, hands)
        return
    if action.what == "draw":
        listing.draw(action.seat, noted.get("drew", (None,))[0])
    elif action.what == "kitten":
        listing.kitten()
    elif action.what == "explode":
        listing.explode(action.seat, held_none=state.options.exploded_had_defuse == "no")
    elif action.what == "defuse":
        places = len(next(iter(listing.chances))[0]) + 1
        weights = [1] * places
        if state.options.kitten_back == "near-the-top":
            weights = [
                3 if 3 * place < places else 2 if 3 * place < 2 * places else 1 for place in range(places)
            ]
        if "hid" in noted:
            weights = [int(place == noted["hid"][0]) for place in range(places)]
        listing.defuse(action.seat, weights)
    _hands(listing, hands)


def _laid(
    listing: Listing, action: Action, noted: dict[str, tuple[Any, ...]], hands: list[PrivateNote]
) -> None:
    """As it goes on the table: cards are laid, one may change hands, and goes back when a nope comes."""
    for _ in range(action.laid):
        listing.lay(action.seat, action.card)
    for nopes in range(len(action.nopes) + 1):
        now = [note for note in hands if note.nopes == nopes]
        moved = _effect(listing, action, nopes, noted, now)
        if nopes < len(action.nopes):
            if moved:
                listing.give(action.seat, action.target, moved)
            listing.lay(action.nopes[nopes], "nope")


def _effect(
    listing: Listing, action: Action, nopes: int, noted: dict[str, tuple[Any, ...]], hands: list[PrivateNote]
) -> str:
    """What happens while so many nopes lie there, the hands noted then, and the card that moved, if known."""
    ends, works = nopes == len(action.nopes), nopes % 2 == 0
    moved = ""
    if action.what == "three":
        moved = _answered(listing, action, nopes, hands)
    elif action.what == "pair" and works:
        card = noted[f"took {nopes}"][0] if f"took {nopes}" in noted else None
        if (ends or card) and any(lie[1][listing.names.index(action.target)] for lie in listing.chances):
            listing.steal(action.target, action.seat, card)
            moved = card or ""
        involved = () if ends or card else (action.seat, action.target)
        _hands(listing, [note for note in hands if note.seat not in involved])
    else:
        if ends and works and action.card == "shuffle":
            listing.shuffle()
        elif ends and "saw" in noted:
            listing.keep(lambda lie, seen=noted["saw"]: lie[0][: len(seen)] == seen)
        _hands(listing, hands)
    return moved


def _answered(listing: Listing, action: Action, nopes: int, hands: list[PrivateNote]) -> str:
    answers = [(each.nopes, each.given) for each in action.answered]
    if action.given is not None:
        answers.append((len(action.nopes), action.given))
    number = next((n for n, (at, _) in enumerate(answers, 1) if at == nopes), 0)
    _hands(listing, [note for note in hands if note.answers < number])
    given = answers[number - 1][1] if number else None
    if given:
        listing.give(action.target, action.seat, action.named)
    elif number:
        listing.has_none(action.target, action.named)
    _hands(listing, [note for note in hands if note.answers >= number])
    return action.named if given else ""


def _played_with(box: Deck, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cards, "deck", lambda _: box)
    monkeypatch.setattr(known_module, "_kept", {})
    view_module.view.cache_clear()
    yield
    view_module.view.cache_clear()


@pytest.fixture
def small_box(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Matches are played with the small box."""
    yield from _played_with(SMALL, monkeypatch)


@pytest.fixture
def alike_box(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Matches are played with the box of few kinds."""
    yield from _played_with(ALIKE, monkeypatch)


def check(state: KittensState, seat: str | None) -> None:
    """Every chance of a view is that of the list."""
    listing, view = listed(state, seat), GAME.view(state, seat)
    for kind in view.odds.kinds:
        for count, chance in enumerate(kind.within, start=1):
            among = listing.chance(lambda lie, n=count, kind=kind: kind.card in lie[0][:n])
            assert Fraction(chance.exact) == among, f"{kind.card} within {count}"
    check_turn(state, view, listing)
    for each in view.seats:
        at = listing.names.index(each.seat)
        if each.defuse and each.nope:
            assert Fraction(each.defuse.exact) == listing.chance(lambda lie, at=at: "defuse" in lie[1][at])
            assert Fraction(each.nope.exact) == listing.chance(lambda lie, at=at: "nope" in lie[1][at])
        if each.ahead:
            check_ahead(each.ahead, listing, at)
        check_in_hand(each, listing, at)
    for kind in view.odds.kinds:
        seen = kind.total - kind.discarded - (kind.card == "kitten" and state.phase == "kitten")
        assert kind.in_hands == min(seen - deck.count(kind.card) for deck, _ in listing.chances)
    if view.mine:
        check_hand(view, listing)


def check_in_hand(seat: SeatView, listing: Listing, at: int) -> None:
    """What a hand surely holds is all that can be deduced; asking and a blind draw bring what they bring."""
    assert bool(seat.hand) == bool(seat.cards)
    for kind in seat.hand:
        counts = {lie: lie[1][at].count(kind.card) for lie in listing.chances}
        assert kind.sure == min(counts.values())
        assert Fraction(kind.holds.exact) == listing.chance(lambda lie, counts=counts: counts[lie] > 0)
        drawn = sum(chance * Fraction(counts[lie], seat.cards) for lie, chance in listing.chances.items())
        assert Fraction(kind.drawn.exact) == drawn


def check_theft(theft: Theft, thief: str, listing: Listing) -> None:
    """The thief picks one of the hand's cards, each as likely, and draws what it owes."""
    after = Listing.__new__(Listing)
    after.names, after.seat, after.chances = listing.names, listing.seat, dict(listing.chances)
    after.steal(theft.target, thief, None)
    assert Fraction(theft.after.explode.exact) == 1 - after.survival(theft.after.draws, thief)


def check_turn(state: KittensState, view: KittensView, listing: Listing) -> None:
    for risk in (view.odds.this_draw, view.odds.this_turn):
        if risk:
            lives = listing.survival(risk.draws, state.standing.turn)
            assert Fraction(risk.explode.exact) == 1 - lives
            drawn = listing.chance(lambda lie, risk=risk: "kitten" in lie[0][: risk.draws])
            assert Fraction(risk.kitten.exact) == drawn


def check_ahead(ahead: object, listing: Listing, at: int) -> None:
    n = ahead.draws  # type: ignore[attr-defined]
    before = listing.chance(lambda lie: "kitten" in lie[0][:n])
    assert Fraction(ahead.kitten_before.exact) == before  # type: ignore[attr-defined]
    explode = listing.chance(lambda lie: lie[0][n] == "kitten" and "defuse" not in lie[1][at])
    assert Fraction(ahead.risk.explode.exact) == explode  # type: ignore[attr-defined]
    kitten = listing.chance(lambda lie: lie[0][n] == "kitten")
    assert Fraction(ahead.risk.kitten.exact) == kitten  # type: ignore[attr-defined]


def check_hand(view: KittensView, listing: Listing) -> None:
    own = view.mine
    assert own is not None
    at = listing.names.index(own.seat)
    holds = {kind.card: kind.count for kind in own.hand}
    for card in cards.deck(cards.TRAVEL).in_hands:
        assert holds.get(card, 0) == min(lie[1][at].count(card) for lie in listing.chances)
    for theft in own.thefts:
        check_theft(theft, own.seat, listing)
    for effect in own.effects:
        if effect.card == "shuffle":
            mixed = Listing.__new__(Listing)
            mixed.names, mixed.seat, mixed.chances = listing.names, listing.seat, dict(listing.chances)
            mixed.shuffle()
            assert Fraction(effect.after.explode.exact) == 1 - mixed.survival(effect.after.draws, own.seat)
        else:
            lives = listing.survival(effect.after.draws, own.seat)
            assert Fraction(effect.after.explode.exact) == 1 - lives
        averaged = sum(
            Fraction(sight.chance.exact) * Fraction(sight.risk.explode.exact) for sight in effect.sights
        )
        assert not effect.sights or averaged == Fraction(effect.before.explode.exact)


@pytest.mark.parametrize(
    "course",
    [
        pytest.param("", id="the start"),
        pytest.param("hand first defuse nope", id="a hand told"),
        pytest.param("draw,drew first skip,draw", id="draws"),
        pytest.param("draw,draw,future,saw first nope skip,draw", id="a look"),
        pytest.param("kitten,defuse,hid first 0", id="a kitten put on top"),
        pytest.param("kitten,defuse,draw,shuffle", id="a kitten shuffled in again"),
        pytest.param("pair defuse second,took first skip,took second skip", id="a theft"),
        pytest.param("attack,nope second,draw", id="a nope"),
        pytest.param("shuffle,kitten,defuse,hid first 2,draw,draw", id="a kitten two below the top"),
        pytest.param(
            "pair defuse second,took first nope,nope second", id="a card that was taken and given back"
        ),
        pytest.param("kitten,defuse,draw,draw,draw,draw", id="a deck that is nearly drawn"),
        pytest.param(
            "hand first defuse nope,draw,drew first skip,draw,future", id="a hand that proves wrong"
        ),
    ],
)
@pytest.mark.parametrize("back", ["anywhere", "near-the-top"])
def test_the_odds_are_those_of_every_way_the_cards_can_lie(small_box: None, course: str, back: str) -> None:
    state = play(began(2, kitten_back=back), *filter(None, course.split(",")))
    for seat in (None, "first", "second"):
        check(state, seat)


ENOUGH = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.slow
@ENOUGH
@given(data=st.data())
def test_any_course_of_a_match_gives_the_odds_of_the_full_list(small_box: None, data: st.DataObject) -> None:
    options = {
        "kitten_back": data.draw(st.sampled_from(("anywhere", "near-the-top"))),
        "exploded_had_defuse": data.draw(st.sampled_from(("no", "unknown"))),
    }
    state = began(2, **options)
    for _ in range(data.draw(st.integers(0, 7))):
        state = one_more(state, data)
    for seat in (None, *state.standing.living):
        check(state, seat)


@settings(ENOUGH, max_examples=60)
@given(data=st.data())
def test_whatever_is_asked_for_taken_noped_and_noted_the_odds_are_those_of_the_full_list(
    alike_box: None, data: st.DataObject
) -> None:
    state = began(2)
    for _ in range(data.draw(st.integers(1, 12))):
        state = one_more(state, data)
        if state.phase != "over" and data.draw(st.integers(0, 3)) == 0:
            state = _hand_noted(state, data)
    for seat in (None, *state.standing.living):
        check(state, seat)
    check_what_can_be_done(state)


def check_what_can_be_done(state: KittensState) -> None:
    """What a page offers is what can be, in some way that the cards can lie as all know it."""
    listing, can = listed(state, None), GAME.view(state, None).can
    if state.phase == "turn":
        hands = [lie[1][listing.names.index(state.standing.turn)] for lie in listing.chances]
        most = {card: max(hand.count(card) for hand in hands) for card in cards.deck(cards.TRAVEL).in_hands}
        assert can.play == tuple(card for card in cards.ACTIONS if most[card])
        assert not can.targets or can.pair == tuple(card for card in most if most[card] >= 2)
        assert not can.targets or can.three == tuple(card for card in most if most[card] >= 3)
    elif state.phase == "asked":
        last = state.record[-1]
        has = {last.named in lie[1][listing.names.index(last.target)] for lie in listing.chances}
        assert set(can.answers) == has


def one_more(state: KittensState, data: st.DataObject) -> KittensState:
    """One more move, nopes and notes as likely as all others together; none where nothing can be done."""
    legal = [each for each in GAME.legal_moves(state) if each != move("explode")]
    apart = [each for each in legal if isinstance(each, (*PRIVATE, Nope, Three, AnswerAsked))]
    chosen = data.draw(st.sampled_from(legal) | st.sampled_from(apart or legal)) if legal else None
    return GAME.play(state, chosen) if chosen else state


def _hand_noted(state: KittensState, data: st.DataObject) -> KittensState:
    """A seat notes a hand that it can have, as all know; nothing says that it is the true one."""
    seat = data.draw(st.sampled_from(state.standing.living))
    listing = listed(state, None)
    hands = sorted({lie[1][listing.names.index(seat)] for lie in listing.chances})
    return GAME.play(
        state, GAME.move({"move": "hand", "seat": seat, "cards": data.draw(st.sampled_from(hands))})
    )


def test_who_explodes_had_no_defuse_so_it_is_likelier_elsewhere() -> None:
    moves = ("kitten", "defuse", "draw", "draw", "kitten", "explode")
    no, unknown = (play(began(3, exploded_had_defuse=each), *moves) for each in ("no", "unknown"))
    assert number_held(knows(no), "out", "defuse")[0] == 1
    assert number_held(knows(unknown), "out", "defuse")[0] < 1
    assert card_at(knows(no))["defuse"] > card_at(knows(unknown))["defuse"]


def test_who_explodes_with_a_defuse_that_all_know_of_did_not_play_it() -> None:
    state = play(began(3), "kitten", "explode")
    assert number_held(knows(state), "out", "defuse")[0] == 0


# What one learns averages out to what one knew


def averaged(state: KittensState, notes: list[tuple[str, Fraction]], kind: str) -> Fraction:
    """The chance that the next card is of a kind, over all that the first seat may tell, by its chances."""
    return sum(
        (chance * card_at(knows(play(state, text), "first"))[kind] for text, chance in notes if chance),
        Fraction(0),
    )


@pytest.mark.parametrize("kind", ["kitten", "defuse", "nope", "cat-a"])
def test_what_a_draw_teaches_averages_out(kind: str) -> None:
    before = play(began(3), "kitten", "defuse", "draw", "skip", "shuffle")
    state = play(before, "draw")
    drawn = card_at(knows(before))
    no_kitten = 1 - drawn["kitten"]
    notes = [(f"drew first {card}", drawn[card] / no_kitten) for card in cards.deck(cards.TRAVEL).in_hands]
    assert sum(chance for _, chance in notes) == 1
    assert averaged(state, notes, kind) == card_at(knows(state, "first"))[kind]


@pytest.mark.parametrize("kind", ["kitten", "defuse", "skip"])
def test_what_see_the_future_shows_averages_out(kind: str) -> None:
    state = play(began(3), "draw", "kitten", "defuse", "draw", "future")
    knowledge = knows(state)
    total = Fraction(0)
    for first, chance in card_at(knowledge).items():
        if not chance:
            continue
        for second, then in card_at(knowledge.see(0, first), 1).items():
            if then:
                after = knows(play(state, f"saw first {first} {second}"), "first")
                total += chance * then * card_at(after, 2)[kind]
    assert total == card_at(knowledge, 2)[kind]


@pytest.mark.parametrize("kind", ["kitten", "defuse", "nope"])
def test_where_a_kitten_was_hidden_averages_out_to_what_the_others_hold(kind: str) -> None:
    state = play(began(3), "kitten", "defuse")
    places = range(state.standing.deck)
    chances = [card_at(knows(play(state, f"hid first {place}"), "first"))[kind] for place in places]
    assert sum(chances, Fraction(0)) / len(places) == card_at(knows(state, "second"))[kind]


def test_which_card_was_taken_averages_out() -> None:
    state = play(began(3), "pair cat-a second")
    for kind in ("defuse", "skip", "cat-b"):
        knowledge = knows(state, "first")
        learnt = [
            (number_held(knows(play(state, f"took first {card}"), "first"), "second", kind), chance)
            for card, chance in chances_to_take(state).items()
        ]
        for count, share in enumerate(number_held(knowledge, "second", kind)):
            assert sum(chance * (each[count] if count < len(each) else 0) for each, chance in learnt) == share


def chances_to_take(state: KittensState) -> dict[str, Fraction]:
    """How likely a card picked from the second's hand before the pair took effect was of each kind."""
    from companion.games.exploding_kittens.known import before_effect

    waiting = before_effect(state)
    numbers = {card: number_held(waiting, "second", card) for card in cards.deck(cards.TRAVEL).in_hands}
    means = {
        card: sum((n * share for n, share in enumerate(each)), Fraction(0)) for card, each in numbers.items()
    }
    return {card: mean / 6 for card, mean in means.items() if mean}
