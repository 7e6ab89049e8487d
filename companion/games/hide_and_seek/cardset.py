"""The animals, the cards and their numbers: one short text file that a person can fill in.

Only the guide to the cards survives, so no animal or card is in code. An option names a set like other data
files (`companion.games.data_files`); a match keeps the text of a person's own file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.errors import DataError, UserError
from companion.files import FileFault, TomlText
from companion.games import data_files
from companion.games.data_files import DataFile, Scripted
from companion.messages import Fact, Phrase

FOLDER = Path(__file__).with_name("data")

Colour = Literal["grey", "white", "brown", "black", "yellow"]
COLOURS: tuple[Colour, ...] = ("grey", "white", "brown", "black", "yellow")

RAINBOW = "rainbow"
"""Any one colour, on a catch/hide card."""

Species = Literal["cat", "dog"]

ENEMY = "enemy"
"""The enemy's name in moves, in place of an animal."""

Does = Literal["hide", "food", "candy", "gear", "paint", "rocket", "enemy"]
"""The sorts of cards, in the order of the guide to the cards."""

LARGEST_SET_BYTES = 100_000
"""The example with its comments has 5,000."""

LARGEST_SHARED_BYTES = 4_000_000
"""A shared set has a picture of each of its cards."""

MOST_ANIMALS = 60

MOST_KINDS = 60

MOST_CARDS = 300

Speed = Annotated[int, Meta(ge=-99, le=99)]
Points = Annotated[int, Meta(ge=-99, le=99)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]


Picture = Annotated[str, Meta(pattern=r"^([0-9a-f]{16})?$")]
"""The name of a picture kept by this table, or empty."""


class Animal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An animal's card: cat or dog, one or two colours, speed, and the points for keeping it.

    `collector`: a card with a golden frame (典藏角色牌), of which each player is dealt one.
    """

    species: Species
    colours: Annotated[tuple[Colour, ...], Meta(min_length=1, max_length=2)]
    speed: Speed
    points: Points = 0
    picture: Picture = ""
    collector: bool = False


class CardKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of card and its number.

    `speed`: added as printed; food and paint slow (below 0). For a rocket: added to the player's own animal,
    with `slows` taken from another's (above 0; by default as much as `speed`). For an enemy: its own speed.
    """

    does: Does
    count: Annotated[int, Meta(ge=0, le=99)]
    speed: Speed = 0
    colour: Literal["grey", "white", "brown", "black", "yellow", "rainbow"] | None = None
    colours: Annotated[tuple[Colour, ...], Meta(max_length=5)] = ()
    gear: Annotated[str, Meta(max_length=40)] = ""
    species: Species | None = None
    slows: Annotated[int, Meta(ge=0, le=99)] | None = None
    points: Points = 0
    picture: Picture = ""

    @property
    def takes(self) -> int:
        """The speed that a rocket takes from another's animal, above 0."""
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
"""The other keys that it may have."""

EVERY_KEY = ("colour", "colours", "gear", "species", "slows", "points")


class CardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box and the table's agreements: animals and cards by their names."""

    name: Name
    animals: dict[Name, Animal]
    cards: dict[Name, CardKind]
    hand: Annotated[int, Meta(ge=1, le=20)]
    rounds_each: Annotated[int, Meta(ge=0, le=50)]
    animals_each: Annotated[int, Meta(ge=1, le=9)] = 3
    players: tuple[Annotated[int, Meta(ge=2, le=6)], Annotated[int, Meta(ge=2, le=6)]] = (2, 6)
    reshuffle: bool = False
    example: bool = False

    @property
    def collectors(self) -> frozenset[str]:
        """The animals on collectors' cards."""
        return frozenset(name for name, animal in self.animals.items() if animal.collector)

    def counts(self, *, enemies: bool) -> dict[str, int]:
        """Cards of each kind in play, without absent kinds."""
        return {
            name: kind.count
            for name, kind in self.cards.items()
            if kind.count and (enemies or kind.does != "enemy")
        }

    def _names(self) -> Iterator[tuple[str, ...]]:
        """Each name that is shown, behind its key."""
        yield "name", self.name
        yield from (("animals", name, name) for name in self.animals)
        for name, kind in self.cards.items():
            yield "cards", name, name
            yield "cards", name, "gear", kind.gear

    def faults(self) -> Iterator[DataError]:
        if not 1 <= len(self.animals) <= MOST_ANIMALS:
            yield _fault("animals-number", "animals", most=MOST_ANIMALS, count=len(self.animals))
        if not 1 <= len(self.cards) <= MOST_KINDS:
            yield _fault("kinds-number", "cards", most=MOST_KINDS, count=len(self.cards))
        if sum(kind.count for kind in self.cards.values()) > MOST_CARDS:
            yield _fault("cards-number", "cards", most=MOST_CARDS)
        for *key, name in self._names():
            if name != name.strip() or not name.isprintable():
                yield _fault("blank-name", *key, name=name)
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

    Raises `UserError` with the file and the line at fault.
    """
    if not data_files.is_own_file(given):
        return given
    file = data_files.own_file(given, most_bytes=LARGEST_SHARED_BYTES)
    text = TomlText(data_files.without_pictures(file.toml.text), file.toml.origin)
    if len(text.text.encode()) > LARGEST_SET_BYTES:
        raise UserError(f"{text.origin} is too large; {LARGEST_SET_BYTES} bytes are the most.")
    file = DataFile(text, file.name)
    read_set(file)
    return file.kept_text(CardSet)


def read_set(file: DataFile) -> CardSet:
    """The set in a person's own file, named after the file if it has no name.

    Raises `UserError` with the file and the line at fault.
    """
    made = file.toml.convert({"name": file.name} | file.toml.values(), CardSet)
    for fault in made.faults():
        raise file.toml.error(Phrase(f"fault.{fault.fault}", fault.facts, fault.game), *fault.key)
    return made


SCRIPTED = Scripted(CardSet, FOLDER, read_set, "page_own.js")


@lru_cache(maxsize=32)
def card_set(given: str) -> CardSet:
    """The set that the option means: the name of a file that comes with the game, or a file's text.

    Raises `UserError` for an unknown name, or with the place of a fault.
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
