"""What a camera sees of a game, in plain values: the one family that vision gives and that games take.

Below them stand the protocols of a game that a camera watches: `Watched`, and one for each sense
(`SeesTiles`, `SeesPieces`, `SeesDice`, `SeesCards`). A game inherits those that it has, one or several;
`sees` lists them.

Squares are (row, col), both from 0, the top left first. Turns are clockwise quarter turns.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import msgspec

Square = tuple[int, int]
"""A square of a board: row and column, from 0."""

Kind = int | str
"""What tells a tile from the others of its owner: a digit, or a name."""

Hue = tuple[float, float]
"""The colour of a kind of piece, however bright: log(blue / green) and log(red / green); (0, 0) is gray."""

Corners = tuple[tuple[float, float], ...]
"""A card's four corners in px of the picture: its own top left first, then clockwise on the card."""


class Tile(msgspec.Struct, frozen=True):
    """A tile that lies on the board.

    `kind` is written as `digit` where values leave the program; `row` and `col` are those of the top left of
    its shape's box; `cells` are the squares that it covers, empty where nobody has worked them out;
    `confidence` is from 0 to 1.
    """

    owner: str
    kind: Kind = msgspec.field(name="digit")
    turns: int
    row: int
    col: int
    cells: tuple[Square, ...] = ()
    confidence: float = 1.0

    @property
    def place(self) -> tuple[str, Kind, int, int, int]:
        """Owner, kind, turns, row, column: equal for two tiles that lie the same, however sure each is."""
        return self.owner, self.kind, self.turns, self.row, self.col


class Piece(msgspec.Struct, frozen=True):
    """A piece on a square; pieces that look alike have one `kind`. `confidence` is from 0 to 1."""

    kind: str
    row: int
    col: int
    confidence: float = 1.0

    @property
    def place(self) -> tuple[str, int, int]:
        """Kind, row, column: equal for two pieces that stand the same, however sure each is."""
        return self.kind, self.row, self.col


class Die(msgspec.Struct, frozen=True):
    """A die at rest, its colour one of those that the reader tells apart (`other` where it is none of them).

    `box` is its upper face as (x, y, width, height) in px; `confidence` is from 0 to 1.
    """

    value: int
    colour: str = "other"
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    confidence: float = 1.0


class KindGuess(msgspec.Struct, frozen=True):
    """A kind that a card may be of, and how likely that is (0 to 1)."""

    kind: str
    confidence: float


class Card(msgspec.Struct, frozen=True):
    """A card in sight: its kind as it was taught, and how likely that is (0 to 1).

    `others` are other kinds that it may be, the likeliest first.
    """

    kind: str
    confidence: float = 1.0
    corners: Corners = ()
    others: tuple[KindGuess, ...] = ()


class Alternative(msgspec.Struct, frozen=True):
    """Another board that explains the picture: all its tiles, and how likely it is (0 to 1)."""

    tiles: tuple[Tile, ...]
    confidence: float


class Observation(msgspec.Struct, frozen=True):
    """A picture as it was read: the whole board, dice at rest, cards newly laid, pieces in sight.

    What was not looked for is None. `unsure`: a person would have to be asked, or the picture must be waited
    out. `why` says in a word what is in the way (a key `why.<why>` in the messages), and may also be set when
    all is certain, to say what happened. `alternatives`: other boards, the likeliest first, the believed one
    left out. `covered`: squares that something covers. `image`: the picture's name. `ms`: milliseconds by
    stage.
    """

    unsure: bool = False
    why: str = ""
    tiles: tuple[Tile, ...] | None = None
    pieces: tuple[Piece, ...] | None = None
    dice: tuple[Die, ...] | None = None
    cards: tuple[Card, ...] | None = None
    alternatives: tuple[Alternative, ...] = ()
    covered: tuple[Square, ...] = ()
    image: str = ""
    ms: dict[str, float] = {}

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice, smallest first."""
        return tuple(sorted(die.value for die in self.dice or ()))


class TurnOrder(Protocol):
    """Whose tile the camera may expect next, as far as the tiles on the board tell."""

    owners: tuple[str, ...]
    """Everybody who owns tiles."""

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """Who lays the next tile; None where nobody in particular is expected.

        `last`: who laid the last one, None where that is not known.
        """


class AnyTurn:
    """Owners who lay their tiles in no order that could be expected."""

    def __init__(self, *owners: str) -> None:
        self.owners = owners

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """Nobody in particular."""
        return None


class Dice(msgspec.Struct, frozen=True):
    """The dice of a throw: how many, and the values that their faces may show.

    `colour` tells them from other dice on the table; where it is empty there are no others, of any colour.
    """

    count: int
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    colour: str = ""


class Verdict(StrEnum):
    """What to do with a sighting."""

    NOTHING = "nothing"
    """Nothing new: what is seen is what the match holds."""
    PLAY = "play"
    """Sure and within the rules: play the moves of the first guess."""
    ASK = "ask"
    """A person must choose among the guesses."""
    WAIT = "wait"
    """Nothing can be read now (a hand, motion): look again."""
    BREAKS = "breaks"
    """Seen clearly, and it breaks a rule: `rule` and `facts` say which; nothing is played."""


class Guess(msgspec.Struct, frozen=True):
    """Moves that would make the match equal to what was seen, and how likely they are (0 to 1)."""

    moves: tuple[Any, ...]
    confidence: float


class Sighting(msgspec.Struct, frozen=True):
    """What the camera believes was done: a verdict and ranked guesses, the best first."""

    verdict: Verdict
    why: str = ""
    rule: str = ""
    facts: dict[str, str | int] = {}
    guesses: tuple[Guess, ...] = ()


@runtime_checkable
class Watched(Protocol):
    """A game that makes moves of what the camera sees."""

    @abstractmethod
    def sighting(self, state: Any, observation: Observation) -> Sighting:
        """What the observation means in this state."""


@runtime_checkable
class HasBoard(Protocol):
    """A game on a board of squares."""

    @abstractmethod
    def scene(self, state: Any) -> dict[str, Any]:
        """What the camera must know of the board: a `scene.json` without its markers."""


@runtime_checkable
class SeesTiles(Watched, HasBoard, Protocol):
    """A game whose tiles the camera reads on the board."""

    @abstractmethod
    def lying(self, state: Any) -> tuple[Tile, ...]:
        """The tiles that the camera should see on the board in this state."""

    @abstractmethod
    def turn_order(self, state: Any) -> TurnOrder:
        """Who owns tiles, and whose the camera may expect next; `AnyTurn` where nobody's in particular."""

    @abstractmethod
    def ended(self, options: Any, tiles: Iterable[Tile]) -> Any:
        """The state of a match that ended with these tiles on the board, whatever was played before.

        Raises `MoveError` when they cannot lie so.
        """

    @abstractmethod
    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a match on the board that `scene` (the content of a `scene.json`) describes."""


@runtime_checkable
class SeesPieces(Watched, HasBoard, Protocol):
    """A game whose pieces the camera follows from square to square."""

    @property
    @abstractmethod
    def hues(self) -> Mapping[str, Hue]:
        """Each kind of piece by its hue in the light of the empty board."""

    @abstractmethod
    def standing_pieces(self, state: Any) -> tuple[Piece, ...]:
        """The pieces that the camera should see on the board in this state."""


@runtime_checkable
class SeesDice(Watched, Protocol):
    """A game whose throws the camera reads."""

    @abstractmethod
    def dice_now(self, state: Any) -> Dice:
        """The dice that are thrown in this state."""


@runtime_checkable
class SeesCards(Watched, Protocol):
    """A game whose discard pile the camera watches."""

    @property
    @abstractmethod
    def card_kinds(self) -> tuple[str, ...]:
        """The kinds of card that the camera may be taught; empty where any name will do."""


SENSES: Mapping[str, type[Any]] = {
    "tiles": SeesTiles,
    "pieces": SeesPieces,
    "dice": SeesDice,
    "cards": SeesCards,
}
"""The protocol of each sense, by what the camera sees with it."""


def sees(game: object) -> tuple[str, ...]:
    """What the camera sees of a game: names of `SENSES`, none for a game without a camera."""
    return tuple(name for name, protocol in SENSES.items() if isinstance(game, protocol))


@runtime_checkable
class Autoplay(Protocol):
    """A game that knows how people play it, for the virtual table; others play any legal move there."""

    @abstractmethod
    def likely_move(self, state: Any, below: Callable[[int], int]) -> Any:
        """A move that people might make now, chance and private ones included; None for any legal one.

        `below(limit)` gives a random number from 0 to `limit - 1`.
        """


@runtime_checkable
class HasGround(Protocol):
    """A game with things on its board that are not pieces, for the virtual table to draw."""

    @abstractmethod
    def ground(self, state: Any) -> tuple[Piece, ...]:
        """What lies under the pieces: kind and square."""
