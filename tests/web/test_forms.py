"""The form of a game's options is made from their types."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import pytest
from flask.testing import FlaskClient
from msgspec import Meta

from companion.games.game import Options
from companion.games.registry import game, games
from companion.messages import LANGUAGES, Messages
from tests.conftest import BED
from web.forms import fields
from web.language import messages_of_page


class Every(Options, frozen=True):
    """One option of each kind."""

    pace: Literal["slow", "quick"] = "quick"
    rounds: Annotated[int, Meta(ge=1, le=9, title="How long", description="Rounds to play")] = 3
    share: float = 0.5
    strict: bool = True
    deck: str = "plain"
    extra: tuple[int, ...] = (1, 2)


class Plain:
    """As much of a game as a form needs."""

    options_type = Every

    def options(self, given: dict[str, Any]) -> Every:
        return Every(**given)


WORDS = Messages({"option.pace": {"en": "Pace", "ko": "빠르기"}, "choice.pace.slow": {"en": "Slowly"}})


def test_each_kind_of_option_gets_its_kind_of_field() -> None:
    kinds = {field.name: field.kind for field in fields(Plain(), WORDS, "en")}  # type: ignore[arg-type]
    assert kinds == {
        "pace": "choice",
        "rounds": "integer",
        "share": "number",
        "strict": "boolean",
        "deck": "text",
        "extra": "json",
    }


def test_words_come_first_then_the_type_then_the_name() -> None:
    pace, rounds, share, *_ = fields(Plain(), WORDS, "en")  # type: ignore[arg-type]
    assert (pace.label, rounds.label, share.label) == ("Pace", "How long", "share")
    assert [choice.label for choice in pace.choices] == ["quick", "Slowly"]
    assert (rounds.help, rounds.least, rounds.most) == ("Rounds to play", 1, 9)
    assert fields(Plain(), WORDS, "ko")[0].label == "빠르기"  # type: ignore[arg-type]


def test_help_in_english_is_not_shown_to_who_reads_another_language() -> None:
    assert [field.help for field in fields(Plain(), WORDS, "ko")] == [""] * 6  # type: ignore[arg-type]


def test_a_text_with_words_for_its_values_is_chosen_from_them() -> None:
    words = Messages({"choice.deck.plain": {"en": "Plain"}, "choice.deck.gold": {"en": "Gold"}})
    deck = fields(Plain(), words, "en")[4]  # type: ignore[arg-type]
    assert (deck.kind, deck.default) == ("choice", '"plain"')
    assert [choice.value for choice in deck.choices] == ['"plain"', '"gold"']


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_of_each_game_holds_its_defaults(slug: str, language: str) -> None:
    made = fields(game(slug), messages_of_page(slug), language)
    assert [field.name for field in made] == list(game(slug).options_type.__struct_fields__)
    assert all(field.label for field in made)


def test_each_bed_that_comes_with_the_game_can_be_chosen(client: FlaskClient) -> None:
    data = game(BED).folder / "data"
    made = {field.name: field for field in fields(game(BED), messages_of_page(BED), "en")}
    for option, folder in (("board", "boards"), ("tiles", "tiles")):
        offered = {choice.value.strip('"') for choice in made[option].choices}
        assert offered == {path.stem for path in (data / folder).glob("*.toml")}
    for choice in made["board"].choices:
        body = {"game": BED, "options": {"board": choice.value.strip('"')}}
        assert client.post("/api/matches", json=body).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_offers_a_lot_where_the_rulebook_has_one(client: FlaskClient, language: str) -> None:
    page = client.get("/new", headers={"Accept-Language": language}).text
    forms = dict(re.findall(r'<form class="foot" data-game="([^"]*)"(.*?)</form>', page, re.DOTALL))
    assert [slug for slug, form in forms.items() if "data-lot" in form] == [BED]
    assert messages_of_page(BED).say("lot.label", language) in forms[BED]


def test_what_was_chosen_last_is_offered_first_and_a_path_never(client: FlaskClient) -> None:
    body = {"game": "chop-chop", "seats": 3, "options": {"board": "corners"}, "players": {"cat": "Mei"}}
    assert client.post("/api/matches", json=body).status_code == 200
    client.post("/api/matches", json={"game": BED})
    page = client.get("/new").text
    form = re.findall(r'data-game="chop-chop"(.*?)</form>', page, re.DOTALL)[0]
    assert 'name="seats" value="3" checked' in form
    assert '<option value="name:Mei" selected>' in form
    assert re.search(r"""<option value="&#34;corners&#34;" selected>in the corners""", form)
    assert not re.findall(r"[^<>]*path of[^<>]*", page)
    assert 'data-kind="text"' not in page


def test_the_same_again_has_options_seats_and_players_of_before(client: FlaskClient) -> None:
    body = {"game": "chop-chop", "seats": 3, "options": {"board": "corners"}, "players": {"cat": "Mei"}}
    before = client.post("/api/matches", json=body).json["match"]
    now = client.post(f"/api/matches/{before['id']}/again", json={"instead_of": before["id"]}).json["match"]
    assert now["id"] != before["id"]
    for same in ("game", "options", "seats", "players"):
        assert now[same] == before[same]
    assert client.post("/api/matches/99/again", json={}).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", games())
def test_each_option_has_one_plain_sentence_in_each_language(slug: str, language: str) -> None:
    words = messages_of_page(slug)
    help_of = {each.name: each.help for each in fields(game(slug), words, language)}
    assert all(f"option-help.{name}" in words for name in help_of)
    assert [name for name, text in help_of.items() if not text.rstrip().endswith((".", "。"))] == []
