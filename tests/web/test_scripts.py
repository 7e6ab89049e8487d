"""Modules joined into one script."""

from __future__ import annotations

import pytest

from web.scripts import joined, small, small_style

FILES = {
    "/static/base.js": 'import "./line.js";\nimport { say as tell, ONE } from "./words.js";\ntell(ONE);\n',
    "/static/line.js": 'import { say } from "/static/words.js";\nsay("line");\n',
    "/static/words.js": "/** Says. */\nexport function say(what) {\n  // to all\n  log(what);\n}\n"
    "export const ONE = 1;\nexport class Two {}\nexport async function later() {}\n",
    "/games/nim/page.js": 'import { ONE } from "/static/words.js";\nimport { own } from "./page_own.js";\n',
    "/games/nim/page_own.js": "export const own = 2;\n",
}


def test_each_module_runs_once_after_those_that_it_imports() -> None:
    script = joined(("/static/base.js", "/games/nim/page.js"), FILES.__getitem__)
    begun = [line.split()[1] for line in script.splitlines() if line.endswith("= (() => {")]
    assert begun == [
        "_static_words_js",
        "_static_line_js",
        "_static_base_js",
        "_games_nim_page_own_js",
        "_games_nim_page_js",
    ]


def test_a_module_takes_what_it_imports_and_returns_what_it_exports() -> None:
    assert joined(("/static/base.js",), FILES.__getitem__) == (
        "const _static_words_js = (() => {\nfunction say(what) {\nlog(what);\n}\nconst ONE = 1;\n"
        "class Two {}\nasync function later() {}\nreturn { say, ONE, Two, later };\n})();\n"
        'const _static_line_js = (() => {\nconst {say } = _static_words_js;\nsay("line");\n})();\n'
        "const _static_base_js = (() => {\nconst {say: tell, ONE } = _static_words_js;\ntell(ONE);\n})();"
    ).replace("{say", "{ say")


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./words.js";',
        'import words from "./words.js";',
        "export default 1;",
        'export { a } from "./words.js";',
        "export let changed = 1;",
        'import { a } from "./words.js"',
    ],
)
def test_what_cannot_be_joined_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=r"/static/odd\.js .*plain way") as caught:
        joined(("/static/odd.js",), {**FILES, "/static/odd.js": f"{line}\n"}.__getitem__)
    assert line in str(caught.value)


def test_modules_that_import_each_other_are_named() -> None:
    files = {"/a.js": 'import { b } from "/b.js";\n', "/b.js": 'import { a } from "/a.js";\n'}
    with pytest.raises(ValueError, match=r"/a\.js imports itself, by way of /a\.js, /b\.js"):
        joined(("/a.js",), files.__getitem__)


def test_comments_on_their_own_or_after_code_blank_lines_and_indents_are_left_out() -> None:
    text = "/* A\n   B */\n\na();\n// b\n  /* c */ d,\n/** e */\nconst f = `g`; // h\n\nif (i) { // j\n}\n"
    assert small(text) == "a();\n/* c */ d,\nconst f = `g`;\nif (i) {\n}\n"


@pytest.mark.parametrize(
    "line", ['at = "http://a";', "at = `${b}; //c`;", "at = '{ //'; // 'd'", "a = b / c // d"]
)
def test_what_may_be_the_end_of_a_string_stays(line: str) -> None:
    assert small(f"{line}\n") == f"{line}\n"


def test_a_style_keeps_its_meaning_without_the_spaces() -> None:
    text = (
        '/* A */\na :hover > b,\nc::after {\n  content: ":"; margin: 0 -0.5px; /* B\n C */\n}\n'
        "@media (max-width: 9px) {\n  d { e: f }\n}\n"
    )
    styles = 'a :hover>b,c::after{content:":";margin:0 -.5px}@media (max-width:9px){d{e:f}}'
    assert small_style(text) == styles


def test_the_types_in_a_script_are_not_sent() -> None:
    script = joined(("/a.js",), {"/a.js": "const a = /** @type {string} */ (b);\n"}.__getitem__)
    assert script == "const _a_js = (() => {\nconst a = (b);\n})();"
