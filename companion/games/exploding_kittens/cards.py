"""The deck as data: the number of cards of each kind, and the numbers on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from companion.games import data_files
from companion.games.data_files import Countable, Fault, Number
from companion.messages import Fact, Phrase

FOLDER = Path(__file__).parent / "data"

TRAVEL = "travel"

KITTEN, DEFUSE, NOPE = "kitten", "defuse", "nope"
"""Kinds that are never played as an action."""

ATTACK, SHUFFLE, SKIP, FUTURE = "attack", "shuffle", "skip", "future"

ACTIONS = (ATTACK, SKIP, SHUFFLE, FUTURE)
"""Kinds that a player plays alone in turn."""

CAT = "cat-"
"""The beginning of the names of cats, which do nothing alone."""

MOST_PLAYERS = 4
"""The cards must be enough for them."""

MOST_OF_A_KIND = 20
"""The most cards of a kind: more would take long to count exactly."""

MOST_AT_ONCE = 10
"""The most cards dealt, cards seen, and turns of an attack."""


NUMBERS = ("dealt", "seen", "attack_turns")
"""Numbers printed on cards or in the rules."""

LEAST = {KITTEN: MOST_PLAYERS - 1, DEFUSE: MOST_PLAYERS, NOPE: 0, **dict.fromkeys(ACTIONS, 0)}
"""The fewest cards of each kind; cats are not needed."""


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of the box; `data/travel.toml` explains each key."""

    dealt: int
    seen: int
    attack_turns: int
    cards: dict[str, int]

    def faults(self) -> Iterator[Fault]:
        """Missing kinds, and numbers that are too small or too large."""
        for key in NUMBERS:
            if not 1 <= getattr(self, key) <= MOST_AT_ONCE:
                yield Fault(data_files.out_of_bounds(key, 1, MOST_AT_ONCE, getattr(self, key)), (key,))
        for kind, least in LEAST.items():
            if kind not in self.cards:
                yield Fault(_says("no-kind", kind=f"“{kind}”", least=least), ("cards",))
                return
        for kind, count in self.cards.items():
            if kind not in LEAST and not (is_cat(kind) and kind.split() == [kind]):
                says = _says("strange-kind", kind=repr(kind), example=f"“{CAT}a”")
                yield Fault(says, ("cards", kind))
            elif not LEAST.get(kind, 0) <= count <= MOST_OF_A_KIND:
                says = data_files.out_of_bounds(kind, LEAST.get(kind, 0), MOST_OF_A_KIND, count)
                yield Fault(says, ("cards", kind))
        if self.left(MOST_PLAYERS) < MOST_PLAYERS - 1:
            says = _says("too-few", dealt=self.dealt, players=MOST_PLAYERS)
            yield Fault(says, ("cards",))

    @property
    def in_hands(self) -> tuple[str, ...]:
        """The kinds that a hand can hold: all but the kitten."""
        return tuple(kind for kind in self.cards if kind != KITTEN)

    def left(self, seats: int) -> int:
        """Cards in the deck after dealing, with kittens (rulebook, set-up 2 to 5)."""
        others = sum(self.cards.values()) - self.cards[KITTEN]
        return others - seats * (self.dealt + 1) + seats - 1

    def played(self, seats: int) -> dict[str, int]:
        """The cards of a match: one kitten fewer than players, all of the others."""
        return {**self.cards, KITTEN: seats - 1}


def is_cat(kind: str) -> bool:
    """True for a kind that does nothing alone."""
    return kind.startswith(CAT)


@lru_cache(maxsize=32)
def deck(given: str) -> Deck:
    """The deck that the option `deck` means. Raises `UserError` with the file and the line at fault."""
    return data_files.read(given, FOLDER, "deck", Deck)


def _numbers(box: Deck) -> tuple[Number, ...]:
    of_the_rules = (
        Number(key, f"deck.{key}", 1, MOST_AT_ONCE, getattr(box, key), "deck.others") for key in NUMBERS
    )
    of_the_box = (
        Number(
            f"cards.{kind}",
            f"name.{kind}",
            LEAST.get(kind, 0),
            MOST_OF_A_KIND,
            count,
            "deck.cards",
            adds=True,
        )
        for kind, count in box.cards.items()
    )
    return (*of_the_box, *of_the_rules)


def counted_text(numbers: Mapping[str, int]) -> str:
    """The text of a deck's file from its numbers by key, each card's after `cards.`."""
    cards_ = {key: count for key, count in numbers.items() if key.startswith("cards.")}
    heads = "".join(f"{key} = {number}\n" for key, number in numbers.items() if key not in cards_)
    counts = "".join(f"{key.partition('.')[2]} = {count}\n" for key, count in cards_.items())
    return f"{heads}\n[cards]\n{counts}"


COUNTABLE = Countable(Deck, FOLDER, _numbers, counted_text)


def _says(fault: str, **facts: Fact) -> Phrase:
    return Phrase(f"data.{fault}", facts, "exploding-kittens")
