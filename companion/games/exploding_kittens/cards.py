"""The deck as data: how many cards of each kind, and the numbers on them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from companion.files import TomlText

TRAVEL = Path(__file__).parent / "data" / "travel.toml"
"""The cards of the travel edition."""

KITTEN, DEFUSE, NOPE = "kitten", "defuse", "nope"
"""The kinds that a player never plays as an action."""

ATTACK, SHUFFLE, SKIP, FUTURE = "attack", "shuffle", "skip", "future"
"""The kinds of action cards."""

ACTIONS = (ATTACK, SKIP, SHUFFLE, FUTURE)
"""The kinds that a player plays alone in their own turn."""


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of the box; `data/travel.toml` says what each key means."""

    dealt: int
    seen: int
    attack_turns: int
    cards: dict[str, int]

    @property
    def in_hands(self) -> tuple[str, ...]:
        """The kinds that can be in a hand: all but the kitten."""
        return tuple(kind for kind in self.cards if kind != KITTEN)

    def left(self, seats: int) -> int:
        """Cards in the deck when all have their hands, kittens included (rulebook, set-up 2 to 5)."""
        others = sum(self.cards.values()) - self.cards[KITTEN]
        return others - seats * (self.dealt + 1) + seats - 1

    def played(self, seats: int) -> dict[str, int]:
        """The cards that a match is played with: one kitten fewer than players, all of the others."""
        return {**self.cards, KITTEN: seats - 1}


def is_cat(kind: str) -> bool:
    """Whether cards of this kind do nothing alone."""
    return kind.startswith("cat-")


@cache
def deck() -> Deck:
    """The travel edition."""
    return TomlText.read(TRAVEL).parse(Deck)
