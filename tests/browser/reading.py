"""What must hold in every state of every page: it can be read, pressed and spoken to by everyone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

SMALL = """() => [...document.querySelectorAll('a, button, summary, select, input')]
  .filter(node => node.checkVisibility({visibilityProperty: true}) && node.getBoundingClientRect().width)
  .map(node => [node.outerHTML.slice(0, 90), node.labels?.length && node.type === 'checkbox'
    ? node.parentElement.getBoundingClientRect() : node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
"""What is too small to tap."""

CONTROLS = """() => [...document.querySelectorAll('a, button, summary, select, input')].filter(node => {
  const {width, top, bottom} = node.getBoundingClientRect();
  return !node.matches(':disabled, [type=radio]:not(:checked)') && width && top < innerHeight && bottom > 0
    && node.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
}).length"""
"""How many things can be tapped on the first screen; a choice among some is one."""

SPILLS = """() => {
  const inside = 'button, .button, a, summary, h1, h2, h3, p, li, td, th, dt, dd, label';
  const spills = node => getComputedStyle(node).display !== 'inline'
    && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 2;
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page itself'] : [];
  return [...wide, ...[...document.querySelectorAll(inside)]
    .filter(node => node.checkVisibility({visibilityProperty: true}) && spills(node))
    .map(node => `${node.id} ${node.className}: ${node.textContent.trim().slice(0, 60)}`)];
}"""
"""What is wider than the place that it has."""

TALL = """() => [...document.querySelectorAll('h1, h2, h3, p, .button, button, .who, .name')]
  .filter(node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.unseen')
    && !node.firstElementChild && node.textContent.trim().length > 4)
  .filter(node => {
    const text = document.createRange();
    text.selectNodeContents(node);
    const lines = new Set([...text.getClientRects()].map(box => Math.round(box.top))).size;
    return lines > 4 && node.textContent.trim().length / lines < 3;
  })
  .map(node => node.outerHTML.slice(0, 120))"""
"""What is broken one letter a line."""

UNSAID = """() => {
  const bare = text => text.replace(/\\s/g, '').toLowerCase();
  const seen = node => [...node.childNodes].map(child => child.nodeType === Node.TEXT_NODE ? child.data
    : child.nodeType !== Node.ELEMENT_NODE || child instanceof SVGElement
      || child.matches('.unseen, [aria-hidden=true]') || !child.checkVisibility({visibilityProperty: true})
      ? '' : seen(child)).join('');
  return [...document.querySelectorAll('[aria-label]:is(a, button, summary, [role=button], [role=link])')]
    .filter(node => node.checkVisibility({visibilityProperty: true}))
    .map(node => [bare(seen(node)).replace(/[^\\p{L}\\p{N}]+$/u, ''), node.getAttribute('aria-label')])
    .filter(([text, label]) => /[\\p{L}\\p{N}]/u.test(text) && !bare(label).startsWith(text))
    .map(([text, label]) => `${label} does not begin with ${text}`);
}"""
"""Labels that do not begin with what is seen: whoever speaks to the phone says what they see."""

SHIFTS = """() => {
  window.shifts = [];
  const at = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(' ');
  const isSeen = ({previousRect, currentRect}) => previousRect.width && currentRect.width;
  const name = node => node?.id || node?.className || node?.nodeName;
  new PerformanceObserver(list => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts.push([shift.value,
      Math.max(0, ...shift.sources.filter(isSeen).map(({previousRect, currentRect}) => Math.max(
        Math.abs(currentRect.x - previousRect.x), Math.abs(currentRect.y - previousRect.y)))),
      ...shift.sources.map(({node, previousRect, currentRect}) =>
        `${name(node)}: ${at(previousRect)} → ${at(currentRect)}`)]);
  }).observe({type: 'layout-shift', buffered: true});
}"""
"""Notes each jump: share of the screen; px; what moved, and its x, y, width and height before and after.

What came or went has not moved.
"""

MOST_SHIFT = 0.02
"""How far things may jump at once, as the browser counts it."""
LINE_PX = 32
"""In some fonts a sentence takes one line more: things may move by that."""

SETTLES_MS = 10_000
"""A page may take that long to lay itself out on a busy machine."""

RUN = """rules => axe.run(document, rules).then(result => result.violations.flatMap(each => each.nodes.map(
  node => `${each.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`)))"""

EVERY_RULE: dict[str, Any] = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}
CONTRAST: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast"]},
}


def jumps(page: Page) -> list[Any]:
    """What has jumped too far on a page that notes it."""
    shifts = page.evaluate("() => window.shifts")
    return [shift for shift in shifts if shift[0] > MOST_SHIFT and shift[1] > LINE_PX]


def left_of(page: Page, script: str) -> list[Any]:
    """What a script still finds on a page once that has settled: empty as soon as it finds nothing."""
    with suppress(Error):
        page.wait_for_function(f"() => ({script})().length === 0", timeout=SETTLES_MS)
    return list(page.evaluate(script))


def faults(page: Page, axe: str, rules: dict[str, Any] = EVERY_RULE) -> list[str]:
    """What axe finds on the page as it is now: rule, and where."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    fault: list[str] = page.evaluate(RUN, rules)
    return fault


def unreadable(page: Page, axe: str) -> list[str]:
    """All that is wrong with the page as it is now, dark and light."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    wrong = [fault for look in (SPILLS, SMALL, TALL, UNSAID) for fault in left_of(page, look)]
    wrong += faults(page, axe)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    wrong += [f"light: {fault}" for fault in faults(page, axe, CONTRAST)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return wrong


def unreadable_at_some_size(page: Page, axe: str) -> list[str]:
    """The same on a phone, on a small one and on a desk, by width."""
    wrong = []
    for width, height in ((390, 844), (320, 568), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{width}: {fault}" for fault in unreadable(page, axe)]
    return wrong


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, where npm has put it."""
    if not AXE.is_file():
        pytest.skip("no axe-core here (npm ci)")
    return AXE.read_text("utf-8")
