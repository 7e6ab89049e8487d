"""Phones at a table, some of which sit: for the tests of seats."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient


def codes(client: FlaskClient) -> dict[str, str]:
    """The short codes of free seats that a phone is shown."""
    return codes_of(client.get("/api/seats").json)


def codes_of(seats: dict[str, Any]) -> dict[str, str]:
    """The short codes of free seats in an answer."""
    return {row["seat"]: row["code"] for row in seats["seats"] if row["code"]}


def sit(app: Flask, seat: str, shown_by: FlaskClient) -> FlaskClient:
    """A new phone sits down by the short code that another shows."""
    phone = app.test_client()
    answer = phone.post("/api/seats/take", json={"code": codes(shown_by)[seat]})
    assert answer.status_code == 200, answer.text
    return phone


def let_in(app: Flask, by: FlaskClient) -> FlaskClient:
    """A new phone asks to be let in, and a phone of the table lets it."""
    phone = app.test_client()
    number = phone.post("/api/seats/ask").json["asks"]
    assert by.post("/api/seats/let-in", json={"number": number}).status_code == 200
    return phone


def be_host(app: Flask, phone: FlaskClient) -> FlaskClient:
    """A phone becomes a host by the PIN."""
    pin = app.extensions["companion"].pin
    assert phone.post("/api/seats/host", json={"pin": pin}).status_code == 200
    return phone


def secret_of(phone: FlaskClient) -> str:
    """The secret in a phone's cookie."""
    cookie = phone.get_cookie("seat")
    assert cookie is not None
    return cookie.value


def bearer(secret: str) -> dict[str, Any]:
    """The header by which a program says who it is."""
    return {"headers": {"Authorization": f"Bearer {secret}"}}
