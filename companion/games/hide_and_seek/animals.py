"""An animal, or the enemy, with the cards on it: colours and speed, card by card; and the points.

Guide to the cards: 角色牌 (what animals are), 抓躲牌 (catch/hide), 食物牌 and 大米枇杷糖 (food, candy),
裝備牌 (gear), 道具牌 (paint, rocket fist, cannonball), 敵人牌 (which of these work on an enemy).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, RAINBOW, CardKind, Colour
from companion.games.hide_and_seek.state import HideState, Lying

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
"""The effect of a card where it lies; named in the messages under `note`."""


WORN = ("gear", "paint")
"""Cards whose colour becomes the animal's own."""


class Effect(msgspec.Struct, frozen=True):
    """The effect of one card where it lies: added speed, and colours."""

    card: str
    by: str
    note: Note
    speed: int = 0
    colours: tuple[Colour, ...] = ()


class Traits(msgspec.Struct, frozen=True):
    """Colours and speed, before and after the cards.

    `catches` and `hides`: the colours to catch and to hide by, named by a card and borne. `food`: the points
    of the food on it.
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


def traits(state: HideState, on: str) -> Traits:
    """The traits of an animal, or of the enemy, now."""
    before, speed_before = _before(state, on)
    lying = [(n, laid) for n, laid in enumerate(state.lying) if laid.on == on]
    kinds = state.set.cards
    added = {colour for _, laid in lying if kinds[laid.card].does in WORN for colour in _of(state, laid)}
    colours = sort(set(before) | added)
    effects = _effects(state, before, colours, lying)
    named = {colour for _, laid in lying if kinds[laid.card].does == "hide" for colour in _of(state, laid)}
    catches = named if may_catch(state, on) else set()
    by_itself = on == ENEMY or state.options.colour_without_card
    return Traits(
        on=on,
        colours_before=before,
        colours=colours,
        speed_before=speed_before,
        speed=_at_least(state, speed_before, sum(effect.speed for effect in effects)),
        effects=effects,
        catches=sort(catches | set(colours) if by_itself else catches),
        hides=sort(named & set(colours)) if may_hide(state, on) else (),
        food=sum(kinds[laid.card].points for _, laid in lying if kinds[laid.card].does == "food"),
    )


def every_traits(state: HideState) -> dict[str, Traits]:
    """The traits of every free animal, and of the enemy if it is out, by name."""
    every = [owned.animal for owned in state.free] + ([ENEMY] if state.enemy else [])
    return {on: traits(state, on) for on in every}


def sort(colours: set[Colour]) -> tuple[Colour, ...]:
    """Colours in the order of the rulebook."""
    return tuple(colour for colour in COLOURS if colour in colours)


def may_hide(state: HideState, on: str) -> bool:
    """True if a catch/hide card hides the animal under it: not the enemy, nor the seeking one.

    In the brawl only the enemy seeks; there a card both hides and catches.
    """
    return on != ENEMY and (state.brawl or on != state.seeking)


def may_catch(state: HideState, on: str) -> bool:
    """True if the animal under a catch/hide card catches by its colour."""
    return on == ENEMY or state.brawl or on == state.seeking


def others_to_eat(state: HideState, candy: int) -> tuple[int, ...]:
    """The food and other candies beside the candy `lying[at]`, as places in `lying`."""
    return tuple(
        other
        for other, laid in enumerate(state.lying)
        if other != candy
        and laid.on == state.lying[candy].on
        and state.set.cards[laid.card].does in ("food", "candy")
    )


def _at_least(state: HideState, before: int, change: int) -> int:
    """The speed, slowed by cards no further than the option `minimum_speed` allows."""
    lowest = state.options.minimum_speed
    return before + change if lowest == "none" else max(before + change, min(before, int(lowest)))


def _before(state: HideState, on: str) -> tuple[tuple[Colour, ...], int]:
    if on == ENEMY and state.enemy:
        enemy = state.set.cards[state.enemy.card]
        return sort(set(enemy.colours)), enemy.speed
    animal = state.set.animals[on]
    return sort(set(animal.colours)), animal.speed


def _of(state: HideState, laid: Lying) -> tuple[Colour, ...]:
    """A card's own colours; a rainbow's named colour, or all."""
    colour = state.set.cards[laid.card].colour
    if colour == RAINBOW:
        return COLOURS if laid.colour is None else (laid.colour,)
    return tuple(one for one in COLOURS if one == colour)


def _effects(
    state: HideState, before: tuple[Colour, ...], colours: tuple[Colour, ...], lying: list[tuple[int, Lying]]
) -> tuple[Effect, ...]:
    effects = []
    worn = set(before)
    for n, laid in lying:
        kind = state.set.cards[laid.card]
        of = _of(state, laid)
        match kind.does:
            case "hide":
                note = _hide_note(state, laid, of, colours)
                effects.append(Effect(laid.card, laid.by, note, kind.speed, of))
            case "gear" | "paint":
                note = "has-colour" if set(of) <= worn else "adds-colour"
                effects.append(Effect(laid.card, laid.by, note, kind.speed, of))
                worn.update(of)
            case "rocket":
                effects.append(_rocket(state, laid, kind))
            case "candy":
                effects.append(_candy(state, n, kind))
            case _:
                effects.append(Effect(laid.card, laid.by, "food", kind.speed))
    return tuple(effects)


def _hide_note(state: HideState, laid: Lying, of: tuple[Colour, ...], colours: tuple[Colour, ...]) -> Note:
    if may_hide(state, laid.on) and set(of) & set(colours):
        return "hides"
    return "catches" if may_catch(state, laid.on) else "speed-only"


def _rocket(state: HideState, laid: Lying, kind: CardKind) -> Effect:
    """A rocket fist or cannonball: no effect on the other species or the enemy (道具牌, 敵人牌)."""
    if laid.on == ENEMY or state.set.animals[laid.on].species != kind.species:
        return Effect(laid.card, laid.by, "no-effect")
    usual = state.owner(laid.on) == laid.by
    if usual if laid.faster is None else laid.faster:
        return Effect(laid.card, laid.by, "faster", abs(kind.speed))
    return Effect(laid.card, laid.by, "slower", -kind.takes)


def _candy(state: HideState, n: int, kind: CardKind) -> Effect:
    laid = state.lying[n]
    if laid.spent:
        return Effect(laid.card, laid.by, "spent")
    if laid.fresh and others_to_eat(state, n):
        return Effect(laid.card, laid.by, "waits")
    return Effect(laid.card, laid.by, "faster", kind.speed)


class Line(msgspec.Struct, frozen=True):
    """Points and their reason: an animal, the food on it, a caught enemy, or the food on that."""

    what: Literal["animal", "food", "enemy", "enemy-food"]
    name: str
    points: int


def lines(state: HideState, seat: str) -> tuple[Line, ...]:
    """Every line of a seat's points; those without points only for animals and enemies."""
    lines = []
    for owned in state.free:
        if owned.seat == seat:
            lines.append(Line("animal", owned.animal, state.set.animals[owned.animal].points))
            food = traits(state, owned.animal).food
            if food:
                lines.append(Line("food", owned.animal, food))
    for caught in state.enemies_caught:
        if caught.by == seat:
            lines.append(Line("enemy", caught.card, caught.points))
            if caught.food:
                lines.append(Line("enemy-food", caught.card, caught.food))
    return tuple(lines)


def points(state: HideState) -> dict[str, int]:
    """Every seat's points, if it ended now."""
    return {seat: sum(line.points for line in lines(state, seat)) for seat in state.seats}
