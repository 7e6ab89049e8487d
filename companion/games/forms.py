"""The notation of moves: a form for each kind of move, read and written by one grammar.

A form is a text with a place for each field, such as `{owner}{digit}[+{turns}]@{row},{col}`. The part in
brackets is left out if its field has the value `absent` of its place. With `[this {field}|that]`, the other
text stands there instead.

    FORMS = Forms({"card": word}, {Draw: "draw", Play: "play {card}"})
    FORMS.write(Play("skip"))     # "play skip"
    FORMS.parse("play skip")      # Play("skip")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

FIELD = re.compile(r"\{(\w+)\}")
BRACKETS = re.compile(r"\[(.*?)\]")


class Place(NamedTuple):
    """The notation of a field's values: a pattern without groups, and the two directions."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    absent: Any = None


number = Place(r"\d+", str, int)
integer = Place(r"-?\d+", str, int)
word = Place(r"\S+", str, str)


def choice(*same: str, **values: Any) -> Place:
    """A few values by their words; the values of `same` are their own words."""
    by_word = dict(zip(same, same, strict=True)) | values
    words = {value: word for word, value in by_word.items()}
    pattern = f"(?:{'|'.join(map(re.escape, by_word))})"
    return Place(pattern, lambda value: words.get(value, str(value)), by_word.__getitem__)


def joined(place: Place, sign: str, count: int) -> Place:
    """A tuple of `count` values with a sign between them."""
    return _several(place, re.escape(sign).join([place.pattern] * count), lambda texts: sign.join(texts))


def each_after(sign: str, place: Place) -> Place:
    """A tuple of any number of values, each after a sign."""
    pattern = f"(?:{re.escape(sign)}{place.pattern})*"
    return _several(place, pattern, lambda texts: "".join(f"{sign}{text}" for text in texts))


def _several(place: Place, pattern: str, put_together: Callable[[list[str]], str]) -> Place:
    return Place(
        pattern,
        lambda values: put_together(list(map(place.write, values))),
        lambda text: tuple(map(place.read, re.findall(place.pattern, text))),
    )


class Form:
    """The notation of one kind of value, with each field's place by name."""

    def __init__(self, kind: type[Any], template: str, places: Mapping[str, Place]) -> None:
        self.kind = kind
        self._places = {field: places[field] for field in FIELD.findall(template)}
        self._parts = BRACKETS.split(template)
        pattern = "".join(
            f"(?:{'|'.join(map(self._pattern, part.split('|')))}){'' if '|' in part else '?'}"
            if n % 2
            else self._pattern(part)
            for n, part in enumerate(self._parts)
        )
        self.pattern = re.compile(pattern)

    def _pattern(self, part: str) -> str:
        texts = FIELD.split(part)
        return "".join(
            f"(?P<{text}>{self._places[text].pattern})" if n % 2 else re.escape(text)
            for n, text in enumerate(texts)
        )

    def write(self, value: Any) -> str:
        """The value as a text."""
        parts = (self._chosen(part, value) if n % 2 else part for n, part in enumerate(self._parts))
        return FIELD.sub(lambda match: self._places[match[1]].write(getattr(value, match[1])), "".join(parts))

    def _chosen(self, part: str, value: Any) -> str:
        """The text of a pair of brackets for this value."""
        given, _, otherwise = part.partition("|")
        return (
            otherwise
            if all(getattr(value, field) == self._places[field].absent for field in FIELD.findall(given))
            else given
        )

    def parse(self, text: str) -> Any:
        """The value in a text; None if it is not in this form. Raises `ValueError` for a number of more
        digits than Python reads."""
        if (match := self.pattern.fullmatch(text)) is None:
            return None
        return self.kind(
            **{
                field: self._places[field].absent if part is None else self._places[field].read(part)
                for field, part in match.groupdict().items()
            }
        )

    def as_place(self) -> Place:
        """The value as a part of another form."""
        return Place(re.sub(r"\?P<\w+>", "?:", self.pattern.pattern), self.write, self.parse)


class Forms:
    """A game's notation: a template for each kind of move, and the places of its fields."""

    def __init__(self, places: Mapping[str, Place], templates: Mapping[type[Any], str]) -> None:
        self._forms = {kind: Form(kind, template, places) for kind, template in templates.items()}

    def __bool__(self) -> bool:
        """True for a game that has a notation."""
        return bool(self._forms)

    def write(self, move: Any) -> str | None:
        """The move as a text; None if it has no form, or if its text would be read as another move."""
        form = self._forms.get(type(move))
        text = form.write(move) if form else None
        return text if text is not None and self.parse(text) == move else None

    def parse(self, text: str) -> Any:
        """The move in a text; None if the text is not in the notation."""
        for form in self._forms.values():
            try:
                if (move := form.parse(text)) is not None:
                    return move
            except ValueError:
                return None
        return None
