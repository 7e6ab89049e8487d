"""Matches with the table's own cards, which only the table sees.

Where each card lies follows from a key, the open moves of the journal, and each seat's secret acts. Only the
key and the secret acts are kept here, in a file beside the journal that its owner alone may read, so a match
goes on after a restart with the same cards. No move is ever taken back, because whoever did so would know the
next card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import takewhile
from secrets import token_bytes
from threading import RLock
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.errors import CompanionError, IllegalMove
from companion.games.chance import KEY_BYTES, LAST_WORD, Chance, Stream
from companion.games.game import Move
from companion.games.players import Dealer, level_now, player_of
from companion.kept_state import KeptState
from companion.play.journal import IN_MEMORY, JournalReader
from companion.play.schema import MatchRecord
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot

MOST_DEALS = 16
"""Deals that are kept: the newest."""

ANSWER_S = 4.0
"""The seconds in which a player can still stop a card.

The time is the same whether anybody can stop it or not, so it tells nobody what others hold.
"""


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """An act of a seat that others do not see, after the first `at` open moves, the last of which was kept at
    the time `since`. Without a move, the seat does not answer that one; without a seat, nobody does."""

    at: int
    seat: str
    move: dict[str, Any] | None = None
    since: str = ""

    def belongs_to(self, match: MatchSnapshot) -> bool:
        """True for an act in this course of the match. An older journal, put back, may take another one."""
        return self.at <= len(match.opened) and self.since == _since(match, self.at)


class Deal(msgspec.Struct, frozen=True):
    """The deal of a match, by its identity; `players` are the seats of the table, with their levels. `key` is
    that of the match's chance; older deals have a `seed` instead. The oldest know only the match's number."""

    match: str | int
    players: dict[str, str]
    key: bytes = b""
    seed: int = 0
    secrets: tuple[Secret, ...] = ()

    @property
    def chance(self) -> Chance:
        """The match's chance, from its start."""
        return Chance(self.key) if self.key else _ChanceOfSeed(self.seed)


class _ChanceOfSeed(Chance):
    """The chance of a deal that was kept with a seed: one generator of 64 bits for all purposes."""

    def __init__(self, seed: int) -> None:
        super().__init__(b"")
        self._only = _StreamOfSeed(seed)

    def stream(self, purpose: str) -> Stream:
        """The one generator."""
        return self._only


class _StreamOfSeed(Stream):
    """The linear congruential generator of deals that were kept with a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(b"")
        self._state = (seed * 2 + 1) & LAST_WORD
        for _ in range(4):
            self.randbelow(2)

    def randbelow(self, limit: int) -> int:
        """A number from 0 to `limit - 1`."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & LAST_WORD
        return (self._state >> 33) * limit >> 31


class Dealt(msgspec.Struct, frozen=True):
    """The open facts about a match that the table deals: the seats that it plays, with their levels.

    `waits`: the seconds in which the last move may be answered, 0 if it may not; `waited` of them are over.
    `in_secret` is the seat that has to do something unseen before the match goes on; empty without one.
    """

    players: dict[str, str]
    waits: float = 0
    waited: float = 0
    in_secret: str = ""


class _Followed:
    """A dealer that has followed a match to where it stands. `pending`: the moves of chance that the match
    does not hold yet."""

    def __init__(self, match: MatchSnapshot, deal: Deal) -> None:
        self.match, self._moves = match, 0
        self._secrets = [secret for secret in deal.secrets if secret.belongs_to(match)]
        self.pending: tuple[Move, ...] = ()
        self.dealer: Dealer = player_of(match.game.slug).dealer()
        self.dealer.begin(match.history.states[0], deal.chance)
        for state, move in match.open_course():
            self._follow_secrets(state)
            self._follow_chance(state)
            self.dealer.after(state, move)
            self._moves, self.pending = self._moves + 1, ()
        self._follow_secrets(match.state)
        private = match.game.private_to
        last = takewhile(lambda move: private(move) is not None, reversed(match.history.moves))
        self._add_due(frozenset(last))

    def _follow_secrets(self, state: Any) -> None:
        """Follow what was done in secret after the open moves so far."""
        while self._secrets and self._secrets[0].at == self._moves:
            secret = self._secrets.pop(0)
            self._follow_chance(state)
            if secret.move is None:
                if secret.seat:
                    self.dealer.passes(state, secret.seat)
                else:  # nobody answered
                    self.dealer.close(state)
                self._follow_chance(state)
                continue
            move = self.match.game.move(secret.move)
            if self.dealer.resolve(state, move) is not None:
                self.dealer.after(state, move)

    def _follow_chance(self, state: Any) -> None:
        """Follow chance up to its next open move, which the match holds next unless it ends here."""
        while (move := self.dealer.chance(state)) is not None:
            self.pending = (*self.pending, move)
            if self.match.game.private_to(move) is None:
                return
            self.dealer.after(state, move)

    def _add_due(self, noted: frozenset[Move]) -> None:
        """Add what chance brings where the match stands, without the notes that the match holds."""
        game, state = self.match.game, self.match.state
        self.pending = tuple(move for move in self.pending if move not in noted)
        for move in self.pending:
            if game.private_to(move) is None:
                self.dealer.after(state, move)
            state = game.play(state, move)
        if not self.dealer.waits(state):
            more = _due_moves(self.match, self.dealer, state)
            self.pending += tuple(move for move in more if move not in noted)


class Deals:
    """The deals of the table, which is locked during changes, in a file beside its journal (`:memory:` keeps
    nothing). Deals of matches that are not in the journal wait there: it may have been put back."""

    def __init__(self, journal: JournalReader) -> None:
        path = None if str(journal.path) == IN_MEMORY else journal.path.with_suffix(".deals.json")
        self._kept = KeptState(path, tuple[Deal, ...], secret=True)
        self._lock = RLock()
        deals = (_with_identity(deal, journal) for deal in self._kept.load() or ())
        self._deals = {deal.match: deal for deal in deals if deal is not None}
        self._followed: _Followed | None = None

    def players(self, match: MatchRecord) -> Mapping[str, str]:
        """The seats that the table plays in a match that it dealt, with their levels; empty for any other."""
        deal = self._deals.get(match.identity)
        players = {} if deal is None else deal.players
        return {seat: level_now(match.game, level) for seat, level in players.items()}

    def begin(self, match: MatchRecord, players: Mapping[str, str]) -> None:
        """Deal for a match that has just begun. Raises `UserError` if it cannot be kept."""
        self._keep(Deal(match.identity, dict(players), token_bytes(KEY_BYTES)))

    def check(self, match: MatchSnapshot) -> None:
        """Refuse a match that cannot go on because its deal is gone. Raises `IllegalMove`."""
        if match.dealt and match.outcome is None:
            try:
                self._follow(match)
            except UNPLAYABLE as error:
                raise IllegalMove(match.game.slug, "dealt-gone") from error

    @contextmanager
    def played(self, match: MatchSnapshot, move: Move, seat: str | None) -> Iterator[tuple[Move, ...]]:
        """Keep a seat's move; yields what it turns out to be, with the moves of chance after it.

        Yields the move itself where nothing was dealt, and nothing where it is not to be seen yet. Raises
        `MoveError`, and `UserError` if a secret cannot be kept.
        """
        if not self.players(match.record):
            yield (move,)
            return
        if seat is None:
            raise IllegalMove(match.game.slug, "dealt-on-phones")
        with self._lock:
            before = self._deals[match.record.identity]
            moves, secret = self._resolve(match, move, seat)
            if secret:
                self._keep_secret(match, seat, msgspec.to_builtins(move))
            try:
                yield moves
            except CompanionError:
                self._keep(before)
                raise

    def _resolve(self, match: MatchSnapshot, move: Move, seat: str) -> tuple[tuple[Move, ...], bool]:
        """The moves that a move turns out to be, and True if others do not see it."""
        followed, self._followed = self._follow(match), None  # the dealer runs ahead of what is kept
        dealer, state, game = followed.dealer, match.state, match.game
        if followed.pending:
            raise IllegalMove(game.slug, "dealt-wait")
        dealer.check(state, move, seat)
        shown = dealer.resolve(state, move)
        if shown is None:
            return (), True
        after = game.play(state, shown)
        dealer.after(state, shown)
        more = () if dealer.waits(after) else tuple(_due_moves(match, dealer, after))
        return (shown, *more), game.private_to(shown) is not None

    def decline(self, match: MatchSnapshot, seat: str = "") -> None:
        """Keep that `seat` does not answer the last move, or has finished its secret acts; without a seat,
        that nobody answers. Raises `UserError` if it cannot be kept."""
        with self._lock:
            self._keep_secret(match, seat)

    def due(self, match: MatchSnapshot) -> tuple[Move, ...]:
        """The moves of chance that the match does not hold yet."""
        if not self.players(match.record) or match.outcome is not None:
            return ()
        with self._lock:
            return self._follow(match).pending

    def status(self, match: MatchSnapshot) -> Dealt | None:
        """The open facts about a match that the table deals; None for any other."""
        players = self.players(match.record)
        if not players:
            return None
        with self._lock:
            followed = self._follow(match)
            if followed.pending or match.outcome is not None:
                return Dealt(dict(players))
            dealer = followed.dealer
            waits = ANSWER_S * dealer.waits(match.state)
            return Dealt(dict(players), waits, in_secret=dealer.in_secret(match.state))

    def own_states(self, match: MatchSnapshot) -> Mapping[str, Any]:
        """The state as seen by each seat that has laid cards face down; other seats see what all see."""
        if not self.players(match.record) or match.outcome is not None:
            return {}
        with self._lock:
            dealer = self._follow(match).dealer
            states = {seat: dealer.seen_by(match.state, seat) for seat in match.seat_names}
        return {seat: state for seat, state in states.items() if state is not match.state}

    def answerers(self, match: MatchSnapshot) -> tuple[str, ...]:
        """The seats that hold an answer to the last move, in order: a secret of the table."""
        with self._lock:
            return self._follow(match).dealer.answerers(match.state)

    def acting(self, match: MatchSnapshot) -> str | None:
        """The seat that chooses now."""
        with self._lock:
            return self._follow(match).dealer.acting(match.game, match.state)

    def seen_by(self, match: MatchSnapshot, seat: str) -> Any:
        """The state as seen by a seat that has to choose."""
        with self._lock:
            return match.game.hide(self._follow(match).dealer.seen_by(match.state, seat), seat)

    def refuse_change(self, match: MatchSnapshot) -> None:
        """Refuse to take back or correct anything in a dealt match. Raises `IllegalMove`."""
        if match.dealt:
            raise IllegalMove(match.game.slug, "dealt-stays")

    def _follow(self, match: MatchSnapshot) -> _Followed:
        if self._followed is None or self._followed.match is not match:
            self._followed = _Followed(match, self._deals[match.record.identity])
        return self._followed

    def _keep_secret(self, match: MatchSnapshot, seat: str, move: dict[str, Any] | None = None) -> None:
        deal, opened = self._deals[match.record.identity], len(match.opened)
        secret = Secret(opened, seat, move, _since(match, opened))
        self._keep(replace(deal, secrets=(*deal.secrets, secret)))

    def _keep(self, deal: Deal) -> None:
        """Keep a deal. Raises `UserError`, and changes nothing then."""
        others = [other for other in self._deals.values() if other.match != deal.match]
        kept = (*others, deal)[-MOST_DEALS:]
        self._kept.save_or_raise(kept)
        self._deals, self._followed = {kept_deal.match: kept_deal for kept_deal in kept}, None


def _since(match: MatchSnapshot, moves: int) -> str:
    """The time of the last of a match's first open moves; empty before the first."""
    return match.opened[moves - 1] if moves else ""


def _with_identity(deal: Deal, journal: JournalReader) -> Deal | None:
    """A deal with the identity of its match. One that knows only its number has to bring what the match of
    that number began with; it is another's otherwise, and None."""
    if isinstance(deal.match, str):
        return deal
    with suppress(*UNPLAYABLE):
        record = journal.match(deal.match)
        if record is None:
            return None
        begun = MatchSnapshot.begun(record)
        match = begun.follow(journal.course(record.id))
        due = _Followed(begun, deal).pending
        if due and due == match.history.moves[: len(due)]:
            kept = (secret for secret in deal.secrets if secret.at <= len(match.opened))
            secrets = tuple(replace(secret, since=_since(match, secret.at)) for secret in kept)
            return replace(deal, match=record.identity, secrets=secrets)
    return None


def _due_moves(match: MatchSnapshot, dealer: Dealer, state: Any) -> Iterator[Move]:
    """The moves of chance from a state on, until somebody chooses."""
    while match.game.outcome(state) is None and (move := dealer.chance(state)) is not None:
        dealer.after(state, move)
        yield move
        state = match.game.play(state, move)
