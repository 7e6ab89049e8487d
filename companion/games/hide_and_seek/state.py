"""The plain values of the game: options, moves and the state, and how moves are written.

Animals and cards go by their names in the set (`cardset`); the enemy, where an animal could be named, is
`enemy`. Cards are entered when they are turned up, never before.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.forms import Forms, Place, choice, each_after
from companion.games.game import Move, Options, State
from companion.games.hide_and_seek.cardset import COLOURS, CardSet, Colour, card_set

SLUG = "hide-and-seek"

SEATS = ("player-1", "player-2", "player-3", "player-4", "player-5", "player-6")

MOST_LAID = 3
"""Cards that a player may lay in a round, and again in a brawl."""


class HideOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Options of a match: the set of cards, and choices that the guide to the cards leaves open."""

    cards: Annotated[
        str, Meta(description="Animals, cards and counts: example, or the text of a set of your own")
    ] = "example"
    tie_speed: Annotated[
        Literal["escape", "caught"],
        Meta(description="What happens to an animal that is exactly as fast as the seeker"),
    ] = "escape"
    colour_without_card: Annotated[
        bool, Meta(description="An animal may catch by the colours it bears; else only by catch cards")
    ] = True
    one_victim: Annotated[
        Literal["ask", "one", "all"],
        Meta(description="How many of one colour the seeker catches: asked each time, one, or all"),
    ] = "ask"
    minimum_speed: Annotated[
        Literal["none", "0", "1"], Meta(description="How slow cards can make anybody, at most")
    ] = "none"
    enemies: Annotated[bool, Meta(description="The enemy cards are in the deck")] = True
    hide_from_enemy: Annotated[bool, Meta(description="An animal that hides is safe from the enemy too")] = (
        True
    )
    brawl_clears: Annotated[
        bool, Meta(description="Cards that stay for a round are put away before the brawl, not after it")
    ] = False
    brawl_tie: Annotated[
        Literal["next", "ends"],
        Meta(description="When the first of those tied lets the enemy go: the next one is asked, or nobody"),
    ] = "next"
    candy_removes: Annotated[
        Literal["food-first", "any"],
        Meta(description="What a candy may remove while other food lies there: only that, or a candy too"),
    ] = "food-first"
    spent_candy: Annotated[
        Literal["stays", "discarded"],
        Meta(description="A candy that has removed a food stays on the animal without effect, or goes"),
    ] = "stays"

    @property
    def set(self) -> CardSet:
        """The set of cards. Raises `UserError` for an unusable one."""
        return card_set(self.cards)


class Own(Move, frozen=True, forbid_unknown_fields=True, tag="animal"):
    """A player has this animal (set-up)."""

    seat: str
    animal: str


class PlayEnemy(Move, frozen=True, forbid_unknown_fields=True, tag="enemy"):
    """A player plays an enemy before the seeker seeks, and draws a card for it (step 0)."""

    by: str
    card: str


class Seek(Move, frozen=True, forbid_unknown_fields=True, tag="seek"):
    """The seeker's chip lies on this animal (step 1). In the first round its player becomes the seeker."""

    animal: str


class TurnUp(Move, frozen=True, forbid_unknown_fields=True, tag="turn-up"):
    """A card laid by a player is turned up (steps 3 and 4).

    `on`: an animal or `enemy`. `colour`: named for a rainbow; without it, on an animal, any that serves.
    `faster`: the way of a rocket, if its player chooses another than usual.
    """

    by: str
    card: str
    on: str
    colour: Colour | None = None
    faster: bool | None = None


class GoOn(Move, frozen=True, forbid_unknown_fields=True, tag="go-on"):
    """This step of the round is done: all cards are up, or nobody (else) is caught.

    In a brawl, the enemy is let go, and the next one tied is asked. At the round's end, players refill their
    hands.
    """


class RemoveFood(Move, frozen=True, forbid_unknown_fields=True, tag="candy"):
    """A candy on `on` removes that food (or other candy), as the owner chooses; None keeps a candy."""

    on: str
    food: str | None


class Catch(Move, frozen=True, forbid_unknown_fields=True, tag="catch"):
    """The seeker catches by a colour: that animal, or, without one, all it can catch by it."""

    colour: Colour
    animal: str | None = None


class CatchEnemy(Move, frozen=True, forbid_unknown_fields=True, tag="catch-enemy"):
    """The fastest animal catches the enemy (brawl)."""

    animal: str


class Taken(Move, frozen=True, forbid_unknown_fields=True, tag="taken"):
    """The enemy takes this animal, the slowest of its colours (brawl)."""

    animal: str


class DropGear(Move, frozen=True, forbid_unknown_fields=True, tag="drop-gear"):
    """One of two gears of a kind on `on` goes (end of the round)."""

    on: str
    card: str


class End(Move, frozen=True, forbid_unknown_fields=True, tag="end"):
    """The players end the match, between two rounds."""


class Hold(Move, frozen=True, forbid_unknown_fields=True, tag="hold"):
    """A private note: every card in a player's hand, laid ones still face down too."""

    seat: str
    cards: tuple[str, ...]


HideMove = (
    Own | PlayEnemy | Seek | TurnUp | GoOn | RemoveFood | Catch | CatchEnemy | Taken | DropGear | End | Hold
)


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A player drew a number of `cards`, unseen."""

    seat: str
    cards: int


class Showed(msgspec.Struct, frozen=True, tag="showed"):
    """All saw a card of a player's hand."""

    seat: str
    card: str


class Reshuffled(msgspec.Struct, frozen=True, tag="reshuffled"):
    """All discards became the new deck."""

    cards: tuple[str, ...]


class HandNoted(msgspec.Struct, frozen=True, tag="told"):
    """A player noted the whole hand, in that player's view alone."""

    seat: str
    cards: tuple[str, ...]


CardEvent = Drew | Showed | Reshuffled | HandNoted
"""Events of hands and deck that show where cards are."""


class Lying(msgspec.Struct, frozen=True):
    """A card that lies open on an animal or the enemy.

    `fresh`: turned up in this step; a candy's effect is not settled. `spent`: a candy that has removed a
    food.
    """

    card: str
    by: str
    on: str
    colour: Colour | None = None
    faster: bool | None = None
    fresh: bool = True
    spent: bool = False


class Owned(msgspec.Struct, frozen=True):
    """An animal and its player."""

    animal: str
    seat: str


class Caught(msgspec.Struct, frozen=True):
    """An animal that is out: its catcher (a seat, or `enemy`), and the round."""

    animal: str
    by: str
    round: int


class EnemyOut(msgspec.Struct, frozen=True):
    """The enemy at large, and its player."""

    card: str
    by: str


class EnemyCaught(msgspec.Struct, frozen=True):
    """A caught enemy: its catcher and animal, its own points and those of its food."""

    card: str
    by: str
    animal: str
    points: int
    food: int


Phase = Literal["animals", "open", "cards", "candy", "catch", "gear", "over"]
"""Animals are dealt; an enemy is played or the seeker begins; cards are turned up; a candy removes food;
animals are caught; one of two gears goes; the match is over."""


class Catching(msgspec.Struct, frozen=True):
    """The catch under way: the seeker's, of `animals` by one `colour`, or the brawl's.

    `settled`: the brawl has had its catch. `passed`: the seats that let the enemy go in it.
    """

    animals: tuple[str, ...] = ()
    colour: Colour | None = None
    settled: bool = False
    passed: tuple[str, ...] = ()


class HideState(State, frozen=True):
    """All that the rules need.

    `seeker`: counts the seats from 0; None before the first one is known. `laid`: cards turned up by each
    seat in this step. `brawl`: true during the brawl. `hands`: cards in hand by seat; `deck`: cards in the
    deck; `discards`: laid aside. `ended`: the reason that it is over.
    """

    options: HideOptions
    seats: tuple[str, ...]
    phase: Phase = "animals"
    round: int = 0
    seeker: int | None = None
    seeking: str | None = None
    owned: tuple[Owned, ...] = ()
    lying: tuple[Lying, ...] = ()
    laid: dict[str, int] = msgspec.field(default_factory=dict)
    brawl: bool = False
    catching: Catching = Catching()
    enemy_played: bool = False
    enemy: EnemyOut | None = None
    caught: tuple[Caught, ...] = ()
    enemies_caught: tuple[EnemyCaught, ...] = ()
    hands: dict[str, int] = msgspec.field(default_factory=dict)
    deck: int = 0
    discards: tuple[str, ...] = ()
    events: tuple[CardEvent, ...] = ()
    ended: str = ""

    @property
    def set(self) -> CardSet:
        """The match's set of cards."""
        return self.options.set

    @property
    def order(self) -> tuple[str, ...]:
        """The seats in this round's order, from the seeker."""
        first = self.seeker or 0
        return self.seats[first:] + self.seats[:first]

    @property
    def rounds(self) -> int:
        """The number of rounds; 0 if the players end the match."""
        return self.set.rounds_each * len(self.seats)

    @property
    def free(self) -> tuple[Owned, ...]:
        """The animals that are not caught, in the order they were entered."""
        out = {caught.animal for caught in self.caught}
        return tuple(owned for owned in self.owned if owned.animal not in out)

    def owner(self, animal: str) -> str | None:
        """The seat of an animal's player; None without one."""
        return next((owned.seat for owned in self.owned if owned.animal == animal), None)


NAME = Place(
    r'(?:"(?:[^"\\\x00-\x1f]|\\["\\])*"|[^\s"]+)',
    lambda name: name if re.fullmatch(r'[^\s"]+', name) else json.dumps(name, ensure_ascii=False),
    lambda word: json.loads(word) if word.startswith('"') else word,
)
"""A name, in JSON's quotes if it has a space or a quote itself."""

FORMS = Forms(
    {
        **dict.fromkeys(("seat", "by", "animal", "card", "on", "food"), NAME),
        "cards": each_after(" ", NAME),
        "colour": choice(*COLOURS),
        "faster": choice(faster=True, slower=False),
    },
    {
        Own: "{seat} has {animal}",
        PlayEnemy: "{by} plays {card}",
        Seek: "seek {animal}",
        TurnUp: "{by} turns up {card} on {on}[ as {colour}][ {faster}]",
        GoOn: "go on",
        RemoveFood: "candy on {on} [removes {food}|stays]",
        Catch: "catch {colour}[ {animal}]",
        CatchEnemy: "{animal} catches enemy",
        Taken: "enemy takes {animal}",
        DropGear: "{on} drops {card}",
        End: "end",
        Hold: "{seat} holds{cards}",
    },
)
