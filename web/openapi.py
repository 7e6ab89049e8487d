"""The routes of the API with their types, and the OpenAPI 3.1 description made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from flask import Blueprint, Response, request
from msgspec import UNSET, Meta, UnsetType

from companion import __version__
from companion.broker.schemas import schemas_of
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.registry import games
from companion.messages import Phrase
from web.permissions import Line

RECIPES = Path(__file__).with_name("api.md")

AnyMove = dict[str, Any]
"""A move of the match's game, or `{"move": <a move>, "n": <last entry>}`."""

Serve = TypeVar("Serve", bound=Callable[..., Any])


class Refusal(msgspec.Struct, frozen=True):
    """The reason of a refusal: the name of the rule, and one sentence in the asker's language."""

    rule: str
    says: str


class Nothing(msgspec.Struct, frozen=True):
    """An empty body or answer."""


class Spoken(msgspec.Struct, frozen=True):
    """What may stand behind the `?` of any address."""

    lang: (
        Annotated[
            Literal["en", "zh-Hant", "ko"],
            Meta(description="The language of sentences; without it as `Accept-Language` says"),
        ]
        | UnsetType
    ) = UNSET


class Asked(Spoken, frozen=True):
    """The same at a table."""

    seat: (
        Annotated[Literal["none"], Meta(description="The open table, wherever the asker sits")] | UnsetType
    ) = UNSET


class Stream(NamedTuple):
    """Server-Sent Events: `event` with its `data` at each change, and a `beat` in a silence."""

    event: str
    data: Any


class Route(msgspec.Struct, frozen=True):
    """One route, and its users' line. `takes` and `gives` are JSON types or media types.

    `asks` has what it takes behind the `?` of its address. A page `gives` None: it is not described.
    """

    tag: str
    method: str
    path: str
    who: Line
    summary: str
    takes: Any
    gives: Any
    refusals: tuple[int, ...]
    asks: Any = None

    @property
    def types(self) -> tuple[Any, ...]:
        """The JSON types that it takes and gives."""
        gives = self.gives.data if isinstance(self.gives, Stream) else self.gives
        return tuple(kind for kind in (self.takes, gives) if _is_type(kind))

    @property
    def name(self) -> str:
        """The operation's name in generated programs, from its method and address."""
        words = re.findall(r"\w+", re.sub(r"<\w+:|^/api/", "/", self.path))
        return "_".join([self.method.lower(), *words])


class BadBody(Exception):
    """The body does not fit the route; `cause` names the place and the allowed values."""

    def __init__(self, cause: Phrase) -> None:
        super().__init__(cause)
        self.cause = cause


class Routes:
    """A blueprint whose routes know their users and their bodies' types."""

    def __init__(self, name: str) -> None:
        self.blueprint = Blueprint(name, __name__)
        self.every: list[Route] = []

    @property
    def described(self) -> list[Route]:
        """The routes in the API's description."""
        return [route for route in self.every if route.gives is not None]

    def route(
        self,
        method: str,
        path: str,
        *,
        who: Line,
        gives: Any,
        takes: Any = None,
        asks: Any = None,
        refusals: tuple[int, ...] = (),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Serve `method` `path` by the function, with the decoded body first if one is taken.

        Where `takes` is a media type, that is the body's bytes. `refusals` are statuses beyond the usual 400
        for a body and 403 where not everybody may.
        """
        statuses = {400} if _is_type(takes) else set()
        statuses |= {403} if method == "POST" or who.least != "watcher" else set()

        def keep(serve: Callable[..., Any]) -> Callable[..., Any]:
            summary = (serve.__doc__ or "").strip().split("\n")[0]
            refused = tuple(sorted({*statuses, *refusals}))
            tag = self.blueprint.name
            self.every.append(Route(tag, method, path, who, summary, takes, gives, refused, asks))

            @wraps(serve)
            def answer(**parts: Any) -> Any:
                given = serve(_body(takes), **parts) if takes is not None else serve(**parts)
                return given if isinstance(given, Response) else as_json(given)

            self.blueprint.add_url_rule(path, view_func=answer, methods=[method])
            return serve

        return keep

    def page(self, path: str, *, who: Line) -> Callable[[Serve], Serve]:
        """Serve a page or a file by the function."""

        def keep(serve: Serve) -> Serve:
            self.every.append(Route(self.blueprint.name, "GET", path, who, "", None, None, ()))
            self.blueprint.add_url_rule(path, view_func=serve)
            return serve

        return keep


def as_json(value: object, status: int = 200) -> Response:
    """Answer with `value` as JSON."""
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


RETRY_AFTER = {"description": "The seconds to wait before another try", "schema": {"type": "integer"}}

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
    503: "The journal cannot be written, the hall's broker is away, or too many listen; nothing has changed",
}


def overview(routes: list[Route]) -> Response:
    """Recipes for programs and the list of `routes`, as plain text."""
    listed = "".join(f"{route.method:4} {route.path}: {route.summary}\n" for route in routes)
    return Response(f"{RECIPES.read_text('utf-8')}\n## Routes\n\n{listed}", mimetype="text/plain")


def describe(
    routes: list[Route],
    server: str,
    title: str = "Table Companion",
    secrets: Mapping[str, Any] = SEAT_SECRETS,
    asks: type[Spoken] = Asked,
) -> dict[str, Any]:
    """The OpenAPI description of `routes` at the address `server`; `asks` may stand behind any address.

    Where moves are taken, the moves and options of every game are in it. `secrets` are the security schemes.
    """
    kinds = [kind for route in routes for kind in route.types]
    played = games().values() if AnyMove in kinds else ()
    every = [*(game.every_move for game in played), *kinds, Refusal, *(game.options_type for game in played)]
    schemas, components = schemas_of(every)
    known = {id(kind): schema for kind, schema in zip(every, schemas, strict=True)}
    known[id(AnyMove)] = _move_or_wrapped(schemas[: len(played)])
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, known, asks)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "servers": [{"url": server}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": secrets},
        "security": [{}, *({name: []} for name in secrets)],
    }


def _move_or_wrapped(moves: list[Any]) -> dict[str, Any]:
    move = {"anyOf": moves}
    wrapped = {"move": move, "n": {"type": ["integer", "null"]}}
    return {"anyOf": [*moves, {"type": "object", "properties": wrapped, "required": ["move"]}]}


def _is_type(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def _operation(route: Route, known: dict[int, Any], asks: type[Spoken]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.summary,
        "parameters": [*_parameters(route, asks)],
        "responses": {"200": {"description": "Done", "content": _content(route.gives, known)}},
    }
    for status in route.refusals:
        refused = {"description": REFUSALS[status], "content": _content(Refusal, known)}
        if status == 429 or (status == 503 and isinstance(route.gives, Stream)):
            refused["headers"] = {"Retry-After": RETRY_AFTER}
        operation["responses"][str(status)] = refused
    if route.takes is not None:
        operation["requestBody"] = {"required": True, "content": _content(route.takes, known)}
    return operation


def _content(kind: Any, known: dict[int, Any]) -> dict[str, Any]:
    if isinstance(kind, Stream):
        return {"text/event-stream": {"schema": _events(kind.event, known[id(kind.data)])}}
    if _is_type(kind):
        return {"application/json": {"schema": known[id(kind)]}}
    text = {"type": "string"} if kind.startswith("text/") else {"type": "string", "format": "binary"}
    return {kind: {"schema": text}}


def _events(event: str, data: Any) -> dict[str, Any]:
    """A stream's text: its content is described as the list of its events."""
    inside = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    changed = {"event": {"const": event}, "id": {"type": "string"}, "data": inside}
    beat = {"event": {"const": "beat"}, "data": {"const": "{}"}}
    some = [{"type": "object", "properties": one, "required": [*one]} for one in (changed, beat)]
    content = {"type": "array", "items": {"oneOf": some}}
    return {"type": "string", "contentMediaType": "text/event-stream", "contentSchema": content}


def _parameters(route: Route, asks: type[Spoken]) -> Iterator[dict[str, Any]]:
    for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", route.path):
        schema = {"type": "integer" if kind == "int" else "string"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for asked in filter(None, (route.asks, asks)):
        (fields,) = schemas_of([asked])[1].values()
        for name, schema in fields["properties"].items():
            says = schema.pop("description")
            yield {"name": name, "in": "query", "required": False, "description": says, "schema": schema}
