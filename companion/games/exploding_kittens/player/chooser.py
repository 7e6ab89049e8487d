"""The companion's player of Exploding Kittens.

It gets what its seat sees: the record of the table, and the notes of that seat alone. From these, exact odds
(`companion.odds`) give the possible cards and the chance of a kitten. Each choice is played out in the same
deals drawn from that knowledge; all later choices are the rules of thumb in `policies`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import sqrt
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from companion.games.chance import Stream, key_of
from companion.games.exploding_kittens.cards import ATTACK, DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE, SKIP
from companion.games.exploding_kittens.known import before_effect, counted, known, may_nope, sure
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.games.exploding_kittens.player.playout import DRAW, LAID, Box, DealtMatch, Deed, Policy
from companion.games.exploding_kittens.player.policies import Careful, Plain
from companion.games.exploding_kittens.rules import in_a_turn
from companion.games.exploding_kittens.state import (
    SEATS,
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    Hid,
    KittensMove,
    KittensState,
    Nope,
    Pair,
    Play,
    Three,
)
from companion.games.game import Game
from companion.games.players import Budget, Choice, Dealer, GamePlayer, Handicap, Seen
from companion.odds import Knowledge, card_at
from companion.odds.world import Bag, Runs, World, is_known

ROUND = 12
"""The deals to play out in every remaining way before the worse half is given up."""

CLEARLY = 1.0
"""Standard deviations by which a way must win more matches than that of the rule of thumb.

Most ways are about equally good: without this margin, the luck of a few hundred deals would decide, and the
player would win fewer matches (tried on 2,000).
"""

HIDES_ON_TOP = 3
"""One in this many kittens lies on top, if nobody has drawn since and its place is unknown."""

HOPELESS = -0.5
"""Standard deviations below the rule of thumb's way at which a way is given up."""

NAMED = (DEFUSE, NOPE, ATTACK, SKIP)
"""Kinds worth three cards alike."""

SEEDS = 1 << 31

PLAIN, CAREFUL = Plain(), Careful()

NEAR_THE_TOP = 4
"""Places from the top to weigh for a kitten, besides the middle and the bottom."""


MOST_TRIES = 20
"""Attempts at a deal; one fails if a card is left that fits no place."""


class KittensPlayer(GamePlayer):
    """Plays one seat among two to four."""

    levels: ClassVar[dict[str, Handicap]] = {"beginner": Handicap(nodes=0, spread=0.05), "top": Handicap()}
    deals_to_people = True

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        """The moves for the seat in `seen`: None to lay no nope on another seat's card."""
        state = seen.known
        if not isinstance(state, KittensState):
            raise TypeError("this is no match of Exploding Kittens")
        kinds = {type(move) for move in seen.legal}
        if Defuse in kinds:
            return [Choice(Defuse(), why="advice.defuses")]
        if Hid in kinds:
            return _hide(_Table(state, seen.seat), budget, luck)
        if Explode in kinds:
            return [Choice(Explode())]
        if seen.seat != state.standing.turn or not kinds & {Draw, DrawKitten}:
            return _nope(state, seen, budget, luck)
        return _turn(_Table(state, seen.seat), seen.legal, budget, luck)

    def own_moves(self, game: Game[Any, Any, Any], state: KittensState, seat: str) -> tuple[KittensMove, ...]:
        """The moves that a seat can choose, with the cards that it holds.

        Choices of chance are left out: what a draw brings, what a seat sees, and whether another seat has the
        named card. A draw is `Draw`, unless there are only kittens.
        """
        me = SEATS[SEATS.index(seat)]
        if _hides_a_kitten(state, seat):
            return tuple(Hid(me, place) for place in range(state.standing.deck))
        nopes = (Nope(me),) if _can_nope(state, seat) else ()
        if seat != state.standing.turn or state.phase in ("over", "asked"):
            return nopes
        holds = sure(known(state, seat).knowledge, seat)
        if state.phase == "kitten":
            return (*nopes, Defuse() if DEFUSE in holds else Explode())
        hand = {card: holds.get(card, 0) for card in state.options.box.in_hands}
        moves = tuple(in_a_turn(state, hand))
        return (*nopes, *(move for move in moves if Draw() not in moves or not isinstance(move, DrawKitten)))

    def dealer(self) -> Dealer:
        return KittensDealer()


PLAYER = KittensPlayer()


def _can_nope(state: KittensState, seat: str) -> bool:
    """True if a seat surely holds a nope that it can lay on the last card.

    What the whole table knows is asked only if the seat may have got its nope since.
    """
    last = state.last
    if last is None or not last.can_be_noped or not state.standing.lives(seat):
        return False
    if NOPE not in sure(_before_a_theft(state, seat), seat):
        return False
    return NOPE in sure(before_effect(state, seat), seat) or may_nope(state, seat)


def _before_a_theft(state: KittensState, seat: str) -> Knowledge:
    """The seat's knowledge; with all its cards, while a pair may still take one of them."""
    last, number = state.last, len(state.record) - 1
    if last is None or last.what != "pair" or last.target != seat:
        return known(state, seat).knowledge
    if any(note.what == "took" and note.action == number and note.seat == seat for note in state.notes):
        return known(state, seat).knowledge
    return before_effect(state, seat)


def _hides_a_kitten(state: KittensState, seat: str) -> bool:
    """True if the seat has defused a kitten, and has not noted its place yet."""
    last, number = state.last, len(state.record) - 1
    if last is None or last.what != "defuse" or last.seat != seat:
        return False
    return not any(note.what == "hid" and note.action == number and note.seat == seat for note in state.notes)


class Guesses:
    """Ways that the cards may lie, drawn by lot from a seat's knowledge.

    A world of the knowledge is drawn by its weight, its bags are mixed, and the hidden cards are dealt to the
    places that may hold them, the places with the fewest kinds first. Unless the kinds of places cut across
    each other, which is rare, each deal is as likely as the knowledge says.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._ends = list(accumulate(weight for weight, _ in knowledge.worlds))

    def deal(self, luck: Stream) -> tuple[list[int], list[list[int]]]:
        """The deck from the top, and each pile as numbers of cards by kind. Kinds are numbers."""
        for _ in range(MOST_TRIES):
            world = self._knowledge.worlds[bisect_right(self._ends, luck.randbelow(self._ends[-1]))][1]
            types, ends = _types(world, luck)
            kinds = _dealt(types, self._knowledge.totals, luck)
            if kinds is not None:
                break
        else:
            raise AssertionError(f"no deal fits what is known in {MOST_TRIES} tries")
        cards = len(self._knowledge.totals)
        piles = []
        for begin, end in pairwise(ends):
            counts = [0] * cards
            for kind in kinds[begin:end]:
                counts[kind] += 1
            piles.append(counts)
        return kinds[: ends[0]], piles


def _types(world: World, luck: Stream) -> tuple[list[int], list[int]]:
    """The type of each place, the deck's first and then pile by pile, and the end of each."""
    stock = [_mixed(bag, luck) for bag in world.bags]

    def take(source: int) -> int:
        while source < 0:
            source = stock[~source].pop()
        return source

    types: list[int] = []
    ends: list[int] = []
    for runs in (world.deck, *world.piles):
        types += [take(source) for source in _places(runs)]
        ends.append(len(types))
    return types, ends


def _places(runs: Runs) -> list[int]:
    return [source for source, count in runs for _ in range(count)]


def _mixed(bag: Bag, luck: Stream) -> list[int]:
    places = _places(bag)
    luck.shuffle(places)
    return places


def _dealt(types: list[int], totals: tuple[int, ...], luck: Stream) -> list[int] | None:
    """A kind for each place; None if the cards left fit no place left."""
    pool = list(totals)
    kinds = [-1] * len(types)
    hidden: dict[int, list[int]] = {}
    for place, mask in enumerate(types):
        if is_known(mask):
            kinds[place] = mask.bit_length() - 1
            pool[kinds[place]] -= 1
        else:
            hidden.setdefault(mask, []).append(place)
    for mask in sorted(hidden, key=lambda mask: (mask.bit_count(), mask)):
        cards = [kind for kind, left in enumerate(pool) if mask >> kind & 1 for _ in range(left)]
        if len(cards) < len(hidden[mask]):
            return None
        luck.shuffle(cards)
        for place in hidden[mask]:
            kinds[place] = cards.pop()
            pool[kinds[place]] -= 1
    return kinds


class _Table:
    """A seat's knowledge, ready to be dealt out.

    `waits`: the last card has not taken effect yet.
    """

    def __init__(self, state: KittensState, seat: str, *, waits: bool = False) -> None:
        self.state, self.me = state, SEATS.index(seat)
        self.box = Box(state.options)
        if waits:
            self.before = replace(state, standing=state.before, record=state.record[:-1])
            self.knowledge = before_effect(state, seat)
        else:
            self.before = _before_the_kitten_is_hidden(state, seat)
            self.knowledge = known(self.before, seat).knowledge
        self._hidden_by = _hidden_by(self.before)
        self._guesses = Guesses(self.knowledge)
        self._defused = [
            sum(action.what == "defuse" and action.seat == player for action in state.record)
            for player in state.seats
        ]
        self._knows = _looked_at(self.before)
        cards = self.before.standing.deck
        self._knows[self.me] = {
            cards - 1 - place for place in range(cards) if _kitten_at(self.knowledge, place) in (0, 1)
        }

    @property
    def danger(self) -> Fraction:
        """The exact chance that the next card is a kitten."""
        return _kitten_at(self.knowledge, 0)

    @property
    def knows_the_next_cards(self) -> bool:
        """True if a look at the deck shows nothing new."""
        cards = self.before.standing.deck
        return all(place in self._knows[self.me] for place in range(max(0, cards - self.box.seen), cards))

    def match(self, policies: Sequence[Policy], luck: Stream) -> DealtMatch:
        """A possible match, dealt by lot."""
        standing = self.before.standing
        deck, piles = self._guesses.deal(luck)
        deck.reverse()
        self._hide_on_top(deck, luck)
        return DealtMatch(
            self.box,
            piles[: len(self.state.seats)],
            deck,
            list(standing.alive),
            SEATS.index(standing.turn),
            standing.owed,
            standing.attacked,
            [set(places) for places in self._knows],
            list(self._defused),
            self._hidden_by,
            policies,
            luck,
        )

    def _hide_on_top(self, deck: list[int], luck: Stream) -> None:
        """Put a kitten that another seat has just hidden on top at times, as people do."""
        top, knows, kitten = len(deck) - 1, self._knows[self.me], self.box.kitten
        if self._hidden_by in (None, self.me) or top in knows or luck.randbelow(HIDES_ON_TOP):
            return
        places = [place for place, card in enumerate(deck) if card == kitten and place not in knows]
        if places and top not in places:
            place = luck.choice(places)
            deck[place], deck[top] = deck[top], deck[place]


def _kitten_at(knowledge: Knowledge, place: int) -> Fraction:
    return counted(lambda deck: card_at(deck, place)[KITTEN], knowledge)


def _before_the_kitten_is_hidden(state: KittensState, seat: str) -> KittensState:
    """The state with the drawn kitten still in the hand of a seat that must put it back now."""
    if not _hides_a_kitten(state, seat):
        return state
    last = state.standing
    again = last.turn == seat and last.attacked
    standing = replace(
        last,
        turn=SEATS[SEATS.index(seat)],
        deck=last.deck - 1,
        owed=last.owed + 1 if again else 1,
        attacked=again,
    )
    return replace(state, record=state.record[:-1], standing=standing, before=standing)


def _hidden_by(state: KittensState) -> int | None:
    """The seat that put a kitten back since the last draw and the last shuffle."""
    for action in reversed(state.record):
        if action.what == "defuse":
            return SEATS.index(action.seat)
        if action.what in ("draw", "kitten") or (action.card == SHUFFLE and action.works):
            return None
    return None


def _looked_at(state: KittensState) -> list[set[int]]:
    """Places, from the bottom, that each seat looked at and that have not moved since, as all saw."""
    knows: list[set[int]] = [set() for _ in state.seats]
    cards = state.standing.deck
    for action in state.record:
        cards += (action.what in ("draw", "kitten")) - (action.what == "defuse")
    for action in state.record:
        if action.what in ("draw", "kitten"):
            cards -= 1
            knows = [{place for place in places if place < cards} for places in knows]
        elif action.what == "defuse":
            cards += 1
            knows = [set() for _ in knows]
        elif action.what == "play" and action.works and action.card == SHUFFLE:
            knows = [set() for _ in knows]
        elif action.what == "play" and action.works and action.card == FUTURE:
            knows[SEATS.index(action.seat)].update(range(max(0, cards - state.options.box.seen), cards))
    return knows


def _ways(table: _Table, legal: Sequence[KittensMove]) -> list[tuple[KittensMove, Deed]]:
    """The moves to weigh: one of each kind of combo, and only valuable names."""
    number, holds = table.box.number, _held_by(table)
    ways: dict[Deed, tuple[KittensMove, Deed]] = {}
    best_named: dict[tuple[int, str], tuple[float, Three]] = {}
    for move in legal:
        if isinstance(move, Play):
            deed = table.box.deed("play", move.card)
            if deed.card != table.box.future or not table.knows_the_next_cards:
                ways[deed] = move, deed
        elif isinstance(move, Pair):
            # All kinds of cats are equally good.
            card = number[move.card]
            deed = Deed("pair", card, SEATS.index(move.target))
            like = Deed("pair", table.box.cats[0], deed.target) if card in table.box.cats else deed
            ways.setdefault(like, (move, deed))
        elif isinstance(move, Three) and move.named in NAMED:
            key = -1 if number[move.card] in table.box.cats else number[move.card], move.named
            chance = holds[SEATS.index(move.target)][number[move.named]]
            if chance > best_named.get(key, (0.0, move))[0]:
                best_named[key] = chance, move
    threes = [
        (move, table.box.deed("three", move.card, move.target, move.named)) for _, move in best_named.values()
    ]
    return [(_draw(legal), DRAW), *ways.values(), *threes]


def _held_by(table: _Table) -> list[list[float]]:
    """Each seat's mean number of cards of each kind, in some deals."""
    luck, deals = Stream(key_of(1)), 24
    seats = len(table.state.seats)
    sums = [[0.0] * len(table.box.kinds) for _ in range(seats)]
    for _ in range(deals):
        hands = table.match([], luck).hands
        for seat in range(seats):
            for kind, count in enumerate(hands[seat]):
                sums[seat][kind] += min(count, 1) / deals
    return sums


def _turn(table: _Table, legal: Sequence[KittensMove], budget: Budget, luck: Stream) -> list[Choice]:
    """The ways in a turn, from the rule of thumb's move on."""
    deed = CAREFUL.turn(table.match([], luck), table.me)
    move = table.box.move(deed)
    ways = {deed: move if move in legal else _draw(legal)}
    ways |= {way: move for move, way in _ways(table, legal) if way != deed}
    facts: dict[str, str | int] = {"percent": round(100 * float(table.danger))}
    won = _most_won(table, list(ways), DealtMatch.do, budget, luck)
    return [Choice(ways[deed], worth, _why(deed, table.box), facts) for deed, worth in won]


def _hide(table: _Table, budget: Budget, luck: Stream) -> list[Choice]:
    deck = table.before.standing.deck
    rule = CAREFUL.place(table.match([], luck), table.me)
    places = dict.fromkeys((rule, *range(min(NEAR_THE_TOP, deck)), deck // 2, deck))

    def hide(match: DealtMatch, place: int) -> None:
        match.put_back(table.me, place)

    won = _most_won(table, list(places), hide, budget, luck)
    return [Choice(Hid(SEATS[table.me], place), worth, "advice.hides") for place, worth in won]


Way = TypeVar("Way")


def _most_won(
    table: _Table, ways: Sequence[Way], take: Callable[[DealtMatch, Way], None], budget: Budget, luck: Stream
) -> list[tuple[Way, float]]:
    """The ways with their shares of matches won: first the one that clearly wins more than the first of
    `ways`, else that.

    `take` takes a way in a match. All ways get the same deals and luck. After each round, at most half of
    them are left.
    """
    policies: list[Policy] = [PLAIN for _ in table.state.seats]
    policies[table.me] = CAREFUL
    left: list[int] = list(range(len(ways)))
    # By way: its deals, the matches won, the lead over the first way, and the matches that the two end
    # differently.
    deals, won, more, apart = ([0] * len(ways) for _ in range(4))
    while not deals[0] or (len(left) > 1 and not budget.is_over):
        for _ in range(ROUND):
            wins = _won_in_a_deal(table, [ways[n] for n in left], take, policies, luck)
            for n, win in zip(left, wins, strict=True):
                deals[n] += 1
                won[n] += win
                more[n] += win - wins[0]
                apart[n] += win != wins[0]
        budget.spend(ROUND * len(left))
        hopeful: list[int] = [n for n in left[1:] if more[n] > HOPELESS * sqrt(apart[n])]
        hopeful.sort(key=lambda n: -more[n])
        left = [0, *hopeful[: max(1, len(left) // 2)]]
    clearly = [n for n in left[1:] if more[n] > CLEARLY * sqrt(apart[n])]
    best = max(clearly, key=lambda n: more[n], default=0)
    order = sorted(range(len(ways)), key=lambda n: n != best)
    return [(ways[n], won[n] / deals[n]) for n in order]


def _won_in_a_deal(
    table: _Table,
    ways: Sequence[Way],
    take: Callable[[DealtMatch, Way], None],
    policies: Sequence[Policy],
    luck: Stream,
) -> list[bool]:
    """True for each way by which the seat wins, from one deal and with the same luck."""
    deal = table.match(policies, Stream(key_of(luck.randbelow(SEEDS))))
    seed = luck.randbelow(SEEDS)
    wins = []
    for way in ways:
        match = deal.copy(policies, Stream(key_of(seed)))
        take(match, way)
        wins.append(match.run() == table.me)
    return wins


def _nope(state: KittensState, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
    last = state.last
    nope = next((move for move in seen.legal if isinstance(move, Nope)), None)
    if nope is None or last is None or last.what not in LAID or (last.seat == seen.seat and last.works):
        return [Choice(None)]
    table = _Table(state, seen.seat, waits=True)
    deed = table.box.deed(last.what, last.card, last.target, last.named)
    by, stopped, me = SEATS.index(last.seat), len(last.nopes), table.me
    before_me = SEATS.index(last.nopes[-1] if last.nopes else last.seat)

    def go_on(match: DealtMatch, nopes: int) -> None:
        if nopes:
            match.hands[me][match.box.nope] -= 1
            match.resolve(by, deed, stopped + 1, me)
        else:
            match.resolve(by, deed, stopped, before_me, (me - before_me) % len(state.seats))

    lays = int(CAREFUL.nopes(table.match([], luck), me, by, deed, stopped))
    won = _most_won(table, (lays, 1 - lays), go_on, budget, luck)
    return [Choice(nope, worth, "advice.nopes") if lays else Choice(None, worth) for lays, worth in won]


def _draw(legal: Sequence[KittensMove]) -> KittensMove:
    return next(move for move in legal if isinstance(move, Draw | DrawKitten))


def _why(deed: Deed, box: Box) -> str:
    if deed.what == "draw":
        return "advice.draws"
    if deed.what != "play":
        return "advice.takes"
    return {
        box.attack: "advice.passes-on",
        box.skip: "advice.passes-on",
        box.shuffle: "advice.shuffles",
        box.future: "advice.looks",
    }[deed.card]
