"""Reads the cards that lie on top in a picture: features say where one may lie, its looks say which it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.watching import Card, KindGuess, Observation
from hardware.arrays import Float32, Float64, Picture
from hardware.vision.cards.card import TaughtCard
from hardware.vision.cards.face import corners_in
from hardware.vision.cards.features import Features, features_of, pairs_of
from hardware.vision.cards.likeness import COUNT, RIM_PX, Face, Likeness, Pyramid, compare, set_right
from hardware.vision.cards.place import agreeing, place_of

LOOKS = ((512 * 384, 600), (960 * 720, 1000))
"""The picture is looked at with so many px for so many features, and where that tells nothing for sure, with
more: small cards need it."""
MOST_PLACED = 8
"""So many kinds, those with most features that agree on turn and size, are given a place."""
MOST_PLACES = 4
MOST_AT_A_PLACE = 4
"""So many places are looked into, and so many kinds are compared closely at each."""
GLANCE = (11, 16)
"""Columns and rows that a face is glanced at with, to find out which kinds to compare closely."""
LEAST_GLANCE, GLANCE_BEHIND = 0.3, 0.3
"""A kind whose correlation at a glance is below this, or so far behind the best, is not compared closely."""
SHARP = 1.2
"""What one contradicting block more does to the odds between two kinds (a power of e)."""
STRANGER_COST = 0.105 * COUNT
"""So many blocks contradict where a card of no kind that was taught is as likely as the one compared."""
SURE = 0.96
LEAST_AGREE = 0.6
"""A card is told without asking when it is so likely and so much of it is seen to agree."""
PERHAPS_COST = 0.32 * COUNT
PERHAPS_AGREE = 0.45
"""Where more contradicts, or less agrees, features met by chance, and nothing is said."""
LIKELY = 0.1
"""A second kind as likely as this is worth telling."""
SAME_PLACE, SAME_SPOT = 0.5, 0.8
"""Two cards whose outlines share so much (of both) compete for one place; features say the same place.
All of these were tried on drawn decks with seeds below 100 in the styles creatures, shapes and scribbles."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A card compared: which, how like, and where, px, shape (4, 2)."""

    card: TaughtCard
    like: Likeness
    corners: Float32


class CardReader:
    """Reads the kinds that it was taught. One reader serves many pictures, from one thread at a time."""

    def __init__(self, cards: Sequence[TaughtCard]) -> None:
        """`cards`: every face that was taught; a kind may have several."""
        self._cards = tuple(cards)
        self._faces = [Face(card.face) for card in self._cards]
        self._glances = np.array([_glance(card.face) for card in self._cards], np.float32)

    def read(self, picture: Picture) -> Observation:
        """The cards that lie on top in a BGR picture, corners in px of it."""
        if not self._cards or min(picture.shape[:2]) < 32:
            return Observation(cards=())
        pyramid, found = Pyramid(picture), list[_Found]()
        for most_px, most in LOOKS:
            found += self._compared(pyramid, self._places(features_of(picture, most, most_px)))
            reading = _reading(found)
            if (reading.cards and not reading.unsure) or picture.shape[0] * picture.shape[1] <= most_px:
                break
        return reading

    def _places(self, seen: Features) -> list[_Place]:
        """Where features say that cards lie, and which, those with most features first."""
        pairs = [agreeing(card.features, seen, pairs_of(card.features, seen)) for card in self._cards]
        likely = sorted(range(len(pairs)), key=lambda n: -len(pairs[n]))[:MOST_PLACED]
        placed = [(n, place_of(self._cards[n].features, seen, pairs[n])) for n in likely]
        places: list[_Place] = []
        for n, place in sorted(placed, key=lambda each: -each[1].support if each[1] else 0):
            if place is None:
                continue
            for matrix, own in places:
                if _shared(place.corners, corners_in(matrix)) > SAME_SPOT:
                    own[n] = place.matrix
                    break
            else:
                places.append((place.matrix, {n: place.matrix}))
        return places[:MOST_PLACES]

    def _compared(self, pyramid: Pyramid, places: Sequence[_Place]) -> list[_Found]:
        """At each place, the kinds that look likest at a glance and those whose features lie there."""
        found = []
        for matrix, own in places:
            glance = self._glances @ _glance(pyramid.face(matrix))
            least = max(LEAST_GLANCE, float(glance.max()) - GLANCE_BEHIND)
            likely = [int(n) for n in np.argsort(-glance)[:MOST_AT_A_PLACE] if glance[n] > least]
            for rank, n in enumerate(likely):
                at = matrix
                if rank == 0 or n in own:
                    at = set_right(pyramid, self._faces[n], own.get(n, matrix))
                if rank == 0:  # what only looks alike is compared where the likest was set right
                    matrix = at
                like = compare(pyramid, self._faces[n], at)
                found.append(_Found(self._cards[n], like, corners_in(like.matrix)))
        return found


_Place = tuple[Float64, dict[int, Float64]]
"""A homography from face to picture, and the better one of each card (by number) whose features lie there."""


def _glance(face: Picture) -> Float32:
    """A face as a short row of numbers, light and contrast evened out, of length 1."""
    small = cv2.resize(face[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX], GLANCE, interpolation=cv2.INTER_AREA)
    levels = small.astype(np.float32) - small.mean((0, 1), dtype=np.float32)
    return np.asarray(levels.ravel() / (np.linalg.norm(levels) + 1e-6), np.float32)


def _reading(found: Sequence[_Found]) -> Observation:
    """What all that was compared says together."""
    judged = [_judged(group) for group in _by_place(sorted(found, key=lambda each: each.like.cost))]
    sure = [(seen, best) for seen, best, is_sure in judged if is_sure]
    open_ = [
        seen
        for seen, best, is_sure in judged
        if not is_sure
        and best.like.agree >= PERHAPS_AGREE
        and best.like.cost <= PERHAPS_COST
        and not any(_meet(best.corners, other.corners) for _, other in sure)
    ]
    if open_:
        alike = any(other.confidence > LIKELY for seen in open_ for other in seen.others)
        return Observation(cards=tuple(open_), unsure=True, why="cards-alike" if alike else "card-unclear")
    return Observation(cards=tuple(seen for seen, _ in sure))


def _by_place(found: list[_Found]) -> list[list[_Found]]:
    """The cards grouped by where they lie, the likest of each place first."""
    groups: list[list[_Found]] = []
    for each in found:
        for group in groups:
            if _shared(each.corners, group[0].corners) > SAME_PLACE:
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def _judged(group: list[_Found]) -> tuple[Card, _Found, bool]:
    """What lies at one place: the likest kind, the others with their chances, whether that is sure."""
    best = group[0]
    costs: dict[str, float] = {}
    for each in group:
        costs.setdefault(each.card.kind, each.like.cost)
    odds = {kind: float(np.exp(-SHARP * (cost - best.like.cost))) for kind, cost in costs.items()}
    stranger = float(np.exp(-SHARP * (STRANGER_COST - best.like.cost)))
    whole = sum(odds.values()) + stranger
    kinds = [KindGuess(kind, round(chance / whole, 4)) for kind, chance in odds.items()]
    corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in best.corners)
    seen = Card(best.card.kind, kinds[0].confidence, corners, tuple(kinds[1:]))
    return seen, best, seen.confidence >= SURE and best.like.agree >= LEAST_AGREE


def _shared(one: Float32, two: Float32) -> float:
    """The area that two outlines share, as a part of the area they cover together."""
    both = float(cv2.intersectConvexConvex(one, two)[0])
    return both / max(float(cv2.contourArea(one) + cv2.contourArea(two)) - both, 1e-6)


def _meet(one: Float32, two: Float32) -> bool:
    """Whether two cards lie over each other at all."""
    smaller = min(float(cv2.contourArea(one)), float(cv2.contourArea(two)))
    return float(cv2.intersectConvexConvex(one, two)[0]) > 0.02 * smaller
