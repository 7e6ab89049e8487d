"""A match in words: its moves, its places, its luck."""

from __future__ import annotations

from itertools import pairwise

from companion.games.score_sheet import GAME
from companion.games.score_sheet.state import SheetMove, SheetState
from companion.messages import messages_of_game
from tests.conformance import golden

COURSE: list[tuple[SheetState, SheetMove]] = []
STATE = GAME.start(GAME.options({"sheet": "tricks"}), 3)
for text in (
    *("player-1 throws 6 6", "player-1 gets 5 in 1", "player-2 gets -3 in 1", "player-2 gets 3 in 1"),
    *("player-3 gets 5 in 1", 'note 1 "close"', "finish"),
):
    COURSE.append((STATE, GAME.parse(text)))
    STATE = GAME.play(STATE, GAME.parse(text))


def test_the_fewest_points_stand_first_where_they_win() -> None:
    places = GAME.retrospect.places(COURSE, STATE)
    assert [place.seat for place in places] == ["player-2", "player-1", "player-3"]
    decided = GAME.retrospect.decided(COURSE, STATE)
    assert decided is not None
    assert (decided.reason, decided.facts) == ("points", {"margin": 2})


def test_who_is_level_is_said_and_one_player_beats_nobody() -> None:
    level = GAME.play(COURSE[3][0], GAME.parse("player-2 gets 0 in 1"))
    level = GAME.play(level, GAME.parse("player-3 gets 0 in 1"))
    decided = GAME.retrospect.decided(COURSE, GAME.play(level, GAME.parse("finish")))
    assert decided is not None
    assert decided.reason == "level"
    assert GAME.retrospect.decided([], GAME.start(GAME.options({}), 1)) is None


def test_the_luck_is_that_of_the_dice() -> None:
    luck = GAME.retrospect.luck(COURSE)["player-1"]
    assert (luck.times, luck.total, luck.expected) == (1, 12, 7.0)


def test_each_move_that_counts_is_said_in_words() -> None:
    words = messages_of_game(GAME.slug)
    states = [state for state, _ in COURSE] + [STATE]
    said = [
        [words.say(phrase.key, "en", **phrase.facts) for phrase in GAME.retrospect.narrate(one, two)]
        for one, two in pairwise(states)
    ]
    assert said[:4] == [
        ["Player 1 threw 6, 6: 12"],
        ["Player 1 writes 5"],
        ["Player 2 writes -3"],
        ["Player 2 writes 3"],
    ]
    assert said[-2:] == [[], []]


def test_the_golden_matches_together_have_every_move_and_refusal() -> None:
    lines = [line for path in golden.files(GAME) for line in golden.playthrough(path)[1:]]
    kinds = {line["move"]["move"] for line in lines if "refused" not in line}
    assert kinds == {"enter", "throw", "turn", "note", "finish"}
    refusals = {line["refused"] for line in lines if "refused" in line}
    assert {"round-is-open", "no-such-line", "has-the-turn", "nothing-entered", "die-faces"} <= refusals
