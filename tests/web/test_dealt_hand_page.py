"""A dealt hand at a free seat, on real phones: it is picked up with a tap, and all are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.dealt import World
from tests.web.seated import codes
from tests.web.test_seats_page import Phone, phone, url
from web.server import Server

__all__ = ["phone"]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A table that has dealt, where the first seat is taken and the second is free."""
    made = World(tmp_path, 1, monkeypatch)
    yield made
    made.close()


@pytest.fixture
def server(world: World) -> Iterator[Server]:
    """Its pages."""
    made = Server(world.app, "127.0.0.1", 0)
    made.start()
    yield made
    made.stop()


def test_the_tap_is_told_on_every_page_and_to_who_sits_there_next(
    phone: Phone, server: Server, world: World
) -> None:
    others, second = phone("/history"), phone("/seats")
    second.get_by_label("Seat code").fill(codes(world.first)["second"])
    second.get_by_role("button", name="Join", exact=True).tap()
    second.wait_for_url(url(server, "/"))
    expect(second.locator("#hand-down-said")).to_contain_text("lies face down")
    expect(second.locator("#hand-down-said")).not_to_contain_text("has been seen")
    expect(second.locator("#seat-said")).to_have_text("Player 2")
    second.get_by_role("button", name="Pick up the hand").tap()
    expect(others.locator("#toast")).to_contain_text("The hand of Player 2 has been picked up.")
    expect(second.locator("#hand-down")).to_be_hidden()
    expect(second.locator("#hand")).to_be_visible()
    second.goto(url(server, "/seats"))
    second.get_by_role("button", name="Leave the seat").tap()
    seen = "The hand of Player 2 has been seen by 1 phone that does not sit there."
    expect(others.locator("#notices")).to_contain_text(seen)
    third = phone("/seats")
    third.get_by_label("Seat code").fill(codes(world.first)["second"])
    third.get_by_role("button", name="Join", exact=True).tap()
    expect(third.locator("#hand-down-said")).to_contain_text(seen)
