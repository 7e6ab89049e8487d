"""Hidden cards cannot be worked out from what lies open: the attack on the old generator finds nothing."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from companion.games.chance import Chance, key_of
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.player import HideDealer
from companion.games.hide_and_seek.state import Hold, Own, Seek
from companion.play.dealt import Deal
from tests.play.lattice import Draw, seeds_that_fit

SEATS, OWN = 6, "player-1"

SEED = 1340883164516475259
"""One of the four seeds in five that the attack finds."""

WARMING_UP = 4
"""The draws that the old generator threw away before the shuffle."""


class Open(NamedTuple):
    """What a seat sees of a match when its first round begins: its own hand, and what was drawn openly."""

    hand: tuple[str, ...]
    draws: tuple[Draw, ...]


def dealt(chance: Chance) -> tuple[HideDealer, Open]:
    """A deal, and what its first seat sees."""
    state, dealer = GAME.start(GAME.options({}), SEATS), HideDealer()
    dealer.begin(state, chance)
    hand: tuple[str, ...] = ()
    draws: list[Draw] = []
    place = WARMING_UP + len(dealer.deck) - 1
    while (move := dealer.chance(state)) is not None:
        if isinstance(move, Hold) and move.seat == OWN:
            hand = move.cards
        if isinstance(move, Own | Seek):
            free = [animal for animal in state.set.animals if state.owner(animal) is None]
            if isinstance(move, Seek):
                free = [animal.animal for animal in state.free]
            place += 1
            draws.append(Draw(place, len(free), free.index(move.animal)))
        state = GAME.play(state, move)
    return dealer, Open(hand, tuple(draws))


def found(seen: Open) -> list[HideDealer]:
    """The deals of the old generator that agree with all that a seat sees."""
    telling = [draw for draw in seen.draws if draw.limit > 2]
    began = Draw(0, 2, 0)  # a seed had two bits less than the generator
    deals = (dealt(Deal("", {}, seed=seed).chance) for seed in seeds_that_fit([*telling, began], reach=1.2))
    return [dealer for dealer, shown in deals if shown == seen]


def test_the_old_generator_gave_every_card_away() -> None:
    dealer, seen = dealt(Deal("", {}, seed=SEED).chance)
    [worked_out] = found(seen)
    assert worked_out.deck == dealer.deck
    assert worked_out.hands == dealer.hands


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_same_attack_finds_nothing_in_a_deal_of_today(number: int) -> None:
    _, seen = dealt(Deal("", {}, key=key_of(number)).chance)
    assert found(seen) == []


@pytest.mark.parametrize("purpose", ["animals", "seekers", "thefts", "shuffles", "dice"])
def test_what_is_drawn_openly_leaves_the_deck_as_it_is(purpose: str) -> None:
    drawn = Chance(key_of(2))
    drawn.stream(purpose).randbelow(18)
    assert dealt(drawn)[0].deck == dealt(Chance(key_of(2)))[0].deck
