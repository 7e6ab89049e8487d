"""The routes of the API with their types, and the OpenAPI 3.1 description made from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from companion import __version__
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.registry import games
from companion.messages import Phrase

AnyMove = dict[str, Any]
"""A body that is a move of the match's game, or `{"move": <such a move>, "n": <last entry>}`."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a request was refused: the name of the rule, and one sentence in the asker's language."""

    rule: str
    says: str


class Route(msgspec.Struct, frozen=True):
    """One route in the description. `takes` and `gives` are types that are sent as JSON, or media types."""

    method: str
    path: str
    summary: str
    takes: Any
    gives: Any
    refusals: tuple[int, ...]


class BadBody(Exception):
    """The body is not what the route takes; `cause` says where, and what could stand there."""

    def __init__(self, cause: Phrase) -> None:
        super().__init__(cause)
        self.cause = cause


class Routes:
    """A blueprint whose routes know their types: bodies are decoded, answers encoded by them."""

    def __init__(self, name: str) -> None:
        self.blueprint = Blueprint(name, __name__)
        self.described: list[Route] = []

    def route(
        self, method: str, path: str, *, gives: Any, takes: Any = None, refusals: tuple[int, ...] = ()
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Serve `method` `path` by the function, which gets the decoded body first if one is taken.

        Where `takes` is a media type, that is the body's bytes.
        """

        def keep(serve: Callable[..., Any]) -> Callable[..., Any]:
            summary = (serve.__doc__ or "").strip().split("\n")[0]
            self.described.append(Route(method, path, summary, takes, gives, refusals))

            @wraps(serve)
            def answer(**parts: Any) -> Any:
                given = serve(_body(takes), **parts) if takes is not None else serve(**parts)
                return given if isinstance(given, Response) else as_json(given)

            self.blueprint.add_url_rule(path, view_func=answer, methods=[method])
            return serve

        return keep


def as_json(value: object, status: int = 200) -> Response:
    """`value` as a JSON answer."""
    return Response(msgspec.json.encode(value), status, mimetype="application/json")


def _body(takes: Any) -> Any:
    """The request's body as `takes`; an empty one stands for `{}` in JSON. Raises `BadBody`."""
    if not _is_type(takes):
        return request.get_data()
    given: object = None
    try:
        given = msgspec.json.decode(request.get_data() or b"{}")
        return msgspec.convert(given, takes)
    except NOT_JSON as error:
        raise BadBody(cause_of(error, takes, given)) from error


def describe(routes: list[Route]) -> dict[str, Any]:
    """The OpenAPI description of `routes`, with the moves and options of every game."""
    moves = [each.any_move for each in games().values()]
    types = [kind for each in routes for kind in (each.takes, each.gives) if _is_type(kind)]
    every = [*moves, *types, Refusal, *(each.options_type for each in games().values())]
    schemas, components = msgspec.json.schema_components(every, ref_template="#/components/schemas/{name}")
    known = {id(kind): schema for kind, schema in zip(every, schemas, strict=True)}
    known[id(AnyMove)] = _move_or_wrapped(list(schemas[: len(moves)]))
    paths: dict[str, dict[str, Any]] = {}
    for each in routes:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", each.path)
        paths.setdefault(path, {})[each.method.lower()] = _operation(each, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table Companion", "version": __version__},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": SEAT_SECRETS},
        "security": [{}, *({name: []} for name in SEAT_SECRETS)],
    }


def _move_or_wrapped(moves: list[Any]) -> dict[str, Any]:
    move = {"anyOf": moves}
    wrapped = {"move": move, "n": {"type": ["integer", "null"]}}
    return {"anyOf": [*moves, {"type": "object", "properties": wrapped, "required": ["move"]}]}


def _is_type(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def _operation(each: Route, known: dict[int, Any]) -> dict[str, Any]:
    media, schema = ("application/json", known[id(each.gives)]) if _is_type(each.gives) else (each.gives, {})
    operation: dict[str, Any] = {
        "summary": each.summary,
        "responses": {"200": {"description": "Done", "content": {media: {"schema": schema}}}},
    }
    for status in each.refusals:
        content = {"application/json": {"schema": known[id(Refusal)]}}
        operation["responses"][str(status)] = {"description": REFUSALS[status], "content": content}
    if each.takes is not None:
        json = _is_type(each.takes)
        content = {"application/json": {"schema": known[id(each.takes)]}} if json else {each.takes: {}}
        operation["requestBody"] = {"required": True, "content": content}
    names = re.findall(r"<(?:\w+:)?(\w+)>", each.path)
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "integer"}} for name in names
        ]
    return operation


SEAT_SECRETS = {
    "seat": {
        "type": "apiKey",
        "in": "cookie",
        "name": "seat",
        "description": "Set by /api/seats/take: the asker sees, and may do, what that seat may",
    },
    "seatOfAProgram": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same for a program: the secret that /api/seats/take gave it",
    },
}

REFUSALS = {
    400: "The request is not well formed",
    403: "Sent by a page of another site, or by a phone that may not do this now",
    404: "There is none",
    409: "The rules (or the camera) refuse; nothing has changed",
    413: "The photo is too large",
    429: "Too many wrong codes, or too many phones ask to be let in; `Retry-After` says for how long",
    503: "The journal cannot be written, or too many phones listen; nothing has changed",
}
