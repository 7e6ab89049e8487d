"""What one seat tells in private: kept in the one journal, undone by itself, counted for nobody else."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.errors import IllegalMove, MoveError
from companion.games.watching import Guess, Observation, Sighting, Verdict
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.snapshot import MatchView
from companion.play.table import Table
from tests.conformance.private import known_to
from tests.whispers.game import Lay, Tell, WhispersState
from tests.whispers.moves import DRAW, lay, tell


@pytest.fixture
def match(journal: Journal, whispers: str) -> Match:
    """North and east hold two cards each."""
    begun = Match.begin(journal, whispers, {})
    begun.play_all([DRAW] * 4, "phone")
    return begun


def hand(match: Match, seat: str | None) -> tuple[int, ...]:
    """What a seat is shown of its hand."""
    cards: tuple[int, ...] = match.view(seat).board.hand
    return cards


def all_shown(match: Match, seat: str | None) -> bytes:
    """All that a seat is shown."""
    return msgspec.json.encode(match.view(seat))


def test_what_a_seat_tells_changes_nothing_that_others_are_shown(match: Match) -> None:
    before = {seat: all_shown(match, seat) for seat in (None, "east")}
    match.play(tell("north", 4), "phone", seat="north")
    assert {seat: all_shown(match, seat) for seat in (None, "east")} == before
    assert hand(match, "north") == (4,)
    assert (match.view("north").n, match.view("north").moves) == (5, 5)


def test_a_refusal_names_no_other_seats_private_moves(match: Match) -> None:
    match.play(tell("north", 4), "phone", seat="north")
    for move, seat in ((lay(0), "east"), (tell("east", 99), "east")):
        with pytest.raises(MoveError) as refusal:
            match.play(move, "phone", seat=seat)
        assert refusal.value.move
        assert "north" not in repr(refusal.value)
    with pytest.raises(MoveError) as own:
        match.play(tell("north", 99), "phone", seat="north")
    assert len(own.value.position) == 5


def test_the_source_of_a_private_entry_is_told_to_its_seat_alone(match: Match) -> None:
    match.play(tell("north", 4), "button", seat="north")
    assert [match.view(seat).by for seat in (None, "east", "north")] == ["phone", "phone", "button"]
    match.play(DRAW, "camera")
    assert [match.view(seat).by for seat in (None, "east", "north")] == ["camera"] * 3


class TestUndo:
    """Who asks takes back the last move that they may see."""

    def test_ones_own_private_move_goes_alone(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        match.play(tell("east", 5), "phone")
        match.undo("phone", seat="north")
        assert (hand(match, "north"), hand(match, "east")) == ((), (5,))
        assert len(match.snapshot.seen(None)) == 4

    def test_and_comes_back_alone(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        match.play(DRAW, "phone")
        match.undo("phone", seat="north")
        match.undo("phone", seat="north")
        match.redo("phone", seat="north")
        assert hand(match, "north") == (4,)
        assert len(match.snapshot.seen(None)) == 4
        match.redo("phone", seat="north")
        assert len(match.snapshot.seen(None)) == 5

    def test_an_open_move_takes_along_what_was_told_since(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        match.play(lay(9), "phone")
        match.play(tell("east", 5), "phone")
        match.undo("phone", seat="east")
        match.undo("phone", seat="east")
        assert match.view().board.laid == ()
        assert hand(match, "north") == (4,)
        match.redo("phone", seat="east")
        assert match.view().board.laid == (9,)

    def test_and_brings_it_back(self, match: Match) -> None:
        match.play(tell("east", 5), "phone")
        match.play(tell("east", 6), "phone")
        match.undo("phone")
        assert hand(match, "east") == ()
        match.redo("phone")
        assert hand(match, "east") == (5, 6)

    def test_another_cannot_take_back_what_it_does_not_see(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        match.undo("phone", seat="east")
        assert len(match.snapshot.seen(None)) == 3
        assert hand(match, "north") == ()

    def test_with_nothing_but_private_moves_there_is_nothing_to_undo_for_others(
        self, journal: Journal, whispers: str
    ) -> None:
        match = Match.begin(journal, whispers, {})
        match.play(DRAW, "phone")
        match.play(tell("north", 4), "phone")
        match.undo("phone", seat="north")
        match.undo("phone", seat="north")
        assert not match.view("east").can_undo
        match.redo("phone", seat="east")
        match.play(tell("north", 4), "phone")
        match.undo("phone", seat="north")
        assert match.view("north").can_redo
        assert not match.view("east").can_redo
        with pytest.raises(IllegalMove, match="nothing to redo"):
            match.redo("phone", seat="east")

    def test_what_a_seat_tells_leaves_what_others_can_redo(self, match: Match) -> None:
        match.play(lay(9), "phone")
        match.undo("phone")
        match.play(tell("north", 4), "phone", seat="north")
        assert match.view("east").can_redo
        match.redo("phone", seat="east")
        assert match.view().board.laid == (9,)
        assert hand(match, "north") == (4,)

    def test_a_note_that_fits_no_more_is_let_go(self, match: Match) -> None:
        match.play(lay(9), "phone")
        match.play(tell("east", 4), "phone")
        match.undo("phone")
        match.play(tell("east", 4), "phone")
        match.redo("phone")
        assert hand(match, "east") == (4,)

    def test_an_open_move_ends_what_any_seat_could_redo(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        match.undo("phone", seat="north")
        match.play(DRAW, "phone")
        assert not match.view("north").can_redo


class TestRefusals:
    """A refusal says no more than the asker may know."""

    def test_it_names_what_the_asker_knows(self, match: Match) -> None:
        match.play(tell("north", 4), "phone")
        with pytest.raises(IllegalMove, match="Card 4 is told already"):
            match.play(tell("north", 4), "phone")

    def test_what_only_a_secret_refuses_is_refused_without_it(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match.play(tell("north", 4), "phone")
        honest = match.game.play

        def jealous(state: object, move: object) -> object:
            if getattr(move, "card", 0) in state.noted[0]:  # type: ignore[attr-defined]
                raise IllegalMove("whispers", "told-twice", card=4)
            return honest(state, move)  # type: ignore[arg-type]

        monkeypatch.setattr(match.game, "play", jealous)
        with pytest.raises(IllegalMove) as refused:
            match.play(lay(4), "phone", seat="east")
        assert (refused.value.rule, refused.value.facts) == ("not-now", {})
        assert refused.value.says("ko") == "지금은 할 수 없습니다."


def shown_to_all(match: Match) -> dict[str | None, MatchView]:
    """What each is shown."""
    return {seat: match.view(seat) for seat in (None, *match.seat_names)}


def act(match: Match, chance: random.Random) -> None:
    """One thing by chance: a move of anyone, an undo, a redo; refusals are nothing new."""
    seat = chance.choice([None, *match.seat_names])
    what = chance.choice(("play", "play", "play", "undo", "redo"))
    try:
        if what == "play":
            legal = known_to(match.game, match.game.legal_moves(match.state), seat)
            if legal:
                match.play(chance.choice(legal), "phone", seat=seat)
        else:
            getattr(match, what)("phone", seat=seat)
    except MoveError:
        pass


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10**6))
def test_replay_gives_the_same_match_to_the_last_bit(journal: Journal, whispers: str, seed: int) -> None:
    chance = random.Random(seed)
    match = Match.begin(journal, whispers, {}, 3)
    for _ in range(30):
        act(match, chance)
    again = Match(journal, match.record)
    assert msgspec.json.encode(again.state) == msgspec.json.encode(match.state)
    assert again.moves == match.moves
    assert shown_to_all(again) == shown_to_all(match)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10**6))
@example(seed=62763)
def test_whatever_one_seat_does_in_private_the_others_are_shown_the_same(
    journal: Journal, whispers: str, seed: int
) -> None:
    """Two tables side by side: at one of them north also does things in private, at the other it does not."""
    chance = random.Random(seed)
    secretive, frank = (Match.begin(journal, whispers, {}) for _ in range(2))
    for _ in range(25):
        do = chance.choice(("open", "open", "tell", "tell", "undo", "undo-north", "redo", "redo-north"))
        tried = list(secretive.game.legal_moves(secretive.state))
        opened, private = known_to(secretive.game, tried, None), known_to(secretive.game, tried, "north")
        private = [move for move in private if move not in opened]
        try:
            if do == "open" and opened:
                move = chance.choice(opened)
                secretive.play(move, "phone")
                frank.play(move, "phone")
            elif do == "tell" and private:
                secretive.play(chance.choice(private), "phone", seat="north")
            elif (
                do == "undo-north"
                and secretive.snapshot.seen("north")[-1:] != secretive.snapshot.seen(None)[-1:]
            ):
                secretive.undo("phone", seat="north")
            elif do in ("undo", "redo"):
                getattr(secretive, do)("phone", seat="east")
                getattr(frank, do)("phone", seat="east")
            elif do == "redo-north" and secretive.view("north").can_redo and not frank.view().can_redo:
                secretive.redo("phone", seat="north")
        except MoveError:
            # What was told before may fit no more when it is played again.
            assert do in ("undo", "redo", "redo-north")
        for seat in (None, "east"):
            ours, theirs = secretive.view(seat), frank.view(seat)
            assert msgspec.structs.replace(ours, id=0, began="") == msgspec.structs.replace(
                theirs, id=0, began=""
            )


class TestTable:
    """Where moves arrive: whose they are is looked at, and who is told of them."""

    @pytest.fixture
    def table(self, journal: Journal, match: Match) -> Table:
        return Table(journal, match)

    @pytest.mark.parametrize("seat", [None, "east", "nobody"])
    def test_a_private_move_is_taken_from_its_own_seat_alone(self, table: Table, seat: str | None) -> None:
        with pytest.raises(IllegalMove) as refused:
            table.play(tell("north", 4), "phone", seat=seat)
        assert refused.value.rule == "not-your-seat"
        assert "North" in refused.value.says("en")
        assert "北" in refused.value.says("zh-Hant")
        assert "북" in refused.value.says("ko")
        assert table.match.n == 4

    def test_the_rules_say_nothing_of_a_move_of_another(self, table: Table) -> None:
        table.play(tell("north", 4), "phone", seat="north")
        with pytest.raises(IllegalMove, match="Only the phone"):
            table.play(tell("north", 4), "phone", seat="east")

    def test_only_its_own_seat_is_woken_by_it(self, table: Table) -> None:
        before = {seat: table.snapshot.version_of(seat) for seat in (None, "north", "east")}
        table.play(tell("north", 4), "phone", seat="north")
        table.undo("phone", seat="north")
        table.redo("phone", seat="north")
        after = {seat: table.snapshot.version_of(seat) for seat in before}
        assert after == before | {"north": before["north"] + 3}
        assert table.wait_for_change(before["north"], 0.01, "north") == after["north"]
        assert table.snapshot.version == before[None]

    def test_a_stale_tap_is_told_by_what_the_asker_could_see(self, table: Table) -> None:
        table.play(tell("north", 4), "phone", n=4, seat="north")
        table.play(tell("east", 5), "phone", n=4, seat="east")
        table.play(lay(9), "phone", n=4)
        with pytest.raises(IllegalMove, match="has changed"):
            table.play(tell("north", 5), "phone", n=5, seat="north")
        table.play(tell("east", 7), "phone", n=6, seat="east")

    def test_an_open_sighting_outlives_what_is_told_in_private(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ask = Sighting(Verdict.ASK, "glare", guesses=(Guess((Lay(3),), 0.6), Guess((Lay(8),), 0.4)))
        monkeypatch.setattr(table.match.game, "sighting", lambda *_: ask, raising=False)
        table.see(Observation(unsure=True))
        table.play(tell("north", 4), "phone", seat="north")
        shown = table.snapshot.view().sighting
        assert shown is not None
        table.answer(shown.id, 0, "phone")
        assert table.snapshot.view().match.board.laid == (3,)

    @pytest.mark.parametrize(
        ("verdict", "guesses", "shown"),
        [
            pytest.param("ask", [4], None, id="nothing else"),
            pytest.param("ask", [4, 9], 1, id="an open guess as well"),
            pytest.param("play", [4, 9], None, id="sure of the private one"),
        ],
    )
    def test_the_camera_neither_plays_nor_shows_a_private_move(
        self, table: Table, monkeypatch: pytest.MonkeyPatch, verdict: str, guesses: list[int], shown: int
    ) -> None:
        moves = [Tell("north", 4) if card == 4 else Lay(card) for card in guesses]
        saw = Sighting(Verdict(verdict), "glare", guesses=tuple(Guess((move,), 0.5) for move in moves))
        monkeypatch.setattr(table.match.game, "sighting", lambda *_: saw, raising=False)
        table.see(Observation())
        assert table.match.n == 4
        now = table.snapshot.view("north").sighting
        assert (now and len(now.guesses)) == shown

    def test_the_camera_is_told_no_secret(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        table.play(tell("north", 4), "phone", seat="north")
        asked: list[WhispersState] = []

        def look(state: WhispersState, _: Observation) -> Sighting:
            asked.append(state)
            return Sighting(Verdict.NOTHING)

        monkeypatch.setattr(table.match.game, "sighting", look, raising=False)
        table.see(Observation())
        assert asked[0].noted == ((), ())
