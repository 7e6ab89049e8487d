"""The search below the root by `bed.c`, where the package was built with a C compiler."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from companion.games.players import Budget
from companion.games.this_bed_is_mine.player.plain import REMEMBERED, OutOfBudget
from companion.games.this_bed_is_mine.player.plan import MOST_DIGITS, WORD, Plan
from companion.games.this_bed_is_mine.player.position import POINT, Child, Position, logarithms
from companion.games.this_bed_is_mine.player.weights import BY_KNOT, KNOTS, MARGINS, SIZES
from companion.games.this_bed_is_mine.score import BONUS_POINTS, SMALLEST_REGION, most_tokens


def _library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(str(Path(__file__).with_name("bed.so")))
    except OSError:  # not built here, or for another machine
        return None


LIBRARY = _library()

SLOTS = 1 << 17
"""Places for remembered positions: more than there are ever filled, so that each is found at once."""

SLOT_BYTES = 24

MOST_PLIES = 2 * MOST_DIGITS
"""Each side lays each of its tiles once."""

PLY_BYTES = 40_000
"""The squares, regions and placements of one position on the way, besides its children."""

Over = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)


class _Child(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in Child._fields]


class _Plan(ctypes.Structure):
    """`Plan` of `bed.c`, field by field."""

    _fields_ = [
        *(
            (name, ctypes.c_int32)
            for name in ("count", "squares", "places", "stride", "digits", "kinds", "corners", "most_toys")
        ),
        *((name, ctypes.c_int32) for name in ("point", "bonus_points", "smallest")),
        ("sizes", ctypes.c_int32 * len(SIZES)),
        ("margins", ctypes.c_int32 * len(MARGINS)),
        ("knots", ctypes.c_int32 * len(KNOTS)),
        ("weights", ctypes.c_int32 * len(BY_KNOT[0]) * len(KNOTS)),
        ("digit", ctypes.c_int32 * 16),
        ("starts", ctypes.c_int32 * 17),
        *(
            (name, ctypes.c_char_p)
            for name in ("masks", "beside", "excluded", "first_cat", "first_dog", "toys")
        ),
        ("digit_of", ctypes.c_char_p),
        ("logs", ctypes.POINTER(ctypes.c_int32)),
    ]


@lru_cache(maxsize=2)
def _plan(plan: Plan) -> _Plan:
    squares, places = -(-plan.bed.whole.bit_length() // WORD), plan.starts[-1]
    numbers = (ctypes.c_int32 * len(logarithms()))(*logarithms())
    return _Plan(
        len(plan.lays),
        squares,
        places,
        plan.bed.stride,
        len(plan.digits),
        len(plan.toys),
        plan.options.touch == "edge-or-corner",
        most_tokens(plan.options),
        POINT,
        BONUS_POINTS,
        SMALLEST_REGION,
        SIZES,
        MARGINS,
        KNOTS,
        BY_KNOT,
        plan.digits,
        tuple(plan.starts),
        _words(plan.masks, squares),
        _words(plan.beside, squares),
        _words(plan.excluded, places),
        *(_words([first], places) for first in plan.first),
        _words(plan.toys, squares),
        bytes(plan.digit_of),
        numbers,
    )


def _words(masks: Sequence[int], words: int) -> bytes:
    return b"".join(mask.to_bytes(8 * words, "little") for mask in masks)


class Compiled:
    """The search below one position, in which `side` has to move; see `search.Engine`."""

    def __init__(self, library: ctypes.CDLL, position: Position, side: int, budget: Budget) -> None:
        self._library, self._budget, plan = library, budget, _plan(position.plan)
        self._count = plan.count
        bytes_ = SLOTS * SLOT_BYTES + MOST_PLIES * (PLY_BYTES + plan.count * ctypes.sizeof(_Child))
        self._memory = ctypes.create_string_buffer(bytes_)
        self._engine = ctypes.create_string_buffer(library.bed_engine_bytes())
        self._over = Over(self._spend)
        tiles = (ctypes.c_int32 * max(1, len(position.tiles)))(*position.tiles)
        library.bed_begin(
            self._engine,
            ctypes.byref(plan),
            self._over,
            self._memory,
            ctypes.c_int64(bytes_),
            SLOTS,
            REMEMBERED,
            _words([position.free], plan.squares),
            _words([position.alive], plan.places),
            tiles,
            len(position.tiles),
            (ctypes.c_int32 * 2)(*position.hands),
            (ctypes.c_int32 * 2)(*position.bound),
            side,
        )

    def _spend(self, nodes: int) -> int:
        self._budget.spend(nodes)
        return self._budget.is_over

    def children(self) -> Sequence[Child]:
        """Every position one placement away."""
        born = (_Child * self._count)()
        count = self._library.bed_children(self._engine, born)
        self._budget.spend(count)
        return [Child(*(getattr(child, name) for name in Child._fields)) for child in born[:count]]

    def weigh(self, number: int, plies: int, widths: Sequence[int], lowest: int) -> tuple[int, bool]:
        """The worth of a move to the side in turn; see `search.Engine`."""
        if self._budget.is_over:
            raise OutOfBudget
        worth = ctypes.c_int32()
        some = (ctypes.c_int32 * len(widths))(*widths)
        done = self._library.bed_weigh(
            self._engine, number, plies, some, len(widths), lowest, ctypes.byref(worth)
        )
        if not done:
            raise OutOfBudget
        return worth.value, done == 2
