"""What the camera's report means: a tile laid, a tile moved, a rule broken, or something to ask.

Only what is sure and within the rules is played. A tile that moved or vanished may have been pushed
by a sleeve or hidden by something: but for a nudge of the tile laid last, that is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

import msgspec

from companion.errors import InvalidMove, MoveError
from companion.errors.causes import cause_of
from companion.games import watching
from companion.games.this_bed_is_mine import rules
from companion.games.this_bed_is_mine.fits import bed_of, binding, can_lay
from companion.games.this_bed_is_mine.moves import (
    SLUG,
    BedMove,
    BedState,
    Lay,
    Owner,
    Shift,
    TakeOff,
    Tile,
    other,
)
from companion.games.watching import IN_THE_WAY, Guess, Observation, Sighting, Verdict

FLIPPED = "flipped"
"""What is wrong when a tile lies with its printed face down: no reading can name such a tile."""

AGAINST_A_RULE = {FLIPPED: "face-up", "tile-off-bed": "half-off-the-bed", "overlap": "tiles-overlap"}
"""What may be wrong on the bed itself, and the rule that it breaks, where no legal reading is left."""

ORDERS_TRIED = 500
"""How many orders of laying are tried for tiles that appeared at once: more than the 126 ways in
which four of nine tiles may have come last."""

Moves = tuple[BedMove, ...]


def sighting(state: BedState, seen: Observation) -> Sighting:
    """What a picture means for the match; see `Verdict`."""
    if seen.unsure:
        return _unsure(state, seen)
    if seen.tiles is None:
        return Sighting(Verdict.NOTHING)
    return _sure(state, seen.tiles)


class Difference:
    """What a reading shows that the match does not hold, and the other way round.

    Raises `InvalidMove` for a tile that is none of this game's.
    """

    def __init__(self, state: BedState, seen: Iterable[watching.Tile]) -> None:
        self.state = state
        lying = {(tile.owner, tile.digit): tile for tile in state.tiles}
        there = set()
        self.new: list[Tile] = []
        self.moved: list[Tile] = []
        self.confidence = 1.0
        """How sure the camera is of the least sure tile of the reading."""
        for each in seen:
            tile = as_tile(each)
            name = tile.owner, tile.digit
            if name not in lying or name in there:
                self.new.append(tile)
            elif not _same_place(state, lying[name], tile):
                self.moved.append(tile)
            there.add(name)
            self.confidence = min(self.confidence, each.confidence)
        self.gone = [tile for name, tile in lying.items() if name not in there]

    @property
    def plain(self) -> bool:
        """Whether it is what play brings: tiles laid, or a nudge of the tile laid last."""
        if self.gone:
            return False
        if not self.moved:
            return True
        last = self.state.tiles[-1]
        nudged = [(tile.owner, tile.digit) for tile in self.moved]
        return not self.new and nudged == [(last.owner, last.digit)]

    def moves(self) -> Moves:
        """The moves that make the match hold what was seen. Raises `MoveError` when rules forbid them."""
        state, done = self.state, []
        for tile in self.gone:
            done.append(TakeOff(tile.owner, tile.digit))
            state = rules.play(state, done[-1])
        state, shifted, lifted = _shifted(state, self.moved)
        return (*done, *shifted, *in_order(state, [*self.new, *lifted]))


def as_tile(seen: watching.Tile) -> Tile:
    """A tile that was seen as one of the game's. Raises `InvalidMove` for values that no tile has."""
    try:
        return msgspec.convert(msgspec.to_builtins(seen), Tile)
    except msgspec.ValidationError as error:
        raise InvalidMove(SLUG, "not-a-move", fault=cause_of(error, Tile)) from error


def _same_place(state: BedState, lying: Tile, seen: Tile) -> bool:
    bed = bed_of(state.options)
    return bed.holds(seen) and bed.covered(lying) == bed.covered(seen)


def _shifted(state: BedState, moved: list[Tile]) -> tuple[BedState, list[BedMove], list[Tile]]:
    """Shift tiles in an order that lets each reach its place; two that lie in each other's way are
    parted by taking one off, which is given back to be laid again."""
    waiting, done, lifted = list(moved), list[BedMove](), list[Tile]()
    while waiting:
        problem: MoveError | None = None
        for tile in waiting:
            try:
                state = rules.play(state, shift := _as_shift(tile))
            except MoveError as error:
                problem = problem or error
                continue
            done.append(shift)
            waiting.remove(tile)
            break
        else:
            assert problem is not None  # every tile that waits was tried and refused
            in_the_way = {(tile.owner, tile.digit) for tile in waiting[1:]}
            under = problem.facts.get("under_owner"), problem.facts.get("under_digit")
            if under not in in_the_way:
                raise problem
            tile = waiting.pop(0)
            done.append(TakeOff(tile.owner, tile.digit))
            state = rules.play(state, done[-1])
            lifted.append(tile)
    return state, done, lifted


def _as_shift(tile: Tile) -> Shift:
    return Shift(tile.owner, tile.digit, tile.turns, tile.row, tile.col)


def in_order(state: BedState, new: list[Tile]) -> tuple[Lay, ...]:
    """An order in which these tiles may have been laid, the sides alternating as the rules want it.

    Raises `MoveError` when there is none: what the plainest order breaks.
    """
    problem: MoveError | None = None
    for late in islice(_late(state, new), ORDERS_TRIED):
        try:
            return _alternating(state, new, late)
        except MoveError as error:
            problem = problem or error
    assert problem is not None  # the plainest order is always tried
    raise problem


def _alternating(state: BedState, new: list[Tile], late: tuple[Tile, ...]) -> tuple[Lay, ...]:
    waiting = [tile for tile in new if tile not in late] + list(late)
    done = []
    while waiting:
        tile = _next_tile(state, waiting)
        waiting.remove(tile)
        done.append(Lay(tile.owner, tile.digit, tile.turns, tile.row, tile.col))
        state = rules.play(state, done[-1])
    return tuple(done)


def _next_tile(state: BedState, waiting: list[Tile]) -> Tile:
    """The tile to lay next; one that breaks a rule when no other is left."""
    mine = [tile for tile in waiting if tile.owner == state.turn]
    if mine and (rule := binding(state.options, state.tiles, mine[0].owner)):
        bed = bed_of(state.options)
        first = [
            tile
            for tile in mine
            if tile.digit in rule.digits and bed.holds(tile) and rule.in_zone(bed.covered(tile))
        ]
        mine = first or mine
    return (mine or waiting)[0]


def _late(state: BedState, new: list[Tile]) -> Iterator[tuple[Tile, ...]]:
    """Which tiles may have come last, the other side being skipped by then; none of them first."""
    yield ()
    bed = bed_of(state.options)
    if state.turn is None or not all(tile.digit in bed.shapes and bed.holds(tile) for tile in new):
        return
    more, surplus = _surplus(state.turn, new)
    if surplus < 1:
        return
    for late in combinations([tile for tile in new if tile.owner == more], surplus):
        before = tuple(tile for tile in new if tile not in late)
        if not can_lay(state.options, (*state.tiles, *before), other(more)):
            yield late


def _surplus(turn: Owner, new: list[Tile]) -> tuple[Owner, int]:
    """The side with more tiles than turn about allows, and how many too many."""
    own = sum(tile.owner == turn for tile in new)
    others = len(new) - own
    return (turn, own - others - 1) if own > others else (other(turn), others - own)


def _sure(state: BedState, tiles: tuple[watching.Tile, ...]) -> Sighting:
    try:
        difference = Difference(state, tiles)
        moves = difference.moves()
    except MoveError as error:
        return _breaks(error)
    if not moves:
        return Sighting(Verdict.NOTHING)
    if difference.plain:
        return Sighting(Verdict.PLAY, guesses=(Guess(moves, difference.confidence),))
    return _ask(difference, moves)


def _ask(difference: Difference, moves: Moves) -> Sighting:
    """Ask whether a tile has really moved or gone, or only what is new shall count, or nothing."""
    confidence = difference.confidence
    guesses = [Guess(moves, confidence)]
    if difference.new:
        try:
            only_new = in_order(difference.state, difference.new)
            guesses.append(Guess(only_new, (1 - confidence) / 2))
        except MoveError:
            pass  # a tile that was laid where another was lifted cannot be the only change
    guesses.append(Guess((), round(1 - sum(guess.confidence for guess in guesses), 6)))
    tile = (difference.gone or difference.moved)[0]
    why = "tile-gone" if difference.gone else "tile-moved"
    return Sighting(
        Verdict.ASK, why=why, facts={"owner": tile.owner, "digit": tile.digit}, guesses=tuple(guesses)
    )


def _breaks(error: MoveError) -> Sighting:
    facts = {name: fact for name, fact in error.facts.items() if isinstance(fact, str | int)}
    return Sighting(Verdict.BREAKS, rule=error.rule, facts=facts)


def _unsure(state: BedState, seen: Observation) -> Sighting:
    """Offer the readings that the rules allow, likeliest first; wait when there is none."""
    if seen.why == FLIPPED:
        return Sighting(Verdict.BREAKS, why=seen.why, rule=AGAINST_A_RULE[FLIPPED])
    if seen.why in IN_THE_WAY:
        return Sighting(Verdict.WAIT, why=seen.why)
    likeliest: dict[Moves, float] = {}
    for board in seen.alternatives:
        if (moves := _legal(state, board.tiles)) is not None:
            likeliest[moves] = max(board.confidence, likeliest.get(moves, 0.0))
    if seen.tiles is not None and (moves := _legal(state, seen.tiles)) is not None:
        # What is believed so far is no likelier than the other readings leave room for.
        left_over = max(0.0, 1 - sum(likeliest.values()))
        least_sure = min([left_over, *(tile.confidence for tile in seen.tiles)])
        likeliest[moves] = max(least_sure, likeliest.get(moves, 0.0))
    if not any(likeliest):
        rule = AGAINST_A_RULE.get(seen.why, "")
        return Sighting(Verdict.BREAKS if rule else Verdict.WAIT, why=seen.why, rule=rule)
    ranked = sorted(likeliest.items(), key=lambda guess: -guess[1])
    guesses = tuple(Guess(moves, confidence) for moves, confidence in ranked)
    return Sighting(Verdict.ASK, why=seen.why, guesses=guesses)


def _legal(state: BedState, tiles: Iterable[watching.Tile]) -> Moves | None:
    """The moves that a reading stands for; None where rules forbid them: nobody is asked about those."""
    try:
        return Difference(state, tiles).moves()
    except MoveError:
        return None
