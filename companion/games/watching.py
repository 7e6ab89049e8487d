"""Seen values: the results of vision, which games take.

Then the protocols of a watched game: `Watched`, and one for each sense (`SeesTiles`, `SeesPieces`,
`SeesDice`, `SeesCards`). A game inherits one or several; `sees` lists them.

Squares are (row, col), from (0, 0) at the top left. Turns are clockwise quarter turns.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from string import ascii_uppercase
from typing import Any, Protocol, runtime_checkable

import msgspec

from companion.errors import MoveError

Square = tuple[int, int]


def square_name(square: Square) -> str:
    """A square as people say it: the column as a letter (AA after Z), the row counted from 1."""
    row, col = square
    letters = ""
    col += 1
    while col:
        col, letter = divmod(col - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return f"{letters}{row + 1}"


Kind = int | str
"""A tile's kind among its owner's tiles: a digit or a name."""

TilePlace = tuple[str, Kind, int, int, int]
"""Owner, kind, turns, row and column."""

TileSquares = tuple[str, Kind, frozenset[Square]]

Hue = tuple[float, float]
"""A colour without its brightness: log(blue / green) and log(red / green); (0, 0) is grey."""

Corners = tuple[tuple[float, float], ...]
"""A card's four corners in px of the picture: the card's own top left first, then clockwise."""


class Tile(msgspec.Struct, frozen=True):
    """A tile on the board.

    `kind` is called `digit` outside the program. `row` and `col`: the top left of the shape's box. `cells`:
    the covered squares, empty if they were not computed. `confidence`: from 0 to 1.
    """

    owner: str
    kind: Kind = msgspec.field(name="digit")
    turns: int
    row: int
    col: int
    cells: tuple[Square, ...] = ()
    confidence: float = 1.0

    @property
    def place(self) -> TilePlace:
        """Equal for two tiles that lie the same way round."""
        return self.owner, self.kind, self.turns, self.row, self.col

    @property
    def squares(self) -> TileSquares:
        """Equal for two tiles on the same squares, whichever way round they lie."""
        return self.owner, self.kind, frozenset(self.cells)


class Piece(msgspec.Struct, frozen=True):
    """A piece on a square. Pieces that look alike share one `kind`. `confidence` is from 0 to 1."""

    kind: str
    row: int
    col: int
    confidence: float = 1.0

    @property
    def place(self) -> tuple[str, int, int]:
        """Equal for two pieces in the same position, whatever their confidence."""
        return self.kind, self.row, self.col


class Die(msgspec.Struct, frozen=True):
    """A die at rest. `colour`: one that the reader distinguishes, or `other`.

    `box`: the upper face as (x, y, width, height) in px. `confidence`: from 0 to 1.
    """

    value: int
    colour: str = "other"
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    confidence: float = 1.0


class KindGuess(msgspec.Struct, frozen=True):
    """A possible kind of a card, and its probability (0 to 1)."""

    kind: str
    confidence: float


class Card(msgspec.Struct, frozen=True):
    """A card in sight: its kind, by its taught name, and that kind's probability (0 to 1).

    `others`: its other possible kinds, the likeliest first. `unsure`: a person must be asked about it.
    """

    kind: str
    confidence: float = 1.0
    corners: Corners = ()
    others: tuple[KindGuess, ...] = ()
    unsure: bool = False


class Alternative(msgspec.Struct, frozen=True):
    """Another board that explains the picture: all its tiles, and its probability (0 to 1)."""

    tiles: tuple[Tile, ...]
    confidence: float


class Observation(msgspec.Struct, frozen=True):
    """The reading of a picture: the whole board, dice at rest, newly laid cards, pieces in sight.

    Each is None if it was not looked for. `unsure`: a person must be asked, or another picture is needed.
    `why`: the obstacle in a word (a key `why.<why>` in the messages); in a sure reading it may give the
    event. `alternatives`: other boards, the likeliest first, without the believed one. `covered`: the covered
    squares. `image`: the picture's name. `ms`: milliseconds by stage.
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
        """The values of the dice, the smallest first."""
        return tuple(sorted(die.value for die in self.dice or ()))


class TurnOrder(Protocol):
    """The owner of the next tile, judging by the tiles on the board."""

    owners: tuple[str, ...]

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """The expected owner of the next tile; None if it could be anybody.

        `last`: the owner of the last tile, None if unknown.
        """


class AnyTurn:
    """Owners who lay their tiles in no particular order."""

    def __init__(self, *owners: str) -> None:
        self.owners = owners

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """None: it could be anybody."""
        return None


class Dice(msgspec.Struct, frozen=True):
    """The dice of a throw: their number (None: any), and the values on their faces.

    `colour` distinguishes them from other dice on the table; empty without others.
    """

    count: int | None
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    colour: str = ""


class Verdict(StrEnum):
    """The answer to a sighting."""

    NOTHING = "nothing"
    """Nothing new: the table shows the state of the match."""
    PLAY = "play"
    """Sure and legal: play the moves of the first guess."""
    ASK = "ask"
    """Unsure: a person must choose among the guesses."""
    WAIT = "wait"
    """Unreadable for now (a hand): look again."""
    BREAKS = "breaks"
    """Sure and illegal: `rule` and `facts` name the broken rule; nothing is played."""


WHOLE_BOARD = "whole-board"
"""The `why` of a whole board read afresh because a person asked: every difference is asked about, never
played at once."""

IN_THE_WAY = frozenset({"hand", "blurred", "marker-covered", "bumped", "markers"})
"""Values of `why` for a passing obstacle, which tell nothing: `WAIT` then."""


class Guess(msgspec.Struct, frozen=True):
    """Moves that would bring the match to the observation, and their probability (0 to 1)."""

    moves: tuple[Any, ...]
    confidence: float


class Sighting(msgspec.Struct, frozen=True):
    """The camera's belief about the move: a verdict and ranked guesses, the best first."""

    verdict: Verdict
    why: str = ""
    rule: str = ""
    facts: dict[str, str | int] = {}
    guesses: tuple[Guess, ...] = ()

    @classmethod
    def broken(cls, error: MoveError) -> Sighting:
        """A sure reading that the rules refuse with `error`."""
        facts = {name: fact for name, fact in error.facts.items() if isinstance(fact, str | int)}
        return cls(Verdict.BREAKS, rule=error.rule, facts=facts)


Judge = Callable[[Any, Any], Any]
"""A game's `play`: gives the state after a move, or refuses it."""


def judged(play: Judge, state: Any, move: Any, confidence: float) -> Sighting:
    """A clear move: to be played, or broken if `play` refuses it."""
    try:
        play(state, move)
    except MoveError as error:
        return Sighting.broken(error)
    return Sighting(Verdict.PLAY, guesses=(Guess((move,), confidence),))


@runtime_checkable
class Watched(Protocol):
    """A game that turns observations into moves."""

    @abstractmethod
    def sighting(self, state: Any, observation: Observation) -> Sighting:
        """The meaning of an observation in this state."""


@runtime_checkable
class HasBoard(Protocol):
    """A game on a board of squares."""

    @abstractmethod
    def scene(self, state: Any) -> dict[str, Any]:
        """The board for the camera: a `scene.json` without its markers."""


@runtime_checkable
class SeesTiles(Watched, HasBoard, Protocol):
    """A game whose tiles the camera reads on the board."""

    @abstractmethod
    def lying(self, state: Any) -> tuple[Tile, ...]:
        """The tiles that the camera should see in this state."""

    @abstractmethod
    def turn_order(self, state: Any) -> TurnOrder:
        """The owners of tiles, and the next one; `AnyTurn` if they lay in no order."""

    @abstractmethod
    def ended(self, options: Any, tiles: Iterable[Tile]) -> Any:
        """The state of a match that ended with these tiles on the board, whatever was played before.

        Raises `MoveError` if they cannot lie that way.
        """

    @abstractmethod
    def options_for_scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        """The match options for the board in `scene`, the content of a `scene.json`."""


@runtime_checkable
class ScoresPhotos(SeesTiles, Protocol):
    """A game of tiles whose finished board can be scored from a photo, without the match before it."""

    @abstractmethod
    def finish(self, tiles: Iterable[Tile]) -> Any:
        """The move that records a finished board with these tiles, as the first move of a match.

        Raises `InvalidMove` for values that no tile of the game has.
        """

    @abstractmethod
    def still_fits(self, state: Any) -> tuple[Tile, ...]:
        """A place for a tile of each side that would still fit on this finished board.

        Then a tile was overlooked, or somebody passed too early.
        """

    @abstractmethod
    def score_of(self, state: Any) -> Hashable:
        """A value that is alike for finished boards that score alike, region by region."""


@runtime_checkable
class SeesPieces(Watched, HasBoard, Protocol):
    """A game whose pieces the camera follows from square to square."""

    @property
    @abstractmethod
    def hues(self) -> Mapping[str, Hue]:
        """Each kind's hue in the light of the empty board."""

    @abstractmethod
    def standing_pieces(self, state: Any) -> tuple[Piece, ...]:
        """The pieces that the camera should see in this state."""


@runtime_checkable
class SeesDice(Watched, Protocol):
    """A game whose throws the camera reads."""

    @abstractmethod
    def dice_now(self, state: Any) -> Dice:
        """The dice to be thrown in this state."""


@runtime_checkable
class SeesCards(Watched, Protocol):
    """A game whose discard pile the camera watches."""

    @property
    @abstractmethod
    def card_kinds(self) -> tuple[str, ...]:
        """The kinds of card to teach the camera; empty if any name will do."""


SENSES: Mapping[str, type[Any]] = {
    "tiles": SeesTiles,
    "pieces": SeesPieces,
    "dice": SeesDice,
    "cards": SeesCards,
}
"""Each sense's protocol, by what the camera sees."""


def sees(game: object) -> tuple[str, ...]:
    """The senses of a game, names of `SENSES`; empty for an unwatched game."""
    return tuple(name for name, protocol in SENSES.items() if isinstance(game, protocol))


@runtime_checkable
class Autoplay(Protocol):
    """A game that imitates people, for the virtual table.

    Other games play any legal move there.
    """

    @abstractmethod
    def likely_move(self, state: Any, below: Callable[[int], int]) -> Any:
        """A move that people might make now, including chance and private moves; None for any legal one.

        `below(limit)` returns a random number from 0 to `limit - 1`.
        """


@runtime_checkable
class HasGround(Protocol):
    """A game with things other than pieces on its board, for the virtual table to draw."""

    @abstractmethod
    def ground(self, state: Any) -> tuple[Piece, ...]:
        """The kind and square of each thing under the pieces."""
