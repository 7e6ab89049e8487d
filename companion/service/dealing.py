"""The table plays its seats in a match that it deals itself.

Its moves go the same way as all others: the dealer says what a move turns out to be, the rules judge it, and
the journal keeps it. The table's players are given what their seats know, and no more.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from time import monotonic

import msgspec

from companion.errors import CompanionError
from companion.games.choosing import Choice
from companion.opponents import think
from companion.play.dealt import Dealt
from companion.play.news_thread import NewsThread
from companion.play.snapshot import MatchSnapshot
from companion.play.table import Table, TableSnapshot
from companion.service.opponent import LONGEST_S, LOOK_S, SEEDS, SOURCE, chosen

log = logging.getLogger(__name__)

ANSWER_S = 4.0
"""The seconds for which a card lies there before it takes effect, so that a player can still stop it.

The time is the same whether anybody can stop it or not, so it tells nobody what others hold.
"""

AGAIN_S = 2.0
"""Seconds before the next attempt at a move that could not be played or kept."""


class _Window(msgspec.Struct):
    """How long the last open move may be answered: `of` is its match and its number.

    `asked` are the table's seats that were asked for an answer.
    """

    of: tuple[int, int]
    ends_s: float
    asked: set[str]


class TableDealer:
    """Plays the seats of the table in matches that it deals. `answer_s`: how long a move may be answered."""

    def __init__(
        self, table: Table, *, answer_s: float = ANSWER_S, clock: Callable[[], float] = monotonic
    ) -> None:
        self._table, self._answer_s, self._clock = table, answer_s, clock
        self._window = _Window((0, 0), 0.0, set())
        self._thread = NewsThread(table, self._look, name="dealer")

    def start(self) -> None:
        """Play from now on, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Play no more."""
        self._thread.stop(think.A_MOVE_S)

    def _look(self, snapshot: TableSnapshot) -> float:
        try:
            return self.step(snapshot)
        except CompanionError as error:
            # Somebody else moved meanwhile, or the disk is full: it is tried again.
            log.info("The table's own move was not played: %s", error)
            return AGAIN_S

    def step(self, snapshot: TableSnapshot) -> float:
        """Do what is due now. Returns the seconds until more is due even without news."""
        match, deals = snapshot.match, self._table.deals
        dealt = snapshot.dealt
        if dealt is None or match.outcome is not None:
            return LONGEST_S
        if dealt.waits:
            return self._answer(match, dealt)
        if deals.due(match):
            self._table.deal_on(match)
            return 0.0
        seat = deals.acting(match)
        if seat in dealt.players:
            choice = self._choice(match, seat, dealt.players[seat])
            if choice is not None and choice.move is not None:
                self._play(match, choice, seat)
            elif choice is not None and dealt.in_secret == seat:
                self._table.deal_on(match, passes=seat)
        return LONGEST_S

    def _answer(self, match: MatchSnapshot, dealt: Dealt) -> float:
        """Ask one more of the table's seats that can answer the last move; deal on once the time is over."""
        left_s = self._left_s(match)
        if left_s <= 0:
            self._table.deal_on(match, close=True)
            return 0.0
        players, asked = dealt.players, self._window.asked
        answerers = (each for each in self._table.deals.answerers(match) if each in players)
        seat = next((each for each in answerers if each not in asked), None)
        if seat is None:
            return left_s
        choice = self._choice(match, seat, players[seat], answers=True)
        asked.add(seat)
        if choice is not None and choice.move is not None:
            self._play(match, choice, seat)
        return 0.0

    def _left_s(self, match: MatchSnapshot) -> float:
        """The seconds left to answer the last open move, counted from the first look at it."""
        of = match.record.id, len(match.seen(None))
        if self._window.of != of:
            self._window = _Window(of, self._clock() + self._answer_s, set())
        return self._window.ends_s - self._clock()

    def _play(self, match: MatchSnapshot, choice: Choice, seat: str) -> None:
        """Play what was chosen, unless the match has changed since."""
        self._table.play(msgspec.to_builtins(choice.move), SOURCE, n=match.n_of(seat), seat=seat)

    def _choice(self, match: MatchSnapshot, seat: str, level: str, *, answers: bool = False) -> Choice | None:
        """What a process chooses; None if somebody else moved before, or the time to answer is over."""
        known = msgspec.Raw(msgspec.json.encode(self._table.deals.seen_by(match, seat)))
        seed = secrets.randbelow(SEEDS)
        task = think.Task(match.game.slug, known, seat, level, seed, answers=answers)

        def goes_on() -> bool:
            # A card that comes late would tell that somebody could stop the last one.
            is_late = answers and self._clock() >= self._window.ends_s
            return self._thread.pause(LOOK_S) and self._is_current(match) and not is_late

        return chosen(task, goes_on)

    def _is_current(self, match: MatchSnapshot) -> bool:
        return self._table.snapshot.match.state is match.state
