"""Who can be caught, by which colour, and why not; and how the brawl with the enemy ends.

Guide to the cards: 角色牌 and 抓躲牌 (colour, then speed; who hides is safe), 敵人牌 (the brawl).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, Colour
from companion.games.hide_and_seek.moves import HideState
from companion.games.hide_and_seek.standing import Standing, standings

Why = Literal["", "own", "hides", "no-colour", "faster", "as-fast"]
"""Why an animal cannot be caught; empty when it can. Named in the words under `safe`."""


class Verdict(msgspec.Struct, frozen=True):
    """Whether the seeker can catch an animal: by which colours, or why not.

    `colours` are those that both have, where `why` is about speed or empty; the ones it hides by where
    it hides. `speed` is the animal's, `against` the seeker's.
    """

    animal: str
    why: Why
    colours: tuple[Colour, ...]
    speed: int
    against: int


class Brawl(msgspec.Struct, frozen=True):
    """How the brawl ends as it stands.

    `fastest` are the fastest animals. `may_catch` are those of them that may catch the enemy now: of the
    first in the round's order whose animal is fast enough and of a colour to catch it, and who has not let
    it go. `takes` are the
    animals one of which the enemy takes, all being slower: the slowest of its colours that do not
    hide, of the first in the round's order. `why` says it in a word (`brawl` in the words).
    """

    why: Literal["catch", "takes", "wrong-colour", "nobody"]
    fastest: tuple[str, ...]
    speed: int
    against: int
    may_catch: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def verdicts(state: HideState) -> tuple[Verdict, ...]:
    """Of every free animal but the seeking one, whether it can be caught as the cards lie."""
    stand = standings(state)
    if state.seeking is None or state.seeking not in stand:
        return ()
    return tuple(
        _verdict(state, stand[state.seeking], stand[each.animal])
        for each in state.free
        if each.animal != state.seeking
    )


def _verdict(state: HideState, seeker: Standing, animal: Standing) -> Verdict:
    def because(why: Why, colours: tuple[Colour, ...]) -> Verdict:
        return Verdict(animal.on, why, colours, animal.speed, seeker.speed)

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
    """By colour, the animals that the seeker can catch by it now; in the brawl, none.

    Once one is caught the colour is chosen (抓躲牌), and the option `one_victim` says whether more follow.
    """
    if state.phase != "catch" or state.brawl:
        return {}
    if state.caught_now and state.options.one_victim != "ask":
        return {}
    judged = verdicts(state)
    by_colour = {
        colour: tuple(each.animal for each in judged if not each.why and colour in each.colours)
        for colour in COLOURS
        if state.colour_now in (None, colour)
    }
    return {colour: animals for colour, animals in by_colour.items() if animals}


def brawl(state: HideState) -> Brawl | None:
    """How the brawl ends as the cards lie; None when none is under way."""
    if not state.brawl or state.phase not in ("cards", "candy", "catch") or state.enemy is None:
        return None
    stand = standings(state)
    enemy = stand.pop(ENEMY)
    if not stand:
        return Brawl("nobody", (), 0, enemy.speed)
    most = max(each.speed for each in stand.values())
    fastest = [each for each in stand.values() if each.speed == most]
    names = tuple(each.on for each in fastest)
    if most >= enemy.speed:
        asked = [each for each in fastest if state.owner(each.on) not in state.passed]
        able = _first(state, [each.on for each in asked if set(each.catches) & set(enemy.colours)])
        return Brawl("catch" if able else "wrong-colour", names, most, enemy.speed, may_catch=able)
    prey = [
        each
        for each in stand.values()
        if set(each.colours) & set(enemy.catches) and not (state.options.hide_from_enemy and each.hides)
    ]
    least = min((each.speed for each in prey), default=0)
    takes = _first(state, [each.on for each in prey if each.speed == least])
    return Brawl("takes" if takes else "nobody", names, most, enemy.speed, takes=takes)


def _first(state: HideState, animals: list[str]) -> tuple[str, ...]:
    """Those of the first player in the round's order that has any."""
    for seat in state.order:
        own = tuple(animal for animal in animals if state.owner(animal) == seat)
        if own:
            return own
    return ()
