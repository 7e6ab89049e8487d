"""What follows once cards are up: candies eaten, animals out, cards put away, the next round.

Guide to the cards: 大米枇杷糖 (candy), 裝備牌 (gear twice), the hourglass (a card stays for the round), and
the steps 4 to 6 of a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.games.hide_and_seek import deck
from companion.games.hide_and_seek.cardset import ENEMY, Colour
from companion.games.hide_and_seek.moves import Caught, HideState, Lying
from companion.games.hide_and_seek.standing import others_to_eat

FOR_A_ROUND = ("hide", "paint", "rocket")
"""Cards with an hourglass: they go when the round ends."""


class CandyAsked(msgspec.Struct, frozen=True):
    """A candy whose animal's player must choose: which food goes.

    `at` is the candy's place in `lying`; `owner` who chooses: of the enemy, who played it. `choices` are the
    cards that may go: by the option `candy_removes`, no candy while other food lies there. `may_keep`: only
    other candies lie there, and none need go.
    """

    on: str
    at: int
    owner: str
    choices: tuple[str, ...]
    may_keep: bool


class GearAsked(msgspec.Struct, frozen=True):
    """Gears of one kind that lie twice on an animal (or the enemy): one of `choices` goes."""

    on: str
    owner: str
    gear: str
    choices: tuple[str, ...]


def owner_of(state: HideState, on: str) -> str:
    """Who decides for an animal; for the enemy, who played it."""
    if on == ENEMY:
        return state.enemy.by if state.enemy else ""
    return state.owner(on) or ""


def all_up(state: HideState) -> HideState:
    """All cards are turned up: candies first, then the catch."""
    return _eaten(msgspec.structs.replace(state, phase="candy"))


def candies(state: HideState) -> tuple[CandyAsked, ...]:
    """The candies that wait for a choice, the first of each animal; only in the step "candy"."""
    if state.phase != "candy":
        return ()
    asked: dict[str, CandyAsked] = {}
    for at, each in enumerate(state.lying):
        if each.on not in asked and _is_fresh_candy(state, each):
            asked[each.on] = _asked(state, at)
    return tuple(asked.values())


def _is_fresh_candy(state: HideState, each: Lying) -> bool:
    return each.fresh and state.set.cards[each.card].does == "candy"


def _asked(state: HideState, at: int) -> CandyAsked:
    others = [state.lying[other].card for other in others_to_eat(state, at)]
    food = [card for card in others if state.set.cards[card].does != "candy"]
    choices = food if food and state.options.candy_removes == "food-first" else others
    on = state.lying[at].on
    return CandyAsked(on, at, owner_of(state, on), tuple(dict.fromkeys(choices)), not food)


def _eaten(state: HideState) -> HideState:
    """Settle the candies that leave no choice; go on to the catch when none is left."""
    while True:
        asked = candies(state)
        settled = next((each for each in asked if len(each.choices) + each.may_keep == 1), None)
        if settled is not None:
            state = _eat(state, settled.at, next(iter(settled.choices), None))
        elif asked:
            return state
        else:
            fresh = tuple(msgspec.structs.replace(each, fresh=False) for each in state.lying)
            return msgspec.structs.replace(state, phase="catch", lying=fresh)


def eat(state: HideState, at: int, food: str | None) -> HideState:
    """The candy `lying[at]` removes that food (None: it is kept); then what follows from it."""
    return _eaten(_eat(state, at, food))


def _eat(state: HideState, at: int, food: str | None) -> HideState:
    """Of candies of a kind, one that is spent goes first: it has nothing more to lose."""
    candy = msgspec.structs.replace(state.lying[at], fresh=False, spent=food is not None)
    lying = list(state.lying)
    lying[at] = candy
    gone = []
    if food is not None:
        alike = [other for other in others_to_eat(state, at) if state.lying[other].card == food]
        gone.append(max(alike, key=lambda other: state.lying[other].spent))
        if state.options.spent_candy == "discarded":
            gone.append(at)
    return msgspec.structs.replace(
        state,
        lying=tuple(each for place, each in enumerate(lying) if place not in gone),
        discards=(*state.discards, *(state.lying[place].card for place in gone)),
    )


def laid_aside(state: HideState, which: Callable[[Lying], bool]) -> HideState:
    """The cards that lie and are `which` go to the discards."""
    return msgspec.structs.replace(
        state,
        lying=tuple(each for each in state.lying if not which(each)),
        discards=(*state.discards, *(each.card for each in state.lying if which(each))),
    )


def out(state: HideState, animals: Iterable[str], by: str) -> HideState:
    """Animals are caught: out of the match, with the cards on them."""
    gone = tuple(animals)
    state = laid_aside(state, lambda each: each.on in gone)
    caught = tuple(Caught(animal, by, state.round) for animal in gone)
    return msgspec.structs.replace(state, caught=(*state.caught, *caught))


def catch(state: HideState, animals: tuple[str, ...], colour: Colour) -> HideState:
    """The seeker catches these by that colour."""
    state = out(state, animals, state.order[0])
    return msgspec.structs.replace(state, caught_now=(*state.caught_now, *animals), colour_now=colour)


def after_the_catch(state: HideState) -> HideState:
    """Step 4, the brawl, when an enemy is out; else the round's end."""
    if state.enemy is None or state.brawl:
        return _round_over(msgspec.structs.replace(state, phase="gear"))
    if state.options.brawl_clears:
        state = _hourglasses(state)
    return msgspec.structs.replace(
        state, phase="cards", brawl=True, settled=False, passed=(), laid={}, caught_now=(), colour_now=None
    )


def _hourglasses(state: HideState) -> HideState:
    return laid_aside(state, lambda each: state.set.cards[each.card].does in FOR_A_ROUND)


def gears(state: HideState) -> tuple[GearAsked, ...]:
    """Gears of one kind that lie twice where their player must choose; only at the round's end."""
    if state.phase != "gear":
        return ()
    worn: dict[tuple[str, str], list[str]] = {}
    for each in state.lying:
        kind = state.set.cards[each.card]
        if kind.does == "gear":
            worn.setdefault((each.on, kind.gear), []).append(each.card)
    return tuple(
        GearAsked(on, owner_of(state, on), gear, tuple(dict.fromkeys(cards)))
        for (on, gear), cards in worn.items()
        if len(cards) > 1
    )


def drop_gear(state: HideState, on: str, card: str) -> HideState:
    """That gear goes; then what follows from it."""
    return _round_over(_drop(state, on, card))


def _drop(state: HideState, on: str, card: str) -> HideState:
    at = next(at for at, each in enumerate(state.lying) if (each.on, each.card) == (on, card))
    return msgspec.structs.replace(
        state,
        lying=state.lying[:at] + state.lying[at + 1 :],
        discards=(*state.discards, card),
    )


def _round_over(state: HideState) -> HideState:
    """Gears that lie twice, then the hourglass, drawing up, and the next seeker (step 6)."""
    while asked := gears(state):
        alike = next((each for each in asked if len(each.choices) == 1), None)
        if alike is None:
            return state
        state = _drop(state, alike.on, alike.choices[0])
    return _next_round(deck.dealt(_hourglasses(state)))


def _next_round(state: HideState) -> HideState:
    """The next player who still has an animal seeks; the match is over when the rounds are."""
    state = msgspec.structs.replace(
        state,
        phase="open",
        seeking=None,
        laid={},
        brawl=False,
        settled=False,
        passed=(),
        enemy_played=False,
        caught_now=(),
        colour_now=None,
    )
    if not state.free:
        return msgspec.structs.replace(state, phase="over", ended="none-free")
    for passed in range(1, len(state.seats) + 1):
        if state.rounds and state.round + passed > state.rounds:
            break
        seeker = ((state.seeker or 0) + passed) % len(state.seats)
        if any(each.seat == state.seats[seeker] for each in state.free):
            return msgspec.structs.replace(state, seeker=seeker, round=state.round + passed)
    return msgspec.structs.replace(state, phase="over", ended="rounds")
