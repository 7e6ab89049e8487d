"""Matches that are played with the table's own cards, which nobody but the table sees.

What lies where follows from a seed, from the open moves of the journal, and from what a seat did in secret.
Only the seed and the secrets are kept here, in a file beside the journal that its owner alone may read. So a
match goes on after a restart with the same cards. No move is ever taken back, because whoever did so would
know the next card.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec

from companion import paths
from companion.errors import CompanionError, IllegalMove
from companion.games.choosing import Dealer, Lots, dealer_of
from companion.games.game import Move
from companion.play.snapshot import MatchSnapshot

log = logging.getLogger(__name__)

SEED_BITS = 62
"""Bits of a deal's seed: too many to try them all against one's own hand."""

MOST_DEALS = 16
"""The number of deals that are kept, the newest."""


class Secret(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat did that others do not see, after the first `at` open moves.

    Without a move, the seat does not answer the last of them; without a seat, nobody does.
    """

    at: int
    seat: str
    move: dict[str, Any] | None = None


class Deal(msgspec.Struct, frozen=True):
    """How the cards of a match were dealt; `players` are the seats of the table, with their levels."""

    match: int
    seed: int
    players: dict[str, str]
    secrets: tuple[Secret, ...] = ()


class Dealt(msgspec.Struct, frozen=True):
    """What everybody may know of a match that the table deals: the seats that it plays, with their levels.

    `waits`: the last move lies there, and may still be answered. `in_secret` is the seat that has to do
    something unseen before the match goes on; empty for none.
    """

    players: dict[str, str]
    waits: bool = False
    in_secret: str = ""


class _Followed:
    """A dealer that has followed a match to where it stands.

    `pending` is what chance brings next, and the match does not hold yet.
    """

    def __init__(self, match: MatchSnapshot, deal: Deal) -> None:
        self.match, self._deal = match, deal
        self._moves = self._secrets = 0
        self.pending: tuple[Move, ...] = ()
        self.dealer: Dealer = dealer_of(match.game.slug)
        self.dealer.begin(match.history.states[0], Lots(deal.seed))
        for state, move in match.open_course():
            self._follow_secrets(state)
            self._follow_chance(state)
            self.dealer.after(state, move)
            self._moves, self.pending = self._moves + 1, ()
        self._follow_secrets(match.state)
        self._add_due(_noted_last(match))

    def _follow_secrets(self, state: Any) -> None:
        """Follow what was done in secret after the open moves so far."""
        for secret in self._deal.secrets[self._secrets :]:
            if secret.at != self._moves:
                return
            self._follow_chance(state)
            self._secrets += 1
            if secret.move is None:
                self._follow_pass(state, secret.seat)
                continue
            move = self.match.game.move(secret.move)
            if self.dealer.comes_of(state, move) is not None:
                self.dealer.after(state, move)

    def _follow_pass(self, state: Any, seat: str) -> None:
        """Follow a seat that did nothing; without a seat, nobody did."""
        if seat:
            self.dealer.passes(state, seat)
        else:
            self.dealer.close(state)
        self._follow_chance(state)

    def _follow_chance(self, state: Any) -> None:
        """Follow what chance brought, up to its next open move.

        The match holds that one as its next, unless it ends here.
        """
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
    """The deals of this table. Its owner, the table, is locked whenever something changes.

    With `path` None, nothing outlives this run.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = RLock()
        self._deals = {deal.match: deal for deal in _read(path)}
        self._followed: _Followed | None = None

    @classmethod
    def beside(cls, journal: Path) -> Deals:
        """The deals of the journal at that path (`:memory:` keeps nothing)."""
        return cls(None if journal.name == ":memory:" else journal.with_suffix(".deals.json"))

    def players(self, match: int) -> Mapping[str, str]:
        """The seats that the table plays in a match that it dealt, with their levels; empty for any other."""
        deal = self._deals.get(match)
        return {} if deal is None else deal.players

    def begin(self, match: int, players: Mapping[str, str]) -> None:
        """Deal for a match that has just begun. Raises `MendableError` if it cannot be kept."""
        self._keep(Deal(match, secrets.randbits(SEED_BITS), dict(players)))

    @contextmanager
    def played(self, match: MatchSnapshot, move: Move, seat: str | None) -> Iterator[tuple[Move, ...]]:
        """What a seat's move turns out to be, with what chance brings after it, while it is kept.

        The move itself where nothing was dealt; nothing where it is not to be seen yet. Raises `MoveError`,
        and `MendableError` if what is secret cannot be kept.
        """
        if not self.players(match.record.id):
            yield (move,)
            return
        if seat is None:
            raise IllegalMove(match.game.slug, "dealt-on-phones")
        with self._lock:
            before = self._deals[match.record.id]
            moves, secret = self._comes_of(match, move, seat)
            if secret:
                self._keep_secret(match, Secret(_opened(match), seat, msgspec.to_builtins(move)))
            try:
                yield moves
            except CompanionError:
                self._keep(before)
                raise

    def _comes_of(self, match: MatchSnapshot, move: Move, seat: str) -> tuple[tuple[Move, ...], bool]:
        """What a move turns out to be, and whether others do not see it."""
        followed, self._followed = self._follow(match), None  # the dealer runs ahead of what is kept
        dealer, state, game = followed.dealer, match.state, match.game
        if followed.pending:
            raise IllegalMove(game.slug, "dealt-wait")
        dealer.check(state, move, seat)
        shown = dealer.comes_of(state, move)
        if shown is None:
            return (), True
        after = game.play(state, shown)
        dealer.after(state, shown)
        more = () if dealer.waits(after) else tuple(_due_moves(match, dealer, after))
        return (shown, *more), game.private_to(shown) is not None

    def let_be(self, match: MatchSnapshot, seat: str = "") -> None:
        """Keep that a seat does not answer the last move, or does no more in secret; without a seat, that
        nobody answers any more.

        Raises `MendableError` if it cannot be kept.
        """
        with self._lock:
            self._keep_secret(match, Secret(_opened(match), seat))

    def due(self, match: MatchSnapshot) -> tuple[Move, ...]:
        """What chance brings now and the match does not hold yet."""
        if not self.players(match.record.id) or match.outcome is not None:
            return ()
        with self._lock:
            return self._follow(match).pending

    def now(self, match: MatchSnapshot) -> Dealt | None:
        """What everybody may know of a match that the table deals; None for any other."""
        players = self.players(match.record.id)
        if not players:
            return None
        with self._lock:
            followed = self._follow(match)
            if followed.pending or match.outcome is not None:
                return Dealt(dict(players))
            dealer = followed.dealer
            return Dealt(dict(players), dealer.waits(match.state), dealer.in_secret(match.state))

    def own_states(self, match: MatchSnapshot) -> Mapping[str, Any]:
        """The state as each seat sees it that has laid cards face down; other seats see what all see."""
        if not self.players(match.record.id) or match.outcome is not None:
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
        """The state as a seat sees it that has to choose."""
        with self._lock:
            return match.game.hide(self._follow(match).dealer.seen_by(match.state, seat), seat)

    def refuse_change(self, match: MatchSnapshot) -> None:
        """Refuse to take back or correct anything in a dealt match. Raises `IllegalMove`."""
        if self.players(match.record.id):
            raise IllegalMove(match.game.slug, "dealt-stays")

    def _follow(self, match: MatchSnapshot) -> _Followed:
        """The dealer where the match stands."""
        if self._followed is None or self._followed.match is not match:
            self._followed = _Followed(match, self._deals[match.record.id])
        return self._followed

    def _keep_secret(self, match: MatchSnapshot, secret: Secret) -> None:
        deal = self._deals[match.record.id]
        self._keep(msgspec.structs.replace(deal, secrets=(*deal.secrets, secret)))

    def _keep(self, deal: Deal) -> None:
        """Keep a deal. Raises `MendableError`, and changes nothing then."""
        others = [each for each in self._deals.values() if each.match != deal.match]
        kept = (*others, deal)[-MOST_DEALS:]
        if self._path is not None:
            paths.keep_secret(self._path, kept)
        self._deals, self._followed = {each.match: each for each in kept}, None


def _opened(match: MatchSnapshot) -> int:
    """The number of open moves."""
    return len(match.seen(None))


def _noted_last(match: MatchSnapshot) -> frozenset[Move]:
    """The private notes since the last open move."""
    private = match.game.private_to
    return frozenset(takewhile(lambda move: private(move) is not None, reversed(match.history.moves)))


def _due_moves(match: MatchSnapshot, dealer: Dealer, state: Any) -> Iterator[Move]:
    """What chance brings from a state on, until somebody chooses."""
    while match.game.outcome(state) is None and (move := dealer.chance(state)) is not None:
        dealer.after(state, move)
        yield move
        state = match.game.play(state, move)


def _read(path: Path | None) -> tuple[Deal, ...]:
    """The deals that are kept; none where they cannot be read."""
    try:
        return (None if path is None else paths.read_kept(path, tuple[Deal, ...])) or ()
    except OSError as error:
        log.warning("The cards that the table dealt before cannot be read (%s: %s).", path, error)
        return ()
