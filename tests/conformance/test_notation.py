"""The notation of each game, move by move: as it is written, and what it means."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from companion.errors import InvalidMove
from companion.games import registry
from companion.games.cat_and_mouse.state import JumpFee, Throw
from companion.games.chop_chop.state import CameBy, GoTo, PlaceCat, SpearCheese, StayHere, ThrowDie, TurnSlab
from companion.games.exploding_kittens import state as kittens
from companion.games.game import Move
from companion.games.hide_and_seek import state as hide
from companion.games.this_bed_is_mine.state import Finish, Lay, Shift, Skip, TakeOff, Tile
from tests.conformance.playing import kinds_of

BED, RACE, CHOP, KITTENS, HIDE = (
    "this-bed-is-mine",
    "cat-and-mouse",
    "chop-chop",
    "exploding-kittens",
    "hide-and-seek",
)

EXAMPLES: list[tuple[str, str, Move]] = [
    (BED, "c4@5,3", Lay("cat", 4, 0, 5, 3)),
    (BED, "d12+3@0,11", Lay("dog", 12, 3, 0, 11)),
    (BED, "c4+1@-1,3", Lay("cat", 4, 1, -1, 3)),
    (BED, "d9+2>0,3", Shift("dog", 9, 2, 0, 3)),
    (BED, "c4-", TakeOff("cat", 4)),
    (BED, "d skip", Skip("dog")),
    (BED, "end c4@5,3 d9+1@0,2", Finish((Tile("cat", 4, 0, 5, 3), Tile("dog", 9, 1, 0, 2)))),
    (BED, "end", Finish(())),
    (RACE, "3-5", Throw((3, 5))),
    (RACE, "fee", JumpFee()),
    (CHOP, "c@3,4", PlaceCat(3, 4)),
    (CHOP, "3", ThrowDie((3,))),
    (CHOP, "m2>0,5", GoTo("mouse-2", 0, 5)),
    (CHOP, "c>10,5", GoTo("cat", 10, 5)),
    (CHOP, "m2>0,5 via 1,5", GoTo("mouse-2", 0, 5, (1, 5))),
    (CHOP, "via 10,5", CameBy(10, 5)),
    (CHOP, "stay", StayHere()),
    (CHOP, "plus-1", TurnSlab("plus-1")),
    (CHOP, "spear 4,5", SpearCheese(4, 5)),
    (KITTENS, "draw", kittens.Draw()),
    (KITTENS, "kitten", kittens.DrawKitten()),
    (KITTENS, "defuse", kittens.Defuse()),
    (KITTENS, "explode", kittens.Explode()),
    (KITTENS, "play attack", kittens.Play("attack")),
    (KITTENS, "pair cat-a second", kittens.Pair("cat-a", "second")),
    (KITTENS, "three cat-a fourth nope", kittens.Three("cat-a", "fourth", "nope")),
    (KITTENS, "answer yes", kittens.AnswerAsked(given=True)),
    (KITTENS, "answer no", kittens.AnswerAsked(given=False)),
    (KITTENS, "nope third", kittens.Nope("third")),
    (KITTENS, "first hand: skip skip", kittens.Hand("first", ("skip", "skip"))),
    (KITTENS, "first hand:", kittens.Hand("first", ())),
    (KITTENS, "first drew skip", kittens.Drew("first", "skip")),
    (KITTENS, "second took nope", kittens.Took("second", "nope")),
    (KITTENS, "first saw skip nope", kittens.Saw("first", ("skip", "nope"))),
    (KITTENS, "first hid 0", kittens.Hid("first", 0)),
    (HIDE, "player-1 has 兩金", hide.Own("player-1", "兩金")),
    (HIDE, 'player-1 has "Old Ivy"', hide.Own("player-1", "Old Ivy")),
    (HIDE, 'seek "the \\"cat\\""', hide.Seek('the "cat"')),
    (HIDE, "player-2 plays magician", hide.PlayEnemy("player-2", "magician")),
    (HIDE, "player-1 turns up gale on 兩金", hide.TurnUp("player-1", "gale", "兩金")),
    (HIDE, "player-1 turns up gale on enemy as grey", hide.TurnUp("player-1", "gale", "enemy", "grey")),
    (HIDE, "player-1 turns up gale on Ivy slower", hide.TurnUp("player-1", "gale", "Ivy", None, False)),
    (HIDE, "go on", hide.GoOn()),
    (HIDE, "candy on Ivy removes fish", hide.RemoveFood("Ivy", "fish")),
    (HIDE, "candy on Ivy stays", hide.RemoveFood("Ivy", None)),
    (HIDE, "catch grey", hide.Catch("grey")),
    (HIDE, "catch grey Ivy", hide.Catch("grey", "Ivy")),
    (HIDE, "Ivy catches enemy", hide.CatchEnemy("Ivy")),
    (HIDE, "enemy takes Ivy", hide.Taken("Ivy")),
    (HIDE, "Ivy drops hat", hide.DropGear("Ivy", "hat")),
    (HIDE, "end", hide.End()),
    (HIDE, 'player-1 holds gale "big fish"', hide.Hold("player-1", ("gale", "big fish"))),
    (HIDE, "player-1 holds", hide.Hold("player-1", ())),
]


@pytest.mark.parametrize(("slug", "text", "move"), EXAMPLES)
def test_a_move_as_it_is_written(slug: str, text: str, move: Move) -> None:
    assert registry.game(slug).notation(move) == text
    assert registry.game(slug).parse(text) == move


def test_every_kind_of_move_has_an_example() -> None:
    for slug in (BED, RACE, CHOP, KITTENS, HIDE):
        kinds = {type(move) for of, _, move in EXAMPLES if of == slug}
        assert kinds == set(kinds_of(registry.game(slug)))


@pytest.mark.parametrize(("slug", "text", "move"), EXAMPLES)
def test_a_field_that_no_move_has_is_not_passed_over(slug: str, text: str, move: Move) -> None:
    mistyped = {**msgspec.to_builtins(move), "trun": 1}
    with pytest.raises(InvalidMove) as caught:
        registry.game(slug).move(mistyped)
    assert caught.value.rule == "not-a-move"
    assert "trun" in caught.value.says("en")


@pytest.mark.parametrize(
    ("slug", "move"),
    [
        (RACE, Throw((3,))),
        (RACE, Throw((-1, 2))),
        (KITTENS, kittens.Play("two words")),
        (HIDE, hide.Seek("a\ttab")),
    ],
)
def test_what_the_notation_cannot_write_is_written_as_json(slug: str, move: Move) -> None:
    game = registry.game(slug)
    assert game.notation(move) == msgspec.json.encode(move).decode()
    assert game.parse(game.notation(move)) == move


def test_the_page_of_the_notation_shows_texts_that_are_read_and_written_so() -> None:
    page = Path("docs/notation.md").read_text("utf-8")
    games = {game.names["en"]: game for game in registry.games().values()}
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    assert {section.partition("\n")[0] for section in sections} == games.keys()
    for section in sections:
        game = games[section.partition("\n")[0]]
        rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        assert rows
        for text in re.findall(r"`([^`]+)`", " ".join(rows)):
            assert game.notation(game.parse(text)) == text
