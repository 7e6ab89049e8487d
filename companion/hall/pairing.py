"""Who plays whom: round robin, Swiss and free play, for matches of two players or more.

The same past always gives the same answer. Two players a match are paired exactly, by a matching of greatest
weight (networkx). No maintained library pairs more than two players, or players that come late and leave
early, so that is done here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import ceil, inf
from random import Random
from typing import NamedTuple

Group = tuple[str, ...]
"""The players of one match, in the order of its seats."""

WIN = 120
"""The score of a win, and of a bye: up to six players share it without a rest."""


BEGINNINGS, MOST_BEGINNINGS = 7200, 100
"""Beginnings from which groups are sought, shared out by the square of the number of players; the most."""


REST = ""
"""Stands for the opponent of a player with a bye."""


class Round(NamedTuple):
    """The matches of one round, and the players without a match."""

    groups: tuple[Group, ...]
    byes: tuple[str, ...] = ()


Past = Sequence[Round]


def scores_of(points: Mapping[str, float]) -> dict[str, int]:
    """Each player's score in a match by points: `WIN` shared out by the others beaten; ties count half."""
    others = len(points) - 1
    if others < 1:
        return dict.fromkeys(points, WIN)
    return {
        player: sum(
            2 * (mine > theirs) + (mine == theirs) for other, theirs in points.items() if other != player
        )
        * WIN
        // (2 * others)
        for player, mine in points.items()
    }


def group_sizes(players: int, seat_counts: Collection[int]) -> tuple[int, ...]:
    """The sizes of the matches of a round: the fewest byes, then the fewest and most even matches.
    `seat_counts` are the numbers of players that the game takes, without a gap among them."""
    least, most = min(seat_counts), max(seat_counts)
    for playing in range(players, least - 1, -1):
        matches = ceil(playing / most)
        even, more = divmod(playing, matches)
        sizes = (even + 1,) * more + (even,) * (matches - more)
        if set(sizes) <= set(seat_counts):
            return sizes
    return ()


def met(past: Past) -> Counter[frozenset[str]]:
    """The number of times that each two players have met."""
    return Counter(frozenset(two) for old in past for group in old.groups for two in combinations(group, 2))


def byes_of(past: Past) -> Counter[str]:
    """The number of byes of each player."""
    return Counter(player for played in past for player in played.byes)


def swiss(players: Sequence[str], past: Past, scores: Mapping[str, int], seats: Collection[int]) -> Round:
    """The next round of a Swiss evening for the `players` who are here, in the order of their arrival.

    The byes go to those who had the fewest, and of these to the lowest scores. Then nobody meets anybody
    again where that can be avoided, and the scores of a match are as close as they can be.
    """
    sizes = group_sizes(len(players), seats)
    if not sizes:
        return Round((), tuple(players))
    if set(sizes) == {2}:
        groups = _matched(players, past, scores)
    else:
        playing = _without_byes(players, past, scores, sum(sizes))
        groups = _grouped(playing, past, scores, sizes)
    return Round(tuple(_seated(group, past) for group in groups), _left(players, groups))


def round_robin(players: Sequence[str], past: Past, seats: Collection[int]) -> Round | None:
    """The next round in which everybody meets everybody; None once they all have.

    Pairs go round a circle. When somebody comes or leaves, the circle is drawn again, and its round with the
    most pairs that have not met comes next.
    """
    meetings = met(past)
    unmet = {frozenset(two) for two in combinations(players, 2)} - meetings.keys()
    if not unmet:
        return None
    if set(seats) != {2}:
        return swiss(players, past, dict.fromkeys(players, 0), seats)
    pairs = max(circle(players), key=lambda pairing: sum(frozenset(pair) in unmet for pair in pairing))
    groups = tuple(_seated(pair, past) for pair in pairs if frozenset(pair) in unmet)
    return Round(groups, _left(players, groups))


def circle(players: Sequence[str]) -> Iterator[tuple[Group, ...]]:
    """The rounds of the circle method: the first player stays, the others move on by one each round. Of an
    odd number, another one rests in each round."""
    ring: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        across = zip(ring[:half], reversed(ring[half:]), strict=True)
        yield tuple((one, other) for one, other in across if one is not None and other is not None)
        ring = [ring[0], ring[-1], *ring[1:-1]]


def free_play(waiting: Sequence[str], past: Past, seats: Collection[int], tables: int) -> Round:
    """Matches for the free `tables`, out of the players who wait, the longest first. The one who has waited
    longest plays in any case, with those whom that player has met least often."""
    meetings, left, groups = met(past), list(waiting), []
    for _ in range(tables):
        sizes = group_sizes(len(left), seats)
        if not sizes:
            break
        first = left[0]
        others = sorted(left[1:], key=lambda player: meetings[frozenset((first, player))])
        group = (first, *others[: sizes[0] - 1])
        groups.append(_seated(group, past))
        left = [player for player in left if player not in group]
    return Round(tuple(groups), tuple(left))


def _left(players: Sequence[str], groups: Sequence[Group]) -> tuple[str, ...]:
    playing = {player for group in groups for player in group}
    return tuple(player for player in players if player not in playing)


def _without_byes(
    players: Sequence[str], past: Past, scores: Mapping[str, int], playing: int
) -> Sequence[str]:
    """The players who play: byes go to the fewest byes so far, the lowest score, the latest arrival."""
    byes, place = byes_of(past), {player: n for n, player in enumerate(players)}
    by_need = sorted(players, key=lambda player: (-byes[player], -scores.get(player, 0), place[player]))
    return sorted(by_need[:playing], key=lambda player: place[player])


def _matched(players: Sequence[str], past: Past, scores: Mapping[str, int]) -> tuple[Group, ...]:
    """Pairs whose cost is least: byes first, then meetings again, then the squares of score differences. One
    cost outweighs all that could be saved of the next."""
    # It takes half a second to load, which a hall that only shows tables does not need.
    import networkx

    meetings, byes = met(past), byes_of(past)
    score = {player: scores.get(player, 0) for player in players}
    closest = 1 + len(players) * (max(score.values()) - min(score.values()) + 1) ** 2
    again = closest * (1 + len(players) * max(meetings.values(), default=0))
    graph = networkx.Graph()
    costs = {
        (one, other): meetings[frozenset((one, other))] * closest + (score[one] - score[other]) ** 2
        for one, other in combinations(players, 2)
    }
    if len(players) % 2:
        lowest = min(score.values())
        costs |= {(player, REST): byes[player] * again + (score[player] - lowest) ** 2 for player in players}
    # Between equals the bye goes to the last to come.
    late = len(players) + 1
    costs = {two: late * cost - (players.index(two[0]) if REST in two else 0) for two, cost in costs.items()}
    highest = max(costs.values())
    graph.add_weighted_edges_from((*two, highest - cost) for two, cost in costs.items())
    pairs = {frozenset(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}
    ranked = sorted(players, key=lambda player: -score[player])
    chosen = [tuple(player for player in ranked if player in pair) for pair in pairs if REST not in pair]
    return tuple(sorted(chosen, key=lambda pair: ranked.index(pair[0])))


def _grouped(
    players: Sequence[str], past: Past, scores: Mapping[str, int], sizes: Sequence[int]
) -> tuple[Group, ...]:
    """Groups of more than two: the best that swaps of two players reach from many beginnings. The first
    beginning is the order of the scores; the others are shuffled, always in the same way."""
    meetings = met(past)
    ranked = sorted(players, key=lambda player: -scores.get(player, 0))
    score = [scores.get(player, 0) for player in ranked]
    spread = 1 + len(ranked) ** 2 * (max(score) + 1) ** 2
    price = [
        [
            meetings[frozenset((one, other))] ** 2 * spread + (score[n] - score[m]) ** 2
            for m, other in enumerate(ranked)
        ]
        for n, one in enumerate(ranked)
    ]
    chance, best, least = Random(0), [list[int]()], inf
    for beginning in range(max(1, min(MOST_BEGINNINGS, BEGINNINGS // len(ranked) ** 2))):
        order, begun = list(range(len(ranked))), list(sizes)
        if beginning:
            chance.shuffle(begun)
        if beginning % 2:
            chance.shuffle(order)
        ends = [sum(begun[:n]) for n in range(len(begun) + 1)]
        groups = [order[begin:end] for begin, end in pairwise(ends)]
        while _swap_helps(groups, price):
            pass
        total = sum(price[one][other] for group in groups for one, other in combinations(group, 2))
        if total < least:
            best, least = groups, total
    return tuple(tuple(ranked[n] for n in group) for group in best)


def _swap_helps(groups: list[list[int]], price: Sequence[Sequence[int]]) -> bool:
    """Swap players of different groups where that is cheaper; True if there were any. `price` is the cost of
    two players of one group, by their numbers."""
    helps = False
    for one, other in combinations(groups, 2):
        for mine, theirs in product(range(len(one)), range(len(other))):
            here, there = one[mine], other[theirs]
            before, after = price[here], price[there]
            less = sum(before[place] - after[place] for place in one if place != here)
            if less + sum(after[place] - before[place] for place in other if place != there) > 0:
                one[mine], other[theirs] = there, here
                helps = True
    return helps


def _seated(group: Sequence[str], past: Past) -> Group:
    """The players in the order of the seats: each seat goes to the player who sat there least often."""
    sat = Counter(
        (player, seat) for played in past for other in played.groups for seat, player in enumerate(other)
    )
    left, seated = list(group), []
    for seat in range(len(group)):
        player = min(left, key=lambda candidate: sat[candidate, seat])
        left.remove(player)
        seated.append(player)
    return tuple(seated)
