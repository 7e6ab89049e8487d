"""Every game is a show: a whole match on the virtual camera, from the empty board to its result.

Nothing is stood in for: the table is drawn, the drawings are read, moves go the one road. Only the clock is
quick, and hands are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.camera_switch import brought_by
from companion.service.vision_loop import VisionLoop
from companion.simulator.demo import SOURCE, VirtualPhone
from companion.simulator.people import PATIENCE
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.watcher import Watcher

QUICK = "reach=1&still=2&empty=1&teach=1&end=1"
APART_S = 0.6
"""Between two pictures: longer than dice must have lain still."""
MOST_A_MOVE = 12
"""The most pictures that a move may take, on average."""


def _went_on(n: int, match: Match) -> bool:
    return match.n > n


class Show:
    """A virtual table with a companion that watches it, picture by picture."""

    def __init__(self, journal: Journal, slug: str, *, seats: int | None = None, **settings: Any) -> None:
        options = {name: settings.pop(name) for name in ("board",) if name in settings}
        self.table = Table(journal, Match.begin(journal, slug, options, seats))
        source = "&".join(
            [f"virtual?game={slug}", QUICK, *(f"{key}={value}" for key, value in settings.items())]
        )
        camera = open_camera(source, options=options, sleep=lambda _: None)
        assert isinstance(camera, VirtualCamera)
        self.camera = camera
        camera.table.sit_down(VirtualPhone(self.table))
        self.live = VisionLoop(self.table, Watcher(camera), brought_by(camera))
        self.pictures = 0

    def take(self) -> None:
        """One more picture, read."""
        frame = self.camera.read_frame()
        assert frame is not None
        self.live.take_frame(replace(frame, at_s=self.pictures * APART_S))
        self.pictures += 1

    def until(self, done: Callable[[Match], bool], most: int) -> None:
        """Go on until `done` says so of the match, at most so many pictures."""
        ends = self.pictures + most
        while not done(self.table.match):
            assert self.pictures < ends, (
                f"stuck: {self.table.snapshot.view().sighting}, {self.table.match.moves[-3:]}"
            )
            self.take()

    def whole_match(self) -> Counter[tuple[str, str]]:
        """A match to its end, never stuck; how many moves of each kind came from where."""
        while self.table.match.outcome is None:
            self.until(partial(_went_on, self.table.match.n), PATIENCE + 30)
        assert self.pictures < MOST_A_MOVE * self.table.match.n + 20
        entries = self.table.match.entries(whole=True)
        assert {entry.kind for entry in entries} == {"move"}, "nothing was misread"
        return Counter((entry.body["move"], entry.source) for entry in entries)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "seats", "seed", "winner"),
    [("middle", 2, 7, "mice"), ("corners", 5, 42, "mice-4")],
)
def test_chop_chop(journal: Journal, board: str, seats: int, seed: int, winner: str) -> None:
    show = Show(journal, "chop-chop", board=board, seats=seats, seed=seed)
    came = show.whole_match()
    outcome = show.table.match.outcome
    assert outcome is not None
    assert winner in outcome.winners
    assert came["throw", "camera"] >= 0.9 * (came["throw", "camera"] + came["throw", SOURCE])
    # Under the table nobody sees a mouse: people say which it was.
    assert came["go", "camera"] > came["go", SOURCE]
    assert came["turn-slab", SOURCE] > 5
    assert came["place", "camera"] == 1


@pytest.mark.slow
def test_this_bed_is_mine(journal: Journal) -> None:
    show = Show(journal, "this-bed-is-mine")
    assert set(show.whole_match()) == {("lay", "camera")}


@pytest.mark.slow
def test_cat_and_mouse(journal: Journal) -> None:
    came = Show(journal, "cat-and-mouse").whole_match()
    assert came["throw", "camera"] > 10
    assert came["throw", SOURCE] <= 1


@pytest.mark.parametrize("seats", [2, 4])
def test_exploding_kittens(journal: Journal, seats: int) -> None:
    show = Show(journal, "exploding-kittens", seats=seats)
    came = show.whole_match()
    match = show.table.match
    assert came["explode", SOURCE] == seats - 1
    private = [move for move in match.moves if match.game.private_to(move)]
    assert private, "seats tell their own phones what they drew"
    assert len(match.snapshot.seen(None)) == len(match.moves) - len(private)


@pytest.mark.parametrize("seats", [2, 6])
def test_hide_and_seek(journal: Journal, seats: int) -> None:
    show = Show(journal, "hide-and-seek", seats=seats)
    came = show.whole_match()
    # Whoever has no animal left does not seek.
    assert seats <= came["seek", SOURCE] <= 2 * seats
    outcome = show.table.match.outcome
    assert outcome is not None
    assert outcome.reason == "rounds"


def test_after_a_match_the_next_one_begins(journal: Journal) -> None:
    show = Show(journal, "exploding-kittens")
    show.whole_match()
    first = show.table.match.record
    show.until(lambda match: match.record.id != first.id and match.n >= 3, PATIENCE)
    assert (show.table.match.record.game, show.table.match.record.seats) == (first.game, first.seats)


def test_the_same_seed_plays_the_same_match() -> None:
    def opening(seed: int) -> tuple[Any, ...]:
        show = Show(Journal(Path(":memory:")), "exploding-kittens", seed=seed)
        show.until(lambda match: match.n >= 12, 100)
        return show.table.match.moves[:12]

    assert opening(1) == opening(1)
    assert opening(1) != opening(2)


@pytest.mark.slow
def test_another_game_begun_on_a_phone_is_played_next(journal: Journal) -> None:
    show = Show(journal, "hide-and-seek")
    show.until(lambda match: match.n >= 2, 40)
    show.table.begin("chop-chop", {"board": "corners"}, 3)
    show.until(lambda match: len(match.moves) >= 3, 60)
    by = Counter(entry.source for entry in show.table.match.entries())
    assert by["camera"] >= 2
    assert show.camera.scene["rows"] == 6


class TestTheReaderErrs:
    """Whatever is read, the show goes on as it was played."""

    @pytest.fixture
    def show(self, journal: Journal) -> Show:
        """Chop! Chop!, the cat just placed."""
        show = Show(journal, "chop-chop")
        show.until(lambda match: match.n == 1, 40)
        return show

    def test_what_is_never_read_is_tapped(self, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hardware.vision.dice.throw_detector.ThrowDetector.detect_throw", lambda *_: None)
        show.until(lambda match: match.n == 2, PATIENCE + 20)
        (entry,) = show.table.match.entries()[1:]
        assert (entry.body["move"], entry.source) == ("throw", SOURCE)

    def test_what_was_misread_is_taken_back_and_told(self, show: Show) -> None:
        while not show.camera.table.now.dice:
            show.take()
        truly = show.camera.table.now.dice[0].value
        show.table.play({"move": "throw", "dice": [truly % 4 + 1]}, "camera")
        show.until(lambda match: match.n >= 4, 20)
        kinds = [(entry.kind, entry.source) for entry in show.table.match.entries()[1:4]]
        assert kinds == [("move", "camera"), ("undo", SOURCE), ("move", SOURCE)]
        assert show.table.match.moves[1].dice == (truly,)

    def test_what_is_asked_is_answered(self, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hardware.vision.dice.reader.BELIEVED", 1.1)
        asked = []
        while show.table.match.n < 2:
            show.take()
            sighting = show.table.snapshot.view().sighting
            asked += [sighting.why] if sighting and sighting.guesses else []
            assert show.pictures < 200
        assert "die-unclear" in asked
        assert show.table.match.entries()[1].source == SOURCE
        shown = show.camera.table.now.dice[0].value
        assert show.table.match.moves[1].dice == (shown,)

    def test_who_undoes_a_move_on_a_phone_sees_the_people_follow(self, show: Show) -> None:
        show.table.undo("phone")
        show.until(lambda _: not any(p.kind == "cat" for p in show.camera.table.now.pieces), 30)
        show.until(lambda match: len(match.moves) >= 1, PATIENCE)
