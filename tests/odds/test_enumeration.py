"""The engine against a list of every way that the cards of a small deck can lie."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.odds import (
    Held,
    ImpossibleCards,
    Knowledge,
    Pile,
    Reading,
    Span,
    any_among,
    card_at,
    certain,
    hidden,
    holds,
    interchangeable,
    known_cards,
    merged,
    number_among,
    number_held,
    numbers_together,
    sorted_out,
    survives,
)
from companion.odds.counting import ways
from companion.odds.knowledge import WORLDS
from companion.odds.world import World, census, tidy
from lab.bench import odds
from tests.odds.conftest import Listing

KINDS = ("kitten", "defuse", "nope", "skip")
PILES = ("ann", "bob", "out")


class Both:
    """One small table in the engine and in the list; each event is played on both."""

    def __init__(self, data: st.DataObject, *, rich: bool = False):
        """A rich table has six cards of three kinds, none known at the start, and no empty hand."""
        self.data, self.rich = data, rich
        order = self.pick(st.lists(st.sampled_from(KINDS), min_size=1, max_size=6))
        if rich:
            order = self.pick(st.permutations(("kitten", "defuse", "defuse", "nope", "nope", "nope")))
        self.cards = {kind: order.count(kind) for kind in KINDS if kind in order}
        first = 3 if rich else self.pick(st.integers(0, min(4, len(order))))
        second = 5 if rich else self.pick(st.integers(first, len(order)))
        parts = (order[:first], order[first:second], order[second:], [])
        known = [self.sure(part) for part in parts]
        self.listing = Listing(self.cards, [len(part) for part in parts], known)
        piles = {
            name: Pile(len(part), sure) for name, part, sure in zip(PILES, parts[1:], known[1:], strict=True)
        }
        self.knowledge = Knowledge.start(self.cards, Pile(first, known[0]), piles)
        self.possible = self.knowledge.unweighed()

    def pick(self, strategy: st.SearchStrategy) -> object:
        return self.data.draw(strategy)

    def sure(self, part: list[str]) -> dict[str, int]:
        """Some of a pile's cards, that all know to be there."""
        known = part[: self.pick(st.sampled_from((0, 0, 1, 2)))] if not self.rich else []
        return {kind: known.count(kind) for kind in sorted(set(known))}

    def kind(self) -> str:
        return self.pick(st.sampled_from(sorted(self.cards)))

    def kinds(self) -> tuple[str, ...]:
        return tuple(self.pick(st.sets(st.sampled_from(sorted(self.cards)), min_size=1)))

    def pile(self, *, filled: bool = False) -> int:
        choices = [i for i, name in enumerate(PILES) if self.knowledge.pile_size(name) or not filled]
        return self.pick(st.sampled_from(choices))

    def place(self) -> int:
        return self.pick(st.integers(0, self.knowledge.deck_size - 1))

    def play(self, event: str) -> bool:
        """One event on both; false when both say that it cannot be."""
        getattr(self, f"do_{event}")()
        if self.listing.possible:
            after, self.knowledge = self.change(), self.possible
            self.knowledge, self.possible = after, self.change()
            return True
        with pytest.raises(ImpossibleCards):
            self.change()
        return False

    def do_shuffle(self) -> None:
        self.listing.shuffle()
        self.change = lambda: self.knowledge.shuffle()

    def do_see(self) -> None:
        place, kinds = self.place(), self.kinds()
        self.listing.keep(lambda lie: lie[0][place] in kinds)
        self.change = lambda: self.knowledge.see(place, kinds)

    def do_draw(self) -> None:
        place, pile = self.pick(st.sampled_from((0, 0, self.knowledge.deck_size - 1))), self.pile()
        kinds = self.pick(st.one_of(st.none(), st.just(self.kinds())))
        if kinds:
            self.listing.keep(lambda lie: lie[0][place] in kinds)
        self.listing.draw(place, pile)
        self.change = lambda: self.knowledge.draw(PILES[pile], kinds, place=place)

    def do_put(self) -> None:
        pile, kind, places = self.pile(filled=True), self.kind(), self.knowledge.deck_size + 1
        how = self.pick(st.sampled_from(("alike", "place", "weights")))
        weights, given = [1] * places, {}
        if how == "place":
            given = {"place": self.pick(st.integers(0, places - 1))}
            weights = [int(place == given["place"]) for place in range(places)]
        if how == "weights":
            weights = self.pick(
                st.lists(st.sampled_from((0, 1, 1, 3)), min_size=places, max_size=places).filter(any)
            )
            given = {"weights": weights}
        self.listing.put(pile, kind, weights)
        self.change = lambda: self.knowledge.put(PILES[pile], kind, **given)

    def do_play_any(self) -> None:
        pile, to, kind = self.pile(filled=True), self.pile(), self.kind()
        self.listing.steal(pile, to, kind)
        self.change = lambda: self.knowledge.play(PILES[pile], PILES[to], kind)

    def do_play_held(self) -> None:
        pile, to, kind = self.pile(filled=True), self.pile(), self.kind()
        self.listing.play_held(pile, to, kind)
        self.change = lambda: self.knowledge.play(PILES[pile], PILES[to], kind, Reading.HELD)

    def do_steal(self) -> None:
        victim, thief = self.pile(filled=True), self.pile()
        kind = self.pick(st.one_of(st.none(), st.just(self.kind())))
        self.listing.steal(victim, thief, kind)
        self.change = lambda: self.knowledge.steal(PILES[victim], PILES[thief], kind)

    def do_lay_down(self) -> None:
        pile, to = self.pile(), self.pile()
        if pile != to:
            self.listing.move_all(pile, to)
        self.change = lambda: self.knowledge.lay_down(PILES[pile], PILES[to])

    def do_gather(self) -> None:
        pile = self.pile()
        self.listing.gather(pile)
        self.change = lambda: self.knowledge.gather(PILES[pile])

    def do_count(self) -> None:
        pile, kinds = self.pile(), self.kinds()
        low = self.pick(st.integers(0, 2))
        high = self.pick(st.one_of(st.none(), st.integers(low, 2)))
        most = 9 if high is None else high
        self.listing.keep(lambda lie: low <= sum(card in kinds for card in lie[1][pile]) <= most)
        self.change = lambda: self.knowledge.count(PILES[pile], kinds, low, high)

    def do_contains(self) -> None:
        pile = self.pile()
        lies = sorted({lie[1][pile] for lie in self.listing.chances})
        cards = self.pick(st.sampled_from(lies))
        self.listing.keep(lambda lie: lie[1][pile] == cards)
        contents = {kind: cards.count(kind) for kind in set(cards)}
        self.change = lambda: self.knowledge.contains(PILES[pile], contents)

    def events(self) -> list[str]:
        names = ["count", "count"] if self.rich else ["lay_down", "gather", "count", "contains"]
        if self.knowledge.deck_size:
            names += ["see", "draw", "draw", "shuffle"]
        if any(self.knowledge.pile_size(name) for name in PILES):
            names += ["put", "play_any", "play_held", "steal", "steal"]
        return names

    def check(self) -> None:
        """Every question has the same answer on both, and no world is counted that cannot be."""
        knowledge, listing = self.knowledge, self.listing
        assert all(ways(census(world), knowledge.totals) for _, world in knowledge.worlds)
        for place in range(knowledge.deck_size):
            expected = {k: listing.chance(lambda lie, k=k: lie[0][place] == k) for k in self.cards}  # noqa: B023
            assert card_at(knowledge, place) == expected
            can_be = {kind for kind, chance in card_at(self.possible, place).items() if chance}
            assert can_be == {kind for kind, chance in expected.items() if chance}
        for alike in interchangeable(knowledge):
            for place in range(knowledge.deck_size):
                assert len({card_at(knowledge, place)[kind] for kind in alike}) == 1
        kinds, draws = self.kinds(), self.pick(st.integers(0, knowledge.deck_size))
        among = listing.numbers(lambda lie: sum(card in kinds for card in lie[0][:draws]))
        assert as_numbers(number_among(knowledge, draws, kinds)) == among
        assert any_among(knowledge, draws, kinds) == 1 - among.get(0, 0)
        for pile, name in enumerate(PILES):
            in_pile = listing.numbers(lambda lie: sum(card in kinds for card in lie[1][pile]))  # noqa: B023
            assert as_numbers(number_held(knowledge, name, kinds)) == in_pile
            assert as_numbers(number_held(self.possible, name, kinds)).keys() == in_pile.keys()
            two = sum(chance for number, chance in in_pile.items() if number >= 2)
            assert holds(knowledge, name, kinds, 2) == two
            least = {kind: min(lie[1][pile].count(kind) for lie in listing.chances) for kind in self.cards}
            assert certain(knowledge, name) == {kind: count for kind, count in least.items() if count}
            assert all(0 < count <= least[kind] for kind, count in known_cards(knowledge, name).items())
        self.check_together(draws)
        self.check_survival(draws)

    def check_together(self, draws: int) -> None:
        first, second = sorted(self.cards)[0], sorted(self.cards)[-1:]
        asked = [first] if second == [first] else [first, second]
        where = [Held("bob"), Span(draws // 2, draws - draws // 2), Held("ann")]
        together = numbers_together(self.knowledge, where, asked)
        for table, chance in together.items():

            def lies(lie: object, table: tuple = table) -> bool:
                parts = (lie[1][1], lie[0][draws // 2 : draws], lie[1][0])
                return all(
                    sum(card in kinds for card in part) == number
                    for part, row in zip(parts, table, strict=True)
                    for kinds, number in zip(([asked[0]], *asked[1:]), row, strict=True)
                )

            assert chance == self.listing.chance(lies)
        assert sum(together.values()) == 1

    def check_survival(self, draws: int) -> None:
        deadly = [kind for kind in self.cards if kind == "kitten"]
        savers = [kind for kind in self.cards if kind == "defuse"]
        for in_hand in (0, 1, None):
            chance = survives(self.knowledge, draws, deadly, savers, "ann" if in_hand is None else in_hand)
            assert chance == self.listing.survival(draws, "kitten", "defuse", in_hand, 0)


def as_numbers(chances: tuple[Fraction, ...]) -> dict[int, Fraction]:
    return {number: chance for number, chance in enumerate(chances) if chance}


@pytest.fixture(params=[(10**9, 0), (0, 0), (0, 10**9)], ids=["few cards first", "sieve first", "merged"])
def way_of_summing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to sum over what is ruled out, whatever the size."""
    first, deals = request.param
    monkeypatch.setattr(hidden, "SHARES", first)
    monkeypatch.setattr(hidden, "ALONE", first)
    monkeypatch.setattr(merged, "MOST_DEALS", deals)
    monkeypatch.setattr(merged, "MANY", 1)
    odds.forget()


def play_on(both: Both, events: int) -> bool:
    """So many events, then every question; a course that turns out impossible ends there."""
    for _ in range(events):
        if not both.play(both.pick(st.sampled_from(both.events()))):
            return False
    both.check()
    return True


ENOUGH = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@ENOUGH
@given(data=st.data())
def test_any_course_of_events_gives_the_chances_of_the_full_list(data: st.DataObject) -> None:
    play_on(Both(data), data.draw(st.integers(0, 6)))


@ENOUGH
@given(data=st.data())
def test_a_course_with_much_half_known_gives_the_chances_of_the_full_list(
    way_of_summing: None, data: st.DataObject
) -> None:
    play_on(Both(data, rich=True), data.draw(st.integers(3, 8)))


@ENOUGH
@given(data=st.data())
def test_worlds_told_apart_by_the_places_of_cards_mean_the_same(
    data: st.DataObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sorted out at any moment, even where it makes more worlds of them; the match goes on from these."""
    monkeypatch.setattr(sorted_out, "FEW", -1)
    both = Both(data, rich=True)
    for _ in range(2):
        if not play_on(both, data.draw(st.integers(1, 4))):
            return
        worlds, totals = [world for _, world in both.knowledge.worlds], both.knowledge.totals
        kind = sorted_out.contested(worlds) or both.knowledge.mask(
            both.pick(st.sampled_from(sorted(both.cards)))
        )
        both.knowledge = both.knowledge._split(
            lambda world: sorted_out.sorted_out(world, kind, totals),  # noqa: B023
            "sorted out",
            WORLDS,
        )
        both.check()


def test_a_bag_whose_places_lie_in_two_others_gives_its_cards_once() -> None:
    """Two hidden cards and a known one, through four bags of which each holds places of one before it."""
    bags = (((1, 1), (6, 1)), ((-1, 2),), ((-2, 1),), ((-2, 1),), ((-4, 1), (6, 1)))
    world = World(deck=((6, 1),), piles=(((-5, 2), (-3, 1)),), bags=bags)
    assert tidy(world, (1, 2, 1)) == World(deck=((6, 1),), piles=(((1, 1), (6, 2)),), bags=())


def two(knowledge: Knowledge, listing: Listing, event: str, *names: str) -> Knowledge:
    """One event on the engine and on the list: a theft, an unseen draw, a shuffle."""
    piles = [PILES.index(name) for name in names]
    if event == "steal":
        listing.steal(piles[0], piles[1], None)
        return knowledge.steal(*names)
    if event == "draw":
        listing.draw(0, piles[0])
        return knowledge.draw(*names)
    listing.shuffle()
    return knowledge.shuffle()


@pytest.mark.parametrize(
    "course",
    [
        pytest.param("steal ann bob,steal ann bob,steal bob out,steal bob ann", id="thefts from a thief"),
        pytest.param("steal ann bob,steal bob out,steal ann out,steal out bob", id="thefts all round"),
        pytest.param("draw bob,draw bob,steal bob out,shuffle,draw out", id="a stolen draw, then a shuffle"),
        pytest.param("draw ann,steal ann bob,draw bob,steal bob out,shuffle", id="two bags that lie apart"),
    ],
)
def test_cards_that_pass_through_many_hands_stay_exact(course: str) -> None:
    cards = {"kitten": 1, "defuse": 2, "nope": 2, "skip": 1}
    known = [{"kitten": 1}, {"defuse": 1}, {}, {}]
    listing = Listing(cards, [3, 2, 1, 0], known)
    sizes = {"ann": Pile(2, known[1]), "bob": Pile(1), "out": Pile(0)}
    knowledge = Knowledge.start(cards, Pile(3, known[0]), sizes)
    for step in course.split(","):
        knowledge = two(knowledge, listing, *step.split())
    for kind in cards:
        for pile, name in enumerate(PILES):
            in_pile = listing.numbers(lambda lie: lie[1][pile].count(kind))  # noqa: B023
            assert as_numbers(number_held(knowledge, name, kind)) == in_pile
        for place in range(knowledge.deck_size):
            chance = listing.chance(lambda lie: lie[0][place] == kind)  # noqa: B023
            assert card_at(knowledge, place)[kind] == chance
