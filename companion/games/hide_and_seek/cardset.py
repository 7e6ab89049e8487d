"""The animals, the cards and their numbers: one short text file that a person can fill in.

Only the guide to the cards survives, so nothing of this stands in code. A set is named by an option in
one of three ways: by the name of a file that comes with the game (`example`), by the path of a
person's own file (ending in `.toml`), or as the file's text itself, which is what a match keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.errors import DataError, MendableError
from companion.files import FileFault, TomlText
from companion.games import data_files
from companion.games.data_files import DataFile, Scripted
from companion.messages import Fact, Phrase

FOLDER = Path(__file__).with_name("data")

Colour = Literal["grey", "white", "brown", "black", "yellow"]
COLOURS: tuple[Colour, ...] = ("grey", "white", "brown", "black", "yellow")
"""The colours of animals and cards."""

RAINBOW = "rainbow"
"""On a catch/hide card: any one colour."""

Species = Literal["cat", "dog"]

ENEMY = "enemy"
"""What moves call the enemy where they could name an animal."""

Does = Literal["hide", "food", "candy", "gear", "paint", "rocket", "enemy"]
"""What a card does, in the order of the guide to the cards."""

LARGEST_SET_BYTES = 100_000
"""The largest set of cards; the example, comments and all, has 5,000."""

LARGEST_SHARED_BYTES = 4_000_000
"""The largest file of a set that is shared, with a picture of each of its cards."""

MOST_ANIMALS = 60
"""Animals of a set, at most."""

MOST_KINDS = 60
"""Kinds of cards of a set, at most."""

MOST_CARDS = 300
"""Cards of a set, at most."""

Speed = Annotated[int, Meta(ge=-99, le=99)]
Points = Annotated[int, Meta(ge=-99, le=99)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]


Picture = Annotated[str, Meta(pattern=r"^([0-9a-f]{16})?$")]
"""A picture that this table keeps, by its name; empty for none."""


class Animal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An animal's card: cat or dog, one or two colours, speed, and the points of having kept it."""

    species: Species
    colours: Annotated[tuple[Colour, ...], Meta(min_length=1, max_length=2)]
    speed: Speed
    points: Points = 0
    picture: Picture = ""


class CardKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of card and how many of it there are.

    `speed` is what it adds, as printed: food and paint slow (below 0). For a rocket it is what it adds to
    the player's own animal and `slows` what it takes from another's (a number above 0; as much as `speed`
    unless given). For an enemy it is the enemy's own speed.
    """

    does: Does
    count: Annotated[int, Meta(ge=0, le=99)]
    speed: Speed = 0
    colour: Literal["grey", "white", "brown", "black", "yellow", "rainbow"] | None = None
    colours: Annotated[tuple[Colour, ...], Meta(max_length=5)] = ()
    gear: str = ""
    species: Species | None = None
    slows: Annotated[int, Meta(ge=0, le=99)] | None = None
    points: Points = 0
    picture: Picture = ""

    @property
    def takes(self) -> int:
        """What a rocket takes from the speed of another's animal, as a number above 0."""
        return abs(self.speed) if self.slows is None else self.slows


NEEDS: dict[Does, tuple[str, ...]] = {
    "hide": ("colour",),
    "food": (),
    "candy": (),
    "gear": ("gear", "colour"),
    "paint": ("colour",),
    "rocket": ("species",),
    "enemy": ("colours",),
}
"""The keys that each sort of card needs beside `count` and `speed`."""

MAY: dict[Does, tuple[str, ...]] = {"food": ("points",), "rocket": ("slows",), "enemy": ("points",)}
"""The keys that it may have beside those."""

EVERY_KEY = ("colour", "colours", "gear", "species", "slows", "points")


class CardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a box holds, and what the table agrees on: animals and cards by their names."""

    name: Name
    animals: dict[Name, Animal]
    cards: dict[Name, CardKind]
    hand: Annotated[int, Meta(ge=1, le=20)]
    rounds_each: Annotated[int, Meta(ge=0, le=50)]
    animals_each: Annotated[int, Meta(ge=1, le=9)] = 3
    players: tuple[Annotated[int, Meta(ge=2, le=6)], Annotated[int, Meta(ge=2, le=6)]] = (2, 6)
    reshuffle: bool = False
    example: bool = False

    def counts(self, *, enemies: bool) -> dict[str, int]:
        """How many cards there are of each kind in play, without kinds of which there is none."""
        return {
            name: kind.count
            for name, kind in self.cards.items()
            if kind.count and (enemies or kind.does != "enemy")
        }

    def faults(self) -> Iterator[DataError]:
        """What does not fit together."""
        if not 1 <= len(self.animals) <= MOST_ANIMALS:
            yield _fault("animals-number", "animals", most=MOST_ANIMALS, count=len(self.animals))
        if not 1 <= len(self.cards) <= MOST_KINDS:
            yield _fault("kinds-number", "cards", most=MOST_KINDS, count=len(self.cards))
        if sum(kind.count for kind in self.cards.values()) > MOST_CARDS:
            yield _fault("cards-number", "cards", most=MOST_CARDS)
        for table in ("animals", "cards"):
            for name in getattr(self, table):
                if name != name.strip() or not name.isprintable():
                    yield _fault("blank-name", table, name, name=name)
        if ENEMY in self.animals:
            yield _fault("enemy-name", "animals", ENEMY, name=ENEMY)
        if self.players[0] > self.players[1]:
            yield _fault("players", "players", few=self.players[0], many=self.players[1])
        for name, animal in self.animals.items():
            if len(set(animal.colours)) < len(animal.colours):
                yield _fault("colour-twice", "animals", name, "colours", place=f"animals.{name}")
        for name, kind in self.cards.items():
            yield from _card_faults(name, kind)


def _card_faults(name: str, kind: CardKind) -> Iterator[DataError]:
    where, place = ("cards", name), f"cards.{name}"
    needs = NEEDS[kind.does]
    for key in EVERY_KEY:
        given = getattr(kind, key)
        if key in needs and not given:
            yield _fault("needs", *where, key, place=place, field=key)
        if given and key not in (*needs, *MAY.get(kind.does, ())):
            yield _fault("cannot-have", *where, key, place=place, field=key, does=kind.does)
    if kind.colour == RAINBOW and kind.does != "hide":
        yield _fault("rainbow", *where, "colour", place=place)
    if kind.does == "enemy" and len(set(kind.colours)) < len(kind.colours):
        yield _fault("colour-twice", *where, "colours", place=place)


def _fault(fault: str, *key: str | int, **facts: Fact) -> DataError:
    return DataError("hide-and-seek", "cards", fault, *key, **facts)


def kept(given: str) -> str:
    """The option `cards` as a match keeps it: the path of a person's own file becomes the file's text.

    Raises `MendableError` naming that file and the line at fault.
    """
    if not data_files.is_own_file(given):
        return given
    file = data_files.own_file(given, most_bytes=LARGEST_SHARED_BYTES)
    text = TomlText(data_files.without_pictures(file.toml.text), file.toml.origin)
    if len(text.text.encode()) > LARGEST_SET_BYTES:
        raise MendableError(f"{text.origin} is too large; {LARGEST_SET_BYTES} bytes are the most.")
    file = DataFile(text, file.name)
    read_set(file)
    return data_files.text_to_keep(file, named=True)


def read_set(file: DataFile) -> CardSet:
    """The set in a person's own file, called as the file where it has no name of its own.

    Raises `MendableError` naming the file and the line at fault.
    """
    made = file.toml.convert({"name": file.name} | file.toml.values(), CardSet)
    for fault in made.faults():
        raise file.toml.error(Phrase(f"fault.{fault.fault}", fault.facts, fault.game), *fault.key)
    return made


SCRIPTED = Scripted(CardSet, FOLDER, read_set, "page_own.js")
"""How a set is made on a page."""


@lru_cache(maxsize=32)
def card_set(given: str) -> CardSet:
    """The set that the option means: the name of a file that comes with the game, or a file's text.

    Raises `MendableError` when there is none of that name, or naming the place of the fault.
    """
    file = data_files.find(given, FOLDER, "set of cards")
    if len(file.toml.text.encode()) > LARGEST_SET_BYTES:
        raise _fault("too-large", most=LARGEST_SET_BYTES)
    try:
        made = file.toml.parse(CardSet)
    except FileFault as error:
        raise _fault("cannot-be-read", detail=error.fault) from error
    for fault in made.faults():
        raise fault
    return made
