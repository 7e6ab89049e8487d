"""The companion's player of Hide and Seek.

It lays one card after another, each where it helps most as the cards lie then, as long as one helps more than
it may help later. What the others lay face down it does not know: an animal that is a little faster than the
seeker may still be caught, and one that is slower may still get away.
"""

from __future__ import annotations

from companion.games.choosing import RANDOM, Budget, Choice, Lots, Seen
from companion.games.hide_and_seek import catching, closing, deck, rules, score
from companion.games.hide_and_seek.cardset import ENEMY
from companion.games.hide_and_seek.legal import legal_moves, turn
from companion.games.hide_and_seek.moves import (
    CatchEnemy,
    DropGear,
    End,
    GoOn,
    HideMove,
    HideState,
    PlayEnemy,
    RemoveFood,
    Seek,
    TurnUp,
)
from companion.games.hide_and_seek.standing import Standing, standings

CAUGHT_BY_LEAD = {-2: 0.1, -1: 0.2, 0: 0.3, 1: 0.6, 2: 0.75}
"""About how likely a seeker of a fitting colour catches an animal that does not hide, by how much faster it
is before the others lay their cards."""
CAUGHT_AT_LEAST, CAUGHT_AT_MOST = 0.05, 0.85
"""The same for a seeker that is slower, or faster, by more."""
CAUGHT_BY_ANOTHER_COLOUR = 0.1
"""The same where no colour fits yet."""
CAUGHT_THOUGH_HIDDEN = 0.02
"""The same where the animal hides."""

A_CARD = 0.12
"""The points that a card in hand is worth: what it may still help later."""

A_STEP = 0.05
"""The points that one more of speed is worth to an animal, whoever seeks."""

PASSES_OF_TEN = 3
"""How often of ten times the player by chance lays no more cards."""


class HideChooser:
    """Plays one seat, whose hand is noted."""

    levels = ("middle", RANDOM)
    expects = "points"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the seat in `seen`: None where it lays no more cards, and plays no enemy."""
        state, lots = seen.known, Lots(seed)
        if not isinstance(state, HideState):
            raise TypeError("this is no match of Hide and Seek")
        may_pass = all(isinstance(move, TurnUp | PlayEnemy) for move in seen.legal)
        if level == RANDOM:
            passes = may_pass and (not seen.legal or lots.below(10) < PASSES_OF_TEN)
            return Choice(None if passes else lots.one_of(seen.legal))
        now = worth(state, seen.seat)
        best: tuple[float, HideMove] | None = None
        for move in seen.legal:
            gain = _gain(state, seen.seat, move) - now
            budget.spend(1)
            if best is None or gain > best[0]:
                best = gain, move
        if best is None or (may_pass and best[0] <= 0):
            return Choice(None)
        return Choice(best[1], now + best[0], _why(state, best[1]))


CHOOSER = HideChooser()


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
    """Whether a move is for this seat to choose, in its turn and for its own animal."""
    match move:
        case RemoveFood() | DropGear():
            return closing.owner_of(state, move.on) == seat
        case CatchEnemy():
            return state.owner(move.animal) == turn(state) == seat
    return turn(state) == seat


def _gain(state: HideState, seat: str, move: HideMove) -> float:
    """What the seat's position is worth after a move."""
    if isinstance(move, PlayEnemy):
        return worth(state, seat) + _enemy_helps(state, seat, move.card) - A_CARD
    after = worth(rules.play(state, move), seat)
    return after - A_CARD if isinstance(move, TurnUp) else after


def _enemy_helps(state: HideState, seat: str, card: str) -> float:
    """About the points that an enemy brings: it takes an animal of those that have its colours."""
    colours = set(state.set.cards[card].colours)
    free = [each for each in state.free if colours & set(state.set.animals[each.animal].colours)]
    own = sum(each.seat == seat for each in free)
    return (len(free) - 2 * own) * A_STEP


def worth(state: HideState, seat: str) -> float:
    """The points that a seat can expect, less the mean of what the others can."""
    points = {each: float(total) for each, total in score.points(state).items()}
    stand = standings(state)
    for own in state.free:
        points[own.seat] += A_STEP * stand[own.animal].speed
    for animal, chance in _in_danger(state, stand).items():
        owner = state.owner(animal)
        assert owner, "a free animal has a player"
        points[owner] -= chance * (state.set.animals[animal].points + stand[animal].food)
    brawl = None if state.settled else catching.brawl(state)
    if brawl is not None and brawl.may_catch and state.enemy is not None:
        catcher = state.owner(brawl.may_catch[0])
        assert catcher
        points[catcher] += state.set.cards[state.enemy.card].points + stand[ENEMY].food
    elif brawl is not None and brawl.takes:
        loser = state.owner(brawl.takes[0])
        assert loser
        points[loser] -= min(state.set.animals[each].points for each in brawl.takes)
    others = [total for each, total in points.items() if each != seat]
    return points[seat] - sum(others) / len(others)


def _in_danger(state: HideState, stand: dict[str, Standing]) -> dict[str, float]:
    """The animals that the seeker may catch, each with about how likely: those of the colour that it gains
    most by."""
    seeker = stand.get(state.seeking or "")
    if seeker is None or state.brawl or state.caught_now or state.phase not in ("cards", "candy", "catch"):
        return {}
    sure = state.phase == "catch"
    best: tuple[float, dict[str, float]] = 0.0, {}
    judged = {each.animal: _caught(each, sure=sure) for each in catching.verdicts(state) if each.why != "own"}
    for colour in seeker.catches:
        prey = {animal: chance for animal, chance in judged.items() if colour in stand[animal].colours}
        gain = sum(
            chance * (state.set.animals[each].points + stand[each].food) for each, chance in prey.items()
        )
        if gain > best[0]:
            best = gain, prey
    return best[1]


def _caught(verdict: catching.Verdict, *, sure: bool) -> float:
    """About how likely an animal is caught."""
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
    """Why a move is made."""
    match move:
        case Seek():
            return "advice.seeks"
        case TurnUp():
            own = state.owner(move.on) == move.by
            return "advice.helps-own" if own else "advice.slows-others"
        case CatchEnemy():
            return "advice.catches-enemy"
        case GoOn():
            return ""
    return "advice.most-points"
