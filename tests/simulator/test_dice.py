"""A game without a bed of its own is played beside the usual one: its dice are thrown in the tray."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

import msgspec
import pytest

from companion.games import registry
from companion.games.game import Game, Move, Options, Outcome, State
from companion.games.watching import Dice, Observation, SeesDice, Sighting, Verdict
from companion.simulator.dice import Die, faces_of
from companion.simulator.draw import Table
from companion.simulator.sources import virtual_camera
from tests.camera.conftest import Clock
from tests.simulator.test_play import no_pictures

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

    def set_up(self, options: Options, seats: int) -> Thrown:
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
    while not (frame := camera.read_frame()) or frame.note is None or frame.note.role != "empty" or not seen:
        seen.append(camera.table.now)
    throws = {tuple(die.value for die in table.dice) for table in seen}
    assert () in throws
    assert 2 <= len(throws) <= 4
    assert all(not table.tiles and not table.markers for table in seen)


SIX = (1, 2, 3, 4, 5, 6)
GREY, BLUE = (1, 2, 3, 4), (1, 2, 3)
"""The values on Chop! Chop!'s own dice: the mice's and the cat's."""
PICTURES = 400
"""So many that every face is thrown."""


@pytest.mark.parametrize(
    ("game", "options", "dice"),
    [
        ("cat-and-mouse", "", {"white": SIX, "red": SIX}),
        ("chop-chop", "", {"grey": GREY, "blue": BLUE}),
        ("chop-chop", "&dice=plain", {"grey": SIX, "blue": SIX}),
    ],
)
def test_people_throw_each_face_of_their_games_dice_and_no_other(
    game: str,
    options: str,
    dice: dict[str, tuple[int, ...]],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_pictures(monkeypatch)
    camera = virtual_camera(
        f"virtual?game={game}{options}&still=1&reach=1&empty=1&end=1", clock=clock, sleep=clock.sleep
    )
    thrown: dict[str, set[int]] = {colour: set() for colour in dice}
    for _ in range(PICTURES):
        camera.read_frame()
        for die in camera.table.now.dice:
            assert die.faces == dice[die.colour]
            thrown[die.colour].add(die.value)
    assert {colour: tuple(sorted(values)) for colour, values in thrown.items()} == dice


@pytest.mark.parametrize(
    ("value", "faces", "sides"),
    [
        (1, SIX, {2, 3, 4, 5}),
        (6, SIX, {2, 3, 4, 5}),
        (3, SIX, {1, 2, 5, 6}),
        # On a cube with four values 1 and 2 are there twice, opposite each other, and 3 is opposite 4.
        (1, GREY, {2, 3, 4, 1}),
        (3, GREY, {1, 2}),
        (4, GREY, {1, 2}),
        (1, BLUE, {2, 3, 1}),
        (3, BLUE, {1, 2, 3}),
    ],
)
def test_the_sides_of_a_die_show_values_that_it_has(
    value: int, faces: tuple[int, ...], sides: set[int]
) -> None:
    top, *around = faces_of(Die(value, faces=faces))
    assert top == value
    assert set(around) <= set(faces)
    assert set(around) == sides
