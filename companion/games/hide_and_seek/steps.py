"""The steps of a round after cards are up: candies, the catch, the brawl, cards put away, the
next round.

Guide to the cards: 大米枇杷糖 (candy), 角色牌 and 抓躲牌 (colour, then speed; hiding is safe), 敵人牌 (the
brawl), 裝備牌 (gear twice), the hourglass (a card stays for the round), and the steps 4 to 6 of
a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.games.game import Outcome
from companion.games.hide_and_seek import deck
from companion.games.hide_and_seek.animals import Traits, every_traits, others_to_eat, points
from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, Colour
from companion.games.hide_and_seek.state import Catching, Caught, HideState, Lying

Why = Literal["", "own", "hides", "no-colour", "faster", "as-fast"]
"""The reason that an animal is safe, or empty; named in the messages under `safe`."""


class CatchResult(msgspec.Struct, frozen=True):
    """The colours by which the seeker can catch an animal, or the reason that it cannot.

    `colours`: those that both have if `why` is about speed or empty; those it hides by if it hides. `speed`:
    the animal's; `against`: the seeker's.
    """

    animal: str
    why: Why
    colours: tuple[Colour, ...]
    speed: int
    against: int


class Brawl(msgspec.Struct, frozen=True):
    """The end of the brawl as it stands.

    `may_catch`: those of the `fastest` animals that may catch the enemy now: of the first player in the
    round's order with an animal fast enough and of a fitting colour, who has not let it go. `takes`: the
    animals, one of which the enemy takes if all are slower: the slowest of its colours that do not hide, of
    the first player in the round's order. `why`: the key under `brawl` in the messages.
    """

    why: Literal["catch", "takes", "wrong-colour", "nobody"]
    fastest: tuple[str, ...]
    speed: int
    against: int
    may_catch: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def catch_results(state: HideState) -> tuple[CatchResult, ...]:
    """The result for every free animal but the seeking one, as the cards lie."""
    stand = every_traits(state)
    if state.seeking is None or state.seeking not in stand:
        return ()
    return tuple(
        catch_result(state, stand[state.seeking], stand[owned.animal])
        for owned in state.free
        if owned.animal != state.seeking
    )


def catch_result(state: HideState, seeker: Traits, animal: Traits) -> CatchResult:
    """The verdict on one animal: caught, or the first reason why it escapes."""

    def because(why: Why, colours: tuple[Colour, ...]) -> CatchResult:
        return CatchResult(animal.on, why, colours, animal.speed, seeker.speed)

    common = tuple(colour for colour in seeker.catches if colour in animal.colours)
    if state.owner(animal.on) == state.owner(seeker.on):
        return because("own", ())
    if animal.hides:
        return because("hides", animal.hides)
    if not common:
        return because("no-colour", ())
    if animal.speed > seeker.speed:
        return because("faster", common)
    if animal.speed == seeker.speed and state.options.tie_speed == "escape":
        return because("as-fast", common)
    return because("", common)


def catchable(state: HideState) -> dict[Colour, tuple[str, ...]]:
    """The animals that the seeker can catch now, by colour; empty in the brawl.

    After a catch its colour is fixed (抓躲牌); the option `one_victim` says if more follow.
    """
    if state.phase != "catch" or state.brawl:
        return {}
    if state.catching.animals and state.options.one_victim != "ask":
        return {}
    judged = catch_results(state)
    by_colour = {
        colour: tuple(result.animal for result in judged if not result.why and colour in result.colours)
        for colour in COLOURS
        if state.catching.colour in (None, colour)
    }
    return {colour: animals for colour, animals in by_colour.items() if animals}


def brawl(state: HideState) -> Brawl | None:
    """The end of the brawl as the cards lie; None outside a brawl, and after its catch."""
    if not state.brawl or state.catching.settled or state.enemy is None:
        return None
    if state.phase not in ("cards", "candy", "catch"):
        return None
    stand = every_traits(state)
    enemy = stand.pop(ENEMY)
    if not stand:
        return Brawl("nobody", (), 0, enemy.speed)
    most = max(animal.speed for animal in stand.values())
    fastest = [animal for animal in stand.values() if animal.speed == most]
    names = tuple(animal.on for animal in fastest)
    if most >= enemy.speed:
        asked = [animal for animal in fastest if state.owner(animal.on) not in state.catching.passed]
        able = _first(state, [animal.on for animal in asked if set(animal.catches) & set(enemy.colours)])
        return Brawl("catch" if able else "wrong-colour", names, most, enemy.speed, may_catch=able)
    prey = [
        animal
        for animal in stand.values()
        if set(animal.colours) & set(enemy.catches) and not (state.options.hide_from_enemy and animal.hides)
    ]
    least = min((animal.speed for animal in prey), default=0)
    takes = _first(state, [animal.on for animal in prey if animal.speed == least])
    return Brawl("takes" if takes else "nobody", names, most, enemy.speed, takes=takes)


def _first(state: HideState, animals: list[str]) -> tuple[str, ...]:
    """The animals of the first player in the round's order that has any."""
    for seat in state.order:
        theirs = tuple(animal for animal in animals if state.owner(animal) == seat)
        if theirs:
            return theirs
    return ()


FOR_A_ROUND = ("hide", "paint", "rocket")
"""Cards with an hourglass: they go when the round ends."""


class CandyAsked(msgspec.Struct, frozen=True):
    """A candy for which the animal's player must choose the food that goes.

    `at`: the candy's place in `lying`. `owner`: who chooses; for the enemy, its player. `choices`: the cards
    that may go; by the option `candy_removes`, no candy while other food lies there. `may_keep`: only other
    candies lie there, and all may stay.
    """

    on: str
    at: int
    owner: str
    choices: tuple[str, ...]
    may_keep: bool


class GearAsked(msgspec.Struct, frozen=True):
    """Two gears of one kind on an animal or the enemy: one of `choices` goes."""

    on: str
    owner: str
    gear: str
    choices: tuple[str, ...]


def owner_of(state: HideState, on: str) -> str:
    """The seat that decides for an animal; for the enemy, its player."""
    if on == ENEMY:
        return state.enemy.by if state.enemy else ""
    return state.owner(on) or ""


def all_up(state: HideState) -> HideState:
    """All cards are up: candies first, then the catch."""
    return _eaten(replace(state, phase="candy"))


def candies(state: HideState) -> tuple[CandyAsked, ...]:
    """The candies that wait for a choice, the first of each animal; only in the phase `candy`."""
    if state.phase != "candy":
        return ()
    asked: dict[str, CandyAsked] = {}
    for place, laid in enumerate(state.lying):
        if laid.on not in asked and laid.fresh and state.set.cards[laid.card].does == "candy":
            asked[laid.on] = _asked(state, place)
    return tuple(asked.values())


def _asked(state: HideState, candy: int) -> CandyAsked:
    others = [state.lying[other].card for other in others_to_eat(state, candy)]
    food = [card for card in others if state.set.cards[card].does != "candy"]
    choices = food if food and state.options.candy_removes == "food-first" else others
    on = state.lying[candy].on
    return CandyAsked(on, candy, owner_of(state, on), tuple(dict.fromkeys(choices)), not food)


def _eaten(state: HideState) -> HideState:
    """Settle the candies without a choice; go on to the catch after the last one."""
    while True:
        asked = candies(state)
        settled = next((candy for candy in asked if len(candy.choices) + candy.may_keep == 1), None)
        if settled is not None:
            state = _eat(state, settled.at, next(iter(settled.choices), None))
        elif asked:
            return state
        else:
            fresh = tuple(replace(laid, fresh=False) for laid in state.lying)
            return replace(state, phase="catch", lying=fresh)


def eat(state: HideState, place: int, food: str | None) -> HideState:
    """The candy `lying[at]` removes that food (None: it is kept); then the consequences."""
    return _eaten(_eat(state, place, food))


def _eat(state: HideState, n: int, food: str | None) -> HideState:
    """Of candies of a kind, a spent one goes first: it has nothing to lose."""
    candy = replace(state.lying[n], fresh=False, spent=food is not None)
    lying = list(state.lying)
    lying[n] = candy
    gone = []
    if food is not None:
        alike = [other for other in others_to_eat(state, n) if state.lying[other].card == food]
        gone.append(max(alike, key=lambda other: state.lying[other].spent))
        if state.options.spent_candy == "discarded":
            gone.append(n)
    return replace(
        state,
        lying=tuple(laid for place, laid in enumerate(lying) if place not in gone),
        discards=(*state.discards, *(state.lying[place].card for place in gone)),
    )


def laid_aside(state: HideState, which: Callable[[Lying], bool]) -> HideState:
    """Discard the lying cards that are `which`."""
    return replace(
        state,
        lying=tuple(laid for laid in state.lying if not which(laid)),
        discards=(*state.discards, *(laid.card for laid in state.lying if which(laid))),
    )


def out(state: HideState, animals: Iterable[str], by: str) -> HideState:
    """Animals are caught: out of the match, with the cards on them."""
    gone = tuple(animals)
    state = laid_aside(state, lambda laid: laid.on in gone)
    caught = tuple(Caught(animal, by, state.round) for animal in gone)
    return replace(state, caught=(*state.caught, *caught))


def catch(state: HideState, animals: tuple[str, ...], colour: Colour) -> HideState:
    """The seeker catches these by that colour."""
    state = out(state, animals, state.order[0])
    return replace(state, catching=Catching((*state.catching.animals, *animals), colour))


def after_the_catch(state: HideState) -> HideState:
    """Step 4, the brawl, if an enemy is out; else the round's end."""
    if state.enemy is None or state.brawl:
        return _round_over(replace(state, phase="gear"))
    if state.options.brawl_clears:
        state = _hourglasses(state)
    return replace(state, phase="cards", brawl=True, catching=Catching(), laid={})


def _hourglasses(state: HideState) -> HideState:
    return laid_aside(state, lambda laid: state.set.cards[laid.card].does in FOR_A_ROUND)


def gears(state: HideState) -> tuple[GearAsked, ...]:
    """Gears of one kind on an animal among which their player must choose; only at the round's end."""
    if state.phase != "gear":
        return ()
    worn: dict[tuple[str, str], list[str]] = {}
    for laid in state.lying:
        kind = state.set.cards[laid.card]
        if kind.does == "gear":
            worn.setdefault((laid.on, kind.gear), []).append(laid.card)
    return tuple(
        GearAsked(on, owner_of(state, on), gear, tuple(dict.fromkeys(cards)))
        for (on, gear), cards in worn.items()
        if len(cards) > 1
    )


def drop_gear(state: HideState, on: str, card: str) -> HideState:
    """That gear goes; then the consequences."""
    return _round_over(_drop(state, on, card))


def _drop(state: HideState, on: str, card: str) -> HideState:
    n = next(n for n, laid in enumerate(state.lying) if (laid.on, laid.card) == (on, card))
    return replace(state, lying=state.lying[:n] + state.lying[n + 1 :], discards=(*state.discards, card))


def _round_over(state: HideState) -> HideState:
    """Two gears of a kind, then the hourglass, drawing up, and the next seeker (step 6)."""
    while asked := gears(state):
        alike = next((gear for gear in asked if len(gear.choices) == 1), None)
        if alike is None:
            return state
        state = _drop(state, alike.on, alike.choices[0])
    return _next_round(deck.dealt(_hourglasses(state)))


def _next_round(state: HideState) -> HideState:
    """The next player with a free animal seeks; after the last round, the match is over."""
    state = replace(
        state, phase="open", seeking=None, laid={}, brawl=False, catching=Catching(), enemy_played=False
    )
    if not state.free:
        return replace(state, phase="over", ended="none-free")
    for passed in range(1, len(state.seats) + 1):
        if state.rounds and state.round + passed > state.rounds:
            break
        seeker = ((state.seeker or 0) + passed) % len(state.seats)
        if any(owned.seat == state.seats[seeker] for owned in state.free):
            return replace(state, seeker=seeker, round=state.round + passed)
    return replace(state, phase="over", ended="rounds")


def outcome(state: HideState) -> Outcome | None:
    """The seats with the most points, once it is over."""
    if state.phase != "over":
        return None
    every = points(state)
    winners = tuple(seat for seat in state.seats if every[seat] == max(every.values()))
    return Outcome(state.ended, winners, every)
