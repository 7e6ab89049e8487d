"""Whole matches with real cards: the rulebook is played by people here, and the companion is told of it.

The people share nothing with the game's rules but the names of the cards. They are honest, and note little:
so nothing that they do may be refused, no note of theirs may prove wrong, and how the cards truly lie is
never said to be impossible.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy

import pytest

from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.known import known
from companion.games.exploding_kittens.tests.playing import began, play
from companion.odds import card_at, number_held

BOX = {"defuse": 5, "attack": 3, "shuffle": 4, "skip": 3, "future": 4, "nope": 4} | dict.fromkeys(
    ("cat-a", "cat-b", "cat-c", "cat-d"), 4
)
"""The box without its kittens."""

NOTED, NOPED, COMBINED = 0.4, 0.3, 0.5
"""How often a seat notes what it saw, somebody says nope, and two or three alike are played."""

MOST_TURNS = 60
"""Draws and cards of one match, at most."""


class Cards:
    """Where the cards lie, and whose turn it is: rulebook, "set-up" and "your turn"."""

    def __init__(self, seats: int, chance: random.Random) -> None:
        self.seats = ("first", "second", "third", "fourth")[:seats]
        loose = [kind for kind, count in BOX.items() for _ in range(count - seats * (kind == "defuse"))]
        chance.shuffle(loose)
        self.hands = {seat: ["defuse", *loose[5 * at : 5 * at + 5]] for at, seat in enumerate(self.seats)}
        self.deck = loose[5 * seats :] + ["kitten"] * (seats - 1)
        chance.shuffle(self.deck)
        self.alive, self.turn, self.owed, self.attacked = list(self.seats), "first", 1, False

    def after(self) -> str:
        """The next to play, clockwise."""
        at = self.seats.index(self.turn)
        return next(seat for seat in self.seats[at + 1 :] + self.seats[:at] if seat in self.alive)

    def pass_on(self, owed: int = 1, *, attacked: bool = False) -> None:
        """The next player's turn."""
        self.turn, self.owed, self.attacked = self.after(), owed, attacked

    def turn_done(self) -> None:
        """One turn of those owed is over."""
        self.owed -= 1
        if not self.owed:
            self.pass_on()

    def attack(self) -> None:
        """The next takes two, and under attack those still owed as well."""
        self.pass_on(2 + (self.owed if self.attacked else 0), attacked=True)


class People:
    """Players who tell the companion what they do."""

    def __init__(self, seats: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.cards = Cards(seats, self.chance)
        self.state = began(seats)

    def tell(self, text: str) -> None:
        """The companion takes it, and knows where the match stands."""
        self.state = play(self.state, text)
        cards, standing = self.cards, self.state.standing
        assert list(standing.living) == cards.alive
        assert standing.hands == tuple(len(cards.hands[seat]) for seat in cards.seats)
        if len(cards.alive) > 1:
            assert (standing.turn, standing.owed, standing.deck) == (cards.turn, cards.owed, len(cards.deck))

    def note(self, text: str) -> None:
        """A seat may note something on its phone, and its hand."""
        if len(self.cards.alive) == 1:
            return
        if text and self.chance.random() < NOTED:
            self.tell(text)
        if self.chance.random() < NOTED / 4:
            seat = self.chance.choice(self.cards.alive)
            self.tell(f"hand {seat} {' '.join(self.cards.hands[seat])}".strip())

    def check(self) -> None:
        """Nobody's notes are wrong, and how the cards truly lie can be, for everybody."""
        cards = self.cards
        for seat in (None, *cards.alive):
            seen = known(self.state, seat)
            assert not seen.wrong
            assert not seen.lost
            for place, card in enumerate(cards.deck[:3]):
                assert card_at(seen.knowledge, place)[card] > 0
            for other in cards.alive:
                for card in BOX:
                    assert number_held(seen.knowledge, other, card)[cards.hands[other].count(card)] > 0

    def play(self) -> None:
        """A match to its end, or for some time."""
        for _ in range(MOST_TURNS):
            if len(self.cards.alive) == 1:
                break
            self.play_one()
            self.note("")

    def play_one(self) -> None:
        """A card, a combo, or a draw."""
        hand = self.cards.hands[self.cards.turn]
        others = [seat for seat in self.cards.alive if seat != self.cards.turn and self.cards.hands[seat]]
        alike = sorted({card for card in hand if hand.count(card) > 1})
        if alike and others and self.chance.random() < COMBINED:
            card, target = self.chance.choice(alike), self.chance.choice(others)
            (self.three if hand.count(card) > 2 else self.pair)(card, target)
            return
        card = self.chance.choice([*hand, "draw", "draw"])
        if card not in ("attack", "skip", "shuffle", "future"):
            self.draw()
            return
        seat = self.cards.turn
        hand.remove(card)
        works = self.settle(card, {"attack": Cards.attack, "skip": Cards.turn_done}.get(card))
        if works and card == "shuffle":
            self.chance.shuffle(self.cards.deck)
        if works and card == "future":
            self.note(f"saw {seat} {' '.join(self.cards.deck[:2])}")

    def draw(self) -> None:
        """The top card; a kitten is defused and hidden, or explodes."""
        cards = self.cards
        seat, card = cards.turn, cards.deck.pop(0)
        if card != "kitten":
            cards.hands[seat].append(card)
            cards.turn_done()
            self.tell("draw")
            self.note(f"drew {seat} {card}")
            return
        self.tell("kitten")
        if "defuse" in cards.hands[seat]:
            cards.hands[seat].remove("defuse")
            place = self.chance.randint(0, len(cards.deck))
            cards.deck.insert(place, "kitten")
            cards.turn_done()
            self.tell("defuse")
            self.note(f"hid {seat} {place}")
        else:
            cards.pass_on()
            cards.alive.remove(seat)
            cards.hands[seat] = []
            self.tell("explode")

    def settle(self, text: str, effect: Callable[[Cards], None] | None) -> bool:
        """A card is laid and takes effect; nopes stop it and each other. Whether it works in the end."""
        before, works = deepcopy(self.cards), True
        if effect:
            effect(self.cards)
        self.tell(text)
        while True:
            self.note("")
            nopers = [seat for seat in before.alive if "nope" in before.hands[seat]]
            if not nopers or self.chance.random() > NOPED:
                return works
            noper = self.chance.choice(nopers)
            before.hands[noper].remove("nope")
            works = not works
            self.cards = deepcopy(before)
            if works and effect:
                effect(self.cards)
            self.tell(f"nope {noper}")

    def pair(self, card: str, target: str) -> None:
        """Two alike: a card of the target's, picked blindly."""
        thief = self.cards.turn
        for _ in range(2):
            self.cards.hands[thief].remove(card)
        picked = self.chance.choice(self.cards.hands[target])

        def steal(cards: Cards) -> None:
            if cards.hands[target]:
                taken = picked if picked in cards.hands[target] else cards.hands[target][0]
                cards.hands[target].remove(taken)
                cards.hands[thief].append(taken)

        works = self.settle(f"pair {card} {target}", steal)
        if works and len(self.state.record[-1].nopes) == 0:
            for seat in (thief, target):
                self.note(f"took {seat} {picked}")

    def three(self, card: str, target: str) -> None:
        """Three alike: a named card is asked for, and handed over by whoever has it."""
        thief, named = self.cards.turn, self.chance.choice(sorted(BOX))
        for _ in range(3):
            self.cards.hands[thief].remove(card)
        before, works, answered = deepcopy(self.cards), True, False
        self.tell(f"three {card} {target} {named}")
        while True:
            self.note("")
            if works and not answered and self.chance.random() < NOTED:
                self.answer(thief, target, named)
                answered = True
                self.note("")
            nopers = [seat for seat in before.alive if "nope" in before.hands[seat]]
            if not nopers or self.chance.random() > NOPED:
                break
            noper = self.chance.choice(nopers)
            before.hands[noper].remove("nope")
            works, answered = not works, False
            self.cards = deepcopy(before)
            self.tell(f"nope {noper}")
        if works and not answered:
            self.answer(thief, target, named)

    def answer(self, thief: str, target: str, named: str) -> None:
        """Truly."""
        has = named in self.cards.hands[target]
        if has:
            self.cards.hands[target].remove(named)
            self.cards.hands[thief].append(named)
        self.tell("gave" if has else "none")


QUICK = (0, 1, 2, 3)
"""Matches of two, three and four that are played with the quick tests."""


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in range(12)]
)
def test_honest_people_are_never_refused_and_the_truth_is_never_impossible(seed: int) -> None:
    people = People(2 + seed % 3, seed)
    people.play()
    people.check()
    for seat in people.cards.seats:
        assert GAME.view(GAME.hide(people.state, seat), seat)
