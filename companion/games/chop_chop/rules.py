"""The rules: what each move does, and what is refused (rulebook, "How to play" and "Winning").

A turn is a throw, one piece's walk, and what lies under the slabs that it lands on. Each step is a move of
its own, entered by whoever sees it. What needs no decision follows at once: a throw that no piece can use is
passed, a fork with one cheese to spear takes it, and the turn passes to the next side.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.chop_chop import reach
from companion.games.chop_chop.kitchen import BONUS, SLABS, Side, Slab, Square
from companion.games.chop_chop.state import (
    MICE,
    SLUG,
    CameBy,
    ChopMove,
    ChopOptions,
    ChopState,
    Event,
    GoTo,
    Piece,
    PlaceCat,
    SpearCheese,
    Standing,
    StayHere,
    ThrowDie,
    TurnSlab,
    What,
)
from companion.games.watching import square_name
from companion.messages import Phrase

RULES = (
    "place-on-the-table",
    "place-first",
    "placed-already",
    "one-die",
    "die-faces",
    "throw-first",
    "move-first",
    "slab-first",
    "arrow-first",
    "fork-first",
    "no-slab",
    "cheese-all-out",
    "only-cheese-left",
    "no-such-square",
    "other-side",
    "same-mouse",
    "not-in-this-game",
    "caught-mouse",
    "bonus-is-for",
    "no-way-for",
    "visible-cheese",
    "last-mouse",
    "one-mouse-a-hole",
    "square-taken",
    "not-that-far",
    "ends-on-start",
    "steps-back",
    "in-the-way",
    "not-by-way-of",
    "arrow-not-into-a-hole",
    "arrow-not-onto-a-piece",
    "nothing-to-spear-there",
    "wrong-die",
    "pieces-differ",
    "match-over",
)
"""Every rule that a move can break."""

WAITS_FOR = {
    "place": "place-first",
    "throw": "throw-first",
    "move": "move-first",
    "bonus": "move-first",
    "slab": "slab-first",
    "arrow": "arrow-first",
    "fork": "fork-first",
}
"""By phase: the rule that demands that phase's step before any other."""


def start(options: ChopOptions, seats: int) -> ChopState:
    """The kitchen with all slabs face down and the mice on their holes. The cat is not placed yet.

    Raises `InvalidMove` if the board, the bag and the dice do not fit together.
    """
    kitchen = options.kitchen
    if fault := slabs_fault(options):
        raise InvalidMove(SLUG, "not-an-option", fault=fault)
    _ = options.two_dice
    standing = Standing(
        cat=None, mice=kitchen.holes, slabs=kitchen.slabs, left=tuple(False for _ in kitchen.holes)
    )
    return ChopState(options, seats, standing, standing)


def slabs_fault(options: ChopOptions) -> Phrase | None:
    """What is wrong where the bag does not hold a slab for each square; None where it does."""
    slabs, squares = options.slabs.slabs, len(options.kitchen.slabs)
    if slabs == squares:
        return None
    return Phrase("data.slabs", {"slabs": slabs, "squares": squares}, SLUG)


def legal_moves(state: ChopState) -> Iterable[ChopMove]:
    """Every move forward: each value of the die, each reachable square, each kind of slab left in the bag,
    and the way that a piece came if its next step depends on that."""
    standing, options = state.standing, state.options
    if standing.phase == "place":
        return [PlaceCat(*square) for square in sorted(options.kitchen.table)]
    if standing.phase == "throw":
        return [ThrowDie((value,)) for value in options.two_dice.of(standing.side).values]
    if standing.phase == "slab":
        return [TurnSlab(slab) for slab in SLABS if expected(state, slab)]
    if standing.phase == "fork":
        return [SpearCheese(*square) for square in spearable(standing)]
    if standing.phase == "arrow":
        assert standing.mover is not None
        free = [GoTo(standing.mover, *square) for square in reach.arrow_squares(options, standing)]
        return [*free, StayHere()]
    reached = reach.reachable(options, standing)
    goes = [GoTo(piece, *square) for piece, ways in reached.items() for square in ways.squares]
    return [*goes, *(CameBy(*square) for square in reach.ends_by_way(options, standing))]


def expected(state: ChopState, slab: Slab) -> bool:
    """Whether the bag still holds a slab of that kind, and enough slabs are left for all the cheese."""
    standing = state.standing
    left = state.options.slabs.of(slab) - standing.turned[SLABS.index(slab)]
    return left > 0 and cheese_refusal(state, slab) is None


def cheese_hidden(state: ChopState) -> int:
    """The number of cheeses still under slabs."""
    return state.options.slabs.cheese - state.standing.turned[SLABS.index("cheese")]


def cheese_refusal(state: ChopState, slab: Slab) -> str | None:
    """The rule that a slab of this kind would break, if any: cheese is never lost and never doubled."""
    hidden = cheese_hidden(state)
    if slab == "cheese":
        return None if hidden else "cheese-all-out"
    return "only-cheese-left" if len(state.standing.slabs) <= hidden else None


def spearable(standing: Standing) -> tuple[Square, ...]:
    """The visible cheeses that a fork can take: all but the one under the cat."""
    return tuple(square for square in standing.cheeses if square != standing.cat)


def play(state: ChopState, move: ChopMove) -> ChopState:
    """The state after `move`. Raises `MoveError`."""
    if isinstance(move, ThrowDie):
        dice_fault(state, move)
    if state.ended:
        refuse("match-over")
    waited_for: dict[type[Any], tuple[str, ...]] = {
        PlaceCat: ("place",),
        ThrowDie: ("throw",),
        GoTo: ("move", "bonus", "arrow"),
        CameBy: ("slab", "bonus"),
        StayHere: ("arrow",),
        TurnSlab: ("slab",),
        SpearCheese: ("fork",),
    }
    if state.standing.phase not in waited_for[type(move)]:
        _refuse_now(state, move)
    played: ChopState = _PLAYS[type(move)](state, move)
    return played


def _refuse_now(state: ChopState, move: ChopMove) -> NoReturn:
    standing = state.standing
    if isinstance(move, PlaceCat) and standing.phase != "place":
        refuse("placed-already")
    if isinstance(move, TurnSlab) and standing.phase != "place":
        refuse("no-slab")
    refuse(WAITS_FOR[standing.phase], side=standing.side, n=standing.steps)


def dice_fault(state: ChopState, throw: ThrowDie) -> None:
    """Check that a throw is one die with a value that it has. Raises `InvalidMove`.

    A throw does not say whose die it is; the camera's sighting does.
    """
    if len(throw.dice) != 1:
        raise InvalidMove(SLUG, "one-die", dice=len(throw.dice))
    side = state.standing.side
    die = state.options.two_dice.of(side)
    if throw.dice[0] not in die.faces:
        values = ", ".join(map(str, die.values))
        raise InvalidMove(SLUG, "die-faces", value=throw.dice[0], side=side, values=values)


def place(state: ChopState, move: PlaceCat) -> ChopState:
    """Put the cat on the table (rulebook, "Preparing to play")."""
    at = _square(state, move)
    if at not in state.options.kitchen.table:
        refuse("place-on-the-table")
    standing = replace(state.standing, cat=at, phase="throw", side="mice")
    placed = Event("placed", "cat", "cat", at)
    return replace(state, standing=standing, turn_began=standing, since=(placed,), mice_turns=1)


def throw(state: ChopState, move: ThrowDie) -> ChopState:
    """Throw. If no piece can go exactly that far, the turn is passed (rulebook, "1 / Movements")."""
    value, side = move.dice[0], state.standing.side
    standing = replace(state.standing, phase="move", steps=value, mover=None, came_from=(), began_at=None)
    state = replace(
        state, standing=standing, throws=state.throws + 1, since=(Event("thrown", side, n=value),)
    )
    if reach.reachable(state.options, standing):
        return state
    return next_turn(_with_event(state, "no-way", n=value))


def go(state: ChopState, move: GoTo) -> ChopState:
    """Move a piece to a square, by steps or by an arrow."""
    to = _square(state, move)
    check_piece(state, move.piece)
    standing = state.standing
    if standing.phase == "arrow":
        if to == standing.at(move.piece):
            return stay(state, StayHere())
        rule = reach.arrow_refusal(state.options, standing, to)
        if rule is not None:
            refuse(rule, **_facts(state, move.piece, to))
        ways_by(state, move, ())
        return land(_moved(state, move.piece, to, "flew", ()), move.piece, to)
    ways = reach.reachable(state.options, standing).get(move.piece)
    if ways is None:
        refuse("no-way-for", piece=move.piece, n=standing.steps)
    if not ways.ends & state.options.kitchen.bit(to):
        rule = reach.refusal(state.options, standing, move.piece, to)
        refuse(rule, **_facts(state, move.piece, to))
    came_from = ways_by(state, move, ways.came_from(to))
    paths = tuple(ways.path(to, by) for by in came_from)
    began_at = ways.start if standing.began_at is None else standing.began_at
    state = _moved(state, move.piece, to, "moved", paths[0])
    standing = replace(state.standing, came_from=came_from, began_at=began_at)
    return land(replace(state, standing=standing, paths=paths), move.piece, to)


def ways_by(state: ChopState, move: GoTo, came_from: tuple[Square, ...]) -> tuple[Square, ...]:
    """Those of the squares beside its end that a move may have come from. Raises `MoveError`."""
    if move.via is None:
        return came_from
    by = check_square(state, move.via)
    if by not in came_from:
        to = square_name((move.row, move.col))
        refuse("not-by-way-of", piece=move.piece, square=to, via=square_name(by))
    return (by,)


def came_by(state: ChopState, move: CameBy) -> ChopState:
    """Which of several ways the piece came: it may not step straight back on that one."""
    standing, by = state.standing, _square(state, move)
    piece = standing.mover
    assert piece is not None
    at = standing.at(piece)
    assert at is not None
    if by not in standing.came_from:
        refuse("not-by-way-of", piece=piece, square=square_name(at), via=square_name(by))
    path = state.paths[standing.came_from.index(by)]
    last = max(n for n, event in enumerate(state.since) if event.what == "moved")
    since = _with(state.since, last, to=replace(state.since[last], path=path))
    standing = replace(standing, came_from=(by,))
    state = _with_event(replace(state, standing=standing, since=since, paths=(path,)), "came-by", piece, by)
    if standing.phase == "slab" or reach.reachable(state.options, standing):
        return state
    return next_turn(_with_event(state, "no-bonus-way", piece, n=standing.steps))


def check_piece(state: ChopState, piece: Piece) -> None:
    """Check that a piece may move now. Raises `IllegalMove` with the rule that forbids it."""
    standing = state.standing
    if (piece == "cat") != (standing.side == "cat"):
        refuse("other-side", side=standing.side)
    if piece not in ("cat", *MICE[: len(standing.mice)]):
        refuse("not-in-this-game", piece=piece, mice=len(standing.mice))
    if piece not in ("cat", *standing.alive):
        refuse("caught-mouse", piece=piece)
    if standing.mover not in (None, piece):
        refuse("bonus-is-for", piece=str(standing.mover))
    if piece not in reach.movers(standing):
        refuse("same-mouse", piece=str(standing.same))


def _moved(state: ChopState, piece: Piece, to: Square, what: What, path: tuple[Square, ...]) -> ChopState:
    """Put the piece on its new square. A mouse that leaves its starting hole has left it for good."""
    standing = state.standing
    began_at = standing.at(piece)
    if piece == "cat":
        standing = replace(standing, cat=to)
    else:
        number = MICE.index(piece)
        left = standing.left
        if began_at == state.options.kitchen.holes[number]:
            left = _with(left, number, to=True)
        standing = replace(standing, mice=_with(standing.mice, number, to=to), left=left)
    # A piece moved by an arrow came from no neighbouring square, so it may go on in any direction.
    standing = replace(standing, mover=piece, came_from=())
    state = replace(state, standing=standing, paths=())
    return _with_event(state, what, piece, to, path=path or ((began_at, to) if began_at else ()))


def land(state: ChopState, piece: Piece, at: Square) -> ChopState:
    """Do what follows where a piece lands: on a mouse, a hole, a cheese, a slab or nothing."""
    return _cat_lands(state, at) if piece == "cat" else _mouse_lands(state, piece, at)


def _cat_lands(state: ChopState, at: Square) -> ChopState:
    standing, kitchen = state.standing, state.options.kitchen
    if at in kitchen.table:
        return next_turn(state)
    if at in standing.mice:
        number = standing.mice.index(at)
        state = _with_event(state, "caught", MICE[number], at)
        counts = at == kitchen.holes[number] and state.options.caught_in_hole == "counts"
        left = _with(standing.left, number, to=True) if counts else standing.left
        standing = replace(standing, mice=_with(standing.mice, number, to=None), left=left)
        state = replace(state, standing=standing)
        if not left[number]:
            state = _with_event(state, "never-left", MICE[number], at)
        return over(state, "all-caught") if not standing.alive else next_turn(state)
    return _meets_slab(state, at)


def _mouse_lands(state: ChopState, mouse: Piece, at: Square) -> ChopState:
    standing = state.standing
    if at in state.options.kitchen.holes:
        home = standing.cheese_found == state.options.slabs.cheese and all(standing.left)
        state = _with_event(state, "hid", mouse, at)
        return over(state, "cheese-home") if home else next_turn(state)
    if at in standing.cheeses:
        return next_turn(_takes(state, mouse, at, "took-cheese"))
    return _meets_slab(state, at)


def _meets_slab(state: ChopState, at: Square) -> ChopState:
    if at not in state.standing.slabs:
        return next_turn(state)
    return replace(state, standing=replace(state.standing, phase="slab", steps=0))


def _takes(state: ChopState, mouse: Piece, at: Square, what: What) -> ChopState:
    """Let a mouse take a visible cheese."""
    standing = state.standing
    cheeses = tuple(square for square in standing.cheeses if square != at)
    state = replace(
        state, standing=replace(standing, cheeses=cheeses, cheese_found=standing.cheese_found + 1)
    )
    return _with_event(state, what, mouse, at)


def turn_slab(state: ChopState, move: TurnSlab) -> ChopState:
    """Turn over the slab under the piece, and do what it shows (rulebook, "2 / The tile slabs").

    A kind that the bag file has used up is accepted all the same: the file must be wrong, and no rule depends
    on it. Only cheese is limited, to ten.
    """
    rule = cheese_refusal(state, move.slab)
    if rule is not None:
        refuse(rule, slabs=len(state.standing.slabs))
    standing, piece = state.standing, state.standing.mover
    assert piece is not None
    at = standing.at(piece)
    assert at is not None
    kind = SLABS.index(move.slab)
    standing = replace(
        standing,
        slabs=tuple(square for square in standing.slabs if square != at),
        turned=_with(standing.turned, kind, to=standing.turned[kind] + 1),
    )
    state = _with_event(replace(state, standing=standing), "turned", piece, at, slab=move.slab)
    if move.slab in BONUS:
        return _bonus(state, piece, BONUS[move.slab])
    if move.slab == "arrow":
        return replace(state, standing=replace(standing, phase="arrow"))
    if move.slab == "cheese":
        return next_turn(_cheese(state, piece, at))
    if move.slab == "knife":
        owes = (standing.owes[0] or piece != "cat", standing.owes[1] or piece == "cat")
        return next_turn(_with_event(replace(state, standing=replace(standing, owes=owes)), "cut", piece))
    return _fork(state, piece) if move.slab == "fork" and piece != "cat" else next_turn(state)


def _cheese(state: ChopState, piece: Piece, at: Square) -> ChopState:
    standing = state.standing
    if piece == "cat":
        # The cat leaves the cheese face up and stands on it; she may not come back to it.
        state = replace(state, standing=replace(standing, cheeses=(*standing.cheeses, at)))
        return _with_event(state, "left-cheese", piece, at)
    state = replace(state, standing=replace(standing, cheese_found=standing.cheese_found + 1))
    return _with_event(state, "took-cheese", piece, at)


def _bonus(state: ChopState, piece: Piece, steps: int) -> ChopState:
    standing = replace(state.standing, phase="bonus", steps=steps)
    state = replace(state, standing=standing)
    if reach.reachable(state.options, standing):
        return state
    return next_turn(_with_event(state, "no-bonus-way", piece, n=steps))


def _fork(state: ChopState, mouse: Piece) -> ChopState:
    can = spearable(state.standing)
    if not can:
        return next_turn(_with_event(state, "nothing-to-spear", mouse))
    if len(can) == 1:
        return next_turn(_takes(state, mouse, can[0], "speared"))
    return replace(state, standing=replace(state.standing, phase="fork"))


def spear(state: ChopState, move: SpearCheese) -> ChopState:
    """Let the fork take the visible cheese that the mice choose (rulebook, "Fork")."""
    at = _square(state, move)
    if at not in spearable(state.standing):
        refuse("nothing-to-spear-there")
    mouse = state.standing.mover
    assert mouse is not None
    return next_turn(_takes(state, mouse, at, "speared"))


def stay(state: ChopState, move: StayHere) -> ChopState:
    """Decline the free move of an arrow."""
    return next_turn(_with_event(state, "stayed", state.standing.mover))


def next_turn(state: ChopState) -> ChopState:
    """Pass the turn: the sides alternate, and a knife's lost turns are served in order.

    A side throws again after the other has missed its turn; the mice then move the same mouse (rulebook,
    "Knife").
    """
    threw, standing = state.standing.side, state.standing
    side: Side = threw
    while True:
        side = "cat" if side == "mice" else "mice"
        owes = standing.owes[side == "cat"]
        if not owes:
            break
        standing = replace(standing, owes=_with(standing.owes, int(side == "cat"), to=False))
        state = _with_event(replace(state, standing=standing), "missed", side=side)
    again = side == threw == "mice"
    standing = replace(
        standing,
        phase="throw",
        side=side,
        same=(standing.mover or standing.same) if again else None,
        mover=None,
        steps=0,
        came_from=(),
        began_at=None,
    )
    begins = side == "mice" and threw == "cat"
    return replace(
        state, standing=standing, turn_began=standing, mice_turns=state.mice_turns + begins, paths=()
    )


def over(state: ChopState, reason: Any) -> ChopState:
    """End the match."""
    standing = replace(state.standing, phase="over", mover=None, steps=0, came_from=(), began_at=None)
    return replace(state, standing=standing, ended=reason, paths=())


def refuse(rule: str, **facts: str | int) -> NoReturn:
    """Raise `IllegalMove` with that rule's name."""
    raise IllegalMove(SLUG, rule, **facts)


def _facts(state: ChopState, piece: Piece, to: Square) -> dict[str, str | int]:
    return {"piece": piece, "square": square_name(to), "n": state.standing.steps}


def check_square(state: ChopState, square: Square) -> Square:
    """The square, which is one of the kitchen. Raises `InvalidMove`."""
    kitchen = state.options.kitchen
    if not (0 <= square[0] < kitchen.rows and 0 <= square[1] < kitchen.cols):
        raise InvalidMove(SLUG, "no-such-square", rows=kitchen.rows, cols=kitchen.cols)
    return square


def _square(state: ChopState, move: PlaceCat | GoTo | CameBy | SpearCheese) -> Square:
    return check_square(state, (move.row, move.col))


def _with_event(
    state: ChopState,
    what: What,
    piece: Piece | None = None,
    at: Square | None = None,
    *,
    path: tuple[Square, ...] = (),
    n: int = 0,
    slab: Slab | None = None,
    side: Side | None = None,
) -> ChopState:
    """The state with one more event."""
    event = Event(what, side or state.standing.side, piece, at, path, n, slab)
    return replace(state, since=(*state.since, event))


def _with(values: tuple[Any, ...], number: int, *, to: Any) -> tuple[Any, ...]:
    """The values with one of them changed."""
    return (*values[:number], to, *values[number + 1 :])


_PLAYS: dict[type[Any], Any] = {
    PlaceCat: place,
    ThrowDie: throw,
    GoTo: go,
    CameBy: came_by,
    StayHere: stay,
    TurnSlab: turn_slab,
    SpearCheese: spear,
}
