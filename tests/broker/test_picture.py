"""The picture of a table: each game's board as a small SVG, made of what a spectator sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from companion.broker import picture
from companion.broker.payloads import PublishedState
from companion.broker.picture import picture_of
from companion.games.drawing import edges
from companion.games.registry import game, games
from companion.messages import LANGUAGES
from companion.play.snapshot import MatchView
from tests.broker.test_nothing_lost import golden

PLAYER = "<Mei> & Bo"
SVG = "{http://www.w3.org/2000/svg}"


def states(slug: str) -> Iterator[PublishedState]:
    """What a table publishes at the beginning, in the middle and at the end of a match."""
    head, moves = golden(slug)
    rules = game(slug)
    state = rules.start(rules.options(head["options"]), head["seats"])
    names = rules.seat_names(state)
    for n, move in enumerate([*moves, None]):
        if n in (0, len(moves) * 2 // 3, len(moves)):
            board = msgspec.to_builtins(rules.view(rules.hide(state, None), None))
            turn, outcome = rules.turn(state), rules.outcome(state)
            view = MatchView(
                id=1, game=slug, began="", options={}, n=n, moves=n, seats=names, players={names[0]: PLAYER},
                turn=turn, outcome=outcome, can_undo=True, can_redo=False, by="phone", last=(), board=board,
            )  # fmt: skip
            yield PublishedState("one", "One", "", view, rules.progress(rules.hide(state, None)))
        state = state if move is None else rules.play(state, rules.move(move))


def texts(drawn: bytes) -> list[str]:
    """The texts of a picture."""
    return [each.text or "" for each in ElementTree.fromstring(drawn).iter(f"{SVG}text")]


@pytest.mark.parametrize("slug", games())
def test_each_game_draws_its_board_small_and_without_anything_from_elsewhere(slug: str) -> None:
    for state in states(slug):
        drawn = picture_of(state, "en")
        assert len(drawn) < 20_000
        kinds = {each.tag.removeprefix(SVG) for each in ElementTree.fromstring(drawn).iter()}
        assert kinds <= {"svg", "g", "rect", "path", "circle", "text"}
        assert b"href" not in drawn
        assert b"url(" not in drawn


@pytest.mark.parametrize("slug", games())
def test_what_happens_on_the_board_shows(slug: str) -> None:
    boards = {
        picture_of(replace(each, points={}, match=replace(each.match, turn=None, outcome=None)), "en")
        for each in states(slug)
    }
    assert len(boards) == 3


@pytest.mark.parametrize("slug", games())
def test_the_picture_says_whose_turn_it_is_and_who_has_won_in_each_language(slug: str) -> None:
    begun, middle, over = states(slug)
    assert over.match.outcome is not None
    for language in LANGUAGES:
        shown = {tuple(texts(picture_of(state, language))[:2]) for state in (begun, middle, over)}
        assert {title for title, _ in shown} == {game(slug).names[language]}
        assert len({said for _, said in shown}) > 1


def test_a_name_is_a_text_whatever_is_in_it() -> None:
    begun, *_ = states("this-bed-is-mine")
    assert PLAYER in texts(picture_of(begun, "en"))


def test_each_tile_has_its_number_on_one_of_its_squares() -> None:
    *_, over = states("this-bed-is-mine")
    tiles: list[dict[str, Any]] = over.match.board["tiles"]
    board = ElementTree.fromstring(picture_of(over, "en")).iter(f"{SVG}text")
    at = {
        (int(each.text or ""), (int(float(each.get("y", "")) - 0.5), int(float(each.get("x", "")) - 0.5)))
        for each in board
        if (each.text or "").isdigit() and float(each.get("font-size", "")) < 1
    }
    assert len(at) == len(tiles)
    for digit, square in at:
        assert any(tile["digit"] == digit and list(square) in map(list, tile["cells"]) for tile in tiles)


def test_the_edge_of_squares_runs_around_their_holes_as_well() -> None:
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert edges(ring).count("M") == 12 + 4
    assert edges([(0, 0)]) == "M0 0h1M0 1h1M0 0v1M1 0v1"


def test_a_board_that_takes_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, *_ = states("this-bed-is-mine")
    whole = picture_of(begun, "en")
    monkeypatch.setattr(picture, "MOST_BYTES", len(whole) - 1)
    assert texts(picture_of(begun, "en"))[:2] == texts(whole)[:2]
    assert len(picture_of(begun, "en")) < len(whole) / 2
