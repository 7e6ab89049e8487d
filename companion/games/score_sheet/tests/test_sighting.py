"""The camera's dice: a throw of whoever is in turn, asked about where they are unclear."""

from __future__ import annotations

from companion.games.score_sheet import GAME
from companion.games.score_sheet.state import SheetState, Throw
from companion.games.watching import Dice, Die, Observation, Verdict

STATE = GAME.play(GAME.start(GAME.options({}), 3), GAME.parse("turn player-2"))


def dice(*values: int) -> tuple[Die, ...]:
    """Dice that are surely seen."""
    return tuple(Die(value) for value in values)


def with_sheet(text: str) -> SheetState:
    """A match with the sheet in a text."""
    return GAME.start(GAME.options({"sheet": text}), 2)


def test_any_number_of_dice_is_a_throw_of_the_player_in_turn() -> None:
    assert GAME.dice_now(STATE) == Dice(None)
    for values in ((4,), (3, 5, 1), (6,) * 9):
        seen = GAME.sighting(STATE, Observation(dice=dice(*values)))
        assert seen.verdict is Verdict.PLAY
        assert seen.guesses[0].moves == (Throw("player-2", values),)


def test_the_sheet_says_how_many_dice_are_thrown() -> None:
    assert GAME.dice_now(with_sheet("dice = 5\n")) == Dice(5)
    seen = GAME.sighting(with_sheet("dice = 2\n"), Observation(dice=dice(1, 1, 1)))
    assert (seen.verdict, seen.rule) == (Verdict.BREAKS, "number-of-dice")


def test_unclear_dice_are_asked_about() -> None:
    seen = GAME.sighting(STATE, Observation(unsure=True, why="dice", dice=(Die(5, confidence=0.5), Die(3))))
    assert (seen.verdict, seen.why) == (Verdict.ASK, "dice-unclear")
    assert [(guess.moves[0].dice, guess.confidence) for guess in seen.guesses] == [((5, 3), 0.5)]


def test_a_hand_is_waited_for_and_nothing_is_nothing() -> None:
    assert GAME.sighting(STATE, Observation(dice=dice(5), why="hand")).verdict is Verdict.WAIT
    assert GAME.sighting(STATE, Observation(dice=())).verdict is Verdict.NOTHING


def test_after_the_match_dice_are_no_throw() -> None:
    over = GAME.play(GAME.play(STATE, GAME.parse("player-1 gets 1 in 1")), GAME.parse("finish"))
    assert GAME.sighting(over, Observation(dice=dice(5))).rule == "match-over"
