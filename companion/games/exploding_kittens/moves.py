"""The moves: what happens on the table, and a seat's private notes.

Cards are the kinds in `data/travel.toml`; seats are `first` to `fourth`. A place is the number of cards
above: 0 is the top.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.games.exploding_kittens.state import Seat
from companion.games.game import Move

Card = Annotated[str, Meta(description="A kind of card: kitten, defuse, attack, shuffle, skip, future, …")]


class Draw(Move, frozen=True, tag="draw"):
    """The player in turn drew a card that was not a kitten."""


class DrawKitten(Move, frozen=True, tag="kitten"):
    """The player in turn drew a kitten and showed it."""


class Defuse(Move, frozen=True, tag="defuse"):
    """The player defused the kitten and put it back into the deck in secret."""


class Explode(Move, frozen=True, tag="explode"):
    """The kitten was not defused: the player is out, and their hand lies face down."""


class Play(Move, frozen=True, tag="play"):
    """The player in turn played one card: attack, skip, shuffle or see the future."""

    card: Card


class Pair(Move, frozen=True, tag="pair"):
    """The player played two cards alike, and picked a card blindly from the hand of `target`."""

    card: Card
    target: Seat


class Three(Move, frozen=True, tag="three"):
    """The player played three cards alike, and asked `target` for a `named` card."""

    card: Card
    target: Seat
    named: Card


class Answer(Move, frozen=True, tag="answer"):
    """The player asked for a named card handed it over, or has none."""

    given: bool


class Nope(Move, frozen=True, tag="nope"):
    """A player played a nope on the last card (or on the nope on it)."""

    seat: Seat


class Hand(Move, frozen=True, tag="hand"):
    """A private note: a seat's whole hand."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds, one entry a card, in any order.")]


class Drew(Move, frozen=True, tag="drew"):
    """A private note: the last card that a seat drew."""

    seat: Seat
    card: Card


class Saw(Move, frozen=True, tag="saw"):
    """A private note: the cards that See the Future showed, the top card first."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds from the top.")]


class Hid(Move, frozen=True, tag="hid"):
    """A private note: the number of cards above the kitten that a seat put back."""

    seat: Seat
    place: Annotated[int, Meta(ge=0, description="Cards above the kitten; 0 is the top.")]


class Took(Move, frozen=True, tag="took"):
    """A private note: the card that a seat took from another seat, or lost to one."""

    seat: Seat
    card: Card


OpenMove = Draw | DrawKitten | Defuse | Explode | Play | Pair | Three | Answer | Nope
"""A move that everybody sees."""
PrivateMove = Hand | Drew | Saw | Hid | Took
"""A seat's private note."""
KittensMove = OpenMove | PrivateMove
"""Every kind of move."""

OPEN = (Draw, DrawKitten, Defuse, Explode, Play, Pair, Three, Answer, Nope)
"""The kinds of open moves."""
PRIVATE = (Hand, Drew, Saw, Hid, Took)
"""The kinds of private notes."""
