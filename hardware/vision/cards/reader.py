"""Reads the cards that lie on top in a picture. Features find the position of a card, its look the kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.watching import Card, KindGuess, Observation
from hardware.arrays import Float32, Float64, Picture
from hardware.vision.cards.card import TaughtCard
from hardware.vision.cards.features import Features, features_of, pairs_of
from hardware.vision.cards.likeness import COUNT, RIM_PX, Face, Likeness, Pyramid, compare, refine
from hardware.vision.cards.place import agreeing, corners_in, intersection_area, iou, place_of

# These were tuned on drawn decks with seeds below 100, in the styles creatures, shapes and scribbles.

LOOKS = ((512 * 384, 600), (960 * 720, 1000))
"""The px of the picture and the most features of each look; the finer one follows if the first is unsure."""
MOST_PLACED = 8
"""The maximum number of cards to locate: those with most features that agree on rotation and scale."""
MOST_PLACES = 4
MOST_AT_A_PLACE = 4
THUMBNAIL = (11, 16)
"""Columns and rows of a face's thumbnail, which selects the cards to compare closely."""
LEAST_CORRELATION = 0.3
"""The correlation of thumbnails above which a card is compared closely."""
MOST_BEHIND = 0.3
"""The difference from the best correlation from which on a card is not compared closely."""
SHARP = 1.2
"""The log odds that each contradicting block adds between two kinds."""
STRANGER_COST = 0.105 * COUNT
"""The number of contradicting blocks at which an untaught kind is as likely as the one compared."""
SURE = 0.96
LEAST_AGREE = 0.6
PERHAPS_COST = 0.32 * COUNT
"""The number of contradicting blocks above which the match is chance, and nothing is reported."""
PERHAPS_AGREE = 0.45
"""The share of agreeing blocks below which the match is chance, and nothing is reported."""
LIKELY = 0.1
"""The probability above which a second kind is reported as similar."""
SAME_PLACE = 0.5
"""The IoU of two outlines above which two cards compete for one position."""
SAME_SPOT = 0.8
"""The IoU of two outlines above which two cards' features give the same position."""
LEAST_OVERLAP = 0.02
"""The share of the smaller card's area above which two cards overlap."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """A compared card: the card, its likeness, and its corners in px, shape (4, 2)."""

    card: TaughtCard
    like: Likeness
    corners: Float32


class CardReader:
    """Reads the kinds that it was taught. One reader serves many pictures. Not thread-safe."""

    def __init__(self, cards: Sequence[TaughtCard]) -> None:
        """`cards`: all taught faces; a kind may have several."""
        self._cards = tuple(cards)
        self._faces = [Face(card.face) for card in self._cards]
        self._thumbnails = np.array([thumbnail(card.face) for card in self._cards], np.float32)

    def read_cards(self, picture: Picture) -> Observation:
        """The cards that lie on top in a BGR picture, with their corners in px."""
        if not self._cards or min(picture.shape[:2]) < 32:
            return Observation(cards=())
        pyramid, compared = Pyramid(picture), list[_Compared]()
        for most_px, most in LOOKS:
            compared += self._compared(pyramid, self._places(features_of(picture, most, most_px)))
            reading = _reading(compared)
            if (reading.cards and not reading.unsure) or picture.shape[0] * picture.shape[1] <= most_px:
                break
        return reading

    def _places(self, seen: Features) -> list[_Place]:
        """The positions of cards by their features, and the cards, those with most features first."""
        pairs = [agreeing(card.features, seen, pairs_of(card.features, seen)) for card in self._cards]
        likely = sorted(range(len(pairs)), key=lambda n: -len(pairs[n]))[:MOST_PLACED]
        placed = [(n, place_of(self._cards[n].features, seen, pairs[n])) for n in likely]
        places: list[_Place] = []
        for n, place in sorted(placed, key=lambda pair: -pair[1].support if pair[1] else 0):
            if place is None:
                continue
            for matrix, by_card in places:
                if iou(place.corners, corners_in(matrix)) > SAME_SPOT:
                    by_card[n] = place.matrix
                    break
            else:
                places.append((place.matrix, {n: place.matrix}))
        return places[:MOST_PLACES]

    def _compared(self, pyramid: Pyramid, places: Sequence[_Place]) -> list[_Compared]:
        """The cards with the most similar thumbnails at each position, compared closely."""
        compared = []
        for matrix, by_card in places:
            likeness = self._thumbnails @ thumbnail(pyramid.face(matrix))
            least = max(LEAST_CORRELATION, float(likeness.max()) - MOST_BEHIND)
            likely = [int(n) for n in np.argsort(-likeness)[:MOST_AT_A_PLACE] if likeness[n] > least]
            likely += [n for n in by_card if n not in likely]  # hard shadows spoil thumbnails
            for rank, n in enumerate(likely):
                refined = matrix
                if rank == 0 or n in by_card:
                    refined = refine(pyramid, self._faces[n], by_card.get(n, matrix))
                if rank == 0:  # the others are compared at the refined position of the most similar
                    matrix = refined
                like = compare(pyramid, self._faces[n], refined)
                compared.append(_Compared(self._cards[n], like, corners_in(like.matrix)))
        return compared


_Place = tuple[Float64, dict[int, Float64]]
"""A homography from face to picture, and the more exact one of each card (by number) with features there."""


def thumbnail(face: Picture) -> Float32:
    """A face's thumbnail as a unit vector, with light and contrast evened out."""
    small = cv2.resize(face[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX], THUMBNAIL, interpolation=cv2.INTER_AREA)
    levels = small.astype(np.float32) - small.mean((0, 1), dtype=np.float32)
    return np.asarray(levels.ravel() / (np.linalg.norm(levels) + 1e-6), np.float32)


def _reading(compared: Sequence[_Compared]) -> Observation:
    """The reading of all compared cards together."""
    judged = [_judged(group) for group in _by_place(sorted(compared, key=lambda card: card.like.cost))]
    sure = [(seen, best) for seen, best in judged if not seen.unsure]
    open_ = [
        seen
        for seen, best in judged
        if seen.unsure
        and best.like.agree >= PERHAPS_AGREE
        and best.like.cost <= PERHAPS_COST
        and not any(_meet(best.corners, other.corners) for _, other in sure)
    ]
    cards = (*(seen for seen, _ in sure), *open_)
    alike = any(other.confidence > LIKELY for seen in open_ for other in seen.others)
    why = ("cards-alike" if alike else "card-unclear") if open_ else ""
    return Observation(cards=cards, unsure=bool(open_), why=why)


def _by_place(best_first: list[_Compared]) -> list[list[_Compared]]:
    """The cards grouped by position, the most similar one first in each group."""
    groups: list[list[_Compared]] = []
    for card in best_first:
        for group in groups:
            if iou(card.corners, group[0].corners) > SAME_PLACE:
                group.append(card)
                break
        else:
            groups.append([card])
    return groups


def _judged(group: list[_Compared]) -> tuple[Card, _Compared]:
    """The card at one position, and the comparison with its likeliest kind."""
    best = group[0]
    costs: dict[str, float] = {}
    for other in group:
        costs.setdefault(other.card.kind, other.like.cost)
    odds = {kind: float(np.exp(-SHARP * (cost - best.like.cost))) for kind, cost in costs.items()}
    stranger = float(np.exp(-SHARP * (STRANGER_COST - best.like.cost)))
    whole = sum(odds.values()) + stranger
    kinds = [KindGuess(kind, round(chance / whole, 4)) for kind, chance in odds.items()]
    corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in best.corners)
    unsure = kinds[0].confidence < SURE or best.like.agree < LEAST_AGREE
    return Card(best.card.kind, kinds[0].confidence, corners, tuple(kinds[1:]), unsure), best


def _meet(one: Float32, two: Float32) -> bool:
    """True if two cards overlap."""
    smaller = min(float(cv2.contourArea(one)), float(cv2.contourArea(two)))
    return bool(intersection_area(one, two) > LEAST_OVERLAP * smaller)
