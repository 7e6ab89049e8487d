"""The match over HTTP."""

from __future__ import annotations

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import BadRequest

from companion.games.hide_and_seek import GAME
from companion.games.watching import Observation
from companion.play.journal import Journal, JournalError
from companion.play.match import Match
from companion.play.snapshot import MatchView
from companion.play.table import Table
from tests.conftest import BED, OPENING, lay
from tests.web.conftest import ScriptedCamera, doubtful, seen


def test_the_view_of_a_match_can_be_read(client: FlaskClient) -> None:
    view = client.get("/api/match")
    assert view.status_code == 200
    assert msgspec.convert(view.json, MatchView).game == BED
    assert view.json["board"]["turn"] == "cat"


def test_the_table_holds_match_sighting_and_camera(client: FlaskClient, blind: FlaskClient) -> None:
    assert client.get("/api/table").json.keys() == {
        "id", "match", "sighting", "camera", "seat", "sitting", "kept", "put_aside", "role", "asking",
        "notices", "demo", "colours", "animals", "askers", "opponent", "dealt",
        "face_down", "own_face_down", "rematch", "timed",
    }  # fmt: skip
    assert client.get("/api/table").json["camera"]["kind"] == "ok"
    assert blind.get("/api/table").json["camera"] is None


def test_a_move_is_played_by_itself_or_with_the_entry_it_follows(client: FlaskClient) -> None:
    assert client.post("/api/moves", json=OPENING[0]).json["match"]["moves"] == 1
    answer = client.post("/api/moves", json={"move": OPENING[1], "n": 1})
    assert answer.status_code == 200
    assert answer.json["match"]["n"] == 2
    assert answer.json["match"]["by"] == "phone"


def test_a_move_from_a_page_that_is_old_changes_nothing(client: FlaskClient, table: Table) -> None:
    client.post("/api/moves", json=OPENING[0])
    answer = client.post("/api/moves", json={"move": OPENING[1], "n": 0})
    assert answer.status_code == 409
    assert answer.json["rule"] == "page-was-old"
    assert table.match.n == 1


@pytest.mark.parametrize(
    ("language", "says"),
    [
        pytest.param("en", "dog's turn", id="English"),
        pytest.param("zh-TW,zh;q=0.9", "輪到", id="Chinese"),
        pytest.param("ko-KR,en;q=0.1", "차례", id="Korean"),
    ],
)
def test_a_refusal_is_said_in_the_askers_language(client: FlaskClient, language: str, says: str) -> None:
    client.post("/api/moves", json=OPENING[0])
    answer = client.post("/api/moves", json=lay("cat", 2, 0, 9), headers={"Accept-Language": language})
    assert answer.status_code == 409
    assert answer.json["rule"] == "not-your-turn"
    assert says in answer.json["says"]


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        pytest.param(b"", "not-a-move", id="empty"),
        pytest.param(b"{", "bad-body", id="cut off"),
        pytest.param(b"[]", "bad-body", id="a list"),
        pytest.param(b"\xff\xfe", "bad-body", id="not text"),
        pytest.param(b"[" * 5000, "bad-body", id="too deep"),
        pytest.param(b'{"move": "fly"}', "not-a-move", id="an unknown move"),
        pytest.param(b'{"move": {"move": "skip", "owner": "cow"}}', "not-a-move", id="an unknown owner"),
        pytest.param(b'{"move": {"move": "skip", "owner": "cat"}, "n": "1"}', "bad-body", id="n is text"),
        pytest.param(b'{"move": {"move": "skip", "owner": "cat"}, "n": true}', "bad-body", id="n is true"),
    ],
)
def test_what_is_no_move_is_refused(client: FlaskClient, table: Table, body: bytes, rule: str) -> None:
    answer = client.post("/api/moves", data=body)
    assert (answer.status_code, answer.json["rule"]) == (400, rule)
    assert answer.json["says"]
    assert table.match.n == 0


def test_a_body_that_is_too_large_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/moves", data=b" " * 70_000)
    assert answer.status_code == 413
    assert answer.json["says"]


def test_undo_and_redo(client: FlaskClient) -> None:
    assert client.post("/api/undo").json["rule"] == "nothing-to-undo"
    assert client.post("/api/redo", json={}).json["rule"] == "nothing-to-redo"
    client.post("/api/moves", json=OPENING[0])
    assert client.post("/api/undo", json={"n": 1}).json["match"]["moves"] == 0
    assert client.post("/api/undo", json={"n": 1}).json["rule"] == "page-was-old"
    assert client.post("/api/redo").json["match"]["moves"] == 1


def test_people_have_names(client: FlaskClient) -> None:
    answer = client.post("/api/players", json={"players": {"cat": " Mei ", "dog": ""}})
    assert answer.json["match"]["players"] == {"cat": "Mei"}
    answer = client.post("/api/players", json={"players": {"cow": "Bo"}})
    assert (answer.status_code, answer.json["rule"]) == (400, "no-such-seat")


def test_a_sighting_is_answered_with_one_of_its_guesses(client: FlaskClient, table: Table) -> None:
    table.see(doubtful(seen(("cat", 1, 0, 5, 3)), seen(("cat", 1, 0, 5, 4))))
    asked = client.get("/api/table").json["sighting"]
    assert asked["verdict"] == "ask"
    assert len(asked["guesses"]) == 2
    answer = client.post("/api/sighting", json={"id": asked["id"], "guess": 1})
    assert answer.json["sighting"] is None
    assert answer.json["match"]["board"]["tiles"][0]["col"] == 4


@pytest.mark.parametrize("guess", [-1, 2], ids=["below", "above"])
def test_an_answer_that_is_no_guess_changes_nothing(client: FlaskClient, table: Table, guess: int) -> None:
    table.see(doubtful(seen(("cat", 1, 0, 5, 3)), seen(("cat", 1, 0, 5, 4))))
    answer = client.post("/api/sighting", json={"id": 1, "guess": guess})
    assert (answer.status_code, answer.json["rule"]) == (409, "sighting-gone")
    assert table.match.n == 0


def test_an_answer_that_comes_late_changes_nothing(client: FlaskClient, table: Table) -> None:
    table.see(doubtful(seen(("cat", 1, 0, 5, 3)), seen(("cat", 1, 0, 5, 4))))
    client.post("/api/moves", json=OPENING[0])
    assert client.post("/api/sighting", json={"id": 1, "guess": 0}).status_code == 409
    assert table.match.n == 1


def test_a_new_match_is_begun_and_the_old_one_kept(client: FlaskClient) -> None:
    client.post("/api/moves", json=OPENING[0])
    answer = client.post(
        "/api/matches", json={"game": BED, "options": {"board": "b"}, "players": {"dog": "Bo"}}
    )
    assert answer.status_code == 200
    assert answer.json["match"]["board"]["side"] == "B"
    assert answer.json["match"]["players"] == {"dog": "Bo"}
    kept = client.get("/api/matches").json["matches"]
    assert [(each["id"], each["moves"]) for each in kept] == [(2, 0), (1, 1)]
    assert client.post("/api/matches/1/resume").json["match"]["moves"] == 1


@pytest.mark.parametrize("order", [("cat", "dog"), ("dog", "cat")])
def test_who_plays_the_cat_can_be_drawn_by_lot(
    client: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]
) -> None:
    monkeypatch.setattr("web.matches.draw_lots", lambda _: order)
    body = {"game": BED, "players": {"cat": "Ada", "dog": "Bo"}, "lot": True}
    drawn = {order[0]: "Ada", order[1]: "Bo"}
    assert client.post("/api/matches", json=body).json["match"]["players"] == drawn
    (entry,) = table.match.entries()
    assert (entry.kind, entry.body, entry.source) == ("players", drawn, "lot")
    again = Match(table.journal, table.match.record)
    assert again.view().players == drawn, "a replay draws no other lot"


def test_the_phones_go_with_their_players_when_the_lot_is_drawn(
    client: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.post("/api/seats/take", json={"seat": "cat"}).status_code == 200
    monkeypatch.setattr("web.matches.draw_lots", lambda _: ("dog", "cat"))
    body = {"game": BED, "players": {"cat": "Ada", "dog": "Bo"}, "lot": True}
    assert client.post("/api/matches", json=body).json["seat"] == "dog"


def test_a_lot_is_drawn_for_people_with_names(client: FlaskClient, journal: Journal) -> None:
    for players in ({}, {"cat": "Ada"}, {"cat": "Ada", "dog": " "}):
        answer = client.post("/api/matches", json={"game": BED, "players": players, "lot": True})
        assert (answer.status_code, answer.json["rule"]) == (400, "lot-needs-names")
    assert len(journal.matches()) == 1


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        pytest.param({"game": "ludo"}, "not-an-option", id="an unknown game"),
        pytest.param({"game": BED, "options": {"board": "zz"}}, "not-an-option", id="an unknown board"),
        pytest.param({"game": BED, "options": {"bord": "a"}}, "not-an-option", id="an unknown option"),
        pytest.param({"game": BED, "seats": 3}, "not-an-option", id="too many seats"),
        pytest.param({"game": BED, "players": {"cow": "Bo"}}, "no-such-seat", id="an unknown seat"),
        pytest.param({"options": {}}, "bad-body", id="no game"),
    ],
)
def test_a_match_that_cannot_be_is_not_begun(
    client: FlaskClient, journal: Journal, body: dict[str, object], rule: str
) -> None:
    answer = client.post("/api/matches", json=body)
    assert (answer.status_code, answer.json["rule"]) == (400, rule)
    assert answer.json["says"]
    assert len(journal.matches()) == 1


def test_a_set_of_cards_that_cannot_be_is_said_in_the_askers_language(client: FlaskClient) -> None:
    cards = (
        (GAME.folder / "data" / "example.toml")
        .read_text("utf-8")
        .replace('species = "cat"', 'species = "cow"')
    )
    body = {"game": "hide-and-seek", "options": {"cards": cards}}
    said = {
        tag: client.post("/api/matches", json=body, headers={"Accept-Language": tag}).json["says"]
        for tag in ("en", "zh-Hant", "ko")
    }
    place = "animals.兩金.species"
    assert said == {
        "en": f"The set of cards cannot be used: “{place}” must be one of cat, dog, not “cow”.",
        "zh-Hant": f"這套卡牌無法使用：「{place}」必須是 cat、dog 其中之一，不能是「cow」。",
        "ko": f"이 카드 세트는 쓸 수 없습니다: “{place}”에는 cat, dog 중 하나가 와야 하며 “cow”는 안 됩니다.",
    }


@pytest.mark.parametrize("path", ["/etc/passwd", "..\\a.toml", "mine.toml"])
def test_no_file_of_the_machine_can_be_named_over_the_web(client: FlaskClient, path: str) -> None:
    answer = client.post("/api/matches", json={"game": BED, "options": {"board": path}})
    assert answer.status_code == 400
    assert answer.json["says"].startswith("board: from a phone")


def test_a_match_that_is_not_kept_cannot_be_resumed(client: FlaskClient) -> None:
    assert client.post("/api/matches/7/resume").status_code == 404


def test_matches_are_listed_by_pages(client: FlaskClient, journal: Journal) -> None:
    for _ in range(25):
        Match.begin(journal, BED, {}).play(OPENING[0], "phone")
    first = client.get("/api/matches").json
    assert [each["id"] for each in first["matches"]] == list(range(26, 6, -1))
    rest = client.get(f"/api/matches/before/{first['before']}").json
    assert [each["id"] for each in rest["matches"]] == list(range(6, 0, -1))
    assert rest["before"] == 0


def test_a_match_in_which_nothing_was_done_is_kept_and_not_listed(
    client: FlaskClient, table: Table, journal: Journal
) -> None:
    table.play(OPENING[0], "phone")
    Match.begin(journal, BED, {})
    answer = Match.begin(journal, "exploding-kittens", {})
    hand = ["attack", "cat-a", "cat-a", "defuse", "future", "skip"]
    answer.play({"move": "hand", "seat": "first", "cards": hand}, "phone", seat="first")
    table.begin(BED, {})
    listed = [each["id"] for each in client.get("/api/matches").json["matches"]]
    assert listed == [4, 1], "the one that is played, and the one in which something was done in the open"
    assert len(journal.matches()) == 4
    table.resume(1)
    assert [each["id"] for each in client.get("/api/matches").json["matches"]] == [1]


def test_a_match_that_can_no_longer_be_played_back_is_listed_with_its_fault(
    client: FlaskClient, journal: Journal
) -> None:
    for game, options in (("gone-fishing", {}), (BED, {"board": "no such"})):
        journal.append(journal.begin(game, options, 2).id, 1, "move", {"move": "cast"}, "phone")
    faults = [each["fault"] for each in client.get("/api/matches").json["matches"]]
    assert "no such" in faults[0]
    assert "gone-fishing" in faults[1]
    assert faults[2] == ""
    in_chinese = client.get("/history", headers={"Accept-Language": "zh-Hant"}).text
    assert "沒有「&#39;gone-fishing&#39;」這個遊戲；現有的遊戲：cat-and-mouse" in in_chinese
    assert "There is no" not in in_chinese


def test_what_is_wrong_with_a_matchs_own_board_is_said_in_the_askers_language(client: FlaskClient) -> None:
    body = {"game": BED, "options": {"board": 'side = "A"\nbed = ["...",\n".."]\n'}}
    says = client.post("/api/matches", json=body, headers={"Accept-Language": "ko"}).json["says"]
    assert says.startswith("이 경기에 저장된 “board”, 2행: “bed” 2번째 줄은 2칸인데")


class TestFullDisk:
    """The journal cannot write: nothing changes, and the asker, every page and `/health` are told."""

    @pytest.fixture(autouse=True)
    def full(self, table: Table, journal: Journal) -> None:
        journal._connection.execute("PRAGMA query_only = ON")

    def test_a_move_is_refused(self, client: FlaskClient, table: Table) -> None:
        answer = client.post("/api/moves", json=OPENING[0])
        assert (answer.status_code, answer.json["rule"]) == (503, "journal")
        assert "free some space" in answer.json["says"]
        assert table.match.n == 0
        in_korean = client.post("/api/moves", json=OPENING[0], headers={"Accept-Language": "ko"})
        assert in_korean.json["says"].startswith("기록 파일 ")

    def test_health_and_the_page_say_so_until_a_change_is_kept(
        self, client: FlaskClient, table: Table, journal: Journal
    ) -> None:
        assert client.get("/health").json == {"ok": True, "says": "", "camera": "ok"}
        assert client.get("/api/table").json["kept"] is True
        version = table.snapshot.version
        client.post("/api/moves", json=OPENING[0])
        sick = client.get("/health")
        assert sick.status_code == 503
        assert "free some space" in sick.json["says"]
        assert sick.json["rule"] == "journal"
        assert client.get("/api/table").json["kept"] is False
        assert table.snapshot.version > version, "the pages were woken"
        journal._connection.execute("PRAGMA query_only = OFF")
        client.post("/api/moves", json=OPENING[0])
        assert client.get("/health").status_code == 200
        assert client.get("/api/table").json["kept"] is True

    def test_a_move_from_the_camera_counts_as_much(self, client: FlaskClient, table: Table) -> None:
        with pytest.raises(JournalError):
            table.see(Observation(tiles=seen(("cat", 1, 0, 5, 3))))
        assert client.get("/health").status_code == 503
        assert client.get("/api/table").json["kept"] is False


def test_health_without_a_camera(blind: FlaskClient) -> None:
    assert blind.get("/health").json["camera"] == "none"


def test_a_camera_that_fails_takes_no_page_with_it(
    client: FlaskClient,
    camera: ScriptedCamera,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise AttributeError("no pose")

    monkeypatch.setattr(camera, "state", fail)
    assert client.get("/").status_code == 200
    assert client.get("/api/table").json["camera"]["kind"] == "none"
    assert client.post("/api/moves", json=OPENING[0]).status_code == 200
    assert "no pose" in caplog.text


def test_a_fault_of_ours_is_said_without_its_inside(
    client: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret inside")

    monkeypatch.setattr(type(table.match.game), "view", fail)
    answer = client.get("/api/match")
    assert (answer.status_code, answer.json["rule"]) == (500, "http-500")
    assert "secret" not in answer.text


def test_a_request_that_flask_itself_refuses_is_answered_as_json(app: Flask) -> None:
    def refuse(**_: object) -> None:
        raise BadRequest("The browser (or proxy) sent a request that this server could not understand.")

    app.view_functions["match.play"] = refuse
    answer = app.test_client().post("/api/moves", json=OPENING[0])
    assert (answer.status_code, answer.json["rule"]) == (400, "http-400")
    assert "proxy" not in answer.text
