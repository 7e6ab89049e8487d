"""The rules: the moves of the whole round, and the reasons against others.

Guide to the cards, "加入敵人牌當回合的完整流程" (the steps 0 to 6): an enemy, who seeks, the cards turned
up, the catch, the brawl, drawing up. The effects of cards on an animal are in `animals`; the
catch and its consequences in `steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.game import About, Game, Outcome
from companion.games.hide_and_seek import cardset, deck, people, steps
from companion.games.hide_and_seek import view as views
from companion.games.hide_and_seek.animals import others_to_eat, traits
from companion.games.hide_and_seek.cardset import COLOURS, ENEMY, RAINBOW
from companion.games.hide_and_seek.retrospect import HideRetrospect
from companion.games.hide_and_seek.state import (
    FORMS,
    MOST_LAID,
    SEATS,
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
from companion.games.watching import Autoplay


def _drawn_values() -> dict[str, object]:
    example = cardset.card_set("example")
    enemy = next(kind for kind in example.cards.values() if kind.does == "enemy")
    return {"animals": list(example.animals.values()), "enemy_speed": enemy.speed}


class HideAndSeek(Game[HideState, HideMove, HideOptions], Autoplay):
    """Cats and dogs hide from each other: two to six players, cards of colour and speed."""

    slug = SLUG
    names: ClassVar = {"en": "Hide and Seek", "zh-Hant": "阿貓迷藏 & 阿狗迷藏", "ko": "숨바꼭질"}
    seat_counts = (2, 3, 4, 5, 6)
    about = About(minutes=(30, 45), editable={"cards": cardset.SCRIPTED}, drawn_values=_drawn_values)
    forms = FORMS
    retrospect = HideRetrospect()

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> HideOptions:
        """Read options as `Game.options` does; a player's own set goes into the match without its
        pictures."""
        options = super().options(given, from_text=from_text)
        return replace(options, cards=cardset.kept(options.cards))

    def set_up(self, options: HideOptions, seats: int) -> HideState:
        """The table before animals are dealt. Raises `InvalidMove` if the set has other seats."""
        box = options.set
        if not box.players[0] <= seats <= box.players[1]:
            raise InvalidMove(SLUG, "set-players", least=box.players[0], most=box.players[1], players=seats)
        if len(box.animals) < seats * box.animals_each:
            raise InvalidMove(SLUG, "set-animals", need=seats * box.animals_each, there=len(box.animals))
        collectors = len(box.collectors)
        if collectors and (
            collectors < seats or len(box.animals) - collectors < seats * (box.animals_each - 1)
        ):
            others = len(box.animals) - collectors
            raise InvalidMove(SLUG, "set-collectors", players=seats, there=collectors, others=others)
        cards = sum(box.counts(enemies=options.enemies).values())
        if cards < seats * box.hand:
            raise InvalidMove(SLUG, "set-cards", need=seats * box.hand, there=cards)
        return HideState(options, SEATS[:seats], hands=dict.fromkeys(SEATS[:seats], 0), deck=cards)

    def seat_names(self, state: HideState) -> tuple[str, ...]:
        return state.seats

    def turn(self, state: HideState) -> str | None:
        """The seat that decides now: the seeker, or the owner of the animal in question; None if all act."""
        return turn(state)

    def legal_moves(self, state: HideState) -> Iterator[HideMove]:
        return legal_moves(state)

    def play(self, state: HideState, move: HideMove) -> HideState:
        return play(state, move)

    def outcome(self, state: HideState) -> Outcome | None:
        """Most points win, once the rounds are played or the players end it."""
        return steps.outcome(state)

    def view(self, state: HideState, seat: str | None) -> views.HideView:
        """Every animal, card by card; the points; the chances as `seat` may know them."""
        return views.view(state, seat)

    def hide(self, state: HideState, seat: str | None) -> HideState:
        """The state without the noted hands of other players."""
        return deck.without_notes(state, seat)

    def private_to(self, move: HideMove) -> str | None:
        """A noted hand is for that player's own phone alone."""
        return move.seat if isinstance(move, Hold) else None

    def pressed(self, state: HideState, seat: str) -> HideMove | None:
        """The seeker's button: all cards are up, or nobody else is caught; in a brawl, let the enemy go."""
        if state.seeker is None or not may_go_on(state):
            return None
        return GoOn() if seat == (turn(state) or state.seats[state.seeker]) else None

    def likely_move(self, state: HideState, below: Callable[[int], int]) -> HideMove:
        return people.likely_move(state, list(legal_moves(state)), below)


def refuse(rule: str, **facts: str | int) -> IllegalMove:
    """The error for a move that a rule forbids now."""
    return IllegalMove(SLUG, rule, **facts)


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
        if any(caught.animal == animal for caught in state.caught):
            raise refuse("animal-caught", animal=animal)
    if getattr(move, "on", None) == ENEMY and state.enemy is None:
        raise refuse("no-enemy-out")
    cards = (getattr(move, "card", None), getattr(move, "food", None))
    named = [*getattr(move, "cards", ()), *(card for card in cards if card is not None)]
    for card in named:
        if not state.set.counts(enemies=state.options.enemies).get(card):
            raise InvalidMove(SLUG, "no-such-card", card=card)


def _own(state: HideState, move: Own) -> HideState:
    """Deal a player an animal; when all have theirs, draw hands and begin the first round."""
    owner = state.owner(move.animal)
    if owner is not None:
        raise refuse("animal-taken", animal=move.animal, seat=owner)
    most = state.set.animals_each
    if rule := _kept_from(state, move.seat, move.animal):
        raise refuse(rule, seat=move.seat, each=most)
    state = replace(state, owned=(*state.owned, Owned(move.animal, move.seat)))
    if len(state.owned) < most * len(state.seats):
        return state
    return deck.dealt(replace(state, phase="open", round=1))


def _kept_from(state: HideState, seat: str, animal: str) -> str | None:
    """The rule that keeps a free animal from a player: each has as many as the rest, and one collectors' card
    (典藏角色牌)."""
    has = [owned.animal for owned in state.owned if owned.seat == seat]
    left, collectors = state.set.animals_each - len(has), state.set.collectors
    if left <= 0:
        return "animals-enough"
    if not collectors:
        return None
    if collectors.isdisjoint(has):
        return "collectors-first" if left == 1 and animal not in collectors else None
    return "collectors-one" if animal in collectors else None


def _play_enemy(state: HideState, move: PlayEnemy) -> HideState:
    """Step 0: at most one enemy a round; its player draws a card at once (敵人牌)."""
    if state.set.cards[move.card].does != "enemy":
        raise refuse("no-enemy-card", card=move.card)
    if state.enemy_played:
        raise refuse("one-enemy-a-round")
    if state.enemy is not None:
        raise refuse("enemy-at-large", enemy=state.enemy.card)
    _check_in_hand(state, move.by, move.card)
    state = replace(
        deck.show(state, move.by, move.card), enemy=EnemyOut(move.card, move.by), enemy_played=True
    )
    return deck.draw(state, move.by, 1)


def _seek(state: HideState, move: Seek) -> HideState:
    """Step 1: the chip on one of the seeker's animals."""
    owner = state.seats.index(state.owner(move.animal) or "")
    if state.seeker not in (None, owner):
        raise refuse("only-the-seeker", seat=state.seats[state.seeker or 0], animal=move.animal)
    return replace(state, phase="cards", seeker=owner, seeking=move.animal)


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
    return replace(
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
        return steps.all_up(state)
    brawl = steps.brawl(state)
    if brawl is not None and brawl.takes:
        raise refuse("enemy-takes", animal=brawl.takes[0], count=len(brawl.takes))
    if brawl is not None and brawl.may_catch:
        return _let_go(state, brawl)
    return steps.after_the_catch(state)


def _let_go(state: HideState, brawl: steps.Brawl) -> HideState:
    """The fastest "may decide whether to catch the enemy"; several decide in the round's order (敵人牌)."""
    seat = state.owner(brawl.may_catch[0]) or ""
    passed = replace(state, catching=replace(state.catching, passed=(*state.catching.passed, seat)))
    after = steps.brawl(passed)
    if state.options.brawl_tie == "next" and after is not None and after.may_catch:
        return passed
    return steps.after_the_catch(state)


def _remove_food(state: HideState, move: RemoveFood) -> HideState:
    """大米枇杷糖: forced while there is food; among candies alone it may be kept."""
    asked = next((candy for candy in steps.candies(state) if candy.on == move.on), None)
    if asked is None:
        raise refuse("no-candy-there", animal=move.on)
    if move.food is None and not asked.may_keep:
        raise refuse("food-must-go", animal=move.on)
    if move.food is not None and move.food not in asked.choices:
        others = [state.lying[other].card for other in others_to_eat(state, asked.at)]
        raise refuse("food-first" if move.food in others else "no-such-food", animal=move.on, card=move.food)
    return steps.eat(state, asked.at, move.food)


def _catch(state: HideState, move: Catch) -> HideState:
    """The seeker catches by one colour (抓躲牌), one or several by `one_victim`."""
    if state.brawl or state.seeking is None:
        raise refuse("nobody-seeks")
    mode = state.options.one_victim
    if mode == "one" and state.catching.animals:
        raise refuse("one-victim")
    if mode == "all" and move.animal is not None:
        raise refuse("all-of-a-colour")
    if state.catching.colour not in (None, move.colour):
        raise refuse("one-colour", colour=str(state.catching.colour))
    if move.animal is not None:
        _check_victim(state, move, move.animal)
        return steps.catch(state, (move.animal,), move.colour)
    animals = steps.catchable(state).get(move.colour, ())
    if not animals:
        raise refuse("colour-not-caught", colour=move.colour)
    if mode == "one" and len(animals) > 1:
        raise refuse("one-victim")
    return steps.catch(state, animals, move.colour)


def _check_victim(state: HideState, move: Catch, animal: str) -> None:
    if animal == state.seeking:
        raise refuse("own-animal", animal=animal)
    result = next(judged for judged in steps.catch_results(state) if judged.animal == animal)
    facts: dict[str, Any] = {"animal": animal, "speed": result.speed, "against": result.against}
    match result.why:
        case "own":
            raise refuse("own-animal", animal=animal)
        case "hides":
            raise refuse("hidden", animal=animal, colour=result.colours[0])
        case "no-colour":
            raise refuse("no-colour", animal=animal, colour=move.colour)
    if move.colour not in result.colours:
        raise refuse("no-colour", animal=animal, colour=move.colour)
    if result.why:
        raise refuse("too-fast" if result.why == "faster" else "as-fast", **facts)


def _catch_enemy(state: HideState, move: CatchEnemy) -> HideState:
    """The fastest animal catches the enemy: its points, and those of the food on it (敵人牌)."""
    brawl = _brawl(state)
    if move.animal not in brawl.may_catch:
        if move.animal not in brawl.fastest or brawl.speed < brawl.against:
            raise refuse("not-the-fastest", animal=move.animal, speed=brawl.speed, against=brawl.against)
        seat = state.owner(move.animal) or ""
        if seat in state.catching.passed:
            raise refuse("enemy-let-go", seat=seat)
        raise refuse("enemy-other-colour", animal=move.animal)
    assert state.enemy is not None  # a brawl has one
    card = state.enemy.card
    done = EnemyCaught(
        card,
        state.owner(move.animal) or "",
        move.animal,
        state.set.cards[card].points,
        traits(state, ENEMY).food,
    )
    state = steps.laid_aside(state, lambda laid: laid.on == ENEMY)
    return replace(
        state,
        enemy=None,
        enemies_caught=(*state.enemies_caught, done),
        catching=replace(state.catching, settled=True),
    )


def _taken(state: HideState, move: Taken) -> HideState:
    """If all are slower, the enemy takes the slowest of its colours (敵人牌)."""
    brawl = _brawl(state)
    if not brawl.takes:
        raise refuse("enemy-takes-none")
    if move.animal not in brawl.takes:
        raise refuse("enemy-takes-slowest", animal=brawl.takes[0])
    return replace(steps.out(state, (move.animal,), ENEMY), catching=replace(state.catching, settled=True))


def _brawl(state: HideState) -> steps.Brawl:
    if state.catching.settled:
        raise refuse("brawl-settled")
    brawl = steps.brawl(state)
    if brawl is None:
        raise refuse("no-enemy-out" if state.enemy is None else "not-now", step=f"step-{state.phase}")
    return brawl


def _drop_gear(state: HideState, move: DropGear) -> HideState:
    """裝備牌: two gears of a kind both count this round, then one goes."""
    asked = next(
        (gear for gear in steps.gears(state) if gear.on == move.on and move.card in gear.choices), None
    )
    if asked is None:
        raise refuse("no-gear-twice", animal=move.on, card=move.card)
    return steps.drop_gear(state, move.on, move.card)


def _end(state: HideState, move: End) -> HideState:
    return replace(state, phase="over", seeking=None, ended="ended")


def _hold(state: HideState, move: Hold) -> HideState:
    """Keep a noted hand, which only its player is shown."""
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


def legal_moves(state: HideState) -> Iterator[HideMove]:
    """Every move forward, without notes of hands."""
    match state.phase:
        case "animals":
            free = [animal for animal in state.set.animals if state.owner(animal) is None]
            for seat in state.seats:
                yield from (Own(seat, animal) for animal in free if _kept_from(state, seat, animal) is None)
        case "open":
            yield from _openings(state)
        case "cards":
            yield from _cards(state)
        case "candy":
            for candy in steps.candies(state):
                yield from (RemoveFood(candy.on, food) for food in candy.choices)
                if candy.may_keep:
                    yield RemoveFood(candy.on, None)
        case "catch":
            yield from _catches(state)
        case "gear":
            for gear in steps.gears(state):
                yield from (DropGear(gear.on, card) for card in gear.choices)
    if may_go_on(state):
        yield GoOn()


def turn(state: HideState) -> str | None:
    """The seat that decides now; see `HideAndSeek.turn`."""
    if state.phase in ("animals", "cards", "over") or state.seeker is None:
        return None
    owners = [candy.owner for candy in steps.candies(state)]
    owners += [gear.owner for gear in steps.gears(state)]
    if owners:
        return owners[0]
    brawl = steps.brawl(state)
    decides = brawl.may_catch + brawl.takes if brawl else ()
    return state.owner(decides[0]) if decides else state.seats[state.seeker]


def may_go_on(state: HideState) -> bool:
    """True if this step of the round can end: not while the enemy is about to take an animal."""
    if state.phase == "catch":
        brawl = steps.brawl(state)
        return brawl is None or not brawl.takes
    return state.phase == "cards"


def _openings(state: HideState) -> Iterator[HideMove]:
    for owned in state.free:
        if state.seeker is None or owned.seat == state.seats[state.seeker]:
            yield Seek(owned.animal)
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
    where = [owned.animal for owned in state.free] + ([ENEMY] if state.enemy else [])
    for seat in state.order:
        if state.laid.get(seat, 0) >= MOST_LAID:
            continue
        for card in _could_show(state, seat):
            for on in where:
                yield from lays(state, seat, card, on)


def lays(state: HideState, seat: str, card: str, on: str) -> Iterator[TurnUp]:
    """A card on an animal, with each colour of a rainbow, and either way of a rocket."""
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
    for colour, animals in steps.catchable(state).items():
        if mode != "all":
            yield from (Catch(colour, animal) for animal in animals)
        if mode == "all" or (mode == "ask" and len(animals) > 1):
            yield Catch(colour)
    brawl = steps.brawl(state)
    if brawl is not None:
        yield from (CatchEnemy(animal) for animal in brawl.may_catch)
        yield from (Taken(animal) for animal in brawl.takes)


GAME = HideAndSeek()
