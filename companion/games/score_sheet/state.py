"""The plain values of a score sheet: options, moves, and the match so far."""

from __future__ import annotations

import json
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.forms import Forms, Place, each_after, integer, number, word
from companion.games.game import Move, Options, State
from companion.games.score_sheet.sheet import MOST_DICE, MOST_ROUNDS, Points, Sheet, sheet

FACES = range(1, 7)
MOST_LETTERS = 200

Line = Annotated[int, Meta(ge=1, le=9 * MOST_ROUNDS, description="The round or row, from 1.")]


class SheetOptions(Options, frozen=True):
    """The scoring of a match."""

    sheet: Annotated[
        str, Meta(description="The sheet: `points`, or another, or the path of a file of your own.")
    ] = "points"


class Enter(Move, frozen=True, tag="enter"):
    """Write points into a line, or other points where some stand already."""

    seat: str
    points: Points
    line: Line


class Throw(Move, frozen=True, tag="throw"):
    """Dice thrown by a player."""

    seat: str
    dice: Annotated[
        tuple[Annotated[int, Meta(extra_json_schema={"minimum": FACES[0], "maximum": FACES[-1]})], ...],
        Meta(description="What the dice show.", extra_json_schema={"minItems": 1, "maxItems": MOST_DICE}),
    ]


class Turn(Move, frozen=True, tag="turn"):
    """It is this player's turn now."""

    seat: str


class Note(Move, frozen=True, tag="note"):
    """Words on a line; empty words take them away."""

    line: Line
    text: Annotated[str, Meta(max_length=MOST_LETTERS)]


class Finish(Move, frozen=True, tag="finish"):
    """The match is over: the totals count."""


SheetMove = Enter | Throw | Turn | Note | Finish

QUOTED = Place(
    r'"(?:[^"\\\x00-\x1f]|\\["\\])*"',
    lambda text: json.dumps(text, ensure_ascii=False),
    json.loads,
)

FORMS = Forms(
    {"seat": word, "points": integer, "line": number, "dice": each_after(" ", number), "text": QUOTED},
    {
        Enter: "{seat} gets {points} in {line}",
        Throw: "{seat} throws{dice}",
        Turn: "turn {seat}",
        Note: "note {line} {text}",
        Finish: "finish",
    },
)


class Thrown(msgspec.Struct, frozen=True):
    """A throw of the match: its move, counted from 1, its round, who threw, and the dice as they lay."""

    move: int
    line: int
    seat: str
    dice: tuple[int, ...]


class SheetState(State, frozen=True):
    """A match: each player's entries by line, whose turn it is, the throws and the words on lines.

    `began`: the number of moves before each round began. `moves`: all so far.
    """

    options: SheetOptions
    cells: tuple[tuple[int | None, ...], ...]
    up: int = 0
    throws: tuple[Thrown, ...] = ()
    notes: dict[int, str] = msgspec.field(default_factory=dict)
    began: tuple[int, ...] = (0,)
    moves: int = 0
    finished: bool = False

    @property
    def sheet(self) -> Sheet:
        """The scoring of the match."""
        return sheet(self.options.sheet)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players in order."""
        return tuple(f"player-{n + 1}" for n in range(len(self.cells)))

    @property
    def filled(self) -> tuple[int, ...]:
        """Each player's number of entries."""
        return tuple(sum(cell is not None for cell in cells) for cells in self.cells)

    @property
    def round(self) -> int:
        """The round that is being played, from 1; with free entries, the last line with points."""
        return max(1, *self.filled) if self.sheet.entries == "free" else min(self.filled) + 1

    @property
    def totals(self) -> dict[str, int]:
        """Each player's total."""
        sums = (sum(cell or 0 for cell in cells) for cells in self.cells)
        return dict(zip(self.seats, map(self.sheet.total, sums), strict=True))

    def open_lines(self, place: int) -> tuple[int, ...]:
        """The empty lines that a player may fill now."""
        filled, cells = self.filled, self.cells[place]
        if self.sheet.entries == "rounds" and filled[place] > min(filled):
            return ()
        if not self.sheet.rows:
            return (len(cells) + 1,)
        return tuple(line for line, cell in enumerate(cells, 1) if cell is None)
