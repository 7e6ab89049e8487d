"""What is private to a seat stays so, whichever the game: it shows in nothing that others see."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalMove
from companion.games.registry import AnyGame
from tests.conformance import golden
from tests.conformance.playing import GAMES, Match, matches, plain
from tests.conformance.private import check_what_is_refused, check_what_is_shown, known_to
from tests.conformance.test_every_game import thorough
from tests.whispers.game import GAME as WHISPERS
from tests.whispers.game import Draw, Lay, Tell, Whispers, WhispersState

every_game = pytest.mark.parametrize("of", [*GAMES, WHISPERS], ids=lambda of: of.slug)


@every_game
@thorough
@given(data=st.data())
def test_a_private_move_is_of_a_seat_that_is_there(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for move in (*match.moves, *match.possible):
        assert of.private_to(move) in (None, *of.seat_names(match.states[0]))
    for state in match.states:
        for seat in of.seat_names(state):
            pressed = of.pressed(state, seat)
            assert pressed is None or of.private_to(pressed) in (None, seat)


@every_game
@thorough
@given(data=st.data())
def test_what_others_did_in_private_shows_nowhere(of: AnyGame, data: st.DataObject) -> None:
    check_what_is_shown(data.draw(matches(of)))


@every_game
@thorough
@given(data=st.data())
def test_no_refusal_tells_what_others_did_in_private(of: AnyGame, data: st.DataObject) -> None:
    check_what_is_refused(data.draw(matches(of)))


@pytest.mark.parametrize(
    ("of", "path"),
    [pytest.param(of, path, id=f"{of.slug}-{path.stem}") for of in GAMES for path in golden.files(of)],
)
def test_the_open_moves_of_a_golden_playthrough_are_a_match(of: AnyGame, path: Path) -> None:
    head, *rest = golden.playthrough(path)
    start = of.start(of.options(head["options"]), head["seats"])
    moves = [of.move(line["move"]) for line in rest if "refused" not in line]
    whole = opened = start
    for move in moves:
        whole = of.play(whole, move)
    for move in known_to(of, moves, None):
        opened = of.play(opened, move)
    assert plain(of.view(of.hide(whole, None), None)) == plain(of.view(of.hide(opened, None), None))


# That the checks find what they are for: games that give something away


class ShowsAll(Whispers):
    """Hides nothing."""

    def hide(self, state: WhispersState, seat: str | None) -> WhispersState:
        return state

    def view(self, state: WhispersState, seat: str | None) -> msgspec.Struct:
        return state


class CountsAll(Whispers):
    """Takes a private move for a turn."""

    def play(self, state: WhispersState, move: Draw | Lay | Tell) -> WhispersState:
        after = super().play(state, move)
        return msgspec.structs.replace(after, played=state.played + 1)


class BelievesAll(Whispers):
    """Refuses to lay a card that another seat told of."""

    def play(self, state: WhispersState, move: Draw | Lay | Tell) -> WhispersState:
        if isinstance(move, Lay) and any(move.card in cards for cards in state.noted):
            raise IllegalMove(self.slug, "told-twice", card=move.card)
        return super().play(state, move)

    def legal_moves(self, state: WhispersState) -> list[Draw | Lay | Tell]:
        return [Draw()] if state.left else []


class ToldOnce(Whispers):
    """Refuses to be told of a card by a second seat."""

    def play(self, state: WhispersState, move: Draw | Lay | Tell) -> WhispersState:
        if isinstance(move, Tell) and any(move.card in cards for cards in state.noted):
            raise IllegalMove(self.slug, "told-twice", card=move.card)
        return super().play(state, move)


def by_chance(of: AnyGame, *moves: Draw | Lay | Tell) -> Match:
    """A match of these moves, after which all others are tried."""
    match = Match(of, 2, of.options({}), [of.start(of.options({}), 2)])
    for move in moves:
        match.states.append(of.play(match.states[-1], move))
        match.moves.append(move)
    match.possible = list(of_every_kind(random.Random(1)))
    return match


def of_every_kind(chance: random.Random) -> Iterator[Draw | Lay | Tell]:
    """Some moves."""
    yield Draw()
    for card in chance.sample(range(1, 10), 9):
        yield Lay(card)
        yield Tell("north", card)
        yield Tell("east", card)


TOLD = (Draw(), Draw(), Tell("north", 4))


@pytest.mark.parametrize("of", [ShowsAll(), CountsAll()], ids=lambda of: type(of).__name__)
def test_a_game_that_shows_what_was_told_is_found_out(of: AnyGame) -> None:
    with pytest.raises(AssertionError, match="is shown something"):
        check_what_is_shown(by_chance(of, *TOLD))


@pytest.mark.parametrize("of", [BelievesAll(), ToldOnce()], ids=lambda of: type(of).__name__)
def test_a_game_that_refuses_by_what_was_told_is_found_out(of: AnyGame) -> None:
    with pytest.raises(AssertionError, match="after 3 moves"):
        check_what_is_refused(by_chance(of, *TOLD))


def test_a_game_that_keeps_it_is_not() -> None:
    check_what_is_shown(by_chance(WHISPERS, *TOLD))
    check_what_is_refused(by_chance(WHISPERS, *TOLD))
