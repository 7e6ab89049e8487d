"""The set of cards: the example, one of one's own, and what is said of one that cannot be."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.errors import DataError, UserError
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.cardset import COLOURS, FOLDER, card_set
from companion.games.hide_and_seek.tests.table import ANIMALS, CARDS, box


def test_the_example_says_that_it_is_one() -> None:
    example = card_set("example")
    assert example.example
    assert (FOLDER / "example.toml").read_text("utf-8").startswith("# AN EXAMPLE, NOT THE BOX.")


def test_what_the_guide_tells_is_in_the_example() -> None:
    animals = card_set("example").animals
    assert (animals["兩金"].species, animals["兩金"].colours, animals["兩金"].speed) == ("cat", ("grey",), 3)
    assert (animals["卡士達"].colours, animals["卡士達"].speed) == (("black", "white"), 6)
    assert (animals["炭炭"].species, animals["炭炭"].colours) == ("dog", ("white", "brown"))
    assert card_set("example").cards["magician"].colours == ("black", "white")


def test_the_example_has_every_sort_of_card_and_enough_for_six() -> None:
    example = card_set("example")
    assert {kind.does for kind in example.cards.values()} == {
        "hide", "food", "candy", "gear", "paint", "rocket", "enemy"
    }  # fmt: skip
    assert {kind.colour for kind in example.cards.values() if kind.does == "hide"} == {*COLOURS, "rainbow"}
    assert GAME.start(GAME.options({}), 6).deck == sum(example.counts(enemies=True).values())


def test_every_key_of_the_example_is_explained() -> None:
    text = (FOLDER / "example.toml").read_text("utf-8")
    comments = "\n".join(line for line in text.splitlines() if line.startswith("#"))
    keys = tomllib.loads(text)
    inner = {key for group in ("animals", "cards") for each in keys[group].values() for key in each}
    assert not [key for key in inner if f"#   {key} " not in comments]
    lines = text.splitlines()
    for key in keys.keys() - {"name", "animals", "cards"}:
        at = next(n for n, line in enumerate(lines) if line.startswith(f"{key} "))
        assert lines[at - 1].startswith("#"), key


def test_a_file_of_ones_own_goes_into_the_match_whole(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(box().split("\n", 1)[1], "utf-8")
    options = GAME.options({"cards": str(path)})
    path.unlink()
    assert options.set.name == "mine"
    assert set(options.set.animals) == set(ANIMALS)
    assert GAME.options({"cards": options.cards}) == options


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        GAME.options({"cards": str(tmp_path / "none.toml")})
    with pytest.raises(UserError, match="take one of example"):
        card_set("none")


def test_a_fault_in_a_file_of_ones_own_is_said_with_its_path_and_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"# Mine.\n{box(players=[4, 2])}", "utf-8")
    line = next(n for n, text in enumerate(path.read_text("utf-8").splitlines(), 1) if "players" in text)
    with pytest.raises(UserError) as fault:
        GAME.options({"cards": str(path)})
    assert str(fault.value).startswith(f"{path}, line {line}: ")
    assert str(fault.value).endswith("must give the fewest players first, then the most.")


def test_a_file_that_is_too_large_is_said(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text("#" * 100_001, "utf-8")
    with pytest.raises(UserError, match="too large"):
        GAME.options({"cards": str(path)})
    with pytest.raises(UserError, match="bytes at most"):
        card_set("\n" + "#" * 100_001)


def animal(**changed: Any) -> dict[str, Any]:
    """A set with one animal changed."""
    return {"animals": {"Ivy": {"species": "cat", "colours": ["grey"], "speed": 1} | changed}}


def kind(**fields: Any) -> str:
    """The text of a set with that one kind of card."""
    head, _, _ = box().partition("cards = ")
    inner = ", ".join(f"{key} = {fields[key]!r}".replace("'", '"') for key in fields)
    return f"{head}cards = {{ x = {{ count = 9, {inner} }} }}\n".replace("True", "true")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = \n", "line 1, column 8: this is not valid TOML"),
        ('name = "x"\n', "“animals” is missing"),
        (box(hand=0), "“hand” must be a whole number from 1 to 20, not 0"),
        (box(speed=3), "there is no “speed” here; there is: name"),
        (box(players=[4, 2]), "must give the fewest players first, then the most"),
        (box(animals={}), "1 to 60 animals, not 0"),
        (
            box(**animal(colours=[])),
            "“animals.Ivy.colours” must be a list of 1 to 2 values, not a list of 0 values",
        ),
        (box(**animal(colours=["grey", "grey"])), "has a colour twice"),
        (box(**animal(colours=["red"])), "must be one of black, brown, grey, white, yellow, not “red”"),
        (box(animals={"enemy": {"species": "cat", "colours": ["grey"], "speed": 1}}), "an animal can't be"),
        (box(animals={" Ivy": {"species": "cat", "colours": ["grey"], "speed": 1}}), "starts or ends"),
        (box(name="\u202eMine"), "has a character that can't be shown"),
        (kind(does="gear", colour="grey", gear="claw\u2066"), "has a character that can't be shown"),
        (box(cards=dict.fromkeys(CARDS, 99)), "more than 300 cards"),
        (kind(does="hide"), "cards.x needs `colour`"),
        (kind(does="gear", colour="grey"), "cards.x needs `gear`"),
        (kind(does="rocket"), "cards.x needs `species`"),
        (kind(does="enemy"), "cards.x needs `colours`"),
        (kind(does="enemy", colours=["grey", "grey"]), "cards.x has a colour twice"),
        (kind(does="food", colour="grey"), "cards.x can't have `colour`, because it is `food`"),
        (kind(does="paint", colour="rainbow"), "only a catch/hide card can be a rainbow"),
        (
            kind(does="cheese"),
            "“cards.x.does” must be one of candy, enemy, food, gear, hide, paint, rocket, not “cheese”",
        ),
    ],
)
def test_what_cannot_be_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        card_set(text)
    assert said in str(caught.value)
    assert str(caught.value).startswith("The set of cards cannot be used: ")
    assert isinstance(caught.value, DataError)
    assert caught.value.says("zh-Hant").startswith("這套卡牌無法使用：")
    assert caught.value.says("ko").startswith("이 카드 세트는 쓸 수 없습니다: ")


def test_no_kinds_of_cards_is_said() -> None:
    head, _, _ = box().partition("cards = ")
    with pytest.raises(UserError, match="kinds of cards, not 0"):
        card_set(f"{head}cards = {{}}\n")


def test_a_rocket_slows_as_much_as_it_speeds_up_unless_told() -> None:
    cards = card_set(box()).cards
    assert (cards["rocket-fist"].takes, cards["cannonball"].takes) == (3, 4)
