"""How well cards are read on drawn pictures: exact, asked, silently wrong, by trouble.

python -m tests.vision.cards.figures tune      # the decks that settings were chosen on
python -m tests.vision.cards.figures judge     # other decks, other styles, other seeds
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from time import thread_time

import cv2
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Float32
from hardware.vision.cards.card import TaughtCard, learn
from hardware.vision.cards.outline import outline_of
from hardware.vision.cards.reader import CardReader
from hardware.vision.errors import PictureError
from tests.vision.cards.decks import Deck, draw_deck
from tests.vision.cards.scenes import (
    COVERED,
    KNOWN,
    STRANGE,
    TROUBLES,
    Shot,
    busy_teaching_shot,
    draw_shot,
    teaching_shot,
)

TUNED_ON = (("creatures", "shapes", "scribbles"), range(1, 4), 1000)
JUDGED_ON = (("mosaic", "stamps", "scenery", "creatures"), range(201, 205), 500_000)
"""Styles, decks' seeds, and the first seed of the shots."""
LESSONS = [(style, seed) for style in JUDGED_ON[0] for seed in range(401, 405)]
"""The decks, by style and seed, whose lessons on busy grounds were not tuned on."""
OFF = 0.03
"""The distance of a corner from the true one, in long sides, up to which an outline is right."""
VERDICTS = ("exact", "asked", "missed", "wrong")
Decks = tuple[Iterable[str], range, int]


def taught(deck: Deck, seed: int) -> list[TaughtCard]:
    """Every kind of a deck, each learned from one drawn photograph."""
    rng = np.random.default_rng(seed)
    return [learn(kind, teaching_shot(rng, face)) for kind, face in deck.faces.items()]


def outline_off(corners: Float32, true: Float32) -> float:
    """The greatest distance of a corner from the true one, in long sides."""
    long_px = np.linalg.norm(true[3] - true[0])
    return min(float(np.linalg.norm(true - np.roll(corners, n, 0), axis=1).max() / long_px) for n in range(4))


def outline_tally(decks: Iterable[Deck]) -> tuple[int, int, int]:
    """The right, wrong and refused outlines of lessons on busy grounds."""
    right = wrong = refused = 0
    for number, deck in enumerate(decks):
        rng = np.random.default_rng(401 + number)
        for face in deck.faces.values():
            picture, true = busy_teaching_shot(rng, face)
            try:
                is_right = outline_off(outline_of(picture), true) <= OFF
            except PictureError:
                refused += 1
            else:
                right, wrong = right + is_right, wrong + (not is_right)
    return right, wrong, refused


def verdict(shot: Shot, reading: Observation) -> str:
    """exact, asked or wrong."""
    if reading.unsure:
        return "asked"
    reported = [card.kind for card in reading.cards]
    if reported == ([shot.kind] if shot.kind else []):
        return "exact"
    return "wrong" if reported else "missed"


class Tally:
    """Counts of pictures by trouble."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.ms: list[float] = []

    def add(self, trouble: str, said: str) -> None:
        """Counts one picture."""
        self.counts.setdefault(trouble, Counter())[said] += 1

    def share(self, said: str, troubles: Iterable[str] = TROUBLES) -> float:
        """The share of the pictures with these troubles of which that was said."""
        all_ = sum((self.counts.get(trouble, Counter()) for trouble in troubles), Counter())
        return all_[said] / max(1, all_.total())

    def lines(self) -> Iterable[str]:
        """A table for people."""
        groups = {**{t: (t,) for t in self.counts}, "IN SIGHT": KNOWN, "COVERED": COVERED, "STRANGE": STRANGE}
        for name, troubles in {**groups, "ALL": TROUBLES}.items():
            n = sum(self.counts.get(trouble, Counter()).total() for trouble in troubles)
            shares = "  ".join(f"{said} {100 * self.share(said, troubles):5.1f} %" for said in VERDICTS)
            yield f"{name:18} {n:5}  {shares}"
        if self.ms:
            yield f"median {np.median(self.ms):.0f} ms, 95 of 100 within {np.percentile(self.ms, 95):.0f} ms"


def measure(decks: Decks, shots: int, tell: bool = False) -> Tally:
    """Reads so many shots of each trouble from each deck."""
    tally = Tally()
    styles, seeds, first = decks
    for number, style in enumerate(styles):
        for seed in seeds:
            deck = draw_deck(style, seed)
            reader = CardReader(taught(deck, seed))
            for trouble in TROUBLES:
                for n in range(shots):
                    shot_seed = first + 10_000 * number + 100 * seed + n
                    shot = draw_shot(deck, trouble, shot_seed)
                    begun = thread_time()
                    reading = reader.read_cards(shot.picture)
                    tally.ms.append(1000 * (thread_time() - begun))
                    said = verdict(shot, reading)
                    tally.add(trouble, said)
                    if tell and said != "exact":
                        reported = [(card.kind, card.confidence, card.others[:2]) for card in reading.cards]
                        sys.stdout.write(
                            f"{style} {seed} {trouble} {shot_seed}: {said}: {shot.kind} {reported}\n"
                        )
    return tally


if __name__ == "__main__":
    cv2.setNumThreads(1)
    which, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for line in measure(TUNED_ON if which == "tune" else JUDGED_ON, count, tell="-v" in sys.argv).lines():
        sys.stdout.write(line + "\n")
