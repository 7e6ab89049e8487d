"""Records of the players and of the house, worked out from the matches' summaries.

They are not kept on the disk, so they are never out of date. A player is a name: the same name over the
years, however its capitals are written, is the same player. Only finished matches count, and a match counts
for everybody who has a name in it. Somebody who plays several seats plays one match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from itertools import combinations
from threading import RLock
from typing import NamedTuple

import msgspec

from companion.errors import CompanionError
from companion.games.game import Outcome
from companion.games.registry import game
from companion.games.retrospect import Luck
from companion.play.journal import Head, Journal
from companion.play.match import FROM_PHOTO
from companion.play.schema import MatchRecord, Summary

MONTHS = 12


class Against(msgspec.Struct, frozen=True):
    """The matches of a player against another: those played, won and lost; the others were shared."""

    name: str
    matches: int
    won: int
    lost: int


class LuckSaid(msgspec.Struct, frozen=True):
    """A player's luck: how much more than expected it was, in standard errors (below 0: less)."""

    times: int
    total: float
    expected: float
    errors: float


class OfGame(msgspec.Struct, frozen=True):
    """A player's matches of one game; `best` and `mean` are points, None for a game without points.
    `points_a_piece` is None where pieces are not counted."""

    matches: int
    won: int
    best: int | None = None
    mean: float | None = None
    points_a_piece: float | None = None
    luck: LuckSaid | None = None


class Player(msgspec.Struct, frozen=True):
    """A player over all matches. `streak` is the run of matches won up to the last one."""

    name: str
    matches: int
    won: int
    streak: int
    longest_streak: int
    first: str
    last: str
    games: dict[str, OfGame]
    against: tuple[Against, ...]


class Feat(msgspec.Struct, frozen=True):
    """A record of the house: the match that holds it, its value, and whose it is."""

    match: int
    began: str
    value: int
    names: tuple[str, ...]


class GameOfHouse(msgspec.Struct, frozen=True):
    """All matches of one game. `longest` goes by moves, and is None where only photos were scored; `best`
    goes by points, and is None in a game without points."""

    matches: int
    longest: Feat | None
    best: Feat | None


class LastMatch(msgspec.Struct, frozen=True):
    """The match that was finished last: its game, its players by seat, who won, its points by seat."""

    match: int
    game: str
    began: str
    players: dict[str, str]
    winners: tuple[str, ...]
    points: dict[str, int]


class House(msgspec.Struct, frozen=True):
    """The house: its players, games, and years; `left_out` counts the matches without a current summary."""

    matches: int
    players: tuple[Player, ...]
    games: dict[str, GameOfHouse]
    years: tuple[int, ...]
    last: LastMatch | None
    left_out: int


class Year(msgspec.Struct, frozen=True):
    """One year of the house: its matches by month, January first, and its players and records."""

    year: int
    months: tuple[int, ...]
    house: House


class Played(NamedTuple):
    """A finished match: its record, its summary, the seats of each name, and who won. A name has won if one
    of its seats won and a seat of somebody else did not."""

    record: MatchRecord
    summary: Summary
    seats_of: Mapping[str, frozenset[str]]
    won_by: frozenset[str]

    def points_of(self, seats: Iterable[str]) -> int | None:
        """The most points that one of these seats made; None in a game without points, or if the fewest win:
        such points are no feat."""
        assert self.summary.outcome is not None
        if _fewest_win(self.record, self.summary.outcome):
            return None
        points = self.summary.outcome.points
        return max([points[seat] for seat in seats if seat in points], default=None)


class Records:
    """The house and its years, worked out again only once the journal has changed. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = RLock()
        self._head: Head | None = None
        self._house: House | None = None
        self._years: dict[int, Year] = {}

    def house(self) -> House:
        """The house as the journal knows it now. Raises `JournalError`."""
        with self._lock:
            head = self._journal.head()
            if head != self._head:
                self._head, self._house, self._years = head, None, {}
            if self._house is None:
                self._house = house_of(self._journal.summaries())
            return self._house

    def year(self, year: int) -> Year:
        """One year of the house. Raises `JournalError`."""
        with self._lock:
            if year not in self.house().years:
                return year_of((), year)
            if year not in self._years:
                self._years[year] = year_of(self._journal.summaries(), year)
            return self._years[year]


def house_of(rows: Iterable[tuple[MatchRecord, Summary | None]]) -> House:
    """The house from every match with its summary, in any order."""
    return _house(*_finished(rows))


def year_of(rows: Iterable[tuple[MatchRecord, Summary | None]], year: int) -> Year:
    """One year of the house, in this machine's time of day."""
    played, _ = _finished(rows)
    of_year = [match for match in played if local(match.record.began).year == year]
    months = [0] * MONTHS
    for match in of_year:
        months[local(match.record.began).month - 1] += 1
    return Year(year, tuple(months), _house(of_year, 0))


def local(began: str) -> datetime:
    """A time of the journal, which is UTC, in this machine's time."""
    return datetime.fromisoformat(began).astimezone()


@lru_cache(maxsize=1024)
def known_as(name: str) -> str:
    """The form by which a name is known, however it was typed."""
    return " ".join(name.split()).casefold()


def _finished(rows: Iterable[tuple[MatchRecord, Summary | None]]) -> tuple[list[Played], int]:
    """The finished matches, the oldest first, and how many others have no summary."""
    every, left_out = sorted(rows, key=lambda row: row[0].id), 0
    spelled: dict[str, str] = {}
    played = []
    for record, summary in every:
        if summary is None:
            left_out += 1
        elif summary.outcome is not None and not summary.outcome.stopped:
            spelled.update({known_as(name): " ".join(name.split()) for name in summary.players.values()})
            played.append((record, summary))
    return [_played(record, summary, spelled) for record, summary in played], left_out


def _played(record: MatchRecord, summary: Summary, spelled: Mapping[str, str]) -> Played:
    assert summary.outcome is not None
    winners, seats_of = frozenset(summary.outcome.winners), _seats_of(summary, spelled)
    losers = frozenset(summary.seats) - winners
    won_by = frozenset(name for name, seats in seats_of.items() if seats & winners and losers - seats)
    return Played(record, summary, seats_of, won_by)


def _fewest_win(record: MatchRecord, outcome: Outcome) -> bool:
    """True if the fewest points won; the rules are asked only if somebody with more points lost."""
    most = max(outcome.points.values(), default=0)
    if not any(outcome.points.get(seat, most) < most for seat in outcome.winners):
        return False
    with suppress(CompanionError):  # a game that is no longer installed
        rules = game(record.game)
        return rules.fewest_win(rules.options(record.options))
    return False


def _seats_of(summary: Summary, spelled: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The seats of each player, by the name as it was spelled last."""
    seats: dict[str, set[str]] = {}
    for seat, name in summary.players.items():
        if known_as(name):
            seats.setdefault(spelled[known_as(name)], set()).add(seat)
    return {name: frozenset(taken) for name, taken in seats.items()}


def _house(played: list[Played], left_out: int) -> House:
    by_player: dict[str, list[Played]] = {}
    by_game: dict[str, list[Played]] = {}
    for match in played:
        by_game.setdefault(match.record.game, []).append(match)
        for name in match.seats_of:
            by_player.setdefault(name, []).append(match)
    against = _against(played)
    players = [_player(name, matches, against.get(name, {})) for name, matches in by_player.items()]
    return House(
        matches=len(played),
        players=tuple(sorted(players, key=lambda player: (-player.matches, player.name))),
        games={slug: _game_of_house(matches) for slug, matches in sorted(by_game.items())},
        years=tuple(sorted({local(match.record.began).year for match in played}, reverse=True)),
        last=_last(played[-1]) if played else None,
        left_out=left_out,
    )


def _against(played: list[Played]) -> dict[str, dict[str, Against]]:
    """The matches of each player against each other player who did not share a seat or a win with them."""
    against: dict[str, dict[str, Against]] = {}
    for match in played:
        for one, two in combinations(match.seats_of, 2):
            first, second = one in match.won_by, two in match.won_by
            if first and second:
                continue
            for name, other, won, lost in ((one, two, first, second), (two, one, second, first)):
                so_far = against.setdefault(name, {}).get(other, Against(other, 0, 0, 0))
                against[name][other] = Against(
                    other, so_far.matches + 1, so_far.won + won, so_far.lost + lost
                )
    return against


def _player(name: str, played: list[Played], against: Mapping[str, Against]) -> Player:
    longest = streak = 0
    for match in played:
        streak = streak + 1 if name in match.won_by else 0
        longest = max(longest, streak)
    slugs = dict.fromkeys(match.record.game for match in played)
    return Player(
        name=name,
        matches=len(played),
        won=sum(name in match.won_by for match in played),
        streak=streak,
        longest_streak=longest,
        first=played[0].record.began,
        last=played[-1].record.began,
        games={slug: _of_game(name, [one for one in played if one.record.game == slug]) for slug in slugs},
        against=tuple(sorted(against.values(), key=lambda other: (-other.matches, other.name))),
    )


def _of_game(name: str, played: list[Played]) -> OfGame:
    points = [match.points_of(match.seats_of[name]) for match in played]
    scored = [value for value in points if value is not None]
    return OfGame(
        matches=len(played),
        won=sum(name in match.won_by for match in played),
        best=max(scored, default=None),
        mean=sum(scored) / len(scored) if scored else None,
        points_a_piece=_points_a_piece(name, played),
        luck=_luck([match.summary.luck.get(seat) for match in played for seat in match.seats_of[name]]),
    )


def _points_a_piece(name: str, played: list[Played]) -> float | None:
    points = pieces = 0
    for match in played:
        for seat in match.seats_of[name]:
            if seat in match.summary.pieces:
                pieces += match.summary.pieces[seat]
                points += match.points_of([seat]) or 0
    return points / pieces if pieces else None


def _luck(of_matches: list[Luck | None]) -> LuckSaid | None:
    counted = [luck for luck in of_matches if luck is not None]
    variance = sum(luck.variance for luck in counted)
    if not variance:
        return None
    total, expected = sum(luck.total for luck in counted), sum(luck.expected for luck in counted)
    return LuckSaid(
        sum(luck.times for luck in counted), total, expected, (total - expected) / float(variance) ** 0.5
    )


def _game_of_house(played: list[Played]) -> GameOfHouse:
    watched = [match for match in played if match.summary.by != FROM_PHOTO]  # a photo shows no moves
    longest = max(watched, key=lambda match: match.summary.moves, default=None)
    scored = [(points, one) for one in played if (points := one.points_of(one.summary.seats)) is not None]
    best = max(scored, key=lambda scored_match: scored_match[0], default=None)
    return GameOfHouse(
        len(played),
        None if longest is None else _feat(longest, longest.summary.moves, tuple(longest.seats_of)),
        None if best is None else _feat(best[1], best[0], _who_scored(best[1], best[0])),
    )


def _who_scored(played: Played, points: int) -> tuple[str, ...]:
    return tuple(name for name, seats in played.seats_of.items() if played.points_of(seats) == points)


def _feat(played: Played, value: int, names: tuple[str, ...]) -> Feat:
    return Feat(played.record.id, played.record.began, value, names)


def _last(played: Played) -> LastMatch:
    outcome, players = played.summary.outcome, played.summary.players
    assert outcome is not None
    return LastMatch(
        played.record.id, played.record.game, played.record.began, players, outcome.winners, outcome.points
    )
