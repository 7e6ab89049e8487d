"""What the server sends as JSON, as TypeScript types for the pages' JavaScript: made from the Python types.

What every game shares stands in `web/static/types.d.ts`, what one game sends in its `page_types.d.ts`. Each
is written again, where a Python type has changed, by `make page-types`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from companion.games.registry import AnyGame, games
from companion.hall.view import HallShown
from web.app import EVERY_ROUTE
from web.openapi import Refusal, Stream

SHARED = Path("web/static/types.d.ts")
OF_THE_HALL = Path("companion/hall/hall_types.d.ts")
OF_A_GAME = "page_types.d.ts"
MADE = "// Made from the Python types by `make page-types`; a test says when it is out of date.\n"

ANY_GAME = """
/** What a game adds to the types that all games share. */
export interface AnyGame {
  board: unknown;
  options: object;
  move: object;
}
"""

HEAD = """
import type {{ TableNow }} from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {{
  board: {view};
  options: {options};
  move: {move};
}}

/** All that this game's page shows. */
export type Now = TableNow<Game>;
"""
"""How the types of one game begin."""

OF_THE_GAME = {
    ("MatchView", "board"): "G['board']",
    ("MatchView", "options"): "G['options']",
    ("Guess", "moves"): "G['move'][]",
}
"""Fields whose type is the game's own."""

GENERIC = ("Guess", "MatchView", "SightingView", "TableNow")
"""Types that hold such a field, at any depth."""

PLAIN = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.DateTimeType: "string",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}
LISTS = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
RECORDS = inspect.StructType | inspect.DataclassType


class Interfaces:
    """TypeScript's interfaces for Python's types, each written once."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.made_from: dict[str, type] = {}

    def name(self, kind: Any) -> str:
        """The TypeScript type of a Python type; interfaces that it needs are written too."""
        return self._type(inspect.type_info(kind))

    def _type(self, info: inspect.Type) -> str:
        match info:
            case inspect.Metadata(type=inner):
                return self._type(inner)
            case inspect.LiteralType(values=values):
                return " | ".join(map(_literal, values))
            case inspect.EnumType(cls=enum):
                return " | ".join(_literal(each) for each in enum)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(map(self._type, types)))
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(map(self._type, items))}]"
            case inspect.DictType(key_type=key, value_type=value):
                return f"Record<{self._type(key)}, {self._type(value)}>"
        if isinstance(info, LISTS):
            return _list_of(self._type(info.item_type))
        if isinstance(info, RECORDS):
            return self._record(info)
        return PLAIN[type(info)]

    def _record(self, info: inspect.StructType | inspect.DataclassType) -> str:
        name = info.cls.__name__
        shown = f"{name}<G>" if name in GENERIC else name
        if name in self.texts:
            if self.made_from[name] is not info.cls:
                raise ValueError(f"two types are called {name}: {self.made_from[name]} and {info.cls}")
            return shown
        self.texts[name], self.made_from[name] = "", info.cls
        lines = [self._field(name, info, field) for field in info.fields]
        tag_field = getattr(info, "tag_field", None)
        if tag_field:
            lines.insert(0, f"  {tag_field}: {_literal(info.tag)};")  # type: ignore[union-attr]
        meaning = " ".join((info.cls.__doc__ or "").split("\n\n")[0].split())
        generic = "<G extends AnyGame = AnyGame>" if name in GENERIC else ""
        self.texts[name] = "\n".join(
            [f"/** {meaning} */", f"export interface {name}{generic} {{", *lines, "}"]
        )
        return shown

    def _field(self, owner: str, info: Any, field: inspect.Field) -> str:
        kind = OF_THE_GAME.get((owner, field.name)) or self._type(field.type)
        config = getattr(info.cls, "__struct_config__", None)
        optional = "?" if config and config.omit_defaults and not field.required else ""
        return f"  {field.encode_name}{optional}: {kind};"

    def text(self) -> str:
        """Every interface, in the order of their names."""
        return "\n\n".join(text for _, text in sorted(self.texts.items()))


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _list_of(kind: str) -> str:
    return f"({kind})[]" if " | " in kind else f"{kind}[]"


def shared() -> str:
    """The types that pages of every game use: all that the API gives."""
    interfaces = Interfaces()
    interfaces.name(Refusal)
    for route in (route for each in EVERY_ROUTE for route in each.described):
        if route.gives is not None and not isinstance(route.gives, str | Stream):
            interfaces.name(route.gives)
    return f"{MADE}{ANY_GAME}\n{interfaces.text()}\n"


def of_game(game: AnyGame) -> str:
    """The types that a game's own page uses: what it shows, its options and its moves."""
    interfaces = Interfaces()
    options = game.options({})
    view = interfaces.name(type(game.view(game.start(options, game.seat_counts[0]), None)))
    its_options, move = interfaces.name(game.options_type), interfaces.name(game.move_type)
    head = HEAD.format(view=view, options=its_options, move=move)
    return f"{MADE}{head}\n{interfaces.text()}\n"


def of_the_hall() -> str:
    """The types that the hall's page uses: all that it is sent."""
    interfaces = Interfaces()
    interfaces.name(HallShown)
    return f"{MADE}\n{interfaces.text()}\n"


def made(root: Path) -> dict[Path, str]:
    """Every file of types below `root`, as it is to be."""
    files = {root / SHARED: shared(), root / OF_THE_HALL: of_the_hall()}
    for game in games().values():
        if game.folder.is_relative_to(root):
            files[game.folder / OF_A_GAME] = of_game(game)
    return files


if __name__ == "__main__":
    for path, text in made(Path(__file__).parents[2]).items():
        path.write_text(text, "utf-8")
