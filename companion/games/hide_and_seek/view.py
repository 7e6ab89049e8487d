"""What a phone may show: every animal before and after, who can be caught and why not, points, chances.

All see the same, except a hand that a player noted: that player alone sees it, and the
chances that follow from it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import msgspec

from companion.games.game import Outcome
from companion.games.hide_and_seek import catching, closing, deck, score
from companion.games.hide_and_seek.cardset import ENEMY, CardSet, Colour
from companion.games.hide_and_seek.moves import Caught, HideState, Phase
from companion.games.hide_and_seek.standing import Standing, standing
from companion.odds import Knowledge, any_among, card_at

DRAWN_UP = 3
"""How many cards are drawn up when one has laid as many as one may."""

FEW_WORLDS = 8
"""The most cases for which the chances of several cards are given too. Tried on matches of 24 rounds with 22
kinds: 22 such answers take some 40 ms then, and grow as the cases do."""


class SeatView(msgspec.Struct, frozen=True):
    """A player: cards in hand and laid in this step, points so far with what they are for.

    `animals` are all that it had, as they were entered: free or caught.
    """

    seat: str
    hand: int
    laid: int
    animals: tuple[str, ...]
    points: int
    lines: tuple[score.Line, ...]


class AnimalView(msgspec.Struct, frozen=True):
    """An animal that is free: whose, how it stands, and whether the seeker can catch it."""

    animal: str
    seat: str
    seeks: bool
    standing: Standing
    verdict: catching.Verdict | None
    points: int


class EnemyView(msgspec.Struct, frozen=True):
    """The enemy at large: which card, who played it, how it stands, its points without food."""

    card: str
    by: str
    standing: Standing
    points: int


class CatchView(msgspec.Struct, frozen=True):
    """A colour, and the animals that the seeker can catch by it."""

    colour: Colour
    animals: tuple[str, ...]


class Chance(msgspec.Struct, frozen=True):
    """An exact chance: favourable ways of all ways, and as a number from 0 to 1.

    Where the cards that could come next are all alike to who asks, `of` is how many those are.
    """

    part: int
    of: int
    chance: float


class KindView(msgspec.Struct, frozen=True):
    """A kind of card: how many there are, lie open, are out of play, and have not been seen.

    `in_hand` are those that the asking player noted in the own hand. `next` is the chance that the
    next card of the deck is one, `three` that one of the next three is; None where nothing can be drawn, or
    where there are too many cases to count.
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
    """The cards left: in the deck, in hands, and every kind. `drawn` is how many `three` is about.

    `exact` is false when no chances can be given; `doubt` when the asking player noted an impossible hand:
    it is asked for again, beginning with those of its cards that `may_stay`.
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
    candies: tuple[closing.CandyAsked, ...]
    gears: tuple[closing.GearAsked, ...]
    ends: catching.Brawl | None
    deck: DeckView
    hand: HandView | None
    set: CardSet
    outcome: Outcome | None


def view(state: HideState, seat: str | None) -> HideView:
    """What `seat` is shown (None: the table); of noted hands, only its own."""
    return HideView(
        phase=state.phase,
        brawl=state.brawl,
        settled=state.settled,
        round=state.round,
        rounds=state.rounds,
        seeker=None if state.seeker is None else state.seats[state.seeker],
        seeking=state.seeking,
        order=state.order,
        may_play_enemy=state.phase == "open" and state.enemy is None and not state.enemy_played,
        seats=tuple(_seat(state, each) for each in state.seats),
        animals=_animals(state),
        caught=state.caught,
        enemy=_enemy(state),
        catch=tuple(CatchView(colour, them) for colour, them in catching.catchable(state).items()),
        one_victim=state.options.one_victim,
        caught_now=state.caught_now,
        candies=closing.candies(state),
        gears=closing.gears(state),
        ends=None if state.settled else catching.brawl(state),
        deck=_deck(state, seat),
        hand=_hand(state, seat),
        set=state.set,
        outcome=score.outcome(state),
    )


def _seat(state: HideState, seat: str) -> SeatView:
    lines = score.lines(state, seat)
    return SeatView(
        seat=seat,
        hand=state.hands[seat],
        laid=state.laid.get(seat, 0),
        animals=tuple(own.animal for own in state.owned if own.seat == seat),
        points=sum(line.points for line in lines),
        lines=lines,
    )


def _animals(state: HideState) -> tuple[AnimalView, ...]:
    """In the order of the seats, then as they were entered."""
    verdicts = {} if state.brawl else {each.animal: each for each in catching.verdicts(state)}
    return tuple(
        AnimalView(
            animal=own.animal,
            seat=own.seat,
            seeks=own.animal == state.seeking,
            standing=standing(state, own.animal),
            verdict=verdicts.get(own.animal),
            points=state.set.animals[own.animal].points,
        )
        for own in sorted(state.free, key=lambda own: state.seats.index(own.seat))
    )


def _enemy(state: HideState) -> EnemyView | None:
    if state.enemy is None:
        return None
    card = state.enemy.card
    return EnemyView(card, state.enemy.by, standing(state, ENEMY), state.set.cards[card].points)


def _hand(state: HideState, seat: str | None) -> HandView | None:
    hand = None if seat is None else deck.noted_hand(state, seat)
    return None if hand is None else HandView(hand.cards, hand.untold)


def _deck(state: HideState, seat: str | None) -> DeckView:
    knowledge, sure = deck.knows(state, seat)
    hand = None if seat is None or not sure else deck.noted_hand(state, seat)
    in_hand = Counter(hand.cards if hand else ())
    drawn = min(DRAWN_UP, state.deck)
    unseen = deck.unseen(state)
    lying = Counter(each.card for each in state.lying)
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
    """Of each kind: that the next card is one, and that one of the next `drawn` is."""
    if knowledge is None or not drawn:
        return {}, {}
    nexts = {card: _chance(chance, unknown) for card, chance in card_at(knowledge).items()}
    if len(knowledge.worlds) > FEW_WORLDS:
        return nexts, {}
    return nexts, {card: _chance(any_among(knowledge, drawn, card)) for card in nexts}


def _chance(chance: Fraction, of: int = 0) -> Chance:
    """The chance as a fraction of `of` where it is one, else in its lowest terms."""
    times = of // chance.denominator if of and of % chance.denominator == 0 else 1
    return Chance(chance.numerator * times, chance.denominator * times, float(chance))
