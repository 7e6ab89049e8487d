"""A game without a bed of its own is played beside the usual one: its dice are thrown in the tray."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
import pytest

from companion.games import registry
from companion.games.game import Game, Move, Options, Outcome, State
from companion.games.watching import Dice, Observation, SeesDice, Sighting, Verdict
from companion.simulator.draw import Table
from companion.simulator.sources import virtual_camera
from tests.camera.conftest import Clock

Pips = Literal[1, 2, 3, 4, 5, 6]


class Toss(Move, frozen=True, forbid_unknown_fields=True, tag="throw"):
    """Two dice thrown."""

    dice: tuple[Pips, Pips]


class Thrown(State, frozen=True):
    """The throws so far."""

    options: Options
    throws: tuple[tuple[int, int], ...] = ()


class Seven(Game[Thrown, Toss, Options], SeesDice):
    """Whoever throws a seven has won; after three throws nobody has, and nobody says so."""

    slug = "seven"
    names = MappingProxyType({"en": "Seven"})
    seat_counts = (1,)
    options_type = Options
    state_type = Thrown
    move_types = (Toss,)
    rules = ()
    folder = Path()

    def start(self, options: Options, seats: int) -> Thrown:
        return Thrown(options)

    def seat_names(self, state: Thrown) -> tuple[str, ...]:
        return ("me",)

    def turn(self, state: Thrown) -> str | None:
        return "me"

    def legal_moves(self, state: Thrown) -> list[Toss]:
        pips: tuple[Pips, ...] = (1, 2, 3, 4, 5, 6)
        return [Toss((a, b)) for a in pips for b in pips] if len(state.throws) < 3 else []

    def play(self, state: Thrown, move: Toss) -> Thrown:
        return Thrown(state.options, (*state.throws, move.dice))

    def outcome(self, state: Thrown) -> Outcome | None:
        return Outcome("seven", ("me",)) if state.throws and sum(state.throws[-1]) == 7 else None

    def view(self, state: Thrown, seat: str | None) -> msgspec.Struct:
        return state

    def dice_now(self, state: Thrown) -> Dice:
        return Dice(2)

    def sighting(self, state: Thrown, observation: Observation) -> Sighting:
        return Sighting(Verdict.NOTHING)


@pytest.fixture
def seven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the game."""
    monkeypatch.setattr(registry, "games", lambda: {"seven": Seven()})


@pytest.mark.usefixtures("seven")
def test_a_game_of_dice_is_played_in_the_tray(clock: Clock) -> None:
    camera = virtual_camera(
        "virtual?game=seven&still=1&reach=2&teach=0&end=1&empty=1", clock=clock, sleep=clock.sleep
    )
    assert camera.scene["rows"] == 16
    seen: list[Table] = []
    while not (frame := camera.read()) or frame.note is None or frame.note.role != "empty" or not seen:
        seen.append(camera.table.now)
    throws = {tuple(die.value for die in table.dice) for table in seen}
    assert () in throws
    assert 2 <= len(throws) <= 4
    assert all(not table.tiles and not table.markers for table in seen)
