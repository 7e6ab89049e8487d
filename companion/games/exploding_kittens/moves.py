"""The moves: what happens on the table, and what a seat tells its own phone alone.

Cards are kinds of `data/travel.toml`, seats are `first` to `fourth`. Places count the cards above: 0
is the top.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.games.exploding_kittens.state import Seat
from companion.games.game import Move

Card = Annotated[str, Meta(description="A kind of card: kitten, defuse, attack, shuffle, skip, future, …")]


class Draw(Move, frozen=True, tag="draw"):
    """Whoever's turn it is drew a card, and it was no kitten."""


class DrawKitten(Move, frozen=True, tag="kitten"):
    """Whoever's turn it is drew a kitten and showed it."""


class Defuse(Move, frozen=True, tag="defuse"):
    """The kitten was defused and put back into the deck in secret."""


class Explode(Move, frozen=True, tag="explode"):
    """The kitten was not defused: its player is out, the hand lies face down."""


class Play(Move, frozen=True, tag="play"):
    """Whoever's turn it is played one card: attack, skip, shuffle or see the future."""

    card: Card


class Pair(Move, frozen=True, tag="pair"):
    """Two alike: a card picked blindly from the hand of `target`."""

    card: Card
    target: Seat


class Three(Move, frozen=True, tag="three"):
    """Three alike: `target` is asked for a card that is named."""

    card: Card
    target: Seat
    named: Card


class Answer(Move, frozen=True, tag="answer"):
    """Whoever was asked for a named card handed it over, or has none."""

    given: bool


class Nope(Move, frozen=True, tag="nope"):
    """A nope on the last card (or on the nope on it)."""

    seat: Seat


class Hand(Move, frozen=True, tag="hand"):
    """A seat tells its own phone its whole hand."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds, one entry a card, in any order.")]


class Drew(Move, frozen=True, tag="drew"):
    """A seat tells its own phone what it drew last."""

    seat: Seat
    card: Card


class Saw(Move, frozen=True, tag="saw"):
    """A seat tells its own phone what See the Future showed, the top card first."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds from the top.")]


class Hid(Move, frozen=True, tag="hid"):
    """A seat tells its own phone where it put the kitten: so many cards above it."""

    seat: Seat
    place: Annotated[int, Meta(ge=0, description="Cards above the kitten; 0 is the top.")]


class Took(Move, frozen=True, tag="took"):
    """A seat tells its own phone which card it took from another, or which was taken from it."""

    seat: Seat
    card: Card


OpenMove = Draw | DrawKitten | Defuse | Explode | Play | Pair | Three | Answer | Nope
PrivateMove = Hand | Drew | Saw | Hid | Took
KittensMove = OpenMove | PrivateMove
OPEN = (Draw, DrawKitten, Defuse, Explode, Play, Pair, Three, Answer, Nope)
PRIVATE = (Hand, Drew, Saw, Hid, Took)
