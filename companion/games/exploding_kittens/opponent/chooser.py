"""The companion's player of Exploding Kittens.

It gets what its seat sees: the record of the table, and the notes of that seat alone. From these the engine
of exact odds (`companion.odds`) says what the cards may be, and how likely the next one is a kitten. Each way
to go on is played out in the same deals drawn from that knowledge; all other choices in them are those of the
rules of thumb in `players`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from msgspec.structs import replace

from companion.games.choosing import RANDOM, Budget, Choice, Lots, Seen
from companion.games.exploding_kittens.cards import ATTACK, DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE, SKIP
from companion.games.exploding_kittens.known import before_effect, counted, known, sure
from companion.games.exploding_kittens.moves import (
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    Hid,
    KittensMove,
    Nope,
    Pair,
    Play,
    Three,
)
from companion.games.exploding_kittens.opponent.guess import Guesses
from companion.games.exploding_kittens.opponent.players import Careful, Plain
from companion.games.exploding_kittens.opponent.playout import DRAW, LAID, Box, Deed, Playout, Policy
from companion.games.exploding_kittens.rules import in_a_turn, may_nope
from companion.games.exploding_kittens.state import SEATS, KittensState
from companion.odds import Knowledge, card_at

PLAIN = "plain"
"""The reference player, who plays as people do; see `players`."""

ROUND = 12
"""The deals in which every remaining way is played out before the worse half of them is given up."""

CLEARLY = 1.0
"""Standard deviations by which a way must win more matches than that of the rule of thumb.

Most ways are about equally good: without this margin the luck of a few hundred deals would decide. With 400
matches played out for each move, a player that took whatever won more won 46 % of 2,000 matches against three
plain players, and 48 % with it; the rule of thumb alone wins 44 %. A faster program with the same
rules, which is not part of the project, played them.
"""

HIDES_ON_TOP = 3
"""One in this many kittens is taken to lie on top, if nobody has drawn since and nothing says where it is."""

HOPELESS = -0.5
"""Standard deviations below the rule of thumb's way at which a way is given up."""

NAMED = (DEFUSE, NOPE, ATTACK, SKIP)
"""The kinds of which one is worth three cards alike."""

SEEDS = 1 << 31
"""The number of seeds from which that of a match to play out is drawn."""

NEAR_THE_TOP = 4
"""The places from the top that are weighed for a kitten, besides the middle and the bottom."""


class KittensChooser:
    """Plays one seat among two to four."""

    levels = ("beginner", "middle", "top", RANDOM, PLAIN)
    expects = "chance"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the seat in `seen`: None where it lays no nope on what another seat did."""
        state, lots = seen.known, Lots(seed)
        if not isinstance(state, KittensState):
            raise TypeError("this is no match of Exploding Kittens")
        budget.spend(1)
        if level == RANDOM:
            return Choice(lots.one_of(seen.legal))
        policy: Policy = Careful() if level in ("middle", "top") else Plain()
        kinds = {type(move) for move in seen.legal}
        weighs = budget if level == "top" else None
        if Defuse in kinds:
            return Choice(Defuse(), why="advice.defuses")
        if Hid in kinds:
            return _hide(_Table(state, seen.seat), policy, weighs, lots)
        if Explode in kinds:
            return Choice(Explode())
        if seen.seat != state.standing.turn or not kinds & {Draw, DrawKitten}:
            return _nope(state, seen, policy, weighs, lots)
        return _best(_Table(state, seen.seat), seen.legal, policy, weighs, lots)


CHOOSER = KittensChooser()


def own_moves(state: KittensState, seat: str) -> tuple[KittensMove, ...]:
    """The moves that a seat can choose, with the cards that it holds.

    What only chance decides is left out: what a draw brings, what a seat sees, and whether another seat has
    the named card. A draw is `Draw`, unless there is nothing but kittens.
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


def _can_nope(state: KittensState, seat: str) -> bool:
    """Whether a seat surely holds a nope that it can lay on the last card.

    What the whole table knows can take many seconds to work out. So it is asked only where the seat may have
    come by its nope since.
    """
    last = state.last
    if last is None or not last.can_be_noped or not state.standing.lives(seat):
        return False
    if NOPE not in sure(_before_a_theft(state, seat), seat):
        return False
    return NOPE in sure(before_effect(state, seat), seat) or may_nope(state, seat)


def _before_a_theft(state: KittensState, seat: str) -> Knowledge:
    """What a seat knows; with all its cards, while a pair may still take one of them."""
    last, at = state.last, len(state.record) - 1
    if last is None or last.what != "pair" or last.target != seat:
        return known(state, seat).knowledge
    if any(note.what == "took" and note.action == at and note.seat == seat for note in state.notes):
        return known(state, seat).knowledge
    return before_effect(state, seat)


def _hides_a_kitten(state: KittensState, seat: str) -> bool:
    """Whether the seat has defused a kitten, and has not noted yet where it put it."""
    last, at = state.last, len(state.record) - 1
    if last is None or last.what != "defuse" or last.seat != seat:
        return False
    return not any(note.what == "hid" and note.action == at and note.seat == seat for note in state.notes)


class _Table:
    """What a seat knows of a state, ready to be dealt out.

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
            sum(action.what == "defuse" and action.seat == each for action in state.record)
            for each in state.seats
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
        """Whether a look at the deck shows nothing new."""
        cards = self.before.standing.deck
        return all(place in self._knows[self.me] for place in range(max(0, cards - self.box.seen), cards))

    def match(self, policies: Sequence[Policy], lots: Lots) -> Playout:
        """A match as it may stand, dealt by lot."""
        standing = self.before.standing
        deck, piles = self._guesses.deal(lots)
        deck.reverse()
        self._hide_on_top(deck, lots)
        return Playout(
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
            lots,
        )

    def _hide_on_top(self, deck: list[int], lots: Lots) -> None:
        """A kitten that another seat has just hidden lies on top at times, as people do it."""
        top, knows, kitten = len(deck) - 1, self._knows[self.me], self.box.kitten
        if self._hidden_by in (None, self.me) or top in knows or lots.below(HIDES_ON_TOP):
            return
        places = [place for place, card in enumerate(deck) if card == kitten and place not in knows]
        if places and top not in places:
            place = lots.one_of(places)
            deck[place], deck[top] = deck[top], deck[place]


def _kitten_at(knowledge: Knowledge, place: int) -> Fraction:
    return counted(lambda deck: card_at(deck, place)[KITTEN], knowledge)


def _before_the_kitten_is_hidden(state: KittensState, seat: str) -> KittensState:
    """The state with the drawn kitten still in the hand of a seat that must put it back now."""
    if not _hides_a_kitten(state, seat):
        return state
    now = state.standing
    again = now.turn == seat and now.attacked
    standing = replace(
        now,
        turn=SEATS[SEATS.index(seat)],
        deck=now.deck - 1,
        owed=now.owed + 1 if again else 1,
        attacked=again,
    )
    return replace(state, record=state.record[:-1], standing=standing, before=standing)


def _hidden_by(state: KittensState) -> int | None:
    """Who put a kitten back since the last draw and the last shuffle."""
    for action in reversed(state.record):
        if action.what == "defuse":
            return SEATS.index(action.seat)
        if action.what in ("draw", "kitten") or (action.card == SHUFFLE and action.works):
            return None
    return None


def _looked_at(state: KittensState) -> list[set[int]]:
    """The places, from the bottom, that each seat looked at and that have not moved since, as all saw."""
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
    """The moves that are worth weighing: all but combos whose like is weighed, and names of little worth."""
    number, holds = table.box.number, _held_by(table)
    ways: dict[Deed, tuple[KittensMove, Deed]] = {}
    best_named: dict[tuple[int, str], tuple[float, Three]] = {}
    for move in legal:
        if isinstance(move, Play):
            deed = table.box.deed("play", move.card)
            if deed.card != table.box.future or not table.knows_the_next_cards:
                ways[deed] = move, deed
        elif isinstance(move, Pair):
            # One kind of cats is as good as another.
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
    """How many cards of each kind each seat holds on average, in some deals."""
    lots, deals = Lots(1), 24
    seats = len(table.state.seats)
    sums = [[0.0] * len(table.box.kinds) for _ in range(seats)]
    for _ in range(deals):
        hands = table.match([], lots).hands
        for seat in range(seats):
            for kind, count in enumerate(hands[seat]):
                sums[seat][kind] += min(count, 1) / deals
    return sums


def _best(
    table: _Table, legal: Sequence[KittensMove], policy: Policy, budget: Budget | None, lots: Lots
) -> Choice:
    """The rule of thumb's move, unless another clearly wins more matches."""
    deed, worth = policy.turn(table.match([], lots), table.me), None
    move = table.box.move(deed)
    ways = {deed: move if move in legal else _draw(legal)}
    if budget is not None:
        ways |= {way: move for move, way in _ways(table, legal) if way != deed}
        deed, worth = _most_won(table, list(ways), Playout.do, budget, lots)
    facts: dict[str, str | int] = {"percent": round(100 * float(table.danger))}
    return Choice(ways[deed], worth, _why(deed, table.box), facts)


def _hide(table: _Table, policy: Policy, budget: Budget | None, lots: Lots) -> Choice:
    """Where the kitten goes back."""
    deck = table.before.standing.deck
    rule, worth = policy.place(table.match([], lots), table.me), None
    place = rule
    if budget is not None:
        places = dict.fromkeys((rule, *range(min(NEAR_THE_TOP, deck)), deck // 2, deck))

        def hide(match: Playout, place: int) -> None:
            match.put_back(table.me, place)

        place, worth = _most_won(table, list(places), hide, budget, lots)
    return Choice(Hid(SEATS[table.me], place), worth, "advice.hides")


Way = TypeVar("Way")


def _most_won(
    table: _Table, ways: Sequence[Way], take: Callable[[Playout, Way], None], budget: Budget, lots: Lots
) -> tuple[Way, float]:
    """The way that clearly wins more matches than the first, else the first; and the share that it wins.

    `take` takes a way in a match. All ways get the same deals and the same luck. After each round, at most
    half of them are left.
    """
    policies: list[Policy] = [Plain() for _ in table.state.seats]
    policies[table.me] = Careful()
    left: list[int] = list(range(len(ways)))
    first = deals = 0
    # By way: the matches won, how many more than by the first way, and those that the two end differently.
    won, more, apart = ([0] * len(ways) for _ in range(3))
    while deals == 0 or (len(left) > 1 and not budget.is_over):
        for _ in range(ROUND):
            wins = _won_in_a_deal(table, [ways[at] for at in left], take, policies, lots)
            for at, win in zip(left, wins, strict=True):
                won[at] += win
                more[at] += win - wins[0]
                apart[at] += win != wins[0]
        deals += ROUND
        budget.spend(ROUND * len(left))
        hopeful: list[int] = [at for at in left[1:] if more[at] > HOPELESS * sqrt(apart[at])]
        hopeful.sort(key=lambda at: -more[at])
        left = [first, *hopeful[: max(1, len(left) // 2)]]
    clearly = [at for at in left[1:] if more[at] > CLEARLY * sqrt(apart[at])]
    best = max(clearly, key=lambda at: more[at], default=first)
    return ways[best], won[best] / deals


def _won_in_a_deal(
    table: _Table,
    ways: Sequence[Way],
    take: Callable[[Playout, Way], None],
    policies: Sequence[Policy],
    lots: Lots,
) -> list[bool]:
    """Whether the seat wins by each way, from one deal and with the same luck."""
    deal = table.match(policies, Lots(lots.below(SEEDS)))
    seed = lots.below(SEEDS)
    wins = []
    for way in ways:
        match = deal.copy(policies, Lots(seed))
        take(match, way)
        wins.append(match.run() == table.me)
    return wins


def _nope(state: KittensState, seen: Seen, policy: Policy, budget: Budget | None, lots: Lots) -> Choice:
    """A nope on the last card, or none."""
    last = state.last
    nope = next((move for move in seen.legal if isinstance(move, Nope)), None)
    if nope is None or last is None or last.what not in LAID or (last.seat == seen.seat and last.works):
        return Choice(None)
    table, worth = _Table(state, seen.seat, waits=True), None
    deed = table.box.deed(last.what, last.card, last.target, last.named)
    by, stopped, me = SEATS.index(last.seat), len(last.nopes), table.me
    before_me = SEATS.index(last.nopes[-1] if last.nopes else last.seat)

    def go_on(match: Playout, nopes: int) -> None:
        if nopes:
            match.hands[me][match.box.nope] -= 1
            match.resolve(by, deed, stopped + 1, me)
        else:
            match.resolve(by, deed, stopped, before_me, (me - before_me) % len(state.seats))

    lays = int(policy.nopes(table.match([], lots), me, by, deed, stopped))
    if budget is not None:
        lays, worth = _most_won(table, (lays, 1 - lays), go_on, budget, lots)
    return Choice(nope, worth, "advice.nopes") if lays else Choice(None, worth)


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
