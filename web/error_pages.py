"""Refuses a request: status, rule and one sentence."""

from __future__ import annotations

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.errors import (
    CompanionError,
    DataError,
    InvalidMove,
    MoveError,
    NotKept,
    PhotoError,
    PhrasedError,
    SettingError,
    TableError,
)
from companion.files import FileFault
from companion.messages import Fact
from companion.play.journal import JournalError
from web.app_state import app_state, running
from web.identity import phone
from web.language import language, messages_of_every_page, messages_of_page
from web.openapi import BadBody, Refusal, as_json
from web.permissions import Line

LONGEST_HOST = 80

BAD_VALUES = {"no-game", "no-such", "bad-value", "not-a-broker"}
"""Faults of a value in the request, whatever it was for."""

STATUS_OF_PHOTOS = {"too-large": 413, "busy": 503, "gone": 404}
"""The status of a photo's fault; others are a conflict, which another photo mends."""


def refuse(rule: str, says: str, status: int) -> Response:
    """Refuse a request: JSON for the API, a page for a person."""
    if not app_state().may_hide(phone()):
        app_state().count(f"refused:{status}")
    if request.path.startswith("/api/") or request.method != "GET":
        return as_json(Refusal(rule, says), status)
    page = render_template("refusal.html", says=says, status=status)
    return Response(page, status, mimetype="text/html")


def not_allowed(line: Line | None) -> Response:
    """Refuse a phone below the line's role; None is a route without a line."""
    if line is None:
        return refuse("http-403", say("web.http-403"), 403)
    if line.by_pin:
        return refuse("pin-first", say("web.pin-first"), 403)
    if line.least == "host":
        return refuse("not-the-host", say("web.not-the-host"), 403)
    return refuse("not-at-the-table", say("web.not-at-the-table"), 403)


def foreign_host() -> Response:
    """Refuse a request for another name with a sentence alone, which shows no table."""
    app_state().count("refused:421")
    says = say("web.foreign-host", host=request.headers["Host"][:LONGEST_HOST])
    if request.path.startswith("/api/") or request.method != "GET":
        return as_json(Refusal("foreign-host", says), 421)
    return Response(f"{says}\n", 421, mimetype="text/plain")


def say(key: str, **facts: Fact) -> str:
    """A message of the pages in the asker's language."""
    return messages_of_page(running().table.match.game.slug).say(key, language(), **facts)


def sentence_of(error: Exception) -> str:
    """An error's sentence, in the asker's language where the error has it."""
    if isinstance(error, SettingError):
        error = _named(error)
    if isinstance(error, MoveError | DataError | PhrasedError | FileFault):
        return error.says(language())
    return str(error)


def sentence_of_http(code: int) -> str:
    """The sentence for a status with which the server itself refuses."""
    known = code if code in (403, 404, 405, 413) else 500
    return messages_of_every_page().say(f"web.http-{known}", language())


def _named(error: SettingError) -> SettingError:
    """The same error with the setting's name from its page."""
    label = f"settings.{error.facts.get('name')}"
    words = messages_of_page(running().table.match.game.slug)
    if label not in words:
        return error
    return SettingError(error.fault, **{**error.facts, "name": words.say(label, language())})


def register(app: Flask) -> None:
    """Register a handler for each family of errors."""

    @app.errorhandler(MoveError)
    def of_the_rules(error: MoveError) -> Response:
        return refuse(error.rule, sentence_of(error), 400 if isinstance(error, InvalidMove) else 409)

    @app.errorhandler(JournalError)
    def of_the_journal(error: JournalError) -> Response:
        return refuse("journal", sentence_of(error), 503)

    @app.errorhandler(NotKept)
    def of_the_disk(error: NotKept) -> Response:
        return refuse("not-kept", sentence_of(error), 503)

    @app.errorhandler(PhotoError)
    def of_a_photo(error: PhotoError) -> Response:
        return refuse(error.fault, sentence_of(error), STATUS_OF_PHOTOS.get(error.fault, 409))

    @app.errorhandler(CompanionError)
    def of_the_camera(error: CompanionError) -> Response:
        if isinstance(error, TableError | SettingError) and error.fault in BAD_VALUES:
            return refuse("not-an-option", sentence_of(error), 400)
        return refuse("not-now", sentence_of(error), 409)

    @app.errorhandler(BadBody)
    def of_the_body(error: BadBody) -> Response:
        return refuse("bad-body", say("web.bad-body", fault=error.cause), 400)

    @app.errorhandler(HTTPException)
    def of_the_road(error: HTTPException) -> Response | HTTPException:
        code = error.code or 500
        if code < 400:
            return error
        return refuse(f"http-{code}", sentence_of_http(code), code)
