"""An evening as its messages tell it: players, rounds, results, and what follows from them.

Plain values: two halls that have heard the same messages, in whatever order, know the same evening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from companion.errors import CompanionError, PhrasedError
from companion.errors.causes import NOT_JSON
from companion.games.game import Outcome
from companion.games.registry import game
from companion.hall.pairing import WIN, Round, free_play, round_robin, scores_of, swiss
from companion.hall.payloads import MOST_ROUND, Member, Pairing, Plan, PublishedRound, Result
from companion.messages import SHARED_MESSAGES, Messages

Key = TypeVar("Key")
Value = TypeVar("Value")

WORDS = Messages.from_files(SHARED_MESSAGES, Path(__file__).with_name("messages.toml"))
"""The words of halls, with those of every part of the companion."""


class EveningError(PhrasedError):
    """Something that the evening cannot do now."""

    family = "fault"

    def says(self, language: str = "en") -> str:
        """The fault as one sentence, in `language`."""
        return WORDS.say(f"{self.family}.{self.fault}", language, **self.facts)


class EveningRank(NamedTuple):
    """A player's row in the table of standings: `place` is shared by equals. `opponents` is the sum of the
    scores of all opponents (Buchholz), which decides between equal scores."""

    place: int
    player: str
    name: str
    score: int
    opponents: int
    played: int
    wins: int
    here: bool


class Evening:
    """An evening. `receive` brings it up to date; everything else is worked out from the messages taken."""

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.members: dict[str, Member] = {}
        self.rounds: dict[int, PublishedRound] = {}
        self.results: dict[str, Result] = {}

    def receive(self, levels: tuple[str, ...], payload: bytes) -> bool:
        """Take the message of a topic by its last levels; True if it is one of an evening. An empty payload
        takes back what was there. Unreadable messages are ignored."""
        try:
            match levels:
                case ("plan",):
                    self.plan = checked_plan(msgspec.json.decode(payload, type=Plan)) if payload else None
                case ("players", name):
                    _keep(self.members, name, payload, Member)
                case ("rounds", number) if number.isdecimal() and len(number) <= len(str(MOST_ROUND)):
                    _keep(self.rounds, int(number), payload, PublishedRound, _check_round)
                case ("results", pairing):
                    _keep(self.results, pairing, payload, Result)
                case _:
                    return False
        except (*NOT_JSON, CompanionError):
            return False
        return True

    # -- who is there, and what was played ----------------------------------------------------------------

    @property
    def here(self) -> list[str]:
        """The players who are here, in the order of their arrival."""
        present = (member for member in self.members.values() if member.here)
        return [member.id for member in sorted(present, key=lambda member: (member.place, member.id))]

    def name(self, player: str) -> str:
        """A player's name; the id of one who is not known yet."""
        return self.members[player].name if player in self.members else player

    def pairings(self) -> Iterator[Pairing]:
        """Every pairing, in the order of rounds."""
        for number in sorted(self.rounds):
            yield from self.rounds[number].pairings

    @property
    def open_pairings(self) -> list[Pairing]:
        """The pairings without a result."""
        return [pairing for pairing in self.pairings() if pairing.id not in self.results]

    @property
    def past(self) -> list[Round]:
        """The rounds as pairing takes them."""
        rounds = (self.rounds[number] for number in sorted(self.rounds))
        return [Round(tuple(pairing.players for pairing in of.pairings), of.byes) for of in rounds]

    @property
    def waiting(self) -> list[str]:
        """The players who have no match now, the longest first."""
        playing = {player for pairing in self.open_pairings for player in pairing.players}
        last = {player: n for n, pairing in enumerate(self.pairings(), 1) for player in pairing.players}
        return sorted((one for one in self.here if one not in playing), key=lambda one: last.get(one, 0))

    def scores(self) -> Counter[str]:
        """Each player's score. A bye of a Swiss evening counts as a win."""
        scores: Counter[str] = Counter(dict.fromkeys(self.members, 0))
        for pairing in self.pairings():
            if pairing.id in self.results:
                scores.update(self.results[pairing.id].scores)
        if self.plan is not None and self.plan.kind == "swiss":
            for of_round in self.rounds.values():
                scores.update(dict.fromkeys(of_round.byes, WIN))
        return scores

    def standings(self) -> list[EveningRank]:
        """The table of standings: by score, then by the scores of the opponents, then by wins."""
        scores, opponents, played, wins = self.scores(), Counter[str](), Counter[str](), Counter[str]()
        for pairing in self.pairings():
            result = self.results.get(pairing.id)
            for player in pairing.players if result else ():
                played[player] += 1
                wins[player] += result is not None and result.scores.get(player, 0) == WIN
                opponents[player] += sum(scores[other] for other in pairing.players if other != player)

        def worth(player: str) -> tuple[int, int, int]:
            return scores[player], opponents[player], wins[player]

        order = sorted(self.members.values(), key=lambda who: (*(-n for n in worth(who.id)), who.place))
        places: dict[tuple[int, int, int], int] = {}
        for n, member in enumerate(order, 1):
            places.setdefault(worth(member.id), n)
        return [
            EveningRank(
                place=places[worth(member.id)],
                player=member.id,
                name=member.name,
                score=scores[member.id],
                opponents=opponents[member.id],
                played=played[member.id],
                wins=wins[member.id],
                here=member.here,
            )
            for member in order
        ]

    @property
    def is_over(self) -> bool:
        """True once every match of the evening has its result, and no round follows."""
        if self.plan is None or not self.rounds or self.open_pairings:
            return False
        if self.plan.kind == "round-robin":
            return round_robin(self.here, self.past, self.seat_counts) is None
        return self.plan.kind == "swiss" and 0 < self.plan.rounds <= len(self.rounds)

    # -- what comes next ----------------------------------------------------------------------------------

    @property
    def seat_counts(self) -> frozenset[int]:
        """The numbers of players that a match of this evening may have."""
        assert self.plan is not None
        return frozenset(count for count in game(self.plan.game).seat_counts if 2 <= count <= self.plan.seats)

    def next_round(self, tables: int) -> PublishedRound:
        """The next round; in free play as many matches as there are free `tables`. Raises `EveningError`."""
        if self.plan is None:
            raise EveningError("no-plan")
        if self.plan.kind == "free":
            drawn = free_play(self.waiting, self.past, self.seat_counts, tables)._replace(byes=())
        else:
            if self.open_pairings:
                raise EveningError("round-not-over", matches=len(self.open_pairings))
            if self.is_over:
                raise EveningError("evening-over")
            drawn = self._drawn()
        number = max(self.rounds, default=0) + 1
        if number > MOST_ROUND:
            raise EveningError("evening-over")
        if not drawn.groups:
            raise EveningError("too-few-players")
        pairings = (
            Pairing(f"{number}-{n}", group, self._seats(len(group)))
            for n, group in enumerate(drawn.groups, 1)
        )
        return PublishedRound(number, self.plan.game, tuple(pairings), drawn.byes, self.plan.options)

    def _drawn(self) -> Round:
        assert self.plan is not None
        if self.plan.kind == "swiss":
            return swiss(self.here, self.past, self.scores(), self.seat_counts)
        return round_robin(self.here, self.past, self.seat_counts) or Round(())

    def _seats(self, count: int) -> tuple[str, ...]:
        """The game's names of its seats in a match of that many players."""
        assert self.plan is not None
        rules = game(self.plan.game)
        return rules.seat_names(rules.start(rules.options(self.plan.options), count))

    def _fewest_win(self) -> bool:
        assert self.plan is not None
        rules = game(self.plan.game)
        return rules.fewest_win(rules.options(self.plan.options))

    def result_by_table(
        self, pairing: Pairing, outcome: Outcome, players: Mapping[str, str], match: int
    ) -> Result:
        """The result of a pairing by its `match`, in which `players` sat: their names by seat."""
        ids = {self.name(player): player for player in pairing.players}
        seats = {seat: ids[name] for seat, name in players.items()}
        worth = {seat: _worth(outcome, seat, fewest_win=self._fewest_win()) for seat in seats}
        ranks = sorted(set(worth.values()))
        scores = scores_of({player: ranks.index(worth[seat]) for seat, player in seats.items()})
        points = {player: outcome.points[seat] for seat, player in seats.items() if seat in outcome.points}
        return Result(pairing.id, scores, points, match=match)

    def result_by_referee(self, pairing: str, ranks: Mapping[str, int]) -> Result:
        """The result that the referee writes: each player's rank, 1 for the first. Raises `EveningError`."""
        of = next((known for known in self.pairings() if known.id == pairing), None)
        if of is None or set(ranks) != set(of.players):
            raise EveningError("no-such-match", match=pairing)
        return Result(pairing, scores_of({player: -rank for player, rank in ranks.items()}), by="referee")


def seats_of(pairing: Pairing) -> dict[str, str]:
    """The player's id at each seat of a pairing."""
    return dict(zip(pairing.seats, pairing.players, strict=False))


def checked_plan(plan: Plan) -> Plan:
    """A plan whose game and options exist. Raises `CompanionError`."""
    rules = game(plan.game)
    rules.options(plan.options)
    if min(rules.seat_counts) > plan.seats:
        raise EveningError("too-few-seats", seats=min(rules.seat_counts))
    return plan


def _worth(outcome: Outcome, seat: str, *, fewest_win: bool) -> tuple[bool, int]:
    """The rank of a seat: winners first, then the game's points."""
    return seat in outcome.winners, outcome.points.get(seat, 0) * (-1 if fewest_win else 1)


def _check_round(number: int, of_round: PublishedRound) -> None:
    """Refuse a round with matches of another one, or that no table could play. Raises `CompanionError`."""
    game(of_round.game).options(of_round.options)
    for pairing in of_round.pairings:
        if pairing.round != number:
            raise EveningError("no-such-match", match=pairing.id)


def _keep(
    kept: dict[Key, Value],
    key: Key,
    payload: bytes,
    kind: type[Value],
    check: Callable[[Key, Value], None] = lambda *_: None,
) -> None:
    """Keep a message's value; an empty message forgets it. Raises `NOT_JSON`, or what `check` raises."""
    if not payload:
        kept.pop(key, None)
        return
    value = msgspec.json.decode(payload, type=kind)
    check(key, value)
    kept[key] = value
