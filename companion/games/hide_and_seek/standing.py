"""Colours and speed of an animal, or of the enemy, before and after, card by card.

Guide to the cards: 角色牌 (what animals are), 抓躲牌 (catch/hide), 食物牌 and 大米枇杷糖 (food, candy),
裝備牌 (gear), 道具牌 (paint, rocket fist, cannonball), 敵人牌 (which of these work on an enemy).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, RAINBOW, CardKind, Colour
from companion.games.hide_and_seek.moves import HideState, Lying

Note = Literal[
    "catches",
    "hides",
    "speed-only",
    "adds-colour",
    "has-colour",
    "food",
    "faster",
    "slower",
    "no-effect",
    "waits",
    "spent",
]
"""What a card does where it lies, as named in the words under `note`."""


WORN = ("gear", "paint")
"""Cards whose colour becomes the animal's own."""


class Effect(msgspec.Struct, frozen=True):
    """What one card does where it lies: what it adds to the speed, and the colours it is about."""

    card: str
    by: str
    note: Note
    speed: int = 0
    colours: tuple[Colour, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """Colours and speed, before and after the cards.

    `catches` are the colours by which it may catch, `hides` those that it hides by: named by a card and
    borne. `food` is the points of the food on it.
    """

    on: str
    colours_before: tuple[Colour, ...]
    colours: tuple[Colour, ...]
    speed_before: int
    speed: int
    effects: tuple[Effect, ...] = ()
    catches: tuple[Colour, ...] = ()
    hides: tuple[Colour, ...] = ()
    food: int = 0


def standing(state: HideState, on: str) -> Standing:
    """How an animal, or the enemy, stands now."""
    before, speed_before = _before(state, on)
    lying = [(at, each) for at, each in enumerate(state.lying) if each.on == on]
    kinds = state.set.cards
    added = {colour for _, each in lying if kinds[each.card].does in WORN for colour in _of(state, each)}
    colours = sort(set(before) | added)
    effects = _effects(state, before, colours, lying)
    named = {colour for _, each in lying if kinds[each.card].does == "hide" for colour in _of(state, each)}
    catches = named if may_catch(state, on) else set()
    by_itself = on == ENEMY or state.options.colour_without_card
    return Standing(
        on=on,
        colours_before=before,
        colours=colours,
        speed_before=speed_before,
        speed=_at_least(state, speed_before, sum(effect.speed for effect in effects)),
        effects=effects,
        catches=sort(catches | set(colours) if by_itself else catches),
        hides=sort(named & set(colours)) if may_hide(state, on) else (),
        food=sum(kinds[each.card].points for _, each in lying if kinds[each.card].does == "food"),
    )


def standings(state: HideState) -> dict[str, Standing]:
    """Every animal that is free, and the enemy if it is out, by name."""
    every = [each.animal for each in state.free] + ([ENEMY] if state.enemy else [])
    return {on: standing(state, on) for on in every}


def sort(colours: set[Colour]) -> tuple[Colour, ...]:
    """Colours in the order of the rulebook."""
    return tuple(colour for colour in COLOURS if colour in colours)


def may_hide(state: HideState, on: str) -> bool:
    """Whether a catch/hide card hides what it lies on: not the enemy, nor who seeks.

    In the brawl nobody seeks but the enemy; there a card both hides and catches.
    """
    return on != ENEMY and (state.brawl or on != state.seeking)


def may_catch(state: HideState, on: str) -> bool:
    """Whether a catch/hide card lets what it lies on catch by its colour."""
    return on == ENEMY or state.brawl or on == state.seeking


def others_to_eat(state: HideState, at: int) -> tuple[int, ...]:
    """The food and other candies where the candy `lying[at]` lies, as places in `lying`."""
    return tuple(
        other
        for other, each in enumerate(state.lying)
        if other != at
        and each.on == state.lying[at].on
        and state.set.cards[each.card].does in ("food", "candy")
    )


def _at_least(state: HideState, before: int, change: int) -> int:
    """The speed, made no slower by cards than the option `minimum_speed`."""
    lowest = state.options.minimum_speed
    return before + change if lowest == "none" else max(before + change, min(before, int(lowest)))


def _before(state: HideState, on: str) -> tuple[tuple[Colour, ...], int]:
    if on == ENEMY and state.enemy:
        enemy = state.set.cards[state.enemy.card]
        return sort(set(enemy.colours)), enemy.speed
    animal = state.set.animals[on]
    return sort(set(animal.colours)), animal.speed


def _of(state: HideState, each: Lying) -> tuple[Colour, ...]:
    """The colours that a card stands for: its own; of a rainbow, the named one or any."""
    colour = state.set.cards[each.card].colour
    if colour == RAINBOW:
        return COLOURS if each.colour is None else (each.colour,)
    return tuple(each for each in COLOURS if each == colour)


def _effects(
    state: HideState,
    before: tuple[Colour, ...],
    colours: tuple[Colour, ...],
    lying: list[tuple[int, Lying]],
) -> tuple[Effect, ...]:
    effects = []
    worn = set(before)
    for at, each in lying:
        kind = state.set.cards[each.card]
        of = _of(state, each)
        match kind.does:
            case "hide":
                note = _hide_note(state, each, of, colours)
                effects.append(Effect(each.card, each.by, note, kind.speed, of))
            case "gear" | "paint":
                note = "has-colour" if set(of) <= worn else "adds-colour"
                effects.append(Effect(each.card, each.by, note, kind.speed, of))
                worn.update(of)
            case "rocket":
                effects.append(_rocket(state, each, kind))
            case "candy":
                effects.append(_candy(state, at, kind))
            case _:
                effects.append(Effect(each.card, each.by, "food", kind.speed))
    return tuple(effects)


def _hide_note(state: HideState, each: Lying, of: tuple[Colour, ...], colours: tuple[Colour, ...]) -> Note:
    if may_hide(state, each.on) and set(of) & set(colours):
        return "hides"
    return "catches" if may_catch(state, each.on) else "speed-only"


def _rocket(state: HideState, each: Lying, kind: CardKind) -> Effect:
    """A rocket fist or cannonball: nothing on the other species or the enemy (道具牌, 敵人牌)."""
    if each.on == ENEMY or state.set.animals[each.on].species != kind.species:
        return Effect(each.card, each.by, "no-effect")
    usual = state.owner(each.on) == each.by
    if usual if each.faster is None else each.faster:
        return Effect(each.card, each.by, "faster", abs(kind.speed))
    return Effect(each.card, each.by, "slower", -kind.takes)


def _candy(state: HideState, at: int, kind: CardKind) -> Effect:
    each = state.lying[at]
    if each.spent:
        return Effect(each.card, each.by, "spent")
    if each.fresh and others_to_eat(state, at):
        return Effect(each.card, each.by, "waits")
    return Effect(each.card, each.by, "faster", kind.speed)
