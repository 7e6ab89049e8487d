"""The broker's settings on a real phone: only after the PIN, and no login outlives its address unseen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from companion.broker.service import BrokerService
from companion.play.table import Table
from tests.running import running
from tests.web.test_seats_page import Phone, app_state_of, phone, table, url
from web.app import create_app
from web.server import Server

__all__ = ["phone", "table"]


@pytest.fixture
def server(table: Table) -> Iterator[Server]:
    """The pages of a table that may be on a broker."""
    at_table = running(table)
    made = Server(create_app(at_table, BrokerService(at_table)), "127.0.0.1", 0)
    made.start()
    yield made
    made.stop()


def test_a_new_address_forgets_the_login_and_says_so(phone: Phone, server: Server) -> None:
    page = phone("/settings")
    assert page.locator("main > form > details").count() <= 4
    for label in ("MQTT broker", "Password at the broker", "Open table"):
        expect(page.get_by_label(label, exact=True)).to_be_disabled()
    page.get_by_role("link", name="Type the host's PIN").first.tap()
    page.get_by_label("Host's PIN").fill(app_state_of(server).pin)
    page.get_by_role("button", name="Become the host").tap()
    expect(page.locator("#host-pin")).to_be_visible()
    page.goto(url(server, "/settings"))
    page.get_by_text("Network").tap()
    said = page.locator("#toast")
    address, user, password = (
        page.get_by_label(label, exact=True)
        for label in ("MQTT broker", "User at the broker", "Password at the broker")
    )
    for field, value in ((address, "mqtts://club"), (user, "mei"), (password, "sesame")):
        with page.expect_response("**/api/settings"):
            field.fill(value)
            field.blur()
    address.fill("mqtt://club")
    address.blur()
    expect(said).to_contain_text("The user and password of the old address are forgotten.")
    expect(said).to_contain_text("Without TLS")
    expect(user).to_have_value("")
    expect(password).to_have_value("")
    expect(page.locator("[data-setting=broker] .says")).to_contain_text("Without TLS")
    settings = app_state_of(server).running.settings
    assert (settings.text("broker_user"), settings.text("broker_password")) == ("", "")
