"""What private moves of any game must hold to, checked on one match.

A private move only tells what its seat knows. So the match without the private moves of others must be a
match just as well, must show the asker the same, and must take and refuse the same moves: else what one
seat did in secret could be read off what another is shown, or refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.errors import MoveError
from companion.games.game import Move, State
from companion.games.registry import AnyGame
from companion.games.watching import SeesTiles
from tests.conformance.playing import MOST_LOOKS, Match, plain


def known_to(of: AnyGame, moves: Iterable[Move], seat: str | None) -> list[Move]:
    """Those of the moves that `seat` may see (None: the open ones)."""
    return [move for move in moves if of.private_to(move) in (None, seat)]


def check_what_is_shown(match: Match) -> None:
    """Everyone is shown just what the moves they may see lead to."""
    of = match.game
    for seat in (None, *of.seat_names(match.states[0])):
        for n, whole, state in _some_that_differ(match, seat):
            same = _shown(of, whole, seat) == _shown(of, state, seat)
            assert same, f"{seat} is shown something by what was done up to {match.moves[n - 1]}"


def _some_that_differ(match: Match, seat: str | None) -> list[tuple[int, State, State]]:
    """After how many moves, the match's state, and that of what `seat` may see: the last, and some before.

    They differ where another seat did something in private.
    """
    pairs = zip(range(len(match.states)), match.states, _states(match, seat), strict=True)
    differing = [(n, whole, state) for n, whole, state in pairs if whole != state]
    return differing[:: -max(1, len(differing) // MOST_LOOKS)]


def _states(match: Match, seat: str | None) -> list[State]:
    """The states that the moves which `seat` may see lead to, beside those of the whole match."""
    if known_to(match.game, match.moves, seat) == match.moves:
        return match.states
    states = match.states[:1]
    for move in match.moves:
        seen = match.game.private_to(move) in (None, seat)
        states.append(match.game.play(states[-1], move) if seen else states[-1])
    return states


def _shown(of: AnyGame, state: State, seat: str | None) -> list[bytes]:
    known = of.hide(state, seat)
    lying = of.lying(known) if isinstance(of, SeesTiles) else ()
    shown = (of.view(known, seat), of.turn(known), of.outcome(known), of.seat_names(known), lying)
    return [
        *map(plain, shown),
        plain((of.turn(state), of.outcome(state), of.seat_names(state))),
        plain(sorted(plain(move) for move in known_to(of, of.legal_moves(state), seat))),
        plain(of.pressed(state, seat) if seat else None),
    ]


def check_what_is_refused(match: Match) -> None:
    """Whether a move is taken, and by which rule it is refused, is told by what its own seat may know."""
    of = match.game
    for seat in {of.private_to(move) for move in match.possible}:
        tried = [move for move in match.possible if of.private_to(move) == seat]
        for n, whole, state in _some_that_differ(match, seat):
            for move in tried:
                assert _refused(of, whole, move) == _refused(of, state, move), f"{move} after {n} moves"


def _refused(of: AnyGame, state: State, move: Move) -> str:
    try:
        of.play(state, move)
    except MoveError as error:
        return error.rule
    return ""
