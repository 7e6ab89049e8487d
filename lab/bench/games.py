"""Measures how fast each game's rules, odds and views are, on matches that are the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.games import cat_and_mouse, chop_chop, exploding_kittens, hide_and_seek
from companion.games.cat_and_mouse.board import board
from companion.games.cat_and_mouse.odds import odds, solve
from companion.games.cat_and_mouse.state import RaceOptions, RaceState, Throw
from companion.games.chop_chop.reach import reachable
from companion.games.chop_chop.rules import legal_moves
from companion.games.chop_chop.state import ChopOptions, ChopState, ThrowDie
from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens import view as kittens_view
from companion.games.exploding_kittens.state import KittensState
from companion.games.hide_and_seek.state import GoOn, HideState, Own, Seek, TurnUp
from companion.games.registry import AnyGame, games
from companion.games.this_bed_is_mine import fits, score, view
from companion.games.this_bed_is_mine import rules as bed
from companion.games.this_bed_is_mine.state import BedOptions, BedState, Owner
from lab.bench.measure import Measure, measure
from lab.bench.odds import forget

SAMPLES = 9
"""The number of samples where one takes ten milliseconds or more."""

STRIDE = 7919
"""The prime step between the placements taken, which scatters a match over the bed."""

BEDS: tuple[tuple[str, BedOptions, float | None, float | None], ...] = (
    ("16 × 12", BedOptions(), 2.0, 0.5),
    ("14 × 14, squares", BedOptions(board="square-14", tiles="squares"), None, None),
    ("20 × 20", BedOptions(board="square-20"), None, None),
    ("64 × 64", BedOptions(board="square-64"), None, None),
)
"""Each bed's name and options, and the limits in ms for all placements of a side and for the score."""

LONGEST_THROW = 6
KITTENS_VIEW_LIMIT_MS = 50.0
"""The limit for everything that a phone shows after a move, computed from the start: over sixty chances."""

KITTENS_MOVES: tuple[dict[str, object], ...] = (
    {"move": "hand", "seat": "first", "cards": ["attack", "defuse", "future", "shuffle", "skip", "cat-a"]},
    {"move": "draw"},
    {"move": "drew", "seat": "first", "card": "nope"},
    {"move": "kitten"},
    {"move": "defuse"},
    {"move": "play", "card": "attack"},
    {"move": "pair", "card": "cat-b", "target": "first"},
    {"move": "took", "seat": "first", "card": "cat-a"},
    {"move": "draw"},
    {"move": "kitten"},
    {"move": "defuse"},
    {"move": "draw"},
    {"move": "draw"},
    {"move": "draw"},
)
"""The moves of three players: a hand noted, two kittens put back in secret, a card stolen, an attack."""

HIDE_SEATS = 6


def scattered(options: BedOptions, most: int = 18) -> BedState:
    """A match of This Bed Is Mine! of up to `most` tiles."""
    state = bed.GAME.start(options, 2)
    while state.turn and len(state.tiles) < most:
        legal = fits.lays(options, state.tiles, state.turn)
        state = bed.GAME.play(state, legal[STRIDE * (len(state.tiles) + 1) % len(legal)])
    return state


def bed_measures() -> list[Measure]:
    """How fast the rules of This Bed Is Mine! are, and how their time grows with the bed."""
    return [measure for size in BEDS for measure in _of_a_bed(*size)]


def _of_a_bed(
    name: str, options: BedOptions, fits_limit_ms: float | None, score_limit_ms: float | None
) -> list[Measure]:
    early, late = scattered(options, most=1), scattered(options)
    side: Owner = "dog"

    def lays() -> object:
        return fits.lays(options, early.tiles, side)

    def counted() -> int:
        return fits.count(options, early.tiles, side)

    def scored() -> score.Score:
        return score.score(options, late.tiles)

    as_moves, same = f"{counted()} placements of nine tiles, as moves", "the same, counted and not listed"
    regions = f"{len(scored().regions)} regions, {len(late.tiles)} tiles"
    return [
        measure(f"rules: all placements, {name}", lays, limit_ms=fits_limit_ms, note=as_moves),
        measure(f"rules: what fits, {name}", counted, limit_ms=fits_limit_ms, note=same),
        measure(f"rules: score, {name}", scored, limit_ms=score_limit_ms, note=regions),
        measure(f"rules: whole view, {name}", lambda: view.view(late), note="all that a phone is shown"),
    ]


def race_midway() -> RaceState:
    """A race of 24 throws."""
    state = cat_and_mouse.GAME.start(RaceOptions(), 2)
    for n in range(24):
        state = cat_and_mouse.GAME.play(state, Throw((1 + n % 6, 1 + n * n % 5)))
    return state


def race_measures() -> list[Measure]:
    """How fast the chances of Cat & Mouse are solved, once per set of options, and looked up."""
    classic, options, state = board("classic"), RaceOptions(), race_midway()
    solved = odds(options)
    size = f"17,424 standings, four values each, {solved.size_bytes // 1000} kB"
    note = f"{size}, error {solved.error_bound:.0e}"

    def look_up() -> object:
        return odds(options).chances(state.standing)

    def throws() -> object:
        return solved.foresee(state.standing)

    return [
        measure(
            "race: chances solved", lambda: solve(classic, options), samples=SAMPLES, limit_ms=2000, note=note
        ),
        measure("race: a look-up", look_up, limit_ms=1, note="the chances of one standing"),
        measure("race: all 21 throws", throws, limit_ms=1, note="the effect of each"),
        measure(
            "race: whole view", lambda: cat_and_mouse.GAME.view(state, None), note="all that a phone is shown"
        ),
    ]


def chop_midway(throws: int = 24) -> ChopState:
    """A match of Chop! Chop! after this many throws; each move is a third of the way into all legal ones."""
    state = chop_chop.GAME.start(ChopOptions(dice="plain"), 2)
    while state.throws < throws or state.standing.phase != "throw" or state.standing.side != "mice":
        moves = list(legal_moves(state))
        state = chop_chop.GAME.play(state, moves[len(moves) // 3])
    return state


def chop_measures() -> list[Measure]:
    """How fast a throw's squares and the ways there are found, and the whole page is made."""
    state = chop_midway()
    thrown = chop_chop.GAME.play(state, ThrowDie((LONGEST_THROW,)))

    def reach() -> int:
        by_piece = reachable(thrown.options, thrown.standing)
        return sum(len(ways.path(to)) for ways in by_piece.values() for to in ways.squares)

    by_piece = reachable(thrown.options, thrown.standing)
    squares = sum(len(ways.squares) for ways in by_piece.values())
    note = f"{len(by_piece)} mice, a {LONGEST_THROW}, {squares} squares, with the way to each"
    return [
        measure("kitchen: all squares for one throw", reach, limit_ms=1, note=note),
        measure("kitchen: whole view", lambda: chop_chop.GAME.view(state, None), limit_ms=10),
    ]


def kittens_midway(**options: str) -> KittensState:
    """A match of Exploding Kittens with much of what makes odds hard."""
    state = exploding_kittens.GAME.start(exploding_kittens.GAME.options(options), 4)
    for move in KITTENS_MOVES:
        state = exploding_kittens.GAME.play(state, exploding_kittens.GAME.move(move))
    return state


def first_view(state: KittensState, seat: str | None) -> None:
    """The view of a seat, with nothing computed before except the moves before the last."""
    forget()
    kittens_view.view.cache_clear()
    exploding_kittens.GAME.view(state, seat)


def kittens_measures() -> list[Measure]:
    """How fast a phone gets the odds of Exploding Kittens."""
    anywhere, near_the_top = kittens_midway(), kittens_midway(kitten_back="near-the-top")
    return [
        _first_view_measured(f"kittens: view of {seat or 'the table'}{back}", state, seat)
        for back, state in (("", anywhere), (", near the top", near_the_top))
        for seat in (None, "first")
    ]


def _first_view_measured(name: str, state: KittensState, seat: str | None) -> Measure:
    note = f"{len(known_module.known(state, seat).knowledge.worlds)} ways to tell apart"
    return measure(
        name, lambda: first_view(state, seat), limit_ms=KITTENS_VIEW_LIMIT_MS, note=note, samples=SAMPLES
    )


def hide_midway() -> HideState:
    """Six players of Hide & Seek in their second round, every hand touched."""
    play = hide_and_seek.GAME.play
    state = hide_and_seek.GAME.start(hide_and_seek.GAME.options({}), HIDE_SEATS)
    animals = list(state.set.animals)
    for n in range(3 * HIDE_SEATS):
        state = play(state, Own(state.seats[n // 3], animals[n]))
    state = play(state, Seek(animals[0]))
    for n, seat in enumerate(state.seats):
        for card in ("hide-white", "food", "hide-rainbow")[: 1 + n % 2]:
            state = play(state, TurnUp(seat, card, animals[(5 * n) % len(animals)]))
    return play(play(state, GoOn()), GoOn())


def hide_measures() -> list[Measure]:
    """How fast a card is turned up in Hide & Seek, and a phone gets its view."""
    state = hide_midway()
    seeks = next(card.animal for card in state.free if card.seat == state.order[0])
    seeking = hide_and_seek.GAME.play(state, Seek(seeks))
    card = TurnUp(state.seats[2], "hide-grey", seeks)
    note = "18 animals, the chances of 22 kinds of cards"
    return [
        measure("hide: a card turned up", lambda: hide_and_seek.GAME.play(seeking, card), limit_ms=5),
        measure("hide: whole view", lambda: hide_and_seek.GAME.view(seeking, None), limit_ms=50, note=note),
    ]


def plain_measures(game: AnyGame) -> list[Measure]:
    """The speed of any game's view, before the first move."""
    begun = game.start(game.options({}), max(game.seat_counts))
    return [measure(f"{game.slug}: whole view", partial(game.view, begun, None))]


BENCHES: dict[str, Callable[[], list[Measure]]] = {
    **{game.slug: partial(plain_measures, game) for game in games().values()},
    cat_and_mouse.GAME.slug: race_measures,
    chop_chop.GAME.slug: chop_measures,
    exploding_kittens.GAME.slug: kittens_measures,
    hide_and_seek.GAME.slug: hide_measures,
    bed.GAME.slug: bed_measures,
}
"""The measures of each game by its slug."""
