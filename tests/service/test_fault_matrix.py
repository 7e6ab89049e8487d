"""Every fault of the table in every situation: it is said by its own name, nobody's move is made up, and
afterwards all is as before by itself. The whole road on the virtual table, on a clock of its own.

`python -m tests.service.test_fault_matrix` writes the figures into docs/faults.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import web
from companion.games.watching import IN_THE_WAY
from companion.messages import Messages
from companion.simulator.demo import VirtualPhone
from companion.simulator.draw import Table as OnTheTable
from companion.simulator.faults import Fault
from companion.simulator.hands import Hand
from tests.service.stepped import Evening

SAID_WITHIN_S = 2.0
MENDED_WITHIN_S = 10.0
LASTS_S = 4.0
"""How long each fault lasts, in seconds."""

BED, KITCHEN = "this-bed-is-mine", "chop-chop"
PAGE = Path(__file__).parents[2] / "docs" / "faults.md"

CLOCK_BACK = "clock-back-an-hour"
HOUR_S = 3600.0

SAID: dict[str, str] = {
    Fault.UNPLUGGED: "unplugged",
    Fault.FROZEN: "frozen",
    Fault.BLACK: "black",
    Fault.OVEREXPOSED: "overexposed",
    Fault.SLOW: "slow",
    Fault.BLURRED: "blurred",
    Fault.MARKER_COVERED: "marker-covered",
    Fault.CUP_ON_MARKER: "marker-covered",
    Fault.BUMPED: "bumped",
    Fault.HAND_STAYS: "hand",
    CLOCK_BACK: "clock",
}
"""The word for each fault: of the camera's state, or of a notice."""


WORDS = Messages.from_files(Path(web.__file__).parent / "messages.toml")

INTRODUCTION = """# Faults of the table

When something is wrong with the camera or at the table, every page says so, and the match goes on by taps.
The sentence goes away by itself once the fault is mended.

| the pages say | its name |
| --- | --- |
"""

HOW_SOON = """
## How soon

Each fault is switched on at the virtual table in each situation, for some seconds, and then off again. A cell
has the seconds until the pages said it by its own name, and the seconds after its end until all was as before
(the same words, question and moves). No move was made up in any of them. In `mid-throw` a die has fallen but
was not read yet: it must be read afterwards, once.

The times are those of the virtual table's clock: they leave out how long a machine computes.
`python -m tests.service.test_fault_matrix` measures them again and writes this page; `make test-all` tries
every cell.

"""


Shown = tuple[str, tuple[str, int] | None, str, tuple[Any, ...]]
"""What the pages show: the word for the camera, what is asked, what is needed, the moves."""


class Situation:
    """An evening that stands still at one point of a match."""

    def __init__(self, game: str) -> None:
        self.evening = Evening(game)
        self.evening.camera.table.sit_down(VirtualPhone(self.evening.table))

    @property
    def said(self) -> str:
        """What the pages say is wrong, in a word; empty while all is well."""
        if self.evening.wall_clock.set_back_min() == 60:
            return "clock"
        state = self.evening.loop.state()
        kind = "slow" if state.kind == "busy" else state.kind  # the tests may be what the machine does
        return kind if kind != "ok" else state.why if state.why in IN_THE_WAY else ""

    @property
    def asked(self) -> tuple[str, int] | None:
        """What the people are asked."""
        sighting = self.evening.table.snapshot.view().sighting
        return None if sighting is None else (sighting.why, len(sighting.guesses))

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves of the match."""
        return self.evening.table.match.moves

    @property
    def shown(self) -> Shown:
        """All that must be right again after a fault."""
        return self.said, self.asked, self.evening.loop.state().needs, self.moves

    def settle(self, table: OnTheTable | None = None) -> None:
        """Leave on the table what is there, or just this, until it was read."""
        now = msgspec.structs.replace(table or self.evening.camera.table.now, hand=None)
        self.evening.stay(now)
        for _ in range(30):
            self.evening.step()

    def before(self) -> Shown:
        """Make ready for a fault; what must be shown once it is over."""
        return self.shown


class Idle(Situation):
    """The match has begun, and the board is empty."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.evening.until(lambda: self.evening.loop.state().taught and not self.said, 60)
        self.settle(OnTheTable())


class MyTurn(Situation):
    """Three tiles lie there, and somebody thinks."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.evening.until(lambda: self.evening.table.match.n == 3, 200)
        self.settle()


class QuestionOpen(Situation):
    """A tile was taken off the board, and people are asked whether the move is taken back."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.evening.until(lambda: self.evening.table.match.n == 3, 200)
        self.settle()
        now = self.evening.camera.table.now
        without = msgspec.structs.replace(now, tiles=now.tiles[:-1])
        self.settle(without)
        self.evening.stay(msgspec.structs.replace(without, hand=Hand(4, 4)))
        self.evening.until(lambda: self.said == "hand", 5)
        self.settle(without)
        assert self.asked == ("tile-gone", 2)


class Teaching(Situation):
    """The empty board was shown, and no tile yet."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.evening.until(lambda: self.evening.loop.state().needs == "teach", 60)
        self.settle(OnTheTable())


class AtTheEnd(Situation):
    """The match is over, and everything lies there still."""

    def __init__(self) -> None:
        super().__init__(BED)
        self.evening.until(lambda: self.evening.table.match.outcome, 900)
        self.settle()


class MidThrow(Situation):
    """The die was thrown a moment ago, and was not read yet."""

    def __init__(self) -> None:
        super().__init__(KITCHEN)
        people = self.evening.camera.table
        self.evening.until(lambda: self.evening.table.match.n == 1, 100)
        self.evening.until(lambda: people.now.dice and not people.now.hand, 60)
        self._thrown = msgspec.structs.replace(people.now, hand=None)
        self.settle(msgspec.structs.replace(self._thrown, dice=()))
        assert [type(move).__name__ for move in self.evening.table.match.moves] == ["PlaceCat"]

    def before(self) -> Shown:
        """The throw is taken back, the die picked up and thrown again: it must be read once."""
        if len(self.moves) == 2:
            self.evening.table.undo("phone")
        for _ in range(2):
            self.settle(msgspec.structs.replace(self._thrown, dice=()))
        said, asked, needs, moves = self.shown
        self.evening.stay(self._thrown)
        self.evening.step()
        throw = {"move": "throw", "dice": [self._thrown.dice[0].value]}
        return said, asked, needs, (*moves, self.evening.table.match.game.move(throw))


SITUATIONS: dict[str, Callable[[], Situation]] = {
    "idle": Idle,
    "my turn": MyTurn,
    "mid-throw": MidThrow,
    "question open": QuestionOpen,
    "teaching": Teaching,
    "at the end": AtTheEnd,
}


class Cell(msgspec.Struct, frozen=True):
    """What was measured of one fault in one situation, in seconds."""

    said_s: float
    mended_s: float


def switch(evening: Evening, fault: str, *, on: bool) -> None:
    """Begin a fault, or end it."""
    if fault == CLOCK_BACK:
        evening.began_s += -HOUR_S if on else HOUR_S
    elif on:
        evening.camera.faults.add(fault)
    else:
        evening.camera.faults.discard(fault)


def measure(situation: Situation, fault: str) -> Cell:
    """Let the fault come and go. Fails if it is not said, makes a move, or does not end by itself."""
    evening = situation.evening
    expected = situation.before()
    right = (situation.moves, expected[-1])

    def said() -> bool:
        assert situation.moves in right, "a move was made up"
        return situation.said == SAID[fault]

    def mended() -> bool:
        assert situation.moves in right, "a move was made up"
        return situation.shown == expected

    switch(evening, fault, on=True)
    said_s = evening.until(said, SAID_WITHIN_S)
    ends_s = evening.now_s + LASTS_S
    evening.until(lambda: said() is None or evening.now_s > ends_s, LASTS_S + 1)
    switch(evening, fault, on=False)
    return Cell(round(said_s, 1), round(evening.until(mended, MENDED_WITHIN_S), 1))


@cache
def situation(name: str) -> Situation:
    """The situation of that name, set up once."""
    return SITUATIONS[name]()


MOSTLY_SLOW = [
    pytest.param(name, marks=[] if name == "mid-throw" else pytest.mark.slow) for name in SITUATIONS
]
"""`make test` tries each fault in the middle of a throw."""


@pytest.mark.parametrize("fault", SAID)
@pytest.mark.parametrize("name", MOSTLY_SLOW)
def test_a_fault_is_said_makes_no_move_and_ends_by_itself(name: str, fault: str) -> None:
    measure(situation(name), fault)


def sentences() -> str:
    """What the pages say of each fault, as rows of a table."""
    said: dict[str, str] = {}
    for word in SAID.values():
        keys = (f"web.eye-{word}-long", f"why.{word}", f"notice.{word}")
        said[word] = next(WORDS.say(key, "en", minutes=60) for key in keys if key in WORDS)
    return "".join(f"| {sentence} | `{word}` |\n" for word, sentence in said.items())


def page() -> str:
    """docs/faults.md, measured now."""
    head = f"| fault | it is said as | {' | '.join(SITUATIONS)} |\n|---|---|{'---|' * len(SITUATIONS)}\n"
    rows = [
        f"| `{fault}` | `{word}` | "
        + " | ".join(
            f"{cell.said_s} / {cell.mended_s}"
            for cell in (measure(situation(name), fault) for name in SITUATIONS)
        )
        + " |\n"
        for fault, word in SAID.items()
    ]
    return INTRODUCTION + sentences() + HOW_SOON + head + "".join(rows)


def test_the_page_has_every_fault_and_situation() -> None:
    text = PAGE.read_text("utf-8")
    assert text.startswith(INTRODUCTION + sentences() + HOW_SOON)
    assert all(f"| `{fault}` | `{word}` |" in text for fault, word in SAID.items())
    assert f"| {' | '.join(SITUATIONS)} |" in text


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
