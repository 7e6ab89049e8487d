"""Sentences as their readers write them: plurals in English, spaces in Chinese, particles in Korean."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import web
from companion.messages import Messages
from tests.project import sources

FILES = [path for path in sources.texts() if path.name == "messages.toml" and path.parts[0] != "tests"]
PLACE = re.compile(r"\{(\w+)(?::[^}]*)?\}")

SAID = [
    ("en", "{n} {n:move|moves}", {"n": 1}, "1 move"),
    ("en", "{n} {n:move|moves}", {"n": 2}, "2 moves"),
    ("en", "{n} {n:move|moves}", {"n": 0}, "0 moves"),
    ("en", "{n} {n:move|moves}", {"n": "1.5"}, "1.5 moves"),
    ("en", "{a} {a:lies|lie} up, {b} {b:is|are} down", {"a": 1, "b": 3}, "1 lies up, 3 are down"),
    ("ko", "{who}{who:은|는} 간다", {"who": "강아지"}, "강아지는 간다"),
    ("ko", "{who}{who:은|는} 간다", {"who": "탄탄"}, "탄탄은 간다"),
    ("ko", "{who}{who:이|가} 간다", {"who": "플레이어 2"}, "플레이어 2가 간다"),
    ("ko", "{who}{who:이|가} 간다", {"who": "플레이어 3"}, "플레이어 3이 간다"),
    ("ko", "{to}{to:으로|로}", {"to": "회색"}, "회색으로"),
    ("ko", "{to}{to:으로|로}", {"to": "노랑"}, "노랑으로"),
    ("ko", "{to}{to:으로|로}", {"to": "술"}, "술로"),
    ("ko", "{to}{to:으로|로}", {"to": "D8"}, "D8로"),
    ("ko", "{to}{to:으로|로}", {"to": "D6"}, "D6으로"),
    ("ko", "{what}{what:을|를}", {"what": "panel.toml"}, "panel.toml을"),
    ("ko", "{what}{what:을|를}", {"what": "Anna"}, "Anna를"),
    ("ko", "{what}{what:을|를}", {"what": ""}, "를"),
    ("ko", "{what}{what:은|는}", {"what": "“달”"}, "“달”은"),
    ("ko", "{what}{what:은|는}", {"what": "(해)"}, "(해)는"),
    ("zh-Hant", "{seat}擲出{n}點", {"seat": "貓", "n": 3}, "貓擲出 3 點"),
    ("zh-Hant", "{seat}擲出{n}點", {"seat": "玩家 1", "n": 3}, "玩家 1 擲出 3 點"),
    ("zh-Hant", "輪到{seat}。", {"seat": "Anna"}, "輪到 Anna。"),
    ("zh-Hant", "{a}{b}", {"a": "貓", "b": 1}, "貓 1"),
    ("zh-Hant", "第{n}／{of}步", {"n": 1, "of": 4}, "第 1／4 步"),
]


@pytest.mark.parametrize(("language", "sentence", "facts", "text"), SAID)
def test_a_sentence_fits_its_facts(language: str, sentence: str, facts: dict[str, Any], text: str) -> None:
    assert Messages({"it": {"en": "", language: sentence}}).say("it", language, **facts) == text


@pytest.mark.browser
def test_a_page_says_the_same(chromium: Browser) -> None:
    page = chromium.new_page()
    script = (Path(web.__file__).parent / "static" / "messages.js").read_text("utf-8")
    for language, sentence, facts, text in SAID:
        words = json.dumps({"it": sentence})
        page.set_content(
            f'<html lang="{language}"><script>globalThis.words = {words};</script>'
            f'<script type="module">{script}\nwindow.say = say;</script>'
        )
        page.wait_for_function("'say' in window")
        assert page.evaluate("facts => say('it', facts)", facts) == text
    page.close()


def every(language: str, fact: Any) -> dict[str, str]:
    """Each sentence of the product in a language, with one and the same fact in all its places."""
    spoken: dict[str, str] = {}
    for path in FILES:
        words = Messages.from_files(sources.ROOT / path)
        for key, said in words:
            names = {place[1] for place in PLACE.finditer(said[language])}
            spoken[f"{path}: {key}"] = words.say(key, language, **dict.fromkeys(names, fact))
    return spoken


THINGS = (
    "animal|byte|card|cheese|chip|code|decimal|draw|hole|kind|kitten|match|mm|move|phone|picture|player|point"
    "|round|row|seat|second|slab|square|step|time|turn|value|character"
)


def test_english_says_one_thing_and_two_things() -> None:
    several = re.compile(rf"\b1 (starting |percentage )?({THINGS})(s|es)\b(?! up| worth)|\b1 mice\b")
    single = re.compile(rf"\b2 (starting |percentage )?({THINGS})\b(?<!mm)")
    assert {key: text for key, text in every("en", 1).items() if several.search(text)} == {}
    assert {key: text for key, text in every("en", 2).items() if single.search(text)} == {}


HAN = r"[\u3400-\u9fff]"


def test_chinese_has_its_own_signs_and_one_space_beside_latin_letters_and_digits() -> None:
    touching = rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}"
    sign = "[，。：；！？、（）「」／]"
    apart = rf"{HAN} +{HAN}|  |{sign} | {sign}"
    half_width = rf"{HAN}[,:;!?()]|[,;!?()]{HAN}|\.\.\.|(?<!…)…(?!…)"
    wrong = re.compile(f"{touching}|{apart}")
    for fact in (7, "貓", "Anna"):
        # Two facts beside each other keep the space between them: a player's own name, and a number.
        texts = {
            key: text.replace(f"{fact} {fact}", str(fact)) for key, text in every("zh-Hant", fact).items()
        }
        assert {key: text for key, text in texts.items() if wrong.search(text)} == {}
    half = re.compile(half_width)
    assert {key: text for key, text in every("zh-Hant", 7).items() if half.search(text)} == {}


def test_korean_leaves_no_particle_open() -> None:
    both = re.compile(r"은\(는\)|이\(가\)|을\(를\)|\(으\)로|\(이\)라|와\(과\)|\(을\)를")
    assert {key: text for key, text in every("ko", "쥐").items() if both.search(text)} == {}
