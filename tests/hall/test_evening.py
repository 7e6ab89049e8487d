"""An evening follows from its messages, in whatever order they come, and however often."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec
import pytest

from companion.errors import CompanionError
from companion.games.game import Outcome
from companion.hall.evening import Evening, EveningError, checked_plan, seats_of
from companion.hall.pairing import WIN
from companion.hall.payloads import Member, Pairing, Plan, PublishedRound, Result

RACE = "cat-and-mouse"

Message = tuple[tuple[str, ...], bytes]


def message(*levels: str, of: object) -> Message:
    """A message by the last levels of its topic."""
    return levels, msgspec.json.encode(of)


def players(*names: str) -> list[Message]:
    """These players come, one after the other; their ids are their names."""
    return [message("players", name, of=Member(name, name, n)) for n, name in enumerate(names)]


def taken(messages: Iterable[Message]) -> Evening:
    """The evening after these messages."""
    evening = Evening()
    for levels, payload in messages:
        assert evening.receive(levels, payload)
    return evening


def won(evening: Evening, pairing: Pairing, seat: str = "cat") -> Message:
    """The result of a match that the player at this seat wins."""
    names = {of_seat: evening.name(player) for of_seat, player in seats_of(pairing).items()}
    result = evening.result_by_table(pairing, Outcome("exact", (seat,)), names, match=1)
    return message("results", pairing.id, of=result)


def play_out(evening: Evening) -> list[Message]:
    """All rounds of an evening until it is over; the cat always wins."""
    messages = []

    def take(one: Message) -> None:
        messages.append(one)
        evening.receive(*one)

    while not evening.is_over:
        drawn = evening.next_round(tables=4)
        take(message("rounds", str(drawn.number), of=drawn))
        for pairing in drawn.pairings:
            take(won(evening, pairing))
    return messages


SWISS = message("plan", of=Plan("Autumn cup", "swiss", RACE, rounds=3))


def test_a_swiss_evening_ends_with_a_winner() -> None:
    evening = taken([SWISS, *players(*"abcdefg")])
    play_out(evening)
    first, *others = evening.standings()
    assert (len(evening.rounds), first.place, first.score) == (3, 1, 3 * WIN)
    assert all(each.place > 1 for each in others)
    assert [each.score for each in evening.standings()] == sorted(
        (each.score for each in evening.standings()), reverse=True
    )


def test_the_order_of_messages_does_not_matter_nor_do_doubles() -> None:
    first = [SWISS, *players(*"abcdef")]
    evening = taken(first)
    messages = first + play_out(evening)
    for seed in range(5):
        mixed = messages * 2
        Random(seed).shuffle(mixed)
        assert taken(mixed).standings() == evening.standings()


def test_a_round_robin_ends_when_all_have_met() -> None:
    evening = taken([message("plan", of=Plan("League", "round-robin", RACE)), *players(*"abcde")])
    play_out(evening)
    assert sum(len(each.pairings) for each in evening.rounds.values()) == 10
    assert {each.played for each in evening.standings()} == {4}


def test_the_next_round_waits_for_every_result() -> None:
    evening = taken([SWISS, *players(*"abcd")])
    drawn = evening.next_round(tables=4)
    evening.receive(*message("rounds", "1", of=drawn))
    evening.receive(*won(evening, drawn.pairings[0]))
    with pytest.raises(EveningError, match="1 match has no result yet"):
        evening.next_round(tables=4)


def test_after_the_last_round_there_is_no_other() -> None:
    evening = taken([SWISS, *players(*"abcd")])
    play_out(evening)
    with pytest.raises(EveningError, match="The evening is over"):
        evening.next_round(tables=4)


def test_nothing_is_drawn_before_there_is_a_plan_and_players() -> None:
    with pytest.raises(EveningError, match="No evening is planned yet"):
        Evening().next_round(tables=4)
    with pytest.raises(EveningError, match="Too few players"):
        taken([SWISS, *players("a")]).next_round(tables=4)


def test_the_referee_corrects_a_result() -> None:
    evening = taken([SWISS, *players(*"ab")])
    pairing = Pairing("1-1", ("a", "b"), ("cat", "mouse"))
    evening.receive(*message("rounds", "1", of=PublishedRound(1, RACE, (pairing,))))
    evening.receive(*won(evening, pairing))
    assert evening.scores() == {"a": WIN, "b": 0}
    evening.receive(*message("results", "1-1", of=evening.result_by_referee("1-1", {"a": 2, "b": 1})))
    assert evening.scores() == {"a": 0, "b": WIN}
    assert evening.results["1-1"].by == "referee"


@pytest.mark.parametrize("ranks", [{"a": 1}, {"a": 1, "z": 2}, {}])
def test_a_result_names_just_the_players_of_the_match(ranks: dict[str, int]) -> None:
    evening = taken([SWISS, *players(*"ab")])
    evening.receive(
        *message("rounds", "1", of=PublishedRound(1, RACE, (Pairing("1-1", ("a", "b"), ("cat", "mouse")),)))
    )
    with pytest.raises(EveningError, match="There is no match 1-1"):
        evening.result_by_referee("1-1", ranks)


@pytest.mark.parametrize(
    ("outcome", "scores"),
    [
        pytest.param(Outcome("exact", ("mouse",), {"cat": 9, "mouse": 1}), (0, WIN), id="winners come first"),
        pytest.param(Outcome("shared", ("cat", "mouse")), (WIN // 2, WIN // 2), id="a shared win"),
        pytest.param(Outcome("nobody", ()), (WIN // 2, WIN // 2), id="nobody won"),
    ],
)
def test_a_table_s_outcome_gives_scores(outcome: Outcome, scores: tuple[int, int]) -> None:
    evening = taken([SWISS, *players(*"ab")])
    pairing = Pairing("1-1", ("a", "b"), ("cat", "mouse"))
    result = evening.result_by_table(pairing, outcome, {"cat": "a", "mouse": "b"}, match=7)
    assert (result.scores["a"], result.scores["b"]) == scores


def test_players_who_changed_seats_get_the_result_of_the_seats_that_they_took() -> None:
    evening = taken([SWISS, *players(*"ab")])
    pairing = Pairing("1-1", ("a", "b"), ("cat", "mouse"))
    result = evening.result_by_table(pairing, Outcome("exact", ("cat",)), {"cat": "b", "mouse": "a"}, match=7)
    assert (result.scores, result.match) == ({"a": 0, "b": WIN}, 7)


def test_equal_scores_are_parted_by_those_of_their_opponents() -> None:
    rounds = [("a", "b", "a"), ("c", "d", "c"), ("a", "c", "a"), ("b", "d", "b")]
    evening = taken([SWISS, *players(*"abcd")])
    for n, (one, other, winner) in enumerate(rounds, 1):
        evening.receive(
            *message(
                "rounds",
                str(n),
                of=PublishedRound(n, RACE, (Pairing(f"{n}-1", (one, other), ("cat", "mouse")),)),
            )
        )
        scores = {one: WIN * (winner == one), other: WIN * (winner == other)}
        evening.receive(*message("results", f"{n}-1", of=Result(f"{n}-1", scores)))
    # b lost to a (2 wins) and beat d (none); c lost to a and beat d: the same, so both are second.
    assert [(each.name, each.place) for each in evening.standings()] == [
        ("a", 1),
        ("b", 2),
        ("c", 2),
        ("d", 4),
    ]


def test_in_free_play_whoever_waited_longest_plays_next() -> None:
    evening = taken([message("plan", of=Plan("Open table", "free", RACE)), *players(*"abcd")])
    first = evening.next_round(tables=1)
    evening.receive(*message("rounds", "1", of=first))
    assert set(evening.waiting) == {"c", "d"}
    evening.receive(*won(evening, first.pairings[0]))
    second = evening.next_round(tables=1)
    assert {player for each in second.pairings for player in each.players} == {"c", "d"}


def test_who_went_home_is_in_the_standings_and_plays_no_more() -> None:
    evening = taken([SWISS, *players(*"abc")])
    evening.receive(*message("players", "c", of=Member("c", "c", 2, here=False)))
    assert {player for each in evening.next_round(4).pairings for player in each.players} == {"a", "b"}
    assert [each.here for each in evening.standings() if each.name == "c"] == [False]


@pytest.mark.parametrize(
    ("levels", "payload"),
    [
        pytest.param(("plan",), b"{}", id="a plan without a game"),
        pytest.param(("plan",), b"\xff", id="no text"),
        pytest.param(("plan",), b'{"name":"x","kind":"swiss","game":"chess"}', id="a game that is not here"),
        pytest.param(("rounds", "x"), b"{}", id="a round without a number"),
        pytest.param(
            ("rounds", "1"),
            b'{"number":1,"game":"cat-and-mouse","pairings":[{"id":"7-1","players":[],"seats":[]}]}',
            id="a round with a match of another",
        ),
        pytest.param(("attic",), b"{}", id="an unknown topic"),
    ],
)
def test_what_cannot_be_read_changes_nothing(levels: tuple[str, ...], payload: bytes) -> None:
    evening = taken([SWISS])
    assert not evening.receive(levels, payload)
    assert evening.plan is not None


def test_an_empty_message_takes_back_what_was_there() -> None:
    evening = taken([SWISS, *players("a")])
    evening.receive(("players", "a"), b"")
    evening.receive(("plan",), b"")
    assert (evening.members, evening.plan) == ({}, None)


def test_another_plan_counts_from_the_next_round_on() -> None:
    evening = taken(
        [message("plan", of=Plan("Kittens", "swiss", "exploding-kittens", seats=4)), *players(*"abcd")]
    )
    first = evening.next_round(tables=4)
    evening.receive(*message("rounds", "1", of=first))
    evening.receive(*message("plan", of=Plan("Kittens, then a race", "swiss", RACE)))
    (pairing,) = evening.open_pairings
    evening.receive(*won(evening, pairing, pairing.seats[0]))
    assert evening.standings()[0].wins == 1
    assert [len(each.players) for each in evening.next_round(4).pairings] == [2, 2]


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        pytest.param(Plan("x", "swiss", "chess"), "There is no game 'chess'", id="no such game"),
        pytest.param(Plan("x", "swiss", RACE, {"jump_fee": 3}), "jump_fee", id="a wrong option"),
    ],
)
def test_a_plan_names_a_game_and_options_that_there_are(plan: Plan, says: str) -> None:
    with pytest.raises(CompanionError, match=says):
        checked_plan(plan)
