"""Boards, bags and dice as data files."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UserError
from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SLABS, bag, kitchen, two_dice
from companion.games.chop_chop.state import ChopOptions

BAG = "cheese = 10\ncrockery = 28\nplus-1 = 0\nplus-2 = 0\narrow = 0\nfork = 0\nknife = 0\n"


def test_ten_of_38_slabs_are_cheese_and_most_others_crockery() -> None:
    slabs = bag("chop")
    assert (slabs.cheese, slabs.slabs) == (10, 38)
    assert slabs.crockery == max(slabs.count_of(kind) for kind in SLABS if kind != "cheese")


def test_the_dice_are_told_by_colour() -> None:
    dice = two_dice("chop")
    assert (dice.mice.colour, dice.mice.faces) == ("grey", (1, 1, 2, 2, 3, 4))
    assert (dice.cat.colour, dice.cat.faces) == ("blue", (1, 1, 2, 2, 2, 3))
    assert two_dice("plain").die_of("cat").faces == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("what", ["board", "bag", "dice"])
def test_a_file_of_ones_own_goes_into_the_match_whole(tmp_path: Path, what: str) -> None:
    folder = {"board": "boards", "bag": "bags", "dice": "dice"}[what]
    name = "corners" if what == "board" else "chop"
    own = tmp_path / "own.toml"
    own.write_text((GAME.folder / "data" / folder / f"{name}.toml").read_text("utf-8"), "utf-8")
    options = GAME.options({what: str(own)})
    own.unlink()
    state = GAME.start(options, 2)
    assert len(state.standing.slabs) == 38


def test_a_bag_of_ones_own_sets_the_chances() -> None:
    state = GAME.start(ChopOptions(bag=BAG), 2)
    assert [each.ways for each in GAME.view(state, None).bag][2:] == [0] * 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("squares = []\n", "no squares"),
        (f"squares = {['oT'] * 13}\n", "longer than 12"),
        ("squares = ['oT', 'o']\n", "row 2 of “squares” has 1 square"),
        ("squares = ['oX']\n", "unknown sign 'X' at place 2"),
        ("squares = ['..T']\n", "0 mouse holes"),
        ("squares = ['oooooT']\n", "5 mouse holes"),
        ("squares = ['o..']\n", "no table"),
        ("squares = 3\n", "line 1: “squares” must be a list, not 3"),
        ("squares = [\n", "not valid TOML"),
    ],
)
def test_a_broken_board_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        kitchen(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BAG.replace("cheese = 10", "cheese = 0"), "nothing to win"),
        (BAG.replace("fork = 0", "fork = -1"), "line 6: fork must be 0 to 150, not -1"),
        (BAG.replace("fork = 0\n", ""), "“fork” is missing"),
    ],
)
def test_a_broken_bag_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        bag(text)


@pytest.mark.parametrize(
    ("mice", "says"),
    [
        ("{ colour = 'grey', faces = [] }", "a list of 1 to 20 values, not of 0"),
        (f"{{ colour = 'grey', faces = {[1] * 21} }}", "a list of 1 to 20 values, not of 21"),
        ("{ colour = 'grey', faces = [7] }", "values from 1 to 6, not 7"),
        ("{ colour = 'grey', faces = [1, 0] }", "values from 1 to 6, not 0"),
        ("{ colour = 'pink', faces = [1] }", "'pink'"),
        ("{ colour = 'blue', faces = [1] }", "differ in colour"),
    ],
)
def test_broken_dice_are_refused_in_a_sentence(mice: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        two_dice(f"mice = {mice}\ncat = {{ colour = 'blue', faces = [1, 2] }}\n")


@pytest.mark.parametrize("what", ["board", "bag", "dice"])
def test_an_unknown_name_is_said_with_those_there_are(what: str) -> None:
    with pytest.raises(UserError, match="take one of"):
        GAME.start(GAME.options({what: "nowhere"}), 2)
    with pytest.raises(UserError, match="cannot be read"):
        GAME.options({what: "/nowhere/own.toml"})


@pytest.mark.parametrize(
    ("what", "text", "says"),
    [
        (
            "board",
            "# A board.\nsquares = [\n  'oT.',\n  '.?.',\n]\n",
            "line 2: row 2 of “squares” has a hole",
        ),
        ("board", "squares = [\n  'oT.',\n\n  '..',\n]\n", "line 1: row 2 of “squares” has 2 squares"),
        (
            "bag",
            BAG.replace("knife = 0", "knife = 1"),
            "line 1: the bag holds 39 slabs, but the board has 38",
        ),
        ("board", "squares = ['oT.']\n", "line 1: the bag holds 38 slabs, but the board has 2 squares"),
        (
            "dice",
            "mice = { colour = 'grey', faces = [\n 1,\n 9,\n] }\ncat = { colour = 'blue', faces = [1] }\n",
            "line 1: mice.faces must be values from 1 to 6, not 9",
        ),
    ],
)
def test_a_fault_in_a_file_of_ones_own_names_the_file_and_the_line_of_its_key(
    tmp_path: Path, what: str, text: str, says: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, "utf-8")
    with pytest.raises(UserError) as refusal:
        GAME.options({what: str(own)})
    assert str(refusal.value).startswith(f"{own}, {says}")
