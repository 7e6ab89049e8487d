"""Every state of every game's page: a match from start to end, and all that can be opened on the way."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from companion.games.registry import game
from companion.games.watching import Card, Die, Observation, Tile, Verdict
from companion.play.table import Table
from tests.conformance.golden import files, playthrough
from web.language import messages_of_page

OPENED = {
    "this-bed-is-mine": ("#side-cat", "#tray button:not([aria-disabled])", "#tray button[aria-disabled]"),
    "cat-and-mouse": ("#odds", "#faces button"),
    "chop-chop": ("#side-mice", "main details:not([open]) > summary"),
    "exploding-kittens": ("#odds", "#hand button"),
    "hide-and-seek": (".player .owner", "#left > summary"),
    "score-sheet": ("#odds", "#round", "#other", "#other"),
}
"""What a tap opens on each game's page while a match is being played."""

SEEN: dict[str, tuple[Observation, ...]] = {
    "this-bed-is-mine": (Observation(tiles=(Tile("cat", 1, 0, 0, 0), Tile("dog", 1, 0, 0, 0))),),
    "cat-and-mouse": (
        Observation(unsure=True, dice=(Die(5, confidence=0.6), Die(3, confidence=0.5))),
        Observation(dice=(Die(5), Die(3), Die(1))),
    ),
    "chop-chop": (
        Observation(unsure=True, dice=(Die(2, "grey", confidence=0.5),)),
        Observation(dice=(Die(2, "grey"), Die(2, "blue"))),
    ),
    "exploding-kittens": (Observation(unsure=True, cards=(Card("skip", 0.5), Card("nope", 0.4))),),
    "hide-and-seek": (),
    "score-sheet": (
        Observation(unsure=True, dice=(Die(5, confidence=0.6),)),
        Observation(dice=(Die(5),) * 13),
    ),
}
"""What a camera may see in each game, sure or not, in the middle of a match."""

PICTURES = os.environ.get("PAGE_PICTURES", "")
"""A folder for pictures of the pages in all their states; empty: none are kept."""

WIDTHS = (320, 390, 768, 1280, 1920)
"""Of those pictures, in px."""

SCHEMES = ("dark", "light")

TOAST = "import('/static/toast.js').then(({toast}) => toast('Not now. '.repeat(9), 'refusal'))"

Moves = list[dict[str, Any]]


def golden(slug: str) -> tuple[dict[str, Any], Moves]:
    """The head and the moves of a game's golden playthrough."""
    head, *lines = playthrough(files(game(slug))[0])
    return head, [line["move"] for line in lines if "refused" not in line]


def play(table: Table, moves: Moves) -> None:
    """Play moves, each from the seat whose own it is."""
    for move in moves:
        rules = table.match.game
        table.play(move, "phone", seat=rules.private_to(rules.move(move)))


def last_moves(page: Page, table: Table) -> list[str]:
    """The newest moves of a match without players' names, as the page says them: in its language."""
    match, language = table.snapshot.view().match, page.locator("html").get_attribute("lang") or ""
    words = messages_of_page(table.match.game.slug)
    names = {seat: words.say(f"name.{seat}", language) for seat in match.seats}
    return [" ".join(names.get(word, word) for word in move.split(" ")) for move in match.last]


def settled(page: Page, table: Table) -> None:
    """Wait until the page shows the newest entry of the match."""
    if last := last_moves(page, table):
        expect(page.locator("#notation .moves li").last).to_have_text(last[-1])
    page.evaluate("() => new Promise(requestAnimationFrame)")


def keep_pictures(page: Page, name: str) -> None:
    """Keep pictures of a state at every width, dark and light, where a folder is named for them."""
    if not PICTURES:
        return
    size = page.viewport_size
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(path=folder / f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{scheme}-{width}.png")
    page.emulate_media(color_scheme=SCHEMES[0])  # type: ignore[arg-type]
    if size is not None:
        page.set_viewport_size(size)


def press(page: Page, what: str) -> bool:
    """Press the first node that a selector means; whether there is one."""
    script = "what => { const node = document.querySelector(what); node?.click(); return Boolean(node); }"
    return bool(page.evaluate(script, what))


def states(page: Page, table: Table, moves: Moves) -> Iterator[str]:
    """Lead the page through its states, each by its name."""
    slug = table.match.game.slug
    yield "start"
    for move in moves[: len(moves) // 2]:
        play(table, [move])
    settled(page, table)
    yield "half"
    page.evaluate("() => { document.getElementById('menu').open = true; }")
    yield "menu"
    page.evaluate("() => { document.getElementById('menu').open = false; }")
    page.evaluate("() => document.getElementById('notation').showModal()")
    yield "notation"
    page.keyboard.press("Escape")
    for opening in OPENED.get(slug, ()):
        if press(page, opening):
            yield f"pressed {opening}"
            page.keyboard.press("Escape")
    yield from _asked(page, table)
    page.evaluate(f"() => {TOAST}")
    yield "refused"
    page.evaluate("() => document.documentElement.classList.add('lost')")
    page.evaluate("() => { document.getElementById('lost').hidden = false; }")
    yield "lost"
    page.evaluate("() => document.documentElement.classList.remove('lost')")
    page.evaluate("() => { document.getElementById('lost').hidden = true; }")
    play(table, moves[len(moves) // 2 :])
    settled(page, table)
    yield "end"


def _asked(page: Page, table: Table) -> Iterator[str]:
    for number, seen in enumerate(SEEN.get(table.match.game.slug, ())):
        before = table.snapshot.sighting
        table.see(seen)
        now = table.snapshot.sighting
        if now is not None and now != before and now.verdict in (Verdict.ASK, Verdict.BREAKS):
            expect(page.locator("#sheet")).to_be_visible()
            yield f"seen {number}: {now.verdict} {now.why}{now.rule}"
            press(page, "#sheet header button")
