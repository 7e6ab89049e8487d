"""What a seat noted is set aside when another phone sits there, and handed over; the journal keeps both."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalMove
from companion.games.registry import AnyGame
from companion.play import exports
from companion.play.history import History
from companion.play.journal import Journal
from companion.play.match import Match
from tests.conformance.playing import GAMES, matches
from tests.conformance.test_every_game import thorough
from tests.whispers.game import GAME as WHISPERS
from tests.whispers.moves import DRAW, lay, tell


@pytest.fixture
def match(journal: Journal, whispers: str) -> Match:
    """North and east drew twice; north noted two cards, one before east's second draw and one after."""
    begun = Match.begin(journal, whispers, {})
    begun.play_all([DRAW, DRAW, DRAW, tell("north", 4), DRAW, tell("north", 5), tell("east", 7)], "phone")
    return begun


def hand(match: Match, seat: str) -> tuple[int, ...]:
    """What a seat is shown of its hand."""
    cards: tuple[int, ...] = match.view(seat).board.hand
    return cards


def again(match: Match) -> Match:
    """The same match as the journal has it."""
    return Match(match.journal, match.record)


def test_a_seat_that_another_phone_takes_starts_with_an_empty_hand(match: Match) -> None:
    match.play(tell("east", 8), "another phone", seat="east")
    open_before, east_before = match.view(None), match.view("east")
    assert match.set_aside("north", "phone") == 1
    assert hand(match, "north") == ()
    assert (match.view(None), match.view("east")) == (open_before, east_before)
    assert match.view("north").n == open_before.n


def test_what_is_handed_over_is_back_at_its_place(match: Match) -> None:
    before = match.state
    match.set_aside("north", "phone")
    match.hand_over("north", 1, "phone")
    assert match.state == before
    assert hand(match, "north") == (4, 5)
    match.undo("phone", seat="north")
    assert hand(match, "north") == (4,)


def test_both_are_in_the_journal(match: Match) -> None:
    match.set_aside("north", "phone")
    assert (again(match).state, hand(again(match), "north")) == (match.state, ())
    match.play(tell("north", 6), "phone", seat="north")
    match.hand_over("north", 1, "phone")
    assert again(match).state == match.state
    assert again(match).view("north") == match.view("north")


def test_a_note_that_no_longer_fits_is_dropped(match: Match) -> None:
    match.set_aside("north", "phone")
    match.play_all([tell("north", 6), tell("north", 8)], "phone")  # the hand is two cards
    match.hand_over("north", 1, "phone")
    assert hand(match, "north") == (4, 5)
    assert again(match).state == match.state


def test_notes_of_two_phones_are_handed_over_one_by_one(match: Match) -> None:
    assert match.set_aside("north", "phone") == 1
    match.play(tell("north", 6), "phone")
    assert match.set_aside("north", "phone") == 2
    match.hand_over("north", 2, "phone")
    assert hand(match, "north") == (6,)
    with pytest.raises(IllegalMove):
        match.hand_over("north", 2, "phone")


def test_an_open_move_that_is_undone_takes_the_notes_after_it_along(match: Match) -> None:
    match.set_aside("north", "phone")
    match.undo("phone")  # east's second draw, before which the 4 was noted
    match.redo("phone")
    match.hand_over("north", 1, "phone")
    assert hand(match, "north") == (4,)


def test_a_card_that_was_laid_meanwhile_is_in_no_hand(match: Match) -> None:
    match.set_aside("north", "phone")
    match.play(lay(4), "phone")
    match.hand_over("north", 1, "phone")
    assert hand(match, "north") == (5,)


def test_a_whole_export_has_it_and_an_open_one_does_not(match: Match, tmp_path: Path) -> None:
    match.set_aside("north", "phone")
    match.play(tell("north", 6), "phone", seat="north")
    match.hand_over("north", 1, "phone")
    lines = [json.loads(line) for line in exports.as_lines(match, whole=True).splitlines()]
    copied = Match.begin(Journal(tmp_path / "copy.sqlite"), "whispers", {})
    for line in lines[1:]:
        step = exports.undo_or_redo(line)
        if step is None:
            copied.play(line, "import")
        else:
            exports.follow(copied, step, "import")
    assert copied.state == match.state
    copied.journal.close()
    assert "aside" not in exports.as_lines(match)


@pytest.mark.parametrize("of", [*GAMES, WHISPERS], ids=lambda of: of.slug)
@thorough
@given(data=st.data())
def test_in_every_game_others_see_the_same_and_a_hand_comes_back_whole(
    of: AnyGame, data: st.DataObject
) -> None:
    played = data.draw(matches(of))
    history = History(of, tuple(played.states), tuple(played.moves))
    seats = of.seat_names(history.state)
    seat = random.Random(len(played.moves)).choice(seats)
    aside = history.set_aside(seat)
    for other in (None, *seats):
        if other != seat:
            assert of.view(of.hide(aside.state, other), other) == of.view(
                of.hide(history.state, other), other
            )
    assert aside.hand_over(1).state == history.state
