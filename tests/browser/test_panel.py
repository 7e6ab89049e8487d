"""The panel on a phone: the same lamps, the same presses, and no wires at all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.panel import TablePanel
from tests.browser.conftest import House, Phone
from tests.conftest import OPENING


@pytest.fixture
def limit_s() -> float | None:
    """Each seat's time; a test class may have its own."""
    return None


@pytest.fixture
def panel(house: House, limit_s: float | None) -> Iterator[TablePanel]:
    """The table's panel, served."""
    house.stop()
    house.panel = TablePanel(house.table, limit_s=limit_s)
    house.panel.start()
    house.begin()
    yield house.panel
    house.panel.stop()


def lamp(page: Page, seat: str) -> str | None:
    """What a seat's lamp shows."""
    return page.locator(f'[data-key="{seat}"] .press').get_attribute("data-pattern")


def test_a_press_on_the_page_is_a_press(phone: Phone, panel: TablePanel, house: House) -> None:
    page = phone("/panel")
    cat = page.locator('[data-key="cat"] .press')
    expect(cat).to_have_attribute("data-pattern", "your-turn")
    cat.tap()
    expect(cat).to_have_attribute("data-pattern", "waiting")
    house.table.play(OPENING[0], "camera")
    expect(cat).to_have_attribute("data-pattern", "off")
    expect(page.locator('[data-key="dog"] .press')).to_have_attribute("data-pattern", "your-turn")
