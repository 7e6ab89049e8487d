"""The companion's player of Hide and Seek, and the machine's own cards.

The player deals the cards that it does not see in a few ways, and lets the others lay theirs as helps them
most at once. It lays the cards that are worth most together over these deals, and keeps those that may help
more in a later round.

The rules know only the turned-up cards. The dealer holds the others, and notes each hand for its seat. Seats
lay their cards in turn, face down: a seat sees its own, and all are turned up once every seat has laid.
Before the seeker's chip lies, a seat with an enemy may play it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.chance import Chance, Stream
from companion.games.game import Game
from companion.games.hide_and_seek import deck, rules, steps
from companion.games.hide_and_seek.animals import Traits, every_traits, traits
from companion.games.hide_and_seek.cardset import ENEMY
from companion.games.hide_and_seek.rules import legal_moves, turn
from companion.games.hide_and_seek.state import (
    MOST_LAID,
    CatchEnemy,
    Drew,
    DropGear,
    End,
    GoOn,
    HandNoted,
    HideMove,
    HideState,
    Hold,
    Lying,
    Own,
    PlayEnemy,
    RemoveFood,
    Reshuffled,
    Seek,
    Showed,
    TurnUp,
)
from companion.games.players import Budget, Choice, Dealer, GamePlayer, Handicap, Seen

CAUGHT_BY_LEAD = {-2: 0.1, -1: 0.2, 0: 0.3, 1: 0.6, 2: 0.75}
"""The rough chance that a seeker of a fitting colour catches an animal that does not hide, by its lead in
speed before the others lay cards."""
CAUGHT_AT_LEAST, CAUGHT_AT_MOST = 0.05, 0.85
"""The same for a seeker that is much slower, or much faster."""
CAUGHT_BY_ANOTHER_COLOUR = 0.1
"""The same if no colour fits yet."""
CAUGHT_THOUGH_HIDDEN = 0.02
"""The same if the animal hides."""

A_STEP = 0.05
"""The points of one more speed for an animal in each later round."""
KEPT = {"hide": 0.15, "rocket": 0.25}
"""The points of a card kept for later rounds; of another card, `KEPT_OTHER`."""
KEPT_OTHER = 0.05

WORLDS = 20
"""Deals of the hidden cards in which a card is weighed, shared by the seats."""
TRIED_ON = 3
"""The best ways so far with which further cards are tried."""
FURTHER = 12
"""The cards best by themselves, which are tried as further ones."""

Stand = dict[str, Traits]


class HidePlayer(GamePlayer):
    """Plays one seat, whose hand is noted."""

    levels: ClassVar[dict[str, Handicap]] = {"top": Handicap()}
    expects = "points"
    deals_to_people = True

    def all_moves(self, seen: Seen) -> list[HideMove | None]:
        """The moves for the seat in `seen`: None to lay no more cards, or to play no enemy."""
        may_pass = all(isinstance(move, TurnUp | PlayEnemy) for move in seen.legal)
        return [*seen.legal, None] if may_pass else list(seen.legal)

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        state = seen.known
        if not isinstance(state, HideState):
            raise TypeError("this is no match of Hide and Seek")
        moves = self.all_moves(seen)
        if state.phase == "cards":
            return _laid_best(state, seen.seat, moves, budget, luck)

        def weighed(move: HideMove | None) -> Choice:
            budget.spend(1)
            if isinstance(move, Seek):
                return Choice(move, _seeking(state, seen.seat, move, budget, luck), _why(state, move))
            return Choice(move, _after(state, seen.seat, move), _why(state, move) if move else "")

        return sorted(map(weighed, moves), key=lambda way: (-(way.value or 0), way.move is not None))

    def own_moves(self, game: Game[Any, Any, Any], state: HideState, seat: str) -> tuple[HideMove, ...]:
        return own_moves(state, seat)

    def dealer(self) -> Dealer:
        return HideDealer()


PLAYER = HidePlayer()


def own_moves(state: HideState, seat: str) -> tuple[HideMove, ...]:
    """The moves that a seat can choose, with its own cards and for its own animals.

    The end of the match is left out: a match has its rounds.
    """
    noted = deck.noted_hand(state, seat)
    hand = noted.cards if noted else ()

    def can(move: HideMove) -> bool:
        match move:
            case TurnUp() | PlayEnemy():
                return move.by == seat and move.card in hand
            case End():
                return False
        return may_choose(state, seat, move)

    return tuple(move for move in legal_moves(state) if can(move))


def may_choose(state: HideState, seat: str, move: HideMove) -> bool:
    """True for a move that this seat chooses, in its turn and for its own animal."""
    match move:
        case RemoveFood() | DropGear():
            return steps.owner_of(state, move.on) == seat
        case CatchEnemy():
            return state.owner(move.animal) == turn(state) == seat
    return turn(state) == seat


def _after(state: HideState, seat: str, move: HideMove | None = None) -> float:
    """The worth to a seat after its move, or now."""
    if isinstance(move, PlayEnemy):
        # An enemy takes an animal of its colours.
        colours = set(state.set.cards[move.card].colours)
        free = [owned for owned in state.free if colours & set(state.set.animals[owned.animal].colours)]
        mine = sum(owned.seat == seat for owned in free)
        return _after(state, seat) + (len(free) - 2 * mine) * A_STEP
    after = rules.play(state, move) if move else state
    return worth(after, every_traits(after), seat)


def _seeking(state: HideState, seat: str, move: Seek, budget: Budget, luck: Stream) -> float:
    """The worth to a seat once its own cards help the animal that seeks."""
    after = rules.play(state, move)
    moves = [card for card in own_moves(after, seat) if isinstance(card, TurnUp)]
    return _laid_best(after, seat, [*moves, None], budget, luck, WORLDS // 2)[0].value or 0.0


def _laid_best(
    state: HideState,
    seat: str,
    moves: Sequence[HideMove | None],
    budget: Budget,
    luck: Stream,
    deals: int = WORLDS,
) -> list[Choice]:
    """The ways to lay a card or no more, each by the best cards beside it, in deals of the hidden cards."""
    noted = deck.noted_hand(state, seat)
    hand = Counter(noted.cards if noted else ())
    stand, unseen = every_traits(state), tuple((+deck.unseen(state) - hand).elements())
    worlds = [_world(state, stand, unseen, seat, luck) for _ in range(max(2, deals // len(state.seats)))]

    def mean(laid: tuple[TurnUp, ...]) -> float:
        budget.spend(1)
        price = sum(_kept(state, move.card) for move in laid)
        return sum(worth(*_with(*world, laid), seat, sure=True) for world in worlds) / len(worlds) - price

    alone = {move: mean((move,)) for move in moves if isinstance(move, TurnUp) and _plain(move)}
    further = sorted(alone, key=lambda move: -alone[move])[:FURTHER]
    best = dict(alone)
    tried: list[tuple[TurnUp, ...]] = [(move,) for move in further[:TRIED_ON]]
    for _ in range(state.laid.get(seat, 0) + 1, MOST_LAID):
        if budget.is_over:
            break
        more: dict[frozenset[tuple[TurnUp, int]], tuple[float, tuple[TurnUp, ...]]] = {}
        for laid in ((*some, move) for some in tried for move in further):
            lot = frozenset(Counter(laid).items())
            if lot not in more and Counter(move.card for move in laid) <= hand:
                more[lot] = mean(laid), laid
        for value, laid in more.values():
            best |= {move: max(best[move], value) for move in laid}
        tried = [laid for _, laid in sorted(more.values(), key=lambda way: -way[0])[:TRIED_ON]]
    ways = [Choice(move, value, _why(state, move)) for move, value in best.items()]
    ways += [Choice(move, mean(())) for move in moves if not isinstance(move, TurnUp)]
    return sorted(ways, key=lambda way: (-(way.value or 0), way.move is not None, -alone.get(way.move, 0)))


def _plain(move: TurnUp) -> bool:
    """True for a card as it usually works: a rainbow with the colour that serves, a rocket its usual way."""
    return move.faster is None and (move.colour is None or move.on == ENEMY)


def _kept(state: HideState, card: str) -> float:
    """The price of a card that is laid now, and not kept for a later round."""
    return KEPT.get(state.set.cards[card].does, KEPT_OTHER) if _later(state) else 0.0


def _later(state: HideState) -> int:
    """The rounds after this one; as many as there are seats if the players end the match."""
    return state.rounds - state.round if state.rounds else len(state.seats)


def _world(
    state: HideState, stand: Stand, unseen: Sequence[str], seat: str, luck: Stream
) -> tuple[HideState, Stand]:
    """The table after the others have laid from hands that they may hold."""
    cards, lying, end = list(unseen), state.lying, 0
    luck.shuffle(cards)
    for other in state.order:
        if other != seat:
            dealt, end = cards[end : end + state.hands[other]], end + state.hands[other]
            where = [owned.animal for owned in state.free if owned.seat in (seat, other)]
            where += [on for on in (state.seeking, state.enemy and ENEMY) if on and on not in where]
            lying += _quickly_laid(state, stand, other, Counter(dealt), where)
    table = replace(state, lying=lying)
    return table, stand | {on: _settled(table, on) for on in {laid.on for laid in lying}}


def _quickly_laid(
    state: HideState, stand: Stand, seat: str, hand: Counter[str], where: Sequence[str]
) -> tuple[Lying, ...]:
    """The cards of a hand that a seat lays, one after another, each where it helps most now."""
    first, value = len(state.lying), worth(state, stand, seat)
    for _ in range(MOST_LAID - state.laid.get(seat, 0)):
        moves = [move for card in +hand for on in where for move in rules.lays(state, seat, card, on)]
        tables = [_with(state, stand, (move,), settle=False) for move in moves if _plain(move)]
        values = [worth(*table, seat) for table in tables]
        if not values or max(values) < value + KEPT_OTHER:
            break
        value = max(values)
        state, stand = tables[values.index(value)]
        hand = hand - Counter((state.lying[-1].card,))
    return state.lying[first:]


def _with(
    state: HideState, stand: Stand, moves: Iterable[TurnUp], *, settle: bool = True
) -> tuple[HideState, Stand]:
    """The table and the animals with more cards."""
    new = tuple(Lying(move.card, move.by, move.on, move.colour, move.faster) for move in moves)
    state = replace(state, lying=state.lying + new)
    traits_of = _settled if settle else traits
    return state, stand | {laid.on: traits_of(state, laid.on) for laid in new}


def _settled(state: HideState, on: str) -> Traits:
    """An animal once its candies have removed food, each the one of the fewest points."""
    lying = tuple(laid for laid in state.lying if laid.on == on)
    if any(laid.fresh and state.set.cards[laid.card].does == "candy" for laid in lying):
        state = steps.all_up(replace(state, lying=lying))
        while asked := steps.candies(state):
            foods = [*asked[0].choices, *((None,) if asked[0].may_keep else ())]
            food = min(foods, key=lambda card: state.set.cards[card].points if card else -1)
            state = steps.eat(state, asked[0].at, food)
    return traits(state, on)


def worth(state: HideState, stand: Stand, seat: str, *, sure: bool = False) -> float:
    """A seat's expected points, less the mean of the others'; `sure` if all cards lie."""
    a_step = A_STEP * _later(state)
    points = dict.fromkeys(state.seats, 0.0)
    for caught in state.enemies_caught:
        points[caught.by] += caught.points + caught.food
    kinds, owners = state.set.cards, {owned.animal: owned.seat for owned in state.free}
    danger = _in_danger(state, stand, sure=sure or state.phase == "catch")
    for animal, owner in owners.items():
        it = stand[animal]
        lasting = it.speed_before + sum(
            effect.speed for effect in it.effects if kinds[effect.card].does not in steps.FOR_A_ROUND
        )
        whole = state.set.animals[animal].points + it.food + a_step * lasting
        points[owner] += whole * (1 - danger.get(animal, 0.0))
    brawl = steps.brawl(state) if state.brawl else None
    if brawl is not None and brawl.may_catch and state.enemy is not None:
        points[owners[brawl.may_catch[0]]] += kinds[state.enemy.card].points + stand[ENEMY].food
    elif brawl is not None and brawl.takes:
        least = min(state.set.animals[animal].points for animal in brawl.takes)
        points[owners[brawl.takes[0]]] -= least
    others = [total for player, total in points.items() if player != seat]
    return points[seat] - sum(others) / len(others)


def _in_danger(state: HideState, stand: Stand, *, sure: bool) -> dict[str, float]:
    """The animals that the seeker may catch, with chances: those of its most valuable colour."""
    seeker = stand.get(state.seeking or "")
    seeks = state.phase in ("cards", "candy", "catch") and not state.brawl and not state.catching.animals
    if seeker is None or not seeks:
        return {}
    best: tuple[float, dict[str, float]] = 0.0, {}
    mine = state.owner(seeker.on)
    results = [
        steps.catch_result(state, seeker, stand[owned.animal]) for owned in state.free if owned.seat != mine
    ]
    judged = {result.animal: _caught(result, sure=sure) for result in results}
    for colour in seeker.catches:
        prey = {
            animal: chance for animal, chance in judged.items() if chance and colour in stand[animal].colours
        }
        gain = sum(
            chance * (state.set.animals[name].points + stand[name].food) for name, chance in prey.items()
        )
        if gain > best[0]:
            best = gain, prey
    return best[1]


def _caught(verdict: steps.CatchResult, *, sure: bool) -> float:
    if sure:
        return float(not verdict.why)
    if verdict.why == "hides":
        return CAUGHT_THOUGH_HIDDEN
    if verdict.why == "no-colour":
        return CAUGHT_BY_ANOTHER_COLOUR
    lead = verdict.against - verdict.speed
    edge = CAUGHT_AT_MOST if lead > 0 else CAUGHT_AT_LEAST
    return CAUGHT_BY_LEAD.get(lead, edge)


def _why(state: HideState, move: HideMove) -> str:
    match move:
        case Seek():
            return "advice.seeks"
        case TurnUp():
            helps = state.owner(move.on) == move.by
            return "advice.helps-own" if helps else "advice.slows-others"
        case CatchEnemy():
            return "advice.catches-enemy"
        case GoOn():
            return ""
    return "advice.most-points"


class HideDealer(Dealer):
    """Deals animals and cards, and keeps every card of a match."""

    def begin(self, state: HideState, chance: Chance) -> None:
        """Shuffle the deck of a new match."""
        self._shuffles, self._animals = chance.stream("deck"), chance.stream("animals")
        self._seekers = chance.stream("seekers")
        counts = state.set.counts(enemies=state.options.enemies)
        self.deck = [card for card, count in counts.items() for _ in range(count)]
        self._shuffles.shuffle(self.deck)
        self.hands: dict[str, list[str]] = {seat: [] for seat in state.seats}
        self._dealt = 0
        self._to_note: list[str] = []
        self._step: tuple[object, ...] = ()
        self._done: set[str] = set()
        self._laid: dict[str, list[TurnUp]] = {}
        self._asked = False

    def chance(self, state: HideState) -> HideMove | None:
        """An animal dealt, a hand noted, who seeks first, a card turned up; None while a player chooses."""
        self._follow(state)
        if state.phase == "animals":
            return self._animal(state)
        if self._to_note:
            seat = self._to_note.pop()
            return Hold(seat, tuple(sorted(self.hands[seat])))
        if state.phase == "open" and state.seeker is None:
            return Seek(self._seekers.choice([owned.animal for owned in state.free]))
        if state.phase != "cards" or self._next_to_lay(state) is not None:
            return None
        for seat in state.order:
            if self._laid.get(seat):
                return self._laid[seat].pop(0)
        return GoOn()

    def acting(self, game: Game[Any, Any, Any], state: HideState) -> str | None:
        """The seat that lays cards or may play an enemy; otherwise the seat in turn."""
        if state.phase == "cards":
            return self._next_to_lay(state)
        if self._may_bring_enemy(state) and not self._asked:
            for seat in state.order:
                if seat not in self._done and self._holds_enemy(state, seat):
                    return seat
        return game.turn(state)

    def seen_by(self, state: HideState, seat: str) -> HideState:
        """The state with this seat's face-down cards turned up."""
        for move in self._laid.get(seat, ()) if state.phase == "cards" else ():
            state = rules.play(state, move)
        return state

    def resolve(self, state: HideState, move: HideMove) -> HideMove | None:
        """Lay a card face down, or no more: nothing shows yet."""
        if isinstance(move, GoOn) and state.phase == "cards":
            self._done.add(self._next_to_lay(state) or "")
            return None
        if not isinstance(move, TurnUp) or state.phase != "cards":
            return move
        laid = self._laid.setdefault(move.by, [])
        laid.append(move)
        if len(laid) == MOST_LAID:
            self._done.add(move.by)
        return None

    def passes(self, state: HideState, seat: str) -> None:
        self._done.add(seat)

    def close(self, state: HideState) -> None:
        self._follow(state)
        self._asked = True

    def waits(self, state: HideState) -> bool:
        """True while an enemy may come, whoever really holds one; false until all know their new cards."""
        self._follow(state)
        some_left = any(self._is_enemy(state, card) for card in +deck.unseen(state))
        return self._may_bring_enemy(state) and some_left and not self._asked and not self._to_note

    def answerers(self, state: HideState) -> tuple[str, ...]:
        """The seats that hold an enemy and have not declined. The seeker may still play one in turn."""
        if not self._may_bring_enemy(state) or self._asked:
            return ()
        return tuple(
            seat for seat in state.order[1:] if seat not in self._done and self._holds_enemy(state, seat)
        )

    def answers(self, moves: tuple[HideMove, ...]) -> tuple[HideMove, ...]:
        """Enemies alone."""
        return tuple(move for move in moves if isinstance(move, PlayEnemy))

    def in_secret(self, state: HideState) -> str:
        """The seat that lays cards face down now."""
        return (self._next_to_lay(state) or "") if state.phase == "cards" else ""

    def check(self, state: HideState, move: HideMove, seat: str) -> None:
        """Allow only the seat's own cards, when it is asked, and choices for its own animals."""
        if isinstance(move, Hold | Own):
            raise rules.refuse("dealt-told")
        if isinstance(move, PlayEnemy):
            self._check_own(move.by, seat)
            self._check_in_hand(state, move.card, seat)
        elif self.waits(state):
            raise rules.refuse("dealt-enemy-first")
        elif isinstance(move, End):
            if state.rounds:
                raise rules.refuse("dealt-to-the-end", rounds=state.rounds)
        elif state.phase == "cards":
            self._check_laid(state, move, seat)
        elif state.phase != "over" and not may_choose(state, seat, move):
            raise rules.refuse("dealt-turn", seat=turn(state) or seat)

    def _check_laid(self, state: HideState, move: HideMove, seat: str) -> None:
        self._check_own(self._next_to_lay(state) or "", seat)
        if isinstance(move, TurnUp):
            self._check_own(move.by, seat)
            seen = self.seen_by(state, seat)
            self._check_in_hand(seen, move.card, seat)
            rules.play(seen, move)

    def _check_own(self, owner: str, seat: str) -> None:
        if owner != seat:
            raise rules.refuse("dealt-turn", seat=owner)

    def _check_in_hand(self, state: HideState, card: str, seat: str) -> None:
        laid = [laid.card for laid in self._laid.get(seat, ())]
        if self.hands[seat].count(card) <= laid.count(card):
            raise rules.refuse("card-not-in-hand", seat=seat, card=card)

    def _follow(self, state: HideState) -> None:
        """Draw and show the cards drawn and shown on the table since."""
        step = state.round, state.phase, state.brawl
        if step != self._step:
            self._step, self._done, self._laid, self._asked = step, set(), {}, False
        events = [event for event in state.events if not isinstance(event, HandNoted)]
        for event in events[self._dealt :]:
            match event:
                case Drew():
                    self.hands[event.seat] += [self.deck.pop() for _ in range(event.cards)]
                    if event.seat not in self._to_note:
                        self._to_note.append(event.seat)
                case Showed():
                    self.hands[event.seat].remove(event.card)
                case Reshuffled():
                    self.deck = list(event.cards)
                    self._shuffles.shuffle(self.deck)
        self._dealt = len(events)

    def _animal(self, state: HideState) -> Own:
        counts = {seat: sum(owned.seat == seat for owned in state.owned) for seat in state.seats}
        seat = min(state.seats, key=lambda player: counts[player])
        choices = [move for move in legal_moves(state) if isinstance(move, Own) and move.seat == seat]
        return self._animals.choice(choices)

    def _next_to_lay(self, state: HideState) -> str | None:
        """The first seat, in the round's order, that has not laid its cards."""
        for seat in state.order:
            if seat not in self._done and len(self.hands[seat]) > len(self._laid.get(seat, ())):
                return seat
        return None

    def _may_bring_enemy(self, state: HideState) -> bool:
        """True while a rule allows an enemy before the seeker's chip lies."""
        asks = state.phase == "open" and state.seeker is not None
        return asks and not state.enemy_played and state.enemy is None

    def _holds_enemy(self, state: HideState, seat: str) -> bool:
        return any(self._is_enemy(state, card) for card in self.hands[seat])

    def _is_enemy(self, state: HideState, card: str) -> bool:
        return state.set.cards[card].does == "enemy"
