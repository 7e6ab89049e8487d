"""The notation of moves. Cards are written by their kinds, seats by their names.

| text | move |
| --- | --- |
| `draw` `kitten` | the player in turn drew a card, or a kitten |
| `defuse` `explode` | what became of the kitten |
| `play attack` | the player plays one card |
| `pair cat-a second` | two cards alike: the player picks a card from the second's hand |
| `three cat-a second defuse` | three cards alike: the player asks the second for a defuse |
| `answer yes` `answer no` | whether the second hands it over |
| `nope third` | the third plays a nope |
| `first hand: attack skip` | private: the first's whole hand |
| `first drew attack` `first took nope` | private: the card that the first drew, or took or lost |
| `first saw skip nope` | private: what See the Future showed, the top card first |
| `first hid 3` | private: the number of cards above the kitten that the first put back |
"""

from __future__ import annotations

from companion.games.exploding_kittens.moves import (
    Answer,
    Defuse,
    Draw,
    DrawKitten,
    Drew,
    Explode,
    Hand,
    Hid,
    Nope,
    Pair,
    Play,
    Saw,
    Three,
    Took,
)
from companion.games.exploding_kittens.state import SEATS
from companion.games.game import Form

SEAT = f"({'|'.join(SEATS)})"
"""A seat by its name."""

CARD = r"(\S+)"
"""A kind of card."""

CARDS = r"((?: \S+)*)"
"""Kinds of cards, each after a space."""


def _listed(cards: tuple[str, ...]) -> str:
    return "".join(f" {card}" for card in cards)


def _split(cards: str) -> tuple[str, ...]:
    return tuple(cards.split())


FORMS = (
    Form(Draw, "draw", lambda _: "draw", Draw),
    Form(DrawKitten, "kitten", lambda _: "kitten", DrawKitten),
    Form(Defuse, "defuse", lambda _: "defuse", Defuse),
    Form(Explode, "explode", lambda _: "explode", Explode),
    Form(Play, f"play {CARD}", lambda move: f"play {move.card}", Play),
    Form(Pair, f"pair {CARD} {SEAT}", lambda move: f"pair {move.card} {move.target}", Pair),
    Form(
        Three,
        f"three {CARD} {SEAT} {CARD}",
        lambda move: f"three {move.card} {move.target} {move.named}",
        Three,
    ),
    Form(
        Answer,
        "answer (yes|no)",
        lambda move: f"answer {'yes' if move.given else 'no'}",
        lambda given: Answer(given == "yes"),
    ),
    Form(Nope, f"nope {SEAT}", lambda move: f"nope {move.seat}", Nope),
    Form(
        Hand,
        f"{SEAT} hand:{CARDS}",
        lambda move: f"{move.seat} hand:{_listed(move.cards)}",
        lambda seat, cards: Hand(seat, _split(cards)),
    ),
    Form(Drew, f"{SEAT} drew {CARD}", lambda move: f"{move.seat} drew {move.card}", Drew),
    Form(Took, f"{SEAT} took {CARD}", lambda move: f"{move.seat} took {move.card}", Took),
    Form(
        Saw,
        f"{SEAT} saw{CARDS}",
        lambda move: f"{move.seat} saw{_listed(move.cards)}",
        lambda seat, cards: Saw(seat, _split(cards)),
    ),
    Form(
        Hid,
        rf"{SEAT} hid (\d+)",
        lambda move: f"{move.seat} hid {move.place}",
        lambda seat, place: Hid(seat, int(place)),
    ),
)
"""Each kind of move as text."""
