"""How well cards are read on drawn pictures: exact, asked, silently wrong, by trouble.

python -m tests.vision.cards.figures tune      # the decks that settings were chosen on
python -m tests.vision.cards.figures judge     # other decks, other styles, other seeds
python -m tests.vision.cards.figures grounds   # one card among folds and hard shadows, other decks
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from time import thread_time

import cv2
import numpy as np

from companion.games.watching import Observation
from companion.players.arena import wilson
from hardware.arrays import Float32
from hardware.vision.cards.book import CardBook
from hardware.vision.cards.card import TaughtCard, learn
from hardware.vision.cards.outline import outline_of
from hardware.vision.cards.reader import CardReader
from hardware.vision.errors import PictureError
from tests.vision.cards.decks import STYLES, Deck, draw_deck
from tests.vision.cards.scenes import (
    COVERED,
    KNOWN,
    STRANGE,
    TROUBLES,
    Shot,
    busy_shot,
    draw_shot,
    teaching_shot,
)

TUNED_ON = (("creatures", "shapes", "scribbles"), range(1, 4), 1000)
JUDGED_ON = (("mosaic", "stamps", "scenery", "creatures"), range(201, 205), 500_000)
"""Styles, decks' seeds, and the first seed of the shots."""
LESSONS = [(style, seed) for style in JUDGED_ON[0] for seed in range(401, 405)]
"""The decks, by style and seed, whose lessons on busy grounds were not tuned on."""
GROUNDS = [(style, seed) for style in JUDGED_ON[0] for seed in (603, 604)]
"""The decks that were not tuned on, taught and read on busy grounds."""
SIZES = (((100, 250), (504, 378)), ((170, 480), (960, 720)))
"""The least and greatest length of a card in px, and the picture's size, by group."""
MOST_LESSONS = 8
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
            picture, true = busy_shot(rng, face)
            try:
                is_right = outline_off(outline_of(picture), true) <= OFF
            except PictureError:
                refused += 1
            else:
                right, wrong = right + is_right, wrong + (not is_right)
    return right, wrong, refused


def taught_on_grounds(deck: Deck, seed: int) -> CardBook:
    """Every kind learned on a busy ground; a person says no to a wrong outline, and takes another picture."""
    rng, book = np.random.default_rng(seed), CardBook()
    for kind, face in deck.faces.items():
        for _ in range(MOST_LESSONS):
            picture, true = busy_shot(rng, face)
            with suppress(PictureError):
                if outline_off(outline_of(picture), true) <= OFF:
                    book = book.taught(kind, picture)
                    break
    return book


def on_grounds(decks: Iterable[tuple[str, int]]) -> Tally:
    """Reads each card of decks, and three untaught ones, on busy grounds, once small and once large."""
    tally = Tally()
    for style, seed in decks:
        deck = draw_deck(style, seed)
        reader = CardReader(taught_on_grounds(deck, seed).cards)
        untaught = [("", face) for face in (deck.stranger, deck.fifth_cat, deck.back)]
        for number, (long_px, size) in enumerate(SIZES):
            rng = np.random.default_rng([seed, list(STYLES).index(style), number])
            for kind, face in [*deck.faces.items(), *untaught]:
                picture, corners = busy_shot(rng, face, long_px, size)
                group = f"{'taught' if kind else 'untaught'} {long_px[0]} to {long_px[1]}"
                reading = reader.read_cards(picture)
                tally.add(group, said := verdict(Shot(picture, kind, corners), reading))
                offered = {guess.kind for card in reading.cards for guess in (card, *card.others)}
                if said == "asked" and kind in offered:
                    tally.add(group, "offered")
    return tally


def ground_lines(counts: dict[str, Counter[str]]) -> Iterable[str]:
    """The shares of each group in percent, with Wilson's 95 % interval."""
    for group, said in sorted(counts.items()):
        n = sum(said[word] for word in VERDICTS)
        shares = {word: [100 * p for p in (said[word] / n, *wilson(said[word] / n, n))] for word in VERDICTS}
        parts = (f"{word} {said[word]} ({p:.1f} %, {a:.1f} to {b:.1f})" for word, (p, a, b) in shares.items())
        yield f"{group} px: {n}: {', '.join(parts)}; right kind offered {said['offered']}"


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
    if which == "grounds":
        lines = ground_lines(on_grounds(GROUNDS).counts)
    else:
        lines = measure(TUNED_ON if which == "tune" else JUDGED_ON, count, tell="-v" in sys.argv).lines()
    for line in lines:
        sys.stdout.write(line + "\n")
