"""A second referee: the guide to the cards once more, on plain dictionaries, sharing nothing with the rules.

It is told the moves that were taken, and says how every animal stands, who can be caught, and who has which
points. It judges no move.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.hide_and_seek.state import HideOptions

Card = dict[str, Any]
"""A card that lies open: its kind, by whom, on whom, and what was said with it."""


class Referee:
    """A match as it lies on the table."""

    def __init__(self, options: HideOptions, seats: tuple[str, ...]) -> None:
        self.options, self.set, self.seats = options, options.set, list(seats)
        self.owner: dict[str, str] = {}
        self.lying: list[Card] = []
        self.points = Counter(dict.fromkeys(seats, 0))
        self.hands = Counter(dict.fromkeys(seats, 0))
        self.deck = sum(
            kind.count for kind in self.set.cards.values() if options.enemies or kind.does != "enemy"
        )
        self.phase, self.round, self.brawl, self.done = "animals", 0, False, False
        self.seeker: int | None = None
        self.seeking: str | None = None
        self.enemy: tuple[str, str] | None = None
        self.colour: str | None = None
        self.caught = 0
        self.passed: set[str] = set()

    # How everybody stands

    def does(self, card: Card) -> str:
        """What a card does."""
        return self.set.cards[card["card"]].does

    def on(self, who: str) -> list[Card]:
        """The cards on an animal, or on the enemy."""
        return [card for card in self.lying if card["on"] == who]

    def printed(self, who: str) -> Any:
        """An animal's own card, or the enemy's."""
        return self.set.cards[self.enemy[0]] if who == "enemy" and self.enemy else self.set.animals[who]

    def colours(self, who: str) -> set[str]:
        """Its own, and those of gear and paint."""
        worn = [card for card in self.on(who) if self.does(card) in ("gear", "paint")]
        return {*self.printed(who).colours, *(self.set.cards[card["card"]].colour for card in worn)}

    def speed(self, who: str) -> int:
        """As printed, and what each card adds; cards make nobody slower than agreed."""
        before = int(self.printed(who).speed)
        after = before + sum(self.adds(card) for card in self.on(who))
        if self.options.minimum_speed == "none":
            return after
        return max(after, min(before, int(self.options.minimum_speed)))

    def adds(self, card: Card) -> int:
        """What a card adds to the speed."""
        kind, who = self.set.cards[card["card"]], card["on"]
        if kind.does == "rocket":
            if who == "enemy" or self.set.animals[who].species != kind.species:
                return 0
            own = self.owner[who] == card["by"]
            faster = own if card["faster"] is None else card["faster"]
            slows = abs(kind.speed) if kind.slows is None else kind.slows
            return abs(kind.speed) if faster else -slows
        if kind.does == "candy":
            waits = card["fresh"] and self.eatable(card)
            return 0 if card["spent"] or waits else kind.speed
        return kind.speed

    def named(self, who: str) -> set[str]:
        """The colours of the catch/hide cards on it; a rainbow's is the one that was named, or any."""
        colours: set[str] = set()
        for card in self.on(who):
            if self.does(card) != "hide":
                continue
            printed = str(self.set.cards[card["card"]].colour)
            any_one = {card["colour"]} if card["colour"] else {"grey", "white", "brown", "black", "yellow"}
            colours |= any_one if printed == "rainbow" else {printed}
        return colours

    def hides(self, who: str) -> set[str]:
        """The colours by which it hides: some that it bears; the seeker hides in the brawl alone."""
        if who == "enemy" or (who == self.seeking and not self.brawl):
            return set()
        return self.named(who) & self.colours(who)

    def catches(self, who: str) -> set[str]:
        """The colours by which it may catch."""
        own = self.colours(who) if who == "enemy" or self.options.colour_without_card else set()
        return own | (self.named(who) if who in ("enemy", self.seeking) or self.brawl else set())

    def prey(self) -> dict[str, list[str]]:
        """By colour, whom the seeker can catch now."""
        if self.phase != "catch" or self.brawl or (self.caught and self.options.one_victim != "ask"):
            return {}
        seeker = self.seeking
        by_colour: dict[str, list[str]] = {}
        if seeker is None or seeker not in self.owner:
            return {}
        for who, seat in self.owner.items():
            slower = self.speed(who) < self.speed(seeker) + (self.options.tie_speed == "caught")
            if seat != self.owner[seeker] and not self.hides(who) and slower:
                for colour in self.catches(seeker) & self.colours(who):
                    if self.colour in (None, colour):
                        by_colour.setdefault(colour, []).append(who)
        return by_colour

    def order(self) -> list[str]:
        """The seats from the seeker on."""
        return self.seats[self.seeker or 0 :] + self.seats[: self.seeker or 0]

    def first(self, animals: list[str]) -> set[str]:
        """Those of the first in order who has any."""
        for seat in self.order():
            if own := {who for who in animals if self.owner[who] == seat}:
                return own
        return set()

    def brawls(self) -> tuple[set[str], set[str]]:
        """Who may catch the enemy now, and whom it takes."""
        if not self.brawl or self.done or self.enemy is None or not self.owner:
            return set(), set()
        fastest = max(map(self.speed, self.owner))
        if fastest >= self.speed("enemy"):
            wanted = set(self.printed("enemy").colours) | {
                self.set.cards[card["card"]].colour
                for card in self.on("enemy")
                if self.does(card) in ("gear", "paint")
            }
            able = [w for w in self.owner if self.speed(w) == fastest and self.catches(w) & wanted]
            return self.first([who for who in able if self.owner[who] not in self.passed]), set()
        shy = self.options.hide_from_enemy
        food = [
            w for w in self.owner if self.colours(w) & self.catches("enemy") and not (shy and self.hides(w))
        ]
        slowest = min(map(self.speed, food), default=0)
        return set(), self.first([who for who in food if self.speed(who) == slowest])

    def score(self) -> dict[str, int]:
        """Points of free animals and the food on them, and of enemies caught."""
        score = Counter(self.points)
        for who, seat in self.owner.items():
            score[seat] += self.set.animals[who].points + self.food(who)
        return {seat: score[seat] for seat in self.seats}

    def food(self, who: str) -> int:
        """The points of the food on it."""
        return sum(self.set.cards[card["card"]].points for card in self.on(who) if self.does(card) == "food")

    # What happens

    def take(self, move: dict[str, Any]) -> None:
        """A move that was taken."""
        getattr(self, "_" + move["move"].replace("-", "_"))(move)

    def _animal(self, move: dict[str, Any]) -> None:
        self.owner[move["animal"]] = move["seat"]
        if len(self.owner) == self.set.animals_each * len(self.seats):
            self.phase, self.round = "open", 1
            self.draw_up()

    def draw_up(self) -> None:
        """Every hand, from the seeker on, as far as the deck goes (no set here shuffles again)."""
        for seat in self.order():
            drawn = min(self.deck, max(0, self.set.hand - self.hands[seat]))
            self.hands[seat] += drawn
            self.deck -= drawn

    def _enemy(self, move: dict[str, Any]) -> None:
        self.enemy = (move["card"], move["by"])
        self.hands[move["by"]] -= 1
        if self.deck:
            self.hands[move["by"]] += 1
            self.deck -= 1

    def _seek(self, move: dict[str, Any]) -> None:
        self.seeking = move["animal"]
        self.seeker = self.seats.index(self.owner[move["animal"]])
        self.phase = "cards"

    def _turn_up(self, move: dict[str, Any]) -> None:
        card = {"colour": None, "faster": None, **move, "fresh": True, "spent": False}
        self.lying.append(card)
        self.hands[move["by"]] -= 1

    def _go_on(self, _: dict[str, Any]) -> None:
        if self.phase == "cards":
            self.phase = "candy"
            self.settle()
        elif self.brawl:
            able, _taken = self.brawls()
            self.passed |= {self.owner[who] for who in able}
            if not (able and self.options.brawl_tie == "next" and self.brawls()[0]):
                self.end_round()
        elif self.enemy:
            if self.options.brawl_clears:
                self.put_away()
            self.phase, self.brawl, self.done, self.passed = "cards", True, False, set()
            self.caught, self.colour = 0, None
        else:
            self.end_round()

    def eatable(self, candy: Card) -> list[Card]:
        """The food and the other candies where a candy lies."""
        return [
            card
            for card in self.on(candy["on"])
            if card is not candy and self.does(card) in ("food", "candy")
        ]

    def asked(self) -> dict[str, tuple[Card, list[str], bool]]:
        """By animal, its first candy that is not settled: what may go, and whether nothing need."""
        asked: dict[str, tuple[Card, list[str], bool]] = {}
        for card in self.lying:
            if (
                self.phase == "candy"
                and card["fresh"]
                and self.does(card) == "candy"
                and card["on"] not in asked
            ):
                every = self.eatable(card)
                food = [each for each in every if self.does(each) == "food"]
                may_go = food if food and self.options.candy_removes == "food-first" else every
                names = list(dict.fromkeys(each["card"] for each in may_go))
                asked[card["on"]] = (card, names, not food)
        return asked

    def settle(self) -> None:
        """Candies that leave no choice, then the catch."""
        while asked := self.asked():
            clear = [(card, names) for card, names, keep in asked.values() if len(names) + keep == 1]
            if not clear:
                return
            self.eat(clear[0][0], clear[0][1][0] if clear[0][1] else None)
        self.phase = "catch"
        for card in self.lying:
            card["fresh"] = False

    def eat(self, candy: Card, name: str | None) -> None:
        """A candy removes a card of that name, a spent candy rather than one that still works."""
        candy["fresh"] = False
        if name is None:
            return
        alike = [card for card in self.eatable(candy) if card["card"] == name]
        gone = [next((card for card in alike if card["spent"]), alike[0])]
        candy["spent"] = True
        if self.options.spent_candy == "discarded":
            gone.append(candy)
        self.lying = [card for card in self.lying if all(card is not each for each in gone)]

    def _candy(self, move: dict[str, Any]) -> None:
        self.eat(self.asked()[move["on"]][0], move["food"])
        self.settle()

    def lose(self, who: str) -> None:
        """It is out, with the cards on it."""
        del self.owner[who]
        self.lying = [card for card in self.lying if card["on"] != who]

    def _catch(self, move: dict[str, Any]) -> None:
        for who in [move["animal"]] if move.get("animal") else self.prey()[move["colour"]]:
            self.lose(who)
            self.caught += 1
        self.colour = move["colour"]

    def _catch_enemy(self, move: dict[str, Any]) -> None:
        self.points[self.owner[move["animal"]]] += self.printed("enemy").points + self.food("enemy")
        self.lying = [card for card in self.lying if card["on"] != "enemy"]
        self.enemy, self.done = None, True

    def _taken(self, move: dict[str, Any]) -> None:
        self.lose(move["animal"])
        self.done = True

    def twice(self) -> dict[tuple[str, str], list[Card]]:
        """Gears of a kind that lie more than once on somebody."""
        worn: dict[tuple[str, str], list[Card]] = {}
        for card in self.lying:
            if self.does(card) == "gear":
                worn.setdefault((card["on"], self.set.cards[card["card"]].gear), []).append(card)
        return {where: cards for where, cards in worn.items() if len(cards) > 1}

    def _drop_gear(self, move: dict[str, Any]) -> None:
        dropped = next(card for card in self.on(move["on"]) if card["card"] == move["card"])
        self.lying = [card for card in self.lying if card is not dropped]
        self.end_round()

    def put_away(self) -> None:
        """Cards with an hourglass."""
        self.lying = [card for card in self.lying if self.does(card) in ("food", "candy", "gear")]

    def end_round(self) -> None:
        """Gears that lie twice, the hourglass, hands, and the next who has an animal seeks."""
        self.phase = "gear"
        for cards in self.twice().values():
            while len(cards) > 1 and len({card["card"] for card in cards}) == 1:
                gone = cards.pop()
                self.lying = [card for card in self.lying if card is not gone]
        if self.twice():
            return
        self.put_away()
        self.draw_up()
        self.brawl, self.done, self.seeking, self.caught, self.colour = False, False, None, 0, None
        for _ in self.seats:
            self.seeker, self.round = ((self.seeker or 0) + 1) % len(self.seats), self.round + 1
            if self.set.rounds_each and self.round > self.set.rounds_each * len(self.seats):
                break
            if self.seats[self.seeker] in self.owner.values():
                self.phase = "open"
                return
        self.phase = "over"

    def _end(self, _: dict[str, Any]) -> None:
        self.phase = "over"
