"""A finished board scored over HTTP from photos, and a throw from a photo of the dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import MOST_PHOTO_BYTES
from companion.games.registry import game
from companion.games.watching import Dice, Die, Observation
from companion.messages import LANGUAGES
from companion.play.table import Table
from companion.service.photos.drafts import PhotoDrafts
from tests.conftest import BED
from tests.running import pages_of
from tests.service.photographed import CORNERS, Finds, Reads, finds, jpeg, reads
from tests.web.conftest import Browser

__all__ = ["finds", "reads"]


@pytest.fixture
def photos(reads: Reads, finds: Finds, tmp_path: Path) -> Iterator[PhotoDrafts]:
    """What reads photos for the pages."""
    made = PhotoDrafts(reads=reads, finds=finds, folder=tmp_path / "photos")
    yield made
    made.stop()


@pytest.fixture
def app(table: Table, photos: PhotoDrafts) -> Iterator[Flask]:
    """The pages of a table without a camera, at which photos can be scored."""
    made = pages_of(table, None, photos=photos)
    made.test_client_class = Browser
    yield made
    made.extensions["companion"].stop()


@pytest.fixture
def draft(client: FlaskClient) -> str:
    """The address of a draft with one photo."""
    begun = client.post("/api/photos", json={"game": BED, "options": {"board": "b"}}).json
    address = f"/api/photos/{begun['id']}"
    assert send(client, address).status_code == 200
    return address


def send(client: FlaskClient, draft: str, photo: bytes | None = None) -> TestResponse:
    """Send a photo."""
    data = jpeg() if photo is None else photo
    return client.post(f"{draft}/pictures", data=data, content_type="image/jpeg")


def read(client: FlaskClient, draft: str) -> Any:
    """The draft once its photos were read."""
    assert client.post(f"{draft}/read").status_code == 200
    while (now := client.get(draft).json)["stage"] in ("waiting", "reading"):
        sleep(0.01)
    return now


TILES = [
    {"owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3},
    {"owner": "dog", "digit": 9, "turns": 0, "row": 11, "col": 0},
]


def test_a_photo_becomes_a_score_that_is_kept_as_a_match(
    client: FlaskClient, table: Table, draft: str, photos: PhotoDrafts, tmp_path: Path
) -> None:
    before = table.match.record.id
    board = read(client, draft)["read"]
    assert [tile["digit"] for tile in board["tiles"]] == [4, 9, 9, 8]
    scored = client.post(f"{draft}/board", json={"tiles": TILES}).json["board"]
    kept = client.post(f"{draft}/keep", json={"tiles": TILES, "players": {"cat": "Mei"}}).json["match"]
    assert table.match.record.id == before, "the table goes on with its own match"
    (match,) = [each for each in client.get("/api/matches").json["matches"] if each["id"] == kept]
    assert match["from_photo"]
    assert match["over"]
    assert match["players"] == {"cat": "Mei"}
    assert match["points"] == {side: scored["points"][side]["total"] for side in ("cat", "dog")}
    assert "from a photo" in client.get("/history").text
    page = client.get(f"/history/{kept}").text
    assert "A board scored from a photo" in page
    assert f"/api/matches/{kept}/export" in page
    assert client.get(draft).status_code == 404, "the photos are forgotten"
    assert not (tmp_path / "photos").exists()


def test_a_tile_that_would_still_fit_is_named(client: FlaskClient, draft: str) -> None:
    fits = client.post(f"{draft}/board", json={"tiles": TILES}).json["fits"]
    assert [(tile["owner"], tile["digit"]) for tile in fits] == [("cat", 1), ("dog", 1)]


def test_another_bed_is_read_again(client: FlaskClient, draft: str) -> None:
    assert read(client, draft)["stage"] == "read"
    other = client.post(f"{draft}/options", json={"options": {"board": "a"}}).json
    assert (other["stage"], other["read"], other["options"]["board"]) == ("photos", None, "a")
    assert len(other["photos"]) == 1
    refused = client.post(f"{draft}/options", json={"options": {"board": "/etc/passwd"}})
    assert refused.json["rule"] == "not-an-option"


def test_the_kept_score_is_exported_and_comes_back(client: FlaskClient, draft: str) -> None:
    kept = client.post(f"{draft}/keep", json={"tiles": TILES}).json["match"]
    exported = client.get(f"/api/matches/{kept}/export")
    assert exported.headers["Content-Disposition"] == f'attachment; filename="match-{kept}.jsonl"'
    head, move = exported.text.splitlines()
    assert '"move":"finish"' in move
    assert '"game":"this-bed-is-mine"' in head
    assert client.get("/api/matches/999/export").status_code == 404


def test_the_photos_stay_only_where_that_is_wished(client: FlaskClient, draft: str, tmp_path: Path) -> None:
    kept = client.post(f"{draft}/keep", json={"tiles": TILES, "photos": True}).json["match"]
    assert [path.name for path in (tmp_path / "photos").glob("*/*")] == ["1.jpg"]
    address = f"/api/matches/{kept}/photos"
    assert f'src="{address}/1"' in client.get(f"/history/{kept}").text
    assert client.get(f"{address}/1").data.startswith(b"\xff\xd8\xff")
    assert client.get(f"{address}/2").status_code == 404
    assert client.post(f"{address}/remove").json == {"ok": True}
    assert not list((tmp_path / "photos").iterdir())
    assert f'src="{address}/1"' not in client.get(f"/history/{kept}").text


def test_tiles_that_cannot_lie_so_are_refused_by_the_rule_and_nothing_is_kept(
    client: FlaskClient, draft: str
) -> None:
    twice = [TILES[0], {**TILES[0], "row": 10}]
    for route in ("board", "keep"):
        refused = client.post(f"{draft}/{route}", json={"tiles": twice})
        assert (refused.status_code, refused.json["rule"]) == (409, "tile-already-laid")
    assert not [each for each in client.get("/api/matches").json["matches"] if each["from_photo"]]
    assert client.get(draft).status_code == 200


@pytest.mark.parametrize("far", [1e308, 1e7, -1e300])
def test_a_corner_out_of_this_world_is_refused(client: FlaskClient, draft: str, far: float) -> None:
    answer = client.post(f"{draft}/corners", json={"photo": 1, "corners_px": [[far, 70.0], *CORNERS[1:]]})
    assert (answer.status_code, answer.json["rule"]) == (409, "bad-corners")


def test_corners_are_set_and_photos_removed(client: FlaskClient, draft: str) -> None:
    moved = [[110.0, 70.0], *CORNERS[1:]]
    (photo,) = client.post(f"{draft}/corners", json={"photo": 1, "corners_px": moved}).json["photos"]
    assert (photo["source"], photo["corners_px"][0]) == ("person", [110.0, 70.0])
    assert client.post(f"{draft}/remove", json={"photo": 1}).json["photos"] == []
    assert client.post(f"{draft}/drop").json == {"ok": True}
    assert client.get(draft).status_code == 404


def test_the_photo_and_the_crops_are_pictures(client: FlaskClient, draft: str) -> None:
    read(client, draft)
    for address in (f"{draft}/pictures/1", f"{draft}/crops/0"):
        answer = client.get(address)
        assert answer.mimetype == "image/jpeg"
        assert answer.data.startswith(b"\xff\xd8\xff")
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("photo", "rule"),
    [
        (b"Dear board, this is a text.", "no-picture"),
        (b"\0\0\0\x18ftypheic" + bytes(40), "heic"),
        (b"\0\0\0\x18ftypisom" + bytes(40), "video"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x4e\x20\0\0\x4e\x20\x08\x02\0\0\0", "too-many-pixels"),
        (jpeg()[:400], "broken"),
        (jpeg(200, 240), "too-small"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_photo_is_refused_in_the_readers_language(
    client: FlaskClient, draft: str, photo: bytes, rule: str, language: str
) -> None:
    client.set_cookie("language", language)
    refused = send(client, draft, photo)
    assert (refused.status_code, refused.json["rule"]) == (409, rule)
    assert refused.json["says"]
    assert len(client.get(draft).json["photos"]) == 1


def test_a_photo_of_more_than_ten_megabytes_is_refused_by_its_length(client: FlaskClient, draft: str) -> None:
    refused = send(client, draft, bytes(MOST_PHOTO_BYTES + 1))
    assert (refused.status_code, refused.json["rule"]) == (413, "too-large")
    assert "10 MB" in refused.json["says"]


def test_no_other_route_takes_a_body_of_that_length(client: FlaskClient, draft: str) -> None:
    assert client.post(f"{draft}/corners", data=bytes(70_000)).status_code == 413
    assert client.post("/api/export", data=bytes(70_000)).status_code == 413


@pytest.mark.parametrize("path", ["pictures", "read", "board", "keep", "corners", "remove"])
def test_photos_that_are_gone_are_said_to_be(client: FlaskClient, path: str) -> None:
    body = {"tiles": [], "photo": 1, "corners_px": CORNERS}
    answer = client.post(f"/api/photos/123/{path}", json=body)
    assert (answer.status_code, answer.json["rule"]) == (404, "gone")


def test_no_option_names_a_file_of_the_machine(client: FlaskClient) -> None:
    refused = client.post("/api/photos", json={"game": BED, "options": {"board": "/etc/passwd"}})
    assert (refused.status_code, refused.json["rule"]) == (400, "not-an-option")


def test_a_game_whose_board_cannot_be_scored_is_refused(client: FlaskClient) -> None:
    refused = client.post("/api/photos", json={"game": "cat-and-mouse"})
    assert (refused.status_code, refused.json["rule"]) == (409, "no-such-game")


def test_where_nothing_reads_photos_no_page_offers_it(table: Table) -> None:
    client = pages_of(table, None).test_client()
    assert client.post("/api/photos", json={"game": BED}).status_code == 404
    assert "/score" not in client.get("/history").text
    assert "No game here can be scored" in client.get("/score").text


@pytest.mark.parametrize("slug", [BED, "exploding-kittens"])
def test_the_page_speaks_the_words_of_the_game_that_is_scored(
    client: FlaskClient, table: Table, slug: str
) -> None:
    table.begin(slug, {})
    page = client.get("/score").text
    assert f'data-game="{BED}"' in page
    assert f"/packed/{BED}/en/" in page
    assert "Take a photo" in page
    assert "/score" in client.get("/history").text


def test_photos_wait_their_turn_by_the_phones_addresses(
    client: FlaskClient, photos: PhotoDrafts, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources: list[str] = []
    monkeypatch.setattr(photos, "small", lambda _, source: sources.append(source) or jpeg())
    for address in ("10.0.0.1", "10.0.0.2"):
        client.post("/api/own/picture", data=jpeg(), environ_overrides={"REMOTE_ADDR": address})
    assert sources == ["10.0.0.1", "10.0.0.2"]


class Throws(PhotoDrafts):
    """Reads in each photo what a test tells it."""

    def __init__(self, thrown: Observation) -> None:
        super().__init__()
        self.thrown = thrown
        self.asked: list[Dice] = []

    def throw(self, dice: Dice, photo: bytes, source: str = "") -> Observation:
        self.asked.append(dice)
        return self.thrown


def thrower(table: Table, thrown: Observation) -> tuple[FlaskClient, Throws]:
    """A phone at a race without a camera."""
    table.begin("cat-and-mouse", {})
    photos = Throws(thrown)
    app = pages_of(table, None, photos=photos)
    app.test_client_class = Browser
    return app.test_client(), photos


def test_a_photo_of_the_dice_is_a_throw_as_the_camera_would_see_it(table: Table) -> None:
    sure = Observation(dice=(Die(3, confidence=0.99), Die(5, confidence=0.99)))
    client, photos = thrower(table, sure)
    now = client.post("/api/photos/throw", data=jpeg(), content_type="image/jpeg").json
    assert now["match"]["last"] == ["3-5"]
    assert photos.asked == [Dice(2)]


def test_dice_that_are_unclear_are_asked_about_as_the_cameras_are(table: Table) -> None:
    unclear = Observation(dice=(Die(3, confidence=0.5), Die(5, confidence=0.99)), unsure=True, why="dice")
    client, _ = thrower(table, unclear)
    now = client.post("/api/photos/throw", data=jpeg(), content_type="image/jpeg").json
    assert now["match"]["moves"] == 0
    assert now["sighting"]["verdict"] == "ask"
    answer = {"id": now["sighting"]["id"], "guess": 0}
    assert client.post("/api/sighting", json=answer).json["match"]["last"] == ["3-5"]


def test_a_throw_is_refused_where_no_dice_are_thrown(client: FlaskClient) -> None:
    refused = client.post("/api/photos/throw", data=jpeg(), content_type="image/jpeg")
    assert (refused.status_code, refused.json["rule"]) == (409, "no-dice")


SET = """
name = "Ours"
hand = 3
rounds_each = 1
animals_each = 1
[animals]
Ivy = {{ species = "cat", colours = ["black"], speed = 9, picture = "{picture}" }}
Rex = {{ species = "dog", colours = ["white"], speed = 4 }}
[cards]
food = {{ does = "food", speed = -1, count = 9 }}
"""


def test_a_card_has_a_picture_that_goes_along_with_the_shared_file(
    client: FlaskClient, tmp_path: Path
) -> None:
    sent = client.post("/api/own/picture", data=jpeg(), content_type="image/jpeg").json["picture"]
    shown = client.get(f"/own/pictures/{sent}.jpg")
    assert shown.data.startswith(b"\xff\xd8\xff")
    assert len(shown.data) < 20_000
    cards = {"game": "hide-and-seek", "option": "cards", "name": "Ours"}
    assert client.post("/api/own", json={**cards, "text": SET.format(picture=sent)}).status_code == 200
    assert ">Ours</option>" in client.get("/new").text
    shared = client.get("/own/hide-and-seek/cards/Ours.toml").text
    assert "\n[pictures]\n" in shared and f'{sent} = "' in shared
    own = tmp_path / "ours.toml"
    own.write_text(shared, "utf-8")
    kept = game("hide-and-seek").options({"cards": str(own)}).cards
    assert "[pictures]" not in kept
    begun = client.post("/api/matches", json={"game": "hide-and-seek", "options": {"cards": kept}})
    assert begun.json["match"]["board"]["set"]["animals"]["Ivy"]["picture"] == sent


@pytest.mark.parametrize("picture", ["../../secret", "0123456789abcdef.jpg", "ABCDEF0123456789"])
def test_a_card_names_no_other_file_as_its_picture(client: FlaskClient, picture: str) -> None:
    cards = {"game": "hide-and-seek", "option": "cards", "name": "Ours"}
    refused = client.post("/api/own", json={**cards, "text": SET.format(picture=picture)})
    assert (refused.status_code, refused.json["rule"]) == (400, "not-an-option")
    assert client.get(f"/own/pictures/{picture}.jpg").status_code == 404


def test_a_picture_that_is_none_is_refused_as_a_photo_is(client: FlaskClient) -> None:
    refused = client.post("/api/own/picture", data=b"Dear board,", content_type="image/jpeg")
    assert (refused.status_code, refused.json["rule"]) == (409, "no-picture")
