"""Boards of one's own: drawn or brought as a file, judged by the game, chosen in a new match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from companion.games.cat_and_mouse.board import DRAWABLE, board
from companion.games.registry import game
from companion.games.this_bed_is_mine.board import read_board
from tests.conftest import BED

ROWS = ["..........", ".b++++....", "..B+++111.", "..++++111.", "..++++....", "..++++....", "..++++...."]
BOARD = {"game": BED, "option": "board", "name": "Mei's bed", "rows": ROWS}
FILE = f"/own/{BED}/board/Mei's%20bed.toml"


def keep(client: FlaskClient, **changed: Any) -> Any:
    """Keep a board on the page; the answer."""
    return client.post("/api/own", json={**BOARD, **changed})


def test_a_board_that_was_drawn_is_offered_in_a_new_match_and_played_on(client: FlaskClient) -> None:
    assert keep(client).json == {"game": BED, "option": "board", "name": "Mei's bed"}
    assert ">Mei&#39;s bed</option>" in client.get("/new").text
    text = client.get(FILE).text
    begun = client.post("/api/matches", json={"game": BED, "options": {"board": text}}).json
    board = begun["match"]["board"]
    assert (board["rows"], board["cols"], board["side"], board["pillows"]) == (7, 10, "B", [[
        [2, 6], [2, 7], [2, 8], [3, 6], [3, 7], [3, 8],
    ]])  # fmt: skip


def test_its_file_is_the_one_that_the_command_line_takes(client: FlaskClient, tmp_path: Path) -> None:
    keep(client)
    answer = client.get(FILE)
    assert answer.headers["Content-Disposition"] == "attachment"
    own = tmp_path / "bed.toml"
    own.write_text(answer.text, "utf-8")
    board = read_board(game(BED).options({"board": str(own)}).board)
    assert (board.name, board.toys["bone"]) == ("Mei's bed", ((1, 1), (2, 2)))
    assert [square in board.zone for square in ((1, 1), (2, 2))] == [False, True]


def test_a_file_from_elsewhere_is_kept_as_it_is(client: FlaskClient) -> None:
    rows = ", ".join(['"++++"'] * 5)
    text = f'# from the other table\nname = "Theirs"\nside = "A"\nbed = [{rows}]\n'
    assert keep(client, name="Theirs", rows=[], text=text).status_code == 200
    assert client.get(f"/own/{BED}/board/Theirs.toml").text == text
    assert "Theirs" in client.get(f"/own/{BED}/board?name=Theirs").text


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"rows": ["...", ".."]}, "row 2 of “bed” has 2 squares, but row 1 has 3"),
        ({"rows": []}, "“bed” has no squares"),
        ({"rows": ["..?"]}, "unknown sign '?' at place 3"),
        ({"text": "bed = ["}, "Mei's bed"),
        ({"text": 'side = "C"\nbed = ["."]'}, "line 1"),
    ],
)
def test_what_the_game_does_not_take_is_refused_with_its_own_sentence(
    client: FlaskClient, changed: dict[str, Any], says: str
) -> None:
    answer = keep(client, **changed)
    assert (answer.status_code, answer.json["rule"]) == (400, "not-an-option")
    assert says in answer.json["says"]
    assert client.get(FILE).status_code == 404


@pytest.mark.parametrize("name", ["", "..", "../bed", "a/b", "a\\b", ".hidden", "\0", "x" * 41, "bed.toml"])
def test_a_name_that_is_a_path_is_refused(client: FlaskClient, name: str) -> None:
    answer = keep(client, name=name)
    assert (answer.status_code, answer.json["rule"]) == (400, "bad-name")


def test_a_name_may_be_of_any_script(client: FlaskClient) -> None:
    for name in ("我的床", "나의 침대", "Bed-2 (old)"):
        assert keep(client, name=f"  {name} ").json["name"] == name


def test_a_name_loses_the_signs_that_nobody_sees(client: FlaskClient) -> None:
    assert keep(client, name="\u2066Mei\u202e\u0000's bed").json["name"] == "Mei's bed"
    rows = ", ".join(['"++++"'] * 5)
    text = f'name = "\u202eMine\\u0000"\nside = "A"\nbed = [{rows}]\n'
    begun = client.post("/api/matches", json={"game": BED, "options": {"board": text}}).json
    assert begun["match"]["board"]["board"] == "Mine"


def test_a_board_is_removed_and_nothing_else_is(client: FlaskClient) -> None:
    keep(client)
    keep(client, name="Another")
    named = {"game": BED, "option": "board", "name": "Another"}
    assert client.post("/api/own/remove", json=named).status_code == 200
    assert client.post("/api/own/remove", json=named).status_code == 404
    assert client.get(FILE).status_code == 200


@pytest.mark.parametrize(
    "path", [f"/own/{BED}/tiles", "/own/no-game/board", "/own/exploding-kittens/special_combos"]
)
def test_only_what_can_be_drawn_has_a_page(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_kitchen_is_drawn_too_and_needs_as_many_slabs_as_the_bag(client: FlaskClient) -> None:
    rows = ["o.....o", ".......", "..TTT..", "..TTT..", ".......", "o.....o"]
    kitchen = {"game": "chop-chop", "option": "board", "name": "Corners"}
    assert client.post("/api/own", json={**kitchen, "rows": rows}).status_code == 200
    text = client.get("/own/chop-chop/board/Corners.toml").text
    begun = client.post("/api/matches", json={"game": "chop-chop", "options": {"board": text}})
    holes = [hole["at"] for hole in begun.json["match"]["board"]["holes"]]
    assert holes == [[0, 0], [0, 6], [5, 0], [5, 6]]
    refused = client.post("/api/own", json={**kitchen, "rows": rows[1:]})
    assert refused.status_code == 400
    assert "slabs" in refused.json["says"]


def test_a_bed_on_which_no_match_could_begin_is_refused_when_it_is_saved(client: FlaskClient) -> None:
    refused = keep(client, rows=["....", "....", "...+"])
    assert (refused.status_code, refused.json["rule"]) == (400, "not-an-option")
    assert client.get(FILE).status_code == 404


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("zh-Hant", "Mei's bed，第 2 行：「bed」第 2 排有 2 格，第 1 排卻有 3 格；每一排要一樣長。"),
        (
            "ko",
            "Mei's bed, 2행: “bed” 2번째 줄은 2칸인데 1번째 줄은 3칸입니다. 모든 줄의 길이를 같게 하세요.",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_the_phones_language(
    client: FlaskClient, language: str, says: str
) -> None:
    client.set_cookie("language", language)
    assert keep(client, rows=[], text='side = "A"\nbed = ["...",\n".."]').json["says"] == says


def test_the_track_of_the_box_is_drawn_and_written_as_it_is() -> None:
    classic = board("classic")
    text = DRAWABLE.write("Ours", classic.drawn, "")
    assert msgspec.structs.asdict(board(text)) == msgspec.structs.asdict(classic)
    assert (len(classic.drawn), classic.drawn[0][:6], classic.drawn[2][2]) == (6, "...pz.", "x")


def test_what_is_not_drawn_stays_as_it_was_in_the_file(client: FlaskClient) -> None:
    theirs = board("classic")
    text = DRAWABLE.write("Theirs", theirs.drawn, "")
    text = text.replace("jump_chips = 1", "jump_chips = 7")
    track = {"game": "cat-and-mouse", "option": "board"}
    assert client.post("/api/own", json={**track, "name": "Theirs", "text": text}).status_code == 200
    rows = ["p" + theirs.drawn[0][1:], *theirs.drawn[1:]]
    kept = client.post("/api/own", json={**track, "name": "Ours", "rows": rows, "like": "Theirs"})
    assert kept.status_code == 200, kept.text
    ours = board(client.get("/own/cat-and-mouse/board/Ours.toml").text)
    assert (ours.jump_chips, ours.pays.squares[:2]) == (7, (1, 4))


def test_a_shorter_track_is_drawn_and_raced_on(client: FlaskClient) -> None:
    rows = ["...p....t...", "....z.e.....", "............"]
    track = {"game": "cat-and-mouse", "option": "board", "name": "Short"}
    assert client.post("/api/own", json={**track, "rows": rows}).status_code == 200
    assert ">Short</option>" in client.get("/new").text
    text = client.get("/own/cat-and-mouse/board/Short.toml").text
    begun = client.post("/api/matches", json={"game": "cat-and-mouse", "options": {"board": text}})
    assert begun.status_code == 200
    assert board(text).leap_of.keys() == {1, 2, 3}
    assert (board(text).pays.squares, board(text).lost_turn, board(text).second_throw) == ((4,), (17,), (9,))


def test_a_deck_of_ones_own_is_put_together_and_dealt(client: FlaskClient) -> None:
    page = client.get("/own/exploding-kittens/deck").text
    assert 'name="cards.skip"' in page and 'name="attack_turns"' in page
    numbers = {
        "dealt": 4, "seen": 3, "attack_turns": 2, "cards.kitten": 3, "cards.defuse": 6, "cards.attack": 2,
        "cards.shuffle": 2, "cards.skip": 2, "cards.future": 2, "cards.nope": 2, "cards.cat-a": 8,
    }  # fmt: skip
    deck = {"game": "exploding-kittens", "option": "deck", "name": "Short"}
    assert client.post("/api/own", json={**deck, "numbers": numbers}).status_code == 200
    assert ">Short</option>" in client.get("/new").text
    text = client.get("/own/exploding-kittens/deck/Short.toml").text
    begun = client.post(
        "/api/matches", json={"game": "exploding-kittens", "options": {"deck": text}, "seats": 2}
    )
    assert begun.json["match"]["board"]["deck"] == sum(numbers.values()) - 9 - 3 - 2 * 5 + 1
    refused = client.post("/api/own", json={**deck, "numbers": {**numbers, "cards.defuse": 1}})
    assert (refused.status_code, refused.json["rule"]) == (400, "not-an-option")
    assert "defuse must be 4 to 20, not 1" in refused.json["says"]
    assert client.post("/api/own", json={**deck, "numbers": {"x = 1\ncards.kitten": 3}}).status_code == 400
