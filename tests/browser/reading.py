"""What must hold in every state of every page: it can be read, pressed and spoken to by everyone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

SMALL = """() => [...document.querySelectorAll('a, button, summary, select, input')]
  .filter(node => node.checkVisibility({visibilityProperty: true}) && node.getBoundingClientRect().width)
  .map(node => [node.outerHTML.slice(0, 90), node.labels?.length && node.type === 'checkbox'
    ? node.parentElement.getBoundingClientRect() : node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
"""What is too small to tap."""

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
  const name = node => node?.id || node?.className || node?.nodeName;
  new PerformanceObserver(list => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts.push([shift.value,
      ...shift.sources.map(({node, previousRect, currentRect}) =>
        `${name(node)}: ${at(previousRect)} → ${at(currentRect)}`)]);
  }).observe({type: 'layout-shift', buffered: true});
}"""
"""Notes each jump: the share of the screen; what moved; its x, y, width and height before and after."""

MOST_SHIFT = 0.02
"""How far things may jump at once."""

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
    return [shift for shift in page.evaluate("() => window.shifts") if shift[0] > MOST_SHIFT]


def faults(page: Page, axe: str, rules: dict[str, Any] = EVERY_RULE) -> list[str]:
    """What axe finds on the page as it is now: rule, and where."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    fault: list[str] = page.evaluate(RUN, rules)
    return fault


def unreadable(page: Page, axe: str) -> list[str]:
    """All that is wrong with the page as it is now, dark and light."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    wrong = [
        *faults(page, axe),
        *(fault for look in (SPILLS, SMALL, TALL, UNSAID) for fault in page.evaluate(look)),
    ]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    wrong += [f"light: {fault}" for fault in faults(page, axe, CONTRAST)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return wrong


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, where npm has put it."""
    if not AXE.is_file():
        pytest.skip("no axe-core here (npm ci)")
    return AXE.read_text("utf-8")
