"""The rules, each by its name, and any match against a referee that counts with pencil and paper."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import MoveError
from companion.games.score_sheet import GAME
from companion.games.score_sheet.sheet import MOST_POINTS
from companion.games.score_sheet.state import Enter, Finish, Note, SheetState, Throw, Turn

ADA, BEN, CLEO = "player-1", "player-2", "player-3"

ROUNDS = 'entries = "rounds"\n'
FREE = 'entries = "free"\n'


def begun(text: str, seats: int = 2) -> SheetState:
    """A match with the sheet in a text."""
    return GAME.start(GAME.options({"sheet": text}), seats)


def played(state: SheetState, *moves: str) -> SheetState:
    """The state after moves in the game's notation."""
    for move in moves:
        state = GAME.play(state, GAME.parse(move))
    return state


def refused(state: SheetState, move: str) -> str:
    """The rule that refuses a move."""
    with pytest.raises(MoveError) as caught:
        played(state, move)
    assert all("{" not in caught.value.says(language) for language in ("en", "zh-Hant", "ko"))
    return caught.value.rule


# Whose turn it is


def test_an_entry_moves_the_turn_on_and_a_correction_does_not() -> None:
    state = played(begun(FREE, 3), f"{ADA} gets 5 in 1")
    assert GAME.turn(state) == BEN
    state = played(state, f"{ADA} gets 7 in 1")
    assert (GAME.turn(state), state.totals[ADA]) == (BEN, 7)


def test_the_starting_player_moves_on_with_each_round_or_stays() -> None:
    entries = [f"{seat} gets 1 in {line}" for line in (1, 2) for seat in (ADA, BEN)]
    moves, stays = begun(ROUNDS), begun(ROUNDS + 'starter = "stays"\n')
    for n, expected in enumerate((ADA, BEN, BEN, BEN, ADA)):
        assert GAME.turn(moves) == expected
        assert GAME.turn(stays) == (ADA, BEN)[n % 2]
        if n < len(entries):
            moves, stays = played(moves, entries[n]), played(stays, entries[n])


def test_who_has_written_in_this_round_is_passed_over() -> None:
    state = played(begun(ROUNDS, 3), f"{BEN} gets 1 in 1", f"{ADA} gets 2 in 1")
    assert GAME.turn(state) == CLEO


def test_a_press_passes_the_turn_on_or_takes_it() -> None:
    state = begun(FREE, 3)
    assert GAME.pressed(state, ADA) == Turn(BEN)
    assert GAME.pressed(state, CLEO) == Turn(CLEO)
    assert GAME.pressed(begun(FREE, 1), ADA) is None
    assert GAME.turn(played(state, f"turn {CLEO}")) == CLEO


def test_who_has_the_turn_cannot_take_it() -> None:
    assert refused(begun(FREE), f"turn {ADA}") == "has-the-turn"


# What may be written


def test_in_rounds_nobody_is_a_round_ahead() -> None:
    state = played(begun(ROUNDS), f"{ADA} gets 5 in 1")
    assert refused(state, f"{ADA} gets 5 in 2") == "round-is-open"
    assert refused(state, f"{BEN} gets 5 in 2") == "no-such-line"
    assert played(state, f"{BEN} gets -5 in 1").round == 2


def test_with_free_entries_one_may_have_more_than_another() -> None:
    state = played(begun(FREE), f"{ADA} gets 5 in 1", f"{ADA} gets 6 in 2")
    assert (state.filled, state.round, state.totals[ADA]) == ((2, 0), 2, 11)
    assert refused(state, f"{BEN} gets 5 in 2") == "no-such-line"


def test_each_row_is_filled_once_in_any_order() -> None:
    state = played(begun('rows = ["a", "b", "c"]\n'), f"{ADA} gets 5 in 3", f"{BEN} gets 1 in 1")
    assert state.cells == ((None, None, 5), (1, None, None))
    assert state.open_lines(0) == (1, 2)
    assert refused(state, f"{ADA} gets 5 in 4") == "no-such-line"


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("player-3 gets 1 in 1", "no-such-seat"),
        ("turn player-3", "no-such-seat"),
        ("finish", "nothing-entered"),
        ('note 2 "too early"', "no-such-line"),
        ("player-1 throws", "number-of-dice"),
        ("player-1 throws" + " 1" * 13, "number-of-dice"),
        ("player-1 throws 1 7", "die-faces"),
        (f"player-1 gets {MOST_POINTS + 1} in 1", "not-a-move"),
    ],
)
def test_what_cannot_be_is_refused_with_its_rule(move: str, rule: str) -> None:
    assert refused(begun(FREE), move) == rule


def test_a_throw_has_at_most_the_dice_of_the_sheet() -> None:
    state = begun(FREE + "dice = 5\n")
    assert refused(state, f"{ADA} throws 1 2 3 4 5 6") == "number-of-dice"
    assert played(state, f"{ADA} throws 6 6").throws[0].dice == (6, 6)


def test_words_stand_on_a_line_until_they_are_empty() -> None:
    state = played(begun(ROUNDS), 'note 1 "so \\"close\\""')
    assert state.notes == {1: 'so "close"'}
    assert played(state, 'note 1 ""').notes == {}


# When it is over


def test_a_target_ends_the_match_once_the_round_is_over() -> None:
    state = played(begun(ROUNDS + "target = 10\n"), f"{ADA} gets 10 in 1")
    assert GAME.outcome(state) is None
    ended = GAME.outcome(played(state, f"{BEN} gets 12 in 1"))
    assert ended is not None
    assert (ended.reason, ended.winners, ended.points) == ("target", (BEN,), {ADA: 10, BEN: 12})


def test_with_free_entries_a_target_ends_it_at_once_and_points_may_count_down() -> None:
    state = begun(FREE + 'counts = "down"\nstart = 301\ntarget = 0\nwins = "least"\n')
    state = played(state, f"{ADA} gets 300 in 1")
    assert GAME.outcome(state) is None
    ended = GAME.outcome(played(state, f"{ADA} gets 1 in 2"))
    assert ended is not None
    assert (ended.winners, ended.points) == ((ADA,), {ADA: 0, BEN: 301})


def test_who_is_level_shares_the_win() -> None:
    state = played(begun(ROUNDS + "rounds = 1\n"), f"{ADA} gets 4 in 1", f"{BEN} gets 4 in 1")
    ended = GAME.outcome(state)
    assert ended is not None
    assert (ended.reason, ended.winners) == ("rounds", (ADA, BEN))
    assert refused(state, "finish") == "match-over"


def test_the_players_may_finish_at_any_time() -> None:
    state = played(begun(ROUNDS + 'wins = "least"\n'), f"{ADA} gets 4 in 1", "finish")
    ended = GAME.outcome(state)
    assert ended is not None
    assert (ended.reason, ended.winners) == ("finished", (BEN,))


def test_the_moves_of_a_round_are_known_by_their_numbers() -> None:
    state = played(begun(ROUNDS), f"{ADA} throws 3", f"{ADA} gets 1 in 1", f"{BEN} gets 1 in 1")
    state = played(state, f"{BEN} throws 6", f"{BEN} gets 6 in 2")
    assert (state.began, state.moves) == ((0, 3), 5)
    assert [(thrown.move, thrown.line) for thrown in state.throws] == [(1, 1), (4, 2)]


# Any match, against a referee


class Referee:
    """Keeps the same match as a list of strips of paper."""

    def __init__(self, sheet: dict[str, Any], seats: int) -> None:
        self.sheet, self.names = sheet, [f"player-{n}" for n in range(1, seats + 1)]
        self.paper: dict[tuple[str, int], int] = {}
        self.at, self.ended = 0, False

    def written(self, name: str) -> int:
        """How often a player has written."""
        return len([1 for who, _ in self.paper if who == name])

    def totals(self) -> dict[str, int]:
        """The totals, added up strip by strip."""
        totals = dict.fromkeys(self.names, self.sheet.get("start", 0))
        for (name, _), points in self.paper.items():
            totals[name] += -points if self.sheet.get("counts") == "down" else points
        return totals

    def in_rounds(self) -> bool:
        """Whether all write once a round."""
        return bool(self.sheet.get("entries", "rounds") == "rounds")

    def over(self) -> bool:
        """Whether anything has ended the match."""
        counts = {self.written(name) for name in self.names}
        last = len(self.sheet.get("rows", ())) or self.sheet.get("rounds", 0)
        if self.ended or (last and counts == {last}):
            return True
        if "target" not in self.sheet or (self.in_rounds() and len(counts) > 1):
            return False
        target, down = self.sheet["target"], self.sheet.get("counts") == "down"
        return any(total <= target if down else total >= target for total in self.totals().values())

    def enter(self, name: str, points: int, line: int) -> None:
        """Write, and say whose turn is next."""
        corrects, done = (name, line) in self.paper, min(map(self.written, self.names))
        self.paper[name, line] = points
        if corrects:
            return
        if self.in_rounds() and min(map(self.written, self.names)) > done:
            self.at = (done + 1) % len(self.names) if self.sheet.get("starter") != "stays" else 0
        elif self.names[self.at] == name:
            self.at = (self.at + 1) % len(self.names)
            while self.in_rounds() and self.written(self.names[self.at]) > done:
                self.at = (self.at + 1) % len(self.names)


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """Any sheet that can be played."""
    sheet: dict[str, Any] = {
        "wins": draw(st.sampled_from(("most", "least"))),
        "counts": draw(st.sampled_from(("up", "down"))),
        "start": draw(st.sampled_from((0, 20))),
        "starter": draw(st.sampled_from(("moves", "stays"))),
    }
    ends = draw(st.sampled_from(("free", "rounds", "rows", "never")))
    sheet["entries"] = "free" if ends == "free" else "rounds"
    if ends in ("rounds", "rows"):
        sheet[ends] = draw(st.integers(1, 3)) if ends == "rounds" else ["a", "b"][: draw(st.integers(1, 2))]
    if draw(st.booleans()):
        sheet["target"] = sheet["start"] + (12 if sheet["counts"] == "up" else -12)
    return sheet


@settings(deadline=None)
@given(data=st.data())
def test_any_match_is_as_the_referee_says(data: st.DataObject) -> None:
    sheet, seats = data.draw(sheets()), data.draw(st.integers(1, 4))
    text = "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in sheet.items())
    state, referee = begun(text, seats), Referee(sheet, seats)
    for _ in range(data.draw(st.integers(0, 14))):
        if GAME.outcome(state) is not None:
            break
        legal = [*GAME.legal_moves(state), Note(1, "x")]
        kind = data.draw(st.sampled_from(sorted({type(move) for move in legal}, key=str)))
        move = data.draw(st.sampled_from([move for move in legal if type(move) is kind]))
        state = GAME.play(state, move)
        match move:
            case Enter(seat, points, line):
                referee.enter(seat, points, line)
            case Turn(seat):
                referee.at = referee.names.index(seat)
            case Finish():
                referee.ended = True
            case Throw() | Note():
                pass
        assert state.totals == referee.totals()
        ended = GAME.outcome(state)
        assert (ended is not None) == referee.over()
        if ended is None:
            assert GAME.turn(state) == referee.names[referee.at]
        else:
            best = (max if sheet["wins"] == "most" else min)(referee.totals().values())
            assert [*ended.winners] == [name for name in referee.names if referee.totals()[name] == best]


def test_by_chance_a_match_is_played_to_its_end() -> None:
    state = GAME.start(GAME.options({"sheet": "five_dice"}), 3)
    moves, chance = 0, random.Random(1)
    while (move := GAME.likely_move(state, chance.randrange)) is not None:
        state, moves = GAME.play(state, move), moves + 1
    assert (moves, GAME.turn(state)) == (3 * 14 * 2, None)
    begun_points = played(begun(ROUNDS), f"{ADA} gets 1 in 1", f"turn {ADA}")
    assert GAME.likely_move(begun_points, lambda _: 0) == Turn(BEN)
