"""What may be done now and what not, and why: the whole round.

Guide to the cards, "加入敵人牌當回合的完整流程" (the steps 0 to 6): an enemy, who seeks, the cards turned up,
the catch, the brawl, drawing up. What a card does stands in `standing`, who is caught in `catching`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.errors import IllegalMove, InvalidMove
from companion.games.hide_and_seek import catching, closing, deck
from companion.games.hide_and_seek.cardset import ENEMY, RAINBOW
from companion.games.hide_and_seek.moves import (
    MOST_LAID,
    SLUG,
    Catch,
    CatchEnemy,
    DropGear,
    End,
    EnemyCaught,
    EnemyOut,
    GoOn,
    HideMove,
    HideOptions,
    HideState,
    Hold,
    Lying,
    Own,
    Owned,
    PlayEnemy,
    RemoveFood,
    Seek,
    Taken,
    TurnUp,
)
from companion.games.hide_and_seek.standing import others_to_eat, standing

RULES = (
    "match-over",
    "not-now",
    "set-players",
    "set-animals",
    "set-cards",
    "no-such-seat",
    "no-such-animal",
    "no-such-card",
    "animal-taken",
    "animals-enough",
    "animal-caught",
    "only-the-seeker",
    "no-enemy-card",
    "one-enemy-a-round",
    "enemy-at-large",
    "no-enemy-out",
    "enemy-is-not-laid",
    "three-cards",
    "hand-empty",
    "card-all-seen",
    "card-not-in-hand",
    "name-a-colour",
    "colour-of-rainbow-only",
    "faster-of-rocket-only",
    "no-candy-there",
    "no-such-food",
    "food-must-go",
    "food-first",
    "nobody-seeks",
    "own-animal",
    "hidden",
    "no-colour",
    "too-fast",
    "as-fast",
    "colour-not-caught",
    "one-colour",
    "one-victim",
    "all-of-a-colour",
    "not-the-fastest",
    "enemy-other-colour",
    "enemy-let-go",
    "enemy-takes",
    "enemy-takes-none",
    "enemy-takes-slowest",
    "brawl-settled",
    "no-gear-twice",
    "hand-size",
    "hand-cannot-be",
)
"""Every rule that a move or an option can break."""


def refuse(rule: str, **facts: str | int) -> IllegalMove:
    """The error for a move that a rule does not allow now."""
    return IllegalMove(SLUG, rule, **facts)


def start(options: HideOptions, seats: tuple[str, ...]) -> HideState:
    """The table before anybody has an animal. Raises `InvalidMove` when the set has other seats."""
    box, players = options.set, len(seats)
    if not box.players[0] <= players <= box.players[1]:
        raise InvalidMove(SLUG, "set-players", least=box.players[0], most=box.players[1], players=players)
    if len(box.animals) < players * box.animals_each:
        raise InvalidMove(SLUG, "set-animals", need=players * box.animals_each, there=len(box.animals))
    cards = sum(box.counts(enemies=options.enemies).values())
    if cards < players * box.hand:
        raise InvalidMove(SLUG, "set-cards", need=players * box.hand, there=cards)
    return HideState(options, seats, hands=dict.fromkeys(seats, 0), deck=cards)


def play(state: HideState, move: HideMove) -> HideState:
    """The state after a move. Raises `InvalidMove` or `IllegalMove` naming the rule."""
    _check_names(state, move)
    if isinstance(move, Hold):
        return _hold(state, move)
    if state.phase == "over":
        raise refuse("match-over")
    does, phases = ACTS[type(move)]
    if state.phase not in phases:
        raise refuse("not-now", step=f"step-{state.phase}")
    after: HideState = does(state, move)
    return after


def _check_names(state: HideState, move: HideMove) -> None:
    """Check that seats, animals and cards are some of this match."""
    for key in ("seat", "by"):
        seat = getattr(move, key, None)
        if seat is not None and seat not in state.seats:
            raise InvalidMove(SLUG, "no-such-seat", seat=seat)
    for key in ("animal", "on"):
        animal = getattr(move, key, None)
        if animal is None or (key == "on" and animal == ENEMY):
            continue
        if animal not in state.set.animals or (state.owner(animal) is None and not isinstance(move, Own)):
            raise InvalidMove(SLUG, "no-such-animal", animal=animal)
        if any(each.animal == animal for each in state.caught):
            raise refuse("animal-caught", animal=animal)
    if getattr(move, "on", None) == ENEMY and state.enemy is None:
        raise refuse("no-enemy-out")
    cards = (getattr(move, "card", None), getattr(move, "food", None))
    named = [*getattr(move, "cards", ()), *(card for card in cards if card is not None)]
    for card in named:
        if not state.set.counts(enemies=state.options.enemies).get(card):
            raise InvalidMove(SLUG, "no-such-card", card=card)


def _own(state: HideState, move: Own) -> HideState:
    """A player is dealt an animal; when all have theirs, hands are drawn and the first round begins."""
    owner = state.owner(move.animal)
    if owner is not None:
        raise refuse("animal-taken", animal=move.animal, seat=owner)
    each = state.set.animals_each
    if sum(own.seat == move.seat for own in state.owned) >= each:
        raise refuse("animals-enough", seat=move.seat, each=each)
    state = msgspec.structs.replace(state, owned=(*state.owned, Owned(move.animal, move.seat)))
    if len(state.owned) < each * len(state.seats):
        return state
    return deck.dealt(msgspec.structs.replace(state, phase="open", round=1))


def _play_enemy(state: HideState, move: PlayEnemy) -> HideState:
    """Step 0: at most one enemy a round; its player draws a card at once (敵人牌)."""
    if state.set.cards[move.card].does != "enemy":
        raise refuse("no-enemy-card", card=move.card)
    if state.enemy_played:
        raise refuse("one-enemy-a-round")
    if state.enemy is not None:
        raise refuse("enemy-at-large", enemy=state.enemy.card)
    _check_in_hand(state, move.by, move.card)
    state = msgspec.structs.replace(
        deck.show(state, move.by, move.card), enemy=EnemyOut(move.card, move.by), enemy_played=True
    )
    return deck.draw(state, move.by, 1)


def _seek(state: HideState, move: Seek) -> HideState:
    """Step 1: the chip on one of the seeker's animals."""
    owner = state.seats.index(state.owner(move.animal) or "")
    if state.seeker not in (None, owner):
        raise refuse("only-the-seeker", seat=state.seats[state.seeker or 0], animal=move.animal)
    return msgspec.structs.replace(state, phase="cards", seeker=owner, seeking=move.animal)


def _turn_up(state: HideState, move: TurnUp) -> HideState:
    """Steps 2 and 3, again in the brawl: a card lies open on an animal or the enemy."""
    kind = state.set.cards[move.card]
    if kind.does == "enemy":
        raise refuse("enemy-is-not-laid", card=move.card)
    if move.colour is not None and kind.colour != RAINBOW:
        raise refuse("colour-of-rainbow-only", card=move.card)
    if move.faster is not None and kind.does != "rocket":
        raise refuse("faster-of-rocket-only", card=move.card)
    if move.on == ENEMY and kind.colour == RAINBOW and move.colour is None:
        raise refuse("name-a-colour", card=move.card)
    if state.laid.get(move.by, 0) >= MOST_LAID:
        raise refuse("three-cards", seat=move.by, most=MOST_LAID)
    _check_in_hand(state, move.by, move.card)
    return msgspec.structs.replace(
        deck.show(state, move.by, move.card),
        lying=(*state.lying, Lying(move.card, move.by, move.on, move.colour, move.faster)),
        laid=state.laid | {move.by: state.laid.get(move.by, 0) + 1},
    )


def _check_in_hand(state: HideState, seat: str, card: str) -> None:
    if not state.hands[seat]:
        raise refuse("hand-empty", seat=seat)
    if not deck.unseen(state)[card]:
        raise refuse("card-all-seen", card=card, count=state.set.cards[card].count)
    if not deck.could_hold(state, seat, (card,)):
        raise refuse("card-not-in-hand", seat=seat, card=card)


def _go_on(state: HideState, move: GoOn) -> HideState:
    if state.phase == "cards":
        return closing.all_up(state)
    brawl = catching.brawl(state)
    if brawl is not None and brawl.takes and not state.settled:
        raise refuse("enemy-takes", animal=brawl.takes[0], count=len(brawl.takes))
    if brawl is not None and brawl.may_catch and not state.settled:
        return _let_go(state, brawl)
    return closing.after_the_catch(state)


def _let_go(state: HideState, brawl: catching.Brawl) -> HideState:
    """The fastest "may decide whether to catch the enemy"; several decide in the round's order (敵人牌)."""
    seat = state.owner(brawl.may_catch[0]) or ""
    passed = msgspec.structs.replace(state, passed=(*state.passed, seat))
    after = catching.brawl(passed)
    if state.options.brawl_tie == "next" and after is not None and after.may_catch:
        return passed
    return closing.after_the_catch(state)


def _remove_food(state: HideState, move: RemoveFood) -> HideState:
    """大米枇杷糖: forced while there is food; among candies alone it may be kept."""
    asked = next((each for each in closing.candies(state) if each.on == move.on), None)
    if asked is None:
        raise refuse("no-candy-there", animal=move.on)
    if move.food is None and not asked.may_keep:
        raise refuse("food-must-go", animal=move.on)
    if move.food is not None and move.food not in asked.choices:
        others = [state.lying[other].card for other in others_to_eat(state, asked.at)]
        raise refuse("food-first" if move.food in others else "no-such-food", animal=move.on, card=move.food)
    return closing.eat(state, asked.at, move.food)


def _catch(state: HideState, move: Catch) -> HideState:
    """The seeker catches by one colour (抓躲牌), one or several as `one_victim` has it."""
    if state.brawl or state.seeking is None:
        raise refuse("nobody-seeks")
    mode = state.options.one_victim
    if mode == "one" and state.caught_now:
        raise refuse("one-victim")
    if mode == "all" and move.animal is not None:
        raise refuse("all-of-a-colour")
    if state.colour_now not in (None, move.colour):
        raise refuse("one-colour", colour=str(state.colour_now))
    if move.animal is not None:
        _check_victim(state, move, move.animal)
        return closing.catch(state, (move.animal,), move.colour)
    animals = catching.catchable(state).get(move.colour, ())
    if not animals:
        raise refuse("colour-not-caught", colour=move.colour)
    if mode == "one" and len(animals) > 1:
        raise refuse("one-victim")
    return closing.catch(state, animals, move.colour)


def _check_victim(state: HideState, move: Catch, animal: str) -> None:
    if animal == state.seeking:
        raise refuse("own-animal", animal=animal)
    verdict = next(each for each in catching.verdicts(state) if each.animal == animal)
    facts: dict[str, Any] = {"animal": animal, "speed": verdict.speed, "against": verdict.against}
    match verdict.why:
        case "own":
            raise refuse("own-animal", animal=animal)
        case "hides":
            raise refuse("hidden", animal=animal, colour=verdict.colours[0])
        case "no-colour":
            raise refuse("no-colour", animal=animal, colour=move.colour)
    if move.colour not in verdict.colours:
        raise refuse("no-colour", animal=animal, colour=move.colour)
    if verdict.why:
        raise refuse("too-fast" if verdict.why == "faster" else "as-fast", **facts)


def _catch_enemy(state: HideState, move: CatchEnemy) -> HideState:
    """The fastest animal catches the enemy: its points, and those of the food on it (敵人牌)."""
    brawl = _brawl(state)
    if move.animal not in brawl.may_catch:
        if move.animal not in brawl.fastest or brawl.speed < brawl.against:
            raise refuse("not-the-fastest", animal=move.animal, speed=brawl.speed, against=brawl.against)
        seat = state.owner(move.animal) or ""
        if seat in state.passed:
            raise refuse("enemy-let-go", seat=seat)
        raise refuse("enemy-other-colour", animal=move.animal)
    assert state.enemy is not None  # a brawl has one
    card = state.enemy.card
    done = EnemyCaught(
        card,
        state.owner(move.animal) or "",
        move.animal,
        state.set.cards[card].points,
        standing(state, ENEMY).food,
    )
    state = closing.laid_aside(state, lambda each: each.on == ENEMY)
    return msgspec.structs.replace(
        state, enemy=None, enemies_caught=(*state.enemies_caught, done), settled=True
    )


def _taken(state: HideState, move: Taken) -> HideState:
    """All being slower, the enemy takes the slowest of its colours (敵人牌)."""
    brawl = _brawl(state)
    if not brawl.takes:
        raise refuse("enemy-takes-none")
    if move.animal not in brawl.takes:
        raise refuse("enemy-takes-slowest", animal=brawl.takes[0])
    return msgspec.structs.replace(closing.out(state, (move.animal,), ENEMY), settled=True)


def _brawl(state: HideState) -> catching.Brawl:
    if state.settled:
        raise refuse("brawl-settled")
    brawl = catching.brawl(state)
    if brawl is None:
        raise refuse("no-enemy-out" if state.enemy is None else "not-now", step=f"step-{state.phase}")
    return brawl


def _drop_gear(state: HideState, move: DropGear) -> HideState:
    """裝備牌: of two gears of a kind both count this round, then one goes."""
    asked = next(
        (each for each in closing.gears(state) if each.on == move.on and move.card in each.choices), None
    )
    if asked is None:
        raise refuse("no-gear-twice", animal=move.on, card=move.card)
    return closing.drop_gear(state, move.on, move.card)


def _end(state: HideState, move: End) -> HideState:
    return msgspec.structs.replace(state, phase="over", seeking=None, ended="ended")


def _hold(state: HideState, move: Hold) -> HideState:
    """The note of a hand changes nothing but what its player is shown."""
    if len(move.cards) != state.hands[move.seat]:
        raise refuse("hand-size", seat=move.seat, cards=state.hands[move.seat], entered=len(move.cards))
    if not deck.could_hold(state, move.seat, move.cards):
        raise refuse("hand-cannot-be", seat=move.seat)
    return deck.note_hand(state, move.seat, move.cards)


ACTS: dict[type, tuple[Any, tuple[str, ...]]] = {
    Own: (_own, ("animals",)),
    PlayEnemy: (_play_enemy, ("open",)),
    Seek: (_seek, ("open",)),
    End: (_end, ("open",)),
    TurnUp: (_turn_up, ("cards",)),
    RemoveFood: (_remove_food, ("candy",)),
    Catch: (_catch, ("catch",)),
    CatchEnemy: (_catch_enemy, ("catch",)),
    Taken: (_taken, ("catch",)),
    DropGear: (_drop_gear, ("gear",)),
    GoOn: (_go_on, ("cards", "catch")),
}
"""What carries out each kind of move, and the steps in which it may be made."""
