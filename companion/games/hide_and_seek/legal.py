"""Every move that can be made now: for the tests, and for play by chance."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hide_and_seek import catching, closing, deck
from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, RAINBOW
from companion.games.hide_and_seek.moves import (
    MOST_LAID,
    Catch,
    CatchEnemy,
    DropGear,
    End,
    GoOn,
    HideMove,
    HideState,
    Own,
    PlayEnemy,
    RemoveFood,
    Seek,
    Taken,
    TurnUp,
)


def legal_moves(state: HideState) -> Iterator[HideMove]:
    """Every move forward; the note of a hand moves nothing, and is left out."""
    match state.phase:
        case "animals":
            yield from _animals(state)
        case "open":
            yield from _openings(state)
        case "cards":
            yield from _cards(state)
        case "candy":
            for candy in closing.candies(state):
                yield from (RemoveFood(candy.on, food) for food in candy.choices)
                if candy.may_keep:
                    yield RemoveFood(candy.on, None)
        case "catch":
            yield from _catches(state)
        case "gear":
            for gear in closing.gears(state):
                yield from (DropGear(gear.on, card) for card in gear.choices)
    if may_go_on(state):
        yield GoOn()


def turn(state: HideState) -> str | None:
    """Who decides now: the seeker, or whose animal a candy or a gear is about; None when all act."""
    if state.phase in ("animals", "cards", "over") or state.seeker is None:
        return None
    owners = [each.owner for each in closing.candies(state)]
    owners += [each.owner for each in closing.gears(state)]
    if owners:
        return owners[0]
    brawl = None if state.settled else catching.brawl(state)
    decides = brawl.may_catch + brawl.takes if brawl else ()
    return state.owner(decides[0]) if decides else state.seats[state.seeker]


def may_go_on(state: HideState) -> bool:
    """Whether this step of the round can end: not while the enemy is about to take an animal."""
    if state.phase == "catch":
        brawl = None if state.settled else catching.brawl(state)
        return brawl is None or not brawl.takes
    return state.phase == "cards"


def _animals(state: HideState) -> Iterator[Own]:
    box = state.set
    for seat in state.seats:
        if sum(own.seat == seat for own in state.owned) < box.animals_each:
            yield from (Own(seat, animal) for animal in box.animals if state.owner(animal) is None)


def _openings(state: HideState) -> Iterator[HideMove]:
    for own in state.free:
        if state.seeker is None or own.seat == state.seats[state.seeker]:
            yield Seek(own.animal)
    if state.enemy is None and not state.enemy_played:
        for seat in state.order:
            for card in _could_show(state, seat):
                if state.set.cards[card].does == "enemy":
                    yield PlayEnemy(seat, card)
    yield End()


def _could_show(state: HideState, seat: str) -> Iterator[str]:
    if state.hands[seat]:
        yield from (card for card in state.set.cards if deck.could_hold(state, seat, (card,)))


def _cards(state: HideState) -> Iterator[TurnUp]:
    where = [own.animal for own in state.free] + ([ENEMY] if state.enemy else [])
    for seat in state.order:
        if state.laid.get(seat, 0) >= MOST_LAID:
            continue
        for card in _could_show(state, seat):
            for on in where:
                yield from _ways(state, seat, card, on)


def _ways(state: HideState, seat: str, card: str, on: str) -> Iterator[TurnUp]:
    """A card on an animal, with each colour that a rainbow can be named, and either way for a rocket."""
    kind = state.set.cards[card]
    if kind.does == "enemy":
        return
    if not (kind.colour == RAINBOW and on == ENEMY):
        yield TurnUp(seat, card, on)
    if kind.colour == RAINBOW:
        yield from (TurnUp(seat, card, on, colour=colour) for colour in COLOURS)
    if kind.does == "rocket" and on != ENEMY:
        yield TurnUp(seat, card, on, faster=state.owner(on) != seat)


def _catches(state: HideState) -> Iterator[HideMove]:
    mode = state.options.one_victim
    for colour, animals in catching.catchable(state).items():
        if mode != "all":
            yield from (Catch(colour, animal) for animal in animals)
        if mode == "all" or (mode == "ask" and len(animals) > 1):
            yield Catch(colour)
    brawl = None if state.settled else catching.brawl(state)
    if brawl is not None:
        yield from (CatchEnemy(animal) for animal in brawl.may_catch)
        yield from (Taken(animal) for animal in brawl.takes)
