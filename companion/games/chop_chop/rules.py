"""The rules: the effect of each move, and refusals (rulebook, "How to play" and "Winning").

A turn is a throw, one piece's walk, and the slabs that it lands on. Each step is a move of its own, entered
by whoever sees it. Steps without a decision follow at once: a throw that no piece can use is passed, a fork
with one cheese to spear takes it, and the turn passes to the next side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NoReturn

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.chop_chop import people, reach
from companion.games.chop_chop import sighting as sightings
from companion.games.chop_chop import view as views
from companion.games.chop_chop.kitchen import (
    BONUS,
    DRAWABLE,
    SLABS,
    Bag,
    Kitchen,
    Side,
    Slab,
    Square,
    TwoDice,
    bag,
    changed,
    kitchen,
)
from companion.games.chop_chop.retrospect import HuntRetrospect
from companion.games.chop_chop.state import (
    FORMS,
    MICE,
    SLUG,
    WAITS_FOR,
    CameBy,
    ChopMove,
    ChopOptions,
    ChopState,
    Event,
    GoTo,
    KitchenBoard,
    Piece,
    PlaceCat,
    SpearCheese,
    StayHere,
    ThrowDie,
    TurnSlab,
    What,
    all_done,
    cheese_refusal,
    expected,
    spearable,
)
from companion.games.chop_chop.view import KitchenView
from companion.games.data_files import Fault
from companion.games.game import About, Game, Outcome
from companion.games.watching import (
    Autoplay,
    Dice,
    HasGround,
    Observation,
    SeesDice,
    SeesPieces,
    Sighting,
    square_name,
)
from companion.games.watching import Piece as SeenPiece
from companion.messages import Phrase


def _drawn_values() -> dict[str, object]:
    first, slabs = kitchen("middle"), bag("chop")
    return {
        "rows": first.rows,
        "cols": first.cols,
        "holes": first.holes,
        "table": sorted(first.table),
        "cheese": slabs.cheese,
        "bag": {slab: slabs.count_of(slab) for slab in SLABS},
    }


class ChopChop(Game[ChopState, ChopMove, ChopOptions], SeesPieces, SeesDice, HasGround, Autoplay):
    """One cat against the mice of one to four players."""

    slug = SLUG
    names: ClassVar = {"en": "Chop! Chop!", "zh-Hant": "鼠貓大戰", "ko": "촙! 촙!"}
    seat_counts = (2, 3, 4, 5)
    about = About(
        minutes=(20, 30),
        files={"bag": Bag, "board": Kitchen, "dice": TwoDice},
        editable={"board": DRAWABLE},
        drawn_values=_drawn_values,
    )
    forms = FORMS
    retrospect = HuntRetrospect()
    hues = sightings.HUES

    def misfits(self, options: ChopOptions) -> dict[str, Fault]:
        """A bag and a board that do not fit each other."""
        if fault := _misfit(options):
            return {"bag": Fault(fault, ("cheese",)), "board": Fault(fault, ("squares",))}
        return {}

    def set_up(self, options: ChopOptions, seats: int) -> ChopState:
        """The kitchen with all slabs face down and the mice on their holes; the cat is not placed yet.

        Raises `InvalidMove` if the board and the bag do not fit each other.
        """
        if fault := _misfit(options):
            raise InvalidMove(SLUG, "not-an-option", fault=fault)
        _ = options.two_dice
        kitchen = options.kitchen
        left = tuple(False for _ in kitchen.holes)
        return ChopState(options, seats, KitchenBoard(None, kitchen.holes, kitchen.slabs, left=left))

    def seat_names(self, state: ChopState) -> tuple[str, ...]:
        """The mice's players in their order, then the cat's."""
        return state.seat_names

    def turn(self, state: ChopState) -> str | None:
        """The seat in turn; the players of the mice take turns in rotation."""
        return state.turn

    def legal_moves(self, state: ChopState) -> Iterable[ChopMove]:
        """Every move forward, chance included; empty after the match."""
        return () if state.ended else legal_moves(state)

    def play(self, state: ChopState, move: ChopMove) -> ChopState:
        return play(state, move)

    def outcome(self, state: ChopState) -> Outcome | None:
        """The mice win by bringing the cheese home, the cat by catching all mice."""
        if not state.ended:
            return None
        mice = self.seat_names(state)[:-1]
        return Outcome(state.ended, mice if state.ended == "cheese-home" else ("cat",))

    def pressed(self, state: ChopState, seat: str) -> ChopMove | None:
        """Decline an arrow's free move; elsewhere the button moves nothing."""
        return StayHere() if state.standing.phase == "arrow" and self.turn(state) == seat else None

    def view(self, state: ChopState, seat: str | None) -> KitchenView:
        """The kitchen, each piece's ways, the bag and the chances; all seats see the same."""
        return views.view(state, self.turn(state), self.outcome(state))

    def dice_now(self, state: ChopState) -> Dice:
        die = state.options.two_dice.die_of(state.standing.side)
        return Dice(1, die.values, die.colour)

    def standing_pieces(self, state: ChopState) -> tuple[SeenPiece, ...]:
        """The pieces in sight: all but mice under the table."""
        return sightings.in_sight(state)

    def ground(self, state: ChopState) -> tuple[SeenPiece, ...]:
        """The holes, the table, the face-down slabs beside it, and visible cheese."""
        return sightings.ground(state)

    def likely_move(self, state: ChopState, below: Callable[[int], int]) -> ChopMove:
        return people.likely_move(state, list(legal_moves(state)), below)

    def scene(self, state: ChopState) -> dict[str, Any]:
        kitchen = state.options.kitchen
        return {"rows": kitchen.rows, "cols": kitchen.cols}

    def sighting(self, state: ChopState, observation: Observation) -> Sighting:
        """The meaning of a die at rest, or of the pieces in sight."""
        return sightings.sighting(self, state, observation)


def _misfit(options: ChopOptions) -> Phrase | None:
    """The fault of a bag without a slab for each square."""
    slabs, squares = options.slabs.slabs, len(options.kitchen.slabs)
    return None if slabs == squares else Phrase("data.slabs", {"slabs": slabs, "squares": squares}, SLUG)


def legal_moves(state: ChopState) -> Iterable[ChopMove]:
    """Every move forward: each value of the die, each reachable square, each kind of slab left in the bag,
    and the way that a piece came if its next step depends on it."""
    standing, options = state.standing, state.options
    if standing.phase == "place":
        return [PlaceCat(*square) for square in sorted(options.kitchen.table)]
    if standing.phase == "throw":
        return [ThrowDie((value,)) for value in options.two_dice.die_of(standing.side).values]
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


def play(state: ChopState, move: ChopMove) -> ChopState:
    """The state after `move`. Raises `MoveError`."""
    if isinstance(move, ThrowDie):
        dice_fault(state, move)
    if state.ended:
        refuse("match-over")
    does, phases = ACTS[type(move)]
    if state.standing.phase not in phases:
        _refuse_now(state, move)
    after: ChopState = does(state, move)
    return after


def _refuse_now(state: ChopState, move: ChopMove) -> NoReturn:
    standing = state.standing
    if isinstance(move, PlaceCat) and standing.phase != "place":
        refuse("placed-already")
    if isinstance(move, TurnSlab) and standing.phase != "place":
        refuse("no-slab")
    refuse(WAITS_FOR[standing.phase], side=standing.side, n=standing.steps)


def dice_fault(state: ChopState, throw: ThrowDie) -> None:
    """Check that a throw is one die with a value that it has. Raises `InvalidMove`.

    A throw does not name its die; the camera's sighting does.
    """
    if len(throw.dice) != 1:
        raise InvalidMove(SLUG, "one-die", dice=len(throw.dice))
    side = state.standing.side
    die = state.options.two_dice.die_of(side)
    if throw.dice[0] not in die.faces:
        values = ", ".join(map(str, die.values))
        raise InvalidMove(SLUG, "die-faces", value=throw.dice[0], side=side, values=values)


def place(state: ChopState, move: PlaceCat) -> ChopState:
    """Put the cat on the table (rulebook, "Preparing to play")."""
    square = _square(state, move)
    if square not in state.options.kitchen.table:
        refuse("place-on-the-table")
    standing = replace(state.standing, cat=square, phase="throw", side="mice")
    placed = Event("placed", "cat", "cat", square)
    return replace(state, standing=standing, since=(placed,), mice_turns=1)


def throw(state: ChopState, move: ThrowDie) -> ChopState:
    """Throw. If no piece can go exactly that far, pass the turn (rulebook, "1 / Movements")."""
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
    """The squares by which a move may have come to its end. Raises `MoveError`."""
    if move.via is None:
        return came_from
    by = check_square(state, move.via)
    if by not in came_from:
        to = square_name((move.row, move.col))
        refuse("not-by-way-of", piece=move.piece, square=to, via=square_name(by))
    return (by,)


def came_by(state: ChopState, move: CameBy) -> ChopState:
    """Settle by which of several ways the piece came: it may not step straight back on that one."""
    standing, by = state.standing, _square(state, move)
    piece = standing.mover
    assert piece is not None
    square = standing.at(piece)
    assert square is not None
    if by not in standing.came_from:
        refuse("not-by-way-of", piece=piece, square=square_name(square), via=square_name(by))
    path = state.paths[standing.came_from.index(by)]
    last = max(n for n, event in enumerate(state.since) if event.what == "moved")
    since = changed(state.since, last, to=replace(state.since[last], path=path))
    standing = replace(standing, came_from=(by,))
    state = _with_event(replace(state, standing=standing, since=since, paths=(path,)), "came-by", piece, by)
    if standing.phase == "slab" or reach.reachable(state.options, standing):
        return state
    return next_turn(_with_event(state, "no-bonus-way", piece, n=standing.steps))


def check_piece(state: ChopState, piece: Piece) -> None:
    """Check that a piece may move now. Raises `IllegalMove`."""
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
            left = changed(left, number, to=True)
        standing = replace(standing, mice=changed(standing.mice, number, to=to), left=left)
    # An arrow leads from no neighbouring square, so the piece may go on in any direction.
    standing = replace(standing, mover=piece, came_from=())
    state = replace(state, standing=standing, paths=())
    return _with_event(state, what, piece, to, path=path or ((began_at, to) if began_at else ()))


def land(state: ChopState, piece: Piece, square: Square) -> ChopState:
    """Meet what lies where a piece lands: a mouse, a hole, a cheese, a slab or nothing."""
    return _cat_lands(state, square) if piece == "cat" else _mouse_lands(state, piece, square)


def _cat_lands(state: ChopState, square: Square) -> ChopState:
    standing, kitchen = state.standing, state.options.kitchen
    if square in kitchen.table:
        return next_turn(state)
    if square in standing.mice:
        number = standing.mice.index(square)
        state = _with_event(state, "caught", MICE[number], square)
        counts = square == kitchen.holes[number] and state.options.caught_in_hole == "counts"
        left = changed(standing.left, number, to=True) if counts else standing.left
        standing = replace(standing, mice=changed(standing.mice, number, to=None), left=left)
        state = replace(state, standing=standing)
        if not left[number]:
            state = _with_event(state, "never-left", MICE[number], square)
        return over(state, "all-caught") if not standing.alive else next_turn(state)
    return _meets_slab(state, square)


def _mouse_lands(state: ChopState, mouse: Piece, square: Square) -> ChopState:
    standing = state.standing
    if square in state.options.kitchen.holes:
        counts = state.options.drop_off == "any-time" or _all_done(state)
        home = replace(standing, been_home=standing.been_home or counts)
        return next_turn(_with_event(replace(state, standing=home), "hid", mouse, square))
    if square in standing.cheeses:
        return next_turn(_takes(state, mouse, square, "took-cheese"))
    return _meets_slab(state, square)


def _all_done(state: ChopState) -> bool:
    return all_done(state.options, state.standing.cheese_found, state.standing.left)


def _meets_slab(state: ChopState, square: Square) -> ChopState:
    if square not in state.standing.slabs:
        return next_turn(state)
    return replace(state, standing=replace(state.standing, phase="slab", steps=0))


def _takes(state: ChopState, mouse: Piece, place: Square, what: What) -> ChopState:
    standing = state.standing
    cheeses = tuple(square for square in standing.cheeses if square != place)
    state = replace(
        state, standing=replace(standing, cheeses=cheeses, cheese_found=standing.cheese_found + 1)
    )
    return _with_event(state, what, mouse, place)


def turn_slab(state: ChopState, move: TurnSlab) -> ChopState:
    """Turn over the slab under the piece, with its effect (rulebook, "2 / The tile slabs").

    A kind that the bag file has used up is accepted: the file must be wrong, and no rule depends on it. Only
    cheese is limited, to ten.
    """
    rule = cheese_refusal(state, move.slab)
    if rule is not None:
        refuse(rule, slabs=len(state.standing.slabs))
    standing, piece = state.standing, state.standing.mover
    assert piece is not None
    place = standing.at(piece)
    assert place is not None
    kind = SLABS.index(move.slab)
    standing = replace(
        standing,
        slabs=tuple(square for square in standing.slabs if square != place),
        turned=changed(standing.turned, kind, to=standing.turned[kind] + 1),
    )
    state = _with_event(replace(state, standing=standing), "turned", piece, place, slab=move.slab)
    if move.slab in BONUS:
        return _bonus(state, piece, BONUS[move.slab])
    if move.slab == "arrow":
        return replace(state, standing=replace(standing, phase="arrow"))
    if move.slab == "cheese":
        return next_turn(_cheese(state, piece, place))
    if move.slab == "knife":
        owes = (standing.owes[0] or piece != "cat", standing.owes[1] or piece == "cat")
        return next_turn(_with_event(replace(state, standing=replace(standing, owes=owes)), "cut", piece))
    return _fork(state, piece) if move.slab == "fork" and piece != "cat" else next_turn(state)


def _cheese(state: ChopState, piece: Piece, square: Square) -> ChopState:
    standing = state.standing
    if piece == "cat":
        # The cat leaves the cheese face up and stands on it; she may not come back to it.
        state = replace(state, standing=replace(standing, cheeses=(*standing.cheeses, square)))
        return _with_event(state, "left-cheese", piece, square)
    state = replace(state, standing=replace(standing, cheese_found=standing.cheese_found + 1))
    return _with_event(state, "took-cheese", piece, square)


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
    square = _square(state, move)
    if square not in spearable(state.standing):
        refuse("nothing-to-spear-there")
    mouse = state.standing.mover
    assert mouse is not None
    return next_turn(_takes(state, mouse, square, "speared"))


def stay(state: ChopState, move: StayHere) -> ChopState:
    """Decline the free move of an arrow."""
    return next_turn(_with_event(state, "stayed", state.standing.mover))


def next_turn(state: ChopState) -> ChopState:
    """End the match if the mice have won, else pass the turn.

    The sides alternate, and a knife's lost turns are served in order.
    A side throws again after the other has missed its turn; the mice then move the same mouse (rulebook,
    "Knife").
    """
    threw, standing = state.standing.side, state.standing
    if standing.been_home and _all_done(state):
        return over(state, "cheese-home")
    side: Side = threw
    while True:
        side = "cat" if side == "mice" else "mice"
        if not standing.owes[side == "cat"]:
            break
        standing = replace(standing, owes=changed(standing.owes, int(side == "cat"), to=False))
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
    return replace(state, standing=standing, mice_turns=state.mice_turns + begins, paths=())


def over(state: ChopState, reason: Any) -> ChopState:
    """End the match."""
    standing = replace(state.standing, phase="over", mover=None, steps=0, came_from=(), began_at=None)
    return replace(state, standing=standing, ended=reason, paths=())


def refuse(rule: str, **facts: str | int) -> NoReturn:
    """Raise `IllegalMove` with that rule."""
    raise IllegalMove(SLUG, rule, **facts)


def _facts(state: ChopState, piece: Piece, to: Square) -> dict[str, str | int]:
    return {"piece": piece, "square": square_name(to), "n": state.standing.steps}


def check_square(state: ChopState, square: Square) -> Square:
    """Check that the square is in the kitchen, and return it. Raises `InvalidMove`."""
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
    square: Square | None = None,
    *,
    path: tuple[Square, ...] = (),
    n: int = 0,
    slab: Slab | None = None,
    side: Side | None = None,
) -> ChopState:
    event = Event(what, side or state.standing.side, piece, square, path, n, slab)
    return replace(state, since=(*state.since, event))


ACTS: dict[type, tuple[Any, tuple[str, ...]]] = {
    PlaceCat: (place, ("place",)),
    ThrowDie: (throw, ("throw",)),
    GoTo: (go, ("move", "bonus", "arrow")),
    CameBy: (came_by, ("slab", "bonus")),
    StayHere: (stay, ("arrow",)),
    TurnSlab: (turn_slab, ("slab",)),
    SpearCheese: (spear, ("fork",)),
}

GAME = ChopChop()
