"""The plain values of the game: options, moves and the state.

Animals and cards go by their names in the set (`cardset`); the enemy, where an animal could be named,
is `enemy`. Cards are entered when they are turned up, never before.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.game import Move, Options, State
from companion.games.hide_and_seek.cardset import CardSet, Colour, card_set

SLUG = "hide-and-seek"
"""The game's name in addresses and files."""

SEATS = ("player-1", "player-2", "player-3", "player-4", "player-5", "player-6")
"""The seats in order."""

MOST_LAID = 3
"""Cards that a player may lay in a round, and again in a brawl."""


class HideOptions(Options, frozen=True, forbid_unknown_fields=True):
    """How a match is set up: the set of cards, and what the guide to the cards leaves open."""

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
        """The set of cards. Raises `MendableError` when it cannot be used."""
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
    """A card that a player had laid is turned up (steps 3 and 4).

    `on` is an animal or `enemy`. `colour` is the one named for a rainbow; without it, on an animal, it
    stands for whichever serves. `faster` says which way a rocket works, where its
    player chooses otherwise than usual.
    """

    by: str
    card: str
    on: str
    colour: Colour | None = None
    faster: bool | None = None


class GoOn(Move, frozen=True, forbid_unknown_fields=True, tag="go-on"):
    """This step of the round is done: all cards are up, or nobody (else) is caught.

    In a brawl, whoever may catch the enemy lets it go; the next one tied is asked, if there is one. At the
    round's end, players refill their hands.
    """


class RemoveFood(Move, frozen=True, forbid_unknown_fields=True, tag="candy"):
    """A candy on `on` removes that food (or other candy), as the owner chooses; None keeps a candy."""

    on: str
    food: str | None


class Catch(Move, frozen=True, forbid_unknown_fields=True, tag="catch"):
    """The seeker catches by a colour: that animal, or, without one, all that it can catch by it."""

    colour: Colour
    animal: str | None = None


class CatchEnemy(Move, frozen=True, forbid_unknown_fields=True, tag="catch-enemy"):
    """The fastest animal catches the enemy (brawl)."""

    animal: str


class Taken(Move, frozen=True, forbid_unknown_fields=True, tag="taken"):
    """The enemy takes this animal, the slowest of its colours (brawl)."""

    animal: str


class DropGear(Move, frozen=True, forbid_unknown_fields=True, tag="drop-gear"):
    """Of two gears of one kind on `on`, this one goes (end of the round)."""

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
    """A player drew cards, unseen; `cards` is their number."""

    seat: str
    cards: int


class Showed(msgspec.Struct, frozen=True, tag="showed"):
    """A card of a player's hand was seen by all."""

    seat: str
    card: str


class Reshuffled(msgspec.Struct, frozen=True, tag="reshuffled"):
    """These cards, all that had been laid aside, became the new deck."""

    cards: tuple[str, ...]


class HandNoted(msgspec.Struct, frozen=True, tag="told"):
    """A player noted the whole hand. Only that player's view knows of it."""

    seat: str
    cards: tuple[str, ...]


CardEvent = Drew | Showed | Reshuffled | HandNoted
"""What happened to hands and deck, as far as it shows which card is where."""


class Lying(msgspec.Struct, frozen=True):
    """A card that lies open on an animal or the enemy.

    `fresh`: it was turned up in this step, and if it is a candy, what it does is not settled. `spent`:
    a candy that has removed a food.
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
    """An animal that is out: who caught it (a seat, or `enemy`) and in which round."""

    animal: str
    by: str
    round: int


class EnemyOut(msgspec.Struct, frozen=True):
    """The enemy at large, and who played it."""

    card: str
    by: str


class EnemyCaught(msgspec.Struct, frozen=True):
    """An enemy that was caught: by whom, by which animal, its own points and those of its food."""

    card: str
    by: str
    animal: str
    points: int
    food: int


Phase = Literal["animals", "open", "cards", "candy", "catch", "gear", "over"]
"""What is entered next: who has which animal; an enemy or who seeks; the cards turned up; what a
candy removes; who is caught; which of two gears goes; nothing."""


class HideState(State, frozen=True):
    """All that the rules need.

    `seeker` counts the seats from 0; None before the first one is known. `laid` is how many cards each
    seat has turned up in this step. `caught_now` and `colour_now` belong to the catch that is under
    way; `brawl` is whether the brawl is, `settled` whether it has had its catch, and `passed` are the seats
    that let the enemy go in it. `hands` are cards in hand by seat, `deck` those in the deck, `discards`
    what was laid aside. `ended` says why it is over.
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
    settled: bool = False
    passed: tuple[str, ...] = ()
    enemy_played: bool = False
    enemy: EnemyOut | None = None
    caught_now: tuple[str, ...] = ()
    colour_now: Colour | None = None
    caught: tuple[Caught, ...] = ()
    enemies_caught: tuple[EnemyCaught, ...] = ()
    hands: dict[str, int] = msgspec.field(default_factory=dict)
    deck: int = 0
    discards: tuple[str, ...] = ()
    events: tuple[CardEvent, ...] = ()
    ended: str = ""

    @property
    def set(self) -> CardSet:
        """The set of cards it is played with."""
        return self.options.set

    @property
    def order(self) -> tuple[str, ...]:
        """The seats in this round's order: from the seeker on."""
        first = self.seeker or 0
        return self.seats[first:] + self.seats[:first]

    @property
    def rounds(self) -> int:
        """How many rounds are played; 0: until the players end the match."""
        return self.set.rounds_each * len(self.seats)

    @property
    def free(self) -> tuple[Owned, ...]:
        """The animals that are not caught, in the order in which they were entered."""
        out = {each.animal for each in self.caught}
        return tuple(each for each in self.owned if each.animal not in out)

    def owner(self, animal: str) -> str | None:
        """The seat of an animal's player; None for an animal that nobody has."""
        return next((each.seat for each in self.owned if each.animal == animal), None)
