"""The view of a phone: every animal before and after, who can be caught and why not, points, chances.

All see the same, except a noted hand: its player alone sees it, with the chances that follow from it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import msgspec

from companion.games.game import Outcome
from companion.games.hide_and_seek import deck, steps
from companion.games.hide_and_seek.animals import Line, Traits, lines, traits
from companion.games.hide_and_seek.cardset import ENEMY, CardSet, Colour
from companion.games.hide_and_seek.state import Caught, HideState, Phase
from companion.odds import Knowledge, any_among, card_at

DRAWN_UP = 3
"""Cards drawn up after laying the most that one may."""

FEW_WORLDS = 8
"""The most cases for the chances of several cards: with 22 kinds, they take some 40 ms then."""


class SeatView(msgspec.Struct, frozen=True):
    """A player: cards in hand and laid in this step, points so far with their reasons.

    `animals`: all, free or caught, as they were entered.
    """

    seat: str
    hand: int
    laid: int
    animals: tuple[str, ...]
    points: int
    lines: tuple[Line, ...]


class AnimalView(msgspec.Struct, frozen=True):
    """A free animal: its owner, its traits, and the verdict of the catch."""

    animal: str
    seat: str
    seeks: bool
    standing: Traits
    verdict: steps.CatchResult | None
    points: int


class EnemyView(msgspec.Struct, frozen=True):
    """The enemy at large: its card, player and traits, and its points without food."""

    card: str
    by: str
    standing: Traits
    points: int


class CatchView(msgspec.Struct, frozen=True):
    """A colour, and the animals that the seeker can catch by it."""

    colour: Colour
    animals: tuple[str, ...]


class Chance(msgspec.Struct, frozen=True):
    """An exact chance: favourable ways of all ways, and as a number from 0 to 1.

    `of`: the number of cards that could come next, if the asker knows them all alike.
    """

    part: int
    of: int
    chance: float


class KindView(msgspec.Struct, frozen=True):
    """A kind of card: how many there are, lie open, are out of play, and have not been seen.

    `in_hand`: noted in the asking player's own hand. `next`: the chance that the deck's next card is one;
    `three`: that one of the next three is. None where nothing can be drawn, or with too many cases to count.
    """

    card: str
    count: int
    lying: int
    out: int
    unseen: int
    in_hand: int = msgspec.field(name="held")
    next: Chance | None
    three: Chance | None


class HandView(msgspec.Struct, frozen=True):
    """A player's own hand, as noted; `untold` cards were drawn since."""

    cards: tuple[str, ...]
    untold: int


class DeckView(msgspec.Struct, frozen=True):
    """The cards left: in the deck, in hands, and every kind. `drawn`: the number of cards `three` is about.

    `exact`: false without chances. `doubt`: the asking player noted an impossible hand and must note it
    again, beginning with its cards that `may_stay`.
    """

    cards: int
    in_hands: int
    drawn: int
    exact: bool
    doubt: bool
    kinds: tuple[KindView, ...]
    may_stay: tuple[str, ...] = ()


class HideView(msgspec.Struct, frozen=True):
    """All that a phone may show."""

    phase: Phase
    brawl: bool
    settled: bool
    round: int
    rounds: int
    seeker: str | None
    seeking: str | None
    order: tuple[str, ...]
    may_play_enemy: bool
    seats: tuple[SeatView, ...]
    animals: tuple[AnimalView, ...]
    caught: tuple[Caught, ...]
    enemy: EnemyView | None
    catch: tuple[CatchView, ...]
    one_victim: str
    caught_now: tuple[str, ...]
    candies: tuple[steps.CandyAsked, ...]
    gears: tuple[steps.GearAsked, ...]
    ends: steps.Brawl | None
    deck: DeckView
    hand: HandView | None
    set: CardSet
    outcome: Outcome | None


def view(state: HideState, seat: str | None) -> HideView:
    """The view of `seat` (None: of the table), with its own noted hand alone."""
    return HideView(
        phase=state.phase,
        brawl=state.brawl,
        settled=state.catching.settled,
        round=state.round,
        rounds=state.rounds,
        seeker=None if state.seeker is None else state.seats[state.seeker],
        seeking=state.seeking,
        order=state.order,
        may_play_enemy=state.phase == "open" and state.enemy is None and not state.enemy_played,
        seats=tuple(_seat(state, player) for player in state.seats),
        animals=_animals(state),
        caught=state.caught,
        enemy=_enemy(state),
        catch=tuple(CatchView(colour, them) for colour, them in steps.catchable(state).items()),
        one_victim=state.options.one_victim,
        caught_now=state.catching.animals,
        candies=steps.candies(state),
        gears=steps.gears(state),
        ends=steps.brawl(state),
        deck=_deck(state, seat),
        hand=_hand(state, seat),
        set=state.set,
        outcome=steps.outcome(state),
    )


def _seat(state: HideState, seat: str) -> SeatView:
    scored = lines(state, seat)
    return SeatView(
        seat=seat,
        hand=state.hands[seat],
        laid=state.laid.get(seat, 0),
        animals=tuple(owned.animal for owned in state.owned if owned.seat == seat),
        points=sum(line.points for line in scored),
        lines=scored,
    )


def _animals(state: HideState) -> tuple[AnimalView, ...]:
    """In the order of the seats, then as entered."""
    results = {} if state.brawl else {result.animal: result for result in steps.catch_results(state)}
    return tuple(
        AnimalView(
            animal=owned.animal,
            seat=owned.seat,
            seeks=owned.animal == state.seeking,
            standing=traits(state, owned.animal),
            verdict=results.get(owned.animal),
            points=state.set.animals[owned.animal].points,
        )
        for owned in sorted(state.free, key=lambda owned: state.seats.index(owned.seat))
    )


def _enemy(state: HideState) -> EnemyView | None:
    if state.enemy is None:
        return None
    card = state.enemy.card
    return EnemyView(card, state.enemy.by, traits(state, ENEMY), state.set.cards[card].points)


def _hand(state: HideState, seat: str | None) -> HandView | None:
    hand = None if seat is None else deck.noted_hand(state, seat)
    return None if hand is None else HandView(hand.cards, hand.untold)


def _deck(state: HideState, seat: str | None) -> DeckView:
    knowledge, sure = deck.knows(state, seat)
    hand = None if seat is None or not sure else deck.noted_hand(state, seat)
    in_hand = Counter(hand.cards if hand else ())
    drawn = min(DRAWN_UP, state.deck)
    unseen = deck.unseen(state)
    lying = Counter(laid.card for laid in state.lying)
    nexts, threes = _chances(knowledge, drawn, unseen.total() - in_hand.total())
    kinds = tuple(
        KindView(
            card=card,
            count=count,
            lying=lying[card],
            out=count - lying[card] - unseen[card],
            unseen=unseen[card],
            in_hand=in_hand[card],
            next=nexts.get(card),
            three=threes.get(card),
        )
        for card, count in state.set.counts(enemies=state.options.enemies).items()
    )
    return DeckView(
        cards=state.deck,
        in_hands=sum(state.hands.values()),
        drawn=drawn,
        exact=knowledge is not None,
        doubt=not sure,
        kinds=kinds,
        may_stay=() if sure or seat is None else deck.may_stay(state, seat),
    )


def _chances(
    knowledge: Knowledge | None, drawn: int, unknown: int
) -> tuple[dict[str, Chance], dict[str, Chance]]:
    """By kind: the chance that the next card is one, and that one of the next `drawn` is."""
    if knowledge is None or not drawn:
        return {}, {}
    nexts = {card: _chance(chance, unknown) for card, chance in card_at(knowledge).items()}
    if len(knowledge.worlds) > FEW_WORLDS:
        return nexts, {}
    return nexts, {card: _chance(any_among(knowledge, drawn, card)) for card in nexts}


def _chance(chance: Fraction, of: int = 0) -> Chance:
    """The chance as a fraction of `of` if possible, else in lowest terms."""
    times = of // chance.denominator if of and of % chance.denominator == 0 else 1
    return Chance(chance.numerator * times, chance.denominator * times, float(chance))
