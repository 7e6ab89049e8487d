"""What every game must hold to, whichever it is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import InvalidMove, MoveError
from companion.games.game import State
from companion.games.registry import AnyGame, game
from companion.games.watching import Alternative, Observation, SeesPieces, SeesTiles, Verdict, Watched
from companion.messages import LANGUAGES, Messages, messages_of_game
from tests.conformance import golden
from tests.conformance.playing import GAMES, kinds_of, mangled, matches, plain, rules_of, some, variants

SHARED_RULES = frozenset({"not-a-move", "not-an-option", "match-over"})

every_game = pytest.mark.parametrize("of", GAMES, ids=lambda of: of.slug)

thorough = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


# What a game is


@every_game
def test_it_is_found_by_its_slug(of: AnyGame) -> None:
    assert game(of.slug) is of
    assert of.slug == of.slug.lower().strip()
    assert " " not in of.slug


@every_game
def test_it_has_its_name_in_every_language(of: AnyGame) -> None:
    assert of.names.keys() == LANGUAGES.keys()
    assert all(name.strip() for name in of.names.values())


@every_game
def test_each_of_its_rules_has_a_sentence_in_every_language(of: AnyGame) -> None:
    words = dict(messages_of_game(of.slug))
    for rule in {*rules_of(of), *SHARED_RULES}:
        assert words[f"rule.{rule}"].keys() == LANGUAGES.keys()


@every_game
def test_its_seats_have_a_name_in_every_language(of: AnyGame) -> None:
    words = dict(messages_of_game(of.slug))
    for seats in of.seat_counts:
        names = of.seat_names(of.start(of.options({}), seats))
        assert len(names) == len(set(names)) == seats
        assert all(words[f"name.{name}"].keys() == LANGUAGES.keys() for name in names)


@every_game
def test_its_seats_are_counted(of: AnyGame) -> None:
    assert of.seat_counts
    for seats in {0, *range(1, 12)} - set(of.seat_counts):
        with pytest.raises(InvalidMove) as caught:
            of.start(of.options({}), seats)
        assert "1 seats" not in caught.value.says()
        assert all(str(max(of.seat_counts)) in caught.value.says(language) for language in LANGUAGES)
        assert len({caught.value.says(language) for language in LANGUAGES}) == len(LANGUAGES)


@every_game
def test_its_schemas_can_be_told(of: AnyGame) -> None:
    moves = msgspec.json.schema(of.move_type)
    assert {kind["properties"]["move"]["enum"][0] for kind in moves["$defs"].values() if _is_move(kind)} == {
        kind.__struct_config__.tag for kind in kinds_of(of)
    }
    assert msgspec.json.schema(of.options_type)["$defs"]
    assert msgspec.json.schema(of.state_type)["$defs"]
    assert msgspec.json.schema(type(of.view(of.start(of.options({}), of.seat_counts[0]), None)))["$defs"]


def _is_move(kind: dict[str, dict[str, object]]) -> bool:
    return "move" in kind.get("properties", {})


@every_game
def test_each_option_has_a_default_and_says_what_it_is(of: AnyGame) -> None:
    assert of.options({}) == of.options_type()
    for option in msgspec.json.schema(of.options_type)["$defs"][of.options_type.__name__][
        "properties"
    ].values():
        assert option["description"]


@every_game
def test_options_come_back_from_json_and_from_text(of: AnyGame) -> None:
    for given_options in variants(of):
        options = of.options(given_options)
        back = msgspec.to_builtins(options)
        assert of.options(back) == options
        typed = {name: _typed(value) for name, value in back.items() if isinstance(value, str | int | bool)}
        assert of.options(typed, from_text=True) == options


def _typed(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@every_game
@pytest.mark.parametrize("options", [{"no-such-option": 1}, {"": ""}])
def test_an_unknown_option_is_refused(of: AnyGame, options: dict[str, object]) -> None:
    with pytest.raises(InvalidMove) as caught:
        of.options(options)
    assert caught.value.rule == "not-an-option"


@every_game
@pytest.mark.parametrize("nonsense", [None, 7, "lay", [], {}, {"move": "no-such-move"}, {"move": 3}])
def test_nonsense_is_not_a_move(of: AnyGame, nonsense: object) -> None:
    with pytest.raises(InvalidMove) as caught:
        of.move(nonsense)
    assert caught.value.rule == "not-a-move"
    assert all(caught.value.says(language) for language in LANGUAGES)


# What a match holds to


@every_game
@thorough
@given(data=st.data())
def test_replay_is_play_and_undo_restores(of: AnyGame, data: st.DataObject) -> None:
    """The moves of a match lead to its states again: to the last as to any before it."""
    match = data.draw(matches(of))
    again = of.start(match.options, match.seats)
    assert again == match.states[0]
    for move, state in zip(match.moves, match.states[1:], strict=True):
        again = of.play(again, of.move(msgspec.json.decode(plain(move))))
        assert again == state
        assert plain(again) == plain(state)


@every_game
@thorough
@given(data=st.data())
def test_every_move_can_be_written_down_and_read_back(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for move in (*match.moves, *match.possible):
        written = of.notation(move)
        assert of.parse(written) == of.parse(f" {written}\n") == move
        assert of.parse(msgspec.json.encode(move).decode()) == move
        assert "\n" not in written
        assert not of.forms or not written.startswith("{")


@every_game
@pytest.mark.parametrize("text", ["", "?", "{", "{}", "[1]", "c4@", "play", "1-", "c4@5,3 c4@5,3", "@" * 99])
def test_what_is_not_in_its_notation_is_not_a_move(of: AnyGame, text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        of.parse(text)
    assert caught.value.rule == "not-a-move"
    assert all(caught.value.says(language) for language in LANGUAGES)


@every_game
@thorough
@given(data=st.data())
def test_states_moves_and_views_come_back_from_json(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for state in match.states:
        assert msgspec.json.decode(plain(state), type=of.state_type) == state
    for state in some(match.states):
        for seat in (None, *of.seat_names(state)):
            view = of.view(state, seat)
            assert msgspec.json.decode(plain(view), type=type(view)) == view
    for move in (*match.moves, *match.possible):
        assert of.move(msgspec.to_builtins(move)) == move
        assert msgspec.json.decode(plain(move), type=of.move_type) == move


@every_game
@thorough
@given(data=st.data())
def test_legal_moves_are_taken_and_a_match_that_is_over_has_none(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for state in match.states:
        legal = list(of.legal_moves(state))
        ended = of.outcome(state)
        assert bool(legal) == (ended is None)
        for move in data.draw(st.lists(st.sampled_from(legal), max_size=5)) if legal else ():
            before = plain(state)
            of.play(state, move)
            assert plain(state) == before
        if ended is not None:
            assert of.turn(state) is None
            assert set(ended.winners) <= set(of.seat_names(state))
            assert set(ended.points) <= set(of.seat_names(state))
        assert of.turn(state) in (None, *of.seat_names(state))


@every_game
@thorough
@given(data=st.data())
def test_a_refused_move_changes_nothing_and_says_why(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for move in match.possible:
        state = data.draw(st.sampled_from(match.states))
        _try(of, state, msgspec.to_builtins(move))
        _try(of, state, data.draw(mangled(move)))


def _try(of: AnyGame, state: State, move: dict[str, object]) -> None:
    before = plain(state)
    try:
        after = of.play(state, of.move(move))
    except MoveError as error:
        assert f"rule.{error.rule}" in dict(messages_of_game(of.slug))
        assert error.game == of.slug
        assert all(error.says(language).strip() for language in LANGUAGES)
    else:
        assert msgspec.json.decode(plain(after), type=of.state_type) == after
    assert plain(state) == before


@every_game
@thorough
@given(data=st.data())
def test_a_view_depends_on_nothing_that_its_seat_must_not_know(of: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(of))
    for state in some(match.states):
        for seat in (None, *of.seat_names(state)):
            known = of.hide(state, seat)
            assert of.view(known, seat) == of.view(state, seat)
            assert of.hide(known, seat) == known


@every_game
@thorough
@given(data=st.data())
def test_how_it_ended_is_said_in_every_language(of: AnyGame, data: st.DataObject) -> None:
    ended = of.outcome(data.draw(matches(of)).states[-1])
    if ended is not None:
        assert dict(_words(of))[f"outcome.{ended.reason}"].keys() == LANGUAGES.keys()


def _words(of: AnyGame) -> Messages:
    return messages_of_game(of.slug)


@every_game
@thorough
@given(data=st.data())
def test_what_lies_there_anyway_is_no_news_and_what_is_unsure_is_never_played(
    of: AnyGame, data: st.DataObject
) -> None:
    match = data.draw(matches(of))
    early, late = match.states[0], match.states[-1]
    if not isinstance(of, Watched):
        return
    lying = of.lying(late) if isinstance(of, SeesTiles) else ()
    assert of.sighting(late, Observation()).verdict is Verdict.NOTHING
    assert of.sighting(late, Observation(tiles=lying)).verdict is Verdict.NOTHING
    if isinstance(of, SeesPieces):
        standing = of.standing_pieces(late)
        assert of.sighting(late, Observation(pieces=standing)).verdict is Verdict.NOTHING
    for state in (early, late):
        for why in ("hand", "motion", "glare"):
            unsure = Observation(unsure=True, why=why, tiles=lying, alternatives=(Alternative(lying, 0.5),))
            assert of.sighting(state, unsure).verdict is not Verdict.PLAY


# Golden playthroughs


@every_game
def test_it_has_a_golden_playthrough_to_its_end(of: AnyGame) -> None:
    assert any("outcome" in line for path in golden.files(of) for line in golden.playthrough(path))


@pytest.mark.parametrize(
    ("of", "path"),
    [pytest.param(of, path, id=f"{of.slug}-{path.stem}") for of in GAMES for path in golden.files(of)],
)
def test_a_golden_playthrough_is_played_as_ever(of: AnyGame, path: Path) -> None:
    lines = golden.playthrough(path)
    for line, (as_ever, now) in enumerate(zip(lines, golden.replayed(of, lines), strict=True), start=1):
        assert now == as_ever, f"{path.name}, line {line}"
